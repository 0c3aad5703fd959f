"""Search parts of a question at the same time, each by one thread, as long as there are parts for all threads.

They search in rounds; between two rounds none of them runs. The last parts get all threads, one part after the other.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from functools import partial
from typing import TypeVar

from tiler.kernels import patience
from tiler.process.threads import rounds
from tiler.question.events import Event, Events, Progress

T = TypeVar("T")


def alongside(
    searches: Sequence[Generator[Event, None, T]], threads: int, share: Callable[[], None] = lambda: None
) -> Generator[Sequence[Progress], None, list[T]]:
    """Run searches to their ends, and return their results. After each round it yields the last progress of each search; other
    events are lost. Closing the generator closes the searches. If one fails, the others are closed. They only read what they
    share. When fewer are left than threads, `share` is called: from then on one search at a time runs, and may be divided.
    """
    patience.exhaust()
    said = [Progress()] * len(searches)
    running = [Events(search) for search in searches]
    ended: set[int] = set()

    def lead(number: int, until: float) -> bool:
        """Let a search go on in a round. Returns whether the search has ended; else the round is over."""
        for event in running[number]:
            if isinstance(event, Progress):
                said[number] = event
                if time.perf_counter() >= until:
                    return False
        ended.add(number)
        return True

    try:
        for _ in rounds([partial(lead, number) for number in range(len(searches))], threads):
            yield said
            if len(searches) - len(ended) < threads:
                break
        share()
        for number in range(len(searches)):
            while number not in ended and not lead(number, 0.0):
                yield said
    finally:
        for events in running:
            events.close()
    return [events.result for events in running]
