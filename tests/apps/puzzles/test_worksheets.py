"""Worksheets: what is on their pages, and where."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commands import call

import tiler
from tiler.apps.puzzles.printing import worksheets
from tiler.apps.puzzles.printing.worksheets import Exercise, WorksheetLook
from tiler.errors import InputError
from tiler.render import papers
from tiler.render.scene import Panel

EASY, MEDIUM = tiler.make("1x3", "3I"), tiler.make("2x3", "2..2:3L")


def said(page: str) -> list[str]:
    """The words on a page of SVG, in the order of the document."""
    return re.findall(r"<text[^>]*>([^<]*)</text>", page)


def sheets(*instances: object, **look: object) -> list[list[str]]:
    made = worksheets.draw(instances, WorksheetLook(**look), "svg")  # type: ignore[arg-type]
    return [said(page.decode()) for page in made]


def test_worksheets_go_from_easy_to_hard() -> None:
    (first,) = sheets(MEDIUM, EASY)
    assert first == ["Name:", "1.", "easy", "3I: any number", "2.", "medium", "3L: 2"]


def test_pages_of_worksheets() -> None:
    one, two, solutions = sheets(EASY, MEDIUM, EASY, per_page=2, solutions=True)
    assert [word for word in one + two if word.endswith(".")] == ["1.", "2.", "3."]
    assert solutions == ["Solutions", "1.", "2.", "3."]


@pytest.mark.parametrize("paper", sorted(papers.PAPERS))
@pytest.mark.parametrize("per_page", [1, 2, 3, 4, 9])
def test_problems_stay_in_their_boxes(paper: str, per_page: int) -> None:
    exercise = Exercise("a title", "easy", Panel("", 200, 100, []), [Panel("", 60, 80, [])] * 7, Panel("", 200, 100, []))
    for page in worksheets.laid_out([exercise] * per_page, per_page, paper, solutions=True):
        boxes = [(x, y, x + panel.width, y + panel.height) for panel, (x, y) in page.placed if panel.width]
        assert all(a > 0 and b > 0 and c < page.width and d < page.height for a, b, c, d in boxes)
        apart = [c <= e or g <= a or d <= f or h <= b for a, b, c, d in boxes for e, f, g, h in boxes if (a, b) != (e, f)]
        assert all(apart)


def test_worksheets_by_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, out = tmp_path / "puzzles", tmp_path / "sheet.pdf"
    pool = ["choose", "5x3", "--from", "pentominoes", "--pieces", "3", "--limit", "3"]
    assert call(capsys, *pool, "--format", "problem", "-o", f"{folder}/")[0] == 0
    assert call(capsys, "show", str(folder), "-o", str(out), "--per-page", "2", "--solutions")[0] == 0
    assert out.read_bytes().startswith(b"%PDF")
    assert call(capsys, "show", str(folder), "-o", str(tmp_path / "x.stl"), "--per-page", "2")[0] == 2
    code, _, err = call(capsys, "show", str(folder), "-o", str(out), "--per-page", "2", "--hatching")
    assert (code, "worksheets" in err) == (2, True)


def test_a_problem_without_a_tiling_is_for_no_worksheet() -> None:
    with pytest.raises(InputError, match="no tiling"):
        sheets(tiler.make("3x3", "2"))
