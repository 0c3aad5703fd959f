"""Estimated sizes of search trees against true ones."""

from __future__ import annotations

import json
import random
import re
import statistics
from itertools import count
from time import perf_counter
from types import SimpleNamespace

import pytest
from commands import call
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import instances

from tiler import formats
from tiler.ask.size.estimate import dive, estimate
from tiler.ask.solve import solve
from tiler.backends.registry import able, parse_spec
from tiler.cli import main as cli
from tiler.cover.board import BoardCover
from tiler.errors import BadOption
from tiler.model.instance import Instance
from tiler.process.cancellation import Stopped
from tiler.question.events import Progress
from tiler.question.question import Goal, Question
from tiler.question.result import Stop

FREE = [f"1:{letter}" for letter in "FILNPTUVWXYZ"]
SOMA = ["3x3x3", "1:3L", "1:4L", "1:4S", "1:4T", "1:4^", "1:4<", "1:4>"]
SPECS = [
    "backtracking",
    "backtracking:order=rare,filter=volume",
    "dlx",
    "dlx:order=first",
    "dlx:parity=on,filter=dead",
    "fila",
    "fila:window=off,nof=off",
    "fila:order=s",
    "fila:order=e:3+f:1,filter=volume",
    "fila:handoff=2,volume=3,order=s",
    "fila:handoff=3",
    "fila:order=auto",
]


@pytest.fixture(autouse=True)
def short_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """The speed of a search is measured for a twentieth of a second, not half of one."""
    monkeypatch.setattr("tiler.ask.size.estimate._SLICE_SECONDS", 0.05)


def truth(instance: Instance, spec: str, *, up_to_symmetry: bool = False) -> tuple[int, int]:
    """The nodes and the tilings of the search."""
    result = solve(instance, spec, Question(Goal.COUNT, up_to_symmetry=up_to_symmetry)).result
    return result.nodes, result.found


@settings(max_examples=60)
@given(instances(words=False), st.sampled_from(SPECS))
def test_small_trees_are_searched_as_a_whole(instance: Instance, spec: str) -> None:
    """A dive goes back up to the root where less than `whole` nodes are below it: then nothing is left to chance."""
    nodes, tilings = truth(instance, spec)
    if nodes > 10_000:
        return
    found = estimate(parse_spec(spec), instance)
    assert found.tilings is not None
    assert found.samples <= 1
    assert (found.nodes.mean, found.nodes.low, found.nodes.high, found.tilings.mean) == (nodes, nodes, nodes, tilings)


def test_a_tree_with_one_node_too_many_is_not_searched_as_a_whole() -> None:
    instance = formats.inline(["4x4", "2"])
    backend, cover = parse_spec("dlx"), BoardCover.of(instance)
    nodes, _ = truth(instance, "dlx")
    tree = backend.tree(backend.reduce(cover, Question(Goal.COUNT)))
    for whole in (nodes - 1, nodes):
        assert dive(tree, tree.root(), random.Random(0), whole).is_whole == (whole == nodes)


def test_of_auto_the_search_that_it_splits_is_estimated() -> None:
    instance = formats.inline(SOMA)
    found = estimate(parse_spec("auto"), instance, samples=20)
    assert found.searched == "dlx:order=mrv+cells:6"
    assert found.nodes == estimate(parse_spec(found.searched), instance, samples=20).nodes
    assert estimate(parse_spec("auto"), formats.inline(["30x3", "1:30x1", "9x9"])).nodes.mean == 0


@pytest.mark.parametrize("spec", [spec for spec in SPECS if not parse_spec(spec).delegates])
@pytest.mark.parametrize("shapes", [["5x4", "1:X", "1..:3L", "2"], ["2x2x3", "1x1x2"]])
def test_the_mean_of_pure_dives_is_the_size_of_the_tree(spec: str, shapes: list[str], times: float) -> None:
    """With nothing searched as a whole it is Knuth's method alone: its mean converges to the number of nodes."""
    instance = formats.inline(shapes)
    nodes, tilings = truth(instance, spec)
    cover = BoardCover.of(instance)
    backend = parse_spec(spec)
    tree = backend.tree(backend.reduce(cover, Question(Goal.COUNT)))
    root, chance = tree.root(), random.Random(0)
    dives = [dive(tree, root, chance, whole=0) for _ in range(max(200, round(600 * min(times, 1))))]
    for true, found in ((nodes, [one.nodes for one in dives]), (tilings, [one.solutions for one in dives])):
        error = statistics.stdev(found) / len(found) ** 0.5
        assert abs(statistics.fmean(found) - true) <= 3.5 * error


