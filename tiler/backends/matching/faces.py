"""Find the faces of the graph of a cover, drawn in the plane or on a torus, and orient its edges by them.

Only the order of the edges round every cell is taken from the drawing. By Euler's formula the faces say on which surface the
edges do not cross: on a sphere, which is as good as the plane, or on a torus; otherwise the faces are not used. Every connected
part is treated by itself, so it does not matter which part lies in a hole of another one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.backends.matching.graph import Pairs, connected
from tiler.cover.board import BoardCover
from tiler.model.cell_numbers import coordinates
from tiler.process.cancellation import StopCheck, with_stop_checks


@dataclass(frozen=True, eq=False)
class EmbeddedComponent:
    """A connected part of a graph, drawn. Vertices are numbered in it from 0.

    Dart 2e goes from the first end of edge e to its second, 2e + 1 back. `faces` are circles of darts, each with the face on its
    left; every dart is in one.
    """

    cells: NDArray[np.int64]  #: shape (vertices,): their numbers on the board, ascending
    edges: NDArray[np.int64]  #: shape (edges,): their numbers in the whole graph
    ends: list[tuple[int, int]]
    points: NDArray[np.float64]  #: shape (vertices, 2): where they are drawn
    around: list[list[int]]  #: by vertex, the darts that leave it, against the clock
    faces: list[list[int]]

    def tail(self, dart: int) -> int:
        return self.ends[dart >> 1][dart & 1]


@dataclass(frozen=True, eq=False)
class EmbeddedGraph:
    """The drawn graph of a board in the plane, as arrays. Darts are numbered as in `EmbeddedComponent`, but throughout the whole
    graph."""

    pairs: Pairs
    points: NDArray[np.float64]  #: shape (cells, 2)
    part: NDArray[np.int64]  #: shape (cells,): the least cell of the connected part that each cell is in
    darts: NDArray[np.int64]  #: shape (darts,): all darts, sorted by the cell that they leave, and at each cell against the clock
    starts: NDArray[np.int64]  #: shape (cells + 1,): where the darts that leave each cell begin
    after: NDArray[np.int64]  #: shape (darts,): for each dart, the next dart of the face on its left

    @classmethod
    def of(cls, cover: BoardCover, pairs: Pairs) -> EmbeddedGraph:
        plane = np.linalg.cholesky(np.array(cover.lattice.metric, np.float64))
        where = coordinates(cover.cells)
        ways = _ways(cover, pairs, where) @ plane
        there, back = np.arctan2(ways[:, 1], ways[:, 0]), np.arctan2(-ways[:, 1], -ways[:, 0])
        return cls.turning(
            pairs, where @ plane, np.lexsort((np.stack([there, back], axis=1).reshape(-1), pairs.ends.reshape(-1)))
        )

    @classmethod
    def turning(cls, pairs: Pairs, points: NDArray[np.float64], darts: NDArray[np.int64]) -> EmbeddedGraph:
        """Make the graph from its darts, sorted by cell, and at each cell in their order round it."""
        tails = pairs.ends.reshape(-1)
        starts = portable.starts_of(portable.bincount(tails, minlength=pairs.cells))
        # A face goes on with the next dart clockwise; the dart before the first one round a cell is the last one.
        before = portable.arange(len(darts)) - 1
        leaves = starts[:-1] < starts[1:]
        before[starts[:-1][leaves]] = starts[1:][leaves] - 1
        after = np.empty(len(darts), np.int64)
        after[darts ^ 1] = darts[before]
        return cls(pairs, points, connected(pairs.cells, pairs.ends), darts, starts, after)

    @cached_property
    def genus(self) -> int:
        """The greatest genus of the surfaces on which the connected parts are drawn: 0 for a sphere, 1 for a torus."""
        # The least dart of each face, found from the least of 2, 4, 8, ... darts in a row.
        least, jump = np.minimum(portable.arange(len(self.after)), self.after), self.after[self.after]
        while bool((least != least[self.after]).any()):
            least, jump = np.minimum(least, least[jump]), jump[jump]
        tails = self.pairs.ends.reshape(-1)
        cells = portable.bincount(self.part, minlength=self.pairs.cells)
        edges = portable.bincount(self.part[tails], minlength=self.pairs.cells) // 2
        faces = portable.bincount(self.part[tails[least == portable.arange(len(least))]], minlength=self.pairs.cells)
        return int(((2 - cells + edges - faces) // 2)[cells > 0].max())

    def parts(self, check_stop: StopCheck) -> list[EmbeddedComponent]:
        """The connected parts of the graph."""
        number, edge_number = np.zeros(self.pairs.cells, np.int64), np.zeros(len(self.pairs.ends), np.int64)
        edge_part = self.part[self.pairs.ends[:, 0]]
        names = portable.distinct(self.part)
        of_darts = _by_name(self.part[self.pairs.ends.reshape(-1)[self.darts]], names)
        drawn = []
        for cells, edges, at in zip(_by_name(self.part, names), _by_name(edge_part, names), of_darts, strict=True):
            check_stop()
            number[cells], edge_number[edges] = portable.arange(len(cells)), portable.arange(len(edges))
            ends = [(a, b) for a, b in with_stop_checks(number[self.pairs.ends[edges]].tolist(), check_stop)]
            inside = self.darts[at]
            own = 2 * edge_number[inside >> 1] + (inside & 1)
            following = self.after[inside]
            after = np.empty(len(own), np.int64)
            after[own] = 2 * edge_number[following >> 1] + (following & 1)
            listed = own.tolist()
            bounds = portable.starts_of(self.starts[cells + 1] - self.starts[cells]).tolist()
            around = [listed[a:b] for a, b in with_stop_checks(pairwise(bounds), check_stop)]
            faces = _faces((own ^ 1).tolist(), after.tolist(), check_stop)
            drawn.append(EmbeddedComponent(cells, edges, ends, self.points[cells], around, faces))
        return drawn


def _by_name(named: NDArray[np.int64], names: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """For each name, the numbers of the items that have this name, ascending."""
    order = np.argsort(named, kind="stable")
    return np.split(order, np.searchsorted(named[order], names[1:]))


def _ways(cover: BoardCover, pairs: Pairs, where: NDArray[np.int64]) -> NDArray[np.int64]:
    """The vector from the first cell of every edge to the second, in the way in which the placement lies: across the seam of the
    board, if it lies there."""
    straight = where[pairs.ends[:, 1]] - where[pairs.ends[:, 0]]
    if not cover.instance.wrap:
        return straight
    forms = [[sorted(shape) for shape in shapes] for shapes in cover.variants]
    laid = zip(cover.tile[pairs.first].tolist(), cover.variant[pairs.first].tolist(), strict=True)
    shapes_laid: NDArray[np.int64] = np.array([forms[tile][variant] for tile, variant in laid], np.int64)
    shapes_laid = shapes_laid.reshape(-1, 2, where.shape[1])  # The same for boards without a seam.
    begins = cover.instance.wrap.array(shapes_laid[:, 0] + cover.offset[pairs.first])
    is_turned = (begins != cover.instance.wrap.array(where[pairs.ends[:, 0]])).any(axis=1)
    return np.asarray(np.where(is_turned, -1, 1)[:, None] * (shapes_laid[:, 1] - shapes_laid[:, 0]))


def _faces(darts: list[int], after: list[int], check_stop: StopCheck) -> list[list[int]]:
    """The circles of darts in which each dart is followed by the one that `after` names."""
    faces, left = [], [True] * len(after)
    for first in with_stop_checks(darts, check_stop):
        dart, face = first, []
        while left[dart]:
            left[dart] = False
            face.append(dart)
            dart = after[dart]
        if face:
            faces.append(face)
    return faces


@dataclass(frozen=True, eq=False)
class SpanningTrees:
    """A spanning tree of the vertices; a spanning tree of the faces, which crosses no edge of the first; and the edges that are
    in neither: none on a sphere, two on a torus."""

    above: list[int]  #: for each vertex, the dart of the tree that leads to it; -1 for the root
    order: list[int]  #: the faces, from the root on
    beneath: list[int]  #: for each face, its dart that the tree crosses; -1 for the root
    rest: list[int]  #: the edges that are in neither tree

    @classmethod
    def of(cls, drawn: EmbeddedComponent, check_stop: StopCheck) -> SpanningTrees:
        above = [-1] * len(drawn.cells)
        reached, is_tree = [0], set()
        seen = {0}
        for vertex in with_stop_checks(reached, check_stop):
            for dart in drawn.around[vertex]:
                head = drawn.tail(dart ^ 1)
                if head not in seen:
                    seen.add(head)
                    above[head] = dart
                    is_tree.add(dart >> 1)
                    reached.append(head)
        face_of = {dart: number for number, face in enumerate(with_stop_checks(drawn.faces, check_stop)) for dart in face}
        beneath = [-1] * len(drawn.faces)
        order, met = [0], {0}
        crossed = set(is_tree)
        for face in with_stop_checks(order, check_stop):
            for dart in drawn.faces[face]:
                other = face_of[dart ^ 1]
                if dart >> 1 not in is_tree and other not in met:
                    met.add(other)
                    beneath[other] = dart ^ 1
                    crossed.add(dart >> 1)
                    order.append(other)
        return cls(above, order, beneath, [edge for edge in range(len(drawn.ends)) if edge not in crossed])

    def circle(self, drawn: EmbeddedComponent, edge: int) -> list[int]:
        """The darts of the circle that an edge closes in the tree of the vertices, beginning with the edge."""
        first, second = drawn.ends[edge]
        up, down = self._to_root(drawn, second), self._to_root(drawn, first)
        while up and down and up[-1] == down[-1]:
            up.pop()
            down.pop()
        return [2 * edge, *(dart ^ 1 for dart in up), *reversed(down)]

    def _to_root(self, drawn: EmbeddedComponent, vertex: int) -> list[int]:
        """The darts of the tree on the way from the root to a vertex, the last one first."""
        darts = []
        while self.above[vertex] >= 0:
            darts.append(self.above[vertex])
            vertex = drawn.tail(self.above[vertex])
        return darts


def kasteleyn_orientation(drawn: EmbeddedComponent, trees: SpanningTrees, turned: set[int], check_stop: StopCheck) -> list[int]:
    """Orient the edges so that every face has an odd number of darts against the orientation (Kasteleyn 1961). Returns for each
    edge 0 if it is oriented from its first end to its second, else 1. Of the edges in neither tree, those in `turned` get 1.

    If the number of vertices is even, this also holds for the face at the root.
    """
    against = [0] * len(drawn.ends)
    for edge in turned:
        against[edge] = 1
    for face in with_stop_checks(reversed(trees.order), check_stop):
        number = sum((against[dart >> 1] + dart) & 1 for dart in drawn.faces[face])
        if number % 2 == 0 and trees.beneath[face] >= 0:
            against[trees.beneath[face] >> 1] ^= 1
    return against
