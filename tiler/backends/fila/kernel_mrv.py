"""FILA where the target is the open cell with the fewest images, with `mrv` also a tile: those that still fit are bits, and are
counted by `and` and popcount.

Every image has a number, and a node knows which images fit in B words. As soon as 64 cells are open at most, they are numbered
anew, and when 64 * FEW images fit at most, these are: the search goes on below that node with FEW words and one word for cells,
some 100 to 130 ns a node (*narrow*, kernel_mrv_narrow.py). Fixed orders take part in schedules. Since the images that fit are
known, no other is tried: there are no no-fits to count.

Source: M. Busche, Fixed Image List Algorithm, 2018, orderings e and s; the words of images are our own.
"""

from __future__ import annotations

import numpy as np

from tiler.backends.fila.kernel_choice import ESTIMATE, MRV
from tiler.backends.fila.kernel_counters import BACK, COPIES, DEPTH, FOUND, NODES, OPEN, SLACK
from tiler.backends.fila.kernel_lists import Order
from tiler.backends.fila.kernel_mrv_narrow import number_cells, number_images, search_narrow
from tiler.backends.fila.kernel_mrv_state import (
    ALIVE,
    CHOOSY,
    FEW,
    IMAGE,
    NARROW,
    NEXT,
    NUMBERED,
    PIECES,
    REST,
    TARGET,
    TILE,
    Images,
    State,
    lowest,
)
from tiler.kernels import EXHAUSTED, PAUSED, SOLUTION, inner, kernel
from tiler.kernels.arrays import I64, I64_2, U8, U64_2, U64_3
from tiler.kernels.bits import population

_ZERO, _ONE = np.uint64(0), np.uint64(1)


@inner()
def choose(estimate: bool, filled: U8, beside: I64_2, covering: U64_2, rows: U64_3, depth: int, scratch: I64) -> int:
    """The open cell where fewest images fit; for the estimate, of those with the fewest open neighbours. The first of equals."""
    cells, sides = beside.shape
    many, least = 0, sides
    for place in range(cells):
        if filled[place]:
            continue
        if estimate:
            number = 0
            for side in range(sides):
                number += 1 - int(filled[beside[place, side]])
            if number > least:
                continue
            if number < least:
                least, many = number, 0
        scratch[many] = place
        many += 1
    best, fewest = int(scratch[0]), 1 << 62
    for c in range(many if many > 1 else 0):
        count = 0
        for i in range(rows.shape[2]):
            count += population(rows[depth, ALIVE, i] & covering[scratch[c], i])
        if count < fewest:
            best, fewest = int(scratch[c]), count
    return best


@inner()
def fewer(target: int, choosy: bool, lists: Images, state: State, depth: int) -> int:
    """A cell, or -1 - the number of a tile of which one copy is left, and has to be used, and fewer images fit."""
    covering, of_tile, rows, left, owed = lists.covering, lists.of_tile, state.rows, state.left, state.owed
    fewest = 0
    for i in range(rows.shape[2]):
        fewest += population(rows[depth, ALIVE, i] & covering[target, i])
    for t in range(left.size):
        if left[t] == 1 and (not choosy or owed[t] == 1):
            count = 0
            for i in range(rows.shape[2]):
                count += population(rows[depth, ALIVE, i] & of_tile[t, i])
            if count < fewest:
                target, fewest = -1 - t, count
    return target


