"""Limits in what comes before a search, and beside it: listing, filters, symmetries, the portfolio, verifying and drawing.

No test here measures time: clocks are made up, and looks at them are counted.
"""

from __future__ import annotations

import io
import re
import threading
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from itertools import count
from typing import ClassVar

import numpy as np
import pytest
from following import result_of
from hypothesis import given
from strategies import instances

from tiler import formats
from tiler.ask import planner, portfolio
from tiler.ask.solve import each_tiling, solve
from tiler.backends.base import Backend
from tiler.backends.coloring import Coloring
from tiler.backends.registry import parse_spec
from tiler.bench import measure
from tiler.bench.job import Job
from tiler.cli.main import main
from tiler.cover import filters
from tiler.cover.board import BoardCover
from tiler.cover.cover import Cover
from tiler.cover.group_action import actions
from tiler.cover.split import split
from tiler.errors import BadOption
from tiler.kernels import loading
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.verify_blocks import BlockVerifier
from tiler.process.cancellation import StopCheck, Stopped
from tiler.question.events import NO_EXTRAS, Event, Events, Found, Progress, RunningSearch, SearchContext, without_events
from tiler.question.limit_watch import Watch, within
from tiler.question.plan import Candidate, Plan
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Result, Stop

PENTOMINOES = [f"1:{letter}" for letter in "FILNPTUVWXYZ"]
SMALL = formats.inline(["5x4", "1:4T", "1:4L", "1:3L", "3:3I"], reflections=True)
UNKNOWN = (Status.UNKNOWN, Stop.TIME)


class Clock:
    """Seconds that pass when they are told to, and `step` of them with every look."""

    def __init__(self, step: float = 0.0) -> None:
        self.now, self.step = 100.0, step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


@pytest.fixture(autouse=True)
def nothing_was_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """What loading kernels took stands in seconds of the real clock, which mean nothing beside those of another."""
    monkeypatch.setattr(loading, "_times", [])


def at_most(looks: int) -> Callable[[], None]:
    """A look that raises Stopped when it is called once too often."""
    left = iter(range(looks))

    def check_stop() -> None:
        if next(left, None) is None:
            raise Stopped(Stop.TIME)

    return check_stop


class Counter:
    def __init__(self) -> None:
        self.looks = 0

    def __call__(self) -> None:
        self.looks += 1


def looks_of(work: Callable[[Callable[[], None]], object]) -> int:
    counter = Counter()
    work(counter)
    return counter.looks


STAGES: dict[str, Callable[[BoardCover, Callable[[], None]], object]] = {
    "listing": lambda cover, check_stop: BoardCover.of(cover.instance, check_stop),
    "dead": filters.dead,
    "volume": filters.volume,
    "parity": filters.parity,
    "probe": filters.probe,
    "symmetries": actions,
    "split": lambda cover, check_stop: split([cover], 64, check_stop),
    "anchor": lambda cover, check_stop: filters.anchor(cover, "auto", np.arange(len(cover.cells)), check_stop),
}


