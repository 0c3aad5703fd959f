"""Place panels on a page: side by side with headings above, in rows with names below, or in an album."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import NamedTuple

from tiler.errors import BadOption
from tiler.render import scene
from tiler.render.cell_outlines import Spot
from tiler.render.scene import Label, Page, Panel

MARGIN, GAP = 4.0, 16.0  #: round a page, and between panels
HEADING, LINE = 18.0, 17.0  #: height of the line above a panel, and of the lines of a caption
LETTER = 0.56  #: the width of a letter divided by its size
_SMALL, _LARGE, _NAME = 11.0, 13.0, 14.0  #: sizes of letters: above panels, in captions, below shapes
_APART, _BELOW = 18.0, 20.0  #: the gap between shapes, and the height of a name below a shape
_BOX = 150.0  #: the longer side of a picture in an album
_LONGEST, _LINE = 26, 13.0  #: a line above a picture in an album: its letters at most, and its height


class _Block(NamedTuple):
    """Panels with their upper left corners, relative to the corner of the block; and the size of the block."""

    placed: Sequence[tuple[Panel, Spot]]
    width: float
    height: float


def of_tiling(panels: Sequence[Panel], caption: Sequence[str] = ()) -> Page:
    """A page with panels of equal size in a grid; where the size changes, the next panels make a grid to the right."""
    sizes = [list(some) for _, some in groupby(panels, key=lambda panel: (round(panel.width), round(panel.height)))]
    return _page([_grid(some, headed=len(panels) > 1) for some in sizes], caption)


def side_by_side(panels: Sequence[Panel], *, headed: bool = True) -> Page:
    """A page with panels in a grid; each place has room for the largest panel."""
    return _page([_grid(panels, headed=headed)])


def beside(panel: Panel, others: Sequence[Panel], caption: Callable[[float], Sequence[str]]) -> Page:
    """A page with a panel, and a grid of others to its right. `caption` gives the lines below for the width of the page."""
    blocks = [_grid([panel], headed=False), *([_grid(others, headed=True)] if others else [])]
    return _page(blocks, caption(_page(blocks).width))


def in_rows(panels: Sequence[Panel]) -> Page:
    """A sheet of panels in rows, about 3 wide to 2 high. The panels of a row stand on one line, with their names below."""
    below = [*map(named, panels)]
    total = sum((panel.width + _APART) * (panel.height + _APART) for panel in below)
    limit = max([*(panel.width for panel in below), math.sqrt(1.5 * total)])
    rows: list[list[Panel]] = [[]]
    used = 0.0
    for panel in below:
        if rows[-1] and used + panel.width > limit:
            rows.append([])
            used = 0.0
        rows[-1].append(panel)
        used += panel.width + _APART
    placed, widest, y = [], 0.0, _APART
    for row in rows:
        x, high = _APART, max(panel.height for panel in row)
        for panel in row:
            placed.append((panel, (x, y + high - panel.height)))
            x += panel.width + _APART
        widest, y = max(widest, x), y + high + _APART
    return Page(widest, y, placed, is_sheet=True)


def on_sheets(sizes: Sequence[Spot], room: Spot, gap: float) -> list[list[tuple[int, Spot]]]:
    """Place rectangles of these sizes (width, height) in rows, in the given order, with a gap between them. A full sheet is
    followed by a new one. Returned are, for each sheet, the numbers of its rectangles with their upper left corners.

    >>> on_sheets([(4, 1), (4, 2), (4, 1)], (9, 3), 1)
    [[(0, (0.0, 0.0)), (1, (5.0, 0.0))], [(2, (0.0, 0.0))]]
    """
    sheets: list[list[tuple[int, Spot]]] = [[]]
    x = y = deep = 0.0
    for number, (wide, high) in enumerate(sizes):
        if x and x + wide > room[0]:
            x, y, deep = 0.0, y + deep + gap, 0.0
        if y and y + high > room[1]:
            sheets.append([])
            x = y = deep = 0.0
        sheets[-1].append((number, (x, y)))
        x, deep = x + wide + gap, max(deep, high)
    return sheets


def refuse_larger(what: str, wide: float, deep: float, plate: Spot) -> None:
    """BadOption if something of this width and depth, in mm, is larger than the plate."""
    if wide > plate[0] or deep > plate[1]:
        raise BadOption(
            f"{what} is {wide:.0f} x {deep:.0f} mm, and the plate {plate[0]:g} x {plate[1]:g}: "
            f"--plate {math.ceil(max(wide, plate[0]))}x{math.ceil(max(deep, plate[1]))}, or a smaller --unit"
        )


def stacked(upper: Page, lower: Page) -> Page:
    """One page with `lower` below `upper`; everything but the size and the panels is taken from `upper`."""
    placed = [*upper.placed, *((panel, (x, y + upper.height)) for panel, (x, y) in lower.placed)]
    return upper._replace(width=max(upper.width, lower.width), height=upper.height + lower.height, placed=placed)


def album(pictures: Sequence[Panel]) -> Page:
    """A page with pictures in boxes of one size; each picture is enlarged until its longer side has 150 units."""
    sizes = [_BOX / max(picture.width, picture.height) for picture in pictures]
    wide = max(times * picture.width for picture, times in zip(pictures, sizes, strict=True))
    high = max(times * picture.height for picture, times in zip(pictures, sizes, strict=True))
    boxed = []
    for picture, times in zip(pictures, sizes, strict=True):
        left, top = (wide - times * picture.width) / 2, (high - times * picture.height) / 2
        marks = [scene.moved(mark, left, top, times) for mark in picture.marks]
        boxed.append(Panel(picture.heading, wide, high, marks, kind="picture"))
    return _page([_grid(boxed, headed=True)])._replace(is_sheet=True)


def one(panels: Sequence[Panel], heading: str) -> Panel:
    """One panel that has all these panels side by side."""
    page = of_tiling(panels)
    marks = [scene.moved(mark, x - MARGIN, y - MARGIN) for panel, (x, y) in page.placed for mark in panel.marks]
    return Panel(heading, page.width - 2 * MARGIN, page.height - 2 * MARGIN, marks)


def abreast(count: int, wide: float, high: float) -> int:
    """The best number of columns for pictures in a frame of 3 by 2; the width and height of a picture include the gap."""

    def size(columns: int) -> float:
        return max(2 * columns * wide, -(-count // columns) * 3 * high)

    return min(range(1, count + 1), key=lambda columns: (size(columns), columns))


def _grid(panels: Sequence[Panel], *, headed: bool) -> _Block:
    said = [_lines(panel) if headed else [] for panel in panels]
    most = max(map(len, said))
    above = HEADING + (most - 1) * _LINE if most else 0.0
    wide = max([*(panel.width for panel in panels), *(LETTER * _SMALL * len(line) for lines in said for line in lines)]) + GAP
    high = max(panel.height for panel in panels) + above + GAP
    columns = abreast(len(panels), wide, high)
    placed = []
    for number, (panel, lines) in enumerate(zip(panels, said, strict=True)):
        words = [Label((0.0, -6.0 - up * _LINE), line, _SMALL) for up, line in enumerate(reversed(lines))]
        placed.append((panel._replace(marks=[*panel.marks, *words]), (number % columns * wide, number // columns * high + above)))
    return _Block(placed, columns * wide - GAP, -(-len(panels) // columns) * high - GAP)


def named(panel: Panel) -> Panel:
    """The panel with its name below it; it is at least as wide as the name."""
    wide = max(panel.width, LETTER * _NAME * len(panel.heading))
    right = (wide - panel.width) / 2
    name = Label((wide / 2, panel.height + 0.8 * _BELOW), panel.heading, _NAME, centred=True)
    marks = [*(scene.moved(mark, right, 0.0) for mark in panel.marks), name]
    return Panel(panel.heading, wide, panel.height + _BELOW, marks, kind="shape")


def _lines(panel: Panel) -> list[str]:
    """The lines of a heading; for a picture in an album it is broken into lines that fit."""
    return textwrap.wrap(panel.heading, _LONGEST) if panel.kind == "picture" else [panel.heading]


def _page(blocks: Sequence[_Block], caption: Sequence[str] = ()) -> Page:
    placed, right = [], MARGIN
    for block in blocks:
        placed += [(panel, (right + x, MARGIN + y)) for panel, (x, y) in block.placed]
        right += block.width + GAP
    bottom = MARGIN + max(block.height for block in blocks) + MARGIN
    below: list[scene.Mark] = [Label((0.0, (row + 0.8) * LINE), line, _LARGE) for row, line in enumerate(caption)]
    if below:
        placed.append((Panel("", 0.0, 0.0, below), (MARGIN, bottom)))
        bottom += LINE * len(caption) + MARGIN
    wide = max([right - GAP, *(MARGIN + LETTER * _LARGE * len(line) for line in caption)])
    return Page(wide + MARGIN, bottom, placed)
