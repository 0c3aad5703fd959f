"""Plain backtracking, simple on purpose: what the other searches are compared with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from tiler.backends.base import Backend, option, register
from tiler.backends.compiled import drive
from tiler.query import Events, Goal, Query, Result

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tiler.cover import ExactCover


@register
@dataclass(frozen=True)
class Backtracking(Backend):
    """Cover the first open cell in every possible way, and go on from there.

    The cells are taken in the board's order. For each cell there is a list of the placements whose first cell it is; since all
    cells before the first open one are covered, no other placement can cover it. A tile whose copies are used up is passed over,
    and so is a placement that would leave too few cells for the copies of other tiles that must still be used. The `order` of a
    list decides how soon a solution is found, not how many there are. A node is a placement that fits and is made.

    Source: the simple solver of the Tiler thesis (2022) and its four orders of tiles.
    """

    name: ClassVar[str] = "backtracking"
    can_trace: ClassVar[bool] = True
    can_save: ClassVar[bool] = True
    imports: ClassVar[tuple[str, ...]] = ("tiler.kernels.backtracking",)

    order: str = option(
        "default",
        "which tiles are tried first: as given, those with most copies, those with fewest, those that cover most of the row",
        choices=("default", "frequent", "rare", "fill-row"),
    )

    def search(self, cover: ExactCover, query: Query, events: Events) -> Result:
        import numpy as np

        from tiler.kernels import backtracking as kernel

        starts, options = _lists(cover, self.order)
        cells = len(cover.cells)
        state = np.zeros(5, np.int64)
        state[kernel.SLACK] = cells - cover.sizes @ cover.lower
        chosen = np.zeros(cells + 1, np.int32)
        own: dict[str, NDArray[Any]] = {
            "covered": np.zeros(cells, np.uint8),
            "used": np.zeros(len(cover.tiles), np.int64),
            "next": np.zeros(cells + 1, np.int64),
            "cells": np.zeros(cells + 1, np.int64),
            "chosen": chosen,
            "state": state,
        }
        members = (cover.members.starts, cover.members.values, cover.tile)
        arrays: tuple[Any, ...] = (starts, options, *members, cover.sizes, cover.lower, cover.upper, *own.values())

        def step(budget: int) -> int:
            arguments = (*arrays, budget, query.goal is not Goal.COUNT)
            return int(kernel.search(*arguments))

        return drive(
            query,
            events,
            step=step,
            nodes=lambda: int(state[kernel.NODES]),
            found=lambda: int(state[kernel.FOUND]),
            chosen=lambda: tuple(chosen[: state[kernel.DEPTH]].tolist()),
            arrays=lambda: own,
        )


def _lists(cover: ExactCover, order: str) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """For each cell the placements that have it as their first, in the order to be tried, one list after the other."""
    import numpy as np

    if order == "fill-row":
        rows = [[-sum(cell[:-1] == min(shape)[:-1] for cell in shape) for shape in variants] for variants in cover.variants]
        keys = np.array([rows[t][v] for t, v in zip(cover.tile.tolist(), cover.variant.tolist(), strict=True)], np.int64)
    else:
        keys = {"default": 0, "frequent": -1, "rare": 1}[order] * cover.upper[cover.tile]
    first = cover.members.values[cover.members.starts[:-1]]
    starts = np.concatenate([[0], np.cumsum(np.bincount(first, minlength=len(cover.cells)))]).astype(np.int64)
    return starts, np.lexsort((keys, first)).astype(np.int32)
