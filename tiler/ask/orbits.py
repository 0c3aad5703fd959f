"""Answers up to symmetry: each orbit of tilings under the instance's group once.

Two ways that share nothing but the group, and agree in the tests. *Anchoring* (anchors.py): a tile that every tiling uses exactly
once is kept in one placement of each orbit; what symmetry then remains keeps that placement in place, and of the tilings it maps
onto each other only the least is taken. Without such a tile the least of all images is taken. *Burnside* (burnside.py): counting
the tilings that each symmetry maps onto themselves.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cache
from math import inf
from typing import Any

import numpy as np

from tiler.ask.anchors import anchors
from tiler.ask.burnside import burnside_parts, orbits_of
from tiler.ask.cheapest import TINY, ChosenAnchor, are_tiny, cheapest, size
from tiler.ask.parts import Done, Maps, SearchPart, shares_of_work
from tiler.backends.auto import portfolio
from tiler.backends.auto.portfolio import Member
from tiler.backends.base import Backend
from tiler.cover.action import actions, are_too_many, generators, images, symmetries_of
from tiler.cover.board import BoardCover
from tiler.cover.cover import Cover
from tiler.cover.split import Subproblem, split
from tiler.model.expected import Status
from tiler.model.symmetry import conjugacy_classes
from tiler.process.look import Look, unhurried
from tiler.question.events import QUIETLY, Event, Found, Progress, Run, Running, Saved
from tiler.question.question import Goal, Question
from tiler.question.result import Parts, Result, Stop

_SOON = 0.2  # seconds
_LEAST_SECONDS = 4.0  #: for a tree that is small, or of which it is not known how large it is


def start(backend: Backend, cover: BoardCover, question: Question, run: Run = QUIETLY, *, started: float) -> Running:
    """Count or enumerate the tilings of an unfiltered cover up to symmetry; `stats["method"]` is that of the decomposition."""
    backend, *other = backend.ways(cover, question, run)
    if question.goal is Goal.COUNT and not run.saves and not run.traces:
        plan = Decomposition.of(backend, cover, question.goal, run.look, thorough=False)
        if plan.method != "anchor" and other and cover.instance.dimension == 2:
            # In space a frontier is wider than trees are deep.
            plan, other = Decomposition.of(other[0], cover, question.goal, run.look), []
        if (yield from _over_soon(plan, question, run, started, alone=not other)):
            return
    if other:
        yield from _by_turns(backend, other[0], cover, question, run, started)
        return
    yield from _start(Decomposition.of(backend, cover, question.goal, run.look), question, run, started)


def _by_turns(searcher: Backend, merger: Backend, cover: BoardCover, question: Question, run: Run, started: float) -> Running:
    """Two plans take turns until one is done: one below an anchor, of which it is known by samples how long it takes, and one
    for Burnside's lemma that may be far quicker where boards are narrow. In the plane that has half of those seconds first, and
    then a third of all; in space, where it hardly ever is, it begins when twice as many are over. If there is no anchor the one
    has no such advantage: then the other begins almost at once, and they have equal shares. Plans take their time as well: they
    are made when they are needed first."""

    @cache
    def plan(backend: Backend) -> Decomposition:
        return Decomposition.of(backend, cover, question.goal, run.look)

    def seconds() -> float:
        return max(_LEAST_SECONDS, float(plan(searcher).told.get("estimated_seconds", 0.0)))

    def member(backend: Backend, share: float, after: float = 0.0, again: Callable[[], float] | None = None) -> Member:
        return Member(backend, after, share, lambda run: _start(plan(backend), question, run, started), again)

    if cover.instance.dimension > 2:
        alone = plan(searcher).method == "burnside"
        later = _SOON if alone else 2 * seconds()
        members = [
            member(searcher, 1.0 if alone else 2.0),
            member(merger, 1.0, later, lambda: later if plan(merger).method == "burnside" else inf),
        ]
    elif plan(merger).method == "burnside":
        members = [member(merger, 1.0), member(searcher, 2.0, _LEAST_SECONDS / 2, lambda: seconds() / 2)]
    else:
        members = [member(searcher, 1.0)]
    outcome = yield from portfolio.run(members, cover, question, run.look)
    asked = {str(backend): taken for backend, taken in outcome.seconds}
    chosen = str(outcome.winner) if outcome.winner else ""
    yield replace(outcome.result, stats={"chosen": chosen, **outcome.result.stats, "asked": asked})


def _over_soon(plan: Decomposition, question: Question, run: Run, started: float, *, alone: bool) -> Generator[Event, None, bool]:
    """Whether the answer is there after a small number of nodes, or whatever else ends the search: then it is passed on. If not,
    the plan may be worth a thought; one that there is no choice about, and no other beside it, goes on to its end."""
    limits = question.limits
    brief = limits if (plan.is_settled and alone) or (limits.nodes or TINY) < TINY else replace(limits, nodes=TINY)
    with closing(_start(plan, replace(question, limits=brief), run, started)) as search:
        for event in search:
            if isinstance(event, Result) and event.stop is Stop.NODES and brief is not limits:
                return False
            yield event
    return True


def _start(plan: Decomposition, question: Question, run: Run, started: float) -> Running:
    """The search by a plan."""
    raw = replace(question, up_to_symmetry=False)
    if plan.method == "plain":
        (part,) = plan.parts
        search = part.backend.start(part.cover, raw, run, started=started)
    else:
        search = _search(plan, raw, run, started)
    with closing(search):
        for event in search:
            if isinstance(event, Result):
                parts = plan.made_of([event.count]) if plan.method == "plain" else event.parts
                parts = parts if question.goal is Goal.COUNT else None
                stats = {**event.stats, "method": plan.method, **plan.told}
                yield replace(event, symmetry=plan.order, parts=parts, stats=stats)
            else:
                yield event


@dataclass(frozen=True)
class Decomposition:
    """The parts that an answer up to symmetry is made of: it is the sum of their numbers of tilings, divided by `divisor`.

    `method` is `anchor`, `canonical`, `burnside` or (for a group of one) `plain`; `order` is that of the group. Only `burnside`
    divides, and then only for counting. `told` says in the statistics which plan it is and why; a plan is settled if it would be
    the same after more thought.
    """

    method: str
    order: int
    parts: tuple[SearchPart, ...]
    divisor: int = 1
    told: Mapping[str, Any] = field(default_factory=dict)  #: what was chosen, and why
    is_settled: bool = True  #: whether another choice, with more thought, would be the same
    solver: str = ""  #: the full spec of the backend that it is for, with the anchor that was chosen
    generators: tuple[tuple[int, ...], ...] = ()  #: of the group, if that is small: where each takes the cells

    def made_of(self, counts: Sequence[int | None]) -> Parts:
        """What a count is made of, with the numbers of the first parts."""
        left = [None] * (len(self.parts) - len(counts))
        times = tuple(part.times for part in self.parts)
        return Parts(self.solver, self.method, self.divisor, None, times, (*counts, *left), self.digest, self.generators)

    @property
    def digest(self) -> str:
        """A fingerprint of what the parts are: their options, and the symmetries under which tilings are compared."""
        told = hashlib.sha256()
        for part in self.parts:
            cover = part.cover
            for array in (cover.origin, cover.tile, cover.members.starts, cover.members.values, part.maps):
                told.update(repr(array.shape).encode() + np.asarray(array, np.int64).tobytes())
        return told.hexdigest()[:16]

    def split(self, pieces: int) -> tuple[Subproblem, ...]:
        """The parts split into at least so many subproblems, where they have that many."""
        return split([part.cover for part in self.parts], pieces)

    @classmethod
    def of(
        cls, backend: Backend, cover: BoardCover, goal: Goal, look: Look = unhurried, *, thorough: bool = True
    ) -> Decomposition:
        """The parts for a backend; the anchor is the tile that its option names, else the one that leaves least to search, or,
        unless this is to be `thorough`, that with the fewest placements."""
        made = cls._of(backend, cover, goal, look, thorough=thorough)
        return made if made.solver else replace(made, solver=backend.spec)

    @classmethod
    def _of(cls, backend: Backend, cover: BoardCover, goal: Goal, look: Look, *, thorough: bool) -> Decomposition:
        plain = replace(backend, anchor="off")
        symmetries = symmetries_of(cover, look)
        if are_too_many(cover, len(symmetries)) and goal is Goal.COUNT and backend.anchor == "off":
            classes = conjugacy_classes(cover.instance.wrap, symmetries, look)
            turned, maps = images(cover, [each for each, _ in classes], look)
            fixed = burnside_parts(plain, cover, turned, maps, [number for _, number in classes], look)
            if fixed is not None:
                return cls("burnside", len(symmetries), fixed, len(symmetries))
        turned, maps = actions(cover, look)
        order = len(maps)
        by = generators(turned[:, : len(cover.cells)])
        if order == 1:
            return cls("plain", order, (SearchPart(plain, cover, maps[1:]),))
        asked = backend.anchor not in ("off", "auto")
        found = anchors(plain, cover, maps, backend.anchor, look)
        first = next(found, None)
        choice = cheapest(plain, cover, [first, *(found if thorough else ())], look) if first is not None else None
        if goal is Goal.COUNT and not asked and (choice is None or _is_cheaper_whole(plain, cover, choice, look)):
            fixed = burnside_parts(plain, cover, turned, maps, look=look)
            if fixed is not None and (choice is None or are_tiny(fixed[1:], look)):
                return cls("burnside", order, fixed, order, generators=by)
        if choice is None:
            return cls("canonical", order, (SearchPart(plain, cover, maps[1:]),), generators=by)
        anchor, searching = choice.anchor, plain.by_rule(cover)
        name, why = cover.names[anchor.tile], "it was asked for" if asked else choice.why
        told = {"anchor": name, "anchor_because": f"{why}; {anchor.orbits} placements up to symmetry"}
        if searching != plain:
            told |= {"chosen": str(searching), "because": "it suits the form of the board"}
        is_settled = thorough or (asked and searching == plain)
        if thorough:
            searching, tuned = plain.tuned(cover, [keep for keep, _ in anchor.split], look)
            told |= tuned
        if (searching.numbering(cover) != plain.numbering(cover)).any():
            # Of each orbit the placement is kept that its own numbering says, as where it is asked by its name.
            (anchor,) = anchors(searching, cover, maps, name, look)
        solver = replace(searching, anchor=name).spec
        return cls("anchor", order, anchor.parts(searching, cover), 1, told, is_settled, solver, by)


def _is_cheaper_whole(backend: Backend, cover: Cover, choice: ChosenAnchor, look: Look) -> bool:
    """Whether the whole is sooner searched than all parts of a search split by an anchor."""
    return not backend.gains_by_anchor or (choice.nodes is not None and choice.nodes > size(backend, cover, look))


def count(
    part: SearchPart,
    cover: Cover,
    question: Question,
    on_solution: Callable[[tuple[int, ...]], None] | None = None,
    on_found: Callable[[int], None] = lambda found: None,
    *,
    started: float,
) -> tuple[int, Result]:
    """The tilings that count of a smaller cover taken from a part, and what the backend said; where the question is to list them,
    each is handed over. `on_found` is told meanwhile for how many tilings those found so far stand."""
    running = _least(part, cover, question, QUIETLY, Done(), (0.0, 1.0), started, question.solutions_wanted)
    while True:
        try:
            event = next(running)
        except StopIteration as end:  # The value that a generator returns.
            found, result = end.value
            return found, result
        if on_solution is not None and isinstance(event, Found):
            on_solution(event.options)
        elif isinstance(event, Progress):
            on_found(event.found)


def _search(plan: Decomposition, question: Question, run: Run, started: float) -> Running:
    """Search the parts one after the other, and put together what they come to."""
    saved, run = run.saved, replace(run, saved=None)
    done = Done.of(saved.note if saved else {})
    first, stop = done.parts, Stop.DONE
    shares = shares_of_work(plan.parts)
    for number in range(first, len(plan.parts)):
        limits = replace(question.limits, solutions=None)
        if limits.nodes is not None:
            limits = replace(limits, nodes=max(1, limits.nodes - done.nodes))
        part, stretch = plan.parts[number], (sum(shares[:number]), shares[number])
        here = replace(run, saved=saved if number == first else None)
        asked = replace(question, limits=limits)
        found, result = yield from _least(
            part, part.cover, asked, here, done, stretch, started, question.solutions_wanted, plan.divisor
        )
        done = done.plus(part.times * found, result.nodes, result.stats, found if result.stop is Stop.DONE else None)
        if result.stop is not Stop.DONE:
            stop = result.stop
            break
    # The tilings still to come only add to the mean.
    orbits = orbits_of(done.found, plan.divisor) if stop is Stop.DONE else -(-done.found // plan.divisor)
    status = Status.SAT if orbits else Status.UNSAT if stop is Stop.DONE else Status.UNKNOWN
    count = orbits if stop is Stop.DONE else None
    yield Result(status, stop, orbits, count, parts=plan.made_of(done.counts), nodes=done.nodes, stats=done.told)


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
    """Search a part, or a smaller cover taken from it, and pass on the tilings that are the least of their images.

    Ends when there are as many as the question wants, those of the parts before included. Returns how many there were in this
    part, and what the backend said.

    `done` are the parts before this one, `stretch` is how much of all the work they were and this one is. Counting needs no look
    at the tilings of a part without symmetries.
    """
    looks = question.goal is not Goal.COUNT or len(part.maps) > 0
    saved = run.saved
    found = int(saved.note["least"]) if saved else 0
    before, here = stretch
    asked = replace(question, goal=Goal.ENUMERATE if looks else Goal.COUNT)
    last, result = Progress(), Result.so_far(Stop.ERROR, found=0)
    with closing(part.backend.start(cover, asked, run, started=started)) as running:
        for event in running:
            match event:
                case Found(options):
                    if _is_least(sorted(options), part.maps):
                        found += 1
                        if question.goal is not Goal.COUNT:
                            yield event
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
                case Result():
                    result = event
                case _:
                    yield event
    return found if looks else result.found, result


def _is_least(mine: list[int], maps: Maps) -> bool:
    """Whether no symmetry takes a tiling, its options sorted, to one that comes before it."""
    return all(sorted(image) >= mine for image in maps[:, mine].tolist())
