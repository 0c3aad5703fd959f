"""Know the tiles that tile the plane, but never with a period, and lay patches of them: the hat and the turtle.

A hat has eight sides as long as the short side of a kite, and six that are longer by the root of 3. Stretch the former by it, and
shrink the latter. That makes a turtle, in a lattice that is turned by 30 degrees, and hats that share a side become turtles that
share one. So a patch of hats becomes a patch of turtles.

Source: D. Smith, J. S. Myers, C. S. Kaplan, C. Goodman-Strauss, An aperiodic monotile, Combinatorial Theory 4 (2024), sections 2
and 6.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import sqrt
from operator import add, sub

from tiler.apps.mathematics import hat_substitution
from tiler.grouping import grouped
from tiler.model import corners
from tiler.model.corners import Point
from tiler.model.lattice import Cell, Lattice, Shape, move
from tiler.model.lattice_shape_names import named
from tiler.model.lattices import KITES

#: For each piece with one side up, this number of pieces lie with the other side up: the golden ratio to the fourth power.
RATIO = ((1 + sqrt(5)) / 2) ** 4
_LONG = 288  #: the square of a long side of a kite, by the metric


def name_of(lattice: Lattice, shape: Shape) -> str | None:
    """`hat` or `turtle`, if a shape is that tile, turned or reflected or not."""
    known = {name: named(KITES, name) or frozenset() for name in ("hat", "turtle")} if lattice == KITES else {}
    return next((name for name, cells in known.items() if shape in KITES.variants(cells, True)), None)


def patch(name: str, level: int) -> list[Shape]:
    """The hats, or the turtles, that a number of substitutions makes of four."""
    hats = [cells for cells, _ in hat_substitution.patch(level)]
    return _turtles(hats) if name == "turtle" else hats


def reflected(shapes: Sequence[Shape]) -> int:
    """How many pieces lie with the side up that fewer have."""
    upright = set(KITES.variants(shapes[0], False)) if shapes else set()
    number = sum(KITES.normalise(shape) in upright for shape in shapes)
    return min(number, len(shapes) - number)


def _turtles(hats: Sequence[Shape]) -> list[Shape]:
    """Stretch a tiling by hats, side by side."""
    sides = [_sides(cells) for cells in hats]
    beside = grouped(ends for own in sides for one, other in own for ends in ((one, other), (other, one)))
    # Where long sides of kites meet short ones, in the middle of a side of a hexagon, they change places.
    start = next(point for point, others in beside.items() if len({_squared(_way(point, other)) for other in others}) > 1)
    there, reached = {start: _sixth(_sixth(start))}, [start]
    for point in reached:
        for other in beside[point]:
            if other not in there:
                there[other] = _sum(there[point], _stretched(_way(point, other)))
                reached.append(other)
    cells_of = {}
    for turtle in KITES.variants(named(KITES, "turtle") or frozenset(), True):
        points, least = _from_least(point for side in _sides(turtle) for point in side)
        cells_of[points] = move(turtle, _way(least, (0, 0)))
    placed = [_from_least(there[point] for side in own for point in side) for own in sides]
    return [move(cells_of[points], least) for points, least in placed]


def _sides(cells: Shape) -> list[tuple[Point, Point]]:
    """The sides of kites round a shape: those of one of its kites only."""
    outlines = [_outline(cell) for cell in cells]
    often = Counter(tuple(sorted(ends)) for outline in outlines for ends in pairwise((*outline, outline[0])))
    return [(one, other) for (one, other), times in often.items() if times == 1]


def _outline(cell: Cell) -> list[Point]:
    """The corners of a kite, in the order round it."""
    kind = KITES.residues.index(tuple(a % m for a, m in zip(cell, KITES.moduli, strict=True)))
    return [_sum(cell, corner) for corner in KITES.corners[kind]]


def _stretched(way: Point) -> Point:
    """A side, turned by 30 degrees, longer by the root of 3 if it is short, else shorter."""
    row, column = _sum(way, _sixth(way))
    return (row, column) if _squared(way) < _LONG else (row // 3, column // 3)


def _sixth(point: Point) -> Point:
    """A point turned by 60 degrees about the origin."""
    return corners.applied(KITES.rotations[0], point)


def _squared(way: Point) -> int:
    """The square of a length, by the metric of the lattice."""
    return sum(a * factor * b for a, row in zip(way, KITES.metric, strict=True) for factor, b in zip(row, way, strict=True))


def _from_least(points: Iterable[Point]) -> tuple[frozenset[Point], Point]:
    """Points as they lie from the least of them, and that one."""
    there = set(points)
    least = min(there)
    return frozenset(_way(least, point) for point in there), least


def _way(start: Point, end: Point) -> Point:
    return tuple(map(sub, end, start))


def _sum(point: Point, way: Point) -> Point:
    return tuple(map(add, point, way))
