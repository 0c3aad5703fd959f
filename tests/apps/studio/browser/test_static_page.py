"""The page with the engine inside (`scripts/page`), in a real browser: only what differs from the studio. The tests of the studio
itself look at this page too, where TILER_PAGE names it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tiler
from tiler.apps.studio.engine import document_of
from tiler.bench import record
from tiler.bench.stats import series

from .conftest import PAGE, PHONE, Studio, fragment_of, served
from .test_compare import PROBLEMS, choose, save, solver

CAMPAIGNS = Path(__file__).parents[4] / "results" / "reference"
SOLVERS = ("dlx", "fila")

pytestmark = [pytest.mark.long, pytest.mark.skipif(not PAGE, reason="TILER_PAGE names no page")]


#: Questions to the engine: one that is stopped when its progress is told, and one that is waited for.
_LISTEN = """async () => {
  const { link } = await import("./state.js");
  const sentences = (parameters, hear) => new Promise((done) => {
    const end = link.engine.on((event) => {
      const over = { answer: event.sentences, failed: [event.error] }[event.event];
      hear(event);
      if (over) {
        end();
        done(over);
      }
    });
    link.engine.ask("count", parameters, []);
  });
  window.answered = (parameters) => sentences(parameters, () => {});
  window.lost = (parameters) => sentences(parameters, (event) => {
    const error = new ErrorEvent("error", { message: "out of memory" });
    if (event.event === "progress") window.workers.slice(1).forEach((one) => one.dispatchEvent(error));
  });
  window.stopped = (parameters) => sentences(parameters, (event) => {
    if (event.event === "progress") link.engine.stop(event.id);
  });
}"""


#: The board and the pieces are there while the parts of Python are fetched.
_BEFORE_PYTHON = """() => [".strip.starting progress", ".board .cells path.on", ".side svg.piece"]
  .every((each) => document.querySelector(each))"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served(PAGE) as link:
        yield link


@pytest.fixture
def opened(browser: Any, address: str, request: pytest.FixtureRequest) -> Iterator[tuple[Studio, list[str]]]:
    """The page, and the addresses that it has asked for."""
    context = browser.new_context(**getattr(request, "param", {}))
    context.add_init_script(
        "window.workers = []; window.Worker = class extends Worker {"
        "constructor(...all) { super(...all); window.workers.push(this); } };"
    )
    page = context.new_page()
    asked: list[str] = []
    context.on("request", lambda sent: asked.append(sent.url))
    studio = Studio(page)
    page.goto(address)
    page.wait_for_selector("body[data-ready=yes]")
    page.locator(".strip.starting").wait_for(state="detached", timeout=300_000)  # Python is there.
    yield studio, asked
    context.close()
    assert studio.errors == []


def test_it_answers_offline_and_asks_no_other_host(opened: tuple[Studio, list[str]], address: str) -> None:
    studio, asked = opened
    studio.wait("9,356 ways")
    studio.page.wait_for_function("navigator.serviceWorker.ready.then(() => caches.keys()).then((names) => names.length === 1)")
    studio.page.context.set_offline(True)
    studio.page.reload()
    studio.page.wait_for_function(_BEFORE_PYTHON)
    studio.page.get_by_role("button", name="New …").click()
    studio.page.get_by_text("Search the").wait_for()  # The list is there too; its pictures are not among the kept files.
    studio.page.locator(".problem-picture.none").first.wait_for(state="hidden")
    studio.page.keyboard.press("Escape")
    studio.errors.clear()  # The browser notes each picture.
    studio.page.locator(".live", has_text="9,356 ways").wait_for(timeout=300_000)
    studio.page.get_by_role("button", name="Solve").click()
    studio.wait("Finished!")
    assert studio.pieces == 12
    assert [url for url in asked if not url.startswith((address, "blob:", "data:"))] == []


def test_a_question_is_stopped_and_the_next_one_answered(opened: tuple[Studio, list[str]]) -> None:
    studio, _ = opened
    page = studio.page
    page.evaluate(_LISTEN)
    assert page.evaluate("stopped({ solver: 'backtracking', up_to_symmetry: true })")[:1] == ["stopped"]
    assert page.evaluate("answered({ solver: 'dlx' })") == ["9,356 tilings"]


def test_what_no_page_can_do_is_said_with_the_command(opened: tuple[Studio, list[str]]) -> None:
    studio, _ = opened
    said = studio.page.evaluate(
        "async () => { const { link } = await import('./state.js'); return new Promise((done) => {"
        "link.engine.on((event) => { if (event.event === 'failed') done(event.error); });"
        "link.engine.ask('count', { solver: 'sat' }, []); }); }"
    )
    assert said.endswith("not in this page; in a terminal: tiler count problem.json --solver sat")
    studio.tab("Keep")
    studio.page.locator(".panel select").first.select_option("sheet")
    studio.page.get_by_role("button", name="Save", exact=True).click()
    studio.page.locator(".news", has_text="not in this page; in a terminal: tiler show problem.json -o sheet.pdf").wait_for()
    studio.page.get_by_role("link", name="Race").click()
    studio.page.get_by_text("Race: not in this page; in a terminal: tiler studio").wait_for()


