"""Whole tasks, with an opened page and nothing else: by the mouse, or by keys alone. What a task needs that no other test does by
the mouse is done in both ways."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import tiler
from tiler.apps.studio.engine import instance_of

from .conftest import Studio
from .hands import Hands, Keys, Mouse

pytestmark = pytest.mark.long

HEART = (".xx.xx.", "xxxxxxx", ".xxxxx.", "..xxx..", "...x...")


@pytest.fixture
def hands(request: pytest.FixtureRequest, shared: Studio) -> Hands:
    made: Hands = request.param(shared)
    return made


by_mouse = pytest.mark.parametrize("hands", [Mouse], indirect=True)
by_keys = pytest.mark.parametrize("hands", [Keys], indirect=True)
by_both = pytest.mark.parametrize("hands", [Mouse, Keys], indirect=True)


def saved(hands: Hands, form: str, path: Path) -> bytes:
    """Save as a form, and the file."""
    hands.choose(hands.page.locator(".panel select").first, form)
    with hands.page.expect_download() as download:
        hands.button("Save")
    download.value.save_as(path)
    return path.read_bytes()


@by_keys
def test_a_heart_is_filled_in_one_way_and_printed(hands: Hands, tmp_path: Path) -> None:
    """A heart of 20 cells; the four pentominoes that fill it in one way, if its mirror image counts for nothing."""
    shared, page = hands.studio, hands.page
    hands.begin("7x5", "1:pentominoes")
    hands.tab("Board")
    hands.button("Off")
    for row, cells in enumerate(HEART):
        for column, cell in enumerate(cells):
            if cell == ".":
                hands.touch(row, column)
    page.get_by_text("20 cells.").wait_for()
    hands.tab("Ask")
    hands.choose(page.locator(".ask select").first, "Choose")
    hands.write(page.get_by_label(re.compile("^Pieces")), "4")
    hands.button("Ask")
    found = page.locator(".puzzle")
    found.first.wait_for()
    assert found.count() == 1
    assert "5F 5N 5P 5W: 2 tilings" in found.inner_text()
    hands.press(found.get_by_role("button"))
    shared.wait("2 ways")
    hands.choose(page.locator(".ask select").first, "Count")
    if not page.get_by_label("Up to symmetry").is_checked():
        hands.press(page.get_by_label("Up to symmetry"))
    hands.button("Ask")
    page.get_by_text("1 tiling up to symmetry").wait_for()
    hands.tab("Play")
    hands.button("Solve")
    shared.wait("Finished!")
    hands.tab("Keep")
    assert saved(hands, "sheet", tmp_path / "sheet").startswith(b"%PDF")
    assert saved(hands, "pdf", tmp_path / "solution").startswith(b"%PDF")
    problem = instance_of(json.loads(saved(hands, "json", tmp_path / "heart")))
    assert (len(problem.board), len(problem.tiles)) == (20, 4)


@by_both
def test_a_calendar_of_ones_own(hands: Hands) -> None:
    """Two months and three days: each date leaves two cells open, and two dominoes fill the others."""
    page = hands.page
    hands.begin("3x2", "2:2")
    hands.tab("Board")
    hands.button("Label")
    for column, label in enumerate(("jan", "feb")):
        _label(hands, 0, column, label)
    for column, label in enumerate("123"):
        _label(hands, 1, column, label)
    hands.button("Group")
    for name, row, columns in (("month", 0, 2), ("day", 1, 3)):
        hands.write(page.get_by_label("Name of the group"), name)
        for column in range(columns):
            hands.touch(row, column)
    hands.studio.wait("ways")
    hands.tab("Ask")
    hands.ask("By open cells")
    answer = page.locator(".asked pre").first
    answer.wait_for()
    problem = json.loads(page.evaluate("async () => JSON.stringify((await import('/state.js')).problem.value)"))
    dates = tiler.by_open(instance_of(problem))
    assert len(dates) == 6
    assert answer.inner_text().strip() == str(dates).strip()
    assert "jan" in answer.inner_text()
    hands.tab("Play")
    for row, column in ((0, 0), (1, 0)):
        hands.touch(row, column)
    hands.button("Solve")
    hands.studio.wait("Finished!")
    covered = "async () => (await import('/state.js')).laid.value.flatMap((piece) => piece.cells)"
    assert sorted(page.evaluate(covered)) == [[0, 1], [0, 2], [1, 1], [1, 2]]


def _label(hands: Hands, row: int, column: int, label: str) -> None:
    hands.touch(row, column)
    field = hands.page.get_by_label("Label of this cell")
    field.wait_for()
    assert field.evaluate("(element) => element === document.activeElement")
    hands.studio.settle()
    hands.page.keyboard.type(label)
    hands.page.keyboard.press("Enter")
    hands.page.get_by_text("Click a cell to give it a label").wait_for()


@by_keys
def test_a_burr_comes_apart(hands: Hands) -> None:
    page = hands.page
    hands.button("New …")
    hands.button("From the list")
    hands.write(page.get_by_label(re.compile("^Search the")), "piston")
    hands.press(page.locator(".problems button").first)
    page.locator("dialog.start[open]").wait_for(state="detached")
    hands.tab("Ask")
    hands.ask("Take apart")
    viewer = page.locator(".asked .viewer[data-ready=yes]")
    viewer.wait_for()
    said = viewer.locator("#said")
    assert "all together" in said.inner_text()
    hands.press(viewer.locator("#after"))
    viewer.locator("#said", has_text="1. ").wait_for()


@by_mouse
def test_the_mutilated_board_is_explained(hands: Hands) -> None:
    page = hands.page
    hands.begin("8x8", "2")
    hands.studio.wait("ways")
    hands.tab("Board")
    hands.button("Off")
    hands.touch(0, 0)
    hands.touch(7, 7)
    hands.tab("Play")
    hands.studio.wait("cannot be finished")
    hands.studio.wait("31 tiles cover 31; the board has 32")
    assert page.locator(".board .reason").count() == 2
    verdict = page.locator(".live .verdict")  # Its colour is that of the strip: other rooms have verdicts of their own.
    assert verdict.evaluate("(one) => getComputedStyle(one).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert page.locator(".board .values text").count() == 62
