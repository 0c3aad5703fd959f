"""Anchoring: a tile that every tiling uses exactly once is kept in one placement of each orbit, and laid first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tiler.ask.parts import Maps, Part
from tiler.backends.base import Backend
from tiler.cover import filters
from tiler.cover.cover import Cover

#: With how many placements of the first anchor each is a part of its own, and how many more anchors there may be.
_MOST_ANCHORS, _MORE_ANCHORS = 64, 3


def anchored(backend: Backend, cover: Cover, maps: Maps, anchor: str) -> tuple[Part, ...] | None:
    """The search split by where the anchor lies, one placement of each orbit; None if no tile can be the anchor.

    Each placement is a part of its own, with the symmetries that keep it, and nothing else that touches it: so the anchor is laid
    first, whatever the backend would lay first. (Where there are many placements, those with the same symmetries are one part.)
    A placement that some symmetries keep in place leaves these symmetries to the rest of the board: there another tile is an
    anchor under them, and so on, up to three times.
    """
    names = list(cover.names)
    once = [t for t in range(len(names)) if t != cover.filler and cover.lower[t] == cover.upper[t] == 1]
    first = once if anchor in ("off", "auto") else [filters.anchor_tile(cover, anchor)]
    ranks = _ranks(cover, backend.numbering(cover))
    todo = _laid(cover, np.ones(len(cover), np.bool_), maps, first, ranks, _MOST_ANCHORS)
    if todo is None:
        return None
    parts: list[Part] = []
    for _ in range(_MORE_ANCHORS):
        deeper = []
        for keep, stable in todo:
            split = _laid(cover, keep, stable, once, ranks, 1) if len(stable) > 1 else None
            if split is None:
                parts.append(Part(backend, cover.restrict(keep), stable[1:]))
            else:
                deeper += split
        todo = deeper
    parts += [Part(backend, cover.restrict(keep), stable[1:]) for keep, stable in todo]
    return tuple(parts)


def _laid(
    cover: Cover, keep: NDArray[np.bool_], maps: Maps, once: Sequence[int], ranks: Maps, most: int
) -> list[tuple[NDArray[np.bool_], Maps]] | None:
    """The options left beside each placement of an anchor that is the least of its orbit, and the maps that keep this placement.

    The anchor lies among the options marked in `keep`, which the maps (the identity first) take to each other. Up to `most`
    placements stand by themselves, more of them together with those that the same maps keep.

    Of the tiles used `once` that these maps take to themselves, the one with fewest such placements is the anchor; None if there
    is no such tile that they move.
    """
    best: tuple[int, int, Maps] | None = None
    for t in once:
        options = cover.by_tile[t][keep[cover.by_tile[t]]]
        images = maps[:, options]
        if (images == options).all() or not (cover.tile[images] == t).all():
            continue
        kept = options[(ranks[images] >= ranks[options]).all(axis=0)]
        # A placement that is kept by a symmetry leaves work for another anchor.
        score = len(kept) + int((maps[1:, kept] == kept).any(axis=0).sum())
        if best is None or score < best[0]:
            best = score, t, kept.astype(np.int64)
    if best is None:
        return None
    _, t, kept = best
    groups: dict[tuple[int, ...], list[list[int]]] = {}
    for option in kept.tolist():
        stable = tuple(np.flatnonzero(maps[:, option] == option).tolist())
        alike = groups.setdefault(stable, [])
        if len(kept) <= most or not alike:
            alike.append([option])
        else:
            alike[0].append(option)
    others = keep & (cover.tile != t)
    laid = []
    for stable, alike in groups.items():
        for some in alike:
            left = others & ~cover.touching(some[0]) if len(some) == 1 else others.copy()
            left[some] = True
            laid.append((left, maps[list(stable)]))
    return laid


def _ranks(cover: Cover, numbering: Maps) -> Maps:
    """Shape (options,): their places when sorted by their cells in a numbering."""
    cells = [sorted(numbering[members].tolist()) for members in cover.members.lists()]
    ranks = np.empty(len(cells), np.int64)
    ranks[sorted(range(len(cells)), key=cells.__getitem__)] = np.arange(len(cells))
    return ranks
