"""Searches that take turns: who wins, who drops out, and that no more work at a time than there are threads."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest
from following import ended

from tiler import formats
from tiler.ask import portfolio
from tiler.backends.base import Backend
from tiler.backends.dlx import Dlx
from tiler.cover.board import BoardCover
from tiler.cover.cover import Cover
from tiler.errors import BackendError
from tiler.kernels import loading, python_time
from tiler.model.expected import Status
from tiler.process.callback_generator import in_turns
from tiler.process.cancellation import Stopped
from tiler.process.threads import cpu_seconds, together
from tiler.question.events import Event, Events, Found, Progress, RunningSearch, SearchContext, without_events
from tiler.question.limit_watch import Watch, within
from tiler.question.plan import Candidate, Way
from tiler.question.question import Goal, Limits, Question
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

    def search(self, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
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
        if self.end == "has no memory":
            raise MemoryError
        if self.end == "is interrupted":
            raise KeyboardInterrupt
        if self.end == "is late":
            raise Stopped(Stop.TIME)
        if self.end == "gives up":
            return Result(Status.UNKNOWN, Stop.MEMORY)
        yield Found((self.ticks,))
        return Result(Status.SAT, Stop.DONE)


@dataclass(frozen=True)
class Engine(Runner):
    """One that works in a process of its own."""

    has_process: ClassVar[bool] = True
    began_in: ClassVar[list[threading.Thread]] = []

    def search(self, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
        self.began_in.append(threading.current_thread())
        return (yield from super().search(cover, question, context))


@dataclass(frozen=True)
class Member:
    """A backend with its place in a plan."""

    backend: Backend
    after: float = 0.0
    share: float = 1.0
    again: Callable[[], float] | None = None
    threads: int = 1


class Outcome(NamedTuple):
    result: Result
    winner: Backend | None
    seconds: list[Backend]


def run(members: list[Member], cover: Cover, question: Question, threads: int = 1) -> Generator[Event, None, Outcome]:
    """The portfolio of these members."""
    candidates = [
        Candidate(f"{number}", "", None if each.again else Way.PLAIN, each.after, each.share, each.threads)
        for number, each in enumerate(members)
    ]
    of = dict(zip(candidates, members, strict=True))

    def start(candidate: Candidate, context: SearchContext) -> RunningSearch:
        return of[candidate].backend.search(cover, question, context)

    def again(candidate: Candidate) -> float:
        thought = of[candidate].again
        assert thought is not None
        return thought()

    outcome = yield from portfolio.run({each: member.backend for each, member in of.items()}, start, again=again, threads=threads)
    winner = of[outcome.winner].backend if outcome.winner else None
    return Outcome(outcome.result, winner, [members[int(number)].backend for number in outcome.seconds])


def runner(ticks: int, end: str = "done") -> Runner:
    return Runner(ticks=ticks, end=end)


def engine(ticks: int) -> Engine:
    return Engine(ticks=ticks)


@pytest.fixture(autouse=True)
def nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    running.clear()
    monkeypatch.setattr(portfolio, "ALONE_SECONDS", 0.0)
    before = threading.active_count()
    yield
    assert threading.active_count() == before


@pytest.fixture
def turns(monkeypatch: pytest.MonkeyPatch) -> list[set[int]]:
    """Who works at the same time, turn by turn."""
    seen: list[set[int]] = []

    def noted(calls: list[Any]) -> list[Any]:
        seen.append({call.__self__._backend.ticks for call in calls})
        return together(calls)

    monkeypatch.setattr(portfolio, "together", noted)
    return seen


both = pytest.mark.parametrize("threads", [1, 2, 3])


def asked(
    members: list[Member], question: Question = DECIDE, ticks: int = 1 << 60, threads: int = 1
) -> tuple[Outcome | None, list[Found]]:
    """How a portfolio ends, None if it is closed at so many times of progress, and the solutions that it told."""
    solutions = []
    with Events(run(members, COVER, question, threads)) as events:
        for event in events:
            if isinstance(event, Found):
                solutions.append(event)
            ticks -= isinstance(event, Progress)
            if not ticks:
                return None, solutions
    return events.result, solutions


def outcome_of(*members: Member, question: Question = DECIDE, threads: int = 1) -> Outcome:
    outcome, _ = asked(list(members), question, threads=threads)
    assert outcome is not None
    return outcome


@both
def test_who_is_done_first_wins_and_the_others_are_stopped(threads: int) -> None:
    outcome, solutions = asked([Member(runner(1 << 40)), Member(runner(3)), Member(runner(1 << 41))], threads=threads)
    assert outcome is not None
    assert outcome.winner == runner(3)
    assert outcome.result.status is Status.SAT
    assert solutions == [Found((3,))]
    assert {f"{1 << 40} was stopped", f"{1 << 41} was stopped"} <= set(running)


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


@both
@pytest.mark.parametrize("end", ["fails", "has no memory"])
def test_those_who_wait_are_asked_when_all_others_are_out(threads: int, end: str) -> None:
    outcome = outcome_of(Member(runner(2, "gives up")), Member(runner(1, end)), Member(runner(3), 1e9), threads=threads)
    assert outcome.winner == runner(3)
    assert outcome.seconds == [runner(2, "gives up"), runner(1, end), runner(3)]


@both
def test_a_failure_of_all_is_raised_and_giving_up_is_an_answer(threads: int) -> None:
    with pytest.raises(BackendError, match="no engine"):
        outcome_of(Member(runner(2, "fails")), Member(runner(2, "fails")), threads=threads)
    outcome = outcome_of(Member(runner(2, "gives up")), threads=threads)
    assert (outcome.result.stop, outcome.winner) == (Stop.MEMORY, None)


@dataclass(frozen=True)
class Knower(Backend):
    """Tells the same progress again and again, or once before it gives up."""

    name: ClassVar[str] = "knower"
    known: Progress = Progress()  # noqa: RUF009
    gives_up: bool = False

    def search(self, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
        yield self.known
        while not self.gives_up:
            yield self.known
        return self.known.ended(Stop.MEMORY)


def test_the_best_that_any_member_knows_is_the_answer_so_far() -> None:
    """A count by states knows nothing before its end, so what a search beside it has found would be lost."""
    by_states = Knower(known=Progress(7, where="layer 3 of 9"))
    members = [Member(by_states), Member(Knower(known=Progress(5, 40, 0.1, value=3, bound=9))), Member(Knower(gives_up=True))]
    with closing(run(members, COVER, Question(Goal.COUNT))) as events:
        *_, last = itertools.islice(events, 20)
    assert last == Progress(7, 40, where="layer 3 of 9", value=3, bound=9)


@both
def test_what_those_who_gave_up_have_found_is_known(threads: int) -> None:
    members = [Member(Knower(known=Progress(5, 40), gives_up=True)), Member(Knower(gives_up=True), share=1e-9)]
    result = outcome_of(*members, question=Question(Goal.COUNT), threads=threads).result
    assert (result.status, result.stop, result.found, result.count) == (Status.SAT, Stop.MEMORY, 40, None)


def test_a_search_that_begins_anew_still_knows_what_its_trial_found() -> None:
    running = iter([Progress(1, 5), Progress(2, 1)])

    def search() -> RunningSearch:
        yield from running
        raise Stopped(Stop.TIME)

    _, result = ended(within(lambda: (search(), np.arange(9, dtype=np.int32)), Watch(Limits())))
    assert (result.found, result.nodes, result.stop) == (5, 2, Stop.TIME)


@both
@pytest.mark.parametrize(("end", "kind"), [("has a bug", KeyError), ("is interrupted", KeyboardInterrupt), ("is late", Stopped)])
def test_a_bug_and_what_ends_all_are_not_hidden(threads: int, end: str, kind: type[BaseException]) -> None:
    with pytest.raises(kind):
        outcome_of(Member(runner(1 << 40)), Member(runner(1, end)), threads=threads)
    assert running[-1] == f"{1 << 40} was stopped"


@both
@pytest.mark.parametrize("ticks", range(1, 10))
def test_the_caller_stops_all_at_any_event(threads: int, ticks: int) -> None:
    members = [Member(runner(1 << 40)), Member(engine(1 << 41)), Member(runner(1 << 42), after=1e-9)]
    assert asked(members, ticks=ticks, threads=threads) == (None, [])
    began = {each.partition(" ")[0] for each in running if each.endswith("began")}
    assert {each for each in running if "stopped" in each} == {f"{each} was stopped" for each in began}


@both
def test_an_engine_begins_while_nobody_works_and_goes_on_beside_all(threads: int, turns: list[set[int]]) -> None:
    """A process that is forked while other threads hold locks may never get on, and one whose thread ends is killed on Linux."""
    Engine.began_in.clear()
    engines = {1 << 42, 1 << 43}
    asked([Member(runner(1 << 40)), Member(runner(1 << 41)), *map(Member, map(engine, engines))], ticks=40, threads=threads)
    assert Engine.began_in == [threading.main_thread()] * 2
    for each in engines:
        assert next(turn for turn in turns if each in turn) == {each}
    searching = {len(turn - engines) for turn in turns if turn & engines == engines}
    assert searching == {1: set(), 2: {1}, 3: {1}}[threads]


@both
def test_who_has_all_threads_is_alone_in_its_turn(threads: int, turns: list[set[int]]) -> None:
    asked([Member(runner(1 << 40), threads=threads), Member(runner(1 << 41)), Member(runner(1 << 42))], ticks=30, threads=threads)
    assert {1 << 40} in turns
    assert all(turn == {1 << 40} or 1 << 40 not in turn for turn in turns)
    assert max(map(len, turns)) == min(threads, 2)


@both
def test_what_is_over_soon_has_one_thread(threads: int, turns: list[set[int]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portfolio, "ALONE_SECONDS", 1e9)
    asked([Member(runner(1 << 40)), Member(runner(1 << 41))], ticks=30, threads=threads)
    assert all(len(turn) == 1 for turn in turns)


def test_threads_look_one_at_a_time() -> None:
    inside = list[int]()

    def check_stop() -> None:
        inside.append(len(inside))
        time.sleep(0)
        assert len(inside) == 1
        inside.pop()

    def start(candidate: Candidate, context: SearchContext) -> RunningSearch:
        for _ in range(200):
            context.check_stop()
        return without_events(Result(Status.SAT if candidate.solver == "0" else Status.UNKNOWN, Stop.DONE))

    asked = {Candidate(str(number)): runner(0) for number in range(4)}
    list(portfolio.run(asked, start, SearchContext(check_stop=check_stop), threads=4))


@pytest.mark.parametrize("threads", [1, 2])
def test_members_know_when_the_question_was_asked(threads: int) -> None:
    """A question that has taken a tenth of a second may have threads from then on, whoever answers it."""
    told = list[float | None]()

    def start(candidate: Candidate, context: SearchContext) -> RunningSearch:
        told.append(context.begun)
        return without_events(Result(Status.SAT, Stop.DONE))

    list(portfolio.run({Candidate("0"): runner(0)}, start, SearchContext(begun=5.0), threads=threads))
    assert told == [5.0]


def test_a_search_knows_when_the_question_was_asked() -> None:
    told = list[float | None]()

    def search(cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
        told.append(context.begun)
        return without_events(Result(Status.SAT, Stop.DONE))

    cover, now = BoardCover.of(formats.inline(["1x3", "3I"])), time.perf_counter()
    list(Dlx().start(cover, Question(), search=search))
    list(Dlx().start(cover, Question(), SearchContext(begun=5.0), search=search))
    assert told[0] is not None
    assert now <= told[0] <= time.perf_counter()
    assert told[1] == 5.0


def test_a_member_has_the_seconds_of_its_own_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of others that work at the same time are not counted, those of threads that it waits for are."""

    def busy(seconds: float) -> None:
        until = cpu_seconds() + seconds
        while cpu_seconds() < until:
            pass

    def start(candidate: Candidate, context: SearchContext) -> RunningSearch:
        if candidate.solver == "0":
            busy(0.06)
        elif candidate.solver == "1":
            together([lambda: busy(0.02), lambda: busy(0.02)])
            list(in_turns(lambda say: [busy(0.02), say(0), busy(0.02)]))
        return without_events(Result(Status.SAT, Stop.DONE))

    monkeypatch.setattr(portfolio, "_BUSY", 1e9)
    members: dict[Candidate, Backend] = {Candidate(each): runner(0) for each in "012"}
    _, outcome = ended(portfolio.run(members, start, threads=3))
    seconds = outcome.seconds
    assert 0.06 <= seconds["0"] < 0.075
    assert 0.08 <= seconds["1"] < 0.1


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

    def search(self, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
        while True:
            running.append(self.letter)
            Seconds.cpu += self.cpu
            Seconds.wall += self.cpu + self.wall
            yield Progress()


class Seconds:
    """The clocks that a portfolio looks at."""

    cpu = wall = 0

    @classmethod
    def cpu_seconds(cls) -> float:
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
    monkeypatch.setattr(portfolio, "cpu_seconds", Seconds.cpu_seconds)
    # What was loaded before stands in seconds of the real clocks.
    monkeypatch.setattr(loading, "wall_seconds", 0.0)
    monkeypatch.setattr(loading, "cpu_seconds", 0.0)
    monkeypatch.setattr(python_time, "used_seconds", 0.0)
    with closing(run(members, COVER, DECIDE)) as events:
        for _ in turns:
            next(events)
    assert "".join(running) == turns
