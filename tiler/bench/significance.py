"""Test whether two solvers differ on the same problems, by the sign test and by Wilcoxon's signed-rank test.

The difference on a problem is the logarithm of the ratio of the seconds. An unsolved run counts as the limit; so two unsolved
ones are a tie. The sign test looks only at who is faster, and leaves ties out. The signed-rank test weighs each difference by its
rank; ties take part in the ranking and are then left out (Pratt 1959). An unsolved run would have taken longer than the limit, so
a rank of such a difference is too low rather than too high, and the sign test does not depend on it.

Both tests are exact: what is drawn at random is the sign of each difference, its rank being given, so equal ranks do no harm.
(scipy 1.17 takes them for normal there, and the core needs no scipy.) With more than `_EXACT` problems the sum of ranks is taken
as normal. With several pairs of solvers, p-values are corrected for all of them together (Holm 1979). For comparing solvers in
pairs see Demšar (2006, JMLR 7) and Benavoli, Corani and Mangili (2016, JMLR 17): unlike a test of mean ranks, the result for two
solvers does not depend on the others, but for the correction.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from tiler.bench.speedup import Speedup, speedup
from tiler.bench.stats import Cell, Table, ranking

LEVEL = 0.05  #: a smaller p-value says that two solvers differ
MOST = 6  #: the most solvers that are compared: with more, the correction leaves little
_EXACT = 400
_PLACES = 12  # significant digits in which two ratios must agree to be equal


@dataclass(frozen=True)
class PairTest:
    """Two solvers on the problems that both attempted; `first` is the better one in the ranking. p-values are those of Holm."""

    first: str
    second: str
    faster: int  #: problems on which the first is faster, or alone in time
    slower: int
    ties: int
    sign: float
    wilcoxon: float
    ratio: Speedup | None  #: how many times faster the first is where both have an answer; None if that is nowhere

    @property
    def differs(self) -> bool:
        """Whether Wilcoxon's test tells the two apart."""
        return self.wilcoxon < LEVEL


def pair_tests(table: Table) -> tuple[PairTest, ...]:
    """A test for each pair of the best solvers that attempted a problem both; corrected for all these pairs."""
    pairs = []
    for first, second in combinations(ranking(table)[:MOST], 2):
        found = differences(table, first, second)
        if found:
            pairs.append((first, second, found))
    signs = holm([sign_test(found) for _, _, found in pairs])
    ranks = holm([signed_rank_test(found) for _, _, found in pairs])
    return tuple(
        PairTest(
            first,
            second,
            sum(value > 0 for value in found),
            sum(value < 0 for value in found),
            found.count(0.0),
            sign,
            rank,
            speedup(table, first, second),
        )
        for (first, second, found), sign, rank in zip(pairs, signs, ranks, strict=True)
    )


def differences(table: Table, first: str, second: str) -> list[float]:
    """For each problem that both attempted, the logarithm of how many times faster the first is. Without a time limit, problems
    that one of them did not solve are left out."""
    limit = table.seconds_limit

    def seconds(cell: Cell) -> float | None:
        return limit if cell.seconds is None else cell.seconds if limit is None else min(limit, cell.seconds)

    both = [(table.cell(problem, first), table.cell(problem, second)) for problem in table.problems]
    took = [(seconds(one), seconds(two)) for one, two in both if one.is_attempted and two.is_attempted]
    return [math.log(two / one) for one, two in took if one is not None and two is not None]


def sign_test(values: Sequence[float]) -> float:
    """The probability that the signs of some differences are as uneven as this or more, if each sign is equally likely.

    >>> sign_test([1.0, 2.0, 0.5, 3.0, 1.5]), sign_test([1.0, -1.0, 0.0])
    (0.0625, 1.0)
    """
    more = sum(value > 0 for value in values)
    number = more + sum(value < 0 for value in values)
    tail = sum(math.comb(number, hits) for hits in range(max(more, number - more), number + 1))
    return min(1.0, 2 * tail / (1 << number))


