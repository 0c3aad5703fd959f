"""Choose the cell that FILA fills next by the orders e and s: images in the list of a cell are tried until the cell is settled.

Estimate (e) takes, among the open cells with the fewest open neighbours, the cell where the fewest images fit. Size (s) takes it
among all open cells. Cells are looked at in the order of their places. Images are counted list by list, up to the count of the
best cell so far; if two cells are equal, the first one stays. These tries are in no counter.

Source: M. Busche, Fixed Image List Algorithm, 2018.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tiler.kernels import inner
from tiler.kernels.arrays import I64, U64
from tiler.kernels.inner import population, trailing_zeros

#: The phases of a schedule that choose a cell at each node, in place of a fixed order.
ESTIMATE, SIZE = -1, -2


class CellChoice(NamedTuple):
    """The data by which a cell is chosen; a search writes only to `scratch`."""

    near: U64  #: (cells * N,): the neighbours of each place, as bits; empty where all orders are fixed
    near_base: I64  #: (cells,): the place that bit 0 of them stands for
    scratch: I64  #: (cells,)


_ZERO, _ONE, _63 = np.uint64(0), np.uint64(1), np.uint64(63)


@inner()
def candidates(estimate: bool, near: U64, near_base: I64, scratch: I64, occ: U64) -> int:
    """Write down the open cells whose fits must be compared. Returns the number of these cells."""
    cells = scratch.size
    wide = near.size // cells
    many, least = 0, 1 << 62
    for word in range((cells + 63) >> 6):
        ahead = ~occ[word]
        while ahead != _ZERO:
            place = word * 64 + trailing_zeros(ahead)
            ahead &= ahead - _ONE
            if place >= cells:
                break
            if estimate:
                number = 0
                low, shift = near_base[place] >> 6, np.uint64(near_base[place] & 63)
                for k in range(wide):
                    window = (occ[low + k] >> shift) | ((occ[low + k + 1] << _ONE) << (_63 - shift))
                    number += population(near[place * wide + k] & ~window)
                if number > least:
                    continue
                if number < least:
                    least, many = number, 0
            scratch[many] = place
            many += 1
    return many


@inner()
def fits_up_to(limit: int, list_: int, base: int, words: int, usable: U64, has: U64, starts: I64, masks: U64, occ: U64) -> int:
    """The number of images of usable tiles in a list that fit. Counting stops at `limit`."""
    tile_words = usable.size
    tiles = (starts.size - 1) // (has.size // tile_words)
    low, shift = base >> 6, np.uint64(base & 63)
    window = (occ[low] >> shift) | ((occ[low + 1] << _ONE) << (_63 - shift))
    count = 0
    for v in range(tile_words):
        ahead = usable[v] & has[list_ * tile_words + v]
        while ahead != _ZERO:
            tile = v * 64 + trailing_zeros(ahead)
            ahead &= ahead - _ONE
            for at in range(starts[list_ * tiles + tile], starts[list_ * tiles + tile + 1]):
                if window & masks[at * words] != _ZERO:
                    continue
                k = 1
                while k < words:
                    other = (occ[low + k] >> shift) | ((occ[low + k + 1] << _ONE) << (_63 - shift))
                    if other & masks[at * words + k] != _ZERO:
                        break
                    k += 1
                if k >= words:
                    count += 1
                    if count == limit:
                        return count
    return count
