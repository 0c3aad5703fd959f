"""Number the cells of a lattice, so that arrays can be indexed by them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.model.lattice import Cell, Lattice
from tiler.model.wrap import Wrap


@dataclass(frozen=True)
class CellNumbers:
    """Numbers cells row by row, those of a unit one after the other, in the box around some cells with a margin before each row.

    Moving a shape by a translation adds the same number to the numbers of all its cells. The margin before a row is also the
    margin after the row before. The margin before the first row is at the end of an array of `size`, where negative numbers lead.
    """

    lattice: Lattice
    low: NDArray[np.int64]  #: the unit with the number 0
    strides: NDArray[np.int64]
    size: int  #: the number of numbers
    kinds: NDArray[np.int64]  #: for each residue its number within a unit, counted row by row

    @classmethod
    def of(cls, lattice: Lattice, cells: NDArray[np.int64], margin: Sequence[int] | None = None) -> CellNumbers:
        """The grid around some cells, shape (cells, dimension), with a margin along each axis, in units, or none."""
        units = cells // lattice.moduli if not lattice.is_every_vector else cells
        low, wide = units.min(0), np.array(margin or [0] * lattice.dimension, np.int64)
        padded = units.max(0) - low + 1 + wide
        wide[0] = 0
        strides = np.concatenate([np.cumprod(padded[::-1])[::-1][1:], [1]]).astype(np.int64) * lattice.kinds
        kinds = np.full(lattice.moduli, -1, np.int64)
        kinds[tuple(np.array(lattice.residues).T)] = portable.arange(lattice.kinds)
        # A step along the first axis and other axes together leads beyond the box, by less than a unit of the first axis.
        return cls(lattice, low - wide, strides, int(padded.prod() * lattice.kinds + strides[0] * bool(margin)), kinds.ravel())

    def number(self, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        """The numbers of cells within the box, its margins included; shape (cells,)."""
        if self.lattice.is_every_vector:
            return np.asarray((cells - self.low) @ self.strides)
        units, residues = np.divmod(cells, self.lattice.moduli)
        return np.asarray((units - self.low) @ self.strides + self.kinds[np.ravel_multi_index(residues.T, self.lattice.moduli)])

    def index(self, cells: NDArray[np.int64]) -> NDArray[np.int32]:
        """The inverse of `number` for some cells, shape (size,): for each number the place of its cell among these, or -1."""
        table = np.full(self.size, -1, np.int32)
        table[self.number(cells)] = np.arange(len(cells), dtype=np.int32)
        return table

    def steps(self) -> list[NDArray[np.int64]]:
        """For every kind of cell, the differences between the numbers of its neighbours and its own number, in ascending
        order."""
        return [
            np.array([np.array(unit) @ self.strides + other - kind for unit, other in of], np.int64)
            for kind, of in enumerate(self.lattice.steps)
        ]

    def colours(self, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        """The colours of cells on the checkerboard, shape (cells,): 1 or -1; 0 on a lattice without one."""
        if self.lattice.colours is None:
            return np.zeros(len(cells), np.int64)
        table = np.zeros((2,) * self.lattice.dimension + (self.lattice.kinds,), np.int64)
        for (unit, kind), colour in self.lattice.colours.items():
            table[(*unit, kind)] = colour
        return np.asarray(table[(*(cells // self.lattice.moduli % 2).T, self.number(cells) % self.lattice.kinds)])


@dataclass(frozen=True)
class CellFinder:
    """Finds cells on a board that may be wrapped."""

    grid: CellNumbers
    wrap: Wrap
    cell: NDArray[np.int32]  #: for each number in the grid, the place of the cell; -1 for none
    low: NDArray[np.int64]
    high: NDArray[np.int64]

    @classmethod
    def of(cls, lattice: Lattice, wrap: Wrap, cells: NDArray[np.int64]) -> CellFinder:
        """A finder of these cells, shape (cells, dimension), which are all different."""
        reduced = wrap.array(cells)
        grid = CellNumbers.of(lattice, reduced)
        return cls(grid, wrap, grid.index(reduced), reduced.min(0), reduced.max(0))

    def find(self, cells: NDArray[np.int64]) -> NDArray[np.int32]:
        """The places on the board of some cells, shape (n, dimension). Returns shape (n,); -1 for a cell that is not there."""
        reduced = self.wrap.array(cells)
        # A clipped vector may be no cell of the lattice: its number lies in the table still, or is -1, and is not used.
        there = ((reduced >= self.low) & (reduced <= self.high)).all(1)
        return np.where(there, self.cell[self.grid.number(reduced.clip(self.low, self.high))], np.int32(-1))


def coordinates(cells: Collection[Cell]) -> NDArray[np.int64]:
    """The coordinates of cells, shape (cells, dimension)."""
    dimension = len(next(iter(cells)))
    return np.fromiter(chain.from_iterable(cells), np.int64, dimension * len(cells)).reshape(-1, dimension)
