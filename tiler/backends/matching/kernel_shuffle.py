"""Shuffle dominoes: make of a random tiling of an Aztec diamond one of the next order, each as likely as any other.

A domino goes up, down, left or right, depending on its place and the order; on the outermost cells it goes outwards. Two dominoes
that go towards each other are taken away, and the others move by one cell. Then squares of four cells are open, and a coin says
how each is filled.

A step is one order; it looks at every cell twice.

Source: Elkies, Kuperberg, Larsen and Propp, Alternating-sign matrices and domino tilings, 1992.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tiler.kernels import kernel
from tiler.kernels.arrays import U8, U64

#: The direction in which a domino goes, at its upper or left cell; dominoes that go UP or DOWN lie in a row.
NONE, UP, DOWN, LEFT, RIGHT = range(5)


class Diamond(NamedTuple):
    """A tiling of an Aztec diamond, in a square whose rows and columns are twice the order."""

    ways: U8  #: (rows * columns,): by cell, which way the domino goes that begins here
    covered: U8  #: (rows * columns,): which cells are covered

    @classmethod
    def new(cls, order: int) -> Diamond:
        """A diamond in which nothing is covered."""
        return cls(np.zeros(4 * order * order, np.uint8), np.zeros(4 * order * order, np.uint8))


@kernel()
def shuffle(old: Diamond, new: Diamond, order: int, coins: U64) -> int:
    """Fill an open diamond of this order from a tiling of the order before, which is overwritten. Returns the number of coins."""
    before, after, covered = old.ways, new.ways, new.covered
    was, wide = 2 * order - 2, 2 * order
    for row in range(was):
        for column in range(was):
            way = before[row * was + column]
            if way == NONE:
                continue
            if way == DOWN and row + 1 < was and before[(row + 1) * was + column] == UP:
                before[(row + 1) * was + column] = NONE
                continue
            if way == RIGHT and column + 1 < was and before[row * was + column + 1] == LEFT:
                before[row * was + column + 1] = NONE
                continue
            to_row = row + 1 - (way == UP) + (way == DOWN)
            to_column = column + 1 - (way == LEFT) + (way == RIGHT)
            at = to_row * wide + to_column
            after[at] = way
            covered[at] = 1
            covered[at + (1 if way <= DOWN else wide)] = 1
    used = 0
    for row in range(wide):
        first = max(order - 1 - row, row - order)
        for column in range(first, wide - first):
            at = row * wide + column
            if covered[at]:
                continue
            if coins[used >> 6] >> np.uint64(used & 63) & np.uint64(1):
                after[at], after[at + wide] = UP, DOWN
            else:
                after[at], after[at + 1] = LEFT, RIGHT
            used += 1
            covered[at] = covered[at + 1] = covered[at + wide] = covered[at + wide + 1] = 1
    return used
