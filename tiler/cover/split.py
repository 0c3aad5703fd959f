"""Split a cover into independent subproblems: every solution of the cover is a solution of exactly one of them.

Take the item with the fewest options left, and make one subproblem of each option. For a cell, this option covers it, because
exactly one option does. For a tile that must be used, it is the first option that uses the tile, and the earlier ones are ruled
out, so that copies are not counted in every order. The largest subproblem is split again until there are enough. A subproblem is
a cover like any other, on the same board and with the same bounds, so that every backend can search it: the chosen option is the
only one left of its cells, and options that overlap with it, or give an item another colour, are gone.

The split depends only on the cover and on the number asked for.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.cover.cover import Cover
from tiler.process.cancellation import StopCheck, never_stop

_NEVER = 1 << 60  # larger than the number of ways of any item


@dataclass(frozen=True, order=True)
class Choice:
    """An option chosen for an item: a cell, or a tile, whose number comes after those of the cells."""

    item: int
    option: int


@dataclass(frozen=True)
class Subproblem:
    """A part of the search of a cover, given by the choices made, in this order. `part` tells covers apart, if several are split
    at once."""

    part: int
    choices: tuple[Choice, ...]


def split(covers: Sequence[Cover], pieces: int, check_stop: StopCheck = never_stop) -> tuple[Subproblem, ...]:
    """At least `pieces` subproblems, if the covers have that many, and only a few more; the largest first.

    The size of a subproblem is the number of options left: parts of one search with equal sizes take about the same work.
    Subproblems that show at once that they have no solution are left out: there may be none left. Each goes through its whole
    cover.
    """
    # Subproblems of equal size are ordered by their place in the tree.
    heap: list[tuple[int, tuple[int, ...], _Node]] = []
    whole: list[tuple[int, tuple[int, ...], _Node]] = []
    for part, cover in enumerate(covers):
        _push(heap, (part,), _Node.root(cover))
    while heap and len(heap) + len(whole) < pieces:
        check_stop()
        size, path, node = heapq.heappop(heap)
        if node.item is None:
            whole.append((size, path, node))
            continue
        for number, option in enumerate(node.candidates):
            _push(heap, (*path, number), node.after(Choice(node.item, option)))
    return tuple(Subproblem(path[0], node.choices) for _, path, node in sorted([*heap, *whole], key=lambda leaf: leaf[:2]))


def _push(heap: list[tuple[int, tuple[int, ...], _Node]], path: tuple[int, ...], node: _Node) -> None:
    if not node.is_dead:
        heapq.heappush(heap, (-node.size, path, node))


def restrict(cover: Cover, choices: Iterable[Choice]) -> Cover:
    """The cover that has only the solutions of a subproblem."""
    node = _Node.root(cover)
    for choice in choices:
        node = node.after(choice)
    return cover.restrict(node.keep)


@dataclass(frozen=True, eq=False)
class _Node:
    """A subproblem while covers are split: the options left in it, marked in `keep` (shape (options,)), the chosen ones
    included."""

    cover: Cover
    keep: NDArray[np.bool_]
    choices: tuple[Choice, ...]

    @classmethod
    def root(cls, cover: Cover) -> _Node:
        return cls(cover, np.ones(len(cover), np.bool_), ())

    def after(self, choice: Choice) -> _Node:
        """The subproblem with one more choice."""
        cover, option = self.cover, choice.option
        keep = self.keep.copy()
        tile = cover.tile[option]
        alike = cover.by_tile[tile]
        if choice.item >= len(cover.items):
            keep[alike[alike < option]] = False
        if self._used[tile] + 1 == cover.upper[tile]:
            keep[alike] = False
        for cell in cover.members[option]:
            keep[cover.by_item[cell]] = False
        if cover.coloured is not None:
            keep &= ~cover.coloured.disagreeing(option)
        keep[[option, *self._chosen]] = True
        return _Node(cover, keep, (*self.choices, choice))

    @property
    def is_dead(self) -> bool:
        """Whether an item has no option left."""
        return bool((self._ways <= 0).any())

    @property
    def item(self) -> int | None:
        """The item with the fewest options, the first of them; None if there is nothing left to choose."""
        item = int(self._ways.argmin())
        return item if self._ways[item] < _NEVER else None

    @property
    def candidates(self) -> list[int]:
        """The options of this item that make a subproblem each."""
        item, cells = self.item, len(self.cover.items)
        if item is None:
            return []
        options = self.cover.by_item[item] if item < cells else self.cover.by_tile[item - cells]
        left = [int(option) for option in options if self.keep[option] and option not in self._chosen]
        return left[: int(self._ways[item])]

    @property
    def size(self) -> int:
        """The number of options left."""
        return int(self.keep.sum())

    @property
    def _chosen(self) -> list[int]:
        return [choice.option for choice in self.choices]

    @cached_property
    def _used(self) -> NDArray[np.int64]:
        return portable.bincount(self.cover.tile[self._chosen], minlength=len(self.cover.names))

    @cached_property
    def _ways(self) -> NDArray[np.int64]:
        """The number of subproblems that each item makes, shape (cells + tiles,); for items that are done, or need not be chosen,
        a number that is larger than any."""
        cover, chosen = self.cover, self._chosen
        cells, sizes = len(cover.items), np.diff(cover.members.starts)
        ways = np.full(cells + len(cover.names), _NEVER, np.int64)
        ways[:cells] = portable.bincount(cover.members.values[portable.repeat(self.keep, sizes)], minlength=cells)
        for option in chosen:
            ways[cover.members[option]] = _NEVER
        need = cover.lower - self._used
        # After the first option that uses the tile, enough other options must be left.
        left = portable.bincount(cover.tile[self.keep], minlength=len(cover.names)) - self._used - need + 1
        ways[cells:][need > 0] = left[need > 0]
        return ways
