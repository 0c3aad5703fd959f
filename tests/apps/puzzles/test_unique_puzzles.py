"""Puzzles with one solution: counted again, and none of what is fixed can be left out."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from brute_force import orbits
from commands import call

from tiler import formats
from tiler.apps.puzzles.unique_puzzles import UniqueQuestion, make
from tiler.ask.solve import solve
from tiler.errors import InputError
from tiler.model.expected import Expected, Status
from tiler.model.instance import Instance
from tiler.process.cancellation import Stopped
from tiler.question.question import Goal, Question

CALENDAR = """\
# title: Week
# labels: am pm
# labels: 1 2 3 4 5
# group: half am pm
# group: day 1..5

oo...
ooooo
xxxxx

1:5P
1:3L
1:2
"""


def orbits_of(instance: Instance) -> int | None:
    return solve(instance, "backtracking", Question(Goal.COUNT, up_to_symmetry=True)).result.count


@pytest.mark.parametrize("seed", range(4))
def test_fixed_pieces_leave_one_tiling_and_all_are_needed(seed: int) -> None:
    instance = formats.inline(["5x6", "3L", "2:3I"])
    puzzle = make(instance, UniqueQuestion(seed))
    assert puzzle is not None
    assert puzzle.fixed
    assert not puzzle.removed
    assert orbits_of(puzzle.instance) == 1
    assert set(puzzle.fixed) <= set(puzzle.tiling)
    for number in range(len(puzzle.fixed)):
        fewer = puzzle.instance.constraints[:number] + puzzle.instance.constraints[number + 1 :]
        assert orbits_of(replace(puzzle.instance, constraints=fewer)) != 1
    assert make(instance, UniqueQuestion(seed)) == puzzle


def test_cells_taken_out_leave_one_tiling() -> None:
    instance = formats.inline(["4x4", "1:4L", "1:4T", "1:4S"])
    puzzle = make(instance)
    assert puzzle is not None
    assert (len(puzzle.removed), puzzle.fixed) == (4, ())
    assert puzzle.instance.board == instance.board - puzzle.removed
    assert len(orbits(puzzle.instance)) == 1


def test_what_is_no_puzzle() -> None:
    assert make(formats.inline(["3x3", "2"])) is None
    with pytest.raises(InputError, match="exactly: --open"):
        make(formats.with_settings(formats.inline(["3x3", "2"]), {"open": "3"}))
    with pytest.raises(Stopped):
        make(formats.inline(["6x10", "1:pentominoes"]), on_tick=lambda progress: False)
    with pytest.raises(InputError, match="all 3 of the board would stay open"):
        make(formats.with_settings(formats.inline(["3x1", "1"]), {"open": "3..3"}))


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "unique", "4x4", "2")
    assert (status, "fixed:" in out, "difficulty: a search takes" in out) == (0, True, True)
    data = json.loads(call(capsys, "unique", "4x4", "2", "--format", "json")[1])
    assert data["tilings_per_placement"] == 1 / data["placements"]
    for form in ("text", "json", "problem"):
        said = "tiler: 3x3 2: there is no tiling, so no puzzle can be made\n"
        assert call(capsys, "unique", "3x3", "2", "--format", form) == (2, "", said)
    file = tmp_path / "puzzle.txt"
    assert call(capsys, "unique", "4x4", "2", "--format", "problem", "-o", str(file))[0] == 0
    assert "unique: the only tiling" in call(capsys, "solve", str(file), "--unique")[1]


def test_cells_with_labels_stay_open_and_keep_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    calendar, file = tmp_path / "calendar.txt", tmp_path / "puzzle.txt"
    calendar.write_text(CALENDAR)
    assert call(capsys, "unique", str(calendar), "--format", "problem", "-o", str(file))[0] == 0
    asked, puzzle = formats.read(calendar), formats.read(file)
    assert (puzzle.labels, puzzle.board) == (asked.labels, asked.board)
    assert [len(puzzle.optional & group.cells) for group in asked.groups] == [1, 1]
    said = " ".join(map(puzzle.called, sorted(puzzle.optional)))
    assert puzzle.heading == f"Week: {said}"
    assert call(capsys, "unique", str(calendar))[1].startswith(f"{said} stay open")
    assert json.loads(call(capsys, "unique", str(calendar), "--format", "json")[1])["labels"] == said.split()
    assert len(orbits(puzzle)) == 1


def test_a_puzzle_expects_its_own_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked, file = tmp_path / "asked.txt", tmp_path / "puzzle.txt"
    asked.write_text("# count: 36\n\n4x4\n\n2\n")
    assert call(capsys, "unique", str(asked), "--format", "problem", "-o", str(file))[0] == 0
    assert formats.read(file).about.expected == Expected(Status.SAT, 1, 1)
    assert call(capsys, "count", str(file)) == (0, "1\n", "")
