"""The searches of FILA as objects that own the arrays of a kernel, and can be put at any node of another search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tiler.backends.drive import Search, write_over
from tiler.backends.fila import kernel_lists as by_lists
from tiler.backends.fila import kernel_mrv, lists, orders, pieces
from tiler.backends.fila import kernel_mrv_state as by_count
from tiler.backends.fila.kernel_choice import ESTIMATE, MRV, SIZE, Choice
from tiler.backends.fila.kernel_counters import BACK, DEPTH, FOUND, NODES, SLACK
from tiler.backends.fila.kernel_narrow import narrow
from tiler.backends.schedule import Phase, schedule
from tiler.cover.board import BoardCover
from tiler.kernels import bind
from tiler.process.look import Look, unhurried

#: The depth down to which branches say how much of a tree is done.
_TELLING = 1000

_IMAGES = 1_000  # put into sets between two looks at the clock: on a large board each costs a page of memory


class SearchBelow(Search, Protocol):
    """A search that can be put at any node."""

    def begin(self, chosen: Sequence[int] = (), alive: NDArray[np.bool_] | None = None) -> None:
        """Go to the node where these options are placed; with `alive`, shape (options,), only those marked are tried below it."""

    def turn_back(self) -> None:
        """Leave out whatever is below the node just made."""


class _Searching:
    """What the two searches share: the tree's fixed orders, and the counts of tiles at the node where a search begins."""

    state: by_lists.State | by_count.State

    def __init__(self, cover: BoardCover, phases: Sequence[Phase], place: NDArray[np.int64]) -> None:
        self.cover, self.place = cover, place
        self.pieces = pieces.Pieces(cover)
        self.fixed = list(dict.fromkeys(phase.ordering for phase in phases if orders.is_fixed(phase.ordering)))
        self.ranks = [orders.ranks(cover, name, place) for name in self.fixed]
        numbers = {
            **{name: s for s, name in enumerate(self.fixed)},
            orders.ESTIMATE: ESTIMATE,
            orders.SIZE: SIZE,
            orders.MRV: MRV,
        }
        phase_of = np.zeros(self.pieces.all + 1, np.int64)
        for ordering, most in phases:
            phase_of[: self.pieces.all + 1 if most is None else most + 1] = numbers[ordering]
        self.order = by_lists.Order(
            sequences=np.array([place[np.argsort(rank)] for rank in self.ranks], np.int64).reshape(-1, len(place)),
            phases=phase_of,
            size=cover.sizes,
            pieces=self.pieces.by_open,
        )
        self.levels = len(place) // int(cover.sizes.min()) + 2

    @property
    def counters(self) -> NDArray[np.int64]:
        return self.state.counters

    def restart(self, chosen: Sequence[int]) -> NDArray[np.bool_]:
        """Set the counts for a node; returns which places are filled there."""
        return pieces.begin(self.cover, self.place, chosen, self.state)

    def turn_back(self) -> None:
        """Leave out whatever is below the node just made."""
        self.counters[BACK] = 1

    def nodes(self) -> int:
        return int(self.counters[NODES])

    def found(self) -> int:
        return int(self.counters[FOUND])

    def arrays(self) -> dict[str, NDArray[Any]]:
        return self.state._asdict()

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        write_over(self.arrays(), arrays)


