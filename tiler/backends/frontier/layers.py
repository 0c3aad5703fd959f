"""All states of a board, position by position, with the number of ways to reach each.

Positions are taken in fill order. The states at a position are merged from those before it (`gather`), then the profiles there
are led on to the next ones (`expand`). Only the positions that are still needed are kept, unless `keep` asks for all of them, to
walk back. Ways are exact: when a number outgrows its words of 64 bits, all get a word more.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tiler.backends.frontier import kernel_layers as layers_kernel
from tiler.backends.frontier import kernel_profiles as profiles_kernel
from tiler.backends.frontier.mirrors import Mirrors
from tiler.backends.frontier.model import Model
from tiler.kernels import Ratchet, as_python, patience

_TRANSITIONS = 1_000_000  # of one call of a kernel: some 10 ms
_FIRST_PROFILES, _PROFILES, _PAUSE_SECONDS = (
    4,
    10_000,
    0.02,
)  # the most of one call, and what one call aims at: on wide boards each takes its time
_ROWS = 1_000_000  # moved at a time
_POSITIONS = 1000  # passed by
_ENTRIES = 200_000  # of a table, that are entered anew
_GROWTH = 1 << 28  # bytes: a larger step takes too long between two looks at the clock
_NUMBERS = ("position", "states", "largest", "profiles", "peak", "_tail")  # of the state, that are saved
_WORTH_A_THREAD = 300_000  # transitions of a position from which a second thread is started


class Layers:
    """The states so far. `build` goes on; it is done when `position` is the number of cells."""

    def __init__(
        self,
        model: Model,
        mirrors: Mirrors | None = None,
        *,
        keep: bool = False,
        budget: int = 1 << 62,
        threads: int = 1,
    ) -> None:
        """`budget` is how many bytes the arrays may take together. With mirrors, of states that are images of each other one
        stands for all: then the layers tell the number of tilings, but not the tilings."""
        from tiler.backends.frontier.kernel_profiles import PROFILES

        self.model, self.keep, self.budget, self.threads = model, keep, budget, threads
        cells, most = model.cells, int(np.diff(model.fit_starts).max(initial=0))
        self.images = (Mirrors.none(cells) if mirrors is None else mirrors).images(model)
        room = 1 << (2 * most + 1022).bit_length()
        self.masks = np.zeros((room, model.mask_words), np.uint64)
        self.links = np.zeros((room, profiles_kernel.LINK_COLUMNS), np.int32)
        self.spans = np.zeros((room, 2), np.int64)
        self.table = np.zeros(4 * room, np.int32)
        self.edges = np.zeros((4 * room, profiles_kernel.EDGE_COLUMNS), np.int32)
        self.rows = np.zeros((4 * room, model.key_words + 1), np.uint64)
        self.slots = np.zeros(1024, np.int32)
        self.other_slots = np.zeros(0, np.int32)
        self._other: ThreadPoolExecutor | None = None
        self.last_at = np.full(cells + 1, -1, np.int32)
        self.state = np.zeros(profiles_kernel.STATE_SIZE, np.int64)
        self.tally = np.zeros(layers_kernel.TALLY_SIZE, np.int64)
        self._work = (np.full(cells + 1, -1, np.int64), np.zeros(cells + 1, np.int32), np.zeros(model.mask_words, np.uint64))
        self.position = 0
        self.is_settled = False  #: whether the state can be saved: at pauses between two positions
        self.short = False  #: whether `build` stopped because the budget is used up
        self.is_gathered = True  #: whether the lists of the present position are made
        self.states = 0  #: rows made so far
        self.largest = 0  #: the most rows kept at a time
        self.profiles = 0  #: those led on
        self.peak = 0  #: the most bytes the arrays took
        self._needed_until = np.zeros(cells + 1, np.int64)  # by position: the last one that its states lead to
        self._row_at = np.zeros(cells + 2, np.int64)  # by position: its first row
        self._budget = _FIRST_PROFILES
        self._tail = 0  # the first position still needed
        # The empty board, reached in one way.
        self.links[0] = 0, 1, cells, -1, -1
        self.rows[0, -1] = 1
        self.spans[0] = 0, 1
        self.state[PROFILES] = 1
        as_python(profiles_kernel.rehash)(self.table, self.masks, self.links, 0, 1)
        self.last_at[0] = 0
        self.tally[layers_kernel.TOP] = 1

    @property
    def transitions(self) -> int:
        return int(self.tally[layers_kernel.TRANSITIONS])

    @property
    def unfinished(self) -> int:
        """Those of the `states` that are still to be led on."""
        here = self.spans[self.at(self.position)] if self.is_gathered else np.zeros((0, 2), np.int64)
        return int((here[:, 1] - here[:, 0]).sum())

    @property
    def edge_count(self) -> int:
        return int(self.state[profiles_kernel.EDGES])

    @property
    def bytes(self) -> int:
        """What the arrays take."""
        arrays = (self.masks, self.links, self.spans, self.table, self.edges, self.rows)
        return sum(array.nbytes for array in arrays) + self.slots.nbytes + self.other_slots.nbytes

    def at(self, position: int) -> NDArray[np.int32]:
        """The profiles of a position that can be completed, in the order in which they were found."""
        return layers_kernel.listed(int(self.last_at[position]), self.links)

    def total(self) -> int:
        """The number of tilings, when the last position is reached."""
        return sum(self.ways(row) for profile in self.at(self.model.cells) for row in range(*self.spans[profile].tolist()))

    def ways(self, row: int) -> int:
        """In how many ways the state of a row is reached."""
        return sum(int(word) << (64 * i) for i, word in enumerate(self.rows[row, self.model.key_words :].tolist()))

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """All the state there is, when it `is_settled`."""
        profiles, edges, top = self.state[profiles_kernel.PROFILES], self.edge_count, self.tally[layers_kernel.TOP]
        numbers = [getattr(self, name) for name in _NUMBERS]
        return {
            **{name: getattr(self, name)[:profiles] for name in ("masks", "links", "spans")},
            **{"edges": self.edges[:edges], "rows": self.rows[:top], "last_at": self.last_at},
            **{"state": self.state, "tally": self.tally, "needed_until": self._needed_until, "row_at": self._row_at},
            "numbers": np.array(numbers, np.int64),
        }

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `arrays` gave, for the same model."""
        profiles, edges = len(arrays["masks"]), len(arrays["edges"])
        room = 1 << max(profiles.bit_length() + 1, len(self.masks).bit_length() - 1)
        for name, least in (("masks", room), ("links", room), ("spans", room), ("edges", 2 * edges), ("rows", 0)):
            saved = arrays[name]
            larger = np.zeros((max(least, len(saved)), saved.shape[1]), saved.dtype)
            larger[: len(saved)] = saved
            setattr(self, name, larger)
        self.last_at, self.state, self.tally = arrays["last_at"], arrays["state"], arrays["tally"]
        self._needed_until, self._row_at = arrays["needed_until"], arrays["row_at"]
        for name, number in zip(_NUMBERS, arrays["numbers"].tolist(), strict=True):
            setattr(self, name, number)
        self.is_gathered = False
        self.state[profiles_kernel.STAMP] = 0
        self.table = np.zeros(4 * room, np.int32)
        profiles_kernel.rehash(self.table, self.masks, self.links, 0, profiles)

    def build(self) -> Iterator[float]:
        """Go on position by position, pausing many times a second; yields the fraction of the positions done."""
        cells = self.model.cells
        while self.position <= cells:
            here = self.at(self.position)
            if self.position:
                self._row_at[self.position] = self.tally[layers_kernel.TOP]
                yield from self._gather(here)
                self.peak = max(self.peak, self.bytes)
                if self.short:
                    return
            self.is_gathered = True
            self.states += int(self.tally[layers_kernel.TOP] - self._row_at[self.position])
            self.largest = max(self.largest, int(self.tally[layers_kernel.TOP] - self._row_at[self._tail]))
            if self.position == cells:
                return
            yield from self._expand(here)
            if self.short:
                return
            self.position += 1
            self.is_gathered = False
            while self._tail < self.position and self._needed_until[self._tail] < self.position:
                self._tail += 1
            if len(here) or self.position % _POSITIONS == 0:
                # Positions that nothing leads to are passed without any other pause.
                self.is_settled = True
                yield self.position / cells
                self.is_settled = False

    def free(self) -> None:
        """Let the memory go; nothing is left but the numbers."""
        self.rows, self.masks = self.rows[:0].copy(), self.masks[:0].copy()
        self.links, self.edges, self.spans = self.links[:0].copy(), self.edges[:0].copy(), self.spans[:0].copy()
        self.slots = self.other_slots = self.table = self.slots[:0].copy()

    def _gather(self, here: NDArray[np.int32]) -> Iterator[float]:
        """Merge the states of these profiles, two batches at a time if there are two threads and enough to do."""
        sums = layers_kernel.incoming(here, self.links, self.edges, self.spans)
        helped = self.threads > 1 and sums[-1] > _WORTH_A_THREAD
        ratchet, done = Ratchet("the frontier's merging of states"), 0
        while done < len(here):
            middle = min(int(np.searchsorted(sums, sums[done] + _TRANSITIONS)), len(here)) if helped else len(here)
            if middle < len(here):
                stop = min(int(np.searchsorted(sums, sums[middle] + _TRANSITIONS)), len(here))
                if self._make_room(int(sums[stop] - sums[done]) + 2) and self._gather_two(here, done, middle, stop, sums):
                    done = stop
                    yield self.position / self.model.cells
                    continue
            done = self._call_gather(here, done, middle, len(self.rows), self.slots, self.tally)
            for _ in self._relieve():
                yield self.position / self.model.cells
            if self.short:
                return
            free = len(self.rows) - int(self.tally[layers_kernel.TOP])
            ratchet.turn(done, self.rows.shape[1], free, len(self.slots))
            yield self.position / self.model.cells

    def _relieve(self) -> Iterator[None]:
        """Make room for what the kernel stopped at, with pauses: more slots, a word more for the ways, or room for rows; `short`
        if the budget does not allow it."""
        kernel = layers_kernel
        stopped, needed = int(self.tally[kernel.STOPPED]), int(self.tally[kernel.NEEDED])
        if stopped == kernel.SLOTS:
            self.short = self.bytes - self.slots.nbytes + 4 * needed > self.budget
            if not self.short:
                self.slots = np.zeros(needed, np.int32)
        elif stopped == kernel.OVERFLOW:
            yield from self._widen(needed)
        elif stopped == kernel.ROOM:
            self.short = not self._make_room(needed)

    def _gather_two(self, here: NDArray[np.int32], start: int, middle: int, stop: int, sums: NDArray[np.int64]) -> bool:
        """The lists of two batches in two threads, the second one's written so far behind that the first cannot reach them; False
        if one must be begun again."""
        kernel = layers_kernel
        top = int(self.tally[kernel.TOP])
        other_top = top + int(sums[middle] - sums[start]) + 1
        if self._other is None:
            self._other = ThreadPoolExecutor(1)
        other_tally = np.array([other_top, 0, 0, 0])
        slots = max(len(self.slots), 4 * _TRANSITIONS)
        if len(self.other_slots) < slots:
            self.slots, self.other_slots = np.zeros(slots, np.int32), np.zeros(slots, np.int32)
        arguments = (here, middle, stop, len(self.rows), self.other_slots, other_tally)
        other: Future[int] = self._other.submit(self._call_gather, *arguments)
        own_tally = self.tally.copy()
        reached = self._call_gather(here, start, middle, other_top, self.slots, own_tally)
        if other.result() < stop or reached < middle:
            return False
        end = int(own_tally[kernel.TOP])
        kernel.move_down(self.rows, other_top, int(other_tally[kernel.TOP]), other_top - end)
        self.spans[here[middle:stop]] -= other_top - end
        self.tally[:] = own_tally
        self.tally[kernel.TOP] = other_tally[kernel.TOP] - (other_top - end)
        self.tally[kernel.TRANSITIONS] += other_tally[kernel.TRANSITIONS]
        return True

    def _call_gather(
        self, here: NDArray[np.int32], start: int, stop: int, room: int, slots: NDArray[np.int32], tally: NDArray[np.int64]
    ) -> int:
        model = self.model
        return int(
            layers_kernel.gather(
                *(
                    here,
                    start,
                    stop,
                    patience.share(_TRANSITIONS),
                    model.fit_tile,
                    model.counters,
                    model.owing,
                    self.links,
                    self.edges,
                ),
                *(self.spans, self.rows, room, model.key_words, slots, self.images.key_images, tally),
            )
        )

    def _expand(self, here: NDArray[np.int32]) -> Iterator[float]:
        """Lead these profiles on."""
        kernel, model = profiles_kernel, self.model
        self.profiles += len(here)
        ratchet, done, started = Ratchet("the frontier's search for profiles"), 0, time.perf_counter()
        first_edge = int(self.state[kernel.EDGES])
        while done < len(here):
            before = done
            done = int(
                kernel.expand(
                    *(here, done, self._budget, self.spans, model.fit_starts, model.fit_masks, *model.board),
                    *(self.table, self.masks, self.links, self.edges, self.last_at, *self._work, self.state),
                    *(self.images.cut, self.images.room, self.images.image_at, self.images.images, self.images.key_images),
                )
            )
            self._note_targets(first_edge)
            first_edge = int(self.state[kernel.EDGES])
            if done < len(here) and done < before + self._budget:
                for _ in self._make_profiles():
                    yield self.position / model.cells
                if self.short:
                    return
                here = self.at(self.position)
                first_edge = int(self.state[kernel.EDGES])
            free = len(self.edges) + len(self.masks) - int(self.state[kernel.EDGES] + self.state[kernel.PROFILES])
            ratchet.turn(done, free)
            yield self.position / model.cells
            now = time.perf_counter()
            if done == before + self._budget:
                aim = int(self._budget * min(2.0, _PAUSE_SECONDS / max(now - started, 1e-6)))
                self._budget = min(max(1, aim), _PROFILES)
            started = now

    def _note_targets(self, first_edge: int) -> None:
        targets = self.edges[first_edge : int(self.state[profiles_kernel.EDGES]), profiles_kernel.TARGET]
        if len(targets):
            last = int(self.links[targets, profiles_kernel.POSITION].max())
            self._needed_until[self.position] = max(last, self._needed_until[self.position])

    def _widen(self, needed: int) -> Iterator[None]:
        """One word more for the ways, with pauses, and room for so many more rows; `short` if there is not the memory."""
        self._move_to_front()
        top, width = int(self.tally[layers_kernel.TOP]), self.rows.shape[1]
        room = min(len(self.rows), (self.budget - self.bytes + self.rows.nbytes) // (8 * (width + 1)))
        if room < top + needed:
            self.short = True
            return
        # In place, as for `_make_room`. What is added is written with zeros, which takes its time.
        words, step = room * (width + 1), _GROWTH // 8
        for size in [*range(self.rows.size + step, words, step), words]:
            self.rows.resize((size,), refcheck=False)
            yield
        self.rows.resize((room, width + 1), refcheck=False)
        for stop in range(top, 0, -_ROWS):
            layers_kernel.widen(self.rows, max(0, stop - _ROWS), stop, width)
            yield

    def _make_room(self, needed: int) -> bool:
        """Room for so many more rows: by moving those still needed to the front, or by more memory; whether there is enough."""
        if self._first_kept >= (int(self.tally[layers_kernel.TOP]) - self._first_kept) // 2:
            self._move_to_front()
        wanted = int(self.tally[layers_kernel.TOP]) + needed
        if wanted <= len(self.rows):
            return True
        width = self.rows.shape[1] * 8
        affordable = (self.budget - self.bytes + self.rows.nbytes) // width
        if affordable < wanted:
            return False
        # In place where the system can: two copies of the largest array would be the peak.
        self.rows.resize((min(affordable, wanted + min(wanted // 4, _GROWTH // width)), self.rows.shape[1]), refcheck=False)
        return True

    @property
    def _first_kept(self) -> int:
        """The first row that is still needed."""
        return 0 if self.keep else int(self._row_at[self._tail])

    def _move_to_front(self) -> None:
        """Forget the rows that are no longer needed."""
        low = self._first_kept
        if low:
            layers_kernel.move_down(self.rows, low, int(self.tally[layers_kernel.TOP]), low)
            self.spans -= low
            self._row_at -= low
            self.tally[layers_kernel.TOP] -= low

    def _make_profiles(self) -> Iterator[None]:
        """Room for more profiles and edges, with pauses: by forgetting those done with, which numbers the others anew, or by more
        memory; `short` if there is not enough."""
        kernel = profiles_kernel
        most = int(np.diff(self.model.fit_starts).max(initial=0))
        if not self.keep:
            yield from self._forget()
        if 4 * (int(self.state[kernel.EDGES]) + most) > 3 * len(self.edges):
            if self.bytes + self.edges.nbytes > self.budget:
                self.short = True
                return
            self.edges.resize((2 * len(self.edges), profiles_kernel.EDGE_COLUMNS), refcheck=False)
        if 4 * (int(self.state[kernel.PROFILES]) + most) > 3 * len(self.masks):
            if self.bytes + self.masks.nbytes + self.links.nbytes + self.spans.nbytes + self.table.nbytes > self.budget:
                self.short = True
                return
            for array in (self.masks, self.links, self.spans):
                array.resize((2 * len(array), array.shape[1]), refcheck=False)
                yield
        self.table = np.zeros(4 * len(self.masks), np.int32)
        count = int(self.state[kernel.PROFILES])
        for start in range(0, count, _ENTRIES):
            kernel.rehash(self.table, self.masks, self.links, start, min(start + _ENTRIES, count))
            yield

    def _forget(self) -> Iterator[None]:
        """Drop the profiles before the tail, and the edges into those whose lists are made."""
        kernel = profiles_kernel
        count, edge_count = int(self.state[kernel.PROFILES]), int(self.state[kernel.EDGES])
        links, edges = self.links[:count], self.edges[:edge_count]
        kept = links[:, kernel.POSITION] >= self._tail
        kept_edges = links[edges[:, kernel.TARGET], kernel.POSITION] > self.position
        # Shifted by one, so that -1, which is none, stays so.
        number = np.concatenate([[-1], np.where(kept, np.cumsum(kept) - 1, -1)]).astype(np.int32)
        yield
        edge_number = np.concatenate([[-1], np.where(kept_edges, np.cumsum(kept_edges) - 1, -1)]).astype(np.int32)
        yield
        for array in (self.masks, self.spans, self.links):
            array[: int(kept.sum())] = array[:count][kept]
            yield
        self.edges[: int(kept_edges.sum())] = edges[kept_edges]
        yield
        self.state[kernel.PROFILES], self.state[kernel.EDGES] = kept.sum(), kept_edges.sum()
        links, edges = self.links[: int(kept.sum())], self.edges[: int(kept_edges.sum())]
        links[:, kernel.EDGE] = edge_number[links[:, kernel.EDGE] + 1]
        links[:, kernel.NEXT] = number[links[:, kernel.NEXT] + 1]
        edges[:, kernel.BEFORE] = edge_number[edges[:, kernel.BEFORE] + 1]
        edges[:, kernel.SOURCE] = number[edges[:, kernel.SOURCE] + 1]
        edges[:, kernel.TARGET] = number[edges[:, kernel.TARGET] + 1]
        self.last_at = number[self.last_at + 1]
