"""Find for all lengths at once whether strips can be tiled: by one sweep of the frontier along each strip."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import product
from math import gcd, prod

import numpy as np

from tiler.backends.frontier.shared.model import Model
from tiler.backends.frontier.tables.hash_tables import Tables
from tiler.backends.strips.boxes import Vector
from tiler.backends.strips.layouts import Strip
from tiler.cover.board import BoardCover
from tiler.model.instance import Instance
from tiler.process.cancellation import StopCheck

_PAUSE_SECONDS = 0.02
_MOST_STATES = 1_000_000  # of a sweep, which goes no further then: some second
_BYTES = 1 << 28  # the most bytes of its tables


def strips_of(instance: Instance, sides: Vector, widest: int) -> list[list[Strip]]:
    """The strips that fit into a box of these sides and have up to `widest` cells across, the narrowest first. Strips that have
    equal tilings, but for a turn, are in one list: all those of equal sides across, if tiles may be turned."""
    classes: dict[object, list[Strip]] = {}
    for axis in range(len(sides)):
        for across in product(*(range(1, min(side, widest) + 1) for side in Strip.of(sides, axis).across)):
            if prod(across) <= widest:
                key = tuple(sorted(across)) if instance.turning else (across, axis)
                classes.setdefault(key, []).append(Strip(axis, across))
    return sorted(classes.values(), key=lambda strips: (prod(strips[0].across), strips[0].across))


class Sweep:
    """A sweep along a strip. `run` makes it; then `lengths` are those that can be tiled."""

    def __init__(self, instance: Instance, strip: Strip, most: int) -> None:
        """Lengths are looked for up to `most`."""
        self._instance, self._strip, self._most = instance, strip, most
        self._across = prod(strip.across)
        self.lengths: list[int] = []
        self.states = 0

    def run(self, threads: int, check_stop: StopCheck) -> Iterator[None]:
        """Go along the strip, pausing many times a second."""
        cover = cover_of(self._instance, self._strip.sides(self._long), check_stop)
        axes = (self._strip.axis, *(axis for axis in range(len(self._strip.across) + 1) if axis != self._strip.axis))
        rank = np.empty(len(cover.cells), np.int64)
        rank[np.lexsort(cover.where.T[list(reversed(axes))])] = np.arange(len(rank))
        model = Model.of(cover, check_stop=check_stop, rank=rank)
        if not Tables.suits(model):
            return
        tables = Tables(model, budget=_BYTES, threads=threads, check_stop=check_stop)
        tables.on_position = lambda position: self._look(tables, position)
        paused = time.perf_counter()
        for _ in tables.build():
            self.states = tables.states
            if time.perf_counter() - paused >= _PAUSE_SECONDS:
                yield
                paused = time.perf_counter()
            if tables.states > _MOST_STATES or tables.position > self._most * self._across:
                return
        if not tables.short:
            self._look(tables, model.cells)

    @property
    def _long(self) -> int:
        """The length of the board of the sweep. Whatever length is tiled, the area of the rest must be one that tiles may have:
        of numbers without a common divisor, the least is a and the greatest b, every number from (a - 1)(b - 1) on is a sum
        (Brauer 1942)."""
        sizes = [tile.size for tile in self._instance.tiles]
        common = gcd(*sizes)
        every = common * (min(sizes) // common - 1) * (max(sizes) // common - 1)
        step = common // gcd(common, self._across)
        return -(-(self._most + -(-every // self._across)) // step) * step

    def _look(self, tables: Tables, position: int) -> None:
        """Note a length if exactly the cells before a position can be covered."""
        length, rest = divmod(position, self._across)
        if 0 < length <= self._most and not rest and tables.ways_of_none(position):
            self.lengths.append(length)


def cover_of(instance: Instance, sides: Vector, check_stop: StopCheck) -> BoardCover:
    """The same tiles on a box."""
    return BoardCover.of(instance.on(frozenset(product(*map(range, sides)))), check_stop)
