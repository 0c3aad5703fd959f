"""Ask about one box by two methods: one of them finds a tiling, or two of them show that there is none. The searches are made one
after the other, until one finds a tiling or two of them are complete: dancing links, a SAT engine, which writes a DRUP proof,
states of the frontier, and image lists in a fixed order, for boxes where proofs are too long and states too many. They share the
list of placements, but no code that searches.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from tiler.ask.solve import solve
from tiler.errors import BadSolution
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.tile import Placements
from tiler.process.cancellation import Stopped
from tiler.question.certificate import Certificate
from tiler.question.drup import Drup
from tiler.question.events import Progress
from tiler.question.question import Goal, Question
from tiler.question.result import Result, Stop

#: In the order in which they are asked, with the goal for which each gives a proof if it can.
SEARCHES = {"dlx": Goal.DECIDE, "sat": Goal.PROVE, "frontier": Goal.DECIDE, "fila": Goal.DECIDE}
_WANTED = 2


class Method(NamedTuple):
    """What one search says."""

    solver: str
    status: Status
    nodes: int
    seconds: float


class Twofold(NamedTuple):
    """What they say together."""

    status: Status
    methods: tuple[Method, ...]
    tiling: Placements | None = None
    proof: Certificate | Drup | None = None


def decide(instance: Instance, question: Question, on_tick: Callable[[Progress], bool]) -> Twofold:
    """Ask the searches, each within the limits of the question, whose goal does not matter. BadSolution if they disagree, Stopped
    if the caller ends it."""
    methods: list[Method] = []
    proof: Certificate | Drup | None = None
    for solver, goal in SEARCHES.items():
        answer = solve(instance, solver, replace(question, goal=goal), on_tick=on_tick)
        result: Result = answer.result
        if result.stop is Stop.INTERRUPTED:
            raise Stopped(result.stop)
        methods.append(Method(solver, result.status, result.nodes, answer.solve_seconds))
        proof = result.certificate or proof
        refuted = sum(method.status is Status.UNSAT for method in methods)
        if answer.solutions:
            if refuted:
                raise BadSolution(f"{methods[-1].solver} found a tiling where {methods[-2].solver} says that there is none")
            return Twofold(Status.SAT, tuple(methods), answer.solutions[0])
        if refuted == _WANTED:
            break
    return Twofold(Status.UNSAT if refuted else Status.UNKNOWN, tuple(methods), proof=proof)
