"""Placements that no tiling can use, found one by one: the loops behind tiler/filters.py.

    starts, members     int64[options + 1], int32[..]   the cells of each option
    by_cell_starts, by_cell                             the options that cover each cell
    by_tile_starts, by_tile                             the options of each tile
    tile                int32[options]                  its tile
    around_starts, around                               the neighbours of each cell
    lower, upper        int64[tiles]                    bounds
    possible            boolean[tiles, cells + 1]       whether the tiles left, less one copy of this, can fill so many cells
    filled              boolean[cells]                  which cells are filled
    alive               boolean[options]                which options are looked at; of the others none is kept

Both return boolean[options]: which to keep.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tiler.kernels import kernel

_CSR = "int64[::1],int32[::1]"


@kernel(f"boolean[::1]({_CSR},int32[::1],{_CSR},boolean[:,::1],boolean[::1],boolean[::1])")
def leaves_possible_regions(
    starts: NDArray[np.int64],
    members: NDArray[np.int32],
    tile: NDArray[np.int32],
    around_starts: NDArray[np.int64],
    around: NDArray[np.int32],
    possible: NDArray[np.bool_],
    filled: NDArray[np.bool_],
    alive: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Each option alive, alone on the open cells: the others must be able to fill every region it leaves. A flood fill each."""
    options, cells = tile.size, filled.size
    keep = np.zeros(options, np.bool_)
    seen = np.full(cells, -1, np.int32)
    queue = np.empty(cells, np.int32)
    for option in range(options):
        if not alive[option]:
            continue
        for m in range(starts[option], starts[option + 1]):
            seen[members[m]] = option
        keep[option] = True
        for start in range(cells):
            if filled[start] or seen[start] == option:
                continue
            seen[start] = option
            queue[0] = start
            head, tail = 0, 1
            while head < tail:
                cell = queue[head]
                head += 1
                for a in range(around_starts[cell], around_starts[cell + 1]):
                    other = around[a]
                    if seen[other] != option and not filled[other]:
                        seen[other] = option
                        queue[tail] = other
                        tail += 1
            if not possible[tile[option], tail]:
                keep[option] = False
                break
    return keep


@kernel(f"boolean[::1]({_CSR},int32[::1],{_CSR},{_CSR},int64[::1],int64[::1])")
def leaves_something_everywhere(
    starts: NDArray[np.int64],
    members: NDArray[np.int32],
    tile: NDArray[np.int32],
    by_cell_starts: NDArray[np.int64],
    by_cell: NDArray[np.int32],
    by_tile_starts: NDArray[np.int64],
    by_tile: NDArray[np.int32],
    lower: NDArray[np.int64],
    upper: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Each option alone on the board: every other cell must keep an option, every tile as many as must be used."""
    options, cells, tiles = tile.size, by_cell_starts.size - 1, lower.size
    keep = np.ones(options, np.bool_)
    met = np.full(options, -1, np.int32)
    lost = np.zeros(cells, np.int64)
    lost_of_tile = np.zeros(tiles, np.int64)
    gone = np.empty(options, np.int32)
    for option in range(options):
        count = 0
        for m in range(starts[option], starts[option + 1]):
            cell = members[m]
            for at in range(by_cell_starts[cell], by_cell_starts[cell + 1]):
                other = by_cell[at]
                if met[other] != option:
                    met[other] = option
                    gone[count] = other
                    count += 1
        own = tile[option]
        if upper[own] == 1:
            for at in range(by_tile_starts[own], by_tile_starts[own + 1]):
                other = by_tile[at]
                if met[other] != option:
                    met[other] = option
                    gone[count] = other
                    count += 1
        for g in range(count):
            other = gone[g]
            lost_of_tile[tile[other]] += 1
            for m in range(starts[other], starts[other + 1]):
                lost[members[m]] += 1
        # The option itself keeps its cells covered.
        for g in range(count):
            other = gone[g]
            for m in range(starts[other], starts[other + 1]):
                cell = members[m]
                if lost[cell] == by_cell_starts[cell + 1] - by_cell_starts[cell]:
                    mine = False
                    for n in range(starts[option], starts[option + 1]):
                        if members[n] == cell:
                            mine = True
                    if not mine:
                        keep[option] = False
            if not keep[option]:
                break
        for t in range(tiles):
            needed = lower[t] - (1 if t == own else 0)
            if by_tile_starts[t + 1] - by_tile_starts[t] - lost_of_tile[t] < needed:
                keep[option] = False
        for g in range(count):
            other = gone[g]
            for m in range(starts[other], starts[other + 1]):
                lost[members[m]] = 0
        lost_of_tile[:] = 0
    return keep
