"""Find a maximum matching of a cover's cells, and say why it leaves cells alone that must be covered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tiler.backends.matching import kernel_match as kernel
from tiler.backends.matching.graph import Pairs
from tiler.backends.matching.kernel_match import EVEN, FAILED, NEXT, ODD, ONES, STEPS, MatchingGraph, MatchingState
from tiler.cover.cover import Cover
from tiler.kernels import EXHAUSTED, TerminationCheck, python_time
from tiler.question.certificate import TutteSet, Weights
from tiler.question.events import Progress

_BUDGET = 2_000_000  # steps between two looks at the clock; each takes some ten nanoseconds


@dataclass(frozen=True, eq=False)
class AlternatingTrees:
    """Alternating trees that cannot grow: the neighbours of an even cell are odd cells, or cells of its own blossom."""

    even: NDArray[np.int64]
    odd: NDArray[np.int64]
    has_blossoms: bool


class Matcher:
    """Matches as many cells in pairs as possible, first the cells that must not stay open."""

    def __init__(self, pairs: Pairs, tiles: int, most_open: int) -> None:
        """`most_open` is the largest number of cells that may stay open at a time; the number of tiles includes the filler."""
        self.pairs, self.tiles, self.most_open = pairs, tiles, most_open
        self._graph = pairs.graph()
        self._state = MatchingState.new(pairs.cells)
        self.covers = False  #: whether the cells can be covered; known when `run` has ended

    @classmethod
    def of(cls, cover: Cover) -> Matcher:
        """The matcher of a cover whose tiles cover two cells each (`no_pairs`)."""
        return cls(Pairs.of(cover), len(cover.names), int(cover.upper[cover.is_filler].sum()))

    @property
    def nodes(self) -> int:
        return int(self._state.counters[STEPS])

    @property
    def mate(self) -> NDArray[np.int32]:
        """The cell with which each cell is matched, shape (cells,); -1 for none."""
        return self._state.mate

    def run(self) -> Iterator[Progress]:
        """Match cells until it is known whether all can be covered."""
        state, termination = self._state, TerminationCheck("the matching")
        state.left[:] = np.diff(self._graph.starts)
        ones = np.flatnonzero(state.left == 1)
        state.queue[: len(ones)] = ones[::-1]
        state.counters[ONES] = len(ones)
        while kernel.begin(self._graph, state, python_time.share(_BUDGET)) != EXHAUSTED:
            termination.advance(self.nodes)
            yield Progress(self.nodes)
        for open_too in (False, True):
            if open_too and self._alone <= self.most_open:
                break
            state.counters[NEXT] = 0
            while kernel.grow(self._graph, state, open_too, python_time.share(_BUDGET)) != EXHAUSTED:
                termination.advance(self.nodes)
                yield Progress(self.nodes)
            if state.counters[FAILED] and not open_too:
                return
        self.covers = self._alone <= self.most_open

    @property
    def _alone(self) -> int:
        return int((self.mate < 0).sum())

    def trees(self) -> AlternatingTrees:
        """The reason why the cells cannot be covered: the smallest tree of a cell that must not stay open; or all trees together,
        if too many cells stay open."""
        state = self._state
        roots = state.roots[: state.counters[FAILED]].tolist()
        must = [root for root in roots if not self._graph.may_open[root]]
        if not must:
            return _trees(state, np.flatnonzero(state.label))
        best: AlternatingTrees | None = None
        looked_at = 0
        for root in must:
            tree = _alone(self._graph, self.mate, root)
            looked_at += len(tree.even)
            if best is None or len(tree.even) < len(best.even):
                best = tree
            if looked_at > self.pairs.cells:
                break
        assert best is not None
        return best

    def refutation(self) -> Weights | TutteSet:
        """The reason as a proof."""
        trees = self.trees()
        if trees.has_blossoms:
            return TutteSet(tuple(trees.odd.tolist()))
        weights = np.zeros(self.pairs.cells, np.int64)
        weights[trees.even], weights[trees.odd] = 1, -1
        values = [0] * self.tiles
        if bool(self._graph.may_open[trees.even].any()):
            values[-1] = 1
        return Weights(tuple(weights.tolist()), tuple(values))


def _alone(graph: MatchingGraph, mate: NDArray[np.int32], root: int) -> AlternatingTrees:
    """Grow the tree of one cell in the graph without any other tree."""
    state = MatchingState.new(len(mate))
    state.mate[:] = mate
    state.counters[NEXT] = root
    kernel.grow(graph, state, False, 1)
    return _trees(state, np.flatnonzero(state.label))


def _trees(state: MatchingState, seen: NDArray[np.int64]) -> AlternatingTrees:
    even, odd = seen[state.label[seen] == EVEN], seen[state.label[seen] == ODD]
    return AlternatingTrees(even, odd, bool((state.base[even] != even).any()))
