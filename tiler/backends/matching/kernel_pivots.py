"""Eliminate in a sparse matrix modulo a prime, without exchanges: find its pivots, what is left of the last rows, and its
inverse.

Rows are eliminated one after the other, in an order made by the caller (dissection.py), and the pivot is on the diagonal. The
entries that can differ from 0 are known beforehand, equally for rows and columns: column j is in the pattern of row i if row j is
in the pattern of column i, and the columns beyond the diagonal of a row are in each other's patterns.

With p below 2^31, entries lie between 0 and p squared while they are summed up, and are reduced when they are needed. So an
addition in the inner loop takes no division. A step is an addition; a row takes as many steps as the patterns of its pivots are
long.

Source: elimination row by row, as in George and Liu, Computer Solution of Large Sparse Positive Definite Systems, 1981; the
inverse within the pattern by Takahashi, Fagan and Chin, 1973.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tiler.kernels import EXHAUSTED, PAUSED, inner, kernel
from tiler.kernels.arrays import I32, I64, I64_2

#: `eliminate` returns this if a pivot is 0.
SINGULAR = 3
#: Places in `counters`: the next row; for the inverse one more than the next, from the last row down.
ROW, COUNTERS = 0, 1
#: Places in `progress`: the next row; the product so far.
FIRST, PRODUCT = 0, 1


class Pattern(NamedTuple):
    """The places of all entries that can differ from 0; only read."""

    starts: I64  #: (rows + 1,): where the columns beyond the diagonal of each row begin, in `columns`
    columns: I32  #: these, ascending
    before_starts: I64  #: (rows + 1,): where the columns before the diagonal begin
    before: I32  #: these, ascending
    own_starts: I64  #: (rows + 1,): where the entries of the matrix begin, row by row
    own: I32  #: their columns


class Values(NamedTuple):
    """The entries of a matrix modulo a prime."""

    own: I64  #: in the order of `Pattern.own`: the entries of the matrix, between 0 and p
    upper: I64  #: in the order of `columns`: the entries of the rows eliminated
    lower: I64  #: in the order of `before`: how many times a pivot's row was subtracted
    inverted: I64  #: (rows,): the inverses of the pivots
    pivots: I64  #: (rows,): the pivots
    sums: I64  #: (rows,): for one row
    more: I64  #: (rows,): for one row
    beyond: I64  #: as `columns`: the inverse beyond the diagonal, [i, j]
    below: I64  #: as `columns`: the inverse below the diagonal, [j, i]
    middle: I64  #: (rows,): the diagonal of the inverse
    left: I64_2  #: what is left of the last rows and columns, once the others are eliminated
    counters: I64  #: by names

    @classmethod
    def new(cls, pattern: Pattern, left: int, *, inverse: bool) -> Values:
        """All zeros, with this number of last rows; if wanted, with room for the inverse."""
        rows, entries = len(pattern.starts) - 1, len(pattern.columns)
        return cls(
            own=np.zeros(len(pattern.own), np.int64),
            upper=np.zeros(entries, np.int64),
            lower=np.zeros(entries, np.int64),
            inverted=np.zeros(rows, np.int64),
            pivots=np.zeros(rows, np.int64),
            sums=np.zeros(rows, np.int64),
            more=np.zeros(rows, np.int64),
            beyond=np.zeros(entries * inverse, np.int64),
            below=np.zeros(entries * inverse, np.int64),
            middle=np.zeros(rows * inverse, np.int64),
            left=np.zeros((left, left), np.int64),
            counters=np.zeros(COUNTERS, np.int64),
        )


@inner()
def _inverse(value: int, prime: int) -> int:
    """The inverse of a number modulo a prime, by Euclid's algorithm."""
    low, high, one, other = value, prime, 1, 0
    while low > 1:
        times = high // low
        low, high = high - times * low, low
        one, other = other - times * one, one
    return one % prime


@kernel()
def eliminate(pattern: Pattern, values: Values, prime: int, budget: int) -> int:
    """Eliminate rows from ROW on. From the last rows, as many as `left` has, only multiples of the rows before them are
    subtracted."""
    starts, columns, before_starts, before = pattern.starts, pattern.columns, pattern.before_starts, pattern.before
    own_starts, own = pattern.own_starts, pattern.own
    entries, upper, lower, inverted, pivots, sums = (
        values.own,
        values.upper,
        values.lower,
        values.inverted,
        values.pivots,
        values.sums,
    )
    left, counters = values.left, values.counters
    rows = starts.size - 1
    first = rows - left.shape[0]
    square = prime * prime
    steps = 0
    while counters[ROW] < rows:
        if steps >= budget:
            return PAUSED
        row = counters[ROW]
        steps += 1 + starts[row + 1] - starts[row]
        for at in range(own_starts[row], own_starts[row + 1]):
            sums[own[at]] = entries[at]
        for at in range(before_starts[row], before_starts[row + 1]):
            pivot = before[at]
            if pivot >= first:
                break
            factor = sums[pivot] % prime * inverted[pivot] % prime
            sums[pivot] = 0
            lower[at] = factor
            if factor == 0:
                continue
            steps += starts[pivot + 1] - starts[pivot]
            for there in range(starts[pivot], starts[pivot + 1]):
                column = columns[there]
                value = sums[column] - factor * upper[there]
                sums[column] = value + square if value < 0 else value
        if row >= first:
            for column in range(first, rows):
                left[row - first, column - first] = sums[column] % prime
                sums[column] = 0
        else:
            value = sums[row] % prime
            sums[row] = 0
            for at in range(starts[row], starts[row + 1]):
                upper[at] = sums[columns[at]] % prime
                sums[columns[at]] = 0
            if value == 0:
                return SINGULAR
            pivots[row] = value
            inverted[row] = _inverse(value, prime)
        counters[ROW] += 1
    return EXHAUSTED


