"""All states of a count, kept, and position by position from the last one back the arcs from them that lead to tilings.

`InTables` keeps states that are single words, 8 bytes each, `InLists` all others. Both have the same methods; `Whole` (whole.py)
makes a diagram of the arcs. Nodes of the diagram are given by state: shape (states,), -1 where there is none (yet).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tiler.backends.frontier import kernel_arcs as kernel
from tiler.backends.frontier import kernel_layers as layers_kernel
from tiler.backends.frontier.layers import Layers
from tiler.backends.frontier.model import Model, Words
from tiler.backends.frontier.tables import Tables
from tiler.kernels import Ratchet, patience
from tiler.process.look import Look, unhurried

Nodes = NDArray[np.int32]
#: Pauses, with the fraction that is done, and then arcs by the columns of kernel_arcs.py, in any order; states counted from the
#: first of their position.
Arcs = Generator[float, None, NDArray[np.int32]]

_STEPS = 300_000
_ARCS = 1 << 16  # of one piece
_REACH = 64  # positions that an arc between words leads over, at most


class InTables(Tables):
    """The words of all states, in order; with the ways to reach them, if they are wanted."""

    def __init__(self, model: Model, *, budget: int = 1 << 62, look: Look = unhurried, with_ways: bool = False) -> None:
        self.first = np.zeros(model.cells + 2, np.int64)  #: by position its first state; those of the last one are tilings
        self.words = np.zeros(1024, np.uint64)
        self.ways: list[Words] = []  #: by position
        self._with_ways, self._ways_bytes, self._total = with_ways, 0, 0
        super().__init__(model, budget=budget, look=look)
        self.on_position = self._keep

    @property
    def bytes(self) -> int:
        """What the arrays take."""
        return super().bytes + self.words.nbytes + self._ways_bytes

    def build(self) -> Iterator[float]:
        """Go on position by position, pausing many times a second; yields the fraction of the positions done."""
        for fraction in super().build():
            self.peak = max(self.peak, self.bytes)
            self.short |= self.bytes > self.budget
            if self.short:
                return
            yield fraction
        if not self.short:
            self._keep(self.model.cells)
            self._total = super().total()
            super().free()

    def total(self) -> int:
        """The number of tilings."""
        return self._total

    def free(self) -> None:
        """Let the memory go; nothing is left but the numbers."""
        super().free()
        self.words = self.words[:0].copy()

    def let_go(self, position: int) -> int:
        """When the arcs from a position are made: let those states go to which no others lead; returns how many are left."""
        left = int(self.first[min(position + _REACH, self.model.cells + 1)])
        self.words.resize((left,), refcheck=False)
        return left

    def _keep(self, position: int) -> None:
        """The states of a position, all of which are there now, in order."""
        rows = self.at(position)
        order = np.argsort(rows[:, 0])
        first = int(self.first[position])
        last = first + len(rows)
        if last > len(self.words):
            self.words.resize((last + last // 4,), refcheck=False)
        self.words[first:last] = rows[order, 0]
        self.first[position + 1] = last
        if self._with_ways:
            self.ways.append(rows[order, 1:])
            self._ways_bytes += self.ways[-1].nbytes

    def arcs(self, position: int, node: Nodes) -> Arcs:
        """Those from the states of a position."""
        first, state = self.first, np.zeros(kernel.STATE_SIZE, np.int64)
        source, ratchet = int(first[position]), Ratchet("the frontier's diagram")

        def step(piece: NDArray[np.int32]) -> bool:
            nonlocal source
            budget = patience.share(_STEPS)
            source = kernel.arcs_from(self.rules, first, self.words, position, source, budget, node, piece, state)
            ratchet.turn(source)
            return source == int(first[position + 1])

        most = int(np.diff(self.model.fit_starts).max())
        return (yield from _pieces(step, state, most, 1 - position / self.model.cells / 2))


class InLists(Layers):
    """Layers that are all kept, and the arcs that are made before their time."""

    def __init__(self, model: Model, *, budget: int = 1 << 62, threads: int = 1) -> None:
        super().__init__(model, keep=True, budget=budget, threads=threads)
        self._total = 0
        self._waiting: list[list[NDArray[np.int32]]] = [[] for _ in range(model.cells)]  # by the position they come from

    @property
    def bytes(self) -> int:
        """What the arrays take."""
        return super().bytes + sum(piece.nbytes for pieces in self._waiting for piece in pieces)

    def build(self) -> Iterator[float]:
        """Go on position by position, pausing many times a second; yields the fraction of the positions done."""
        yield from super().build()
        if not self.short:
            self._total = super().total()

    def total(self) -> int:
        """The number of tilings."""
        return self._total

    @cached_property
    def first(self) -> NDArray[np.int64]:
        """By position its first state, shape (cells + 2,), when all are made."""
        return np.append(self._row_at[:-1], self.tally[layers_kernel.TOP])

    def let_go(self, position: int) -> int:
        """When the arcs from a position are made: let those states go to which no others lead; returns how many are left."""
        left = int(self.first[position + 1])
        self.rows.resize((left, self.rows.shape[1]), refcheck=False)
        return left

    def arcs(self, position: int, node: Nodes) -> Arcs:
        """Those from the states of a position: the arcs into the states of the next one are the last of them."""
        state, model = np.zeros(kernel.STATE_SIZE, np.int64), self.model
        kept = kernel.Kept(
            *(model.fit_tile, model.counters, self.links, self.edges, self.spans, self.rows, self.slots),
            np.zeros((1, model.key_words), np.uint64),
        )
        here, done, ratchet = self.at(position + 1), 0, Ratchet("the frontier's diagram")

        def step(piece: NDArray[np.int32]) -> bool:
            nonlocal done
            done = kernel.arcs_into(kept, here, done, patience.share(_STEPS), node, piece, state)
            ratchet.turn(done, -int(state[kernel.EDGE_AT]), int(state[kernel.ROW_AT]))
            return done == len(here)

        arcs = yield from _pieces(step, state, 1, 1 - position / model.cells / 2)
        came_from = np.searchsorted(self.first, arcs[:, kernel.COMES_FROM], side="right") - 1
        # Of numbers of 16 bits an order is found in linear time.
        arcs = arcs[np.argsort(came_from.astype(np.uint16) if model.cells < 1 << 16 else came_from, kind="stable")]
        ends = np.cumsum(np.bincount(came_from, minlength=position + 1)).tolist()
        for each, (begin, end) in enumerate(pairwise([0, *ends])):
            if begin < end:
                arcs[begin:end, kernel.COMES_FROM] -= self.first[each]
                self._waiting[each].append(arcs[begin:end].copy())
        pieces, self._waiting[position] = self._waiting[position], []
        return np.concatenate(pieces) if pieces else arcs[:0]


def _pieces(step: Callable[[NDArray[np.int32]], bool], state: NDArray[np.int64], most: int, fraction: float) -> Arcs:
    """The arcs that a kernel makes in a piece, of which one state may need `most`, until a step says that it is done."""
    piece, made, is_done = np.zeros((max(_ARCS, most), kernel.ARC_COLUMNS), np.int32), [], False
    while not is_done:
        state[kernel.MADE] = 0
        is_done = step(piece)
        made.append(piece[: int(state[kernel.MADE])].copy())
        yield fraction
    return np.concatenate(made)
