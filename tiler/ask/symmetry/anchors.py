"""Anchoring: a tile that every tiling uses exactly once is kept in one placement of each orbit, and laid first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.ask.parts import Maps, SearchPart
from tiler.backends.base import Backend
from tiler.cover import filters
from tiler.cover.board import BoardCover
from tiler.cover.cover import Cover
from tiler.process.cancellation import StopCheck, never_stop

#: Up to this number of placements of the first anchor each is a part of its own; and how many more anchors there may be.
_MOST_ANCHORS, _MORE_ANCHORS = 64, 3


@dataclass(frozen=True, eq=False)
class Anchor:
    """A tile that can be the anchor, and the search split by where it lies: the options left in each part, and which of the
    symmetries, the identity first, keep what is laid there."""

    tile: int
    orbits: int  #: the number of placements kept, one of each orbit
    split: tuple[tuple[NDArray[np.bool_], list[int]], ...]
    maps: Maps  #: the images of items and options under all symmetries

    def parts(self, backend: Backend, cover: Cover) -> tuple[SearchPart, ...]:
        """All parts of the search, for a backend."""
        if isinstance(cover, BoardCover):  # This is computed once for all parts.
            _ = cover.neighbours, cover.tiles_are_connected
        return tuple(SearchPart(backend, cover.restrict(keep), self.maps[stable[1:]]) for keep, stable in self.split)


def anchors(backend: Backend, cover: Cover, maps: Maps, anchor: str, check_stop: StopCheck = never_stop) -> Iterator[Anchor]:
    """The tiles that can be anchors, those with fewest placements to try first. With a name: only that tile, if it can.

    Each placement is a part of its own, with the symmetries that keep it, and nothing else that touches it: so the anchor is laid
    first, whatever the backend would lay first. (If there are many placements, those with the same symmetries are one part.) If
    some symmetries keep a placement in place, the rest of the board still has these symmetries: there another tile is an anchor
    under them, and so on, up to three times.
    """
    names = list(cover.names)
    once = [t for t in range(len(names)) if not cover.is_filler[t] and cover.lower[t] == cover.upper[t] == 1]
    first = once if anchor in ("off", "auto") else [filters.anchor_tile(cover, anchor)]
    if not first:
        return
    images = _Images.of(cover, maps, _ranks(cover, backend.numbering(cover)))
    everything, all_maps = np.ones(len(cover), np.bool_), list(range(len(maps)))
    for tile, number in images.kept(everything, all_maps, first):
        check_stop()
        todo = list(images.laid(everything, all_maps, tile, _MOST_ANCHORS))
        done: list[tuple[NDArray[np.bool_], list[int]]] = []
        for _ in range(_MORE_ANCHORS):
            deeper: list[tuple[NDArray[np.bool_], list[int]]] = []
            for keep, stable in todo:
                others = images.kept(keep, stable, once) if len(stable) > 1 else []
                if others:
                    deeper += images.laid(keep, stable, others[0][0], 1)
                else:
                    done.append((keep, stable))
            todo = deeper
        yield Anchor(tile, number, (*done, *todo), maps)


@dataclass(frozen=True, eq=False)
class _Images:
    """Facts about the images of options under symmetries, the identity first; marks have shape (symmetries, options)."""

    cover: Cover
    fixed: NDArray[np.bool_]  #: an option is its own image
    later: NDArray[np.bool_]  #: the image does not come before the option
    same: NDArray[np.bool_]  #: the image is one of the same tile

    @classmethod
    def of(cls, cover: Cover, maps: Maps, ranks: NDArray[np.int64]) -> _Images:
        return cls(cover, maps == portable.arange(len(cover)), ranks[maps] >= ranks, cover.tile[maps] == cover.tile)

    def kept(self, keep: NDArray[np.bool_], stable: list[int], once: Sequence[int]) -> list[tuple[int, int]]:
        """The tiles used `once` that some symmetries take to themselves and move: each with how many of its placements are the
        least of their orbits, the tile with fewest of them first.

        The tiles lie among the options marked in `keep`, which the symmetries take to each other.
        """
        cover, tiles = self.cover, len(self.cover.names)
        least = self._least(keep, stable)

        def by_tile(marks: NDArray[np.bool_]) -> list[int]:
            return [int(number) for number in portable.bincount(cover.tile[marks], minlength=tiles)]

        moved = by_tile(keep & ~self.fixed[stable].all(axis=0))
        lost = by_tile(keep & ~self.same[stable].all(axis=0))
        # A placement that is kept by a symmetry leaves work for another anchor.
        number, more = by_tile(least), by_tile(least & self.fixed[stable[1:]].any(axis=0))
        found = sorted((number[t] + more[t], t) for t in once if moved[t] and not lost[t])
        return [(t, number[t]) for _, t in found]

    def laid(
        self, keep: NDArray[np.bool_], stable: list[int], t: int, most: int
    ) -> Iterator[tuple[NDArray[np.bool_], list[int]]]:
        """The options left beside each placement of an anchor that is the least of its orbit, and which symmetries keep it.

        Up to `most` placements stand by themselves, more of them together with those that the same symmetries keep.
        """
        kept = np.flatnonzero(self._least(keep, stable) & (self.cover.tile == t))
        groups: dict[tuple[int, ...], list[list[int]]] = {}
        for option, fixed in zip(kept.tolist(), self.fixed[stable][:, kept].T.tolist(), strict=True):
            alike = groups.setdefault(tuple(compress(stable, fixed)), [])
            if len(kept) <= most or not alike:
                alike.append([option])
            else:
                alike[0].append(option)
        others = keep & (self.cover.tile != t)
        for still, alike in groups.items():
            for some in alike:
                left = others & ~self.cover.touching(some[0]) if len(some) == 1 else others.copy()
                left[some] = True
                yield left, list(still)

    def _least(self, keep: NDArray[np.bool_], stable: list[int]) -> NDArray[np.bool_]:
        """Marks, shape (options,), of the options marked in `keep` that are the least of their images."""
        return keep & self.later[stable].all(axis=0)


def _ranks(cover: Cover, numbering: NDArray[np.int64]) -> NDArray[np.int64]:
    """The ranks of the options, shape (options,), when they are sorted by their cells in a numbering."""
    lengths = np.diff(cover.members.starts)
    options, cells = portable.repeat(portable.arange(len(cover)), lengths), numbering[cover.members.values]
    columns = np.full((int(lengths.max(initial=1)), len(cover)), -1, np.int64)
    columns[portable.arange(len(cells)) - portable.repeat(cover.members.starts[:-1], lengths), options] = cells[
        np.lexsort((cells, options))
    ]
    ranks = np.empty(len(cover), np.int64)
    ranks[np.lexsort(columns[::-1])] = portable.arange(len(cover))
    return ranks
