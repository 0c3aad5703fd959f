"""The page with the engine inside (`scripts/page`), in a real browser: only what differs from the studio. The tests of the studio
itself look at this page too, where TILER_PAGE names it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tiler
from tiler.studio.engine import document_of

from .conftest import PAGE, PHONE, Studio, served

sys.path.insert(0, str(Path(__file__).parents[3] / "scripts"))

from page_links import fragment_of

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
  window.stopped = (parameters) => sentences(parameters, (event) => {
    if (event.event === "progress") link.engine.stop(event.id);
  });
}"""


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
    page.wait_for_selector("body[data-ready=yes]", timeout=300_000)
    yield studio, asked
    context.close()
    assert studio.errors == []


def test_it_answers_offline_and_asks_no_other_host(opened: tuple[Studio, list[str]], address: str) -> None:
    studio, asked = opened
    studio.wait("9,356 ways")
    studio.page.wait_for_function("navigator.serviceWorker.ready.then(() => caches.keys()).then((names) => names.length === 1)")
    studio.page.context.set_offline(True)
    studio.page.reload()
    studio.page.wait_for_selector("body[data-ready=yes]", timeout=300_000)
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
    for room in ("Compare", "Race"):
        studio.page.get_by_role("link", name=room).click()
        studio.page.get_by_text(f"{room}: not in this page; in a terminal: tiler studio").wait_for()


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
    """As it ends where the memory of the browser does not suffice."""
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
    said = page.evaluate(
        "async () => { const told = window.answered({ solver: 'backtracking' }); await new Promise((go) => setTimeout(go));"
        "window.workers.slice(1).forEach((one) => one.dispatchEvent(new ErrorEvent('error', { message: 'out of memory' })));"
        "return told; }"
    )
    assert said == ["The engine in this page has ended: out of memory."]
    assert page.evaluate("window.answered({})") == ["36 tilings"]
