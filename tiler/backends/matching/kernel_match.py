"""Find a maximum matching of a graph, bipartite or not, and the alternating trees that show that it is one.

It starts as Karp and Sipser do: a cell with one neighbour left is matched with that neighbour; where there is no such cell, the
next cell in order is matched with its neighbour of fewest neighbours left. Then a tree of alternating paths is grown, breadth
first, from every cell that is still alone (Edmonds, Paths, trees, and flowers, 1965). An edge between two even cells closes an
odd circle, a blossom, and all its cells become even. A tree that meets a cell alone gives a larger matching. A tree that cannot
grow is left as it is, and no later tree enters it: its even cells, with blossoms taken as one cell, have only its odd cells
beside them, and there is one more even cell than odd ones.

Where cells may stay open, a tree whose root may not stay open also ends at an even cell that may. This cell then stays open
instead of the root.

A step is a look at a cell with its edges. A tree takes at most as many steps as there are cells, and also those for the paths up
from the ends of edges that close a blossom.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tiler.kernels import EXHAUSTED, PAUSED, inner, kernel
from tiler.kernels.arrays import I32, I64, U8

#: Values of `label`.
UNSEEN, EVEN, ODD = range(3)
#: Places in `counters`. NEXT: the next cell to be looked at; ONES: the cells in `queue` with one neighbour left; TREES: trees
#: grown; FAILED: trees that could not grow; TIME: a clock that ticks at each mark; STEPS: all steps.
NEXT, ONES, TREES, FAILED, TIME, STEPS = range(COUNTERS := 6)


class MatchingGraph(NamedTuple):
    """The graph whose cells are matched; only read."""

    starts: I64  #: (cells + 1,): where the neighbours of each cell begin
    others: I32  #: the neighbours, ascending
    may_open: U8  #: (cells,): whether a cell may stay open


class MatchingState(NamedTuple):
    """The state of a search."""

    mate: I32  #: (cells,): with what a cell is matched, -1: nothing
    left: I32  #: (cells,): neighbours that are alone, while the start lasts
    parent: I32  #: (cells,): for an odd cell, the even cell from which it was reached; inside blossoms also for even cells
    base: I32  #: (cells,): a forest that leads from each cell to the base of its blossom
    label: U8  #: (cells,): even, odd or not in a tree
    mark: I64  #: (cells,): the time when a path up a tree last went through the cell
    queue: I32  #: (2 * cells,): even cells of a tree to be looked at; during the start, cells with one neighbour left
    seen: I32  #: (cells,): the cells of a tree
    roots: I32  #: (cells,): the roots of the trees that could not grow
    counters: I64  #: by names

    @classmethod
    def new(cls, cells: int) -> MatchingState:
        """The state in which nothing is matched."""
        return cls(
            mate=np.full(cells, -1, np.int32),
            left=np.zeros(cells, np.int32),
            parent=np.full(cells, -1, np.int32),
            base=np.arange(cells, dtype=np.int32),
            label=np.zeros(cells, np.uint8),
            mark=np.zeros(cells, np.int64),
            queue=np.zeros(2 * cells, np.int32),
            seen=np.zeros(cells, np.int32),
            roots=np.zeros(cells, np.int32),
            counters=np.zeros(COUNTERS, np.int64),
        )


@kernel()
def begin(graph: MatchingGraph, state: MatchingState, budget: int) -> int:
    """Make the start. Before it, `left` must be the number of neighbours of each cell, and the ONES cells with one neighbour must
    be in `queue`."""
    starts, others = graph.starts, graph.others
    mate, left, queue, counters = state.mate, state.left, state.queue, state.counters
    cells = mate.size
    next_, ones = counters[NEXT], counters[ONES]
    code = EXHAUSTED
    steps = 0
    while True:
        if steps >= budget:
            code = PAUSED
            break
        steps += 1
        if ones > 0:
            ones -= 1
            cell = queue[ones]
        elif next_ < cells:
            cell = np.int32(next_)
            next_ += 1
        else:
            break
        if mate[cell] >= 0:
            continue
        best = np.int32(-1)
        for a in range(starts[cell], starts[cell + 1]):
            other = others[a]
            if mate[other] < 0 and (best < 0 or left[other] < left[best]):
                best = other
        if best < 0:
            continue
        mate[cell], mate[best] = best, cell
        for side in range(2):
            one = cell if side == 0 else best
            for a in range(starts[one], starts[one + 1]):
                other = others[a]
                left[other] -= 1
                if left[other] == 1 and mate[other] < 0:
                    queue[ones] = other
                    ones += 1
    counters[NEXT], counters[ONES] = next_, ones
    counters[STEPS] += steps
    return code


@inner()
def _base(base: I32, cell: int) -> int:
    """The base of the blossom that a cell is in; the paths to it are shortened on the way."""
    while base[cell] != cell:
        base[cell] = base[base[cell]]
        cell = base[cell]
    return cell


@inner()
def _meeting(state: MatchingState, one: int, other: int) -> int:
    """The base where the paths up from two even cells of a tree meet."""
    mate, parent, base, mark, counters = state.mate, state.parent, state.base, state.mark, state.counters
    counters[TIME] += 1
    time = counters[TIME]
    one, other = _base(base, one), _base(base, other)
    while True:
        if one >= 0:
            if mark[one] == time:
                return one
            mark[one] = time
            one = _base(base, parent[mate[one]]) if mate[one] >= 0 else -1
        one, other = other, one


@inner()
def _shrink(state: MatchingState, one: int, other: int, top: int, tail: int) -> int:
    """Make the path from an even cell up to a base a part of the base's blossom, which is closed by an edge from this cell to
    `other`. Odd cells on the path become even and go into the queue. Returns the new end of the queue."""
    mate, parent, base, label, queue = state.mate, state.parent, state.base, state.label, state.queue
    while _base(base, one) != top:
        parent[one] = other
        other = mate[one]
        if label[other] == ODD:
            label[other] = EVEN
            queue[tail] = other
            tail += 1
        if base[one] == one:
            base[one] = top
        if base[other] == other:
            base[other] = top
        one = parent[other]
    return tail


@inner()
def _grow(graph: MatchingGraph, state: MatchingState, root: int) -> int:
    """Grow the tree of a root until the matching is larger, or until the tree cannot grow. Returns how many cells were looked at;
    the number is negative if the tree could not grow."""
    starts, others, may_open = graph.starts, graph.others, graph.may_open
    mate, parent, base, label, queue, seen = state.mate, state.parent, state.base, state.label, state.queue, state.seen
    may_swap = not may_open[root]
    label[root] = EVEN
    queue[0] = seen[0] = root
    head, tail, met = 0, 1, 1
    end = -1  # the odd cell from which on the path to the root is exchanged
    while head < tail and end < 0:
        cell = queue[head]
        head += 1
        if may_swap and may_open[cell]:
            end = mate[cell]
            mate[cell] = -1
            break
        for a in range(starts[cell], starts[cell + 1]):
            other = others[a]
            if label[other] == UNSEEN:
                parent[other] = cell
                if mate[other] < 0:
                    end = other
                    break
                label[other] = ODD
                label[mate[other]] = EVEN
                seen[met] = other
                seen[met + 1] = mate[other]
                met += 2
                queue[tail] = mate[other]
                tail += 1
            elif label[other] == EVEN and _base(base, cell) != _base(base, other):
                # Even cells of trees that could not grow have all their neighbours in such trees, so this cell is in the present
                # tree.
                top = _meeting(state, cell, other)
                tail = _shrink(state, cell, other, top, tail)
                tail = _shrink(state, other, cell, top, tail)
    if end < 0:
        return -head
    while end >= 0:
        above = parent[end]
        after = mate[above]
        mate[end] = above
        mate[above] = end
        end = after
    for at in range(met):
        label[seen[at]] = UNSEEN
        base[seen[at]] = seen[at]
    return head


@kernel()
def grow(graph: MatchingGraph, state: MatchingState, open_too: bool, budget: int) -> int:
    """Grow trees from all cells alone, from NEXT on. Cells that may stay open get a tree only with `open_too`."""
    mate, counters = state.mate, state.counters
    steps = 0
    while counters[NEXT] < mate.size:
        if steps >= budget:
            counters[STEPS] += steps
            return PAUSED
        root = counters[NEXT]
        counters[NEXT] += 1
        steps += 1
        if mate[root] >= 0 or (graph.may_open[root] and not open_too):
            continue
        took = _grow(graph, state, root)
        counters[TREES] += 1
        if took < 0:
            state.roots[counters[FAILED]] = root
            counters[FAILED] += 1
            took = -took
        steps += took
    counters[STEPS] += steps
    return EXHAUSTED
