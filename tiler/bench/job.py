"""Define a job: a question to one solver under limits, and the part of its record that is known before the run."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any, Final

from tiler.amounts import counted
from tiler.backends.base import Origin
from tiler.backends.plugins import origin_of
from tiler.backends.registry import known, parse_spec
from tiler.bench.general_cover import GeneralCover
from tiler.bench.record import AskedPart, Record
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.question.question import Goal, Question

SCHEMA: Final = "tiler-run-1"

_PLAIN = ("instance", "digest", "solver", "goal", "seed")  # fields that stand in the key as they are
_LOOKS = ("colour",)  # a field of a declared program that only changes looks: with another one it is the same program


@dataclass(frozen=True)
class Job:
    """One run to be made; `solver` is a full spec, `repeat` counts from 0 where the same run is made several times. `form` is the
    number of the form of the instance that the solver is asked about (scramble.py)."""

    instance: Instance | GeneralCover
    solver: str
    question: Question
    repeat: int = 0
    form: int = 0
    origin: Origin | None = None  #: the origin of the solver, if it is not Tiler's own

    @property
    def name(self) -> str:
        """The name of its problem in records and figures."""
        return name_of(self.instance)

    @property
    def size(self) -> int:
        """The number of cells of its board, or of items of its cover."""
        return len(self.instance.board) if isinstance(self.instance, Instance) else len(self.instance.cover.items)

    @property
    def head(self) -> AskedPart:
        """The part of its record that is known before the run."""
        limits: Any = vars(self.question.limits)
        limits = {**limits, "seconds": limits["seconds"] and float(limits["seconds"])}
        head: AskedPart = {
            "schema": SCHEMA,
            "instance": self.name,
            "digest": self.instance.digest,
            "cells": self.size,
            "expected": {"verdict": self.instance.about.expected.verdict, "count": self.instance.about.expected.count},
            "solver": self.solver,
            "goal": self.question.goal,
            "limits": limits,
            "seed": self.question.seed,
            "repeat": self.repeat,
            "form": self.form,
            "plugin": None,
        }
        come_from: Any = self.origin.record_fields() if self.origin else {}
        head.update(come_from)
        return head

    @cached_property
    def key(self) -> Hashable:
        """A key that identifies the job: two jobs with the same key are the same run."""
        return key_of(self.head)


_DRAWN = re.compile(r"[x.]*/[x./]* .*")


def name_of(instance: Instance | GeneralCover) -> str:
    """The name of a problem, or in place of none, or of a board drawn in its name, what tells it from others on a line.

    >>> from tiler import formats
    >>> name_of(formats.inline(["4x4", "2"])), name_of(formats.inline(["xxx/x.x/xxx", "2"]))
    ('4x4 2', '8 cells of 3x3, dc9a17')
    """
    if isinstance(instance, GeneralCover) or (instance.name and not _DRAWN.fullmatch(instance.name)):
        return instance.name
    sides = "x".join(str(max(axis) - min(axis) + 1) for axis in zip(*instance.board, strict=True))
    return f"{counted(len(instance.board), 'cell')} of {sides}, {instance.digest[:6]}"


def key_of(record: AskedPart) -> Hashable:
    """The key of the job to which a record belongs."""
    objects = _items(record.get("limits")), _items(record.get("plugin"))
    parts = (*(record.get(name) for name in _PLAIN), record.get("repeat", 0), record.get("form") or 0, *objects)
    program = record.get("program")
    return (*parts, _items({name: value for name, value in program.items() if name not in _LOOKS})) if program else parts


def _items(value: Mapping[str, Any] | None) -> Hashable:
    return None if value is None else _set(tuple(value.items()))


@lru_cache
def _set(items: tuple[tuple[str, Any], ...]) -> frozenset[tuple[str, Any]]:
    """The same object for the same items: most jobs have the same limits."""
    return frozenset(items)


def matrix(
    instances: Sequence[Instance | GeneralCover],
    specs: Sequence[str],
    question: Question,
    repeats: int = 1,
    seeds: int = 1,
    forms: int = 1,
) -> tuple[Job, ...]:
    """Every instance against every solver, and all of that again for every form, every seed and every repeat. Solvers that no
    seed changes are asked with the first one only."""
    seeded = {spec: type(parse_spec(spec)).seeded() for spec in specs}
    origins = {spec: origin_of(parse_spec(spec)) for spec in specs}
    questions = [dataclasses.replace(question, seed=question.seed + seed) for seed in range(seeds)]
    jobs = [
        Job(instance, spec, questions[seed], repeat, form, origins[spec])
        for repeat in range(repeats)
        for form in range(forms)
        for seed in range(seeds)
        for instance in instances
        for spec in specs
        if seed == 0 or seeded[spec]
    ]
    return tuple({job.key: job for job in jobs}.values())


def is_hopeless(job: Job) -> bool:
    """Whether a solver that can only prove that there is no tiling is asked about a problem that is expected to have one."""
    return job.instance.about.expected.verdict is Status.SAT and only_proves(job.solver)


@cache
def only_proves(solver: str) -> bool:
    """Whether a solver can prove that there is no tiling, but find none. One that is not known here is not said to.

    >>> only_proves("coloring"), only_proves("sat"), only_proves("theirs")
    (True, False, False)
    """
    backend = known(solver.partition(":")[0])
    return backend is not None and Goal.PROVE in backend.goals and backend.goals.isdisjoint({Goal.COUNT, Goal.ENUMERATE})


def pending(jobs: Sequence[Job], records: Iterable[Record]) -> tuple[Job, ...]:
    """The jobs that have no record."""
    done = {key_of(record) for record in records}
    return tuple(job for job in jobs if job.key not in done)


def of_jobs(jobs: Sequence[Job], records: Iterable[Record]) -> tuple[Record, ...]:
    """The first record of each job that has one, in the order of the jobs."""
    first: dict[Hashable, Record] = {}
    for record in records:
        first.setdefault(key_of(record), record)
    return tuple(first[job.key] for job in jobs if job.key in first)
