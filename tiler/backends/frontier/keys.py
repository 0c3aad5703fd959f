"""List the keys that are possible by the cells of their copies, and how tiles and symmetries change them (kernel_halves.py)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tiler.backends.frontier import kernel_halves as kernel
from tiler.backends.frontier import kernel_profiles as profiles_kernel
from tiler.backends.frontier.graph import Graph
from tiler.backends.frontier.kernel_symmetries import WordMaps
from tiler.backends.frontier.model import Model


def keys_of(model: Model, graph: Graph, maps: WordMaps) -> tuple[kernel.Keys, NDArray[np.int64]]:
    """The keys of the classes of a graph, and which class its profiles have."""
    bits = model.key_bits
    low_bits = bits // 2
    occurs = np.bincount(graph.covered) > 0
    covered, classes = np.flatnonzero(occurs), (np.cumsum(occurs) - 1)[graph.covered]
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
    high_images, low_images = _images(maps, bits, low_bits)
    changes = _changes(model, len(high_images))
    return kernel.Keys(low_bits, high, low, np.concatenate(keys), first, changes, high_images, low_images), classes


def _sums_of_bits(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """For every number of `bits` bits, what its bits stand for together: shape (2**bits,)."""
    sums = np.zeros(1, np.int64)
    for value in values.tolist():
        sums = np.concatenate([sums, sums + value])
    return sums


def _changes(model: Model, symmetries: int) -> NDArray[np.uint64]:
    """How a copy of each tile changes keys: with the first symmetry, which is none, then with each of the others."""
    of = model.counters
    shift = np.maximum(of[:, profiles_kernel.SHIFT], 0)
    one = np.stack([1 << shift, of[:, profiles_kernel.FIELD] << shift, of[:, profiles_kernel.MOST] << shift, 0 * shift], 1)
    changes = np.tile(one, (symmetries, 1)).astype(np.uint64)
    changes[:, kernel.SYMMETRY] = np.repeat(np.arange(symmetries), len(of))
    return changes


def _images(maps: WordMaps, bits: int, low_bits: int) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Where nothing, then the symmetries, then their inverses take the high and the low bits of keys."""
    to = [np.arange(bits)]
    for table in maps.keys:
        image = [int(table[bit // 8, 1 << (bit % 8)]).bit_length() - 1 for bit in range(bits)]
        to.append(np.array(image, np.int64))
    to += [np.argsort(each) for each in to[1:]]
    values = [np.int64(1) << each for each in to]
    high = np.stack([_sums_of_bits(each[low_bits:]) for each in values]).astype(np.uint32)
    return high, np.stack([_sums_of_bits(each[:low_bits]) for each in values]).astype(np.uint32)


def full_board(model: Model, keys: kernel.Keys, cls: int) -> NDArray[np.uint32]:
    """The keys of the full board with as many copies of each tile as there may be."""
    found = keys.keys[keys.first[cls] : keys.first[cls + 1]].astype(np.int64)
    for word, shift, field, most, _, lower, _ in model.counters.tolist():
        if word >= 0:
            used = (found >> shift) & field
            found = found[(used >= lower) & (used <= most)]
    return found.astype(np.uint32)
