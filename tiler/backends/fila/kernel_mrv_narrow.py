"""The narrow part of the search for the open cell with the fewest images (kernel_mrv.py): few words, and one for all cells."""

from __future__ import annotations

import numpy as np

from tiler.backends.dlx.kernel_narrow import signed, transpose
from tiler.backends.fila.kernel_choice import ESTIMATE, MRV
from tiler.backends.fila.kernel_counters import BACK, COPIES, DEPTH, FOUND, NODES, OPEN, SLACK
from tiler.backends.fila.kernel_lists import Order
from tiler.backends.fila.kernel_mrv_state import (
    ALIVE,
    CHOOSY,
    END,
    FEW,
    IMAGE,
    NARROW,
    NEXT,
    PIECES,
    TARGET,
    TILE,
    Images,
    State,
    lowest,
)
from tiler.kernels import EXHAUSTED, PAUSED, SOLUTION, inner
from tiler.kernels.bits import population, trailing_zeros

# Whatever an index is made of is unsigned here: of a signed one each use asks whether it is negative.
_ZERO, _ONE, _FEW = np.uint64(0), np.uint64(1), np.uint64(FEW)
#: By what the least cell is found: open neighbours from bit 32 on, images that fit from bit 6, the number of the cell.
_NUMBER, _FITS, _6, _32 = np.uint64(0x3F), np.uint64(0xFFFFFFC0), np.uint64(6), np.uint64(32)


@inner()
def number_cells(depth: int, lists: Images, state: State) -> None:
    """Number the open cells of a node, of which there must be 64 at most, and write down those of each image that fits."""
    beside, filled, number_of, near, cells_of = lists.beside, state.filled, state.number_of, state.near, state.cells_of
    cells, count = filled.size - 1, 0
    for place in range(cells):
        if not filled[place]:
            number_of[place] = count
            near[count] = _ZERO
            count += 1
    state.still[depth] = ~_ZERO >> np.uint64(64 - count)
    for place in range(cells):
        if not filled[place]:
            for side in range(beside.shape[1]):
                other = beside[place, side]
                if not filled[other]:
                    near[number_of[place]] |= _ONE << np.uint64(number_of[other])
    for i in range(state.rows.shape[2]):
        ahead = state.rows[depth, ALIVE, i]
        while ahead != _ZERO:
            image = 64 * i + lowest(ahead)
            ahead &= ahead - _ONE
            option = lists.option_of[image]
            on = _ZERO
            for m in range(lists.image_starts[option], lists.image_starts[option + 1]):
                on |= _ONE << np.uint64(number_of[lists.images[m]])
            cells_of[image] = on


@inner()
def number_images(depth: int, lists: Images, state: State) -> None:
    """Number the images that fit at a node where cells have numbers; there must be 64 * FEW at most."""
    tile_of, rows, cells_of, words = lists.tile_of, state.rows, state.cells_of, state.words
    image_of, lie, cover, kin, square = state.image_of, state.lie, state.cover, state.kin, state.square
    kin[:] = _ZERO
    # Images of a tile follow each other, as a rule: bits are put together before they are written.
    count, tile, bits = 0, 0, _ZERO
    for i in range(rows.shape[2]):
        ahead = rows[depth, ALIVE, i]
        while ahead != _ZERO:
            image = 64 * i + lowest(ahead)
            ahead &= ahead - _ONE
            image_of[count], lie[count] = image, cells_of[image]
            if tile != tile_of[image] or count & 63 == 0:
                if count > 0:
                    kin[FEW * tile + ((count - 1) >> 6)] |= bits
                tile, bits = tile_of[image], _ZERO
            bits |= _ONE << np.uint64(count & 63)
            count += 1
    if count > 0:
        kin[FEW * tile + ((count - 1) >> 6)] |= bits
    for i in range(FEW):
        some = min(max(count - 64 * i, 0), 64)
        words[FEW * depth + i] = ~_ZERO >> np.uint64(64 - some) if some > 0 else _ZERO
        for k in range(64):
            square[k] = lie[64 * i + k] if k < some else _ZERO
        if some > 0:
            transpose(square)
        for c in range(64):
            cover[FEW * c + i] = square[c]


