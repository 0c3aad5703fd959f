"""Make all children of many nodes of Algorithm X at once, for samples of its tree. To make them one by one takes ten times as
long."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tiler.backends.dlx.kernel import go_on
from tiler.backends.dlx.kernel_state import BACK, DEPTH, ENTER, NODES, PHASE, DlxMatrix, DlxState, Narrow
from tiler.kernels import EXHAUSTED, kernel
from tiler.kernels.arrays import I32_2, I64, I64_2, U64_2
from tiler.kernels.rows import copy


class DlxNodes(NamedTuple):
    """Room for nodes. A node is given by one row of each array; the arrays are named as in the state of a search."""

    alive: U64_2  #: (nodes, words)
    degree: I32_2  #: (nodes, items)
    stack: I64_2  #: (nodes,) by names
    used: I64_2  #: (nodes, tiles)

    @classmethod
    def new(cls, nodes: int, state: DlxState) -> DlxNodes:
        """Room for this number of nodes."""
        return cls(
            alive=np.zeros((nodes, state.alive.shape[1]), np.uint64),
            degree=np.zeros((nodes, state.degree.shape[1]), np.int32),
            stack=np.zeros((nodes, state.stack.shape[1]), np.int64),
            used=np.zeros((nodes, len(state.used)), np.int64),
        )


@kernel()
def children(matrix: DlxMatrix, state: DlxState, narrow: Narrow, above: DlxNodes, at: I64, into: DlxNodes) -> int:
    """Make the children of nodes one by one, in their order, and write down those that are not dead, until there is no more room
    or, if fewer come than that, there are no more; how many these are. Only for a matrix without a last stage.

    `at[0]` is the node that is the root of the state, -1 before the first. Threads share the matrix, which is only read; the
    other arrays are each one's own.
    """
    counters = state.counters
    below = 1 if state.degree.shape[0] > 1 else 0
    count, nodes = 0, counters[NODES]
    while count < into.alive.shape[0]:
        if at[0] < 0 or go_on(matrix, state, narrow, 1, True) == EXHAUSTED:
            if at[0] + 1 >= above.alive.shape[0]:
                break
            at[0] += 1
            copy(above.alive[at[0]], state.alive[0])
            copy(above.degree[at[0]], state.degree[0])
            copy(above.stack[at[0]], state.stack[0])
            copy(above.used[at[0]], state.used)
            counters[DEPTH], counters[PHASE] = 0, ENTER
            continue
        if counters[NODES] == nodes:
            continue
        nodes = counters[NODES]
        if counters[PHASE] == ENTER:
            copy(state.alive[1], into.alive[count])
            copy(state.degree[below], into.degree[count])
            copy(state.stack[1], into.stack[count])
            copy(state.used, into.used[count])
            count += 1
        counters[PHASE] = BACK
    return count
