"""The image lists of FILA: for each target cell and each state of the neighbours looked at, the images that can be tried there.

Cells are counted by *place*, their rank in the numbering, which is the bit that stands for them. Images are options of the cover.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tiler.cover import ExactCover

#: The most entries of the lists of one set; with more, neighbours are not looked at, which takes less memory.
MAX_ENTRIES = 1 << 24


@dataclass(frozen=True)
class Lists:
    """The lists of several sets, one set for each fixed ordering and one for the others, as kernels/fila.py takes them.

    Slot `set * cells + place` is a target in a set.
    """

    first: NDArray[np.int64]  #: shape (slots,): the slot's list when all neighbours looked at are open; those for z follow
    around: NDArray[
        np.int64
    ]  #: shape (slots * sides,): the places to look at, bit 0 of z first; the place behind the last for none
    base: NDArray[np.int64]  #: shape (slots,): the place that bit 0 of the slot's masks stands for
    words: int  #: words of a mask
    tile_words: int  #: words of a set of tiles
    has: NDArray[np.uint64]  #: shape (lists * tile_words,): the tiles with an image in the list, as bits
    starts: NDArray[np.int64]  #: shape (lists * tiles + 1,): where the images of a tile in a list begin
    masks: NDArray[np.uint64]  #: shape (entries * words,): the cells of the images
    option: NDArray[np.int32]  #: shape (entries,): the images


@dataclass(frozen=True)
class _Pairs:
    """The pairs of an image and a target of one set, in ascending order of images."""

    option: NDArray[np.int64]
    target: NDArray[np.int64]  # a place
    around: NDArray[np.int64]  # shape (cells, sides): places to look at beside each place, -1 for none


def build(
    cover: ExactCover, place: NDArray[np.int64], beside: NDArray[np.int64], sets: list[NDArray[np.int64] | None], *, nof: bool
) -> Lists:
    """The lists for a number of sets, each given by the ranks of the cells in its fixed order, or None for no fixed order.

    `place` is the numbering, `beside` the neighbours of each cell. POF: in a set with a fixed order a target is the first cell of
    its images, and neighbours before it need not be looked at. NOF: an image is in no list whose z says that one of its cells is
    taken. Some 2e6 entries a second.
    """
    cells, tiles = len(cover.cells), len(cover.tiles)
    pairs = [_pairs(cover, place, beside, ranks) for ranks in sets]
    base = np.concatenate([_bases(cover, place, each) for each in pairs])
    words = max(_words(cover, place, each, base[s * cells :]) for s, each in enumerate(pairs))
    first, around, keys, masks, options = [], [], [], [], []
    lists = 0
    for s, each in enumerate(pairs):
        looked_at, blocked = _blocked(cover, place, each, nof)
        counts = (looked_at >= 0).sum(1)
        here = np.concatenate([[0], np.cumsum(1 << counts)]) + lists
        lists = int(here[-1])
        mask = _masks(cover, place, each, base[s * cells :], words)
        for z in range(1 << int(counts.max(initial=0))):
            listed = np.flatnonzero((blocked & z == 0) & (z >> counts[each.target] == 0))
            keys.append((here[each.target[listed]] + z) * tiles + cover.tile[each.option[listed]])
            masks.append(mask[listed])
            options.append(each.option[listed])
        first.append(here[:-1])
        around.append(np.where(looked_at >= 0, looked_at, cells))
    key = np.concatenate(keys)
    order = np.argsort(key, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(key, minlength=lists * tiles))]).astype(np.int64)
    tile_words = -(-tiles // 64)
    return Lists(
        np.concatenate(first),
        _padded(around, cells).ravel(),
        base,
        words,
        tile_words,
        tiles_listed(starts, tiles),
        starts,
        np.concatenate(masks)[order].ravel(),
        np.concatenate(options)[order].astype(np.int32),
    )


def _padded(rows: list[NDArray[np.int64]], value: int) -> NDArray[np.int64]:
    """Arrays of shape (.., columns) one below the other, the narrower ones filled up."""
    columns = max(row.shape[1] for row in rows)
    return np.concatenate([np.pad(row, ((0, 0), (0, columns - row.shape[1])), constant_values=value) for row in rows])


def tiles_listed(starts: NDArray[np.int64], tiles: int) -> NDArray[np.uint64]:
    """`Lists.has` of `Lists.starts`."""
    words = -(-tiles // 64)
    some = np.zeros(((len(starts) - 1) // tiles, words * 64), np.bool_)
    some[:, :tiles] = (np.diff(starts) > 0).reshape(-1, tiles)
    return np.packbits(some, axis=1, bitorder="little").view(np.uint64).ravel()


def _pairs(cover: ExactCover, place: NDArray[np.int64], beside: NDArray[np.int64], ranks: NDArray[np.int64] | None) -> _Pairs:
    members = cover.members.values
    size = np.diff(cover.members.starts)
    around = np.empty_like(beside)
    around[place] = np.where(beside >= 0, place[beside], -1)
    if ranks is None:
        return _Pairs(np.repeat(np.arange(len(cover)), size), place[members], around)
    # An image is at home at the first of its cells.
    cell_at = np.argsort(ranks)
    targets = cell_at[np.minimum.reduceat(ranks[members], cover.members.starts[:-1])]
    later = np.where(beside >= 0, ranks[beside] > ranks[:, None], False)
    around[place] = np.where(later, around[place], -1)
    return _Pairs(np.arange(len(cover)), place[targets], around)


def _bases(cover: ExactCover, place: NDArray[np.int64], pairs: _Pairs) -> NDArray[np.int64]:
    least = np.minimum.reduceat(place[cover.members.values], cover.members.starts[:-1])
    base = np.arange(len(cover.cells))
    np.minimum.at(base, pairs.target, least[pairs.option])
    return base


def _words(cover: ExactCover, place: NDArray[np.int64], pairs: _Pairs, base: NDArray[np.int64]) -> int:
    last = np.maximum.reduceat(place[cover.members.values], cover.members.starts[:-1])
    return int((last[pairs.option] - base[pairs.target]).max()) // 64 + 1


def _masks(cover: ExactCover, place: NDArray[np.int64], pairs: _Pairs, base: NDArray[np.int64], words: int) -> NDArray[np.uint64]:
    """Shape (pairs, words): the cells of each image, relative to the base of the target."""
    starts = cover.members.starts
    size = np.diff(starts)[pairs.option]
    ends = np.cumsum(size)
    member = np.arange(ends[-1]) - np.repeat(ends - size, size) + np.repeat(starts[pairs.option], size)
    bit = place[cover.members.values[member]] - np.repeat(base[pairs.target], size)
    value = np.uint64(1) << (bit & 63).astype(np.uint64)
    zero = np.uint64(0)
    return np.stack([np.bitwise_or.reduceat(np.where(bit >> 6 == k, value, zero), ends - size) for k in range(words)], axis=1)


def _blocked(
    cover: ExactCover, place: NDArray[np.int64], pairs: _Pairs, nof: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The places to look at beside each, left-justified, (cells, sides), and for each pair those in the image as bits of z."""
    none = np.full((len(place), 0), -1, np.int64), np.zeros(len(pairs.option), np.int64)
    looked_at = np.sort(np.where(pairs.around < 0, len(place), pairs.around), axis=1)
    looked_at = np.where(looked_at == len(place), -1, looked_at)[:, : int((looked_at < len(place)).sum(1).max(initial=0))]
    if not nof or (1 << (looked_at >= 0).sum(1))[pairs.target].sum() > MAX_ENTRIES:
        return none
    covered = np.repeat(np.arange(len(cover)), np.diff(cover.members.starts)) * len(place) + place[cover.members.values]
    covered.sort()
    blocked = np.zeros(len(pairs.option), np.int64)
    for k in range(looked_at.shape[1]):
        beside = looked_at[pairs.target, k]
        wanted = pairs.option * len(place) + beside
        found = covered[np.minimum(np.searchsorted(covered, wanted), len(covered) - 1)] == wanted
        blocked |= (found & (beside >= 0)).astype(np.int64) << k
    return looked_at, blocked
