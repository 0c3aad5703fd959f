"""Compute the Smith normal form of a small integer matrix, with both transforms, in exact integers.

It is for the rest that elimination leaves (elimination.py), some 0 to 16 rows, and not meant for large matrices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

IntegerMatrix = list[list[int]]


class Smith(NamedTuple):
    """rows @ matrix @ columns is diagonal, its entries not negative and each a divisor of the next (0 last)."""

    diagonal: list[int]  #: min(height, width) entries
    rows: IntegerMatrix
    columns: IntegerMatrix


def smith(matrix: IntegerMatrix, width: int, tick: Callable[[], None] = lambda: None) -> Smith:
    """The Smith normal form. `width` counts, since there may be no row; `tick` is called for every step.

    >>> smith([[2, 4], [6, 8]], 2).diagonal
    [2, 4]
    """
    work = [list(row) for row in matrix]
    height = len(work)
    rows, columns = _unit(height), _unit(width)
    for k in range(min(height, width)):
        while _improve(work, rows, columns, k):
            tick()
        if work[k : k + 1] and work[k][k] < 0:
            for table in (work, rows):
                table[k] = [-entry for entry in table[k]]
    return Smith([work[k][k] for k in range(min(height, width))], rows, columns)


def _improve(work: IntegerMatrix, rows: IntegerMatrix, columns: IntegerMatrix, k: int) -> bool:
    """One round on the matrix from row and column k on; False when entry k is alone and divides the rest."""
    found = [(abs(entry), i, j) for i, row in enumerate(work[k:], k) for j, entry in enumerate(row[k:], k) if entry]
    if not found:
        return False
    _, i, j = min(found)
    for table in (work, rows):
        table[k], table[i] = table[i], table[k]
    for row in (*work, *columns):
        row[k], row[j] = row[j], row[k]
    pivot = work[k][k]
    clean = True
    for i in range(k + 1, len(work)):
        factor = work[i][k] // pivot
        if factor:
            for table in (work, rows):
                table[i] = [a - factor * b for a, b in zip(table[i], table[k], strict=True)]
        clean &= not work[i][k]
    for j in range(k + 1, len(columns)):
        factor = work[k][j] // pivot
        if factor:
            for row in (*work, *columns):
                row[j] -= factor * row[k]
        clean &= not work[k][j]
    if not clean:
        return True
    for i in range(k + 1, len(work)):
        if any(entry % pivot for entry in work[i][k + 1 :]):
            # Bring what the pivot does not divide into its row: the next round finds a smaller pivot.
            for table in (work, rows):
                table[k] = [a + b for a, b in zip(table[k], table[i], strict=True)]
            return True
    return False


def _unit(size: int) -> IntegerMatrix:
    return [[int(i == j) for j in range(size)] for i in range(size)]
