"""Search some subproblems of an assignment, one after the other: the work of a worker in a parallel search. An assignment is
small: the instance, the solver and the question. The covers that are split are made from it once, in the process that runs are
forked from (`prepare`). So a run is only sent the choices that define its subproblems.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from tiler.ask.parts import Decomposition, SearchPart
from tiler.ask.symmetry import orbits
from tiler.ask.symmetry.decomposition import decomposed
from tiler.backends.base import Origin
from tiler.backends.plugins import ensure
from tiler.backends.registry import parse_spec
from tiler.cover import filters
from tiler.cover.board import BoardCover
from tiler.cover.split import Subproblem, restrict
from tiler.errors import NoMachineCode, TilerError
from tiler.kernels import load
from tiler.kernels.digest import build
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.process.cancellation import StopCheck, never_stop
from tiler.question.events import SearchContext
from tiler.question.plan import Way
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop

_SLICE_SECONDS = 1.0  # seconds after which a call begins no further subproblem


@dataclass(frozen=True)
class Assignment:
    """What is searched, limits apart: to decide, to count or to list, up to symmetry or not."""

    instance: Instance
    solver: str  #: the full spec
    goal: Goal
    up_to_symmetry: bool
    origin: Origin | None = None  #: the origin of the solver, if it is not Tiler's own
    version: str = field(default_factory=build)  #: the version; options are numbers, which are only valid within one version

    def decomposed(self, cover: BoardCover, check_stop: StopCheck = never_stop) -> Decomposition:
        """The covers to be split, made of the unfiltered cover of the instance, and how their counts are put together."""
        backend = parse_spec(self.solver)
        if self.up_to_symmetry:
            return decomposed(backend, cover, self.goal, check_stop)
        if self.goal is Goal.DECIDE and backend.anchor != "off":
            # A subproblem has other symmetries than the whole.
            cover = filters.anchor(cover, backend.anchor, backend.numbering(cover), check_stop)
            backend = replace(backend, anchor="off")
        return Decomposition(Way.PLAIN, 1, (SearchPart(backend, cover, np.empty((0, len(cover)), np.int64)),), solver=self.solver)


@dataclass(frozen=True)
class Searched:
    """The result of one subproblem: `found` tilings that count, which are all of its tilings if the search was complete."""

    number: int
    found: int
    status: Status
    stop: Stop
    nodes: int
    stats: Mapping[str, Any]
    message: str
    solution: tuple[int, ...] | None = None  #: the first solution, if the goal is to decide
    solutions: tuple[tuple[int, ...], ...] = ()  #: all solutions, if the goal is to list them


_MOST_KEPT = 4  # the most covers kept by a worker, for its jobs
_kept: dict[Assignment, Decomposition] = {}


def decomposition_of(
    assignment: Assignment, cover: BoardCover | None = None, check_stop: StopCheck = never_stop
) -> Decomposition:
    """The parts of an assignment, made once in a process; `cover` is the cover of the instance, if it is there already."""
    if assignment not in _kept:
        if len(_kept) == _MOST_KEPT:
            del _kept[next(iter(_kept))]
        _kept[assignment] = assignment.decomposed(cover or BoardCover.of(assignment.instance, check_stop), check_stop)
    return _kept[assignment]


def prepare(assignment: Assignment) -> None:
    """Import modules and list all placements once, in the process that runs are forked from."""
    if assignment.version != build():
        raise TilerError(f"a worker has another version of Tiler: {build()}, not {assignment.version}")
    ensure(assignment.origin)
    for backend in {type(part.backend) for part in decomposition_of(assignment).parts}:
        with contextlib.suppress(ImportError):  # The run will say so.
            backend.preload()
    with contextlib.suppress(NoMachineCode):
        load()


def search(
    assignment: Assignment,
    limits: Limits,
    subproblems: Sequence[tuple[int, Subproblem]],
    tell: Callable[[int], None] = lambda found: None,
) -> list[Searched]:
    """Search numbered subproblems in turn until a second has passed, a limit is reached or a tiling that was asked for is found.

    The limits are those of this call, the nodes and the solutions those of each subproblem. The first subproblem is always among
    the results. When counting, `tell` is called with the number of tilings that those found so far stand for.
    """
    decomposition, context = decomposition_of(assignment), SearchContext().timed()
    before = 0
    searched: list[Searched] = []
    for number, subproblem in subproblems:
        part = decomposition.parts[subproblem.part]
        cover, question = restrict(part.cover, subproblem.choices), Question(assignment.goal, limits)
        solution = None
        solutions: list[tuple[int, ...]] = []
        if assignment.goal is Goal.DECIDE:
            result = part.backend.solve(cover, question, context)
            found = len(result.solutions)
            solution = result.solutions[0] if found else None
        else:
            found, result = orbits.count(
                part, cover, question, context, solutions.append, partial(lambda before, more: tell(before + more), before)
            )
            before += part.times * found
        stats = dict(result.stats)
        searched.append(
            Searched(number, found, result.status, result.stop, result.nodes, stats, result.message, solution, tuple(solutions))
        )
        if solution or result.stop not in (Stop.DONE, Stop.SOLUTIONS) or context.seconds >= _SLICE_SECONDS:
            break
    return searched
