"""Count by states that are single words, which are kept in one hash table for each position.

Positions are taken in fill order. As soon as all states of a position are taken on, its table is given back: see
kernel_tables.py, which also says why the number is exact. Only the tables of positions that states lead to are in memory, with
some 25 bytes a state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.backends.frontier.lists import ways
from tiler.backends.frontier.lists.ways import number_of
from tiler.backends.frontier.shared import kernel_profiles as profiles_kernel
from tiler.backends.frontier.shared.budgeted import Budgeted
from tiler.backends.frontier.shared.model import Model, Words
from tiler.backends.frontier.shared.symmetries import Symmetries
from tiler.backends.frontier.tables import kernel_tables as kernel
from tiler.backends.frontier.tables.arena import Arena
from tiler.backends.frontier.tables.exchange import ExchangeThreads
from tiler.backends.frontier.tables.kernel_exchange import PARTS
from tiler.kernels import TerminationCheck, python_time
from tiler.process.cancellation import StopCheck, never_stop

if TYPE_CHECKING:
    from tiler.cover.board import BoardCover

_TRANSITIONS = 1_000_000  # transitions of one call of a kernel, which take some 30 ms
_BATCH = 128  # transitions that are made before they are entered, at least
MOST_KEY_BITS = 8  #: bits of a key: with longer keys, lists for each profile (layers.py) are faster
_WORTH_THREADS = 50_000  # transitions of a position from which threads are started: some 5 ms
_BYTES_OF_THREAD = 5_000_000  # the most bytes for the transitions that a thread makes in a round of some 20 ms
_LEAST_BYTES = 3_500_000  # the most bytes for the transitions of all threads; or, if that is more:
_SHARE_OF_ROWS, _SHARE_OF_BUDGET = 5, 16  # this part of the bytes of the tables, within this part of the budget
_MERGED = 16  # transitions expected for a state, when a table is made larger
_POSITIONS = 100  # positions without states passed between two looks at the clock


class Tables(Budgeted):
    """The states made so far. `build` makes the others; it is done when `position` is the number of cells."""

    def __init__(
        self,
        model: Model,
        symmetries: Symmetries | None = None,
        *,
        budget: int = 1 << 62,
        threads: int = 1,
        check_stop: StopCheck = never_stop,
    ) -> None:
        """`budget` is how many bytes the arrays may take together. The model must be one that `suits`."""
        super().__init__(model, budget, threads)
        cells, most = model.cells, model.most_fits
        symmetries = Symmetries.none(cells) if symmetries is None else symmetries
        self.rules, self._maps = rules_of(model, check_stop), symmetries.maps(model)
        size = 1 << (max(most, _BATCH) - 1).bit_length()
        self._batch = kernel.Batch.new(size)
        self._least = 2 * size if threads == 1 else max(2 * size, PARTS)  # rows of a table
        self._crew: ExchangeThreads | None = None
        self._arena = Arena()
        self._rows = np.zeros((0, 2), np.uint64)
        self._tables = np.zeros((cells + 1, kernel.TABLE_COLUMNS), np.int64)
        span = int(model.fit_masks[:, 0].max(initial=0)).bit_length()
        self._batch.state[kernel.REACH] = span + symmetries.block
        self.is_settled = True  #: whether the arrays can be read: not at a pause while they are made larger
        self._before = np.zeros(0, np.int64)  # states of the positions after the last one, when that was done
        self.on_position: Callable[[int], None] | None = None  #: a function to call when a position is begun
        self.largest = 0  #: the most states kept at a time
        # The empty board, reached in one way.
        for _ in self._grow(0):
            pass
        self._rows[0] = 1, 1
        self._tables[0, kernel.USED] = 1

    @classmethod
    def along_axes(cls, cover: BoardCover, *, threads: int = 1, check_stop: StopCheck = never_stop) -> Tables | None:
        """The tables of a count that fills the board along its axes; None if its model does not suit."""
        model = Model.of(cover, "axes", check_stop)
        if not cls.suits(model):
            return None
        return cls(model, Symmetries.of(cover, model, check_stop), threads=threads, check_stop=check_stop)

    @staticmethod
    def suits(model: Model) -> bool:
        """Whether the states of a model are single words, and keys are so short that a profile has few of them."""
        if model.mask_words > 1 or model.key_words > 1 or model.key_bits > MOST_KEY_BITS:
            return False
        return int(model.fit_masks.max(initial=0)).bit_length() + model.key_bits < 64

    @property
    def position(self) -> int:
        return int(self._batch.state[kernel.POSITION])

    @property
    def transitions(self) -> int:
        return int(self._batch.state[kernel.TRANSITIONS])

    @property
    def profiles(self) -> int:
        """The number of profiles, which are not kept apart here: the number of states."""
        return self.states

    @property
    def bytes(self) -> int:
        """What the arrays take."""
        return self._rows.nbytes + (0 if self._crew is None else self._crew.bytes)

    @property
    def waiting(self) -> int:
        """The number of states in the tables, at this position and at later ones."""
        return int(self._tables[:, kernel.USED].sum())

    def at(self, position: int) -> Words:
        """The states of a position so far, shape (states, 1 + words): each with its ways, as rows of kernel_tables.py."""
        start, size = self._tables[position, : kernel.SIZE + 1].tolist()
        rows = self._rows[start : start + size]
        return rows[rows[:, 0] > 0]

    def ways_of_none(self, position: int) -> int:
        """The number of ways to cover exactly the cells before a position, if no tile is counted. Pins after the position may be
        covered."""
        found = 0
        for at in range(position, self.model.cell_at(position) + 1):
            rows = self.at(at)
            found += sum(map(number_of, rows[(rows[:, 0] ^ np.uint64(1)) & self.rules.inside[at] == 0, 1:].tolist()))
        return found

    def pending(self) -> Iterator[tuple[int, int]]:
        """The position and the word of every state at this position and later ones."""
        for position in range(self.position, self.model.cells + 1):
            start, size = self._tables[position, : kernel.SIZE + 1].tolist()
            words = self._rows[start : start + size, 0]
            yield from ((position, word) for word in words[words > 0].tolist())

    def total(self) -> int:
        """The number of tilings, when the last position is reached."""
        return sum(number_of(words) for words in self.at(self.model.cells)[:, 1:].tolist())

    def free(self) -> None:
        """Free the memory; only the numbers remain."""
        self._crew = None
        self._rows = self._rows[:0].copy()

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """The whole state, for checkpoints, when it `is_settled`."""
        numbers = np.array([self.states, self.largest, self.peak], np.int64)
        return {"rows": self._rows, "tables": self._tables, **self._batch._asdict(), "numbers": numbers}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `arrays` gave, for the same model."""
        # An array from a file may not own its memory; then it could not be resized.
        self._rows, self._tables = np.require(arrays["rows"], requirements="O"), arrays["tables"]
        self._batch = kernel.Batch(**{name: arrays[name] for name in kernel.Batch._fields})
        self.states, self.largest, self.peak = arrays["numbers"].tolist()
        pieces = self._tables[self._tables[:, kernel.SIZE] > 0, : kernel.SIZE + 1].tolist()
        self._arena = Arena.of(len(self._rows), [(start, size) for start, size in pieces])

    def build(self) -> Iterator[float]:
        """Go on position by position, pausing many times a second; yields the fraction of the positions done."""
        cells = self.model.cells
        state = self._batch.state
        termination = TerminationCheck("the frontier's count")
        yield 0.0
        while self.position < cells:
            position = self.position
            used, size = int(self._tables[position, kernel.USED]), int(self._tables[position, kernel.SIZE])
            if not state[kernel.AT] and not state[kernel.BEGUN]:
                state[kernel.BEGUN] = 1
                self.states += used
                self.largest = max(self.largest, self.waiting)
                if self.on_position is not None:
                    self.on_position(position)
                self.is_settled = False
                for _ in self._grow_as_before():
                    yield position / cells
                self.is_settled = True
            helped = used > 0 and self._gets_help(position)
            if helped:
                yield from self._take_on_together(position)
                if self.short:
                    return
            while used and not helped:
                code = kernel.advance(self.rules, self._maps, self._hashed, self._batch, python_time.share(_TRANSITIONS))
                if code == kernel.DONE:
                    break
                if code != kernel.PAUSED:
                    self.is_settled = False
                    where = int(state[kernel.WHERE])
                    for _ in self._grow(where) if code == kernel.ROOM else self._widen([where]):
                        yield position / cells
                    self.is_settled = True
                if self.short:
                    return
                termination.advance(position, self._rows.shape[1], self.transitions, int(self._tables[:, kernel.SIZE].sum()))
                yield (position + int(state[kernel.AT]) / size) / cells
            self._before = self._tables[position + 1 : min(cells, position + int(state[kernel.REACH]) + 1), kernel.USED].copy()
            if size:
                self._arena.give(int(self._tables[position, kernel.START]), size)
            self._tables[position] = 0
            state[kernel.POSITION], state[kernel.AT], state[kernel.BEGUN] = position + 1, 0, 0
            if position % _POSITIONS == 0:
                yield position / cells
        self.states += int(self._tables[cells, kernel.USED])

    def _gets_help(self, position: int) -> bool:
        """Whether several threads make the next states of a position. If so, they get buckets."""
        if self.threads < 2:
            return False
        used = int(self._tables[position, kernel.USED])
        if used * self.transitions < _WORTH_THREADS * max(1, self.states):
            return False
        share = max(_LEAST_BYTES, min(self.threads * _BYTES_OF_THREAD, self._rows.nbytes // _SHARE_OF_ROWS))
        share = min(share, self.budget // _SHARE_OF_BUDGET, self.budget - self._rows.nbytes)
        if self._crew is None or 2 * self._crew.bytes < share:
            self._crew = None
            self._crew = ExchangeThreads.of(self.threads, self.model.cells, self.model.most_fits, share)
            self.note_peak()
        return self._crew is not None

    def _take_on_together(self, position: int) -> Iterator[float]:
        """Make the next states of a position by several threads, with pauses. Sets `short` if memory is missing."""
        crew, state, cells = self._crew, self._batch.state, self.model.cells
        assert crew is not None
        used, size = int(self._tables[position, kernel.USED]), int(self._tables[position, kernel.SIZE])
        self.is_settled = False
        for to in range(position + 1, min(cells, position + int(state[kernel.REACH])) + 1):
            if self._tables[to, kernel.SIZE] < PARTS and not self.short:
                for _ in self._grow(to):
                    yield position / cells
        if self.short:
            return
        each = used / size * self.transitions / max(1, self.states)  # transitions for each row
        while state[kernel.AT] < size:
            first, made = int(state[kernel.AT]), self.transitions
            self.is_settled = False
            state[kernel.AT] = crew.begin(first, size, each)
            while crew.is_making:
                state[kernel.TRANSITIONS] += crew.lead_on(self.rules, self._maps, self._hashed, position)
                termination = TerminationCheck("the frontier's count by threads")
                while crew.waiting or crew.carried:
                    crew.enter(self.rules, self._maps, self._hashed)
                    for _ in self._relieve(crew):
                        yield position / cells
                    if self.short:
                        return
                    termination.advance(self._rows.shape[1], int(self._tables[:, kernel.SIZE].sum()), -crew.waiting)
                yield (position + first / size) / cells
            each = (self.transitions - made) / (int(state[kernel.AT]) - first)
            self.is_settled = True
            yield (position + int(state[kernel.AT]) / size) / cells

    def _relieve(self, crew: ExchangeThreads) -> Iterator[None]:
        """Give the ways one more word, or make tables larger, whatever threads wait for, with pauses. Sets `short` if memory is
        missing."""
        if crew.carried:
            yield from self._widen(crew.carried)
        for position, number in crew.wanting:
            if not self.short:
                yield from self._grow(position, number)

    @property
    def _hashed(self) -> kernel.HashTables:
        return kernel.HashTables(self._rows, self._tables)

    def _rows_for(self, states: int) -> int:
        """The number of rows of a table for this number of states: at most three quarters of them are in use."""
        rows = self._least
        while 3 * rows < 4 * states:
            rows *= 2
        return rows

    def _grow(self, position: int, wanting: int = 0, expected: int = 0) -> Iterator[None]:
        """Give a position a table twice as large, or larger if many transitions wait to be entered, or more states are expected.
        Yields now and then, so that the caller can look at the clock. Sets `short` if the memory does not suffice."""
        start, size, used, _ = self._tables[position].tolist()
        larger = max(2 * size, self._rows_for(max(used + wanting // _MERGED, expected)))
        to = self._arena.take(larger)
        if to is None:
            wanted = self._arena.grown(larger)
            width = self._rows.shape[1]
            if not self.affords(8 * width * wanted - self._rows.nbytes):
                return
            yield from ways.resized(self._rows, wanted, width)
            self.note_peak()
            self._arena.rows = wanted
            to = self._arena.take(larger)
        assert to is not None
        shift = 64 - (larger - 1).bit_length()
        step = ways.GROWTH // self._rows.shape[1]
        for at in range(to, to + larger, step):
            self._rows[at : min(at + step, to + larger)] = 0
            yield
        for at in range(start, start + size, ways.MOVED):
            kernel.move(self._rows, at, min(at + ways.MOVED, start + size), to, larger - 1, shift)
            yield
        if size:
            self._arena.give(start, size)
        self._tables[position] = to, larger, used, shift

    def _grow_as_before(self) -> Iterator[None]:
        """Give the tables that states lead to room for as many states as those at the same distance had one position ago, as long
        as memory is plentiful. The states of a table come in the order of their hashes, and lead to states in this order: in a
        smaller table, those that came so far would lie close together in one part, and be found only after long searches."""
        for position, states in enumerate(self._before.tolist(), self.position + 1):
            rows = self._rows_for(states)
            if states and self._tables[position, kernel.SIZE] < rows:
                more = 8 * self._rows.shape[1] * self._arena.grown(rows) - self._rows.nbytes
                if 2 * (self.bytes + more) <= self.budget:
                    yield from self._grow(position, expected=states)

    def _widen(self, carried: Sequence[int]) -> Iterator[None]:
        """Give the ways one word more, with pauses; it is 1 in the rows that carried. Sets `short` if memory is missing."""
        rows, width = self._rows.shape
        if not self.affords(8 * rows):
            return
        yield from ways.widened(self._rows, rows, rows)
        self._rows[carried, width] = 1
        self.note_peak()


def rules_of(model: Model, check_stop: StopCheck = never_stop) -> kernel.WordRules:
    """The rules of a count, for a model whose masks are words."""
    cells = model.cells
    owner = portable.repeat(portable.arange(cells), np.diff(model.around.starts))
    distance = model.around.values - owner
    near = portable.distinct(distance[(distance > 0) & (distance < 64)])
    beside = np.zeros((cells + 1, len(near)), np.uint64)
    leaving = np.zeros(cells + 1, np.uint64)
    for d, step in enumerate(near.tolist()):
        check_stop()
        beside[:, d] = _windows(owner[distance == step], cells)
        leaving |= beside[:, d] & (np.uint64((1 << 64) - 1) << np.uint64(64 - step))
    leaving |= _windows(owner[distance >= 64], cells)
    return kernel.WordRules(
        model.fit_starts,
        np.ascontiguousarray(model.fit_masks[:, 0]),
        model.possible,
        near.astype(np.uint64),
        beside,
        leaving,
        _windows(np.flatnonzero(model.measured), cells),
        model.key_bits,
        *_counted(model),
    )


def _counted(model: Model) -> tuple[Words, Words, Words, NDArray[np.bool_], NDArray[np.int64]]:
    """The arrays of the rules that say how fits are counted: `units` to `lower`."""
    of = model.counters[model.fit_tile]
    counted = of[:, profiles_kernel.WORD] >= 0
    shift = of[:, profiles_kernel.SHIFT].astype(np.uint64)
    zero = np.uint64(0)
    # A tile that is not counted leaves the key as it is: its field has no bits.
    units = np.where(counted, np.uint64(1) << shift, zero)
    fields = np.where(counted, of[:, profiles_kernel.FIELD].astype(np.uint64) << shift, zero)
    mosts = np.where(counted, of[:, profiles_kernel.MOST].astype(np.uint64) << shift, zero)
    owing = model.counters[model.owing]
    bits = [int(field).bit_length() for field in owing[:, profiles_kernel.FIELD]]
    lower = np.stack(
        [
            owing[:, profiles_kernel.SHIFT],
            np.array(bits, np.int64),
            owing[:, profiles_kernel.LOWER],
            owing[:, profiles_kernel.SIZE],
        ],
        1,
    )
    stays = ~counted | (of[:, profiles_kernel.STAYS] > 0)
    return units, fields, mosts, stays, np.ascontiguousarray(lower)


def _windows(marked: NDArray[np.int64], cells: int) -> Words:
    """The marked cells from every position on, as bits, shape (cells + 1,)."""
    marks = np.zeros(cells + 64, np.uint64)
    marks[marked] = 1
    windows = np.zeros(cells + 1, np.uint64)
    for bit in range(64):
        windows |= marks[bit : bit + cells + 1] << np.uint64(bit)
    return windows
