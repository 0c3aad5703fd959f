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


def start(backend: Backend, cover: Cover, question: Question, run: Run = QUIETLY) -> Running:
    """Start a search, as `Backend.start` does. If the backend leaves the choice of solver open, the search is by a plan for the
    filtered cover."""
    if not backend.is_open:
        return backend.start(cover, question, run)
    search = partial(_search, backend)
    if question.goal is not Goal.OPTIMISE:
        return backend.start(cover, question, run, search=search)
    plan = planner.of(backend, cover, question, run)
    by = planner.backend_of(plan.candidates[0], backend)
    if by == backend:
        return _planned(backend.start(cover, question, run, search=search), plan)
    by = replace(by, filter=backend.filter)
    return _planned(by.start(cover, question, run), plan, plan.candidates[0].told)


def _search(backend: Backend, cover: Cover, question: Question, run: Run) -> Running:
    """Search a cover that is reduced already."""
    plan = planner.of(backend, cover, question, run, run.look)
    for prover in plan.before:
        known = yield from _refuted(planner.backend_of(prover, backend), cover, question)
        if known is not None:
            return _with_plan(known, plan, prover.told)
    search = _in_turns if len(plan.candidates) > 1 else _alone
    return (yield from search(backend, plan, cover, question, run))


def _searched_by(backend: Backend, cover: Cover, question: Question, run: Run) -> Running:
    """Start the search of a candidate, which may itself leave the choice of solver open."""
    return _search(backend, cover, question, run) if backend.is_open else backend.searched(cover, question, run)


def _refuted(prover: Backend, cover: Cover, question: Question) -> Generator[Event, None, Result | None]:
    """The answer of a prover if it shows that there is no solution, else None."""
    result = yield from prover.search(cover, question, QUIETLY)
    if result.status is not Status.UNSAT:
        return None
    return result if question.goal is Goal.DECIDE else replace(result, count=0)


def _alone(backend: Backend, plan: Plan, cover: Cover, question: Question, run: Run) -> Running:
    """Search with the one candidate. If the search turns out to be long, the plan is made again, and may prefer another
    candidate."""
    by = planner.backend_of(plan.candidates[0], backend)
    better = None
    with Events(_searched_by(by, cover, question, run)) as events:
        for event in events:
            if isinstance(event, Progress) and plan.nodes is not None and event.nodes >= plan.nodes:
                plan = planner.of(backend, cover, question, run, run.look, by_samples=True)
                better = planner.backend_of(plan.candidates[0], backend)
                if better != by:
                    break
            yield event
        else:
            return _with_plan(events.result, plan, plan.candidates[0].told)
    result = yield from _searched_by(better, cover, question, run)
    return _with_plan(result, plan, plan.candidates[0].told)


def _in_turns(backend: Backend, plan: Plan, cover: Cover, question: Question, run: Run) -> Running:
    """Let the candidates take turns. The candidate that ends first gives the answer."""
    asked = {candidate: planner.backend_of(candidate, backend) for candidate in plan.candidates}

    def start(candidate: Candidate, run: Run) -> Running:
        limits = replace(question.limits, threads=candidate.threads)
        return _searched_by(asked[candidate], cover, replace(question, limits=limits), run)

    outcome = yield from portfolio.run(asked, start, run, threads=question.limits.threads)
    winner = outcome.winner or Candidate("", "no solver found the answer")
    return _with_plan(outcome.result, plan, winner.told, {"asked": outcome.seconds} if outcome.seconds else {})


def _with_plan(result: Result, plan: Plan, chosen: Mapping[str, Any], more: Mapping[str, Any] = NOTHING) -> Result:
    """The result with the name of its solver, unless the result has it already, as it does where a solver chose another one."""
    missing = {name: value for name, value in chosen.items() if name not in result.stats}
    return replace(result, stats={**result.stats, **missing, **more}, plan=plan)


def _planned(search: Running, plan: Plan, chosen: Mapping[str, Any] = NOTHING) -> Running:
    """Run a search, and add the plan to its result."""
    result = yield from search
    return _with_plan(result, plan, chosen)
