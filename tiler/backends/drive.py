"""What searches with a compiled kernel share: the loop that calls it for a budget of nodes at a time."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from tiler.kernels import EXHAUSTED, GROWING, SOLUTION, Ratchet
from tiler.question.events import Found, Progress, Run, Running, Saved, Visited
from tiler.question.question import Goal, Question
from tiler.question.result import Result

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PAUSE_SECONDS = 0.02  # between two looks at the clock
_FIRST_BUDGET, _LAST_BUDGET = 1, 1 << 40  # on a large board a single node may take tenths of a second


def fraction_done(ways: NDArray[Any], tried: NDArray[Any]) -> float:
    """The part of a tree that is done, as if all branches of a node were equal: by depth the branches of the node on the way to
    the present one, and how many of them are done.

    >>> import numpy as np
    >>> fraction_done(np.array([2, 4]), np.array([1, 2]))
    0.75
    """
    import numpy as np

    with np.errstate(over="ignore"):  # Below, nothing is left to tell.
        return float((tried / np.cumprod(ways, dtype=np.float64)).sum())


class Search(Protocol):
    """A search that is stopped and resumed at will: an object that owns the arrays of a kernel."""

    def step(self, budget: int, stop_at_solutions: bool) -> int:
        """Search on for at most `budget` nodes; one of the codes of tiler.kernels, SOLUTION at every solution if that is
        asked, GROWING where it only made room."""

    def nodes(self) -> int:
        """The nodes made since the start."""

    def found(self) -> int:
        """The solutions since the start."""

    def chosen(self) -> tuple[int, ...]:
        """The options placed at this node: a solution, when one was just found."""

    def looked_at(self) -> int | None:
        """The item for which the last of the options placed was chosen; None: for its tile, which had to be used."""

    def stats(self) -> Mapping[str, Any]:
        """Counters since the start, other than the nodes."""

    def fraction(self) -> float | None:
        """The part of the tree that is done, as if all branches of a node were equal; None if that is not known."""

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """All the state there is, for checkpoints."""

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `arrays` gave, in a search that was made in the same way."""


def write_over(arrays: Mapping[str, NDArray[Any]], saved: Mapping[str, NDArray[Any]]) -> None:
    """Copy saved arrays into the arrays of a search that have the same names."""
    for name, array in arrays.items():
        array[...] = saved[name]


def drive(search: Search, question: Question, run: Run) -> Running:
    """Run a search to its end, in steps of some twenty milliseconds.

    It ends: see tiler/kernels on loops that drive a kernel.
    """
    if run.saved is not None:
        search.restore(run.saved.arrays)
    counts = question.goal is Goal.COUNT
    budget, limit = _FIRST_BUDGET, question.limits.nodes
    paused = time.perf_counter()
    exhausted = False
    ratchet = Ratchet("the search")
    while True:
        most = 1 if run.traces else budget
        code = search.step(most if limit is None else max(1, min(most, limit - search.nodes())), not counts)
        exhausted = code == EXHAUSTED
        if code not in (EXHAUSTED, GROWING):
            ratchet.turn(search.nodes(), search.found())
        if run.traces:
            yield Visited(()) if exhausted else Visited(search.chosen(), search.looked_at())
        if exhausted:
            break
        if code == SOLUTION:
            if not counts:
                yield Found(search.chosen())
            if search.found() == question.solutions_wanted:
                break
        now = time.perf_counter()
        if code == SOLUTION and now - paused < _PAUSE_SECONDS and search.nodes() != limit:
            continue
        if run.saves:
            yield Saved(search.arrays(), {})
        yield Progress(search.nodes(), search.found(), search.fraction(), search.stats())
        if code not in (SOLUTION, GROWING):
            # Aim at the pause, but grow by steps: nodes are not equally hard.
            budget = int(budget * min(2.0, _PAUSE_SECONDS / max(now - paused, 1e-6)))
            budget = min(max(1, budget), _LAST_BUDGET)
        paused = time.perf_counter()
    yield Result.of_search(question, found=search.found(), exhausted=exhausted, nodes=search.nodes(), stats=search.stats())
