"""Carry out one search by its plan (planner.py): first the solvers that the plan asks first, then one candidate, or several in
turns."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from tiler.ask import planner, portfolio
from tiler.backends.base import Backend
from tiler.cover.cover import Cover
from tiler.model.expected import Status
from tiler.question.events import QUIETLY, Event, Events, Progress, Run, Running
from tiler.question.plan import Candidate, Plan
from tiler.question.question import Goal, Question
from tiler.question.result import NOTHING, Result


def start(backend: Backend, cover: Cover, question: Question, run: Run = QUIETLY, *, started: float | None = None) -> Running:
    """Start a search, as `Backend.start` does. If the backend leaves the choice of solver open, the search is by a plan for the
    filtered cover."""
    if not backend.is_open:
        return backend.start(cover, question, run, started=started)
    search = partial(_search, backend)
    if question.goal is not Goal.OPTIMISE:
        return backend.start(cover, question, run, started=started, search=search)
    now = planner.of(backend, cover, question, run)
    by = planner.backend_of(now.candidates[0], backend)
    if by == backend:
        return _planned(backend.start(cover, question, run, started=started, search=search), now)
    by = replace(by, filter=backend.filter)
    return _planned(by.start(cover, question, run, started=started), now, now.candidates[0].told)


def _search(backend: Backend, cover: Cover, question: Question, run: Run) -> Running:
    """Search a cover that is reduced already."""
    now = planner.of(backend, cover, question, run, run.look)
    for each in now.before:
        known = yield from _refuted(planner.backend_of(each, backend), cover, question)
        if known is not None:
            return _told(known, now, each.told)
    search = _in_turns if len(now.candidates) > 1 else _alone
    return (yield from search(backend, now, cover, question, run))


def _by(backend: Backend, cover: Cover, question: Question, run: Run) -> Running:
    """Start the search of a candidate, which may itself leave the choice of solver open."""
    return _search(backend, cover, question, run) if backend.is_open else backend.searched(cover, question, run)


def _refuted(prover: Backend, cover: Cover, question: Question) -> Generator[Event, None, Result | None]:
    """The answer of a prover if it shows that there is no solution, else None."""
    result = yield from prover.search(cover, question, QUIETLY)
    if result.status is not Status.UNSAT:
        return None
    return result if question.goal is Goal.DECIDE else replace(result, count=0)


def _alone(backend: Backend, now: Plan, cover: Cover, question: Question, run: Run) -> Running:
    """Search with the one candidate. If the search turns out to be long, the plan is made again, and may prefer another
    candidate."""
    by = planner.backend_of(now.candidates[0], backend)
    better = None
    with Events(_by(by, cover, question, run)) as events:
        for event in events:
            if isinstance(event, Progress) and now.nodes is not None and event.nodes >= now.nodes:
                now = planner.of(backend, cover, question, run, run.look, by_samples=True)
                better = planner.backend_of(now.candidates[0], backend)
                if better != by:
                    break
            yield event
        else:
            return _told(events.result, now, now.candidates[0].told)
    result = yield from _by(better, cover, question, run)
    return _told(result, now, now.candidates[0].told)


def _in_turns(backend: Backend, now: Plan, cover: Cover, question: Question, run: Run) -> Running:
    """Let the candidates take turns. The candidate that ends first gives the answer."""
    asked = {each: planner.backend_of(each, backend) for each in now.candidates}

    def start(candidate: Candidate, run: Run) -> Running:
        limits = replace(question.limits, threads=candidate.threads)
        return _by(asked[candidate], cover, replace(question, limits=limits), run)

    outcome = yield from portfolio.run(asked, start, run, threads=question.limits.threads)
    winner = outcome.winner or Candidate("", "no solver found the answer")
    return _told(outcome.result, now, winner.told, {"asked": outcome.seconds} if outcome.seconds else {})


def _told(result: Result, now: Plan, chosen: Mapping[str, Any], more: Mapping[str, Any] = NOTHING) -> Result:
    """The result with the name of its solver, unless the result has it already, as it does where a solver chose another one."""
    missing = {name: value for name, value in chosen.items() if name not in result.stats}
    return replace(result, stats={**result.stats, **missing, **more}, plan=now)


def _planned(search: Running, now: Plan, chosen: Mapping[str, Any] = NOTHING) -> Running:
    """Run a search, and add the plan to its result."""
    result = yield from search
    return _told(result, now, chosen)
