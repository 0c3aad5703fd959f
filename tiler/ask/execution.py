"""Carry out a plan (planner.py): first the provers (`Plan.before`), then one candidate, or several in turns. A candidate may
be a trial: if it takes long, samples choose how the search goes on."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import replace
from functools import partial

from tiler.ask import first_packings, planner, portfolio
from tiler.backends.base import Backend
from tiler.cover.cover import Cover
from tiler.model.expected import Status
from tiler.question.events import NO_EXTRAS, Event, Events, Progress, RunningSearch, SearchContext, finished
from tiler.question.plan import Candidate, Plan
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Result


def start(backend: Backend, cover: Cover, question: Question, context: SearchContext = NO_EXTRAS) -> RunningSearch:
    """Start a search, as `Backend.start` does. If the backend `delegates`, a plan says who searches the cover that its filters
    leave. A backend that was asked for by its name puts no plan into its result: the session does."""
    if not backend.delegates:
        return backend.start(cover, question, context)
    if question.goal is not Goal.OPTIMISE:
        return backend.start(cover, question, context, search=partial(_search_reduced, backend))
    context = context.timed()
    plan = planner.plan(backend, cover, question, context)
    (candidate,) = plan.candidates
    searcher = planner.backend_of(candidate, backend)
    if searcher is not backend:
        searcher = replace(searcher, filter=backend.filter)

    def search(cover: Cover) -> RunningSearch:
        running = searcher.start(cover, question, context, search=partial(_search_reduced, searcher))
        return finished(running, partial(by_one, plan, backend))

    first = planner.packs_first(candidate, backend, cover, question, context)
    if first is None:
        return search(cover)
    beam = replace(planner.backend_of(first, backend), filter=backend.filter)
    return finished(first_packings.searched(beam, search, cover, question, context), partial(_planned, first))


def _planned(first: Candidate, result: Result) -> Result:
    """The result with a plan, if it has none since the candidate that was asked first has answered."""
    return result if result.plan is not None else _with_plan(result, Plan((first,)), first)


def _search_reduced(backend: Backend, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
    """Search a cover that is reduced already, after a short trial by a plan."""
    first = planner.first_trial(backend, cover, question, context)
    if first is None:
        return _by_plan(backend, cover, question, context)
    return _with_first_trial(first, backend, cover, question, context)


def _with_first_trial(
    first: Candidate, backend: Backend, cover: Cover, question: Question, context: SearchContext
) -> RunningSearch:
    """Search by a plan what a short trial does not answer."""
    known = yield from _first_tried(first, planner.backend_of(first, backend), cover, question, context)
    if known is not None:
        return _with_plan(known, Plan((first,)), first)
    result = yield from _by_plan(backend, cover, question, context)
    return result if result.plan is None else replace(result, plan=replace(result.plan, before=(first, *result.plan.before)))


def _by_plan(backend: Backend, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
    """Search by a plan, which is made here."""
    plan = planner.plan(backend, cover, question, context)
    candidate, *others = plan.candidates
    if plan.before or others or candidate.nodes is not None:
        return _search_by_several(plan, backend, cover, question, context)
    searcher = planner.backend_of(candidate, backend)
    return searcher.run_search(cover, question, context, partial(by_one, plan, backend))


def _first_tried(
    candidate: Candidate, backend: Backend, cover: Cover, question: Question, context: SearchContext
) -> Generator[Event, None, Result | None]:
    """The answer of a search, which has some number of nodes or no limit; None if it ends without one."""
    asked = replace(question, limits=Limits(solutions=question.limits.solutions, nodes=candidate.nodes))
    with Events(backend.run_search(cover, asked, context)) as events:
        for event in events:
            if isinstance(event, Progress) and candidate.nodes is not None and event.nodes >= candidate.nodes:
                return None
            yield event
    return None if events.result.status is Status.UNKNOWN else events.result


def _search_by_several(plan: Plan, backend: Backend, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
    """Search by a plan of several searches: provers first, which may show that there is no solution; then one, or several in
    turns."""
    for prover in plan.before:
        result = yield from planner.backend_of(prover, backend).search(cover, question, NO_EXTRAS)
        if result.status is Status.UNSAT:
            return _with_plan(result if question.goal is Goal.DECIDE else replace(result, count=0), plan, prover)
    backends = {candidate: planner.backend_of(candidate, backend) for candidate in plan.candidates}
    if len(backends) == 1:
        ((candidate, searcher),) = backends.items()
        return by_one(plan, backend, (yield from _tried(candidate, searcher, cover, question, context)))

    def search(candidate: Candidate, context: SearchContext) -> RunningSearch:
        asked, searcher = replace(question, limits=replace(question.limits, threads=candidate.threads)), backends[candidate]
        return (_chosen_when_begun if searcher.delegates else _tried)(candidate, searcher, cover, asked, context)

    return (yield from in_turns(plan, backends, search, context, question.limits.threads))


def _chosen_when_begun(
    candidate: Candidate, backend: Backend, cover: Cover, question: Question, context: SearchContext
) -> RunningSearch:
    """Search by a candidate that leaves open which search: to choose one takes some milliseconds."""
    chosen = planner.with_search(candidate, backend, cover, question, context)
    result = yield from _tried(chosen, planner.backend_of(chosen, backend), cover, question, context)
    return _with_plan(result, Plan((chosen,)), chosen)


def _tried(candidate: Candidate, backend: Backend, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
    """Search by a candidate. When its trial is over, the search goes on, or samples prefer another one."""
    chosen = candidate
    if candidate.nodes != 0:
        with Events(backend.run_search(cover, question, context)) as events:
            for event in events:
                if isinstance(event, Progress) and chosen.nodes is not None and event.nodes >= chosen.nodes:
                    chosen = planner.after_trial(candidate, cover, question, context)
                    if chosen.solver != candidate.solver:
                        break
                yield event
            else:
                return events.result if chosen is candidate else _with_plan(events.result, Plan((chosen,)), chosen)
    else:
        chosen = planner.after_trial(candidate, cover, question, context)
    result = yield from planner.backend_of(chosen, backend).run_search(cover, question, context)
    return _with_plan(result, Plan((chosen,)), chosen)


def in_turns(
    plan: Plan,
    backends: Mapping[Candidate, Backend],
    search: portfolio.Start,
    context: SearchContext,
    threads: int,
    delay_of: Callable[[Candidate], float] = lambda candidate: candidate.delay,
) -> RunningSearch:
    """Let the candidates of a plan `search` in turns. The candidate that ends first gives the answer. `backends` are those that
    the candidates name; see `portfolio.run` about the rest."""
    outcome = yield from portfolio.run(backends, search, context, delay_of, threads)
    winner = outcome.winner or Candidate("", "no solver found the answer")
    result = _with_plan(outcome.result, plan, winner)
    return replace(result, stats={**result.stats, "asked": outcome.seconds}) if outcome.seconds else result


def by_one(plan: Plan, asked: Backend, result: Result) -> Result:
    """The result of the only candidate of a plan for a backend, with the plan; after a trial that is the plan of what went on."""
    if result.is_known_beforehand:
        return result
    if result.plan is not None:
        plan = replace(plan, candidates=result.plan.candidates)
    (candidate,) = plan.candidates
    return replace(result, plan=plan) if candidate.solver == str(asked) else _with_plan(result, plan, candidate)


def _with_plan(result: Result, plan: Plan, chosen: Candidate) -> Result:
    """The result with its plan, and with the name of its solver, unless the result has it already, as it does after a trial."""
    missing = {name: value for name, value in chosen.stats.items() if name not in result.stats}
    return replace(result, stats={**result.stats, **missing}, plan=plan)
