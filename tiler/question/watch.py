"""Events that keep a search within its limits: the clock, the memory and the number of nodes, all looked at in `tick`.

Time spent in the caller's hands (verifying and printing solutions) is not the search's: it is measured and left out.

What comes before a search (listing placements, filters, the search for symmetries) has no answer of its own to stop with. Such a
stage is given a `Look`, which it calls many times a second, and which raises `Stopped`; whoever made the watch turns that into
the answer that nothing is known (`Watch.answer`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from tiler.model.expected import Status
from tiler.process.memory import resident_megabytes
from tiler.question.events import Events, Progress
from tiler.question.question import Limits
from tiler.question.result import Result, Stop

#: Called now and then by a stage that takes long; it raises `Stopped` when there is no more time, say.
Look = Callable[[], None]

_MEMORY_EVERY = 0.02  # seconds between looks at the memory: a look costs some 10 microseconds


class Stopped(Exception):  # noqa: N818
    """A limit is reached, or the caller said stop: raised by `Watch.look`, and caught by `Watch.answer`."""


def unhurried() -> None:
    """The look of those without limits: nothing is looked at."""


def look_of(events: Events) -> Look:
    """The look of a search that is still being set up, at the clock behind its events."""

    def look() -> None:
        if not events.tick(Progress(fraction=0.0)):
            raise Stopped

    return look


class Watch(Events):
    """Passes events on to the caller and says stop when a limit is reached; `reason` then tells which."""

    def __init__(
        self, events: Events, limits: Limits, started: float, collect: Callable[[tuple[int, ...]], None] | None = None
    ) -> None:
        """`started` is the reading of `time.perf_counter` from which the seconds of the limit count; `collect` takes solutions
        in place of the events' `solution`."""
        self._events, self._limits, self._started = events, limits, started
        self._solution = collect or events.solution
        self.traces, self.saves = events.traces, events.saves
        self._look_at_memory = 0.0
        self.reason: Stop | None = None
        self.outside = 0.0  #: seconds spent in the caller's hands

    @property
    def elapsed(self) -> float:
        """Seconds since the start, without those spent outside."""
        return time.perf_counter() - self._started - self.outside

    def solution(self, options: tuple[int, ...]) -> None:
        before = time.perf_counter()
        try:
            self._solution(options)
        finally:
            self.outside += time.perf_counter() - before

    def restored(self) -> tuple[Mapping[str, Any], Mapping[str, Any]] | None:
        return self._events.restored()

    def save(self, arrays: Mapping[str, Any], note: Mapping[str, Any], *, last: bool) -> None:
        self._events.save(arrays, note, last=last)

    def stack(self, options: tuple[int, ...]) -> None:
        self._events.stack(options)

    def tick(self, progress: Progress) -> bool:
        before = time.perf_counter()
        going_on = self._events.tick(progress)
        self.outside += time.perf_counter() - before
        self.reason = self._exceeded(progress) if going_on else Stop.INTERRUPTED
        return self.reason is None

    def look(self) -> None:
        """A tick of a stage before the search, which has no nodes yet: raises `Stopped` where `tick` returns False."""
        if not self.tick(Progress(fraction=0.0)):
            raise Stopped

    def answer(self, work: Callable[[], Result]) -> Result:
        """The answer of some work in which `look` is called; if that stops it, that nothing is known, and why."""
        try:
            return work()
        except Stopped:
            assert self.reason is not None
            return Result(Status.UNKNOWN, self.reason, stats={"found": 0, "nodes": 0})

    def _exceeded(self, progress: Progress) -> Stop | None:
        limits, elapsed = self._limits, self.elapsed
        if limits.seconds is not None and elapsed >= limits.seconds:
            return Stop.TIME
        if limits.nodes is not None and progress.nodes >= limits.nodes:
            return Stop.NODES
        if limits.megabytes is not None and elapsed >= self._look_at_memory:
            self._look_at_memory = elapsed + _MEMORY_EVERY
            if resident_megabytes() > limits.megabytes:
                return Stop.MEMORY
        return None
