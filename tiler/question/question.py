"""What is asked of a backend, how it talks while it works, and what it answers.

The verdict (`Status`: what is known) and the reason for stopping (`Stop`) are two fields; limits are results, never exceptions.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Goal(StrEnum):
    DECIDE = "decide"  #: is there a tiling? show one
    COUNT = "count"  #: how many?
    ENUMERATE = "enumerate"  #: all of them, one by one


@dataclass(frozen=True)
class Limits:
    """What a search may use; None means no limit."""

    seconds: float | None = None  #: wall clock, from the start of encoding
    megabytes: int | None = None  #: resident memory of the process, in MiB
    solutions: int | None = None  #: for ENUMERATE
    nodes: int | None = None


@dataclass(frozen=True)
class Question:
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
