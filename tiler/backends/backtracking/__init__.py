"""Plain backtracking, simple on purpose: what the other searches are compared with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from tiler.backends.base import Backend, option, register
from tiler.backends.drive import drive, fraction_done
from tiler.question.events import Events
from tiler.question.question import Goal, Question
from tiler.question.result import Result

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tiler.backends.base import Tree
    from tiler.cover.cover import ExactCover


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
    can_estimate: ClassVar[bool] = True
    imports: ClassVar[tuple[str, ...]] = ("tiler.backends.backtracking.kernel",)

    order: str = option(
        "default",
        "which tiles are tried first: as given, those with most copies, those with fewest, those that cover most of the row",
        choices=("default", "frequent", "rare", "fill-row"),
    )

    def search(self, cover: ExactCover, question: Question, events: Events) -> Result:
        search = BacktrackingSearch(cover, self.order)
        return drive(
            question,
            events,
            step=lambda budget: search.step(budget, question.goal is not Goal.COUNT),
            nodes=search.nodes,
            found=search.found,
            chosen=search.chosen,
            fraction=search.fraction,
            arrays=lambda: search.arrays,
        )

    def tree(self, cover: ExactCover) -> Tree:
        return BacktrackingSearch(cover, self.order)


class _Node(NamedTuple):
    """A node of the tree, from which everything below follows."""

    cell: int  #: the first open one
    slack: int
    covered: NDArray[np.uint8]
    used: NDArray[np.int64]


class BacktrackingSearch:
    """A search that is stopped and resumed at will."""

    def __init__(self, cover: ExactCover, order: str) -> None:
        import numpy as np

        from tiler.backends.backtracking import kernel

        self._kernel = kernel
        self._starts, options = _lists(cover, order)
        cells = len(cover.cells)
        self.arrays: dict[str, NDArray[Any]] = {
            "covered": np.zeros(cells, np.uint8),
            "used": np.zeros(len(cover.tiles), np.int64),
            "next": np.zeros(cells + 1, np.int64),
            "cells": np.zeros(cells + 1, np.int64),
            "chosen": np.zeros(cells + 1, np.int32),
            "state": np.zeros(5, np.int64),
        }
        self._covered, self._used, self._next, self._cells, self._chosen, self._state = self.arrays.values()
        self._state[kernel.SLACK] = cells - cover.sizes @ cover.lower
        members = (cover.members.starts, cover.members.values, cover.tile)
        self._arguments = (self._starts, options, *members, cover.sizes, cover.lower, cover.upper, *self.arrays.values())

    def step(self, budget: int, stop_at_solutions: bool = True) -> int:
        """Search on for at most so many nodes; EXHAUSTED, PAUSED or SOLUTION."""
        arguments: tuple[Any, ...] = (*self._arguments, budget, stop_at_solutions)
        return int(self._kernel.search(*arguments))

    def nodes(self) -> int:
        return int(self._state[self._kernel.NODES])

    def found(self) -> int:
        return int(self._state[self._kernel.FOUND])

    def chosen(self) -> tuple[int, ...]:
        """The options placed, in this order."""
        return tuple(self._chosen[: self._state[self._kernel.DEPTH]].tolist())

    def fraction(self) -> float:
        """The part of the tree that is done, as if all placements in a list were equal."""
        depth = int(self._state[self._kernel.DEPTH])
        cells = self._cells[:depth]
        first = self._starts[cells]
        return fraction_done(self._starts[cells + 1] - first, self._next[:depth] - first - 1)

    def root(self) -> _Node | None:
        return self._node(0)

    def child(self) -> _Node | None:
        return self._node(1)

    def _node(self, depth: int) -> _Node | None:
        cell = int(self._cells[depth])
        if cell == len(self._covered):
            return None
        return _Node(cell, int(self._state[self._kernel.SLACK]), self._covered.copy(), self._used.copy())

    def turn_back(self) -> None:
        self._state[self._kernel.BACK] = 1

    def enter(self, node: _Node) -> None:
        kernel = self._kernel
        self._covered[:], self._used[:] = node.covered, node.used
        self._cells[0], self._next[0] = node.cell, self._starts[node.cell]
        self._state[[kernel.DEPTH, kernel.SLACK, kernel.BACK]] = 0, node.slack, 0


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
