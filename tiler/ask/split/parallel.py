"""Answer one question by several processes, on this machine or on a cluster: split it, search the parts, put the answers
together.

A short search is not worth splitting, so each search is first tried as a whole. Then the cover (up to symmetry: the covers of its
plan) is split into more subproblems than there are workers, so that all workers are busy to the end (split.py). Each call to an
executor searches some subproblems (worker.py). If a worker is lost, its call is made again. A checkpoint is the list of the
subproblems that are done with their counts: if this process is killed, only the calls under way are lost.
"""

from __future__ import annotations

import hashlib
import mmap
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from tiler.ask import execution, planner
from tiler.ask.parts import Decomposition, Done, orbits_of
from tiler.ask.split import slices, worker
from tiler.ask.split.worker import Assignment, Searched
from tiler.ask.symmetry import orbits
from tiler.backends.base import Backend
from tiler.backends.plugins import origin_of
from tiler.backends.registry import parse_spec
from tiler.cover.board import BoardCover
from tiler.cover.split import Subproblem
from tiler.errors import BackendError, BadOption, InputError
from tiler.model.expected import Status
from tiler.process import executors
from tiler.process.cancellation import StopCheck, never_stop
from tiler.process.clocks import process_seconds
from tiler.process.executors import Call, Executor
from tiler.process.isolate import Outcome, RunEnd
from tiler.question.events import NO_EXTRAS, Event, Events, Found, Progress, RunningSearch, Saved, SearchContext
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Parts, Result, Stop

_MOST_WALL = 3  # a busy machine, or an engine in a child, may take longer by this factor
_LISTED = 128  # subproblems into which a list is split
_PER_SLOT = 64  # subproblems for each call that can be under way
_MOST_AT_ONCE = 64  # the most subproblems given to a call
_LOOK_SECONDS = 0.1  # seconds between two looks at Ctrl-C
_GRACE_SECONDS = 1.0  # seconds in which calls can report how far they came, after the time is over
_MOST_LOSSES = 3  # the most times that one subproblem may be lost


def start(
    backend: Backend, cover: BoardCover, question: Question, where: str, context: SearchContext = NO_EXTRAS
) -> RunningSearch:
    """Decide or count, as calls to the executor that `where` names.

    The limit of megabytes holds for each process; the limit of nodes is checked now and then. BackendError if a subproblem is
    lost again and again.
    """
    executors.check(where)
    if question.goal not in (Goal.DECIDE, Goal.COUNT, Goal.ENUMERATE):
        raise BadOption("only deciding, counting and listing can be split; leave out --executor")
    if question.goal is Goal.ENUMERATE and context.saves:
        raise BadOption("a list that several processes make cannot be saved; leave out --checkpoint or --executor")
    symmetric = question.up_to_symmetry and question.goal is not Goal.DECIDE
    return _start(backend, cover, replace(question, up_to_symmetry=symmetric), where, context.timed())


def _start(backend: Backend, cover: BoardCover, question: Question, where: str, context: SearchContext) -> RunningSearch:
    now = planner.split(backend, cover, question, context.check_stop)
    lists = question.goal is Goal.ENUMERATE
    if context.saved is None and not lists:
        known = yield from _try(backend, cover, question, context, now.trial)
        if known is not None:
            return known
    (candidate,) = now.candidates
    searching = planner.backend_of(candidate, backend)
    assignment = Assignment(cover.instance, searching.spec, question.goal, question.up_to_symmetry, origin_of(searching))
    decomposition = worker.decomposition_of(assignment, cover, context.check_stop)
    # Others need not look for the anchor and the search that were chosen.
    assignment = replace(assignment, solver=decomposition.solver)
    now = replace(now, candidates=(replace(candidate, way=decomposition.method),))
    order = decomposition.order if question.up_to_symmetry else None
    if slices.suits(searching, question, context) and any(map(slices.can_be_sliced, decomposition.parts)):
        result = yield from slices.start(assignment, decomposition, where, question, context)
        return replace(result, symmetry=order, plan=now)
    with executors.connect(where, partial(worker.prepare, assignment)) as executor:
        # A list is in the order of the subproblems: it must not depend on how many processes make it.
        totals = _Totals.of(
            decomposition,
            _LISTED if lists else executor.slots * _PER_SLOT,
            context.saved.note if context.saved else None,
            context.check_stop,
        )
        result = yield from _run(assignment, totals, executor, question, context)
    method = {} if order is None else {"method": decomposition.method}
    return replace(result, symmetry=order, stats={**result.stats, **method}, plan=now)


