"""Draw the graph of a cover: its perfect matchings are the solutions of the cover. A drawn cover may have options of one item.

An item with such an option gets a leg: an edge to a chain of triangles with corners a, b and c. The leg ends at c, and a joint
leads from b to the a of the next triangle. If there would be an odd number of vertices, the last b is joined to one more.

Two corners of a triangle can be matched with each other, one or three cannot. So if one or three of a triangle's edges to the
outside are used, there is exactly one way to match the corners that are left; otherwise there is none. From the first triangle
on, the legs that are used thus determine the joints that are used. At the last triangle this comes out right if the number of
vertices left is even. So every choice of legs that leaves an even number of items has exactly one matching of the chain.

If the items with legs lie round one face of their connected part, the chain lies in that face, and no edges cross.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.backends.matching.faces import EmbeddedComponent, EmbeddedGraph
from tiler.backends.matching.graph import Pairs
from tiler.cover.board import BoardCover
from tiler.cover.embedded_graph import EmbeddedCover
from tiler.process.cancellation import StopCheck, never_stop, with_stop_checks

_drawn: WeakKeyDictionary[BoardCover | EmbeddedCover, EmbeddedGraph | None] = WeakKeyDictionary()


def drawing(cover: BoardCover | EmbeddedCover, check_stop: StopCheck = never_stop) -> EmbeddedGraph | None:
    """The graph of a cover, which is made once for all who ask: whether it can be drawn decides who counts. None if in some
    connected part of a drawn cover the items with options of their own do not all lie round one face."""
    if cover not in _drawn:
        _drawn[cover] = (
            _with_legs(cover, check_stop) if isinstance(cover, EmbeddedCover) else EmbeddedGraph.of(cover, Pairs.of(cover))
        )
    return _drawn[cover]


def _with_legs(cover: EmbeddedCover, check_stop: StopCheck = never_stop) -> EmbeddedGraph | None:
    """The graph of a cover; None if in some connected part the items with legs do not all lie round one face."""
    is_pair = np.diff(cover.members.starts) == 2
    paired = cover if is_pair.all() else cover.restrict(is_pair)
    pairs = Pairs.of(paired)
    edge_of = dict(zip(pairs.first.tolist(), range(len(pairs.first)), strict=True))
    ends = pairs.ends.tolist()
    around = [
        [2 * edge_of[option] + (ends[edge_of[option]][1] == item) for option in options if option in edge_of]
        for item, options in enumerate(with_stop_checks(paired.around, check_stop))
    ]
    graph = _turning(pairs, cover.points, around)
    alone = portable.bincount(cover.members.restrict(~is_pair).values, minlength=pairs.cells)
    if not alone.any():
        return graph
    chains = _Chains(pairs, cover.points, around)
    for part in graph.parts(check_stop):
        if not chains.add(part, alone):
            return None
    return chains.graph()


def _turning(pairs: Pairs, points: NDArray[np.float64], around: list[list[int]]) -> EmbeddedGraph:
    return EmbeddedGraph.turning(pairs, points, np.array([dart for darts in around for dart in darts], np.int64))


class _Chains:
    """A graph to which chains of triangles are added."""

    def __init__(self, pairs: Pairs, points: NDArray[np.float64], around: list[list[int]]) -> None:
        self._pairs, self._points, self._around = pairs, list(points), around
        self._ends: list[tuple[int, int]] = []
        self._times: list[int] = []

    def add(self, part: EmbeddedComponent, alone: NDArray[np.int64]) -> bool:
        """Give legs to the items of a connected part. Returns False if no face has them all. `alone` says how many options each
        item has that cover nothing else."""
        may = alone[part.cells] > 0
        legs = int(may.sum())
        if not legs:
            return True
        # An item without edges has no corner.
        around_faces = [_corners(part, face, may) for face in part.faces] if len(part.cells) > 1 else [{0: -1}]
        corners = next((corners for corners in around_faces if len(corners) == legs), None)
        if corners is None:
            return False
        before = -1
        for item, dart in corners.items():
            cell = int(part.cells[item])
            a, b, c = (self._vertex(cell) for _ in range(3))
            leg, left, right = self._edge((cell, c), int(alone[cell])), self._edge((a, c)), self._edge((b, c))
            base = self._edge((a, b))
            darts = self._around[cell]
            darts.insert(darts.index(dart) + 1 if darts else 0, leg)
            # Seen from the middle of the face, its items go round against the clock.
            self._around[c] = [right + 1, left + 1, leg + 1]
            self._around[a] = [base, left]
            self._around[b] = [base + 1, right]
            if before >= 0:
                self._join(before, a)
            before = b
        if (len(part.cells) + legs) % 2:
            self._join(before, self._vertex(int(part.cells[0])))
        return True

    def graph(self) -> EmbeddedGraph:
        """The graph with its chains."""
        pairs, added = self._pairs, len(self._ends)
        ends = np.concatenate([pairs.ends, np.array(self._ends, np.int64).reshape(-1, 2)])
        times = np.concatenate([pairs.times, np.array(self._times, np.int64)])
        first = np.concatenate([pairs.first, np.full(added, -1, np.int64)])
        filler_of = np.full(len(self._around), -1, np.int64)
        return _turning(Pairs(ends, first, times, pairs.edge_of, filler_of), np.array(self._points), self._around)

    def _vertex(self, near: int) -> int:
        """A new vertex, drawn where an item is."""
        self._points.append(self._points[near])
        self._around.append([])
        return len(self._around) - 1

    def _edge(self, ends: tuple[int, int], times: int = 1) -> int:
        """Make a new edge. Returns its dart from the first end."""
        self._ends.append(ends)
        self._times.append(times)
        return 2 * (len(self._pairs.ends) + len(self._ends) - 1)

    def _join(self, b: int, other: int) -> None:
        """An edge from the b of a triangle to the next one's a, or to the end."""
        joint = self._edge((b, other))
        self._around[b].insert(0, joint)
        self._around[other].insert(1, joint + 1)


def _corners(part: EmbeddedComponent, face: list[int], may: NDArray[np.bool_]) -> dict[int, int]:
    """For each item with a leg (`may`), in the order round the face: a dart that leaves the item and has the face on its left.
    Items are numbered as in the part, darts as in the graph."""
    corners: dict[int, int] = {}
    for dart in face:
        item = part.tail(dart)
        if may[item] and item not in corners:
            corners[item] = 2 * int(part.edges[dart >> 1]) + (dart & 1)
    return corners
