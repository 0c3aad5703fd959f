"""Many tilings at a time, as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tiler.amounts import counted
from tiler.api.answers.tiling import Tiling, drawn_together
from tiler.cover.board import BoardCover
from tiler.model.lattice import Cell, box
from tiler.model.tile import Placement
from tiler.question.events import Found


@dataclass(frozen=True, eq=False, repr=False)
class TilingBlock(Sequence[Tiling]):
    """Some tilings of an instance, all verified. As a sequence it has tilings, which are made when they are asked for.

    >>> import tiler
    >>> block = tiler.TilingSet.of(tiler.make("2x2", "2"))[:]
    >>> block, len(block[0])
    (TilingBlock(2 tilings), 2)
    >>> block.to_numpy().tolist()
    [[[1, 1], [2, 2]], [[1, 2], [1, 2]]]
    """

    options: NDArray[np.int32]  #: shape (tilings, most placements): numbers of placements; shorter rows end with -1
    _cover: BoardCover = field(repr=False)

    def __len__(self) -> int:
        return len(self.options)

    def __repr__(self) -> str:
        return f"TilingBlock({counted(len(self), 'tiling')})"

    def _repr_svg_(self) -> str | None:
        return drawn_together(self)

    def __iter__(self) -> Iterator[Tiling]:
        return (Tiling(self._cover.instance, self._cover.laid(row)) for row in Found(self.options))

    def __getitem__(self, number: int | slice) -> Tiling | TilingBlock:  # type: ignore[override]
        """The tiling of this number, from 0 on; or a block of some tilings."""
        if isinstance(number, slice):
            return TilingBlock(self.options[number], self._cover)
        row = self.options[number]
        return Tiling(self._cover.instance, self._cover.laid(row[row >= 0].tolist()))

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of the board in ascending order."""
        return self._cover.cells

    def placement(self, option: int) -> Placement:
        """The placement that has a number in `options`."""
        return self._cover.laid([int(option)])[0]

    def by_cell(self) -> NDArray[np.int32]:
        """Shape (tilings, cells), in the order of `cells`: a cell has the place of its placement in the row of `options`, from 1,
        or 0 if it is open."""
        return self._cover.pieces_by_cell(self.options)

    def to_numpy(self) -> NDArray[np.int32]:
        """The boards as arrays, as `Tiling.to_numpy` makes one: shape (tilings, rows, columns), in space (tilings, layers, rows,
        columns)."""
        low, high = box(self._cover.instance.board)
        array = np.zeros([len(self), *(b - a + 1 for a, b in zip(low, high, strict=True))], np.int32)
        array[:, *(self._cover.where - np.array(low)).T] = self.by_cell()
        return array
