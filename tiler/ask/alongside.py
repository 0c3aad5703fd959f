"""Searches of parts of a question at the same time, each by one thread: for parts too small to be divided.

They go on in rounds; between two rounds none of them runs.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from functools import partial
from typing import TypeVar

from tiler.kernels import patience
from tiler.process.threads import rounds
from tiler.question.events import Event, Progress

T = TypeVar("T")


def alongside(searches: Sequence[Generator[Event, None, T]], threads: int) -> Generator[Sequence[Progress], None, list[T]]:
    """Lead searches to their ends, and return what they return. After each round it tells of each what it said last; other events
    are lost. Closing this closes them. Where one fails, the others are closed.

    What they share is only read.
    """
    patience.exhaust()
    said = [Progress()] * len(searches)
    ends: dict[int, T] = {}

    def lead(number: int, until: float) -> bool:
        """Whether a search has ended; else the round is over."""
        while True:
            try:
                event = next(searches[number])
            except StopIteration as end:  # The value that a generator returns.
                ends[number] = end.value
                return True
            if isinstance(event, Progress):
                said[number] = event
                if time.perf_counter() >= until:
                    return False

    try:
        for _ in rounds([partial(lead, number) for number in range(len(searches))], threads):
            yield said
    finally:
        for search in searches:
            search.close()
    return [ends[number] for number in range(len(searches))]
