"""Several searches asked the same, taking turns until one of them knows the answer.

Only one works at a time, from one progress to its next, some twenty milliseconds later. So none of them begins anew when its
turn comes again, and with n equal ones the answer takes at most n times as long as the best would take alone.
A favourite may have a larger share.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from importlib import import_module

from tiler.backends.base import Backend
from tiler.errors import TilerError
from tiler.kernels import loading, patience
from tiler.model.expected import Status
from tiler.process.look import Look, unhurried
from tiler.question.events import Event, Found, Progress, Run, Running
from tiler.question.plan import Candidate
from tiler.question.result import Result, Stop

#: Seconds are those of the CPU, so that a busy machine changes nothing. The CPU seconds of an engine in a process of its own are
#: not seen: then the wall clock counts, as if that number of others shared the machine.
_BUSY = 4


#: The search of a candidate.
Start = Callable[[Candidate, Run], Running]


@dataclass(frozen=True)
class PortfolioOutcome:
    """How a portfolio ended: the answer, whose it is (None: nobody's), and the seconds that each solver had."""

    result: Result
    winner: Candidate | None
    seconds: Mapping[str, float]


def run(
    asked: Mapping[Candidate, Backend],
    start: Start,
    look: Look = unhurried,
    again: Callable[[Candidate], float] = lambda candidate: candidate.delay,
) -> Generator[Event, None, PortfolioOutcome]:
    """Decide or count. A candidate takes part once all together have run for the seconds of its delay. Where its way is not known
    yet, `again` says then after how many it really begins, and may take its time for that. The next turn goes to the candidate
    that has had least of its share of the seconds, and among equals to the first.

    Solutions are passed on when the winner is known: what others found does not count. A candidate that gives up, runs out of
    memory or fails is out; if all fail, the last failure is raised. `look` is called while one prepares.
    """
    turns = [_Turns(candidate, backend, start, Run(look=look), again) for candidate, backend in asked.items()]
    running = list(turns)
    result = Result(Status.UNKNOWN, Stop.UNDECIDED)
    failure: TilerError | None = None
    winner: _Turns | None = None
    try:
        while running and winner is None:
            past = sum(each.seconds for each in turns)
            ready = [each for each in running if each.is_ready(past)] or running[:1]
            next_ = min(ready, key=lambda each: each.seconds / each.candidate.share)
            try:
                progress = next_.go_on()
            except (TilerError, MemoryError) as error:
                running.remove(next_)
                failure = error if isinstance(error, TilerError) else failure
                continue
            if progress is not None:
                yield progress
                continue
            running.remove(next_)
            result = next_.result
            winner = next_ if result.stop is Stop.DONE else None
    finally:
        for each in running:
            each.stop()
    if winner is None and failure is not None:
        raise failure
    if winner is not None:
        yield from winner.solutions
    seconds = {each.candidate.solver: round(each.seconds, 3) for each in turns if each.seconds}
    return PortfolioOutcome(result, winner.candidate if winner else None, seconds)


class _Turns:
    """A candidate's search."""

    def __init__(
        self, candidate: Candidate, backend: Backend, start: Start, run: Run, again: Callable[[Candidate], float]
    ) -> None:
        self.candidate, self._backend, self._start, self._run, self._again = candidate, backend, start, run, again
        self.seconds = 0.0
        self._delay, self._is_sure = candidate.delay, candidate.way is not None
        self.solutions: list[Found] = []
        self.result = Result(Status.UNKNOWN, Stop.ERROR)
        self._search: Running | None = None

    def is_ready(self, past: float) -> bool:
        """Whether it takes part, when all together have run for `seconds`."""
        if not self._is_sure and self._delay <= past:
            wall, cpu = _clocks()
            self._delay, self._is_sure = self._again(self.candidate), True
            self._took_since(wall, cpu)
        return self._delay <= past

    def go_on(self) -> Progress | None:
        """Let it search until its next progress, or its end: None."""
        if self._search is None:
            for module in self._backend.preloads():
                import_module(module)
        wall, cpu = _clocks()
        try:
            if self._search is None:  # Some prepare before their first event.
                self._search = self._start(self.candidate, self._run)
            for event in self._search:
                if isinstance(event, Progress):
                    return event
                if isinstance(event, Found):
                    self.solutions.append(event)
                elif isinstance(event, Result):
                    self.result = event
            return None
        finally:
            self._took_since(wall, cpu)

    def _took_since(self, wall: float, cpu: float) -> None:
        wall_now, cpu_now = _clocks()
        self.seconds += max(cpu_now - cpu, (wall_now - wall) / _BUSY)

    def stop(self) -> None:
        """End it."""
        if self._search is not None:
            self._search.close()


def _clocks() -> tuple[float, float]:
    """Wall clock and CPU seconds of which members have their shares: without those spent on loading kernels, which others use as
    well, and those in which kernels ran as Python, since what a member did in them is little."""
    used = patience.used_seconds
    return time.perf_counter() - loading.wall_seconds - used, time.process_time() - loading.cpu_seconds - used
