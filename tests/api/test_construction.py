"""Boards and tiles from Python values: they ask what the same texts ask, where they lie and by their names."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import tiler
from tiler.errors import BadArgument, InputError

L = frozenset({(0, 0), (1, 0), (1, 1)})
MASK = np.array([[1, 0], [1, 1]])


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (lambda: tiler.make(np.ones((3, 4), bool), "2", MASK), ("4x3", "2", "3L")),
        (lambda: tiler.make({(r, c) for r in range(3) for c in range(4)}, (2, L), "2"), ("4x3", "2:3L", "2")),
        (lambda: tiler.make("xxx.\nxxxx\nxxxx", "1:pentominoes", ("1..2", MASK)), ("xxx./xxxx/xxxx", "1:pentominoes", "1..2:3L")),
        (lambda: tiler.make("4x3", "2", tiler.Tile("corner", L, at_most=2, at_least=1)), ("4x3", "2", "1..2:3L")),
        (lambda: tiler.make(np.ones((2, 3, 4)), "2", {(0, 0, 0), (0, 1, 0), (0, 1, 1)}), ("4x3x2", "2", "3L")),
        (lambda: tiler.make("hex:2", {(0, 0), (0, 1)}, lattice="hexagonal"), ("hex:2", "x.x")),
    ],
)
def test_the_same_is_asked(given: Callable[[], tiler.Instance], text: tuple[str, ...]) -> None:
    made = given()
    lattice = "hexagonal" if text[0].startswith("hex") else None
    assert made == tiler.make(*text, lattice=lattice)


def test_cells_and_names_stay() -> None:
    board = {(r, c) for r in range(5, 7) for c in range(-1, 3)}
    made = tiler.make(board, "2", tiler.Tile("corner", L))
    assert made.board == board
    assert [tile.name for tile in made.tiles] == ["2", "corner"]
    assert {cell for tiling in tiler.tilings(made, limit=1) for placement in tiling for cell in placement.cells} == board
    apart = tiler.make("3x1", {(0, 0), (0, 2)}, "1")  # Who gives cells means them.
    assert tiler.count(apart) == 2


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda: tiler.make(np.ones(3), "2"), "board: an array of shape (3,) is no mask"),
        (lambda: tiler.make(np.array([[1, 2]]), "2"), "board: an array of shape (1, 2) is no mask"),
        (lambda: tiler.make(np.zeros((2, 2)), "2"), "a mask has no cell"),
        (lambda: tiler.make({(0, 0), (1.5, 0)}, "2"), "board: (1.5, 0) is no cell, such as (0, 2)"),  # type: ignore
        (lambda: tiler.make({(0, 0), (0, 0, 1)}, "2"), "board: cells are (row, column), or all (layer, row, column)"),
        (lambda: tiler.make("2x2", (1.5, {(0, 0)})), "tiles: 1.5 is no number of copies"),  # type: ignore
        (lambda: tiler.make("2x2", [(0, 0)]), "tiles: [(0, 0)] is no text, no set of cells"),  # type: ignore
        (lambda: tiler.make("2x2", ("2..1", {(0, 0)})), "2..1"),
    ],
)
def test_what_is_none_is_refused(call: Callable[[], object], why: str) -> None:
    with pytest.raises((BadArgument, InputError)) as caught:
        call()
    assert why in str(caught.value)
