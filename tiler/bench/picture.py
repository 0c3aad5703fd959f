"""A tiling in a few bytes, for the picture beside its record: a letter for each cell."""

from __future__ import annotations

from collections.abc import Sequence

from tiler.model.instance import Instance
from tiler.model.tile import Placement
from tiler.render import colours

MOST_CELLS = 1000  #: of a board whose tilings are kept
_OPEN = "."
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def letters(instance: Instance, tiling: Sequence[Placement]) -> str | None:
    """A letter for each cell of the board, row by row; pieces that share a side have different ones, `.` is a cell that stays
    open. None for boards that are not of squares in a plane, and for large ones.
    """
    is_flat = instance.has_boxes and instance.lattice.name == "square"
    if not is_flat or len(instance.board) > MOST_CELLS:
        return None
    numbers = colours.assign(instance.lattice, tiling)
    if max(numbers, default=0) >= len(_LETTERS):
        return None
    found = {cell: _LETTERS[number] for placement, number in zip(tiling, numbers, strict=True) for cell in placement.cells}
    return "".join(found.get(cell, _OPEN) for cell in sorted(instance.board))
