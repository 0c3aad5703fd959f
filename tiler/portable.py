"""NumPy's functions whose results or arguments have the width of an address, made the same on every machine: numbers have 64 bits
here. In a web page an address has 32 bits; there NumPy makes and counts in 32 bits, and refuses to index by 64."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Scalar = TypeVar("Scalar", bound=np.generic)


def arange(*limits: Any) -> NDArray[np.int64]:
    """The numbers from a first one (0) to before a last one, in steps (of 1), as `numpy.arange`."""
    return np.arange(*limits, dtype=np.int64)


def repeat(values: NDArray[Scalar], counts: ArrayLike, axis: int | None = None) -> NDArray[Scalar]:
    """Each value as many times as its count says, or all as one number says, as `numpy.repeat`."""
    return np.repeat(values, np.asarray(counts).astype(np.intp, copy=False), axis=axis)


def bincount(keys: NDArray[Any], weights: ArrayLike | None = None, minlength: int = 0) -> NDArray[np.int64]:
    """How often each number from 0 on occurs, or the sums of whole `weights`, as `numpy.bincount`."""
    return np.bincount(keys.astype(np.intp, copy=False), weights, minlength).astype(np.int64, copy=False)


def reduceat(function: np.ufunc, values: NDArray[Any], starts: NDArray[Any], axis: int = 0) -> NDArray[Any]:
    """The values of each part, which begin at `starts`, reduced to one, as the method of that name of a function of NumPy."""
    reduced: NDArray[Any] = function.reduceat(values, starts.astype(np.intp, copy=False), axis=axis)
    return reduced


def cumsum(values: ArrayLike) -> NDArray[np.int64]:
    """The sums of whole numbers or marks up to each one, as `numpy.cumsum`."""
    return np.cumsum(values, dtype=np.int64)


def starts_of(sizes: ArrayLike) -> NDArray[np.int64]:
    """Where lists of these sizes begin, one behind the other; and where the last one ends.

    >>> starts_of([2, 0, 3]).tolist()
    [0, 2, 2, 5]
    """
    return np.concatenate([np.zeros(1, np.int64), cumsum(sizes)])


def ranges(first: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Ranges of consecutive numbers, one behind the other, each with its first number and its size.

    >>> ranges(np.array([7, 1]), np.array([2, 3])).tolist()
    [7, 8, 1, 2, 3]
    """
    starts = starts_of(sizes)
    return np.asarray(arange(starts[-1]) + repeat(first - starts[:-1], sizes))


def flatnonzero(values: ArrayLike) -> NDArray[np.int64]:
    """Where the values are that are not zero, as `numpy.flatnonzero`."""
    return np.flatnonzero(values).astype(np.int64, copy=False)


def lexsort(keys: Any) -> NDArray[np.int64]:
    """The order by the last key, among equals by the one before it, and so on, as `numpy.lexsort`."""
    return np.lexsort(keys).astype(np.int64, copy=False)


def distinct(values: NDArray[Scalar]) -> NDArray[Scalar]:
    """The distinct values in ascending order, as `numpy.unique`, which loads `numpy.ma` first: a tenth of a small question."""
    ordered = np.sort(values, axis=None)
    is_new = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=is_new[1:])
    return ordered[is_new]
