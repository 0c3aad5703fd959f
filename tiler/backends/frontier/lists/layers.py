"""Make all states of a board, position by position, with the number of ways to reach each.

Positions are taken in fill order. The states at a position are merged from those before it (`gather`); then its profiles are
taken on to the next ones (`expand`). Only the positions still needed are kept, unless `keep` asks for all of them, to walk back.
Ways are exact: when a number outgrows its words of 64 bits, all numbers get a word more.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.backends.frontier.lists import kernel_layers as layers_kernel
from tiler.backends.frontier.lists import ways
from tiler.backends.frontier.lists.kernel_layers import Merging
from tiler.backends.frontier.lists.merge_threads import Helper, cuts, helpers
from tiler.backends.frontier.shared import kernel_profiles as profiles_kernel
from tiler.backends.frontier.shared.budgeted import Budgeted
from tiler.backends.frontier.shared.kernel_profiles import StateLists
from tiler.backends.frontier.shared.model import Model
from tiler.backends.frontier.shared.profiles import Profiles
from tiler.backends.frontier.shared.symmetries import Symmetries
from tiler.kernels import TerminationCheck, python_time
from tiler.process.threads import together

_TRANSITIONS = 1_000_000  # transitions of one call of a kernel, which take some 10 ms
_FIRST_PROFILES, _PROFILES, _PAUSE_SECONDS = (
    4,
    10_000,
    0.02,
)  # profiles of one call at most, and the seconds that one call aims at: on wide boards a profile takes long
_MOST_FULL = 0.75  # the part of the arrays of profiles that stays in use when profiles are forgotten; else they grow
_POSITIONS = 1000  # positions without profiles that are passed between two pauses
_NUMBERS = ("position", "states", "largest", "profiles", "peak", "_tail")  # the arrays of the state that are saved
_WORTH_THREADS = 300_000  # transitions of a position from which threads are started: some 4 ms
_SHARE_OF_THREADS = 5  # the rows of all threads but the first may take this part of the arrays' bytes, or:
_LEAST_BYTES = 2_000_000


class Layers(Budgeted):
    """The states made so far. `build` makes the others; it is done when `position` is the number of cells."""

    position = 0
    profiles = 0

    def __init__(
        self,
        model: Model,
        symmetries: Symmetries | None = None,
        *,
        keep: bool = False,
        budget: int = 1 << 62,
        threads: int = 1,
    ) -> None:
        """`budget` is how many bytes the arrays may take together. With symmetries, of states that are images of each other one
        stands for all: then the layers tell the number of tilings, but not the tilings."""
        cells = model.cells
        super().__init__(model, budget, threads)
        self.keep = keep
        self.maps = (Symmetries.none(cells) if symmetries is None else symmetries).maps(model)
        self.known = Profiles(model)
        room = len(self.known.arrays.masks)
        rows = np.zeros((4 * room, model.key_words + 1), np.uint64)
        self.lists = StateLists(np.full(cells + 1, -1, np.int32), np.zeros((room, 2), np.int64), rows)
        self.merging = Merging(np.zeros(1024, np.int32), np.zeros(layers_kernel.STATE_SIZE, np.int64))
        self._helpers: list[Helper] = []
        self.is_settled = False  #: whether the state can be saved: at pauses between two positions
        self.largest = 0  #: the most rows kept at a time
        self._needed_until = np.zeros(cells + 1, np.int64)  # for each position, the last position to which its states lead
        self._row_at = np.zeros(cells + 2, np.int64)  # for each position, its first row
        self._budget = _FIRST_PROFILES
        self._tail = 0  # the first position still needed
        # The empty board, reached in one way.
        rows[0, -1] = 1
        self.lists.spans[0] = 0, 1
        self.lists.last_at[0] = 0
        self.merging.state[layers_kernel.TOP] = 1

    @property
    def _top(self) -> int:
        """The number of the next free row."""
        return int(self.merging.state[layers_kernel.TOP])

    @property
    def transitions(self) -> int:
        return int(self.merging.state[layers_kernel.TRANSITIONS])

    @property
    def bytes(self) -> int:
        """The bytes that the arrays take."""
        own = sum(array.nbytes for array in (*self.lists, self.merging.slots))
        return self.known.bytes + own + sum(helper.bytes for helper in self._helpers)

    def at(self, position: int) -> NDArray[np.int32]:
        """The profiles of a position that can be completed, in the order in which they were found."""
        last, found = int(self.lists.last_at[position]), np.zeros(0, np.int32)
        while (count := layers_kernel.listed(self.known.arrays, last, found)) > len(found):
            found = np.zeros(count, np.int32)
        return found

    def total(self) -> int:
        """The number of tilings, when the last position is reached."""
        spans = self.lists.spans
        return sum(self.ways(row) for profile in self.at(self.model.cells) for row in range(*spans[profile].tolist()))

    def ways(self, row: int) -> int:
        """The number of ways to reach the state of a row."""
        return ways.number_of(self.lists.rows[row, self.model.key_words :].tolist())

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """The whole state, for checkpoints, when it `is_settled`."""
        known, lists, profiles = self.known.arrays, self.lists, self.known.count
        return {
            **{"masks": known.masks[:profiles], "links": known.links[:profiles], "spans": lists.spans[:profiles]},
            **{"edges": known.edges[: self.known.edge_count], "rows": lists.rows[: self._top], "last_at": lists.last_at},
            **{"needed_until": self._needed_until, "row_at": self._row_at, "merging": self.merging.state},
            "numbers": np.array([getattr(self, name) for name in _NUMBERS], np.int64),
        }

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `arrays` gave, for the same model."""
        profiles, edges = len(arrays["masks"]), len(arrays["edges"])
        room = 1 << max(profiles.bit_length() + 1, len(self.lists.spans).bit_length() - 1)

        def larger(name: str, least: int) -> NDArray[Any]:
            saved = arrays[name]
            array = np.zeros((max(least, len(saved)), saved.shape[1]), saved.dtype)
            array[: len(saved)] = saved
            return array

        self.known.arrays = self.known.arrays._replace(
            masks=larger("masks", room),
            links=larger("links", room),
            edges=larger("edges", 2 * edges),
            state=np.array([profiles, edges], np.int64),
        )
        self.lists = StateLists(arrays["last_at"], larger("spans", room), larger("rows", 0))
        self.merging = self.merging._replace(state=arrays["merging"])
        self._needed_until, self._row_at = arrays["needed_until"], arrays["row_at"]
        for name, number in zip(_NUMBERS, arrays["numbers"].tolist(), strict=True):
            setattr(self, name, number)
        for _ in self.known.rehash():
            pass

    def build(self) -> Iterator[float]:
        """Go on position by position, pausing many times a second; yields the fraction of the positions done."""
        cells = self.model.cells
        while self.position <= cells:
            here = self.at(self.position)
            if self.position:
                self._row_at[self.position] = self._top
                yield from self._gather(here)
                self.note_peak()
                if self.short:
                    return
            self.states += int(self._top - self._row_at[self.position])
            self.largest = max(self.largest, int(self._top - self._row_at[self._tail]))
            if self.position == cells:
                return
            yield from self._expand(here)
            if self.short:
                return
            self.position += 1
            while self._tail < self.position and self._needed_until[self._tail] < self.position:
                self._tail += 1
            if len(here) or self.position % _POSITIONS == 0:
                # Positions without states are passed, with a pause now and then.
                self.is_settled = True
                yield self.position / cells
                self.is_settled = False

    def free(self) -> None:
        """Free the memory; only the numbers remain."""
        self.known.free()
        self.lists = self.lists._replace(spans=self.lists.spans[:0].copy(), rows=self.lists.rows[:0].copy())
        self.merging = self.merging._replace(slots=self.merging.slots[:0].copy())
        self._helpers = []

    def _gather(self, here: NDArray[np.int32]) -> Iterator[float]:
        """Merge the states of these profiles."""
        sums = np.zeros(len(here) + 1, np.int64)
        layers_kernel.incoming(self.known.arrays, self.lists, here, sums)
        helped = self._gets_help(sums)
        termination, done = TerminationCheck("the frontier's merging of states"), 0
        while done < len(here):
            if helped:
                places = cuts(sums, done, 1 + len(self._helpers), len(self._helpers[0].rows) - 1)
                helped = self._make_room(int(sums[places[1]] - sums[done]) + 1)
            if helped:
                done, helped = self._gather_together(here, places)
            else:
                self._helpers = []
                merging, rows = self.merging, self.lists.rows
                merging.state[layers_kernel.END] = len(rows)
                arrays = self.model.rules, self.maps, self.known.arrays, self.lists, merging, rows
                done = int(layers_kernel.gather(*arrays, here, done, python_time.share(_TRANSITIONS)))
            for _ in self._relieve():
                yield self.position / self.model.cells
            if self.short:
                return
            rows, width = self.lists.rows.shape
            if helped and self._helpers[0].rows.shape[1] < width:
                helped = self._gets_help(sums)
            termination.advance(done, width, int(not helped), rows - self._top, len(self.merging.slots))
            yield self.position / self.model.cells

    def _relieve(self) -> Iterator[None]:
        """Make room for that for which the kernel stopped, with pauses: more slots, one more word for the ways, or more rows.
        Sets `short` if the budget does not allow it."""
        kernel, merging = layers_kernel, self.merging
        stopped, needed = int(merging.state[kernel.STOPPED]), int(merging.state[kernel.NEEDED])
        if stopped == kernel.SLOTS:
            if self.affords(4 * needed - merging.slots.nbytes):
                self.merging = merging._replace(slots=np.zeros(needed, np.int32))
        elif stopped == kernel.OVERFLOW:
            yield from self._widen(needed)
        elif stopped == kernel.ROOM:
            self.short = not self._make_room(needed)

    def _gets_help(self, sums: NDArray[np.int64]) -> bool:
        """Whether several threads merge the states of a position; `sums` adds up the transitions into its profiles."""
        if self.threads < 2 or sums[-1] < _WORTH_THREADS:
            self._helpers = []
            return False
        own = self.bytes - sum(helper.bytes for helper in self._helpers)
        share = min(max(_LEAST_BYTES, own // _SHARE_OF_THREADS), self.budget - own)
        width, largest = self.lists.rows.shape[1], int(np.diff(sums).max())
        self._helpers = helpers(self._helpers, self.threads - 1, share, largest=largest, transitions=_TRANSITIONS, width=width)
        slots = max((len(helper.merging.slots) for helper in self._helpers), default=0)
        if len(self.merging.slots) < slots:
            self.merging = self.merging._replace(slots=np.zeros(slots, np.int32))
        self.note_peak()
        return bool(self._helpers) and self.bytes <= self.budget

    def _gather_together(self, here: NDArray[np.int32], places: list[int]) -> tuple[int, bool]:
        """Make the lists of the profiles between these places, one part by each thread, in the order in which one thread would
        make them. Returns up to where they are made, since there may be something to `_relieve`, and whether the memory sufficed
        for all."""
        kernel, first = layers_kernel, self.merging
        first.state[kernel.END] = len(self.lists.rows)
        for helper in self._helpers:
            helper.merging.state[:] = 0
            helper.merging.state[kernel.END] = len(helper.rows)
        arrays = self.model.rules, self.maps, self.known.arrays, self.lists
        own = [(first, self.lists.rows), *self._helpers]
        whole = 1 << 62  # A helper makes the lists of all its profiles in one call.
        reached = together(
            [
                partial(kernel.gather, *arrays, merging, rows, here[:stop], start, whole)
                for (merging, rows), start, stop in zip(own, places[:-1], places[1:], strict=True)
            ]
        )
        done = reached[0]
        made = []
        for helper, start, stop in zip(self._helpers, places[1:-1], reached[1:], strict=True):
            if done < start:  # The thread before it did not finish: all lists after that point are made again.
                break
            made.append((helper, start, stop))
            done = stop
        top = self._top
        if not self._make_room(sum(int(helper.merging.state[kernel.TOP]) for helper, *_ in made) + 1):
            return reached[0], False
        at, moved = self._top, top - self._top  # The spans were moved for all rows, also for rows of the helpers.
        calls = []
        for helper, start, stop in made:
            count = int(helper.merging.state[kernel.TOP])
            calls.append(partial(kernel.put, helper.rows, count, self.lists, at, here, start, stop, at + moved))
            at += count
            first.state[kernel.TRANSITIONS] += helper.merging.state[kernel.TRANSITIONS]
            first.state[[kernel.STOPPED, kernel.NEEDED]] = helper.merging.state[[kernel.STOPPED, kernel.NEEDED]]
        together(calls)
        first.state[kernel.TOP] = at
        return done, True

    def _expand(self, here: NDArray[np.int32]) -> Iterator[float]:
        """Make the edges from these profiles to the next ones."""
        known, cells = self.known, self.model.cells
        self.profiles += len(here)
        termination, done, started = TerminationCheck("the frontier's search for profiles"), 0, time.perf_counter()
        first_edge = known.edge_count
        while done < len(here):
            stop = min(len(here), done + self._budget)
            arrays = self.model.rules, self.maps, known.arrays, known.judging, self.lists
            reached = int(profiles_kernel.expand(*arrays, here[:stop], done))
            self._note_targets(first_edge)
            if reached < stop:
                for _ in self._make_profiles():
                    yield self.position / cells
                if self.short:
                    return
                here = self.at(self.position)
            first_edge = known.edge_count
            free = len(known.arrays.edges) + len(known.arrays.masks) - known.edge_count - known.count
            termination.advance(reached, free)
            yield self.position / cells
            now = time.perf_counter()
            if reached == done + self._budget:
                aim = int(self._budget * min(2.0, _PAUSE_SECONDS / max(now - started, 1e-6)))
                self._budget = min(max(1, aim), _PROFILES)
            done, started = reached, now

    def _note_targets(self, first_edge: int) -> None:
        known = self.known.arrays
        targets = known.edges[first_edge : self.known.edge_count, profiles_kernel.TARGET]
        if len(targets):
            last = int(known.links[targets, profiles_kernel.POSITION].max())
            self._needed_until[self.position] = max(last, self._needed_until[self.position])

    def _widen(self, needed: int) -> Iterator[None]:
        """Give the ways one word more, with pauses, and make room for `more` rows. Sets `short` if memory is missing."""
        self._move_to_front()
        top, rows = self._top, self.lists.rows
        width = rows.shape[1]
        room = min(len(rows), (self.budget - self.bytes + rows.nbytes) // (8 * (width + 1)))
        if room < top + needed:
            self.short = True
            return
        yield from ways.widened(rows, room, top)

    def _make_room(self, needed: int) -> bool:
        """Make room for `more` rows: move the rows still needed to the front, or take more memory. Returns whether there is
        enough."""
        if self._first_kept >= (self._top - self._first_kept) // 2:
            self._move_to_front()
        rows, wanted = self.lists.rows, self._top + needed
        if wanted <= len(rows):
            return True
        width = rows.shape[1] * 8
        affordable = (self.budget - self.bytes + rows.nbytes) // width
        if affordable < wanted:
            return False
        # In place where the system can: two copies of the largest array would be the peak.
        rows.resize((min(affordable, wanted + min(wanted // 4, 8 * ways.GROWTH // width)), rows.shape[1]), refcheck=False)
        return True

    @property
    def _first_kept(self) -> int:
        """The first row that is still needed."""
        return 0 if self.keep else int(self._row_at[self._tail])

    def _move_to_front(self) -> None:
        """Forget the rows that are no longer needed."""
        low = self._first_kept
        if low:
            layers_kernel.move_down(self.lists.rows, low, self._top, low)
            self.lists.spans[:] -= low
            self._row_at -= low
            self.merging.state[layers_kernel.TOP] -= low

    def _make_profiles(self) -> Iterator[None]:
        """Make room for more profiles and edges, with pauses: forget profiles that are not needed any more and give the others
        new numbers, or take more memory. Sets `short` if there is not enough."""
        if not self.keep:
            yield from self._forget()
        yield from self.known.make_room(self.model.most_fits, self.affords, self.lists.spans, most_full=_MOST_FULL)
        if not self.short:
            yield from self.known.rehash()

    def _forget(self) -> Iterator[None]:
        """Drop the profiles before the tail, and the edges into those whose lists are made."""
        kernel, known, count = profiles_kernel, self.known.arrays, self.known.count
        links, edges = known.links[:count], known.edges[: self.known.edge_count]
        kept = links[:, kernel.POSITION] >= self._tail
        kept_edges = links[edges[:, kernel.TARGET], kernel.POSITION] > self.position
        # Shifted by one, so that -1, which is none, stays so.
        number = np.concatenate([[-1], np.where(kept, portable.cumsum(kept) - 1, -1)]).astype(np.int32)
        yield
        edge_number = np.concatenate([[-1], np.where(kept_edges, portable.cumsum(kept_edges) - 1, -1)]).astype(np.int32)
        yield
        for array in (known.masks, self.lists.spans, known.links):
            array[: int(kept.sum())] = array[:count][kept]
            yield
        known.edges[: int(kept_edges.sum())] = edges[kept_edges]
        yield
        known.state[:] = kept.sum(), kept_edges.sum()
        links, edges = links[: int(kept.sum())], edges[: int(kept_edges.sum())]
        links[:, kernel.EDGE] = edge_number[links[:, kernel.EDGE] + 1]
        links[:, kernel.NEXT] = number[links[:, kernel.NEXT] + 1]
        edges[:, kernel.BEFORE] = edge_number[edges[:, kernel.BEFORE] + 1]
        edges[:, kernel.SOURCE] = number[edges[:, kernel.SOURCE] + 1]
        edges[:, kernel.TARGET] = number[edges[:, kernel.TARGET] + 1]
        self.lists.last_at[:] = number[self.lists.last_at + 1]
