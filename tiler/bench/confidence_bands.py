"""Compute how certain a number of solved problems is: intervals at every time, of two kinds, for two questions.

`over_repeats`: how many problems would be solved by then, if each problem had a single run, with one of its repeats or seeds at
random? That number is a sum of independent draws with a chance each (Poisson binomial), and its quantiles are computed, not
sampled.

`over_problems`: how many would be solved by then, of the same number of other problems of this kind? Wilson's interval for a
share (Wilson 1927; recommended by Brown, Cai and DasGupta 2001), which holds for few problems too, where resampling them gives no
width at all as soon as all are solved. It takes the problems for a random draw from what they stand for.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tiler.bench.stats import Table

_Z = 1.959964  # 95 % of a normal distribution lie within this number of deviations from its mean
_TAIL = 0.025
_MOST = 400  # the most times at which a band is computed


@dataclass(frozen=True)
class Band:
    """From each of some seconds to the next the number of problems solved lies between `low` and `high`, with 95 %."""

    seconds: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]

    def at(self, seconds: float) -> tuple[float, float]:
        """The limits after `seconds`; 0 to 0 before the first."""
        place = bisect_right(self.seconds, seconds) - 1
        return (self.low[place], self.high[place]) if place >= 0 else (0.0, 0.0)


def over_repeats(table: Table, solver: str) -> Band:
    """The band for single runs of all problems."""
    cells = [cell for cell in table.attempted(solver) if cell.every]
    times = _thinned(sorted({seconds for cell in cells for seconds in cell.every if seconds < math.inf}))
    limits = [_quantiles([bisect_right(cell.every, time) / len(cell.every) for cell in cells]) for time in times]
    return Band(tuple(times), tuple(low for low, _ in limits), tuple(high for _, high in limits))


def over_problems(table: Table, solver: str) -> Band:
    """The band for the same number of other problems like these."""
    cells = table.attempted(solver)
    took = sorted(cell.seconds for cell in cells if cell.seconds is not None)
    times = _thinned(sorted(set(took)))
    limits = [wilson(bisect_right(took, time), len(cells)) for time in times]
    number = len(cells)
    return Band(tuple(times), tuple(number * low for low, _ in limits), tuple(number * high for _, high in limits))


def wilson(hits: int, number: int) -> tuple[float, float]:
    """A 95 % interval for the share of successes, if a sample of `number` tries had `hits` successes.

    >>> [round(limit, 3) for limit in wilson(10, 10)]
    [0.722, 1.0]
    """
    share, square = hits / number, _Z * _Z
    middle = (share + square / (2 * number)) / (1 + square / number)
    half = _Z * math.sqrt(share * (1 - share) / number + square / (4 * number * number)) / (1 + square / number)
    return max(0.0, middle - half), min(1.0, middle + half)


def _quantiles(chances: Sequence[float]) -> tuple[float, float]:
    """The range that has the number of successes with 95 %, for one try with each of some chances.

    >>> _quantiles([1.0, 1.0, 0.5, 0.0])
    (2.0, 3.0)
    """
    sure = sum(chance == 1 for chance in chances)
    shares = np.ones(1)
    for chance in chances:
        if 0 < chance < 1:
            shares = np.convolve(shares, (1 - chance, chance))
    heaped = np.cumsum(shares)
    low, high = (int(np.searchsorted(heaped, quantile - 1e-12)) for quantile in (_TAIL, 1 - _TAIL))
    return float(sure + low), float(sure + min(high, len(shares) - 1))


def _thinned(times: list[float]) -> list[float]:
    """At most `_MOST` of the times, evenly chosen, with the last one."""
    step = -(-len(times) // _MOST)
    return times[::-1][::step][::-1] if times else []
