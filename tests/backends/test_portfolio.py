"""Searches that take turns: who wins, who drops out, and that only one runs at a time."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import ClassVar

import pytest

from tiler import formats
from tiler.backends.auto import portfolio as race_module
from tiler.backends.auto.portfolio import Member, run
from tiler.backends.base import Backend
from tiler.backends.dlx import Dlx
from tiler.cover.cover import ExactCover
from tiler.errors import BackendError
from tiler.model.expected import Status
from tiler.question.events import Events, Progress
from tiler.question.question import Goal, Question
from tiler.question.result import Result, Stop

COVER = ExactCover.of(formats.inline(["2x2", "2"]))
running: list[str] = []


@dataclass(frozen=True)
class Runner(Backend):
    """Ticks so many times, and then does what it is told."""

    name: ClassVar[str] = "runner"
    ticks: int = 0
    end: str = "done"

    def search(self, cover: ExactCover, question: Question, events: Events) -> Result:
        running.append(f"{self.ticks} began")
        for number in range(self.ticks):
            assert threading.current_thread() is not threading.main_thread()
            if not events.tick(Progress(number)):
                running.append(f"{self.ticks} was stopped")
                return Result(Status.UNKNOWN, Stop.INTERRUPTED)
        if self.end == "fails":
            raise BackendError("no engine")
        if self.end == "has a bug":
            raise KeyError("bug")
        if self.end == "gives up":
            return Result(Status.UNKNOWN, Stop.MEMORY)
        events.solution((self.ticks,))
        return Result(Status.SAT, Stop.DONE)


def runner(ticks: int, end: str = "done") -> Runner:
    return Runner(ticks=ticks, end=end)


@pytest.fixture(autouse=True)
def nothing_is_left() -> None:
    running.clear()


class Taking(Events):
    def __init__(self, ticks: int = 1 << 60) -> None:
        self.solutions: list[tuple[int, ...]] = []
        self.ticks = ticks

    def solution(self, options: tuple[int, ...]) -> None:
        self.solutions.append(options)

    def tick(self, progress: Progress) -> bool:
        self.ticks -= 1
        return self.ticks > 0


def test_who_is_done_first_wins_and_the_others_are_stopped() -> None:
    threads = threading.active_count()
    events = Taking()
    outcome = run([Member(runner(1 << 40)), Member(runner(3)), Member(runner(1 << 41))], COVER, Question(), events)
    assert outcome.winner == runner(3)
    assert outcome.result.status is Status.SAT
    assert events.solutions == [(3,)]
    assert {f"{1 << 40} was stopped", f"{1 << 41} was stopped"} <= set(running)
    assert threading.active_count() == threads


def test_a_favourite_that_is_done_at_once_is_the_only_one_asked() -> None:
    outcome = run([Member(runner(0)), Member(runner(1))], COVER, Question(), Taking())
    assert outcome.winner == runner(0)
    assert running == ["0 began"]
    outcome = run([Member(runner(5)), Member(runner(1), after=1e9)], COVER, Question(), Taking())
    assert outcome.winner == runner(5)
    assert "1 began" not in running


def test_those_who_wait_are_asked_when_all_others_are_out() -> None:
    outcome = run(
        [Member(runner(2, "gives up")), Member(runner(1, "fails")), Member(runner(3), 1e9)], COVER, Question(), Taking()
    )
    assert outcome.winner == runner(3)
    assert [backend for backend, _ in outcome.seconds] == [runner(2, "gives up"), runner(1, "fails"), runner(3)]


def test_a_failure_of_all_is_raised_and_giving_up_is_an_answer() -> None:
    with pytest.raises(BackendError, match="no engine"):
        run([Member(runner(2, "fails"))], COVER, Question(), Taking())
    outcome = run([Member(runner(2, "gives up"))], COVER, Question(), Taking())
    assert (outcome.result.stop, outcome.winner) == (Stop.MEMORY, None)


def test_a_bug_is_not_hidden() -> None:
    threads = threading.active_count()
    with pytest.raises(KeyError, match="bug"):
        run([Member(runner(1 << 40)), Member(runner(1, "has a bug"))], COVER, Question(), Taking())
    assert threading.active_count() == threads


def test_the_caller_stops_all() -> None:
    threads = threading.active_count()
    outcome = run([Member(runner(1 << 40)), Member(runner(1 << 41))], COVER, Question(), Taking(ticks=9))
    assert (outcome.result.status, outcome.result.stop, outcome.winner) == (Status.UNKNOWN, Stop.INTERRUPTED, None)
    assert threading.active_count() == threads


def test_real_searches_count() -> None:
    outcome = run([Member(Dlx()), Member(Dlx(order="first"))], COVER, Question(Goal.COUNT), Taking())
    assert (outcome.result.count, outcome.winner) == (2, Dlx())


@dataclass(frozen=True)
class Worker(Backend):
    """Takes so many seconds from tick to tick, of the CPU or of others'."""

    name: ClassVar[str] = "worker"
    letter: str = "a"
    cpu: int = 0
    wall: int = 0

    def search(self, cover: ExactCover, question: Question, events: Events) -> Result:
        while True:
            running.append(self.letter)
            Seconds.cpu += self.cpu
            Seconds.wall += self.cpu + self.wall
            if not events.tick(Progress()):
                return Result(Status.UNKNOWN, Stop.INTERRUPTED)


class Seconds:
    """The clocks that a race looks at."""

    cpu = wall = 0

    @classmethod
    def process_time(cls) -> float:
        return cls.cpu

    @classmethod
    def perf_counter(cls) -> float:
        return cls.wall


@pytest.mark.parametrize(
    ("members", "turns"),
    [
        ([Member(Worker(letter="a", cpu=1)), Member(Worker(letter="b", cpu=1))], "abababab"),
        ([Member(Worker(letter="a", cpu=1)), Member(Worker(letter="b", cpu=3))], "abaaabaa"),
        ([Member(Worker(letter="a", cpu=1), share=3), Member(Worker(letter="b", cpu=1))], "abaaabaa"),
        ([Member(Worker(letter="a", cpu=1)), Member(Worker(letter="b", cpu=1), after=3)], "aaabbbab"),
        # An engine in another process takes four seconds for what counts as one.
        ([Member(Worker(letter="a", cpu=1)), Member(Worker(letter="b", wall=4))], "abababab"),
        ([Member(Worker(letter="a", cpu=2)), Member(Worker(letter="b", wall=24))], "abaaabaa"),
    ],
)
def test_turns_go_by_seconds_and_shares(members: list[Member], turns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(race_module, "time", Seconds)
    run(members, COVER, Question(), Taking(len(turns)))
    assert "".join(running) == turns
