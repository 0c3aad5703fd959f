"""Write a cover in fill order as the arrays that the frontier's kernels take; kernel_profiles.py explains their names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.backends.frontier.shared import kernel_profiles as kernel
from tiler.backends.frontier.shared import order
from tiler.cover.board import BoardCover
from tiler.cover.bounds import possible_sums
from tiler.cover.csr import Csr
from tiler.cover.pins import pinned
from tiler.process.cancellation import StopCheck, never_stop

Words = NDArray[np.uint64]

_OPTIONS = 200_000  # fits put into masks between two looks at the clock


@dataclass(frozen=True, eq=False)
class Model:
    """A cover in the form in which the frontier searches it; nothing of it changes during a run."""

    rank: NDArray[np.int64]  #: shape (cells,): the place of each cell in the fill order; pins of colours are cells here
    measured: NDArray[np.bool_]  #: shape (cells,): whether the cell at a place counts in the sizes of tiles; pins do not
    fit_starts: NDArray[np.int64]
    fit_masks: Words
    fit_tile: NDArray[np.int32]
    fit_option: NDArray[np.int32]  #: shape (fits,): the option of the cover; -1 for a filler of pins
    around: Csr  #: the neighbours in fill order; empty if closed-off regions give no information
    possible: NDArray[np.bool_]  #: shape (cells + 1,): [n] is whether tiles within their upper bounds can cover n cells
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
    def key_bits(self) -> int:
        """The number of bits of a key that are used, if it is one word."""
        return sum(int(field).bit_length() for word, field in self.counters[:, [0, 2]].tolist() if word >= 0)

    @property
    def most_fits(self) -> int:
        """The largest number of fits with the same first cell."""
        return int(np.diff(self.fit_starts).max(initial=0))

    def cell_at(self, position: int) -> int:
        """The first place from a position on that does not belong to a pin; the number of places if there is none."""
        return position + int(np.argmax(np.append(self.measured[position:], True)))

    def is_filled_up(self, position: int) -> bool:
        """Whether nothing fits at a position but a filler of pins."""
        return bool((self.fit_option[self.fit_starts[position] : self.fit_starts[position + 1]] < 0).any())

    @cached_property
    def rules(self) -> kernel.WideRules:
        """The rules in the form that kernels take."""
        fits = self.fit_starts, self.fit_masks, self.fit_tile
        return kernel.WideRules(*fits, *self.around, self.possible, self.counters, self.owing, self.key_words)

    @classmethod
    def of(
        cls,
        cover: BoardCover,
        kind: str = "auto",
        check_stop: StopCheck = never_stop,
        *,
        rank: order.Order | None = None,
    ) -> Model:
        """Write a cover in a fill order: of a kind (see order.py), or the given one. Items with colours become pins."""
        rank = order.choose(cover, kind, check_stop) if rank is None else rank
        check_stop()
        items, options = len(cover.items), len(cover)
        if cover.coloured is not None:
            pins = pinned(cover, check_stop)
            cover, rank = pins, pins.placed(rank)
            check_stop()
        cells = len(rank)
        measured = portable.arange(cells) < items
        slack = cover.slack
        # Without cells to spare every tile is used exactly as often as it must be, except fillers of pins, which cover no cells.
        most = cover.upper if slack else np.where(cover.sizes > 0, cover.lower, cover.upper)
        kept = np.flatnonzero(most[cover.tile] > 0)
        sizes = np.diff(cover.members.starts)[kept]
        ranks = rank[cover.members.values[portable.repeat(most[cover.tile] > 0, np.diff(cover.members.starts))]]
        check_stop()
        starts = portable.cumsum(sizes) - sizes
        first = portable.reduceat(np.minimum, ranks, starts) if len(kept) else np.zeros(0, np.int64)
        check_stop()
        # The largest tiles first: they are the hardest to place.
        by_first = np.lexsort((-sizes, first))
        fit = np.empty(len(kept), np.int64)
        fit[by_first] = portable.arange(len(kept))
        check_stop()
        masks = _masks(ranks, starts, sizes, first, fit, check_stop)
        fit_tile = np.ascontiguousarray(cover.tile[kept][by_first])
        counters, words = _counters(cover, most, slack)
        owing = np.flatnonzero(cover.lower * (slack > 0))
        check_stop()
        connected = cover.tiles_are_connected
        nowhere = Csr(np.zeros(cells + 1, np.int64), np.zeros(0, np.int32))
        neighbours = _ranked(cover, rank) if connected else nowhere
        check_stop()
        possible = possible_sums(cover.sizes.tolist(), most.tolist(), cells) if measured.all() else np.ones(cells + 1, np.bool_)
        option = kept[by_first].astype(np.int32)
        return cls(
            rank,
            measured[np.argsort(rank)],
            portable.starts_of(portable.bincount(first, minlength=cells)),
            masks,
            fit_tile,
            np.where(option < options, option, -1),
            neighbours,
            possible,
            counters,
            owing.astype(np.int32),
            words,
            int(cover.sizes[cover.tile[kept[kept < options]]].min(initial=cells)),
        )


def _counters(cover: BoardCover, most: NDArray[np.int64], slack: int) -> tuple[NDArray[np.int64], int]:
    """The table of counters, and the number of words of a key. Every tile whose bounds can bind has a field of bits."""
    table = np.zeros((len(cover.tiles), kernel.COUNTER_COLUMNS), np.int64)
    table[:, kernel.WORD] = -1
    word, shift = 0, 0
    for t in np.flatnonzero(cover.bounded & (most > 0)).tolist():
        # The upper bound cannot bind, so copies beyond the lower bound need not be counted.
        stays = bool(slack and cover.upper[t] >= cover.extent // cover.sizes[t])
        top = int(cover.lower[t] if stays else most[t])
        bits = top.bit_length()
        if shift + bits > 64:
            word, shift = word + 1, 0
        table[t] = word, shift, (1 << bits) - 1, top, stays, cover.lower[t], cover.sizes[t]
        shift += bits
    return table, word + (shift > 0)


def _masks(
    ranks: NDArray[np.int64],
    starts: NDArray[np.int64],
    sizes: NDArray[np.int64],
    first: NDArray[np.int64],
    fit: NDArray[np.int64],
    check_stop: StopCheck,
) -> Words:
    """Write the cells of every fit as bits, some fits at a time. `ranks` has the ranks of the cells of all options, those of each
    option from `starts` on."""
    words = int((portable.reduceat(np.maximum, ranks, starts) - first).max()) // 64 + 1 if len(fit) else 1
    masks = np.zeros((len(fit), words), np.uint64)
    for begin in range(0, len(fit), _OPTIONS):
        check_stop()
        some = slice(begin, begin + _OPTIONS)
        size = sizes[some]
        relative = ranks[starts[begin] : starts[begin] + size.sum()] - portable.repeat(first[some], size)
        bits = np.uint64(1) << (relative % 64).astype(np.uint64)
        np.bitwise_or.at(masks, (portable.repeat(fit[some], size), relative // 64), bits)
    return masks


def _ranked(cover: BoardCover, rank: NDArray[np.int64]) -> Csr:
    """The neighbours of each cell, where cells are numbered by rank."""
    cells = len(rank)
    others = np.empty_like(cover.beside)
    others[rank] = np.where(cover.beside >= 0, rank[cover.beside], cells)
    others.sort(axis=1)
    there = others < cells
    return Csr(portable.starts_of(there.sum(1)), others[there].astype(np.int32))
