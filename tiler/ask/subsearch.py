"""What the workers of a parallel search do: search some subproblems of a job, one after the other.

A job is small: the instance, the solver and the question. The covers that are split are made of it once per process from which
runs are forked (`prepare`), so that a run is told no more than the choices that make up its subproblems.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any

import numpy as np

from tiler.ask import orbits
from tiler.cover import filters
from tiler.version import __version__
from tiler.backends.base import Backend
from tiler.cover.cover import ExactCover
from tiler.errors import TilerError
from tiler.model.instance import Instance
from tiler.kernels import digest
from tiler.ask.orbits import Part, Plan
from tiler.question.question import Events, Goal, Limits, Query, Status, Stop
from tiler.cover.split import Subproblem, restrict
from tiler.question.watch import Look, unhurried

_SLICE_SECONDS = 1.0  # a call that took so long begins no further subproblem


def _version() -> str:
    return f"{__version__}, compiled code {digest()}"


@dataclass(frozen=True)
class Job:
    """What is searched, limits apart: to decide, to count, or to count up to symmetry."""

    instance: Instance
    backend: Backend
    goal: Goal
    up_to_symmetry: bool
    version: str = field(default_factory=_version)  #: options are numbers, which mean the same in the same version only

    def plan(self, cover: ExactCover, look: Look = unhurried) -> Plan:
        """The covers to be split, made of the unfiltered cover of the instance, and how their counts are put together."""
        backend = self.backend
        if self.up_to_symmetry:
            return Plan.of(backend, cover, self.goal, look)
        if self.goal is Goal.DECIDE and backend.anchor != "off":
            # A subproblem has other symmetries than the whole.
            cover = filters.anchor(cover, backend.anchor, backend.numbering(cover), look)
            backend = replace(backend, anchor="off")
        return Plan("plain", 1, (Part(backend, cover, np.empty((0, 0), np.int64)),))


@dataclass(frozen=True)
class Finding:
    """What came of one subproblem; `found` of it count, and all there are if it stopped because it was done."""

    number: int
    found: int
    status: Status
    stop: Stop
    stats: Mapping[str, Any]
    message: str
    solution: tuple[int, ...] | None = None  #: the first, where the goal is to decide


_MOST_PLANS = 4  # of the jobs that share a worker
_plans: dict[Job, Plan] = {}


def plan_of(job: Job, cover: ExactCover | None = None, look: Look = unhurried) -> Plan:
    """The plan of a job, made once in a process; `cover` is that of the instance, if it is there already."""
    if job not in _plans:
        if len(_plans) == _MOST_PLANS:
            del _plans[next(iter(_plans))]
        _plans[job] = job.plan(cover or ExactCover.of(job.instance, look), look)
    return _plans[job]


def prepare(job: Job) -> None:
    """Do once, in a process that runs are forked from, what each would do for itself: import, and list all placements."""
    if job.version != _version():
        raise TilerError(f"a worker has another version of Tiler: {_version()}, not {job.version}")
    for backend in {type(part.backend) for part in plan_of(job).parts}:
        for module in backend.preloads():
            with contextlib.suppress(ImportError):  # The run will say so.
                import_module(module)


def search(job: Job, limits: Limits, subproblems: Sequence[tuple[int, Subproblem]]) -> list[Finding]:
    """Search numbered subproblems in turn until a second has passed, a limit is reached or a tiling that was asked for is found.

    The limits are those of this call, the nodes those of each subproblem. There is always a finding about the first.
    """
    plan, started = plan_of(job), time.perf_counter()
    findings: list[Finding] = []
    for number, subproblem in subproblems:
        part = plan.parts[subproblem.part]
        cover, query = restrict(part.cover, subproblem.choices), Query(job.goal, limits)
        solution = None
        if job.goal is Goal.DECIDE:
            result = part.backend.solve(cover, query, started=started)
            found = len(result.solutions)
            solution = result.solutions[0] if found else None
        else:
            found, result = orbits.count(part, cover, query, Events(), started=started)
        findings.append(Finding(number, found, result.status, result.stop, dict(result.stats), result.message, solution))
        if solution or result.stop is not Stop.DONE or time.perf_counter() - started >= _SLICE_SECONDS:
            break
    return findings
