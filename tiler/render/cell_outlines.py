"""Make the outlines of areas of cells on a page, from the corners of cells. Corners are points with whole coordinates, so the
corners that two cells share are exact; `page` and `space` say where they are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from functools import cache
from itertools import combinations, pairwise
from math import atan2, gcd, hypot, pi, sqrt
from operator import add
from typing import NamedTuple

from tiler.grouping import grouped
from tiler.model.corners import Point
from tiler.model.lattice import Cell, Lattice

Spot = tuple[float, float]  #: on the page: x to the right, y down
Position = tuple[float, float, float]  #: in space: to the right, towards the viewer, and up
Loop = list[Point]


def page(lattice: Lattice, point: Point) -> Spot:
    """The position of a point of the plane: columns to the right, rows downwards."""
    row, column = point
    (down, skew), (_, right) = lattice.metric
    return (
        (column * sqrt(right) + row * skew / sqrt(right)) / lattice.fine,
        row * sqrt(down - skew * skew / right) / lattice.fine,
    )


def part(start: Spot, end: Spot, share: float) -> Spot:
    """The position after a share of the way from `start` to `end`."""
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def step(plane: Lattice) -> float:
    """The length of a translation along a row: the side of a square or a triangle, or the distance of two hexagons."""
    return plane.moduli[-1] * sqrt(plane.metric[-1][-1])


def space(lattice: Lattice, point: Point) -> Position:
    """The position of a point in space: to the right, towards the viewer, and up."""
    (a, b, c), (d, e, f), (g, h, i) = _axes(lattice)
    z, y, x = point
    return a * z + d * y + g * x, b * z + e * y + h * x, c * z + f * y + i * x


@cache
def _axes(lattice: Lattice) -> tuple[tuple[float, ...], ...]:
    """The vectors in space for the three coordinates of a point; the metric is their scalar products. The last one points to the
    right, the second one to the front and right."""
    import numpy as np

    backwards = np.linalg.cholesky(np.array(lattice.metric, float)[::-1, ::-1])
    return tuple(map(tuple, (backwards[::-1] / lattice.fine).tolist()))


def polygon(lattice: Lattice, cell: Cell) -> Loop:
    """The corners of a cell of the plane, clockwise on the page; an edge is its two ends."""
    corners = dict(zip(lattice.residues, lattice.corners, strict=True))
    residue = tuple(a % m for a, m in zip(cell, lattice.moduli, strict=True))
    loop = [tuple(lattice.fine * a + b for a, b in zip(cell, corner, strict=True)) for corner in corners[residue]]
    # Rows run downwards, so that the area is positive where the corners go round clockwise.
    area = sum(c * b - a * d for (a, b), (c, d) in pairwise([*loop, loop[0]]))
    return loop if area >= 0 else loop[::-1]


class _Side(NamedTuple):
    """A side of a cell: its two corners relative to the cell's centre, clockwise, and the vector to the cell beyond."""

    start: Point
    end: Point
    way: Cell


@cache
def _sides(lattice: Lattice) -> dict[Cell, list[_Side]]:
    """The sides of the cells of the plane; cells with the same residue have the same sides."""
    sides = {}
    for residue in lattice.residues:
        centre = [lattice.fine * a for a in residue]
        others = {other: set(polygon(lattice, other)) for other in lattice.neighbours(residue)}
        sides[residue] = [
            _Side(_less(start, centre), _less(end, centre), _less(other, residue))
            for start, end in _edges(polygon(lattice, residue))
            for other, corners in others.items()
            if {start, end} <= corners
        ]
    return sides


def _less(point: Point, other: Sequence[int]) -> Point:
    return tuple(a - b for a, b in zip(point, other, strict=True))


def _edges_between(lattice: Lattice, cells: Collection[Cell], *, inside: bool) -> Iterator[tuple[Point, Point]]:
    """Sides of some cells, each as two corners. `inside`: the sides between two of these cells, each once; else all others."""
    known, fine, (m, n) = cells if isinstance(cells, Set) else set(cells), lattice.fine, lattice.moduli
    # Both cells have the side, in opposite directions: one of them has the lesser corner first.
    sides = {residue: [side for side in of if not inside or side.start < side.end] for residue, of in _sides(lattice).items()}
    for i, j in cells:
        for (a, b), (c, d), (k, r) in sides[i % m, j % n]:
            if ((i + k, j + r) in known) == inside:
                yield (fine * i + a, fine * j + b), (fine * i + c, fine * j + d)