def _try(
    backend: Backend, cover: BoardCover, question: Question, context: SearchContext, seconds: float
) -> Generator[Event, None, Result | None]:
    """The answer if the whole search ends within `seconds` of CPU time, else None. Then the tilings found are dropped; the
    subproblems find them again."""
    end, left = process_seconds() + seconds, question.limits.seconds_left(context.seconds)
    brief = replace(question, limits=replace(question.limits, seconds=min(_MOST_WALL * seconds, left)))
    solutions: list[Found] = []
    search = (orbits.start if question.up_to_symmetry else execution.start)(
        backend, cover, brief, SearchContext(check_stop=context.check_stop)
    )
    with Events(search) as events:
        for event in events:
            if isinstance(event, Found):
                solutions.append(event)
            elif isinstance(event, Progress):
                # Not what fraction is done: if the search is split, it begins anew.
                yield replace(event, fraction=None)
                if process_seconds() >= end and question.limits.seconds_left(context.seconds) > 0:
                    return None
    if events.result.stop in (Stop.TIME, Stop.MEMORY) and question.limits.seconds_left(context.seconds) > 0:
        return None  # The parts take less of both.
    yield from solutions
    return events.result


def split_digest(subproblems: Sequence[Subproblem]) -> str:
    """A fingerprint of a split."""
    return hashlib.sha256(repr(tuple(subproblems)).encode()).hexdigest()[:16]


