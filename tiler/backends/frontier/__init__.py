"""Define the backend `frontier`: a dynamic programme in which a state stands for all partial tilings with the same rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tiler.backends.base import Backend, Implementation, option
from tiler.backends.registry import register
from tiler.question.question import Goal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tiler.cover.cover import Cover


@register
@dataclass(frozen=True)
class Frontier(Backend):
    """Merge all partial tilings that have the same remaining problem, and count them together.

    The cells have a fixed order, and the first open cell is always covered next. The remaining problem depends on the first open
    cell, the covered cells beyond it (the profile), and the copies in use of tiles with bounds that can bind. Each combination of
    these three is a state, with the exact number of ways to reach it; there is no search tree. A profile is dropped if it
    closes off a region of a size that no tiles add up to: this is not necessary, but saves work. The work does not depend on the
    number of tilings. It is at most cells x 2^width if no tile has to be counted; otherwise it grows with the choices of tiles
    left. So the backend suits narrow boards and repeated tiles.

    A count goes through the states in the order of their first open cells, and keeps the states that are still ahead. If few
    tiles are counted, it keeps them in hash tables. If many are, it goes from both ends at once along the graph of all profiles,
    with a list of keys for each profile, and joins the two halves where they meet. If states are images of each other by a
    symmetry that keeps the fill order, it keeps one of them. To list tilings, to count them by portion, to count the uses of
    placements and to draw tilings at random, the backend keeps all states, and goes back from the last one; mostly it makes a
    decision diagram of all tilings, which has no dead ends. To decide, or to find a given number of tilings, it searches depth
    first, and never enters a state again that failed. A node is a state. A count that needs more than the memory limit (by
    default half of the free memory) ends there.

    Marks on sides become some additional cells in the fill order (pins), which placements cover by patterns: so a profile has the
    marks along the frontier. Symmetries are not used then.

    Source: the transfer-matrix method (Klarner and Pollack, 1980); frontiers in Knuth, The Art of Computer Programming 4A, 7.1.4.
    """

    name: ClassVar[str] = "frontier"
    goals: ClassVar[frozenset[Goal]] = frozenset({Goal.DECIDE, Goal.COUNT, Goal.ENUMERATE, Goal.SAMPLE, Goal.USES, Goal.TALLY})
    needs_board: ClassVar[bool] = True
    knows_colours: ClassVar[bool] = True
    gains_by_anchor: ClassVar[bool] = False  # Most states occur in every part.
    can_save: ClassVar[bool] = True
    threaded: ClassVar[frozenset[Goal]] = frozenset({Goal.COUNT, Goal.ENUMERATE, Goal.SAMPLE, Goal.USES, Goal.TALLY})

    order: str = option(
        "auto",
        "in which order cells are covered: along the axes, diagonals, breadth first from an end, or the best of all",
        choices=("auto", "axes", "diagonal", "breadth"),
    )

    @classmethod
    def implementation(cls) -> Implementation:
        from tiler.backends.frontier.dispatch import search

        return search

    def numbering(self, cover: Cover) -> NDArray[np.int64]:
        from tiler.backends.frontier.shared import order
        from tiler.cover.board import on_board

        board = on_board(cover, self.name)
        return order.choose(board, self.order)