class Dense(NamedTuple):
    """An antisymmetric matrix modulo a prime, which the elimination overwrites, and how far it has come."""

    matrix: I64_2
    progress: I64  #: by names

    @classmethod
    def of(cls, matrix: I64_2) -> Dense:
        """A matrix of which nothing is eliminated yet."""
        return cls(matrix, np.array([0, 1], np.int64))


@kernel()
def pfaffian(dense: Dense, prime: int, budget: int) -> int:
    """Compute the Pfaffian of a matrix, with exchanges of rows, into PRODUCT."""
    matrix, progress = dense.matrix, dense.progress
    size = matrix.shape[0]
    steps = 0
    while progress[FIRST] < size:
        if steps >= budget:
            return PAUSED
        first = progress[FIRST]
        second = first + 1
        while second < size and matrix[first, second] == 0:
            second += 1
        if second == size:
            progress[PRODUCT] = 0
            return EXHAUSTED
        if second > first + 1:
            progress[PRODUCT] = prime - progress[PRODUCT]
            for at in range(size):
                matrix[at, first + 1], matrix[at, second] = matrix[at, second], matrix[at, first + 1]
            for at in range(size):
                matrix[first + 1, at], matrix[second, at] = matrix[second, at], matrix[first + 1, at]
        progress[PRODUCT] = progress[PRODUCT] * matrix[first, first + 1] % prime
        inverted = _inverse(matrix[first, first + 1], prime)
        for row in range(first + 2, size):
            one = matrix[row, first + 1] * inverted % prime
            other = (prime - matrix[row, first]) * inverted % prime
            if one == 0 and other == 0:
                continue
            for column in range(first + 2, size):
                taken = one * matrix[first, column] % prime + other * matrix[first + 1, column] % prime
                matrix[row, column] = (matrix[row, column] + 2 * prime - taken) % prime
        steps += (size - first) * (size - first)
        progress[FIRST] += 2
    return EXHAUSTED


@kernel()
def invert(pattern: Pattern, values: Values, transposed: I64, times: int, prime: int, budget: int) -> int:
    """Compute the inverse within the pattern, `times` a number that may be 0, from row ROW - 1 upwards. For the rows from ROW on
    it is already there.

    `transposed` says for each of `columns` which of `before` it is.
    """
    starts, columns = pattern.starts, pattern.columns
    upper, lower, inverted, one, other = values.upper, values.lower, values.inverted, values.sums, values.more
    beyond, below, middle, counters = values.beyond, values.below, values.middle, values.counters
    mark = values.pivots  # No longer needed: which columns are in the row's pattern, as row + 1.
    steps = 0
    while counters[ROW] > 0:
        if steps >= budget:
            return PAUSED
        row = counters[ROW] - 1
        steps += 1
        for at in range(starts[row], starts[row + 1]):
            mark[columns[at]] = -1 - row
            one[columns[at]] = other[columns[at]] = 0
        for at in range(starts[row], starts[row + 1]):
            k = columns[at]
            right, down = upper[at], lower[transposed[at]]
            one[k] = (one[k] + right * middle[k]) % prime
            other[k] = (other[k] + down * middle[k]) % prime
        for at in range(starts[row], starts[row + 1]):
            k = columns[at]
            right, down = upper[at], lower[transposed[at]]
            there = at + 1  # Both lists ascend, and the row's list is a part of the other.
            steps += starts[k + 1] - starts[k]
            for pair in range(starts[k], starts[k + 1]):
                j = columns[pair]
                if mark[j] != -1 - row:
                    continue
                one[j] = (one[j] + right * beyond[pair]) % prime
                one[k] = (one[k] + upper[there] * below[pair]) % prime
                other[j] = (other[j] + down * below[pair]) % prime
                other[k] = (other[k] + lower[transposed[there]] * beyond[pair]) % prime
                there += 1
        total = 0
        for at in range(starts[row], starts[row + 1]):
            k = columns[at]
            beyond[at] = (prime - one[k]) * inverted[row] % prime
            below[at] = (prime - other[k]) % prime
            total += upper[at] * below[at] % prime
        middle[row] = (times + prime - total % prime) % prime * inverted[row] % prime
        counters[ROW] = row
    return EXHAUSTED
