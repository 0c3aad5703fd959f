"""The outline of a set of cells as closed loops of lattice points, for drawing and for nothing else.

Cells are (row, column); the point (i, j) is the upper left corner of the cell (i, j).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

Point = tuple[int, int]


def trace(cells: Collection[Point]) -> list[list[Point]]:
    """Every loop of the outline as its corners, the least loop first: clockwise round the cells, anticlockwise round holes.

    >>> trace({(0, 0), (0, 1)})
    [[(0, 0), (0, 2), (1, 2), (1, 0)]]

    Loops do not cross themselves; where cells touch only at a corner, two loops or two turns of one meet in that point.
    """
    inside = set(cells)
    # From each point of the outline the directions of its edges, each with the cell it borders to its right.
    leaving: defaultdict[Point, set[Point]] = defaultdict(set)
    for i, j in inside:
        if (i - 1, j) not in inside:
            leaving[i, j].add((0, 1))
        if (i, j + 1) not in inside:
            leaving[i, j + 1].add((1, 0))
        if (i + 1, j) not in inside:
            leaving[i + 1, j + 1].add((0, -1))
        if (i, j - 1) not in inside:
            leaving[i + 1, j].add((-1, 0))
    loops = []
    for start in sorted(leaving):
        if leaving[start]:
            loops.append(_follow(leaving, start))
    return loops


def by_form(cells: Sequence[Point]) -> tuple[tuple[Point, ...], Point]:
    """The form of some cells, which those that are moved share, and how far it is moved; `cells` are in ascending order.

    >>> by_form([(5, 7), (6, 6)])
    (((0, 0), (1, -1)), (5, 7))
    """
    i, j = cells[0]
    return tuple([(k - i, m - j) for k, m in cells]), (i, j)


def _follow(leaving: defaultdict[Point, set[Point]], start: Point) -> list[Point]:
    """Take one loop of edges out of `leaving`: its corners."""
    # No edge left over lies above or to the left of the least point: it is a corner, and one edge leaves it.
    direction = leaving[start].pop()
    corners = [start]
    i, j = start
    while True:
        i, j = i + direction[0], j + direction[1]
        if (i, j) == start:
            return corners
        right = (direction[1], -direction[0])
        # Turning right wherever possible keeps to the cell, so that cells touching at this point stay apart.
        ahead = right if right in leaving[i, j] else min(leaving[i, j])
        leaving[i, j].remove(ahead)
        if ahead != direction:
            corners.append((i, j))
            direction = ahead
