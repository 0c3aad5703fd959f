"""Give marks of sides weights too, for the marks stage: a mark must occur as often as its mate.

Take a side between two cells that are always covered. If the placements always mark this side (or if one placement covers both
cells), the marks at its two ends fit each other. So a mark may add a weight at one end that is subtracted at the other end. Then
a tiling weighs what its cells weigh, whatever the marks are. That makes colourings and weights (elimination.py, weights.py)
stronger. Modulo 2 it is the argument that red marks come in pairs, so that tiles with an odd number of red marks have no tiling.

There are three tries: one weight for each mark; one for each mark in each direction; one for each mark on each side. The first
try that succeeds gives the proof that is easiest to say.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from operator import sub
from typing import TYPE_CHECKING, cast

import numpy as np

from tiler.question.certificate import SideMark

if TYPE_CHECKING:
    from tiler.cover.board import BoardCover
    from tiler.model.paint import CellSide


@dataclass(frozen=True)
class MarkClasses:
    """Classes of marks on sides; the marks of a class have one weight."""

    class_of: dict[SideMark, int]
    near: tuple[tuple[int, ...], ...]  #: for each class the two cells beside its side; empty if classes have no fixed side
    of: list[dict[int, int]]  #: for each option, its factor of each class: the sum of 1 at first ends of sides, -1 at others

    def weights(self, value: Callable[[int], int]) -> tuple[tuple[SideMark, int], ...]:
        """The marks whose weight is not 0, with their weights. `value` gives the weight of each class."""
        return tuple((mark, weight) for mark, number in self.class_of.items() if (weight := value(number)))


def of_one_look(cover: BoardCover) -> BoardCover:
    """The cover without options that place a tile on the same cells as an earlier option, even if they look different."""
    if not cover.instance.is_painted:
        return cover
    seen = set[tuple[int, ...]]()
    keep = []
    for tile, members in zip(cover.tile.tolist(), cover.members.lists(), strict=True):
        keep.append((tile, *members) not in seen)
        seen.add((tile, *members))
    return cover.restrict(np.array(keep, np.bool_))


@dataclass(frozen=True)
class _MarkedSide:
    """A side that is always marked: its number among the coloured items, its two cells, and the options that cover only one of
    them."""

    item: int
    cells: tuple[int, int]
    ends: tuple[list[int], list[int]]


def classes(cover: BoardCover) -> Iterator[MarkClasses]:
    """The three ways to put marks into classes; none if no side is always marked, or if a mark has several mates, so that it need
    not occur as often as one of them."""
    found = list(_sides(cover)) if cover.instance.ground.is_paired else []
    coloured = cover.coloured
    if coloured is None or not found:
        return
    names = cast("tuple[CellSide, ...]", coloured.items)
    colours = [dict(coloured.of_option(option)) for option in range(len(cover))]

    def by_mark(item: int, colour: int) -> Hashable:
        return colour

    def by_way(item: int, colour: int) -> Hashable:
        cell, beyond = names[item]
        return colour, tuple(map(sub, beyond, cell))

    def by_side(item: int, colour: int) -> Hashable:
        return item, colour

    for key in (by_mark, by_way, by_side):
        number: dict[Hashable, int] = {}
        class_of: dict[SideMark, int] = {}
        of: list[dict[int, int]] = [{} for _ in range(len(cover))]
        near = []
        for side in found:
            for options, sign in zip(side.ends, (1, -1), strict=True):
                for option in options:
                    colour = colours[option][side.item]
                    name = key(side.item, colour)
                    if name not in number:
                        number[name] = len(number)
                        near.append(side.cells if key is by_side else ())
                    cell, beyond = names[side.item]
                    class_of[cell, beyond, coloured.colours[colour - 1]] = number[name]
                    added = of[option].get(number[name], 0) + sign
                    of[option][number[name]] = added
        yield MarkClasses(class_of, tuple(near), [{name: n for name, n in each.items() if n} for each in of])


def _sides(cover: BoardCover) -> Iterator[_MarkedSide]:
    if cover.coloured is None:
        return
    reduce = cover.instance.wrap.reduce
    number = {reduce(cell): i for i, cell in enumerate(cover.cells)}
    giving: list[set[int]] = [set() for _ in cover.coloured.items]
    for option, item in zip(cover.coloured.option.tolist(), cover.coloured.given.values.tolist(), strict=True):
        giving[item].add(option)
    over = [set(options) for options in cover.by_item.lists()]
    for item, side in enumerate(cast("tuple[CellSide, ...]", cover.coloured.items)):
        first, second = (number[reduce(cell)] for cell in side)
        one, other = over[first] - over[second], over[second] - over[first]
        if one | other == giving[item]:
            yield _MarkedSide(item, (first, second), (sorted(one), sorted(other)))
