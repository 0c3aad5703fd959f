"""Read a general exact cover that is given as a matrix of 0 and 1: a row for each option, a column for each item."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tiler.errors import InputError

READ_BY_FROM_MATRIX = "write Cover.from_matrix(rows)"


class ZeroOne(Protocol):
    """A matrix of NumPy, or a sparse one of SciPy."""

    @property
    def shape(self) -> tuple[int, ...]: ...


def looks_like_one(rows: tuple[tuple[Hashable, ...], ...]) -> bool:
    """Whether rows look like a matrix: all of one length, two or more, with 0 and 1 alone."""
    lengths = {*map(len, rows)}
    return len(lengths) == 1 and lengths.pop() > 1 and {item for row in rows for item in row} <= {0, 1}


def columns_with_one(matrix: Any) -> tuple[list[list[int]], int]:
    """The columns with a 1 in each row of a matrix, and how many columns there are."""
    if isinstance(matrix, Mapping):
        raise InputError("a mapping is no matrix; give its rows: Cover.from_matrix(list(rows.values()))")
    if not hasattr(matrix, "shape"):
        matrix = _array(matrix)
    if len(matrix.shape) != 2:
        shape = tuple(matrix.shape)
        raise InputError(f"an array of shape {shape} is no matrix: it has a row for each option, a column for each item")
    if hasattr(matrix, "tocoo"):
        sparse = matrix.tocoo()
        places, values = np.array([sparse.row, sparse.col]), np.asarray(sparse.data)
    else:
        dense = np.asarray(matrix)
        places = np.array(np.nonzero(dense))
        values = dense[tuple(places)]
    wrong = values[(values != 0) & (values != 1)]
    if len(wrong):
        raise InputError(f"a matrix of an exact cover holds 0 and 1, not {wrong.tolist()[0]!r:.40}")
    rows: list[list[int]] = [[] for _ in range(matrix.shape[0])]
    for row, column in sorted(places.T[values != 0].tolist()):
        rows[row].append(column)
    return rows, int(matrix.shape[1])


def _array(rows: Sequence[Sequence[int]]) -> NDArray[Any]:
    """Rows of numbers as an array."""
    lengths = {*map(len, rows)}
    if len(lengths) != 1:
        several = f"rows of {min(lengths)} and of {max(lengths)} numbers" if lengths else "no rows"
        raise InputError(f"a matrix has rows of one length, not {several}")
    return np.array([list(row) for row in rows], object)
