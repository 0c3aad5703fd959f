"""Keep all states of a count, and find the arcs from them that lead to tilings, position by position from the last one back.

`StatesInTables` keeps states that are single words, 8 bytes each, and `StatesInLists` all other states. Both have the same
methods. `SolutionDiagram` (solution_diagram.py) makes a diagram of the arcs. An argument `node`, shape (states,), has the node of
the diagram for each state; -1: no node, or not known yet.

Random tilings come from the diagram if states are in lists, but from `StatesInTables` itself if they are single words: a diagram
takes three times the memory of the words with their ways, and twice the time, since hardly any of these states merge.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.backends.frontier.diagram import kernel_arcs as kernel
from tiler.backends.frontier.lists import kernel_layers as layers_kernel
from tiler.backends.frontier.lists.layers import Layers
from tiler.backends.frontier.shared.kernel_symmetries import WordMaps
from tiler.backends.frontier.shared.model import Model, Words
from tiler.backends.frontier.shared.work_ranges import cuts
from tiler.backends.frontier.tables.hash_tables import Tables
from tiler.backends.frontier.tables.kernel_tables import WordRules
from tiler.cover.kernel_diagram import ARC_COLUMNS
from tiler.kernels import TerminationCheck, bind, python_time, ready
from tiler.process.cancellation import StopCheck, never_stop
from tiler.process.threads import together

Nodes = NDArray[np.int32]
Pieces = list[NDArray[np.int32]]
#: Yields the fraction that is done at each pause, and returns arcs, in any order, with the columns of cover/kernel_diagram.py.
#: The state that an arc comes from is numbered within its position, from 0 on.
Arcs = Generator[float, None, Pieces]

_STEPS = 300_000
_WORTH_THREADS = 300_000  # from this number of steps at a position on, threads are started: some 4 ms of work
_ARCS = 1 << 19  # the arrays of all threads together have room for about this number of arcs
_REACH = 64  # the most positions by which an arc between single words goes forward
_DRAWN = 500  # placements drawn between two looks at the clock


class StatesInTables(Tables):
    """Keeps the words of all states, sorted within each position; with `with_ways`, also the number of ways to reach each."""

    def __init__(
        self,
        model: Model,
        *,
        budget: int = 1 << 62,
        threads: int = 1,
        check_stop: StopCheck = never_stop,
        with_ways: bool = False,
    ) -> None:
        self.kept = kernel.WordStates(np.zeros(model.cells + 2, np.int64), np.zeros(1024, np.uint64))
        self.ways: list[Words] = []  #: by position: the ways of its states, shape (states, words)
        self._with_ways, self._ways_bytes, self._total = with_ways, 0, 0
        super().__init__(model, budget=budget, threads=threads, check_stop=check_stop)
        self.on_position = self._keep

    @property
    def first(self) -> NDArray[np.int64]:
        """The first state of each position, shape (cells + 2,). The states of the last position are full boards."""
        return self.kept.first

    @property
    def bytes(self) -> int:
        """The number of bytes that the arrays take."""
        return super().bytes + self.kept.words.nbytes + self._ways_bytes

    def build(self) -> Iterator[float]:
        """Find the states position by position. Pauses many times a second, and yields the fraction of the positions done."""
        for fraction in super().build():
            if self.short or not self.affords():
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
        """Free the memory of all states. The total and the statistics remain."""
        super().free()
        self.kept = self.kept._replace(words=self.kept.words[:0].copy())

    def let_go(self, position: int) -> int:
        """After the arcs from a position are made, free the states to which no more arcs can lead. Returns how many are left."""
        left = int(self.first[min(position + _REACH, self.model.cells + 1)])
        self.kept.words.resize((left,), refcheck=False)
        return left

    def _keep(self, position: int) -> None:
        """Keep the states of a position, sorted. All states of the position must have been found."""
        rows = self.at(position)
        order = np.argsort(rows[:, 0])
        words, first = self.kept.words, int(self.first[position])
        last = first + len(rows)
        if last > len(words):
            words.resize((last + last // 4,), refcheck=False)
        words[first:last] = rows[order, 0]
        self.first[position + 1] = last
        if self._with_ways:
            self.ways.append(rows[order, 1:])
            self._ways_bytes += self.ways[-1].nbytes

    def arcs(self, position: int, node: Nodes) -> Arcs:
        """Make the arcs from the states of a position."""
        begin, end = int(self.first[position]), int(self.first[position + 1])
        threads = _worth(self.threads, (end - begin) * (int(np.diff(self.model.fit_starts)[position]) + 1))
        makers = []
        for first, last in pairwise(begin + (end - begin) * portable.arange(threads + 1) // threads):
            making = _making(self.model, node, 1, self.model.most_fits, threads)
            call = partial(_from, self.rules, self._maps, self.kept, making, position, int(last))
            makers.append(_Maker(call, making, int(first), int(last), TerminationCheck("the frontier's diagram")))
        pieces: Pieces = []
        yield from _put(makers, [pieces], 1 - position / self.model.cells / 2)
        return pieces

    def drawn(self, seed: int) -> Iterator[tuple[int, ...] | None]:
        """Random tilings without end, as options of the cover, drawn independently with Python's generator. There must be a
        tiling, and the states must be kept with their ways. Yields None now and then, so that the caller can look at the clock.

        To go back from a state, a state before it is drawn with a probability in proportion to the number of ways to reach it.
        So every tiling has probability 1 / total, exactly.
        """
        option, starts, first, chance = self.model.fit_option, self.model.fit_starts, self.first, random.Random(seed)
        reach = np.minimum(portable.arange(len(starts)), _REACH - 1)
        most = 2 * int((starts - starts[portable.arange(len(starts)) - reach]).max()) + 1
        found = np.zeros((most, kernel.FOUND_COLUMNS), np.int64)

        def pick(several: list[list[int]]) -> list[int]:
            """Draw one of several states, in proportion to their ways. Each list begins with the state's position and number."""
            words = [self.ways[at][state - int(first[at])] for at, state, *_ in several]
            ways = [int.from_bytes(each.astype("<u8").tobytes(), "little") for each in words]
            number = chance.randrange(sum(ways))
            for each, more in zip(several, ways, strict=True):
                number -= more
                if number < 0:
                    return each
            raise AssertionError("the ways add up to their sum")

        before = bind(kernel.before, self.rules, self.kept, found)
        ends = [[self.model.cells, state] for state in range(int(first[-2]), int(first[-1]))]
        while True:
            position, state = pick(ends)
            options = []
            while position:
                count = before(position, state)
                position, state, fit = pick(found[:count].tolist())
                if option[fit] >= 0:
                    options.append(int(option[fit]))
                if len(options) % _DRAWN == 0:
                    yield None
            yield tuple(options)


