"""Plain backtracking over the cells in order: tests/reference_backtracking.py compiled, node for node.

    starts, options   int64[cells + 1], int32[..]    the placements whose first cell is c, in the order to be tried
    member_starts, members                           the cells of each option, ascending
    tile              int32[options]                 its tile
    size, lower, upper int64[tiles]                  cells of a tile, bounds
    covered           uint8[cells]                   state: which cells are covered
    used              int64[tiles]                   state: copies in use
    next_, cells      int64[cells + 1]               state, by depth: position in the list to try next, the open cell
    chosen            int32[cells + 1]               state, by depth: the option placed
    state             int64[5]                       depth, slack, nodes, found, whether to go back first

A step tries one option: a look at each of its cells. Source: the simple solver of the Tiler thesis (2022).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tiler.kernels import EXHAUSTED, PAUSED, SOLUTION, kernel

DEPTH, SLACK, NODES, FOUND, BACK = range(5)


_LISTS = "int64[::1],int32[::1],int64[::1],int32[::1],int32[::1]"
_TILES = "int64[::1],int64[::1],int64[::1]"
_STATE = "uint8[::1],int64[::1],int64[::1],int64[::1],int32[::1],int64[::1]"


@kernel(f"int64({_LISTS},{_TILES},{_STATE},int64,boolean)")
def search(
    starts: NDArray[np.int64],
    options: NDArray[np.int32],
    member_starts: NDArray[np.int64],
    members: NDArray[np.int32],
    tile: NDArray[np.int32],
    size: NDArray[np.int64],
    lower: NDArray[np.int64],
    upper: NDArray[np.int64],
    covered: NDArray[np.uint8],
    used: NDArray[np.int64],
    next_: NDArray[np.int64],
    cells: NDArray[np.int64],
    chosen: NDArray[np.int32],
    state: NDArray[np.int64],
    budget: int,
    stop_at_solutions: bool,
) -> int:
    depth, slack, nodes, found = state[DEPTH], state[SLACK], state[NODES], state[FOUND]
    back = state[BACK] == 1
    last = nodes + budget
    code = EXHAUSTED
    while True:
        if not back:
            cell = cells[depth]
            placed = False
            for at in range(next_[depth], starts[cell + 1]):
                option = options[at]
                t = tile[option]
                if used[t] == upper[t]:
                    continue
                fits = True
                for m in range(member_starts[option], member_starts[option + 1]):
                    if covered[members[m]]:
                        fits = False
                        break
                if not fits:
                    continue
                if used[t] >= lower[t]:
                    if size[t] > slack:
                        continue
                    slack -= size[t]
                used[t] += 1
                for m in range(member_starts[option], member_starts[option + 1]):
                    covered[members[m]] = 1
                next_[depth] = at + 1
                chosen[depth] = option
                placed = True
                break
            if placed:
                nodes += 1
                depth += 1
                while cell < covered.size and covered[cell]:
                    cell += 1
                cells[depth] = cell
                if cell == covered.size:
                    found += 1
                    back = True
                    if stop_at_solutions:
                        code = SOLUTION
                        break
                else:
                    next_[depth] = starts[cell]
                if nodes == last:
                    code = PAUSED
                    break
                continue
        back = False
        if depth == 0:
            break
        depth -= 1
        option = chosen[depth]
        t = tile[option]
        used[t] -= 1
        if used[t] >= lower[t]:
            slack += size[t]
        for m in range(member_starts[option], member_starts[option + 1]):
            covered[members[m]] = 0
    state[DEPTH], state[SLACK], state[NODES], state[FOUND], state[BACK] = depth, slack, nodes, found, back
    return code
