"""`tiler compare` and `tiler check`, on files that `tiler solve` writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import call

_TURNED = "--up-to-symmetry"


@pytest.fixture
def files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    """All tilings of 4 by 4 by dominoes, and one of each orbit."""
    every, orbits = str(tmp_path / "every.json"), str(tmp_path / "orbits.json")
    assert call(capsys, "solve", "4x4", "2", "--all", "-o", every)[0] == 0
    assert call(capsys, "solve", "4x4", "2", "--all", "--up-to-symmetry", "-o", orbits)[0] == 0
    return every, orbits


def test_what_two_files_share(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "compare", *files)
    assert (status, out.splitlines()[2:]) == (0, ["in both: 9", *out.splitlines()[3:]])
    assert f"in {files[0]} only: 27 (line " in out
    assert out.endswith(f"in {files[1]} only: 0\n")
    data = json.loads(call(capsys, "compare", *files, "--up-to-symmetry", "--format", "json")[1])
    assert (data["both"], [side["different"] for side in data["files"]]) == (9, [9, 9])
    assert [side["only"] for side in data["files"]] == [[], []]


@pytest.mark.parametrize("form", ["jsonl", "npz", "csv"])
def test_long_lists_are_compared(files: tuple[str, str], form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed = str(tmp_path / f"all.{form}")
    assert call(capsys, "solve", "4x4", "2", "--all", "-o", listed)[0] == 0
    out = call(capsys, "compare", files[0], listed)[1]
    assert "in both: 36" in out
    assert out.count("only: 0") == 2


def test_names_and_places_of_boards_do_not_matter(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    one.write_text('[{"tile": "a", "cells": [[0, 0], [0, 1], [1, 1]]}, {"tile": "b", "cells": [[1, 0]]}]\n')
    two.write_text('[{"tile": "c", "cells": [[6, 5]]}, {"tile": "c", "cells": [[5, 5], [5, 6], [6, 6]]}]\n')
    assert "in both: 0" in call(capsys, "compare", str(one), str(two))[1]
    assert "in both: 1" in call(capsys, "compare", str(one), str(two), "--up-to-symmetry")[1]


def test_solutions_of_an_inline_board_are_checked(
    files: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(capsys, "check", "4x4", "2", files[0])[:2] == (0, "all 36 solutions hold\n")
    assert call(capsys, "check", "4x4", "3I", files[0])[0] == 4
    assert call(capsys, "check", "4x4", "2", "--open", "2..2", files[1])[0] == 4


@pytest.mark.parametrize("file", [0, 1])
def test_answers_count_what_is_listed_before_them(files: tuple[str, str], capsys: pytest.CaptureFixture[str], file: int) -> None:
    path = Path(files[file])
    *solutions, answer = path.read_text().splitlines()
    number = len(solutions)
    for lines, wrong in (
        (solutions[1:], f"{number}: it counts {number} solutions, but {number - 1} are listed before it"),
        ([*solutions, solutions[0]], f"{number + 2}: it counts {number} solutions, but {number + 1} are listed before it"),
        (
            [*solutions[1:], json.dumps(json.loads(solutions[1])[::-1])],
            f"{number + 1}: it counts {number} solutions, but only {number - 1} of those before it are different",
        ),
    ):
        path.write_text("\n".join([*lines, answer, ""]))
        assert call(capsys, "check", "4x4", "2", str(path))[:2] == (4, f"wrong: {path}:{wrong}\n")
        path.write_text("\n".join([*lines, *solutions[:1] * 2, ""]))  # Without an answer these are just solutions.
        assert call(capsys, "check", "4x4", "2", str(path))[0] == 0


@pytest.mark.parametrize(
    ("changed", "wrong"),
    [
        ({"count": "many"}, "its count is 'many', which is no whole number from 0"),
        ({"count": 36.0}, "its count is '36.0', which is no whole number from 0"),
        ({"count": True}, "its count is 'True', which is no whole number from 0"),
        ({"count": -36}, "its count is '-36', which is no whole number from 0"),
        ({"symmetry": "8"}, "its symmetry is '8', which is no whole number from 0"),
        ({"status": "unsat"}, "it says unsat, but 36 solutions are listed before it"),
        ({"status": "unsat", "count": None}, "it says unsat, but 36 solutions are listed before it"),
        ({"status": ["sat"]}, "its status is \"['sat']\"; there are sat, unsat, unknown"),
        ({"count": 0}, "it says sat, and counts 0 solutions"),
    ],
)
def test_answers_that_contradict_themselves_or_what_is_listed(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str], changed: dict[str, object], wrong: str
) -> None:
    path = Path(files[0])
    *solutions, answer = path.read_text().splitlines()
    path.write_text("\n".join([*solutions, json.dumps(json.loads(answer) | changed), ""]))
    assert call(capsys, "check", "4x4", "2", str(path))[:2] == (4, f"wrong: {path}:37: {wrong}\n")


def test_a_tiling_without_pieces_is_one_of_a_list_up_to_symmetry(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "open.json"
    path.write_text(call(capsys, "solve", "oo/oo", "1", "--all", "--up-to-symmetry", "--format", "json")[1])
    assert call(capsys, "check", "oo/oo", "1", str(path))[:2] == (0, "all 6 solutions hold\n")


def test_a_file_without_a_tiling_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = tmp_path / "empty.json"
    empty.write_text("")
    status, _, err = call(capsys, "compare", str(empty), str(empty))
    assert (status, "there is no tiling in it" in err) == (2, True)


def test_tilings_that_show_other_marks_are_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    every, orbits = str(tmp_path / "every.json"), str(tmp_path / "orbits.json")
    squares = ["2x3", *(f"1:1 [{marks}]" for marks in ("rrrr", "rrrg", "rrgg", "rgrg", "rggg", "gggg"))]
    assert call(capsys, "solve", *squares, "--all", "-o", every)[0] == 0
    assert call(capsys, "solve", *squares, "--all", "--up-to-symmetry", "-o", orbits)[0] == 0
    number, different = (len(Path(path).read_text().splitlines()) - 1 for path in (every, orbits))
    assert number > different > 1
    for path in (every, orbits):
        assert call(capsys, "check", *squares, path)[0] == 0
    plain, same = (json.loads(call(capsys, "compare", every, orbits, "--format", "json", *how)[1]) for how in ([], [_TURNED]))
    assert [side["different"] for side in plain["files"]] == [number, different]
    assert plain["both"] == different
    assert [side["different"] for side in same["files"]] == [different, different]
    assert same["both"] == different


def test_marks_above_and_below_a_layer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = []
    for layer, mark in ((0, 1), (0, -1), (0, 0)):
        side = [[layer, 0, 0], [layer + mark, 0, int(not mark)], "r"]
        files.append(tmp_path / f"{mark}.json")
        files[-1].write_text(json.dumps([{"tile": "a", "cells": [[layer, 0, 0], [layer, 1, 0]], "marks": [side]}]))
    up, down, across = map(str, files)
    assert "in both: 0" in call(capsys, "compare", up, down)[1]
    assert "in both: 1" in call(capsys, "compare", up, down, _TURNED)[1]
    assert "in both: 0" in call(capsys, "compare", up, across, _TURNED)[1]


@pytest.mark.parametrize("paint", ['"colours": [[[0, 0, 0], "r"]]', '"marks": [[[0, 0], [0, 0, 1], "r"]]'])
def test_paint_of_another_dimension_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], paint: str) -> None:
    file = tmp_path / "one.json"
    file.write_text(f'[]\n[{{"tile": "a", "cells": [[0, 0]], {paint}}}]\n')
    status, _, err = call(capsys, "compare", str(file), str(file), _TURNED)
    assert (status, err) == (2, f"tiler: {file}:2: cells of two and of three coordinates in one tiling\n")


def test_sides_of_placements_are_named_from_the_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    problem = ["2x1", "1 [rgrg]", "--wrap", "columns"]
    file = tmp_path / "one.json"
    assert call(capsys, "solve", *problem, "-o", str(file))[0] == 0
    tiling = json.loads(file.read_text().splitlines()[0])
    assert call(capsys, "check", *problem, str(file))[0] == 0
    for marks in tiling[0]["marks"]:  # the same sides, seen once round
        marks[0][1], marks[1][1] = marks[0][1] + 2, marks[1][1] + 2
    file.write_text(json.dumps(tiling))
    assert call(capsys, "check", *problem, str(file))[0] == 4
