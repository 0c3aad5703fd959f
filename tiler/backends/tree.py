"""Say what searches with a tree offer to code that estimates its size before it is searched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    from typing import Self

    import numpy as np
    from numpy.typing import NDArray


#: Nodes of a `Branching` tree: a NamedTuple of arrays with a row for each.
Rows: TypeAlias = Any


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
    """A tree that makes all children of many nodes at once, which is quicker; sampling looks whether a tree has this method."""

    def rows(self, nodes: Sequence[Any]) -> Rows:
        """Nodes as rows of arrays: at least one, all with as many pieces left."""

    def children(self, above: Rows) -> tuple[int, Rows]:
        """How many nodes are just below some, and those of them below which something can be, in the order of those above."""


class Narrowing(Branching, Protocol):
    """A tree that can also begin among some of the options only."""

    def narrowed(self, keep: NDArray[np.bool_]) -> Any:
        """The root of a search, not begun yet, of those options only, shape (options,), that are marked; None if it is dead."""

    def twin(self) -> Self:
        """Another one of the same options, which another thread may look at."""
