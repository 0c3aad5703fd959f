"""Search the parts of an answer up to symmetry, and put their numbers together: each orbit of tilings under the instance's group
counts once. decomposition.py makes the parts, in one of the ways of `question.plan.Way`; planner.py says who searches them.

Two ways share nothing but the group; the tests compare them. *Anchoring* (anchors.py): a tile that every tiling uses exactly
once is kept in one placement of each orbit. Some symmetries may keep that placement in place; if they map tilings onto each
other, only the least of these tilings is taken. Without such a tile, only the least image of each tiling is taken. *Burnside*
(burnside.py): counting the tilings that each symmetry maps onto themselves.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from functools import partial
from itertools import takewhile
from math import inf
from threading import Event as Flag
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from tiler.ask import execution, planner
from tiler.ask.parts import Decomposition, Done, Maps, SearchPart, orbits_of, shares_of_work
from tiler.ask.size.search_selection import TINY
from tiler.ask.symmetry.decomposition import decomposed
from tiler.backends.base import Backend
from tiler.backends.searching.driver import ALONE_SECONDS
from tiler.cover.board import BoardCover
from tiler.cover.cover import Cover
from tiler.kernels import python_time
from tiler.model.expected import Status
from tiler.process.threads import rounds as rounds_of_threads
from tiler.question.events import NO_EXTRAS, Event, Events, Found, Progress, RunningSearch, Saved, SearchContext, finished
from tiler.question.plan import Candidate, Plan, Way
from tiler.question.question import Goal, Question
from tiler.question.result import Result, Stop

T = TypeVar("T")

_NOTHING = Done()  # no part is searched yet


def start(backend: Backend, cover: BoardCover, question: Question, context: SearchContext = NO_EXTRAS) -> RunningSearch:
    """Count or enumerate the tilings of an unfiltered cover up to symmetry; `stats["method"]` is the way that the plan takes."""
    context = context.timed()
    candidates = _Candidates(planner.rivals(backend, cover, question, context), cover, question, context)
    is_tried = question.goal is Goal.COUNT and not context.is_followed
    plan = candidates.first_plan() if is_tried else candidates.plan_by_samples()
    result = yield from candidates.by_plan(plan)
    if plan.candidates[0].nodes is not None and result.stop is Stop.NODES:
        plan = candidates.plan_by_samples()
        result = yield from candidates.by_plan(plan)
    if len(plan.candidates) == 1:
        result = execution.by_one(plan, backend, result)
    # By now it is known how the others would have been searched.
    return replace(result, plan=candidates.plan_by_samples()) if len(plan.candidates) > 1 else result


class _Candidates:
    """The backends that may answer a question, each in its way. The parts of each way are made when they are first needed, since
    that takes time."""

    def __init__(self, rivals: Sequence[Backend], cover: BoardCover, question: Question, context: SearchContext) -> None:
        self.backends = {str(backend): backend for backend in rivals}
        self._cover, self._question, self._context = cover, question, context
        self._made: dict[str, Decomposition] = {}

    def by_plan(self, plan: Plan) -> RunningSearch:
        """Search by the only candidate of a plan, or by several in turns."""
        if len(plan.candidates) == 1:
            return self._by_candidate(plan.candidates[0], self._context)
        backends = {candidate: self.backends[candidate.solver] for candidate in plan.candidates}
        threads = self._question.limits.threads
        return execution.in_turns(plan, backends, self._by_candidate, self._context, threads, self._delay)

    def first_plan(self) -> Plan:
        """The first plan of a count: a trial of `TINY` nodes by the search of a tree, since a short count needs no samples. It is
        no trial if nobody else could go on, or if the limit of nodes ends the count before."""
        first, *others = self.backends
        decomposition = self._parts(first, thorough=False)
        is_flat = self._cover.instance.dimension == 2  # In space a frontier is wider than trees are deep.
        if decomposition.method is not Way.ANCHOR and others and is_flat:
            del self.backends[first]  # Without an anchor, parts save a tree no nodes.
            return self.plan_by_samples()
        is_final = (decomposition.is_settled and not others) or (self._question.limits.nodes or TINY) < TINY
        return Plan((replace(decomposition.candidate, nodes=None if is_final else TINY),))

    def plan_by_samples(self) -> Plan:
        """The plan by samples, as far as parts are known."""
        self._made = {solver: made for solver, made in self._made.items() if made.is_settled}
        first, *others = self.backends
        dimension = self._cover.instance.dimension
        self._parts(others[0] if others and dimension == 2 else first)
        candidates = [
            self._made[solver].candidate if solver in self._made else Candidate(solver, way=None) for solver in self.backends
        ]
        if not others:
            return Plan(tuple(candidates))
        threads = self._question.limits.threads  # Both know what to do with them.
        return planner.in_turns(dimension, *(replace(candidate, threads=threads) for candidate in candidates))

    def _parts(self, solver: str, *, thorough: bool = True) -> Decomposition:
        if solver not in self._made:
            question, check_stop = self._question, self._context.check_stop
            self._made[solver] = decomposed(
                self.backends[solver], self._cover, question.goal, check_stop, question.limits.threads, thorough=thorough
            )
        return self._made[solver]

    def _delay(self, candidate: Candidate) -> float:
        """The delay in seconds after which it really begins, once its parts are known."""
        self._parts(candidate.solver)
        return next((each.delay for each in self.plan_by_samples().candidates if each.solver == candidate.solver), inf)

    def _by_candidate(self, candidate: Candidate, context: SearchContext) -> RunningSearch:
        """The search of all parts, within the nodes of a trial."""
        decomposition, question = self._parts(candidate.solver), self._question
        if candidate.nodes is not None:
            question = replace(question, limits=replace(question.limits, nodes=candidate.nodes))
        return (_search_whole if decomposition.method is Way.PLAIN else _search_parts)(decomposition, question, context)


def count(
    part: SearchPart,
    cover: Cover,
    question: Question,
    context: SearchContext = NO_EXTRAS,
    on_solution: Callable[[tuple[int, ...]], None] | None = None,
    on_found: Callable[[int], None] = lambda found: None,
) -> tuple[int, Result]:
    """The number of tilings that count, in a smaller cover taken from a part, and the result of the backend. If the question is
    to list tilings, each is handed over. `on_found` is called with the number of tilings that those found so far stand for."""
    search = _search_part(part, cover, question, context)
    with Events(search) as events:
        for event in events:
            if on_solution is not None and isinstance(event, Found):
                for options in event:
                    on_solution(options)
            elif isinstance(event, Progress):
                on_found(event.found)
    return events.result


def _search_whole(decomposition: Decomposition, question: Question, context: SearchContext) -> RunningSearch:
    """Search the only part of an answer, where there is no symmetry."""
    (part,) = decomposition.parts
    running = execution.start(part.backend, part.cover, replace(question, up_to_symmetry=False), context)
    return finished(running, lambda result: _put_together(decomposition, question, replace(result, plan=None), [result.count]))


def _put_together(decomposition: Decomposition, question: Question, result: Result, counts: Sequence[int | None]) -> Result:
    """A result with the parts, of which some are counted, and the way that it was made."""
    parts = decomposition.made_of(counts) if question.goal is Goal.COUNT else None
    return replace(
        result,
        symmetry=decomposition.order,
        parts=parts,
        stats={**result.stats, "method": decomposition.method, **decomposition.stats},
    )


def _search_parts(decomposition: Decomposition, question: Question, context: SearchContext) -> RunningSearch:
    """Search the parts one after the other, or several at once, and put their answers together."""
    saved, context = context.saved, replace(context, saved=None)
    done = Done.from_note(saved.note if saved else {})
    first, stop = done.parts, Stop.DONE
    shares = shares_of_work(decomposition.parts)
    while stop is Stop.DONE and done.parts < len(decomposition.parts):
        number = done.parts
        if _go_alongside(decomposition.parts[number:], question, context):
            outcomes = yield from _search_alongside(decomposition, question, context, done, shares)
        else:
            part, stretch = decomposition.parts[number], (sum(shares[:number]), shares[number])
            resumed = replace(context, saved=saved if number == first else None)
            outcome = yield from _search_part(part, part.cover, question, resumed, done, stretch, decomposition.divisor)
            outcomes = [outcome]
        for found, result in outcomes:
            ended = result.stop is Stop.DONE
            times = decomposition.parts[done.parts].times
            done = done.plus(times * found, result.nodes, result.stats, found if ended else None)
            if not ended:
                stop = result.stop
                break
    # If it ended early, there are at least these: tilings that are missing can only make the sum larger.
    orbits = orbits_of(done.found, decomposition.divisor) if stop is Stop.DONE else -(-done.found // decomposition.divisor)
    status = Status.SAT if orbits else Status.UNSAT if stop is Stop.DONE else Status.UNKNOWN
    count = orbits if stop is Stop.DONE else None
    result = Result(status, stop, orbits, count, nodes=done.nodes, stats=done.counters)
    return _put_together(decomposition, question, result, done.counts)


def _go_alongside(parts: Sequence[SearchPart], question: Question, context: SearchContext) -> bool:
    """Whether the parts that are left are searched several at once, each by one thread. No thread waits then for another one to
    divide its part. This is for tree searches only: a process must not be forked while threads run, and searches that merge
    states need the memory."""
    limits, backend = question.limits, parts[0].backend
    is_free = limits.threads > 1 and limits.nodes is None and question.solutions_wanted is None and not context.is_followed
    is_tree = question.goal in backend.threaded and backend.gains_by_anchor and not backend.delegates
    return question.goal is Goal.COUNT and is_free and is_tree and len(parts) > 1 and context.seconds >= ALONE_SECONDS


def _search_alongside(
    decomposition: Decomposition, question: Question, context: SearchContext, done: Done, shares: Sequence[float]
) -> Generator[Event, None, list[tuple[int, Result]]]:
    """Search the next parts by one backend, several at once, and return for each what `_search_part` returns."""
    threads, first = question.limits.threads, done.parts
    following, is_alone = decomposition.parts[first:], Flag()
    parts = list(takewhile(lambda part: part.backend == following[0].backend, following))
    sharing = replace(context, may_share=is_alone.is_set)
    searches = [_search_part(part, part.cover, question, sharing) for part in parts]
    before, theirs = sum(shares[:first]), shares[first : first + len(parts)]
    with Events(alongside(searches, threads, is_alone.set)) as rounds:
        for said in rounds:
            nodes = done.nodes + sum(each.nodes for each in said)
            found = done.found + sum(part.times * each.found for part, each in zip(parts, said, strict=True))
            fraction = before + sum(share * (each.fraction or 0.0) for share, each in zip(theirs, said, strict=True))
            yield Progress(nodes, -(-found // decomposition.divisor), fraction, done.counters)
    return rounds.result


def alongside(
    searches: Sequence[Generator[Event, None, T]], threads: int, share: Callable[[], None] = lambda: None
) -> Generator[Sequence[Progress], None, list[T]]:
    """Run searches to their ends at the same time, each by one thread, in rounds between which no thread runs. Returns their
    results. After each round it yields the last progress of each search; other events are lost. Closing the generator closes
    the searches. If one fails, the others are closed. They only read what they share. When fewer are left than threads,
    `share` is called: from then on one search at a time runs, and may be divided.
    """
    python_time.exhaust()
    said = [Progress()] * len(searches)
    running = [Events(search) for search in searches]
    ended: set[int] = set()

    def lead(number: int, until: float) -> bool:
        """Let a search go on in a round. Returns whether the search has ended; else the round is over."""
        for event in running[number]:
            if isinstance(event, Progress):
                said[number] = event
                if time.perf_counter() >= until:
                    return False
        ended.add(number)
        return True

    try:
        for _ in rounds_of_threads([partial(lead, number) for number in range(len(searches))], threads):
            yield said
            if len(searches) - len(ended) < threads:
                break
        share()
        for number in range(len(searches)):
            while number not in ended and not lead(number, 0.0):
                yield said
    finally:
        for events in running:
            events.close()
    return [events.result for events in running]


def _search_part(
    part: SearchPart,
    cover: Cover,
    question: Question,
    context: SearchContext,
    done: Done = _NOTHING,
    stretch: tuple[float, float] = (0.0, 1.0),
    divisor: int = 1,
) -> Generator[Event, None, tuple[int, Result]]:
    """Search a part, or a smaller cover taken from it, and pass on the tilings that are the least of their images. It ends when
    there are as many as the question wants, together with those of the parts before. Returns how many there were in this part,
    and what the backend said.

    `done` are the parts before this one, `stretch` is how much of all the work they were and this one is. For counting, the
    tilings of a part without symmetries need not be looked at.
    """
    looks = question.goal is not Goal.COUNT or len(part.maps) > 0
    saved = context.saved
    found = int(saved.note["least"]) if saved else 0
    before, here = stretch
    goal = Goal.ENUMERATE if looks else Goal.COUNT
    limits = replace(question.limits, solutions=None).after(done.nodes)
    asked = replace(question, goal=goal, limits=limits, up_to_symmetry=False)
    wanted = question.solutions_wanted
    last = Progress()
    with Events(execution.start(part.backend, cover, asked, context)) as events:
        for event in events:
            match event:
                case Found():
                    least = event.where(least_of_images(event.rows, part.maps))
                    if wanted is not None:
                        least, _ = least.split(wanted - done.found - found)
                    found += len(least)
                    if question.goal is not Goal.COUNT and len(least):
                        yield least
                    if wanted is not None and done.found + found >= wanted:
                        return found, Result.so_far(Stop.SOLUTIONS, found=found, nodes=last.nodes, stats=last.stats)
                case Progress():
                    last = event
                    now = -(-(done.found + part.times * (found if looks else event.found)) // divisor)
                    fraction = None if event.fraction is None else before + here * event.fraction
                    so_far = done.plus(0, event.nodes, event.stats)
                    yield Progress(so_far.nodes, now, fraction, so_far.counters, event.where)
                case Saved(arrays, note):
                    yield Saved(arrays, {**note, **done.note(), "least": found})
                case _:
                    yield event
    return found if looks else events.result.found, events.result


def least_of_images(rows: NDArray[np.int32], maps: Maps) -> NDArray[np.bool_]:
    """Marks the tilings, shape (tilings, most options), that no symmetry takes to one that comes before it. Their options are
    ascending, and shorter rows end with -1.

    >>> least_of_images(np.array([[0, 3], [1, 2], [2, -1]], np.int32), np.array([[2, 3, 0, 1]])).tolist()
    [True, False, False]
    """
    least = np.ones(len(rows), np.bool_)
    if not rows.size:
        return least
    for numbers in maps:
        looked_at = np.flatnonzero(least)
        mine = rows[looked_at]
        image = np.where(mine < 0, -1, numbers[mine]).astype(np.int32)
        image.view(np.uint32).sort(axis=1)  # -1 is the largest word.
        first = (image != mine).argmax(axis=1)[:, None]
        least[looked_at] = (np.take_along_axis(image, first, 1) >= np.take_along_axis(mine, first, 1))[:, 0]
    return least
