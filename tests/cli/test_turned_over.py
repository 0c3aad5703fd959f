"""Answers about chiral pieces say whether these could be turned over, and a command that finds pieces says how to solve them."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from commands import call

import tiler

NOT = "tiler: note: pieces were not turned over; --reflections allows it"
MAY = "tiler: note: pieces may be turned over\n"
FIVE = ("5x5", "1:5N", "1:5P", "1:5U", "1:5Y", "1:5Z")


@pytest.mark.parametrize(
    ("words", "note"),
    [
        (("count", "8x4", "4L"), NOT + "\n"),
        (("count", "8x4", "4L", "--reflections"), MAY),
        (("solve", "8x4", "4L", "--no-turning"), ""),
        (("count", "8x4", "2", "4O"), ""),
        (("count", "5x3", "1:pentominoes"), MAY),
        (("solve", "6x6", "4L"), NOT + "\n"),
        (("solve", *FIVE), NOT + ", and then there is a tiling\n"),
        (("solve", *FIVE, "--reflections"), MAY),
        (("prove", "6x6", "4L"), NOT + "\n"),
        (("sample", "8x4", "4L", "--seed", "1"), NOT + "\n"),
        (("series", "2xn", "4L"), NOT + "\n"),
        (("series", "2xn", "2"), ""),
        (("plane", "5F"), NOT + "\n"),
        (("hint", "8x4", "4L"), NOT + "\n"),
        (("unique", "4x4", "1:4L", "1:4T", "1:4S", "1:4L", "--reflections"), None),
        (("apart", "2x2x2", "2:4branch"), ""),
        (("count", "3x3x3", "1:soma"), "tiler: note: pieces were not mirrored; --reflections allows it\n"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_it_is_said(words: tuple[str, ...], note: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    _, _, err = call(capsys, *words)
    assert err == note or (note is None and "\n" in err)


def test_it_is_in_json_and_in_python(capsys: pytest.CaptureFixture[str]) -> None:
    for words, over in ((("4L",), False), (("4L", "--reflections"), True), (("2",), None)):
        assert json.loads(call(capsys, "solve", "8x4", *words, "--format", "json")[1].splitlines()[-1])["turned_over"] is over
    answer = tiler.solve(tiler.make("8x4", "4L"))
    assert (answer.turned_over, repr(answer).startswith("Answer(sat, pieces not turned over, ")) == (False, True)
    marked = tiler.make("4x2", "2 = 2 [a . . b . .] [. . . . . .]", reflections=False)
    assert marked.turned_over is False


def test_the_sets_that_are_found_are_solved_by_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    """The two answers agree: sets with pieces turned over are solved with pieces turned over."""
    status, out, _ = call(capsys, "choose", "5x5", "--from", "pentominoes", "--pieces", "5", "--unique", "--limit", "2")
    command = out.splitlines()[-1]
    assert (status, command) == (0, "solve the first: tiler solve 5x5 1:5P 1:5V 1:5W 1:5Y 1:5Z --reflections")
    words = shlex.split(command)
    assert call(capsys, "count", *words[words.index("solve", 1) + 1 :])[1] == "8\n"


def test_a_board_in_a_file_has_pieces_beside_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = tmp_path / "my board.txt"
    board.write_text("xxx\nxxx\nxx.\n")
    assert call(capsys, "count", str(board), "2")[1] == tiler_count(board)
    out = call(capsys, "choose", str(board), "--from", "2", "3L", "3I", "--pieces", "3", "--format", "json")[1]
    chosen = json.loads(out.splitlines()[0])
    assert call(capsys, *shlex.split(chosen["command"].replace("tiler solve", "count", 1)))[1] == f"{chosen['tilings']}\n"
    # A pool from a file with tiles of its own is not the board's.
    board.write_text("xx\nxx\n\n4O\n")
    assert call(capsys, "count", str(board), "2")[1] == "2\n"
    assert "is not a shape" in call(capsys, "solve", str(tmp_path / "none.txt"), "2")[2]


def tiler_count(board: Path) -> str:
    return f"{tiler.count(tiler.make(board.read_text().strip(), '2'))}\n"


def test_a_set_that_no_line_can_say_is_written_to_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    problem = tmp_path / "own.txt"
    problem.write_text("xxx\nxxx\n\nleft = 1:3L\n\nright = 1:3L\n\nbar = 3I\n")
    status, out, _ = call(capsys, "choose", str(problem), "--pieces", "2")
    assert (status, out.splitlines()[-1]) == (0, "to solve it, write it to a file: --format problem -o puzzle.txt")
    made = tmp_path / "puzzle.txt"
    err = call(capsys, "choose", str(problem), "--pieces", "2", "--format", "problem", "-o", str(made))[2]
    assert err == f"solve it: {shlex.join(['tiler', 'solve', str(made)])}\n"
    assert call(capsys, "solve", str(made))[1].startswith("sat")


@pytest.mark.parametrize("form", ["svg", "png", "pdf"])
def test_the_first_set_is_drawn(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / f"puzzle.{form}"
    assert call(capsys, "choose", "5x3", "1:pentominoes", "--pieces", "3", "--unique", "-o", str(picture))[0] == 0
    assert picture.read_bytes()[:4] in (b"<svg", b"\x89PNG", b"%PDF")
    assert form != "svg" or picture.read_text().count("<text") >= 3


def test_a_puzzle_with_one_solution_is_solved_by_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = call(capsys, "unique", "4x6", "4L", "3L")[1].splitlines()[-1].removeprefix("solve it: tiler solve ")
    assert "--place '3L " in command
    assert call(capsys, "solve", *shlex.split(command), "--unique")[1].endswith(
        "unique: the only tiling up to symmetry (a group of 1)\n"
    )
    made = tmp_path / "puzzle.txt"
    err = call(capsys, "unique", "5x5", "3L", "1:1", "--format", "problem", "-o", str(made))[2]
    assert err == f"solve it: {shlex.join(['tiler', 'solve', str(made)])}\n"


def test_rectangles_and_boxes_say_it_on_their_first_line(capsys: pytest.CaptureFixture[str]) -> None:
    for words, over in (
        (("4L",), "; copies are not turned over (--reflections)"),
        (("4L", "--reflections"), "; copies may be turned over"),
        (("3L",), ""),
    ):
        first = call(capsys, "rectangles", *words, "--up-to", "3")[1].splitlines()[0]
        assert first == f"{words[0]}: rectangles with sides up to 3{over}"