@inner()
def search_narrow(lists: Images, order: Order, state: State, last: int, stop_at_solutions: bool) -> int:
    """Search on below the node NARROW until `last` nodes have been made; EXHAUSTED back at that node, if that is done."""
    sequences, phases, size, pieces = order.sequences, order.phases, order.size, order.pieces
    left, owed, filled, stack, fits = state.left, state.owed, state.filled, state.stack, state.fits
    number_of, near, still, image_of, lie = state.number_of, state.near, state.still, state.image_of, state.lie
    cover, kin, words, todo, counters = state.cover, state.kin, state.words, state.todo, state.counters
    tile_of, top, choosy = lists.tile_of, np.uint64(counters[NARROW]), counters[CHOOSY] == 1
    depth, open_, slack, copies = np.uint64(counters[DEPTH]), counters[OPEN], counters[SLACK], counters[COPIES]
    nodes, found, back = counters[NODES], counters[FOUND], counters[BACK] == 1
    code = EXHAUSTED
    while True:
        here = _FEW * depth
        if not back:
            # A new node: which cell, which images.
            p = pieces[open_] if pieces[0] >= 0 else copies
            phase = phases[p]
            if phase < 0:
                least = ~_ZERO
                ahead = still[depth]
                while ahead != _ZERO:
                    c = np.uint64(trailing_zeros(ahead))
                    ahead &= ahead - _ONE
                    key = c
                    if phase == ESTIMATE:
                        key |= np.uint64(population(near[c] & still[depth])) << _32
                        if key > least:
                            continue
                    count = 0
                    for i in range(FEW):
                        count += population(words[here + np.uint64(i)] & cover[_FEW * c + np.uint64(i)])
                    least = min(least, key | (np.uint64(count) << _6))
                    if least <= _NUMBER:
                        break
                back = least & _FITS == _ZERO
                if back:
                    continue
                target = signed(least & _NUMBER)
                if phase == MRV:
                    # A tile of which one copy is left, and has to be used, may have fewer.
                    fewest = signed(least >> _6)
                    for t in range(size.size):
                        if left[t] == 1 and (not choosy or owed[t] == 1):
                            count = 0
                            for i in range(FEW):
                                count += population(words[here + np.uint64(i)] & kin[_FEW * np.uint64(t) + np.uint64(i)])
                            if count < fewest:
                                target, fewest = -1 - t, count
                    back = fewest == 0
                    if back:
                        continue
            else:
                i = 0
                while filled[sequences[phase, i]] or (still[depth] >> np.uint64(number_of[sequences[phase, i]])) & _ONE == _ZERO:
                    i += 1
                target = number_of[sequences[phase, i]]
            begin = stack[depth - _ONE, END] if depth > top else 0
            end = begin
            for i in range(FEW):
                ahead = words[here + np.uint64(i)]
                ahead &= cover[_FEW * np.uint64(target) + np.uint64(i)] if target >= 0 else kin[FEW * (-1 - target) + i]
                while ahead != _ZERO:
                    todo[end] = 64 * i + lowest(ahead)
                    ahead &= ahead - _ONE
                    end += 1
            stack[depth, NEXT], stack[depth, END], stack[depth, PIECES], stack[depth, TARGET] = begin, end, p, target
        else:
            # Take the last image away and go on behind it.
            if depth == top:
                counters[NARROW] = -1
                break
            depth -= _ONE
            here -= _FEW
            tile = stack[depth, TILE]
            left[tile] += 1
            if choosy:
                owed[tile] += 1
                if owed[tile] <= 0:
                    slack += size[tile]
            open_ += size[tile]
            copies += 1
        # The next image that fits.
        back = stack[depth, NEXT] == stack[depth, END]
        if back:
            continue
        number = np.uint64(todo[stack[depth, NEXT]])
        stack[depth, NEXT] += 1
        image, on = image_of[number], lie[number]
        still[depth + _ONE] = still[depth] & ~on
        below = here + _FEW
        for i in range(FEW):
            words[below + np.uint64(i)] = words[here + np.uint64(i)]
        while on != _ZERO:
            c = np.uint64(trailing_zeros(on))
            on &= on - _ONE
            for i in range(FEW):
                words[below + np.uint64(i)] &= ~cover[_FEW * c + np.uint64(i)]
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
        for t in range(0 if choosy else tile, size.size if choosy else tile + 1):
            if left[t] == 0 or (choosy and owed[t] <= 0 and size[t] > slack):
                for i in range(FEW):
                    words[below + np.uint64(i)] &= ~kin[_FEW * np.uint64(t) + np.uint64(i)]
        depth += _ONE
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
    counters[NODES], counters[FOUND], counters[BACK] = nodes, found, back
    return code
