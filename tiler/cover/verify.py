"""Verify solutions of exact covers: naive on purpose, it counts items and tiles. Tilings of boards are verified from the cells
that they cover, by tiler/model/verify.py."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.cover.cover import Cover


def error_in(cover: Cover, options: Sequence[int]) -> str | None:
    """A sentence that says what is wrong with a solution of a cover, given as its options without those of fillers; None if it is
    right."""
    wrong = error_in_items(cover, options, cover.may_stay_open)
    if wrong is not None:
        return wrong
    used = Counter(int(cover.tile[option]) for option in options)
    for t, name in enumerate(cover.names):
        if not cover.is_filler[t] and not cover.lower[t] <= used[t] <= cover.upper[t]:
            return f"tile {name} is used {used[t]} times, not {cover.lower[t]} to {cover.upper[t]}"
    return None


def may_be_wrong(cover: Cover, rows: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Marks, shape (solutions,), the solutions of a block for which `error_in` may have a sentence. The block has the shape
    (solutions, most options); shorter rows end with -1."""
    solutions, items = len(rows), len(cover.items)
    row, column = np.nonzero(rows >= 0)
    option = rows[row, column]
    if cover.coloured is not None or (option >= len(cover)).any():
        return np.ones(solutions, np.bool_)
    starts, members = cover.members.take(option)
    key = portable.repeat(row, np.diff(starts)) * items + members
    covered = portable.bincount(key, minlength=solutions * items).reshape(solutions, items)
    must = np.ones(items, np.int64)
    must[list(cover.may_stay_open)] = 0
    used = portable.bincount(row * len(cover.names) + cover.tile[option], minlength=solutions * len(cover.names))
    shown = ~cover.is_filler
    bounded = used.reshape(solutions, -1)[:, shown]
    outside = (bounded < cover.lower[shown]) | (bounded > cover.upper[shown])
    return np.asarray((covered > 1).any(axis=1) | (covered < must).any(axis=1) | outside.any(axis=1))


def error_in_items(cover: Cover, options: Sequence[int], may_stay_open: frozenset[int] = frozenset()) -> str | None:
    """A sentence that says which item some options do not cover exactly once, or give two colours; None if there is none. Items
    in `may_stay_open` need not be covered; the bounds of tiles are not looked at."""
    if len(set(options)) < len(options) or not all(0 <= option < len(cover) for option in options):
        return "an option is there twice, or there is no such option"
    covered = Counter(item for option in options for item in cover.members[option].tolist())
    for item, name in enumerate(cover.items):
        if covered[item] > 1:
            return f"item {name} is covered {covered[item]} times"
        if not covered[item] and item not in may_stay_open:
            return f"item {name} is not covered"
    return None if cover.coloured is None else cover.coloured.error_in(options)
