"""Define the events of a running search, which is a generator: it yields events, and returns its `Result`. The caller takes one
event after the other; in between it looks at the clock, the memory and Ctrl-C. It ends the search by closing the generator; the
search then frees its memory and ends its own processes. After that there is no result: the answer so far is in the last
`Progress` (`Progress.ended`).

A search that passes on all events of another one is `result = yield from other`. A caller that looks at the events itself loops
over `Events(search)`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tiler.process.cancellation import StopCheck, never_stop
from tiler.question.result import Result, Stop

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

E = TypeVar("E")
R = TypeVar("R")


class Found:
    """Solutions were found, one or several: the numbers of their options, in a block of rows.

    >>> block = Found.of([(4, 1), (7,)])
    >>> len(block), list(block), block.rows.tolist()
    (2, [(4, 1), (7,)], [[4, 1], [7, -1]])
    """

    __slots__ = ("rows",)

    rows: NDArray[np.int32]  #: shape (solutions, most options): shorter rows end with -1

    def __init__(self, options: Iterable[int] | NDArray[np.int32]) -> None:
        """A single solution by its options, or rows as they are."""
        import numpy as np

        self.rows = options if isinstance(options, np.ndarray) else np.array([tuple(options)], np.int32)

    @classmethod
    def of(cls, solutions: Sequence[Sequence[int]]) -> Found:
        """Solutions by their options."""
        import numpy as np

        rows = np.full((len(solutions), max(map(len, solutions), default=0)), -1, np.int32)
        for row, options in zip(rows, solutions, strict=True):
            row[: len(options)] = options
        return cls(rows)

    @classmethod
    def joined(cls, blocks: Sequence[NDArray[np.int32]]) -> Found:
        """The rows of several blocks, one behind the other.

        >>> Found.joined([Found.of([(4, 1)]).rows, Found.of([(7,)]).rows]).rows.tolist()
        [[4, 1], [7, -1]]
        """
        import numpy as np

        most = max((rows.shape[1] for rows in blocks), default=0)
        if all(rows.shape[1] == most for rows in blocks):
            return cls(np.concatenate([np.zeros((0, most), np.int32), *blocks]))
        return cls(np.concatenate([np.pad(rows, ((0, 0), (0, most - rows.shape[1])), constant_values=-1) for rows in blocks]))

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        if self.is_even:
            return map(tuple, self.rows.tolist())
        return (tuple(option for option in row if option >= 0) for row in self.rows.tolist())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Found) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Found.of({list(self)})"

    @property
    def is_even(self) -> bool:
        """Whether all solutions have equally many options."""
        return not self.rows.size or bool(self.rows[:, -1].min() >= 0)

    def split(self, number: int) -> tuple[Found, Found]:
        """The first solutions, and the rest."""
        return Found(self.rows[:number]), Found(self.rows[number:])

    def where(self, keep: NDArray[np.bool_]) -> Found:
        """The solutions that are marked in an array of shape (solutions,)."""
        return Found(self.rows[keep])

    def through(self, numbers: NDArray[Any]) -> Found:
        """The same with other numbers for the options; where that is negative, the option is left out. Rows are ascending."""
        import numpy as np

        rows = numbers[self.rows].astype(np.int32)
        if not self.is_even:
            rows[self.rows < 0] = -1
        rows.view(np.uint32).sort(axis=1)  # -1 is the largest word.
        return Found(rows)


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

    @classmethod
    def of(cls, result: Result) -> Progress:
        """What a search knew at its end."""
        return cls(result.nodes, result.found, stats=result.stats, value=result.value, bound=result.bound)

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
    """The options chosen so far, after every node, or after as many as `SearchContext.stride` says; only if
    `SearchContext.traces` asks for it."""

    options: tuple[int, ...]
    item: int | None = None  #: the item for which the last option was chosen; None if it was chosen for its tile

    def through(self, numbers: NDArray[Any]) -> Visited:
        """The same with other numbers for the options."""
        return Visited(tuple(numbers[list(self.options)].tolist()), self.item)


@dataclass(frozen=True, slots=True)
class Saved:
    """The whole state of a search, right before every `Progress`, if `SearchContext.saves` asks for it: the arrays that the
    search works on (they change as it goes on), and a note ready for JSON. A search that gets the state back in
    `SearchContext.saved` goes on from there."""

    arrays: Mapping[str, Any]
    note: Mapping[str, Any]


Event = Found | Progress | Visited | Saved

#: A search that is under way.
RunningSearch = Generator[Event, None, Result]


def finished(running: RunningSearch, finish: Callable[[Result], Result]) -> RunningSearch:
    """A search whose result is finished by a function."""
    return finish((yield from running))


def without_events(result: Result) -> RunningSearch:
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
class SearchContext:
    """The extras that the caller of a search wants in addition to solutions and progress; each extra takes time or memory."""

    traces: bool = False  #: a `Visited` after each stride, from backends with `can_trace`
    saves: bool = False  #: its state before each progress, from backends with `can_save`
    saved: Saved | None = None  #: the state to go on from
    check_stop: StopCheck = never_stop  #: to be called in the work before the first `Progress`; raises `Stopped` at a limit
    begun: float | None = None  #: the reading of `time.perf_counter` when the question was asked; None: it is asked now
    stride: Callable[[], int | None] = lambda: 1  #: the nodes before the next `Visited`; None: those of a fiftieth of a second
    may_share: Callable[[], bool] = lambda: True  #: whether no thread is busy with other parts of the question at the moment

    def timed(self) -> SearchContext:
        """The same, with a clock that runs."""
        return self if self.begun is not None else replace(self, begun=time.perf_counter())

    @property
    def is_followed(self) -> bool:
        """Whether it traces or saves: then only one search can answer."""
        return self.traces or self.saves

    @property
    def seconds(self) -> float:
        """The seconds since the question was asked."""
        return 0.0 if self.begun is None else time.perf_counter() - self.begun


NO_EXTRAS = SearchContext()
