"""Compute the statistics of a campaign: pure functions over a table of instances by solvers, every figure with its clock.

    records --series--> records of one goal and one set of limits --tabulate--> Table --> solved, par2, ...

A cell of the table is one of the ends of `End`. A run that was never made is `MISSING`, and one that the solver refused is
`REFUSED`. Neither is a timeout: they are left out of sums and means, so these say how many runs they include. A problem without a
tiling at sight (`BEFOREHAND`) is no problem of the table, since no solver searched; the table says which problems these are.
Plots and reports are drawn from tables alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from statistics import median
from typing import Any

from tiler.bench.corpus import family
from tiler.bench.job import only_proves
from tiler.bench.record import Record
from tiler.grouping import grouped
from tiler.model.expected import Status
from tiler.question.question import Goal
from tiler.question.result import Stop

SHIFT = 0.01  #: seconds; the default of the shifted geometric mean
_LEAST = 1e-7  # seconds; smaller values are raised to this, since logarithms need a positive number


class Clock(StrEnum):
    """The clocks of a run; all seconds are unrounded, for one solve."""

    SOLVE = "solve"  #: wall clock of the backend: its filters, its encoding, its search
    TOTAL = "total"  #: the same, and the listing of all placements
    WALL = "wall"  #: wall clock of the whole process, from outside, without repeats
    CPU = "cpu"  #: processor time of the process and its children, without repeats
    ENGINE = "engine"  #: wall clock of the engine alone, once its process runs and the model is made; of our own searches SOLVE

    @property
    def meaning(self) -> str:
        """The clock in words, for captions."""
        return {
            Clock.SOLVE: "solve seconds: wall clock of the solver, its own encoding included",
            Clock.TOTAL: "total seconds: wall clock of listing the placements and solving",
            Clock.WALL: "wall seconds: wall clock of the whole process",
            Clock.CPU: "CPU seconds: processor time of the process and its children",
            Clock.ENGINE: "engine seconds: wall clock of the engine alone, without its process and encoding; else solve seconds",
        }[self]


class End(StrEnum):
    """The end of the runs of a solver on an instance."""

    SOLVED = "solved"
    TIME = "time"  #: the time limit
    MEMORY = "memory"  #: the memory limit
    UNDECIDED = "undecided"  #: it ended without an answer for another reason
    ERROR = "error"
    WRONG = "wrong"
    REFUSED = "refused"  #: the solver cannot be asked this, or can only prove that there is no tiling where there is one
    BEFOREHAND = "beforehand"  #: there is no tiling at sight, so no solver searched
    MISSING = "missing"  #: never run

    @property
    def in_words(self) -> str:
        """The end in words, for heads and sentences."""
        words = {End.TIME: "timeout", End.MEMORY: "out of memory", End.BEFOREHAND: "decided beforehand"}
        return words.get(self, self.value)

    @property
    def plural(self) -> str:
        """The end as the head of a column of numbers."""
        return {End.TIME: "timeouts", End.ERROR: "errors"}.get(self, self.in_words)


@dataclass(frozen=True)
class Cell:
    """An instance and a solver: the median of the repeats, where an unsolved one counts as infinitely long.

    `seconds` and the range `least` to `most` over the solved repeats are None unless the median is solved; of an even number
    of repeats the lower of the two in the middle is the median. One wrong repeat makes the cell wrong.
    """

    end: End
    seconds: float | None = None
    least: float | None = None
    most: float | None = None
    repeats: int = 0  #: runs, with one seed or several
    record: Record | None = None  #: that of the median
    records: tuple[Record, ...] = ()  #: those of all repeats
    solved: int = 0  #: the range of the repeats
    every: tuple[float, ...] = ()  #: the seconds of all repeats, ascending; infinite where one did not solve it

    @property
    def stats(self) -> Mapping[str, Any]:
        """The counters of its record."""
        return (self.record and self.record.get("stats")) or {}

    @property
    def count(self) -> int | None:
        """The number of tilings that its record tells."""
        return self.record.get("count") if self.record else None

    @property
    def columns(self) -> dict[str, Any]:
        """The end, the seconds and the number of repeats, for a row of a table."""
        return {name: getattr(self, name) for name in ("end", "seconds", "least", "most", "repeats")}

    @property
    def is_solved(self) -> bool:
        return self.end is End.SOLVED

    def is_apart(self, other: Cell) -> bool:
        """Whether both are solved, and the ranges of their repeats do not overlap; an unsolved repeat is infinitely long."""
        if self.least is None or other.least is None:
            return False
        return self._longest < other.least or other._longest < self.least

    @property
    def _longest(self) -> float:
        return math.inf if self.most is None or self.solved < self.repeats else self.most

    @property
    def is_missing(self) -> bool:
        return self.end is End.MISSING

    @property
    def is_attempted(self) -> bool:
        return self.end not in (End.MISSING, End.REFUSED, End.BEFOREHAND)


_MISSING = Cell(End.MISSING)


@dataclass(frozen=True)
class RecordedInstance:
    """An instance as its records describe it."""

    name: str
    cells: int
    verdict: str | None  #: sat, unsat or None: expected, else found

    @property
    def family(self) -> str:
        return family(self.name)


@dataclass(frozen=True)
class Table:
    """Instances by solvers for one goal under one set of limits."""

    goal: str
    limits: Mapping[str, Any]
    clock: Clock
    problems: tuple[RecordedInstance, ...]
    solvers: tuple[str, ...]  #: full specs
    cells: Mapping[tuple[str, str], Cell]  #: by name of the instance and solver; those that are missing need not be there
    among: tuple[str, ...] = ()  #: all solvers of a report, the best first: by these each has the same looks in all its figures
    beforehand: tuple[RecordedInstance, ...] = ()  #: the problems left out, because there is no tiling at sight

    def cell(self, problem: RecordedInstance | str, solver: str) -> Cell:
        name = problem if isinstance(problem, str) else problem.name
        return self.cells.get((name, solver), _MISSING)

    @property
    def seconds_limit(self) -> float | None:
        seconds = self.limits.get("seconds")
        return None if seconds is None else float(seconds)

    @cached_property
    def records(self) -> tuple[Record, ...]:
        """The records of all runs behind the cells, repeats included."""
        groups = (self.cell(problem, solver).records for problem in self.problems for solver in self.solvers)
        return tuple(record for records in groups for record in records)

    def only(
        self,
        problems: Callable[[RecordedInstance], bool] = lambda _: True,
        solvers: Callable[[str], bool] = lambda _: True,
    ) -> Table:
        """The part of the table that fits."""
        some, beforehand = (tuple(filter(problems, group)) for group in (self.problems, self.beforehand))
        return replace(self, problems=some, beforehand=beforehand, solvers=tuple(filter(solvers, self.solvers)))

    @property
    def by_family(self) -> dict[str, Table]:
        """The part of the table for each family of problems."""

        def part(family: str) -> Table:
            return self.only(problems=lambda problem: problem.family == family)

        return {family: part(family) for family in dict.fromkeys(problem.family for problem in self.problems)}

    def attempted(self, solver: str) -> list[Cell]:
        """The cells of a solver that are neither missing nor refused, in the order of the problems."""
        return [cell for problem in self.problems if (cell := self.cell(problem, solver)).is_attempted]


def end_of(record: Record) -> End:
    """How one run ended."""
    if record.get("category") in ("wrong", "error", "refused", "beforehand"):
        return End(record["category"])
    answered = record.get("count") is not None if record.get("goal") == Goal.COUNT else True
    if answered and record.get("status") in (Status.SAT, Status.UNSAT):
        return End.SOLVED
    return {Stop.TIME.value: End.TIME, Stop.MEMORY.value: End.MEMORY}.get(str(record.get("stop")), End.UNDECIDED)


def seconds_of(record: Record, clock: Clock) -> float | None:
    """The seconds of a run by a clock; None if the run did not get that far, or if no solver searched."""
    if end_of(record) is End.BEFOREHAND:
        return None
    parts: list[Any]
    if clock is Clock.SOLVE:
        parts = [record.get("solve_seconds")]
    elif clock is Clock.ENGINE:
        engine = (record.get("stats") or {}).get("engine_seconds")
        parts = [record.get("solve_seconds") if engine is None else engine]
    elif clock is Clock.TOTAL:
        parts = [record.get("encode_seconds"), record.get("solve_seconds")]
    else:
        warm: Mapping[str, Any] = record.get("warm") or {}
        parts = [record.get(f"{clock}_seconds"), -float(warm.get(f"{clock}_seconds", 0.0))]
    return None if None in parts else max(_LEAST, float(sum(parts)))


def newest(records: Iterable[Record]) -> tuple[Record, ...]:
    """The last record of each run (instance, solver, goal, limits, repeat, form); for an instance that has changed, only those
    of the last version."""
    last: dict[Any, Record] = {}
    digest: dict[Any, Any] = {}
    for record in sorted(records, key=lambda record: str(record.get("started"))):
        digest[record.get("instance")] = record.get("digest")
        parts = (record.get(name) for name in ("instance", "solver", "goal", "seed", "repeat"))
        last[(*parts, record.get("form") or 0, _limits(record))] = record
    return tuple(record for record in last.values() if record.get("digest") == digest[record.get("instance")])


def series(records: Iterable[Record]) -> tuple[tuple[Record, ...], ...]:
    """The newest records by goal and limits, the most numerous first: only within one of these can times be compared."""
    groups = grouped(((record.get("goal"), _limits(record)), record) for record in newest(records))
    return tuple(tuple(group) for group in sorted(groups.values(), key=len, reverse=True))


def _limits(record: Record) -> frozenset[tuple[str, Any]]:
    return frozenset((record.get("limits") or {}).items())


def tables(records: Iterable[Record], clock: Clock = Clock.SOLVE) -> list[Table]:
    """The tables of a report: one for each goal and set of limits, the largest first."""
    made = [tabulate(some, clock) for some in series(records)]
    among = tuple(dict.fromkeys(solver for table in made for solver in table.among))
    return [replace(table, among=among) for table in made]


def tabulate(records: Sequence[Record], clock: Clock = Clock.SOLVE) -> Table:
    """The table of the records of one goal and one set of limits, instances and solvers in their order in the records."""
    by_instance = grouped((str(record["instance"]), record) for record in records)
    everything = {
        name: RecordedInstance(name, int(group[0].get("cells") or 0), _verdict(group)) for name, group in by_instance.items()
    }
    beforehand = {name for name, group in by_instance.items() if _is_known_beforehand(group)}
    groups = grouped(
        ((str(record["instance"]), str(record["solver"])), record)
        for record in records
        if str(record["instance"]) not in beforehand
    )
    solvers = tuple(dict.fromkeys(solver for _, solver in groups))
    has_tiling = {name: problem.verdict == Status.SAT for name, problem in everything.items()}
    cells = {(name, spec): _cell(some, clock, has_tiling[name] and only_proves(spec)) for (name, spec), some in groups.items()}
    goal, limits = (records[0]["goal"], records[0]["limits"]) if records else (Goal.DECIDE, {})
    problems = tuple(problem for name, problem in everything.items() if name not in beforehand)
    left_out = tuple(problem for name, problem in everything.items() if name in beforehand)
    table = Table(str(goal), dict(limits), clock, problems, solvers, cells, beforehand=left_out)
    return replace(table, among=ranking(table))


def _is_known_beforehand(group: Sequence[Record]) -> bool:
    """Whether the records of a problem say that there is no tiling at sight. If one of them is wrong, it has to be shown."""
    ends = {end_of(record) for record in group}
    return End.BEFOREHAND in ends and End.WRONG not in ends


def _cell(repeats: Sequence[Record], clock: Clock, is_hopeless: bool) -> Cell:
    took: list[tuple[float, Record]] = []
    repeats = [each for each in repeats if end_of(each) is not End.SOLVED or seconds_of(each, clock) is not None]
    if not repeats:  # Nobody knows the CPU seconds of a run in a web page.
        return _MISSING
    for record in repeats:
        end, seconds = end_of(record), seconds_of(record, clock)
        if end is End.WRONG:
            return Cell(End.WRONG, repeats=len(repeats), record=record, records=tuple(repeats))
        took.append((seconds if end is End.SOLVED and seconds is not None else math.inf, record))
    took.sort(key=lambda pair: pair[0])
    seconds, record = took[(len(took) - 1) // 2]
    every = tuple(seconds for seconds, _ in took)
    if seconds == math.inf:
        solved_by = sum(seconds < math.inf for seconds in every)
        end = End.REFUSED if is_hopeless and end_of(record) is not End.ERROR else end_of(record)
        return Cell(end, repeats=len(repeats), record=record, records=tuple(repeats), solved=solved_by, every=every)
    solved = [seconds for seconds, _ in took if seconds < math.inf]
    number = len(solved)
    if len(repeats) == 1:  # With a single run, the range covers the repeats within the run, if there were any.
        within = repeats[0].get("warm")
        if within and clock is Clock.SOLVE:
            solved += [max(_LEAST, within["least_seconds"]), max(_LEAST, within["most_seconds"])]
    return Cell(End.SOLVED, seconds, min(solved), max(solved), len(repeats), record, tuple(repeats), number, every)


def _verdict(group: Sequence[Record]) -> str | None:
    expected = next(((record.get("expected") or {}).get("verdict") for record in group), None)
    verdicts = {record.get("status") for record in group if end_of(record) in (End.SOLVED, End.BEFOREHAND)}
    return str(expected) if expected else str(verdicts.pop()) if len(verdicts) == 1 else None


# --- one solver


def count(table: Table, solver: str, end: End = End.SOLVED) -> int:
    """The number of instances that ended in this way."""
    return sum(table.cell(problem, solver).end is end for problem in table.problems)


def par2(table: Table, solver: str) -> float | None:
    """The mean seconds over the runs made, one that is not solved counted as twice the time limit.

    None if there is no limit or no run. Comparable only between solvers that attempted the same instances.
    """
    limit, attempted = table.seconds_limit, table.attempted(solver)
    if limit is None or not attempted:
        return None
    return sum(2 * limit if cell.seconds is None else cell.seconds for cell in attempted) / len(attempted)


def shifted_geometric_mean(values: Iterable[float], shift: float = SHIFT) -> float | None:
    """Add the shift to each value, take the geometric mean, and subtract the shift: so tiny values have little influence.

    >>> shifted_geometric_mean([1, 4], shift=0), shifted_geometric_mean([])
    (2.0, None)
    """
    logarithms = [math.log(value + shift) for value in values]
    return math.exp(math.fsum(logarithms) / len(logarithms)) - shift if logarithms else None


def geometric_mean(table: Table, solver: str) -> float | None:
    """The shifted geometric mean over the runs made, one that is not solved counted as the time limit; None as for `par2`."""
    limit, attempted = table.seconds_limit, table.attempted(solver)
    if limit is None:
        return None
    return shifted_geometric_mean(limit if cell.seconds is None else cell.seconds for cell in attempted)


@dataclass(frozen=True)
class Spread:
    """A median with its range, and over how many values."""

    median: float
    least: float
    most: float
    number: int


def spread(values: Iterable[float]) -> Spread | None:
    """Median and range; None of nothing.

    >>> spread([3, 1, 2]).median
    2
    """
    known = sorted(values)
    return Spread(median(known), known[0], known[-1], len(known)) if known else None


def solved_seconds(table: Table, solver: str) -> list[float]:
    """The seconds of the instances it solved, in the order of the problems."""
    return [cell.seconds for cell in table.attempted(solver) if cell.seconds is not None]


# --- several solvers


@dataclass(frozen=True)
class Best:
    """The virtual best solver on an instance, and its seconds."""

    solver: str
    seconds: float


def virtual_best(table: Table) -> dict[str, Best]:
    """The fastest solver of every instance that one of them solved, by the instance's name; a tie goes to the first."""
    best = {}
    for problem in table.problems:
        took = [(seconds, solver) for solver in table.solvers if (seconds := table.cell(problem, solver).seconds) is not None]
        if took:
            seconds, solver = min(took, key=lambda pair: pair[0])
            best[problem.name] = Best(solver, seconds)
    return best


