"""Compare two campaigns, or one campaign run by two versions: speed-ups with intervals, and lost answers.

Only runs that both have are compared: with the same solver, problem, question and limits. Seconds are those of one clock; a
speed-up is the geometric mean over the problems that both solved, with an interval from resampling these problems (bootstrap,
percentiles), so few problems, or scattered ones, give a wide interval. The interval does not show that a machine was slower one
day: a change is called sure only if runs were repeated and no load disturbed them. The numbers of tilings and of nodes are
compared too; they show whether it was the same search.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tiler.bench.record import Record, disturbed, is_starved
from tiler.bench.stats import Cell, Clock, End, Table, tables

_RESAMPLES = 2000
_SURE = 0.95
_FACTOR = 1.5  # the least factor by which a single problem is named as slower
_DISTURBED = 0.1  # the part of the runs: if load disturbed more than this, nothing is sure


@dataclass(frozen=True)
class Pair:
    """A solver on a problem, before and after."""

    problem: str
    solver: str
    before: Cell
    after: Cell

    @property
    def factor(self) -> float | None:
        """How many times faster it is after than before; None unless it was solved both times."""
        if self.before.seconds is None or self.after.seconds is None:
            return None
        return self.before.seconds / self.after.seconds

    @property
    def is_apart(self) -> bool:
        """Whether the ranges of the repeats, before and after, do not overlap."""
        one, two = self.before, self.after
        if one.least is None or one.most is None or two.least is None or two.most is None:
            return False
        return one.most < two.least or two.most < one.least

    @property
    def is_lost(self) -> bool:
        return self.before.is_solved and not self.after.is_solved

    @property
    def is_starved(self) -> bool:
        """Whether it is lost by a timeout with little of a core (record.py)."""
        return self.is_lost and self.after.record is not None and is_starved(self.after.record)

    @property
    def counts(self) -> tuple[int, int] | None:
        """The numbers of tilings before and after; None unless both are known."""
        return _both(self.before.count, self.after.count)

    @property
    def nodes(self) -> tuple[int, int] | None:
        """The nodes before and after of a search that came to its end both times; None unless both are known."""
        solved = self.before.is_solved and self.after.is_solved
        return _both(self.before.stats.get("nodes"), self.after.stats.get("nodes")) if solved else None

    @property
    def is_worse(self) -> bool:
        """Whether the answer is lost, or wrong now."""
        return self.is_lost or (self.after.end is End.WRONG and self.before.end is not End.WRONG)


def _both(before: int | None, after: int | None) -> tuple[int, int] | None:
    return None if before is None or after is None else (before, after)


@dataclass(frozen=True)
class Change:
    """The change of a solver: the speed-up with its interval over the problems that it solved both times (None: there are
    none), how many problems it solved each time, and its pairs."""

    solver: str
    factor: float | None
    low: float | None
    high: float | None
    number: int
    solved: tuple[int, int]
    pairs: tuple[Pair, ...]

    @property
    def is_outside(self) -> bool:
        """Whether the interval excludes the factor 1, that is, no change."""
        return self.low is not None and self.high is not None and not self.low <= 1 <= self.high

    @property
    def is_sure(self) -> bool:
        """Whether the change is certain: the interval excludes 1, runs were repeated, and no load disturbed them."""
        return self.is_outside and not self.is_single and not any(self.is_loaded)

    @property
    def is_single(self) -> bool:
        """Whether some problem that it solved both times was asked once only, before or after."""
        return any(min(pair.before.repeats, pair.after.repeats) < 2 for pair in self.pairs if pair.factor is not None)

    @property
    def is_loaded(self) -> tuple[bool, bool]:
        """Whether load disturbed more than a tenth of the runs that it solved both times: before, and after."""
        solved = [pair for pair in self.pairs if pair.factor is not None]
        runs = [record for pair in solved for record in pair.before.records], [r for pair in solved for r in pair.after.records]
        before, after = (disturbed(some) > _DISTURBED * len(some) for some in runs)
        return before, after


@dataclass(frozen=True)
class Comparison:
    """The changes under one goal and one set of limits, the worst first."""

    goal: str
    limits: Mapping[str, object]
    clock: Clock
    changes: tuple[Change, ...]

    @property
    def pairs(self) -> tuple[Pair, ...]:
        return tuple(pair for change in self.changes for pair in change.pairs)

    @property
    def moved(self) -> tuple[Pair, ...]:
        """The pairs that ended in another way; the pairs that became worse come first."""
        moved = [pair for pair in self.pairs if pair.before.end is not pair.after.end]
        return tuple(sorted(moved, key=lambda pair: (not pair.is_worse, not pair.is_lost, pair.problem)))

    @property
    def counted_otherwise(self) -> tuple[Pair, ...]:
        """The pairs with another number of tilings."""
        return tuple(pair for pair in self.pairs if pair.counts is not None and len(set(pair.counts)) > 1)

    @property
    def with_nodes(self) -> tuple[Pair, ...]:
        """The pairs whose nodes are known of both."""
        return tuple(pair for pair in self.pairs if pair.nodes is not None)

    @property
    def searched_otherwise(self) -> tuple[Pair, ...]:
        """The pairs with another number of nodes."""
        return tuple(pair for pair in self.with_nodes if pair.nodes is not None and len(set(pair.nodes)) > 1)

    @property
    def slower(self) -> tuple[Pair, ...]:
        """The pairs that became slower by more than their repeats scatter and by at least a half, the worst first."""
        slower = [(pair.factor, pair) for pair in self.pairs if pair.factor is not None and pair.is_apart]
        return tuple(pair for factor, pair in sorted(slower, key=lambda entry: entry[0]) if factor < 1 / _FACTOR)


def compare(
    before: Sequence[Record], after: Sequence[Record], clock: Clock = Clock.SOLVE, alike: Callable[[str], str] = str
) -> tuple[Comparison, ...]:
    """What changed from some records to others, a comparison for each goal and set of limits that both have.

    `alike` gives a spec the name under which it is the same solver in both, say without options that only one version has.
    """
    earlier, later = ({_question(table): table for table in tables(records, clock)} for records in (before, after))
    return tuple(_compared(earlier[key], later[key], alike) for key in earlier if key in later)


def interval(factors: Sequence[float]) -> tuple[float, float, float]:
    """The geometric mean of some factors, and where it lies with 95 % if others like them had been drawn.

    >>> interval([2.0, 2.0])
    (2.0, 2.0, 2.0)
    """
    logarithms = np.log(factors)
    draws = np.random.default_rng(1).integers(0, len(logarithms), (_RESAMPLES, len(logarithms)))
    low, high = np.quantile(logarithms[draws].mean(axis=1), [(1 - _SURE) / 2, (1 + _SURE) / 2])
    mean, low, high = (round(math.exp(value), 12) for value in (float(logarithms.mean()), low, high))
    return mean, low, high


def _question(table: Table) -> str:
    return json.dumps([table.goal, table.limits], sort_keys=True)


def _compared(before: Table, after: Table, alike: Callable[[str], str]) -> Comparison:
    then = {alike(solver): solver for solver in before.solvers}
    digests = [{r["instance"]: r.get("digest") for r in table.records} for table in (before, after)]
    same = [p.name for p in after.problems if p.name in digests[0] and digests[0][p.name] == digests[1].get(p.name)]
    changes = []
    for solver in after.solvers:
        if alike(solver) not in then:
            continue
        pairs = tuple(
            Pair(name, solver, one, two)
            for name in same
            if not (one := before.cell(name, then[alike(solver)])).is_missing and not (two := after.cell(name, solver)).is_missing
        )
        factors = [pair.factor for pair in pairs if pair.factor is not None]
        mean, low, high = interval(factors) if factors else (None, None, None)
        solved = sum(pair.before.is_solved for pair in pairs), sum(pair.after.is_solved for pair in pairs)
        if pairs:
            changes.append(Change(solver, mean, low, high, len(factors), solved, pairs))
    changes.sort(key=lambda change: (change.solved[1] - change.solved[0], change.factor or 1.0))
    return Comparison(after.goal, after.limits, after.clock, tuple(changes))
