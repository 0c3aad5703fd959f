"""What cells of a lattice look like on a page: the outlines of areas made of cells, from their corners.

Corners are points with whole coordinates, so that what two cells share is told exactly; `page` and `space` say where they are.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from itertools import combinations, pairwise
from math import atan2, pi, sqrt
from typing import TYPE_CHECKING, NamedTuple

from tiler.model.lattice import Cell, Lattice

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Point = tuple[int, ...]  #: a corner
Spot = tuple[float, float]  #: on the page: x to the right, y down
Place = tuple[float, float, float]  #: in space
Loop = list[Point]


def page(lattice: Lattice, point: Point) -> Spot:
    """Where a point of the plane is: columns to the right, rows downwards."""
    row, column = point
    (down, skew), (_, right) = lattice.metric
    return (
        (column * sqrt(right) + row * skew / sqrt(right)) / lattice.fine,
        row * sqrt(down - skew * skew / right) / lattice.fine,
    )


def space(lattice: Lattice, point: Point) -> Place:
    """Where a point in space is: to the right, towards the viewer, and up."""
    import numpy as np

    right, front, up = np.array(point) @ _axes(lattice) / lattice.fine
    return float(right), float(front), float(up)


@cache
def _axes(lattice: Lattice) -> NDArray[np.float64]:
    """Three vectors, by row, with the products that the metric has: the last to the right, the second to the front and right."""
    import numpy as np

    backwards = np.linalg.cholesky(np.array(lattice.metric, float)[::-1, ::-1])
    return np.asarray(backwards[::-1])


def polygon(lattice: Lattice, cell: Cell) -> Loop:
    """The corners of a cell of the plane, clockwise on the page; an edge is its two ends."""
    corners = dict(zip(lattice.residues, lattice.corners, strict=True))
    residue = tuple(a % m for a, m in zip(cell, lattice.moduli, strict=True))
    loop = [tuple(lattice.fine * a + b for a, b in zip(cell, corner, strict=True)) for corner in corners[residue]]
    # Rows run downwards, so that the area is positive where the corners go round clockwise.
    area = sum(c * b - a * d for (a, b), (c, d) in pairwise([*loop, loop[0]]))
    return loop if area >= 0 else loop[::-1]


def outline(lattice: Lattice, cells: Iterable[Cell]) -> list[Loop]:
    """Every loop round some cells of the plane, as its corners: clockwise, anticlockwise round holes. Loops do not cross
    themselves; where cells touch only at a corner, two loops or two turns of one meet in that point."""
    edges = Counter(edge for cell in cells for edge in _edges(polygon(lattice, cell)))
    leaving: defaultdict[Point, list[Point]] = defaultdict(list)
    for start, end in sorted(edges):
        if (end, start) not in edges:
            leaving[start].append(end)
    loops = []
    for start in sorted(leaving):
        while leaving[start]:
            loops.append(_follow(lattice, leaving, start))
    return loops


def inner_lines(lattice: Lattice, cells: Collection[Cell]) -> list[tuple[Point, Point]]:
    """The sides that two of these cells share."""
    edges = {edge for cell in cells for edge in _edges(polygon(lattice, cell))}
    return sorted((start, end) for start, end in edges if start < end and (end, start) in edges)


def _edges(loop: Loop) -> list[tuple[Point, Point]]:
    return list(pairwise([*loop, loop[0]]))


def _follow(lattice: Lattice, leaving: defaultdict[Point, list[Point]], start: Point) -> Loop:
    """Take one loop of edges out of `leaving`: its corners."""
    corners, here = [start], leaving[start].pop(0)
    before = start
    while here != start:
        # The sharpest turn to the right keeps to the cell, so that cells touching at this point stay apart.
        turns = {end: _turn(lattice, before, here, end) for end in leaving[here]}
        ahead = min(turns, key=turns.__getitem__)
        leaving[here].remove(ahead)
        if not _straight(before, here, ahead):
            corners.append(here)
        before, here = here, ahead
    return corners


def _turn(lattice: Lattice, before: Point, here: Point, ahead: Point) -> float:
    """How far to turn back to the left: 0 straight back round to the right, up to a whole turn."""
    (x, y), (a, b), (c, d) = (page(lattice, point) for point in (here, before, ahead))
    return (atan2(b - y, a - x) - atan2(d - y, c - x)) % (2 * pi)


def _straight(before: Point, here: Point, ahead: Point) -> bool:
    (a, b), (c, d) = ((q - p for p, q in zip(one, two, strict=True)) for one, two in ((before, here), (here, ahead)))
    return a * d == b * c and a * c >= 0 and b * d >= 0


class Face(NamedTuple):
    """A face of a body: its corners in order, and the vector of length 1 that leads straight out, as `space` has it."""

    corners: tuple[Point, ...]
    out: Place


@cache
def faces(lattice: Lattice) -> dict[Cell, tuple[Face, ...]]:
    """For every residue in space the faces of such a cell, seen from its centre; none of spheres."""
    return {
        residue: () if lattice.shared == 1 else tuple(_hull(lattice, corners))
        for residue, corners in zip(lattice.residues, lattice.corners, strict=True)
    }


def _hull(lattice: Lattice, corners: Sequence[Point]) -> list[Face]:
    """The faces of a convex body round the origin: of every plane with no corner beyond it, all corners in it."""
    import numpy as np

    at = np.array([space(lattice, corner) for corner in corners])
    found = {}
    for a, b, c in combinations(range(len(corners)), 3):
        out = np.cross(at[b] - at[a], at[c] - at[a])
        out /= np.linalg.norm(out) * (1 if out @ at[a] > 0 else -1)
        height = at @ out
        flat = np.flatnonzero(height > height.max() - 1e-9).tolist()
        if a in flat:
            right = at[a] - at[flat].mean(0)
            front = np.cross(out, right)
            turn = np.arctan2((at - at[flat].mean(0)) @ front, (at - at[flat].mean(0)) @ right)
            found[tuple(flat)] = Face(tuple(corners[k] for k in sorted(flat, key=turn.__getitem__)), tuple(out.tolist()))
    return [face for _, face in sorted(found.items())]
