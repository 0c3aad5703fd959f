"""The states of a count by tables (tables.py), all kept in order: to draw tilings, and to make a diagram of all of them.

What is kept is the words of the states with the ways to reach them, some 16 or 24 bytes each, and nothing about which leads to
which: that is found again on the way back (kernel_kept.py).
"""

from __future__ import annotations

import random
from collections.abc import Generator, Iterator

import numpy as np
from numpy.typing import NDArray

from tiler.backends.frontier import kernel_kept as kernel
from tiler.backends.frontier.model import Model, Words
from tiler.backends.frontier.tables import Tables
from tiler.backends.frontier.walk import pick
from tiler.cover.diagram import Diagram
from tiler.kernels import Ratchet, patience
from tiler.process.look import Look, unhurried

_DRAWN = 500  # pieces drawn between two looks at the clock
_STEPS = 1_000_000
_ARCS = 1 << 16  # of one piece
_WORD = 64


class Kept:
    """`build` makes the states; then `total`, `draw` and `diagram` tell about the tilings."""

    def __init__(self, model: Model, *, budget: int = 1 << 62, look: Look = unhurried) -> None:
        """`budget` is how many bytes the arrays may take together. The model must be one that suits tables."""
        self.model, self.budget = model, budget
        self.tables = Tables(model, budget=budget, look=look)
        self.tables.on_position = self._keep
        self.short = False  #: whether `build` stopped because the budget is used up
        self._first = np.zeros(model.cells + 2, np.int64)
        self._words = np.zeros(1024, np.uint64)
        self._ways: list[Words] = [np.zeros((0, 1), np.uint64)] * (model.cells + 1)
        self._ways_bytes = 0
        self._kept = 0  # positions
        self.peak = 0  #: the most bytes the arrays took

    @property
    def position(self) -> int:
        return self.tables.position

    @property
    def states(self) -> int:
        return self.tables.states

    @property
    def transitions(self) -> int:
        return self.tables.transitions

    @property
    def profiles(self) -> int:
        return self.tables.profiles

    @property
    def bytes(self) -> int:
        """What the arrays take."""
        return self.tables.bytes + self._words.nbytes + self._ways_bytes

    def build(self) -> Iterator[float]:
        """Go on position by position, pausing many times a second; yields the fraction of the positions done."""
        for fraction in self.tables.build():
            self.peak = max(self.peak, self.bytes)
            self.short = self.tables.short or self.bytes > self.budget
            if self.short:
                return
            yield fraction
        self.short = self.tables.short
        if not self.short:
            self._keep(self.model.cells)
            self._words.resize((int(self._first[-1]),), refcheck=False)
            self.tables.free()

    def _keep(self, position: int) -> None:
        """The states of a position, all of which are there now, in order."""
        rows = self.tables.at(position)
        first, self._kept = int(self._first[self._kept]), position + 1
        last = first + len(rows)
        if last > len(self._words):
            self._words.resize((last + last // 4,), refcheck=False)
        order = np.argsort(rows[:, 0])
        self._words[first:last] = rows[order, 0]
        self._ways[position] = rows[order, 1:]
        self._ways_bytes += self._ways[position].nbytes
        self._first[position + 1] = last

    def ways(self, position: int, state: int) -> int:
        """In how many ways a state is reached."""
        words = self._ways[position][state - int(self._first[position])].tolist()
        return sum(word << (_WORD * i) for i, word in enumerate(words))

    def total(self) -> int:
        """The number of tilings."""
        return sum(self.ways(self.model.cells, state) for state in self._ends)

    @property
    def _ends(self) -> range:
        return range(int(self._first[-2]), int(self._first[-1]))

    def draw(self, seed: int) -> Iterator[tuple[int, ...] | None]:
        """Random tilings without end, as options of the cover, drawn independently with Python's generator; there must be one.
        None now and then, for the caller to look at the clock. Each is as likely as any other: see walk.py."""
        model, generator = self.model, random.Random(seed)
        starts = model.fit_starts
        reach = np.minimum(np.arange(len(starts)), _WORD - 1)
        found = np.zeros((2 * int((starts - starts[np.arange(len(starts)) - reach]).max()) + 1, kernel.FOUND_COLUMNS), np.int64)
        while True:
            position = model.cells
            state = pick(generator, [(self.ways(position, each), each) for each in self._ends])
            options = []
            while position:
                count = kernel.before(self.tables.rules, self._first, self._words, position, state, found)
                position, state, fit = pick(generator, [(self.ways(*each[:2]), each) for each in found[:count].tolist()])
                options.append(int(model.fit_option[fit]))
                if len(options) % _DRAWN == 0:
                    yield None
            yield tuple(options)

    def diagram(self) -> Generator[None, None, Diagram | None]:
        """The diagram of all tilings, with pauses; the ways are let go of. None if the budget does not suffice."""
        model, first = self.model, self._first
        if not len(self._ends):
            return Diagram.empty(model.cells + 1)
        self._ways, self._ways_bytes = [], 0
        alive = np.zeros(len(self._words), np.bool_)
        alive[self._ends.start :] = True
        most = int(np.diff(model.fit_starts).max())
        piece, made = np.zeros((max(_ARCS, most), kernel.ARC_COLUMNS), np.int64), np.zeros(1, np.int64)
        sources, options, targets = list[NDArray[np.int32]](), list[NDArray[np.int32]](), list[NDArray[np.int32]]()
        taken = 0
        for position in range(model.cells - 1, -1, -1):
            state, ratchet = int(first[position + 1]), Ratchet("the frontier's diagram")
            begin = state = int(first[position])
            several = []
            while state < first[position + 1]:
                made[0] = 0
                state = kernel.arcs_from(
                    *(self.tables.rules, first, self._words, position, state, patience.share(_STEPS), alive, piece, made)
                )
                ratchet.turn(state)
                several.append(piece[: made[0]].copy())
                yield
            arcs = np.concatenate(several) if several else piece[:0]
            option = model.fit_option[arcs[:, kernel.BY]]
            order = np.lexsort((option, arcs[:, kernel.SOURCE]))
            count = np.bincount(arcs[:, kernel.SOURCE] - begin, minlength=int(first[position + 1]) - begin)
            sources.append(count[alive[begin : first[position + 1]]].astype(np.int32))
            options.append(option[order])
            targets.append(arcs[order, kernel.TARGET].astype(np.int32))
            taken += 8 * len(arcs)
            # What is put together in the end is as large again, and half of it once more.
            if 5 * taken // 2 + self.bytes > self.budget:
                return None
            yield
        number = np.concatenate([[0], np.cumsum(alive)])
        degree = np.concatenate([*sources[::-1], np.zeros(len(self._ends), np.int32)])
        starts = np.concatenate([[0], np.cumsum(degree, dtype=np.int64)])
        self._words = self._words[:0].copy()
        yield
        target = number[np.concatenate(targets[::-1])].astype(np.int32)
        ends = np.ones(len(self._ends), np.bool_)
        return Diagram.of(number[first], starts, np.concatenate(options[::-1]), target, ends)
