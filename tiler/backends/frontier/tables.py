"""A count by states that are single words: those of some positions in hash tables, and nothing else.

Positions are taken in fill order. As soon as all states of one are taken through, its table is given back: see kernel_tables.py,
which also says why the number is exact. In memory are the tables of the positions that states lead to, some 25 bytes a
state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tiler.backends.frontier import kernel_layers as layers_kernel
from tiler.backends.frontier import kernel_profiles as profiles_kernel
from tiler.backends.frontier import kernel_tables as kernel
from tiler.backends.frontier.arena import Arena
from tiler.backends.frontier.model import Model, Words
from tiler.backends.frontier.symmetries import Symmetries
from tiler.kernels import Ratchet, patience
from tiler.process.look import Look, unhurried

_TRANSITIONS = 1_000_000  # of one call of a kernel: some 30 ms
_MOVED = 1_000_000  # rows looked at in one call
_BATCH = 128  # transitions that are made before they are entered, at least
_GROWTH = 1 << 25  # words: a larger step takes too long between two looks at the clock
MOST_KEY_BITS = 8  #: in longer keys states differ so that lists for each profile (layers.py) are the faster
_POSITIONS = 100  # between two looks at the clock where there is nothing to do


class Tables:
    """The states so far. `build` goes on; it is done when `position` is the number of cells."""

    def __init__(
        self, model: Model, symmetries: Symmetries | None = None, *, budget: int = 1 << 62, look: Look = unhurried
    ) -> None:
        """`budget` is how many bytes the arrays may take together. The model must be one that `suits`."""
        self.model, self.budget = model, budget
        cells, most = model.cells, model.most_fits
        symmetries = Symmetries.none(cells) if symmetries is None else symmetries
        self.rules, self._maps = rules_of(model, look), symmetries.maps(model)
        size = 1 << (max(most, _BATCH) - 1).bit_length()
        self._batch = kernel.Batch.new(size)
        self._least = 2 * size  # rows of a table
        self._arena = Arena()
        self._rows = np.zeros((0, 2), np.uint64)
        self._tables = np.zeros((cells + 1, kernel.TABLE_COLUMNS), np.int64)
        span = int(model.fit_masks[:, 0].max(initial=0)).bit_length()
        self._batch.state[kernel.REACH] = span + symmetries.block
        self.short = False  #: whether `build` stopped because the budget is used up
        self.is_settled = True  #: whether the arrays can be read: not at a pause while they are made larger
        self.on_position: Callable[[int], None] | None = None  #: called when a position is begun
        self.states = 0  #: those of the positions begun
        self.largest = 0  #: the most states kept at a time
        self.peak = 0  #: the most bytes the arrays took
        # The empty board, reached in one way.
        for _ in self._grow(0):
            pass
        self._rows[0] = 1, 1
        self._tables[0, kernel.USED] = 1

    @staticmethod
    def suits(model: Model) -> bool:
        """Whether states of a model are single words, and keys so short that a profile has few of them."""
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
        """As many as states."""
        return self.states

    @property
    def bytes(self) -> int:
        """What the arrays take."""
        return self._rows.nbytes

    @property
    def waiting(self) -> int:
        """The states that are still to be entered: those at this position and at later ones."""
        return int(self._tables[:, kernel.USED].sum())

    @property
    def unfinished(self) -> int:
        """Those of the `states` that are still to be taken through."""
        start, size = self._tables[self.position, : kernel.SIZE + 1].tolist()
        return int(np.count_nonzero(self._rows[start + int(self._batch.state[kernel.AT]) : start + size, 0]))

    def at(self, position: int) -> Words:
        """The states of a position so far, shape (states, 1 + words): each with its ways, as rows of kernel_tables.py."""
        start, size = self._tables[position, : kernel.SIZE + 1].tolist()
        rows = self._rows[start : start + size]
        return rows[rows[:, 0] > 0]

    def ways_of_none(self, position: int) -> int:
        """The number of ways to cover the cells before a position and no others, where no tile is counted; pins beyond it may be
        covered."""
        found = 0
        for at in range(position, self.model.cell_at(position) + 1):
            rows = self.at(at)
            found += sum(map(_number, rows[(rows[:, 0] ^ np.uint64(1)) & self.rules.inside[at] == 0, 1:].tolist()))
        return found

    def pending(self) -> Iterator[tuple[int, int]]:
        """Position and word of every state at this position and beyond it."""
        for position in range(self.position, self.model.cells + 1):
            start, size = self._tables[position, : kernel.SIZE + 1].tolist()
            words = self._rows[start : start + size, 0]
            yield from ((position, word) for word in words[words > 0].tolist())

    def total(self) -> int:
        """The number of tilings, when the last position is reached."""
        start, size = self._tables[self.model.cells, : kernel.SIZE + 1].tolist()
        return sum(_number(ways) for ways in self._rows[start : start + size, 1:].tolist())

    def free(self) -> None:
        """Let the memory go; nothing is left but the numbers."""
        self._rows = self._rows[:0].copy()

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """All the state there is, when it `is_settled`."""
        numbers = np.array([self.states, self.largest, self.peak])
        return {"rows": self._rows, "tables": self._tables, **self._batch._asdict(), "numbers": numbers}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `arrays` gave, for the same model."""
        # What is read from a file need not be an array's own, which could not be resized.
        self._rows, self._tables = np.require(arrays["rows"], requirements="O"), arrays["tables"]
        self._batch = kernel.Batch(**{name: arrays[name] for name in kernel.Batch._fields})
        self.states, self.largest, self.peak = arrays["numbers"].tolist()
        pieces = self._tables[self._tables[:, kernel.SIZE] > 0, : kernel.SIZE + 1].tolist()
        self._arena = Arena.of(len(self._rows), [(start, size) for start, size in pieces])

    def build(self) -> Iterator[float]:
        """Go on position by position, pausing many times a second; yields the fraction of the positions done."""
        cells = self.model.cells
        state = self._batch.state
        ratchet = Ratchet("the frontier's count")
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
            while used:
                code = kernel.advance(self.rules, self._maps, self._hashed, self._batch, patience.share(_TRANSITIONS))
                if code == kernel.DONE:
                    break
                if code != kernel.PAUSED:
                    self.is_settled = False
                    for _ in self._grow(int(state[kernel.WHERE])) if code == kernel.ROOM else self._widen():
                        yield position / cells
                    self.is_settled = True
                if self.short:
                    return
                ratchet.turn(position, self._rows.shape[1], self.transitions, int(self._tables[:, kernel.SIZE].sum()))
                yield (position + int(state[kernel.AT]) / size) / cells
            if size:
                self._arena.give(int(self._tables[position, kernel.START]), size)
            self._tables[position] = 0
            state[kernel.POSITION], state[kernel.AT], state[kernel.BEGUN] = position + 1, 0, 0
            if position % _POSITIONS == 0:
                yield position / cells
        self.states += int(self._tables[cells, kernel.USED])

    @property
    def _hashed(self) -> kernel.HashTables:
        return kernel.HashTables(self._rows, self._tables)

    def _grow(self, position: int) -> Iterator[None]:
        """A table twice as large for a position, with pauses; `short` if there is not the memory."""
        start, size, used, _ = self._tables[position].tolist()
        larger = max(self._least, 2 * size)
        to = self._arena.take(larger)
        if to is None:
            wanted = self._arena.grown(larger)
            width = self._rows.shape[1]
            if 8 * width * wanted > self.budget:
                self.short = True
                return
            yield from self._resize(wanted, width)
            self._arena.rows = wanted
            to = self._arena.take(larger)
        assert to is not None
        shift = 64 - (larger - 1).bit_length()
        step = _GROWTH // self._rows.shape[1]
        for at in range(to, to + larger, step):
            self._rows[at : min(at + step, to + larger)] = 0
            yield
        for at in range(start, start + size, _MOVED):
            kernel.move(self._rows, at, min(at + _MOVED, start + size), to, larger - 1, shift)
            yield
        if size:
            self._arena.give(start, size)
        self._tables[position] = to, larger, used, shift

    def _resize(self, rows: int, width: int) -> Iterator[None]:
        """As many rows, in place where the system can. What is added is written with zeros, which takes its time."""
        self._rows.resize((self._rows.size,), refcheck=False)
        for size in [*range(self._rows.size + _GROWTH, rows * width, _GROWTH), rows * width]:
            self._rows.resize((size,), refcheck=False)
            yield
        self._rows.resize((rows, width), refcheck=False)
        self.peak = max(self.peak, self.bytes)

    def _widen(self) -> Iterator[None]:
        """One word more for the ways, with pauses; `short` if there is not the memory."""
        rows, width = self._rows.shape
        if 8 * (width + 1) * rows > self.budget:
            self.short = True
            return
        yield from self._resize(rows, width + 1)
        for stop in range(rows, 0, -_MOVED):
            layers_kernel.widen(self._rows, max(0, stop - _MOVED), stop, width)
            yield
        self._rows[int(self._batch.state[kernel.WHERE]), width] = 1

    def records(self, step: int, words: int) -> Iterator[Words]:
        """All that is still to be done after `short`, as records of kernel_runs.py that begin with the position: some `step` at a
        time, with `words` words of ways. The arrays are not needed after that."""
        state, batch, width = self._batch.state, self._batch, self._rows.shape[1]
        if state[kernel.FILLED]:  # There was no memory for a word more: what carried, and the rest of the batch.
            row = int(state[kernel.WHERE])
            position = next(p for p, (start, size, *_) in enumerate(self._tables.tolist()) if start <= row < start + size)
            carried = np.zeros((1, width), np.uint64)
            carried[0, width - 1] = 1
            yield self._records(np.array([position]), self._rows[row : row + 1, 0], carried, words)
            rest = slice(int(state[kernel.ENTERED]), int(state[kernel.FILLED]))
            yield self._records(batch.target[rest], batch.word[rest], self._rows[batch.source[rest], 1:], words)
        for position in range(self.position, self.model.cells + 1):
            start, size = self._tables[position, : kernel.SIZE + 1].tolist()
            first = start + int(state[kernel.AT]) if position == self.position else start
            for at in range(first, start + size, step):
                rows = self._rows[at : min(at + step, start + size)]
                rows = rows[rows[:, 0] > 0]
                yield self._records(np.full(len(rows), position), rows[:, 0], rows[:, 1:], words)

    def _records(self, positions: NDArray[np.int64], stored: Words, ways: Words, words: int) -> Words:
        first, bits = 2 + self.model.key_words, self.model.key_bits
        records = np.zeros((len(stored), first + words), np.uint64)
        records[:, 0], records[:, 1] = positions, (stored & np.uint64((1 << 64 - bits) - 1)) ^ np.uint64(1)
        if bits:
            records[:, 2] = stored >> np.uint64(64 - bits)
        records[:, first : first + ways.shape[1]] = ways
        return records


