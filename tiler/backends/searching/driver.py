"""Drive a search that has a compiled kernel: call it for a budget of nodes at a time, or have threads do so."""

from __future__ import annotations

import time
from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING, Any

from tiler.backends.searching.resumable import ROOM, Divisible, Search
from tiler.backends.searching.work_sharing import Sharing
from tiler.backends.searching.work_units import WorkUnits
from tiler.kernels import EXHAUSTED, PAUSED, SOLUTION, loading, python_time
from tiler.question.events import Event, RunningSearch, SearchContext, Visited
from tiler.question.question import Goal, Question
from tiler.question.result import Result

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PAUSE_SECONDS = 0.02  # between two looks at the clock
_PAUSE_AMONG_OTHERS = 0.004  # the same while threads search other parts of the question
ALONE_SECONDS = 0.1  # a question that takes no longer has one thread
_ALONE_IN_PARTS = 0.005  # the same for each search of a question that has taken longer already, such as the parts below an anchor


def fraction_done(ways: NDArray[Any], tried: NDArray[Any]) -> float:
    """The part of a tree that is done, as if all branches of a node were equally large.

    For every depth, `ways` has the number of branches of the node on the path to the present node, and `tried` says how many of
    these branches are done.

    >>> import numpy as np
    >>> fraction_done(np.array([2, 4]), np.array([1, 2]))
    0.75
    """
    import numpy as np

    with np.errstate(over="ignore"):  # Where the product overflows, the terms are 0.
        return float((tried / np.cumprod(ways, dtype=np.float64)).sum())


def drive(search: Search, question: Question, context: SearchContext) -> RunningSearch:
    """Run a search to its end, in steps of some twenty milliseconds. If it takes long, several threads share it if they may.

    The loop always ends: see tiler/kernels on loops that drive a kernel.
    """
    tree = WorkUnits(search, context.saved)
    counts, limit, wanted = question.goal is Goal.COUNT, question.limits.nodes, question.solutions_wanted
    alone = _seconds_alone(search, question, context)
    paused = time.perf_counter()
    searched = 0.0
    while tree.units:
        first = tree.units[0]
        stride = context.stride() if context.traces else None
        budget = first.budget if stride is None else stride
        before, loading_before = time.perf_counter(), loading.wall_seconds
        nodes = budget if limit is None else max(1, min(budget, limit - tree.nodes()))
        solutions = 0 if counts else 1 if stride is not None else ROOM if wanted is None else wanted - tree.found()
        code = first.step(nodes, solutions)
        searched += time.perf_counter() - before - (loading.wall_seconds - loading_before)
        if context.traces:
            yield Visited(()) if code == EXHAUSTED else Visited(first.search.chosen(), first.search.looked_at())
        if code == EXHAUSTED:
            tree.done(first)
        yield from tree.taken(wanted)
        if tree.found() == wanted:
            break
        now = time.perf_counter()
        if code == EXHAUSTED or (code == SOLUTION and now - paused < _PAUSE_SECONDS and (limit is None or tree.nodes() != limit)):
            continue
        if context.saves:
            yield tree.saved()
        yield tree.progress()
        may_share = context.may_share()
        if searched >= alone and may_share:
            yield from _together(tree, question, context)
            break
        if code == PAUSED and stride is None:
            # Where it may not share, other searches wait for this one at the end of a round.
            first.aim(now - paused, _PAUSE_SECONDS if may_share else _PAUSE_AMONG_OTHERS)
        paused = time.perf_counter()
    found = tree.found()
    # While one thread found the last solution that is wanted, others may have searched the tree to its end.
    exhausted = not tree.units and found != wanted
    return Result.of_search(question, found=found, exhausted=exhausted, nodes=tree.nodes(), stats=tree.stats())


def _seconds_alone(search: Search, question: Question, context: SearchContext) -> float:
    """The seconds after which several threads share a search."""
    if question.limits.threads == 1 or question.limits.nodes is not None or context.traces or not isinstance(search, Divisible):
        return inf
    is_young = context.begun is None or time.perf_counter() - context.begun < ALONE_SECONDS
    return ALONE_SECONDS if is_young else min(ALONE_SECONDS, _ALONE_IN_PARTS)


def _together(tree: WorkUnits, question: Question, context: SearchContext) -> Iterator[Event]:
    """Go on with several threads until the search ends."""
    python_time.exhaust()
    sharing = Sharing(tree, question)
    while True:
        try:
            sharing.round()
        except MemoryError:
            if context.saves:
                yield from tree.taken()
                yield tree.saved()
            raise
        yield from tree.taken(question.solutions_wanted)
        if tree.found() == question.solutions_wanted:
            return
        if not tree.units:
            return
        if context.saves:
            yield tree.saved()
        yield tree.progress()
