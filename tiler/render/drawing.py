"""A tiling of any lattice as marks on panels, which svg.py and image.py put into files: polygons, lines and dots.

Boards in the plane are one panel; in space there is one for every layer, and an isometric view of the whole. Boards of squares
and cubes, which may have a million cells, have drawers of their own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from math import cos, dist, hypot, pi, sin, sqrt
from operator import add
from typing import NamedTuple

from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Lattice, Shape
from tiler.model.tile import Placement
from tiler.render import colours, figures, solid
from tiler.render.figures import Spot

INK = "#222222"
BARE = "#f4f4f4"
SIDE = 20.0  #: units of a panel: a square as large as a cell of the plane, on the average, has such a side
BORDER, THIN = 2.2, 0.7  #: widths of lines
_LAYER_GAP = 8.0  #: between layers side by side
_BALL = SIDE / 1.5  #: units of a panel to a length, of spheres
_ROUND = 24  #: corners of what stands for a circle


class Area(NamedTuple):
    """What loops enclose, holes left out."""

    loops: Sequence[Sequence[Spot]]
    fill: str
    border: float = 0.0
    hatched: bool = False
    title: str = ""
    edge: str = INK  #: the colour of the border
    opacity: float = 1.0  #: of the fill


class Lines(NamedTuple):
    """Lines with round ends."""

    ends: Sequence[tuple[Spot, Spot]]
    colour: str
    width: float
    opacity: float = 1.0
    title: str = ""
    dashed: bool = False


class Dots(NamedTuple):
    middles: Sequence[Spot]


class Text(NamedTuple):
    """A word in the middle of a cell."""

    middle: Spot
    said: str
    colour: str


Mark = Area | Lines | Dots | Text


class Panel(NamedTuple):
    """Marks to be drawn one after the other, from (0, 0) to (width, height)."""

    heading: str
    width: float
    height: float
    marks: Sequence[Mark]


def panels(instance: Instance, solution: Sequence[Placement]) -> list[Panel]:
    """The board with a tiling; `()` draws the plain board."""
    lattice, board = instance.lattice, sorted(instance.board)
    fills = [colours.fill(number) for number in colours.assign(lattice, solution, instance.wrap)]
    owner = {cell: number for number, placement in enumerate(solution) for cell in placement.cells}
    picture = _Picture(lattice, owner, [placement.tile for placement in solution], fills, instance.optional)
    if lattice.dimension == 2:
        parts: list[Iterator[Mark]] = [picture.layer(board, lattice, 2), _seams(instance, lattice, board)]
        # Dashes lie on sides of cells, and under sticks.
        return [_fitted("", chain.from_iterable(reversed(parts) if lattice.has_edges else parts))]
    drawn = []
    if _has_layers(lattice):
        for z in range(board[0][0], board[-1][0] + 1):
            cells = [cell for cell in board if cell[0] == z]
            if cells:
                seams = _seams(instance, lattice.plane, cells) if lattice.plane else ()
                drawn.append((f"layer {z}", [*picture.layer(cells, lattice.plane, 3), *seams]))
    layers = _alike(drawn)
    return [*layers, _fitted("from above", picture.solid(board))]


def _seams(instance: Instance, plane: Lattice, cells: Sequence[Cell]) -> Iterator[Lines]:
    """Where a board that is wrapped goes on at the other side, as dashes: the sides that a cell of a layer shares with one that
    the wrap makes another cell of the board. Of edges it is the beginning of those where the others are seen."""
    wrap = instance.wrap
    if not wrap:
        return
    board = {wrap.reduce(cell) for cell in instance.board}
    scale = _scale(plane)
    ends = []
    for cell in cells:
        here = set(figures.polygon(plane, cell[-2:]))
        for flat in plane.neighbours(cell[-2:]):
            other = (*cell[:-2], *flat)
            if other not in instance.board and wrap.reduce(other) in board:
                there = figures.polygon(plane, flat)
                start, end = sorted(there, key=lambda point: (point not in here, point))[:2]
                spot, far = (_scaled(figures.page(plane, point), scale) for point in (start, end))
                ends.append((spot, far if plane.shared > 1 else _part(spot, far, 0.45)))
    if plane.shared > 1:
        yield Lines(ends, "#ffffff", 1.2 * BORDER, dashed=True)
    else:
        yield Lines(sorted(set(ends)), "#8a8a8a", 1.5, dashed=True)


def of_shapes(lattice: Lattice, shapes: Sequence[Shape], heading: str, first: int = 0) -> Panel:
    """Shapes side by side, each in a colour, from the first of these on; in space as they are seen from above."""
    marks: list[Mark] = []
    right = 0.0
    for number, shape in enumerate(shapes, first):
        picture = _Picture(lattice, dict.fromkeys(shape, 0), [""], [colours.fill(3 * number % len(colours.PALETTE))], ())
        cells = sorted(shape)
        panel = _fitted("", picture.layer(cells, lattice, 2) if lattice.dimension == 2 else picture.solid(cells))
        marks += [moved(mark, right, 0.0) for mark in panel.marks]
        right += panel.width + _LAYER_GAP
    return _fitted(heading, marks)


def cell_shapes(lattice: Lattice, cells: Sequence[Cell]) -> tuple[list[list[Spot]], float, float]:
    """What every cell looks like by itself, layers side by side, and how wide and high all is. Edges are thin; solids that do not
    lie in layers are small discs where they are seen from above."""
    shapes = [_alone(lattice, cell) for cell in cells]
    spots = [spot for shape in shapes for spot in shape]
    left, top = min(x for x, _ in spots), min(y for _, y in spots)
    wide, high = max(x for x, _ in spots) - left, max(y for _, y in spots) - top
    layered = lattice.dimension == 3 and _has_layers(lattice)
    low = min(cell[0] for cell in cells)
    layers = max(cell[0] for cell in cells) - low + 1 if layered else 1
    across = [(cell[0] - low) * (wide + _LAYER_GAP) if layered else 0.0 for cell in cells]
    moved_to = [[(x - left + right, y - top) for x, y in shape] for shape, right in zip(shapes, across, strict=True)]
    return moved_to, layers * (wide + _LAYER_GAP) - _LAYER_GAP, high


def numbered(
    lattice: Lattice,
    numbers: Mapping[Cell, int],
    shades: Mapping[int, str],
    drawn_in: Sequence[tuple[Collection[Cell], str]],
    words: Callable[[int], tuple[str, str]] | None,
) -> Panel:
    """Numbers on cells as shades, with some placements drawn in, each in a colour.

    `words` says how a number is written and in which colour.
    """
    cells = sorted(numbers)
    shapes, _, _ = cell_shapes(lattice, cells)
    shape = dict(zip(cells, shapes, strict=True))
    marks: list[Mark] = [Area([shape[cell]], shades[numbers[cell]], THIN, edge="#999999") for cell in cells]
    for some, colour in drawn_in:
        marks += [Area([shape[cell]], colour, BORDER, edge=colour, opacity=0.45) for cell in sorted(some)]
    for cell in cells if words else ():
        x, y = (sum(along) / len(shape[cell]) for along in zip(*shape[cell], strict=True))
        marks += [Text((x, y), *words(numbers[cell]))] if words and numbers[cell] else []
    return _fitted("", marks)


def _has_layers(lattice: Lattice) -> bool:
    return lattice.plane is not None or lattice.shared == 1


def _alone(lattice: Lattice, cell: Cell) -> list[Spot]:
    """A cell within its layer."""
    plane = lattice if lattice.dimension == 2 else lattice.plane
    middle = tuple(lattice.fine * a for a in cell)
    if plane is None:
        across, front, _ = at = figures.space(lattice, middle)
        return (
            _circle((across * _BALL, front * _BALL), 0.5 * _diameter(lattice))
            if lattice.shared == 1
            else _circle(_isometric(at, 9.0), 3.0)
        )
    scale = _scale(plane)
    loop = [_scaled(figures.page(plane, point), scale) for point in figures.polygon(plane, cell[-2:])]
    if plane.shared > 1:
        return loop
    (x, y), (a, b) = loop
    thick = 0.12 * SIDE / hypot(a - x, b - y)
    right, down = thick * (b - y), thick * (x - a)
    return [(x + right, y + down), (a + right, b + down), (a - right, b - down), (x - right, y - down)]


def _circle(middle: Spot, radius: float) -> list[Spot]:
    angles = [2 * pi * k / _ROUND for k in range(_ROUND)]
    return [(middle[0] + radius * cos(angle), middle[1] + radius * sin(angle)) for angle in angles]


def _diameter(lattice: Lattice) -> float:
    return sqrt(lattice.metric[2][2]) * _BALL


def _alike(drawn: Sequence[tuple[str, Sequence[Mark]]]) -> list[Panel]:
    """Layers in one frame, so that they can be laid on each other."""
    spots = [spot for _, marks in drawn for mark in marks for spot in _spots(mark)]
    return [_fitted(heading, marks, spots) for heading, marks in drawn]


def _fitted(heading: str, marks: Iterator[Mark] | Sequence[Mark], around: Sequence[Spot] = ()) -> Panel:
    """A panel that is as large as what is on it, or as what is around."""
    marks = list(marks)
    spots = around or [spot for mark in marks for spot in _spots(mark)]
    left, top = min(x for x, _ in spots), min(y for _, y in spots)
    right, bottom = max(x for x, _ in spots), max(y for _, y in spots)

    return Panel(heading, right - left, bottom - top, [moved(mark, -left, -top) for mark in marks])


def moved(mark: Mark, right: float, down: float) -> Mark:
    """The mark so far to the right and down."""

    def there(spot: Spot) -> Spot:
        return spot[0] + right, spot[1] + down

    match mark:
        case Area(loops):
            return mark._replace(loops=[[there(spot) for spot in loop] for loop in loops])
        case Lines(ends):
            return mark._replace(ends=[(there(start), there(end)) for start, end in ends])
        case Dots(middles):
            return Dots([there(spot) for spot in middles])
        case Text(middle):
            return mark._replace(middle=there(middle))


def _spots(mark: Mark) -> Iterator[Spot]:
    match mark:
        case Area(loops):
            for loop in loops:
                yield from loop
        case Lines(ends):
            for start, end in ends:
                yield from (start, end)
        case Dots(middles):
            yield from middles
        case Text(middle):
            yield middle


class _Picture(NamedTuple):
    """What covers the cells of a board, and what that looks like."""

    lattice: Lattice
    owner: Mapping[Cell, int]
    names: Sequence[str]
    fills: Sequence[str]
    optional: Collection[Cell]

    def layer(self, cells: Sequence[Cell], plane: Lattice | None, numbers: int) -> Iterator[Mark]:
        """The cells of a layer, or of a board in the plane (`numbers` of a cell: 2); without a lattice of the layer, spheres."""
        groups: defaultdict[int, list[Cell]] = defaultdict(list)
        for cell in cells:
            groups[self.owner.get(cell, -1)].append(cell)
        if plane is None:
            yield from self._balls(groups)
        elif plane.shared == 1:
            yield from self._edges(plane, groups)
        else:
            yield from self._areas(plane, groups)
        above = {cell for cell, number in self.owner.items() if self.owner.get((cell[0] + 1, *cell[1:]), -1) == number}
        if numbers == 3 and plane is not None:
            scale = _scale(plane)
            spots = (
                _scaled(figures.page(plane, tuple(plane.fine * a for a in cell[1:])), scale) for cell in cells if cell in above
            )
            yield Dots(list(spots))

    def _areas(self, plane: Lattice, groups: Mapping[int, Sequence[Cell]]) -> Iterator[Mark]:
        scale = _scale(plane)

        def drawn(cells: Collection[Cell]) -> list[list[Spot]]:
            loops = figures.outline(plane, [cell[-2:] for cell in cells])
            return [[_scaled(figures.page(plane, point), scale) for point in loop] for loop in loops]

        inner = []
        for number, cells in sorted(groups.items()):
            sides = figures.inner_lines(plane, [cell[-2:] for cell in cells])
            inner += [tuple(_scaled(figures.page(plane, point), scale) for point in side) for side in sides]
            if number >= 0:
                yield Area(drawn(cells), self.fills[number], BORDER, title=self.names[number])
                continue
            yield Area(drawn(cells), BARE)
            spare = [cell for cell in cells if cell in self.optional]
            if spare:
                yield Area(drawn(spare), BARE, hatched=True)
            yield Area(drawn(cells), "none", BORDER)
        yield Lines([(start, end) for start, end in inner], INK, THIN, 0.25)

    def _edges(self, plane: Lattice, groups: Mapping[int, Sequence[Cell]]) -> Iterator[Mark]:
        """Edges as sticks, which end a little before the corner unless another of the same tile goes on there."""
        scale = _scale(plane)
        for number, cells in sorted(groups.items()):
            sticks = [figures.polygon(plane, cell[-2:]) for cell in cells]
            meeting = Counter(point for stick in sticks for point in stick)
            ends = []
            for stick in sticks:
                a, b = (_scaled(figures.page(plane, point), scale) for point in stick)
                ends.append((_towards(b, a, meeting[stick[0]]), _towards(a, b, meeting[stick[1]])))
            if number < 0:
                yield Lines(ends, "#b8b8b8", 2.0)
            else:
                yield Lines(ends, INK, 0.36 * SIDE)
                yield Lines(ends, self.fills[number], 0.24 * SIDE, title=self.names[number])

    def _balls(self, groups: Mapping[int, Sequence[Cell]]) -> Iterator[Mark]:
        """A layer of spheres, seen from above."""
        for number, cells in sorted(groups.items()):
            for cell in sorted(cells):
                x, y, _ = figures.space(self.lattice, tuple(self.lattice.fine * a for a in cell))
                yield self._ball((x * _BALL, y * _BALL), number, cell)

    def _ball(self, middle: Spot, number: int, cell: Cell, radius: float = 0.5) -> Area:
        loop = _circle(middle, radius * _diameter(self.lattice))
        fill = self.fills[number] if number >= 0 else BARE
        return Area([loop], fill, THIN * 1.5, number < 0 and cell in self.optional, self.names[number] if number >= 0 else "")

    def solid(self, board: Sequence[Cell]) -> Iterator[Mark]:
        """The whole from above and the front, what lies behind first."""
        lattice = self.lattice
        middle = {cell: figures.space(lattice, tuple(lattice.fine * a for a in cell)) for cell in board}
        back_to_front = sorted(board, key=lambda cell: (round(sum(middle[cell]), 6), cell))
        if lattice.shared == 1:
            for cell in back_to_front:
                yield self._ball(_isometric(middle[cell], _BALL), self.owner.get(cell, -1), cell, radius=0.5 * sqrt(1.5))
            return
        faces = {cell: _faces_of(lattice, cell) for cell in board}
        shared = Counter(frozenset(face.corners) for of in faces.values() for face in of)
        seen = [
            _Seen(cell, self.owner.get(cell, -1), face)
            for cell in back_to_front
            for face in faces[cell]
            if shared[frozenset(face.corners)] == 1 and sum(face.out) > 1e-6
        ]
        at_side: defaultdict[frozenset[figures.Point], list[_Seen]] = defaultdict(list)
        for each in seen:
            for side in each.sides():
                at_side[frozenset(side)].append(each)
        scale = _scale_of_solids(lattice)
        for each in seen:
            spots = {point: _isometric(figures.space(lattice, point), scale) for point in each.face.corners}
            fill = solid.shade(self.fills[each.owner] if each.owner >= 0 else BARE, _light(each.face.out))
            yield Area([list(spots.values())], fill, 0.3, title=self.names[each.owner] if each.owner >= 0 else "")
            inner = [side for side in each.sides() if _is_inner(at_side[frozenset(side)])]
            for some, width, opacity in ((inner, THIN, 0.3), (set(each.sides()) - set(inner), 0.7 * BORDER, 1.0)):
                yield Lines([(spots[start], spots[end]) for start, end in sorted(some)], INK, width, opacity)


class _Seen(NamedTuple):
    """A face that is seen, and whose it is."""

    cell: Cell
    owner: int
    face: figures.Face

    def sides(self) -> list[tuple[figures.Point, figures.Point]]:
        return list(pairwise([*self.face.corners, self.face.corners[0]]))

    def surface(self) -> tuple[int, int, int, int]:
        """What faces of one flat side of a tile have in common."""
        right, front, up = (round(1000 * x) for x in self.face.out)
        return self.owner, right, front, up


def _is_inner(beside: Sequence[_Seen]) -> bool:
    """Whether a side is between two faces that make one surface of one tile."""
    return len(beside) == 2 and beside[0].surface() == beside[1].surface()


def _scale(plane: Lattice) -> float:
    """Units of a panel to a length of the lattice."""
    polygons = [[figures.page(plane, point) for point in figures.polygon(plane, residue)] for residue in plane.residues]
    if plane.shared == 1:
        (x, y), (a, b) = polygons[0]
        return 1.4 * SIDE / hypot(x - a, y - b)
    areas = [abs(sum(a * d - b * c for (a, b), (c, d) in pairwise([*loop, loop[0]]))) / 2 for loop in polygons]
    return SIDE / sqrt(sum(areas) / len(areas))


def _scale_of_solids(lattice: Lattice) -> float:
    """The same for solids: a mean of what their sides and the distance of neighbours call for."""
    residue = lattice.residues[0]
    face = figures.faces(lattice)[residue][0].corners
    side = min(dist(figures.space(lattice, one), figures.space(lattice, two)) for one, two in pairwise([*face, face[0]]))
    ways = [tuple(lattice.fine * a for a in way) for way in lattice.differences[0]]
    apart = min(dist(figures.space(lattice, way), (0.0, 0.0, 0.0)) for way in ways)
    return 1.1 * SIDE / sqrt(side * apart)


def _towards(start: Spot, end: Spot, meeting: int) -> Spot:
    """Where a stick that goes to `end` ends, where so many sticks of its tile meet."""
    return _part(start, end, 1.0 if meeting > 1 else 0.84)


def _part(start: Spot, end: Spot, part: float) -> Spot:
    """A part of the way from one to the other."""
    return start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])


def _scaled(spot: Spot, scale: float) -> Spot:
    return spot[0] * scale, spot[1] * scale


def _isometric(at: tuple[float, float, float], scale: float) -> Spot:
    """Columns run to the lower right, rows to the lower left, layers up."""
    right, front, up = at
    return (right - front) * sqrt(3) / 2 * scale, ((right + front) / 2 - up) * scale


def _faces_of(lattice: Lattice, cell: Cell) -> list[figures.Face]:
    residue = tuple(a % m for a, m in zip(cell, lattice.moduli, strict=True))
    moved = [lattice.fine * a for a in cell]
    return [
        face._replace(corners=tuple(tuple(map(add, moved, corner)) for corner in face.corners))
        for face in figures.faces(lattice)[residue]
    ]


def _light(out: figures.Place) -> float:
    """How much light falls on a face that looks out there."""
    right, front, up = out
    return min(1.0, 0.78 + 0.22 * up + 0.08 * right - 0.06 * front)
