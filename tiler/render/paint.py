"""Draw colours of cells and marks of sides.

A coloured cell is filled. A cell with a mark on every side has triangles from its middle, as MacMahon drew them; other marks are
bands along their sides. If two marks are mates, the first has a tab, which lies on the neighbour, and the second a socket that
holds it: both are part of the piece's outline, and the first four pairs of mates have tabs of different forms. Marks called
`flat` are plain sides. In views of a board in space faces have the colours of their marks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from itertools import pairwise
from math import cos, dist, hypot, pi, sin
from typing import NamedTuple

from tiler.errors import BadOption
from tiler.model import paint
from tiler.model.colour_names import COLOUR_NAMES, LETTERS
from tiler.model.corners import Point
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Lattice
from tiler.model.paint import CellSide, Coat
from tiler.render import cell_outlines, colours
from tiler.render.cell_outlines import Spot
from tiler.render.colours import PLAIN_SIDE
from tiler.render.scene import THIN, Mark, Patch

_DEEP = 0.24  #: the depth of a band, as a share of the way to the middle of the cell
_OUT = 0.35  #: the same for a band outside the board
_DEEPER = 0.62  #: the same for a band along a socket
_TAB = 0.154  #: half the width of a tab, as a share of its side, at most; a tab is 1.6 times as high
_ROOM = 0.3  #: the same, as a share of the least distance of a side from the middle of its cell, so that sockets do not meet
_ROUND = 24  #: steps of a round tab

#: The forms of tabs: corners from the one end of the neck to the other, as steps along the side and out of it.
_FORMS: tuple[tuple[Spot, ...], ...] = (
    tuple((-cos(angle), sin(0.2 * pi) + sin(angle)) for angle in (-0.2 * pi + 1.4 * pi * k / _ROUND for k in range(_ROUND + 1))),
    ((-0.5, 0.0), (-1.0, 1.5), (1.0, 1.5), (0.5, 0.0)),
    ((-0.4, 0.0), (-0.4, 0.5), (-1.0, 0.5), (0.0, 1.6), (1.0, 0.5), (0.4, 0.5), (0.4, 0.0)),
    ((-0.4, 0.0), (-0.4, 0.7), (-1.0, 0.7), (-1.0, 1.5), (1.0, 1.5), (1.0, 0.7), (0.4, 0.7), (0.4, 0.0)),
)

Place = Callable[[Point], Spot]  #: a function for the place of a corner of the lattice on a panel


class Inks(NamedTuple):
    """How the colours and marks of an instance are drawn."""

    fills: Mapping[str, str]  #: a colour `#rrggbb` for the name of each colour and mark
    tabs: Mapping[str, bool]  #: for each mark that has another mark as its mate: True for a tab, False for a socket
    forms: Mapping[str, int]  #: for each of these marks the number of its pair
    plain: bool  #: whether tabs have the colour of their piece: so if there are fewer than two pairs of mates

    @classmethod
    def of(cls, instance: Instance) -> Inks:
        """A colour for each name: the name of a colour, or its letter, gets that colour; other names get the colours left, in
        order."""
        ground = instance.ground
        coats = [coat for tile in instance.tiles for coat in tile.paint.coats]
        names = {*paint.names(coats), *(colour for _, colour in ground.colours)}
        names |= {mark for _, marks in ground.border for mark in marks} | {mark for pair in ground.mates for mark in pair}
        fills: dict[str, str] = {}
        for name in sorted(names, key=lambda name: (name.lower() not in COLOUR_NAMES, name)):
            own = COLOUR_NAMES.get(LETTERS.get(name.lower(), name.lower()))
            if own is not None and own not in fills.values():
                fills[name] = own
        more = [*COLOUR_NAMES.values(), *map(colours.fill, range(len(names)))]
        for name in sorted(names - fills.keys()):
            fills[name] = next(paint for paint in more if paint not in fills.values())
        paired = [pair for pair in ground.mates if all(len(ground.mates_of(mark)) == 1 for mark in pair)]
        pairs = [pair for pair in paired if pair[0] != pair[1]]
        tabs = {mark: mark == pair[0] for pair in pairs for mark in pair}
        forms = {mark: number for number, pair in enumerate(pairs) for mark in pair}
        # The two of a pair have one colour; marks with several mates keep their own.
        for one, other in paired:
            fills[other] = fills[one]
        return cls(fills, tabs, forms, len(pairs) < 2)

    def is_band(self, mark: str) -> bool:
        """Whether a mark is drawn in a colour of its own."""
        return mark != PLAIN_SIDE and not (self.plain and mark in self.tabs)


#: For instances on which nothing is painted.
NO_INKS = Inks({}, {}, {}, True)


def areas(plane: Lattice, coat: Coat, inks: Inks, place: Place, times: float = 1.0) -> Iterator[Patch]:
    """The coloured cells, triangles and bands of a coat on a plane; `times` multiplies the width of their borders.

    They keep to the outline of the piece: a tab has the colour of its band, and a socket has none."""
    for cell, colour in coat.colours:
        yield Patch([outline(plane, [cell], coat, inks, place)[0]], inks.fills[colour], title=colour)
    for cell, marks in _around(plane, coat).items():
        middle = place(tuple(plane.fine * a for a in cell))
        coloured = {ends: mark for ends, mark in marks.items() if inks.is_band(mark)}
        whole = len(coloured) == len(cell_outlines.polygon(plane, cell))
        for ends, mark in sorted(coloured.items()):
            along = side(plane, ends, mark, inks, place)
            deep = _DEEPER if inks.tabs.get(mark) is False else _DEEP
            inner = [middle] if whole else [cell_outlines.part(spot, middle, deep) for spot in (along[-1], along[0])]
            yield Patch([[*along, *inner]], inks.fills[mark], THIN * times, title=mark)


def outline(plane: Lattice, shape: Collection[Cell], coat: Coat, inks: Inks, place: Place) -> list[list[Spot]]:
    """The loops around a piece with the tabs and sockets of its coat, clockwise, but anticlockwise around holes."""
    tabs = tab_sides(plane, coat, inks)
    loops = cell_outlines.outline(plane, shape)
    if not tabs:
        return [[place(point) for point in loop] for loop in loops]
    return [
        [
            spot
            for start, end in pairwise([*loop, loop[0]])
            for ends in cell_outlines.divided(start, end, tabs)
            for spot in side(plane, ends, tabs.get(ends, PLAIN_SIDE), inks, place)[:-1]
        ]
        for loop in loops
    ]


def has_bands(coat: Coat, inks: Inks) -> bool:
    """Whether a coat has colours, beside tabs and sockets in the colour of the piece."""
    return bool(coat.colours) or any(inks.is_band(mark) for _, mark in coat.marks)


def knobs(plane: Lattice, coat: Coat, inks: Inks, place: Place, fill: str, *, tabs: bool) -> Iterator[Patch]:
    """The tabs of a piece, or with `tabs=False` its sockets, by themselves. `fill` is their colour."""
    for marks in _around(plane, coat).values():
        for ends, mark in sorted(marks.items()):
            if inks.tabs.get(mark) is tabs:
                yield Patch([side(plane, ends, mark, inks, place)[1:-1]], fill, title=mark)


def tab_sides(plane: Lattice, coat: Coat, inks: Inks) -> dict[tuple[Point, Point], str]:
    """The marks of a coat that are tabs or sockets, by the two corners of the side, clockwise."""
    around = _around(plane, coat).values() if inks.tabs else ()
    return {ends: mark for marks in around for ends, mark in marks.items() if mark in inks.tabs}


def has_tabs(instance: Instance) -> bool:
    """Whether a piece has a tab or a socket."""
    return not _used(instance).isdisjoint(Inks.of(instance).tabs)


def _used(instance: Instance) -> set[str]:
    return paint.names(coat for tile in instance.tiles for coat in tile.paint.coats)


def refuse_tray(instance: Instance) -> None:
    """BadOption if a tray for the board could not hold its pieces: a wrapped board, or tabs that can stand out of it."""
    if instance.wrap:
        raise BadOption("a wrapped board has no border, and a tray has a wall around it")
    tabs = {mark for mark, is_tab in Inks.of(instance).tabs.items() if is_tab and mark in _used(instance)}
    allowed = dict(instance.ground.border)
    sides = instance.border if tabs else ()
    if any(not tabs.isdisjoint(allowed.get(side, tabs)) for side in sides):
        raise BadOption("tabs can stand out of the board, and a tray has a wall there; with '# border: flat' they cannot")


def side(plane: Lattice, ends: tuple[Point, Point], mark: str, inks: Inks, place: Place) -> list[Spot]:
    """The line along a side with a mark, clockwise around its cell: straight, or with a tab or a socket."""
    (x, y), (u, v) = start, end = place(ends[0]), place(ends[1])
    if mark not in inks.tabs:
        return [start, end]
    across, down = _half_width(plane) * (u - x), _half_width(plane) * (v - y)
    way = 1 if inks.tabs[mark] else -1
    # Clockwise on a page, where y runs down: what lies to the left of the way is outside.
    bent = [
        ((x + u) / 2 + along * across + way * out * down, (y + v) / 2 + along * down - way * out * across)
        for along, out in _FORMS[inks.forms[mark] % len(_FORMS)]
    ]
    return [start, *bent, end]


@cache
def _half_width(plane: Lattice) -> float:
    """Half the width of tabs on a lattice, as a share of the length of the side."""
    shares = [_TAB]
    for residue in plane.residues:
        middle = cell_outlines.page(plane, tuple(plane.fine * a for a in residue))
        corners = [cell_outlines.page(plane, point) for point in cell_outlines.polygon(plane, residue)]
        for a, b in pairwise([*corners, corners[0]]):
            _, far = _outward(a, b, middle)
            shares.append(_ROOM * far / dist(a, b))
    return min(shares)


def in_layer(coat: Coat, layer: Collection[Cell]) -> Coat:
    """The part of a coat that lies on some cells of a layer, with the layer left out of its cells."""
    return Coat(
        tuple((cell[-2:], colour) for cell, colour in coat.colours if cell in layer),
        tuple(
            (CellSide(cell[-2:], beyond[-2:]), mark)
            for (cell, beyond), mark in coat.marks
            if cell in layer and cell[:-2] == beyond[:-2]
        ),
    )


def wanted(instance: Instance, plane: Lattice, inks: Inks, place: Place) -> Iterator[Mark]:
    """The marks that a board in the plane demands on its border, as bands outside it. If several marks are allowed on a side, its
    band is divided into a part for each."""
    for side, marks in instance.ground.border:
        shown = [mark for mark in marks if mark != PLAIN_SIDE and mark not in inks.tabs]
        middle = place(tuple(plane.fine * a for a in side.cell))
        a, b = map(place, _ends(plane, side))
        out, far = _outward(a, b, middle)
        for k, mark in enumerate(shown):
            first, last = cell_outlines.part(a, b, k / len(shown)), cell_outlines.part(a, b, (k + 1) / len(shown))
            outer = [_moved(last, out, _OUT * far), _moved(first, out, _OUT * far)]
            yield Patch([[first, last, *outer]], inks.fills[mark], title=mark)


def faces(lattice: Lattice, coat: Coat, inks: Inks) -> Iterator[tuple[Cell, frozenset[Point], str]]:
    """The painted faces of a coat in space: for each the cell, the corners and the colour; a coloured cell has all its faces."""
    for cell, colour in coat.colours:
        for face in cell_outlines.faces_of(lattice, cell):
            yield cell, frozenset(face.corners), inks.fills[colour]
    for (cell, beyond), mark in coat.marks:
        there = {frozenset(face.corners) for face in cell_outlines.faces_of(lattice, beyond)}
        for face in cell_outlines.faces_of(lattice, cell):
            if frozenset(face.corners) in there and mark != PLAIN_SIDE:
                yield cell, frozenset(face.corners), inks.fills[mark]


def pale(fill: str) -> str:
    """A paler colour, for a coloured cell of the board that no tile covers."""
    return colours.of_parts((part + 2 * 255) // 3 for part in colours.parts(fill))


def _around(plane: Lattice, coat: Coat) -> dict[Cell, dict[tuple[Point, Point], str]]:
    """For every cell its marks, by the two corners of the side."""
    around: defaultdict[Cell, dict[tuple[Point, Point], str]] = defaultdict(dict)
    for side, mark in coat.marks:
        around[side.cell][_ends(plane, side)] = mark
    return around


def _ends(plane: Lattice, side: CellSide) -> tuple[Point, Point]:
    """The two corners of a side, clockwise."""
    corners = cell_outlines.polygon(plane, side.cell)
    there = set(cell_outlines.polygon(plane, side.beyond))
    pairs = zip(corners, [*corners[1:], corners[0]], strict=True)
    return next((start, end) for start, end in pairs if start in there and end in there)


def _outward(a: Spot, b: Spot, middle: Spot) -> tuple[Spot, float]:
    """The direction of length 1 across the side from `a` to `b`, away from `middle`; and the distance of `middle` from it."""
    long = hypot(b[0] - a[0], b[1] - a[1])
    out = (b[1] - a[1]) / long, (a[0] - b[0]) / long
    far = (a[0] - middle[0]) * out[0] + (a[1] - middle[1]) * out[1]
    return (out, far) if far > 0 else ((-out[0], -out[1]), -far)


def _moved(spot: Spot, way: Spot, far: float) -> Spot:
    return spot[0] + far * way[0], spot[1] + far * way[1]
