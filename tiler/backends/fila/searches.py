"""The searches of FILA as objects that own the arrays of a kernel, and can be put at any node of another search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tiler.backends.drive import Search
from tiler.backends.fila import kernel_lists as by_lists
from tiler.backends.fila import kernel_mrv as by_count
from tiler.backends.fila import lists, orders, pieces
from tiler.backends.fila.kernel_narrow import narrow
from tiler.cover.board import BoardCover
from tiler.process.look import Look, unhurried

#: The depth down to which branches say how much of a tree is done.
_TELLING = 1000

_IMAGES = 1_000  # put into sets between two looks at the clock: on a large board each costs a page of memory


class SearchBelow(Search, Protocol):
    """A search that can be put at any node."""

    def begin(self, chosen: Sequence[int] = (), alive: NDArray[np.bool_] | None = None) -> None:
        """Go to the node where these options are placed; with `alive`, shape (options,), only those marked are tried below it."""


class _Searching:
    """What the two searches share: the tree's fixed orders, and the counts of tiles at the node where a search begins."""

    def __init__(self, cover: BoardCover, phases: Sequence[orders.Phase], place: NDArray[np.int64], kernel: Any) -> None:
        self.cover, self.place, self._kernel = cover, place, kernel
        self.pieces = pieces.Pieces(cover)
        self.fixed = list(dict.fromkeys(phase.ordering for phase in phases if orders.is_fixed(phase.ordering)))
        self.ranks = [orders.ranks(cover, name, place) for name in self.fixed]
        self.sequences = np.array([place[np.argsort(rank)] for rank in self.ranks], np.int64).reshape(-1, len(place))
        numbers = {
            **{name: s for s, name in enumerate(self.fixed)},
            orders.ESTIMATE: by_count.ESTIMATE,
            orders.SIZE: by_count.SIZE,
        }
        self.phases = np.zeros(self.pieces.all + 1, np.int64)
        for ordering, most in phases:
            self.phases[: self.pieces.all + 1 if most is None else most + 1] = numbers[ordering]
        self.deep = len(place) // int(cover.sizes.min()) + 2
        self.left, self.owed = np.zeros(len(cover.tiles), np.int64), np.zeros(len(cover.tiles), np.int64)
        self.fits, self.nofits = (np.zeros(self.pieces.all + 1, np.int64) for _ in range(2))
        self.state = np.zeros(9, np.int64)
        self.state[kernel.CHOOSY] = not self.pieces.exact

    def restart(self, chosen: Sequence[int]) -> NDArray[np.bool_]:
        """Set the counts for a node; returns which places are filled there."""
        return pieces.begin(self.cover, self.place, chosen, self._kernel, (self.left, self.owed, self.state))

    def turn_back(self) -> None:
        """Leave out whatever is below the node just made."""
        self.state[self._kernel.BACK] = 1

    def nodes(self) -> int:
        return int(self.state[self._kernel.NODES])

    def found(self) -> int:
        return int(self.state[self._kernel.FOUND])

    def stats(self) -> Mapping[str, Any]:
        return {"fits": self.fits.tolist(), "nofits": self.nofits.tolist()}

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {"left": self.left, "owed": self.owed, "fits": self.fits, "nofits": self.nofits, "state": self.state}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        for name, array in self.arrays().items():
            array[...] = arrays[name]


