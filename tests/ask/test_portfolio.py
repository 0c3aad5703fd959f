"""Searches that take turns: who wins, who drops out, and that only one runs at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import pytest

from tiler import formats
from tiler.ask import portfolio
from tiler.backends.base import Backend
from tiler.backends.dlx import Dlx
from tiler.cover.board import BoardCover
from tiler.cover.cover import Cover
from tiler.errors import BackendError
from tiler.kernels import loading, patience
from tiler.model.expected import Status
from tiler.question.events import Event, Found, Progress, Run, Running
from tiler.question.plan import Candidate, Way
from tiler.question.question import Goal, Question
from tiler.question.result import Result, Stop

COVER = BoardCover.of(formats.inline(["2x2", "2"]))
DECIDE = Question()
running: list[str] = []


@dataclass(frozen=True)
class Runner(Backend):
    """Ticks so many times, and then does what it is told."""

    name: ClassVar[str] = "runner"
    ticks: int = 0
    end: str = "done"

    def search(self, cover: Cover, question: Question, run: Run) -> Running:
        running.append(f"{self.ticks} began")
        for number in range(self.ticks):
            try:
                yield Progress(number)
            except GeneratorExit:
                running.append(f"{self.ticks} was stopped")
                raise
        if self.end == "fails":
            raise BackendError("no engine")
        if self.end == "has a bug":
            raise KeyError("bug")
        if self.end == "gives up":
            yield Result(Status.UNKNOWN, Stop.MEMORY)
            return
        yield Found((self.ticks,))
        yield Result(Status.SAT, Stop.DONE)


@dataclass(frozen=True)
class Member:
    """A backend with its place in a plan."""

    backend: Backend
    after: float = 0.0
    share: float = 1.0
    again: Callable[[], float] | None = None


class Outcome(NamedTuple):
    result: Result
    winner: Backend | None
    seconds: list[Backend]


def run(members: list[Member], cover: Cover, question: Question) -> Generator[Event, None, Outcome]:
    """The portfolio of these members."""
    candidates = [
        Candidate(f"{number}", "", None if each.again else Way.PLAIN, each.after, each.share)
        for number, each in enumerate(members)
    ]
    of = dict(zip(candidates, members, strict=True))

    def start(candidate: Candidate, run: Run) -> Running:
        return of[candidate].backend.search(cover, question, run)

    def again(candidate: Candidate) -> float:
        thought = of[candidate].again
        assert thought is not None
        return thought()

    outcome = yield from portfolio.run({each: member.backend for each, member in of.items()}, start, again=again)
    winner = of[outcome.winner].backend if outcome.winner else None
    return Outcome(outcome.result, winner, [members[int(number)].backend for number in outcome.seconds])


def runner(ticks: int, end: str = "done") -> Runner:
    return Runner(ticks=ticks, end=end)


@pytest.fixture(autouse=True)
def nothing_is_left() -> None:
    running.clear()


def asked(members: list[Member], question: Question = DECIDE, ticks: int = 1 << 60) -> tuple[Outcome | None, list[Found]]:
    """How a portfolio ends, None if it is closed at so many times of progress, and the solutions that it told."""
    solutions = []
    with closing(run(members, COVER, question)) as search:
        while ticks:
            try:
                event = next(search)
            except StopIteration as end:  # The value that a generator returns.
                return end.value, solutions
            if isinstance(event, Found):
                solutions.append(event)
            ticks -= isinstance(event, Progress)
    return None, solutions


def outcome_of(*members: Member, question: Question = DECIDE) -> Outcome:
    outcome, _ = asked(list(members), question)
    assert outcome is not None
    return outcome


def test_who_is_done_first_wins_and_the_others_are_stopped() -> None:
    threads = threading.active_count()
    outcome, solutions = asked([Member(runner(1 << 40)), Member(runner(3)), Member(runner(1 << 41))])
    assert outcome is not None
    assert outcome.winner == runner(3)
    assert outcome.result.status is Status.SAT
    assert solutions == [Found((3,))]
    assert {f"{1 << 40} was stopped", f"{1 << 41} was stopped"} <= set(running)
    assert threading.active_count() == threads


def test_a_favourite_that_is_done_at_once_is_the_only_one_asked() -> None:
    outcome = outcome_of(Member(runner(0)), Member(runner(1)))
    assert outcome.winner == runner(0)
    assert running == ["0 began"]
    outcome = outcome_of(Member(runner(5)), Member(runner(1), after=1e9))
    assert outcome.winner == runner(5)
    assert "1 began" not in running


def test_who_thinks_again_when_its_time_has_come_begins_when_it_says_so() -> None:
    thought: list[str] = []

    def later(seconds: float) -> float:
        thought.append("again")
        return seconds

    outcome = outcome_of(Member(runner(5)), Member(runner(1), again=lambda: later(1e9)))
    assert (outcome.winner, thought) == (runner(5), ["again"])
    assert "1 began" not in running
    assert outcome_of(Member(runner(5)), Member(runner(1), 1e9, again=lambda: later(0.0))).winner == runner(5)
    assert thought == ["again"]
    assert outcome_of(Member(runner(1 << 40)), Member(runner(1), again=lambda: later(0.0))).winner == runner(1)


def test_those_who_wait_are_asked_when_all_others_are_out() -> None:
    outcome = outcome_of(Member(runner(2, "gives up")), Member(runner(1, "fails")), Member(runner(3), 1e9))
    assert outcome.winner == runner(3)
    assert outcome.seconds == [runner(2, "gives up"), runner(1, "fails"), runner(3)]


def test_a_failure_of_all_is_raised_and_giving_up_is_an_answer() -> None:
    with pytest.raises(BackendError, match="no engine"):
        outcome_of(Member(runner(2, "fails")))
    outcome = outcome_of(Member(runner(2, "gives up")))
    assert (outcome.result.stop, outcome.winner) == (Stop.MEMORY, None)


def test_a_bug_is_not_hidden() -> None:
    threads = threading.active_count()
    with pytest.raises(KeyError, match="bug"):
        outcome_of(Member(runner(1 << 40)), Member(runner(1, "has a bug")))
    assert running[-1] == f"{1 << 40} was stopped"
    assert threading.active_count() == threads


def test_the_caller_stops_all() -> None:
    threads = threading.active_count()
    assert asked([Member(runner(1 << 40)), Member(runner(1 << 41))], ticks=9) == (None, [])
    assert {f"{1 << 40} was stopped", f"{1 << 41} was stopped"} <= set(running)
    assert threading.active_count() == threads


def test_real_searches_count() -> None:
    outcome = outcome_of(Member(Dlx(), share=1e9), Member(Dlx(order="first")), question=Question(Goal.COUNT))
    assert (outcome.result.count, outcome.winner) == (2, Dlx())


@dataclass(frozen=True)
class Worker(Backend):
    """Takes so many seconds from progress to progress, of the CPU or of others'."""

    name: ClassVar[str] = "worker"
    letter: str = "a"
    cpu: int = 0
    wall: int = 0

    def search(self, cover: Cover, question: Question, run: Run) -> Running:
        while True:
            running.append(self.letter)
            Seconds.cpu += self.cpu
            Seconds.wall += self.cpu + self.wall
            yield Progress()


class Seconds:
    """The clocks that a portfolio looks at."""

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
    monkeypatch.setattr(portfolio, "time", Seconds)
    # What was loaded before stands in seconds of the real clocks.
    monkeypatch.setattr(loading, "wall_seconds", 0.0)
    monkeypatch.setattr(loading, "cpu_seconds", 0.0)
    monkeypatch.setattr(patience, "used_seconds", 0.0)
    with closing(run(members, COVER, DECIDE)) as events:
        for _ in turns:
            next(events)
    assert "".join(running) == turns
