"""A count in two halves that meet, where keys tell many tiles apart: states forth from the empty board, and back from the full.

Both go from profile to profile along the edges of one graph (graph.py), whichever is cheaper next; where they meet, each way to
reach a state is put together with each way to complete it. So the states of the second half are those that can be completed, and
of them there are as few as in the first. See kernel_halves.py, which also says why the number is exact.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler.backends.frontier import kernel_halves as kernel
from tiler.backends.frontier import kernel_profiles as profiles_kernel
from tiler.backends.frontier.graph import Explorer, Graph
from tiler.backends.frontier.kernel_mirrors import Images
from tiler.backends.frontier.mirrors import Mirrors
from tiler.backends.frontier.model import Model
from tiler.backends.frontier.tables import rules_of
from tiler.kernels import Ratchet, patience

_TRANSITIONS = 4_000_000  # of one call of a kernel: some 10 ms
_MOVED = 1 << 22  # rows moved between two pauses
_LEAST_ROWS = 1 << 12
_MOST_KEY_BITS = 22  #: of longer keys the tables would not fit the cache
_SPLIT_BY = 2  #: more tiles at a time, where there is not the memory
_SHARE_OF_GRAPH = 4  #: of the budget, a part of which the graph may take


class Halves:
    """The states so far. `build` goes on; then `total` tells the number of tilings, unless it is `short`."""

    def __init__(self, model: Model, mirrors: Mirrors | None = None, *, budget: int = 1 << 62) -> None:
        """`budget` is how many bytes the arrays may take together. The model must be one that `suits`."""
        self.model, self.budget = model, budget
        self._images = (Mirrors.none(model.cells) if mirrors is None else mirrors).images(model)
        self.short = False  #: whether `build` stopped because the budget is used up
        self.states = 0  #: made so far, profiles included
        self.profiles = 0  #: in the graph
        self.peak = 0  #: the most bytes the arrays took
        self.position = 0  #: up to which states go forth; in slices, those of the present one
        self.slices = 0  #: in how many parts the tilings were counted
        self._total = 0
        self._full = False  # whether there was no memory for more states
        self._passed = 0  # transitions of other slices
        self._sides: tuple[Side, ...] = ()
        self._fixed = 0  # bytes of what does not grow, or of the graph while it is explored
        self._sums = kernel.Sums(np.zeros((0, 0), np.uint64), np.zeros(0, np.uint64))

    @staticmethod
    def suits(model: Model) -> bool:
        """Whether every tile is counted, in keys of a length that can be numbered."""
        counters = model.counters[np.unique(model.fit_tile)]
        counted, stays = counters[:, profiles_kernel.WORD] == 0, counters[:, profiles_kernel.STAYS]
        if not counted.all() or stays.any() or model.mask_words > 1 or model.key_words > 1:
            return False
        return model.key_bits <= _MOST_KEY_BITS and int(model.fit_masks.max(initial=0)).bit_length() < 64

    @property
    def transitions(self) -> int:
        return self._passed + sum(side.transitions for side in self._sides)

    @property
    def bytes(self) -> int:
        """What the arrays take."""
        return self._fixed + self._sums.sums.nbytes + sum(side.bytes for side in self._sides)

    def total(self) -> int:
        """The number of tilings."""
        return self._total

    def build(self) -> Iterator[float]:
        """Both ways until they meet, pausing many times a second; yields a fraction of the positions done."""
        cells = self.model.cells
        explorer = Explorer(self.model, rules_of(self.model), self._images, budget=self.budget // _SHARE_OF_GRAPH)
        for _ in explorer.explore():
            self.states, self._fixed = explorer.profiles, explorer.bytes
            yield 0.0
        self.short, graph = explorer.short, explorer.graph
        self.peak = explorer.bytes
        if graph is None:
            return
        del explorer
        self.profiles = len(graph.covered)
        if not self.profiles:
            return
        keys, classes = _keys(self.model, graph, self._images)
        into, out = _edges(self.model, graph, classes)
        yield 0.0
        self._keys, self._sums, self._first = keys, _sums(keys, 1), graph.first
        self._into = Direction(into, _reach(into, graph.first, False), 0, np.zeros(1, np.uint32))
        complete = _complete(self.model, keys, int(classes[-1]))
        self._out = Direction(out, _reach(out, graph.first, True), cells, complete)
        del graph
        self._fixed = sum(array.nbytes for array in (*into, *out, *keys[1:]))
        yield from self._in_slices()

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
        """The bits of keys of tiles with one copy, that mirrors take to themselves."""
        bits = []
        for word, shift, field, *_ in self.model.counters.tolist():
            bit = 1 << shift
            if (
                word >= 0
                and field == 1
                and all(int(table[shift // 8, bit >> (shift & ~7)]) == bit for table in self._images.key_images)
            ):
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
        self._sums = _sums(self._keys, 1)
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
            done = int(
                kernel.merge(
                    *(side.edges, done, stop, patience.share(_TRANSITIONS), side.backwards),
                    *(side.keys, side.lists, self._sums, side.state),
                )
            )
            stopped = int(side.state[kernel.STOPPED])
            if stopped == kernel.ROOM:
                more = side.growth()
                if self.bytes + more * side.row_bytes > self.budget:
                    self._full = True
                    return
                yield from side.make_room(more)
                self.peak = max(self.peak, self.bytes)
            elif stopped == kernel.OVERFLOW:
                limbs = self._sums.sums.shape[1] + 1
                if self.bytes + sum(4 * side.capacity for side in self._sides) > self.budget:
                    self._full = True
                    return
                self._sums = _sums(self._keys, limbs)
                for each in self._sides:
                    yield from each.widen()
            ratchet.turn(done, self._sums.sums.shape[1], side.free)
            yield
        self.states += side.rows(position)

    def _join(self, cut: int) -> Iterator[float]:
        """Add the products of the ways to the states before a position and from the others on."""
        forth, back = self._sides
        products = np.zeros(2 * self._sums.sums.shape[1] + 2, np.uint64)
        first, last = int(self._first[cut]), int(self._first[-1])
        ratchet, done = Ratchet("the frontier's meeting of states"), first
        while done < last:
            budget = patience.share(_TRANSITIONS)
            lists = forth.lists, back.lists
            done = int(
                kernel.join(self._into.edges, done, last, budget, first, forth.keys, *lists, self._sums, products, forth.state)
            )
            ratchet.turn(done)
            yield 1.0
        self._total += sum(limb << (32 * i) for i, limb in enumerate(products.tolist()))


class Slice(NamedTuple):
    """Tilings by the tiles that are laid before the cut, and by those that are not: bits of keys."""

    early: int
    late: int

    def parts(self, tiles: Sequence[int]) -> Iterator[Slice]:
        """By each of some more tiles as well."""
        for number in range(1 << len(tiles)):
            early = sum(bit for i, bit in enumerate(tiles) if number >> i & 1)
            yield Slice(self.early | early, self.late | sum(tiles) & ~early)


class Direction(NamedTuple):
    """One of the two ways through the graph."""

    edges: kernel.Edges
    reach: NDArray[np.int64]  #: shape (cells + 1,): of the states of a position, the last one whose lists they are needed for
    start: int  #: the position where it begins, with one profile
    keys: NDArray[np.uint32]  #: of that profile


class Side:
    """The lists of one direction: those of the last few positions, in the order in which they were made."""

    def __init__(self, way: Direction, first: NDArray[np.int64], keys: kernel.Keys, wanted: int, laid: int) -> None:
        """With the profiles of every position, the keys and how they change, and what a slice wants (kernel_halves.Lists)."""
        self.edges, self.first, self.keys = way.edges, first, keys
        self.backwards, self._reach = way.start > 0, way.reach
        count = len(way.keys)
        self._keys, self._ways = np.zeros(_LEAST_ROWS + count, np.uint32), np.zeros((_LEAST_ROWS + count, 1), np.uint32)
        self._spans = np.zeros((int(first[-1]), 2), np.int64)
        self._wanted, self._laid = wanted, laid
        self.left = np.zeros(int(first[-1]), np.int32)
        self.state = np.zeros(kernel.STATE_SIZE, np.int64)
        self._keys[:count], self._ways[:count] = way.keys, 1
        self._spans[first[way.start]] = 0, count
        self.state[kernel.TOP] = count
        self._made: deque[tuple[int, int]] = deque([(way.start, 0)])  # positions, and their first rows

    @property
    def lists(self) -> kernel.Lists:
        return kernel.Lists(self._spans, self._keys, self._ways, self._wanted, self._laid, self.left)

    @property
    def transitions(self) -> int:
        return int(self.state[kernel.TRANSITIONS])

    @property
    def capacity(self) -> int:
        """Rows that there is room for."""
        return len(self._keys)

    @property
    def free(self) -> int:
        """Rows that can be written."""
        return self.capacity - int(self.state[kernel.TOP])

    @property
    def row_bytes(self) -> int:
        """What a row takes."""
        return 4 + 4 * self._ways.shape[1]

    @property
    def bytes(self) -> int:
        """What the lists take."""
        return self._keys.nbytes + self._ways.nbytes + self._spans.nbytes + self.left.nbytes

    def profiles(self, position: int) -> tuple[int, int]:
        """Those of a position: the first, and the next after them."""
        return int(self.first[position]), int(self.first[position + 1])

    def cost(self, position: int) -> int:
        """Transitions to the lists of a position, if those are the next."""
        begin, end = self.edges.starts[list(self.profiles(position))].tolist()
        spans = self._spans[self.edges.edges[begin:end, kernel.OTHER]]
        return int((spans[:, 1] - spans[:, 0]).sum())

    def begin(self, position: int) -> None:
        """From now on lists of this position are made; those that no others need are forgotten."""
        while self._made and not self._is_needed(self._made[0][0], position):
            self._made.popleft()
        self._made.append((position, int(self.state[kernel.TOP])))

    def _is_needed(self, position: int, now: int) -> bool:
        reach = self._reach[position]
        return bool(reach <= now if self.backwards else reach >= now)

    def rows(self, position: int) -> int:
        """The states of a position, if its lists are made."""
        spans = self._spans[slice(*self.profiles(position))]
        return int((spans[:, 1] - spans[:, 0]).sum())

    @property
    def _low(self) -> int:
        return self._made[0][1]

    def growth(self) -> int:
        """The rows to be added where there is no room for what is needed: none, if enough can be forgotten."""
        needed, kept = int(self.state[kernel.NEEDED]), int(self.state[kernel.TOP]) - self._low
        if self._low >= kept // 4 and kept + needed <= self.capacity:
            return 0
        return max(needed - self.free, self.capacity // 8)

    def make_room(self, more: int) -> Iterator[None]:
        """So many rows more, in place where the system can, or, with none, those needed moved to the front; with pauses."""
        if more:
            limbs = self._ways.shape[1]
            self._keys.resize((self.capacity + more,), refcheck=False)
            yield
            self._ways.resize((len(self._keys), limbs), refcheck=False)
            yield
            return
        low, top = self._low, int(self.state[kernel.TOP])
        for start in range(low, top, min(low, _MOVED)):  # No more at a time than they move: so what is read is not written.
            stop = min(start + min(low, _MOVED), top)
            for array in (self._keys, self._ways):
                array[start - low : stop - low] = array[start:stop]
            yield
        ends = [self.profiles(self._made[0][0]), self.profiles(self._made[-1][0])]
        self._spans[min(ends)[0] : max(ends)[1]] -= low
        self._made = deque((position, first - low) for position, first in self._made)
        self.state[kernel.TOP] -= low

    def widen(self) -> Iterator[None]:
        """One limb more for all ways, with pauses."""
        wider = np.zeros((self.capacity, self._ways.shape[1] + 1), np.uint32)
        for start in range(self._low, int(self.state[kernel.TOP]), _MOVED):
            stop = min(start + _MOVED, int(self.state[kernel.TOP]))
            wider[start:stop, :-1] = self._ways[start:stop]
            yield
        self._ways = wider


def _sums(keys: kernel.Keys, limbs: int) -> kernel.Sums:
    most = int(np.diff(keys.first).max())
    return kernel.Sums(np.zeros((most + 1, limbs), np.uint64), np.zeros(most // 64 + 1, np.uint64))


def _edges(model: Model, graph: Graph, classes: NDArray[np.int64]) -> tuple[kernel.Edges, kernel.Edges]:
    """The edges into each profile, and out of each."""
    count, tiles = len(classes), len(model.counters)
    mirrors = max(0, int(graph.mirrors.max(initial=-1)) + 1)

    def listed(here: NDArray[np.int32], there: NDArray[np.int32], changes: NDArray[np.int32]) -> kernel.Edges:
        starts = np.searchsorted(here, np.arange(count + 1))
        return kernel.Edges(starts, np.ascontiguousarray(np.stack([there, changes], 1)), classes)

    by_target = np.argsort(graph.targets, kind="stable")
    forth = graph.tiles + tiles * (graph.mirrors + 1)
    back = np.where(graph.mirrors < 0, graph.tiles, forth + tiles * mirrors).astype(np.int32)
    into = listed(graph.targets[by_target], graph.sources[by_target], forth[by_target])
    return into, listed(graph.sources, graph.targets, back)


def _keys(model: Model, graph: Graph, images: Images) -> tuple[kernel.Keys, NDArray[np.int64]]:
    """The keys of the classes of a graph, and which class its profiles have."""
    bits = model.key_bits
    low_bits = bits // 2
    covered, classes = np.unique(graph.covered, return_inverse=True)
    cells = np.zeros(bits, np.int64)  # that each bit of a key stands for
    for word, shift, field, _, _, _, size in model.counters.tolist():
        if word >= 0:
            cells[shift : shift + field.bit_length()] = size << np.arange(field.bit_length())
    low_cells, high_cells = _sums_of_bits(cells[:low_bits]), _sums_of_bits(cells[low_bits:])
    order = np.argsort(low_cells, kind="stable")  # The low bits by what they stand for.
    most = int(covered.max(initial=0))
    counts = np.bincount(low_cells, minlength=most + 1)
    before = np.cumsum(counts) - counts
    low = np.empty(len(order), np.uint32)
    low[order] = np.arange(len(order)) - before[low_cells[order]]
    high, keys = np.zeros((len(covered), len(high_cells)), np.uint32), []
    for c, number in enumerate(covered.tolist()):
        wanted = number - high_cells
        fitting = np.where(wanted >= 0, counts[np.maximum(wanted, 0)], 0)
        ends = np.cumsum(fitting)
        high[c] = 1 + ends - fitting
        within = np.arange(ends[-1]) - np.repeat(ends - fitting, fitting)
        lows = order[np.repeat(before[np.maximum(wanted, 0)], fitting) + within]
        keys.append((np.repeat(np.arange(len(high_cells)) << low_bits, fitting) | lows).astype(np.uint32))
    first = np.concatenate([[0], np.cumsum([len(each) for each in keys])]).astype(np.int64)
    high_images, low_images = _images(images, bits, low_bits)
    changes = _changes(model, len(high_images))
    return kernel.Keys(low_bits, high, low, np.concatenate(keys), first, changes, high_images, low_images), classes


def _sums_of_bits(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Of every number of so many bits, what its bits stand for together: shape (2**bits,)."""
    sums = np.zeros(1, np.int64)
    for value in values.tolist():
        sums = np.concatenate([sums, sums + value])
    return sums


