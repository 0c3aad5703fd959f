"""From complete layers of the frontier to the arcs of a decision diagram: the steps that lead from state to state to a tiling.

Arrays are those of kernel_layers.py and kernel_walk.py.

    alive   boolean[rows]      the states from which a tiling is reached, of those whose successors were all looked at
    arcs    int32[.., 3]       the row before, the fit, the row that it leads to; `state[MADE]` of them so far
    state   int64[..]          see the names below

An arc costs a binary search for each edge into the profile.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tiler.backends.frontier.kernel_profiles import BEFORE, EDGE, FIT
from tiler.backends.frontier.kernel_walk import before
from tiler.kernels import kernel

#: Places in `state`: the arcs made, and where to go on in the list of the profile at which it stopped.
MADE, ROW_AT = range(STATE_SIZE := 2)
#: Columns of `arcs`: the row before, the fit, the row that it leads to.
SOURCE_ROW, BY, TARGET_ROW = range(ARC_COLUMNS := 3)


@kernel(
    "int64(int32[::1],int64,int64,int32[::1],int64[:,::1],int32[:,::1],int32[:,::1],int64[:,::1],uint64[:,::1],int64,"
    "boolean[::1],boolean[::1],int32[:,::1],int64[::1])"
)
def arcs_into(
    profiles: NDArray[np.int32],
    start: int,
    budget: int,
    fit_tile: NDArray[np.int32],
    counters: NDArray[np.int64],
    links: NDArray[np.int32],
    edges: NDArray[np.int32],
    spans: NDArray[np.int64],
    rows: NDArray[np.uint64],
    words: int,
    is_sorted: NDArray[np.bool_],
    alive: NDArray[np.bool_],
    arcs: NDArray[np.int32],
    state: NDArray[np.int64],
) -> int:
    """The arcs into the states of `profiles[start]` and those after it that are alive, for some `budget` steps; the states before
    them are alive too. Returns where it stopped: at the end, for a pause, or if `arcs` might not hold those of one more state.
    """
    done = 0
    i = start
    while i < profiles.size:
        target = profiles[i]
        into = 0
        edge = links[target, EDGE]
        while edge >= 0:
            into += 1
            edge = edges[edge, BEFORE]
        row = spans[target, 0] + state[ROW_AT]
        while row < spans[target, 1]:
            if alive[row]:
                if state[MADE] + 2 * into > arcs.shape[0] or done > budget:
                    state[ROW_AT] = row - spans[target, 0]
                    return i
                edge = links[target, EDGE]
                while edge >= 0:
                    for same in range(2):
                        other = before(edge, target, row, same, fit_tile, counters, links, edges, spans, rows, words, is_sorted)
                        if other >= 0:
                            made = state[MADE]
                            alive[other] = True
                            arcs[made, SOURCE_ROW] = other
                            arcs[made, BY] = edges[edge, FIT]
                            arcs[made, TARGET_ROW] = row
                            state[MADE] = made + 1
                    edge = edges[edge, BEFORE]
                done += 2 * into + 1
            row += 1
        state[ROW_AT] = 0
        i += 1
    return i
