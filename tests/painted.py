"""Small instances with marks on the sides of tiles, drawn at random so that most have a tiling."""

from __future__ import annotations

from itertools import product
from random import Random

from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Lattice
from tiler.model.lattices import CUBIC, HEXAGONAL, SQUARE, TRIANGULAR
from tiler.model.paint import CellSide, Ground, Paint, border_of, coat_of
from tiler.model.tile import Tile
from tiler.model.wrap import Wrap, wrap_of

MATES = (("in", "out"),)
MARKS = ("red", "blue", "in", "out")


def drawn(seed: int, cells: int = 7) -> Instance:
    """Pieces cut out of a board with marks drawn on its sides, not all of which the tiles keep; on four lattices and on tori,
    with mates, with conditions on the border, with tiles that look different from behind, with cells that may stay open."""
    chance = Random(seed)
    lattice = [SQUARE, SQUARE, HEXAGONAL, TRIANGULAR, CUBIC, SQUARE][seed % 6]
    wrap = wrap_of([(2, chance.randrange(2)), (0, 3)]) if seed % 6 == 5 else Wrap()
    board = (
        _board(lattice, chance, 5 if lattice is CUBIC else cells)
        if not wrap
        else [(r, c) for r, c in product(range(2), range(wrap.vectors[1][1]))]
    )
    mates = dict(MATES) | {b: a for a, b in MATES}
    marks: dict[CellSide, str] = {}
    for cell in board:
        for beyond in lattice.neighbours(cell):
            home = wrap.reduce(beyond) if wrap else beyond
            back = tuple(a - b + c for a, b, c in zip(cell, beyond, home, strict=True))
            mark = chance.choice(MARKS[: 2 + seed // 7 % 3])
            marks.setdefault(CellSide(cell, beyond), mark)
            marks.setdefault(CellSide(home, back), mates.get(marks[CellSide(cell, beyond)], marks[CellSide(cell, beyond)]))
    tiles = []
    for number, piece in enumerate(_pieces(lattice, board, chance)):
        on = {
            side: mark
            for side, mark in marks.items()
            if side.cell in piece and side.beyond not in piece and chance.random() < (0.9 if seed % 4 else 0.5)
        }
        front = coat_of({}, on)
        back = coat_of({}, {side: chance.choice(MARKS) for side in on}) if lattice.dimension == 2 and seed % 5 == 0 else front
        copies = (0, None) if chance.random() < 0.1 else (1, 1)
        tiles.append(
            Tile(f"t{number}", frozenset(piece), at_least=copies[0], at_most=copies[1], lattice=lattice, paint=Paint(front, back))
        )
    border: tuple[tuple[CellSide, tuple[str, ...]], ...] = ()
    if seed % 3 == 0 and not wrap:
        sides = border_of(lattice, wrap, frozenset(board))
        border = tuple((side, tuple(sorted({marks[side], "red"}))) for side in sides if chance.random() < 0.5)
    optional = frozenset(cell for cell in board if seed % 4 == 3 and chance.random() < 0.15)
    return Instance(
        frozenset(board),
        tuple(tiles),
        chance.random() < 0.5,
        lattice=lattice,
        wrap=wrap,
        optional=optional,
        ground=Ground(border=border, mates=MATES),
    )


def _board(lattice: Lattice, chance: Random, cells: int) -> list[Cell]:
    """A box, or so many cells grown from one."""
    if lattice is SQUARE and chance.random() < 0.7:
        return list(product(range(2), range(chance.choice([3, 4]))))
    found = [lattice.residues[0]]
    while len(found) < cells:
        around = sorted({beyond for cell in found for beyond in lattice.neighbours(cell)} - set(found))
        found.append(chance.choice(around))
    return found


def _pieces(lattice: Lattice, board: list[Cell], chance: Random) -> list[list[Cell]]:
    left, pieces = set(board), []
    while left:
        piece = [min(left)]
        for _ in range(chance.randint(1, 2)):
            around = sorted({beyond for cell in piece for beyond in lattice.neighbours(cell)} & left - set(piece))
            if around:
                piece.append(chance.choice(around))
        left -= set(piece)
        pieces.append(piece)
    return pieces