class ListSearch(_Searching):
    """Fixed orders only: every image in the list for the state of the target's neighbours is tried."""

    def __init__(
        self, cover: BoardCover, phases: Sequence[orders.Phase], place: NDArray[np.int64], *, nof: bool, look: Look = unhurried
    ) -> None:
        super().__init__(cover, phases, place, by_lists)
        look()
        self._lists = all_ = lists.build(cover, place, cover.beside, self.ranks, nof=nof, look=look)
        self._before = (all_.first, all_.base, all_.around)
        self._narrowed: tuple[NDArray[Any], ...] = ()  # Lists of our own, once a search above has less of them.
        words = len(all_.masks) // len(all_.option)
        self._available = np.zeros(-(-len(cover.tiles) // 64), np.uint64)
        self._occupied = np.zeros(len(place) // 64 + words + 1, np.uint64)
        self._stack = np.zeros((self.deep, 8), np.int64)
        self._todo, self._windows = np.zeros(self.deep, np.uint64), np.zeros(self.deep * words, np.uint64)
        self.state[by_lists.IN_ORDER] = self.fixed.index(orders.FIRST) if orders.FIRST in self.fixed else -1
        self._arguments = (
            *(self.sequences, self.phases, cover.sizes, self.pieces.by_open, self.left, self.owed, self._available),
            *(self._occupied, self._stack, self._todo, self._windows, self.fits, self.nofits, self.state),
        )
        self.begin()

    def begin(self, chosen: Sequence[int] = (), alive: NDArray[np.bool_] | None = None) -> None:
        filled = np.ones(64 * len(self._occupied), np.bool_)
        cells = len(self.place)
        filled[:cells] = self.restart(chosen)
        # The place behind the last stands for no cell and is never filled; all others are.
        filled[cells] = False
        self._occupied[:] = lists.as_bits(filled)
        self._available[:] = lists.as_bits(self.left > 0)
        all_ = self._lists
        self._listed = (all_.has, all_.starts, all_.masks, all_.option)
        if alive is not None:
            self._narrowed = self._narrowed or tuple(np.empty_like(array) for array in self._listed)
            narrow(alive, len(self.cover.tiles), len(self._available), *self._listed, *self._narrowed)
            self._listed = self._narrowed  # type: ignore[assignment]

    def step(self, budget: int, stop_at_solutions: bool) -> int:
        arguments: tuple[Any, ...] = (*self._before, *self._listed, *self._arguments, budget, stop_at_solutions)
        return int(by_lists.search(*arguments))

    def arrays(self) -> dict[str, NDArray[Any]]:
        own = {"available": self._available, "occupied": self._occupied, "stack": self._stack}
        return {**super().arrays(), **own, "todo": self._todo, "windows": self._windows}

    def chosen(self) -> tuple[int, ...]:
        return tuple(self._listed[3][self._stack[: self.state[by_lists.DEPTH], by_lists.AT]].tolist())

    def fraction(self) -> float:
        rows = self._stack[: min(self.state[by_lists.DEPTH], _TELLING)].tolist()
        has, starts, _, _ = self._listed
        tiles, words = len(self.left), len(self._available)
        left = self.left.copy()
        np.add.at(left, self._stack[: self.state[by_lists.DEPTH], by_lists.TILE], 1)
        done, share = 0.0, 1.0
        for row in rows:
            list_, tile = row[by_lists.LIST], row[by_lists.TILE]
            bits = has[list_ * words : (list_ + 1) * words].tolist()
            ways = [t for t in range(tiles) if left[t] and bits[t // 64] >> (t % 64) & 1]
            begin, end = starts[list_ * tiles + tile : list_ * tiles + tile + 2].tolist()
            share /= len(ways)
            done += share * (ways.index(tile) + (row[by_lists.AT] - begin) / (end - begin))
            share /= end - begin
            left[tile] -= 1
        return done


class CountSearch(_Searching):
    """Orders e and s, and fixed ones beside them: the images that fit are known at each node, and only they are tried."""

    def __init__(
        self, cover: BoardCover, phases: Sequence[orders.Phase], place: NDArray[np.int64], look: Look = unhurried
    ) -> None:
        super().__init__(cover, phases, place, by_count)
        look()
        cells, tiles = len(cover.cells), len(cover.tiles)
        beside = cover.beside
        around = np.empty_like(beside)
        around[place] = np.where(beside >= 0, place[beside], cells)
        self._images = place[cover.members.values].astype(np.int32)
        self._sizes = np.diff(cover.members.starts)
        self._choice = (around, self.sequences, self.phases, cover.sizes, self.pieces.by_open)
        self._filled = np.ones(cells + 1, np.uint8)
        few = by_count.FEW
        self._stack = np.zeros((self.deep, 5), np.int64)
        self._narrow = (
            *(np.zeros((self.deep, 2, few), np.uint64), np.zeros(self.deep, np.uint64), self._stack),
            *(np.zeros(cells, np.int64), np.zeros(64 * few, np.int64), np.zeros(64 * few, np.uint64)),
            *(np.zeros(64, np.uint64), np.zeros((64, few), np.uint64), np.zeros((tiles, few), np.uint64)),
        )
        self._scratch = np.zeros(cells, np.int64)
        self._look = look
        self.begin()
        self._look = unhurried  # Below another search there is no need: what is left is small.

    def begin(self, chosen: Sequence[int] = (), alive: NDArray[np.bool_] | None = None) -> None:
        cover = self.cover
        cells, tiles = len(self.place), len(cover.tiles)
        self._filled[:cells] = self.restart(chosen)
        self.state[by_count.NARROW] = -1
        usable = (self.left > 0) & ((self.owed > 0) | (cover.sizes <= self.state[by_count.SLACK]))
        if alive is None:
            alive = ~np.logical_or.reduceat(self._filled[self._images] > 0, cover.members.starts[:-1])
        self._option_of = np.flatnonzero(usable[cover.tile] & alive)
        number = np.full(len(cover), -1)
        count = len(self._option_of)
        number[self._option_of] = np.arange(count)
        words = -(-count // 64)
        tile_of = cover.tile[self._option_of].astype(np.int64)
        self._rows = np.zeros((self.deep, 2, words), np.uint64)
        self._rows[0, by_count.ALIVE] = lists.as_bits(np.ones(count, np.bool_))
        image = np.repeat(number, self._sizes)
        self._covering = _sets(self._images[image >= 0], image[image >= 0], cells, words, self._look)
        self._arguments = (
            *(cover.members.starts, self._images, self._option_of, tile_of),
            *(self._covering, _sets(tile_of, np.arange(count), tiles, words, self._look)),
            *(*self._choice, self.left, self.owed, self._filled, self._rows),
            *(*self._narrow, self._scratch, self.fits, self.state),
        )

    def step(self, budget: int, stop_at_solutions: bool) -> int:
        return int(by_count.search(*self._arguments, budget, stop_at_solutions))

    def arrays(self) -> dict[str, NDArray[Any]]:
        narrow = {f"narrow{number}": array for number, array in enumerate(self._narrow)}
        return {**super().arrays(), **narrow, "filled": self._filled, "rows": self._rows}

    def chosen(self) -> tuple[int, ...]:
        return tuple(self._option_of[self._stack[: self.state[by_count.DEPTH], by_count.IMAGE]].tolist())

    def fraction(self) -> float:
        done, share = 0.0, 1.0
        for depth, row in enumerate(self._stack[: min(self.state[by_count.DEPTH], _TELLING)].tolist()):
            in_narrow = 0 <= self.state[by_count.NARROW] <= depth
            rows, covering = (self._narrow[0], self._narrow[7]) if in_narrow else (self._rows, self._covering)
            ways = _population(rows[depth, by_count.ALIVE] & covering[row[by_count.TARGET]])
            share /= ways
            done += share * (ways - 1 - _population(rows[depth, by_count.REST]))
        return done


def _sets(keys: NDArray[Any], images: NDArray[np.int64], number: int, words: int, look: Look) -> NDArray[np.uint64]:
    """Shape (number, words): for each key the set of its images as bits."""
    sets = np.zeros((number, words), np.uint64)
    for start in range(0, len(keys), _IMAGES):
        look()
        some = images[start : start + _IMAGES]
        np.bitwise_or.at(sets, (keys[start : start + _IMAGES], some >> 6), np.uint64(1) << (some & 63).astype(np.uint64))
    return sets


def _population(words: NDArray[np.uint64]) -> int:
    return sum(word.bit_count() for word in words.tolist())


def of_schedule(
    cover: BoardCover, order: str, place: NDArray[np.int64], *, nof: bool, look: Look = unhurried
) -> ListSearch | CountSearch:
    """The search for a schedule, with the cells numbered so."""
    phases = orders.schedule(order)
    if orders.single(order):
        # f in a numbering of its own.
        place = orders.ranks(cover, order, place)
        phases = orders.schedule(orders.FIRST)
    if all(orders.is_fixed(phase.ordering) for phase in phases):
        return ListSearch(cover, phases, place, nof=nof, look=look)
    return CountSearch(cover, phases, place, look)
