"""Answer questions by the frontier: choose the method for each goal, keep to the memory budget, and report progress."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from tiler.amounts import storage
from tiler.backends.frontier import Frontier
from tiler.backends.frontier.diagram.arcs import StatesInTables
from tiler.backends.frontier.diagram.solution_diagram import SolutionDiagram
from tiler.backends.frontier.halves.meet_in_the_middle import Halves
from tiler.backends.frontier.lists.layers import Layers
from tiler.backends.frontier.shared import order
from tiler.backends.frontier.shared.budgeted import MEBIBYTE, Budgeted, budget_of
from tiler.backends.frontier.shared.depth_first import FrontierSearch
from tiler.backends.frontier.shared.model import Model
from tiler.backends.frontier.shared.symmetries import Symmetries
from tiler.backends.frontier.tables.hash_tables import Tables
from tiler.backends.searching.driver import drive
from tiler.cover.board import BoardCover
from tiler.cover.diagram_operations import option_counts
from tiler.cover.diagram_tally import DiagramTally, PortionCodes
from tiler.model.expected import Status
from tiler.process.cancellation import StopCheck, never_stop
from tiler.question.events import NO_EXTRAS, Found, Progress, RunningSearch, Saved, SearchContext
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Result, Stop

_PAUSE_SECONDS = 0.02  # between two reports of progress, while tilings are listed
_LOOK_SECONDS = 0.005  # the least time between two reports of progress, unless states are saved
_TIMES_PAIRS = 2  # how many times the bytes of the pairs of a tally are needed, while those of a layer are merged

_MORE_MEMORY = "a higher memory limit gives it more"


def search(backend: Frontier, cover: BoardCover, question: Question, context: SearchContext) -> RunningSearch:
    """Choose the method for a question, and return its search."""
    model = Model.of(cover, backend.order, context.check_stop)
    budget, threads = budget_of(question.limits), threads_of(question.limits)
    if question.goal is Goal.COUNT:
        symmetries = Symmetries.of(cover, model, context.check_stop)
        others = _in_other_orders(backend, cover, model, context)
        left = partial(budget_of, question.limits) if question.limits.megabytes else None
        return _count(model, budget, threads=threads, symmetries=symmetries, others=others, left=left, context=context)
    is_list = question.goal is Goal.ENUMERATE and question.limits.solutions is None
    if not is_list and question.goal not in (Goal.USES, Goal.SAMPLE, Goal.TALLY):
        return _search(model, question, context, budget)
    if question.goal is Goal.SAMPLE and Tables.suits(model):
        return _sample(
            StatesInTables(model, budget=budget, threads=threads, check_stop=context.check_stop, with_ways=True), question
        )
    whole = SolutionDiagram(model, budget=budget, threads=threads, check_stop=context.check_stop)
    if is_list:
        return _enumerate(whole, question, context)
    if question.goal is Goal.TALLY:
        return _tally(whole, cover, question)
    return _uses(whole, cover, context.check_stop) if question.goal is Goal.USES else _sample(whole, question)


def threads_of(limits: Limits) -> int:
    """The number of threads that a search may have. It is one if nodes are limited: several threads could not stop exactly at
    the limit."""
    return limits.threads if limits.nodes is None else 1


def _search(model: Model, question: Question, context: SearchContext, budget: int) -> RunningSearch:
    """Search depth first for as many tilings as the question wants."""
    search = FrontierSearch(model, budget)
    result = yield from drive(search, question, context)
    if not search.short:
        return result
    message = f"{_shortage(budget)}; {_MORE_MEMORY}"
    return Result.so_far(Stop.MEMORY, found=search.found(), nodes=result.nodes, stats=result.stats, message=message)


def _in_other_orders(
    backend: Frontier, cover: BoardCover, model: Model, context: SearchContext
) -> list[tuple[Model, Symmetries]]:
    """Models of the cover in other fill orders, in which a count in halves may be cheaper, with their symmetries. Empty if the
    count does not go in halves."""
    if Tables.suits(model) or not Halves.suits(model) or context.saves:
        return []
    ranks = order.candidates(cover, backend.order, context.check_stop)[1:]
    models = [Model.of(cover, check_stop=context.check_stop, rank=rank) for rank in ranks]
    return [(each, Symmetries.of(cover, each, context.check_stop)) for each in models if Halves.suits(each)]


def _count(
    model: Model,
    budget: int,
    *,
    threads: int,
    symmetries: Symmetries | None = None,
    others: Sequence[tuple[Model, Symmetries]] = (),
    left: Callable[[], int] | None = None,
    context: SearchContext = NO_EXTRAS,
) -> RunningSearch:
    """Count the tilings: with hash tables if states are single words, else in two halves if the model suits, else by layers.
    A count by layers also replaces the halves if states are to be saved, or if the memory does not suffice for the halves."""
    tables = Tables.suits(model)
    if not tables and not context.saves and Halves.suits(model):
        halves = Halves(model, symmetries, others, budget=budget, left=left, threads=threads, since=context.begun)
        yield from _progress(halves.build(), halves)
        if not halves.short:
            return _counted(halves.total(), halves)
        del halves
    states = (Tables if tables else Layers)(model, symmetries, budget=budget, threads=threads)
    if context.saved is not None:
        states.restore(context.saved.arrays)
    for event in _progress(states.build(), states, often=context.saves):
        if not context.saves:
            yield event
        elif states.is_settled:
            yield Saved(states.arrays(), {})
            yield event
    return _unfinished(states, shortage_of(states)) if states.short else _counted(states.total(), states)


def _tally(whole: SolutionDiagram, cover: BoardCover, question: Question) -> RunningSearch:
    """Count the tilings of each portion along the decision diagram."""
    yield from _progress(whole.build(), whole)
    tallying = DiagramTally(whole.diagram, PortionCodes.of(cover, question.tally_by))
    for fraction in () if whole.short else tallying.steps():
        if not whole.affords(_TIMES_PAIRS * tallying.bytes):
            break
        whole.peak = max(whole.peak, whole.bytes + tallying.bytes)
        yield Progress(
            whole.states, 0, fraction, whole.stats(), f"{fraction:.0%} of the tally, {storage(whole.bytes + tallying.bytes)}"
        )
    if whole.short:
        return _unfinished(whole, shortage_of(whole))
    found = tallying.portions()
    return replace(_counted(sum(found.values()), whole), tally=found)


def _uses(whole: SolutionDiagram, cover: BoardCover, check_stop: StopCheck = never_stop) -> RunningSearch:
    """Count all tilings, and for each option the tilings that use it."""
    yield from _progress(whole.build(), whole)
    if whole.short:
        return _unfinished(whole, shortage_of(whole))
    by_option = {int(cover.origin[option]): number for option, number in option_counts(whole.diagram, check_stop).items()}
    return replace(_counted(whole.total(), whole), uses=by_option)


def _enumerate(whole: SolutionDiagram, question: Question, context: SearchContext) -> RunningSearch:
    """List all tilings along the decision diagram. If the diagram does not fit into memory, search depth first."""
    yield from _progress(whole.build(), whole)
    if whole.short:
        model, budget = whole.model, whole.budget
        del whole
        return (yield from _search(model, question, context, budget))
    found, paused = 0, time.perf_counter()
    for block in whole.diagram.blocks():
        found += len(block)
        yield block
        now = time.perf_counter()
        if now - paused > _PAUSE_SECONDS:
            yield Progress(whole.states, found, stats=whole.stats())
            paused = time.perf_counter()
    return Result.of_search(question, found=found, exhausted=True, nodes=whole.states, stats=whole.stats())


def _sample(states: SolutionDiagram | StatesInTables, question: Question) -> RunningSearch:
    """Draw tilings at random with the question's seed. All tilings are equally likely; a tiling can be drawn again."""
    yield from _progress(states.build(), states)
    if states.short:
        return _unfinished(states, shortage_of(states))
    total = states.total()
    if not total:
        return _counted(0, states)
    stats, found = {**states.stats(), "tilings": total}, 0
    for options in states.drawn(question.seed):
        if options is not None:
            found += 1
            yield Found(options)
        if found == question.samples:
            break
        yield Progress(states.states, found, found / question.samples, stats)
    return Result(Status.SAT, Stop.SOLUTIONS, question.samples, nodes=states.states, stats=stats)


def _progress(going_on: Iterable[float], states: Budgeted, *, often: bool = False) -> Iterator[Progress]:
    """Take all steps of `going_on`, and report progress: at each step if `often`, else only if the last report is some
    milliseconds old."""
    looked = -1.0
    for fraction in going_on:
        if often or time.perf_counter() - looked >= _LOOK_SECONDS:
            looked = time.perf_counter()
            yield Progress(states.states, 0, fraction, states.stats(), states.where)


def _counted(count: int, states: Budgeted) -> Result:
    return Result(Status.SAT if count else Status.UNSAT, Stop.DONE, count, count, nodes=states.states, stats=states.stats())


def _unfinished(states: Budgeted, message: str) -> Result:
    return Result.so_far(Stop.MEMORY, found=0, nodes=states.states, stats=states.stats(), message=message)


def shortage_of(layers: Budgeted) -> str:
    where = f"cell {layers.position:,} of {layers.model.cells:,}"
    return f"{_shortage(layers.budget)} at {where}, with {layers.states:,} states; {_MORE_MEMORY}"


def _shortage(budget: int) -> str:
    return f"the {budget / MEBIBYTE:,.0f} MiB there are for states do not suffice"
