"""Define what a search offers to the loops that drive it: it can be stopped and resumed, and divided among threads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, runtime_checkable

from tiler.kernels.arrays import SolutionRows
from tiler.question.events import Found

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: The most solutions that are gathered in one step, and the numbers for which there is room.
ROOM, _MOST_NUMBERS = 4096, 1 << 19


def write_over(arrays: Mapping[str, NDArray[Any]], saved: Mapping[str, NDArray[Any]]) -> None:
    """Copy saved arrays into the arrays of a search that have the same names."""
    for name, array in arrays.items():
        array[...] = saved[name]


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


@runtime_checkable
class Gathering(Search, Protocol):
    """A search that can write down many solutions in one step."""

    def gather(self, budget: int, most: int) -> tuple[int, NDArray[np.int32]]:
        """Search on as `step` does, past solutions until there are `most`, or as many as there is
        room for. Returns also their options, shape (solutions, most options), where shorter rows end with -1."""


class Gathered:
    """Solutions of several steps, one after the other."""

    def __init__(self, most: int) -> None:
        self.left = most
        self._rows: list[NDArray[np.int32]] = []

    def add(self, code: int, rows: NDArray[np.int32], above: Sequence[int] = ()) -> int:
        """Take what a step gathered, below options that were placed before; its code."""
        import numpy as np

        if len(rows):
            self._rows.append(np.concatenate([np.tile(np.array(above, np.int32), (len(rows), 1)), rows], axis=1))
            self.left -= len(rows)
        return code

    def all(self) -> NDArray[np.int32]:
        """The rows behind one another."""
        return Found.joined(self._rows).rows


def rows_for(most_written: int) -> SolutionRows:
    """Room for the solutions of one step, if a kernel writes at most this number of numbers for each."""
    return SolutionRows.new(max(1, min(ROOM, _MOST_NUMBERS // most_written)), most_written)


class KernelSearch:
    """What the searches have in common whose kernel is given their arrays once and counts in an array."""

    _NODES: ClassVar[int]  #: where the kernel counts nodes,
    _FOUND: ClassVar[int]  #: and where solutions
    counters: NDArray[np.int64]
    _search: Callable[[int, int], int]  #: the kernel: search for some nodes, past solutions until there are some; 0: any number
    _solutions: SolutionRows  #: where the kernel writes them

    def step(self, budget: int, stop_at_solutions: bool = True) -> int:
        """Search on for at most `budget` nodes; one of the codes of the kernel."""
        self._solutions.filled[0] = 0
        return self._search(budget, int(stop_at_solutions))  # one solution, or any number

    def gather(self, budget: int, most: int) -> tuple[int, NDArray[np.int32]]:
        """See `Gathering`; the numbers in the rows are those that the kernel wrote."""
        self._solutions.filled[0] = 0
        code = self._search(budget, min(most, len(self._solutions.values)))
        return code, self._solutions.taken()

    def nodes(self) -> int:
        """The number of nodes made since the start."""
        return int(self.counters[self._NODES])

    def found(self) -> int:
        """The number of solutions since the start."""
        return int(self.counters[self._FOUND])

    def stats(self) -> Mapping[str, Any]:
        """Nothing but nodes is counted."""
        return {}

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """The whole state of the search, for checkpoints."""
        raise NotImplementedError

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `arrays` gave, in a search that was made in the same way."""
        write_over(self.arrays(), arrays)
