"""A count in two halves that meet, where keys tell many tiles apart: states forth from the empty board, and back from the full.

Both go from profile to profile along the edges of one graph (graph.py), the cheaper one next; where they meet, each way to
reach a state is put together with each way to complete it. So the states of the second half are those that can be completed, and
of them there are as few as in the first. See kernel_halves.py, which also says why the number is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from tiler.backends.frontier import kernel_halves as kernel
from tiler.backends.frontier import kernel_profiles as profiles_kernel
from tiler.backends.frontier.graph import Explorer, Graph
from tiler.backends.frontier.keys import full_board, keys_of
from tiler.backends.frontier.model import Model
from tiler.backends.frontier.sides import Direction, Side, edges_of, reach_of
from tiler.backends.frontier.symmetries import Symmetries
from tiler.backends.frontier.tables import rules_of
from tiler.kernels import Ratchet, patience

_TRANSITIONS = 4_000_000  # of one call of a kernel: some 10 ms
_MOST_KEY_BITS = 22  #: of longer keys the tables would not fit the cache
_MOST_WITH_COLOURS = 25  #: where colours leave few states of each profile, that matters less than the memory of layers
_SPLIT_BY = 2  #: more tiles at a time, where there is not the memory
_SHARE_OF_GRAPH = 4  #: the graph may take this part of the budget


class Halves:
    """The states so far. `build` goes on; then `total` tells the number of tilings, unless it is `short`."""

    def __init__(
        self,
        model: Model,
        symmetries: Symmetries | None = None,
        others: Sequence[tuple[Model, Symmetries]] = (),
        *,
        budget: int = 1 << 62,
        left: Callable[[], int] | None = None,
    ) -> None:
        """`budget` is how many bytes the arrays may take together; when the graph is found, and the compiler loaded, `left` says
        how many more. The model must be one that `suits`. Others of the same board, in other fill orders, may be better."""
        self.model, self.budget, self._left = model, budget, left
        self._models = [(model, Symmetries.none(model.cells) if symmetries is None else symmetries), *others]
        self.short = False  #: whether `build` stopped because the budget is used up
        self.states = 0  #: made so far, profiles included
        self.profiles = 0  #: in the graph
        self.peak = 0  #: the most bytes the arrays took
        self.position = 0  #: up to which states go forth; in slices, those of the present one
        self.slices = 0  #: in how many parts the tilings were counted
        self._total = 0
        self._graph: Graph | None = None
        self._full = False  # whether there was no memory for more states
        self._passed = 0  # transitions of other slices
        self._sides: tuple[Side, ...] = ()
        self._fixed = 0  # bytes of what does not grow, or of the graph while it is explored
        self._sums = kernel.Sums(np.zeros((0, 0), np.uint64), np.zeros(0, np.uint64), np.zeros(0, np.uint64))

    @staticmethod
    def suits(model: Model) -> bool:
        """Whether every tile is counted, in keys of a length that can be numbered."""
        counters = model.counters[np.unique(model.fit_tile)]
        counted, stays = counters[:, profiles_kernel.WORD] == 0, counters[:, profiles_kernel.STAYS]
        if not counted.all() or stays.any() or model.mask_words > 1 or model.key_words > 1:
            return False
        most = _MOST_KEY_BITS if model.measured.all() else _MOST_WITH_COLOURS
        return model.key_bits <= most and int(model.fit_masks.max(initial=0)).bit_length() < 64

    @property
    def transitions(self) -> int:
        return self._passed + sum(side.transitions for side in self._sides)

    @property
    def bytes(self) -> int:
        """What the arrays take."""
        return self._fixed + self._sums.totals.nbytes + sum(side.bytes for side in self._sides)

    def total(self) -> int:
        """The number of tilings."""
        return self._total

    def build(self) -> Iterator[float]:
        """Both ways until they meet, pausing many times a second; yields a fraction of the positions done."""
        cells = self.model.cells
        yield from self._explore()
        graph = self._graph
        self._graph = None
        self.short = graph is None
        if graph is None:
            return
        self.profiles = len(graph.covered)
        if not self.profiles:
            return
        keys, classes = keys_of(self.model, graph, self._maps)
        into, out = edges_of(self.model, graph, classes)
        yield 0.0
        self._keys, self._sums, self._first = keys, kernel.Sums.new(keys, 1), graph.first
        self._into = Direction(into, reach_of(into, graph.first), 0, np.zeros(1, np.uint32))
        self._out = Direction(out, reach_of(out, graph.first), cells, full_board(self.model, keys, int(classes[-1])))
        del graph
        self._fixed = sum(array.nbytes for array in (*into, *out, *keys) if isinstance(array, np.ndarray))
        if self._left is not None:
            self.budget = min(self.budget, self._fixed + self._left())
        yield from self._in_slices()

    def _explore(self) -> Iterator[float]:
        """The graph of the fill order in which it is found first, if all have found as many edges at any time."""
        maps = [symmetries.maps(model) for model, symmetries in self._models]
        share = self.budget // _SHARE_OF_GRAPH // len(self._models)
        explorers = [
            Explorer(model, rules_of(model), by, budget=share) for (model, _), by in zip(self._models, maps, strict=True)
        ]
        going_on = {number: explorer.explore() for number, explorer in enumerate(explorers)}
        while going_on and self._graph is None:
            number = min(going_on, key=lambda each: explorers[each].edges)
            if next(going_on[number], None) is None:
                del going_on[number]
                self._graph, self.model, self._maps = explorers[number].graph, self._models[number][0], maps[number]
            self.states = sum(explorer.profiles for explorer in explorers)
            self._fixed = sum(explorer.bytes for explorer in explorers)
            self.peak = max(self.peak, self._fixed)
            yield 0.0

    def _in_slices(self) -> Iterator[float]:
        """All tilings at once if there is the memory, else by which of some tiles are laid before the cut."""
        slices, tiles = [Slice(0, 0)], self._tiles_to_split_by()
        cut, done = None, 0.0
        while slices:
            self._full = False
            for fraction in self._meet(slices[0], cut):
                yield done + fraction * (1 - done) / len(slices)
            if not self._full:
                self.slices += 1
                done += (1 - done) / len(slices)
                del slices[0]
                continue
            more, tiles = tiles[:_SPLIT_BY], tiles[_SPLIT_BY:]
            if not more:
                self.short = True
                return
            if cut is None:
                cut = (self.position + self._last) // 2
            slices = [part for each in slices for part in each.parts(more)]

    def _tiles_to_split_by(self) -> list[int]:
        """The bits of keys of tiles with one copy, that symmetries take to themselves."""
        bits = []
        for word, shift, field, *_ in self.model.counters.tolist():
            bit = 1 << shift
            if word >= 0 and field == 1 and all(int(table[shift // 8, bit >> (shift & ~7)]) == bit for table in self._maps.keys):
                bits.append(bit)
        return bits

    def _meet(self, part: Slice, cut: int | None) -> Iterator[float]:
        """Both ways until they meet, at a cut if there is one, and what comes of that; or until there is no memory left."""
        cells = self.model.cells
        self._passed += sum(side.transitions for side in self._sides)
        self._sides = ()
        forth = Side(self._into, self._first, self._keys.leaving_out(part.late, kernel.MOST), part.early, part.early)
        back = Side(self._out, self._first, self._keys.leaving_out(part.early, kernel.FIELD), part.late, 0)
        self._sides = forth, back
        if cut is not None:
            middle, end = int(self._first[cut]), int(self._first[-1])
            kernel.farthest(self._out.edges, middle - 1, -1, -1, 1, forth.left)
            yield 0.0
            kernel.farthest(self._into.edges, middle, end, 1, 0, back.left)
            yield 0.0
        self._sums = kernel.Sums.new(self._keys, 1)
        self.position, self._last = 0, cells  # Both complete so far.
        while self.position + 1 < self._last:
            position, last = self.position, self._last
            if cut is None:
                forwards = forth.cost(position + 1) <= back.cost(last - 1)
            else:
                forwards = position + 1 < cut
            for _ in self._merge(*((forth, position + 1) if forwards else (back, last - 1))):
                yield (position + cells - last) / cells
            if self._full:
                return
            if forwards:
                self.position += 1
            else:
                self._last -= 1
        yield from self._join(self._last)

    def _merge(self, side: Side, position: int) -> Iterator[None]:
        """The lists of a position, with pauses."""
        done, stop = side.profiles(position)
        ratchet = Ratchet("the frontier's merging of states")
        side.begin(position)
        while done < stop:
            arrays = side.edges, side.keys, side.lists, self._sums
            done = int(kernel.merge(*arrays, done, stop, patience.share(_TRANSITIONS)))
            stopped = int(side.state[kernel.STOPPED])
            if stopped == kernel.ROOM:
                more = side.growth()
                if self.bytes + more * side.row_bytes > self.budget:
                    self._full = True
                    return
                yield from side.make_room(more)
                self.peak = max(self.peak, self.bytes)
            elif stopped == kernel.OVERFLOW:
                limbs = self._sums.totals.shape[1] + 1
                # The last one is copied when the others are wider already.
                wider = sum(4 * side.capacity for side in self._sides)
                if self.bytes + wider + max(4 * (limbs - 1) * side.capacity for side in self._sides) > self.budget:
                    self._full = True
                    return
                self._sums = kernel.Sums.new(self._keys, limbs)
                for each in self._sides:
                    yield from each.widen()
                self.peak = max(self.peak, self.bytes)
            ratchet.turn(done, self._sums.totals.shape[1], side.free)
            yield
        self.states += side.rows(position)

    def _join(self, cut: int) -> Iterator[float]:
        """Add the products of the ways to the states before a position and from the others on."""
        forth, back = self._sides
        first, last = int(self._first[cut]), int(self._first[-1])
        ratchet, done = Ratchet("the frontier's meeting of states"), first
        while done < last:
            arrays = self._into.edges, forth.keys, forth.lists, back.lists, self._sums
            done = int(kernel.join(*arrays, first, done, patience.share(_TRANSITIONS)))
            ratchet.turn(done)
            yield 1.0
        self._total += sum(limb << (32 * i) for i, limb in enumerate(self._sums.products.tolist()))


class Slice(NamedTuple):
    """Tilings by the tiles that are laid before the cut, and by those that are not: bits of keys."""

    early: int
    late: int

    def parts(self, tiles: Sequence[int]) -> Iterator[Slice]:
        """By each of some more tiles as well."""
        for number in range(1 << len(tiles)):
            early = sum(bit for i, bit in enumerate(tiles) if number >> i & 1)
            yield Slice(self.early | early, self.late | sum(tiles) & ~early)
