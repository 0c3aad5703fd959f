"""Choose fill orders: in which order to cover the cells so that the frontier stays short.

The frontier at a cell consists of the open cells that touch covered cells when all cells before that cell are covered. A frontier
of n cells has up to 2**n profiles. The sum of these numbers over all cells estimates the work of an order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.cover.board import BoardCover
from tiler.cover.csr import Csr
from tiler.process.cancellation import StopCheck, never_stop

Order = NDArray[np.int64]  #: shape (cells,): the rank of each cell

#: Orders that a spec can name, in addition to `auto`, the best of all.
KINDS = ("axes", "diagonal", "breadth")

_CELLS = 10_000  # cells visited between two looks at the clock
_MAX_BREADTH = 20_000  # cells of the largest board for which `auto` tries `breadth`, which goes cell by cell


def choose(cover: BoardCover, kind: str = "auto", check_stop: StopCheck = never_stop) -> Order:
    """The order of a kind with the least estimated work."""
    return candidates(cover, kind, check_stop)[0]


def candidates(cover: BoardCover, kind: str = "auto", check_stop: StopCheck = never_stop) -> list[Order]:
    """The best order of each kind, the least estimate first, without duplicates. `auto` stands for all kinds worth trying."""
    for derived in ("where", "beside", "neighbours"):
        getattr(cover, derived)
        check_stop()
    around = cover.neighbours
    kinds = (kind,) if kind != "auto" else _promising(cover)
    best: list[tuple[float, int, Order]] = []
    for number, name in enumerate(kinds):
        found: list[tuple[float, int, Order]] = []
        for rank in _orders(cover, name, check_stop):
            check_stop()
            found.append((effort(rank, around), number, rank))
            check_stop()
        best.append(min(found, key=lambda each: each[0]))
    best.sort(key=lambda each: each[:2])
    return [rank for i, (_, _, rank) in enumerate(best) if not any((rank == other).all() for _, _, other in best[:i])]


def effort(rank: Order, around: Csr) -> float:
    """The binary logarithm of the estimated number of profiles of an order."""
    cells = len(rank)
    owner = portable.repeat(portable.arange(cells), np.diff(around.starts))
    earliest = rank.copy()
    np.minimum.at(earliest, owner, rank[around.values])
    # A cell is on the frontier of every position after that of its earliest neighbour, up to its own.
    change = portable.bincount(earliest + 1, minlength=cells + 2) - portable.bincount(rank + 1, minlength=cells + 2)
    length = portable.cumsum(change).astype(np.float64)
    return float(np.logaddexp2.reduce(length))


def _promising(cover: BoardCover) -> tuple[str, ...]:
    where = cover.where
    sides = where.max(0) - where.min(0) + 1
    if int(sides.prod()) == len(where):
        return ("axes",)  # On a full box no order is better than along its shortest sides.
    return KINDS if len(where) <= _MAX_BREADTH else ("axes", "diagonal")


def _orders(cover: BoardCover, kind: str, check_stop: StopCheck) -> Iterator[Order]:
    where = cover.where
    if kind == "axes":
        for axes in permutations(range(where.shape[1])):
            yield _ranked(*where.T[list(axes)])
    elif kind == "diagonal":
        for signs in product((1, -1), repeat=where.shape[1] - 1):
            yield _ranked(where @ np.array([1, *signs]), *where.T)
    else:
        for end in (False, True):
            yield _breadth(cover.neighbours, end, check_stop)


def _ranked(*keys: NDArray[np.int64]) -> Order:
    """The rank of each cell when cells are sorted by the first key, and ties by the next key."""
    rank = np.empty(len(keys[0]), np.int64)
    rank[np.lexsort(keys[::-1])] = portable.arange(len(rank))
    return rank


def _breadth(around: Csr, from_end: bool, check_stop: StopCheck) -> Order:
    """The order of a breadth-first search through each part of the board, from a cell far from its middle. The neighbours of a
    cell are visited in the order of how many neighbours they have, the fewest first (Cuthill and McKee 1969)."""
    lists = around.lists()
    seen: set[int] = set()
    order: list[int] = []
    for start in reversed(range(len(lists))) if from_end else range(len(lists)):
        if start not in seen:
            far = _walk(lists, _walk(lists, start, check_stop)[-1], check_stop)[-1]
            part = _walk(lists, far, check_stop)
            seen.update(part)
            order += part
    rank = np.empty(len(order), np.int64)
    rank[order] = portable.arange(len(order))
    return rank


def _walk(lists: list[list[int]], start: int, check_stop: StopCheck) -> list[int]:
    queue, reached, walked = deque([start]), {start}, []
    while queue:
        cell = queue.popleft()
        walked.append(cell)
        if len(walked) % _CELLS == 0:
            check_stop()
        for other in sorted(lists[cell], key=lambda each: len(lists[each])):
            if other not in reached:
                reached.add(other)
                queue.append(other)
    return walked
