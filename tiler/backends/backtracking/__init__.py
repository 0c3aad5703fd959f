"""Define the backend `backtracking`. It is simple on purpose: the other searches are compared with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tiler.backends.base import TreeSearchBackend, option
from tiler.backends.registry import register


@register
@dataclass(frozen=True)
class Backtracking(TreeSearchBackend):
    """Cover the first open cell in every possible way, and go on from there.

    The cells are taken in the board's order. For each cell there is a list of the placements whose first cell it is; since all
    cells before the first open one are covered, no other placement can cover it. A tile whose copies are used up is passed over,
    and so is a placement that would leave too few cells for the copies of other tiles that must still be used. The `order` of a
    list decides how soon a solution is found, not how many there are. A node is a placement that fits and is made.

    Source: the simple solver of the Tiler thesis (2022) and its four orders of tiles.
    """

    name: ClassVar[str] = "backtracking"
    implementation: ClassVar[str] = "tiler.backends.backtracking.search:search"

    order: str = option(
        "default",
        "which tiles are tried first: as given, those with most copies, those with fewest, those that cover most of the row",
        choices=("default", "frequent", "rare", "fill-row"),
    )
