"""Count in two halves that meet, if keys tell many tiles apart: forth from the empty board, and back from the full one.

Both halves go from profile to profile along the edges of one graph (profile_graph.py); the cheaper half takes the next step.
Where they meet, each way to reach a state is combined with each way to complete it. The half that goes back has only states that
can be completed, and they are as few as the states of the other half. kernel_halves.py also says why the number is exact.

The profiles of a position do not depend on each other, so threads take some at a time (half_counts.py). All numbers are the same
for any number of threads, because a position is made as a whole or not at all.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

from tiler import portable
from tiler.backends.frontier.halves.half_counts import SliceCount
from tiler.backends.frontier.halves.profile_graph import MOST_FITS, Explorer
from tiler.backends.frontier.halves.shared_data import Slice, TransitionGraph
from tiler.backends.frontier.shared import kernel_profiles as profiles_kernel
from tiler.backends.frontier.shared.budgeted import Budgeted
from tiler.backends.frontier.shared.model import Model
from tiler.backends.frontier.shared.symmetries import Symmetries
from tiler.backends.frontier.tables.hash_tables import rules_of
from tiler.backends.searching import driver
from tiler.kernels import python_time

_MOST_KEY_BITS = 22  #: the tables of longer keys would not fit into the cache
_MOST_WITH_COLOURS = 25  #: with colours, profiles have few states: the cache matters less than the memory of layers
_SPLIT_BY = 2  #: this many more tiles tell slices apart, if memory is missing
_SHARE_OF_GRAPH = 4  #: the graph may take the budget divided by this


class Halves(Budgeted):
    """A count in two halves. Run `build` to its end; then `total` returns the number of tilings, unless memory was `short`."""

    profiles = 0  #: profiles of the graph

    def __init__(
        self,
        model: Model,
        symmetries: Symmetries | None = None,
        others: Sequence[tuple[Model, Symmetries]] = (),
        *,
        budget: int = 1 << 62,
        left: Callable[[], int] | None = None,
        threads: int = 1,
        since: float | None = None,
    ) -> None:
        """`budget` is how many bytes the arrays may take together. When the graph is found and the compiler is loaded, `left`
        returns how many bytes are left. The model must suit (see `suits`). `others` are the same board in other fill orders:
        the order whose graph has the fewest edges is used. `since` is when the question was asked, by `time.perf_counter`;
        one thread works until a tenth of a second has passed."""
        super().__init__(model, budget, threads)
        self._left = left
        self._models = [(model, Symmetries.none(model.cells) if symmetries is None else symmetries), *others]
        self.slices = 0  #: slices counted so far
        self.graph: TransitionGraph | None = None  #: the graph, once found; None if there is no tiling, or if `short`
        self._total = 0
        self._passed = 0  # transitions of earlier slices
        self._slice_count: SliceCount | None = None
        self._since = time.perf_counter() if since is None else since
        self._fixed = 0  # bytes of the graph, or of the arrays while it is explored

    @staticmethod
    def suits(model: Model) -> bool:
        """Whether a count in halves is possible: every tile is counted, and keys and masks are short enough."""
        counters = model.counters[portable.distinct(model.fit_tile)]
        counted, stays = counters[:, profiles_kernel.WORD] == 0, counters[:, profiles_kernel.STAYS]
        if not counted.all() or stays.any() or model.mask_words > 1 or model.key_words > 1 or len(model.fit_tile) >= MOST_FITS:
            return False
        most = _MOST_KEY_BITS if model.measured.all() else _MOST_WITH_COLOURS
        return model.key_bits <= most and int(model.fit_masks.max(initial=0)).bit_length() < 64

    @property
    def transitions(self) -> int:
        return self._passed + (self._slice_count.transitions if self._slice_count else 0)

    @property
    def position(self) -> int:
        """The position that the forward half of the present slice has reached."""
        return self._slice_count.position if self._slice_count else 0

    @property
    def bytes(self) -> int:
        """The number of bytes that the arrays take."""
        return self._slice_count.bytes if self._slice_count else self._fixed

    def total(self) -> int:
        """The number of tilings."""
        return self._total

    def build(self) -> Iterator[float]:
        """Find the graph, and count until the halves meet. Pauses many times a second, and yields the fraction that is done."""
        yield from self.explore()
        if self.graph is not None:
            yield from self._in_slices(self.graph)

    def explore(self) -> Iterator[float]:
        """Find the graph of one fill order, with pauses, and set `graph`, unless memory is `short` or there is no tiling."""
        maps = [symmetries.maps(model) for model, symmetries in self._models]
        share = self.budget // _SHARE_OF_GRAPH // len(self._models)
        explorers = [
            Explorer(model, rules_of(model), by, budget=share, threads=self.threads)
            for (model, _), by in zip(self._models, maps, strict=True)
        ]
        yield from self._race(explorers)
        found = [(explorer.edges, number) for number, explorer in enumerate(explorers) if explorer.graph is not None]
        self.short = not found
        if not found:
            return
        _, number = min(found)
        graph, self.model = explorers[number].graph, self._models[number][0]
        assert graph is not None
        self.states = explorers[number].profiles
        self.profiles = len(graph.covered)
        del explorers
        if self.profiles:
            self.graph = TransitionGraph.of(self.model, graph, maps[number])
            self._fixed = self.graph.bytes
            yield 0.0
        if self._left is not None:
            self.budget = min(self.budget, self._fixed + self._left())

    def _race(self, explorers: Sequence[Explorer]) -> Iterator[float]:
        """Let the explorer with the fewest edges take a step, again and again, until no other can end with fewer edges than one
        that has ended."""
        going_on = {number: explorer.explore() for number, explorer in enumerate(explorers)}
        least: tuple[int, int] | None = None
        while going_on:
            edges, number = min((explorers[each].edges, each) for each in going_on)
            if least is not None and least < (edges, number):
                return
            explorer = explorers[number]
            explorer.helped = not python_time.is_left and time.perf_counter() - self._since >= driver.ALONE_SECONDS
            if next(going_on[number], None) is None:
                del going_on[number]
                if explorer.graph is not None:
                    least = min(least or (1 << 62, 0), (explorer.edges, number))
            self.states = sum(explorer.profiles for explorer in explorers)
            self._fixed = sum(explorer.bytes for explorer in explorers)
            self.note_peak()
            yield 0.0

    def _in_slices(self, graph: TransitionGraph) -> Iterator[float]:
        """Count all tilings at once. If memory does not suffice, use slices: a slice says which of some tiles lie before
        the cut."""
        slices, tiles = [Slice()], list(graph.tiles)
        cut, done = None, 0.0
        before = self.states
        while slices:
            self._passed = self.transitions
            self._slice_count = None  # Frees the memory of a slice before the next slice takes some.
            slice_count = SliceCount(graph, slices[0], cut, budget=self.budget, threads=self.threads, since=self._since)
            self._slice_count = slice_count
            for fraction in slice_count.meet():
                self.states, self.peak = before + slice_count.states, max(self.peak, slice_count.peak)
                yield done + fraction * (1 - done) / len(slices)
            before += slice_count.states
            self.states = before
            if not slice_count.short:
                self._total += slice_count.total
                self.slices += 1
                done += (1 - done) / len(slices)
                del slices[0]
                continue
            more, tiles = tiles[:_SPLIT_BY], tiles[_SPLIT_BY:]
            if not more:
                self.short = True
                return
            if cut is None:
                cut = slice_count.middle
            slices = [part for each in slices for part in each.parts(more)]
