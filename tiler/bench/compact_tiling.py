"""Write a tiling in a few bytes, for the picture beside its record: a letter for each cell."""

from __future__ import annotations

from collections.abc import Sequence

from tiler.model.instance import Instance
from tiler.model.tile import Placement
from tiler.render import colours

MOST_CELLS = 2000  #: the most cells of the box around a board whose tilings are kept
_OPEN, _NONE = ".", " "
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def letters(instance: Instance, tiling: Sequence[Placement]) -> str | None:
    """The rows of the board, joined by `/`, a letter for each cell: pieces that share a side have different ones, `.` is a cell
    that stays open, a blank none. None for boards that are not of squares in a plane, and for large ones.
    """
    if not instance.has_boxes or instance.lattice.name != "square":
        return None
    rows, columns = (range(min(numbers), max(numbers) + 1) for numbers in zip(*instance.board, strict=True))
    numbers = colours.assign(instance.lattice, tiling)
    if len(rows) * len(columns) > MOST_CELLS or max(numbers, default=0) >= len(_LETTERS):
        return None
    found = dict.fromkeys(instance.board, _OPEN)
    found |= {cell: _LETTERS[number] for placement, number in zip(tiling, numbers, strict=True) for cell in placement.cells}
    return "/".join("".join(found.get((row, column), _NONE) for column in columns) for row in rows)
