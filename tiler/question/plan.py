"""Define a plan: which solvers search for an answer, when, with what share of the time, in which way, and why. It is data:
`tiler.ask.planner` makes plans, other modules carry them out. `--stats` prints it, and JSON has it beside the statistics.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from tiler.amounts import duration


class Way(StrEnum):
    """The way in which an answer is made of searches."""

    PLAIN = "plain"  #: by one search for all tilings
    ANCHOR = "anchor"  #: up to symmetry: by a search for every placement of a tile, with one placement from each orbit
    CANONICAL = "canonical"  #: up to symmetry: by one search, in which a tiling counts if it is the least of its orbit
    BURNSIDE = "burnside"  #: up to symmetry: by a search for every symmetry, for the tilings that it keeps (Burnside's lemma)


_IN_WORDS = {
    Way.PLAIN: "",
    Way.ANCHOR: "below an anchor",
    Way.CANONICAL: "the least of each orbit",
    Way.BURNSIDE: "by Burnside's lemma",
}


@dataclass(frozen=True)
class Candidate:
    """A solver that the plan asks."""

    solver: str  #: the spec of the solver
    because: str = ""
    way: Way | None = Way.PLAIN  #: None if the way is found out when its turn comes
    delay: float = 0.0  #: the seconds that all others together have before it begins
    share: float = 1.0  #: its shares of the time, if other candidates have one share each
    threads: int = 1  #: the threads that it has in its turn, if several take turns; a single candidate has all threads
    seconds: float | None = None  #: the seconds that it is expected to take, if samples were drawn
    nodes: int | None = None  #: the nodes of a trial, after which a plan or samples say how to go on; None: it is no trial
    stands_for: str = ""  #: the spec that leaves the choice of search to the plan, if the solver was chosen for one

    @property
    def name(self) -> str:
        """The solver without its options."""
        return self.solver.partition(":")[0]

    @property
    def stats(self) -> dict[str, Any]:
        """The statistics about the candidate that answered."""
        seconds = {} if self.seconds is None else {"estimated_seconds": round(self.seconds, 3)}
        because = {"because": self.because} if self.because else {}
        return {"chosen": self.solver, **because, **seconds}

    def __str__(self) -> str:
        texts = [
            self.solver,
            _IN_WORDS[self.way] if self.way else "",
            f"after {duration(self.delay)}" if self.delay else "",
            f"{self.share:g} shares of the time" if self.share != 1 else "",
            f"{self.threads} threads" if self.threads != 1 else "",
            f"about {duration(self.seconds)} by samples" if self.seconds is not None else "",
        ]
        because = f": {self.because}" if self.because else ""
        return f"{', '.join(filter(None, texts))}{because}"


@dataclass(frozen=True)
class Plan:
    """Candidates that take turns, the favourite first; and before them, candidates that are asked alone, one after the other.
    Without candidates, it is the plan of an answer that was known beforehand (`Cover.refusal`).

    >>> print(Plan((Candidate("frontier", "the board is narrow", share=2), Candidate("fila", "it is fast", delay=0.1))))
    frontier, 2 shares of the time: the board is narrow
    fila, after 100 ms: it is fast
    """

    candidates: tuple[Candidate, ...]
    before: tuple[Candidate, ...] = ()
    trial: float = 0.0  #: CPU seconds for which one process tries the whole first, where several share the search
    is_split: bool = False  #: whether several processes share the search

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        if not self.candidates:
            yield "none: there is no solution at sight, so no search was made"
        yield from (f"first {step}" for step in self.before)
        for candidate in self.candidates:
            yield f"{candidate}; split among processes" if self.is_split else str(candidate)

    def to_json(self) -> dict[str, Any]:
        """The plan as data that is ready for `json.dumps`."""
        return asdict(self)


NOBODY = Plan(())  #: the plan of an answer that was known before a search
