"""Placements that no tiling can use, found one by one: the loops behind tiler/cover/filters.py.

    starts, members     int64[options + 1], int32[..]   the cells of each option
    by_cell_starts, by_cell                             the options that cover each cell
    by_tile_starts, by_tile                             the options of each tile
    tile                int32[options]                  its tile
    around_starts, around                               the neighbours of each cell
    lower, upper        int64[tiles]                    bounds
    possible            boolean[tiles, cells + 1]       whether the tiles left, less one copy of this, can fill so many cells
    filled              boolean[cells]                  which cells are filled
    alive               boolean[options]                which options are looked at; of the others none is kept
    keep                boolean[options], all false     which to keep: filled in from the option `first` on

Both look at options until they have made some `budget` steps, each a cell or an option looked at, and return the first option
that they have not looked at: the first of the next call.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tiler.kernels import inner, kernel

_CSR = "int64[::1],int32[::1]"


@inner("int64(int32[::1],int64)")
def _root(parent: NDArray[np.int32], node: int) -> int:
    """The root of a node's tree; the path to it is made shorter."""
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = parent[node]
    return node


@inner(f"Tuple((int32[::1],int64[::1],int64))({_CSR},boolean[::1])")
def _regions(
    around_starts: NDArray[np.int64], around: NDArray[np.int32], filled: NDArray[np.bool_]
) -> tuple[NDArray[np.int32], NDArray[np.int64], int]:
    """The region of every open cell, the cells of each region, and how many regions there are."""
    cells = filled.size
    region = np.full(cells, -1, np.int32)
    size = np.zeros(cells, np.int64)
    queue = np.empty(cells, np.int32)
    regions = 0
    for start in range(cells):
        if filled[start] or region[start] >= 0:
            continue
        region[start] = regions
        queue[0] = start
        head, tail = 0, 1
        while head < tail:
            cell = queue[head]
            head += 1
            for a in range(around_starts[cell], around_starts[cell + 1]):
                other = around[a]
                if region[other] < 0 and not filled[other]:
                    region[other] = regions
                    queue[tail] = other
                    tail += 1
        size[regions] = tail
        regions += 1
    return region, size, regions


@kernel(f"int64({_CSR},int32[::1],{_CSR},boolean[:,::1],boolean[::1],boolean[::1],boolean[::1],int64,int64)")
def leaves_possible_regions(
    starts: NDArray[np.int64],
    members: NDArray[np.int32],
    tile: NDArray[np.int32],
    around_starts: NDArray[np.int64],
    around: NDArray[np.int32],
    possible: NDArray[np.bool_],
    filled: NDArray[np.bool_],
    alive: NDArray[np.bool_],
    keep: NDArray[np.bool_],
    first: int,
    budget: int,
) -> int:
    """Each option alive, alone on the open cells: the others must be able to fill every region it leaves.

    The options alive must be connected and lie on open cells. What they leave of a region is searched from all sides at once,
    breadth first, until all sides but one have met or are closed off: mostly some steps round the option, never more than a few
    times the cells that it cuts off from the largest part.
    """
    options, cells = tile.size, filled.size
    region, size, regions = _regions(around_starts, around, filled)
    impossible = np.zeros(possible.shape[0], np.int64)
    for t in range(possible.shape[0]):
        for r in range(regions):
            impossible[t] += not possible[t, size[r]]
    met = np.full(cells, -1, np.int32)  # the last option whose search met the cell
    side = np.empty(cells, np.int32)  # from which side: -1 for the option itself
    queue = np.empty(cells, np.int32)
    parent = np.empty(cells, np.int32)  # sides that have met, as a forest; at its roots:
    count = np.empty(cells, np.int32)  # the cells met
    pending = np.empty(cells, np.int32)  # those of them still in the queue
    left = budget
    for option in range(first, options):
        if left <= 0:
            return option
        left -= 1
        if not alive[option]:
            continue
        own, here = tile[option], region[members[starts[option]]]
        if impossible[own] > (not possible[own, size[here]]):
            continue
        rest = size[here] - (starts[option + 1] - starts[option])
        for m in range(starts[option], starts[option + 1]):
            met[members[m]] = option
            side[members[m]] = -1
        tail = 0
        for m in range(starts[option], starts[option + 1]):
            for a in range(around_starts[members[m]], around_starts[members[m] + 1]):
                other = around[a]
                if met[other] != option and not filled[other]:
                    met[other] = option
                    side[other] = parent[tail] = tail
                    count[tail] = pending[tail] = 1
                    queue[tail] = other
                    tail += 1
        apart, head = tail, 0
        fits = True
        while apart > 1:
            cell = queue[head]
            head += 1
            root = _root(parent, side[cell])
            pending[root] -= 1
            for a in range(around_starts[cell], around_starts[cell + 1]):
                other = around[a]
                if filled[other]:
                    continue
                if met[other] != option:
                    met[other] = option
                    side[other] = root
                    count[root] += 1
                    pending[root] += 1
                    queue[tail] = other
                    tail += 1
                elif side[other] >= 0:
                    another = _root(parent, side[other])
                    if another != root:
                        parent[another] = root
                        count[root] += count[another]
                        pending[root] += pending[another]
                        apart -= 1
            if pending[root] == 0:
                rest -= count[root]
                apart -= 1
                if not possible[own, count[root]]:
                    fits = False
                    break
        left -= tail
        keep[option] = fits and possible[own, rest]
    return options


@kernel(f"int64({_CSR},int32[::1],{_CSR},{_CSR},int64[::1],int64[::1],boolean[::1],int64,int64)")
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
    keep: NDArray[np.bool_],
    first: int,
    budget: int,
) -> int:
    """Each option alone on the board: every other cell must keep an option, every tile as many as must be used."""
    options, cells, tiles = tile.size, by_cell_starts.size - 1, lower.size
    met = np.full(options, -1, np.int32)
    lost = np.zeros(cells, np.int64)
    lost_of_tile = np.zeros(tiles, np.int64)
    gone = np.empty(options, np.int32)
    left = budget
    for option in range(first, options):
        if left <= 0:
            return option
        keep[option] = True
        count = 0
        for m in range(starts[option], starts[option + 1]):
            cell = members[m]
            left -= by_cell_starts[cell + 1] - by_cell_starts[cell]
            for at in range(by_cell_starts[cell], by_cell_starts[cell + 1]):
                other = by_cell[at]
                if met[other] != option:
                    met[other] = option
                    gone[count] = other
                    count += 1
        own = tile[option]
        if upper[own] == 1:
            left -= by_tile_starts[own + 1] - by_tile_starts[own]
            for at in range(by_tile_starts[own], by_tile_starts[own + 1]):
                other = by_tile[at]
                if met[other] != option:
                    met[other] = option
                    gone[count] = other
                    count += 1
        for g in range(count):
            other = gone[g]
            lost_of_tile[tile[other]] += 1
            left -= 3 * (starts[other + 1] - starts[other])
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
    return options
