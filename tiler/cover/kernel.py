"""Find placements that no tiling can use, one by one: these are the loops behind tiler/cover/filters.py.

Both kernels look at options for some `budget` steps. A step is a look at a cell or an option. They return the number of the first
option that they have not looked at; the next call begins there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tiler.kernels import inner, kernel
from tiler.kernels.arrays import I32, I64, Bool, Bool_2


class Options(NamedTuple):
    """The options to look at."""

    starts: I64  #: (options + 1,): where the cells of each begin
    members: I32
    tile: I32  #: (options,)


class OpenBoard(NamedTuple):
    """The cells that are still open, and which numbers of cells the tiles can fill."""

    starts: I64  #: (cells + 1,): where the neighbours of each cell begin
    neighbours: I32
    possible: Bool_2  #: (tiles, cells + 1): [t, n] is whether the tiles left, less one copy of t, can fill n cells
    filled: Bool  #: (cells,): which cells are filled


class Regions(NamedTuple):
    """Scratch arrays: the regions of open cells; and a region that an option divides, while it is searched from all sides."""

    region: I32  #: (cells,): the region of every open cell; -1 for a filled cell
    size: I64  #: (cells,): the cells of each region
    impossible: I64  #: (tiles,): how many regions cannot be filled beside a copy of the tile
    met: I32  #: (cells,): the last option whose search met the cell, -1 for none
    side: I32  #: (cells,): the side from which it was met; -1 for the option itself
    queue: I32  #: (cells,)
    parent: I32  #: (cells,): sides that have met, as a forest; at its roots:
    joined: I32  #: (cells,): how many cells these sides met
    pending: I32  #: (cells,): how many of these cells are still in the queue

    @classmethod
    def new(cls, cells: int, tiles: int) -> Regions:
        """Arrays in which nothing is met."""
        size, impossible = np.zeros(cells, np.int64), np.zeros(tiles, np.int64)
        region, met, side, queue, parent, joined, pending = np.full((7, cells), -1, np.int32)
        return cls(region, size, impossible, met, side, queue, parent, joined, pending)


class Choices(NamedTuple):
    """The cells and tiles for which options must be left."""

    by_cell_starts: I64  #: (cells + 1,): where the options that cover each cell begin
    by_cell: I32
    by_tile_starts: I64  #: (tiles + 1,): and those of each tile
    by_tile: I32
    lower: I64  #: (tiles,): bounds
    upper: I64


class ItemColours(NamedTuple):
    """The items with colours, and the options that give them each colour; all arrays are empty if there are none."""

    starts: I64  #: (options + 1,): where the items that each option gives a colour begin
    items: I32
    colours: I32
    by_item_starts: I64  #: (coloured items + 1,): where the options that give each item a colour begin
    by_item: I32
    colour_by_item: I32


class Losses(NamedTuple):
    """Scratch arrays: the options that a placed option rules out."""

    met: I32  #: (options,): the last option that ruled each option out; -1 for none
    gone: I32  #: (options,): the options that are ruled out
    of_cell: I64  #: (cells,): how many options of each cell are ruled out; all 0 between two options
    of_tile: I64  #: (tiles,): zeros

    @classmethod
    def new(cls, options: int, cells: int, tiles: int) -> Losses:
        """Arrays in which no option is ruled out."""
        met, gone = np.full((2, options), -1, np.int32)
        return cls(met, gone, np.zeros(cells, np.int64), np.zeros(tiles, np.int64))


@inner()
def _root(parent: I32, node: int) -> int:
    """The root of a node's tree; the path to it is made shorter."""
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = parent[node]
    return node


@inner()
def _divide(around: OpenBoard, regions: Regions) -> None:
    """Number the regions of open cells."""
    region, size, queue = regions.region, regions.size, regions.queue
    region[:] = -1
    regions.impossible[:] = 0
    number = 0
    for start in range(region.size):
        if around.filled[start] or region[start] >= 0:
            continue
        region[start] = number
        queue[0] = start
        head, tail = 0, 1
        while head < tail:
            cell = queue[head]
            head += 1
            for a in range(around.starts[cell], around.starts[cell + 1]):
                other = around.neighbours[a]
                if region[other] < 0 and not around.filled[other]:
                    region[other] = number
                    queue[tail] = other
                    tail += 1
        size[number] = tail
        number += 1
        for tile in range(regions.impossible.size):
            regions.impossible[tile] += not around.possible[tile, tail]