@kernel()
def search(lists: Images, order: Order, state: State, budget: int, stop_at_solutions: bool) -> int:
    image_starts, images, option_of, tile_of = lists.image_starts, lists.images, lists.option_of, lists.tile_of
    covering, of_tile, beside = lists.covering, lists.of_tile, lists.beside
    sequences, phases, size, pieces = order.sequences, order.phases, order.size, order.pieces
    left, owed, filled, rows, stack = state.left, state.owed, state.filled, state.rows, state.stack
    still, cells_of, scratch, fits, counters = state.still, state.cells_of, state.scratch, state.fits, state.counters
    tiles, bits, choosy = size.size, rows.shape[2], counters[CHOOSY] == 1
    last = counters[NODES] + budget
    code = search_narrow(lists, order, state, last, stop_at_solutions) if counters[NARROW] >= 0 else EXHAUSTED
    if code != EXHAUSTED:
        return code
    depth, open_, slack, copies = counters[DEPTH], counters[OPEN], counters[SLACK], counters[COPIES]
    nodes, found, back, numbered = counters[NODES], counters[FOUND], counters[BACK] == 1, counters[NUMBERED]
    while True:
        if not back:
            # A new node: which cell, which images.
            if numbered < 0 and open_ <= 64:
                numbered = depth
                number_cells(depth, lists, state)
            count = 0
            for i in range(bits):
                count += population(rows[depth, ALIVE, i])
            if numbered >= 0 and count <= 64 * FEW:
                number_images(depth, lists, state)
                counters[DEPTH], counters[OPEN], counters[SLACK], counters[COPIES] = depth, open_, slack, copies
                counters[NODES], counters[FOUND], counters[BACK], counters[NUMBERED] = nodes, found, 0, numbered
                counters[NARROW] = depth
                code = search_narrow(lists, order, state, last, stop_at_solutions)
                if code != EXHAUSTED:
                    return code
                nodes, found, back = counters[NODES], counters[FOUND], True
                continue
            p = pieces[open_] if pieces[0] >= 0 else copies
            phase = phases[p]
            if phase < 0:
                target = choose(phase == ESTIMATE, filled, beside, covering, rows, depth, scratch)
                if phase == MRV:
                    target = fewer(target, choosy, lists, state, depth)
            else:
                place = 0
                while filled[sequences[phase, place]]:
                    place += 1
                target = sequences[phase, place]
            for i in range(bits):
                rows[depth, REST, i] = rows[depth, ALIVE, i] & (covering[target, i] if target >= 0 else of_tile[-1 - target, i])
            stack[depth, NEXT], stack[depth, PIECES], stack[depth, TARGET] = 0, p, target
        else:
            # Take the last image away and go on behind it.
            if depth == 0:
                break
            numbered = -1 if depth == numbered else numbered
            depth -= 1
            tile = stack[depth, TILE]
            left[tile] += 1
            if choosy:
                owed[tile] += 1
                if owed[tile] <= 0:
                    slack += size[tile]
            open_ += size[tile]
            copies += 1
            option = option_of[stack[depth, IMAGE]]
            for m in range(image_starts[option], image_starts[option + 1]):
                filled[images[m]] = 0
        # The next image that fits.
        i = stack[depth, NEXT]
        while i < bits and rows[depth, REST, i] == _ZERO:
            i += 1
        back = i == bits
        if back:
            continue
        stack[depth, NEXT] = i
        image = 64 * i + lowest(rows[depth, REST, i])
        rows[depth, REST, i] &= rows[depth, REST, i] - _ONE
        for i in range(bits):
            rows[depth + 1, ALIVE, i] = rows[depth, ALIVE, i]
        for m in range(image_starts[option_of[image]], image_starts[option_of[image] + 1]):
            filled[images[m]] = 1
            for i in range(bits):
                rows[depth + 1, ALIVE, i] &= ~covering[images[m], i]
        if numbered >= 0:
            still[depth + 1] = still[depth] & ~cells_of[image]
        # Place it; images of tiles that cannot be used any more go as well.
        tile = tile_of[image]
        stack[depth, IMAGE], stack[depth, TILE] = image, tile
        fits[stack[depth, PIECES]] += 1
        if choosy:
            if owed[tile] <= 0:
                slack -= size[tile]
            owed[tile] -= 1
        left[tile] -= 1
        open_ -= size[tile]
        copies -= 1
        for t in range(0 if choosy else tile, tiles if choosy else tile + 1):
            if left[t] == 0 or (choosy and owed[t] <= 0 and size[t] > slack):
                for i in range(bits):
                    rows[depth + 1, ALIVE, i] &= ~of_tile[t, i]
        depth += 1
        nodes += 1
        if open_ == 0:
            found += 1
            back = True
            if stop_at_solutions:
                code = SOLUTION
                break
        if nodes >= last:
            code = PAUSED
            break
    counters[DEPTH], counters[OPEN], counters[SLACK], counters[COPIES] = depth, open_, slack, copies
    counters[NODES], counters[FOUND], counters[BACK], counters[NUMBERED] = nodes, found, back, numbered
    return code