@pytest.mark.parametrize("name", STAGES)
def test_every_look_can_end_a_stage(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filters, "_BUDGET", 1)
    cover = BoardCover.of(SMALL)
    looks = looks_of(lambda check_stop: STAGES[name](cover, check_stop))
    assert looks >= 4
    for fewer in {*range(0, looks, max(1, looks // 50)), looks - 1}:
        with pytest.raises(Stopped):
            STAGES[name](cover, at_most(fewer))
    STAGES[name](cover, at_most(looks))


QUESTIONS = [
    *((f"dlx:filter={name}", Question()) for name in filters.FILTERS),
    ("dlx:anchor=auto", Question()),
    ("auto", Question()),
    ("fila", Question(Goal.COUNT, up_to_symmetry=True)),
    ("coloring:stages=area+lattice", Question()),
]


@pytest.mark.parametrize(("spec", "question"), QUESTIONS)
def test_a_limit_is_an_answer_whenever_it_is_reached(spec: str, question: Question, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = solve(SMALL, spec, question).result
    monkeypatch.setattr(time, "perf_counter", Clock(step=1))
    seconds, limited = 1.0, 0
    while True:
        result = solve(SMALL, spec, Question(question.goal, Limits(seconds=seconds), question.up_to_symmetry)).result
        if result.stop is not Stop.TIME:
            break
        assert (result.count, result.solutions) == (None, ())
        assert result.status is not Status.UNSAT
        seconds, limited = 1.25 * seconds + 1, limited + 1
    assert (result.status, result.stop, result.count) == (expected.status, expected.stop, expected.count)
    assert limited >= 6


@pytest.mark.parametrize(("spec", "question"), [(spec, question) for spec, question in QUESTIONS if spec != "auto"])
def test_ctrl_c_is_an_answer_whenever_it_comes(spec: str, question: Question, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "perf_counter", Clock())
    all_ = Patient(1 << 60)
    solve(SMALL, spec, question, on_tick=all_)
    ticks = (1 << 60) - all_.left
    assert ticks > 12
    for last in range(1, ticks, 5):
        result = solve(SMALL, spec, question, on_tick=Patient(last)).result
        assert (result.stop, result.count, result.solutions) == (Stop.INTERRUPTED, None, ())
        assert result.status is not Status.UNSAT


@dataclass(frozen=True)
class NeverAsked(Backend):
    name: ClassVar[str] = "never asked"

    def search(self, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
        raise AssertionError("there was no time for a search")


@pytest.mark.parametrize("question", [Question(limits=Limits(seconds=0)), Question(Goal.COUNT, Limits(seconds=0), True)])
@pytest.mark.parametrize("executor", [None, "local:2"])
def test_without_time_nothing_is_begun(question: Question, executor: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "perf_counter", Clock())
    answer = solve(SMALL, NeverAsked(), question, executor=executor)
    assert (answer.result.status, answer.result.stop) == UNKNOWN
    assert answer.result.symmetry is None


def test_a_run_of_a_campaign_ends_in_listing() -> None:
    record = measure.answer(Job(SMALL, "dlx", Question(limits=Limits(seconds=0))), warm_seconds=0.1).answer
    assert (record["status"], record["stop"], record["verified"]) == (*UNKNOWN, 0)


def test_the_command_says_that_the_time_is_over(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "perf_counter", Clock(step=1))
    assert main(["solve", "6x6", "2", "--time-limit", "2s"]) == 3
    assert capsys.readouterr().out == "unknown (the time limit is over)\n"
    assert main(["count", "6x6", "2", "--time-limit", "2s", "--up-to-symmetry"]) == 3
    out, err = capsys.readouterr()
    assert (out, err) == ("at least 0\n", "tiler: the time limit is over\n")


def test_a_limit_leaves_the_line_of_progress_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Ctrl-C does: it says how far the search came."""
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr(time, "perf_counter", Clock(step=1))
    assert main(["count", "12x12", "2", "--solver", "backtracking", "--time-limit", "100s"]) == 3
    assert re.search(r"\d (s|min): [^\r\n]* nodes, [^\r\n]* tilings\ntiler: the time limit is over\n$", terminal.getvalue())
    assert capsys.readouterr().out.startswith("at least ")


def test_listing_looks_at_the_clock_for_every_cell_of_every_variant() -> None:
    instance = formats.inline(["300x200", "5F", "2"], reflections=True)
    assert looks_of(lambda check_stop: BoardCover.of(instance, check_stop)) >= 8 * (4 + 5) + 2 * (1 + 2)


def test_filters_look_at_the_clock_in_proportion_to_their_work() -> None:
    cover = BoardCover.of(formats.inline(["40x40", "2"]))
    steps = len(cover) * len(cover.cells)
    assert looks_of(lambda check_stop: filters.volume(cover, check_stop)) >= steps // (filters._BUDGET + len(cover.cells)) >= 1
    pentominoes = BoardCover.of(formats.inline(["40x40", "5F", "5X"], reflections=True))
    # Most placements touch over a hundred others, of five cells.
    assert (
        looks_of(lambda check_stop: filters.dead(pentominoes, check_stop)) >= len(pentominoes) * 100 * 5 // filters._BUDGET >= 1
    )


@given(instances(max_cells=12, words=False))
def test_filters_do_not_depend_on_where_they_pause(instance: Instance) -> None:
    cover = BoardCover.of(instance)
    if cover.refusal() is not None:
        return
    whole = [each(cover).origin.tolist() for each in (filters.dead, filters.volume)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(filters, "_BUDGET", 1)
        counter = Counter()
        assert [each(cover, counter).origin.tolist() for each in (filters.dead, filters.volume)] == whole
    assert counter.looks >= len(cover)


# The watch


@dataclass(frozen=True)
class Looking(Backend):
    """Looks, lets some seconds pass and looks again; then it knows the answer."""

    name: ClassVar[str] = "looking"
    clock: ClassVar[Clock] = Clock()
    why: ClassVar[list[str]] = []

    def search(self, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
        self.why.clear()
        context.check_stop()
        self.clock.now += 3
        try:
            context.check_stop()
        except Stopped as stopped:
            self.why.append(stopped.why)
            raise
        return without_events(Result(Status.SAT, Stop.DONE))


LOOKING = Plan((Candidate("looking", "it was asked for"),))


def test_a_look_says_what_a_tick_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "perf_counter", Looking.clock)
    ticks = Patient(1 << 60)
    assert solve(SMALL, Looking(), on_tick=ticks).result == Result(Status.SAT, Stop.DONE, plan=LOOKING)
    assert Looking.why == []
    result = solve(SMALL, Looking(), on_tick=Patient((1 << 60) - ticks.left)).result
    assert (Looking.why, result.stop) == ([Stop.INTERRUPTED], Stop.INTERRUPTED)


@pytest.mark.parametrize(
    ("limits", "stop"),
    [
        (Limits(seconds=5), None),
        (Limits(seconds=4), Stop.TIME),
        (Limits(nodes=8), None),
        (Limits(nodes=7), Stop.NODES),
        (Limits(megabytes=1), Stop.MEMORY),
        (Limits(megabytes=1 << 40), None),
    ],
)
def test_each_limit_has_its_reason(limits: Limits, stop: Stop | None, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(time, "perf_counter", clock)
    watch = Watch(limits, clock.now - 4)
    assert watch.exceeded(7) is stop
    if stop is not None:
        Searching.said.clear()
        searching = Searching().search(BoardCover.of(SMALL), Question(), NO_EXTRAS)
        last = result_of(within(lambda: (searching, np.arange(9, dtype=np.int32)), Watch(limits, clock.now - 4)))
        too_low = last.reason if stop is Stop.MEMORY else ""
        assert last == Result(Status.UNKNOWN, stop, nodes=7 if stop is Stop.NODES else 0, message=too_low)
        assert too_low.startswith("the memory limit of 1 MB is too low: at least " if too_low else "")
        assert Searching.said == ["closed"]


def test_the_answer_of_stopped_work_is_that_nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "perf_counter", Looking.clock)
    cover, nothing = BoardCover.of(SMALL), Result(*UNKNOWN)
    assert Looking().solve(cover, Question(limits=Limits(seconds=4))) == Result(Status.SAT, Stop.DONE)
    assert Looking().solve(cover, Question(limits=Limits(seconds=3))) == nothing
    assert solve(SMALL, Looking(), Question(limits=Limits(seconds=3))).result == replace(nothing, plan=LOOKING)
    assert solve(SMALL, Looking(), Question(limits=Limits(seconds=3))).result.counters == {"found": 0, "nodes": 0}


# Verifying and drawing


def test_verifying_and_drawing_have_seconds_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(time, "perf_counter", clock)
    error_in = BlockVerifier.error_in

    def slow(verifier: BlockVerifier, rows: object) -> str | None:
        clock.now += 7
        return error_in(verifier, rows)  # type: ignore[arg-type]

    def draw(solution: object) -> None:
        clock.now += 5

    monkeypatch.setattr(BlockVerifier, "error_in", slow)
    # Over the limit at the first tiling, if it counted.
    question = Question(Goal.ENUMERATE, Limits(seconds=1))
    answer = solve(formats.inline(["2x3", "2"]), "dlx", question, on_solution=draw)
    assert (answer.result.stop, answer.result.found) == (Stop.DONE, 3)
    assert (answer.encode_seconds, answer.solve_seconds, answer.verify_seconds, answer.draw_seconds) == (
        0,
        0,
        14,
        15,
    )  # Verified are blocks, of one and of two.
    assert (answer.summary()["verify_seconds"], answer.summary()["draw_seconds"]) == (14, 15)


# The portfolio and the prover


@dataclass(frozen=True)
class Preparing(Backend):
    """Prepares, looking up now and then, and only then searches."""

    name: ClassVar[str] = "preparing"
    said: ClassVar[list[str]] = []

    def search(self, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
        for _ in range(5):
            self.said.append("looks")
            context.check_stop()
        self.said.append("searches")
        yield Progress(5)
        yield Progress(6)
        return Result(Status.SAT, Stop.DONE)


@dataclass(frozen=True)
class Searching(Backend):
    """Searches without end."""

    name: ClassVar[str] = "searching"
    said: ClassVar[list[str]] = []

    def search(self, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
        try:
            for nodes in count():
                yield Progress(nodes)
        finally:
            self.said.append("closed")


class Patient:
    """A tick that says stop when it is called for that time."""

    def __init__(self, last: int) -> None:
        self.left = last

    def __call__(self, progress: Progress) -> bool:
        self.left -= 1
        return self.left > 0


@pytest.fixture
def preparing() -> Preparing:
    Preparing.said.clear()
    Searching.said.clear()
    return Preparing()


def in_turns(*backends: Backend, check_stop: StopCheck) -> Generator[Event, None, portfolio.Outcome]:
    asked = {Candidate(each.name): each for each in backends}
    return portfolio.run(
        asked,
        lambda each, context: asked[each].search(BoardCover.of(SMALL), Question(), context),
        SearchContext(check_stop=check_stop),
    )


def test_a_portfolio_does_not_wait_for_who_prepares(preparing: Preparing) -> None:
    with pytest.raises(Stopped):
        list(in_turns(Searching(), preparing, check_stop=at_most(2)))
    assert (Preparing.said, Searching.said) == (["looks"] * 3, ["closed"])


def test_auto_does_not_wait_for_who_prepares(preparing: Preparing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planner, "plan", lambda *asked: Plan((Candidate("preparing"),)))
    monkeypatch.setattr(planner, "backend_of", lambda candidate, asked: preparing)
    ticks = Patient(1 << 60)
    assert solve(SMALL, "auto:among=sat", on_tick=ticks).result.status is Status.SAT
    # The last ticks: five looks and two of the search.
    last = (1 << 60) - ticks.left
    for early in range(5):
        Preparing.said.clear()
        result = solve(SMALL, "auto:among=sat", on_tick=Patient(last - 6 + early)).result
        assert (result.status, result.stop) == (Status.UNKNOWN, Stop.INTERRUPTED)
        assert Preparing.said == ["looks"] * (early + 1)


def test_who_prepares_for_long_may_still_win(preparing: Preparing) -> None:
    running = in_turns(preparing, check_stop=at_most(5))
    assert [next(running), next(running)] == [Progress(5), Progress(6)]
    with pytest.raises(StopIteration) as end:
        next(running)
    assert (end.value.value.result.status, end.value.value.winner) == (Status.SAT, Candidate("preparing"))


def test_the_lattice_stage_of_auto_can_be_stopped() -> None:
    instance, threads = formats.inline(["30x34", "4T"]), threading.active_count()
    result = solve(instance, "auto", on_tick=lambda progress: threading.active_count() == threads).result
    assert (result.status, result.stop) == (Status.UNKNOWN, Stop.INTERRUPTED)
    assert "chosen" not in result.stats
    assert threading.active_count() == threads


def test_what_needs_no_search_is_proved_within_the_limits_too() -> None:
    cover = BoardCover.of(formats.inline(["7x1", "4L", "1:2"]))
    assert cover.refusal() is not None
    assert Coloring().solve(cover, Question()).certificate is not None
    assert parse_spec("dlx").solve(cover, Question()).status is Status.UNSAT


def test_what_the_caller_does_with_an_event_is_not_the_searchs_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(time, "perf_counter", clock)

    def search() -> RunningSearch:
        for _ in range(9):
            clock.now += 2
            yield Progress()
        return Result(Status.UNSAT, Stop.DONE)

    watch = Watch(Limits(seconds=5), clock.now)
    taken = []
    with Events(within(lambda: (search(), np.arange(9, dtype=np.int32)), watch)) as events:
        for event in events:
            taken.append(event)
            clock.now += 9
    # The third progress comes after six seconds of its own.
    assert taken == [Progress()] * 3
    result = events.result
    assert (result.status, result.stop) == (Status.UNKNOWN, Stop.TIME)
    assert watch.outside == 27


def test_the_memory_is_looked_at_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, looks = Clock(), Counter()
    monkeypatch.setattr(time, "perf_counter", clock)
    monkeypatch.setattr("tiler.question.limit_watch.resident_megabytes", lambda: looks() or 5.0)
    watch = Watch(Limits(megabytes=5), clock.now)
    for _ in range(100):
        clock.now += 0.001
        assert watch.exceeded() is None
    assert 3 <= looks.looks <= 10


def test_what_filters_refute_needs_no_search() -> None:
    result = solve(formats.inline(["4x4", "1:4T", "3:4L"]), NeverAsked(filter="parity")).result
    assert (result.status, result.stop, result.count) == (Status.UNSAT, Stop.DONE, 0)
    assert result.message.startswith("cell: no placement covers")


def test_a_limit_of_solutions_is_for_listing_them() -> None:
    with pytest.raises(BadOption, match=r"a limit of solutions is for listing them, .*; the goal here is to decide"):
        Question(Goal.DECIDE, Limits(solutions=5))


def test_tilings_come_as_they_are_asked_for() -> None:
    tilings = each_tiling(formats.inline(["8x8", "2"]), "dlx", Question(Goal.ENUMERATE))
    first, second = next(tilings), next(tilings)
    assert first != second
    tilings.close()  # There are 12,988,816; the search is over now.
    assert list(each_tiling(formats.inline(["3x3", "2"]), "dlx", Question(Goal.ENUMERATE))) == []


def test_what_was_handed_over_counts_even_before_the_next_progress() -> None:
    def search() -> RunningSearch:
        yield Progress(nodes=1)
        yield Found((0,))
        yield Found((1,))
        raise Stopped(Stop.TIME)

    result = result_of(within(lambda: (search(), np.arange(9, dtype=np.int32)), Watch(Limits())))
    assert (result.status, result.stop, result.found, result.nodes) == (Status.SAT, Stop.TIME, 2, 1)
