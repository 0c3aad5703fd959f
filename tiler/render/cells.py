"""Draw cells on a panel: polygons, sticks for edges, and balls for spheres; a board in space layer by layer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from math import cos, hypot, pi, sin, sqrt
from typing import NamedTuple

from tiler.model.corners import Point
from tiler.model.lattice import Cell, Lattice
from tiler.render import cell_outlines
from tiler.render.cell_outlines import Position, Spot
from tiler.render.scene import SIDE

_GAP = 8.0  #: between layers side by side
_BALL = SIDE / 1.5  #: units of a panel per unit of length of the lattice, for spheres
_ROUND = 24  #: corners of the polygon that is drawn as a circle


class Layer(NamedTuple):
    """One layer of a board, or all of a board without layers. `plane` is the lattice of the layer; None for cells that
    do not lie in a plane lattice."""

    heading: str
    cells: Sequence[Cell]
    plane: Lattice | None


def by_layer(lattice: Lattice, cells: Iterable[Cell]) -> list[Layer]:
    """The layers of a board, in their order."""
    ordered = sorted(cells)
    if lattice.dimension == 2 or not has_layers(lattice):
        return [Layer("", ordered, lattice if lattice.dimension == 2 else None)]
    return [
        Layer(f"layer {z}", some, lattice.plane)
        for z in range(ordered[0][0], ordered[-1][0] + 1)
        if (some := [cell for cell in ordered if cell[0] == z])
    ]


def has_layers(lattice: Lattice) -> bool:
    """Whether a board in space can be seen layer by layer."""
    return lattice.plane is not None or lattice.shared == 1


@cache
def scale(plane: Lattice) -> float:
    """Units of a panel per unit of length of the lattice. If cells are areas, their mean area is `SIDE` squared."""
    polygons = [
        [cell_outlines.page(plane, point) for point in cell_outlines.polygon(plane, residue)] for residue in plane.residues
    ]
    if plane.shared == 1:
        (x, y), (a, b) = polygons[0]
        return 1.4 * SIDE / hypot(x - a, y - b)
    areas = [abs(sum(a * d - b * c for (a, b), (c, d) in pairwise([*loop, loop[0]]))) / 2 for loop in polygons]
    return SIDE / sqrt(sum(areas) / len(areas))


def spot(plane: Lattice, point: Point) -> Spot:
    """The position of a corner on a panel."""
    x, y = cell_outlines.page(plane, point)
    return x * scale(plane), y * scale(plane)


def centre(plane: Lattice, cell: Cell) -> Spot:
    """The position of the centre of a cell on the panel of its layer."""
    return spot(plane, tuple(plane.fine * a for a in cell[-2:]))


def outliner(plane: Lattice) -> Callable[[Collection[Cell]], list[list[Spot]]]:
    """A function that gives the outlines of a set of cells of one layer, as loops of positions on a panel."""
    m, n = plane.moduli

    def outline(cells: Collection[Cell]) -> list[list[Spot]]:
        flat = sorted([cell[-2:] for cell in cells])
        down, right = flat[0][0] // m * m, flat[0][1] // n * n
        form = tuple([(i - down, j - right) for i, j in flat])
        x, y = centre(plane, (down, right))
        return [[(x + a, y + b) for a, b in loop] for loop in _outlined(plane, form)]

    return outline


@lru_cache(4096)
def _outlined(plane: Lattice, form: tuple[Cell, ...]) -> list[list[Spot]]:
    """The outlines of cells near the origin. They are cached, because most pieces of an album have the same few forms."""
    return [[spot(plane, point) for point in loop] for loop in cell_outlines.outline(plane, form)]


def central(cells: Collection[Cell]) -> Cell:
    """The cell that is closest to the mean of all cells; the least one if several are."""
    middle = [sum(axis) / len(cells) for axis in zip(*cells, strict=True)]
    return min(cells, key=lambda cell: (sum((a - b) ** 2 for a, b in zip(cell, middle, strict=True)), cell))


def inner_lines(plane: Lattice, groups: Iterable[Collection[Cell]]) -> list[tuple[Spot, Spot]]:
    """The lines between cells of one group."""
    lines = cell_outlines.long_lines(plane, ([cell[-2:] for cell in cells] for cells in groups))
    return [(spot(plane, start), spot(plane, end)) for start, end in lines]


def outlines(lattice: Lattice, plane: Lattice | None, cells: Collection[Cell]) -> list[list[Spot]]:
    """The outlines of a set of cells of a layer; for spheres, edges and solids without layers one loop per cell."""
    if plane is not None and plane.shared > 1:
        return outliner(plane)(cells) if cells else []
    return [alone(lattice, cell) for cell in sorted(cells)]


def span(plane: Lattice, cells: Collection[Cell]) -> float:
    """The width or the height of a set of cells, the larger of the two, in units of a panel."""
    spots = [centre(plane, cell) for cell in cells]
    across, down = [x for x, _ in spots], [y for _, y in spots]
    return max(max(across) - min(across), max(down) - min(down)) + SIDE


def alone(lattice: Lattice, cell: Cell) -> list[Spot]:
    """The outline of one cell on the panel of its layer. An edge is a thin box. A solid cell without layers is a small disc, at
    its place in the isometric view."""
    plane = lattice if lattice.dimension == 2 else lattice.plane
    if plane is None:
        return ball(lattice, cell) if lattice.shared == 1 else circle(isometric(middle(lattice, cell), 9.0), 3.0)
    loop = [spot(plane, point) for point in cell_outlines.polygon(plane, cell[-2:])]
    if plane.shared > 1:
        return loop
    (x, y), (a, b) = loop
    thick = 0.12 * SIDE / hypot(a - x, b - y)
    right, down = thick * (b - y), thick * (x - a)
    return [(x + right, y + down), (a + right, b + down), (a - right, b - down), (x - right, y - down)]


def side_by_side(lattice: Lattice, cells: Sequence[Cell]) -> list[list[Spot]]:
    """The outline of every cell by itself, in the order of `cells`; the layers lie side by side."""
    shapes = [alone(lattice, cell) for cell in cells]
    if lattice.dimension == 2 or not has_layers(lattice):
        return shapes
    across = [x for shape in shapes for x, _ in shape]
    pitch, low = max(across) - min(across) + _GAP, min(cell[0] for cell in cells)
    return [[(x + (cell[0] - low) * pitch, y) for x, y in shape] for cell, shape in zip(cells, shapes, strict=True)]


def middle(lattice: Lattice, cell: Cell) -> Position:
    """The centre of a cell in space."""
    return cell_outlines.space(lattice, tuple(lattice.fine * a for a in cell))


def ball(lattice: Lattice, cell: Cell) -> list[Spot]:
    """The outline of a sphere in its layer, seen from above."""
    across, front, _ = middle(lattice, cell)
    return circle((across * _BALL, front * _BALL), 0.5 * diameter(lattice))


def ball_in_view(lattice: Lattice, cell: Cell) -> list[Spot]:
    """The outline of a sphere in the isometric view of the whole board."""
    return circle(isometric(middle(lattice, cell), _BALL), 0.5 * sqrt(1.5) * diameter(lattice))


def circle(at: Spot, radius: float) -> list[Spot]:
    angles = [2 * pi * k / _ROUND for k in range(_ROUND)]
    return [(at[0] + radius * cos(angle), at[1] + radius * sin(angle)) for angle in angles]


def diameter(lattice: Lattice) -> float:
    """The diameter of a sphere, in units of a panel."""
    return sqrt(lattice.metric[2][2]) * _BALL


def isometric(at: Position, scale: float) -> Spot:
    """The place where a point in space is drawn: columns run to the lower right, rows to the lower left, layers up."""
    right, front, up = at
    return (right - front) * sqrt(3) / 2 * scale, ((right + front) / 2 - up) * scale
