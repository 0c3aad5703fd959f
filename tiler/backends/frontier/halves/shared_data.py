"""Make the data that both halves of a count share and only read: profiles, the edges between them, the keys that can occur with a
number of covered cells, and how tiles and symmetries change keys (kernel_halves.py)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.backends.frontier.halves import kernel_halves as kernel
from tiler.backends.frontier.halves.directions import Direction, reach_of
from tiler.backends.frontier.halves.profile_graph import ProfileGraph
from tiler.backends.frontier.shared import kernel_profiles as profiles_kernel
from tiler.backends.frontier.shared.kernel_symmetries import WordMaps
from tiler.backends.frontier.shared.model import Model


class TransitionGraph(NamedTuple):
    """The transitions between the profiles of a model, in both directions, with the keys that they change."""

    model: Model
    first: NDArray[np.int64]  #: shape (cells + 2,): the first profile of each position
    keys: kernel.Keys
    into: Direction  #: the edges forth
    out: Direction  #: the edges back
    tiles: tuple[int, ...]  #: the bits of keys for tiles by which tilings can be split into slices

    @classmethod
    def of(cls, model: Model, graph: ProfileGraph, maps: WordMaps) -> TransitionGraph:
        """The transitions of a graph that is not empty."""
        keys, classes = keys_of(model, graph, maps)
        into, out = kernel.Edges(*graph.into, classes, False), kernel.Edges(*graph.out, classes, True)
        return cls(
            model=model,
            first=graph.first,
            keys=keys,
            into=Direction(into, reach_of(into, graph.first), 0, np.zeros(1, np.uint32)),
            out=Direction(out, reach_of(out, graph.first), model.cells, full_board(model, keys, int(classes[-1]))),
            tiles=tuple(tiles_to_split_by(model, maps)),
        )

    @property
    def bytes(self) -> int:
        """The bytes that the arrays take."""
        arrays = (*self.into.edges, *self.out.edges, *self.keys)
        return sum(array.nbytes for array in arrays if isinstance(array, np.ndarray))

    @property
    def longest(self) -> int:
        """The largest number of keys in a list."""
        return int(np.diff(self.keys.first).max())


class Slice(NamedTuple):
    """A slice of the tilings: the tiles that are laid before the cut, and the tiles that are laid behind it, as bits of keys."""

    early: int = 0
    late: int = 0

    def parts(self, tiles: Sequence[int]) -> Iterator[Slice]:
        """The parts of this slice if it is also divided by some more tiles."""
        for number in range(1 << len(tiles)):
            early = sum(bit for i, bit in enumerate(tiles) if number >> i & 1)
            yield Slice(self.early | early, self.late | sum(tiles) & ~early)


def tiles_to_split_by(model: Model, maps: WordMaps) -> Iterator[int]:
    """The bits of keys for the tiles by which tilings can be split: tiles with one copy that symmetries take to themselves."""
    for word, shift, field, *_ in model.counters.tolist():
        bit = 1 << shift
        if word >= 0 and field == 1 and all(int(table[shift // 8, bit >> (shift & ~7)]) == bit for table in maps.keys):
            yield bit


def keys_of(model: Model, graph: ProfileGraph, maps: WordMaps) -> tuple[kernel.Keys, NDArray[np.int64]]:
    """The keys of each class of profiles, and the class of each profile, shape (profiles,). All profiles with the same number of
    covered cells are one class."""
    bits = model.key_bits
    low_bits = bits // 2
    occurs = portable.bincount(graph.covered) > 0
    covered, classes = np.flatnonzero(occurs), (np.cumsum(occurs, dtype=np.int64) - 1)[graph.covered]
    cells = np.zeros(bits, np.int64)  # By bit of a key: how many cells it stands for.
    for word, shift, field, _, _, _, size in model.counters.tolist():
        if word >= 0:
            cells[shift : shift + field.bit_length()] = size << portable.arange(field.bit_length())
    low_cells, high_cells = _sums_of_bits(cells[:low_bits]), _sums_of_bits(cells[low_bits:])
    order = np.argsort(low_cells, kind="stable")  # All values of the low bits, by the number of cells they stand for.
    most = int(covered.max(initial=0))
    counts = portable.bincount(low_cells, minlength=most + 1)
    before = portable.cumsum(counts) - counts
    low = np.empty(len(order), np.uint32)
    low[order] = portable.arange(len(order)) - before[low_cells[order]]
    high, keys = np.zeros((len(covered), len(high_cells)), np.uint32), []
    for c, number in enumerate(covered.tolist()):
        wanted = number - high_cells
        fitting = np.where(wanted >= 0, counts[np.maximum(wanted, 0)], 0)
        ends = portable.cumsum(fitting)
        high[c] = 1 + ends - fitting
        within = portable.arange(ends[-1]) - portable.repeat(ends - fitting, fitting)
        lows = order[portable.repeat(before[np.maximum(wanted, 0)], fitting) + within]
        keys.append((portable.repeat(portable.arange(len(high_cells)) << low_bits, fitting) | lows).astype(np.uint32))
    first = portable.starts_of([len(each) for each in keys])
    high_images, low_images = _images(maps, bits, low_bits)
    changes = _changes(model, len(high_images))
    return kernel.Keys(low_bits, high, low, np.concatenate(keys), first, changes, high_images, low_images), classes


def _sums_of_bits(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """For every number of `len(values)` bits, the sum of the values of its bits that are set: shape (2**len(values),)."""
    sums = np.zeros(1, np.int64)
    for value in values.tolist():
        sums = np.concatenate([sums, sums + value])
    return sums


def _changes(model: Model, symmetries: int) -> NDArray[np.uint64]:
    """How one more copy of each tile changes keys, shape (symmetries * tiles, 4): first for all tiles without a symmetry (number
    0), then for all tiles with each symmetry."""
    of = model.counters
    shift = np.maximum(of[:, profiles_kernel.SHIFT], 0)
    one = np.stack([1 << shift, of[:, profiles_kernel.FIELD] << shift, of[:, profiles_kernel.MOST] << shift, 0 * shift], 1)
    changes = np.tile(one, (symmetries, 1)).astype(np.uint64)
    changes[:, kernel.SYMMETRY] = portable.repeat(portable.arange(symmetries), len(of))
    return changes


def _images(maps: WordMaps, bits: int, low_bits: int) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Tables of the images of the high bits of keys, shape (maps, 2**(bits - low_bits)), and of the low bits, shape (maps,
    2**low_bits). The maps are first the identity, then the symmetries, then their inverses."""
    to = [portable.arange(bits)]
    for table in maps.keys:
        image = [int(table[bit // 8, 1 << (bit % 8)]).bit_length() - 1 for bit in range(bits)]
        to.append(np.array(image, np.int64))
    to += [np.argsort(each) for each in to[1:]]
    values = [np.int64(1) << each for each in to]
    high = np.stack([_sums_of_bits(each[low_bits:]) for each in values]).astype(np.uint32)
    return high, np.stack([_sums_of_bits(each[:low_bits]) for each in values]).astype(np.uint32)


def full_board(model: Model, keys: kernel.Keys, cls: int) -> NDArray[np.uint32]:
    """The keys of the full board, of class `cls`, in which the copies of every tile are within its bounds."""
    found = keys.keys[keys.first[cls] : keys.first[cls + 1]].astype(np.int64)
    for word, shift, field, most, _, lower, _ in model.counters.tolist():
        if word >= 0:
            used = (found >> shift) & field
            found = found[(used >= lower) & (used <= most)]
    return found.astype(np.uint32)
