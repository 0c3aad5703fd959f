"""A campaign: every instance against every solver, one isolated run each, and what the records of the runs say together.

A job is a question to one solver under limits; its record is a plain dictionary (`SCHEMA`), ready for JSON. A job that has a
record is done. Where records live is the business of store.py, how a run is isolated that of isolate.py.

    schema, instance, digest, cells, expected {verdict, count}     what was asked, and what is known about it
    solver, goal, limits {seconds, megabytes, ...}, seed           of whom and how; solver is the full spec
    started                                                        UTC
    status, stop, count, symmetry, stats, message                  the answer
    verified                                                       how many tilings the verifier has seen and accepted
    error                                                          the kind of error where there was no answer, else null
    category                                                       at the time of the run; `judge` may know better later
    encode_seconds, solve_seconds                                  wall clock within the run; null if it did not get there
    wall_seconds, cpu_seconds                                      of the whole process and its children, from outside
    peak_megabytes, baseline_megabytes                             resident memory, and how much of it was there from the start
    versions, environment                                          of what was measured where
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from importlib import import_module
from typing import Any

from tiler import isolate
from tiler.backends.base import backends, parse_spec
from tiler.bench import environment
from tiler.bench.store import Record, Store
from tiler.errors import BadSolution, MissingDependency
from tiler.instance import Instance
from tiler.isolate import Ended, Outcome
from tiler.query import Goal, Query, Status, Stop
from tiler.solve import solve

SCHEMA = "tiler-run-1"

_TICK_SECONDS = 0.1
_STOPS = {Ended.TIME: Stop.TIME, Ended.MEMORY: Stop.MEMORY, Ended.INTERRUPTED: Stop.INTERRUPTED}


class Category(StrEnum):
    """What an answer is worth."""

    CORRECT = "correct"  #: as expected
    WRONG = "wrong"  #: the verifier refused it, or it contradicts what is expected or another solver's answer
    UNKNOWN = "unknown"  #: not decided within the limits
    ERROR = "error"  #: the solver failed
    UNCHECKED = "unchecked"  #: nothing is known to compare it with


@dataclass(frozen=True)
class Job:
    """One run to be made; `solver` is a full spec."""

    instance: Instance
    solver: str
    query: Query

    @property
    def head(self) -> dict[str, Any]:
        """The part of its record that is known beforehand."""
        limits = dataclasses.asdict(self.query.limits)
        return {
            "schema": SCHEMA,
            "instance": self.instance.name,
            "digest": self.instance.digest,
            "cells": len(self.instance.board),
            "expected": {"verdict": self.instance.expected.verdict, "count": self.instance.expected.count},
            "solver": self.solver,
            "goal": self.query.goal,
            "limits": {name: float(limit) if name == "seconds" and limit else limit for name, limit in limits.items()},
            "seed": self.query.seed,
        }

    @property
    def key(self) -> str:
        """What tells it from other jobs: the same key, the same run."""
        return key_of(self.head)


def key_of(record: Record) -> str:
    """The key of the job that a record is of."""
    parts = [record.get(name) for name in ("instance", "digest", "solver", "goal", "limits", "seed")]
    return json.dumps(parts, sort_keys=True)


def full_specs(specs: Sequence[str] = (), goal: Goal = Goal.DECIDE) -> tuple[str, ...]:
    """The full specs of some solvers, repetitions dropped; if none is named, of all that are installed and can do it.

    UnknownBackend, BadOption, MissingDependency if one of them cannot be used.
    """
    able = [backend for backend in backends().values() if goal in backend.goals and not backend.missing()]
    chosen = [parse_spec(spec) for spec in specs] or [backend() for backend in able]
    for backend in chosen:
        if backend.missing():
            missing = " ".join(backend.missing())
            raise MissingDependency(f"{backend.name} needs {missing}; install with: pip install {missing}")
    return tuple(dict.fromkeys(backend.spec for backend in chosen))


def matrix(instances: Iterable[Instance], specs: Sequence[str], query: Query) -> tuple[Job, ...]:
    """Every instance against every solver; solvers alternate, so that a machine that slows down does so for all of them."""
    jobs = [Job(instance, spec, query) for instance in instances for spec in specs]
    return tuple({job.key: job for job in jobs}.values())


def pending(jobs: Sequence[Job], records: Iterable[Record]) -> tuple[Job, ...]:
    """The jobs that have no record."""
    done = {key_of(record) for record in records}
    return tuple(job for job in jobs if job.key not in done)


def execute(
    jobs: Sequence[Job], store: Store, *, on_start: Callable[[Job], None], on_tick: Callable[[], None] = lambda: None
) -> Iterator[Record]:
    """Make the runs one after another, and yield each record when it is stored.

    `on_tick` is called several times a second while a run goes on. Nothing is left running when this ends, by whatever cause.
    """
    _warm_up(jobs)
    surroundings = {"versions": environment.versions(), "environment": environment.environment()}
    store.write_environment({"schema": "tiler-environment-1", "started": _now(), **surroundings})
    earlier: dict[str, list[Record]] = defaultdict(list)
    for record in store.read(SCHEMA).records:
        earlier[str(record.get("digest"))].append(record)
    for job in jobs:
        on_start(job)
        record = perform(job, on_tick) | surroundings
        peers = earlier[job.instance.digest]
        peers.append(record)
        peers[-1] = record = dict(judge(peers)[-1])
        store.append(record)
        yield record


def perform(job: Job, on_tick: Callable[[], None] = lambda: None) -> dict[str, Any]:
    """Make one run in isolation; its record, without what it was measured on."""
    limits, started = job.query.limits, _now()
    # Searches stop by themselves at the limit; who does not is killed a little later.
    deadline = None if limits.seconds is None else 1.1 * limits.seconds + 0.5
    with isolate.start(_answer, job, seconds=deadline, megabytes=limits.megabytes) as running:
        while not running.wait(_TICK_SECONDS):
            on_tick()
        outcome = running.outcome()
    record = {**job.head, "started": started, **_answered(outcome)}
    for name in ("wall_seconds", "cpu_seconds", "peak_megabytes", "baseline_megabytes"):
        record[name] = getattr(outcome, name)
    category, why = categorise(record)
    record["category"] = category
    record["message"] = _impersonal(why or record["message"])
    return record


def _answer(job: Job) -> dict[str, Any]:
    answer = solve(job.instance, job.solver, job.query)
    # A summary that is not JSON is the backend's fault, and this run's, not the campaign's.
    summary: dict[str, Any] = json.loads(json.dumps(answer.summary(), allow_nan=False))
    return summary | {"verified": len(answer.solutions)}


def _answered(outcome: Outcome[dict[str, Any]]) -> dict[str, Any]:
    """The part of a record that the run itself can tell, or what the way it ended stands for."""
    names = ("status", "stop", "count", "symmetry", "verified", "stats", "message", "encode_seconds", "solve_seconds")
    if outcome.value is not None:
        return {**{name: outcome.value[name] for name in names}, "error": None}
    stop = _STOPS.get(outcome.ended, Stop.ERROR)
    return {
        **dict.fromkeys(names),
        "status": Status.UNKNOWN,
        "stop": stop,
        "verified": 0,
        "stats": {},
        "message": outcome.reason,
        "error": (type(outcome.error).__name__ if outcome.error else str(outcome.ended)) if stop is Stop.ERROR else None,
    }


def categorise(record: Record) -> tuple[Category, str]:
    """What a record is worth by itself, and why if it is wrong."""
    expected = record.get("expected") or {}
    status, count = record.get("status"), record.get("count")
    verdict = expected.get("verdict")
    if record.get("error") == BadSolution.__name__:
        return Category.WRONG, ""
    if record.get("stop") == Stop.ERROR:
        return Category.ERROR, ""
    if status == Status.UNKNOWN:
        return Category.UNKNOWN, ""
    if verdict is not None and status != verdict:
        proof = "; the tiling holds, so the file is mistaken" if record.get("verified") else ""
        return Category.WRONG, f"the answer is {status}, expected is {verdict}{proof}"
    if record.get("goal") == Goal.DECIDE:
        return Category.UNCHECKED if verdict is None else Category.CORRECT, ""
    if count is None:
        return Category.UNKNOWN, ""
    # An UNSAT that is expected is a count of 0 that is.
    if expected.get("count") is None and (verdict is None or status == Status.SAT):
        return Category.UNCHECKED, ""
    if count != (expected.get("count") or 0):
        return Category.WRONG, f"counted {count}, expected are {expected.get('count')}"
    return Category.CORRECT, ""


def judge(records: Sequence[Record]) -> tuple[Record, ...]:
    """The records with the categories that all of them together give: answers to the same question must agree.

    A verified tiling refutes every UNSAT. Of two unverified answers that contradict each other nobody knows which holds; where
    nothing is expected, both are wrong until someone finds out.
    """
    together: dict[Any, list[Record]] = defaultdict(list)
    for record in records:
        if record.get("error") is None and record.get("status") in (Status.SAT, Status.UNSAT):
            together[record.get("digest")].append(record)

    def objection(record: Record) -> str:
        peers = together[record.get("digest")]
        tilings = [peer for peer in peers if peer.get("status") == Status.SAT]
        proofs = [peer for peer in tilings if peer.get("verified")]
        if record.get("status") == Status.UNSAT and proofs:
            return f"{proofs[0].get('solver')} found a tiling, and it holds"
        if record.get("category") == Category.CORRECT or record.get("verified"):
            return ""
        if 0 < len(tilings) < len(peers):
            return "one says sat, another unsat, and neither is verified"
        counts = sorted({peer["count"] for peer in peers if peer.get("goal") == Goal.COUNT and peer.get("count") is not None})
        if len(counts) > 1 and record.get("goal") == Goal.COUNT:
            return f"solvers counted {' and '.join(map(str, counts))}"
        return ""

    judged = []
    for record in records:
        why = objection(record) if record.get("category") in (Category.CORRECT, Category.UNCHECKED) else ""
        judged.append({**record, "category": Category.WRONG, "message": why} if why else record)
    return tuple(judged)


@dataclass(frozen=True)
class Row:
    """A line of the summary: one solver's records by category, and the wall clock seconds of its runs, added up."""

    solver: str
    counts: Mapping[Category, int]
    wall_seconds: float