def border(lattice: Lattice, cells: Collection[Cell]) -> Iterator[tuple[Point, Point]]:
    """The sides around some cells, one by one, each clockwise around its cell."""
    return _edges_between(lattice, cells, inside=False)


def outline(lattice: Lattice, cells: Iterable[Cell]) -> list[Loop]:
    """The loops around some cells of the plane, each as its corners, clockwise, but anticlockwise around holes. Loops are ordered
    by their least corner, and do not cross themselves. If cells touch only at a corner, two loops, or one loop twice, pass it.

    >>> from tiler.model.lattices import SQUARE
    >>> outline(SQUARE, [(0, 0), (0, 1)])
    [[(-1, -1), (-1, 3), (1, 3), (1, -1)]]
    """
    leaving = grouped(_edges_between(lattice, set(cells), inside=False))
    for ends in leaving.values():
        ends.sort()
    loops = []
    for start in sorted(leaving):
        while leaving[start]:
            loops.append(_follow(lattice, leaving, start))
    return loops


def inner_lines(lattice: Lattice, cells: Collection[Cell]) -> list[tuple[Point, Point]]:
    """The sides that two of these cells share."""
    return sorted(_edges_between(lattice, cells, inside=True))


def long_lines(lattice: Lattice, groups: Iterable[Collection[Cell]]) -> list[tuple[Point, Point]]:
    """The sides that two cells of one group share, joined to the longest straight lines, also across groups."""
    return joined(line for cells in groups for line in _edges_between(lattice, cells, inside=True))


def joined(lines: Iterable[tuple[Point, Point]]) -> list[tuple[Point, Point]]:
    """Lines that do not overlap, joined to the longest straight lines.

    >>> joined([((0, 0), (0, 2)), ((0, 2), (0, 4)), ((0, 4), (2, 4))])
    [((0, 0), (0, 4)), ((0, 4), (2, 4))]
    """
    along: defaultdict[tuple[int, ...], list[tuple[Point, Point]]] = defaultdict(list)
    for line in lines:
        (i, j), (k, m) = start, end = min(line), max(line)
        step = gcd(k - i, m - j)
        down, right = (k - i) // step, (m - j) // step
        along[down, right, i * right - j * down].append((start, end))

    joined = []
    for parts in along.values():
        parts.sort()
        first = parts[0][0]
        for (_, end), (following, _) in zip(parts, [*parts[1:], (None, None)], strict=True):
            if following != end:
                joined.append((first, end))
                first = following or first
    return sorted(joined)


def divided(start: Point, end: Point, sides: Iterable[tuple[Point, Point]]) -> list[tuple[Point, Point]]:
    """A straight line as its parts: those of `sides` that lie on it and run the same way, and the lines between them.

    >>> divided((0, 0), (0, 6), [((0, 2), (0, 4)), ((0, 4), (0, 2))])
    [((0, 0), (0, 2)), ((0, 2), (0, 4)), ((0, 4), (0, 6))]
    """
    down, right = _less(end, start)
    long = down * down + right * right

    def along(point: Point) -> int:
        return (point[0] - start[0]) * down + (point[1] - start[1]) * right

    def is_on(point: Point) -> bool:
        return (point[0] - start[0]) * right == (point[1] - start[1]) * down and 0 <= along(point) <= long

    on = sorted(
        (side for side in sides if is_on(side[0]) and is_on(side[1]) and along(side[0]) < along(side[1])),
        key=lambda side: along(side[0]),
    )
    points = list(dict.fromkeys([start, *(point for side in on for point in side), end]))
    return list(pairwise(points))


def grown(loop: Sequence[Spot], by: float) -> list[Spot]:
    """A loop with every side moved out by a length, or in by a negative one; anticlockwise loops are holes, which shrink.

    >>> grown([(0, 0), (2, 0), (2, 1), (0, 1)], 0.5)
    [(-0.5, -0.5), (2.5, -0.5), (2.5, 1.5), (-0.5, 1.5)]
    """
    spots = []
    for (a, b), (c, d), (e, f) in zip([loop[-1], *loop], loop, [*loop[1:], loop[0]], strict=False):
        before, after = hypot(c - a, d - b), hypot(e - c, f - d)
        # What lies to the left is outside, since y runs down.
        x, y, u, v = (d - b) / before, (a - c) / before, (f - d) / after, (c - e) / after
        times = by / (1 + x * u + y * v)
        spots.append((c + times * (x + u), d + times * (y + v)))
    return spots


