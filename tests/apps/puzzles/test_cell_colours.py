"""Colours of cells that leave one tiling, beside a search by brute force."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

import tiler
from tiler.errors import InputError
from tiler.formats.text import parse, write
from tiler.model.constraints import Constraint
from tiler.model.instance import Instance
from tiler.model.lattice import Cell

Piece = dict[Cell, str]  #: the cells of a piece, and the colour of each, or none: ""


def turned(piece: Piece) -> list[Piece]:
    """A piece in its four directions, its least cell at (0, 0)."""
    images = []
    for _ in range(4):
        piece = {(column, -row): colour for (row, column), colour in piece.items()}
        row, column = min(piece)
        image = {(a - row, b - column): colour for (a, b), colour in piece.items()}
        if image not in images:
            images.append(image)
    return images


def ways(board: Piece, pieces: list[Piece]) -> Iterator[frozenset[tuple[tuple[Cell, str], ...]]]:
    """The ways to lay all the pieces, that the colours allow; pieces that look alike are not told apart."""
    if not board:
        yield frozenset()
        return
    row, column = min(board)
    for n, piece in enumerate(pieces):
        for image in turned(piece):
            laid = {(a + row, b + column): colour for (a, b), colour in image.items()}
            if all(cell in board and (not colour or board[cell] in ("", colour)) for cell, colour in laid.items()):
                rest = {cell: colour for cell, colour in board.items() if cell not in laid}
                for others in ways(rest, [*pieces[:n], *pieces[n + 1 :]]):
                    yield others | {tuple(sorted(laid.items()))}


def number_of_ways(puzzle: Instance) -> int:
    """How many ways there are, by brute force."""
    of_board = dict(puzzle.ground.colours)
    board = {cell: of_board.get(cell, "") for cell in puzzle.board}
    pieces = []
    for tile in puzzle.tiles:
        colours = dict(tile.paint.front.colours)
        pieces += [{cell: colours.get(cell, "") for cell in tile.shape}] * tile.at_least
    return len(set(ways(board, pieces)))


PUZZLES = [
    (("3x4", "3L"), 1),
    (("4x4", "4L"), 0),
    (("3x2", "2"), 2),
    (("4x4", "1:1", "1:5L", "1:5V", "1:5P"), 0),
]


@pytest.mark.parametrize(("asked", "seed"), PUZZLES)
def test_colours_leave_one_tiling(asked: tuple[str, ...], seed: int) -> None:
    puzzle = tiler.unique(tiler.make(*asked), cell_colours=3, seed=seed)
    made = puzzle.instance
    assert not puzzle.fixed
    assert not made.constraints
    assert len({colour for _, colour in made.ground.colours}) <= 3
    assert tiler.count(made, up_to_symmetry=True) == 1
    assert tiler.count(made) == number_of_ways(made) >= 1
    assert len(puzzle.solution) == sum(tile.at_least for tile in made.tiles)
    assert parse(write(made)) == made


def test_the_wanted_tiling_stays() -> None:
    wanted = Constraint("place", "2", ((0, 1), (0, 2)))
    puzzle = tiler.unique(replace(tiler.make("3x2", "2"), constraints=(wanted,)), cell_colours=3)
    assert frozenset({(0, 1), (0, 2)}) in {placement.cells for placement in puzzle.solution}


def test_without_need_nothing_is_coloured() -> None:
    assert not tiler.unique(tiler.make("3x3", "1:5V", "1:4O"), cell_colours=2).instance.is_painted


def test_pieces_in_space() -> None:
    puzzle = tiler.unique(tiler.make("2x2x2", "2"), cell_colours=3)
    assert tiler.count(puzzle.instance, up_to_symmetry=True) == 1


def test_what_cannot_be_coloured() -> None:
    problem = tiler.make("4x4", "2")
    with pytest.raises(InputError, match="8 colours at most"):
        tiler.unique(problem, cell_colours=9)
    with pytest.raises(InputError, match="more colours than 1"):
        tiler.unique(problem, cell_colours=1)
    with pytest.raises(InputError, match="different puzzles"):
        tiler.unique(problem, cell_colours=2, side_marks=2)
    painted = tiler.unique(tiler.make("3x2", "2"), cell_colours=2).instance
    with pytest.raises(InputError, match="without colours"):
        tiler.unique(painted, cell_colours=2)
