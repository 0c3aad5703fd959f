"""Answer questions up to symmetry: each orbit of tilings under the instance's group counts once. There are two ways, which share
nothing but the group; the tests compare them. *Anchoring* (anchors.py): a tile that every tiling uses exactly once is kept in one
placement of each orbit. Some symmetries may keep that placement in place; if they map tilings onto each other, only the least of
these tilings is taken. Without such a tile, only the least image of each tiling is taken. *Burnside* (burnside.py): counting the
tilings that each symmetry maps onto themselves.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from itertools import takewhile
from math import inf
from threading import Event as Flag

import numpy as np
from numpy.typing import NDArray

from tiler.ask import execution, planner, portfolio
from tiler.ask.subproblems import Decomposition, Done, Maps, SearchPart, shares_of_work
from tiler.ask.symmetry import decomposition
from tiler.ask.symmetry.burnside import orbits_of
from tiler.ask.symmetry.concurrent_subproblems import alongside
from tiler.ask.symmetry.decomposition import Sight
from tiler.backends.base import Backend
from tiler.backends.searching.driver import ALONE_SECONDS
from tiler.cover.board import BoardCover
from tiler.cover.cover import Cover
from tiler.model.expected import Status
from tiler.question.events import QUIETLY, Event, Events, Found, Progress, Run, Running, Saved
from tiler.question.plan import Candidate, Plan, Way
from tiler.question.question import Goal, Question
from tiler.question.result import Result, Stop


def start(backend: Backend, cover: BoardCover, question: Question, run: Run = QUIETLY, *, started: float) -> Running:
    """Count or enumerate the tilings of an unfiltered cover up to symmetry; `stats["method"]` is the way that the plan takes."""
    searcher, *others = planner.rivals(backend, cover, question, run)
    if question.goal is Goal.COUNT and not run.saves and not run.traces:
        sight = decomposition.at_first_sight([searcher, *others], cover, question, run.look)
        result = yield from _over_soon(sight, question, run, started)
        if result is not None:
            return result
        searcher, *others = sight.rivals
    if others:
        return (yield from _in_turns(searcher, others[0], cover, question, run, started))
    whole = decomposition.decomposed(searcher, cover, question.goal, run.look, question.limits.threads)
    return (yield from _start(whole, question, run, started, Plan((whole.candidate,))))


def _in_turns(searcher: Backend, merger: Backend, cover: BoardCover, question: Question, run: Run, started: float) -> Running:
    """Let two ways take turns until one is done. The parts of each way are made when they are first needed, since that takes
    time."""
    threads = question.limits.threads  # Both know what to do with them.
    rivals, known = {str(each): each for each in (searcher, merger)}, dict[str, Decomposition]()

    def whole(solver: str) -> Decomposition:
        if solver not in known:
            known[solver] = decomposition.decomposed(rivals[solver], cover, question.goal, run.look, threads)
        return known[solver]

    def now() -> Plan:
        candidates = (known[each].candidate if each in known else Candidate(each, way=None) for each in rivals)
        return planner.in_turns(cover.instance.dimension, *(replace(each, threads=threads) for each in candidates))

    def begun(candidate: Candidate, run: Run) -> Running:
        return _start(whole(candidate.solver), question, run, started)

    def delay(candidate: Candidate) -> float:
        """The delay in seconds after which it really begins, once its parts are known."""
        whole(candidate.solver)
        return next((each.delay for each in now().candidates if each.solver == candidate.solver), inf)

    whole(str(searcher) if cover.instance.dimension > 2 else str(merger))
    outcome = yield from portfolio.run({each: rivals[each.solver] for each in now().candidates}, begun, run, delay, threads)
    chosen = outcome.winner.solver if outcome.winner else ""
    return replace(outcome.result, stats={"chosen": chosen, **outcome.result.stats, "asked": outcome.seconds}, plan=now())


def _over_soon(sight: Sight, question: Question, run: Run, started: float) -> Generator[Event, None, Result | None]:
    """The answer if the search ends within a small number of nodes, else None."""
    limits = question.limits if sight.nodes is None else replace(question.limits, nodes=sight.nodes)
    now = Plan((sight.whole.candidate,), nodes=sight.nodes)
    result = yield from _start(sight.whole, replace(question, limits=limits), run, started, now)
    return None if result.stop is Stop.NODES and sight.nodes is not None else result


def _start(whole: Decomposition, question: Question, run: Run, started: float, now: Plan | None = None) -> Running:
    """The search of all parts."""
    raw = replace(question, up_to_symmetry=False)
    if whole.method is Way.PLAIN:
        (part,) = whole.parts
        search = execution.start(part.backend, part.cover, raw, run, started=started)
    else:
        search = _search(whole, raw, run, started)
    result = yield from search
    parts = whole.made_of([result.count]) if whole.method is Way.PLAIN else result.parts
    parts = parts if question.goal is Goal.COUNT else None
    stats = {**result.stats, "method": whole.method, **whole.told}
    return replace(result, symmetry=whole.order, parts=parts, stats=stats, plan=now)


def count(
    part: SearchPart,
    cover: Cover,
    question: Question,
    on_solution: Callable[[tuple[int, ...]], None] | None = None,
    on_found: Callable[[int], None] = lambda found: None,
    *,
    started: float,
) -> tuple[int, Result]:
    """The number of tilings that count, in a smaller cover taken from a part, and the result of the backend. If the question is
    to list tilings, each is handed over. `on_found` is called with the number of tilings that those found so far stand for."""
    search = _least(part, cover, question, QUIETLY, Done(), (0.0, 1.0), started, question.solutions_wanted)
    with Events(search) as events:
        for event in events:
            if on_solution is not None and isinstance(event, Found):
                for options in event:
                    on_solution(options)
            elif isinstance(event, Progress):
                on_found(event.found)
    return events.result


def _search(whole: Decomposition, question: Question, run: Run, started: float) -> Running:
    """Search the parts one after the other, or several at once, and put their answers together."""
    saved, run = run.saved, replace(run, saved=None)
    done = Done.of(saved.note if saved else {})
    first, stop = done.parts, Stop.DONE
    shares = shares_of_work(whole.parts)
    while stop is Stop.DONE and done.parts < len(whole.parts):
        number = done.parts
        if _go_alongside(whole.parts[number:], question, run, time.perf_counter() - started):
            outcomes = yield from _several(whole, question, run, done, shares, started)
        else:
            limits = replace(question.limits, solutions=None).after(done.nodes)
            part, stretch = whole.parts[number], (sum(shares[:number]), shares[number])
            here = replace(run, saved=saved if number == first else None)
            asked = replace(question, limits=limits)
            outcome = yield from _least(
                part, part.cover, asked, here, done, stretch, started, question.solutions_wanted, whole.divisor
            )
            outcomes = [outcome]
        for found, result in outcomes:
            ended = result.stop is Stop.DONE
            times = whole.parts[done.parts].times
            done = done.plus(times * found, result.nodes, result.stats, found if ended else None)
            if not ended:
                stop = result.stop
                break
    # The tilings still to come only add to the mean.
    orbits = orbits_of(done.found, whole.divisor) if stop is Stop.DONE else -(-done.found // whole.divisor)
    status = Status.SAT if orbits else Status.UNSAT if stop is Stop.DONE else Status.UNKNOWN
    count = orbits if stop is Stop.DONE else None
    return Result(status, stop, orbits, count, parts=whole.made_of(done.counts), nodes=done.nodes, stats=done.told)


def _go_alongside(parts: Sequence[SearchPart], question: Question, run: Run, seconds: float) -> bool:
    """Whether the parts that are left are searched several at once, each by one thread, given how many seconds the question
    has taken. No thread waits then for another one to divide its part. This is for tree searches only: a process must not be
    forked while threads run, and searches that merge states need the memory."""
    limits, backend = question.limits, parts[0].backend
    is_free = (
        limits.threads > 1 and limits.nodes is None and question.solutions_wanted is None and not run.saves and not run.traces
    )
    is_tree = question.goal in backend.threaded and backend.gains_by_anchor and not backend.is_open
    return question.goal is Goal.COUNT and is_free and is_tree and len(parts) > 1 and seconds >= ALONE_SECONDS


def _several(
    whole: Decomposition, question: Question, run: Run, done: Done, shares: Sequence[float], started: float
) -> Generator[Event, None, list[tuple[int, Result]]]:
    """Search the next parts by one backend, several at once, and return for each what `_least` returns."""
    threads, first = question.limits.threads, done.parts
    following, is_alone = whole.parts[first:], Flag()
    parts = list(takewhile(lambda part: part.backend == following[0].backend, following))
    here = replace(run, may_share=is_alone.is_set)
    searches = [_least(part, part.cover, question, here, Done(), (0.0, 1.0), started) for part in parts]
    before, theirs = sum(shares[:first]), shares[first : first + len(parts)]
    with Events(alongside(searches, threads, is_alone.set)) as rounds:
        for said in rounds:
            nodes = done.nodes + sum(each.nodes for each in said)
            found = done.found + sum(part.times * each.found for part, each in zip(parts, said, strict=True))
            fraction = before + sum(share * (each.fraction or 0.0) for share, each in zip(theirs, said, strict=True))
            yield Progress(nodes, -(-found // whole.divisor), fraction, done.told)
    return rounds.result


def _least(
    part: SearchPart,
    cover: Cover,
    question: Question,
    run: Run,
    done: Done,
    stretch: tuple[float, float],
    started: float,
    wanted: int | None = None,
    divisor: int = 1,
) -> Generator[Event, None, tuple[int, Result]]:
    """Search a part, or a smaller cover taken from it, and pass on the tilings that are the least of their images. It ends when
    there are as many as the question wants, together with those of the parts before. Returns how many there were in this part,
    and what the backend said.

    `done` are the parts before this one, `stretch` is how much of all the work they were and this one is. For counting, the
    tilings of a part without symmetries need not be looked at.
    """
    looks = question.goal is not Goal.COUNT or len(part.maps) > 0
    saved = run.saved
    found = int(saved.note["least"]) if saved else 0
    before, here = stretch
    asked = replace(question, goal=Goal.ENUMERATE if looks else Goal.COUNT)
    last = Progress()
    with Events(execution.start(part.backend, cover, asked, run, started=started)) as events:
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
                    yield Progress(so_far.nodes, now, fraction, so_far.told, event.where)
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
