"""Keep the arrays of a count or a search within a budget of bytes."""

from __future__ import annotations

from tiler.backends.frontier.shared.model import Model


class Budgeted:
    """The base of all that goes on from state to state: what it searches, and what that has taken so far."""

    def __init__(self, model: Model, budget: int) -> None:
        """`budget` is how many bytes the arrays may take together."""
        self.model, self.budget = model, budget
        self.short = False  #: whether it stopped because the budget is used up
        self.states = 0  #: the number of states made so far
        self.peak = 0  #: the most bytes the arrays took

    @property
    def bytes(self) -> int:
        """The bytes that the arrays take."""
        raise NotImplementedError

    def note_peak(self) -> None:
        """Note how many bytes the arrays take now, after one has grown."""
        self.peak = max(self.peak, self.bytes)

    def affords(self, more: int = 0) -> bool:
        """Whether the arrays fit into the budget with `more` bytes beside them; else it is `short`."""
        self.note_peak()
        self.short = self.bytes + more > self.budget
        return not self.short
