"""What searches with a tree offer to those that want to know its size before it is searched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Tree(Protocol):
    """A search that can be led to any of its nodes, and goes on from there as if that were the root: see ask/estimate.py."""

    def step(self, budget: int, stop_at_solutions: bool) -> int:
        """Search on for at most `budget` nodes; one of the codes of tiler.kernels."""

    def nodes(self) -> int:
        """The nodes made since the start."""

    def found(self) -> int:
        """The solutions since the start."""

    def child(self) -> Any:
        """The node just made below the root, for `enter`; None if nothing can be below it."""

    def turn_back(self) -> None:
        """Leave out whatever is below the node just made."""

    def enter(self, node: Any) -> None:
        """Make a node the root."""

    def root(self) -> Any:
        """The node at which the search starts, before its first step; None if it is known to be dead."""


class Branching(Tree, Protocol):
    """A tree that makes all children of a node at once, which is quicker; sampling looks whether a tree has this method."""

    def children(self, node: Any) -> tuple[int, list[Any]]:
        """How many nodes are just below one, and those of them below which something can be."""


class Narrowing(Tree, Protocol):
    """A tree that can also begin among some of the options only."""

    def narrowed(self, keep: NDArray[np.bool_]) -> Any:
        """The root of a search, not begun yet, of those options only, shape (options,), that are marked; None if it is dead."""
