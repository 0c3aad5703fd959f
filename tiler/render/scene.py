"""Define a picture before it is a file: panels of marks, placed on a page. svg.py and image.py write pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from tiler.render.cell_outlines import Spot

INK = "#222222"
BARE = "#f4f4f4"
PALE = "#b8b8b8"  #: the colour of hatching on cells that may stay open
SIDE = 20.0  #: units of a panel: the side of a cell, if cells are squares
BORDER, THIN = 2.2, 0.7  #: widths of lines
TABBED = 1.3  #: width of the border of pieces that have tabs


class Patch(NamedTuple):
    """The area that loops enclose; loops inside others are holes."""

    loops: Sequence[Sequence[Spot]]
    fill: str
    border: float = 0.0
    edge: str = INK  #: the colour of border and hatching
    opacity: float = 1.0  #: of the fill
    hatch: str = ""  #: a pattern in the notation of matplotlib
    kind: str = ""  #: what the patch shows, as a class in SVG documents: tile, uncovered, optional
    title: str = ""
    is_crisp: bool = False  #: whether edges are drawn without smoothing: for areas side by side without borders


class Lines(NamedTuple):
    """Lines with round ends."""

    ends: Sequence[tuple[Spot, Spot]]
    colour: str = INK
    width: float = BORDER
    opacity: float = 1.0
    dashed: bool = False
    kind: str = ""
    title: str = ""


class Dots(NamedTuple):
    middles: Sequence[Spot]
    radius: float = 0.12 * SIDE


class Label(NamedTuple):
    """A line of text; `at` is the left end of its base line, or if `centred` the middle of the base line."""

    at: Spot
    said: str
    size: float
    colour: str = INK
    centred: bool = False


Mark = Patch | Lines | Dots | Label


class Panel(NamedTuple):
    """Marks to be drawn one after the other, from (0, 0) to (width, height)."""

    heading: str
    width: float
    height: float
    marks: Sequence[Mark]
    kind: str = ""  #: as for patches; a panel with a kind has its heading as title


class Page(NamedTuple):
    """Panels and where their upper left corners lie."""

    width: float
    height: float
    placed: Sequence[tuple[Panel, Spot]]
    is_sheet: bool = False  #: whether its size follows from its cells, and is not fitted to a screen
    inches: float = 0.0  #: the longer side, if it is given; else 0
    grain: float = 1.0  #: the scale of hatching in SVG, in units; PNG and PDF do not use it


def spare(loops: Sequence[Sequence[Spot]]) -> Patch:
    """The hatched patch for cells that may stay open."""
    return Patch(loops, BARE, edge=PALE, hatch="////", kind="optional")


def fitted(heading: str, marks: Iterable[Mark], around: Sequence[Spot] = ()) -> Panel:
    """A panel that is just large enough for its marks, or for the spots `around`; marks are moved so that it begins at (0, 0)."""
    marks = list(marks)
    spots = around or [spot for mark in marks for spot in spots_of(mark)]
    left, top = min(x for x, _ in spots), min(y for _, y in spots)
    right, bottom = max(x for x, _ in spots), max(y for _, y in spots)
    return Panel(heading, right - left, bottom - top, [moved(mark, -left, -top) for mark in marks])


def alike(drawn: Sequence[tuple[str, Sequence[Mark]]]) -> list[Panel]:
    """Panels of the same size and the same origin, so that equal positions lie at equal places."""
    spots = [spot for _, marks in drawn for mark in marks for spot in spots_of(mark)]
    return [fitted(heading, marks, spots) for heading, marks in drawn]


def moved(mark: Mark, right: float, down: float, times: float = 1.0) -> Mark:
    """The mark enlarged by a factor, and then moved to the right and down."""
    return _mapped(mark, lambda spot: (times * spot[0] + right, times * spot[1] + down), times)


def mirrored(panel: Panel) -> Panel:
    """The panel with left and right exchanged; text stays readable."""
    return panel._replace(marks=[_mapped(mark, lambda spot: (panel.width - spot[0], spot[1])) for mark in panel.marks])


def _mapped(mark: Mark, to: Callable[[Spot], Spot], times: float = 1.0) -> Mark:
    """The mark with its spots mapped by a function, and with its widths and sizes multiplied."""
    match mark:
        case Patch(loops, _, border):
            return mark._replace(loops=[[to(spot) for spot in loop] for loop in loops], border=times * border)
        case Lines(ends, _, width):
            return mark._replace(ends=[(to(start), to(end)) for start, end in ends], width=times * width)
        case Dots(middles, radius):
            return Dots([to(spot) for spot in middles], times * radius)
        case Label(at, _, size):
            return mark._replace(at=to(at), size=times * size)


def spots_of(mark: Mark) -> Iterator[Spot]:
    """The corners of a mark; text takes no room."""
    match mark:
        case Patch(loops):
            for loop in loops:
                yield from loop
        case Lines(ends):
            for start, end in ends:
                yield from (start, end)
        case Dots(middles):
            yield from middles
