"""Make the graph of a cover: its cells, joined in pairs by the placements."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.backends.matching.kernel_match import MatchingGraph
from tiler.cover.cover import Cover

#: The type of a matching, shape (cells,): the cell with which each cell is matched; -1 for none.
Mate = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Pairs:
    """The edges of a cover's graph. Placements of different tiles on the same cells are one edge."""

    ends: NDArray[np.int64]  #: shape (edges, 2): the two cells of each edge, ascending; the edges are in ascending order
    first: NDArray[np.int64]  #: shape (edges,): an option on these cells
    times: NDArray[np.int64]  #: shape (edges,): how many options there are on them
    edge_of: NDArray[np.int64]  #: shape (options,): the edge of each option, -1 for a filler's
    filler_of: NDArray[np.int64]  #: shape (cells,): the option that leaves a cell open, -1 if it may not

    @classmethod
    def of(cls, cover: Cover) -> Pairs:
        """The edges of a cover in which each option has two cells, except the options of fillers."""
        cells, pairs = len(cover.items), np.flatnonzero(~cover.fills)
        at = cover.members.starts[pairs]
        ends = np.stack([cover.members.values[at], cover.members.values[at + 1]], axis=1).astype(np.int64)
        keys, first, inverse, times = np.unique(
            ends[:, 0] * cells + ends[:, 1], return_index=True, return_inverse=True, return_counts=True
        )
        edge_of = np.full(len(cover), -1, np.int64)
        edge_of[pairs] = inverse
        filler_of = np.full(cells, -1, np.int64)
        open_ = np.flatnonzero(cover.fills)
        filler_of[cover.members.values[cover.members.starts[open_]]] = open_
        return cls(np.stack(np.divmod(keys, cells), axis=1), pairs[first], times, edge_of, filler_of)

    @property
    def cells(self) -> int:
        return len(self.filler_of)

    def kept(self, which: NDArray[np.bool_]) -> Pairs:
        """Only these edges; the options of the other edges then have none."""
        number = np.append(np.where(which, portable.cumsum(which) - 1, -1), -1)
        return Pairs(self.ends[which], self.first[which], self.times[which], number[self.edge_of], self.filler_of)

    def graph(self) -> MatchingGraph:
        """The graph in the form that kernels take."""
        here = np.concatenate([self.ends[:, 0], self.ends[:, 1]])
        there = np.concatenate([self.ends[:, 1], self.ends[:, 0]])
        order = np.lexsort((there, here))
        starts = portable.starts_of(portable.bincount(here, minlength=self.cells))
        return MatchingGraph(starts, there[order].astype(np.int32), (self.filler_of >= 0).astype(np.uint8))

    def options(self, mate: NDArray[np.int32]) -> tuple[int, ...]:
        """The options of a matching: one for every pair of cells, and one for every cell left alone."""
        cells = portable.arange(self.cells)
        one = np.flatnonzero(mate > cells)
        edges = np.searchsorted(self.ends[:, 0] * self.cells + self.ends[:, 1], one * self.cells + mate[one])
        return tuple(np.concatenate([self.first[edges], self.filler_of[mate < 0]]).tolist())


def connected(vertices: int, ends: NDArray[np.int64]) -> NDArray[np.int64]:
    """The least vertex of the connected part that each vertex is in, shape (vertices,). `ends` has shape (edges, 2).

    Each part takes over the least name among its neighbours, again and again (Zhang, Azad and Hu, FastSV, 2020).
    """
    part = portable.arange(vertices)
    here, there = ends.T
    while True:
        least = part.copy()
        np.minimum.at(least, part[here], part[there])
        np.minimum.at(least, part[there], part[here])
        least = least[least]
        least = least[least]
        if (least == part).all():
            return part
        part = least


def colours(cells: int, ends: NDArray[np.int64]) -> NDArray[np.bool_] | None:
    """Shape (cells,): which cells are white, so that every edge joins a black and a white one; None if there are no such
    colours. The least cell of a connected part is black. `ends` has shape (edges, 2).

    Every cell gets a twin, and an edge joins either end with the other's twin: a cell is connected with its own twin if it is on
    an odd circle, and else with all cells of its colour.
    """
    here, there = ends.T
    twins = np.stack([np.concatenate([here, there]), cells + np.concatenate([there, here])], axis=1)
    part = connected(2 * cells, twins)
    cell, twin = part[:cells], part[cells:]
    return None if bool((cell == twin).any()) else np.asarray(cell > twin)


def black_and_white(ends: NDArray[np.int64], is_white: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The black and the white end of each edge, where `colours` has coloured them."""
    turned = is_white[ends[:, 0]]
    return np.where(turned, ends[:, 1], ends[:, 0]), np.where(turned, ends[:, 0], ends[:, 1])
