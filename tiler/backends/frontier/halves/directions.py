"""Go through a graph of profiles in its two directions, and keep the lists of states made in each: see meet_in_the_middle.py."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.backends.frontier.halves import kernel_halves as kernel
from tiler.backends.frontier.halves.blocks import Blocks
from tiler.kernels import bind, python_time

_TRANSITIONS = 250_000  # transitions of one call of a kernel, which take some 2 ms


class Direction(NamedTuple):
    """One of the two directions through the graph."""

    edges: kernel.Edges
    reach: NDArray[np.int64]  #: shape (cells + 1,): [p] is the last position that reads the lists of position p
    start: int  #: the position where it begins, with one profile
    keys: NDArray[np.uint32]  #: the keys of the states of this profile


class _Made(NamedTuple):
    """A position whose lists are all made."""

    position: int
    number: int  #: how many positions were begun before
    rows: int


class ThreadRows:
    """The rows of a side that a thread writes to: within its own block."""

    def __init__(self) -> None:
        self.state = np.zeros(kernel.STATE_SIZE, np.int64)
        self.block: int | None = None


class DirectedLists:
    """The lists of states made in one direction; only the last few positions are kept."""

    def __init__(
        self, way: Direction, first: NDArray[np.int64], keys: kernel.Keys, blocks: Blocks, wanted: int = 0, laid: int = 0
    ) -> None:
        """Make a side from the profiles of every position, the keys with their changes, and the tiles that a slice wants
        (kernel_halves.SideLists)."""
        self.edges, self.first, self.keys = way.edges, first, keys
        self.transitions = 0  #: transitions to the positions that are made
        self._blocks, self._reach = blocks, way.reach
        self._spans = np.zeros((int(first[-1]), 2), np.int64)
        self._wanted, self._laid = wanted, laid
        self.left = np.zeros(int(first[-1]), np.int32)
        self._weights, self._weighed = np.zeros(int(np.diff(first).max()) + 1, np.int64), -1
        self._by_thread = [ThreadRows()]
        self._calls: dict[int, Callable[[int, int, int], int]] = {}
        self._last: dict[int, int] = {}  # for each block, the last position that has rows in it
        self._number = 0
        self._made = deque([_Made(way.start, 0, len(way.keys))])
        self.take_block(self._by_thread[0])
        end = int(self._by_thread[0].state[kernel.TOP]) + len(way.keys)
        blocks.keys[end - len(way.keys) : end], blocks.ways[end - len(way.keys) : end] = way.keys, 1
        self._spans[first[way.start]] = end - len(way.keys), end
        self._by_thread[0].state[kernel.TOP] = end

    @property
    def lists(self) -> kernel.SideLists:
        return kernel.SideLists(self._spans, self._blocks.keys, self._blocks.ways, self._wanted, self._laid, self.left)

    @property
    def kept(self) -> int:
        """The number of rows of all positions that are still needed."""
        return sum(made.rows for made in self._made)

    def profiles(self, position: int) -> tuple[int, int]:
        """The profiles of a position: the first one, and the one after the last."""
        return int(self.first[position]), int(self.first[position + 1])

    def weights(self, position: int) -> NDArray[np.int64]:
        """The number of transitions to the first i profiles of a position, for i from 0 to all of them, if the lists of this
        position are made next."""
        start, stop = self.profiles(position)
        if self._weighed != position:
            kernel.weigh(self.edges, self.lists, start, stop, self._weights)
            self._weighed = position
        return self._weights[: stop - start + 1]

    def cost(self, position: int) -> int:
        """The number of transitions to a position, if its lists are made next."""
        return int(self.weights(position)[-1])

    def begin(self, position: int) -> None:
        """Begin with the lists of this position; forget earlier lists that no position still to come needs."""
        self._number += 1
        while self._made and not self._is_needed(self._made[0].position, position):
            self._made.popleft()
        oldest = self._made[0].number if self._made else self._number
        open_now = {own.block for own in self._by_thread}
        for block in [block for block, last in self._last.items() if last < oldest and block not in open_now]:
            self._blocks.give(block)
            del self._last[block]
        self._last |= {block: self._number for block in open_now if block is not None}
        self._before = dict(self._last), [(own.state.copy(), own.block) for own in self._by_thread]

    def _is_needed(self, position: int, now: int) -> bool:
        reach = self._reach[position]
        return bool(reach <= now if self.edges.backwards else reach >= now)

    def end(self, position: int) -> int:
        """Note that all lists of this position are made, and how many rows they have."""
        spans = self._spans[slice(*self.profiles(position))]
        rows = int((spans[:, 1] - spans[:, 0]).sum())
        self._made.append(_Made(position, self._number, rows))
        self.transitions += self.cost(position)
        return rows

    def undo(self) -> None:
        """Forget everything made since the present position was begun."""
        last, saved = self._before
        for taken in self._last.keys() - last.keys():
            self._blocks.give(taken)
        self._last = dict(last)
        self._by_thread = [ThreadRows() for _ in saved]
        for own, (state, block) in zip(self._by_thread, saved, strict=True):
            own.state[:], own.block = state, block
        self.renew()

    def renew(self) -> None:
        """Note that the arrays are new ones."""
        self._calls.clear()

    def worker(self, number: int, sums: kernel.Sums) -> Callable[[int, int], tuple[int, bool]]:
        """The function by which a thread merges lists (work_ranges.Worker). There is one for each number of a thread, always with
        the same sums."""
        while len(self._by_thread) <= number:
            self._by_thread.append(ThreadRows())
        own = self._by_thread[number]
        if number not in self._calls:
            self._calls[number] = bind(kernel.merge, self.edges, self.keys, self.lists, sums, own.state)
        merge, state = self._calls[number], own.state

        def work(start: int, stop: int) -> tuple[int, bool]:
            done = int(merge(start, stop, python_time.share(_TRANSITIONS)))
            stopped = int(state[kernel.STOPPED])
            return done, stopped == kernel.PAUSED or (stopped == kernel.ROOM and self.take_block(own))

        return work

    def take_block(self, own: ThreadRows) -> bool:
        """Let a thread write its rows to another block. Returns False if there is none."""
        block = self._blocks.take()
        if block is None:
            return False
        self._last[block], own.block = self._number, block
        own.state[[kernel.TOP, kernel.END]] = block * self._blocks.rows, (block + 1) * self._blocks.rows
        return True

    def overflows(self) -> bool:
        """Whether ways were too long for their limbs, when threads stopped last."""
        return any(own.state[kernel.STOPPED] == kernel.OVERFLOW for own in self._by_thread)


def reach_of(edges: kernel.Edges, first: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each position, the last position to which its edges lead; if the edges lead out of profiles, the first position that
    leads to it."""
    position = portable.repeat(portable.arange(len(first) - 1), np.diff(first))
    here, there = portable.repeat(position, np.diff(edges.starts)), position[edges.edges[:, kernel.OTHER]]
    reach = np.full(len(first) - 1, len(first) if edges.backwards else -1, np.int64)
    (np.minimum if edges.backwards else np.maximum).at(reach, there, here)
    return reach
