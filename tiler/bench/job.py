"""A job: a question to one solver under limits, and the part of its record that is known before it is asked."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tiler.backends.base import Origin
from tiler.backends.plugins import origin_of
from tiler.backends.registry import parse_spec
from tiler.bench.store import Record
from tiler.model.instance import Instance
from tiler.question.question import Question

SCHEMA = "tiler-run-1"

_KEY = ("instance", "digest", "solver", "goal", "limits", "seed", "plugin")
_LOOKS = ("colour",)  # of a program; it is the same in another one


@dataclass(frozen=True)
class Job:
    """One run to be made; `solver` is a full spec, `repeat` counts from 0 where the same run is made several times."""

    instance: Instance
    solver: str
    question: Question
    repeat: int = 0
    origin: Origin | None = None  #: where the solver comes from, if not from Tiler

    @property
    def head(self) -> dict[str, Any]:
        """The part of its record that is known beforehand."""
        limits = dataclasses.asdict(self.question.limits)
        return {
            "schema": SCHEMA,
            "instance": self.instance.name,
            "digest": self.instance.digest,
            "cells": len(self.instance.board),
            "expected": {"verdict": self.instance.about.expected.verdict, "count": self.instance.about.expected.count},
            "solver": self.solver,
            "goal": self.question.goal,
            "limits": {name: float(limit) if name == "seconds" and limit else limit for name, limit in limits.items()},
            "seed": self.question.seed,
            "repeat": self.repeat,
            "plugin": None,
            **(self.origin.told() if self.origin else {}),
        }

    @property
    def key(self) -> str:
        """What tells it from other jobs: the same key, the same run."""
        return key_of(self.head)


def key_of(record: Record) -> str:
    """The key of the job that a record is of."""
    parts = [*(record.get(name) for name in _KEY), record.get("repeat", 0)]
    program = {name: value for name, value in (record.get("program") or {}).items() if name not in _LOOKS}
    return json.dumps([*parts, program] if program else parts, sort_keys=True)


def matrix(
    instances: Sequence[Instance], specs: Sequence[str], question: Question, repeats: int = 1, seeds: int = 1
) -> tuple[Job, ...]:
    """Every instance against every solver, and all of that again for every seed and every repeat: so a machine that slows down
    does so for all solvers alike. Solvers that no seed changes are asked with the first one only."""
    seeded = {spec: type(parse_spec(spec)).seeded() for spec in specs}
    origins = {spec: origin_of(parse_spec(spec)) for spec in specs}
    jobs = [
        Job(instance, spec, dataclasses.replace(question, seed=question.seed + seed), repeat, origins[spec])
        for repeat in range(repeats)
        for seed in range(seeds)
        for instance in instances
        for spec in specs
        if seed == 0 or seeded[spec]
    ]
    return tuple({job.key: job for job in jobs}.values())


def pending(jobs: Sequence[Job], records: Iterable[Record]) -> tuple[Job, ...]:
    """The jobs that have no record."""
    done = {key_of(record) for record in records}
    return tuple(job for job in jobs if job.key not in done)


def of_jobs(jobs: Sequence[Job], records: Iterable[Record]) -> tuple[Record, ...]:
    """The first record of each job that has one, in the order of the jobs."""
    first: dict[str, Record] = {}
    for record in records:
        first.setdefault(key_of(record), record)
    return tuple(first[job.key] for job in jobs if job.key in first)