class StatesInLists(Layers):
    """Keeps all layers. The arcs into a position are made together; each arc waits until the arcs from its source are wanted."""

    def __init__(self, model: Model, *, budget: int = 1 << 62, threads: int = 1) -> None:
        super().__init__(model, keep=True, budget=budget, threads=threads)
        self._total = 0
        self._waiting: list[Pieces] = [[] for _ in range(model.cells)]  # arcs by the position that they come from

    @property
    def bytes(self) -> int:
        """The number of bytes that the arrays take."""
        return super().bytes + sum(piece.nbytes for pieces in self._waiting for piece in pieces)

    def build(self) -> Iterator[float]:
        """Find the states position by position. Pauses many times a second, and yields the fraction of the positions done."""
        yield from super().build()
        if not self.short:
            self._total = super().total()

    def total(self) -> int:
        """The number of tilings."""
        return self._total

    @cached_property
    def first(self) -> NDArray[np.int64]:
        """The first state of each position, shape (cells + 2,), once all states are made."""
        return np.append(self._row_at[:-1], self._top)

    def let_go(self, position: int) -> int:
        """After the arcs from a position are made, free the states to which no more arcs can lead. Returns how many are left."""
        left = int(self.first[position + 1])
        self.lists.rows.resize((left, self.lists.rows.shape[1]), refcheck=False)
        return left

    def arcs(self, position: int, node: Nodes) -> Arcs:
        """The arcs from the states of a position. Ask for the last position first: each call makes the arcs into the next
        position, and earlier calls have made the arcs that lead further."""
        model, here = self.model, self.at(position + 1)
        sums = np.zeros(len(here) + 1, np.int64)
        if self.threads > 1:
            layers_kernel.incoming(self.known.arrays, self.lists, here, sums)
        threads = _worth(self.threads, int(sums[-1]))
        makers = []
        for number, (first, last) in enumerate(pairwise(cuts(sums, threads))):
            making = _making(model, node, model.cells, 1, threads)
            # The hash table is as large as the one that merged the lists; the first thread uses that one.
            slots = self.merging.slots if number == 0 else np.zeros(len(self.merging.slots), np.int32)
            state = np.zeros(kernel.STATE_SIZE, np.int64)
            lookup = kernel.Lookup(self.first, slots, np.zeros((1, model.key_words), np.uint64), state)
            call = partial(kernel.arcs_into, model.rules, self.known.arrays, self.lists, lookup, making, here[:last])
            makers.append(_Maker(call, making, first, last, TerminationCheck("the frontier's diagram"), state))
        yield from _put(makers, self._waiting, 1 - position / self.model.cells / 2)
        pieces, self._waiting[position] = self._waiting[position], []
        return pieces


