"""Following a search from outside: what it says until it is over, or until it is closed at some look or progress."""

from __future__ import annotations

import time
from collections.abc import Generator
from math import inf
from typing import TypeVar

from tiler.process.cancellation import Stopped
from tiler.question.events import Events, Found, Progress, RunningSearch
from tiler.question.result import Result, Stop

E = TypeVar("E")
R = TypeVar("R")


class Follower:
    """Stops a search at the n-th look or progress, or after so many CPU seconds; knows the longest time between two, and the most
    nodes from one progress to the next.

    `result` stays None if the search was closed before it was over.
    """

    def __init__(self, stop_at: int = 1 << 60, seconds: float = inf) -> None:
        self.ticks, self._stop_at, self._end = 0, stop_at, time.process_time() + seconds
        self.longest, self._before = 0.0, time.process_time()
        self.most_nodes = 0
        self.solutions: list[tuple[int, ...]] = []
        self.last = Progress()
        self.result: Result | None = None

    def check_stop(self) -> None:
        """For stages that are set up before the search."""
        if self._is_enough():
            raise Stopped(Stop.INTERRUPTED)

    def _is_enough(self) -> bool:
        now = time.process_time()
        self.longest, self._before = max(self.longest, now - self._before), now
        self.ticks += 1
        return self.ticks >= self._stop_at or now >= self._end

    def follow(self, running: RunningSearch) -> Follower:
        with Events(running) as events:
            for event in events:
                if isinstance(event, Found):
                    self.solutions += event
                elif isinstance(event, Progress):
                    self.most_nodes = max(self.most_nodes, event.nodes - self.last.nodes)
                    self.last = event
                    assert event.fraction is None or 0 <= event.fraction <= 1
                    if self._is_enough():
                        break
            else:
                self.result = events.result
        return self


def result_of(running: RunningSearch) -> Result:
    """The result of a search that runs to its end."""
    result = Follower().follow(running).result
    assert result is not None
    return result


def ended(search: Generator[E, None, R]) -> tuple[list[E], R]:
    """The events of a search that runs to its end, and what it returns."""
    with Events(search) as events:
        return list(events), events.result
