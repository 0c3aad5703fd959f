"""Fill orders: in which order to cover the cells so that the frontier stays short.

The frontier at a cell are the open cells beside covered ones when all cells before it are covered. Up to 2 ** length profiles
arise there, so the sum of these over all cells estimates the work of an order.
"""

from __future__ import annotations

from collections import deque
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from tiler.cover import Csr, ExactCover

Order = NDArray[np.int64]  #: shape (cells,): the rank of each cell

#: Orders that a spec can name, besides `auto`, the best of all.
KINDS = ("axes", "diagonal", "breadth")

_MAX_BREADTH = 20_000  # cells up to which orders of kind breadth are tried: they are found cell by cell


def adjacency(cover: ExactCover) -> Csr:
    """The neighbours of every cell, as numbers of cells."""
    where = np.array(cover.cells, np.int64)
    low = where.min(0)
    # With a margin, so that a step never wraps round an edge; in ascending order, as the cells are.
    strides = np.cumprod([1, *(where.max(0) - low + 3)[:0:-1]])[::-1]
    code = (where - low + 1) @ strides
    owners, others = [], []
    for step in [*strides, *-strides]:
        at = np.minimum(np.searchsorted(code, code + step), len(code) - 1)
        found = np.flatnonzero(code[at] == code + step)
        owners.append(found)
        others.append(at[found])
    owner, other = np.concatenate(owners), np.concatenate(others)
    starts = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=len(code)))]).astype(np.int64)
    return Csr(starts, other[np.lexsort((other, owner))].astype(np.int32))


def choose(cover: ExactCover, around: Csr, kind: str = "auto") -> Order:
    """The order of a kind with the least estimate."""
    kinds = (kind,) if kind != "auto" else _promising(cover)
    found = [rank for name in kinds for rank in _orders(cover, around, name)]
    return min(found, key=lambda rank: effort(rank, around))


def effort(rank: Order, around: Csr) -> float:
    """log2 of the estimated number of profiles of an order."""
    cells = len(rank)
    owner = np.repeat(np.arange(cells), np.diff(around.starts))
    earliest = rank.copy()
    np.minimum.at(earliest, owner, rank[around.values])
    # Cell c is on the frontier of every position from after its earliest neighbour to its own.
    change = np.bincount(earliest + 1, minlength=cells + 2) - np.bincount(rank + 1, minlength=cells + 2)
    length = np.cumsum(change).astype(np.float64)
    return float(np.logaddexp2.reduce(length))


def _promising(cover: ExactCover) -> tuple[str, ...]:
    where = np.array(cover.cells, np.int64)
    sides = where.max(0) - where.min(0) + 1
    if int(sides.prod()) == len(where):
        return ("axes",)  # On a full box no order is better than along its shortest sides.
    return KINDS if len(where) <= _MAX_BREADTH else ("axes", "diagonal")


def _orders(cover: ExactCover, around: Csr, kind: str) -> list[Order]:
    where = np.array(cover.cells, np.int64)
    if kind == "axes":
        return [_ranked(*where.T[list(axes)]) for axes in permutations(range(where.shape[1]))]
    if kind == "diagonal":
        signs = [(1, *rest) for rest in product((1, -1), repeat=where.shape[1] - 1)]
        return [_ranked(where @ np.array(sign), *where.T) for sign in signs]
    return [_breadth(around, end) for end in (False, True)]


def _ranked(*keys: NDArray[np.int64]) -> Order:
    """By the first key, ties by the next."""
    rank = np.empty(len(keys[0]), np.int64)
    rank[np.lexsort(keys[::-1])] = np.arange(len(rank))
    return rank


def _breadth(around: Csr, from_end: bool) -> Order:
    """Breadth first through every part of the board from a cell far out, cells with few neighbours first (Cuthill-McKee 1969)."""
    lists = around.lists()
    seen: set[int] = set()
    order: list[int] = []
    for start in reversed(range(len(lists))) if from_end else range(len(lists)):
        if start not in seen:
            far = _walk(lists, _walk(lists, start)[-1])[-1]
            part = _walk(lists, far)
            seen.update(part)
            order += part
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return rank


def _walk(lists: list[list[int]], start: int) -> list[int]:
    queue, reached, walked = deque([start]), {start}, []
    while queue:
        cell = queue.popleft()
        walked.append(cell)
        for other in sorted(lists[cell], key=lambda each: len(lists[each])):
            if other not in reached:
                reached.add(other)
                queue.append(other)
    return walked
