"""Compute how many times faster one solver is than another, paired by problem, with an interval."""

from __future__ import annotations

from dataclasses import dataclass

from tiler.bench.distinct import are_alike
from tiler.bench.ratio_intervals import of_factors
from tiler.bench.stats import Table


@dataclass(frozen=True)
class Speedup:
    """How many times faster one solver is than another where both have an answer."""

    factor: float  #: the geometric mean over the instances; above 1 the first is faster
    low: float  #: where the mean lies with 95 %, were these instances a sample of others like them; 0 to infinity of one alone
    high: float
    number: int  #: of the instances that both solved
    asked: int  #: the number of instances that both were asked about
    apart: int  #: the number of the instances that both solved, and on which their counters differ (distinct.py)

    @property
    def is_within_scatter(self) -> bool:
        """Whether the factors scatter so much over the instances that nobody knows which solver is faster."""
        return self.low <= 1 <= self.high

    @property
    def of(self) -> str:
        """The number of instances in the mean, the number asked about if some are left out, and the number on which the two
        differ if that is less, for tables.

        >>> Speedup(2.0, 1.5, 3.0, 23, 37, 6).of, Speedup(2.0, 1.5, 3.0, 37, 37, 37).of
        ('23 of 37, 6 differ', '37')
        """
        number = f"{self.number:,} of {self.asked:,}" if self.asked > self.number else f"{self.number:,}"
        return f"{number}, {self.apart:,} differ" if self.apart < self.number else number


def speedup(table: Table, a: str, b: str) -> Speedup | None:
    """The speed-up of A over B on the instances that both solved; None if there is none."""
    both = [(table.cell(problem, a), table.cell(problem, b)) for problem in table.problems]
    asked = [(one, two) for one, two in both if one.is_attempted and two.is_attempted]
    solved = [(one, two) for one, two in asked if one.is_solved and two.is_solved]
    factors = [two.seconds / one.seconds for one, two in solved if one.seconds is not None and two.seconds is not None]
    apart = sum(not are_alike(a, one, b, two) for one, two in solved)
    return Speedup(*of_factors(factors), len(factors), len(asked), apart) if factors else None