def _number(words: list[int]) -> int:
    return sum(word << (64 * i) for i, word in enumerate(words))


def rules_of(model: Model, look: Look = unhurried) -> kernel.WordRules:
    """What a count goes by, for a model whose masks are words."""
    cells = model.cells
    owner = np.repeat(np.arange(cells), np.diff(model.around.starts))
    distance = model.around.values - owner
    near = np.unique(distance[(distance > 0) & (distance < 64)])
    beside = np.zeros((cells + 1, len(near)), np.uint64)
    leaving = np.zeros(cells + 1, np.uint64)
    for d, step in enumerate(near.tolist()):
        look()
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
    """How fits are counted: `units` to `lower` of the rules."""
    of = model.counters[model.fit_tile]
    counted = of[:, profiles_kernel.WORD] >= 0
    shift = of[:, profiles_kernel.SHIFT].astype(np.uint64)
    zero = np.uint64(0)
    # What is not counted stays as it is: no bits of the key are less than none.
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
    """For every position the marked cells from there on: shape (cells + 1,)."""
    marks = np.zeros(cells + 64, np.uint64)
    marks[marked] = 1
    windows = np.zeros(cells + 1, np.uint64)
    for bit in range(64):
        windows |= marks[bit : bit + cells + 1] << np.uint64(bit)
    return windows
