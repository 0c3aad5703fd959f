"""Give reasons for the answer that there is no tiling, for people: a colouring, where a search has seen no tiling and knows no
reason; or that chiral pieces were not turned over."""

from __future__ import annotations

from dataclasses import replace

from tiler.ask import planner
from tiler.ask.solve import TilingAnswer, solve
from tiler.backends.auto import Auto
from tiler.cover.board import BoardCover
from tiler.errors import InputError
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.question.question import Goal, Limits, Question

SECONDS = 0.3  #: the most seconds that a reason may take
_TURNING_SECONDS = 1.0  # in which a tiling with pieces turned over must be found


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


def turning(instance: Instance) -> str:
    """Whether pieces may be turned over, in a line; empty if no piece is chiral.

    >>> from tiler import formats
    >>> turning(formats.inline(["4x2", "4L"]))
    'pieces were not turned over; --reflections allows it'
    >>> turning(formats.inline(["4x2", "4L"], reflections=True)), turning(formats.inline(["4x2", "2"]))
    ('pieces may be turned over', '')
    """
    if instance.turned_over is None:
        return ""
    verb = "mirrored" if instance.dimension == 3 else "turned over"
    return f"pieces may be {verb}" if instance.turned_over else f"pieces were not {verb}; --reflections allows it"


def turning_in(answer: TilingAnswer) -> str:
    """The same line about an answer. Where there is no tiling, it also says whether there is one with pieces turned over, if that
    is found within a second."""
    words = turning(answer.instance)
    if answer.result.status is not Status.UNSAT or answer.instance.turned_over is not False:
        return words
    try:
        instance = replace(answer.instance, reflections=True)
    except InputError:  # Pieces that then are congruent contradict each other.
        return words
    limits = Limits(seconds=_TURNING_SECONDS, threads=answer.threads)
    found = solve(instance, question=Question(limits=limits, features=answer.features)).result
    return f"{words}, and then there is a tiling" if found.status is Status.SAT else words
