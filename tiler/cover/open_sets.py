"""List the sets of cells that may stay open, judged only by areas and by how many cells of each group may stay open.

A tally counts the tilings for each such set. Compared with this list, it shows the sets that have no tiling.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from math import comb, prod

import numpy as np

from tiler.cover.board import BoardCover
from tiler.cover.bounds import is_reachable

MOST_SETS = 100_000  #: the largest number of sets that are listed


def number_of_sets(cover: BoardCover) -> int:
    """The number of sets of cells that may stay open."""
    return sum(prod(comb(len(cells), n) for cells, n in choice) for choice in _choices(cover))


def sets(cover: BoardCover) -> Iterator[tuple[int, ...]]:
    """Yield each of these sets, as numbers of cells in ascending order.

    >>> from tiler.formats import inline, with_settings
    >>> list(sets(BoardCover.of(with_settings(inline(["3x1", "2"]), {"open": "2"}))))
    [(0,), (1,), (2,)]
    """
    for choice in _choices(cover):
        for chosen in product(*(combinations(cells, n) for cells, n in choice)):
            yield tuple(sorted(cell for some in chosen for cell in some))


def _choices(cover: BoardCover) -> Iterator[list[tuple[list[int], int]]]:
    """The choices of how many cells of each filler stay open that leave an area which the tiles can have."""
    fillers = [t for t in cover.fillers if cover.areas[t]]
    cells = [np.sort(cover.members.values[cover.members.starts[cover.by_tile[t]]]).tolist() for t in fillers]
    numbers = [
        range(int(cover.lower[t]), min(int(cover.upper[t]), len(some)) + 1) for t, some in zip(fillers, cells, strict=True)
    ]
    tiles = slice(len(cover.names) - len(cover.fillers))
    bounds = cover.areas[tiles].tolist(), cover.lower[tiles].tolist(), cover.upper[tiles].tolist()
    for chosen in product(*numbers):
        if is_reachable(cover.area - sum(chosen), *bounds):
            yield list(zip(cells, chosen, strict=True))
