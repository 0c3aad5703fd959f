"""Sweep wider and wider strips until every box of the board has a layout, tile each brick once, and lay the copies.

One sweep of the frontier along a strip finds for all lengths at once whether they can be tiled.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from itertools import product
from math import gcd, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tiler.backends.frontier import Frontier
from tiler.backends.frontier.shared.model import Model
from tiler.backends.frontier.tables.hash_tables import Tables
from tiler.backends.strips import Strips
from tiler.backends.strips.boxes import BoardPart, Vector, boxes_of
from tiler.backends.strips.layouts import Layout, Layouts, Strip, bricks
from tiler.cover.board import BoardCover
from tiler.model.instance import Instance
from tiler.process.cancellation import StopCheck
from tiler.question.events import Found, Progress, RunningSearch, SearchContext
from tiler.question.question import Question
from tiler.question.result import Result, Stop

Numbers = NDArray[np.integer[Any]]
Placed = NDArray[np.int64]  #: shape (placements, 2 + dimension): tile, variant and offset of each

#: The passes: the most cells across strips, and the length of their sweeps. The first takes some hundredths of a second; lengths
#: beyond those of the second are mostly sums of smaller ones.
_PASSES = ((6, 16), (64, 48))
_PAUSE_SECONDS = 0.02
_MOST_STATES = 1_000_000  # of a sweep, which goes no further then: some second
_BYTES = 1 << 28  # the most bytes of its tables


def search(backend: Strips, cover: BoardCover, question: Question, context: SearchContext) -> RunningSearch:
    """Search for a tiling; the answer is one, or unknown."""
    boxes, limit = boxes_of(cover), question.limits.nodes
    most = tuple(max(sides) for sides in zip(*(box.sides for box in boxes), strict=True))
    threads = question.limits.threads if limit is None else 1
    lengths: dict[Strip, Collection[int]] = {}
    nodes = 0
    for widest, longest in _PASSES:
        for same in strips_of(cover.instance, most, min(widest, backend.widest)):
            sweep = Sweep(cover.instance, same[0], min(longest, max(most[strip.axis] for strip in same)))
            for _ in sweep.run(threads, context.check_stop):
                yield Progress(nodes + sweep.states)
                if limit is not None and nodes + sweep.states >= limit:
                    return Result.so_far(Stop.NODES, found=0, nodes=nodes + sweep.states)
            nodes += sweep.states
            lengths.update(dict.fromkeys(same, sweep.lengths))
            layouts = _each(boxes, Layouts(lengths, backend.widest).in_rows) if sweep.lengths else None
            if layouts is not None:
                break
        else:
            layouts = _each(boxes, Layouts(lengths, backend.widest).in_two)
        options = None if layouts is None else _options(cover, layouts, context.check_stop)
        if options is not None:
            yield Found(options[None])
            return Result.of_search(question, found=1, exhausted=False, nodes=nodes)
    message = f"strips of up to {backend.widest} cells across do not make up the board"
    return Result.so_far(Stop.UNDECIDED, found=0, nodes=nodes, message=message)


def _each(boxes: Collection[BoardPart], layout_of: Callable[[Vector], Layout | None]) -> list[tuple[BoardPart, Layout]] | None:
    """Each box with a layout, or None if one has none."""
    found: list[tuple[BoardPart, Layout]] = []
    for box in boxes:
        layout = layout_of(box.sides)
        if layout is None:
            return None
        found.append((box, layout))
    return found


def _options(cover: BoardCover, layouts: Collection[tuple[BoardPart, Layout]], check_stop: StopCheck) -> NDArray[np.int32] | None:
    """The options of the tiling; None if a filter has left one of them out."""
    tiled: dict[Vector, Placed] = {}
    placed: list[Placed] = []
    for box, layout in layouts:
        for brick, offsets in bricks(layout).items():
            if brick not in tiled:
                tiled[brick] = _tiled(cover, brick, check_stop)
            check_stop()
            copies = np.repeat(tiled[brick][None], len(offsets), axis=0)
            copies[:, :, 2:] += (offsets + box.corner)[:, None]
            placed.append(copies.reshape(-1, copies.shape[2]))
    return _numbers(cover, np.concatenate(placed))


def _tiled(cover: BoardCover, brick: Vector, check_stop: StopCheck) -> Placed:
    """A tiling of a brick."""
    small = cover_of(cover.instance, brick, check_stop)
    (solution,) = Frontier().solve(small, Question(), SearchContext(check_stop=check_stop)).solutions
    options = list(solution)
    return np.column_stack([small.tile[options], small.variant[options], small.offset[options]]).astype(np.int64)


def _numbers(cover: BoardCover, placed: Placed) -> NDArray[np.int32] | None:
    """The options of some placements, ascending; None if one is not in the cover."""
    low, high = cover.offset.min(0), cover.offset.max(0)
    if ((placed[:, 2:] < low) | (placed[:, 2:] > high)).any():
        return None
    variants = int(cover.variant.max()) + 1

    def key(tile: Numbers, variant: Numbers, offset: Numbers) -> NDArray[np.int64]:
        number = tile.astype(np.int64) * variants + variant
        for axis, span in enumerate((high - low + 1).tolist()):
            number = number * span + (offset[:, axis] - low[axis])
        return number

    keys, wanted = key(cover.tile, cover.variant, cover.offset), np.sort(key(placed[:, 0], placed[:, 1], placed[:, 2:]))
    options = np.searchsorted(keys, wanted)
    found = options < len(keys)
    return options.astype(np.int32) if found.all() and (keys[options] == wanted).all() else None


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
