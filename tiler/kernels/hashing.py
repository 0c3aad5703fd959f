"""Hash tables of words of 64 bits: the hash, and the search for a row's place.

A table has 2**k places and is filled at most half; a place that is taken sends to the next one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tiler.kernels import inner

_ONE = np.uint64(1)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_FOLD = np.uint64(29)


@inner("uint64(uint64)")
def scramble(word: np.uint64) -> np.uint64:
    """Bits of a word mixed so that the low ones can be a hash."""
    word = (word ^ (word >> _FOLD)) * _MIX
    return word ^ (word >> np.uint64(32))


@inner("uint64(uint64,uint64[:,::1],int64,int64)", inline=True)
def hash_of(code: np.uint64, rows: NDArray[np.uint64], row: int, words: int) -> np.uint64:
    """The hash of the first words of a row, going on from the hash of what comes before them, or 0."""
    for w in range(words):
        code = scramble(code ^ rows[row, w])
    return code


@inner("int64(int32[::1],int64,uint64[:,::1],int64,uint64[:,::1],int64,int64)", inline=True)
def place_of(
    table: NDArray[np.int32], size: int, rows: NDArray[np.uint64], begin: int, keys: NDArray[np.uint64], key: int, words: int
) -> int:
    """Where the row equal to a key in its first words stands in `table[:size]`, or would stand: the place holds 0 if there is
    none, else the number of the row from `begin`, plus 1."""
    limit = np.uint64(size - 1)
    place = hash_of(np.uint64(0), keys, key, words) & limit
    while table[place]:
        row = begin + table[place] - 1
        same = True
        for w in range(words):
            same = same and rows[row, w] == keys[key, w]
        if same:
            break
        place = (place + _ONE) & limit
    return np.int64(place)  # type: ignore[return-value]
