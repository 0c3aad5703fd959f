"""Choose the cheapest search, among several anchors, FILA and dancing links, by samples of their trees
(stochastic_enumeration.py). The same samples are drawn every time.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler.amounts import rounded
from tiler.ask.parts import SearchPart
from tiler.ask.size import stochastic_enumeration
from tiler.ask.symmetry.anchors import Anchor
from tiler.backends.base import Backend
from tiler.backends.dlx import Dlx
from tiler.backends.fila import Fila
from tiler.cover.board import BoardCover
from tiler.cover.cover import Cover
from tiler.process.cancellation import StopCheck, never_stop
from tiler.question.plan import Candidate

#: A search with fewer nodes ends before samples could show how to make it shorter.
TINY = 1 << 20


class _Round(NamedTuple):
    """A round of samples of some anchors: of the best `many` so far, without those with `far` times as many nodes as the best. It
    looks at `breadth` nodes of each level, and is made only if the search has `least` nodes, so that it is worth it."""

    many: int
    far: float
    breadth: int
    least: int


_ROUNDS = (
    _Round(1 << 30, inf, 32, TINY),
    _Round(5, 8.0, 96, 1 << 21),
    _Round(3, 2.0, 256, 1 << 21),
    _Round(2, 2.0, 512, 1 << 26),
)
_WHOLE_BREADTH = 96  #: nodes of every level that are looked at for the whole, unsplit search

#: Seconds that a node takes, roughly: with a window, with lists by neighbours, with counts. All that matters is their ratio.
_WINDOW, _LISTS, _COUNTS = 35e-9, 100e-9, 125e-9
#: The share of the nodes of dancing links that is left, as a rule, with the volume filter for the first pieces.
_VOLUME = 0.6
#: The cost of the filter at one node, in nodes: it is used where far more nodes are expected below.
_FILTER = 5_000
#: How many nodes of every level are looked at, by dancing links and by FILA, whose nodes vary more and are made sooner; and how
#: many parts of a split search.
_BREADTH, _FIRST_BREADTH, _PARTS = 64, 128, 12
#: How many nodes of how many parts are looked at first; and how many times as long as another is too long to be looked at again.
_GLIMPSE, _FEW_PARTS, _FAR = 32, 4, 8.0
#: The gain in seconds for which samples are worth their time. The least of several estimates is mostly too low; so if it promises
#: a larger gain, it is estimated again with more nodes of every level.
_LONG, _MORE = 0.4, 512
#: The search under way goes on, unless another one promises to be faster by this factor.
_CLEARLY = 1.3


@dataclass(frozen=True)
class ChosenAnchor:
    """An anchor, and why it is this one."""

    anchor: Anchor
    why: str
    nodes: float | None = None  #: nodes estimated by samples, if samples were drawn


def of_anchors(
    backend: Backend, cover: Cover, anchors: Sequence[Anchor], check_stop: StopCheck = never_stop, threads: int = 1
) -> ChosenAnchor:
    """The anchor of those given under which the backend has the smallest tree. If the tree is small anyway, it is the first one.

    Some hundredths of a second for each anchor. Filters are left out of account: they help all of them.
    """
    first = anchors[0]
    by_rule = ChosenAnchor(first, "it has the fewest placements")
    if len(anchors) == 1 or not backend.can_estimate or stochastic_enumeration.is_idle(cover):
        return by_rule
    tree = stochastic_enumeration.guide(backend, cover)
    starts = dict[int, list[stochastic_enumeration.Rooted]]()
    best = list(anchors)
    nodes, breadths = dict.fromkeys((anchor.tile for anchor in anchors), 0.0), 0

    def walk(anchor: Anchor, breadth: int) -> Iterator[float]:
        if anchor.tile not in starts:
            keeps = [keep for keep, _ in anchor.split]
            if tree is None:
                starts[anchor.tile] = stochastic_enumeration.guides(backend, cover, keeps, check_stop)
            else:
                starts[anchor.tile] = stochastic_enumeration.narrowed(tree.twin() if threads > 1 else tree, keeps, check_stop)
        return stochastic_enumeration.walk(starts[anchor.tile], random.Random(breadth), breadth)

    close = best
    for many, far, breadth, least in _ROUNDS:
        close = [each for each in close[:many] if not breadths or nodes[each.tile] <= far * nodes[best[0].tile]]
        if breadths and (len(close) == 1 or nodes[best[0].tile] < least):
            break
        todo, sizes = close, list[float]()
        if not breadths:
            sizes = [sum(walk(first, breadth))]
            if sizes[0] < least:
                return by_rule
            todo = close[1:]
        sizes += map(sum, stochastic_enumeration.at_once([walk(anchor, breadth) for anchor in todo], threads, check_stop))
        for anchor, size in zip(close, sizes, strict=True):
            nodes[anchor.tile] = (breadths * nodes[anchor.tile] + breadth * size) / (breadths + breadth)
        breadths += breadth
        close = best[: len(close)] = sorted(close, key=lambda anchor: nodes[anchor.tile])
    fewest, next_ = (f"{rounded(nodes[anchor.tile])} with {cover.names[anchor.tile]}" for anchor in best[:2])
    why = f"samples of {len(anchors)} anchors promise the fewest nodes: {fewest}, then {next_}"
    return ChosenAnchor(best[0], why, nodes[best[0].tile])


def size(backend: Backend, cover: Cover, check_stop: StopCheck = never_stop) -> float:
    """The nodes of the search of a whole cover, estimated."""
    guides = stochastic_enumeration.guides(backend, cover, [np.ones(len(cover), np.bool_)], check_stop)
    return sum(stochastic_enumeration.levels(guides, random.Random(_WHOLE_BREADTH), _WHOLE_BREADTH))


def are_tiny(parts: Sequence[SearchPart], check_stop: StopCheck = never_stop) -> bool:
    """Whether dancing links search all these parts in no time, by samples."""
    nodes, chance = 0.0, random.Random(0)
    for part in parts:
        check_stop()
        if part.cover.refusal() is None:
            nodes += sum(
                stochastic_enumeration.levels(
                    stochastic_enumeration.roots([part.backend.tree(part.cover)]), chance, _ROUNDS[0].breadth
                )
            )
        if nodes > TINY:
            return False
    return True


class _Cost(NamedTuple):
    """A backend, and about how many seconds its search will take."""

    backend: Backend
    seconds: float


def of_searches(
    rule: Backend,
    firsts: Sequence[Fila],
    fewest: Dlx | None,
    cover: BoardCover,
    keeps: Sequence[NDArray[np.bool_]],
    check_stop: StopCheck = never_stop,
    threads: int = 1,
) -> Candidate:
    """The cheapest search of the parts of a cover that have the options marked in `keeps`, each of shape (options,): one of the
    `firsts`, or `fewest`, with the volume filter if that pays. For a whole cover it is the search by rule, unless that is clearly
    more expensive. This takes some tenths of a second.
    """
    from tiler.backends.fila.variants import has_window

    found = list[_Cost]()
    if fewest is not None:
        levels = stochastic_enumeration.levels(
            stochastic_enumeration.guides(firsts[0], cover, keeps, check_stop), random.Random(_BREADTH), _BREADTH
        )
        counting = fewest if firsts[0].handoff else _filtered(fewest, cover, levels)
        found.append(_Cost(counting, sum(levels) * _COUNTS * (_VOLUME if counting.volume else 1.0)))
        if counting == rule and found[0].seconds < _LONG:
            because = "it suits the form of the board, and samples say that it ends soon"
            return Candidate(str(rule), because, seconds=found[0].seconds)
    paces: dict[Backend, float] = {first: _WINDOW if has_window(first, cover) else _LISTS for first in firsts}
    parts: dict[int, Cover] = {}
    roots: dict[tuple[Backend, int], list[stochastic_enumeration.Rooted]] = {}

    def guides(first: Backend, some: Sequence[int]) -> list[stochastic_enumeration.Rooted]:
        for i in some:
            if i not in parts:
                parts[i] = cover.restrict(keeps[i])
            if (first, i) not in roots:
                check_stop()
                roots[first, i] = stochastic_enumeration.roots([first.tree(parts[i])] if parts[i].refusal() is None else [])
        return [rooted for i in some for rooted in roots[first, i]]

    def costs(asked: Sequence[Backend], most: int, breadth: int) -> list[_Cost]:
        some = _spread(len(keeps), most)
        walks = [stochastic_enumeration.walk(guides(first, some), random.Random(breadth), breadth) for first in asked]
        sizes = [sum(levels) * len(keeps) / len(some) for levels in stochastic_enumeration.at_once(walks, threads, check_stop)]
        return [_Cost(first, size * paces[first]) for first, size in zip(asked, sizes, strict=True)]

    hopeful: Sequence[Backend] = firsts
    if found or len(firsts) > 1:
        glimpsed = costs(firsts, _FEW_PARTS, _GLIMPSE)
        enough = _FAR * min(each.seconds for each in (*found, *glimpsed))
        hopeful = [each.backend for each in glimpsed if each.seconds <= enough]
        found += [each for each in glimpsed if each.seconds > enough]
    found += costs(hopeful, _PARTS, _FIRST_BREADTH)
    # The search under way goes on without a new start, so its estimate need not be certain.
    unsure = set(hopeful) - ({rule} if len(keeps) == 1 else set())
    while (best := min(found, key=lambda each: each.seconds)).backend in unsure and best.seconds > _LONG:
        unsure.remove(best.backend)
        (more,) = costs([best.backend], _PARTS, _MORE)
        both = (_FIRST_BREADTH * best.seconds + _MORE * more.seconds) / (_FIRST_BREADTH + _MORE)
        found[found.index(best)] = best._replace(seconds=both)
    least = best.seconds
    # A search of parts begins anew in any case.
    gain = _CLEARLY if len(keeps) == 1 else 1.0
    best, *others = sorted(found, key=lambda each: (each.backend != rule or each.seconds > gain * least, each.seconds))
    times = ", ".join(f"{each.backend} {_times(each.seconds / best.seconds)}" for each in others if best.seconds)
    because = (
        f"the cheapest in samples; cost of the others: {times} times as much" if times else "samples found nothing to search"
    )
    return Candidate(str(best.backend), because, seconds=best.seconds)


def _spread(number: int, most: int) -> list[int]:
    """Numbers below `number` at even distances, at most `most`."""
    return [i * number // most for i in range(most)] if number > most else list(range(number))


def _times(ratio: float) -> str:
    return f"{ratio:.1f}" if ratio < 100 else rounded(ratio)


def _filtered(backend: Dlx, cover: BoardCover, levels: Sequence[float]) -> Dlx:
    """In the plane the volume filter looks at what is left where the pieces of the first levels are placed."""
    pieces = int(cover.upper.sum()) if cover.uses_every_copy else 0
    if pieces < 3 or cover.instance.dimension > 2 or not cover.tiles_are_connected:
        return backend
    few = [depth for depth, nodes in enumerate(levels, 1) if nodes * _FILTER <= sum(levels)]
    return replace(backend, volume=max(0, pieces - max(few))) if few else backend
