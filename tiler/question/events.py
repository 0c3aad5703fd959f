"""Define the events of a running search, which is a generator: it yields events, and returns its `Result`. The caller takes one
event after the other; in between it looks at the clock, the memory and Ctrl-C. It ends the search by closing the generator; the
search then frees its memory and ends its own processes. After that there is no result: the answer so far is in the last
`Progress` (`Progress.ended`).

A search that passes on all events of another one is `result = yield from other`. A caller that looks at the events itself loops
over `Events(search)`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from tiler.process.cancellation import StopCheck, never_stop
from tiler.question.result import Result, Stop

E = TypeVar("E")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Found:
    """A solution was found: the numbers of its options."""

    options: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a running search is; many times a second, so that it can be stopped then."""

    nodes: int = 0
    found: int = 0
    fraction: float | None = None  #: the part of the search tree that is done, 0 to 1; None if the backend cannot tell
    stats: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))  #: as in the result, if it ended here
    where: str = ""  #: how far it is, in words: the layer of a count by states, whose nodes are states; or the question at work
    value: int | None = None  #: OPTIMISE: the value that the result would have if it ended here
    bound: int | None = None

    def ended(self, stop: Stop, found: int = 0, message: str = "") -> Result:
        """The result of a search that was ended here; `found` solutions were handed over."""
        return Result.so_far(
            stop,
            found=max(found, self.found),
            nodes=self.nodes,
            stats=self.stats,
            message=message,
            value=self.value,
            bound=self.bound,
        )


@dataclass(frozen=True, slots=True)
class Visited:
    """The options chosen so far, after every node, where `Run.traces` asks for it."""

    options: tuple[int, ...]
    item: int | None = None  #: the item for which the last option was chosen; None if it was chosen for its tile


@dataclass(frozen=True, slots=True)
class Saved:
    """The whole state of a search, right before every `Progress`, if `Run.saves` asks for it: the arrays that the search works on
    (they change as it goes on), and a note ready for JSON. A search that gets the state back in `Run.saved` goes on from
    there."""

    arrays: Mapping[str, Any]
    note: Mapping[str, Any]


Event = Found | Progress | Visited | Saved

#: A search that is under way.
Running = Generator[Event, None, Result]


def without_events(result: Result) -> Running:
    """A search that knows its result at once."""
    return result
    yield


class Events(Generic[E, R]):
    """The events of a search, in a block: one can loop over them, break off, and go on in another loop. When the search has
    ended, `result` is what it returned. The end of the block closes the search.

    >>> def search():
    ...     yield Progress(nodes=7)
    ...     return "done"
    >>> with Events(search()) as events:
    ...     nodes = [event.nodes for event in events]
    >>> nodes, events.result
    ([7], 'done')
    """

    result: R

    def __init__(self, search: Generator[E, None, R]) -> None:
        self._events = self._followed(search)

    def _followed(self, search: Generator[E, None, R]) -> Generator[E, None, None]:
        self.result = yield from search

    def __iter__(self) -> Iterator[E]:
        return self._events

    def __enter__(self) -> Events[E, R]:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the search."""
        self._events.close()


@dataclass(frozen=True)
class Run:
    """The extras that the caller of a search wants in addition to solutions and progress; each extra takes time or memory."""

    traces: bool = False  #: a `Visited` for every node, from backends with `can_trace`
    saves: bool = False  #: its state before each progress, from backends with `can_save`
    saved: Saved | None = None  #: the state to go on from
    look: StopCheck = never_stop  #: the function that stages before the search's first progress call
    begun: float | None = None  #: the reading of `time.perf_counter` when the question was asked; None: it is asked now
    may_share: Callable[[], bool] = lambda: True  #: whether no thread is busy with other parts of the question at the moment

    def timed(self) -> Run:
        """The same, with a clock that runs."""
        return self if self.begun is not None else replace(self, begun=time.perf_counter())

    @property
    def seconds(self) -> float:
        """The seconds since the question was asked."""
        return 0.0 if self.begun is None else time.perf_counter() - self.begun


QUIETLY = Run()
