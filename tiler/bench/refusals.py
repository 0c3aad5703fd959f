"""Find out which questions solvers refuse, before they are asked. The placements of each problem are listed for this."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tiler.amounts import counted
from tiler.backends.base import Backend
from tiler.backends.registry import parse_spec
from tiler.bench.general_cover import GeneralCover
from tiler.bench.job import Job
from tiler.cover.board import BoardCover
from tiler.cover.cover import Cover
from tiler.errors import TilerError
from tiler.grouping import grouped
from tiler.model.instance import Instance
from tiler.question.question import Question

_MOST = 100_000  # cells times tiles: placements of larger problems take long to list
_NAMED = 3  # the most problems that are named


@dataclass(frozen=True)
class Refusal:
    """A solver that is not asked about a problem, and why."""

    solver: str
    problem: str
    reason: str


def divided(jobs: Sequence[Job]) -> tuple[tuple[Job, ...], tuple[Refusal, ...]]:
    """The jobs that their solvers do not refuse, and the refusals of the others, each once."""
    backends = {job.solver: parse_spec(job.solver) for job in jobs}
    asked = {job.instance.digest: (job.instance, job.question) for job in jobs}
    reasons = {digest: _refusals(instance, backends, question) for digest, (instance, question) in asked.items()}
    refusals = (Refusal(job.solver, job.name, why) for job in jobs if (why := reasons[job.instance.digest].get(job.solver)))
    return tuple(job for job in jobs if job.solver not in reasons[job.instance.digest]), tuple(dict.fromkeys(refusals))


def cover_of(problem: Instance | GeneralCover) -> Cover | None:
    """The cover of a problem; None if its placements take long to list."""
    if isinstance(problem, GeneralCover):
        return problem.cover
    return None if len(problem.board) * len(problem.tiles) > _MOST else BoardCover.of(problem)


def _refusals(problem: Instance | GeneralCover, backends: Mapping[str, Backend], question: Question) -> dict[str, str]:
    """The reasons of the solvers that refuse a question about a problem. Where listing takes long, the runs find out."""
    try:
        cover = cover_of(problem)
        if cover is None:
            return {}
        reasons = {solver: backend.refusal(backend.search_question(question), cover) for solver, backend in backends.items()}
    except TilerError:  # The runs say what is wrong.
        return {}
    return {solver: reason for solver, reason in reasons.items() if reason is not None}


def in_words(refusals: Iterable[Refusal]) -> list[str]:
    """A sentence for each solver and reason.

    >>> in_words([Refusal("matching:filter=off", f"mixed/{n}_s", "it is made for tiles of two cells") for n in (1, 2)])
    ['matching is not asked about mixed/1_s and mixed/2_s: it is made for tiles of two cells']
    """
    problems = grouped(((refusal.solver.partition(":")[0], refusal.reason), refusal.problem) for refusal in refusals)
    return [
        f"{solver} is not asked about {' and '.join(some) if len(some) <= _NAMED else counted(len(some), 'problem')}: {reason}"
        for (solver, reason), some in problems.items()
    ]