def signed_rank_test(values: Sequence[float]) -> float:
    """The probability that the ranks of the positive differences and of the negative ones differ as much as this or more, if each
    sign is equally likely.

    >>> signed_rank_test([1.0, 2.0, 0.5, 3.0, 1.5]), round(signed_rank_test([4.0, -1.0, 2.0, 3.0, 5.0]), 4)
    (0.0625, 0.125)
    """
    ranks = _doubled_ranks(values)
    signed = [(rank, value) for rank, value in zip(ranks, values, strict=True) if value]
    total, positive = sum(rank for rank, _ in signed), sum(rank for rank, value in signed if value > 0)
    most = max(positive, total - positive)
    if len(signed) > _EXACT:
        deviation = math.sqrt(sum(rank * rank for rank, _ in signed)) / 2
        return math.erfc((most - total / 2) / deviation / math.sqrt(2))
    chances = np.ones(1)  # chances[s]: how likely the sum of the ranks with a plus is s.
    for rank, _ in signed:
        without, with_it = (np.pad(chances, pad) / 2 for pad in ((0, rank), (rank, 0)))
        chances = without + with_it
    return min(1.0, 2 * float(chances[most:].sum()))


def _doubled_ranks(values: Sequence[float]) -> list[int]:
    """Twice the rank of each value by its size, from 1; equal ones share the mean of their ranks."""
    sizes = [float(f"{abs(value):.{_PLACES}g}") for value in values]
    number_of, before, rank_of = Counter(sizes), 0, dict[float, int]()
    for size in sorted(number_of):
        rank_of[size] = 2 * before + number_of[size] + 1
        before += number_of[size]
    return [rank_of[size] for size in sizes]


def holm(values: Sequence[float]) -> list[float]:
    """The p-values of several tests, corrected so that all of them together are wrong with the stated probability at most.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(values)), key=values.__getitem__)
    corrected, largest = [1.0] * len(values), 0.0
    for place, number in enumerate(order):
        largest = max(largest, min(1.0, (len(values) - place) * values[number]))
        corrected[number] = largest
    return corrected


@dataclass(frozen=True)
class MeanRanks:
    """The mean rank of some solvers over the problems that all of them attempted, the best first, and the sets of neighbours in
    this order that no test tells apart."""

    ranks: tuple[tuple[str, float], ...]
    number: int  #: of problems
    alike: tuple[tuple[str, ...], ...]


def mean_ranks(table: Table) -> MeanRanks | None:
    """The mean ranks of the best solvers; unsolved runs share the last rank. None if there are fewer than two solvers, or no
    problem that all of them attempted."""
    solvers = ranking(table)[:MOST]
    problems = [p for p in table.problems if all(table.cell(p, solver).is_attempted for solver in solvers)]
    if len(solvers) < 2 or not problems:
        return None
    sums = dict.fromkeys(solvers, 0.0)
    for problem in problems:
        seconds = [table.cell(problem, solver).seconds or math.inf for solver in solvers]
        for solver, rank in zip(solvers, _doubled_ranks(seconds), strict=True):
            sums[solver] += rank / 2
    ranks = sorted(((solver, total / len(problems)) for solver, total in sums.items()), key=lambda pair: pair[1])
    apart = {frozenset((test.first, test.second)) for test in pair_tests(table) if test.differs}
    order = [solver for solver, _ in ranks]
    return MeanRanks(tuple(ranks), len(problems), tuple(_alike(order, apart)))


def _alike(order: Sequence[str], apart: set[frozenset[str]]) -> list[tuple[str, ...]]:
    """The longest runs of neighbours in which no two differ."""
    runs: list[tuple[str, ...]] = []
    reached = 0
    for start in range(len(order)):
        end = start + 1
        while end < len(order) and all(frozenset((order[end], other)) not in apart for other in order[start:end]):
            end += 1
        if end - start > 1 and end > reached:
            runs.append(tuple(order[start:end]))
            reached = end
    return runs
