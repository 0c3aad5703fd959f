"""How hard puzzles are for people, beside puzzles that were graded by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest
from commands import call

import tiler
from tiler.apps.puzzles.grade import Grade, grade
from tiler.errors import InputError
from tiler.model.instance import Instance
from tiler.process.cancellation import Stopped


def graded(problem: Instance) -> Grade:
    found = grade(problem)
    assert found is not None
    return found


def test_pieces_that_are_forced() -> None:
    assert graded(tiler.make("1x3", "3I")) == Grade(1, 0, (0, 0), ())
    # A board like an L: the straight piece fits its long arm only, and then the domino is forced.
    assert graded(tiler.make({(0, 0), (1, 0), (2, 0), (2, 1), (2, 2)}, "1:3I", "1:2")).level == "easy"


def test_free_choices_are_no_guesses() -> None:
    # At the left end lies the domino or the tromino; both lead to a tiling, and the other one is forced.
    assert graded(tiler.make("1x5", "1:2", "1:3I")) == Grade(1, 1, (0, 0), ())
    # Both dominoes in a corner of 2x2 do.
    assert graded(tiler.make("2x2", "2")) == Grade(1, 1, (0, 0), ())


def test_clues_are_no_forced_pieces() -> None:
    puzzle = tiler.unique(tiler.make("2x2", "2"))
    assert len(puzzle.fixed) in (0, 1)
    assert graded(puzzle.instance).forced + graded(puzzle.instance).free == 2 - len(puzzle.fixed)


def test_one_step_ahead() -> None:
    # Each corner can be covered in three ways, and one of them leaves a cell alone. Of the others, both lead to a tiling.
    found = graded(tiler.make("2x3", "2:3L"))
    assert found == Grade(1, 1, (1, 0), ())
    assert found.sentence == "medium: 1 piece forced, 1 free, 1 ruled out one step ahead"


def test_two_steps_ahead() -> None:
    assert graded(tiler.make("3x4", "1:2", "2:3I", "1:4L")) == Grade(1, 3, (2, 1), ())


def test_guesses_have_the_odds_of_all_tilings() -> None:
    # One tiling up to symmetry: eight images. U has 20 places, and eight of them are right.
    found = graded(tiler.make("5x5", *(f"1:5{name}" for name in "NPUYZ"), reflections=True))
    assert (found.guesses, found.tries, found.level) == (((8, 20),), Fraction(5, 2), "hard")


@pytest.mark.parametrize("name", ["calendars/a-puzzle-a-day_s", "classic/soma_s"])
def test_every_piece_is_laid_once(name: str) -> None:
    problem = tiler.read(name)
    found = graded(problem)
    assert found.forced + found.free + len(found.guesses) == sum(tile.at_most or 0 for tile in problem.tiles)
    assert found.level == "expert"


def test_there_is_no_grade_without_a_tiling() -> None:
    assert grade(tiler.make("4x5", "1:tetrominoes")) is None


def test_it_can_be_ended() -> None:
    with pytest.raises(Stopped):
        grade(tiler.make("2x3", "2:3L"), on_tick=lambda progress: False)


def test_sets_of_a_level(capsys: pytest.CaptureFixture[str]) -> None:
    code, said, _ = call(capsys, "choose", "5x5", "--from", "pentominoes", "--pieces", "5", "--level", "medium")
    assert code == 0
    assert "5F 5L 5P 5U 5X        8     49         289  medium" in said
    assert "; 2 with the level medium" in said
    with pytest.raises(InputError, match="depends on the cells that stay open"):
        tiler.choose(tiler.make("3x3", "1..1:2", "1:1", open=1), all_open=True, level="easy")
