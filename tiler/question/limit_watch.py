"""Watch limits while something runs: the clock, the memory and the number of nodes. At each progress of a search, its caller
looks at the limits (`within`). Stages before a search are plain functions that call a `StopCheck`
(tiler/process/cancellation.py), such as `Watch.check_stop`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import closing, nullcontext
from typing import TYPE_CHECKING

from tiler.kernels import loading
from tiler.process.cancellation import Stopped
from tiler.process.memory import resident_megabytes
from tiler.question.events import Events, Found, Progress, RunningSearch, Visited
from tiler.question.question import Limits
from tiler.question.result import Result, Stop

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MEMORY_EVERY = 0.02  # seconds between looks at the memory: a look costs some 10 microseconds


class Watch:
    """Finds out when a limit is reached. The time for verifying and printing solutions does not count: the caller adds it to
    `outside`. The time for loading or compiling kernels does not count either."""

    def __init__(self, limits: Limits, started: float | None = None) -> None:
        """`started` is the reading of `time.perf_counter` from which the seconds of the limit count, by default now."""
        self._limits = limits
        self._started = time.perf_counter() if started is None else started
        self._look_at_memory = 0.0
        self.outside = 0.0
        self.message = ""  #: more words about the limit that was reached

    def exceeded(self, nodes: int = 0) -> Stop | None:
        """The limit that is reached; None if there is none."""
        limits = self._limits
        if limits.seconds is None and limits.megabytes is None:
            return Stop.NODES if limits.nodes is not None and nodes >= limits.nodes else None
        elapsed = time.perf_counter() - self._started - self.outside - loading.since(self._started)
        if limits.seconds is not None and elapsed >= limits.seconds:
            return Stop.TIME
        if limits.nodes is not None and nodes >= limits.nodes:
            return Stop.NODES
        if limits.megabytes is not None and elapsed >= self._look_at_memory:
            is_first = self._look_at_memory == 0.0
            self._look_at_memory = elapsed + _MEMORY_EVERY
            taken = resident_megabytes()
            if taken > limits.megabytes:
                self.message = self._too_low(taken) if is_first else ""
                return Stop.MEMORY
        return None

    def allow(self, megabytes: int) -> None:
        """Raise Stopped if the limit does not allow this much more memory; called before it is taken."""
        needed = resident_megabytes() + megabytes
        if self._limits.megabytes is not None and needed > self._limits.megabytes:
            raise Stopped(Stop.MEMORY, self._too_low(needed))

    def _too_low(self, needed: float) -> str:
        return f"the memory limit of {self._limits.megabytes:,} MB is too low: at least {math.ceil(needed):,} MB are needed"

    @property
    def limits_memory(self) -> bool:
        return self._limits.megabytes is not None

    def check_stop(self) -> None:
        """Look at the limits; this method is a `StopCheck`."""
        stop = self.exceeded()
        if stop is not None:
            raise Stopped(stop, self.message)


#: Begins a search, which may take long: the search, and the number of each of its options in the whole cover.
Begin = Callable[[], tuple[RunningSearch, "NDArray[np.int32]"]]


def within(begin: Begin, watch: Watch) -> RunningSearch:
    """The events of a search, with options numbered as in the whole cover, until it ends, reaches a limit, or is ended by a look
    of its own. Then it is closed, and the result is what is known by then: the most solutions of any progress, since some begin
    anew after a trial."""
    found, most, last = 0, 0, Progress()
    message = ""
    try:
        with loading.asked(watch.allow) if watch.limits_memory else nullcontext():
            running, numbers = begin()
        with closing(_asking(running, watch) if watch.limits_memory else running) as search:
            while True:  # `Events` would be one frame more on the stack of every search.
                try:
                    event = next(search)
                except StopIteration as ended:
                    result: Result = ended.value
                    return result
                found += len(event) if isinstance(event, Found) else 0
                before = time.perf_counter()
                yield event.through(numbers) if isinstance(event, Found | Visited) else event
                watch.outside += time.perf_counter() - before
                if isinstance(event, Progress):
                    last, most = event, max(most, event.found)
                    reached = watch.exceeded(event.nodes)
                    if reached is not None:
                        stop, message = reached, watch.message
                        break
    except Stopped as stopped:
        stop, message = Stop(stopped.why), stopped.message
    except MemoryError:
        stop, message = Stop.MEMORY, "the memory is exhausted"
    return last.ended(stop, max(found, most), message)


def _asking(search: RunningSearch, watch: Watch) -> RunningSearch:
    """The events of a search that loads machine code only if there is memory for that."""
    with Events(search) as events:
        while True:
            with loading.asked(watch.allow):
                event = next(iter(events), None)
            if event is None:
                return events.result
            yield event
