"""Keep the arrays of a count or a search within a budget of bytes, and say how large it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tiler.amounts import storage
from tiler.backends.frontier.shared.model import Model
from tiler.kernels import loading
from tiler.process.memory import free_megabytes, resident_megabytes
from tiler.question.question import Limits

MEBIBYTE = 1 << 20
_SHARE = 0.85  # part of the allowed memory that the large arrays may take; the rest is for temporary arrays
_LEAST_MEBIBYTES = 1.0


def budget_of(limits: Limits) -> int:
    """The number of bytes that the arrays of a search may take: most of what the memory limit leaves, or of half the free
    memory if there is no limit."""
    if not limits.megabytes:
        return int(_SHARE * free_megabytes() / 2 * MEBIBYTE)
    free = max(_LEAST_MEBIBYTES, limits.megabytes - resident_megabytes() - loading.megabytes)
    return int(_SHARE * free * MEBIBYTE)


class Budgeted:
    """The base of all that goes on from state to state: what it searches, with what, and what that has taken so far."""

    def __init__(self, model: Model, budget: int, threads: int = 1) -> None:
        """`budget` is how many bytes the arrays may take together; at most `threads` threads work on them."""
        self.model = model
        self.budget = budget
        self.threads = threads
        self.short = False  #: whether it stopped because the budget is used up
        self.states = 0  #: the number of states made so far
        self.peak = 0  #: the most bytes the arrays took

    @property
    def budget(self) -> int:
        """How many bytes the arrays may take together: less than at first if loading machine code took more than was expected."""
        return self._granted - int((loading.excess_megabytes - self._excess) * MEBIBYTE)

    @budget.setter
    def budget(self, budget: int) -> None:
        self._granted, self._excess = budget, loading.excess_megabytes

    @property
    def bytes(self) -> int:
        """The bytes that the arrays take."""
        raise NotImplementedError

    @property
    def position(self) -> int:
        """The position that it has reached."""
        return 0

    @property
    def transitions(self) -> int:
        """The number of steps from state to state so far."""
        return 0

    @property
    def profiles(self) -> int:
        """The number of profiles so far."""
        return 0

    def stats(self) -> Mapping[str, Any]:
        """The counters other than the states."""
        return {"transitions": self.transitions, "profiles": self.profiles, "array_bytes": self.peak}

    @property
    def where(self) -> str:
        """How far it has come, in words."""
        return f"layer {self.position:,} of {self.model.cells:,}, {storage(self.bytes)}"

    def note_peak(self) -> None:
        """Note how many bytes the arrays take now, after one has grown."""
        self.peak = max(self.peak, self.bytes)

    def affords(self, more: int = 0) -> bool:
        """Whether the arrays fit into the budget with `more` bytes beside them; else it is `short`."""
        self.note_peak()
        self.short = self.bytes + more > self.budget
        return not self.short
