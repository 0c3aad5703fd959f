"""Keep rows of states in blocks of one size: a thread takes a block to write to, and gives it back when nobody reads it any more.

The arrays are as large as they may ever become. The system gives them memory page by page, when a thread first writes to a page.
So rows never move, and machine code is given their addresses once.
"""

from __future__ import annotations

import mmap
import sys
from collections.abc import Iterator
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from tiler.process.memory import all_megabytes

SMALL = 1 << 17  #: room for this number of rows at first; if more are needed, there is room at once for all that may ever be
_APART = 528  # words between the places of keys and ways in a page; at the same place processors confuse them
#: The system does not count this memory as promised; otherwise a process with more room than memory could not be forked.
_UNCOUNTED = getattr(mmap, "MAP_NORESERVE", 0x4000 if sys.platform == "linux" else 0)
_MOVED = 1 << 22  # rows copied between two pauses


class Blocks:
    """Blocks of `rows` rows each: a key, and ways in limbs of 32 bits. Threads may `take` some at the same time."""

    def __init__(self, rows: int, most: int) -> None:
        """There may be up to `most` blocks."""
        self.rows, self.most = rows, most
        self._free: list[int] = []
        self.used = 0  #: the number of blocks that were ever taken
        self.room = min(most, max(2, SMALL // rows))  #: the number of blocks that the arrays have
        self.taken = 0  #: how often a block was taken
        self._lock = Lock()
        self.keys, self.ways = _rows(self.room * rows, 1)

    @property
    def limbs(self) -> int:
        """The number of limbs of all ways."""
        return int(self.ways.shape[1])

    @property
    def row_bytes(self) -> int:
        """The bytes that a row takes."""
        return bytes_of_a_row(self.limbs)

    @property
    def bytes(self) -> int:
        """The bytes that were written to."""
        return self.used * self.rows * self.row_bytes

    def take(self) -> int | None:
        """Take a block that no thread has. Returns its number; None if there is no room for another block."""
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
        """Make all the room that there may ever be. Returns False if there is no more to make. The arrays are new ones then."""
        while self.room < self.most:
            try:
                keys, ways = _rows(self.most * self.rows, self.limbs)
            except MemoryError:  # The system does not promise this much memory.
                self.most = max(self.room, self.most // 2)
                continue
            end = self.used * self.rows
            keys[:end], ways[:end] = self.keys[:end], self.ways[:end]
            self.keys, self.ways, self.room = keys, ways, self.most
            return True
        return False

    def widen(self, most: int) -> Iterator[None]:
        """Give all ways one more limb, with pauses, and change the largest number of blocks. The arrays are new ones then."""
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
        """An array of ways with one more limb, for as many blocks as the system promises memory for."""
        while True:
            try:
                return _rows(self.room * self.rows, self.limbs + 1)[1]
            except MemoryError:
                if self.room == self.used:
                    raise
                self.most = self.room = max(self.used, self.room // 2)


def bytes_of_a_row(limbs: int) -> int:
    """The bytes that a row takes for its key and its ways."""
    return 4 + 4 * limbs


def _rows(rows: int, limbs: int) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """New arrays of keys and of ways, not written yet."""
    return _reserved(rows, 0), _reserved(rows * limbs, _APART).reshape(rows, limbs)


def _reserved(words: int, offset: int) -> NDArray[np.uint32]:
    """An array of `words` numbers, which takes memory only when they are written. It begins `offset` words after the beginning
    of a page. MemoryError if the machine has less memory than that, or the system refuses it.

    NumPy's own arrays would ask for large pages. Where the system has to search for such pages, that costs more time than they
    save.
    """
    if 4 * words > all_megabytes() << 20:  # There is also a limit on addresses, and threads need some.
        raise MemoryError(f"no room for {4 * words:,} bytes")
    try:
        room = mmap.mmap(-1, 4 * (words + offset), mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _UNCOUNTED)
    except OSError:
        raise MemoryError(f"no room for {4 * words:,} bytes") from None
    return np.frombuffer(room, np.uint32)[offset:]
