"""Make all children of many nodes of FILA with a window at once, for samples of its tree."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tiler.backends.fila.kernel_counters import BACK, COUNTED_ALONG, DEPTH, NODES
from tiler.backends.fila.kernel_window import FILLED, GROW, WHERE, WindowLists, WindowState, go_on
from tiler.kernels import EXHAUSTED, kernel
from tiler.kernels.arrays import I64, I64_2, U64
from tiler.kernels.rows import copy


class WindowNodes(NamedTuple):
    """Room for nodes. A node is given by one row of each array."""

    filled: U64  #: (nodes,): FILLED of a state's words
    where: I64  #: (nodes,): WHERE of its stack
    left: I64_2  #: (nodes, tiles)
    owed: I64_2  #: (nodes, tiles)
    counters: I64_2  #: (nodes,) by the names in COUNTED_ALONG

    @classmethod
    def new(cls, nodes: int, tiles: int) -> WindowNodes:
        """Room for this number of nodes."""
        return cls(
            filled=np.zeros(nodes, np.uint64),
            where=np.zeros(nodes, np.int64),
            left=np.zeros((nodes, tiles), np.int64),
            owed=np.zeros((nodes, tiles), np.int64),
            counters=np.zeros((nodes, len(COUNTED_ALONG)), np.int64),
        )


@kernel()
def children(lists: WindowLists, state: WindowState, above: WindowNodes, at: I64, into: WindowNodes) -> int:
    """Make the children of nodes one by one, in their order, and write down those below which something can be, until there is no
    more room or, if fewer come than that, there are no more; how many these are, or -1 - that if there has to be more room for
    lists.

    `at[0]` is the node that is the root of the state, -1 before the first. All arrays are of one thread.
    """
    counters, count, nodes = state.counters, 0, state.counters[NODES]
    while count < into.where.size:
        code = go_on(lists, state, 1, True) if at[0] >= 0 else EXHAUSTED
        if code == GROW:
            return -1 - count
        if code == EXHAUSTED:
            if at[0] + 1 >= above.where.size:
                break
            at[0] += 1
            state.words[0, FILLED], state.stack[0, WHERE] = above.filled[at[0]], above.where[at[0]]
            copy(above.left[at[0]], state.left)
            copy(above.owed[at[0]], state.owed)
            for i in range(len(COUNTED_ALONG)):
                counters[COUNTED_ALONG[i]] = above.counters[at[0], i]
            counters[DEPTH] = counters[BACK] = 0
            continue
        if counters[NODES] > nodes and counters[BACK] == 0:
            into.filled[count], into.where[count] = state.words[1, FILLED], state.stack[1, WHERE]
            copy(state.left, into.left[count])
            copy(state.owed, into.owed[count])
            for i in range(len(COUNTED_ALONG)):
                into.counters[count, i] = counters[COUNTED_ALONG[i]]
            count += 1
        nodes = counters[NODES]
        counters[BACK] = 1
    return count
