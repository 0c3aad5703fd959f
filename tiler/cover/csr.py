"""Keep lists of unequal length in two arrays (compressed sparse rows): the members of options, the options of items."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.process.cancellation import StopCheck, never_stop

Ints = NDArray[np.int32]

_AT_ONCE = 1 << 16  # rows between two looks at the clock


class Csr(NamedTuple):
    """List i is `values[starts[i]:starts[i + 1]]`, in ascending order."""

    starts: NDArray[np.int64]
    values: Ints

    @classmethod
    def from_lists(cls, lists: Sequence[Sequence[int]]) -> Csr:
        """Make it from lists of integers."""
        return cls(portable.starts_of([len(row) for row in lists]), np.array([value for row in lists for value in row], np.int32))

    @classmethod
    def grouped(cls, keys: Ints, values: Ints, groups: int) -> Csr:
        """Group values by key: list k has the values with key k, in their order, for k below `groups`."""
        return cls(portable.starts_of(portable.bincount(keys, minlength=groups)), values[np.argsort(keys, kind="stable")])

    def __getitem__(self, i: int) -> Ints:  # type: ignore[override]
        return self.values[self.starts[i] : self.starts[i + 1]]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def lists(self) -> list[list[int]]:
        """All lists, as lists of Python integers."""
        values, starts = self.values.tolist(), self.starts.tolist()
        return [values[a:b] for a, b in pairwise(starts)]

    def padded(self) -> NDArray[np.int64]:
        """All lists as the rows of an array, filled up with -1: shape (lists, length of the longest)."""
        sizes = np.diff(self.starts)
        rows = np.full((len(self), int(sizes.max(initial=0))), -1, np.int64)
        rows[portable.arange(rows.shape[1]) < sizes[:, None]] = self.values
        return rows

    def restrict(self, keep: NDArray[np.bool_]) -> Csr:
        """The lists that are marked in an array of shape (lists,)."""
        sizes = np.diff(self.starts)
        return Csr(portable.starts_of(sizes[keep]), self.values[portable.repeat(keep, sizes)])

    def take(self, rows: NDArray[np.integer]) -> Csr:
        """Some lists, in the order of their numbers in `rows`."""
        sizes = np.diff(self.starts)[rows]
        return Csr(portable.starts_of(sizes), self.values[portable.ranges(self.starts[rows], sizes)])

    def beside(self, other: Csr) -> Csr:
        """Append to each list the list with the same number of another `Csr`, whose values are all larger."""
        starts = self.starts + other.starts
        values = np.empty(starts[-1], np.int32)
        for csr, before in ((self, other.starts[:-1]), (other, self.starts[1:])):
            shift = portable.repeat(before, np.diff(csr.starts))
            values[portable.arange(len(csr.values)) + shift] = csr.values
        return Csr(starts, values)


class RowNumbers:
    """Finds the number of a row among many different rows. `rows` has shape (rows, width); the cells of a row ascend."""

    def __init__(self, rows: NDArray[np.int64], check_stop: StopCheck = never_stop) -> None:
        self._rows = rows
        # Any odd factors will do, as equal keys are told apart; these spread the keys.
        self._factors = np.cumprod(np.full(rows.shape[1], 0x9E3779B97F4A7C15, np.uint64))
        keys = np.empty(len(rows), np.uint64)
        for first in range(0, len(rows), _AT_ONCE):
            check_stop()
            keys[first : first + _AT_ONCE] = self._keys(rows[first : first + _AT_ONCE])
        check_stop()
        self._order = np.argsort(keys, kind="stable")
        check_stop()
        self._sorted = keys[self._order]
        check_stop()

    def _keys(self, rows: NDArray[np.int64]) -> NDArray[np.uint64]:
        """A key for each row, ordered by the first cell. So rows of neighbouring places have keys close together, which is
        faster."""
        mixed = (rows.astype(np.uint64) * self._factors).sum(1, dtype=np.uint64)
        return np.asarray(rows[:, 0].astype(np.uint64) << np.uint64(40) | mixed >> np.uint64(24))

    def find(self, wanted: NDArray[np.int64]) -> NDArray[np.int64]:
        """The numbers of the wanted rows, shape (wanted,); -1 for a row that is not there."""
        keys = self._keys(wanted)
        at = np.searchsorted(self._sorted, keys)
        numbers = np.full(len(wanted), -1, np.int64)
        todo = portable.arange(len(wanted))
        while len(todo):
            todo = todo[at[todo] < len(self._sorted)]
            todo = todo[self._sorted[at[todo]] == keys[todo]]
            number = self._order[at[todo]]
            same = (self._rows[number] == wanted[todo]).all(1)
            numbers[todo[same]] = number[same]
            todo = todo[~same]
            at[todo] += 1
        return numbers
