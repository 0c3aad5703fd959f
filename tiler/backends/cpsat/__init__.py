"""Define the backend `cpsat`, which gives the cover as a constraint program to the solver of OR-Tools."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tiler.backends.base import Backend, Implementation, option
from tiler.backends.cpsat.models import MODELS
from tiler.backends.registry import register
from tiler.question.question import Goal, Question

if TYPE_CHECKING:
    from tiler.cover.cover import Cover


def _check_workers(number: int) -> str | None:
    return None if 1 <= number <= 1024 else "it must be from 1 to 1024"


@register
@dataclass(frozen=True)
class Cpsat(Backend):
    """A constraint program that has the tilings as its solutions, and Google's CP-SAT.

    With `model=placements` a Boolean means that a placement is made: exactly one per cell, and for a tile with bounds their sum.
    With `geometric` each copy of a tile has a variant and a position, and their rectangles do not overlap; copies are in order,
    and optional where they need not be used. With `automaton` each cell and copy has a Boolean, and an automaton per copy accepts
    the rows of the board, read one after the other, if they hold one of its variants.

    Marks of sides are for `placements`: a Boolean for each side and mark, at most one of them for a side, which every placement
    that gives the mark implies.

    Redundant but helpful: the order of copies, which also makes every tiling one solution.

    `workers` are threads of CP-SAT's own, whatever the number of threads of the question: more of them mean other strategies
    beside the first. Counting and enumerating leave the search to CP-SAT, which is complete with one worker only. `nodes` are its
    branches.

    Source: the constraint models of the Tiler thesis (2022), for `geometric` the one with geost; for `automaton` Lagerkvist and
    Pesant, Modeling irregular shape placement problems with regular constraints, 2008.
    """

    name: ClassVar[str] = "cpsat"
    goals: ClassVar[frozenset[Goal]] = frozenset({Goal.DECIDE, Goal.COUNT, Goal.ENUMERATE, Goal.OPTIMISE})
    has_process: ClassVar[bool] = True
    knows_colours: ClassVar[bool] = True
    requires: ClassVar[tuple[str, ...]] = ("ortools",)

    model: str = option("placements", "what the variables are", choices=tuple(MODELS))
    workers: int = option(1, "threads, for deciding only", check=_check_workers, tries=(2,))
    seed: int = option(0, "CP-SAT's seed; the seed of the run is added", tries=(3,))

    @classmethod
    def implementation(cls) -> Implementation:
        from tiler.backends.cpsat.search import search

        return search

    def refusal(self, question: Question, cover: Cover | None = None) -> str | None:
        if self.workers > 1 and question.goal in (Goal.COUNT, Goal.ENUMERATE):
            # We measured that it loses solutions then, and still says that it has found all.
            return f"workers={self.workers}: CP-SAT can {question.goal} with one worker only"
        instance = getattr(cover, "instance", None)
        if self.model != "placements" and instance is not None and not instance.has_boxes:
            return f"model={self.model} is made for flat boards of squares and cubes; use model=placements"
        if self.model != "placements" and cover is not None and cover.coloured is not None:
            return f"model={self.model} knows no marks of sides, and no colours of items; use model=placements"
        if self.model == "automaton" and instance is not None and instance.is_painted:
            return "model=automaton knows tiles by their cells alone, not by colours; use model=placements"
        return super().refusal(question, cover)

    def weighs(self, cover: Cover) -> bool:
        return self.model == "placements"
