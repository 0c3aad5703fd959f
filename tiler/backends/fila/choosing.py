"""`order=auto`: whether FILA or dancing links are the cheaper here, and in which order, told from samples of their trees.

Two are compared: the first open cell, with lists chosen by the next cells where that is possible, and dancing links, which take
the cell or tile with fewest placements, in the plane with the volume filter for the first pieces. The one makes four times as
many nodes a second, the other makes fewer; how many fewer depends on how narrow the board is, and on no rule that is known. The
other orders never win by much.
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
from tiler.backends.base import Backend
from tiler.backends.dlx import Dlx
from tiler.backends.fila import Fila, orders
from tiler.backends.fila.search import tree
from tiler.backends.fila.window import refusal
from tiler.cover.board import BoardCover
from tiler.process.look import Look, unhurried

#: Seconds that a node takes, roughly: with a window, with lists by neighbours, with counts. All that matters is their ratio.
_WINDOW, _LISTS, _COUNTS = 35e-9, 100e-9, 125e-9
#: The share of the nodes of dancing links that is left, as a rule, with the volume filter for the first pieces.
_VOLUME = 0.6
#: As many nodes as could be made while the filter looks at one: where it does, far more should be below.
_FILTER = 5_000
#: Of every level so many nodes of dancing links are looked at, of FILA so many, which vary more and are made sooner, and so many
#: parts of a split search.
_BREADTH, _FIRST_BREADTH, _PARTS = 64, 128, 12
#: Seconds that are worth a thought. The least of some samples is too low, as a rule: if it promises more, it is looked at again,
#: with so many nodes.
_LONG, _MORE = 0.4, 512
#: What is under way goes on, unless another promises to be so many times as fast.
_CLEARLY = 1.3
#: Where fewest placements fit: of the last pieces tiles are hardly ever the better choice, and looking at them takes time.
_FEWEST = "mrv+cells:6"


class Chosen(NamedTuple):
    """What to search with, why, and about how many seconds it will take."""

    backend: Backend
    why: str
    seconds: float


def by_rule(backend: Fila, cover: BoardCover) -> Backend:
    """The search that suits the board by its form: in the plane, unless the set of tiles is exact and no window is possible, the
    first open cells, which is the faster where there are some million nodes; else most constrained ones."""
    first, fewest = _first_open(backend, cover)[0], _fewest(backend)
    if fewest is None or (cover.instance.dimension == 2 and (not cover.uses_every_copy or _has_window(first, cover))):
        return first
    return fewest


def by_samples(backend: Fila, cover: BoardCover, keeps: Sequence[NDArray[np.bool_]], look: Look = unhurried) -> Chosen:
    """The cheapest search of the parts of a cover that have the options marked in `keeps`, each of shape (options,); of the
    whole that by rule, if it is not clearly more expensive. The same samples are drawn every time; some tenths of a second."""
    chance = random.Random(1)
    rule, fewest, found = by_rule(backend, cover), _fewest(backend), list[Chosen]()
    if fewest is not None:
        levels = sampling.levels(backend.guides(cover, keeps, look), chance, _BREADTH)
        counting = fewest if backend.handoff else _filtered(fewest, cover, levels)
        found.append(Chosen(counting, "", sum(levels) * _COUNTS * (_VOLUME if counting.volume else 1.0)))
        if counting == rule and found[0].seconds < _LONG:
            return found[0]._replace(why="it suits the form of the board, and by samples it is over soon")
    some = [keeps[i * len(keeps) // _PARTS] for i in range(_PARTS)] if len(keeps) > _PARTS else list(keeps)
    parts = [part for part in map(cover.restrict, some) if part.refusal() is None]
    guides = {first: sampling.roots([tree(first, part) for part in parts]) for first in _first_open(backend, cover)}

    def seconds(first: Fila, breadth: int) -> float:
        look()
        nodes = sum(sampling.levels(guides[first], chance, breadth)) * len(keeps) / len(some)
        return nodes * (_WINDOW if _has_window(first, cover) else _LISTS)

    found += [Chosen(first, "", seconds(first, _FIRST_BREADTH)) for first in guides]
    # What is under way is not made again: there is no need to be sure of it.
    unsure = set(guides) - ({rule} if len(keeps) == 1 else set())
    while (best := min(found, key=lambda each: each.seconds)).backend in unsure and best.seconds > _LONG:
        unsure.remove(best.backend)
        both = (_FIRST_BREADTH * best.seconds + _MORE * seconds(best.backend, _MORE)) / (_FIRST_BREADTH + _MORE)
        found[found.index(best)] = best._replace(seconds=both)
    least = best.seconds
    # A search of parts begins anew in any case.
    gain = _CLEARLY if len(keeps) == 1 else 1.0
    best, *others = sorted(found, key=lambda each: (each.backend != rule or each.seconds > gain * least, each.seconds))
    more = ", ".join(f"{each.backend} {_times(each.seconds / best.seconds)}" for each in others if best.seconds)
    return best._replace(why=f"by samples the cheapest, {more} times as much" if more else "by samples nothing is to be searched")


def _times(ratio: float) -> str:
    return f"{ratio:.1f}" if ratio < 100 else rounded(ratio)


def _fewest(backend: Fila) -> Dlx | None:
    """Most constrained cells, and tiles; None with nof=off, which is about lists."""
    if not backend.nof:
        return None
    return Dlx(filter=backend.filter, anchor=backend.anchor, order=_FEWEST, volume=backend.volume)


def _filtered(backend: Dlx, cover: BoardCover, levels: Sequence[float]) -> Dlx:
    """In the plane the volume filter looks at what is left where the pieces of the first levels are placed."""
    pieces = int(cover.upper.sum()) if cover.uses_every_copy else 0
    if pieces < 3 or cover.instance.dimension > 2 or not cover.tiles_are_connected:
        return backend
    few = [depth for depth, nodes in enumerate(levels, 1) if nodes * _FILTER <= sum(levels)]
    return replace(backend, volume=max(0, pieces - max(few))) if few else backend


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
