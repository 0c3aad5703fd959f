"""Define the question to a backend: a goal, limits, and what else the goal needs."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from tiler.errors import BadOption


class Goal(StrEnum):
    """The kinds of questions. `Backend.refusal` says which of them a backend cannot answer."""

    DECIDE = "decide"  #: find out whether there is a tiling, and show one
    COUNT = "count"  #: count all tilings
    ENUMERATE = "enumerate"  #: list all tilings, or the first `Limits.solutions`
    SAMPLE = "sample"  #: draw `Question.samples` tilings at random, independently, each with the same probability
    USES = "uses"  #: count all tilings, and for every placement the tilings with it
    TALLY = (
        "tally"  #: count the tilings of each portion: for each choice of copies of tiles, or of open cells (`Question.tally_by`)
    )
    PROVE = "prove"  #: prove, with a certificate, that there is no tiling
    OPTIMISE = "optimise"  #: find a tiling with the largest sum of the weights of its tiles

    @property
    def verb(self) -> str:
        """The verb that follows "it can" and "it cannot"."""
        return "count uses" if self is Goal.USES else self.value


class TallyBy(StrEnum):
    """The properties by which a tally tells tilings apart."""

    COPIES = "copies"  #: the number of copies of each tile
    OPEN = "open"  #: the cells that stay open


class Portion(NamedTuple):
    """A key of a tally: the copies or the open cells that the counted tilings have in common; a part that the tally does not
    distinguish is empty."""

    copies: tuple[int, ...] = ()  #: the number of copies of each distinct tile
    open: tuple[int, ...] = ()  #: the items that stay open, as numbers, ascending


@dataclass(frozen=True)
class Limits:
    """The limits of a search; None means no limit. Answers do not depend on the number of threads."""

    seconds: float | None = None  #: wall clock, from the start of encoding
    megabytes: int | None = None  #: resident memory of the process, in MiB
    solutions: int | None = None  #: for ENUMERATE
    nodes: int | None = None
    threads: int = 1  #: the most threads at the same time; a search with a limit of nodes uses only one

    def after(self, nodes: int) -> Limits:
        """The limits of the next search, given the number of nodes of earlier ones."""
        return self if self.nodes is None else replace(self, nodes=max(1, self.nodes - nodes))

    def seconds_left(self, past: float) -> float:
        """The seconds until the limit, after `past` seconds."""
        return math.inf if self.seconds is None else self.seconds - past


@dataclass(frozen=True)
class Question:
    """A goal, its limits, and for some goals more: `samples` is for SAMPLE, `seed` for whatever is random. Only tilings with all
    of the `features` (see ask/features/predicates.py) are asked about: backends know nothing of them, see
    ask/features/filtered_search.py."""

    goal: Goal = Goal.DECIDE
    limits: Limits = Limits()
    up_to_symmetry: bool = False
    seed: int = 0
    samples: int = 1
    features: tuple[str, ...] = ()
    tally_by: tuple[TallyBy, ...] = ()  #: for TALLY

    def __post_init__(self) -> None:
        if self.tally_by and self.goal is not Goal.TALLY:
            raise BadOption(f"tally_by is for a tally, Goal.TALLY; the goal here is to {self.goal.verb}")
        if self.limits.solutions is not None and self.goal is not Goal.ENUMERATE:
            raise BadOption(f"a limit of solutions is for listing them, Goal.ENUMERATE; the goal here is to {self.goal.verb}")

    @property
    def solutions_wanted(self) -> int | None:
        """The number of solutions at which the search ends early; None if it runs to its end."""
        if self.goal in (Goal.DECIDE, Goal.PROVE):
            return 1
        if self.goal is Goal.SAMPLE:
            return self.samples
        return self.limits.solutions if self.goal is Goal.ENUMERATE else None
