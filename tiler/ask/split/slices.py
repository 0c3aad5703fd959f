"""Make a count in halves by several processes or machines: each slice of the count is a call, and uses the memory of its worker.
A slice is all tilings in which the same tiles are laid before a cut of the fill order (backends/frontier/halves/shared_data.py).
Slices do not depend on each other, and each needs less memory. So the workers together make a count that is too large for one of
them. A worker begins with all tilings. If it has not enough memory, it returns the place where the halves would have met. There
the slices are cut. The number of tiles by which they differ is decided once, by a forecast and the memory of a worker. A slice
that is too large for its worker is split by more tiles. If a worker is lost, its slice is made again. A call gets only an
assignment (worker.py) and two words. The graph is made once in each process that runs are forked from.
"""

from __future__ import annotations

import contextlib
import math
from collections import Counter, deque
from dataclasses import dataclass, replace
from functools import partial

from tiler.ask.parts import Decomposition, SearchPart, orbits_of
from tiler.ask.split import worker
from tiler.ask.split.worker import Assignment
from tiler.ask.symmetry import orbits
from tiler.backends.base import Backend
from tiler.backends.frontier import Frontier
from tiler.backends.frontier.halves.half_counts import SliceCount
from tiler.backends.frontier.halves.meet_in_the_middle import Halves
from tiler.backends.frontier.halves.shared_data import Slice, TransitionGraph, tiles_to_split_by
from tiler.backends.frontier.shared.budgeted import budget_of
from tiler.backends.frontier.shared.model import Model
from tiler.backends.frontier.shared.symmetries import Symmetries
from tiler.backends.frontier.tables.forecast import forecast
from tiler.backends.frontier.tables.hash_tables import Tables
from tiler.cover.board import BoardCover
from tiler.errors import BackendError, NoMachineCode
from tiler.kernels import load
from tiler.model.expected import Status
from tiler.process import executors
from tiler.process.executors import Call, Executor
from tiler.process.isolate import Outcome, RunEnd
from tiler.question.events import Progress, RunningSearch, SearchContext
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Result, Stop

_SPLIT_BY = 2  # tiles by which a slice is divided further, if it is too large
_BYTES_OF_A_ROW = 8
_LOOK_SECONDS = 0.1  # seconds between two looks at Ctrl-C
_GRACE_SECONDS = 1.0  # seconds in which calls can end by themselves, after the time is over
_MOST_LOSSES = 3  # the most times that one slice may be lost


@dataclass(frozen=True)
class Share:
    """The work of a call: the tilings of a slice of a part."""

    part: int
    slice: Slice
    cut: int | None  #: the cut; None for all tilings at once, where the halves meet at the cheapest place
    weight: float = 1.0  #: its approximate part of the whole work


@dataclass(frozen=True)
class Counted:
    """The result of a share."""

    found: int
    states: int
    transitions: int
    stop: Stop = Stop.DONE  #: MEMORY if it is too large for its worker
    middle: int = 0  #: the place to cut, if there are no slices yet
    message: str = ""


def suits(backend: Backend, question: Question, context: SearchContext) -> bool:
    """Whether slices are the way to count by this backend."""
    return isinstance(backend, Frontier) and question.goal is Goal.COUNT and not context.saves and context.saved is None


def can_be_sliced(part: SearchPart) -> bool:
    """Whether a part is counted in halves."""
    if not isinstance(part.backend, Frontier) or not isinstance(part.cover, BoardCover) or len(part.maps):
        return False
    model = Model.of(part.cover, part.backend.order)
    return not Tables.suits(model) and Halves.suits(model)


# --- in a worker

_graphs: dict[tuple[Assignment, int], TransitionGraph | None] = {}


def prepare(assignment: Assignment) -> None:
    """List placements and make the graph once, in the process that runs are forked from."""
    worker.prepare(assignment)
    with contextlib.suppress(NoMachineCode):
        load()
    for number, part in enumerate(worker.decomposition_of(assignment).parts):
        if can_be_sliced(part):
            _graph_of(assignment, number)


