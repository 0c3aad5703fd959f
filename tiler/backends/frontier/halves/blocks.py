"""Keep rows of states in blocks of one size: a thread takes a block to write to, and gives it back when nobody reads it any more.

The arrays begin small. When they grow, they become as large as they may ever be: the system gives them memory page by page, when
a thread first writes to a page. So rows hardly ever move, and machine code rarely needs new addresses.
"""

from __future__ import annotations

import mmap
import sys
from collections.abc import Iterator
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from tiler.process.memory import all_megabytes

SMALL = 1 << 17  #: the number of rows at first; arrays that need more rows get room for all blocks
_APART = 528  # the ways begin this many words into a page: processors confuse equal places of two pages, here of keys and ways
#: The system does not count these arrays as promised memory: else a process with more room than memory could not be forked.
_UNCOUNTED = getattr(mmap, "MAP_NORESERVE", 0x4000 if sys.platform == "linux" else 0)
_MOVED = 1 << 22  # rows copied between two pauses


class Blocks:
    """Blocks of `rows` rows each. A row has a key, and its ways in limbs of 32 bits. Threads may `take` blocks at once."""

    def __init__(self, rows: int, most: int) -> None:
        """`most` is the largest number of blocks."""
        self.rows, self.most = rows, most
        self._free: list[int] = []
        self.used = 0  #: how many different blocks were taken so far
        self.room = min(most, max(2, SMALL // rows))  #: how many blocks the arrays have room for
        self.taken = 0  #: how often a block was taken
        self._lock = Lock()
        self.keys, self.ways = _rows(self.room * rows, 1)

    @property
    def limbs(self) -> int:
        """The number of limbs of the ways in each row."""
        return int(self.ways.shape[1])

    @property
    def bytes(self) -> int:
        """The number of bytes of all blocks that were taken so far."""
        return self.used * self.rows * bytes_of_a_row(self.limbs)

    def take(self) -> int | None:
        """Take a free block. Returns its number; None if there is no room for one."""
        with self._lock:
            if not self._free and self.used == self.room:
                return None
            self.taken += 1
            if self._free:
                return self._free.pop()
            self.used += 1
            return self.used - 1

    def give(self, block: int) -> None:
        """Give back a block that nobody reads any more."""
        self._free.append(block)

    def grow(self) -> bool:
        """Replace the arrays by arrays with room for all blocks, or for as many as the system allows. Returns False if there is
        no more room."""
        while self.room < self.most:
            try:
                keys, ways = _rows(self.most * self.rows, self.limbs)
            except MemoryError:  # The system refuses that much memory.
                self.most = max(self.room, self.most // 2)
                continue
            end = self.used * self.rows
            keys[:end], ways[:end] = self.keys[:end], self.ways[:end]
            self.keys, self.ways, self.room = keys, ways, self.most
            return True
        return False

    def widen(self, most: int) -> Iterator[None]:
        """Give all ways one limb more, with pauses, in a new array, and set the largest number of blocks."""
        self.most = max(self.used, most)
        self.room = min(self.room, self.most)
        ways = self._wider()
        end = self.used * self.rows
        for start in range(0, end, _MOVED):
            stop = min(start + _MOVED, end)
            ways[start:stop, :-1] = self.ways[start:stop]
            ways[start:stop, -1] = 0
            yield
        self.ways = ways

    def _wider(self) -> NDArray[np.uint32]:
        """An array for ways with one limb more, with room for as many blocks as the system allows."""
        while True:
            try:
                return _rows(self.room * self.rows, self.limbs + 1)[1]
            except MemoryError:
                if self.room == self.used:
                    raise
                self.most = self.room = max(self.used, self.room // 2)


def bytes_of_a_row(limbs: int) -> int:
    """The number of bytes of a row: its key, and its ways in `limbs` limbs."""
    return 4 + 4 * limbs


def _rows(rows: int, limbs: int) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Keys, shape (rows,), and ways, shape (rows, limbs), which take no memory before they are written."""
    return _reserved(rows, 0), _reserved(rows * limbs, _APART).reshape(rows, limbs)


def _reserved(words: int, offset: int) -> NDArray[np.uint32]:
    """An array of `words` numbers, which takes memory only when they are written. It begins `offset` words after the beginning
    of a page. MemoryError if the machine has less memory than that, or the system refuses it.

    NumPy's own arrays would ask for large pages. Where the system has to search for such pages, that costs more time than they
    save.
    """
    if 4 * words > all_megabytes() << 20:  # The number of addresses is limited too, and threads need some.
        raise MemoryError(f"no room for {4 * words:,} bytes")
    try:
        room = mmap.mmap(-1, 4 * (words + offset), mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _UNCOUNTED)
    except OSError:
        raise MemoryError(f"no room for {4 * words:,} bytes") from None
    return np.frombuffer(room, np.uint32)[offset:]
