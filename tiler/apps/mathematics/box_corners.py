"""Do copies of some tiles fit along the edges of a box, from corner to corner, however long the edges are?

A box that is filled has a copy of a tile in each corner. From one corner to the next, copies cover the edge between them, and
none sticks out at either end. So a placement can lie in a corner only if copies can follow it along each edge from this corner,
up to some placement that can lie in the corner at the other end. All other placements are removed, again and again, until nothing
changes. If a corner has no placement left, the tiles fill no box at all. Corners of rectangles have two edges, those of boxes
three.

Along an edge, cells less than `depth` away from it are covered one after the other, from one end to the other. What can follow
depends on the cells that are covered nearby, as far as a tile reaches. So there are finitely many states for edges of all
lengths, and each is entered once. Cells further from the edge may stay open. Across the edge there is no other wall: if a box is
filled, then copies of that box can lie there.

Source: proofs of this kind, by hand and for single tiles, are in K. Dahlke's theorems (github.com/eklhad/trec).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from tiler.model.lattice import Cell, Shape, box

_DEPTHS = (1, 2)


@dataclass(frozen=True)
class NoCorner:
    """The reason why tiles fill no box: nothing can lie in one of its corners."""

    depth: int  #: the depth of the cells along the edges that were looked at
    states: int

    def __str__(self) -> str:
        return (
            f"whatever lies in a corner, along some edge no copies follow up to another corner, of any length ({self.states:,} "
            f"states, cells up to {self.depth} from the edge)"
        )


class _TooManyStatesError(Exception):
    """There are more states than may be looked at."""


def no_corner(variants: Sequence[Shape], dimension: int, most: int = 10_000) -> NoCorner | None:
    """Why shapes fill no box (or rectangle), given in all the ways in which they may lie; None if that is not shown. It looks at
    `most` states for each depth."""
    for depth in _DEPTHS:
        edges = _Edges(dimension, depth, most)
        if not _left_in_corners(variants, dimension, edges):
            return NoCorner(depth, edges.states)
    return None


def _left_in_corners(variants: Sequence[Shape], dimension: int, edges: _Edges) -> bool:
    """Whether every corner has a placement left."""
    corners = list(product((0, 1), repeat=dimension))
    left = {corner: {shape for shape in variants if _reaches(shape, corner)} for corner in corners}
    changed = True
    while changed and all(left.values()):
        changed = False
        for corner, axis in product(corners, range(dimension)):
            other = (*corner[:axis], 1 - corner[axis], *corner[axis + 1 :])
            seen = {shape: _seen(shape, corner, axis) for shape in variants}
            ways = frozenset(seen.values())
            kept = {
                shape
                for shape in left[corner]
                if (ends := edges.ends(ways, seen[shape])) is None or any(seen[previous] in ends for previous in left[other])
            }
            changed |= len(kept) < len(left[corner])
            left[corner] = kept
    return all(left.values())


def _reaches(shape: Shape, corner: Cell) -> bool:
    """Whether a shape covers this corner of its bounding box."""
    low, high = box(shape)
    return tuple(b if far else a for a, b, far in zip(low, high, corner, strict=True)) in shape


def _seen(shape: Shape, corner: Cell, axis: int) -> Shape:
    """A shape as it is seen from a corner along one of its edges, which is the first axis then."""
    turned = [tuple(-axis if far else axis for axis, far in zip(cell, corner, strict=True)) for cell in shape]
    first = [(cell[axis], *cell[:axis], *cell[axis + 1 :]) for cell in turned]
    low, _ = box(first)
    return frozenset(tuple(a - b for a, b in zip(cell, low, strict=True)) for cell in first)


class _Edges:
    """The shapes that can lie at the two ends of an edge, computed when they are needed."""

    def __init__(self, dimension: int, depth: int, most: int) -> None:
        self._across, self._depth, self._most = dimension - 1, depth, most
        self.states = 0
        self._lists: dict[frozenset[Shape], _EdgeLists] = {}
        self._ends: dict[tuple[frozenset[Shape], Shape], frozenset[Shape] | None] = {}

    def ends(self, variants: frozenset[Shape], first: Shape) -> frozenset[Shape] | None:
        """The shapes that can lie at the far end of an edge of some length if `first` lies at the near end, all as seen from the
        near end; None if that takes too many states."""
        if variants not in self._lists:
            self._lists[variants] = _EdgeLists(variants, self._across, self._depth)
        if (variants, first) not in self._ends:
            try:
                self._ends[variants, first] = self._searched(self._lists[variants], first)
            except _TooManyStatesError:
                self._ends[variants, first] = None
        return self._ends[variants, first]

    def _searched(self, lists: _EdgeLists, first: Shape) -> frozenset[Shape]:
        """Search the states along an edge. A state is the covered cells, as bits, and the shape that lies furthest along the
        edge."""
        slab, wall, zone, line = lists.slab, lists.wall, lists.zone, lists.line
        reached = set()
        wanted = [((1 << wall) - 1 | lists.bits(first), first)]
        entered = set()
        while wanted:
            covered, last = wanted.pop()
            while (covered >> wall) & zone == zone:
                covered >>= slab
            if (covered, last) in entered:
                continue
            self.states += 1
            if self.states > self._most:
                raise _TooManyStatesError
            entered.add((covered, last))
            if not covered >> wall:
                reached.add(last)
            free = zone & ~(covered >> wall)
            for placed, shape in lists.covering[free & -free]:
                if not placed & covered:
                    wanted.append((covered | placed, shape if placed & line > covered & line else last))
        return frozenset(reached)


class _EdgeLists:
    """The placements along an edge, as bits: slab after slab of cells at one place of it, the first one far enough behind."""

    def __init__(self, variants: frozenset[Shape], across: int, depth: int) -> None:
        reach = max(max(box(shape)[1]) for shape in variants)
        self._wide = depth + reach
        self.slab = self._wide**across  #: cells in a slab
        self.wall = reach * self.slab  #: the bit of the first cell of the slab in which the next cell is covered
        near = list(product(range(depth), repeat=across))
        self.zone = sum(1 << self._at((0, *cell)) for cell in near)  #: the cells of a slab that must be covered
        self.line = sum(1 << place * self.slab for place in range(2 * reach + 1))  #: the cells on the edge itself
        #: for the bit of a cell to be covered: the placements that cover it, with their shapes
        self.covering: dict[int, list[tuple[int, Shape]]] = {}
        for cell in near:
            target = (0, *cell)
            found = []
            for shape in sorted(variants, key=sorted):
                for origin in sorted(shape):
                    moved = [tuple(a - b + c for a, b, c in zip(cell, origin, target, strict=True)) for cell in shape]
                    if all(0 <= side < self._wide for cell in moved for side in cell[1:]):
                        found.append((self.bits(frozenset(moved)), shape))
            self.covering[1 << self._at(target)] = found

    def bits(self, cells: Shape) -> int:
        """The bits of cells; the edge begins at the wall."""
        return sum(1 << self.wall + self._at(cell) for cell in cells)

    def _at(self, cell: Cell) -> int:
        number = cell[0]
        for side in cell[1:]:
            number = number * self._wide + side
        return number
