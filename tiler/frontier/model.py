"""A cover in fill order, as the arrays that the frontier's kernels take; tiler/kernels/frontier.py explains their names."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tiler.cover import Csr, ExactCover
from tiler.frontier import order
from tiler.geometry import is_connected

Words = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Model:
    """What is constant throughout a run."""

    rank: NDArray[np.int64]  #: shape (cells,): the place of each cell in the fill order
    fit_starts: NDArray[np.int64]
    fit_masks: Words
    fit_tile: NDArray[np.int32]
    fit_option: NDArray[np.int32]  #: shape (fits,): the option of the cover
    around: Csr  #: in fill order; empty if regions closed off say nothing
    possible: NDArray[np.bool_]
    counters: NDArray[np.int64]
    owing: NDArray[np.int32]
    key_words: int
    smallest: int  #: the cells of the smallest tile

    @property
    def cells(self) -> int:
        return len(self.rank)

    @property
    def mask_words(self) -> int:
        return int(self.fit_masks.shape[1])

    @property
    def board(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.bool_]]:
        """The arguments of the kernels that judge profiles."""
        return (*self.around, self.possible)

    def first_key(self) -> Words:
        """The key of the empty board."""
        return np.zeros(self.key_words, np.uint64)

    @classmethod
    def of(cls, cover: ExactCover, kind: str = "auto") -> Model:
        """Put a cover in the fill order of a kind (see order.py)."""
        around = order.adjacency(cover)
        rank = order.choose(cover, around, kind)
        cells = len(rank)
        slack = int(cells - cover.sizes @ cover.lower)
        # Without cells to spare every tile is used exactly as often as it must be.
        most = cover.upper if slack else cover.lower
        kept = np.flatnonzero(most[cover.tile] > 0)
        sizes = np.diff(cover.members.starts)[kept]
        owner = np.repeat(np.arange(len(kept)), sizes)
        chosen = np.repeat(most[cover.tile] > 0, np.diff(cover.members.starts))
        ranks = rank[cover.members.values[chosen]]
        first = np.minimum.reduceat(ranks, np.cumsum(sizes) - sizes) if len(kept) else np.zeros(0, np.int64)
        relative = ranks - first[owner]
        fit = np.empty(len(kept), np.int64)
        # The largest tiles first: they are the hardest to place.
        by_first = np.lexsort((-sizes, first))
        fit[by_first] = np.arange(len(kept))
        masks = np.zeros((len(kept), int(relative.max(initial=0)) // 64 + 1), np.uint64)
        np.bitwise_or.at(masks, (fit[owner], relative // 64), np.uint64(1) << (relative % 64).astype(np.uint64))
        counters, words = _counters(cover, most, slack)
        connected = all(is_connected(tile.shape) for tile in cover.tiles)
        return cls(
            rank,
            np.concatenate([[0], np.cumsum(np.bincount(first, minlength=cells))]).astype(np.int64),
            masks,
            np.ascontiguousarray(cover.tile[kept][by_first]),
            kept[by_first].astype(np.int32),
            _ranked(around, rank) if connected else Csr(np.zeros(cells + 1, np.int64), np.zeros(0, np.int32)),
            _possible(cells, cover.sizes.tolist(), most.tolist()),
            counters,
            np.flatnonzero(cover.lower * (slack > 0)).astype(np.int32),
            words,
            int(cover.sizes[cover.tile[kept]].min(initial=cells)),
        )


def _counters(cover: ExactCover, most: NDArray[np.int64], slack: int) -> tuple[NDArray[np.int64], int]:
    """The table of counters, and the words of a key: one field of bits for every tile whose bounds can bind."""
    from tiler.kernels import frontier as kernel

    table = np.zeros((len(cover.tiles), 7), np.int64)
    table[:, kernel.WORD] = -1
    word, shift = 0, 0
    for t in np.flatnonzero(cover.bounded & (most > 0)).tolist():
        # An upper bound that cannot bind: copies beyond the lower bound need not be told apart.
        stays = bool(slack and cover.upper[t] >= len(cover.cells) // cover.sizes[t])
        top = int(cover.lower[t] if stays else most[t])
        bits = top.bit_length()
        if shift + bits > 64:
            word, shift = word + 1, 0
        table[t] = word, shift, (1 << bits) - 1, top, stays, cover.lower[t], cover.sizes[t]
        shift += bits
    return table, word + (shift > 0)


def _possible(cells: int, sizes: list[int], most: list[int]) -> NDArray[np.bool_]:
    """Shape (cells + 1,): whether tiles within their upper bounds can cover so many cells; subset sums as bits of one integer."""
    window = (1 << (cells + 1)) - 1
    sums = 1
    for size, copies in zip(sizes, most, strict=True):
        left, step = copies, 1
        while left > 0:
            taken = min(step, left)
            sums |= (sums << (taken * size)) & window
            left, step = left - taken, 2 * step
    bits = np.frombuffer(sums.to_bytes(cells // 8 + 1, "little"), np.uint8)
    return np.unpackbits(bits, bitorder="little")[: cells + 1].astype(np.bool_)


def _ranked(around: Csr, rank: NDArray[np.int64]) -> Csr:
    """The neighbours, with cells numbered by rank."""
    owner = rank[np.repeat(np.arange(len(rank)), np.diff(around.starts))]
    others = rank[around.values]
    starts = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=len(rank)))]).astype(np.int64)
    return Csr(starts, others[np.lexsort((others, owner))].astype(np.int32))
