"""Limits in what comes before a search, and beside it: listing, filters, symmetries, the portfolio, verifying and drawing.

No test here measures time: clocks are made up, and looks at them are counted.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from strategies import instances

from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.auto import Auto, portfolio
from tiler.backends.base import Backend, parse_spec
from tiler.backends.coloring import Coloring
from tiler.bench import measure
from tiler.bench.job import Job
from tiler.cli.main import main
from tiler.cover import filters
from tiler.cover.action import actions
from tiler.cover.cover import ExactCover
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.verify import Verifier
from tiler.question import watch as watch_module
from tiler.question.events import Events, Progress
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Result, Stop
from tiler.question.watch import Stopped, Watch

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


def at_most(looks: int) -> Callable[[], None]:
    """A look that raises Stopped when it is called once too often."""
    left = iter(range(looks))

    def look() -> None:
        if next(left, None) is None:
            raise Stopped

    return look


class Counter:
    def __init__(self) -> None:
        self.looks = 0

    def __call__(self) -> None:
        self.looks += 1


def looks_of(work: Callable[[Callable[[], None]], object]) -> int:
    counter = Counter()
    work(counter)
    return counter.looks


STAGES: dict[str, Callable[[ExactCover, Callable[[], None]], object]] = {
    "listing": lambda cover, look: ExactCover.of(cover.instance, look),
    "dead": filters.dead,
    "volume": filters.volume,
    "parity": filters.parity,
    "probe": filters.probe,
    "symmetries": actions,
    "anchor": lambda cover, look: filters.anchor(cover, "auto", np.arange(len(cover.cells)), look),
}


@pytest.mark.parametrize("name", STAGES)
def test_every_look_can_end_a_stage(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filters, "_BUDGET", 1)
    cover = ExactCover.of(SMALL)
    looks = looks_of(lambda look: STAGES[name](cover, look))
    assert looks >= 4
    for fewer in range(looks):
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
    assert limited >= 8


@pytest.mark.parametrize(("spec", "question"), [(spec, question) for spec, question in QUESTIONS if spec != "auto"])
def test_ctrl_c_is_an_answer_whenever_it_comes(spec: str, question: Question, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "perf_counter", Clock())
    all_ = Patient(1 << 60)
    solve(SMALL, spec, question, on_tick=all_.tick)
    ticks = (1 << 60) - all_.left
    assert ticks > 20
    for last in range(1, ticks, 5):
        result = solve(SMALL, spec, question, on_tick=Patient(last).tick).result
        assert (result.stop, result.count, result.solutions) == (Stop.INTERRUPTED, None, ())
        assert result.status is not Status.UNSAT


@dataclass(frozen=True)
class NeverAsked(Backend):
    name: ClassVar[str] = "never asked"

    def search(self, cover: ExactCover, question: Question, events: Events) -> Result:
        raise AssertionError("there was no time for a search")


@pytest.mark.parametrize("question", [Question(limits=Limits(seconds=0)), Question(Goal.COUNT, Limits(seconds=0), True)])
@pytest.mark.parametrize("executor", [None, "local:2"])
def test_without_time_nothing_is_begun(question: Question, executor: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "perf_counter", Clock())
    answer = solve(SMALL, NeverAsked(), question, executor=executor)
    assert (answer.result.status, answer.result.stop) == UNKNOWN
    assert answer.symmetry is None


def test_a_run_of_a_campaign_ends_in_listing() -> None:
    record = measure.answer(Job(SMALL, "dlx", Question(limits=Limits(seconds=0))), warm_seconds=0.1)
    assert (record["status"], record["stop"], record["verified"]) == (*UNKNOWN, 0)


def test_the_command_says_that_the_time_is_over(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "perf_counter", Clock(step=1))
    assert main(["solve", "6x6", "2", "--time-limit", "2s"]) == 3
    assert capsys.readouterr().out == "unknown (the time limit is over)\n"
    assert main(["count", "6x6", "2", "--time-limit", "2s", "--up-to-symmetry"]) == 3
    out, err = capsys.readouterr()
    assert (out, err) == ("at least 0\n", "tiler: the time limit is over\n")


def test_listing_looks_at_the_clock_for_every_cell_of_every_variant() -> None:
    instance = formats.inline(["300x200", "5F", "2"], reflections=True)
    assert looks_of(lambda look: ExactCover.of(instance, look)) >= 8 * (4 + 5) + 2 * (1 + 2)


def test_filters_look_at_the_clock_in_proportion_to_their_work() -> None:
    cover = ExactCover.of(formats.inline(["40x40", "2"]))
    steps = len(cover) * len(cover.cells)
    assert looks_of(lambda look: filters.volume(cover, look)) >= steps // (filters._BUDGET + len(cover.cells)) >= 1
    pentominoes = ExactCover.of(formats.inline(["40x40", "5F", "5X"], reflections=True))
    # Most placements touch over a hundred others, of five cells.
    assert looks_of(lambda look: filters.dead(pentominoes, look)) >= len(pentominoes) * 100 * 5 // filters._BUDGET >= 1


@given(instances(max_cells=12, words=False))
def test_filters_do_not_depend_on_where_they_pause(instance: Instance) -> None:
    cover = ExactCover.of(instance)
    if cover.refusal() is not None:
        return
    whole = [each(cover).origin.tolist() for each in (filters.dead, filters.volume)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(filters, "_BUDGET", 1)
        counter = Counter()
        assert [each(cover, counter).origin.tolist() for each in (filters.dead, filters.volume)] == whole
    assert counter.looks >= len(cover)


# The watch


def test_a_look_says_what_a_tick_says() -> None:
    class Caller(Events):
        def tick(self, progress: Progress) -> bool:
            return answers.pop(0)

    answers = [True, False]
    watch = Watch(Caller(), Limits(), time.perf_counter())
    watch.look()
    assert watch.reason is None
    with pytest.raises(Stopped):
        watch.look()
    assert watch.reason is Stop.INTERRUPTED


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
    watch = Watch(Events(), limits, clock.now - 4)
    assert watch.tick(Progress(7)) is (stop is None)
    assert watch.reason is stop


def test_the_answer_of_stopped_work_is_that_nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(time, "perf_counter", clock)
    watch = Watch(Events(), Limits(seconds=3), clock.now)
    done = Result(Status.SAT, Stop.DONE)
    assert watch.answer(lambda: done) is done

    def work() -> Result:
        watch.look()
        clock.now += 3
        watch.look()
        return done

    assert watch.answer(work) == Result(*UNKNOWN, stats={"found": 0, "nodes": 0})


def test_what_the_caller_does_in_a_tick_is_not_the_searchs_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(time, "perf_counter", clock)

    class Slow(Events):
        def tick(self, progress: Progress) -> bool:
            clock.now += 9
            return True

    watch = Watch(Slow(), Limits(seconds=3), clock.now)
    assert watch.tick(Progress())
    clock.now += 2
    assert watch.tick(Progress())
    assert (watch.elapsed, watch.outside) == (2, 18)
    clock.now += 1
    assert not watch.tick(Progress())


def test_the_memory_is_looked_at_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, looks = Clock(), Counter()
    monkeypatch.setattr(time, "perf_counter", clock)
    monkeypatch.setattr(watch_module, "resident_megabytes", lambda: looks() or 5.0)
    watch = Watch(Events(), Limits(megabytes=5), clock.now)
    for _ in range(100):
        clock.now += 0.001
        assert watch.tick(Progress())
    assert 3 <= looks.looks <= 10


def test_an_answer_that_is_ready_is_not_withheld_when_the_time_is_over() -> None:
    @dataclass(frozen=True)
    class Stubborn(Backend):
        name: ClassVar[str] = "stubborn"

        def search(self, cover: ExactCover, question: Question, events: Events) -> Result:
            assert not events.tick(Progress())
            return Result(Status.UNSAT, Stop.DONE)

    result = Stubborn().solve(ExactCover.of(SMALL), Question(limits=Limits(seconds=0)))
    assert (result.status, result.stop) == (Status.UNSAT, Stop.DONE)


def test_what_filters_refute_needs_no_search() -> None:
    result = solve(formats.inline(["4x4", "1:4T", "3:4L"]), NeverAsked(filter="parity")).result
    assert (result.status, result.stop, result.count) == (Status.UNSAT, Stop.DONE, 0)
    assert result.message.startswith("cell: no placement covers")


# Verifying and drawing


def test_verifying_and_drawing_have_seconds_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(time, "perf_counter", clock)
    problem = Verifier.problem

    def slow(verifier: Verifier, solution: object) -> str | None:
        clock.now += 7
        return problem(verifier, solution)  # type: ignore[arg-type]

    def draw(solution: object) -> None:
        clock.now += 5

    monkeypatch.setattr(Verifier, "problem", slow)
    # Over the limit at the first tiling, if it counted.
    question = Question(Goal.ENUMERATE, Limits(seconds=1))
    answer = solve(formats.inline(["2x3", "2"]), "dlx", question, on_solution=draw)
    assert (answer.result.stop, answer.result.stats["found"]) == (Stop.DONE, 3)
    assert (answer.encode_seconds, answer.solve_seconds, answer.verify_seconds, answer.draw_seconds) == (0, 0, 21, 15)
    assert (answer.summary()["verify_seconds"], answer.summary()["draw_seconds"]) == (21, 15)


# The race and the prover


@dataclass(frozen=True)
class Preparing(Backend):
    """Prepares until it is allowed to search, and then does what its ticks say."""

    name: ClassVar[str] = "preparing"
    may_search: ClassVar[threading.Event] = threading.Event()
    told: ClassVar[list[bool]] = []

    def search(self, cover: ExactCover, question: Question, events: Events) -> Result:
        self.may_search.wait()
        self.told.extend([events.tick(Progress(5)), events.tick(Progress(6))])
        return Result(Status.SAT, Stop.DONE)


class Patient(Events):
    """Says stop at the tick of that number."""

    def __init__(self, last: int, then: Callable[[], None] = lambda: None) -> None:
        self.left, self._then = last, then

    def tick(self, progress: Progress) -> bool:
        self.left -= 1
        if self.left == 0:
            self._then()
        return self.left > 0


@pytest.fixture
def preparing(monkeypatch: pytest.MonkeyPatch) -> Preparing:
    monkeypatch.setattr(portfolio, "_PATIENCE", 0.001)
    Preparing.may_search.clear()
    Preparing.told.clear()
    return Preparing()


def test_a_race_does_not_wait_for_who_prepares(preparing: Preparing) -> None:
    cover, before = ExactCover.of(SMALL), set(threading.enumerate())
    finish = portfolio.race([portfolio.Entrant(preparing)], cover, Question(), Patient(3))
    assert (finish.result.status, finish.result.stop, finish.winner) == (Status.UNKNOWN, Stop.INTERRUPTED, None)
    (thread,) = set(threading.enumerate()) - before
    preparing.may_search.set()
    thread.join()
    assert preparing.told == [False, False]


def test_who_prepares_for_long_may_still_win(preparing: Preparing) -> None:
    class Waiting(Events):
        ticks = 0

        def tick(self, progress: Progress) -> bool:
            self.ticks += 1
            if self.ticks == 3:
                preparing.may_search.set()
            return True

    finish = portfolio.race([portfolio.Entrant(preparing)], ExactCover.of(SMALL), Question(), Waiting())
    assert (finish.result.status, finish.winner, preparing.told) == (Status.SAT, preparing, [True, True])


def test_the_lattice_stage_of_auto_can_be_stopped() -> None:
    cover = ExactCover.of(formats.inline(["10x10", "4T", "4S"]))
    assert Auto().search(cover, Question(), Events()).status is not Status.UNKNOWN
    result = Auto().search(cover, Question(), Patient(1))
    assert (result.status, result.stop, result.stats["chosen"]) == (Status.UNKNOWN, Stop.INTERRUPTED, "")


def test_what_needs_no_search_is_proved_within_the_limits_too() -> None:
    cover = ExactCover.of(formats.inline(["7x1", "4L", "1:2"]))
    assert cover.refusal() is not None
    assert Coloring().solve(cover, Question()).certificate is not None
    assert parse_spec("dlx").solve(cover, Question()).status is Status.UNSAT
