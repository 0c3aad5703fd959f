"""Find the corners that a tile made of edges crosses, for boards on which no two tiles may cross.

Two tiles cross in a point if each has edges there on both sides of the other: on the square lattice if both go straight through
it. So every point has *corners*, and a tile with two edges that meet there goes across those from one of the edges to the other,
the shorter way round: across the one corner of a point of squares if it goes straight, across three of the six at a point of
triangles if its edges are 120 degrees apart, across all six if it goes straight. A tile with two edges side by side goes across
none, as no other edge can be between them. Tiles cross if they go across the same corner.

A corner is no cell: a cover has an item of its own for it (cover/items.py), which may stay open.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations
from operator import add, mod, sub
from typing import NamedTuple

from tiler.grouping import grouped
from tiler.model.lattice import Cell, Isometry, Lattice, Shape

#: Points and corners have whole coordinates if they are this many times finer than those of cells.
FINER = 3


class Corner(NamedTuple):
    """A corner: the point it belongs to, and the way to the edge that it lies on; no way where a point has one corner."""

    point: Cell
    way: Cell

    def __str__(self) -> str:
        towards = f" towards {','.join(map(str, self.way))}" if any(self.way) else ""
        return f"corner {','.join(map(str, self.point))}{towards}"

    @property
    def fine(self) -> Cell:
        """The place of the corner, in coordinates `FINER` times as fine as those of cells."""
        return tuple(FINER * a + b for a, b in zip(self.point, self.way, strict=True))

    def turned(self, symmetry: Isometry) -> Corner:
        """The corner to which a symmetry moves it."""
        return Corner(symmetry(self.point), Isometry(symmetry.matrix, (0,) * len(self.way))(self.way))


def crossed(lattice: Lattice, shape: Shape) -> list[Corner]:
    """The corners, sorted, that a tile with these edges goes across."""
    ways, corners = _ways(lattice), _corners(lattice)
    found = set()
    for point in {tuple(map(sub, edge, way)) for edge in shape for way in ways}:
        if any(map(mod, point, lattice.moduli)):
            continue
        there = [k for k, way in enumerate(ways) if tuple(map(add, point, way)) in shape]
        for one, two in combinations(there, 2):
            found |= {Corner(point, corners[k]) for k in _between(one, two, len(ways))}
    return sorted(found)


def beside(lattice: Lattice, cells: Sequence[Cell], corners: Sequence[Corner]) -> list[list[int]]:
    """The neighbours of every corner: the edges of its point and the other corners there, as numbers in ascending order. Cells
    are counted first, then corners."""
    number = {cell: at for at, cell in enumerate(cells)}
    at_point = grouped((corner.point, at) for at, corner in enumerate(corners, len(cells)))
    edges = {
        point: [number[edge] for way in _ways(lattice) if (edge := tuple(map(add, point, way))) in number] for point in at_point
    }
    return [
        sorted([*edges[corner.point], *(other for other in at_point[corner.point] if other != at)])
        for at, corner in enumerate(corners, len(cells))
    ]


def _between(one: int, two: int, ways: int) -> Iterable[int]:
    """The directions from one to another, the shorter way round; `ways` is the number of directions at a point."""
    turn = (two - one) % ways
    if 2 * turn == ways:
        return range(ways)
    if turn in (1, ways - 1):
        return ()
    start, steps = (one, turn) if 2 * turn < ways else (two, ways - turn)
    return [(start + step) % ways for step in range(steps + 1)]


@cache
def _ways(lattice: Lattice) -> tuple[Cell, ...]:
    """The vectors from a point to the middles of its edges, in their order round it."""
    turn = Isometry(lattice.rotations[0], (0,) * lattice.dimension)
    ways = [lattice.residues[0]]
    while turn(ways[-1]) != ways[0]:
        ways.append(turn(ways[-1]))
    return tuple(ways)


@cache
def _corners(lattice: Lattice) -> tuple[Cell, ...]:
    """The corner at each of these ways. At points with four ways only straight lines cross, and one corner is enough."""
    ways = _ways(lattice)
    return ways if len(ways) > 4 else ((0,) * lattice.dimension,) * len(ways)
