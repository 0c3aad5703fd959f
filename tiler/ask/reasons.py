"""Give a reason for the answer of `auto` that there is no tiling, for people: a search that saw no tiling has none."""

from __future__ import annotations

from dataclasses import replace

from tiler.ask import planner
from tiler.ask.solve import TilingAnswer, solve
from tiler.backends.auto import Auto
from tiler.cover.board import BoardCover
from tiler.model.expected import Status
from tiler.question.question import Goal, Limits, Question

SECONDS = 0.3  #: the most seconds that a reason may take


def with_reason(answer: TilingAnswer) -> TilingAnswer:
    """The answer, with a colouring that shows that there is no tiling, if `auto` answered without one and one is found soon. Its
    seconds and its solver stay those of the search."""
    result = answer.result
    is_bare = result.status is Status.UNSAT and result.count is None and not result.message and not answer.features
    if not is_bare or not answer.solver.startswith(f"{Auto.name}:"):
        return answer
    if not planner.suits_lattice(BoardCover.of(answer.instance), Goal.DECIDE):
        return answer
    proof = solve(answer.instance, planner.LATTICE.solver, Question(limits=Limits(seconds=SECONDS))).result
    if proof.status is not Status.UNSAT:
        return answer
    return replace(answer, result=replace(result, message=proof.message, certificate=proof.certificate))
