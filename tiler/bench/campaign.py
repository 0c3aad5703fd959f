"""Make the jobs of a campaign by an executor, one after the other or several at a time, with a record of each.

A job is a question to one solver under limits (job.py); its record (record.py) is ready for JSON. A job that has a record by the
same version of the code is done. store.py keeps records, measure.py measures runs, judge.py gives each answer a category, and
stats.py computes statistics.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

from tiler.backends.base import Backend
from tiler.backends.registry import able_to, backends, check_installed, matching, parse_spec
from tiler.bench import environment, measure
from tiler.bench.calibration import Calibrator
from tiler.bench.job import Job, only_proves
from tiler.bench.judge import RecordedAnswers
from tiler.bench.machine import core_sets
from tiler.bench.order import RunOrder
from tiler.bench.record import Category, Record, Surroundings
from tiler.bench.stats import Clock, seconds_of
from tiler.bench.store import Store
from tiler.errors import MissingDependency
from tiler.grouping import grouped
from tiler.process.executors import Call, connect
from tiler.question.question import Goal, Question

_TICK_SECONDS = 0.1

AT_RANDOM = RunOrder()  #: the order of the runs of a campaign that names none


def full_specs(specs: Sequence[str] = (), goal: Goal = Goal.DECIDE) -> tuple[str, ...]:
    """`named_specs`, all of which can be used here. MissingDependency if one of them lacks a package or a program."""
    named = named_specs(specs, goal)
    lacks = not_installed(named)
    if lacks:
        raise MissingDependency("; ".join(lacks))
    return named


def named_specs(specs: Sequence[str] = (), goal: Goal = Goal.DECIDE) -> tuple[str, ...]:
    """The full specs of some solvers, repetitions dropped; if none is named, of all that are installed and can do it. A solver
    that can only prove that there is no tiling is asked to decide only if it is named. `sat:encoding=*` names one for each
    encoding.

    UnknownBackend or BadOption if there is no such solver. One that is named need not be installed.
    """
    chosen = [backend for spec in specs for backend in _matching(spec, goal)] or [
        backends()[name]()
        for name in able_to(goal)
        if not backends()[name].missing() and backends()[name].origin() is None and (goal is Goal.PROVE or not only_proves(name))
    ]
    return tuple(dict.fromkeys(backend.spec for backend in chosen))


def not_installed(specs: Iterable[str]) -> list[str]:
    """For each package or program that some solvers need and that is missing here, a sentence that says so."""
    lacks = []
    for spec in specs:
        try:
            check_installed(parse_spec(spec))
        except MissingDependency as error:
            lacks.append(str(error))
    return list(dict.fromkeys(lacks))


def _matching(spec: str, goal: Goal) -> list[Backend]:
    """The backends that a spec stands for; if these are several, the ones that can reach a goal (or all, if none can)."""
    named = matching(spec)
    return [backend for backend in named if backend.refusal(Question(goal)) is None] or named if len(named) > 1 else named


def make(
    jobs: Sequence[Job],
    store: Store,
    executor: str = "local:1",
    *,
    order: RunOrder = AT_RANDOM,
    pin: bool = False,
    answers: RecordedAnswers | None = None,
    warm_seconds: float = measure.WARM_SECONDS,
    on_start: Callable[[Job], None] = lambda job: None,
    on_tick: Callable[[], None] = lambda: None,
) -> Iterator[Record]:
    """Make the runs in an order, as many at a time as the executor (`local:2`, `dask:ADDRESS`) has slots, and yield each record
    when it is stored.

    With `pin` each run is bound to cores of its own, as many as it may use threads; that is for `local:N` alone. The answers are
    judged together with those there are already, and added to them; no record is kept. `on_tick` is called several times a
    second. When this ends, by whatever cause, nothing is left running.
    """
    solvers = tuple(dict.fromkeys(job.solver for job in jobs))
    origins = tuple(dict.fromkeys(job.origin for job in jobs))
    known = RecordedAnswers() if answers is None else answers
    waiting, running = iter(order.arranged(jobs)), dict[Call[Any], tuple[Job, tuple[int, ...], str, float | None]]()
    left = len(jobs)
    with connect(executor, partial(measure.prepare, solvers, origins)) as connected:
        free = list(cores_for(jobs, connected.slots)) if pin else []
        write_environment(store, environment.surroundings())
        calibrator = Calibrator(connected)
        while left:
            slots = connected.slots
            while len(running) < min(slots, left):
                job, calibration = next(waiting), calibrator.seconds()
                bound, limits = free.pop() if free else (), job.question.limits
                call = connected.submit(
                    measure.answer, job, warm_seconds, bound, seconds=measure.deadline(job), megabytes=limits.megabytes
                )
                running[call] = job, bound, now(), calibration
                on_start(job)
            ended = connected.ended(running, _TICK_SECONDS)
            on_tick()
            free += [bound for (_, bound, _, _), _ in ended if bound]
            for (job, _, started, calibration), outcome in ended:
                record = measure.record_of(job, outcome, started, slots)
                record["order"], record["calibration_seconds"] = str(order), calibration
                left -= 1
                yield kept(record, store, known)


def kept(record: Record, store: Store, answers: RecordedAnswers) -> Record:
    """Judge a record together with the answers there are, to which it is added, and store it. Returns it as it is stored."""
    answers.add(record)
    judged = answers.judged(record)
    store.append(judged)
    return judged


def cores_for(jobs: Sequence[Job], slots: int) -> tuple[tuple[int, ...], ...]:
    """Cores for each of the runs at a time, as many as a job may use threads; BadOption if there are too few."""
    return core_sets(slots, max((job.question.limits.threads for job in jobs), default=1))


@dataclass(frozen=True)
class SolverRow:
    """A line of the summary: one solver's records by category, and the wall clock seconds of its runs, repeats
    within them apart, added up."""

    solver: str
    counts: Mapping[Category, int]
    wall_seconds: float


def summarise(records: Iterable[Record]) -> tuple[SolverRow, ...]:
    """One row per solver, in the order in which they appear."""
    by_solver = grouped((str(record.get("solver")), record) for record in records)
    return tuple(
        SolverRow(
            solver,
            Counter(Category(record["category"]) for record in group),
            sum(seconds_of(record, Clock.WALL) or 0.0 for record in group),
        )
        for solver, group in by_solver.items()
    )


def write_environment(store: Store, surroundings: Surroundings) -> None:
    """Keep where a campaign was made, and when this began."""
    store.write_environment({"schema": "tiler-environment-1", "started": now(), **surroundings})


def now() -> str:
    """The time in UTC, as records have it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
