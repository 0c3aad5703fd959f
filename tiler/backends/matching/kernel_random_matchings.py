"""Draw matchings at random: by flips of faces, or by shuffling the dominoes of an Aztec diamond.

Flips: if every second edge of a face is matched, the other edges are matched instead. Take a graph in which every edge is in
some matching. Its matchings are a distributive lattice by such flips of all faces but one: up if the edges from black to white
along the face become matched, down if the other edges do. A coin is thrown for a face: heads means up, tails down, if that is
possible. If one matching is above another, it still is after the same coin for both. A step is a sweep: a coin for each face,
one after the other.

Shuffling makes of a random tiling of an Aztec diamond one of the next order, each as likely as any other. A domino goes up,
down, left or right, depending on its place and the order; on the outermost cells it goes outwards. Two dominoes that go towards
each other are taken away, and the others move by one cell. Then squares of four cells are open, and a coin says how each is
filled. A step is one order; it looks at every cell twice.

Sources: Propp, Lattice structure for orientations of graphs, 2002; Propp and Wilson, Exact sampling with coupled Markov chains
and applications to statistical mechanics, 1996; Elkies, Kuperberg, Larsen and Propp, Alternating-sign matrices and domino
tilings, 1992.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tiler.kernels import inner, kernel
from tiler.kernels.arrays import I32, I64, U8, U64

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


class Faces(NamedTuple):
    """All faces except one; only read."""

    starts: I64  #: (faces + 1,): where the edges of each face begin; half of them go from black to white along the face
    edges: I32  #: the edges of each face: first those from black to white along the face, then the others


@inner()
def _flip(faces: Faces, matched: U8, face: int, up: bool) -> bool:
    """Flip a face in one direction, if that is possible. Returns whether it was."""
    begin, end = faces.starts[face], faces.starts[face + 1]
    middle = (begin + end) // 2
    first, last = (middle, end) if up else (begin, middle)
    for at in range(first, last):
        if not matched[faces.edges[at]]:
            return False
    for at in range(begin, end):
        matched[faces.edges[at]] ^= 1
    return True


@kernel()
def settle(faces: Faces, matched: U8, up: bool, sweeps: int) -> int:
    """Flip all faces in one direction until none can be flipped any more, for a limited number of sweeps. Returns the number of
    sweeps."""
    for sweep in range(sweeps):
        flips = 0
        for face in range(faces.starts.size - 1):
            flips += _flip(faces, matched, face, up)
        if flips == 0:
            return sweep
    return sweeps


@kernel()
def sweep(faces: Faces, high: U8, low: U8, coins: U64, sweeps: int) -> int:
    """Flip both matchings by the same coins. A coin is a bit of a word, one for each face; each sweep has its own words. Returns
    the number of edges in which the matchings then differ."""
    count = faces.starts.size - 1
    words = (count + 63) // 64
    for number in range(sweeps):
        for face in range(count):
            up = coins[number * words + (face >> 6)] >> np.uint64(face & 63) & np.uint64(1) == np.uint64(1)
            _flip(faces, high, face, up)
            _flip(faces, low, face, up)
    differences = 0
    for edge in range(high.size):
        differences += high[edge] != low[edge]
    return differences