def _graph_of(assignment: Assignment, number: int) -> TransitionGraph | None:
    """The graph of a part, made once in a process; None if nothing can be filled."""
    key = assignment, number
    if key not in _graphs:
        _graphs.clear()
        part = worker.decomposition_of(assignment).parts[number]
        assert isinstance(part.cover, BoardCover)
        assert isinstance(part.backend, Frontier)
        model = Model.of(part.cover, part.backend.order)
        states = Halves(model, Symmetries.of(part.cover, model))
        for _ in states.explore():
            pass
        _graphs[key] = states.graph
    return _graphs[key]


def count(assignment: Assignment, limits: Limits, megabytes: int, share: Share) -> Counted:
    """The tilings of a share; `megabytes` are for its states."""
    context = SearchContext().timed()
    part = worker.decomposition_of(assignment).parts[share.part]
    if not can_be_sliced(part):
        found, result = orbits.count(part, part.cover, Question(Goal.COUNT, limits), context)
        return Counted(found, result.nodes, 0, result.stop, message=result.message)
    graph = _graph_of(assignment, share.part)
    if graph is None:
        return Counted(0, 0, 0)
    slice_count = SliceCount(graph, share.slice, share.cut, budget=graph.bytes + (megabytes << 20))
    for _ in slice_count.meet():
        if limits.seconds_left(context.seconds) < 0:
            return Counted(0, slice_count.states, slice_count.transitions, Stop.TIME)
    stop = Stop.MEMORY if slice_count.short else Stop.DONE
    return Counted(slice_count.total, slice_count.states, slice_count.transitions, stop, slice_count.middle)


# --- by the one who asks


def start(
    assignment: Assignment, decomposition: Decomposition, where: str, question: Question, context: SearchContext
) -> RunningSearch:
    """Count by calls to the executor that `where` names. The limit of megabytes holds for each process; by default they share
    half of what is free. BackendError if a slice is lost again and again."""
    with executors.connect(where, partial(prepare, assignment)) as executor:
        return (yield from _Slices(assignment, decomposition, executor, question, context).run())


