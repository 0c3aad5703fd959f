"""Find the symmetries of a board that map states to states, so that one of several images is enough.

A symmetry keeps a *cut* of the fill order if it maps the cells before the cut to themselves: a mirror image of a rectangle along
the fill order keeps the ends of rows. Between two cuts near each other it moves cells by little, so that it maps a state to a
state. All symmetries that keep the same cuts are used; they are a group.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.backends.frontier.shared.kernel_symmetries import WordMaps
from tiler.cover.group_action import item_maps
from tiler.model.symmetry import group
from tiler.process.cancellation import StopCheck, never_stop

if TYPE_CHECKING:
    from tiler.backends.frontier.shared.model import Model
    from tiler.cover.board import BoardCover

_WORD = 63  # the most bits of covered cells in a word: one cell is always open
_FEWEST_FITS = 200  # options from which on to look for symmetries: smaller counts are over before
_MOST_BITS = 50_000_000  # the most bits looked at to see whether symmetries keep the fits
_MOST_SYMMETRIES = 47


class Symmetries(NamedTuple):
    """Symmetries other than the identity that keep the same cuts; none if `permutations` is empty."""

    permutations: NDArray[np.int64]  #: shape (symmetries, cells): the cell to which each takes a cell, in fill order
    tiles: NDArray[np.int64]  #: shape (symmetries, tiles): the image of each tile that is counted; other tiles stay as they are
    cuts: NDArray[np.int64]  #: the cuts that they keep, ascending, from 0 to the number of cells

    @property
    def block(self) -> int:
        """The largest number of cells between two cuts."""
        return int(np.diff(self.cuts).max(initial=0)) if len(self.permutations) else 0

    @classmethod
    def none(cls, cells: int) -> Symmetries:
        return cls(np.zeros((0, cells), np.int64), np.zeros((0, 0), np.int64), np.array([0, cells], np.int64))

    @classmethod
    def of(cls, cover: BoardCover, model: Model, check_stop: StopCheck = never_stop) -> Symmetries:
        """The largest group of symmetries for the states of a model, which are single words (hash_tables.py)."""
        cells, bits = model.cells, _WORD - model.key_bits
        if model.mask_words > 1 or model.key_words > 1:
            return cls.none(cells)
        if len(model.fit_masks) < _FEWEST_FITS or len(cover.tiles) == 0 or cover.coloured is not None:
            return cls.none(cells)
        span = int(model.fit_masks[:, 0].max(initial=0)).bit_length()
        symmetries = group(cover.instance, check_stop)
        if len(symmetries) < 2 or len(symmetries) * len(model.fit_masks) * span > _MOST_BITS:
            return cls.none(cells)
        maps = item_maps(cover, list(symmetries[1:]))
        by_cuts: dict[bytes, list[NDArray[np.int64]]] = defaultdict(list)
        for each in maps:
            check_stop()
            moved = np.empty(cells, np.int64)
            moved[model.rank] = model.rank[each]
            ends = portable.flatnonzero(np.maximum.accumulate(moved) == portable.arange(cells)) + 1
            block = int(np.diff(ends, prepend=0).max())
            # The cuts are over half of the board apart: a symmetry would take a state to one whose covered cells are at the other
            # end.
            if 2 * block <= cells and block + span <= bits and (moved != portable.arange(cells)).any():
                by_cuts[ends.tobytes()].append(moved)
        best: tuple[int, int, bytes] = (0, 0, b"")
        for ends_bytes in by_cuts:
            keeping = sum(len(found) for other, found in by_cuts.items() if _contains(other, ends_bytes))
            if keeping <= _MOST_SYMMETRIES:
                best = max(best, (keeping, len(ends_bytes), ends_bytes))
        found = [each for other, some in by_cuts.items() if _contains(other, best[2]) for each in some] if best[0] else []
        kept = [(each, tiles) for each in found if (tiles := _tiles_moved(model, each, span)) is not None]
        if not kept:
            return cls.none(cells)
        cuts = np.concatenate([[0], np.frombuffer(best[2], np.int64)])
        return cls(np.array([each for each, _ in kept], np.int64), np.array([tiles for _, tiles in kept], np.int64), cuts)

    def maps(self, model: Model) -> WordMaps:
        """Tables that say where the symmetries take words."""
        cells, symmetries, word = model.cells, len(self.permutations), _WORD - model.key_bits
        cut = self.cuts[np.searchsorted(self.cuts, portable.arange(cells + 1), side="right") - 1]
        last = self.cuts[np.searchsorted(self.cuts, cut + word, side="right") - 1]
        room = np.where(last > portable.arange(cells + 1), last - cut, 0) if symmetries else np.zeros(cells + 1, np.int64)
        table_at = np.zeros((cells + 1, symmetries), np.int64)
        numbers: dict[bytes, int] = {}
        made: list[NDArray[np.uint64]] = []
        for start in portable.distinct(cut[room > 0]).tolist():
            here = cut == start
            for symmetry in range(symmetries):
                moved = self.permutations[symmetry, start : start + int(room[here].max())] - start
                number = numbers.setdefault(moved.tobytes(), len(made))
                if number == len(made):
                    made.append(_table(moved))
                table_at[here, symmetry] = number
        tables = np.array(made, np.uint64) if made else np.zeros((1, 8, 256), np.uint64)
        keys = np.zeros((symmetries, 8, 256), np.uint64)
        for symmetry in range(symmetries):
            keys[symmetry] = _table(self._key_bits(model, symmetry))
        return WordMaps(cut.astype(np.int64), room.astype(np.int64), table_at, tables, keys)

    def _key_bits(self, model: Model, symmetry: int) -> NDArray[np.int64]:
        """The bit to which a symmetry takes each bit of a key."""
        moved = np.zeros(model.key_bits, np.int64)
        for tile, (word, shift, field, *_) in enumerate(model.counters.tolist()):
            if word >= 0:
                to = int(model.counters[self.tiles[symmetry, tile], 1])
                moved[shift : shift + field.bit_length()] = portable.arange(to, to + field.bit_length())
        return moved


def _contains(cuts: bytes, others: bytes) -> bool:
    return bool(np.isin(np.frombuffer(others, np.int64), np.frombuffer(cuts, np.int64)).all())


def _tiles_moved(model: Model, moved: NDArray[np.int64], span: int) -> NDArray[np.int64] | None:
    """The tile to which a permutation of the cells takes each tile that is counted, shape (tiles,). None if it does not take fits
    to fits, and tiles to tiles with the same bounds. For tiles that are not counted, it does not matter to which tile a fit
    belongs."""
    first = portable.repeat(portable.arange(model.cells), np.diff(model.fit_starts))
    masks = model.fit_masks[:, 0]
    covers = (masks[:, None] >> np.arange(span, dtype=np.uint64)) & np.uint64(1) > 0
    owner, bit = np.nonzero(covers)
    images = moved[first[owner] + bit]
    least = np.full(len(masks), model.cells, np.int64)
    np.minimum.at(least, owner, images)
    distance = images - least[owner]
    if distance.max(initial=0) > _WORD:
        return None
    image_masks = np.zeros(len(masks), np.uint64)
    np.bitwise_or.at(image_masks, owner, np.uint64(1) << distance.astype(np.uint64))
    tile = np.where(model.counters[model.fit_tile, 0] >= 0, model.fit_tile, -1).astype(np.int64)
    tiles = portable.arange(len(model.counters))
    left: dict[tuple[bytes, bytes], list[int]] = defaultdict(list)
    kinds = portable.distinct(tile).tolist()
    for kind in kinds:
        left[_kind(first[tile == kind], masks[tile == kind])].append(kind)
    for kind in kinds:
        others = left[_kind(least[tile == kind], image_masks[tile == kind])]
        if not others:
            return None
        other = kind if kind in others else others[0]
        others.remove(other)
        if kind >= 0:
            tiles[kind] = other
    return tiles


def _kind(first: NDArray[np.int64], masks: NDArray[np.uint64]) -> tuple[bytes, bytes]:
    """A key of a tile's fits: a tile can be the image of another one only if the keys are equal."""
    order = np.lexsort((masks, first))
    return first[order].tobytes(), masks[order].tobytes()


def _table(moved: NDArray[np.int64]) -> NDArray[np.uint64]:
    """The word to which each value of each byte of a word is taken, shape (8, 256)."""
    values = np.arange(256, dtype=np.uint64)
    table = np.zeros((8, 256), np.uint64)
    for bit, to in enumerate(moved.tolist()):
        table[bit // 8] |= (values >> np.uint64(bit % 8) & np.uint64(1)) << np.uint64(to)
    return table
