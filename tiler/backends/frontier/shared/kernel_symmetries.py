"""Choose which state to enter, of several that are images of each other by symmetries of the board: see symmetries.py.

A symmetry keeps a *cut* of the fill order if it maps the cells before the cut to themselves. Take a state whose covered cells
beyond the last such cut lie before another such cut near by. The symmetry maps it to a state with as many completions. Among all
these images the state with the last first open cell stands for the others, and among equal ones the state with the least mask.
Its position is not before the position of the state itself, so it is still to come, because states are taken in the order of
their positions.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tiler.kernels import inner
from tiler.kernels.arrays import I64, I64_2, U64_3
from tiler.kernels.inner import trailing_zeros

_ZERO, _ONE, _BYTE, _EIGHT = np.uint64(0), np.uint64(1), np.uint64(255), np.uint64(8)


class WordMaps(NamedTuple):
    """Tables that apply symmetries to words: to the covered cells from a cut on, and to keys."""

    cut: I64  #: (cells + 1,): the last cut that is not after the position
    room: I64  #: (cells + 1,): bits from there to the last cut in reach of a word; 0: there is no image
    table_at: I64_2  #: (cells + 1, symmetries): which table of `cells` is for a position
    cells: U64_3  #: (tables, 8, 256): the image of each byte of a word of covered cells from the cut on
    keys: U64_3  #: (symmetries, 8, 256): the image of each byte of a key


@inner()
def image_of(word: np.uint64, tables: U64_3, table: int) -> np.uint64:
    """The image of the bits of a word under a symmetry, by one of the tables."""
    image, left, byte = _ZERO, word, 0
    while left != _ZERO:
        image |= tables[table, byte, np.int64(left & _BYTE)]
        left >>= _EIGHT
        byte += 1
    return image


@inner()
def representative(position: int, mask: np.uint64, maps: WordMaps) -> tuple[int, np.uint64, int]:
    """The state that stands for a state and its images: its position, its mask, and the symmetry that maps the state to it
    (-1: none)."""
    least, least_at, by = mask, position, -1
    cut, room = maps.cut[position], maps.room[position]
    if room > 0:
        behind = np.uint64(position - cut)
        covered = (mask << behind) | ((_ONE << behind) - _ONE)
        if covered >> behind == mask and covered >> np.uint64(room) == _ZERO:
            for symmetry in range(maps.table_at.shape[1]):
                image = image_of(covered, maps.cells, maps.table_at[position, symmetry])
                step = np.uint64(trailing_zeros(~image))
                other, other_at = image >> step, cut + np.int64(step)
                if other_at > least_at or (other_at == least_at and other < least):
                    least, least_at, by = other, other_at, symmetry
    return least_at, least, by
