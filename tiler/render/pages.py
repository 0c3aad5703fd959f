"""Where panels lie on a page: side by side, or as an album of pictures of one size, with headings above and a caption below."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from tiler.render import scene
from tiler.render.figures import Spot
from tiler.render.scene import Page, Panel, Words

MARGIN, GAP = 4.0, 16.0  #: round a page, and between panels
HEADING, LINE = 18.0, 17.0  #: height of the line above a panel, and of the lines of a caption
LETTER = 0.56  #: how wide a letter is, as a part of its size
_SMALL, _LARGE = 11.0, 13.0  #: sizes of letters
_BOX = 150.0  #: the side of a picture of an album
_LONGEST = 26  #: letters above a picture of an album


class _Block(NamedTuple):
    """Panels with their corners from that of the block, and how much room they take."""

    placed: Sequence[tuple[Panel, Spot]]
    width: float
    height: float


def of_tiling(panels: Sequence[Panel], caption: Sequence[str] = ()) -> Page:
    """Panels of one size in a grid, and those of another size to the right of them."""
    sizes = [list(some) for _, some in groupby(panels, key=lambda panel: (round(panel.width), round(panel.height)))]
    return _page([_grid(some, headed=len(panels) > 1) for some in sizes], caption)


def side_by_side(panels: Sequence[Panel]) -> Page:
    """Panels in a grid, with room for the largest."""
    return _page([_grid(panels, headed=len(panels) > 1)])


def named(panels: Sequence[Panel], below: Panel) -> Page:
    """A sheet of panels in a grid, each with its heading, and one more below them."""
    page = _page([_grid(panels, headed=True)])
    return Page(
        max(page.width, below.width + 2 * MARGIN),
        page.height + GAP + below.height,
        [*page.placed, (below, (MARGIN, page.height - MARGIN + GAP))],
        is_sheet=True,
    )


def album(pictures: Sequence[Panel]) -> Page:
    """Pictures in boxes of one size, which they fill as far as they can."""
    boxed = []
    for heading, wide, high, marks, kind in pictures:
        times = _BOX / max(wide, high)
        left, top = (_BOX - times * wide) / 2, (_BOX - times * high) / 2
        said = heading if len(heading) <= _LONGEST else f"{heading[: _LONGEST - 2]}…"
        boxed.append(Panel(said, _BOX, _BOX, [scene.moved(mark, left, top, times) for mark in marks], kind))
    return _page([_grid(boxed, headed=True)])._replace(is_sheet=True)


def one(panels: Sequence[Panel], heading: str) -> Panel:
    """Panels as a single one, beside each other."""
    page = of_tiling(panels)
    marks = [scene.moved(mark, x - MARGIN, y - MARGIN) for panel, (x, y) in page.placed for mark in panel.marks]
    return Panel(heading, page.width - 2 * MARGIN, page.height - 2 * MARGIN, marks)


def abreast(count: int, wide: float, high: float) -> int:
    """How many pictures to put side by side, gaps included in their size, so that all fit best into a frame of 3 by 2."""

    def size(columns: int) -> float:
        return max(2 * columns * wide, -(-count // columns) * 3 * high)

    return min(range(1, count + 1), key=lambda columns: (size(columns), columns))


def _grid(panels: Sequence[Panel], *, headed: bool) -> _Block:
    above = HEADING if headed else 0.0
    said = [LETTER * _SMALL * len(panel.heading) for panel in panels] if headed else []
    wide = max([*(panel.width for panel in panels), *said]) + GAP
    high = max(panel.height for panel in panels) + above + GAP
    columns = abreast(len(panels), wide, high)
    placed = []
    for number, panel in enumerate(panels):
        marks = [*panel.marks, Words((0.0, -6.0), panel.heading, _SMALL)] if headed else panel.marks
        placed.append((panel._replace(marks=marks), (number % columns * wide, number // columns * high + above)))
    return _Block(placed, columns * wide - GAP, -(-len(panels) // columns) * high - GAP)


def _page(blocks: Sequence[_Block], caption: Sequence[str] = ()) -> Page:
    placed, right = [], MARGIN
    for block in blocks:
        placed += [(panel, (right + x, MARGIN + y)) for panel, (x, y) in block.placed]
        right += block.width + GAP
    bottom = MARGIN + max(block.height for block in blocks) + MARGIN
    below: list[scene.Mark] = [Words((0.0, (row + 0.8) * LINE), line, _LARGE) for row, line in enumerate(caption)]
    if below:
        placed.append((Panel("", 0.0, 0.0, below), (MARGIN, bottom)))
        bottom += LINE * len(caption) + MARGIN
    wide = max([right - GAP, *(MARGIN + LETTER * _LARGE * len(line) for line in caption)])
    return Page(wide + MARGIN, bottom, placed)
