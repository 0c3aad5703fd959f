"""Describe cells as sets of corners, for checking answers: the corners alone say which cells are congruent and which touch.

Nothing here uses the group of a lattice, its sides or its neighbours. All points have whole coordinates. Deliberately naive.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import cache, lru_cache
from itertools import product
from math import acos, atan2, cos, sin, sqrt
from operator import mul, sub

from tiler.grouping import grouped
from tiler.model.lattice import Cell, Lattice, Matrix, Shape
from tiler.model.wrap import Wrap

Point = tuple[int, ...]
Solid = tuple[tuple[Point, ...], ...]  #: cells, each as its corners


@lru_cache(1 << 14)
def corners(lattice: Lattice, cell: Cell) -> tuple[Point, ...]:
    """The corners of a cell, in ascending order; KeyError if it is no cell."""
    return tuple(
        sorted(
            tuple(lattice.fine * a + b for a, b in zip(cell, corner, strict=True))
            for corner in _corners_by_residue(lattice)[tuple(a % m for a, m in zip(cell, lattice.moduli, strict=True))]
        )
    )


@cache
def _corners_by_residue(lattice: Lattice) -> dict[Cell, tuple[Point, ...]]:
    return dict(zip(lattice.residues, lattice.corners, strict=True))


@cache
def rigid_motions(lattice: Lattice, reflections: bool, turning: bool = True) -> tuple[Matrix, ...]:
    """Every matrix of whole numbers that keeps lengths and angles, computed from the metric alone. Mirrors are only included if
    wanted; without `turning` there is only the identity."""
    axes = range(lattice.dimension)
    if not turning:
        return (tuple(tuple(int(i == j) for j in axes) for i in axes),)

    def times(one: Point, two: Point) -> int:
        return sum(a * lattice.metric[i][j] * b for i, a in enumerate(one) for j, b in enumerate(two))

    # A vector of the length of an axis has no coordinate larger than this: the data of every lattice have such axes.
    short = list(product((-1, 0, 1), repeat=lattice.dimension))
    as_long = [[vector for vector in short if times(vector, vector) == lattice.metric[axis][axis]] for axis in axes]
    motions = []
    for images in product(*as_long):
        if all(times(images[i], images[j]) == lattice.metric[i][j] for i in axes for j in range(i)):
            rows = tuple(zip(*images, strict=True))
            if reflections or determinant(rows) == 1:
                motions.append(rows)
    return tuple(motions)


def at_origin(cells: Iterable[Iterable[Point]]) -> Solid:
    """Cells moved so that the least coordinate of a corner along each axis is 0; all in ascending order."""
    cells = [list(cell) for cell in cells]
    points = {point for cell in cells for point in cell}
    low = [min(along) for along in zip(*points, strict=True)]
    # Cells share corners, so each corner is moved only once.
    moved = {point: tuple(map(sub, point, low)) for point in points}
    return tuple(sorted([tuple(sorted(map(moved.__getitem__, cell))) for cell in cells]))


@lru_cache(1 << 6)
def turned(lattice: Lattice, cells: Shape | tuple[Cell, ...], reflections: bool, turning: bool = True) -> tuple[Solid, ...]:
    """The distinct ways to turn some cells, each at the origin. Questions that follow each other are often about the same tiles:
    so they are remembered.

    They are in the order of variants: by their cells, where translations of the lattice bring them nearest to the origin.
    """
    solids: dict[Solid, list[Cell]] = {}
    solid = [corners(lattice, cell) for cell in cells]
    # Cells share corners, so each corner is turned only once.
    points = list({point for cell in solid for point in cell})
    axes = list(zip(*points, strict=True))
    for rows in rigid_motions(lattice, reflections, turning):
        to = dict(zip(points, zip(*[_combined(row, axes) for row in rows], strict=True), strict=True))
        image = [[to[point] for point in cell] for cell in solid]
        centres = [centre(lattice, cell) for cell in image]
        low = [min(along) // m * m for along, m in zip(zip(*centres, strict=True), lattice.moduli, strict=True)]
        solids[at_origin(image)] = sorted([tuple(map(sub, cell, low)) for cell in centres])
    return tuple(sorted(solids, key=solids.__getitem__))


def _combined(row: Sequence[int], axes: Sequence[Sequence[int]]) -> list[int]:
    """The sum of the coordinates of many points, given axis by axis, each multiplied by a number of a row."""
    first, *others = [[factor * x for x in axis] for factor, axis in zip(row, axes, strict=True) if factor]
    return list(map(sum, zip(first, *others, strict=True))) if others else first


def applied(rows: Matrix, point: Point) -> Point:
    """The point to which a matrix moves a point."""
    return tuple([sum(map(mul, row, point)) for row in rows])


def centre(lattice: Lattice, points: Collection[Point]) -> Cell:
    """The cell with these corners: their centre."""
    return tuple([sum(along) // (len(points) * lattice.fine) for along in zip(*points, strict=True)])


def angle(lattice: Lattice, start: Point, end: Point) -> float:
    """The direction from one point of the plane to another, as a number that grows with the angle."""
    (long, along), (_, wide) = lattice.metric
    row, column = (b - a for a, b in zip(start, end, strict=True))
    tilt = acos(along / sqrt(long * wide))
    return atan2(column * sqrt(wide) * sin(tilt), row * sqrt(long) + column * sqrt(wide) * cos(tilt))


def outlined(cell: Sequence[Point]) -> tuple[tuple[Point, ...], Point]:
    """The sorted corners of a cell relative to the least corner; and the least corner."""
    return tuple(tuple(a - b for a, b in zip(point, cell[0], strict=True)) for point in cell), cell[0]


def fits(lattice: Lattice, wrap: Wrap, solid: Solid, cells: Collection[Cell]) -> bool:
    """Whether a solid can be moved so that it is exactly these cells of a board, each once."""
    seam = wrap.times(lattice.fine)
    there = {(form, seam.reduce(point)) for form, point in (outlined(corners(lattice, cell)) for cell in cells)}
    first, *others = map(outlined, solid)
    for form, point in there:
        step = [a - b for a, b in zip(point, first[1], strict=True)]
        moved = [(other, seam.reduce(tuple(a + b for a, b in zip(at, step, strict=True)))) for other, at in others]
        if form == first[0] and len(moved) + 1 == len(cells) and {(form, point), *moved} == there:
            return True
    return False


def beside(lattice: Lattice, cells: Collection[Cell], wrap: Wrap) -> dict[Cell, list[Cell]]:
    """The neighbours of each of some cells: cells that share enough corners with it, directly or across a seam of the wrap."""
    at = {wrap.reduce(cell): cell for cell in cells}
    near = {}
    for cell in cells:
        others = {at.get(wrap.reduce(other)) for other in around(lattice, cell)}
        near[cell] = sorted(other for other in others if other is not None and other != cell)
    return near


def around(lattice: Lattice, cell: Cell, shared: int | None = None) -> list[Cell]:
    """The cells that share at least this number of corners with a cell (None: enough to be its neighbours), be they on a board or
    not."""
    residue = tuple(a % m for a, m in zip(cell, lattice.moduli, strict=True))
    ways = _ways(lattice, shared or lattice.shared).get(residue, ())
    return [tuple(a + b for a, b in zip(cell, way, strict=True)) for way in ways]


@cache
def _ways(lattice: Lattice, shared: int) -> dict[Cell, list[Cell]]:
    """For every residue, the differences to the cells of this unit and the units around it that share at least this number of
    corners."""
    near = [
        tuple(unit * m + a for unit, m, a in zip(vector, lattice.moduli, residue, strict=True))
        for vector in product((-2, -1, 0, 1, 2), repeat=lattice.dimension)
        for residue in lattice.residues
    ]
    at = grouped((point, cell) for cell in near for point in corners(lattice, cell))
    differences = {}
    for residue in lattice.residues:
        met = Counter(other for point in corners(lattice, residue) for other in at[point] if other != residue)
        differences[residue] = [
            tuple(a - b for a, b in zip(other, residue, strict=True)) for other, times in met.items() if times >= shared
        ]
    return differences


def determinant(rows: Matrix) -> int:
    """1 for a turn, -1 for a mirror."""
    if len(rows) == 1:
        return rows[0][0]
    minors = [[row[:column] + row[column + 1 :] for row in rows[1:]] for column in range(len(rows))]
    return sum((-1) ** column * rows[0][column] * determinant(tuple(minor)) for column, minor in enumerate(minors))
