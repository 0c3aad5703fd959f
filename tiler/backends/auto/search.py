"""What `auto` does: the lattice stage first, then the candidates in turns, or the favourite alone."""

from __future__ import annotations

from dataclasses import replace

from tiler.backends.auto import Auto, portfolio
from tiler.backends.auto.portfolio import Member
from tiler.backends.auto.rules import Candidate, candidates
from tiler.backends.base import Backend
from tiler.backends.coloring import Coloring
from tiler.backends.frontier import Frontier
from tiler.backends.matching import Matching
from tiler.cover.board import BoardCover
from tiler.cover.cover import Cover
from tiler.cover.items import Kind
from tiler.errors import BadOption
from tiler.model.expected import Status
from tiler.question.events import QUIETLY, Run, Running
from tiler.question.question import Goal, Question
from tiler.question.result import Result

# The lattice stage takes milliseconds for so many, and hardly ever refutes more tiles that differ.
_MOST_PLACEMENTS, _MOST_TILES = 200_000, 8


def search(backend: Auto, cover: Cover, question: Question, run: Run) -> Running:
    """What the backend does."""
    among = backend.among.split("+")
    counts = question.goal in (Goal.COUNT, Goal.ENUMERATE)
    able = _able(backend, cover, question, run)
    if (
        (question.goal is Goal.DECIDE or counts)
        and "lattice" in among
        and not isinstance(able[0].backend, Matching)
        and isinstance(cover, BoardCover)
        and not cover.has(Kind.CORNER)
        and _suits_lattice(cover)
    ):
        lattice = Coloring(stages="area+lattice")
        for event in lattice.search(cover, question, QUIETLY):
            if not isinstance(event, Result):
                yield event
            elif event.status is Status.UNSAT:
                yield _told(replace(event, count=0 if counts else None), lattice, "a colouring shows that there is no tiling", {})
                return
    if question.goal not in (Goal.DECIDE, Goal.COUNT) or run.traces or run.saves:
        favourite = able[0]
        for event in favourite.backend.search(cover, question, run):
            yield _told(event, favourite.backend, favourite.why, {}) if isinstance(event, Result) else event
        return
    outcome = yield from portfolio.run([Member(each.backend, each.after, each.share) for each in able], cover, question, run.look)
    why = next((each.why for each in able if each.backend == outcome.winner), "nobody knew the answer")
    yield _told(outcome.result, outcome.winner, why, {str(each): seconds for each, seconds in outcome.seconds})


def favourite(backend: Auto, cover: Cover, question: Question) -> Backend:
    """The backend for parts of a search that is split: the favourite for deciding, else that for listing."""
    goal = question.goal if question.goal is Goal.DECIDE else Goal.ENUMERATE
    return candidates(cover, goal, backend.among.split("+"), matches=backend.leaves_all)[0].backend


def ways(backend: Auto, cover: Cover, question: Question, run: Run) -> list[Backend]:
    """For a count up to symmetry those of FILA and the frontier that may be asked, in this order; else none."""
    if question.goal is not Goal.COUNT or run.traces or run.saves or not isinstance(cover, BoardCover):
        return []
    able = [each.backend for each in candidates(cover, Goal.COUNT, backend.among.split("+"), matches=False)]
    return sorted((each for each in able if each.name in ("fila", "frontier")), key=lambda each: each.name)


def _suits_lattice(cover: BoardCover) -> bool:
    # A certificate is about all placements.
    return cover.is_whole and len(cover) <= _MOST_PLACEMENTS and len(cover.names) <= _MOST_TILES


def _able(backend: Auto, cover: Cover, question: Question, run: Run) -> list[Candidate]:
    """Those of the methods wanted that can do what is asked, at least one."""
    matches = backend.leaves_all and not run.traces and not run.saves
    able = [
        each
        for each in candidates(cover, question.goal, backend.among.split("+"), matches=matches)
        if (each.backend.can_trace or not run.traces) and (each.backend.can_save or not run.saves)
    ]
    if run.saves:
        # Alone, the frontier may end for lack of memory; whoever goes on for as long as it takes comes first.
        able.sort(key=lambda each: isinstance(each.backend, Frontier))
    if not able:
        raise BadOption(f"{backend.name}: nothing of among={backend.among} can do what is asked")
    return able


def _told(result: Result, backend: Backend | None, why: str, seconds: dict[str, float]) -> Result:
    """The result, saying whose it is."""
    stats = {**result.stats, "chosen": str(backend) if backend else "", "because": why}
    # FILA says itself which of its searches it was.
    stats |= {name: result.stats[name] for name in ("chosen", "because") if name in result.stats}
    return replace(result, stats={**stats, "asked": seconds} if seconds else stats)
