"""Weights of tiles: read, written, shown, told apart by the digest, and refused where they make no sense."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import constrained, instances

from tiler import formats
from tiler.ask.solve import solve
from tiler.cli.main import main
from tiler.errors import InputError
from tiler.formats import json, text
from tiler.model.instance import Instance
from tiler.model.shapes import parse_shape
from tiler.model.tile import MAX_WEIGHT, Tile
from tiler.question.question import Goal, Question

FILE = "# weight: 4L 5\n# weight:  2  -3 \n3x4\n\n4L\n3I\n2\n"


def weights(instance: Instance) -> list[int]:
    return [tile.weight for tile in instance.tiles]


@given(instances() | constrained(instances()), st.lists(st.integers(-MAX_WEIGHT, MAX_WEIGHT), min_size=3, max_size=3))
def test_weights_survive_writing(plain: Instance, drawn: list[int]) -> None:
    tiles = tuple(replace(tile, weight=drawn[plain.number_of(tile.name)]) for tile in plain.tiles)
    instance = replace(plain, tiles=tiles)
    for module in (text, json):
        again = module.parse(module.write(instance))
        assert (again, again.about, weights(again)) == (instance, instance.about, weights(instance))
        assert again.digest == instance.digest
    assert (instance == plain) == (instance.digest == plain.digest) == (not any(weights(instance)))


def test_files_and_the_command_line_mean_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    instance = formats.parse(FILE)
    assert weights(instance) == [5, 0, -3]
    assert formats.with_settings(formats.inline(["3x4", "4L", "3I", "2"]), {"weights": ["2 -3", "4L +5"]}) == instance
    tiles = '[{"cells": "4L", "weight": 5}, "3I", {"cells": "2", "weight": -3}]'
    assert formats.parse('{"board": "3x4", "tiles": ' + tiles + "}") == instance
    assert main(["show", "3x4", "4L", "3I", "2", "--weight", "4L 5", "--weight", "2 -3000"]) == 0
    shown = re.findall(r"placements(?:;\s+each\s+weighs\s+(\S+))?\n", capsys.readouterr().out)
    assert shown == ["5", "", "-3,000"]


def test_the_command_line_wins_over_the_file() -> None:
    assert weights(formats.with_settings(formats.parse(FILE), {"weights": ["2 7"]})) == [5, 0, 7]


def test_a_name_stands_for_all_congruent_tiles() -> None:
    board, tiles = parse_shape("3x4"), (Tile("a", parse_shape("3L"), 1), Tile("b", parse_shape("xx/x."), 2))
    assert weights(formats.with_settings(Instance(board, tiles), {"weights": ["b 4"]})) == [4, 4]


def test_the_heaviest_tiling_of_a_file() -> None:
    # An odd number of L-tetrominoes does not fit; the four cells that two of them leave take two dominoes.
    answer = solve(formats.parse(FILE), "cpsat", Question(Goal.OPTIMISE))
    assert (answer.result.value, answer.result.bound) == (2 * 5 - 2 * 3, 4)


@pytest.mark.parametrize(
    ("written", "line"),
    [
        (["Q 3"], "weight: there is no tile Q; there are 4L, 2"),
        (["4J 3"], "weight: there is no tile 4J; nearest: 4L; there are 4L, 2"),
        (["4L"], "weight: '4L' is not of the form TILE N"),
        (["4L 1.5"], "weight: '4L 1.5' is not of the form TILE N"),
        (["4L 1", "4L 1"], "weight: the weight of 4L is set twice"),
        ([f"4L {MAX_WEIGHT + 1}"], "tile 4L cannot weigh 1000000000; a weight is a whole number, at most 999,999,999"),
    ],
)
def test_nonsense_is_refused(written: list[str], line: str, capsys: pytest.CaptureFixture[str]) -> None:
    head = "".join(f"# weight: {each}\n" for each in written)
    with pytest.raises(InputError) as error:
        formats.parse(f"{head}4x4\n\n4L\n2\n", source="p")
    assert str(error.value) == f"p:{len(written)}: {line}"
    assert main(["solve", "4x4", "4L", "2", *(f"--weight={each}" for each in written)]) == 2
    assert capsys.readouterr() == ("", f"tiler: {line}\n")


@pytest.mark.parametrize("weight", ["1.5", '"3"', "true", "null", "1000000000"])
def test_nonsense_in_json_is_refused(weight: str) -> None:
    with pytest.raises(InputError, match=r"'weight' is .*; it must be a whole number|tile 2 cannot weigh 1000000000"):
        json.parse('{"board": "4x4", "tiles": [{"cells": "2", "weight": ' + weight + "}]}")


def test_half_a_weight_is_refused() -> None:
    with pytest.raises(InputError, match=r"tile 2 cannot weigh 0\.5"):
        Tile("2", parse_shape("2"), weight=0.5)  # type: ignore[arg-type]