def _changes(model: Model, mirrors: int) -> NDArray[np.uint64]:
    """How a copy of each tile changes keys: with the first mirror, which is none, then with each of the others."""
    of = model.counters
    shift = np.maximum(of[:, profiles_kernel.SHIFT], 0)
    one = np.stack([1 << shift, of[:, profiles_kernel.FIELD] << shift, of[:, profiles_kernel.MOST] << shift, 0 * shift], 1)
    changes = np.tile(one, (mirrors, 1)).astype(np.uint64)
    changes[:, kernel.MIRROR] = np.repeat(np.arange(mirrors), len(of))
    return changes


def _images(images: Images, bits: int, low_bits: int) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Where nothing, then the mirrors, then their inverses take the high and the low bits of keys."""
    to = [np.arange(bits)]
    for table in images.key_images:
        image = [int(table[bit // 8, 1 << (bit % 8)]).bit_length() - 1 for bit in range(bits)]
        to.append(np.array(image, np.int64))
    to += [np.argsort(each) for each in to[1:]]
    values = [np.int64(1) << each for each in to]
    high = np.stack([_sums_of_bits(each[low_bits:]) for each in values]).astype(np.uint32)
    return high, np.stack([_sums_of_bits(each[:low_bits]) for each in values]).astype(np.uint32)


def _complete(model: Model, keys: kernel.Keys, cls: int) -> NDArray[np.uint32]:
    """The keys of the full board with as many copies of each tile as there may be."""
    found = keys.keys[keys.first[cls] : keys.first[cls + 1]].astype(np.int64)
    for word, shift, field, most, _, lower, _ in model.counters.tolist():
        if word >= 0:
            used = (found >> shift) & field
            found = found[(used >= lower) & (used <= most)]
    return found.astype(np.uint32)


def _reach(edges: kernel.Edges, first: NDArray[np.int64], backwards: bool) -> NDArray[np.int64]:
    """Of every position the last one that its profiles lead to; or, with edges out of profiles, the first that leads there."""
    position = np.repeat(np.arange(len(first) - 1), np.diff(first))
    here, there = np.repeat(position, np.diff(edges.starts)), position[edges.edges[:, kernel.OTHER]]
    reach = np.full(len(first) - 1, len(first) if backwards else -1)
    (np.minimum if backwards else np.maximum).at(reach, there, here)
    return reach
