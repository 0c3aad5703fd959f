"""Define what a search offers to the loops that drive it: it can be stopped and resumed, and divided among threads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, Self, runtime_checkable

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Search(Protocol):
    """A search that is stopped and resumed at will: an object that owns the arrays of a kernel."""

    def step(self, budget: int, stop_at_solutions: bool) -> int:
        """Search on for at most `budget` nodes. Returns one of the codes of tiler.kernels: with `stop_at_solutions`, SOLUTION at
        every solution; GROWING if it only enlarged its arrays."""

    def nodes(self) -> int:
        """The number of nodes made since the start."""

    def found(self) -> int:
        """The number of solutions since the start."""

    def chosen(self) -> tuple[int, ...]:
        """The options placed at this node: a solution, when one was just found."""

    def looked_at(self) -> int | None:
        """The item for which the last option was chosen; None if it was chosen for its tile, which had to be used."""

    def stats(self) -> Mapping[str, Any]:
        """Counters since the start, other than the nodes."""

    def fraction(self) -> float | None:
        """The part of the tree that is done, as if all branches of a node were equal; None if that is not known."""

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """The whole state of the search, for checkpoints."""

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take the state that `arrays` gave, from a search that was made in the same way."""


@runtime_checkable
class Divisible(Search, Protocol):
    """A search that can hand over a part of what it has still to do (work_sharing.py).

    Two searches that came from one by `twin` may be stepped by two threads at the same time: a step writes only to arrays of its
    own search.
    """

    def twin(self) -> Self:
        """Another search of the same problem, with nothing to do yet."""

    def give(self, other: Self) -> bool:
        """Between two steps: hand the untried branches of one node over to a twin that has nothing to do.

        The node is the uppermost one with untried branches on the path to the present node. The twin gets the state that this
        search would have when it is back at that node, but its counters (nodes, solutions, `stats`) begin at zero. It ends when
        the branches are done. Its `fraction` says at once where in the whole tree they begin. This search ends when it is back at
        that node. So both together make the nodes that this one would have made, and the twin makes the later ones. Returns False
        if there is no such node; then nothing has changed.
        """
