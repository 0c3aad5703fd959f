"""FILA: choose a target cell, take the lists for the state of its neighbours, try each image of each tile with copies left.

Cells are known by their place in the numbering; cell p is bit p & 63 of occ[p >> 6]. Masks of images are relative to the base of
their slot, so that they are short however large the board is; `windows` holds as many bits of `occ` from there. The lists are
those of tiler/fila/lists.py; W words in a mask, V words in a set of tiles, T tiles, slots = sets * cells.

    first, base         int64[slots]       the slot's list for z = 0; the place that bit 0 of its masks stands for
    around_starts, around int64[slots + 1], int64[..]  the neighbours that z looks at
    has                 uint64[lists * V]  the tiles with images in the list
    starts              int64[lists * T + 1]  where the images of a tile in a list begin
    masks, option       uint64[.. * W], int32[..]  the images
    beside              int64[cells, 4|6]  all neighbours of each cell, -1 for none
    sequences           int64[sets, cells] the places of a fixed order, first to last
    phases              int64[..]          by pieces left (then as the last): 2 * set + 1 for the estimate, else 2 * set
    kinds               int64[sets]        FIRST, SEQUENCE or FEWEST: how a target is chosen
    size                int64[T]           the cells of a tile
    pieces              int64[cells + 1]   pieces left by number of open cells; pieces[0] = -1: count copies instead
    left, owed          int64[T]           state: copies left; copies that must still be used
    available           uint64[V]          state: tiles with copies left
    occ                 uint64[.. + W]     state: cells that are filled; beyond the board all ones
    stack               int64[depth, 8]    state: what there is to do at each depth, by the names below
    todo, windows       uint64[depth], uint64[depth * W]  state: tiles to do at each depth, the part of `occ` that masks see
    fits, nofits        int64[pieces + 1]  attempts by pieces left
    state               int64[8]           by the names below

A step tries one image, at the price of one word each. Source: M. Busche, Fixed Image List Algorithm, 2018.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tiler.kernels import EXHAUSTED, PAUSED, SOLUTION, kernel
from tiler.kernels.bits import trailing_zeros

I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]

DEPTH, OPEN, SLACK, COPIES, NODES, FOUND, BACK, CHOOSY = range(8)
LIST, BASE, AT, END, TILE, WHERE, PHASE, PIECES = range(8)  # columns of `stack`
FIRST, SEQUENCE, FEWEST = range(3)

_ZERO, ONE, _63, FULL = np.uint64(0), np.uint64(1), np.uint64(63), ~np.uint64(0)


@kernel()
def is_filled(occ: U64, place: int) -> bool:
    """Whether a cell is filled."""
    return bool((occ[place >> 6] >> np.uint64(place & 63)) & ONE != _ZERO)


@kernel()
def look(occ: U64, base: int, windows: U64, to: int, words: int) -> None:
    """Copy the bits of `occ` from a place on to words of `windows`."""
    word, shift = base >> 6, np.uint64(base & 63)
    for k in range(words):
        windows[to + k] = (occ[word + k] >> shift) | ((occ[word + k + 1] << ONE) << (_63 - shift))


@kernel()
def flip(occ: U64, base: int, masks: U64, at: int, words: int) -> None:
    """Place an image, or take it away."""
    word, shift = base >> 6, np.uint64(base & 63)
    for k in range(words):
        mask = masks[at * words + k]
        occ[word + k] ^= mask << shift
        occ[word + k + 1] ^= (mask >> ONE) >> (_63 - shift)


@kernel()
def list_of(slot: int, first: I64, around: I64, occ: U64) -> int:
    """The list for the state z of the neighbours of a target."""
    sides = around.size // first.size
    z = 0
    for side in range(sides):
        z |= int(is_filled(occ, around[slot * sides + side])) << side
    return first[slot] + z  # type: ignore[no-any-return]


@kernel()
def count_images(
    list_: int,
    most: int,
    has: U64,
    starts: I64,
    masks: U64,
    windows: U64,
    seen: int,
    words: int,
    available: U64,
    owed: I64,
    size: I64,
    slack: int,
) -> int:
    """How many images of a list fit, or `most` if there are as many or more."""
    tile_words, tiles = available.size, size.size
    count = 0
    for v in range(tile_words):
        todo = available[v] & has[list_ * tile_words + v]
        while todo != _ZERO:
            tile = v * 64 + trailing_zeros(todo)
            todo &= todo - ONE
            if owed[tile] <= 0 and size[tile] > slack:
                continue
            for at in range(starts[list_ * tiles + tile], starts[list_ * tiles + tile + 1]):
                k = 0
                while k < words and windows[seen + k] & masks[at * words + k] == _ZERO:
                    k += 1
                if k == words:
                    count += 1
                    if count == most:
                        return count
    return count


@kernel()
def fewest(
    set_: int,
    estimate: bool,
    candidates: I64,
    first: I64,
    base: I64,
    around: I64,
    has: U64,
    starts: I64,
    masks: U64,
    beside: I64,
    windows: U64,
    seen: int,
    words: int,
    occ: U64,
    available: U64,
    owed: I64,
    size: I64,
    slack: int,
) -> int:
    """The open cell where fewest images fit; for the estimate, of those with fewest open neighbours. The first of equals."""
    cells = beside.shape[0]
    many, least = 0, beside.shape[1]
    for place in range(cells):
        if is_filled(occ, place):
            continue
        if estimate:
            number = 0
            for side in range(beside.shape[1]):
                other = beside[place, side]
                number += other >= 0 and not is_filled(occ, other)
            if number > least:
                continue
            if number < least:
                least, many = number, 0
        candidates[many] = place
        many += 1
    best, best_count = int(candidates[0]), 1 << 62
    for i in range(many if many > 1 else 0):
        place = int(candidates[i])
        slot = set_ * cells + place
        look(occ, base[slot], windows, seen, words)
        list_ = list_of(slot, first, around, occ)
        count = count_images(list_, best_count, has, starts, masks, windows, seen, words, available, owed, size, slack)
        if count < best_count:
            best, best_count = place, count
            if count == 0:
                break
    return best


_I, _U = "int64[::1]", "uint64[::1]"
_LISTS = f"{_I},{_I},{_I},{_U},{_I},{_U},int32[::1]"
_CHOICE = f"int64[:,::1],int64[:,::1],{_I},{_I},{_I},{_I}"
_STATE = f"{_I},{_I},{_U},{_U},int64[:,::1],{_U},{_U},{_I},{_I},{_I},{_I}"


@kernel(f"int64({_LISTS},{_CHOICE},{_STATE},int64,boolean)")
def search(
    first: I64,
    base: I64,
    around: I64,
    has: U64,
    starts: I64,
    masks: U64,
    option: NDArray[np.int32],
    beside: I64,
    sequences: I64,
    phases: I64,
    kinds: I64,
    size: I64,
    pieces: I64,
    left: I64,
    owed: I64,
    available: U64,
    occ: U64,
    stack: I64,
    todo: U64,
    windows: U64,
    fits: I64,
    nofits: I64,
    candidates: I64,
    state: I64,
    budget: int,
    stop_at_solutions: bool,
) -> int:
    cells, tiles, tile_words = beside.shape[0], size.size, available.size
    words, sides, choosy = masks.size // option.size, around.size // first.size, state[CHOOSY] == 1
    depth, open_, slack, copies = state[DEPTH], state[OPEN], state[SLACK], state[COPIES]
    nodes, found, back = state[NODES], state[FOUND], state[BACK] == 1
    enter = not back
    last = nodes + budget
    code = EXHAUSTED
    list_ = at = end = p = 0
    tiles_left, window = _ZERO, _ZERO
    while True:
        if enter:
            # A new node: which cell, which lists.
            p = pieces[open_] if pieces[0] >= 0 else copies
            phase = phases[min(p, phases.size - 1)]
            set_ = phase >> 1
            where = 0
            if depth > 0 and stack[depth - 1, PHASE] == phase:
                where = stack[depth - 1, WHERE]
            if kinds[set_] == FIRST:
                word = where >> 6
                while occ[word] == FULL:
                    word += 1
                where = word * 64 + trailing_zeros(~occ[word])
                target = where
            elif kinds[set_] == SEQUENCE:
                while is_filled(occ, sequences[set_, where]):
                    where += 1
                target = sequences[set_, where]
            else:
                target = fewest(
                    set_,
                    phase & 1 == 1,
                    candidates,
                    first,
                    base,
                    around,
                    has,
                    starts,
                    masks,
                    beside,
                    windows,
                    depth * words,
                    words,
                    occ,
                    available,
                    owed,
                    size,
                    slack,
                )
            slot = set_ * cells + target
            list_ = first[slot]
            for side in range(sides):
                other = around[slot * sides + side]
                list_ += np.int64((occ[other >> 6] >> np.uint64(other & 63)) & ONE) << side
            stack[depth, LIST], stack[depth, BASE], stack[depth, WHERE] = list_, base[slot], where
            stack[depth, PHASE], stack[depth, PIECES], stack[depth, TILE] = phase, p, 0
            word, shift = base[slot] >> 6, np.uint64(base[slot] & 63)
            window = (occ[word] >> shift) | ((occ[word + 1] << ONE) << (_63 - shift))
            windows[depth * words] = window
            for k in range(1, words):
                windows[depth * words + k] = (occ[word + k] >> shift) | ((occ[word + k + 1] << ONE) << (_63 - shift))
            tiles_left = available[0] & has[list_ * tile_words]
            at = end = 0
            enter = False
        elif back:
            # Take the last image away and go on behind it.
            if depth == 0:
                break
            depth -= 1
            at, tile = stack[depth, AT], stack[depth, TILE]
            word, shift = stack[depth, BASE] >> 6, np.uint64(stack[depth, BASE] & 63)
            mask = masks[at * words]
            occ[word] ^= mask << shift
            occ[word + 1] ^= (mask >> ONE) >> (_63 - shift)
            for k in range(1, words):
                mask = masks[at * words + k]
                occ[word + k] ^= mask << shift
                occ[word + k + 1] ^= (mask >> ONE) >> (_63 - shift)
            left[tile] += 1
            available[tile >> 6] |= ONE << np.uint64(tile & 63)
            if choosy:
                owed[tile] += 1
                if owed[tile] <= 0:
                    slack += size[tile]
            open_ += size[tile]
            copies += 1
            list_, end, p = stack[depth, LIST], stack[depth, END], stack[depth, PIECES]
            tiles_left = todo[depth]
            window = windows[depth * words]
            at += 1
            back = False
        # The next image that fits.
        before = at
        misses = 0
        tile = stack[depth, TILE]
        while True:
            while at < end:
                if window & masks[at * words] == _ZERO:
                    k = 1
                    while k < words and windows[depth * words + k] & masks[at * words + k] == _ZERO:
                        k += 1
                    if k >= words:
                        break
                at += 1
            misses += at - before
            if at < end:
                break
            if tiles_left == _ZERO:
                v = (tile >> 6) + 1
                while v < tile_words:
                    tiles_left = available[v] & has[list_ * tile_words + v]
                    if tiles_left != _ZERO:
                        break
                    v += 1
                if tiles_left == _ZERO:
                    back = True
                    break
                tile = v * 64
            tile = (tile & ~63) + trailing_zeros(tiles_left)
            tiles_left &= tiles_left - ONE
            at = end
            if not choosy or owed[tile] > 0 or size[tile] <= slack:
                at, end = starts[list_ * tiles + tile], starts[list_ * tiles + tile + 1]
            before = at
        nofits[p] += misses
        if back:
            continue
        fits[p] += 1
        stack[depth, AT], stack[depth, END], stack[depth, TILE] = at, end, tile
        todo[depth] = tiles_left
        word, shift = stack[depth, BASE] >> 6, np.uint64(stack[depth, BASE] & 63)
        mask = masks[at * words]
        occ[word] ^= mask << shift
        occ[word + 1] ^= (mask >> ONE) >> (_63 - shift)
        for k in range(1, words):
            mask = masks[at * words + k]
            occ[word + k] ^= mask << shift
            occ[word + k + 1] ^= (mask >> ONE) >> (_63 - shift)
        if choosy:
            if owed[tile] <= 0:
                slack -= size[tile]
            owed[tile] -= 1
        left[tile] -= 1
        if left[tile] == 0:
            available[tile >> 6] ^= ONE << np.uint64(tile & 63)
        open_ -= size[tile]
        copies -= 1
        depth += 1
        nodes += 1
        if open_ == 0:
            found += 1
            back = True
            if stop_at_solutions:
                code = SOLUTION
                break
        else:
            enter = True
        if nodes == last:
            code = PAUSED
            break
    state[DEPTH], state[OPEN], state[SLACK], state[COPIES] = depth, open_, slack, copies
    state[NODES], state[FOUND], state[BACK] = nodes, found, back
    return code
