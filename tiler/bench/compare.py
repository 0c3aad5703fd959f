"""Compare two campaigns, or one campaign run by two versions: speed-ups with intervals, and lost answers.

Only runs that both have are compared: with the same solver, problem, question and limits. Seconds are those of one clock; a
speed-up is the geometric mean over the problems that both solved, with an interval (ratio_intervals.py) that holds the choice of
problems, the spread between repeats, and the drift of the machine between the two campaigns. A change is called sure only if this
interval excludes 1, the drift is known, runs were repeated and no load disturbed them; or if both versions made the runs by
turns. The numbers of tilings and of nodes are compared too; they show whether it was the same search.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tiler.bench import ratio_intervals
from tiler.bench.ratio_intervals import LogRatio, Rounds
from tiler.bench.record import Record, disturbed, is_starved
from tiler.bench.stats import Cell, Clock, End, Table, end_of, seconds_of, tables
from tiler.model.expected import Status

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
    def records(self) -> tuple[Record, ...]:
        """The records of all its runs."""
        return self.before.records + self.after.records

    @property
    def factor(self) -> float | None:
        """How many times faster it is after than before; None unless it was solved both times."""
        if self.before.seconds is None or self.after.seconds is None:
            return None
        return self.before.seconds / self.after.seconds

    @property
    def is_apart(self) -> bool:
        """Whether the ranges of the repeats, before and after, do not overlap."""
        return self.before.is_apart(self.after)

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
    def has_other_verdict(self) -> bool:
        """Whether there is a tiling by one of the two, and none by the other."""
        told = {cell.record["status"] for cell in (self.before, self.after) if cell.record is not None}
        return told == {Status.SAT, Status.UNSAT}

    @property
    def nodes(self) -> tuple[int, int] | None:
        """The nodes before and after of a search that came to its end both times; None unless both are known."""
        solved = self.before.is_solved and self.after.is_solved
        return _both(self.before.stats.get("nodes"), self.after.stats.get("nodes")) if solved else None

    def turns(self, clock: Clock) -> tuple[float, ...]:
        """The logarithm of the ratio of each run that both made by turns and solved; empty if they made none so."""
        then = {turn: record for record in self.before.records if (turn := record.get("turn"))}
        both = [(then[turn], record) for record in self.after.records if (turn := record.get("turn")) in then]
        took = [(_logarithm(one, clock), _logarithm(two, clock)) for one, two in both]
        return tuple(one - two for one, two in took if one is not None and two is not None)

    @property
    def is_worse(self) -> bool:
        """Whether the answer is lost, or wrong now."""
        return self.is_lost or (self.after.end is End.WRONG and self.before.end is not End.WRONG)


def _both(before: int | None, after: int | None) -> tuple[int, int] | None:
    return None if before is None or after is None else (before, after)


def _logarithm(record: Record, clock: Clock) -> float | None:
    seconds = seconds_of(record, clock) if end_of(record) is End.SOLVED else None
    return None if seconds is None else math.log(seconds)


def _rounds(cell: Cell, clock: Clock) -> Rounds:
    """The logarithm of the seconds of each repeat that solved it."""
    took = {(record.get("seed"), record.get("repeat"), record.get("form")): _logarithm(record, clock) for record in cell.records}
    return {key: value for key, value in took.items() if value is not None}


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
    is_by_turns: bool = False  #: whether both versions made every run that is compared by turns
    drift: LogRatio | None = None  #: the logarithm of how much faster the machine became; None if nobody knows

    @property
    def is_outside(self) -> bool:
        """Whether the interval excludes the factor 1, that is, no change."""
        return self.low is not None and self.high is not None and not self.low <= 1 <= self.high

    @property
    def is_sure(self) -> bool:
        """Whether the change is certain: the interval excludes 1, and runs were made by turns; or they were repeated, the drift
        is known, and no load disturbed them."""
        return self.is_outside and not (self.is_single or self.is_adrift or any(self.is_loaded))

    @property
    def is_adrift(self) -> bool:
        """Whether nobody knows how much the machine itself became faster or slower."""
        return not self.is_by_turns and self.drift is None

    @property
    def is_single(self) -> bool:
        """Whether some problem that it solved both times was asked once only, before or after, and not by turns."""
        solved = [pair for pair in self.pairs if pair.factor is not None]
        return not self.is_by_turns and any(min(pair.before.repeats, pair.after.repeats) < 2 for pair in solved)

    @property
    def is_loaded(self) -> tuple[bool, bool]:
        """Whether load disturbed more than a tenth of the runs that it solved both times: before, and after. Load disturbs turns
        alike."""
        if self.is_by_turns:
            return False, False
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

    @cached_property
    def drift(self) -> LogRatio | None:
        """The drift of the machine as the calibrations of all runs show it; None if nobody knows it."""
        return _drift(self.pairs)

    @property
    def is_same_code(self) -> bool:
        """Whether all runs were made by the same sources, and this is known."""
        sources = {
            (pair.solver, record.get("sources")) for pair in self.pairs for record in (*pair.before.records, *pair.after.records)
        }
        return all(code for _, code in sources) and len(sources) == len(self.changes)

    @property
    def counted_otherwise(self) -> tuple[Pair, ...]:
        """The pairs with another number of tilings."""
        return tuple(pair for pair in self.pairs if pair.counts is not None and len(set(pair.counts)) > 1)

    @property
    def answered_otherwise(self) -> tuple[Pair, ...]:
        """The pairs that contradict each other on whether there is a tiling."""
        return tuple(pair for pair in self.pairs if pair.has_other_verdict)

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

    @property
    def surely_slower(self) -> tuple[Pair, ...]:
        """The pairs of these that no accident made slower, with 95 % for all pairs together: some of many seem slower."""
        doubtful = {change.solver for change in self.changes if change.is_adrift or any(change.is_loaded)}
        shift = {change.solver: abs(change.drift.mean) + change.drift.half for change in self.changes if change.drift}
        among = sum(pair.factor is not None for pair in self.pairs)

        def is_sure(pair: Pair) -> bool:
            repeats = [list(_rounds(cell, self.clock).values()) for cell in (pair.before, pair.after)]
            ratio = ratio_intervals.between(repeats[0], repeats[1], among)
            return ratio.mean + ratio.half + shift.get(pair.solver, 0.0) < 0

        return tuple(pair for pair in self.slower if pair.solver not in doubtful and is_sure(pair))


def compare(
    before: Sequence[Record], after: Sequence[Record], clock: Clock = Clock.SOLVE, alike: Callable[[str], str] = str
) -> tuple[Comparison, ...]:
    """What changed from some records to others, a comparison for each goal and set of limits that both have.

    `alike` gives a spec the name under which it is the same solver in both, say without options that only one version has.
    """
    earlier, later = ({_question(table): table for table in tables(records, clock)} for records in (before, after))
    return tuple(_compared(earlier[key], later[key], alike) for key in earlier if key in later)


def _question(table: Table) -> str:
    return json.dumps([table.goal, table.limits], sort_keys=True)


def _compared(before: Table, after: Table, alike: Callable[[str], str]) -> Comparison:
    then = {alike(solver): solver for solver in before.solvers}
    digests = [{r["instance"]: r.get("digest") for r in table.records} for table in (before, after)]
    same = [p.name for p in after.problems if p.name in digests[0] and digests[0][p.name] == digests[1].get(p.name)]
    pairs = {
        solver: tuple(
            Pair(name, solver, one, two)
            for name in same
            if not (one := before.cell(name, then[alike(solver)])).is_missing and not (two := after.cell(name, solver)).is_missing
        )
        for solver in after.solvers
        if alike(solver) in then
    }
    among = sum(any(pair.factor is not None for pair in some) for some in pairs.values())
    changes = [_change(solver, some, after.clock, among) for solver, some in pairs.items() if some]
    changes.sort(key=lambda change: (change.solved[1] - change.solved[0], change.factor or 1.0))
    return Comparison(after.goal, after.limits, after.clock, tuple(changes))


def _change(solver: str, pairs: tuple[Pair, ...], clock: Clock, among: int) -> Change:
    """The change of one of `among` solvers that have intervals."""
    solved = sum(pair.before.is_solved for pair in pairs), sum(pair.after.is_solved for pair in pairs)
    both = [pair for pair in pairs if pair.factor is not None]
    if not both:
        return Change(solver, None, None, None, 0, solved, pairs)
    turns = [pair.turns(clock) for pair in both]
    drift = None if all(turns) else _drift(both)
    if all(turns):
        estimate = ratio_intervals.by_turns(turns, among)
    else:
        factors = [math.log(pair.factor) for pair in both if pair.factor is not None]
        before, after = [_rounds(pair.before, clock) for pair in both], [_rounds(pair.after, clock) for pair in both]
        estimate = ratio_intervals.between_campaigns(factors, before, after, drift, among)
    return Change(solver, *estimate.interval, len(both), solved, pairs, all(turns), drift)


def _drift(pairs: Sequence[Pair]) -> LogRatio | None:
    """How much faster the machine became, by the calibrations of the runs; None if there are too few of them, or if they were
    made by different versions of Python."""
    before = [record for pair in pairs for record in pair.before.records]
    after = [record for pair in pairs for record in pair.after.records]
    pythons = {(record.get("versions") or {}).get("python") for record in (*before, *after)}
    earlier, later = _calibrations(before), _calibrations(after)
    if len(pythons) != 1 or not earlier or not later:
        return None
    estimate = ratio_intervals.between(earlier, later)
    return None if estimate.half == math.inf else estimate


def _calibrations(records: Sequence[Record]) -> list[float]:
    """The logarithm of the seconds of each calibration; several runs may share one."""
    return sorted({math.log(seconds) for record in records if (seconds := record.get("calibration_seconds"))})
