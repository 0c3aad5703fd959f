"""Say in which way a question with chiral pieces was asked, and whether an answer would change if these could be turned over."""

from __future__ import annotations

from dataclasses import replace

from tiler.ask.solve import TilingAnswer, solve
from tiler.errors import InputError
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.question.question import Limits, Question

PATIENCE = 1.0  #: seconds in which a tiling with pieces turned over must be found


def in_words(instance: Instance) -> str:
    """Whether pieces may be turned over, in a line; empty if no piece is chiral.

    >>> from tiler import formats
    >>> in_words(formats.inline(["4x2", "4L"]))
    'pieces were not turned over; --reflections allows it'
    >>> in_words(formats.inline(["4x2", "4L"], reflections=True)), in_words(formats.inline(["4x2", "2"]))
    ('pieces may be turned over', '')
    """
    if instance.turned_over is None:
        return ""
    verb = "mirrored" if instance.dimension == 3 else "turned over"
    return f"pieces may be {verb}" if instance.turned_over else f"pieces were not {verb}; --reflections allows it"


def of_answer(answer: TilingAnswer) -> str:
    """The same line about an answer. Where there is no tiling, it also says whether there is one with pieces turned over, if that
    is found within a second."""
    words = in_words(answer.instance)
    if answer.result.status is Status.UNSAT and answer.instance.turned_over is False and _can_be_tiled(answer):
        return f"{words}, and then there is a tiling"
    return words


def _can_be_tiled(answer: TilingAnswer) -> bool:
    """Whether a tiling with pieces turned over is found soon."""
    try:
        instance = replace(answer.instance, reflections=True)
    except InputError:  # Pieces that then are congruent contradict each other.
        return False
    limits = Limits(seconds=PATIENCE, threads=answer.threads)
    return solve(instance, question=Question(limits=limits, features=answer.features)).result.status is Status.SAT