def is_inside(spot: Spot, loop: Sequence[Spot]) -> bool:
    """Whether a spot lies in a loop."""
    x, y = spot
    crossed = [a + (y - b) * (c - a) / (d - b) > x for (a, b), (c, d) in pairwise([*loop, loop[0]]) if (b > y) != (d > y)]
    return sum(crossed) % 2 == 1


def _edges(loop: Loop) -> list[tuple[Point, Point]]:
    return list(pairwise([*loop, loop[0]]))


def _follow(lattice: Lattice, leaving: dict[Point, list[Point]], start: Point) -> Loop:
    """Take one loop of edges that begins at `start` out of `leaving`, and return its corners."""
    corners, point = [start], leaving[start].pop(0)
    before = start
    while point != start:
        # The sharpest turn to the right stays at the cell, so that cells which touch only at this point have separate loops.
        turns = {end: _turn(lattice, before, point, end) for end in leaving[point]}
        ahead = min(turns, key=turns.__getitem__)
        leaving[point].remove(ahead)
        if not _straight(before, point, ahead):
            corners.append(point)
        before, point = point, ahead
    return corners


def _turn(lattice: Lattice, before: Point, corner: Point, ahead: Point) -> float:
    """The angle from the way ahead to the way back, from 0 to 2 pi: the sharper the turn to the right, the smaller it is."""
    (x, y), (a, b), (c, d) = (page(lattice, point) for point in (corner, before, ahead))
    return (atan2(b - y, a - x) - atan2(d - y, c - x)) % (2 * pi)


def _straight(before: Point, corner: Point, ahead: Point) -> bool:
    (a, b), (c, d) = ((q - p for p, q in zip(one, two, strict=True)) for one, two in ((before, corner), (corner, ahead)))
    return a * d == b * c and a * c >= 0 and b * d >= 0


class Face(NamedTuple):
    """A face of a body: its corners in order, and the outward normal of length 1, in the coordinates of `space`."""

    corners: tuple[Point, ...]
    out: Position


@cache
def faces(lattice: Lattice) -> dict[Cell, tuple[Face, ...]]:
    """For every residue in space the faces of its cells, with corners relative to the centre; spheres have none."""
    return {
        residue: () if lattice.shared == 1 else tuple(_hull(lattice, corners))
        for residue, corners in zip(lattice.residues, lattice.corners, strict=True)
    }


def faces_of(lattice: Lattice, cell: Cell) -> list[Face]:
    """The faces of a cell in space, at the place of the cell."""
    residue = tuple(a % m for a, m in zip(cell, lattice.moduli, strict=True))
    moved = [lattice.fine * a for a in cell]
    return [
        face._replace(corners=tuple(tuple(map(add, moved, corner)) for corner in face.corners))
        for face in faces(lattice)[residue]
    ]


def _hull(lattice: Lattice, corners: Sequence[Point]) -> list[Face]:
    """The faces of the convex hull of some corners; the origin must lie inside."""
    import numpy as np

    at = np.array([space(lattice, corner) for corner in corners])
    faces_by_corners = {}
    for a, b, c in combinations(range(len(corners)), 3):
        out = np.cross(at[b] - at[a], at[c] - at[a])
        out /= np.linalg.norm(out) * (1 if out @ at[a] > 0 else -1)
        height = at @ out
        flat = np.flatnonzero(height > height.max() - 1e-9).tolist()
        if a in flat:
            right = at[a] - at[flat].mean(0)
            front = np.cross(out, right)
            turn = np.arctan2((at - at[flat].mean(0)) @ front, (at - at[flat].mean(0)) @ right)
            faces_by_corners[tuple(flat)] = Face(
                tuple(corners[k] for k in sorted(flat, key=turn.__getitem__)), tuple(out.tolist())
            )
    return [face for _, face in sorted(faces_by_corners.items())]
