"""Sets of squares whose sides match, beside a search by brute force."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import permutations, product

import pytest
from commands import call

import tiler
from tiler.apps.puzzles import edge_matching
from tiler.errors import InputError, Unfinished
from tiler.formats.text import write
from tiler.model.instance import Instance


def ways(squares: list[str], wide: int, *, pairs: bool) -> int:
    """How many ways there are to lay squares in rows so that all sides match; equal squares have no names."""

    def fits(one: str, other: str) -> bool:
        return one == (other.swapcase() if pairs else other)

    found = set()
    for order in set(permutations(squares)):
        turned = ([square[turn:] + square[:turn] for turn in range(4)] for square in order)
        for laid in product(*turned):
            beside = all(fits(laid[n][1], laid[n + 1][3]) for n in range(len(laid) - 1) if (n + 1) % wide)
            if beside and all(fits(laid[n][2], laid[n + wide][0]) for n in range(len(laid) - wide)):
                found.add(laid)
    return len(found)


def board(named: str) -> Instance:
    """A board alone."""
    return replace(tiler.make(named, "1"), tiles=())


@pytest.mark.parametrize(("seed", "pairs"), [(0, False), (1, True), (2, True)])
def test_a_set_has_a_single_solution(seed: int, pairs: bool) -> None:
    puzzle = tiler.unique(board("2x2"), side_marks=3, pairs=pairs, seed=seed)
    squares = [tile.name for tile in puzzle.instance.tiles for _ in range(tile.at_least)]
    assert len(squares) == 4
    assert ways(squares, 2, pairs=pairs) == tiler.count(puzzle.instance) <= 4
    assert tiler.count(puzzle.instance, up_to_symmetry=True) == 1
    assert f"{puzzle.drawn} set" in str(puzzle)
    assert write(tiler.unique(board("2x2"), side_marks=3, pairs=pairs, seed=seed).instance) == write(puzzle.instance)


def test_every_set_that_is_drawn_has_a_solution() -> None:
    for seed in range(5):
        drawn = edge_matching.draw(board("3x2"), 2, pairs=True, chance=random.Random(seed))
        assert sum(tile.at_least for tile in drawn.tiles) == 6
        assert tiler.count(drawn) > 0


def test_what_cannot_be_drawn() -> None:
    with pytest.raises(InputError, match="board of squares alone"):
        tiler.unique(tiler.make("3x3", "3I"), side_marks=3)
    with pytest.raises(InputError, match="26 marks at most"):
        tiler.unique(board("2x2"), side_marks=27)
    with pytest.raises(InputError, match="how many"):
        tiler.unique(tiler.make("3x3", "3I"), pairs=True)


def test_it_can_be_ended() -> None:
    with pytest.raises(Unfinished):
        tiler.unique(board("2x2"), side_marks=2, progress=lambda progress: False)


def test_pieces_of_ones_own_with_marks() -> None:
    # Two squares face each other with b; they lie at an end or in the middle.
    problem = tiler.make("4x1", "2..2:1x1 [aaab]", "2..2:1x1 [aaaa]", border="a")
    assert tiler.count(problem, up_to_symmetry=True) == 2
    puzzle = tiler.unique(problem)
    assert len(puzzle.fixed) == 1
    assert tiler.count(puzzle.instance, up_to_symmetry=True) == 1
    with pytest.raises(InputError, match="turned"):
        tiler.unique(tiler.make("2x1", "1:1x1 [aaab]", "1:1x1 [bbba]"))


def test_by_command(capsys: pytest.CaptureFixture[str]) -> None:
    code, said, _ = call(capsys, "unique", "2x2", "--side-marks", "3", "--pairs")
    assert (code, "had a single solution" in said) == (0, True)
