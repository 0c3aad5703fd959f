"""Look for features (predicates.py) in blocks of tilings, rows of options that end with -1, by arrays: facts about options, cells
and points are computed once. Only whether pieces come apart is asked of one tiling at a time (filtered_search.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.cover.board import BoardCover
from tiler.model.lattice import Cell

Sieve = Callable[[NDArray[np.int32]], NDArray[np.bool_]]  #: marks the tilings of a block that have a feature, shape (tilings,)

_AT_ONCE = 1 << 18  # cells of tilings looked at in one step


def sieve(cover: BoardCover, names: Iterable[str]) -> Sieve:
    """Marks the tilings that have all these features."""
    sieves = [SIEVES[name](cover) for name in names]
    numbers = np.append(np.where(cover.fills, -1, portable.arange(len(cover))), -1).astype(np.int32)  # without fillers
    step = max(1, _AT_ONCE // max(1, len(cover.cells)))

    def marked(rows: NDArray[np.int32]) -> NDArray[np.bool_]:
        keep = np.ones(len(rows), np.bool_)
        for first in range(0, len(rows), step):
            some = keep[first : first + step]
            for has in sieves:
                some[some] = has(numbers[rows[first : first + step][some]])
        return keep

    return marked


def _has_no_fault(cover: BoardCover) -> Sieve:
    """A fault line (in space, a plane) runs between two rows of cells right through the board, and no piece lies across it."""
    places = np.array(cover.cells, np.int64)
    covered, starts = places[cover.members.values], cover.members.starts[:-1]
    least, most = portable.reduceat(np.minimum, covered, starts), portable.reduceat(np.maximum, covered, starts)
    board = frozenset(cover.cells)
    crossed = []  # for every line, the options across it; the last one, -1, is none
    for axis in range(places.shape[1]):
        for line in np.unique(places[:, axis])[1:].tolist():
            beyond = places[places[:, axis] == line]
            beyond[:, axis] -= 1
            if not board.isdisjoint(map(tuple, beyond.tolist())):
                crossed.append(np.append((least[:, axis] < line) & (line <= most[:, axis]), False))

    def has(rows: NDArray[np.int32]) -> NDArray[np.bool_]:
        keep = np.ones(len(rows), np.bool_)
        for across in crossed:
            keep[keep] = across[rows[keep]].any(axis=1)
        return keep

    return has


def _has_no_crossroads(cover: BoardCover) -> Sieve:
    """In no point four pieces meet, or more."""
    lattice, seam = cover.lattice, cover.instance.wrap.times(cover.lattice.fine)
    around: dict[Cell, list[int]] = {}
    for number, cell in enumerate(cover.cells):
        kind = lattice.residues.index(tuple(a % m for a, m in zip(cell, lattice.moduli, strict=True)))
        for corner in lattice.corners[kind]:
            point = tuple(lattice.fine * a + b for a, b in zip(cell, corner, strict=True))
            around.setdefault(seam.reduce(point), []).append(number)
    points = [cells for cells in around.values() if len(cells) > 3]

    def has(rows: NDArray[np.int32]) -> NDArray[np.bool_]:
        pieces = cover.pieces_by_cell(rows).T.copy()
        keep = np.ones(len(rows), np.bool_)
        for cells in points:
            number = np.zeros(len(rows), np.int8)
            for rank, cell in enumerate(cells):
                is_new = pieces[cell] > 0
                for before in cells[:rank]:
                    is_new &= pieces[cell] != pieces[before]
                number += is_new
            keep &= number < 4
        return keep

    return has


def _are_apart(cover: BoardCover) -> Sieve:
    """No two copies of a tile share a side."""
    reduce = cover.instance.wrap.reduce
    number_of = {reduce(cell): number for number, cell in enumerate(cover.cells)}
    beside = {
        (min(number, number_of[reduce(other)]), max(number, number_of[reduce(other)]))
        for number, cell in enumerate(cover.cells)
        for other in cover.lattice.neighbours(cell)
        if number_of.get(reduce(other), number) != number
    }

    def has(rows: NDArray[np.int32]) -> NDArray[np.bool_]:
        pieces = cover.pieces_by_cell(rows)
        tiles = np.pad(cover.tile[rows], ((0, 0), (1, 0)))
        tile = np.take_along_axis(tiles, pieces.astype(np.int64), axis=1).T.copy()
        piece = pieces.T.copy()
        wrong = np.zeros(len(rows), np.bool_)
        for one, two in beside:
            wrong |= (tile[one] == tile[two]) & (piece[one] != piece[two]) & (piece[one] > 0) & (piece[two] > 0)
        return ~wrong

    return has


#: By the names of features.
SIEVES: Mapping[str, Callable[[BoardCover], Sieve]] = {
    "fault-free": _has_no_fault,
    "no-crossroads": _has_no_crossroads,
    "apart": _are_apart,
}
