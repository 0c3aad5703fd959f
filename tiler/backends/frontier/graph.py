"""The profiles that lie between the empty and the full board, with the edges between them: how tiles can be laid if there are
copies enough."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler.backends.frontier import kernel_graph as kernel
from tiler.backends.frontier.kernel_symmetries import WordMaps
from tiler.backends.frontier.kernel_tables import WordRules
from tiler.backends.frontier.model import Model
from tiler.kernels import Ratchet, patience

_FITS = 300_000  # tried in one call: some 10 ms
_LEAST_PROFILES = 1024  # that there is room for
_ENTRIES = 200_000  # of a table, that are entered anew between two pauses


class Graph(NamedTuple):
    """Profiles in the order of their positions, and the edges between them."""

    first: NDArray[np.int64]  #: shape (cells + 2,): the first profile of each position; the last of all is the full board
    covered: NDArray[np.int64]  #: shape (profiles,): how many cells each covers
    sources: NDArray[np.int32]  #: shape (edges,), ascending
    targets: NDArray[np.int32]  #: shape (edges,)
    tiles: NDArray[np.int32]  #: shape (edges,)
    symmetries: NDArray[np.int32]  #: shape (edges,): that takes where the fit leads to the target, -1 for none


class Explorer:
    """Finds the graph of a model whose profiles are words. `explore` goes on; then `graph` has it, unless it is `short`."""

    def __init__(self, model: Model, rules: WordRules, maps: WordMaps, *, budget: int) -> None:
        """`budget` is how many bytes the arrays may take together; a graph that needs more is given up."""
        self.model, self.budget = model, budget
        self.short = False
        self.graph: Graph | None = None
        self._rules, self._maps = rules, maps
        self._most = model.most_fits
        room = 1 << (2 * self._most + _LEAST_PROFILES).bit_length()
        self._found = kernel.WordProfiles(
            words=np.ones(room, np.uint64),
            positions=np.zeros(room, np.int32),
            before=np.full(room, -1, np.int32),
            last=np.full(model.cells + 1, -1, np.int32),
            table=np.zeros(4 * room, np.int32),
            edges=np.zeros((4 * room, kernel.EDGE_COLUMNS), np.int32),
        )
        self._state = np.zeros(kernel.STATE_SIZE, np.int64)
        self._state[kernel.PROFILES] = 1  # The empty board. It need not be in the table: nothing leads there.
        self._found.last[0] = 0

    @property
    def bytes(self) -> int:
        """What the arrays take."""
        return sum(array.nbytes for array in self._found)

    @property
    def profiles(self) -> int:
        """How many were found."""
        return int(self._state[kernel.PROFILES])

    @property
    def edges(self) -> int:
        """How many were found, of which not all lead to the full board."""
        return int(self._state[kernel.EDGES])

    def explore(self) -> Iterator[float]:
        """Position by position, pausing many times a second; yields the fraction of the positions done."""
        cells, state = self.model.cells, self._state
        for position in range(cells):
            state[kernel.AT] = self._found.last[position]
            ratchet = Ratchet("the frontier's search for profiles")
            while state[kernel.AT] >= 0:
                budget = patience.share(_FITS)
                if kernel.explore(self._rules, self._maps, self._found, position, budget, state) == kernel.ROOM:
                    for _ in self._make_room():
                        yield position / cells
                    if self.short:
                        return
                ratchet.turn(int(state[kernel.EDGES]), -int(state[kernel.AT]), self.bytes)
                yield position / cells
        yield from self._put_in_order()

    def _make_room(self) -> Iterator[None]:
        """Arrays twice as large where they are full, with pauses."""
        found, state, most = self._found, self._state, self._most
        if int(state[kernel.EDGES]) + most > len(found.edges):
            if self.bytes + found.edges.nbytes > self.budget:
                self.short = True
                return
            found.edges.resize((2 * len(found.edges), kernel.EDGE_COLUMNS), refcheck=False)
            yield
        if int(state[kernel.PROFILES]) + most > len(found.words):
            if self.bytes + found.words.nbytes + found.positions.nbytes + found.before.nbytes + found.table.nbytes > self.budget:
                self.short = True
                return
            for array in (found.words, found.positions, found.before):
                array.resize((2 * len(array),), refcheck=False)
                yield
            self._found = found = found._replace(table=np.zeros(4 * len(found.words), np.int32))
            count = int(state[kernel.PROFILES])
            for start in range(1, count, _ENTRIES):
                kernel.enter(found, start, min(start + _ENTRIES, count))
                yield

    def _put_in_order(self) -> Iterator[float]:
        """Keep the states on a way to the full board, numbered by position."""
        cells, found = self.model.cells, self._found
        edges = found.edges[: int(self._state[kernel.EDGES])]
        alive = np.zeros(int(self._state[kernel.PROFILES]), np.bool_)
        alive[found.last[cells:]] = found.last[cells] >= 0
        kernel.revive(edges, alive)
        yield 1.0
        kept = np.flatnonzero(alive)
        kept = kept[np.argsort(found.positions[kept], kind="stable")]
        number = np.full(len(alive), -1, np.int32)
        number[kept] = np.arange(len(kept))
        yield 1.0
        sources, targets = number[edges[:, kernel.SOURCE]], number[edges[:, kernel.TARGET]]
        lying = np.flatnonzero((sources >= 0) & (targets >= 0))
        yield 1.0
        lying = lying[np.argsort(sources[lying], kind="stable")]
        yield 1.0
        positions = found.positions[kept].astype(np.int64)
        before = np.concatenate([[0], np.cumsum(self.model.measured)])
        self.graph = Graph(
            np.searchsorted(positions, np.arange(cells + 2)),
            before[positions] + np.bitwise_count((found.words[kept] ^ np.uint64(1)) & self._rules.inside[positions]),
            sources[lying],
            targets[lying],
            self.model.fit_tile[edges[lying, kernel.FIT]],
            edges[lying, kernel.SYMMETRY],
        )
