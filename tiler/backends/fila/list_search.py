"""Drive FILA by image lists: an object owns the arrays of the kernel, and can be put at any node of another search."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tiler.backends.fila import kernel_lists as by_lists
from tiler.backends.fila import lists, orders, remaining_pieces
from tiler.backends.fila.kernel_choice import ESTIMATE, SIZE, CellChoice
from tiler.backends.fila.kernel_counters import BACK, DEPTH, FLOOR, FOUND, NODES
from tiler.backends.fila.kernel_lists import narrow
from tiler.backends.schedule import Phase
from tiler.backends.searching.resumable import KernelSearch, rows_for
from tiler.cover.board import BoardCover
from tiler.kernels import bind
from tiler.process.cancellation import StopCheck

#: Down to this depth, branches are used to say how much of a tree is done.
_TELLING = 1000


class ListSearch(KernelSearch):
    """A search by image lists: it tries every image in the list that belongs to the state of the target's neighbours."""

    _NODES, _FOUND = NODES, FOUND

    def __init__(
        self,
        cover: BoardCover,
        phases: Sequence[Phase],
        place: NDArray[np.int64],
        *,
        nof: bool,
        tally: bool,
        check_stop: StopCheck,
    ) -> None:
        self.cover, self.place = cover, place
        self.pieces = remaining_pieces.Pieces(cover)
        fixed = list(dict.fromkeys(phase.ordering for phase in phases if orders.is_fixed(phase.ordering)))
        ranks = [orders.ranks(cover, name, place) for name in fixed]
        numbers = {**{name: s for s, name in enumerate(fixed)}, orders.ESTIMATE: ESTIMATE, orders.SIZE: SIZE}
        phase_of = np.zeros(self.pieces.all + 1, np.int64)
        for ordering, most in phases:
            phase_of[: self.pieces.all + 1 if most is None else most + 1] = numbers[ordering]
        self.order = by_lists.Order(
            sequences=np.array([place[np.argsort(rank)] for rank in ranks], np.int64).reshape(-1, len(place)),
            phases=phase_of,
            size=cover.sizes,
            pieces=self.pieces.by_open,
        )
        check_stop()
        cells, sets = len(place), [*ranks, *([None] if self.order.phases.min() < 0 else [])]
        self._lists = lists.build(cover, place, cover.beside, sets, nof=nof, check_stop=check_stop)
        self._slots, self._all = self._lists.slots, self._lists.images
        self._images = self._all
        near, near_base = (
            lists.neighbour_bits(place, cover.beside) if sets[-1] is None else (np.zeros((cells, 0)), np.zeros(cells))
        )
        self._choice = CellChoice(near.ravel().astype(np.uint64), near_base.astype(np.int64), np.zeros(cells, np.int64))
        self._narrowed: by_lists.ListedImages | None = None  # room for the lists below a node of another search
        words = len(self._all.masks) // len(self._all.option)
        self.state = by_lists.ListsState.new(
            cells,
            len(cover.tiles),
            self.pieces.most + 2,
            self.pieces.all,
            words,
            max(words, near.shape[1]),
            len(self._lists.places) if tally else 0,
        )
        self._solutions = rows_for(len(self.state.stack))
        self.counters = self.state.counters
        self.counters[by_lists.CHOOSY] = not self.pieces.exact
        self.counters[by_lists.IN_ORDER] = fixed.index(orders.FIRST) if orders.FIRST in fixed else -1
        self.begin()

    def begin(self, chosen: Sequence[int] = (), alive: NDArray[np.bool_] | None = None) -> None:
        """Go to the node where these options are placed. With `alive`, shape (options,), only marked options are tried below
        it."""
        self._fill(chosen)
        self._above = tuple(chosen)
        if alive is None:
            self._take(self._all)
            return
        if self._narrowed is None:
            self._narrowed, self._alive = by_lists.ListedImages._make(map(np.empty_like, self._all)), np.empty_like(alive)
            sizes = len(self.cover.tiles), len(self.state.available)
            self._narrow = bind(narrow, self._alive, *sizes, self._all, self._narrowed)
        self._alive[:] = alive
        self._narrow()
        # Looking at the types of all arrays again takes longer than many a search below a handoff.
        if self._images is not self._narrowed:
            self._take(self._narrowed)

    def twin(self) -> ListSearch:
        """A search by the same lists, which are shared."""
        other = copy.copy(self)
        other.state = by_lists.ListsState._make(np.zeros_like(array) for array in self.state)
        other._solutions = rows_for(len(other.state.stack))
        other.counters = other.state.counters
        for kept in (by_lists.CHOOSY, by_lists.IN_ORDER):
            other.counters[kept] = self.counters[kept]
        other.counters[BACK] = 1
        other._choice = self._choice._replace(scratch=np.zeros_like(self._choice.scratch))
        other._narrowed = None
        other._take(self._all)
        return other

    def give(self, other: ListSearch) -> bool:
        """See `tiler.backends.searching.resumable.Divisible` on `twin` and `give`."""
        depth = next(self._open_depths(), None)
        if depth is None:
            return False
        below = depth + 1
        other._fill((*self._above, *self.chosen()[:below]))
        other._above = self._above
        mine, its, words = self.state, other.state, len(self.state.windows) // len(self.state.todo)
        its.stack[:below], its.todo[:below] = mine.stack[:below], mine.todo[:below]
        its.windows[: below * words] = mine.windows[: below * words]
        other.count_anew()
        other.counters[[DEPTH, BACK, FLOOR]] = below, 1, self.counters[FLOOR]
        self.counters[FLOOR] = below
        self._narrowed = None  # From now on nobody writes to these.
        other._take(self._images)
        return True

    def count_anew(self) -> None:
        """Set all counters to zero that count since the start."""
        state = self.state
        for counted in (state.fits, state.nofits, state.targets, state.tally):
            counted[:] = 0
        self.counters[[NODES, FOUND]] = 0

    def _open_depths(self) -> Iterator[int]:
        """The depths on the way to the present node where an image fits that has not been tried."""
        state, (has, starts, masks, _) = self.state, self._images
        depth, tile_words, words = self.counters[DEPTH], len(state.available), len(state.windows) // len(state.todo)
        tiles, every, floor = len(state.left), masks.reshape(-1, words), int(self.counters[FLOOR])
        way = slice(floor, depth - self.counters[BACK])
        rows = state.stack[way]
        may_have = (rows[:, by_lists.AT] + 1 < rows[:, by_lists.END]) | (state.todo[way] > 0) | (tile_words > 1)
        for d, row in zip((floor + np.flatnonzero(may_have)).tolist(), rows[may_have], strict=True):
            list_, tile = row[by_lists.LIST], row[by_lists.TILE]
            available = state.left > 0
            available[state.stack[d:depth, by_lists.TILE]] = True
            ahead = lists.as_bits(available) & has[list_ * tile_words : (list_ + 1) * tile_words]
            ahead[: tile // 64] = 0
            ahead[tile // 64] = state.todo[d]
            window = state.windows[d * words : (d + 1) * words]
            lying = [slice(row[by_lists.AT] + 1, row[by_lists.END])]
            lying += [slice(*starts[i : i + 2]) for i in list_ * tiles + np.flatnonzero(lists.as_flags(ahead))]
            if any((every[some] & window == 0).all(1).any() for some in lying):
                yield d

    def _fill(self, chosen: Sequence[int]) -> None:
        """Go to the node where these options are placed."""
        state, cells = self.state, len(self.place)
        filled = np.ones(64 * len(state.occupied), np.bool_)
        filled[:cells] = remaining_pieces.begin(self.cover, self.place, chosen, self.state)
        # The place after the last one stands for no cell and is never filled; all bits after it are.
        filled[cells] = False
        state.occupied[:] = lists.as_bits(filled)
        state.available[:] = lists.as_bits(state.left > 0)

    def _take(self, images: by_lists.ListedImages) -> None:
        """Let the search go on with these lists."""
        self._images = images
        self._search = bind(by_lists.search, self._slots, images, self.order, self._choice, self.state, self._solutions)

    def turn_back(self) -> None:
        """Leave out everything below the node just made."""
        self.counters[BACK] = 1

    def arrays(self) -> dict[str, NDArray[Any]]:
        return self.state._asdict()

    def stats(self) -> Mapping[str, Any]:
        state = self.state
        counted = {"fits": state.fits.tolist(), "nofits": state.nofits.tolist(), "targets": state.targets.tolist()}
        return {**counted, "by_state": self._by_state()} if len(state.tally) else counted

    def _by_state(self) -> dict[str, dict[str, list[int]]]:
        """Targets, fits and no-fits, by cell and by the state of the neighbours looked at. The state has a digit for each
        neighbour, in the order of their numbers: 1 if it is filled."""
        tally = self.state.tally.reshape(-1, 3)
        cell_at = np.argsort(self.place)
        found: dict[str, dict[str, list[int]]] = {}
        for list_ in np.flatnonzero(tally.any(1)).tolist():
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
        # If the search is about to go back, its last branch is done.
        return done + share * float(self.counters[BACK])
