"""What backends with a compiled kernel share: the loop that calls it for a budget of nodes at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from tiler.kernels import EXHAUSTED, GROWING, SOLUTION, Ratchet
from tiler.question.events import Events, Progress
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


def drive(
    question: Question,
    events: Events,
    *,
    step: Callable[[int], int],
    nodes: Callable[[], int],
    found: Callable[[], int],
    chosen: Callable[[], tuple[int, ...]],
    stats: Callable[[], Mapping[str, Any]] = dict,
    fraction: Callable[[], float | None] = lambda: None,
    arrays: Callable[[], Mapping[str, NDArray[Any]]] = dict,
    restore: Callable[[Mapping[str, NDArray[Any]]], None] | None = None,
) -> Result:
    """Run a search to its end, its limit or its interruption.

    `step(budget)` searches on for at most so many nodes and returns one of the codes of tiler.kernels, SOLUTION at every solution
    unless the goal is COUNT, GROWING where it only made room. `nodes` and `found` count since the start, `chosen` are the options
    on the stack, which are a solution when one was just found. `arrays` are all the state there is, for checkpoints; `restore`
    takes them back, if more is to be done than to write them over those there are.
    """
    saved = events.restored() if events.saves else None
    if saved is not None:
        if restore is None:
            for name, array in arrays().items():
                array[...] = saved[0][name]
        else:
            restore(saved[0])
    budget, limit = _FIRST_BUDGET, question.limits.nodes
    paused = time.perf_counter()
    exhausted = False
    ratchet = Ratchet("the search")
    while True:
        most = 1 if events.traces else budget
        code = step(most if limit is None else max(1, min(most, limit - nodes())))
        if code == EXHAUSTED:
            exhausted = True
        elif code != GROWING:
            ratchet.turn(nodes(), found())
        if events.traces:
            events.stack(() if exhausted else chosen())
        if exhausted:
            break
        if code == SOLUTION:
            if question.goal is not Goal.COUNT:
                events.solution(chosen())
            if found() == question.solutions_wanted:
                break
        now = time.perf_counter()
        if code == SOLUTION and now - paused < _PAUSE_SECONDS and nodes() != limit:
            continue
        going_on = events.tick(Progress(nodes(), found(), fraction()))
        if events.saves:
            events.save(arrays(), {}, last=not going_on)
        if not going_on:
            break
        if code not in (SOLUTION, GROWING):
            # Aim at the pause, but grow by steps: nodes are not equally hard.
            budget = int(budget * min(2.0, _PAUSE_SECONDS / max(now - paused, 1e-6)))
            budget = min(max(1, budget), _LAST_BUDGET)
        paused = time.perf_counter()
    return Result.of_search(question, found=found(), exhausted=exhausted, stats={"nodes": nodes(), **stats()})
