"""Have several threads find the next states in hash tables: see kernel_exchange.py. Between two calls no thread runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.backends.frontier.shared.kernel_symmetries import WordMaps
from tiler.backends.frontier.tables import kernel_exchange as kernel
from tiler.backends.frontier.tables import kernel_tables as tables_kernel
from tiler.backends.frontier.tables.kernel_tables import HashTables, WordRules
from tiler.kernels import bind, ready
from tiler.process.threads import together

_BYTES = 20  # bytes of a transition in a bucket
_FULL = 0.8  # how full a bucket becomes on average: some become fuller than others
_FEWEST = 10_000  # the fewest transitions of a round for each thread: with fewer, starting threads takes too long


def exchange_of(threads: int, cells: int, room: int) -> kernel.Exchange:
    """Empty buckets, each for `room` transitions."""
    size = threads * (threads * room + kernel.EDGE)
    first = -(-portable.arange(threads + 1) * kernel.PARTS // threads)
    columns = cells + 1 + kernel.APART
    exchange = kernel.Exchange(
        word=np.empty(size, np.uint64),
        target=np.empty(size, np.int32),
        source=np.empty(size, np.int64),
        owner=portable.repeat(portable.arange(threads), np.diff(first)),
        first=first,
        filled=np.zeros((threads + 1, threads + kernel.APART), np.int64),
        quota=np.zeros((threads + 1, columns), np.int64),
        wanting=np.zeros((threads + 1, columns), np.int64),
        state=np.zeros((threads + 1, kernel.APART), np.int64),
    )
    exchange.state[:, kernel.CARRIED] = -1
    return exchange


class ExchangeThreads:
    """Threads with buckets for the transitions that they exchange."""

    def __init__(self, threads: int, cells: int, room: int) -> None:
        """`room` is how many transitions each bucket holds."""
        self.threads, self._cells, self._room = threads, cells, room
        self._exchange = exchange_of(threads, cells, room)
        ready(kernel.lead_on, kernel.enter, tables_kernel.move)
        self._given: object = None
        self._leaders: list[Callable[[int, int], None]] = []
        self._takers: list[Callable[[int], None]] = []

    @classmethod
    def of(cls, threads: int, cells: int, most_fits: int, share: int) -> ExchangeThreads | None:
        """A crew of at most `threads` threads, with arrays of at most `share` bytes; it has fewer threads if the buckets would
        be too small for more. None if one thread is better."""
        threads = min(threads, share // (_BYTES * _FEWEST), kernel.PARTS)
        beside = 8 * ((threads + 1) * (2 * cells + threads + 5 * kernel.APART) + kernel.PARTS)  # Bytes that are not in buckets.
        transitions = max(0, share - beside) // _BYTES
        room = (transitions // max(1, threads) - kernel.EDGE) // max(1, threads)
        return cls(threads, cells, room) if threads > 1 and room >= 2 * most_fits else None

    @property
    def bytes(self) -> int:
        """The number of bytes that the arrays take."""
        return sum(array.nbytes for array in self._exchange)

    @property
    def carried(self) -> list[int]:
        """The rows whose ways were too large for their words when buckets were entered last."""
        rows = self._exchange.state[:, kernel.CARRIED]
        return [int(row) for row in rows if row >= 0]

    @property
    def is_making(self) -> bool:
        """Whether no transitions are made yet for some of the rows that `begin` has shared out."""
        state = self._exchange.state[: self.threads]
        return bool((state[:, kernel.ROW] < state[:, kernel.STOP]).any())

    @property
    def waiting(self) -> int:
        """The number of transitions that are not entered yet."""
        return int(self._exchange.filled[:, : self.threads].sum())

    @property
    def wanting(self) -> Iterator[tuple[int, int]]:
        """The positions whose tables are too small, each with the number of transitions that wait for a larger one."""
        waiting = self._exchange.wanting[:, : self._cells + 1].sum(0)
        for position in np.flatnonzero(waiting).tolist():
            yield position, int(waiting[position])

    def begin(self, row: int, size: int, each: float) -> int:
        """Share out rows of the present position among the threads, from `row` on: as many rows as the buckets have room for, if
        each row has about `each` transitions. Returns the end of these rows, at most `size`."""
        rows = max(1, int(_FULL * self.threads * self._room / max(each, 0.01)))
        stop = min(size, row + rows * self.threads)
        cuts = row + (stop - row) * portable.arange(self.threads + 1) // self.threads
        self._exchange.state[: self.threads, kernel.ROW], self._exchange.state[: self.threads, kernel.STOP] = cuts[:-1], cuts[1:]
        return stop

    def lead_on(self, rules: WordRules, maps: WordMaps, hashed: HashTables, position: int) -> int:
        """Fill the empty buckets with transitions from the rows that `begin` has shared out. Returns how many these are."""
        self._bind(rules, maps, hashed)
        together([partial(self._leaders[maker], position, maker) for maker in range(self.threads)])
        return self.waiting

    def _bind(self, rules: WordRules, maps: WordMaps, hashed: HashTables) -> None:
        """Give the kernels of each thread their arrays, unless they have them already: then the rows have not moved."""
        given = hashed.rows.ctypes.data, hashed.rows.shape
        if given != self._given:
            self._given = given
            self._leaders = [bind(kernel.lead_on, rules, maps, hashed, self._exchange) for _ in range(self.threads)]
            self._takers = [bind(kernel.enter, rules, hashed, self._exchange) for _ in range(self.threads + 1)]

    def enter(self, rules: WordRules, maps: WordMaps, hashed: HashTables) -> None:
        """Enter the transitions in the buckets, as far as the tables have room and ways fit their words."""
        self._bind(rules, maps, hashed)
        threads, exchange = self.threads, self._exchange
        exchange.wanting[:], exchange.quota[:], exchange.state[:, kernel.CARRIED] = 0, 0, -1
        before = self._allow(hashed, slice(0, threads), threads)
        together([partial(self._takers[taker], taker) for taker in range(threads)])
        self._count(hashed, before)
        if exchange.filled[threads, :threads].any() and not self.carried:
            exchange.quota[:] = 0
            before = self._allow(hashed, slice(threads, threads + 1), 1)
            self._takers[threads](threads)
            self._count(hashed, before)

    def _allow(self, hashed: HashTables, takers: slice, number: int) -> NDArray[np.int64]:
        """Give each thread its part of the free rows of each table. Returns by position how many states all threads may enter."""
        tables, quota = hashed.tables, self._exchange.quota[:, : self._cells + 1]
        free = 3 * tables[:, tables_kernel.SIZE] // 4 - tables[:, tables_kernel.USED]
        quota[takers] = np.maximum(free, 0) // number
        allowed: NDArray[np.int64] = quota.sum(0)
        return allowed

    def _count(self, hashed: HashTables, before: NDArray[np.int64]) -> None:
        """Add the number of states that were entered to the count of each table. `before` is what `_allow` returned."""
        hashed.tables[:, tables_kernel.USED] += before - self._exchange.quota[:, : self._cells + 1].sum(0)