def par2_of_best(best: Mapping[str, Best], problems: Sequence[RecordedInstance], limit: float) -> float:
    """The PAR-2 of a virtual best solver over some problems; one that it does not solve counts as twice the limit."""
    return sum(best[p.name].seconds if p.name in best else 2 * limit for p in problems) / len(problems)


def contested(table: Table) -> Table:
    """The part of the table with the problems that two solvers or more attempted: only on these is one the fastest, or alone."""
    return table.only(problems=lambda problem: sum(table.cell(problem, solver).is_attempted for solver in table.solvers) > 1)


def times_slower(table: Table) -> dict[str, float | None]:
    """For each solver, the geometric mean over the contested problems that it solved of its seconds divided by those of the
    virtual best solver; 1 if it is the fastest on all of them, None if it solved none."""
    table = contested(table)
    best = virtual_best(table)
    factors = {
        solver: [s / best[p.name].seconds for p in table.problems if (s := table.cell(p, solver).seconds) is not None]
        for solver in table.solvers
    }
    return {solver: shifted_geometric_mean(some, shift=0) for solver, some in factors.items()}


def ranking(table: Table) -> tuple[str, ...]:
    """The solvers, best first: by solved instances, then by PAR-2 (without a limit by the sum of seconds)."""

    def key(solver: str) -> tuple[int, float]:
        score = par2(table, solver)
        return -count(table, solver), sum(solved_seconds(table, solver)) if score is None else score

    return tuple(sorted(table.solvers, key=key))