def open_records(studio: Studio, *files: Path) -> None:
    """Goes to the room Compare, and opens records by the dialog of the browser."""
    studio.page.get_by_role("link", name="Compare").click()
    with studio.page.expect_file_chooser() as chooser:
        studio.page.get_by_role("button", name="Open records").click()
    chooser.value.set_files(list(files))


def test_recorded_campaigns_are_opened_from_files(opened: tuple[Studio, list[str]], tmp_path: Path) -> None:
    studio, _ = opened
    page = studio.page
    folder = CAMPAIGNS / "calendars"
    open_records(studio, folder / "runs.jsonl", folder / "env.json")
    page.get_by_role("heading", name="Calendars").wait_for()
    page.locator("svg.plot").first.wait_for()
    runs = record.read(folder).records
    assert page.locator(".results .state").inner_text() == f"{len(runs)} runs"
    page.get_by_label("Problem: a part").fill("a-puzzle-a-day")
    shown = sum("a-puzzle-a-day" in each["instance"] for each in series(runs)[0])  # The question with most runs is shown first.
    page.locator(".runs .said", has_text=f"{shown} of {len(runs)} runs").wait_for()
    page.locator(".list tbody button").first.click()
    page.locator(".one pre").first.wait_for()

    # One more, with a torn line and a record of another schema; what changed from one to the other.
    lines = (folder / "runs.jsonl").read_text().splitlines()
    (tmp_path / "torn.jsonl").write_text("\n".join([*lines[:9], lines[9].replace("tiler-run-1", "tiler-run-9"), lines[10][:70]]))
    open_records(studio, tmp_path / "torn.jsonl")
    page.get_by_text("2 records cannot be read").wait_for()
    page.get_by_text("Compare with …").click()
    page.get_by_label("What changed since").select_option("runs")
    page.get_by_role("heading", name="torn against runs").wait_for()

    (tmp_path / "other.jsonl").write_text('{"a": 1}\n')
    open_records(studio, tmp_path / "other.jsonl")
    page.locator(".news", has_text="other.jsonl holds no records of tiler bench: none of its 1 lines can be read").wait_for()
    page.evaluate(
        "async () => { const { link } = await import('./state.js');"
        "const large = new File([new Uint8Array(51e6)], 'large.jsonl');"
        "window.said = await link.engine.campaigns.open([large]).catch((error) => error.message); }"
    )
    assert (
        page.evaluate("window.said") == "large.jsonl is larger than 50 MB: not in this page; in a terminal: tiler report FOLDER"
    )


def test_solvers_are_compared_and_their_records_saved(opened: tuple[Studio, list[str]], tmp_path: Path) -> None:
    studio, _ = opened
    page = studio.page
    page.get_by_role("link", name="Compare").click()
    page.locator(".solver-list li").nth(3).wait_for()
    choose(page, PROBLEMS, SOLVERS)
    sat = solver(page, "sat")
    assert sat.get_by_role("checkbox").is_disabled()
    assert "not in this page; in a terminal: tiler bench --solver sat" in sat.inner_text()
    command = " ".join([*(f"--filter {name}" for name in PROBLEMS), *(f"--solver {name}" for name in SOLVERS)])
    page.get_by_text(f"not in this page; in a terminal: tiler bench {command} --goal decide").wait_for()
    page.get_by_role("button", name="Start 6 runs").click()
    page.get_by_role("button", name="Stop").click()
    page.get_by_text("of 6 runs, stopped").wait_for()
    page.evaluate("window.workers[0].dispatchEvent(new ErrorEvent('error', { message: 'out of memory' }))")
    page.get_by_role("button", name="Go on").click()  # Another worker knows the campaign.
    page.get_by_text("6 of 6 runs, done").wait_for()
    page.locator("svg.plot").first.wait_for()
    page.get_by_text("Save as …").click()
    saved = save(page, "All records", tmp_path)
    records = record.read(tmp_path)
    assert saved.name == "runs.jsonl"
    assert (len(records.records), records.skipped) == (6, 0)
    for each in records.records:
        assert each["category"] == "correct"
        assert (each["cpu_seconds"], each["peak_megabytes"], each["load"]) == (None, None, None)
        assert "Emscripten" in str(each["environment"])
    page.get_by_role("button", name="Save the figure").click()
    page.locator(".news", has_text="figures: not in this page; in a terminal: tiler plot results/").wait_for()
    open_records(studio, saved)
    page.locator(".runs .said", has_text="6 of 6 runs, 6 solved").wait_for()


