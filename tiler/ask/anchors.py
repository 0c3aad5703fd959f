"""Anchoring: a tile that every tiling uses exactly once is kept in one placement of each orbit, and laid first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tiler.ask.parts import Maps, SearchPart
from tiler.backends.base import Backend
from tiler.cover import filters
from tiler.cover.board import BoardCover
from tiler.cover.cover import Cover
from tiler.process.look import Look, unhurried

#: With how many placements of the first anchor each is a part of its own, and how many more anchors there may be.
_MOST_ANCHORS, _MORE_ANCHORS = 64, 3


@dataclass(frozen=True, eq=False)
class Anchor:
    """A tile that can be the anchor, and the search split by where it lies: the options left in each part, and the symmetries,
    the identity first, that keep what is laid there."""

    tile: int
    orbits: int  #: placements kept, one of each orbit
    split: tuple[tuple[NDArray[np.bool_], Maps], ...]

    def parts(self, backend: Backend, cover: Cover) -> tuple[SearchPart, ...]:
        """All of them, to be searched by a backend."""
        if isinstance(cover, BoardCover):  # Found out once for all of them.
            _ = cover.neighbours, cover.tiles_are_connected
        return tuple(SearchPart(backend, cover.restrict(keep), stable[1:]) for keep, stable in self.split)


def anchors(backend: Backend, cover: Cover, maps: Maps, anchor: str, look: Look = unhurried) -> Iterator[Anchor]:
    """The tiles that can be anchors, those with fewest placements to try first; with a name, that one, if it can.

    Each placement is a part of its own, with the symmetries that keep it, and nothing else that touches it: so the anchor is laid
    first, whatever the backend would lay first. (Where there are many placements, those with the same symmetries are one part.)
    A placement that some symmetries keep in place leaves these symmetries to the rest of the board: there another tile is an
    anchor under them, and so on, up to three times.
    """
    names = list(cover.names)
    once = [t for t in range(len(names)) if not cover.is_filler[t] and cover.lower[t] == cover.upper[t] == 1]
    first = once if anchor in ("off", "auto") else [filters.anchor_tile(cover, anchor)]
    ranks = _ranks(cover, backend.numbering(cover))
    everything = np.ones(len(cover), np.bool_)
    for tile, kept in _kept(cover, everything, maps, first, ranks):
        look()
        todo = _laid(cover, everything, maps, tile, kept, _MOST_ANCHORS)
        done: list[tuple[NDArray[np.bool_], Maps]] = []
        for _ in range(_MORE_ANCHORS):
            deeper = []
            for keep, stable in todo:
                others = _kept(cover, keep, stable, once, ranks) if len(stable) > 1 else []
                if others:
                    deeper += _laid(cover, keep, stable, *others[0], 1)
                else:
                    done.append((keep, stable))
            todo = deeper
        yield Anchor(tile, len(kept), (*done, *todo))


def _kept(
    cover: Cover, keep: NDArray[np.bool_], maps: Maps, once: Sequence[int], ranks: Maps
) -> list[tuple[int, NDArray[np.int64]]]:
    """The tiles used `once` that the maps, the identity first, take to themselves and move: each with its placements
    that are the least of their orbits, the tile with fewest of them first.

    The tiles lie among the options marked in `keep`, which the maps take to each other.
    """
    found = []
    for t in once:
        options = cover.by_tile[t][keep[cover.by_tile[t]]]
        images = maps[:, options]
        if (images == options).all() or not (cover.tile[images] == t).all():
            continue
        kept = options[(ranks[images] >= ranks[options]).all(axis=0)].astype(np.int64)
        # A placement that is kept by a symmetry leaves work for another anchor.
        found.append((len(kept) + int((maps[1:, kept] == kept).any(axis=0).sum()), t, kept))
    return [(t, kept) for _, t, kept in sorted(found, key=lambda each: each[:2])]


def _laid(
    cover: Cover, keep: NDArray[np.bool_], maps: Maps, t: int, kept: NDArray[np.int64], most: int
) -> list[tuple[NDArray[np.bool_], Maps]]:
    """The options left beside each of these placements of an anchor, and the maps that keep this placement.

    Up to `most` placements stand by themselves, more of them together with those that the same maps keep.
    """
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
