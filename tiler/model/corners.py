"""Cells as the sets of their corners, for who checks answers: what is congruent and what touches is told from the corners alone.

Nothing here uses the group of a lattice, its sides or its neighbours. All points have whole coordinates. Deliberately naive.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from functools import cache
from itertools import product

from tiler.model.lattice import Cell, Lattice, Matrix

Point = tuple[int, ...]
Solid = tuple[tuple[Point, ...], ...]  #: cells, each as its corners


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
def rigid_motions(lattice: Lattice, reflections: bool) -> tuple[Matrix, ...]:
    """Every matrix of whole numbers that keeps lengths and angles, by the metric alone; without mirrors unless wanted."""
    axes = range(lattice.dimension)

    def times(one: Point, two: Point) -> int:
        return sum(a * lattice.metric[i][j] * b for i, a in enumerate(one) for j, b in enumerate(two))

    # No vector as short as an axis has a coordinate beyond these.
    short = list(product((-1, 0, 1), repeat=lattice.dimension))
    as_long = [[vector for vector in short if times(vector, vector) == lattice.metric[axis][axis]] for axis in axes]
    found = []
    for images in product(*as_long):
        if all(times(images[i], images[j]) == lattice.metric[i][j] for i in axes for j in range(i)):
            rows = tuple(zip(*images, strict=True))
            if reflections or _determinant(rows) == 1:
                found.append(rows)
    return tuple(found)


def at_origin(cells: Iterable[Iterable[Point]]) -> Solid:
    """Cells moved so that the least coordinate of a corner along each axis is 0; all in ascending order."""
    cells = [list(cell) for cell in cells]
    low = [min(along) for along in zip(*(point for cell in cells for point in cell), strict=True)]
    return tuple(sorted(tuple(sorted(tuple(a - b for a, b in zip(point, low, strict=True)) for point in cell)) for cell in cells))


def turned(lattice: Lattice, cells: Collection[Cell], reflections: bool) -> list[Solid]:
    """The distinct ways to turn some cells, each at the origin.

    They are in the order of variants: by their cells, where translations of the lattice bring them nearest to the origin.
    """
    found: dict[Solid, list[Cell]] = {}
    solid = [corners(lattice, cell) for cell in cells]
    for rows in rigid_motions(lattice, reflections):
        image = [[tuple(sum(a * b for a, b in zip(row, point, strict=True)) for row in rows) for point in cell] for cell in solid]
        # A cell is the centre of its corners.
        centres = [[sum(along) // (len(cell) * lattice.fine) for along in zip(*cell, strict=True)] for cell in image]
        low = [min(along) // m * m for along, m in zip(zip(*centres, strict=True), lattice.moduli, strict=True)]
        found[at_origin(image)] = sorted(tuple(a - b for a, b in zip(cell, low, strict=True)) for cell in centres)
    return sorted(found, key=found.__getitem__)


def beside(lattice: Lattice, cells: Collection[Cell]) -> dict[Cell, list[Cell]]:
    """For each of some cells those that it shares enough corners with to be neighbours."""
    at: dict[Point, list[Cell]] = {}
    for cell in cells:
        for point in corners(lattice, cell):
            at.setdefault(point, []).append(cell)
    found = {}
    for cell in cells:
        met = Counter(other for point in corners(lattice, cell) for other in at[point] if other != cell)
        found[cell] = sorted(other for other, shared in met.items() if shared >= lattice.shared)
    return found


def _determinant(rows: Matrix) -> int:
    if len(rows) == 1:
        return rows[0][0]
    minors = [[row[:column] + row[column + 1 :] for row in rows[1:]] for column in range(len(rows))]
    return sum((-1) ** column * rows[0][column] * _determinant(tuple(minor)) for column, minor in enumerate(minors))