class ListSearch(_Searching):
    """Image lists: every image in the list for the state of the target's neighbours is tried."""

    def __init__(
        self,
        cover: BoardCover,
        phases: Sequence[Phase],
        place: NDArray[np.int64],
        *,
        nof: bool,
        tally: bool = False,
        look: Look = unhurried,
    ) -> None:
        super().__init__(cover, phases, place)
        look()
        cells, sets = len(place), [*self.ranks, *([None] if self.order.phases.min() < 0 else [])]
        self._lists = lists.build(cover, place, cover.beside, sets, nof=nof, look=look)
        self._slots, self._all = self._lists.slots, self._lists.images
        self._images = self._all
        near, near_base = lists.near(place, cover.beside) if sets[-1] is None else (np.zeros((cells, 0)), np.zeros(cells))
        self._choice = Choice(near.ravel().astype(np.uint64), near_base.astype(np.int64), np.zeros(cells, np.int64))
        self._narrowed: by_lists.Images | None = None  # Room for the lists below a node of another search, once there is one.
        words = len(self._all.masks) // len(self._all.option)
        self.state: by_lists.State = by_lists.State.new(
            cells,
            len(cover.tiles),
            self.levels,
            self.pieces.all,
            words,
            max(words, near.shape[1]),
            len(self._lists.places) if tally else 0,
        )
        self.counters[by_lists.CHOOSY] = not self.pieces.exact
        self.counters[by_lists.IN_ORDER] = self.fixed.index(orders.FIRST) if orders.FIRST in self.fixed else -1
        self.begin()

    def begin(self, chosen: Sequence[int] = (), alive: NDArray[np.bool_] | None = None) -> None:
        state, cells = self.state, len(self.place)
        filled = np.ones(64 * len(state.occupied), np.bool_)
        filled[:cells] = self.restart(chosen)
        # The place behind the last stands for no cell and is never filled; all others are.
        filled[cells] = False
        state.occupied[:] = lists.as_bits(filled)
        state.available[:] = lists.as_bits(state.left > 0)
        self._images = self._all
        if alive is not None:
            self._narrowed = self._narrowed or by_lists.Images._make(np.empty_like(array) for array in self._all)
            narrow(alive, len(self.cover.tiles), len(state.available), self._all, self._narrowed)
            self._images = self._narrowed
        self._search = bind(by_lists.search, self._slots, self._images, self.order, self._choice, state)

    def step(self, budget: int, stop_at_solutions: bool) -> int:
        return self._search(budget, stop_at_solutions)

    def stats(self) -> Mapping[str, Any]:
        state = self.state
        counted = {"fits": state.fits.tolist(), "nofits": state.nofits.tolist(), "targets": state.targets.tolist()}
        return {**counted, "by_state": self._by_state()} if len(state.tally) else counted

    def _by_state(self) -> dict[str, dict[str, list[int]]]:
        """Targets, fits and no-fits by cell and by the state of the neighbours looked at, in the order of their numbers: 1 for
        one that is filled."""
        tally = self.state.tally.reshape(-1, 3)
        cell_at = np.argsort(self.place)
        found: dict[str, dict[str, list[int]]] = {}
        for list_ in np.flatnonzero(tally[:, 0]).tolist():
            where, z, looked_at = self._lists.places[list_], int(self._lists.states[list_]), int(self._lists.looked_at[list_])
            cell = self.cover.called(cell_at[where])
            state = format(z, f"0{looked_at}b")[::-1] if looked_at else ""
            row = found.setdefault(cell, {}).setdefault(state, [0, 0, 0])
            row[:] = [a + b for a, b in zip(row, tally[list_].tolist(), strict=True)]
        return found

    def chosen(self) -> tuple[int, ...]:
        return tuple(self._images.option[self.state.stack[: self.counters[DEPTH], by_lists.AT]].tolist())

    def looked_at(self) -> int | None:
        if not self.counters[DEPTH]:
            return None
        target = self._lists.places[self.state.stack[self.counters[DEPTH] - 1, by_lists.LIST]]
        return int(np.flatnonzero(self.place == target)[0])

    def fraction(self) -> float:
        rows = self.state.stack[: min(self.counters[DEPTH], _TELLING)].tolist()
        has, starts = self._images.has, self._images.starts
        tiles, words = len(self.state.left), len(self.state.available)
        left = self.state.left.copy()
        np.add.at(left, self.state.stack[: self.counters[DEPTH], by_lists.TILE], 1)
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
    """Orders e, s and mrv, and fixed ones beside them: the images that fit are known at each node, and only they are tried."""

    def __init__(self, cover: BoardCover, phases: Sequence[Phase], place: NDArray[np.int64], look: Look = unhurried) -> None:
        super().__init__(cover, phases, place)
        look()
        cells, beside = len(cover.items), cover.beside
        self._beside = np.empty_like(beside)
        self._beside[place] = np.where(beside >= 0, place[beside], cells)
        self._places = place[cover.members.values].astype(np.int32)
        self._sizes = np.diff(cover.members.starts)
        self.state: by_count.State = by_count.State.new(cells, len(cover.tiles), self.levels, self.pieces.all)
        self.counters[by_count.CHOOSY] = not self.pieces.exact
        self._look = look
        self.begin()
        self._look = unhurried  # Below another search there is no need: what is left is small.

    def begin(self, chosen: Sequence[int] = (), alive: NDArray[np.bool_] | None = None) -> None:
        cover, state = self.cover, self.state
        cells, tiles = len(self.place), len(cover.tiles)
        state.filled[:cells] = self.restart(chosen)
        state.counters[by_count.NUMBERED] = state.counters[by_count.NARROW] = -1
        usable = (state.left > 0) & ((state.owed > 0) | (cover.sizes <= state.counters[SLACK]))
        if alive is None:
            alive = ~np.logical_or.reduceat(state.filled[self._places] > 0, cover.members.starts[:-1])
        option_of = np.flatnonzero(usable[cover.tile] & alive)
        number = np.full(len(cover), -1)
        count = len(option_of)
        number[option_of] = np.arange(count)
        words = -(-count // 64)
        tile_of = cover.tile[option_of].astype(np.int64)
        self.state = state = state._replace(
            rows=np.zeros((self.levels, by_count.ROWS, words), np.uint64), cells_of=np.zeros(count, np.uint64)
        )
        state.rows[0, by_count.ALIVE] = lists.as_bits(np.ones(count, np.bool_))
        image = np.repeat(number, self._sizes)
        self._images = by_count.Images(
            image_starts=cover.members.starts,
            images=self._places,
            option_of=option_of,
            tile_of=tile_of,
            covering=_sets(self._places[image >= 0], image[image >= 0], cells, words, self._look),
            of_tile=_sets(tile_of, np.arange(count), tiles, words, self._look),
            beside=self._beside,
        )
        self._search = bind(kernel_mrv.search, self._images, self.order, state)

    def step(self, budget: int, stop_at_solutions: bool) -> int:
        return self._search(budget, stop_at_solutions)

    def stats(self) -> Mapping[str, Any]:
        # Only what fits is tried.
        return {"fits": self.state.fits.tolist(), "nofits": [0] * len(self.state.fits)}

    def chosen(self) -> tuple[int, ...]:
        return tuple(self._images.option_of[self.state.stack[: self.counters[DEPTH], by_count.IMAGE]].tolist())

    def looked_at(self) -> int | None:
        last, state = int(self.counters[DEPTH]) - 1, self.state
        if last < 0:
            return None
        target = int(state.stack[last, by_count.TARGET])
        if target < 0:
            return None
        if 0 <= self.counters[by_count.NARROW] <= last:
            # A number among the cells that were open where they were numbered anew.
            target = int(np.flatnonzero((state.number_of == target) & (state.filled[:-1] == 0))[0])
        return int(np.flatnonzero(self.place == target)[0])

    def fraction(self) -> float:
        done, share = 0.0, 1.0
        state, depth_reached, narrow_from, begin = self.state, self.counters[DEPTH], self.counters[by_count.NARROW], 0
        for depth, row in enumerate(state.stack[: min(depth_reached, _TELLING)].tolist()):
            if 0 <= narrow_from <= depth:
                ways, tried = row[by_count.END] - begin, row[by_count.NEXT] - begin
                begin = row[by_count.END]
            else:
                target = row[by_count.TARGET]
                among = self._images.covering[target] if target >= 0 else self._images.of_tile[-1 - target]
                ways = _population(state.rows[depth, by_count.ALIVE] & among)
                tried = ways - _population(state.rows[depth, by_count.REST])
            share /= ways
            done += share * (tried - 1)
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
    cover: BoardCover,
    order: str,
    place: NDArray[np.int64],
    *,
    nof: bool,
    from_lists: bool = False,
    tally: bool = False,
    look: Look = unhurried,
) -> ListSearch | CountSearch:
    """The search for a schedule, with the cells numbered so; with `from_lists` e and s have image lists too."""
    phases = schedule(order)
    if orders.single(order):
        # f in a numbering of its own.
        place = orders.ranks(cover, order, place)
        phases = schedule(orders.FIRST)
    if from_lists or all(orders.is_fixed(phase.ordering) for phase in phases):
        return ListSearch(cover, phases, place, nof=nof, tally=tally, look=look)
    return CountSearch(cover, phases, place, look)
