"""Make the data that both halves of a count share and only read: profiles, the edges between them, and keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler.backends.frontier.halves import kernel_halves as kernel
from tiler.backends.frontier.halves.directions import Direction, reach_of
from tiler.backends.frontier.halves.keys import full_board, keys_of
from tiler.backends.frontier.halves.profile_graph import Graph
from tiler.backends.frontier.shared.kernel_symmetries import WordMaps
from tiler.backends.frontier.shared.model import Model


class Roads(NamedTuple):
    """The graph of a model, in both directions."""

    cells: int
    first: NDArray[np.int64]  #: shape (cells + 2,): the first profile of each position
    keys: kernel.Keys
    into: Direction  #: the edges forth
    out: Direction  #: the edges back
    tiles: tuple[int, ...]  #: the bits of keys for tiles by which tilings can be split into slices

    @classmethod
    def of(cls, model: Model, graph: Graph, maps: WordMaps) -> Roads:
        """The roads of a graph that is not empty."""
        keys, classes = keys_of(model, graph, maps)
        into, out = kernel.Edges(*graph.into, classes, False), kernel.Edges(*graph.out, classes, True)
        return cls(
            cells=model.cells,
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
