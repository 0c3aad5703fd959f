"""Build the image lists of FILA: the images to try at a target cell for each state of its neighbours.

Cells are counted by *place*, their rank in the numbering, which is also the bit for a cell. Images are options of the cover.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.backends.fila.kernel_lists import ListedImages, Slots
from tiler.cover.board import BoardCover
from tiler.cover.pins import PinnedCover
from tiler.process.cancellation import StopCheck, never_stop

#: The most entries of the lists of a set; with more, neighbours are not looked at, which takes less memory.
MAX_ENTRIES = 1 << 24

#: The most neighbours that are looked at, if there are pins among them.
MAX_LOOKED_AT = 8

_OPTIONS = 200_000  # placements put into masks between two looks at the clock


class ImageLists(NamedTuple):
    """The image lists of a cover, for a search by lists."""

    slots: Slots
    images: ListedImages
    places: NDArray[np.int64]  #: shape (lists,): the place that a list is for
    states: NDArray[np.int64]  #: shape (lists,): the state z of its neighbours
    looked_at: NDArray[np.int64]  #: shape (lists,): how many neighbours there are


def build(
    cover: BoardCover,
    place: NDArray[np.int64],
    beside: NDArray[np.int64],
    sets: list[NDArray[np.int64] | None],
    *,
    nof: bool,
    check_stop: StopCheck = never_stop,
) -> ImageLists:
    """Build the lists for fixed orders, each given by the ranks of the cells. For None in place of an order, build lists in which
    any open cell can be the target.

    `place` is the numbering, `beside` the neighbours of each cell, -1 for none. POF: in a fixed order a target is the first cell
    of its images, and neighbours before it need not be looked at. NOF: an image is in no list whose z says that one of its cells
    is taken. Some 2e6 entries a second.
    """
    cells, tiles = len(cover.items), len(cover.tiles)
    first, base, around, keys, options, bases, places, states, sides = [], [], [], [], [], [], [], [], []
    lists = 0
    lowest = portable.reduceat(np.minimum, place[cover.members.values], cover.members.starts[:-1])
    for ranks in sets:
        owner, target = _targets(cover, place, ranks)
        check_stop()
        here = portable.arange(cells)
        np.minimum.at(here, target, lowest[owner])
        check_stop()
        looked_at, blocked = _neighbours(cover, place, beside, ranks, owner, target, nof, check_stop)
        counts = (looked_at < cells).sum(1)
        numbers = portable.starts_of(1 << counts) + lists
        for z in range(1 << looked_at.shape[1]):
            check_stop()
            listed = np.flatnonzero((blocked & z == 0) & (z >> counts[target] == 0))
            keys.append((numbers[target[listed]] + z) * tiles + cover.tile[owner[listed]])
            options.append(owner[listed])
            bases.append(here[target[listed]])
        places.append(portable.repeat(portable.arange(cells), np.diff(numbers)))
        states.append(portable.arange(lists, numbers[-1]) - numbers[places[-1]])
        sides.append(counts[places[-1]])
        lists = int(numbers[-1])
        first.append(numbers[:-1])
        base.append(here)
        around.append(looked_at)
    check_stop()
    key = np.concatenate(keys)
    order = np.argsort(key, kind="stable")
    check_stop()
    starts = portable.starts_of(portable.bincount(key, minlength=lists * tiles))
    check_stop()
    option = np.concatenate(options)[order]
    check_stop()
    masks = _masks(cover, place, np.concatenate(bases)[order], option, check_stop)
    has = np.zeros((lists, -(-tiles // 64)), np.uint64)
    for t in range(tiles):
        check_stop()
        has[:, t // 64] |= (starts[t + 1 :: tiles] > starts[t:-1:tiles]).astype(np.uint64) << np.uint64(t % 64)
    slots = Slots(np.concatenate(first), np.concatenate(base), _side_by_side(around, cells).ravel())
    images = ListedImages(has.ravel(), starts, masks.ravel(), option.astype(np.int32))
    return ImageLists(slots, images, np.concatenate(places), np.concatenate(states), np.concatenate(sides))


def neighbour_bits(place: NDArray[np.int64], beside: NDArray[np.int64]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """The neighbours of each place as bits, shape (cells, words); and the place for which the first bit stands, shape
    (cells,)."""
    cells = len(place)
    others = np.empty_like(beside)
    others[place] = np.where(beside >= 0, place[beside], -1)
    here = portable.arange(cells)
    base = np.where(others >= 0, others, here[:, None]).min(1, initial=cells)
    base = np.minimum(base, here)
    bits = np.zeros((cells, int((np.maximum(others.max(1, initial=0), here) - base).max(initial=0)) // 64 + 1), np.uint64)
    for side in range(others.shape[1]):
        there = np.flatnonzero(others[:, side] >= 0)
        bit = others[there, side] - base[there]
        bits[there, bit >> 6] |= np.uint64(1) << (bit & 63).astype(np.uint64)
    return bits, base


def as_bits(flags: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Pack the last axis into bits of words; the last word is filled up with zeros."""
    padded = np.zeros((*flags.shape[:-1], -(-flags.shape[-1] // 64) * 64), np.bool_)
    padded[..., : flags.shape[-1]] = flags
    return np.packbits(padded, axis=-1, bitorder="little").view(np.uint64)


def as_flags(words: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Unpack words into an array with one item for each bit."""
    return np.unpackbits(words.view(np.uint8), bitorder="little").astype(np.bool_)


def _targets(
    cover: BoardCover, place: NDArray[np.int64], ranks: NDArray[np.int64] | None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """At which place or places each option is listed: in a fixed order at the place of its first cell, otherwise at the places of
    all its cells."""
    everything = portable.arange(len(cover))
    if ranks is None:
        return portable.repeat(everything, np.diff(cover.members.starts)), place[cover.members.values]
    return everything, place[
        np.argsort(ranks)[portable.reduceat(np.minimum, ranks[cover.members.values], cover.members.starts[:-1])]
    ]


def _masks(
    cover: BoardCover, place: NDArray[np.int64], base: NDArray[np.int64], options: NDArray[np.int64], check_stop: StopCheck
) -> NDArray[np.uint64]:
    """The cells of each option as bits, shape (options, words), where the first bit stands for the option's base."""
    starts, sizes = cover.members.starts, np.diff(cover.members.starts)
    last = portable.reduceat(np.maximum, place[cover.members.values], starts[:-1])
    masks = np.zeros((len(options), int((last[options] - base).max()) // 64 + 1), np.uint64)
    for begin in range(0, len(options), _OPTIONS):
        check_stop()
        some = options[begin : begin + _OPTIONS]
        size = sizes[some]
        member = portable.ranges(starts[some], size)
        bit = place[cover.members.values[member]] - portable.repeat(base[begin : begin + _OPTIONS], size)
        row = portable.repeat(portable.arange(begin, begin + len(some)), size)
        np.bitwise_or.at(masks, (row, bit >> 6), np.uint64(1) << (bit & 63).astype(np.uint64))
    return masks


def _neighbours(
    cover: BoardCover,
    place: NDArray[np.int64],
    beside: NDArray[np.int64],
    ranks: NDArray[np.int64] | None,
    owner: NDArray[np.int64],
    target: NDArray[np.int64],
    nof: bool,
    check_stop: StopCheck,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Two arrays. The places beside each place whose state makes up z, shape (cells, sides), filled up with the number `cells`.
    And for each option listed at a target, which of these places it covers, as bits like those of z."""
    cells = len(place)
    blocked = np.zeros(len(target), np.int64)
    later = beside >= 0
    if ranks is not None:
        later &= ranks[beside] > ranks[:, None]
    looked_at = np.empty_like(beside)
    looked_at[place] = np.sort(np.where(later, place[beside], cells), axis=1)
    if isinstance(cover, PinnedCover):
        looked_at = looked_at[:, :MAX_LOOKED_AT]  # The neighbours that come next: in a fixed order they say most about what fits.
    counts = (looked_at < cells).sum(1)
    if not nof or (1 << counts)[target].sum() > MAX_ENTRIES:
        return np.empty((cells, 0), np.int64), blocked
    looked_at = looked_at[:, : int(counts.max())]
    # No option covers the place after the last one.
    within = (
        portable.repeat(portable.arange(len(cover)), np.diff(cover.members.starts)) * (cells + 1) + place[cover.members.values]
    )
    within.sort()
    for side in range(looked_at.shape[1]):
        check_stop()
        wanted = owner * (cells + 1) + looked_at[target, side]
        found = within[np.minimum(np.searchsorted(within, wanted), len(within) - 1)] == wanted
        blocked |= found.astype(np.int64) << side
    return looked_at, blocked


def _side_by_side(rows: list[NDArray[np.int64]], value: int) -> NDArray[np.int64]:
    """Put arrays of shape (.., columns) one below the other; the rows of narrower arrays are filled up."""
    columns = max(row.shape[1] for row in rows)
    return np.concatenate([np.pad(row, ((0, 0), (0, columns - row.shape[1])), constant_values=value) for row in rows])
