"""Define the answer of a search: the verdict and the reason for stopping are two fields; limits are results, never exceptions."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tiler import printable
from tiler.model.expected import Status
from tiler.question.plan import Plan
from tiler.question.question import Goal, Portion, Question

if TYPE_CHECKING:
    from tiler.question.certificate import Certificate
    from tiler.question.drup import Drup


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


_REASONS = {
    Stop.TIME: "the time limit is over",
    Stop.MEMORY: "the memory limit is reached",
    Stop.NODES: "the limit of nodes is reached",
    Stop.SOLUTIONS: "as many tilings as asked for",
    Stop.INTERRUPTED: "interrupted",
    Stop.UNDECIDED: "the method cannot tell",
    Stop.ERROR: "the solver failed",
}


NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Parts:
    """The parts of a count: the count is the sum of their numbers, each multiplied by its number in `times`, divided by
    `divisor`.

    The parts can be made again from the instance, the solver, the way of the plan and the number of pieces, and counted again by
    another solver: see ask/recount.py.
    """

    solver: str  #: the full spec of the backend whose plan it is
    method: str  #: the plan's way: anchor, canonical, burnside or plain
    divisor: int
    pieces: int | None  #: the number of pieces asked for, if the covers of the plan were split; else None
    times: tuple[int, ...]
    found: tuple[int | None, ...]  #: None for a part that is not counted to its end
    digest: str  #: a fingerprint of the parts
    generators: tuple[tuple[int, ...], ...] = ()  #: the symmetries of the group: the images of the cells of the sorted board

    def to_json(self) -> dict[str, Any]:
        """The parts as data that is ready for `json.dumps`."""
        return dataclasses.asdict(self)


@dataclass(frozen=True)
class Result:
    """An answer. Options are those of the unfiltered cover."""

    status: Status
    stop: Stop
    found: int = 0  #: the number of solutions found; it is all solutions if `count` is set, else a lower bound
    count: int | None = None  #: the exact number of solutions; None if it is not known
    solutions: tuple[tuple[int, ...], ...] = ()  #: the options of the solutions; empty if they were given as events
    uses: Mapping[int, int] | None = None  #: USES: for every option in a solution, the number of solutions with it
    tally: Mapping[Portion, int] | None = None  #: TALLY: for every portion that has solutions, their number
    value: int | None = None  #: OPTIMISE: the sum of the weights of the best solution found
    bound: int | None = None  #: OPTIMISE: no solution has a larger sum; equal to `value` where that is proved to be the best
    certificate: Certificate | Drup | None = None  #: the reason why there is no solution; its module says which code checks it
    symmetry: int | None = None  #: the order of the group, in an answer up to symmetry
    parts: Parts | None = None  #: COUNT: the parts of the count, if it has several
    plan: Plan | None = None  #: the solvers that were asked, in which way, and why
    nodes: int = 0  #: the number of nodes, as the backend counts them: placements made, states, decisions
    stats: Mapping[str, Any] = field(default_factory=lambda: NOTHING)  #: its other counters
    message: str = ""

    @property
    def is_known_beforehand(self) -> bool:
        """Whether there is no solution at sight (`Cover.refusal`): then no solver has searched for the answer."""
        return self.plan is not None and not self.plan.candidates

    @property
    def counters(self) -> dict[str, Any]:
        """All counters, ready for JSON."""
        return {"found": self.found, "nodes": self.nodes, **self.stats}

    @property
    def reason(self) -> str:
        """A line that says why the search stopped, or how the answer is known; may be empty."""
        return printable.line(self.message) or _REASONS.get(self.stop, "")

    @classmethod
    def of_search(
        cls,
        question: Question,
        *,
        found: int,
        exhausted: bool,
        nodes: int = 0,
        stats: Mapping[str, Any] = NOTHING,
        message: str = "",
    ) -> Result:
        """The answer of a search that found `found` solutions and either saw the whole tree (`exhausted`) or ended early: since
        it has its one solution (DECIDE, PROVE), as many as were asked for, or cannot tell (UNDECIDED)."""
        if exhausted or (question.goal in (Goal.DECIDE, Goal.PROVE) and found):
            stop = Stop.DONE
        elif found == question.solutions_wanted:
            stop = Stop.SOLUTIONS
        else:
            stop = Stop.UNDECIDED
        status = Status.SAT if found else Status.UNSAT if exhausted else Status.UNKNOWN
        count = found if exhausted and question.goal in (Goal.COUNT, Goal.ENUMERATE, Goal.USES, Goal.TALLY) else None
        return cls(status, stop, found, count, nodes=nodes, stats=stats, message=message)

    @classmethod
    def so_far(
        cls,
        stop: Stop,
        *,
        found: int,
        nodes: int = 0,
        stats: Mapping[str, Any] = NOTHING,
        message: str = "",
        value: int | None = None,
        bound: int | None = None,
    ) -> Result:
        """The answer of a search that was stopped, from its last progress."""
        status = Status.SAT if found else Status.UNKNOWN
        return cls(status, stop, found, value=value, bound=bound, nodes=nodes, stats=stats, message=message)
