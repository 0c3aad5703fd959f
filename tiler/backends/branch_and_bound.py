"""Find the heaviest solution by searches that can only decide, by branch and bound on the copies of tiles.

A box says how often each tile may be used. The heaviest choice of copies in it, by sizes alone, is a knapsack problem, and bounds
the weight of every solution in the box. The box with the largest bound is decided first. If it has no solution, it is finished.
If the solution found is lighter than the bound, the box is cut in two between the copies of the solution and those of the
heaviest choice, at the tile where that changes the weight most. When no bound is larger than the weight of the best solution,
this solution is the heaviest.

This is exact for every search that honours the bounds of a cover. It works well where few tiles differ in weight, or where it is
soon seen whether a heavy choice is possible. There may be as many boxes as choices of copies, each a search of its own.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.cover.bounds import Bounds, chunks
from tiler.cover.cover import Cover
from tiler.model.expected import Status
from tiler.process.cancellation import StopCheck, never_stop
from tiler.question.events import Events, Found, Progress, RunningSearch, Visited
from tiler.question.question import Limits
from tiler.question.result import Result, Stop

Copies = tuple[int, ...]  # the number of copies of every tile

#: Decides whether a cover has a solution, within a limit of nodes.
Decide = Callable[[Cover, Limits], RunningSearch]

_NEVER = -(1 << 62)  # less than any sum of weights


@dataclass(frozen=True)
class Box:
    """Bounds on the copies of each tile; `heaviest` is the heaviest choice of copies within them, judged by sizes alone."""

    lower: Copies
    upper: Copies
    heaviest: Copies
    weight: int

    @classmethod
    def of(cls, cover: Cover, lower: Sequence[int], upper: Sequence[int], check_stop: StopCheck = never_stop) -> Box | None:
        """The box with these bounds; None if no choice of copies within them has the right area."""
        chosen = heaviest_choice(len(cover.items), cover.sizes.tolist(), lower, upper, cover.weights.tolist(), check_stop)
        if chosen is None:
            return None
        return cls(tuple(lower), tuple(upper), chosen, sum(n * w for n, w in zip(chosen, cover.weights.tolist(), strict=True)))

    def narrowed(self, cover: Cover) -> Cover:
        """The cover with the solutions of this box only; options of tiles that are not used are left out."""
        lower, upper = np.array(self.lower, np.int64), np.array(self.upper, np.int64)
        bounded = cover.bounded | (lower > 0) | (upper < cover.upper)
        whole = replace(cover, bounds=Bounds(lower, upper, bounded), origin=np.arange(len(cover), dtype=np.int32))
        return whole.restrict(upper[cover.tile] > 0)

    def cut(self, cover: Cover, used: Copies, check_stop: StopCheck = never_stop) -> tuple[Box | None, Box | None]:
        """Cut the box in two. Returns the part that has a solution, with the copies `used` of each tile, and the part with the
        heaviest choice."""
        gains = [abs(n - m) * abs(w) for n, m, w in zip(self.heaviest, used, cover.weights.tolist(), strict=True)]
        t = gains.index(max(gains))
        wanted = self.heaviest[t]
        at_most = wanted - 1 if used[t] < wanted else wanted
        fewer = Box.of(cover, self.lower, _set(self.upper, t, at_most), check_stop)
        more = Box.of(cover, _set(self.lower, t, at_most + 1), self.upper, check_stop)
        return (fewer, more) if used[t] < wanted else (more, fewer)


class _Open(NamedTuple):
    """A box still to be looked at. In a heap the box with the largest bound comes first; of equal ones, the last made."""

    minus_bound: int
    minus_number: int
    box: Box
    used: Copies | None  # the copies of a known solution in the box; None if none is known


def search(decide: Decide, cover: Cover, limits: Limits, check_stop: StopCheck = never_stop) -> RunningSearch:
    """Find the heaviest solution of a cover that passes `Cover.refusal`. Each solution found is heavier than the one before.

    `decisions` in the statistics is the number of boxes that were decided.
    """
    boxes: list[_Open] = []
    nodes = decisions = number = found = 0
    value: int | None = None

    def push(box: Box | None, used: Copies | None) -> None:
        nonlocal number
        if box is not None:
            number += 1
            heapq.heappush(boxes, _Open(-box.weight, -number, box, used))

    def now() -> dict[str, int]:
        return {"decisions": decisions}

    there_are = portable.bincount(cover.tile, minlength=len(cover.names))
    push(Box.of(cover, cover.lower.tolist(), np.minimum(cover.upper, there_are).tolist(), check_stop), None)
    while boxes and (value is None or -boxes[0].minus_bound > value):
        bound = -boxes[0].minus_bound
        yield Progress(nodes, found, stats=now(), value=value, bound=bound)
        _, _, box, used = heapq.heappop(boxes)
        if used is None:
            decisions += 1
            before = nodes
            with Events(decide(box.narrowed(cover), limits.after(nodes))) as events:
                for event in events:
                    match event:
                        case Found():
                            (options,) = event  # A question that decides has one.
                            used = tuple(portable.bincount(cover.tile[list(options)], minlength=len(cover.names)).tolist())
                            weight = int(cover.weights[cover.tile[list(options)]].sum())
                            if value is None or weight > value:
                                value, found = weight, found + 1
                                yield Found(options)
                        case Progress():
                            nodes = before + event.nodes
                            yield Progress(nodes, found, stats=now(), value=value, bound=bound)
                        case Visited():
                            yield event
            result = events.result
            nodes = before + result.nodes
            if result.status is Status.UNKNOWN:
                status = Status.UNKNOWN if value is None else Status.SAT
                return Result(
                    status, result.stop, found, value=value, bound=bound, nodes=nodes, stats=now(), message=result.message
                )
            if used is None:
                continue
        weight = sum(n * w for n, w in zip(used, cover.weights.tolist(), strict=True))
        if weight < box.weight:
            here, there = box.cut(cover, used, check_stop)
            push(here, used)
            push(there, None)
    status = Status.UNSAT if value is None else Status.SAT
    return Result(status, Stop.DONE, found, value=value, bound=value, nodes=nodes, stats=now())


def item_value(cover: Cover) -> int | None:
    """What each item adds to the weight of a solution if a tile covers it; None if it is not the same for all tiles."""
    tiles = ~cover.is_filler
    value = int((cover.weights[tiles] // np.maximum(cover.sizes[tiles], 1)).max(initial=0))
    return value if (cover.weights[tiles] == value * cover.sizes[tiles]).all() else None


def heaviest_choice(
    area: int,
    sizes: Sequence[int],
    lower: Sequence[int],
    upper: Sequence[int],
    weights: Sequence[int],
    check_stop: StopCheck = never_stop,
) -> Copies | None:
    """The numbers of copies of each tile, within the bounds, that have this area together and weigh most; None if there are none.

    A bounded knapsack, by dynamic programming over the area; copies are taken 1, 2, 4, ... at a time.

    >>> heaviest_choice(7, [3, 2], [0, 0], [9, 9], [1, 5]), heaviest_choice(7, [3, 2], [0, 0], [0, 9], [1, 5])
    ((1, 2), None)
    """
    if any(least > most for least, most in zip(lower, upper, strict=True)):
        return None
    rest = area - sum(least * size for least, size in zip(lower, sizes, strict=True))
    if rest < 0:
        return None
    best = np.full(rest + 1, _NEVER, np.int64)
    best[0] = 0
    taken: list[tuple[int, int, NDArray[np.bool_]]] = []  # a tile, a number of copies, and at which areas they are taken
    for t, (size, weight) in enumerate(zip(sizes, weights, strict=True)):
        check_stop()
        for number in chunks(min(upper[t] - lower[t], rest // size)):
            before = best[: rest + 1 - number * size]
            with_them = np.where(before == _NEVER, _NEVER, before + number * weight)
            better = with_them > best[number * size :]
            best[number * size :][better] = with_them[better]
            taken.append((t, number, better))
    if best[rest] == _NEVER:
        return None
    copies, at = list(lower), rest
    for t, number, better in reversed(taken):
        before_them = at - number * sizes[t]
        if before_them >= 0 and better[before_them]:
            copies[t] += number
            at = before_them
    return tuple(copies)


def _set(copies: Copies, tile: int, number: int) -> Copies:
    return (*copies[:tile], number, *copies[tile + 1 :])
