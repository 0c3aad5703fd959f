"""Blocks of solutions of covers are suspected if, and only if, one of them is wrong."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from tiler.cover.cover import Cover
from tiler.cover.verify import error_in, may_be_wrong


def test_every_set_of_options_is_judged_alike_in_a_block_and_alone() -> None:
    cover = Cover.from_rows([("a", "b"), ("b", "c"), ("c",), ("a",), ("a", "b", "c")])
    sets = [some for size in range(6) for some in combinations(range(5), size)]
    block = np.array([[*some, *[-1] * (5 - len(some))] for some in sets], np.int32)
    wrong = [error_in(cover, some) is not None for some in sets]
    assert may_be_wrong(cover, block).tolist() == wrong
    assert wrong.count(False) == 3