@dataclass
class _Totals:
    """What is known of the subproblems. `counts` holds those that are done, by number, `partly` what others came to."""

    decomposition: Decomposition
    pieces: int
    subproblems: tuple[Subproblem, ...]
    counts: dict[int, int] = field(default_factory=dict)
    sums: Done = field(default_factory=Done)
    partly: int = 0
    under_way: int = 0  #: the number of tilings for which the findings of unfinished calls stand
    undecided: int = 0
    cpu_seconds: float = 0.0

    @classmethod
    def of(
        cls, decomposition: Decomposition, pieces: int, note: Mapping[str, Any] | None, check_stop: StopCheck = never_stop
    ) -> _Totals:
        """No totals yet, or the totals in the note of a checkpoint, with the same number of pieces."""
        pieces = note["pieces"] if note else pieces
        totals = cls(decomposition, pieces, decomposition.split(pieces, check_stop))
        if note:
            if note["split"] != totals.digest:
                raise InputError("a checkpoint of another split; name another file")
            totals.counts = dict(note["counts"])
            totals.sums = Done.from_note(note)
        return totals

    @cached_property
    def digest(self) -> str:
        """A fingerprint of the split."""
        return split_digest(self.subproblems)

    def note(self) -> dict[str, Any]:
        """For a checkpoint."""
        return {**self.sums.note(), "pieces": self.pieces, "split": self.digest, "counts": list(self.counts.items())}

    def take(self, one: Searched) -> None:
        """Add the result of a subproblem that is done, or that nobody will go on with."""
        if one.stop in (Stop.DONE, Stop.SOLUTIONS):
            self.counts[one.number] = one.found
            self.sums = self.sums.plus(self._times(one) * one.found, one.nodes, one.stats)
        else:
            self.partly += self._times(one) * one.found
            self.undecided += one.stop is Stop.UNDECIDED

    def _times(self, one: Searched) -> int:
        """The number of tilings that each tiling found stands for."""
        return self.decomposition.parts[self.subproblems[one.number].part].times

    @property
    def found(self) -> int:
        """A lower bound on the number of tilings."""
        return -(-(self.sums.found + self.partly + self.under_way) // self.decomposition.divisor)

    def progress(self) -> Progress:
        part = len(self.counts) / len(self.subproblems) if self.subproblems else None
        return Progress(self.sums.nodes, self.found, part, self.stats)

    @property
    def stats(self) -> dict[str, Any]:
        return {
            **self.sums.counters,
            "subproblems": len(self.subproblems),
            "cpu_seconds": round(self.cpu_seconds, 3),
        }

    def result(self, goal: Goal, stop: Stop, message: str = "") -> Result:
        """The answer if the search ends here."""
        if stop is Stop.DONE and self.undecided:
            stop = Stop.UNDECIDED
        is_done = stop is Stop.DONE
        if is_done:
            orbits_of(self.sums.found, self.decomposition.divisor)
        status = Status.SAT if self.found else Status.UNSAT if is_done else Status.UNKNOWN
        count = self.found if is_done and goal is not Goal.DECIDE else None
        parts = self._told() if goal is Goal.COUNT else None
        return Result(status, stop, self.found, count, parts=parts, nodes=self.sums.nodes, stats=self.stats, message=message)

    def _told(self) -> Parts:
        """The parts that the count is the sum of."""
        decomposition, numbers = self.decomposition, range(len(self.subproblems))
        times = tuple(decomposition.parts[subproblem.part].times for subproblem in self.subproblems)
        found = tuple(self.counts.get(number) for number in numbers)
        return Parts(
            decomposition.solver,
            decomposition.method,
            decomposition.divisor,
            self.pieces,
            times,
            found,
            self.digest,
            decomposition.generators,
        )


def _run(
    assignment: Assignment, totals: _Totals, executor: Executor, question: Question, context: SearchContext
) -> RunningSearch:
    """Search all subproblems that are not done. The loop ends: each round waits for a call to end or for the time limit, and a
    subproblem that is lost again and again raises an error.
    """
    calls = _Calls(assignment, totals, executor, question.limits)
    stop: Stop | None = None
    in_order = _TilingsInOrder(question.solutions_wanted)
    message = ""
    while stop is None:
        left = question.limits.seconds_left(context.seconds)
        calls.submit(left)
        if calls.all_done:
            stop = Stop.DONE
            break
        if context.saves:
            yield Saved({}, totals.note())
        totals.under_way = calls.under_way()
        yield totals.progress()
        if left <= -_GRACE_SECONDS or (left <= 0 and not calls.running):
            stop = Stop.TIME
        elif question.limits.nodes is not None and totals.progress().nodes >= question.limits.nodes:
            stop = Stop.NODES
        if stop is not None:
            break
        collected, totals.under_way = calls.collect(), 0
        for one in collected:
            if assignment.goal is Goal.ENUMERATE:
                yield from map(Found.of, in_order.take(one))
                if in_order.is_full:
                    return replace(totals.result(assignment.goal, Stop.SOLUTIONS), status=Status.SAT, found=in_order.shown)
            totals.take(one)
            if one.solution is not None:
                yield Found(one.solution)
                return replace(totals.result(assignment.goal, Stop.DONE), status=Status.SAT, found=1)
            if one.stop not in _GOES_ON[assignment.goal]:
                stop, message = one.stop, one.message
    totals.under_way = calls.under_way()
    if context.saves:
        yield Saved({}, totals.note())
    result = totals.result(assignment.goal, stop, message)
    return replace(result, found=in_order.shown) if assignment.goal is Goal.ENUMERATE else result


class _TilingsInOrder:
    """The tilings of a list in the order of the subproblems: those of one are kept until all before it have been handed over."""

    def __init__(self, wanted: int | None) -> None:
        self._wanted, self._kept, self._next = wanted, dict[int, tuple[tuple[int, ...], ...]](), 0
        self.shown = 0

    @property
    def is_full(self) -> bool:
        return self.shown == self._wanted

    def take(self, one: Searched) -> Iterator[Sequence[tuple[int, ...]]]:
        """The tilings that can be handed over now that this subproblem is searched, block by block; at most as many as are
        wanted."""
        if one.stop in (Stop.DONE, Stop.SOLUTIONS):
            self._kept[one.number] = one.solutions
        while self._next in self._kept:
            block = self._kept.pop(self._next)
            block = block if self._wanted is None else block[: self._wanted - self.shown]
            self.shown += len(block)
            if block:
                yield block
            self._next += 1


#: After these a search goes on: with what others find, or until all of them have said how far they came.
_GOES_ON = {
    Goal.DECIDE: (Stop.DONE, Stop.TIME, Stop.UNDECIDED),
    Goal.COUNT: (Stop.DONE, Stop.TIME),
    Goal.ENUMERATE: (Stop.DONE, Stop.TIME, Stop.SOLUTIONS),
}


class _Calls:
    """The calls under way, and the subproblems that no call has been given yet."""

    def __init__(self, assignment: Assignment, totals: _Totals, executor: Executor, limits: Limits) -> None:
        self._assignment, self._totals, self._executor, self._limits = assignment, totals, executor, limits
        self._todo = deque(number for number in range(len(totals.subproblems)) if number not in totals.counts)
        self.running: dict[Call[list[Searched]], tuple[list[int], int]] = {}  #: subproblems, and a place on the board
        self._losses: Counter[int] = Counter()
        self._board = _Board(executor.slots) if executor.shares_memory and assignment.goal is Goal.COUNT else None

    def under_way(self) -> int:
        """The number of tilings that the calls under way have found so far; 0 if they are on other machines."""
        return self._board.sum(place for _, place in self.running.values()) if self._board else 0

    @property
    def all_done(self) -> bool:
        return not self._todo and not self.running

    def submit(self, left: float) -> None:
        """Keep all slots busy while there is time left. Towards the end calls get fewer subproblems. A subproblem that was lost
        before gets a call of its own, since it may have ended its worker.
        """
        slots = self._executor.slots
        while left > 0 and self._todo and len(self.running) < slots:
            most = min(_MOST_AT_ONCE, len(self._todo) // (4 * slots))
            numbers = [self._todo.popleft()]
            while len(numbers) < most and not self._losses[numbers[0]] and not self._losses[self._todo[0]]:
                numbers.append(self._todo.popleft())
            is_limited = self._limits.seconds is not None
            place = min(set(range(slots)) - {place for _, place in self.running.values()})
            call = self._executor.submit(
                partial(worker.search, tell=self._board.writer(place)) if self._board else worker.search,
                self._assignment,
                replace(self._limits, seconds=left if is_limited else None),
                [(number, self._totals.subproblems[number]) for number in numbers],
                seconds=left + _GRACE_SECONDS if is_limited else None,
                megabytes=self._limits.megabytes,
            )
            self.running[call] = numbers, place

    def collect(self) -> list[Searched]:
        """Wait a moment for calls to end, and take their results. Subproblems that they did not begin go to another call."""
        collected: list[Searched] = []
        for (numbers, _), outcome in self._executor.ended(self.running, _LOOK_SECONDS):
            self._totals.cpu_seconds += outcome.cpu_seconds
            searched = self._findings(numbers, outcome)
            collected += searched
            finished = {one.number for one in searched if one.stop is not Stop.TIME}
            self._todo.extendleft(number for number in reversed(numbers) if number not in finished)
        return collected

    def _findings(self, numbers: list[int], outcome: Outcome[list[Searched]]) -> list[Searched]:
        """What a call found, nothing if it was lost; BackendError if that happens too often."""
        if outcome.error is not None:
            raise outcome.error
        if outcome.value is not None:
            return outcome.value
        if outcome.ended in _LIMITS:
            return [Searched(numbers[0], 0, Status.UNKNOWN, _LIMITS[outcome.ended], 0, {}, outcome.reason)]
        self._losses.update(numbers)
        times = max(self._losses[number] for number in numbers)
        if times >= _MOST_LOSSES:
            raise BackendError(f"{parse_spec(self._assignment.solver)}: a subproblem was lost {times} times: {outcome.reason}")
        return []


class _Board:
    """Numbers that processes forked from this one write while they work, and this one reads."""

    def __init__(self, places: int) -> None:
        self._numbers = np.frombuffer(mmap.mmap(-1, 8 * places), np.int64)

    def writer(self, place: int) -> Callable[[int], None]:
        """What a process that is about to be forked calls with its number."""
        numbers, most = self._numbers, int(np.iinfo(np.int64).max)
        numbers[place] = 0

        def write(number: int) -> None:
            numbers[place] = min(number, most)

        return write

    def sum(self, places: Iterable[int]) -> int:
        return sum(int(self._numbers[place]) for place in places)


_LIMITS = {RunEnd.TIME: Stop.TIME, RunEnd.MEMORY: Stop.MEMORY}
