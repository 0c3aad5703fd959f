"""Ask several searches the same question, by turns, until one of them knows the answer. A turn lasts from one `Progress` to the
next, some twenty milliseconds. A search goes on where it was when its turn comes again. So with n equal shares the answer takes
at most n times as long as the best search would take alone. A favourite may have a larger share.

With one thread, one search works at a time. With more threads, the next few searches have their turns at once, as long as there
are threads for them (the plan says how many each has). An engine in a process of its own works all the time; with several
threads, the others leave a core to it. Between two events only such engines work.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from threading import Lock

from tiler.backends.base import Backend
from tiler.backends.searching.driver import ALONE_SECONDS
from tiler.errors import TilerError
from tiler.kernels import loading, python_time
from tiler.model.expected import Status
from tiler.process.cancellation import StopCheck
from tiler.process.threads import cpu_seconds, together
from tiler.question.events import NO_EXTRAS, Event, Events, Found, Progress, RunningSearch, SearchContext
from tiler.question.plan import Candidate
from tiler.question.result import Result, Stop

#: Seconds are those of the CPU, so that a busy machine changes nothing. The CPU seconds of an engine in a process of its own are
#: not seen: then the wall clock counts, as if that number of others shared the machine.
_BUSY = 4


#: The search of a candidate.
Start = Callable[[Candidate, SearchContext], RunningSearch]


@dataclass(frozen=True)
class PortfolioOutcome:
    """The end of a portfolio: the answer, the solver that found it (None: no solver), and the seconds that each solver had."""

    result: Result
    winner: Candidate | None
    seconds: Mapping[str, float]


def run(
    asked: Mapping[Candidate, Backend],
    start: Start,
    context: SearchContext = NO_EXTRAS,
    again: Callable[[Candidate], float] = lambda candidate: candidate.delay,
    threads: int = 1,
) -> Generator[Event, None, PortfolioOutcome]:
    """Decide or count. A candidate takes part once all together have run for the seconds of its delay. If its way is not known
    yet, `again` is called then; it returns the real delay, and may take some time. The next turn goes to the candidate that has
    had the least of its share of the seconds, and among equals to the first. With several `threads`, it also goes to the
    candidates after it, as long as there are threads for them. Solutions are passed on when the winner is known; solutions of
    others do not count. A candidate that gives up, runs out of memory or fails is out; if all fail, the last failure is raised.
    The look of `run` is called while one prepares, by one thread at a time.
    """
    looking = context if threads == 1 else replace(context, check_stop=partial(_alone, context.check_stop, Lock()))
    turns = [_Turns(candidate, backend, start, looking, again) for candidate, backend in asked.items()]
    running = list(turns)
    result = Result(Status.UNKNOWN, Stop.UNDECIDED)
    failure: TilerError | None = None
    winner: _Turns | None = None
    try:
        while running and winner is None:
            past = sum(each.seconds for each in turns)
            ready = [each for each in running if each.is_ready(past)] or running[:1]
            ready.sort(key=lambda each: each.seconds / each.candidate.share)
            at_once = _at_once(ready, threads if past >= ALONE_SECONDS else 1)
            if len(at_once) > 1:
                python_time.exhaust()
            is_searching = False
            for each, came in zip(at_once, together([each.go_on for each in at_once]), strict=True):
                if isinstance(came, Progress):
                    is_searching = True
                    continue
                running.remove(each)
                if isinstance(came, Result):
                    result = came if winner is None else result
                    winner = winner or (each if came.stop is Stop.DONE else None)
                elif isinstance(came, TilerError):
                    failure = came
            if winner is None and is_searching:
                yield _known(turns, running)
    finally:
        for each in running:
            each.stop()
    if winner is None and failure is not None:
        raise failure
    if winner is not None:
        yield from winner.solutions
    elif (found := _known(turns, turns).found) > result.found:
        result = replace(result, status=Status.SAT, found=found)
    seconds = {each.candidate.solver: round(each.seconds, 3) for each in turns if each.seconds}
    return PortfolioOutcome(result, winner.candidate if winner else None, seconds)


def _known(turns: Sequence[_Turns], running: Sequence[_Turns]) -> Progress:
    """How far the first of the running candidates is, with the best that any candidate knows: the most solutions, the largest
    value and the least bound. A count by states knows no solutions before its end, but a search beside it does."""
    known = [each.known for each in turns]
    return replace(
        next((each for each in running if each.has_begun), turns[0]).known,
        found=max(each.found for each in known),
        value=max((each.value for each in known if each.value is not None), default=None),
        bound=min((each.bound for each in known if each.bound is not None), default=None),
    )


def _at_once(ready: list[_Turns], threads: int) -> list[_Turns]:
    """The candidates whose turn it is: the first of those that take part (they are sorted), and with several threads others."""
    if threads == 1 or (ready[0].has_engine and not ready[0].has_begun):
        return ready[:1]  # A process is forked while no thread runs, by one that lives as long as it.
    engines = [each for each in ready if each.has_engine and each.has_begun]
    free = threads - sum(each.candidate.threads for each in engines)
    searching: list[_Turns] = []
    for each in ready:
        if not each.has_engine and (not searching or each.candidate.threads <= free):
            searching.append(each)
            free -= each.candidate.threads
    return [*searching, *engines]


def _alone(check_stop: StopCheck, lock: Lock) -> None:
    """A look at what only one thread may look at."""
    with lock:
        check_stop()


class _Turns:
    """A candidate's search."""

    def __init__(
        self, candidate: Candidate, backend: Backend, start: Start, context: SearchContext, again: Callable[[Candidate], float]
    ) -> None:
        self.candidate, self._backend, self._start, self._context, self._again = candidate, backend, start, context, again
        self.seconds = 0.0
        self._delay, self._is_sure = candidate.delay, candidate.way is not None
        self.solutions: list[Found] = []
        self.known = Progress()  #: its last progress, or its result
        self._events: Events[Event, Result] | None = None

    def is_ready(self, past: float) -> bool:
        """Whether it takes part, when all together have run for `seconds`."""
        if not self._is_sure and self._delay <= past:
            wall, cpu = _clocks()
            self._delay, self._is_sure = self._again(self.candidate), True
            self._took_since(wall, cpu)
        return self._delay <= past

    @property
    def has_engine(self) -> bool:
        """Whether it works in a process of its own."""
        return self._backend.has_process

    @property
    def has_begun(self) -> bool:
        return self._events is not None

    def go_on(self) -> Progress | Result | TilerError | MemoryError:
        """Let it search until its next progress or its end: its result, or why it failed."""
        try:
            came = self._go_on()
        except (TilerError, MemoryError) as error:
            return error
        self.known = Progress.of(came) if isinstance(came, Result) else came
        return came

    def _go_on(self) -> Progress | Result:
        if self._events is None and not self.has_engine:  # The process imports what it needs.
            self._backend.preload()
        wall, cpu = _clocks()
        try:
            if self._events is None:  # Some prepare before their first event.
                self._events = Events(self._start(self.candidate, self._context))
            for event in self._events:
                if isinstance(event, Progress):
                    return event
                if isinstance(event, Found):
                    self.solutions.append(event)
            return self._events.result
        finally:
            self._took_since(wall, cpu)

    def _took_since(self, wall: float, cpu: float) -> None:
        wall_now, cpu_now = _clocks()
        self.seconds += max(0.0, cpu_now - cpu, (wall_now - wall) / _BUSY)

    def stop(self) -> None:
        """End it."""
        if self._events is not None:
            self._events.close()


def _clocks() -> tuple[float, float]:
    """The wall clock and the CPU seconds that are shared among the members. They do not include the time for loading kernels,
    which all members use, and the time in which kernels ran as Python, when a member does little."""
    used = python_time.used_seconds
    return time.perf_counter() - loading.wall_seconds - used, cpu_seconds() - loading.cpu_seconds - used
