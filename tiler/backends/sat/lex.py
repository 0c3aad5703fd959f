"""Break symmetries in the formula: of every orbit of tilings it keeps the one that is greatest in the order of placements.

For each symmetry g of the board a *lex-leader* says that a tiling x is not less than g(x). Both are read as rows of bits over the
placements, in the order of their literals (Crawford, Ginsberg, Luks and Roy, 1996): along the row, while x has been equal so far,
x has a 1 wherever g(x) has one. The row leaves out cells that stay open, because the placements decide them. It also leaves out
positions at which the two are equal because of the earlier conditions: for a turn by 180 degrees that is half of the row.

Copies that have names are also interchangeable: a copy must lie in a later position than the copy before it. This removes the
symmetry that naming made. It goes together with the first condition, which reads placements without looking at their tile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from tiler.backends.sat.formula import Formula
from tiler.cover.board import on_board
from tiler.cover.group_action import actions
from tiler.errors import BadOption

if TYPE_CHECKING:
    from tiler.cover.cover import Cover


def leaders(formula: Formula, cover: Cover, placed: Mapping[int, int]) -> int:
    """Add the lex-leaders of the board's group; `placed` has the literal of every option. Returns the number of symmetries
    broken."""
    board = on_board(cover, "symmetry=lex")
    turned, maps = actions(board)
    if (maps < 0).any():
        raise BadOption("symmetry=lex is for a whole cover: leave out filter= and anchor=, and --executor")
    options = sorted(cover.shown(range(len(cover))).tolist(), key=placed.__getitem__)
    place = {option: number for number, option in enumerate(options)}
    row = [placed[option] for option in options]
    cells = len(board.cells)
    some = {int(cover.tile[option]): option for option in options}  # for every tile with options one of them
    done = {tuple(range(len(options)))}
    for to, image in zip(turned.tolist(), maps.tolist(), strict=True):
        places = tuple(place[image[option]] for option in options)
        if places in done:
            continue  # On a narrow or a closely wrapped board, two symmetries may have the same effect.
        done.add(places)
        tiles = {tile: int(cover.tile[image[option]]) for tile, option in some.items()}
        with formula.group(leader=to[:cells], tiles=sorted(tiles.items())):
            _leader(formula, places, row)
    return len(done) - 1


def _leader(formula: Formula, image: Sequence[int], row: Sequence[int]) -> None:
    """Add the lex-leader of a symmetry that takes the placement in each position of a row of literals to another position."""
    same = list(range(len(image)))  # a forest of positions that are known to be equal if the row has been equal so far

    def root(position: int) -> int:
        while same[position] != position:
            same[position] = same[same[position]]
            position = same[position]
        return position

    equal: int | None = None  # a literal that is true if the row has been equal so far; None if it always has
    for position, other in enumerate(image):
        one, two = root(position), root(other)
        if one == two:
            continue
        same[two] = one
        mine, theirs = row[position], row[other]
        so_far = [] if equal is None else [-equal]
        formula.add(*so_far, mine, -theirs)
        further = formula.new()
        formula.add(*so_far, mine, further)
        formula.add(*so_far, -theirs, further)
        equal = further


def order_copies(formula: Formula, tile: str, rows: Sequence[Sequence[int]]) -> None:
    """Put the copies of a tile in the order of their positions. Variable i of row j (from 0) places copy j in position i + j."""
    for copy, (earlier, later) in enumerate(pairwise(rows), 1):
        with formula.group(tile=tile, before=copy):
            below: int | None = None
            for before, literal in zip(earlier, later, strict=False):
                # True only if the earlier copy lies in this position of its row or in an earlier one, which is before that of
                # `literal`.
                here = formula.new()
                formula.add(-here, before, *([] if below is None else [below]))
                formula.add(-literal, here)
                below = here
