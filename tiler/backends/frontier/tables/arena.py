"""Hand out pieces of a large array; the rows of a piece are a power of two. Pieces given back are joined and used again.

Source: K. C. Knowlton, A fast storage allocator, Communications of the ACM 8 (1965): the buddy system.
"""

from __future__ import annotations

from collections.abc import Iterable


class Arena:
    """Hands out pieces of an array. When no piece is free, the caller makes the array larger, and sets `rows`.

    >>> arena = Arena()
    >>> arena.take(4), arena.rows
    (None, 0)
    >>> arena.rows = arena.grown(4)
    >>> arena.take(4), arena.take(4)
    (0, None)
    """

    def __init__(self) -> None:
        self._free: dict[int, set[int]] = {}
        self._rows = 0

    @classmethod
    def of(cls, rows: int, pieces: Iterable[tuple[int, int]]) -> Arena:
        """The arena of an array with `rows` rows. The `pieces`, each a first row and a size, are handed out already."""
        arena, at = cls(), 0
        arena._rows = rows
        for start, size in [*sorted(pieces), (rows, 0)]:
            arena._give_between(at, start)
            at = start + size
        return arena

    @property
    def rows(self) -> int:
        """The number of rows of the array."""
        return self._rows

    @rows.setter
    def rows(self, rows: int) -> None:
        """Say that the array has grown. The new rows are free."""
        at, self._rows = self._rows, rows
        self._give_between(at, rows)

    def _give_between(self, at: int, end: int) -> None:
        while at < end:
            size = at & -at if at else 1 << (end.bit_length() - 1)
            while at + size > end:
                size //= 2
            self.give(at, size)
            at += size

    def grown(self, size: int) -> int:
        """The number of rows that the array must have so that a piece of `size` rows, a power of two, is free at its end."""
        start = self._rows // size * size
        free = sum(each * sum(at >= start for at in starts) for each, starts in self._free.items())
        return (start if free == self._rows - start else start + size) + size

    def take(self, size: int) -> int | None:
        """Take a piece of `size` rows, a power of two. Returns its first row; None if no piece is free."""
        fitting = min((free for free, starts in self._free.items() if free >= size and starts), default=0)
        if not fitting:
            return None
        start = min(self._free[fitting])
        self._free[fitting].discard(start)
        while fitting > size:
            fitting //= 2
            self._free.setdefault(fitting, set()).add(start + fitting)
        return start

    def give(self, start: int, size: int) -> None:
        """Give back the piece of `size` rows that begins with the row `start`."""
        while start ^ size in self._free.get(size, ()):
            self._free[size].discard(start ^ size)
            start &= ~size
            size *= 2
        self._free.setdefault(size, set()).add(start)
