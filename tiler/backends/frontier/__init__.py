"""The frontier dynamic programme as a backend: the work is done in tiler/frontier, here it is put together."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from tiler.backends.base import Backend, option, register
from tiler.errors import BadOption
from tiler.question.events import Events
from tiler.question.question import Goal, Question
from tiler.question.result import Result
from tiler.question.watch import look_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tiler.cover.cover import ExactCover


def _check_folder(name: str) -> str | None:
    return None if name == "off" or Path(name).is_dir() else "there is no such folder"


@register
@dataclass(frozen=True)
class Frontier(Backend):
    """Merge all partial tilings that leave the same to be done, and count them together.

    Cells are covered in a fixed order, always the first open one. What remains depends on the first open cell, the covered cells
    beyond it (the profile) and the copies in use of those tiles whose bounds can bind. There is a state for each of these
    combinations, with the exact number of ways to reach it, and no tree. Redundant but helpful: a profile that closes off a
    region of a size that no tiles add up to is dropped. The work does not depend on the number of tilings; it is at most cells x
    2^width where no tile has to be counted, and grows with the choices of tiles left where some have. So it suits narrow boards
    and repeated tiles.

    Counting goes through the states in layers, enumerating then back from the last one, without dead ends. Deciding, and finding
    the first so many tilings, is a depth-first search that never enters a state twice that failed. A node is a state. A count
    that needs more than the memory limit, or half of the memory that is free, goes on in sorted runs in the folder `spill`.

    Source: the transfer-matrix method (Klarner and Pollack, 1980); frontiers in Knuth, The Art of Computer Programming 4A, 7.1.4.
    """

    name: ClassVar[str] = "frontier"
    imports: ClassVar[tuple[str, ...]] = ("tiler.backends.frontier.answer",)

    order: str = option(
        "auto",
        "in which order cells are covered: along the axes, diagonals, breadth first from an end, or the best of all",
        choices=("auto", "axes", "diagonal", "breadth"),
    )
    threads: int = option(1, "1 or 2 threads to merge states", check=lambda n: None if n in (1, 2) else "it must be 1 or 2")
    spill: str = option("off", "a folder for the states of a count that do not fit into memory", check=_check_folder)
    draw: bool = option(False, "enumerate tilings drawn at random, all equally likely, as many as the limit asks for")
    uses: bool = option(False, "with a count, also the number of tilings that use each placement, in the statistics")

    def numbering(self, cover: ExactCover) -> NDArray[np.int64]:
        from tiler.backends.frontier import order

        return order.choose(cover, self.order)

    def search(self, cover: ExactCover, question: Question, events: Events) -> Result:
        from tiler.backends.frontier import answer
        from tiler.backends.frontier.model import Model

        if self.draw and question.goal is Goal.ENUMERATE and question.limits.solutions is None:
            raise BadOption(f"{self.name}: draw=on needs to know how many tilings to draw; give a limit of solutions")
        model = Model.of(cover, self.order, look_of(events))
        budget = answer.budget_of(question.limits)
        if question.goal is Goal.COUNT:
            spill = None if self.spill == "off" else Path(self.spill)
            return answer.count(
                model, events, budget, threads=self.threads, spill=spill, origin=cover.origin if self.uses else None
            )
        if question.goal is Goal.ENUMERATE and self.draw:
            return answer.draw(model, question, events, budget, self.threads)
        if question.goal is Goal.ENUMERATE and question.limits.solutions is None:
            return answer.enumerate_all(model, question, events, budget, self.threads)
        return answer.search(model, question, events, budget)
