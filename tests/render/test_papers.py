"""Pages of paper: pictures that fill them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commands import call

from tiler.errors import BadOption
from tiler.render import papers
from tiler.render.scene import SIDE, Label, Page, Panel


@pytest.mark.parametrize(("width", "height", "paper"), [(200.0, 400.0, (210, 297)), (400.0, 200.0, (297, 210))])
def test_a_picture_fills_a_page(width: float, height: float, paper: tuple[float, float]) -> None:
    page = papers.filled(Page(width, height, [(Panel("", width, height, []), (0.0, 0.0))]), "a title")
    assert (page.width, page.height) == paper
    (panel, (x, y)), (heading, _) = page.placed
    assert panel.width / panel.height == pytest.approx(width / height)
    assert max(panel.width / page.width, panel.height / page.height) > 0.5
    assert x + panel.width / 2 == pytest.approx(page.width / 2)
    assert y + panel.height < page.height
    assert [mark.said for mark in heading.marks if isinstance(mark, Label)] == ["a title"]


def test_a_page_with_a_size_of_its_own_is_left_alone() -> None:
    page = Page(20.0, 20.0, [], inches=3.0)
    assert papers.filled(page, "") is page


def test_cells_have_the_size_that_is_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = papers.filled(Page(4 * SIDE, 4 * SIDE, [(Panel("", 4 * SIDE, 4 * SIDE, []), (0.0, 0.0))]), "", 15 / SIDE)
    assert page.placed[0][0].width == pytest.approx(60)
    with pytest.raises(BadOption, match="at most"):
        papers.filled(Page(40 * SIDE, SIDE, []), "", 15 / SIDE)
    out = tmp_path / "solution.pdf"
    assert call(capsys, "solve", "4x4", "2", "-o", str(out), "--unit", "15")[0] == 0
    assert re.search(rb"/MediaBox *\[ *0 0 595\.\d+ 841\.\d+ *\]", out.read_bytes())
    assert call(capsys, "solve", "4x4", "2", "-o", str(out), "--unit", "80")[0] == 2
