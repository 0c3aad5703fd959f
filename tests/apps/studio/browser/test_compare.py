"""What a student does in the room where solvers are compared, by mouse: choose, run, stop, go on, look, and take along."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tiler.bench import record
from tiler.bench.stats import Clock, series
from tiler.report import chosen_records, document, runs
from tiler.report.document import Heading, Tabular

from .conftest import DARK, PHONE, Studio, axe_script, findings

pytestmark = pytest.mark.long

PROBLEMS = ("4L/02x06_u", "4L/06x06_u", "misc/01_s")
SOLVERS = ("dlx", "fila", "backtracking")


#: The room as it is first.
_NEW_ROOM = """async () => {
  const state = await import("/compare_state.js");
  state.open("");
  state.draft.value = (await import("/compare_draft.js")).FIRST;
}"""


def enter(page: Any) -> None:
    """Goes to the room."""
    page.evaluate(_NEW_ROOM)
    page.get_by_role("navigation", name="Rooms").get_by_role("link", name="Compare").click()
    page.locator(".solver-list li").nth(3).wait_for()


def choose(page: Any, problems: tuple[str, ...] = PROBLEMS, solvers: tuple[str, ...] = SOLVERS) -> None:
    """Takes problems and solvers."""
    for name in problems:
        page.get_by_label("Filter").fill(name)
        page.locator(".problem-list li", has_text=name).first.get_by_role("checkbox").check()
    for name in solvers:
        solver(page, name).get_by_role("checkbox").check()


def solver(page: Any, name: str) -> Any:
    """The entry of a solver."""
    return page.locator(".solver-list > li").filter(has=page.locator(f"b:text-is('{name}')"))


def save(page: Any, button: str, folder: Path) -> Path:
    """Presses a button that gives the browser a file."""
    with page.expect_download() as download:
        page.get_by_role("button", name=button).click()
    path = folder / str(download.value.suggested_filename)
    download.value.save_as(path)
    return path


@pytest.mark.slow
def test_a_student_compares_and_takes_figure_and_table_along(shared: Studio, results: Path, tmp_path: Path) -> None:
    page = shared.page
    enter(page)
    choose(page)
    page.get_by_label("Times each run is made").fill("2")
    page.get_by_label("Name").fill("student")
    page.get_by_role("button", name="Start 18 runs").click()
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    page.route("**/api/campaign/stop", hold)
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Stopping …").wait_for()  # It was heard, though its run may take seconds to end.
    held[0].continue_()
    page.get_by_role("button", name="Go on").wait_for()
    stopped = len(record.read(results / "student").records)
    assert stopped < 18
    page.reload()  # Another day.
    page.get_by_role("button", name="Go on").click()
    page.get_by_text("18 of 18 runs, done").wait_for(timeout=60_000)
    assert len(record.read(results / "student").records) == 18

    page.locator(".solvers button", has_text="backtracking").click()
    page.get_by_text("12 of 18 runs").wait_for()
    page.get_by_text("Save as …").click()
    figure, table = save(page, "Save the figure", tmp_path), save(page, "Table as LaTeX", tmp_path)
    assert (figure.name, table.name) == ("student-survival.pdf", "student-solvers.tex")
    assert "--solver dlx --solver fila" in page.locator(".saved").inner_text()
    assert f"{table.name} leaves out backtracking." in page.locator(".saved").inner_text()
    assert figure.read_bytes().startswith(b"%PDF")
    assert "fila & 3 & 3" in table.read_text()
    assert "backtracking" not in table.read_text()
    campaign = save(page, "Campaign as TOML", tmp_path)
    assert campaign.read_bytes() == (results / "student" / "campaign.toml").read_bytes()
    typeset(tmp_path, figure, table)

    command = [sys.executable, "-m", "tiler", "bench", str(campaign), "-o", str(results / "student"), "--dry-run"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "18 of them recorded already" in done.stderr

    # To a race of the solvers that are shown, and back.
    page.locator(".list tbody button", has_text=PROBLEMS[0]).first.click()
    page.get_by_role("button", name="Race these solvers on this problem").click()
    page.get_by_role("article", name="fila").wait_for()
    assert page.locator(".racer select").evaluate_all("(all) => all.map((one) => one.value)") == ["dlx", "fila"]
    page.get_by_role("link", name="Back to the comparison").click()
    page.get_by_text("12 of 18 runs").wait_for()


def typeset(folder: Path, figure: Path, table: Path) -> None:
    """Makes a page with the figure and the table, where there is LaTeX with the packages of the table."""
    latex, packages = shutil.which("pdflatex"), shutil.which("kpsewhich")
    if latex is None or packages is None:
        return
    if subprocess.run([packages, "booktabs.sty", "siunitx.sty"], capture_output=True, check=False).returncode:
        return
    (folder / "page.tex").write_text(
        "\\documentclass{article}\\usepackage{graphicx,booktabs,siunitx}\\begin{document}"
        f"\\includegraphics{{{figure.name}}}\n\n\\input{{{table.name}}}\\end{{document}}\n"
    )
    done = subprocess.run([latex, "-interaction=batchmode", "page.tex"], cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, (folder / "page.log").read_text()[-2000:]
    assert (folder / "page.pdf").read_bytes().startswith(b"%PDF")


def test_what_is_looked_for_is_in_the_link_and_keys_go_through_the_table(shared: Studio, results: Path) -> None:
    shutil.copytree(_reference("calendars"), results / "calendars", dirs_exist_ok=True)
    page = shared.page
    enter(page)
    page.locator(".campaigns select").select_option("calendars")
    page.locator("svg.plot").first.wait_for()
    assert page.locator("svg.plot").count() == 2
    page.get_by_label("Problem: a part").fill("day")
    page.get_by_label("Category").select_option("correct")
    page.locator(".runs th.seconds button").click()
    said = page.locator(".runs .said").inner_text()
    page.reload()
    page.get_by_text(said).wait_for()
    assert page.locator(".runs th.seconds").get_attribute("aria-sort") == "ascending"
    page.locator(".list tbody button").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    name = page.locator(".list tbody tr.active button").inner_text()
    page.locator(".one h3", has_text=name).wait_for()
    assert page.locator(".one pre").first.inner_text().startswith("{")
    assert page.locator(".one svg.tiling rect").count() > 20


def test_two_campaigns_and_a_record_that_comes_from_elsewhere(shared: Studio, results: Path) -> None:
    for name in ("before", "after"):
        shutil.copytree(_reference("calendars"), results / name, dirs_exist_ok=True)
    page = shared.page
    page.goto(f"{page.url.partition('#')[0]}#room=compare&results=after")
    page.get_by_text("26 runs", exact=True).wait_for()
    runs = results / "after" / "runs.jsonl"
    lines = runs.read_text().splitlines(keepends=True)
    runs.write_text("".join([*lines[:20], lines[20][:50]]))
    page.get_by_text("1 record cannot be read").wait_for()
    page.get_by_text("Compare with …").click()
    page.get_by_label("What changed since").select_option("before")
    page.get_by_role("heading", name="after against before").wait_for()
    assert page.locator(".compared table").first.locator("tbody tr").count() >= 1


def test_refusals_and_options_are_said(shared: Studio) -> None:
    page = shared.page
    enter(page)
    choose(page, PROBLEMS[:1], ())
    solver(page, "matching").get_by_text("it is made for tiles of two cells").wait_for()
    assert solver(page, "matching").get_by_role("checkbox").is_disabled()
    solver(page, "backtracking").locator("summary").click()
    solver(page, "backtracking").get_by_label(re.compile("^order")).select_option("rare")
    page.get_by_role("button", name="Add backtracking:order=rare").click()
    page.get_by_role("button", name="Start 1 run").wait_for()
    page.get_by_role("searchbox", name="Filter").fill("scaled")  # A tag.
    page.get_by_role("button", name=re.compile(r"Take all \d+")).wait_for()
    page.get_by_role("searchbox", name="Filter").fill("no such problem")
    page.get_by_text("No problem has no such problem in its name, its title or its tags.").wait_for()
    page.get_by_role("button", name="Leave out backtracking:order=rare").click()
    assert page.get_by_role("button", name="Start", exact=True).is_disabled()


@pytest.mark.parametrize("shared", [{}, PHONE, DARK], indirect=True, ids=["desktop", "phone", "dark"])
def test_axe_finds_nothing_in_this_room(axe: str, shared: Studio) -> None:
    page = shared.page
    enter(page)
    choose(page, PROBLEMS[:1], SOLVERS[:1])
    solver(page, "dlx").locator("summary").click()
    page.locator(".chosen summary").click()
    assert findings(page, axe) == []
    _reference("calendars")
    page.locator(".campaigns select").select_option("@calendars")
    page.locator("svg.plot").first.wait_for()
    page.get_by_text("Save as …").click()
    page.locator(".list tbody button").first.click()
    page.locator(".one h3").wait_for()
    assert findings(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_page_of_a_report_works_as_a_file(browser: Any, tmp_path: Path) -> None:
    found = chosen_records.read(_reference("calendars"))
    blocks = [Heading("Calendars", 1), Heading("Results"), Tabular(("solver", "solved"), (("dlx", "3"),))]
    content = document.html("Calendars", blocks, runs.section(found, Clock.SOLVE), runs.style_sheet())
    (tmp_path / "report.html").write_text(content)
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"file://{tmp_path / 'report.html'}#text=a-puzzle-a-day&sort=seconds")
    page.locator("#runs[data-ready] svg.plot").first.wait_for()
    first = series(found)[0]  # the question with most runs, which is shown first
    number = sum("a-puzzle-a-day" in str(each["instance"]) for each in first)
    assert page.locator(".said").inner_text().startswith(f"{number} of 26 runs")
    page.locator(".solvers button").first.click()
    assert "off=" in page.url
    page.locator(".list tbody button").first.click()
    page.locator(".one pre").first.wait_for()
    assert not page.get_by_role("columnheader", name="solved", exact=True).is_visible()
    page.locator("summary", has_text="Results").click()
    assert page.get_by_role("columnheader", name="solved", exact=True).is_visible()
    if os.environ.get("TILER_AXE"):
        assert findings(page, axe_script()) == []
    assert errors == []
    context.close()


def _reference(name: str) -> Path:
    path = Path(__file__).parents[4] / "results" / "reference" / name
    if not path.is_dir():
        pytest.skip("only a clone has the reference campaigns")
    return path
