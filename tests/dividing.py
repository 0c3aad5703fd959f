"""Searches that hand over parts of what they have still to do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tiler.backends.resumable import Divisible
from tiler.backends.stretches import added
from tiler.kernels import EXHAUSTED, SOLUTION

Outcome = tuple[int, int, dict[str, Any], list[tuple[int, ...]]]


def outcome(search: Divisible, gives: Callable[[int], bool] = lambda step: False) -> Outcome:
    """Nodes, solutions, counters, and the solutions in the order of one thread, of a search that gives something away after
    each node where `gives` says so, and so do those that are given something."""
    listed, later = list[tuple[int, ...]](), list[Outcome]()
    last = 0.0
    while (code := search.step(1, True)) != EXHAUSTED:
        if code == SOLUTION:
            listed.append(search.chosen())
        if gives(search.nodes()):
            other = search.twin()
            while search.give(other):
                begin = other.fraction()
                assert begin is not None
                assert begin >= (search.fraction() or 0.0) - 1e-9
                later.append(outcome(other, gives))
            assert search.twin().step(1, True) == EXHAUSTED
        last = search.fraction() or last
    assert -1e-9 <= last <= 1 + 1e-9
    nodes, found, stats = search.nodes(), search.found(), added({}, search.stats())
    # What was given away first comes last.
    for more_nodes, more_found, more_stats, more in reversed(later):
        nodes, found, stats, listed = nodes + more_nodes, found + more_found, added(stats, more_stats), listed + more
    return nodes, found, stats, listed
