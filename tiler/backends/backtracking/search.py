"""The search of plain backtracking: an object that owns the arrays of the kernel, and is stopped and resumed at will."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler.backends.backtracking import Backtracking, kernel
from tiler.backends.drive import drive, fraction_done, write_over
from tiler.cover.board import on_board
from tiler.cover.cover import Cover
from tiler.question.events import Run, Running
from tiler.question.question import Question


def search(backend: Backtracking, cover: Cover, question: Question, run: Run) -> Running:
    """What the backend does."""
    return drive(tree(backend, cover), question, run)


def tree(backend: Backtracking, cover: Cover) -> BacktrackingSearch:
    """The search at its root, for estimates too."""
    return BacktrackingSearch(cover, backend.order)


class _Node(NamedTuple):
    """A node of the tree, from which everything below follows."""

    cell: int  #: the first open one
    slack: int
    covered: NDArray[np.uint8]
    used: NDArray[np.int64]


class BacktrackingSearch:
    """A search that is stopped and resumed at will."""

    def __init__(self, cover: Cover, order: str) -> None:
        self._starts, options = _lists(cover, order)
        cells = len(cover.items)
        self._arrays: dict[str, NDArray[Any]] = {
            "covered": np.zeros(cells, np.uint8),
            "used": np.zeros(len(cover.names), np.int64),
            "next": np.zeros(cells + 1, np.int64),
            "cells": np.zeros(cells + 1, np.int64),
            "chosen": np.zeros(cells + 1, np.int32),
            "state": np.zeros(5, np.int64),
        }
        self._covered, self._used, self._next, self._cells, self._chosen, self._state = self._arrays.values()
        self._state[kernel.SLACK] = cover.slack
        members = (cover.members.starts, cover.members.values, cover.tile)
        self._arguments = (self._starts, options, *members, cover.sizes, cover.lower, cover.upper, *self._arrays.values())

    def step(self, budget: int, stop_at_solutions: bool = True) -> int:
        """Search on for at most so many nodes; EXHAUSTED, PAUSED or SOLUTION."""
        arguments: tuple[Any, ...] = (*self._arguments, budget, stop_at_solutions)
        return int(kernel.search(*arguments))

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """All the state there is, for checkpoints."""
        return self._arrays

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on from there."""
        write_over(self._arrays, arrays)

    def stats(self) -> Mapping[str, Any]:
        """There are no counters but the nodes."""
        return {}

    def nodes(self) -> int:
        return int(self._state[kernel.NODES])

    def found(self) -> int:
        return int(self._state[kernel.FOUND])

    def chosen(self) -> tuple[int, ...]:
        """The options placed, in this order."""
        return tuple(self._chosen[: self._state[kernel.DEPTH]].tolist())

    def fraction(self) -> float:
        """The part of the tree that is done, as if all placements in a list were equal."""
        depth = int(self._state[kernel.DEPTH])
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
        return _Node(cell, int(self._state[kernel.SLACK]), self._covered.copy(), self._used.copy())

    def turn_back(self) -> None:
        self._state[kernel.BACK] = 1

    def enter(self, node: _Node) -> None:
        self._covered[:], self._used[:] = node.covered, node.used
        self._cells[0], self._next[0] = node.cell, self._starts[node.cell]
        self._state[[kernel.DEPTH, kernel.SLACK, kernel.BACK]] = 0, node.slack, 0


def _lists(cover: Cover, order: str) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """For each cell the placements that have it as their first, in the order to be tried, one list after the other."""
    if order == "fill-row":
        board = on_board(cover, "backtracking:order=fill-row")
        rows = [[-sum(cell[:-1] == min(shape)[:-1] for cell in shape) for shape in variants] for variants in board.variants]
        keys = np.array([rows[t][v] for t, v in zip(board.tile.tolist(), board.variant.tolist(), strict=True)], np.int64)
    else:
        keys = {"default": 0, "frequent": -1, "rare": 1}[order] * cover.upper[cover.tile]
    first = cover.members.values[cover.members.starts[:-1]]
    starts = np.concatenate([[0], np.cumsum(np.bincount(first, minlength=len(cover.items)))]).astype(np.int64)
    return starts, np.lexsort((keys, first)).astype(np.int32)
