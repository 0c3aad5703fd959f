"""Drive FILA in a fixed order on a window of the board: an object owns the arrays of kernel_window.py."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.backends.fila import kernel_window as kernel
from tiler.backends.fila.kernel_counters import BACK, COUNTED_ALONG, DEPTH, FLOOR, FOUND, NODES
from tiler.backends.fila.kernel_window import WindowNodes, children
from tiler.backends.fila.lists import as_bits
from tiler.backends.fila.remaining_pieces import Pieces, begin
from tiler.backends.searching.driver import fraction_done
from tiler.backends.searching.resumable import Gathered, KernelSearch, rows_for, write_over
from tiler.cover.board import BoardCover
from tiler.cover.filters import leaves_fillable_regions, possible_sizes
from tiler.kernels import TerminationCheck, bind
from tiler.process.cancellation import StopCheck, never_stop

#: The most entries of the table of lists: what can be asked for, and what is taken where nothing is said, so that the lists stay
#: below some 250 MB even if all are needed.
MAX_TABLE, _USUAL_TABLE = 1 << 22, 1 << 19

_AHEAD = 12
_FIRST_ROOM = 1 << 14  # entries of lists for which there is room at first
_CHILDREN = 256  # children made at a time
_CLASSED = 1000  # cells put into classes between two looks at the clock


class WindowSearch(KernelSearch):
    """FILA on the cells in the order of their places, with lists chosen by the next `ahead` cells; stopped and resumed."""

    _NODES, _FOUND = NODES, FOUND

    def __init__(self, cover: BoardCover, place: NDArray[np.int64], ahead: int, check_stop: StopCheck = never_stop) -> None:
        """Make the search. `place`, shape (cells,), has the number of each cell in the fill order. `refusal` must be None for
        this number of cells."""
        cells, tiles = len(cover.items), len(cover.tiles)
        pieces = Pieces(cover)
        first, masks, tile_bits = _images(cover, place)
        check_stop()
        further = masks.shape[1] - 1
        # Options by place, and within a place in an order that depends on tile and mask only.
        listed = np.lexsort((*masks.T, cover.tile, first))
        self._listed = listed[leaves_fillable_regions(cover, check_stop)[listed]]
        self._starts = np.searchsorted(first[self._listed], portable.arange(cells + 1))
        check_stop()
        known, nearby = _neighbourhood(cover, place, ahead)
        class_of, members = self._classes(cover, masks, known, nearby, check_stop)
        entries = [self._listed[self._starts[c] : self._starts[c + 1]] for c in members]
        in_classes = np.concatenate(entries)
        lists = kernel.WindowLists(
            class_of=class_of,
            class_starts=portable.starts_of([len(each) for each in entries]),
            class_masks=masks[in_classes, 0].copy(),
            class_further=np.ascontiguousarray(masks[in_classes, 1:]),
            class_tiles=cover.tile[in_classes].astype(np.int64),
            known=known[members],
            nearby=nearby[members],
            possible=_possible(cover),
            size=cover.sizes,
            tile_bit=tile_bits[:, 0].copy(),
            further_cells=~np.bitwise_or.reduce(tile_bits[:, 1:], axis=0, initial=np.uint64(0)),
            pieces=pieces.by_open,
            table=np.full(len(members) << ahead, -1, np.int32),
            masks=np.zeros(_FIRST_ROOM, np.uint64),
            further=np.zeros((_FIRST_ROOM, further), np.uint64),
            which=np.zeros(_FIRST_ROOM, np.int32),
        )
        self._state = kernel.WindowState.new(tiles, pieces.most + 2, pieces.all, further)
        self._solutions = rows_for(2 * len(self._state.stack))
        self._put(lists)
        self.counters = self._state.counters
        # If each tile is used just once, its bit says all that numbers of copies would say.
        self.counters[kernel.COUNTED] = not (pieces.exact and cover.upper.max() == 1)
        self._cover, self._place, self._tile_bits = cover, place, tile_bits
        self._room: WindowNodes | None = None  # room for children, made when they are asked for
        self.begin()

    def begin(self, chosen: Sequence[int] = ()) -> None:
        """Go to the node where these options are placed."""
        state = self._state
        self._above = tuple(chosen)
        filled = begin(self._cover, self._place, chosen, state)
        where = int(np.append(filled, False).argmin())
        state.stack[0, kernel.WHERE] = where
        words = np.bitwise_or.reduce(self._tile_bits[state.left == 0], axis=0, initial=np.uint64(0))
        bits = as_bits(np.append(filled[where : where + 64 * len(words)], np.zeros(64 * len(words), np.bool_)))
        words |= bits[: len(words)]
        state.words[0, kernel.FILLED], state.further[0] = words[0], words[1:]

    def twin(self) -> WindowSearch:
        """A search of the same placements with its own lists, none of which is made yet."""
        other = copy.copy(self)
        other._state = kernel.WindowState._make(np.zeros_like(array) for array in self._state)
        other._solutions = rows_for(2 * len(self._state.stack))
        other.counters = other._state.counters
        other.counters[kernel.COUNTED] = self.counters[kernel.COUNTED]
        other.counters[BACK] = 1
        other._room = None
        lists = self._lists
        other._put(_first_entries(lists, 0)._replace(table=np.full_like(lists.table, -1)))
        return other

    def give(self, other: WindowSearch) -> bool:
        """See `tiler.backends.searching.resumable.Divisible` on `twin` and `give`."""
        depth = next(self._open_depths(), None)
        if depth is None:
            return False
        below, mine, its = depth + 1, self._state, other._state
        used = self.counters[kernel.USED]
        lists = self._lists
        other._put(_first_entries(lists, used)._replace(table=lists.table.copy()))
        begin(self._cover, self._place, (*self._above, *self.chosen()[:below]), its)
        other._above = self._above
        its.stack[:below], its.words[:below], its.further[:below] = mine.stack[:below], mine.words[:below], mine.further[:below]
        its.fits[:] = its.attempts[:] = 0
        other.counters[[NODES, FOUND, kernel.USED]] = 0, 0, used
        other.counters[[DEPTH, BACK, FLOOR]] = below, 1, self.counters[FLOOR]
        self.counters[FLOOR] = below
        return True

    def _open_depths(self) -> Iterator[int]:
        """The depths on the way to the present node where an image fits that has not been tried."""
        floor, lists = int(self.counters[FLOOR]), self._lists
        way = slice(floor, self.counters[DEPTH] - self.counters[BACK])
        words, later = self._state.words[way], self._state.stack[way][:, [kernel.AT, kernel.END]] + [64, 0]
        for d in np.flatnonzero((words[:, kernel.FITTING] > 0) | (later[:, 0] < later[:, 1])).tolist():
            some = slice(*later[d])
            fitting = lists.masks[some] & words[d, kernel.FILLED] == 0
            fitting &= (lists.further[some] & self._state.further[floor + d] == 0).all(axis=1)
            if words[d, kernel.FITTING] or fitting.any():
                yield floor + d

    def turn_back(self) -> None:
        """Leave out everything below the node just made."""
        self.counters[BACK] = 1

    def step(self, budget: int, stop_at_solutions: bool = True) -> int:
        """Search on for at most `budget` nodes; one of the codes of tiler.kernels."""
        step = super().step
        return self._with_growing_lists(budget, lambda left: step(left, stop_at_solutions))

    def gather(self, budget: int, most: int) -> tuple[int, NDArray[np.int32]]:
        """See `tiler.backends.searching.resumable.Gathering`."""
        solutions = Gathered(most)
        gather = super().gather
        code = self._with_growing_lists(budget, lambda left: solutions.add(*gather(left, solutions.left)))
        rows = solutions.all()
        where, which = rows[:, ::2], rows[:, 1::2]
        return code, np.where(where < 0, -1, self._listed[self._starts[where] + which]).astype(np.int32)

    def _with_growing_lists(self, budget: int, search: Callable[[int], int]) -> int:
        """Call `search` with the nodes that are left, until it needs no more room for lists."""
        last = self.nodes() + budget
        termination = TerminationCheck("FILA's making of lists")
        while True:
            code = search(last - self.nodes())
            if code != kernel.GROW:
                return code
            termination.advance(self.nodes(), len(self._lists.masks))
            self._put(_with_room(self._lists))

    def row(self) -> WindowNodes:
        """The node at which `begin` put the search, in the form that `children` takes."""
        state = self._state
        return WindowNodes(
            filled=state.words[:1, kernel.FILLED].copy(),
            further=state.further[:1].copy(),
            where=state.stack[:1, kernel.WHERE].copy(),
            left=state.left[None].copy(),
            owed=state.owed[None].copy(),
            counters=self.counters[None, list(COUNTED_ALONG)],
        )

    def children(self, above: WindowNodes) -> tuple[int, WindowNodes]:
        """The number of children of some nodes, and those of the children that can have children themselves."""
        room = self._room = self._room or WindowNodes.new(_CHILDREN, len(self._cover.tiles), self._state.further.shape[1])
        at = np.full(1, -1, np.int64)
        before, found, count = self.nodes(), list[WindowNodes](), _CHILDREN
        while count < 0 or count == _CHILDREN:
            if count < 0:
                self._put(_with_room(self._lists))
            count = bind(children, self._lists, self._state, self._solutions, above, at, room)()
            made = -1 - count if count < 0 else count
            found.append(WindowNodes._make(array[:made].copy() for array in room))
        return self.nodes() - before, WindowNodes._make(np.concatenate(parts) for parts in zip(*found, strict=True))

    def chosen(self) -> tuple[int, ...]:
        """The options placed."""
        rows = self._state.stack[: self.counters[DEPTH]]
        return tuple(self._listed[self._starts[rows[:, kernel.WHERE]] + self._lists.which[rows[:, kernel.CHOSEN]]].tolist())

    def looked_at(self) -> int | None:
        """The cell that was the first open one above this node."""
        depth = int(self.counters[DEPTH])
        return int(np.flatnonzero(self._place == self._state.stack[depth - 1, kernel.WHERE])[0]) if depth else None

    def stats(self) -> Mapping[str, Any]:
        """Attempts since the start, by pieces left when they were made: `fits[p]` and `nofits[p]`; images tried of tiles that are
        used up are no-fits here."""
        return {"fits": self._state.fits.tolist(), "nofits": (self._state.attempts - self._state.fits).tolist()}

    def fraction(self) -> float:
        """The part of the tree that is done, as if all images of a list were equal."""
        lists, depth = self._lists, self.counters[DEPTH]
        rows, filled = self._state.stack[:depth], self._state.words[:depth, kernel.FILLED]
        ahead = lists.nearby.shape[1] - 1
        next_cells = (filled >> np.uint64(1)).astype(np.int64) & ((1 << ahead) - 1)
        begin = lists.table[lists.class_of[rows[:, kernel.WHERE]] << ahead | next_cells] + 1
        tried = rows[:, kernel.CHOSEN] - begin
        tried[depth - 1 :] += self.counters[BACK]  # If the search is about to go back, its last branch is done.
        return fraction_done(rows[:, kernel.END] - begin, tried)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The whole state of the search, for checkpoints."""
        lists = _first_entries(self._lists, int(self.counters[kernel.USED]))
        saved = {"table": lists.table, "masks": lists.masks, "further masks": lists.further, "which": lists.which}
        return {**saved, **self._state._asdict()}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `arrays` gave, in a search that was made in the same way."""
        made = {name: arrays[name].copy() for name in ("table", "masks", "which")}
        self._put(self._lists._replace(**made, further=arrays["further masks"].copy()))
        write_over(self._state._asdict(), arrays)

    def _put(self, lists: kernel.WindowLists) -> None:
        """Let the search go on with these arrays."""
        self._lists = lists
        search = kernel.search_wide if lists.further_cells.size else kernel.search
        self._search = bind(search, lists, self._state, self._solutions)

    def _classes(
        self,
        cover: BoardCover,
        masks: NDArray[np.uint64],
        known: NDArray[np.uint64],
        nearby: NDArray[np.uint64],
        check_stop: StopCheck,
    ) -> tuple[NDArray[np.int64], list[int]]:
        """The class of each place, and a place of each class."""
        numbers: dict[bytes, int] = {}
        class_of = np.zeros(len(cover.items), np.int64)
        members: list[int] = []
        for c in range(len(cover.items)):
            if c % _CLASSED == 0:
                check_stop()
            options = self._listed[self._starts[c] : self._starts[c + 1]]
            key = b"".join(each.tobytes() for each in (masks[options], cover.tile[options], known[c : c + 1], nearby[c]))
            class_of[c] = numbers.setdefault(key, len(numbers))
            if len(numbers) > len(members):
                members.append(c)
        return class_of, members


def _first_entries(lists: kernel.WindowLists, number: int) -> kernel.WindowLists:
    """Copies of the first entries of the lists."""
    return lists._replace(
        masks=lists.masks[:number].copy(), further=lists.further[:number].copy(), which=lists.which[:number].copy()
    )


def _with_room(lists: kernel.WindowLists) -> kernel.WindowLists:
    """The same lists in arrays of twice the length, with room at least for the longest list that can still be made."""
    more = len(lists.masks) + int(np.diff(lists.class_starts).max())
    return lists._replace(
        masks=np.concatenate([lists.masks, np.zeros(more, np.uint64)]),
        further=np.concatenate([lists.further, np.zeros((more, lists.further.shape[1]), np.uint64)]),
        which=np.concatenate([lists.which, np.zeros(more, np.int32)]),
    )


def cells_ahead(cover: BoardCover) -> int:
    """The number of cells to look ahead by default. Each further cell gains less, and takes more memory."""
    return max(1, min(_AHEAD, (_USUAL_TABLE // len(cover.items)).bit_length() - 1))


def words(cover: BoardCover, place: NDArray[np.int64]) -> int:
    """The words of a window: a bit for each place that a placement spans and each tile that can be used up, and one bit more."""
    members, starts = place[cover.members.values], cover.members.starts[:-1]
    spans = portable.reduceat(np.maximum, members, starts) - portable.reduceat(np.minimum, members, starts) + 1
    return (int(spans.max()) + int(cover.bounded.sum())) // 64 + 1


def refusal(cover: BoardCover, ahead: int) -> str | None:
    """Why this search cannot be made, or None."""
    if len(cover.items) << ahead > MAX_TABLE:
        return f"{len(cover.items)} cells are too many to look {ahead} cells ahead"
    return None


def _images(cover: BoardCover, place: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.uint64]]:
    """The place of the first cell of each option; as words, the option's cells as bits, counted from that place, with the bit of
    its tile; and as words, the bit of each tile: none for a tile that cannot be used up, else from the highest bit on downwards.
    """
    members, starts = place[cover.members.values], cover.members.starts
    first = portable.reduceat(np.minimum, members, starts[:-1])
    offset = members - portable.repeat(first, np.diff(starts))
    limited = np.flatnonzero(cover.bounded)
    number = words(cover, place)
    tile_bits = np.zeros((len(cover.tiles), number), np.uint64)
    from_top = portable.arange(len(limited))
    tile_bits[limited, number - 1 - from_top // 64] = np.uint64(1) << (63 - from_top % 64).astype(np.uint64)
    bits = np.uint64(1) << (offset % 64).astype(np.uint64)
    columns = [
        portable.reduceat(np.bitwise_or, np.where(offset // 64 == word, bits, np.uint64(0)), starts[:-1])
        for word in range(number)
    ]
    return first, np.stack(columns, axis=1) | tile_bits[cover.tile], tile_bits


def _neighbourhood(cover: BoardCover, place: NDArray[np.int64], ahead: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """For each place, as bits: which of the next cells are on the board, and the neighbours of each of these cells that come
    after this place."""
    cells = len(cover.items)
    around = cover.beside
    of_place = np.empty_like(around)
    of_place[place] = np.where(around >= 0, place[around], -1)
    here = portable.arange(cells)[:, None]
    there = here + portable.arange(ahead + 1)
    is_known = (there < cells) & (there > here)
    known = np.bitwise_or.reduce(is_known.astype(np.uint64) << np.arange(ahead + 1, dtype=np.uint64), axis=1)
    behind = of_place[np.where(is_known, there, 0)] - here[:, :, None]
    bits = np.uint64(1) << np.clip(behind, 0, 63).astype(np.uint64)
    return known, np.bitwise_or.reduce(np.where(is_known[:, :, None] & (behind > 0), bits, np.uint64(0)), axis=2)


def _possible(cover: BoardCover) -> NDArray[np.bool_]:
    """Shape (tiles, 64): [t, n] is whether the tiles, less one copy of t, can have n cells; always, if one is in several
    parts."""
    if not cover.tiles_are_connected:
        return np.ones((len(cover.tiles), 64), np.bool_)
    return possible_sizes(cover.sizes.tolist(), cover.upper.tolist(), 63)