@dataclass
class _Maker:
    """A thread's part of the states or profiles of a position. `call(start, budget)` makes arcs from `start` on, for some
    `budget` steps, and returns where it stopped."""

    call: Callable[[int, int], int]
    making: kernel.Making
    done: int
    end: int
    termination: TerminationCheck
    state: NDArray[np.int64] | None = None  #: where `arcs_into` stopped within a profile

    def step(self) -> None:
        """Make arcs for some `_STEPS` steps."""
        self.done = int(self.call(self.done, python_time.share(_STEPS)))
        beside = () if self.state is None else (-int(self.state[kernel.EDGE_AT]), int(self.state[kernel.ROW_AT]))
        self.termination.advance(self.done, *beside)


def _worth(threads: int, steps: int) -> int:
    """The number of threads to use for `steps` steps: one if starting threads would take longer than it saves."""
    if threads == 1 or steps < _WORTH_THREADS:
        return 1
    ready(kernel.arcs_from, kernel.arcs_into)
    return threads


def _from(
    rules: WordRules,
    maps: WordMaps,
    kept: kernel.WordStates,
    making: kernel.Making,
    position: int,
    last: int,
    start: int,
    budget: int,
) -> int:
    return int(kernel.arcs_from(rules, maps, kept, making, position, start, last, budget))


def _making(model: Model, node: Nodes, parts: int, most: int, threads: int) -> kernel.Making:
    """Empty arrays for the arcs that one of `threads` threads makes, in `parts` parts. A state may need `most` arcs in a part."""
    # A part is emptied when it is more than half full. So half of it is free before a call: enough for one state.
    arcs = np.empty((parts * max(_ARCS // parts // threads, 2 * most), ARC_COLUMNS), np.int32)
    return kernel.Making(node, model.fit_option, arcs, np.zeros(parts, np.int64))


def _put(makers: list[_Maker], pieces: list[Pieces], fraction: float) -> Iterator[float]:
    """Have all makers make their arcs, and append the arcs of each part to its pieces. Yields `fraction` at each pause."""
    while any(maker.done < maker.end for maker in makers):
        together([maker.step for maker in makers if maker.done < maker.end])
        for maker in makers:
            making = maker.making
            room = len(making.arcs) // len(making.made)
            for part in np.flatnonzero(making.made > (0 if maker.done == maker.end else room // 2)).tolist():
                begin = part * room
                pieces[part].append(making.arcs[begin : begin + int(making.made[part])].copy())
                making.made[part] = 0
        yield fraction
