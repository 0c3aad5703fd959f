"""Find good packings first, for a search that covers as many cells as possible: by a beam, each packing with fewer open cells
than the one before. Then the search is asked for better packings only. If there are none, the last packing is the best."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from dataclasses import replace

import numpy as np

from tiler.backends.base import Backend
from tiler.backends.branch_and_bound import item_value
from tiler.cover.bounds import Bounds
from tiler.cover.cover import Cover
from tiler.model.expected import Status
from tiler.question.events import Event, Events, Found, Progress, RunningSearch, SearchContext
from tiler.question.question import Goal, Question
from tiler.question.result import Result, Stop

_ALONE_SECONDS = 0.3  # of the search, before others are asked
_MOST_NODES = 3_000_000  # of the beam, for all packings together: some second


def suits(cover: Cover) -> bool:
    """Whether the heaviest solution is the one with the fewest open items, which all are covered by one filler if they stay
    open."""
    return len(cover.fillers) == 1 and (item_value(cover) or 0) > 0


def searched(
    beam: Backend, search: Callable[[Cover], RunningSearch], cover: Cover, question: Question, context: SearchContext
) -> RunningSearch:
    """Call `search` for a cover that suits. If that takes long, a beam goes first, and `search` is called anew, for better
    packings than those of the beam. The result has no plan if there can be none."""
    packings = _Packings(cover)
    begun = time.perf_counter()
    with Events(search(cover)) as events:
        for event in events:
            yield packings.noted(event)
            if isinstance(event, Progress) and time.perf_counter() - begun >= _ALONE_SECONDS:
                break
        else:
            return events.result
        if not (yield from _by_beam(beam, packings, question, context)):
            for event in events:
                yield packings.noted(event)
            return events.result
    better = packings.better()
    if better is None:
        return packings.best(Result(Status.UNSAT, Stop.DONE, count=0))
    with Events(search(better)) as events:
        for event in events:
            yield packings.noted(event)
    return packings.best(events.result)


def _by_beam(beam: Backend, packings: _Packings, question: Question, context: SearchContext) -> Generator[Event, None, bool]:
    """Packings by a beam, each better than the one before. Returns whether there is one."""
    before = packings.found
    while packings.nodes < _MOST_NODES and (cover := packings.better()) is not None:
        asked = Question(Goal.DECIDE, replace(question.limits, nodes=_MOST_NODES - packings.nodes, threads=1))
        with Events(beam.start(cover, asked, context)) as events:
            for event in events:
                yield packings.noted(event if isinstance(event, Found) else Progress(packings.nodes))
        packings.nodes += events.result.nodes
        if events.result.status is not Status.SAT:
            break
    return packings.found > before


class _Packings:
    """What is known of the packings of a cover."""

    def __init__(self, cover: Cover) -> None:
        self._cover = cover
        (self._filler,) = cover.fillers
        self._item_value = item_value(cover) or 0
        self._open: int | None = None  # items that stay open in the best packing
        self.found = 0
        self.nodes = 0  #: of the beam

    @property
    def _value(self) -> int | None:
        """The weight of the best packing."""
        return None if self._open is None else self._item_value * (self._cover.extent - self._open)

    def noted(self, event: Event) -> Event:
        """An event of a search for better packings, as one of a search for the best."""
        if isinstance(event, Found):
            *_, options = event
            self._open = int((self._cover.tile[list(options)] == self._filler).sum())
            self.found += len(event)
        if isinstance(event, Progress) and self._value is not None:
            return replace(event, found=self.found, value=self._value, bound=_at_least(event.bound, self._value))
        return event

    def better(self) -> Cover | None:
        """The cover whose solutions are the better packings; None if there can be none."""
        if self._open is None:
            return self._cover
        upper = self._cover.upper.copy()
        upper[self._filler] = self._open - 1
        if upper[self._filler] < self._cover.lower[self._filler]:
            return None
        bounded = self._cover.bounded | (np.arange(len(upper)) == self._filler)
        return replace(self._cover, bounds=Bounds(self._cover.lower, upper, bounded), is_whole=False)

    def best(self, result: Result) -> Result:
        """The result of a search for better packings, as one of a search for the best."""
        bound = self._value if result.stop is Stop.DONE else _at_least(result.bound, self._value)
        nodes = self.nodes + result.nodes
        return replace(result, status=Status.SAT, found=self.found, value=self._value, bound=bound, nodes=nodes, count=None)


def _at_least(bound: int | None, value: int | None) -> int | None:
    """A bound on better packings, as one on all."""
    return bound if bound is None or value is None else max(bound, value)
