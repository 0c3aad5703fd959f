"""Kernels that take and give back whatever kernels can, for tests of how they are called."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tiler.backends.frontier.shared.kernel_profiles import add_words
from tiler.kernels import inner, kernel
from tiler.kernels.arrays import I64, U64_2, Bool
from tiler.kernels.inner import population, seldom, trailing_zeros


class Parts(NamedTuple):
    """Arrays and numbers."""

    numbers: I64
    words: U64_2
    marks: Bool
    factor: int
    turned: bool


@inner()
def raised(number: int) -> int:
    if number > 9:
        raise ValueError("more than nine")
    return number


@kernel()
def total(parts: Parts, more: I64, least: int) -> int:
    """Of all that there is, at least `least`; one is added to each of the numbers."""
    result = 0
    for i in range(parts.numbers.size):
        result += parts.numbers[i] * (-1 if parts.turned else 1)
        parts.numbers[i] += 1
    for row in range(parts.words.shape[0]):
        for column in range(parts.words.shape[1]):
            result += np.int64(parts.words[row, column]) * (column + 10 * row)
    for i in range(parts.marks.size):
        result += 1000 * int(parts.marks[i])
    for i in range(more.size):
        result += parts.factor * more[i]
    return max(least, result)


@kernel()
def wraps(word: np.uint64) -> np.uint64:
    return word * np.uint64(3)


@kernel()
def is_less(first: int, second: int) -> bool:
    return first < second


@kernel()
def enter(numbers: I64, place: int, number: int) -> None:
    numbers[place] = raised(number)


@kernel()
def quotient(number: int, by: int) -> int:
    return number // by


@kernel()
def add(rows: U64_2, into: int, row: int, first: int) -> bool:
    return add_words(rows, into, rows, row, first)


@kernel()
def population_of(word: np.uint64) -> int:
    return population(word)


@kernel()
def is_even(word: np.uint64) -> bool:
    even = False
    if seldom(word & np.uint64(1) == np.uint64(0)):
        even = True
    return even


@kernel()
def zeros_of(word: np.uint64) -> int:
    return int(trailing_zeros(word))
