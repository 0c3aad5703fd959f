"""Searches that are taken step by step."""

from __future__ import annotations

from tiler.backends.dlx.driver import DlxSearch
from tiler.kernels import EXHAUSTED, SOLUTION


def solutions_of(search: DlxSearch, budget: int) -> list[tuple[int, ...]]:
    """All solutions, in steps of at most this number of nodes."""
    found = []
    while (code := search.step(budget)) != EXHAUSTED:
        if code == SOLUTION:
            found.append(search.chosen())
    return found
