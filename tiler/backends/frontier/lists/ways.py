"""Keep numbers of ways as the last words of rows, the lowest word first, and make rows wider where numbers outgrow them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tiler.backends.frontier.lists import kernel_layers as kernel
from tiler.backends.frontier.shared.model import Words

GROWTH = 1 << 25  #: words by which arrays grow: a larger step takes too long between two looks at the clock
MOVED = 1_000_000  #: rows moved or looked at in one call


def number_of(words: Iterable[int]) -> int:
    """The number that has these words of 64 bits, the lowest first."""
    return sum(word << (64 * i) for i, word in enumerate(words))


def resized(rows: Words, number: int, width: int) -> Iterator[None]:
    """Give an array of rows another shape with as many words or more, with pauses: in place if the system can do that. New words
    are filled with zeros, which takes time."""
    rows.resize((rows.size,), refcheck=False)
    for size in [*range(rows.size + GROWTH, number * width, GROWTH), number * width]:
        rows.resize((size,), refcheck=False)
        yield
    rows.resize((number, width), refcheck=False)


def widened(rows: Words, number: int, used: int) -> Iterator[None]:
    """Give the first `used` rows one word more, with pauses, in place; then there is room for `number` rows."""
    width = rows.shape[1]
    yield from resized(rows, number, width + 1)
    for stop in range(used, 0, -MOVED):
        kernel.widen(rows, max(0, stop - MOVED), stop, width)
        yield
