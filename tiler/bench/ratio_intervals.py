"""Say how certain a ratio of seconds between two campaigns is. All values are natural logarithms.

Two campaigns differ in seconds even if the code is the same: their problems are a sample, each run scatters, and the machine
drifts, which shifts many runs together. So the half-width of an interval is

    |d| + sqrt(p^2 + r^2 + c^2)

p: over the problems, as the mean of a sample has it (Student's t). A bootstrap is narrower, and holds less often: of samples of
6, 12 and 35 problems, drawn from 57 pairs of solvers of our campaigns, this interval holds the mean of all problems in 89, 91
and 93 %, a percentile bootstrap (Efron 1979) in 77, 86 and 91 %, a corrected one (BCa, Efron 1987) in 75, 83 and 90 %.
r: over the rounds of repeats. A round is one repeat of all problems, so what shifts a whole round shows here.
d, c: the drift between the campaigns, as the calibrations show it, and how exactly they show it (`calibration.py`). A solver need
not drift as the calibration does, so the ratio is not corrected by d: the interval becomes wider on both sides.

If two versions of the code made each run by turns, one right after the other, drift shifts both alike, and p of the differences
holds all that is left. With several solvers all intervals hold together with 95 % (Bonferroni).
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean, variance

_TAIL = 0.025  # the part of a distribution above, and below, what is 95 % certain

Rounds = Mapping[Hashable, float]  #: the logarithm of the seconds in each round, of one problem


@dataclass(frozen=True)
class LogRatio:
    """A mean, and the half-width of its interval: infinite if nothing shows how it scatters."""

    mean: float
    half: float

    @property
    def interval(self) -> tuple[float, float, float]:
        """The factor that the mean is the logarithm of, and the ends of its interval."""
        if self.half == math.inf:
            return _factor(self.mean), 0.0, math.inf
        return _factor(self.mean), _factor(self.mean - self.half), _factor(self.mean + self.half)


_MOST = 100.0  # a larger logarithm has no meaning as a factor, and overflows


def _factor(logarithm: float) -> float:
    return round(math.exp(logarithm), 12) if logarithm < _MOST else math.inf


@cache
def student(freedom: int, among: int = 1) -> float:
    """The half-width, in standard errors, of one of `among` intervals that hold together with 95 %, by Student's t.

    >>> round(student(4), 3), round(student(1, among=2), 2), student(0)
    (2.776, 25.45, inf)
    """
    if freedom < 1:
        return math.inf
    low, high = 0.0, 1e9
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, freedom) < 1 - 2 * _TAIL / among else (low, middle)
    return high


def _within(t: float, freedom: int) -> float:
    """The part of Student's distribution between -t and t (Abramowitz and Stegun 26.7.3 and 26.7.4)."""
    angle = math.atan(t / math.sqrt(freedom))
    square, term = math.cos(angle) ** 2, math.cos(angle) if freedom % 2 else 1.0
    total = 0.0
    for number in range(1 + freedom % 2, freedom, 2):
        total += term
        term *= square * number / (number + 1)
    return 2 / math.pi * (angle + math.sin(angle) * total) if freedom % 2 else math.sin(angle) * total


def over_sample(values: Sequence[float], among: int = 1) -> LogRatio:
    """The mean of a sample."""
    number = len(values)
    if number < 2:
        return LogRatio(values[0], math.inf)
    return LogRatio(fmean(values), student(number - 1, among) * math.sqrt(variance(values) / number))


def of_factors(factors: Sequence[float]) -> tuple[float, float, float]:
    """The geometric mean of some factors, and its interval, were they a sample of others like them.

    >>> of_factors([2.0, 2.0]), of_factors([2.0])
    ((2.0, 2.0, 2.0), (2.0, 0.0, inf))
    """
    return over_sample([math.log(factor) for factor in factors]).interval


def between(before: Sequence[float], after: Sequence[float], among: int = 1) -> LogRatio:
    """The difference of the means of two samples that scatter alike."""
    numbers = len(before), len(after)
    freedom = sum(numbers) - 2
    mean = fmean(before) - fmean(after)
    if freedom < 1:
        return LogRatio(mean, math.inf)
    squares = sum(variance(values) * (len(values) - 1) for values in (before, after) if len(values) > 1)
    return LogRatio(mean, student(freedom, among) * math.sqrt(squares / freedom * sum(1 / number for number in numbers)))


def between_rounds(before: Sequence[Rounds], after: Sequence[Rounds], among: int = 1) -> float:
    """The half-width that the rounds of repeats show; infinite if every run was made once."""
    return between(_shifts(before) or [0.0], _shifts(after) or [0.0], among).half


def _shifts(problems: Sequence[Rounds]) -> list[float]:
    """The mean shift of each round, over the problems that have a time in every round."""
    every = frozenset().union(*problems)
    complete = [rounds for rounds in problems if rounds.keys() == every]
    means = [fmean(rounds.values()) for rounds in complete]
    return [fmean(rounds[one] - mean for rounds, mean in zip(complete, means, strict=True)) for one in every if complete]


def between_campaigns(
    factors: Sequence[float], before: Sequence[Rounds], after: Sequence[Rounds], drift: LogRatio | None, among: int = 1
) -> LogRatio:
    """The ratio between two campaigns, from the ratio of each problem, the rounds of each, and the drift (None: not known)."""
    rounds = between_rounds(before, after, among)
    if len(factors) < 2:  # Only its repeats say how the one problem scatters.
        problems = LogRatio(factors[0], 0.0)
    else:
        problems = over_sample(factors, among)
        rounds = 0.0 if rounds == math.inf else rounds
    shift, unsure = (0.0, 0.0) if drift is None else (abs(drift.mean), drift.half)
    return LogRatio(problems.mean, shift + math.hypot(problems.half, rounds, unsure))


def by_turns(differences: Sequence[Sequence[float]], among: int = 1) -> LogRatio:
    """The ratio between two codes that made each run by turns, from the differences of each problem."""
    if len(differences) == 1:
        return over_sample(differences[0], among)
    return over_sample([fmean(some) for some in differences], among)
