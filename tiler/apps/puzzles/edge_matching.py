"""Make edge-matching puzzles with one solution: sets of squares with marks on their sides, drawn at random until the set can be
laid in one way, up to symmetry. Each set is cut out of a board with marks drawn for all sides, so that every set has a solution.
"""

from __future__ import annotations

import random
import string
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from tiler.errors import InputError
from tiler.formats import inline
from tiler.model.instance import Instance
from tiler.model.lattice import Cell
from tiler.model.tile import Placements

MOST = len(string.ascii_lowercase)  #: the most marks
_SIDES = ((-1, 0), (0, 1), (1, 0), (0, -1))  # clockwise from the top, as marks are written


def draw(board: Instance, marks: int, *, pairs: bool, chance: random.Random) -> Instance:
    """A set of squares for the board, with this number of marks; in pairs a mark fits another, written as its capital letter.

    InputError if the board has other cells than squares, or if there are tiles.
    """
    if not board.has_boxes or board.dimension != 2 or board.tiles or board.optional:
        raise InputError("--side-marks draws squares for a board of squares alone, all of whose cells are covered")
    if marks > MOST:
        raise InputError(f"--side-marks: {MOST} marks at most")
    letters = string.ascii_lowercase[:marks]
    drawn: dict[tuple[Cell, Cell], str] = {}
    for cell in sorted(board.board):
        for side in _SIDES:
            beyond = (cell[0] + side[0], cell[1] + side[1])
            if (cell, beyond) not in drawn:
                mark = chance.choice(letters)
                own, other = chance.sample([mark, mark.upper()], 2) if pairs else (mark, mark)
                drawn[cell, beyond], drawn[beyond, cell] = own, other
    squares = Counter(
        _least("".join(drawn[cell, (cell[0] + down, cell[1] + right)] for down, right in _SIDES)) for cell in board.board
    )
    mates = ", ".join(f"{letter} {letter.upper()}" for letter in letters) if pairs else None
    tiles = inline(["1x1", *(f"{copies}..{copies}:1x1 [{square}]" for square, copies in sorted(squares.items()))], mates=mates)
    named = tuple(replace(tile, name=square) for tile, square in zip(tiles.tiles, sorted(squares), strict=True))
    ground = replace(board.ground, mates=tiles.ground.mates)
    return replace(
        board, tiles=named, ground=ground, reflections=False, name=f"{board.heading}, {marks} marks{' in pairs' * pairs}"
    )


def single(
    board: Instance,
    marks: int,
    *,
    pairs: bool,
    chance: random.Random,
    two: Callable[[Instance], tuple[Placements, ...] | None],
) -> tuple[Instance, Placements, int]:
    """The first set that is drawn with a single solution, the solution, and how many sets were drawn. `two` says up to two
    tilings, up to symmetry."""
    number = 0
    while True:
        number += 1
        made = draw(board, marks, pairs=pairs, chance=chance)
        tilings = two(made)
        if tilings is not None and len(tilings) == 1:
            return made, tilings[0], number


def _least(square: str) -> str:
    """The marks of a square, turned so that equal squares are written alike."""
    return min(square[turn:] + square[:turn] for turn in range(4))
