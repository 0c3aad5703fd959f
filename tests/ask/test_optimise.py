"""The heaviest tiling: its weight against those of all tilings by brute force."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from brute_force import tilings
from commands import call
from hypothesis import given, settings
from hypothesis import strategies as st

from tiler import formats
from tiler.ask.solve import solve, solve_cover
from tiler.backends.branch_and_bound import heaviest_choice
from tiler.cover.cover import Cover, RowCover
from tiler.errors import BadOption, InputError
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop

BEST = Question(Goal.OPTIMISE)
NATIVE = ["auto", "cpsat", "ilp", "ilp:engine=highs"]
SPECS = [*NATIVE, "dlx", "dlx:copies=named"]  # tests/backends/test_agreement.py asks all of them


def weighed(shapes: list[str], *weights: int) -> Instance:
    instance = formats.inline(shapes)
    tiles = tuple(replace(tile, weight=weight) for tile, weight in zip(instance.tiles, weights, strict=True))
    return replace(instance, tiles=tiles)


@pytest.mark.long
@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize(
    ("shapes", "weights"),
    [
        (["4x3", "3L", "2", "1"], (5, -2, 1)),
        (["4x3", "2:3L", "1..:2", "1"], (0, -3, -1)),
        (["xxo/xxx/oxx", "4T", "2", "3I"], (7, 2, 4)),
        (["2x2x3", "2", "3L"], (1000003, 1500004)),
    ],
)
def test_no_tiling_is_heavier(spec: str, shapes: list[str], weights: tuple[int, ...]) -> None:
    instance = weighed(shapes, *weights)
    weight_of = {tile.name: tile.weight for tile in instance.tiles}
    best = max(sum(weight_of[name] for name, _ in tiling) for tiling in tilings(instance))
    answer = solve(instance, spec, BEST)
    assert (answer.result.status, answer.result.stop) == (Status.SAT, Stop.DONE)
    assert (answer.result.value, answer.result.bound) == (best, best)
    (tiling,) = answer.solutions
    assert sum(weight_of[placement.tile] for placement in tiling) == best


@pytest.mark.parametrize("spec", SPECS)
def test_where_there_is_none(spec: str) -> None:
    result = solve(weighed(["3x3", "2"], 1), spec, BEST).result
    assert (result.status, result.stop, result.value, result.bound) == (Status.UNSAT, Stop.DONE, None, None)


def test_who_cannot_says_who_can() -> None:
    with pytest.raises(BadOption, match="coloring: it cannot optimise; these can optimise: auto, backtracking, cpsat"):
        solve(weighed(["4x3", "2"], 1), "coloring", BEST)
    with pytest.raises(BadOption, match="anchor=auto is for deciding"):
        solve(weighed(["4x3", "2"], 1), "dlx:anchor=auto", BEST)


def test_congruent_tiles_weigh_the_same() -> None:
    with pytest.raises(InputError, match="are congruent, but weigh 1 and 2"):
        weighed(["4x4", "2:2", "1x2"], 1, 2)


#: Size, least copies, more copies and weight of each tile.
KNAPSACKS = st.lists(
    st.tuples(st.integers(1, 4), st.integers(0, 2), st.integers(0, 4), st.integers(-5, 5)), min_size=1, max_size=4
)


@settings(max_examples=300)
@given(st.integers(0, 20), KNAPSACKS)
def test_the_heaviest_choice_of_copies(area: int, tiles: list[tuple[int, int, int, int]]) -> None:
    sizes, lower, more, weights = map(list, zip(*tiles, strict=True))
    upper = [least + extra for least, extra in zip(lower, more, strict=True)]
    choices = product(*(range(least, most + 1) for least, most in zip(lower, upper, strict=True)))
    right = [each for each in choices if sum(n * size for n, size in zip(each, sizes, strict=True)) == area]
    found = heaviest_choice(area, sizes, lower, upper, weights)
    if found is None:
        assert right == []
    else:
        assert found in right
        assert dot(found, weights) == max(dot(each, weights) for each in right)


def dot(copies: Sequence[int], weights: Sequence[int]) -> int:
    return sum(n * weight for n, weight in zip(copies, weights, strict=True))


@st.composite
def weighed_rows(draw: st.DrawFn) -> tuple[RowCover, list[str], dict[str, int]]:
    """A general exact cover with a weight for each key, and the keys of its rows."""
    items = "abcde"[: draw(st.integers(1, 5))]
    rows = draw(st.lists(st.sets(st.sampled_from(items), min_size=1).map(sorted), min_size=1, max_size=8))
    keys = draw(st.lists(st.sampled_from("xyz"), min_size=len(rows), max_size=len(rows)))
    weights = {key: draw(st.integers(-4, 4)) for key in sorted(set(keys))}
    there = sorted({item for row in rows for item in row})
    at_most = draw(st.dictionaries(st.sampled_from(keys), st.integers(1, 2)))
    secondary = draw(st.lists(st.sampled_from(there), unique=True))
    return Cover.from_rows(rows, secondary=secondary, tile_of=keys, at_most=at_most, weights=weights), keys, weights


def agree_on_rows(spec: str, data: tuple[RowCover, list[str], dict[str, int]]) -> None:
    cover, keys, weights = data
    every = solve_cover(cover, "dlx", Question(Goal.ENUMERATE)).solutions
    values = [sum(weights[keys[row]] for row in rows) for rows in every]
    answer = solve_cover(cover, spec, BEST)
    result = answer.result
    assert (result.stop, result.status) == (Stop.DONE, Status.SAT if values else Status.UNSAT)
    assert (result.value, result.bound) == (max(values, default=None), max(values, default=None))
    assert [sum(weights[keys[row]] for row in rows) for rows in answer.solutions] == ([max(values)] if values else [])


@pytest.mark.parametrize("spec", ["dlx", "backtracking"])
@settings(max_examples=60)
@given(weighed_rows())
def test_rows_can_be_weighed(spec: str, data: tuple[RowCover, list[str], dict[str, int]]) -> None:
    agree_on_rows(spec, data)


@pytest.mark.long
@pytest.mark.parametrize("spec", ["sat", "ilp", "cpsat", "auto"])
@settings(max_examples=3)
@given(weighed_rows())
def test_engines_can_weigh_rows(spec: str, data: tuple[RowCover, list[str], dict[str, int]]) -> None:
    agree_on_rows(spec, data)


@pytest.mark.parametrize("spec", ["dlx", "backtracking", "fila"])
def test_a_limit_leaves_a_bound(spec: str) -> None:
    instance = weighed(["12x12", "4T", "4L", "4Z"], 7, 3, 2)
    result = solve(instance, spec, Question(Goal.OPTIMISE, Limits(nodes=100))).result
    assert result.stop is Stop.NODES
    assert result.bound is not None
    assert result.bound <= 36 * 7
    assert result.value is None or result.value <= result.bound


@pytest.mark.long
@pytest.mark.parametrize("spec", ["auto", "cpsat", "ilp", "sat"])
def test_engines_leave_a_bound_too(spec: str) -> None:
    instance = weighed(["26x26", "4T", "4L", "4Z"], 7, 3, 2)
    answer = solve(instance, spec, Question(Goal.OPTIMISE, Limits(seconds=0.5)))
    result = answer.result
    assert result.stop is Stop.TIME
    # All T, by its size alone. The numbers of T and the other tiles are even, so that a quick machine may find 168 T and 1 Z.
    assert result.bound is not None
    assert (result.value or 0) <= result.bound <= 169 * 7


def test_boxes_are_few_where_few_tiles_are_weighed() -> None:
    result = solve(weighed(["6x6", "2", "3I", "1"], 5, 9, 0), "dlx", BEST).result
    best = solve(weighed(["6x6", "2", "3I", "1"], 5, 9, 0), "cpsat", BEST).result
    assert result.value == result.bound == best.value
    assert result.stats["decisions"] < 20


@pytest.mark.parametrize("weight", [10**9 + 1, 0.5])
def test_weights_are_whole_numbers(weight: float) -> None:
    with pytest.raises(InputError, match="the weight of 'x' is"):
        Cover.from_rows([["a"]], tile_of=["x"], weights={"x": weight})  # type: ignore[dict-item]
    with pytest.raises(InputError, match="there is a weight for 'y', but no row"):
        Cover.from_rows([["a"]], tile_of=["x"], weights={"y": 1})


def test_the_command_draws_the_heaviest(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    weights = ("--weight", "3I 9", "--weight", "2 5")
    status, out, _ = call(capsys, "solve", "6x6", "2", "3I", "1", *weights, "--optimise", "--solver", "dlx")
    assert status == 0
    assert out.startswith("sat: there is a tiling\n┌")
    assert out.count("sat: ") == 1
    assert out.endswith("┘\n\nweight 108: no tiling is heavier\n")
    status, out, _ = call(capsys, "solve", "3x4", "2", "3I", *weights, "--optimise", "--format", "json")
    tiling, summary = map(json.loads, out.splitlines())
    assert {each["tile"] for each in tiling} == {"3I"}
    assert (status, summary["value"], summary["bound"]) == (0, 36, 36)
    sat = ("--solver", "sat", "--time-limit", "200ms")
    status, out, _ = call(capsys, "solve", "26x26", "4T", "4L", "--weight", "4T 1", "--optimise", *sat)
    assert status == 3  # By then a quick machine has found some tiling.
    assert out.endswith("no tiling is heavier than 169 (the time limit is over)\n")
    status, out, _ = call(
        capsys, "solve", "26x26", "4T", "4L", "--weight", "4T 1", "--optimise", *sat, "-o", str(tmp_path / "z.json")
    )
    assert out.endswith("no tiling is heavier than 169 (the time limit is over)\n")
    summary = json.loads((tmp_path / "z.json").read_text().splitlines()[-1])
    assert (status, summary["bound"], summary["stop"]) == (3, 169, "time")
    for more in (["--all"], ["--up-to-symmetry"], ["--executor", "local:2"], ["--proof", "x.drup", "--solver", "sat"]):
        status, out, err = call(capsys, "solve", "4x4", "2", "--optimise", *more)
        assert (status, out, err.count("\n")) == (2, "", 1)


def test_the_command_weighs_rows(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "x.dlx"
    path.write_text("a b c 0:9|M\na b\nc M\na M\nb M\n")
    for weight, rows, sum_ in (("3", "c M\na M\nb M\n", 9), ("-3", "a b\nc M\n", -3)):
        expected = f"sat: there is a solution\n{rows}\nweight {sum_}: no solution is heavier\n"
        assert call(capsys, "solve", str(path), "--optimise", "--weight", f"M {weight}", "--solver", "dlx") == (0, expected, "")
    for wrong in ("a 3", "M", "M x", "M 9999999999"):
        assert call(capsys, "solve", str(path), "--optimise", "--weight", wrong)[0] == 2


@pytest.mark.parametrize(("board", "weight"), [("1x1", 0), ("x.x", 0), ("1x2", 2)])
@pytest.mark.parametrize("solver", ["auto", "matching", "dlx"])
def test_cells_too_far_apart_for_dominoes_stay_open(board: str, weight: int, solver: str) -> None:
    closed = weighed([board, "2"], 2)
    assert solve(replace(closed, optional=closed.board), solver, BEST).result.value == weight