@pytest.mark.parametrize(
    ("shapes", "reflections", "spec", "up_to_symmetry"),
    [
        (SOMA, False, "backtracking", False),
        (SOMA, False, "dlx", False),
        (SOMA, False, "dlx", True),  # an anchor: one search for each way to lay it that a symmetry keeps in place
        (SOMA, False, "dlx:order=first", True),
        (["6x7", "2"], False, "backtracking", False),
        (["6x6", "2"], False, "dlx", False),
        (["6x6", "3L"], False, "dlx", True),  # Burnside: one search for each symmetry
        (["3x20", *FREE], True, "dlx:order=first", False),
    ],
)
def test_the_interval_holds_the_true_size(shapes: list[str], reflections: bool, spec: str, up_to_symmetry: bool) -> None:
    instance = formats.inline(shapes, reflections=reflections)
    nodes, tilings = truth(instance, spec, up_to_symmetry=up_to_symmetry)
    found = estimate(parse_spec(spec), instance, samples=400, seed=2, up_to_symmetry=up_to_symmetry)
    assert found.nodes.low <= nodes <= found.nodes.high
    assert found.nodes.high - found.nodes.low < nodes
    assert (found.tilings is None) == up_to_symmetry
    if found.tilings is not None:
        assert found.tilings.low <= tilings <= found.tilings.high
    assert found.seconds.mean == pytest.approx(found.nodes.mean * found.seconds_per_node)


def test_the_seed_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tiler.ask.size.estimate._CHEAPER", float("inf"))  # However quick the search is, it is not made.
    instance, dlx = formats.inline(SOMA), parse_spec("dlx")
    first, again, other = (estimate(dlx, instance, samples=20, seed=seed).nodes for seed in (1, 1, 2))
    assert first == again != other


def test_it_can_be_interrupted_and_is_then_an_estimate_still() -> None:
    asked: list[Progress] = []

    def going_on(progress: Progress) -> bool:
        asked.append(progress)
        return len(asked) < 5

    found = estimate(parse_spec("dlx"), formats.inline(SOMA), samples=1000, going_on=going_on)
    assert (found.samples, found.is_complete) == (4, False)
    assert found.nodes.mean > 0
    assert [progress.fraction for progress in asked] == [rounds / 1000 for rounds in range(5)]


@pytest.mark.parametrize("spec", ["backtracking", "dlx", "fila", "fila:handoff=5"])
def test_it_can_be_interrupted_within_a_dive(spec: str) -> None:
    looked = 0

    def check_stop() -> None:
        nonlocal looked
        looked += 1
        if looked == last:
            raise Stopped(Stop.INTERRUPTED)

    instance, last = formats.inline(SOMA), 0
    whole = estimate(parse_spec(spec), instance, samples=20, check_stop=check_stop)
    assert whole.is_complete
    last, looked = looked, 0
    found = estimate(parse_spec(spec), instance, samples=20, check_stop=check_stop)
    assert (found.is_complete, found.samples) == (False, 19)
    last, looked = 1, 0
    with pytest.raises(Stopped):
        estimate(parse_spec(spec), instance, samples=20, check_stop=check_stop)


