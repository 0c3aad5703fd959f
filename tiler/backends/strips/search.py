"""Sweep wider and wider strips until every box of the board has a layout, tile each brick once, and lay the copies."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tiler.backends.frontier import Frontier
from tiler.backends.strips import Strips
from tiler.backends.strips.boxes import BoardPart, Vector, boxes_of
from tiler.backends.strips.layouts import Layout, Layouts, Strip, bricks
from tiler.backends.strips.sweeps import Sweep, cover_of, strips_of
from tiler.cover.board import BoardCover
from tiler.process.cancellation import StopCheck
from tiler.question.events import Found, Progress, Run, Running
from tiler.question.question import Question
from tiler.question.result import Result, Stop

Numbers = NDArray[np.integer[Any]]
Placed = NDArray[np.int64]  #: shape (placements, 2 + dimension): tile, variant and offset of each


#: The passes: the most cells across strips, and the length of their sweeps. The first takes some hundredths of a second; lengths
#: beyond those of the second are mostly sums of smaller ones.
_PASSES = ((6, 16), (64, 48))


def search(backend: Strips, cover: BoardCover, question: Question, run: Run) -> Running:
    """Search for a tiling; the answer is one, or unknown."""
    boxes, limit = boxes_of(cover), question.limits.nodes
    most = tuple(max(sides) for sides in zip(*(box.sides for box in boxes), strict=True))
    threads = question.limits.threads if limit is None else 1
    lengths: dict[Strip, Collection[int]] = {}
    nodes = 0
    for widest, longest in _PASSES:
        for same in strips_of(cover.instance, most, min(widest, backend.widest)):
            sweep = Sweep(cover.instance, same[0], min(longest, max(most[strip.axis] for strip in same)))
            for _ in sweep.run(threads, run.check_stop):
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
        options = None if layouts is None else _options(cover, layouts, run.check_stop)
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
    (solution,) = Frontier().solve(small, Question(), Run(check_stop=check_stop)).solutions
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
