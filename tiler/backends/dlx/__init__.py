"""Define the backend `dlx`: Knuth's Algorithm X with multiplicities. FILA can begin with it and take over later."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tiler.backends.base import Implementation, TreeSearchBackend, option
from tiler.backends.registry import register
from tiler.backends.schedule import error_in
from tiler.backends.searching.tree import Tree
from tiler.cover.items import ItemKind
from tiler.errors import suggest
from tiler.process.cancellation import StopCheck, never_stop
from tiler.question.question import Goal, Question

if TYPE_CHECKING:
    from tiler.cover.cover import Cover


def _order_error(text: str) -> str | None:
    return error_in(
        text, lambda rule: None if rule in RULES else f"{rule!r} is no rule{suggest(rule, RULES)}; there are {', '.join(RULES)}"
    )


RULES = ("mrv", "first", "forced", "cells")


@register
@dataclass(frozen=True)
class Dlx(TreeSearchBackend):
    """Branch on the item with the fewest options left: a cell that must be covered, or a tile that must be used.

    An option is a placement, an item a cell (covered exactly once) or a tile (used between its bounds, one item however many
    copies). Once a tile is used up, or too large for the cells not owed to tiles that must still be used, its options are gone;
    where an item has no option left, the search turns back. Ties go to the first item in the order cells, then tiles. A node is
    an option placed; `fits` counts them by the pieces left. Where 64 cells are open and 704 options left at most, the options of
    all items are counted by words of bits; the search tree stays the same.

    `copies=named` is the encoding of the Tiler thesis, for comparison; it can only decide. Every copy of a tile is an item of
    its own, used at most once, and each placement an option once for every copy. Its three optimisations: where the areas
    match, every copy is used exactly once; a tile with copies enough to fill the board has no such items; and the j-th copy is
    not placed before the j-th position. Each can be switched off: `equal`, `uncounted`, `staggered`.

    `order=cells` looks at cells only, not at how many options a tile has: of the last pieces tiles are hardly ever better, and
    counting takes time. `order=first` branches on the first open cell. So does `order=forced`, unless some cell has one option
    left or none; it looks at no tiles either. A schedule such as `mrv+cells:6` changes over as pieces are used up. With
    `volume=N`, while more than N pieces are left, placements go that leave a region no set of the pieces left can fill: that is
    looked at after every placement (Busche, FILA, 2018).

    Options that give an item two colours are not placed together: each rules the others out, as Algorithm C does by purifying.

    `parity=on` colours the cells like a checkerboard, and turns back where the open cells of one colour outnumber the others by
    more than the tiles left can, all their copies together.

    Source: Knuth, The Art of Computer Programming 4B, section 7.2.2.1, Algorithms X, C and M; the Tiler thesis (2022).
    """

    name: ClassVar[str] = "dlx"

    order: str = option(
        "mrv",
        "which item is next: mrv, first, forced, cells, or a schedule such as mrv+cells:6",
        check=_order_error,
        tries=("first", "forced", "cells", "mrv+cells:2", "mrv+forced:3", "first+mrv:4"),
    )
    copies: str = option("merged", "the copies of a tile are one item, or named as in the thesis", choices=("merged", "named"))
    equal: bool = option(True, "of named copies: all are used exactly once where the areas match")
    uncounted: bool = option(True, "of named copies: a tile with copies enough to fill the board has none")
    staggered: bool = option(True, "of named copies: the j-th is not placed before the j-th position")
    volume: int = option(0, "filter by the size of regions while more than N pieces are left; 0 for never", tries=(1, 3))
    parity: bool = option(False, "turn back where the tiles left cannot make up the imbalance of colours")

    @classmethod
    def implementation(cls) -> Implementation:
        from tiler.backends.dlx.search import search

        return search

    def tree(self, cover: Cover, check_stop: StopCheck = never_stop) -> Tree:
        from tiler.backends.dlx.search import tree

        return tree(self, cover, check_stop)

    def refusal(self, question: Question, cover: Cover | None = None) -> str | None:
        if self.copies == "named" and question.goal not in (Goal.DECIDE, Goal.OPTIMISE):
            # Two tilings that differ only in the names of their copies are the same tiling.
            return f"copies=named can only decide; to {question.goal} use copies=merged"
        off = [name for name in ("equal", "uncounted", "staggered") if not getattr(self, name)]
        if off and self.copies != "named":
            return f"{off[0]}=off is about named copies; add copies=named"
        if self.volume and self.copies == "named":
            return f"volume={self.volume} is about pieces without names; use copies=merged"
        if self.volume and cover is not None and ItemKind.CELL not in cover.kinds:
            return f"volume={self.volume} needs a board, not a general exact cover"
        return super().refusal(question, cover)