def test_backends_without_a_tree_name_those_that_have_one() -> None:
    assert {"backtracking", "dlx"} <= set(able("can_estimate"))
    for spec in ("sat", "coloring", "dlx:copies=named"):
        with pytest.raises(BadOption, match=r"these have: backtracking, dlx|can only decide|cannot count"):
            estimate(parse_spec(spec), formats.inline(["4x4", "2"]))


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["estimate", "4x4", "2", "--solver", "backtracking"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines[:2]] == [["nodes", "145"], ["tilings", "36"]]
    assert cli.main(["estimate", "8x8", "2", "--samples", "50", "--format", "json", "--seed", "3"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["schema"], found["samples"], found["seed"], found["symmetry"]) == ("tiler-estimate-1", 50, 3, None)
    assert 0 <= found["nodes"]["low"] < found["nodes"]["mean"] < found["nodes"]["high"]
    assert cli.main(["estimate", "4x4", "2", "--up-to-symmetry"]) == 0
    assert "count up to symmetry (a group of 8)" in " ".join(capsys.readouterr().out.split())
    assert cli.main(["estimate", "5x5", "4L"]) == 0
    assert "nothing to search" in capsys.readouterr().out
    assert cli.main(["estimate", "4x4", "2", "--solver", "sat"]) == 2
    assert capsys.readouterr().err.startswith("tiler: sat has no search tree to estimate; these have: backtracking, dlx")


def test_a_search_shorter_than_its_dives_is_made() -> None:
    found = estimate(parse_spec("dlx"), formats.inline(["6x6", "3L", "3I"]), samples=1_000_000)
    assert found.is_complete
    assert found.tilings is not None
    assert found.tilings.low == found.tilings.mean == found.tilings.high
    assert found.tilings.mean == solve(formats.inline(["6x6", "3L", "3I"]), "dlx", Question(Goal.COUNT)).result.count


def test_a_precision_ends_the_dives() -> None:
    instance = formats.inline(["7x8", "2"])
    found = estimate(parse_spec("dlx"), instance, samples=100_000, precision=0.3)
    assert found.is_complete
    assert found.samples < 100_000
    assert found.nodes.high - found.nodes.mean <= 0.3 * found.nodes.mean


def test_a_search_is_weighed_against_the_dives_that_a_precision_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not against the most dives allowed, which are a million on the command line."""
    seconds = count()
    monkeypatch.setattr("tiler.ask.size.estimate.process_seconds", lambda: float(next(seconds)))
    monkeypatch.setattr("tiler.ask.size.estimate._pace", lambda parts, trees, nodes: 100 / nodes[0].mean)  # 100 s in all
    told: list[Progress] = []
    found = estimate(
        parse_spec("dlx"),
        formats.inline(["6x7", "2"]),
        samples=1_000_000,
        precision=0.15,
        going_on=lambda progress: told.append(progress) is None,
    )
    assert found.is_complete
    assert not found.nodes.is_exact
    assert told[-1].fraction is not None
    assert told[-1].fraction > 0.5
    assert re.fullmatch(r"[\d,]+ paths, nodes known within \d+%", told[-1].where)


def test_a_limit_of_time_leaves_the_estimate_so_far(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    looks, begun = count(), perf_counter()
    monkeypatch.setattr("tiler.ask.size.estimate._CHEAPER", float("inf"))
    monkeypatch.setattr("tiler.question.limit_watch.time", SimpleNamespace(perf_counter=lambda: begun + next(looks) / 1000))
    soma = ("estimate", *SOMA, "--solver", "dlx", "--samples", "1000000")
    status, out, err = call(capsys, *soma, "--time-limit", "2s")
    assert (status, err) == (3, "tiler: this is the estimate after 2 s; with a longer --time-limit it goes on\n")
    assert out.startswith("nodes ")
    assert json.loads(call(capsys, *soma, "--time-limit", "3s", "--format", "json")[1])["complete"] is False
    status, out, err = call(capsys, *soma, "--time-limit", "1ms")
    assert (status, out, err) == (3, "", "tiler: unfinished: the time limit is over; too few samples were drawn\n")


def test_a_search_that_was_made_is_told_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    """Not as 9,360 tilings of 3,620,000 nodes."""
    instance = formats.inline(["6x7", "2"])
    made = solve(instance, "dlx", Question(Goal.COUNT)).result
    status, out, _ = call(capsys, "estimate", "6x7", "2", "--solver", "dlx")
    assert (status, out.split()[:4]) == (0, ["nodes", f"{made.nodes:,}", "tilings", f"{made.count:,}"])
    assert made.count == 31_529
    found = estimate(parse_spec("dlx"), instance)
    assert repr(found).startswith(f"Estimate({made.nodes:,} nodes, 31,529 tilings, ")


def test_the_commands_default_is_that_of_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    assert "auto chose it" in call(capsys, "estimate", "4x4", "2")[1]
