"""Define the backend `backtracking`. It is simple on purpose: the other searches are compared with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tiler.backends.backtracking import cell_orders
from tiler.backends.base import Implementation, TreeSearchBackend, option
from tiler.backends.registry import register
from tiler.backends.searching.tree import Tree
from tiler.process.cancellation import StopCheck, never_stop
from tiler.question.question import Question

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tiler.cover.cover import Cover


@register
@dataclass(frozen=True)
class Backtracking(TreeSearchBackend):
    """Cover the first open cell in every possible way, and go on from there.

    The cells are taken in the order of `cells`: row after row unless another order is asked for. For each cell there is a list of
    the placements whose first cell it is; since all cells before the first open one are covered, no other placement can cover it.
    The order of cells changes the tree, and the number of nodes. A tile whose copies are used up is passed over, and so is
    a placement that would leave too few cells for the copies of other tiles that must still be used. The `order` of a list
    decides how soon a solution is found, not how many there are. A node is a placement that fits and is made.

    Source: the simple solver of the Tiler thesis (2022) and its four orders of tiles.
    """

    name: ClassVar[str] = "backtracking"

    order: str = option(
        "default",
        "which tiles are tried first: as given, those with most copies, those with fewest, those that cover most of the row",
        choices=("default", "frequent", "rare", "fill-row"),
    )
    cells: str = option(
        cell_orders.ROWS,
        "which cell is next: rows, columns, spiral (from outside in), or an order of your own: a file with the "
        "map of the board, a number for each cell, the least one first, and . where there is no cell",
        check=cell_orders.error_in,
        of_file=cell_orders.of_file,
        tries=(cell_orders.COLUMNS, cell_orders.SPIRAL),
    )

    @classmethod
    def implementation(cls) -> Implementation:
        from tiler.backends.backtracking.search import search

        return search

    def tree(self, cover: Cover, check_stop: StopCheck = never_stop) -> Tree:
        from tiler.backends.backtracking.search import BacktrackingSearch

        check_stop()
        return BacktrackingSearch(self, cover)

    def refusal(self, question: Question, cover: Cover | None = None) -> str | None:
        reason = super().refusal(question, cover)
        if reason is not None or self.cells == cell_orders.ROWS or cover is None:
            return reason
        from tiler.cover.board import BoardCover

        if not isinstance(cover, BoardCover):
            return f"cells={self.cells} needs a board, not a general exact cover"
        return cell_orders.refusal(self.cells, cover.lattice, cover.instance.board)

    def numbering(self, cover: Cover) -> NDArray[np.int64]:
        if self.cells == cell_orders.ROWS:
            return super().numbering(cover)
        from tiler.cover.board import on_board

        return cell_orders.ranks(self.cells, on_board(cover, f"cells={self.cells}"))
