"""What an item of a board's cover is, for the comments of a CNF."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tiler.model.crossing import without_joints

if TYPE_CHECKING:
    from tiler.cover.board import BoardCover
    from tiler.model.lattice import Cell


def cell_of(cover: BoardCover, item: int) -> Cell | None:
    """The cell that an item is; None for a corner in which tiles must not cross."""
    lattice, cell = cover.lattice, cover.cells[item]
    return next(iter(without_joints(lattice, [cell])), None) if lattice.joints else cell