@kernel()
def leaves_possible_regions(
    placed: Options, around: OpenBoard, regions: Regions, alive: Bool, keep: Bool, first: int, budget: int
) -> int:
    """Check each option that is alive, alone on the open cells: the other tiles must be able to fill every region that it leaves.
    Options that are not alive are not kept.

    The options alive must be connected and lie on open cells. What they leave of a region is searched from all sides at once,
    breadth first, until all sides but one have met or are closed off: mostly some steps round the option, never more than a few
    times the cells that it cuts off from the largest part.
    """
    starts, members, tile = placed.starts, placed.members, placed.tile
    around_starts, neighbours, possible, filled = around.starts, around.neighbours, around.possible, around.filled
    size, region, met, side, queue = regions.size, regions.region, regions.met, regions.side, regions.queue
    impossible, parent, joined, pending = regions.impossible, regions.parent, regions.joined, regions.pending
    _divide(around, regions)
    left = budget
    for option in range(first, tile.size):
        if left <= 0:
            return option
        left -= 1
        if not alive[option]:
            continue
        own, first_region = tile[option], region[members[starts[option]]]
        if impossible[own] > (not possible[own, size[first_region]]):
            continue
        rest = size[first_region] - (starts[option + 1] - starts[option])
        for m in range(starts[option], starts[option + 1]):
            met[members[m]] = option
            side[members[m]] = -1
        tail = 0
        for m in range(starts[option], starts[option + 1]):
            for a in range(around_starts[members[m]], around_starts[members[m] + 1]):
                other = neighbours[a]
                if met[other] != option and not filled[other]:
                    met[other] = option
                    side[other] = parent[tail] = tail
                    joined[tail] = pending[tail] = 1
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
                other = neighbours[a]
                if filled[other]:
                    continue
                if met[other] != option:
                    met[other] = option
                    side[other] = root
                    joined[root] += 1
                    pending[root] += 1
                    queue[tail] = other
                    tail += 1
                elif side[other] >= 0:
                    another = _root(parent, side[other])
                    if another != root:
                        parent[another] = root
                        joined[root] += joined[another]
                        pending[root] += pending[another]
                        apart -= 1
            if pending[root] == 0:
                rest -= joined[root]
                apart -= 1
                if not possible[own, joined[root]]:
                    fits = False
                    break
        left -= tail
        keep[option] = fits and possible[own, rest]
    return int(tile.size)


@kernel()
def leaves_something_everywhere(
    placed: Options, choices: Choices, shades: ItemColours, losses: Losses, keep: Bool, first: int, budget: int
) -> int:
    """Check each option, alone on the board: every other cell must keep an option, and every tile as many options as must be
    used."""
    starts, members, tile = placed.starts, placed.members, placed.tile
    by_cell_starts, by_cell = choices.by_cell_starts, choices.by_cell
    by_tile_starts, by_tile = choices.by_tile_starts, choices.by_tile
    shared_starts, shared, colour = shades.starts, shades.items, shades.colours
    by_shared_starts, by_shared, colour_by_shared = shades.by_item_starts, shades.by_item, shades.colour_by_item
    met, gone, lost, lost_of_tile = losses.met, losses.gone, losses.of_cell, losses.of_tile
    left = budget
    for option in range(first, tile.size):
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
        if shared.size > 0:
            for s in range(shared_starts[option], shared_starts[option + 1]):
                item = shared[s]
                left -= by_shared_starts[item + 1] - by_shared_starts[item]
                for at in range(by_shared_starts[item], by_shared_starts[item + 1]):
                    other = by_shared[at]
                    if colour_by_shared[at] != colour[s] and met[other] != option:
                        met[other] = option
                        gone[count] = other
                        count += 1
        own = tile[option]
        if choices.upper[own] == 1:
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
        # The option itself covers its own cells.
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
        for t in range(lost_of_tile.size):
            needed = choices.lower[t] - (1 if t == own else 0)
            if by_tile_starts[t + 1] - by_tile_starts[t] - lost_of_tile[t] < needed:
                keep[option] = False
        for g in range(count):
            other = gone[g]
            for m in range(starts[other], starts[other + 1]):
                lost[members[m]] = 0
        lost_of_tile[:] = 0
    return int(tile.size)
