"""Draw colours of cells and marks of sides.

A coloured cell is filled. A cell with a mark on every side has triangles from its middle, as MacMahon drew them; other marks are
bands along their sides. If two marks are mates, the first has a tab, which lies on the neighbour, and the second a blank to
hold it. Marks called `flat` are plain sides. In views of a board in space faces have the colours of their marks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from math import cos, hypot, pi, sin
from typing import NamedTuple

from tiler.model import paint
from tiler.model.colour_names import COLOUR_NAMES, LETTERS
from tiler.model.corners import Point
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Lattice
from tiler.model.paint import CellSide, Coat
from tiler.render import cell_outlines, colours
from tiler.render.cell_outlines import Spot
from tiler.render.colours import PLAIN_SIDE
from tiler.render.scene import BORDER, THIN, Mark, Patch

_DEEP = 0.24  #: the depth of a band, as a share of the way to the middle of the cell
_OUT = 0.35  #: the same for a band outside the board
_KNOB = 0.2  #: sets the radius of a tab: it is this share of the length of the side, divided by 1.3
_ROUND = 10  #: steps of the circle of a tab

Place = Callable[[Point], Spot]  #: a function for the place of a corner of the lattice on a panel


class Inks(NamedTuple):
    """How the colours and marks of an instance are drawn."""

    fills: Mapping[str, str]  #: a colour `#rrggbb` for the name of each colour and mark
    tabs: Mapping[str, bool]  #: for each mark that has another mark as its mate: True for a tab, False for a blank
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
        tabs = {mark: mark == pair[0] for pair in ground.mates if pair[0] != pair[1] for mark in pair}
        # Mates have one colour.
        for one, other in ground.mates:
            fills[other] = fills[one]
        return cls(fills, tabs, len(ground.mates) < 2)


#: For instances on which nothing is painted.
NO_INKS = Inks({}, {}, True)


def areas(plane: Lattice, coat: Coat, inks: Inks, place: Place, times: float = 1.0) -> Iterator[Mark]:
    """The coloured cells, triangles and bands of a coat on a plane; `times` multiplies the width of their borders."""
    for cell, colour in coat.colours:
        yield Patch([[place(point) for point in cell_outlines.polygon(plane, cell)]], inks.fills[colour], title=colour)
    for cell, marks in _around(plane, coat).items():
        middle = place(tuple(plane.fine * a for a in cell))
        coloured = {ends: mark for ends, mark in marks.items() if mark not in inks.tabs and mark != PLAIN_SIDE}
        whole = len(coloured) == len(cell_outlines.polygon(plane, cell))
        for (start, end), mark in sorted(coloured.items()):
            a, b = place(start), place(end)
            loop = [a, b, middle] if whole else [a, b, cell_outlines.part(b, middle, _DEEP), cell_outlines.part(a, middle, _DEEP)]
            yield Patch([loop], inks.fills[mark], THIN * times, title=mark)


def knobs(plane: Lattice, coat: Coat, inks: Inks, place: Place, fill: str, times: float = 1.0, *, tabs: bool) -> Iterator[Mark]:
    """The tabs of a piece, or with `tabs=False` its blanks. `fill` is the colour of the piece. Draw blanks before tabs."""
    for cell, marks in _around(plane, coat).items():
        middle = place(tuple(plane.fine * a for a in cell))
        for (start, end), mark in sorted(marks.items()):
            if inks.tabs.get(mark) is tabs:
                yield from _knob(place(start), place(end), middle, inks, mark, fill, times)


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
    return "#" + "".join(f"{(int(fill[k : k + 2], 16) + 2 * 255) // 3:02x}" for k in (1, 3, 5))


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


def _knob(a: Spot, b: Spot, middle: Spot, inks: Inks, mark: str, fill: str, times: float) -> Iterator[Mark]:
    """A tab, or a blank: most of a circle, outside the cell for a tab, and inside for a blank."""
    (x, y), (u, v) = a, b
    long = hypot(u - x, v - y)
    along = (u - x) / long, (v - y) / long
    out, _ = _outward(a, b, middle)
    radius, is_tab = _KNOB * long / 1.3, inks.tabs[mark]
    way = 1 if is_tab else -1
    at = ((x + u) / 2 + way * 0.6 * radius * out[0], (y + v) / 2 + way * 0.6 * radius * out[1])
    angles = [-0.2 * pi + 1.4 * pi * k / _ROUND for k in range(_ROUND + 1)]
    loop = [
        (
            at[0] + radius * (cos(angle) * along[0] + way * sin(angle) * out[0]),
            at[1] + radius * (cos(angle) * along[1] + way * sin(angle) * out[1]),
        )
        for angle in angles
    ]
    inside = (fill if inks.plain else inks.fills[mark]) if is_tab else "#ffffff" if inks.plain else pale(inks.fills[mark])
    yield Patch([loop], inside, 0.8 * BORDER * times, title=mark)
    neck = cell_outlines.part(loop[0], loop[-1], 0.08), cell_outlines.part(loop[0], loop[-1], 0.92)
    yield Patch([[*neck, _moved(neck[1], out, -0.07 * way * long), _moved(neck[0], out, -0.07 * way * long)]], inside)


def _outward(a: Spot, b: Spot, middle: Spot) -> tuple[Spot, float]:
    """The direction of length 1 across the side from `a` to `b`, away from `middle`; and the distance of `middle` from it."""
    long = hypot(b[0] - a[0], b[1] - a[1])
    out = (b[1] - a[1]) / long, (a[0] - b[0]) / long
    far = (a[0] - middle[0]) * out[0] + (a[1] - middle[1]) * out[1]
    return (out, far) if far > 0 else ((-out[0], -out[1]), -far)


def _moved(spot: Spot, way: Spot, far: float) -> Spot:
    return spot[0] + far * way[0], spot[1] + far * way[1]
