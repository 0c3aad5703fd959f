"""Count all tilings, or one slice of them, in two halves: states forth and back until they meet, by one thread or several."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from tiler.backends.frontier.halves import kernel_halves as kernel
from tiler.backends.frontier.halves.blocks import Blocks, bytes_of_a_row
from tiler.backends.frontier.halves.directions import DirectedLists
from tiler.backends.frontier.halves.shared_data import Slice, TransitionGraph
from tiler.backends.frontier.shared.budgeted import Budgeted
from tiler.backends.frontier.shared.work_ranges import Range, in_rounds, pieces
from tiler.backends.searching import driver
from tiler.kernels import TerminationCheck, bind, python_time, ready

_TRANSITIONS = 250_000  # transitions of one call of a kernel, which take some 2 ms
_OF_A_THREAD = 40_000  # transitions for which it pays to start a thread
_BLOCKS_OF_A_THREAD = 4  # blocks that a thread writes to, so that the memory of its own is small beside them
_LISTS = 4  # lists of the greatest length that fit into a block
_SPARE = 16  # the part of all rows that threads may keep from each other
_MOST_ROWS = 1 << 40
_BYTES_OF_A_PROFILE = 28  # on each side


class SliceCount(Budgeted):
    """States in both directions. `meet` makes them; then `total` is the number of tilings, unless memory was `short`."""

    position = 0  #: the position that the states forth have reached; the states back have reached `last`

    def __init__(
        self, graph: TransitionGraph, part: Slice, cut: int | None, *, budget: int, threads: int = 1, since: float | None = None
    ) -> None:
        """The two halves meet at the position `cut`, by default where that is cheapest. `budget` is how many bytes the arrays may
        take, those of the graph included, whatever the number of threads; `since` when the search began."""
        super().__init__(graph.model, budget, threads)
        self.total = 0
        self.last = graph.model.cells
        self._graph, self._cut, self._wanted = graph, cut, threads
        self._since = time.perf_counter() if since is None else since
        self._sums = [kernel.Sums.new(graph.keys, 1)]
        self._met = 0  # transitions where the halves meet
        self._fixed = graph.bytes + 2 * _BYTES_OF_A_PROFILE * int(graph.first[-1])
        rows = 1 << (_LISTS * (graph.longest + 1)).bit_length()
        blocks = self._allow(1, rows)
        self.short = blocks < 2
        self._blocks = Blocks(rows, max(2, blocks))
        keys, first = graph.keys, graph.first
        self._forth = DirectedLists(
            graph.into, first, keys.leaving_out(part.late, kernel.MOST), self._blocks, part.early, part.early
        )
        self._back = DirectedLists(graph.out, first, keys.leaving_out(part.early, kernel.FIELD), self._blocks, part.late)
        self.note_peak()

    @property
    def transitions(self) -> int:
        """The number of transitions to all positions that are made, and where the halves meet."""
        return self._forth.transitions + self._back.transitions + self._met

    @property
    def bytes(self) -> int:
        """What the arrays take."""
        sums = len(self._sums) * self._bytes_of_sums(self._blocks.limbs)
        return self._fixed + sums + self._blocks.bytes

    @property
    def middle(self) -> int:
        """The position half-way between the positions that are made; slices are cut there."""
        return (self.position + self.last) // 2

    def _bytes_of_sums(self, limbs: int) -> int:
        return 8 * (self._graph.longest + 1) * limbs

    def _pool(self, limbs: int) -> int:
        """The number of rows that one thread may have."""
        left = self.budget - self._fixed - self._bytes_of_sums(limbs)
        return min(max(0, left // bytes_of_a_row(limbs)), _MOST_ROWS)

    def _allow(self, limbs: int, rows: int) -> int:
        """How many threads, blocks, and rows there may be, where ways have that number of limbs; returns the blocks.

        Whether the memory suffices must not depend on the number of threads, nor on which of them takes which profiles. So there
        is a limit of rows that is reached before the blocks are used up: a thread keeps up to two blocks of each side from
        others, one that it writes to and one that is still needed in part; and at the end of all others there may be left what
        the longest list takes. Where that would leave little, there is one thread, whatever is wanted.
        """
        pool, longest = self._pool(limbs), self._graph.longest + 1
        sums = -(-self._bytes_of_sums(limbs) // bytes_of_a_row(limbs))
        spare = pool // _SPARE
        most = spare // (4 * rows + sums)
        self.threads = min(self._wanted, most) if most > 1 else 1
        self._most_rows = (pool - spare) * (rows - longest) // rows if most > 1 else pool
        return (pool - (self.threads - 1) * sums) // rows

    def meet(self) -> Iterator[float]:
        """Go on in both directions until they meet, with many pauses a second. Yields the fraction of the positions done."""
        graph, cells, cut = self._graph, self.model.cells, self._cut
        if self.short:
            return
        if cut is not None:
            middle, end = int(graph.first[cut]), int(graph.first[-1])
            kernel.farthest(graph.out.edges, middle - 1, -1, -1, 1, self._forth.left)
            yield 0.0
            kernel.farthest(graph.into.edges, middle, end, 1, 0, self._back.left)
            yield 0.0
        while self.position + 1 < self.last:
            if cut is None:
                forwards = self._forth.cost(self.position + 1) <= self._back.cost(self.last - 1)
            else:
                forwards = self.position + 1 < cut
            for _ in self._merge(*((self._forth, self.position + 1) if forwards else (self._back, self.last - 1))):
                yield (self.position + cells - self.last) / cells
            if self.short:
                return
            if forwards:
                self.position += 1
            else:
                self.last -= 1
        yield from self._join()

    def _thread_number(self, transitions: int) -> int:
        """The number of threads that make these transitions."""
        if python_time.is_left or time.perf_counter() - self._since < driver.ALONE_SECONDS:
            return 1
        worth = min(transitions // _OF_A_THREAD, int(self._blocks.used / _BLOCKS_OF_A_THREAD))
        threads = max(1, min(self.threads, worth))
        if threads > 1:
            ready(kernel.merge, kernel.join)
            while len(self._sums) < threads:
                self._sums.append(kernel.Sums.new(self._graph.keys, self._blocks.limbs))
        return threads

    def _merge(self, side: DirectedLists, position: int) -> Iterator[None]:
        """Make the lists of a position, with pauses: all of them, or none if the memory is full."""
        start, stop = side.profiles(position)
        termination = TerminationCheck("the frontier's merging of states")
        side.begin(position)
        threads = self._thread_number(side.cost(position))
        todo = pieces(side.weights(position), start, threads)
        while todo:
            for goes_on in in_rounds(todo, [side.worker(number, self._sums[number]) for number in range(threads)]):
                self.note_peak()
                yield
                if not goes_on:
                    break
                self._advance(termination, stop - start, todo)
            else:
                break
            if side.overflows():
                yield from self._widen(side)
                todo = pieces(side.weights(position), start, threads)
            elif self._blocks.grow():
                self._renew()
            else:
                self.short = True
            if self.short:
                return
            self._advance(termination, stop - start, todo)
        self.states += side.end(position)
        self.short = self._forth.kept + self._back.kept > self._most_rows

    def _advance(self, termination: TerminationCheck, profiles: int, todo: Iterable[Range]) -> None:
        done = profiles - sum(stop - start for start, stop in todo)
        termination.advance(self._blocks.limbs, done, self._blocks.taken, self._blocks.room)

    def _renew(self) -> None:
        self._forth.renew()
        self._back.renew()

    def _widen(self, side: DirectedLists) -> Iterator[None]:
        """Give all ways one more limb, and begin the present position of a side again."""
        side.undo()
        limbs = self._blocks.limbs + 1
        rows, blocks = self._forth.kept + self._back.kept, self._allow(limbs, self._blocks.rows)
        if (
            rows * (1 + 4 * limbs / bytes_of_a_row(limbs)) > self._most_rows
        ):  # The old arrays are still there while the new ones are filled.
            self.short = True
            return
        try:
            yield from self._blocks.widen(blocks)
        except MemoryError:
            self.short = True
            return
        self._sums = [kernel.Sums.new(self._graph.keys, limbs) for _ in self._sums]
        self._renew()

    def _join(self) -> Iterator[float]:
        """Add up the products of ways over the edges from states before a position to states from it on."""
        edges, forth, back = self._graph.into.edges, self._forth, self._back
        first, last = int(self._graph.first[self.last]), int(self._graph.first[-1])
        weights = np.zeros(last - first + 1, np.int64)
        kernel.weigh(edges, forth.lists, first, last, weights)
        threads = self._thread_number(int(weights[-1]))
        states = [np.zeros(kernel.STATE_SIZE, np.int64) for _ in range(threads)]
        todo, termination = pieces(weights, first, threads), TerminationCheck("the frontier's meeting of states")
        calls = [
            bind(kernel.join, edges, forth.keys, forth.lists, back.lists, sums, state)
            for sums, state in zip(self._sums, states, strict=False)
        ]
        for _ in in_rounds(todo, [_joining(call, first) for call in calls]):
            termination.advance(-sum(end - begin for begin, end in todo))
            yield 1.0
        for sums, state in zip(self._sums, states, strict=False):
            self.total += sum(limb << (32 * i) for i, limb in enumerate(sums.products.tolist()))
            self._met += int(state[kernel.TRANSITIONS])


def _joining(join: Callable[[int, int, int, int], int], cut: int) -> Callable[[int, int], tuple[int, bool]]:
    """The function by which a thread joins lists (work_ranges.Worker)."""

    def work(start: int, stop: int) -> tuple[int, bool]:
        return int(join(cut, start, stop, python_time.share(_TRANSITIONS))), True

    return work