class _Slices:
    """The shares that are to be counted, those under way, and the sums."""

    def __init__(
        self, assignment: Assignment, decomposition: Decomposition, executor: Executor, question: Question, context: SearchContext
    ) -> None:
        self._assignment, self._decomposition, self._executor = assignment, decomposition, executor
        self._limits, self._context = question.limits, context.timed()
        budget = budget_of(question.limits) >> 20
        self._megabytes = max(1, budget if question.limits.megabytes else budget // executor.slots)
        self._todo = deque(
            Share(number, Slice(), None, 1 / len(decomposition.parts)) for number in range(len(decomposition.parts))
        )
        self._running: dict[Call[Counted], Share] = {}
        self._losses: Counter[Share] = Counter()
        self._found = [0] * len(decomposition.parts)
        self._states = self._transitions = self._slices = 0
        self._done = self._cpu_seconds = 0.0

    def _tiles_for(self, model: Model, symmetries: Symmetries) -> int:
        """By how many tiles a part is split that is too large for a worker. Two of them make slices of half the memory."""
        expected = forecast(model, symmetries).at_once * _BYTES_OF_A_ROW
        return max(_SPLIT_BY, math.ceil(2 * math.log2(max(1.0, expected / (self._megabytes << 20)))))

    def _parts(self, share: Share, middle: int) -> list[Share]:
        """Split a share that is too large by more tiles; no parts if there are no more tiles. The first split decides which
        slices there are, and where all of them are cut."""
        part = self._decomposition.parts[share.part]
        if not can_be_sliced(part):
            return []
        assert isinstance(part.cover, BoardCover)
        assert isinstance(part.backend, Frontier)
        model = Model.of(part.cover, part.backend.order)
        symmetries = Symmetries.of(part.cover, model)
        tiles = self._tiles_for(model, symmetries) if share.cut is None else _SPLIT_BY
        splitting = tiles_to_split_by(model, symmetries.maps(model))
        left = [bit for bit in splitting if not bit & (share.slice.early | share.slice.late)][:tiles]
        cut = share.cut or middle or model.cells // 2
        weight = share.weight / (1 << len(left))
        return [Share(share.part, each, cut, weight) for each in share.slice.parts(left)] if left else []

    def run(self) -> RunningSearch:
        """Have all counted.

        The loop ends: each round waits for a call to end, or for the time limit; a share that is too large is split by tiles, of
        which there are some only, and one that is lost again and again is an error.
        """
        while self._todo or self._running:
            left = self._limits.seconds_left(self._context.seconds)
            if left <= -_GRACE_SECONDS or (left <= 0 and not self._running):
                return self._result(Stop.TIME)
            self._submit(left)
            yield Progress(self._states, 0, self._done, self._stats)
            for share, outcome in self._executor.ended(self._running, _LOOK_SECONDS):
                stop, message = self._take(share, outcome)
                if stop is not Stop.DONE:
                    return self._result(stop, message)
        return self._result(Stop.DONE)

    def _submit(self, left: float) -> None:
        """Keep all slots busy, while there are seconds left."""
        while left > 0 and self._todo and len(self._running) < self._executor.slots:
            share, is_limited = self._todo.popleft(), self._limits.seconds is not None
            call = self._executor.submit(
                count,
                self._assignment,
                replace(self._limits, seconds=left if is_limited else None, threads=1),
                self._megabytes,
                share,
                seconds=left + _GRACE_SECONDS if is_limited else None,
                megabytes=self._limits.megabytes,
            )
            self._running[call] = share

    def _take(self, share: Share, outcome: Outcome[Counted]) -> tuple[Stop, str]:
        """Add the result of a share, or put the share back. Returns why the count cannot go on, if so."""
        self._cpu_seconds += outcome.cpu_seconds
        if outcome.error is not None:
            raise outcome.error
        if outcome.ended is RunEnd.TIME:
            return Stop.TIME, ""
        counted = outcome.value
        if counted is None and outcome.ended is not RunEnd.MEMORY:
            self._losses[share] += 1
            if self._losses[share] >= _MOST_LOSSES:
                raise BackendError(f"frontier: a slice was lost {_MOST_LOSSES} times: {outcome.reason}")
            self._todo.appendleft(share)
            return Stop.DONE, ""
        if counted is not None:
            self._states += counted.states
            self._transitions += counted.transitions
        if counted is None or counted.stop is Stop.MEMORY:
            parts = self._parts(share, counted.middle if counted else 0)
            if not parts:
                return Stop.MEMORY, f"the {self._megabytes:,} MiB that a worker has for states do not suffice for a slice"
            self._todo.extendleft(reversed(parts))
            return Stop.DONE, ""
        if counted.stop is not Stop.DONE:
            return counted.stop, counted.message
        self._found[share.part] += counted.found
        self._done += share.weight
        self._slices += 1
        return Stop.DONE, ""

    @property
    def _stats(self) -> dict[str, int | float]:
        return {"transitions": self._transitions, "slices": self._slices, "cpu_seconds": round(self._cpu_seconds, 3)}

    def _result(self, stop: Stop, message: str = "") -> Result:
        if stop is not Stop.DONE:
            return Result.so_far(stop, found=0, nodes=self._states, stats=self._stats, message=message)
        decomposition = self._decomposition
        found = orbits_of(
            sum(part.times * each for part, each in zip(decomposition.parts, self._found, strict=True)), decomposition.divisor
        )
        status, parts = Status.SAT if found else Status.UNSAT, decomposition.made_of(self._found)
        return Result(status, stop, found, found, parts=parts, nodes=self._states, stats=self._stats)
