"""Define the backend `strips`, which puts a large rectangle or box together from strips of few rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tiler.backends.base import Backend, Implementation, option
from tiler.backends.registry import register
from tiler.question.question import Goal, Question

if TYPE_CHECKING:
    from tiler.cover.cover import Cover


@register
@dataclass(frozen=True)
class Strips(Backend):
    """Tile strips of few rows, and lay them side by side.

    A strip is a rectangle of k rows (in space a bar of k cells across), k being small. One sweep of the frontier along such a
    strip says for all lengths at once whether it can be tiled: there the state without covered cells beyond occurs again. Whether
    lengths add up to a side of the board is the coin problem: strips laid end to end make a longer strip; strips of the same
    length, laid side by side, a rectangle; in space bars make slabs, and slabs a box. If no heights add up, a part is cut off
    whose strips lie the other way. A board that is no box is cut into boxes, which are tiled one by one.

    The answer is a tiling or *unknown*, never that there is none: tilings that no straight cut divides are found only if they are
    `widest` cells across or less. Refused is what is not put together like this: cells that are no squares or cubes, boards with
    seams, constraints, paint or cells that stay open, tiles whose copies are counted, and boards that are many boxes. A node is a
    state of a sweep.

    Sources: Klarner, Packing a rectangle with congruent N-ominoes, 1969; the transfer-matrix method (Klarner and Pollack, 1980).
    """

    name: ClassVar[str] = "strips"
    goals: ClassVar[frozenset[Goal]] = frozenset({Goal.DECIDE})
    complete: ClassVar[bool] = False
    needs_board: ClassVar[bool] = True
    gains_by_anchor: ClassVar[bool] = False
    threaded: ClassVar[frozenset[Goal]] = frozenset({Goal.DECIDE})

    widest: int = option(14, "the most cells across a strip", tries=(3,))

    @classmethod
    def implementation(cls) -> Implementation:
        from tiler.backends.strips.search import search

        return search

    def refusal(self, question: Question, cover: Cover | None = None) -> str | None:
        reason = super().refusal(question, cover)
        if reason is not None or cover is None:
            return reason
        from tiler.backends.strips.boxes import refusal
        from tiler.cover.board import on_board

        return refusal(on_board(cover, self.name))
