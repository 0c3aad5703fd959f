"""The backend that chooses: the same answers whatever it chooses, and what it says of its choice."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from brute_force import as_tiling
from corpus import boards

from tiler import formats
from tiler.ask import planner, portfolio
from tiler.ask.solve import solve
from tiler.backends.auto import Auto
from tiler.backends.registry import parse_spec
from tiler.backends.searching import driver
from tiler.bench import corpus
from tiler.errors import BadOption
from tiler.model.expected import Status
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop

FREE = [f"1:{letter}" for letter in "FILNPTUVWXYZ"]
SOMA = ["3x3x3", "1:3L", "1:4L", "1:4S", "1:4T", "1:4^", "1:4<", "1:4>"]
SYMMETRIC = Question(Goal.COUNT, up_to_symmetry=True)
PROBLEMS = Path(__file__).parents[2] / "problems"
#: Alone it answers about the whole corpus in test_agreement.py.
SPECS = [f"auto:among={name}" for name in ("dlx", "frontier", "fila", "lattice+dlx", "frontier+coloring", "dlx+frontier+fila")]


@contextmanager
def all_at_once() -> Iterator[None]:
    """All members begin at the start, and as many work at once as there are threads."""
    rules = {goal: tuple(replace(each, delay=0.0) for each in asked) for goal, asked in planner._RULES.items()}
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(planner, "_RULES", rules)
        changed.setattr(portfolio, "ALONE_SECONDS", 0.0)
        changed.setattr(driver, "ALONE_SECONDS", 0.0)
        yield


def test_whatever_is_chosen_the_answer_is_that_of_the_brute_force() -> None:
    for board in boards("plain")[::6]:
        for spec in SPECS:
            counts, instance = (len(board.tilings), board.number_of_orbits), board.instance
            assert solve(instance, spec).result.status is (Status.SAT if board.tilings else Status.UNSAT), (spec, board)
            assert solve(instance, spec, Question(Goal.COUNT)).result.count == counts[0], (spec, board)
            listed = solve(instance, spec, Question(Goal.ENUMERATE)).solutions
            assert len(listed) == counts[0], (spec, board)
            assert set(map(as_tiling, listed)) == board.tilings, (spec, board)
            assert solve(instance, spec, SYMMETRIC).result.count == counts[1], (spec, board)


def test_several_at_once_answer_the_same() -> None:
    spec = "auto:among=dlx+frontier+fila+coloring"
    for board in boards("plain")[1::8]:
        instance, status = board.instance, Status.SAT if board.tilings else Status.UNSAT
        listed = solve(instance, spec, Question(Goal.ENUMERATE)).solutions
        with all_at_once():
            for limits in (Limits(threads=2), Limits(threads=7)):
                assert solve(instance, spec, Question(limits=limits)).result.status is status
                assert solve(instance, spec, Question(Goal.COUNT, limits)).result.count == len(board.tilings)
                symmetric = Question(Goal.COUNT, limits, up_to_symmetry=True)
                assert solve(instance, spec, symmetric).result.count == board.number_of_orbits
                assert solve(instance, spec, Question(Goal.ENUMERATE, limits)).solutions == listed


@pytest.mark.long
def test_the_thesis_instances_are_decided() -> None:
    for instance in corpus.select(PROBLEMS, tags=["thesis"]):
        assert solve(instance, "auto").result.status is instance.about.expected.verdict, instance.name


@pytest.mark.parametrize("spec", ["auto:among=sat", "auto:among=sat+coloring"])
def test_engines_alone(spec: str) -> None:
    pytest.importorskip("pysat")
    assert solve(formats.inline(["8x8", "4T"]), spec).result.status is Status.SAT
    assert solve(formats.inline(["6x6", "4T"]), spec).result.status is Status.UNSAT


def test_a_colouring_is_found_first_and_certified() -> None:
    answer = solve(formats.inline(["50x50", "4L"]), "auto", Question(Goal.COUNT))
    assert (answer.result.count, answer.result.certificate is not None) == (0, True)
    assert answer.result.stats["chosen"] == "coloring:stages=area+lattice"


def test_the_answer_says_who_gave_it() -> None:
    stats = solve(formats.inline(["6x6", "3I"]), "auto", Question(Goal.COUNT)).result.stats
    assert (stats["chosen"], stats["because"]) == ("backtracking", "it is prepared soonest")
    longer = solve(formats.inline(["12x12", "3I"]), "auto", Question(Goal.COUNT)).result.stats
    assert longer["chosen"] in ("frontier", "fila")
    assert longer["because"]
    assert longer["chosen"] in longer["asked"]


def test_an_answer_up_to_symmetry_says_so_too() -> None:
    answer = solve(formats.inline(["4x5", *(f"1:5{name}" for name in "PLUV")], reflections=True), "auto", SYMMETRIC)
    assert answer.result.stats["chosen"] == "fila"
    assert answer.result.stats["because"]


@pytest.mark.parametrize(
    ("shapes", "chosen"), [(["3x3x4", "4T", "4L"], "dlx"), (["2x5x6", "4L", "4T"], "frontier")], ids=["few nodes", "few states"]
)
def test_up_to_symmetry_in_space_without_an_anchor(shapes: list[str], chosen: str) -> None:
    """A tree that is small is searched at once; else states are counted beside it."""
    question = Question(Goal.COUNT, up_to_symmetry=True)
    result = solve(formats.inline(shapes), "auto", question).result
    assert result.stats["chosen"].partition(":")[0] == chosen
    assert result.stats["method"] == "burnside"
    other = {"dlx": "frontier", "frontier": "fila:order=auto"}[chosen]
    if chosen == "dlx":
        assert result.count == solve(formats.inline(shapes), other, question).result.count


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize(
    ("among", "goal"), [("dlx+fila", Goal.COUNT), ("frontier+fila", Goal.COUNT), ("frontier+coloring", Goal.DECIDE)]
)
def test_limits_hold(among: str, goal: Goal, threads: int) -> None:
    before = threading.active_count()
    instance = formats.inline(["40x40", "3L", "4L"] if goal is Goal.COUNT else ["23x24", "6-03"], reflections=True)
    answer = solve(instance, f"auto:among={among}", Question(goal, Limits(seconds=0.15, threads=threads)))
    assert answer.result.stop is Stop.TIME
    assert answer.result.count is None
    assert threading.active_count() == before


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_search_that_ends_at_any_event_leaves_no_thread_and_no_process(threads: int) -> None:
    """Members that share the time, engines among them, from the first event to those where all of them work."""
    for name in ("highspy", "pysat", "ortools"):
        pytest.importorskip(name)
    instance, before = formats.inline(["23x24", "6-03"], reflections=True), threading.active_count()
    with all_at_once():
        for ticks in (1, 3, 9, 27):
            left, question = iter(range(ticks)), Question(limits=Limits(threads=threads))
            result = solve(instance, "auto", question, on_tick=lambda _, left=left: next(left, None) is not None).result
            assert (result.stop, threading.active_count()) == (Stop.INTERRUPTED, before)
    assert not psutil.Process().children(recursive=True)


@pytest.mark.parametrize(
    ("among", "reason"),
    [("dance", "'dance' is no method"), ("lattice", "it needs one that can find a tiling"), ("", "'' is no method")],
)
def test_bad_options(among: str, reason: str) -> None:
    with pytest.raises(BadOption, match=reason):
        parse_spec(f"auto:among={among}")


def test_what_cannot_be_done_is_said() -> None:
    with pytest.raises(BadOption, match="no solver in among=sat can answer this question"):
        solve(formats.inline(["6x6", "2"]), Auto(among="sat"), Question(Goal.COUNT))


@pytest.mark.parametrize("options", ["filter=parity", "anchor=auto"])
def test_a_proof_is_about_all_placements(options: str) -> None:
    """The prover is asked about what is left, and the checker about everything."""
    with pytest.raises(BadOption, match="auto: a proof has to account for every placement; leave out filter and anchor"):
        solve(formats.inline(["4x4", "1:4T", "3:4L"]), f"auto:{options}", Question(Goal.PROVE))
