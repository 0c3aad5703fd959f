"""What a search answers: the verdict and the reason for stopping are two fields; limits are results, never exceptions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from tiler.model.expected import Status
from tiler.question.question import Goal, Question


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
    def of_search(cls, question: Question, *, found: int, exhausted: bool, stats: Mapping[str, Any], message: str = "") -> Result:
        """The answer of a search that found so many solutions and either saw the whole tree (`exhausted`) or stopped early.

        A search stops early for three reasons: it has its one solution (DECIDE), it has `limits.solutions` of them, or
        `Events.tick` said so; then whoever answers ticks knows the true reason and replaces INTERRUPTED by it.
        """
        if exhausted or (question.goal is Goal.DECIDE and found):
            stop = Stop.DONE
        elif found == question.solutions_wanted:
            stop = Stop.SOLUTIONS
        else:
            stop = Stop.INTERRUPTED
        status = Status.SAT if found else Status.UNSAT if exhausted else Status.UNKNOWN
        count = found if exhausted and question.goal is not Goal.DECIDE else None
        return cls(status, stop, count=count, stats={"found": found, **stats}, message=message)