def test_a_run_that_does_not_come_back_has_reached_its_limit(opened: tuple[Studio, list[str]]) -> None:
    """The worker that makes the second run never answers."""
    studio, _ = opened
    page = studio.page
    page.get_by_role("link", name="Compare").click()
    page.locator(".solver-list li").nth(3).wait_for()
    choose(page, PROBLEMS[:2], SOLVERS[:1])
    page.evaluate(
        "async () => { const { draft } = await import('./compare_state.js'); draft.value = { ...draft.value, seconds: 0.1 };"
        "const post = Worker.prototype.postMessage; let runs = 0; Worker.prototype.postMessage = function (message) {"
        'if (/"do":"run"/.test(message.text) && ++runs === 2) return; post.call(this, message); }; }'
    )
    page.get_by_role("button", name="Start 2 runs").click()
    page.get_by_text("2 of 2 runs, done").wait_for()
    page.locator(".runs .said", has_text="2 of 2 runs, 1 solved").wait_for()
    assert page.locator(".list tbody tr", has_text="timeout").count() == 1


@pytest.mark.parametrize("opened", [PHONE], indirect=True)
def test_a_phone_solves(opened: tuple[Studio, list[str]]) -> None:
    studio, _ = opened
    studio.page.get_by_role("button", name="Solve").tap()
    studio.wait("Finished!")
    assert studio.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if folder := os.environ.get("TILER_SCREENS"):
        studio.page.screenshot(path=f"{folder}/page-phone.png")


HEART = ".xx.xx./xxxxxxx/.xxxxx./..xxx../...x..."
MUTILATED = "/".join([".xxxxxxx", *["xxxxxxxx"] * 6, "xxxxxxx."])


def follow_link(studio: Studio, instance: tiler.Instance) -> None:
    """Open a problem by a link, as one beside an example in the docs."""
    studio.page.evaluate("(fragment) => { location.hash = fragment; }", fragment_of(instance))
    studio.page.wait_for_function(
        "(text) => import('./state.js').then(({ problem }) => JSON.stringify(problem.value) === text)",
        arg=json.dumps(document_of(instance), separators=(",", ":"), ensure_ascii=False),
    )


def answer(studio: Studio, question: str, parameters: dict[str, Any]) -> Any:
    """The answer to a question, which the page shows too."""
    ask = "async ([question, parameters]) => (await import('./doing.js')).ask(question, parameters)"
    return studio.page.evaluate(ask, [question, parameters])


def test_it_counts_as_tiler_does(opened: tuple[Studio, list[str]]) -> None:
    studio, _ = opened
    pieces = ("1:5F", "1:5N", "1:5P", "1:5W")
    for instance in (
        tiler.make(HEART, *pieces, reflections=True),
        *(tiler.problems(name)[0] for name in ("classic/soma_s", "edges/tetravex-4_s")),
    ):
        follow_link(studio, instance)
        number = tiler.count(instance)
        assert answer(studio, "count", {})["sentences"] == [f"{number:,} tiling{'s' * (number != 1)}"]
    calendar = tiler.problems("calendars/a-puzzle-a-day_s")[0]
    follow_link(studio, calendar)
    (text,) = (block["text"] for block in answer(studio, "by_open", {})["blocks"] if block["kind"] == "text")
    assert text == str(tiler.by_open(calendar))


def test_the_mutilated_board_is_proved_impossible_and_drawn(opened: tuple[Studio, list[str]]) -> None:
    studio, _ = opened
    instance = tiler.make(MUTILATED, "2")
    follow_link(studio, instance)
    studio.wait("31 tiles cover 31; the board has 32")
    told, proof = answer(studio, "prove", {}), tiler.prove(instance)
    assert (told["status"], told["sentences"]) == ("unsat", [proof.verdict, proof.sentence])
    studio.tab("Ask")
    assert studio.page.locator(".asked .picture svg").bounding_box()["width"] > 100


def test_another_worker_takes_over_from_one_that_ends(opened: tuple[Studio, list[str]]) -> None:
    """As it ends where the memory of the browser does not suffice. A question that takes long has a worker of its own."""
    studio, _ = opened
    page = studio.page
    studio.wait("9,356 ways")
    page.evaluate(_LISTEN)
    page.evaluate(
        "import('./state.js').then(({ link }) => { window.said = []; link.engine.on((event) => said.push(event.sentence)); })"
    )
    page.evaluate("window.workers[0].dispatchEvent(new ErrorEvent('error', { message: 'out of memory' }))")
    follow_link(studio, tiler.make("4x4", "2"))
    studio.wait("36 ways")
    assert "The engine in this page has ended; another one takes over." in page.evaluate("window.said")
    follow_link(studio, tiler.make("12x12", "2"))
    studio.wait("ways")
    assert page.evaluate("window.lost({ solver: 'dlx' })") == ["The engine in this page has ended: out of memory."]
    assert page.evaluate("window.answered({ solver: 'matching' })") == [f"{tiler.count(tiler.make('12x12', '2')):,} tilings"]
