"""Searches that hand over parts of what they have still to do, and small boards of all kinds to try it on."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from tiler.backends.searching.resumable import Divisible
from tiler.backends.searching.work_units import added
from tiler.cover.board import BoardCover
from tiler.kernels import EXHAUSTED, SOLUTION
from tiler.model.lattices import LATTICES
from tiler.selftest import random_instances

#: Trees of 30 to 80 nodes: lattice, whether it is wrapped, whether it is painted, and a seed.
DRAWN = [
    *[("square", True, False, 47), ("hexagonal", False, False, 24), ("triangular", False, False, 19)],
    *[("cubic", False, False, 19), ("square-edges", False, False, 17), ("square", True, True, 0)],
    *[("square", False, True, 45), ("hexagonal", False, True, 36), ("triangular", False, True, 37)],
    *[("rhombille", False, True, 46), ("tetrakis", False, True, 42), ("cubic", False, True, 4)],
]

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


def drawn_covers() -> list[BoardCover]:
    """In the plane and in space, with tiles that may not cross, with colours, wrapped."""
    drawn = (random_instances.instance(Random(seed), LATTICES[name], wrapped=w, painted=p) for name, w, p, seed in DRAWN)
    return list(map(BoardCover.of, drawn))
