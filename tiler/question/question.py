"""What is asked of a backend, how it talks while it works, and what it answers.

The verdict (`Status`: what is known) and the reason for stopping (`Stop`) are two fields; limits are results, never exceptions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any


class Goal(StrEnum):
    DECIDE = "decide"  #: is there a tiling? show one
    COUNT = "count"  #: how many?
    ENUMERATE = "enumerate"  #: all of them, one by one


class Status(StrEnum):
    """What is known."""

    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"


class Stop(StrEnum):
    """Why the search stopped."""

    DONE = "done"  #: the question is answered
    TIME = "time"
    MEMORY = "memory"
    SOLUTIONS = "solutions"  #: as many solutions as were asked for
    NODES = "nodes"
    INTERRUPTED = "interrupted"  #: the caller or Ctrl-C
    UNDECIDED = "undecided"  #: the method ended without an answer
    ERROR = "error"


@dataclass(frozen=True)
class Limits:
    """What a search may use; None means no limit."""

    seconds: float | None = None  #: wall clock, from the start of encoding
    megabytes: int | None = None  #: resident memory of the process, in MiB
    solutions: int | None = None  #: for ENUMERATE
    nodes: int | None = None


@dataclass(frozen=True)
class Query:
    goal: Goal = Goal.DECIDE
    limits: Limits = Limits()
    up_to_symmetry: bool = False
    seed: int = 0

    @property
    def solutions_wanted(self) -> int | None:
        """How many solutions end the search early; None: it runs to its end."""
        if self.goal is Goal.DECIDE:
            return 1
        return self.limits.solutions if self.goal is Goal.ENUMERATE else None


@dataclass(frozen=True)
class Progress:
    """How far a running search is."""

    nodes: int = 0
    found: int = 0
    fraction: float | None = None  #: of the search tree, 0 to 1, where the backend can tell


class Events:
    """How a running search talks to its caller; this one is silent."""

    traces: bool = False  #: whether `stack` is wanted
    saves: bool = False  #: whether `restored` and `save` are wanted, from backends that can (`Backend.can_save`)

    def solution(self, options: tuple[int, ...]) -> None:
        """A solution was found: the numbers of its options in the unfiltered cover."""

    def tick(self, progress: Progress) -> bool:
        """Called now and then, many times a second; False means stop."""
        return True

    def stack(self, options: tuple[int, ...]) -> None:
        """The options chosen so far, after every node, from backends that can tell (`Backend.can_trace`)."""

    def restored(self) -> tuple[Mapping[str, Any], Mapping[str, Any]] | None:
        """The arrays and the note of an earlier run to go on from, asked for once at the start; None to start afresh."""
        return None

    def save(self, arrays: Mapping[str, Any], note: Mapping[str, Any], *, last: bool) -> None:
        """The arrays that a search works on, and a note; called at every tick, and before the search stops early (`last`)."""


@dataclass(frozen=True)
class Result:
    """An answer.

    `solutions` holds option numbers of the unfiltered cover, and is empty where they were streamed through `Events.solution`.
    `count` is set only when it is exact; a count cut short has None, and `stats["found"]` says how far it came.
    """

    status: Status
    stop: Stop
    solutions: tuple[tuple[int, ...], ...] = ()
    count: int | None = None
    certificate: Any = None
    stats: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    message: str = ""

    @classmethod
    def of_search(cls, query: Query, *, found: int, exhausted: bool, stats: Mapping[str, Any], message: str = "") -> Result:
        """The answer of a search that found so many solutions and either saw the whole tree (`exhausted`) or stopped early.

        A search stops early for three reasons: it has its one solution (DECIDE), it has `limits.solutions` of them, or
        `Events.tick` said so; then whoever answers ticks knows the true reason and replaces INTERRUPTED by it.
        """
        if exhausted or (query.goal is Goal.DECIDE and found):
            stop = Stop.DONE
        elif found == query.solutions_wanted:
            stop = Stop.SOLUTIONS
        else:
            stop = Stop.INTERRUPTED
        status = Status.SAT if found else Status.UNSAT if exhausted else Status.UNKNOWN
        count = found if exhausted and query.goal is not Goal.DECIDE else None
        return cls(status, stop, count=count, stats={"found": found, **stats}, message=message)
