"""The two ways through a graph of profiles, and the lists of states that are made on each: see halves.py."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler.backends.frontier import kernel_halves as kernel
from tiler.backends.frontier.graph import Graph
from tiler.backends.frontier.model import Model

MOVED = 1 << 22  #: rows moved between two pauses
LEAST_ROWS = 1 << 12


class Direction(NamedTuple):
    """One of the two ways through the graph."""

    edges: kernel.Edges
    reach: NDArray[np.int64]  #: shape (cells + 1,): [p] is the last position that reads the lists of position p
    start: int  #: the position where it begins, with one profile
    keys: NDArray[np.uint32]  #: of that profile


class Side:
    """The lists of one direction: those of the last few positions, in the order in which they were made."""

    def __init__(self, way: Direction, first: NDArray[np.int64], keys: kernel.Keys, wanted: int, laid: int) -> None:
        """With the profiles of every position, the keys and how they change, and what a slice wants (kernel_halves.SideLists)."""
        self.edges, self.first, self.keys = way.edges, first, keys
        self._reach = way.reach
        count = len(way.keys)
        self._keys, self._ways = np.zeros(LEAST_ROWS + count, np.uint32), np.zeros((LEAST_ROWS + count, 1), np.uint32)
        self._spans = np.zeros((int(first[-1]), 2), np.int64)
        self._wanted, self._laid = wanted, laid
        self.left = np.zeros(int(first[-1]), np.int32)
        self.state = np.zeros(kernel.STATE_SIZE, np.int64)
        self._keys[:count], self._ways[:count] = way.keys, 1
        self._spans[first[way.start]] = 0, count
        self.state[kernel.TOP] = count
        self._made: deque[tuple[int, int]] = deque([(way.start, 0)])  # positions, and their first rows

    @property
    def lists(self) -> kernel.SideLists:
        return kernel.SideLists(self._spans, self._keys, self._ways, self._wanted, self._laid, self.left, self.state)

    @property
    def transitions(self) -> int:
        return int(self.state[kernel.TRANSITIONS])

    @property
    def capacity(self) -> int:
        """Rows that there is room for."""
        return len(self._keys)

    @property
    def free(self) -> int:
        """Rows that can be written."""
        return self.capacity - int(self.state[kernel.TOP])

    @property
    def row_bytes(self) -> int:
        """What a row takes."""
        return 4 + 4 * self._ways.shape[1]

    @property
    def bytes(self) -> int:
        """What the lists take."""
        return self._keys.nbytes + self._ways.nbytes + self._spans.nbytes + self.left.nbytes

    def profiles(self, position: int) -> tuple[int, int]:
        """Those of a position: the first, and the next after them."""
        return int(self.first[position]), int(self.first[position + 1])

    def cost(self, position: int) -> int:
        """Transitions to the lists of a position, if those are the next."""
        begin, end = self.edges.starts[list(self.profiles(position))].tolist()
        spans = self._spans[self.edges.edges[begin:end, kernel.OTHER]]
        return int((spans[:, 1] - spans[:, 0]).sum())

    def begin(self, position: int) -> None:
        """From now on lists of this position are made; those that no others need are forgotten."""
        while self._made and not self._is_needed(self._made[0][0], position):
            self._made.popleft()
        self._made.append((position, int(self.state[kernel.TOP])))

    def _is_needed(self, position: int, now: int) -> bool:
        reach = self._reach[position]
        return bool(reach <= now if self.edges.backwards else reach >= now)

    def rows(self, position: int) -> int:
        """The states of a position, if its lists are made."""
        spans = self._spans[slice(*self.profiles(position))]
        return int((spans[:, 1] - spans[:, 0]).sum())

    @property
    def _low(self) -> int:
        return self._made[0][1]

    def growth(self) -> int:
        """The rows to be added where there is no room for what is needed: none, if enough can be forgotten."""
        needed, kept = int(self.state[kernel.NEEDED]), int(self.state[kernel.TOP]) - self._low
        if self._low >= kept // 4 and kept + needed <= self.capacity:
            return 0
        return max(needed - self.free, self.capacity // 8)

    def make_room(self, more: int) -> Iterator[None]:
        """More rows, in place where the system can, or, with none, those needed moved to the front; with pauses."""
        if more:
            limbs = self._ways.shape[1]
            self._keys.resize((self.capacity + more,), refcheck=False)
            yield
            self._ways.resize((len(self._keys), limbs), refcheck=False)
            yield
            return
        low, top = self._low, int(self.state[kernel.TOP])
        for start in range(low, top, min(low, MOVED)):  # No more at a time than they move: so what is read is not written.
            stop = min(start + min(low, MOVED), top)
            for array in (self._keys, self._ways):
                array[start - low : stop - low] = array[start:stop]
            yield
        ends = [self.profiles(self._made[0][0]), self.profiles(self._made[-1][0])]
        self._spans[min(ends)[0] : max(ends)[1]] -= low
        self._made = deque((position, first - low) for position, first in self._made)
        self.state[kernel.TOP] -= low

    def widen(self) -> Iterator[None]:
        """One limb more for all ways, with pauses."""
        wider = np.zeros((self.capacity, self._ways.shape[1] + 1), np.uint32)
        for start in range(self._low, int(self.state[kernel.TOP]), MOVED):
            stop = min(start + MOVED, int(self.state[kernel.TOP]))
            wider[start:stop, :-1] = self._ways[start:stop]
            yield
        self._ways = wider


def edges_of(model: Model, graph: Graph, classes: NDArray[np.int64]) -> tuple[kernel.Edges, kernel.Edges]:
    """The edges into each profile, and out of each."""
    count, tiles = len(classes), len(model.counters)
    symmetries = max(0, int(graph.symmetries.max(initial=-1)) + 1)

    def listed(here: NDArray[np.int32], there: NDArray[np.int32], changes: NDArray[np.int32], backwards: bool) -> kernel.Edges:
        starts = np.searchsorted(here, np.arange(count + 1))
        return kernel.Edges(starts, np.ascontiguousarray(np.stack([there, changes], 1)), classes, backwards)

    by_target = np.argsort(graph.targets, kind="stable")
    forth = graph.tiles + tiles * (graph.symmetries + 1)
    back = np.where(graph.symmetries < 0, graph.tiles, forth + tiles * symmetries).astype(np.int32)
    into = listed(graph.targets[by_target], graph.sources[by_target], forth[by_target], False)
    return into, listed(graph.sources, graph.targets, back, True)


def reach_of(edges: kernel.Edges, first: NDArray[np.int64]) -> NDArray[np.int64]:
    """For every position the last one that its profiles lead to; or, with edges out of profiles, the first that leads there."""
    position = np.repeat(np.arange(len(first) - 1), np.diff(first))
    here, there = np.repeat(position, np.diff(edges.starts)), position[edges.edges[:, kernel.OTHER]]
    reach = np.full(len(first) - 1, len(first) if edges.backwards else -1)
    (np.minimum if edges.backwards else np.maximum).at(reach, there, here)
    return reach
