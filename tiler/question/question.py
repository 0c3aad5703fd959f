"""Define the question to a backend: a goal, limits, and what else the goal needs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from tiler.errors import BadOption


class Goal(StrEnum):
    """The kinds of questions. `Backend.refusal` says which of them a backend cannot answer."""

    DECIDE = "decide"  #: is there a tiling? show one
    COUNT = "count"  #: how many?
    ENUMERATE = "enumerate"  #: all of them, one by one, or the first `Limits.solutions`
    SAMPLE = "sample"  #: `Question.samples` at random, drawn independently, each tiling as likely as any other
    USES = "uses"  #: how many, and for every placement the number of tilings with it
    TALLY = "tally"  #: how many for each choice of what `Question.apart` tells apart: copies of tiles, cells that stay open
    PROVE = "prove"  #: is there none? with a certificate
    OPTIMISE = "optimise"  #: one with the largest sum of the weights of its tiles

    @property
    def verb(self) -> str:
        """The verb that follows "it can" and "it cannot"."""
        return "count uses" if self is Goal.USES else self.value


class Apart(StrEnum):
    """What a tally tells apart."""

    COPIES = "copies"  #: how many copies of each tile are used
    OPEN = "open"  #: which cells stay open


class Portion(NamedTuple):
    """A key of a tally: the copies or the open cells that the counted tilings have in common; a part that the tally does not
    distinguish is empty."""

    copies: tuple[int, ...] = ()  #: of each distinct tile
    open: tuple[int, ...] = ()  #: the items that stay open, as numbers, ascending


@dataclass(frozen=True)
class Limits:
    """What a search may use; None means no limit. Answers do not depend on the number of threads."""

    seconds: float | None = None  #: wall clock, from the start of encoding
    megabytes: int | None = None  #: resident memory of the process, in MiB
    solutions: int | None = None  #: for ENUMERATE
    nodes: int | None = None
    threads: int = 1  #: at the same time; a search with a limit of nodes makes no use of more than one


@dataclass(frozen=True)
class Question:
    """A goal, its limits, and for some goals more: `samples` is for SAMPLE, `seed` for whatever is random. Only tilings with all
    of the `features` (see ask/features.py) are asked about: backends know nothing of them, see ask/sieve.py."""

    goal: Goal = Goal.DECIDE
    limits: Limits = Limits()
    up_to_symmetry: bool = False
    seed: int = 0
    samples: int = 1
    features: tuple[str, ...] = ()
    apart: tuple[Apart, ...] = ()  #: for TALLY

    def __post_init__(self) -> None:
        if self.apart and self.goal is not Goal.TALLY:
            raise BadOption(f"apart is for a tally, Goal.TALLY; the goal here is to {self.goal.verb}")
        if self.limits.solutions is not None and self.goal is not Goal.ENUMERATE:
            raise BadOption(f"a limit of solutions is for listing them, Goal.ENUMERATE; the goal here is to {self.goal.verb}")

    @property
    def solutions_wanted(self) -> int | None:
        """How many solutions end the search early; None: it runs to its end."""
        if self.goal in (Goal.DECIDE, Goal.PROVE):
            return 1
        if self.goal is Goal.SAMPLE:
            return self.samples
        return self.limits.solutions if self.goal is Goal.ENUMERATE else None