def summarise(records: Iterable[Record]) -> tuple[Row, ...]:
    """One row per solver, in the order in which they appear."""
    by_solver: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        by_solver[str(record.get("solver"))].append(record)
    return tuple(
        Row(solver, Counter(Category(record["category"]) for record in group), sum(record["wall_seconds"] for record in group))
        for solver, group in by_solver.items()
    )


def of_jobs(jobs: Sequence[Job], records: Iterable[Record]) -> tuple[Record, ...]:
    """The first record of each job that has one, in the order of the jobs."""
    first: dict[str, Record] = {}
    for record in records:
        first.setdefault(key_of(record), record)
    return tuple(first[job.key] for job in jobs if job.key in first)


def _warm_up(jobs: Sequence[Job]) -> None:
    """Import once, here, what every run would otherwise import for itself."""
    chosen = [parse_spec(spec) for spec in dict.fromkeys(job.solver for job in jobs)]
    for module in ("tiler.cover", *(module for backend in chosen for module in (*backend.requires, *backend.imports))):
        with contextlib.suppress(ImportError):  # The run will say so.
            import_module(module)


def _impersonal(text: str) -> str:
    """A message without the user's name, which paths tend to hold."""
    home = os.path.expanduser("~").rstrip("/")
    return text.replace(home, "~") if home else text


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
