"""Drive plain backtracking: an object owns the arrays of the kernel, and can be stopped and resumed at any node."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.backends.backtracking import Backtracking, kernel
from tiler.backends.searching.driver import drive, fraction_done
from tiler.backends.searching.resumable import KernelSearch, rows_for, write_over
from tiler.cover.board import on_board
from tiler.cover.cover import Cover
from tiler.kernels import bind
from tiler.question.events import RunningSearch, SearchContext
from tiler.question.question import Question


def search(backend: Backtracking, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
    """Start the search of the backend `backtracking`."""
    return drive(BacktrackingSearch(backend, cover), question, context)


_NOTHING = np.zeros(0, np.int32)


class _Node(NamedTuple):
    """A node of the tree, from which everything below follows."""

    cell: int  #: the first open one
    slack: int
    covered: NDArray[np.uint8]
    used: NDArray[np.int64]
    shades: NDArray[np.int32]
    givers: NDArray[np.int32]


class BacktrackingSearch(KernelSearch):
    """A search that can be stopped and resumed at any node, also for estimates of its size."""

    _NODES, _FOUND = kernel.NODES, kernel.FOUND

    def __init__(self, backend: Backtracking, cover: Cover) -> None:
        rank = backend.numbering(cover)
        is_usual = bool((rank[1:] > rank[:-1]).all())
        members = cover.members.values if is_usual else rank[cover.members.values].astype(np.int32)
        first = portable.reduceat(np.minimum, members, cover.members.starts[:-1])
        starts, options = _lists(cover, backend.order, first)
        self._items = np.argsort(rank)  # by rank; the kernel knows items by their ranks
        coloured = None if cover.coloured is None else cover.coloured.binding
        self._lists = kernel.FirstCellLists(
            starts=starts,
            options=options,
            member_starts=cover.members.starts,
            members=members,
            tile=cover.tile,
            size=cover.sizes,
            lower=cover.lower,
            upper=cover.upper,
            shared_starts=np.zeros(1, np.int64) if coloured is None else coloured.given.starts,
            shared=_NOTHING if coloured is None else coloured.given.values,
            colour=_NOTHING if coloured is None else coloured.colour,
        )
        shared = 0 if coloured is None else len(coloured.items)
        self._state = kernel.BacktrackingState.new(len(cover.items), len(cover.names), shared)
        self._own()
        self.counters[kernel.SLACK] = cover.slack

    def _own(self) -> None:
        """The calls of the kernels, with the arrays of this object."""
        self._solutions = rows_for(len(self._state.chosen))
        self._search = bind(kernel.search, self._lists, self._state, self._solutions)
        self._go_back = bind(kernel.go_back, self._lists, self._state)
        self.counters = self._state.counters

    def twin(self) -> BacktrackingSearch:
        """See `tiler.backends.searching.resumable.Divisible` on `twin` and `give`."""
        other = copy(self)
        other._state = kernel.BacktrackingState._make(map(np.zeros_like, self._state))
        other._own()
        other.counters[kernel.BACK] = 1
        return other

    def give(self, other: BacktrackingSearch) -> bool:
        """Give away untried placements; some of them may turn out not to fit."""
        depth, floor = int(self.counters[kernel.DEPTH]), int(self.counters[kernel.FLOOR])
        way = slice(floor, depth)
        untried = np.flatnonzero(self._state.next[way] < self._lists.starts[self._state.cells[way] + 1])
        if not len(untried):
            return False
        branch = floor + int(untried[0])
        write_over(other.arrays(), self.arrays())
        other._go_back(branch)
        other.counters[[kernel.NODES, kernel.FOUND, kernel.FLOOR]] = 0, 0, branch
        self.counters[kernel.FLOOR] = branch + 1
        return True

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """The whole state of the search, for checkpoints."""
        return self._state._asdict()

    def chosen(self) -> tuple[int, ...]:
        """The options placed, in this order."""
        return tuple(self._state.chosen[: self.counters[kernel.DEPTH]].tolist())

    def looked_at(self) -> int | None:
        """The cell that was the first open one above this node."""
        depth = int(self.counters[kernel.DEPTH])
        return int(self._items[self._state.cells[depth - 1]]) if depth else None

    def fraction(self) -> float:
        """The part of the tree that is done, as if all placements in a list were equal."""
        depth, starts = int(self.counters[kernel.DEPTH]), self._lists.starts
        # A search that is back at its uppermost node is in no branch: all branches tried are done.
        is_back = bool(depth == self.counters[kernel.FLOOR] and self._state.cells[depth] < len(starts) - 1)
        cells = self._state.cells[: depth + is_back]
        first = starts[cells]
        done = self._state.next[: len(cells)] - first - (portable.arange(len(cells)) < depth)
        return fraction_done(np.maximum(starts[cells + 1] - first, 1), done)

    def root(self) -> _Node | None:
        return self._node(0)

    def child(self) -> _Node | None:
        return self._node(1)

    def _node(self, depth: int) -> _Node | None:
        cell = int(self._state.cells[depth])
        if cell == len(self._state.covered):
            return None
        state, slack = self._state, int(self.counters[kernel.SLACK])
        return _Node(cell, slack, state.covered.copy(), state.used.copy(), state.shades.copy(), state.givers.copy())

    def turn_back(self) -> None:
        self.counters[kernel.BACK] = 1

    def enter(self, node: _Node) -> None:
        state = self._state
        state.covered[:], state.used[:], state.shades[:], state.givers[:] = node.covered, node.used, node.shades, node.givers
        state.cells[0], state.next[0] = node.cell, self._lists.starts[node.cell]
        self.counters[[kernel.DEPTH, kernel.SLACK, kernel.BACK]] = 0, node.slack, 0


def _lists(cover: Cover, order: str, first: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The lists of the kernel: for each cell, the placements whose first cell it is, in the order in which they are tried.
    `first` has the rank of the first cell of each option."""
    if order == "fill-row":
        board = on_board(cover, "backtracking:order=fill-row")
        rows = [[-sum(cell[:-1] == min(shape)[:-1] for cell in shape) for shape in variants] for variants in board.variants]
        keys = np.array([rows[t][v] for t, v in zip(board.tile.tolist(), board.variant.tolist(), strict=True)], np.int64)
    else:
        keys = {"default": 0, "frequent": -1, "rare": 1}[order] * cover.upper[cover.tile]
    starts = portable.starts_of(portable.bincount(first, minlength=len(cover.items)))
    return starts, np.lexsort((keys, first)).astype(np.int32)
