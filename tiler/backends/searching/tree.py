"""Define what a search tree offers to code that estimates its size before it is searched, and make the children of a node."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from tiler.kernels import EXHAUSTED

if TYPE_CHECKING:
    from typing import Self

    import numpy as np
    from numpy.typing import NDArray


#: Nodes of a `Branching` tree: a NamedTuple of arrays with a row for each node.
Rows: TypeAlias = Any


class Tree(Protocol):
    """A search that can be put at any of its nodes, and goes on as if this node were the root: see ask/size/estimate.py."""

    def step(self, budget: int, stop_at_solutions: bool) -> int:
        """Search on for at most `budget` nodes. Returns one of the codes of tiler.kernels."""

    def nodes(self) -> int:
        """The number of nodes made since the start."""

    def found(self) -> int:
        """The number of solutions since the start."""

    def child(self) -> Any:
        """The node just made below the root, for `enter`; None if no node can be below it."""

    def turn_back(self) -> None:
        """Leave out everything below the node just made."""

    def enter(self, node: Any) -> None:
        """Make a node the root."""

    def root(self) -> Any:
        """The node at which the search starts, before its first step; None if it is known to be dead."""


class Branching(Tree, Protocol):
    """A tree that can make all children of many nodes at once, which is faster. Sampling checks whether a tree has `children`."""

    def rows(self, nodes: Sequence[Any]) -> Rows:
        """Nodes as rows of arrays. There is at least one node, and all have the same number of pieces left."""

    def children(self, above: Rows) -> tuple[int, Rows]:
        """The number of children of these nodes; and the children that can have children themselves, in the order of their
        parents."""


class Narrowing(Branching, Protocol):
    """A tree that can also be searched with only some of the options."""

    def narrowed(self, keep: NDArray[np.bool_]) -> Any:
        """Start anew with only the options marked in `keep`, shape (options,). Returns the root of that search; None if it is
        dead."""

    def twin(self) -> Self:
        """Another tree of the same options, which another thread may use."""


def branches(tree: Tree, node: Any) -> Iterator[int]:
    """Make each child of a node in turn, and yield how many there are so far; `child` is this child then. Nothing below it is
    searched."""
    tree.enter(node)
    before, ways = tree.nodes(), 0
    while tree.step(1, True) != EXHAUSTED:
        if tree.nodes() > before + ways:
            ways += 1
            yield ways
            tree.turn_back()
