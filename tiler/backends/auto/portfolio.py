"""Several searches asked the same, taking turns until one of them knows the answer.

Each runs in a thread of its own, but only one at a time: the others wait in their ticks, some twenty milliseconds apart. So none
of them begins anew when its turn comes again, and with n equal ones the answer takes at most n times as long as the best would
take alone, whichever that is. A favourite may have a larger share.

On a large board a search may prepare for many seconds before its first tick. The caller is asked in its place then, and if the
race is to end, it ends without that search, whose thread ends at its next tick.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module

from tiler.backends.base import Backend
from tiler.cover.cover import ExactCover
from tiler.errors import TilerError
from tiler.model.expected import Status
from tiler.question.events import Events, Progress
from tiler.question.question import Question
from tiler.question.result import Result, Stop

#: Seconds are those of the CPU, so that a busy machine changes nothing. Of an engine in a process of its own they are not seen:
#: then the wall clock counts, as if so many others shared the machine.
_BUSY = 4

_PATIENCE = 0.1  # seconds of waiting for a tick before the caller is asked


@dataclass(frozen=True)
class Member:
    """A backend, for how many seconds the others run before it is asked too, and how much more time it has than others then."""

    backend: Backend
    after: float = 0.0
    share: float = 1.0


@dataclass(frozen=True)
class Outcome:
    """How a race ended: the answer, whose it is (None: nobody's), and the seconds that each member had."""

    result: Result
    winner: Backend | None
    seconds: tuple[tuple[Backend, float], ...]


def run(members: Sequence[Member], cover: ExactCover, question: Question, events: Events) -> Outcome:
    """Decide or count. Each member has had its share of the seconds, once its time has come; the first of equals is first.

    Solutions are options of this cover, reported through `events` when the race is over. An member that gives up, runs out of
    memory or fails is out of the race; a failure of all is raised.
    """
    runners = [_Runner(member, cover, question) for member in members]
    running = list(runners)
    result = Result(Status.UNKNOWN, Stop.INTERRUPTED)
    failure: TilerError | None = None
    winner: _Runner | None = None
    try:
        while running and winner is None:
            past = sum(runner.seconds for runner in runners)
            ready = [runner for runner in running if runner.member.after <= past] or running[:1]
            runner = min(ready, key=lambda each: each.seconds / each.member.share)
            if not runner.go_on(events.tick):
                result = _stopped(runner)
                break
            if runner.is_over:
                running.remove(runner)
                if isinstance(runner.error, TilerError | MemoryError):
                    failure = runner.error if isinstance(runner.error, TilerError) else failure
                elif runner.error is not None:
                    raise runner.error
                else:
                    result = runner.result
                    winner = runner if result.stop is Stop.DONE else None
            elif not events.tick(runner.progress):
                result = _stopped(runner)
                break
        else:
            if winner is None and failure is not None:
                raise failure
    finally:
        for runner in running:
            runner.stop()
    if winner is not None:
        for solution in winner.solutions:
            events.solution(solution)
    seconds = tuple((runner.member.backend, round(runner.seconds, 3)) for runner in runners if runner.seconds)
    return Outcome(result, winner.member.backend if winner else None, seconds)


def _stopped(runner: _Runner) -> Result:
    return Result(Status.UNKNOWN, Stop.INTERRUPTED, stats={"found": 0, "nodes": runner.progress.nodes})


class _Runner(Events):
    """An member's search in its thread, which runs while `go_on` waits for it and at no other time."""

    def __init__(self, member: Member, cover: ExactCover, question: Question) -> None:
        self.member, self._cover, self._query = member, cover, question
        self.seconds = 0.0
        self.progress = Progress()
        self.solutions: list[tuple[int, ...]] = []
        self.result = Result(Status.UNKNOWN, Stop.ERROR)
        self.error: BaseException | None = None
        self.is_over = False
        self._stopped = self._waits = False
        self._ours, self._theirs = threading.Semaphore(0), threading.Semaphore(0)
        self._thread: threading.Thread | None = None

    def go_on(self, tick: Callable[[Progress], bool]) -> bool:
        """Let it search until its next tick or its end. If that takes long, `tick` is asked; whether it never said stop."""
        if self._thread is None:
            for module in self.member.backend.imports:
                import_module(module)
        wall, cpu = time.perf_counter(), time.process_time()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, daemon=True)
            self._thread.start()
        else:
            self._ours.release()
        self._waits = False
        while not self._waits:
            self._waits = self._theirs.acquire(timeout=_PATIENCE)
            if not self._waits and not tick(self.progress):
                break
        self.seconds += max(time.process_time() - cpu, (time.perf_counter() - wall) / _BUSY)
        return self._waits

    def stop(self) -> None:
        """End it. If it waits in a tick, it is gone afterwards, else it goes at its next tick."""
        self._stopped = True
        if self._thread is not None:
            self._ours.release()
            if self._waits:
                self._thread.join()

    def _run(self) -> None:
        try:
            self.result = self.member.backend.search(self._cover, self._query, self)
        except BaseException as error:  # Raised again by whoever waits.
            self.error = error
        self.is_over = True
        self._theirs.release()

    def solution(self, options: tuple[int, ...]) -> None:
        self.solutions.append(options)

    def tick(self, progress: Progress) -> bool:
        self.progress = progress
        self._theirs.release()
        if not self._stopped:
            self._ours.acquire()
        return not self._stopped
