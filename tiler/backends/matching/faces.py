"""The graph of a cover as it is drawn in the plane or on a torus: its faces, and orientations of its edges by them.

Only the order of the edges round every cell is taken from the drawing. By Euler's formula the faces that it makes say on what
surface the edges do not cross: a sphere, which is as good as the plane, or a torus, else they are not made use of. Every
connected part is looked at by itself, so that it does not matter which lies in a hole of which.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tiler.backends.matching.graph import Pairs
from tiler.cover.board import BoardCover
from tiler.model.cell_numbers import coordinates


@dataclass(frozen=True, eq=False)
class DrawnPart:
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

    @property
    def genus(self) -> int:
        """The genus of the surface: 0 for a sphere, 1 for a torus."""
        return (2 - len(self.cells) + len(self.ends) - len(self.faces)) // 2

    def tail(self, dart: int) -> int:
        return self.ends[dart >> 1][dart & 1]


def parts(cover: BoardCover, pairs: Pairs) -> list[DrawnPart]:
    """The connected parts of the graph of a board in the plane."""
    plane = np.linalg.cholesky(np.array(cover.lattice.metric, np.float64))
    where = coordinates(cover.cells)
    points = where @ plane
    ways = _ways(cover, pairs, where) @ plane
    angle = np.arctan2(ways[:, 1], ways[:, 0])
    back = np.arctan2(-ways[:, 1], -ways[:, 0])
    part = _connected(pairs)
    drawn = []
    edges_of = np.argsort(part[pairs.ends[:, 0]], kind="stable")
    names, first = np.unique(part, return_index=True)
    bounds = np.searchsorted(part[pairs.ends[edges_of, 0]], [*names, names[-1] + 1])
    cells_of = np.argsort(part, kind="stable")
    cell_bounds = np.searchsorted(part[cells_of], [*names, names[-1] + 1])
    number = np.zeros(pairs.cells, np.int64)
    for which in range(len(first)):
        cells = cells_of[cell_bounds[which] : cell_bounds[which + 1]]
        edges = edges_of[bounds[which] : bounds[which + 1]]
        number[cells] = np.arange(len(cells))
        ends = number[pairs.ends[edges]]
        tails = ends.reshape(-1)
        angles = np.stack([angle[edges], back[edges]], axis=1).reshape(-1)
        turned = np.lexsort((angles, tails)).tolist()
        around: list[list[int]] = [[] for _ in cells]
        for dart in turned:
            around[tails[dart]].append(dart)
        listed = [(int(a), int(b)) for a, b in ends.tolist()]
        drawn.append(DrawnPart(cells, edges, listed, points[cells], around, _faces(around)))
    return drawn


def _ways(cover: BoardCover, pairs: Pairs, where: NDArray[np.int64]) -> NDArray[np.int64]:
    """From the first cell of every edge to the second, as the placement lies: across a seam, where it is one."""
    straight = where[pairs.ends[:, 1]] - where[pairs.ends[:, 0]]
    if not cover.instance.wrap:
        return straight
    forms = [[sorted(shape) for shape in shapes] for shapes in cover.variants]
    laid = zip(cover.tile[pairs.first].tolist(), cover.variant[pairs.first].tolist(), strict=True)
    shapes_laid: NDArray[np.int64] = np.array([forms[tile][variant] for tile, variant in laid], np.int64)
    begins = cover.instance.wrap.array(shapes_laid[:, 0] + cover.offset[pairs.first])
    is_turned = (begins != cover.instance.wrap.array(where[pairs.ends[:, 0]])).any(axis=1)
    return np.asarray(np.where(is_turned, -1, 1)[:, None] * (shapes_laid[:, 1] - shapes_laid[:, 0]))


def _connected(pairs: Pairs) -> NDArray[np.int64]:
    """Shape (cells,): the least cell of the connected part that each cell is in."""
    part = np.arange(pairs.cells)
    while True:
        least = part.copy()
        np.minimum.at(least, pairs.ends[:, 0], part[pairs.ends[:, 1]])
        np.minimum.at(least, pairs.ends[:, 1], part[pairs.ends[:, 0]])
        least = np.minimum(least, least[least])
        least = least[least]
        if (least == part).all():
            return part
        part = least


def _faces(around: list[list[int]]) -> list[list[int]]:
    after = {}
    for darts in around:
        for at, dart in enumerate(darts):
            after[dart ^ 1] = darts[at - 1]
    faces = []
    left = dict.fromkeys(after)
    while left:
        dart = next(iter(left))
        face = []
        while dart in left:
            del left[dart]
            face.append(dart)
            dart = after[dart]
        faces.append(face)
    return faces


@dataclass(frozen=True, eq=False)
class SpanningTrees:
    """A spanning tree of the vertices and one of the faces, which cross no edge both, and the edges that are in neither: as many
    as the surface has ways round."""

    above: list[int]  #: by vertex, the dart of the tree that leads to it; -1 of the root
    order: list[int]  #: the faces, from the root on
    beneath: list[int]  #: by face, the dart of it that the tree crosses; -1 of the root
    rest: list[int]  #: edges

    @classmethod
    def of(cls, drawn: DrawnPart) -> SpanningTrees:
        above = [-1] * len(drawn.cells)
        reached, is_tree = [0], set()
        seen = {0}
        for vertex in reached:
            for dart in drawn.around[vertex]:
                head = drawn.tail(dart ^ 1)
                if head not in seen:
                    seen.add(head)
                    above[head] = dart
                    is_tree.add(dart >> 1)
                    reached.append(head)
        face_of = {dart: number for number, face in enumerate(drawn.faces) for dart in face}
        beneath = [-1] * len(drawn.faces)
        order, met = [0], {0}
        crossed = set(is_tree)
        for face in order:
            for dart in drawn.faces[face]:
                other = face_of[dart ^ 1]
                if dart >> 1 not in is_tree and other not in met:
                    met.add(other)
                    beneath[other] = dart ^ 1
                    crossed.add(dart >> 1)
                    order.append(other)
        return cls(above, order, beneath, [edge for edge in range(len(drawn.ends)) if edge not in crossed])

    def circle(self, drawn: DrawnPart, edge: int) -> list[int]:
        """The darts of the circle that an edge closes in the tree of the vertices, from the edge on."""
        first, second = drawn.ends[edge]
        up, down = self._to_root(drawn, second), self._to_root(drawn, first)
        while up and down and up[-1] == down[-1]:
            up.pop()
            down.pop()
        return [2 * edge, *(dart ^ 1 for dart in up), *reversed(down)]

    def _to_root(self, drawn: DrawnPart, vertex: int) -> list[int]:
        """The darts of the tree that lead to a vertex, the last one first."""
        darts = []
        while self.above[vertex] >= 0:
            darts.append(self.above[vertex])
            vertex = drawn.tail(self.above[vertex])
        return darts


def oriented(drawn: DrawnPart, trees: SpanningTrees, turned: set[int]) -> list[int]:
    """By edge, 0 if it is oriented from its first end to the second, else 1: so that every face has an odd number of darts
    against the orientation (Kasteleyn 1961). The edges of `turned`, of those in neither tree, are 1.

    With an even number of vertices the face at the root has what the others have.
    """
    against = [0] * len(drawn.ends)
    for edge in turned:
        against[edge] = 1
    for face in reversed(trees.order):
        number = sum((against[dart >> 1] + dart) & 1 for dart in drawn.faces[face])
        if number % 2 == 0 and trees.beneath[face] >= 0:
            against[trees.beneath[face] >> 1] ^= 1
    return against
