"""The isometric view of cells in space: which of their sides are seen from above and the front, and where they come to lie.

The first layer lies below, columns run to the lower right and rows to the lower left, so that nothing is mirrored. Lengths are in
sides of a cell.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from tiler.model.lattice import Cell

ACROSS, DOWN = math.sqrt(3) / 2, 0.5  #: of a step along a row or a column

Point = tuple[float, float]  #: x to the right, y down


class Edge(NamedTuple):
    """A side of a face, and whether what lies across it belongs to the same owner and in the same plane."""

    start: Point
    end: Point
    inner: bool


class Side(NamedTuple):
    """A side of a cell as it is seen: its corners in turn, how much light falls on it, and its four edges."""

    cell: Cell
    corners: tuple[Point, ...]
    light: float
    edges: tuple[Edge, ...]


class _Face(NamedTuple):
    """A side that looks towards the viewer: the way out, its corners in turn, how much light falls on it."""

    normal: Cell
    corners: tuple[Cell, ...]
    light: float

    @property
    def edges(self) -> Iterator[tuple[Cell, Cell, Cell]]:
        """Each edge's two corners, and the way to the cell across it, in the plane of the face."""
        axis = self.normal.index(1)
        for start, end in pairwise([*self.corners, self.corners[0]]):
            along = next(k for k in range(3) if start[k] != end[k])
            other = 3 - axis - along
            beside = [0, 0, 0]
            beside[other] = 1 if start[other] else -1
            yield start, end, tuple(beside)


_FACES = (
    _Face((1, 0, 0), ((1, 0, 0), (1, 0, 1), (1, 1, 1), (1, 1, 0)), 1.0),  # above
    _Face((0, 1, 0), ((0, 1, 0), (0, 1, 1), (1, 1, 1), (1, 1, 0)), 0.74),  # on the left
    _Face((0, 0, 1), ((0, 0, 1), (0, 1, 1), (1, 1, 1), (1, 0, 1)), 0.87),  # on the right
)


def sides(owner: Mapping[Cell, int], x: float = 0.0, y: float = 0.0) -> Iterator[Side]:
    """The sides of cells (layer, row, column) that no other covers, what lies in front last; each cell is its owner's. The corner
    (0, 0, 0) comes to lie at (x, y)."""
    for cell in sorted(owner, key=lambda cell: (sum(cell), cell)):
        for face in _FACES:
            if _moved(cell, face.normal) in owner:
                continue
            edges = []
            for start, end, beside in face.edges:
                other = _moved(cell, beside)
                inner = owner.get(other) == owner[cell] and _moved(other, face.normal) not in owner
                edges.append(Edge(project(_moved(cell, start), x, y), project(_moved(cell, end), x, y), inner))
            corners = tuple(project(_moved(cell, corner), x, y) for corner in face.corners)
            yield Side(cell, corners, face.light, tuple(edges))


def project(point: Cell, x: float = 0.0, y: float = 0.0) -> Point:
    """Where a corner comes to lie if (0, 0, 0) is at (x, y)."""
    z, i, j = point
    return x + (j - i) * ACROSS, y + (j + i) * DOWN - z


def shade(fill: str, light: float) -> str:
    """A colour `#rrggbb` in so much light.

    >>> shade("#ff8000", 0.5)
    '#804000'
    """
    return "#" + "".join(f"{round(int(fill[k : k + 2], 16) * light):02x}" for k in (1, 3, 5))


def _moved(cell: Cell, step: Cell) -> Cell:
    return tuple(a + b for a, b in zip(cell, step, strict=True))
