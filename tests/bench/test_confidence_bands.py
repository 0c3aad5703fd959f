"""Bands around counts of solved problems: of what single runs would give, and of what other problems would."""

from __future__ import annotations

import random
from itertools import accumulate, product
from math import comb

import pytest
from records import record

from tiler.bench import confidence_bands, stats


def test_over_repeats_every_single_run_is_counted() -> None:
    """Three problems with four repeats each: all 64 choices of one repeat, beside the quantiles."""
    took = {"a": [1.0, 2.0, 3.0, 4.0], "b": [1.5, 1.5, 6.0, None], "c": [2.5, None, None, None]}
    runs = [record(name, "dlx", seconds, repeat=n) for name, some in took.items() for n, seconds in enumerate(some)]
    found = confidence_bands.over_repeats(stats.tabulate(runs), "dlx")
    for time in (0.5, 1.0, 2.0, 2.6, 5.0, 7.0):
        counts = sorted(sum(one is not None and one <= time for one in chosen) for chosen in product(*took.values()))
        low, high = found.at(time)
        assert sum(count < low for count in counts) <= 0.025 * len(counts)
        assert sum(count <= low for count in counts) >= 0.025 * len(counts)
        assert sum(count > high for count in counts) <= 0.025 * len(counts)
    assert found.at(0.5) == (0, 0)


@pytest.mark.parametrize("number", range(1, 21))
def test_over_repeats_at_most_a_fortieth_lies_on_either_side(number: int) -> None:
    """Problems that one of two repeats solved: by then as many are solved as coins show heads."""
    runs = [record(f"f/{n}", "dlx", seconds, repeat=turn) for n in range(number) for turn, seconds in enumerate((1.0, None))]
    low, high = confidence_bands.over_repeats(stats.tabulate(runs), "dlx").at(1.0)
    below = [0, *accumulate(comb(number, heads) for heads in range(number + 1))]  # of 2**number runs, those with fewer heads
    every = 2**number
    assert 40 * below[int(low)] < every <= 40 * below[int(low) + 1]
    assert 40 * below[int(high)] < 39 * every <= 40 * below[int(high) + 1]


def test_over_problems_the_interval_holds_as_often_as_it_says() -> None:
    draw = random.Random(1)
    for share, number in ((0.9, 20), (0.5, 35)):
        held = [
            low <= share <= high
            for _ in range(1500)
            for low, high in [confidence_bands.wilson(sum(draw.random() < share for _ in range(number)), number)]
        ]
        assert 0.92 < sum(held) / len(held) < 0.99


def test_of_problems_run_once_the_band_is_the_line() -> None:
    table = stats.tabulate([record(f"f/{n}", "dlx", None if n == 5 else 0.1 * n + 0.1) for n in range(12)])
    found = confidence_bands.over_repeats(table, "dlx")
    assert found.low == found.high == tuple(range(1, 12))
    others = confidence_bands.over_problems(table, "dlx")
    for rank, (low, high) in enumerate(zip(others.low, others.high, strict=True), 1):
        assert 0 < low < rank < high <= 12
