"""Define a picture before it is a file: panels of marks, placed on a page. svg.py and image.py write pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tiler.render.figures import Spot

INK = "#222222"
BARE = "#f4f4f4"
PALE = "#b8b8b8"  #: the hatching of cells that may stay open
SIDE = 20.0  #: the side of a square cell, in units of a panel
BORDER, THIN = 2.2, 0.7  #: widths of lines


class Patch(NamedTuple):
    """The area inside loops, without holes."""

    loops: Sequence[Sequence[Spot]]
    fill: str
    border: float = 0.0
    edge: str = INK  #: the colour of the border and the hatching
    opacity: float = 1.0  #: the opacity of the fill
    hatch: str = ""  #: a hatching pattern of matplotlib
    kind: str = ""  #: what it shows, for readers of the document: tile, uncovered, optional
    title: str = ""
    is_crisp: bool = False  #: whether pixels have either the whole fill or nothing of it: for areas side by side without borders


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
    """A line of text: where it begins, or the middle of its base line."""

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
    kind: str = ""  #: as of marks; a panel with one is known by its heading


class Page(NamedTuple):
    """Panels and where their upper left corners lie."""

    width: float
    height: float
    placed: Sequence[tuple[Panel, Spot]]
    is_sheet: bool = False  #: whether the page is as large as its cells make it, and not scaled for a screen
    inches: float = 0.0  #: inches of the longer side, if that is given
    grain: float = 1.0  #: the size of hatching patterns, in units; in an image they have a fixed size


def spare(loops: Sequence[Sequence[Spot]]) -> Patch:
    """A patch for cells that may stay open."""
    return Patch(loops, BARE, edge=PALE, hatch="////", kind="optional")


def fitted(heading: str, marks: Iterable[Mark], around: Sequence[Spot] = ()) -> Panel:
    """A panel that just holds its marks, or all the marks given."""
    marks = list(marks)
    spots = around or [spot for mark in marks for spot in spots_of(mark)]
    left, top = min(x for x, _ in spots), min(y for _, y in spots)
    right, bottom = max(x for x, _ in spots), max(y for _, y in spots)
    return Panel(heading, right - left, bottom - top, [moved(mark, -left, -top) for mark in marks])


def alike(drawn: Sequence[tuple[str, Sequence[Mark]]]) -> list[Panel]:
    """Panels in one frame, so that they can be laid on each other."""
    spots = [spot for _, marks in drawn for mark in marks for spot in spots_of(mark)]
    return [fitted(heading, marks, spots) for heading, marks in drawn]


def moved(mark: Mark, right: float, down: float, times: float = 1.0) -> Mark:
    """The mark enlarged by a factor, and then moved to the right and down."""

    def there(spot: Spot) -> Spot:
        return times * spot[0] + right, times * spot[1] + down

    match mark:
        case Patch(loops, _, border):
            return mark._replace(loops=[[there(spot) for spot in loop] for loop in loops], border=times * border)
        case Lines(ends, _, width):
            return mark._replace(ends=[(there(start), there(end)) for start, end in ends], width=times * width)
        case Dots(middles, radius):
            return Dots([there(spot) for spot in middles], times * radius)
        case Label(at, _, size):
            return mark._replace(at=there(at), size=times * size)


def mirrored(panel: Panel) -> Panel:
    """The panel with left and right exchanged; text stays readable."""

    def there(spot: Spot) -> Spot:
        return panel.width - spot[0], spot[1]

    def image(mark: Mark) -> Mark:
        match mark:
            case Patch(loops):
                return mark._replace(loops=[[there(spot) for spot in loop] for loop in loops])
            case Lines(ends):
                return mark._replace(ends=[(there(start), there(end)) for start, end in ends])
            case Dots(middles):
                return mark._replace(middles=[there(spot) for spot in middles])
            case Label(at):
                return mark._replace(at=there(at))

    return panel._replace(marks=[image(mark) for mark in panel.marks])


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
