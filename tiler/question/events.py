"""What a running search says: an iterator of events, the last of which is its `Result`.

The caller of a search takes one event after the other, looks at the clock, at the memory and for Ctrl-C in between, and ends it
by closing the iterator: then the search lets go of what it holds, processes of its own included. A search that is closed says
nothing more; what is known of it by then is what its last `Progress` said (`Result.so_far`).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from tiler.process.look import Look, unhurried
from tiler.question.result import Result


@dataclass(frozen=True, slots=True)
class Found:
    """A solution was found: the numbers of its options."""

    options: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a running search is; many times a second, so that it can be stopped then."""

    nodes: int = 0
    found: int = 0
    fraction: float | None = None  #: of the search tree, 0 to 1, where the backend can tell
    stats: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))  #: as in the result, if it ended here
    where: str = ""  #: how far it is in words of its own, where its nodes are states: the layer, and what the states take
    value: int | None = None  #: OPTIMISE: as in the result, if it ended here
    bound: int | None = None


@dataclass(frozen=True, slots=True)
class Visited:
    """The options chosen so far, after every node, where `Run.traces` asks for it."""

    options: tuple[int, ...]
    item: int | None = None  #: that the last of them was chosen for; None: for its tile


@dataclass(frozen=True, slots=True)
class Saved:
    """All the state there is, where `Run.saves` asks for it, right before every `Progress`: the arrays that the search works on
    (they change as it goes on), and a note ready for JSON. A search that gets it back in `Run.saved` goes on from there."""

    arrays: Mapping[str, Any]
    note: Mapping[str, Any]


Event = Found | Progress | Visited | Saved | Result

#: A search that is under way.
Running = Generator[Event, None, None]


@dataclass(frozen=True)
class Run:
    """What the caller of a search wants in addition to solutions and progress: each slows it down or takes room."""

    traces: bool = False  #: a `Visited` for every node, from backends with `can_trace`
    saves: bool = False  #: its state, from backends with `can_save`
    saved: Saved | None = None  #: the state to go on from
    look: Look = unhurried  #: what is called by stages that come before the search's first progress
    begun: float | None = None  #: the reading of `time.perf_counter` when the question was asked; None: it is asked now
    may_share: Callable[[], bool] = lambda: True  #: whether no thread is busy with other parts of the question at the moment


QUIETLY = Run()
