"""Put boxes together from strips whose lengths are known: the strips that lie end to end and side by side in a box.

A *brick* is a strip that is tiled as a whole. Bricks of one cross-section make a strip if their lengths add up, and strips of one
length make a box (in space bars make a slab, and slabs a box) if their heights add up: the coin problem, by dynamic programming.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from tiler.backends.strips.boxes import Vector
from tiler.cover.bounds import subset_sums

_MOST_SECOND = 64  # the most rows of the second part, where a box is divided into two

Offsets = NDArray[np.int64]  #: shape (copies, dimension): where copies of a brick lie


@dataclass(frozen=True)
class Stack:
    """Layouts one after the other along an axis, each with its length there."""

    axis: int
    parts: tuple[tuple[Layout, int], ...]


Layout = Vector | Stack  #: a box that is a brick, by its sides, or a stack of smaller ones


@dataclass(frozen=True)
class Strip:
    """A strip of any length: a direction and the sides of its cross-section, in the order of the other axes."""

    axis: int
    across: Vector

    @classmethod
    def of(cls, sides: Vector, axis: int) -> Strip:
        """The strip along an axis of a box."""
        return cls(axis, sides[:axis] + sides[axis + 1 :])

    def sides(self, length: int) -> Vector:
        """The sides of a piece of it."""
        return (*self.across[: self.axis], length, *self.across[self.axis :])


class Layouts:
    """Finds layouts of boxes."""

    def __init__(self, lengths: Mapping[Strip, Collection[int]], thickest: int) -> None:
        """`lengths` has the lengths of the bricks of each strip, which are up to `thickest` cells across."""
        self._lengths, self._thickest = lengths, thickest
        self._known: dict[tuple[Vector, tuple[int, ...]], Layout | None] = {}

    def in_rows(self, sides: Vector) -> Layout | None:
        """A layout of a box whose layers all lie along one axis, or None."""
        return self._in_rows(sides, tuple(range(len(sides))))

    def in_two(self, sides: Vector) -> Layout | None:
        """The same, or a layout in two parts: a straight cut divides the box, and the layers of each part lie along one axis. The
        second part is not too thick."""
        axes = tuple(range(len(sides)))
        whole = self._in_rows(sides, axes)
        if whole is not None:
            return whole
        for axis in axes:
            coins = self._coins(sides, axis, axes)
            for second in range(1, min(_MOST_SECOND, sides[axis])):
                lengths = change(coins, sides[axis] - second)
                rest = self._in_rows(Strip.of(sides, axis).sides(second), axes) if lengths else None
                if rest is not None:
                    return Stack(axis, (*((coins[length], length) for length in lengths), (rest, second)))
        return None

    def _in_rows(self, sides: Vector, axes: tuple[int, ...]) -> Layout | None:
        """A layout of strips along one of the `axes`; along the other axes the box may be cut into layers, one axis after the
        other."""
        if (sides, axes) not in self._known:
            found = (self._row(sides, axis, axes) for axis in sorted(axes, key=lambda axis: -sides[axis]))
            self._known[sides, axes] = next((row for row in found if row is not None), None)
        return self._known[sides, axes]

    def _row(self, sides: Vector, axis: int, axes: tuple[int, ...]) -> Layout | None:
        coins = self._coins(sides, axis, axes)
        lengths = change(coins, sides[axis])
        return Stack(axis, tuple((coins[length], length) for length in lengths)) if lengths else None

    def _coins(self, sides: Vector, axis: int, axes: tuple[int, ...]) -> dict[int, Layout]:
        """Layouts of the box with other lengths along an axis."""
        strip = Strip.of(sides, axis)
        if len(axes) == 1:
            return {length: strip.sides(length) for length in self._lengths.get(strip, ())}
        others = tuple(other for other in axes if other != axis)
        thick = range(1, min(self._thickest, sides[axis]) + 1)
        layers = {length: self._in_rows(strip.sides(length), others) for length in thick}
        return {length: layer for length, layer in layers.items() if layer is not None}


def change(coins: Collection[int], total: int) -> tuple[int, ...]:
    """Coins, the greatest first, that add up to a sum; none if there are none. Each may be used any number of times.

    >>> change([3, 5], 14), change([3, 5], 7)
    ((5, 3, 3, 3), ())
    """
    sums = _sums(tuple(sorted(coins)), 1 << total.bit_length())
    if not sums >> total & 1:
        return ()
    used: list[int] = []
    for coin in sorted(coins, reverse=True):
        while coin <= total and sums >> (total - coin) & 1:
            used.append(coin)
            total -= coin
    return tuple(used)


@lru_cache
def _sums(coins: tuple[int, ...], most: int) -> int:
    """The sums of coins up to `most`, as bits."""
    return subset_sums(coins, [most // coin for coin in coins], most)


def bricks(layout: Layout) -> dict[Vector, Offsets]:
    """Where the bricks of a layout lie, by their sides, relative to its least cell."""
    if not isinstance(layout, Stack):
        return {layout: np.zeros((1, len(layout)), np.int64)}
    pieces: dict[Vector, list[Offsets]] = {}
    start = 0
    for (part, length), run in groupby(layout.parts):
        copies = len(list(run))
        for brick, offsets in bricks(part).items():
            moved = np.repeat(offsets[None], copies, axis=0)
            moved[:, :, layout.axis] += start + length * np.arange(copies)[:, None]
            pieces.setdefault(brick, []).append(moved.reshape(-1, offsets.shape[1]))
        start += copies * length
    return {brick: np.concatenate(offsets) for brick, offsets in pieces.items()}
