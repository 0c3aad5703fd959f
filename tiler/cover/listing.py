"""Listing placements: every position at which every variant of every tile lies on a board, by vectors of the board's cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler.cover.csr import Csr, Ints
from tiler.errors import InputError
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Shape, box
from tiler.model.tile import Tile
from tiler.process.look import Look, unhurried

#: The most placements, and cells covered by placements, that a cover may list.
MAX_PLACEMENTS = 20_000_000
MAX_ENTRIES = 100_000_000

#: The tile that covers optional cells which stay open.
FILLER = Tile("", frozenset({(0, 0)}))


class Listed(NamedTuple):
    """Placements by tile, then variant, then position; see `BoardCover` for the arrays."""

    tile: Ints
    variant: Ints
    offset: Ints
    members: Csr


def placements(instance: Instance, tiles: Sequence[Tile], cells: tuple[Cell, ...], look: Look = unhurried) -> Listed:
    """Where the tiles lie on the sorted cells of the instance's board; the filler lies on optional cells only.

    `look` is called at every cell of every variant, so that at most as many placements are looked at in between as there are
    cells. InputError if there are more than `MAX_PLACEMENTS`.
    """
    _refuse_too_many(instance, tiles)
    grid = _Grid.of(cells)
    tile, variant, offset, sizes, covered = [], [], [], [], []
    for t, each in enumerate(tiles):
        for v, shape in enumerate(instance.variants(each)):
            where, members = grid.placements(shape, look)
            if each is FILLER:
                optional = np.fromiter(map(instance.optional.__contains__, cells), np.bool_, len(cells))[members[:, 0]]
                where, members = where[optional], members[optional]
            tile.append(np.full(len(members), t, np.int32))
            variant.append(np.full(len(members), v, np.int32))
            offset.append(where)
            sizes.append(np.full(len(members), each.size, np.int64))
            covered.append(members.ravel())
    starts = np.concatenate([[0], np.cumsum(np.concatenate(sizes))]).astype(np.int64)
    return Listed(np.concatenate(tile), np.concatenate(variant), np.concatenate(offset), Csr(starts, np.concatenate(covered)))


@dataclass(frozen=True)
class _Grid:
    """The board as a flat array of cell numbers (-1: none), with a margin so that a tile never wraps round an edge."""

    strides: NDArray[np.int64]
    base: NDArray[np.int64]  # position of each cell in `number`
    number: Ints
    cells: Ints  # shape (cells, dimension)
    sides: tuple[int, ...]

    @classmethod
    def of(cls, cells: tuple[Cell, ...]) -> _Grid:
        where = coordinates(cells)
        low, high = where.min(0), where.max(0)
        sides = high - low + 1
        # A variant reaches less than `sides` beyond its first cell along each axis, in either direction but the first: the margin
        # before a row is also the one behind the row before.
        padded = 2 * sides
        strides = np.concatenate([np.cumprod(padded[::-1])[::-1][1:], [1]]).astype(np.int64)
        shift = sides.copy()
        shift[0] = 0
        base = (where - low + shift) @ strides
        number = np.full(int(padded.prod()), -1, np.int32)
        number[base] = np.arange(len(cells), dtype=np.int32)
        return cls(strides, base, number, where.astype(np.int32), tuple(sides.tolist()))

    def placements(self, shape: Shape, look: Look) -> tuple[Ints, Ints]:
        """Every offset at which a shape lies on the board, shape (n, dimension), and the cells covered there, shape (n, size)."""
        _, high = box(shape)
        form = np.array(sorted(shape), np.int64)
        if any(b >= side for b, side in zip(high, self.sides, strict=True)):
            return np.empty((0, form.shape[1]), np.int32), np.empty((0, len(form)), np.int32)
        # Anchored at its first cell; every other cell narrows down where it can lie.
        first = self.base
        alive = np.arange(len(first))
        steps = (form - form[0]) @ self.strides
        for step in steps[1:]:
            look()
            alive = alive[self.number[first[alive] + step] >= 0]
        first = first[alive]
        members = np.empty((len(alive), len(steps)), np.int32)
        for column, step in enumerate(steps):
            look()
            members[:, column] = self.number[first + step]
        return (self.cells[alive] - form[0]).astype(np.int32), members


def in_order(board: Shape, look: Look) -> tuple[Cell, ...]:
    """The cells of a board in ascending order; faster than comparing tuples."""
    look()
    cells = list(board)
    where = coordinates(cells)
    look()
    order = np.lexsort(where.T[::-1])
    look()
    return tuple(map(cells.__getitem__, order.tolist()))


def coordinates(cells: Sequence[Cell]) -> NDArray[np.int64]:
    """Shape (cells, dimension)."""
    dimension = len(cells[0])
    return np.fromiter(chain.from_iterable(cells), np.int64, dimension * len(cells)).reshape(-1, dimension)


def _refuse_too_many(instance: Instance, tiles: Sequence[Tile]) -> None:
    cells = len(instance.board)
    counts = [(len(instance.variants(tile)), tile.size) for tile in tiles if tile.size <= cells]
    placements = cells * sum(count for count, _ in counts)
    entries = cells * sum(count * size for count, size in counts)
    if placements > MAX_PLACEMENTS or entries > MAX_ENTRIES:
        raise InputError(
            f"too large: {cells:,} cells and {len(tiles)} tiles may have {placements:,} placements with {entries:,} cells; "
            f"the limits are {MAX_PLACEMENTS:,} and {MAX_ENTRIES:,}"
        )
