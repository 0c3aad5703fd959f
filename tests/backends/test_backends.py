"""Specs, the registry, limits and events: what every backend gets from its base class."""

from __future__ import annotations

import re
import subprocess
import sys
import time
import types
from collections.abc import Hashable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest
from brute_force import as_tiling, tilings

from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.base import Backend, option
from tiler.backends.coloring import Coloring
from tiler.backends.registry import backends, parse_spec, register
from tiler.cover.board import BoardCover
from tiler.cover.cover import Cover
from tiler.errors import BackendError, BadOption, BadSolution, MissingDependency, TilerError, UnknownBackend
from tiler.kernels import loading
from tiler.model.expected import Status
from tiler.model.tile import Placement
from tiler.question.events import Found, Progress, RunningSearch, SearchContext, without_events
from tiler.question.question import Goal, Limits, Question, TallyBy
from tiler.question.result import Result, Stop

DOMINOES = formats.inline(["8x8", "2"])
HARD = formats.inline(["14x14", "4I"])


@dataclass(frozen=True)
class Sample(Backend):
    """A backend with an option of every kind."""

    name: ClassVar[str] = "sample"

    order: str = option("e", "a word", check=lambda text: None if text[0] in "efs" else "it must begin with e, f or s")
    nof: bool = option(True, "a switch")
    handoff: int = option(0, "a number", check=lambda n: None if n < 100 else "it must be under 100")
    mode: str = option("fast", "a choice", choices=("fast", "slow"))

    def search(self, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
        return without_events(Result(Status.UNKNOWN, Stop.UNDECIDED))


@pytest.fixture
def sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tiler.backends.registry._registered", dict(backends()))
    register(Sample)


@pytest.mark.parametrize(
    ("spec", "full", "short"),
    [
        ("sample", "sample:filter=off,anchor=off,order=e,nof=on,handoff=0,mode=fast", "sample"),
        ("sample:", "sample:filter=off,anchor=off,order=e,nof=on,handoff=0,mode=fast", "sample"),
        (
            "sample:order=e:11+f:3,nof=off",
            "sample:filter=off,anchor=off,order=e:11+f:3,nof=off,handoff=0,mode=fast",
            "sample:order=e:11+f:3,nof=off",
        ),
        (
            "sample:mode=slow,handoff=11",
            "sample:filter=off,anchor=off,order=e,nof=on,handoff=11,mode=slow",
            "sample:handoff=11,mode=slow",
        ),
    ],
)
@pytest.mark.usefixtures("sample")
def test_specs(spec: str, full: str, short: str) -> None:
    backend = parse_spec(spec)
    assert (backend.spec, str(backend)) == (full, short)
    assert parse_spec(full) == parse_spec(short) == backend


@pytest.mark.parametrize("name", backends())
def test_defaults_of_every_backend_make_a_spec(name: str) -> None:
    backend = parse_spec(name)
    assert parse_spec(backend.spec) == backend
    assert str(backend) == name
    assert backends()[name].__doc__


@pytest.mark.parametrize(
    ("spec", "error", "text"),
    [
        ("sampel", UnknownBackend, "unknown solver 'sampel'; nearest: sample; there are"),
        ("", UnknownBackend, "unknown solver ''"),
        (
            "sample:nfo=off",
            BadOption,
            "sample: unknown option 'nfo'; nearest: nof; it has filter, anchor, order, nof, handoff, mode",
        ),
        ("sample:nof", BadOption, "sample: nof needs a value, as in nof=on"),
        ("sample:nof=yes", BadOption, "sample: nof=yes: it must be one of on, off"),
        ("sample:handoff=-1", BadOption, "sample: handoff=-1: it must be a whole number"),
        ("sample:handoff=100", BadOption, "sample: handoff=100: it must be under 100"),
        ("sample:handoff=", BadOption, "sample: handoff=: it must be a whole number"),
        ("sample:order=q", BadOption, "sample: order=q: it must begin with e, f or s"),
        ("sample:mode=slwo", BadOption, "sample: mode=slwo: it must be one of fast, slow; nearest: slow"),
        ("sample:nof=on,nof=on", BadOption, "sample: nof is set twice"),
        ("sample:,", BadOption, "sample: unknown option ''"),
    ],
)
@pytest.mark.usefixtures("sample")
def test_bad_specs(spec: str, error: type[TilerError], text: str) -> None:
    with pytest.raises(error, match=re.escape(text)):
        parse_spec(spec)


@pytest.mark.usefixtures("sample")
def test_two_backends_of_one_name_are_refused() -> None:
    class Other(Sample):
        pass

    with pytest.raises(BadOption, match="two backends are called sample"):
        register(Other)


def test_what_a_backend_cannot_do_is_refused() -> None:
    class Decider(Sample):
        goals = frozenset({Goal.DECIDE})

    class Absent(Sample):
        requires = ("json", "no_such_engine")

    class Half(Sample):
        extras = {("mode", "slow"): "no_such_engine", ("mode", "fast"): "json"}  # noqa: RUF012

    with pytest.raises(BadOption, match=r"sample: it cannot count; these can count: .*backtracking"):
        solve(DOMINOES, Decider(), Question(Goal.COUNT))
    with pytest.raises(MissingDependency, match="sample needs no_such_engine; install with: pip install no_such_engine"):
        solve(DOMINOES, Absent())
    with pytest.raises(MissingDependency, match="slow needs no_such_engine; install with: pip install no_such_engine"):
        solve(DOMINOES, Half(mode="slow"))
    for backend in (Half(), Sample()):
        result = solve(DOMINOES, backend).result
        assert (result.status, result.stop) == (Status.UNKNOWN, Stop.UNDECIDED)


def test_a_wrong_solution_is_loud() -> None:
    class Liar(Sample):
        def search(self, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
            yield Found((0,))
            return Result.of_search(question, found=1, exhausted=True, stats={})

    for goal in (Goal.DECIDE, Goal.ENUMERATE):
        with pytest.raises(BadSolution, match=r"sample answered with a wrong solution of 8x8 2: .* is not covered"):
            solve(DOMINOES, Liar(), Question(goal))


def test_a_search_is_loaded_before_the_clock_starts_and_not_with_its_class() -> None:
    code = """
import sys
from tiler.backends.registry import parse_spec

backend, module = parse_spec(sys.argv[1]), sys.argv[2]
before = module in sys.modules
backend.preload()
print(before, module in sys.modules)
"""
    for spec, module in (("dlx", "tiler.backends.dlx.search"), ("frontier", "tiler.backends.frontier.dispatch")):
        done = subprocess.run([sys.executable, "-c", code, spec, module], capture_output=True, text=True, check=True)
        assert done.stdout == "False True\n"


def test_a_backend_without_a_search_says_so() -> None:
    class Idle(Backend):
        name: ClassVar[str] = "idle"

    Idle.preload()  # There is nothing to load.
    with pytest.raises(NotImplementedError, match="idle has neither an implementation nor a search of its own"):
        solve(DOMINOES, Idle())
    with pytest.raises(NotImplementedError, match="idle has no search tree"):
        Idle().tree(BoardCover.of(DOMINOES))


def test_a_search_that_returns_no_result_is_loud() -> None:
    class Yields(Sample):
        def search(self, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
            yield Result.of_search(question, found=0, exhausted=True)  # type: ignore[misc]

    for goal in (Goal.DECIDE, Goal.COUNT, Goal.TALLY):
        with pytest.raises(BackendError, match="sample: the search ended without a result; `search` must return one"):
            solve(DOMINOES, Yields(), Question(goal, tally_by=(TallyBy.COPIES,) if goal is Goal.TALLY else ()))


def test_running_out_of_memory_is_a_result() -> None:
    class HungryAtOnce(Sample):
        def search(self, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
            raise MemoryError

    class HungryLater(Sample):
        def search(self, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
            yield Progress(nodes=5)
            raise MemoryError

    for backend, nodes in ((HungryAtOnce(), 0), (HungryLater(), 5)):
        result = solve(DOMINOES, backend).result
        assert (result.status, result.stop, result.nodes) == (Status.UNKNOWN, Stop.MEMORY, nodes)


def test_solutions_of_a_filtered_cover_speak_of_the_unfiltered_one() -> None:
    cover = BoardCover.of(formats.inline(["4x3", "2", "3I"]))
    smaller = cover.restrict(cover.tile == 0)
    backend = parse_spec("backtracking")
    some = set(backend.solve(smaller, Question(Goal.ENUMERATE)).solutions)
    everything = backend.solve(cover, Question(Goal.ENUMERATE)).solutions
    assert len(some) == 11
    assert some == {options for options in everything if all(cover.tile[list(options)] == 0)}


@pytest.mark.parametrize(
    ("limits", "stop"),
    [
        (Limits(seconds=1e-9), Stop.TIME),
        (Limits(megabytes=1), Stop.MEMORY),
        (Limits(nodes=1), Stop.NODES),
        (Limits(nodes=1000), Stop.NODES),
    ],
)
def test_limits_are_results(limits: Limits, stop: Stop) -> None:
    result = solve(HARD, "backtracking", Question(Goal.COUNT, limits)).result
    assert (result.status, result.stop, result.count) == (Status.UNKNOWN, stop, None)
    assert result.found == 0
    if limits.nodes:
        assert result.nodes == limits.nodes


def test_a_caller_can_stop_a_search_and_keeps_what_was_found() -> None:
    ticks: list[Progress] = []

    def stop_once_found(progress: Progress) -> bool:
        if progress.nodes:  # Before, placements are listed.
            ticks.append(progress)
        return progress.found == 0

    result = solve(DOMINOES, "backtracking", Question(Goal.COUNT), on_tick=stop_once_found).result
    assert (result.status, result.stop, result.count) == (Status.SAT, Stop.INTERRUPTED, None)
    assert [tick.nodes for tick in ticks] == sorted({tick.nodes for tick in ticks})
    assert result.found >= ticks[-1].found > 0


def test_solutions_are_streamed_to_a_caller_who_wants_them() -> None:
    streamed: list[Any] = []
    answer = solve(formats.inline(["4x4", "2"]), question=Question(Goal.ENUMERATE), on_solution=streamed.append)
    assert (len(streamed), answer.solutions, answer.result.solutions) == (36, (), ())


def test_time_in_the_callers_hands_is_not_the_searchs(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]

    def slow(solution: object) -> None:
        now[0] += 0.25

    instance = formats.inline(["4x4", "2"])
    solve(instance)  # Whatever has to be loaded is.
    monkeypatch.setattr(loading, "_times", [])  # Seconds of the real clock.
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    answer = solve(instance, question=Question(Goal.ENUMERATE, Limits(seconds=0.25)), on_solution=slow)
    assert (answer.result.stop, answer.result.found, answer.solve_seconds, now[0]) == (Stop.DONE, 36, 0, 109)


def test_refusals_need_no_search() -> None:
    answer = solve(formats.inline(["5x5", "4L"]), question=Question(Goal.COUNT))
    assert (answer.result.status, answer.result.count, answer.result.nodes) == (Status.UNSAT, 0, 0)
    assert answer.result.message.startswith("area:")


@pytest.mark.long
def test_the_search_does_not_depend_on_the_hash_seed() -> None:
    code = (
        "from tiler import formats; from tiler.ask.solve import solve; from tiler.question.question import *;"
        "i = formats.inline(['6x5', '2', '3L', '1..2:X', 'xx/x.'], reflections=True);"
        "a = solve(i, 'backtracking', Question(Goal.ENUMERATE, Limits(solutions=5)));"
        "print(i.digest, a.result.nodes, [[(p.tile, sorted(p.cells)) for p in s] for s in a.solutions])"
    )
    outputs = {
        subprocess.run([sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout
        for seed in ("0", "1", "2")
    }
    assert len(outputs) == 1


def test_the_tutorials_example_backend_works(monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(__file__).parents[2] / "docs/tutorials/solvers.md").read_text()
    example = next(block for block in re.findall(r"```python.*?\n(.*?)```", page, re.DOTALL) if "@register" in block)
    others = {name: backend for name, backend in backends().items() if name != "recursive"}  # It may be tried in its place.
    monkeypatch.setattr("tiler.backends.registry._registered", others)
    module = types.ModuleType("example")
    monkeypatch.setitem(sys.modules, "example", module)
    exec(compile(example, "solvers.md", "exec"), module.__dict__)
    (name,) = (name for name, backend in backends().items() if backend.__module__ == "example")
    for shapes in (["4x3", "2", "3I"], ["2x2x2", "1x1x2"], ["xxo/xxx", "1..2:3L"], ["3x3", "2", "3:1"]):
        instance = formats.inline(shapes)
        answer = solve(instance, name, Question(Goal.ENUMERATE))
        assert set(map(as_tiling, answer.solutions)) == tilings(instance)
        assert solve(instance, name).result.status is Status.SAT
        assert solve(HARD, name, Question(Goal.COUNT, Limits(nodes=10))).result.stop is Stop.NODES


def test_a_wrong_proof_is_loud() -> None:
    @dataclass(frozen=True)
    class Liar(Backend):
        name: ClassVar[str] = "liar"

        def search(self, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
            return without_events(replace(Coloring().solve(other, Question()), stats={}))

    other = BoardCover.of(formats.inline(["10x10", "4L"]))
    assert solve(other.instance, Liar()).result.status is Status.UNSAT
    with pytest.raises(BadSolution, match="wrong proof"):
        solve(formats.inline(["8x8", "4L"]), Liar())


@pytest.mark.parametrize(
    "spec",
    [
        "backtracking",
        "dlx",
        "dlx:order=first",
        "fila:order=f",
        "fila:order=f,window=off",
        "fila:order=x,window=off",
        "fila:order=s",
        "fila:order=e,handoff=3",
        "fila:order=e:5+f:3,handoff=7",
        "fila:axes=yx,order=f,handoff=2",
    ],
)
def test_a_traced_search_says_which_cell_it_looked_at(spec: str) -> None:
    """The last piece covers the cell, which was open; and all that is tried there, at one node, is tried for one cell."""
    instance = formats.inline(["6x6", "2:4L", "3I", "4T"])
    tried: dict[tuple[Placement, ...], set[Hashable]] = {}

    def check_stop(stack: tuple[Placement, ...], cell: Hashable) -> None:
        if stack:
            assert cell is not None
            assert cell in stack[-1].cells
            tried.setdefault(stack[:-1], set()).add(cell)

    solve(instance, spec, Question(Goal.ENUMERATE, Limits(solutions=5)), on_node=check_stop)
    assert len(tried) > 10
    assert all(len(cells) == 1 for cells in tried.values())


def test_a_traced_search_says_where_it_looked_at_a_tile() -> None:
    seen: list[Hashable] = []
    solve(
        formats.inline(["3x4", "1:4L", "1:2x2", "2:2"]),
        "dlx",
        Question(Goal.COUNT),
        on_node=lambda stack, cell: seen.append(cell),
    )
    assert None in seen
