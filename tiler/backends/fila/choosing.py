"""`order=auto`: which of FILA's searches is the cheapest here, told from samples of their trees.

Two are compared: the first open cell, with lists chosen by the next cells where that is possible, and the cell where fewest
placements fit, below some pieces placed by dancing links. The one makes six times as many nodes a second, the other makes fewer;
how many fewer depends on how narrow the board is, and on no rule that is known. The other orders never win by much.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler.amounts import rounded
from tiler.backends import sampling
from tiler.backends.fila import Fila, orders
from tiler.backends.fila.search import tree
from tiler.backends.fila.window import refusal
from tiler.cover.board import BoardCover
from tiler.process.look import Look, unhurried

#: Seconds that a node takes, roughly: with a window, with lists by neighbours, with counts. All that matters is their ratio.
_WINDOW, _LISTS, _COUNTS = 32e-9, 150e-9, 210e-9
#: Of the nodes of dancing links so many are left, as a rule, with the volume filter above the handoff.
_VOLUME = 0.6
#: As many nodes as could be made while FILA takes over from dancing links: where it does, far more should be below.
_HANDOFF = 5_000
#: Of every level so many nodes are looked at, and of a split search so many parts.
_BREADTH, _PARTS = 64, 12
#: What is under way goes on, unless another promises to be so many times as fast.
_CLEARLY = 1.3
#: More placements than that are worth a handoff, by rule.
_MANY_PLACEMENTS = 1000


class Chosen(NamedTuple):
    """What to search with, why, and about how many seconds it will take."""

    backend: Fila
    why: str
    seconds: float


def by_rule(backend: Fila, cover: BoardCover) -> Fila:
    """The search that suits the board by its form: in the plane, unless the set of tiles is exact and no window is possible, the
    first open cells, which is the faster where there are some million nodes; else most constrained ones below some pieces."""
    first = _first_open(backend, cover)[0]
    exact = cover.uses_every_copy
    if cover.instance.dimension == 2 and (not exact or _has_window(first, cover)):
        return first
    pieces = int(cover.upper.sum()) if exact else 0
    handoff = pieces - 2 if pieces > 2 and len(cover) > _MANY_PLACEMENTS else 0
    return replace(backend, order=orders.SIZE, handoff=backend.handoff or handoff)


def by_samples(backend: Fila, cover: BoardCover, keeps: Sequence[NDArray[np.bool_]], look: Look = unhurried) -> Chosen:
    """The cheapest search of the parts of a cover that have the options marked in `keeps`, each of shape (options,); of the
    whole that by rule, if it is not clearly more expensive. The same samples are drawn every time; some tenths of a second."""
    chance = random.Random(1)
    levels = sampling.levels(backend.guides(cover, keeps, look), chance, _BREADTH)
    counting = _counting(backend, cover, levels)
    found = [Chosen(counting, "", sum(levels) * _COUNTS * (_VOLUME if counting.volume else 1.0))]
    some = [keeps[i * len(keeps) // _PARTS] for i in range(_PARTS)] if len(keeps) > _PARTS else list(keeps)
    parts = [part for part in map(cover.restrict, some) if part.refusal() is None]
    for first in _first_open(backend, cover):
        guides = sampling.roots([tree(first, part) for part in parts])
        look()
        nodes = sum(sampling.levels(guides, chance, _BREADTH)) * len(keeps) / len(some)
        found.append(Chosen(first, "", nodes * (_WINDOW if _has_window(first, cover) else _LISTS)))
    rule, least = by_rule(backend, cover), min(each.seconds for each in found)
    # A search of parts begins anew in any case.
    gain = _CLEARLY if len(keeps) == 1 else 1.0
    best, *others = sorted(found, key=lambda each: (each.backend != rule or each.seconds > gain * least, each.seconds))
    more = ", ".join(f"{each.backend} {_times(each.seconds / best.seconds)}" for each in others if best.seconds)
    return best._replace(why=f"by samples the cheapest, {more} times as much" if more else "by samples nothing is to be searched")


def _times(ratio: float) -> str:
    return f"{ratio:.1f}" if ratio < 100 else rounded(ratio)


def _counting(backend: Fila, cover: BoardCover, levels: Sequence[float]) -> Fila:
    """Most constrained cells; the pieces of the first levels are placed by dancing links, and in the plane the volume filter
    looks at what is left beside them."""
    pieces = int(cover.upper.sum()) if cover.uses_every_copy else 0
    if backend.handoff or pieces < 3:
        return replace(backend, order=orders.SIZE)
    if cover.instance.dimension > 2 or not cover.tiles_are_connected:
        return replace(backend, order=orders.SIZE, handoff=pieces - 2 if len(cover) > _MANY_PLACEMENTS else 0)
    few = [depth for depth, nodes in enumerate(levels, 1) if nodes * _HANDOFF <= sum(levels)]
    handoff = max(0, pieces - max(few, default=0)) if few else 0
    return replace(backend, order=orders.SIZE, handoff=handoff, volume=handoff)


def _first_open(backend: Fila, cover: BoardCover) -> list[Fila]:
    """First open cells, in every numbering along axes that allows a window, first of all, or alone if none does, in the one that
    numbers neighbours closest together."""
    first = replace(backend, order=orders.FIRST)
    if backend.axes != "auto" or backend.handoff or not backend.nof:
        return [first]
    sweeps: dict[bytes, str] = {}
    for axes in ("auto", *orders.sweeps(cover)):
        sweeps.setdefault(orders.numbering(cover, axes).tobytes(), axes)
    able = [replace(first, axes=axes) for axes in sweeps.values() if _has_window(replace(first, axes=axes), cover)]
    return able or [first]


def _has_window(backend: Fila, cover: BoardCover) -> bool:
    if backend.window == "off" or backend.handoff or not backend.nof:
        return False
    return refusal(cover, orders.numbering(cover, backend.axes), 1) is None
