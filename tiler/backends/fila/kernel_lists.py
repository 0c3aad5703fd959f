"""FILA in fixed orders: the first open cell is the target, and each image in the lists for the state of its neighbours is tried.

Cells are known by their place in the numbering; cell p is bit p & 63 of occ[p >> 6]. Masks of images are relative to the base of
their slot, so that they are short however large the board is; `windows` holds as many bits of `occ` from there. The lists are
those of tiler/backends/fila/lists.py; W words in a mask, V in a set of tiles, T tiles; slots = sets * cells.

    first, base         int64[slots]       the slot's list for z = 0; the place that bit 0 of its masks stands for
    around              int64[slots * sides]  the neighbours that z looks at; cells (never filled) for none
    has                 uint64[lists * V]  the tiles with images in a list
    starts              int64[lists * T + 1]  where the images of a tile in a list begin
    masks, option       uint64[.. * W], int32[..]  the images
    sequences           int64[sets, cells] the places of a fixed order, first to last
    phases              int64[pieces + 1]  the set by pieces left
    size                int64[T]           the cells of a tile
    pieces              int64[cells + 1]   pieces left by number of open cells; pieces[0] = -1: count copies instead
    left, owed          int64[T]           state: copies left; copies that must still be used
    available           uint64[V]          state: tiles with copies left
    occ                 uint64[.. + W]     state: cells that are filled; beyond the board all ones
    stack               int64[depth, 8]    state, by depth, by the names below
    todo, windows       uint64[depth], uint64[depth * W]  state, by depth: tiles still to try, the part of `occ` that masks see
    fits, nofits        int64[pieces + 1]  attempts by pieces left
    state               int64[9]           by the names below; IN_ORDER is the set whose order is the numbering, or -1

A step tries one image, at the price of one word each. Source: M. Busche, Fixed Image List Algorithm, 2018.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tiler.kernels import EXHAUSTED, PAUSED, SOLUTION, kernel
from tiler.kernels.bits import trailing_zeros

I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]

DEPTH, OPEN, SLACK, COPIES, NODES, FOUND, BACK, CHOOSY, IN_ORDER = range(9)
LIST, BASE, AT, END, TILE, WHERE, PHASE, PIECES = range(8)  # columns of `stack`

_ZERO, _ONE, _63, _FULL = np.uint64(0), np.uint64(1), np.uint64(63), ~np.uint64(0)

_I, _U = "int64[::1]", "uint64[::1]"
_LISTS = f"{_I},{_I},{_I},{_U},{_I},{_U},int32[::1]"
_CHOICE = f"int64[:,::1],{_I},{_I},{_I}"
_STATE = f"{_I},{_I},{_U},{_U},int64[:,::1],{_U},{_U},{_I},{_I},{_I}"


@kernel(f"int64({_LISTS},{_CHOICE},{_STATE},int64,boolean)")
def search(
    first: I64,
    base: I64,
    around: I64,
    has: U64,
    starts: I64,
    masks: U64,
    option: NDArray[np.int32],
    sequences: I64,
    phases: I64,
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
    state: I64,
    budget: int,
    stop_at_solutions: bool,
) -> int:
    cells, tiles, tile_words = sequences.shape[1], size.size, available.size
    words, sides = masks.size // option.size, around.size // max(first.size, 1)
    depth, open_, slack, copies = state[DEPTH], state[OPEN], state[SLACK], state[COPIES]
    nodes, found, back, choosy = state[NODES], state[FOUND], state[BACK] == 1, state[CHOOSY] == 1
    last = nodes + budget
    code = EXHAUSTED
    list_ = at = end = p = tile = 0
    tiles_left, window = _ZERO, _ZERO
    while True:
        if not back:
            # A new node: which cell, which images.
            p = pieces[open_] if pieces[0] >= 0 else copies
            phase = phases[p]
            where = 0
            if depth > 0 and stack[depth - 1, PHASE] == phase:
                where = stack[depth - 1, WHERE]
            if phase == state[IN_ORDER]:
                # The set's order is the numbering.
                word = where >> 6
                while occ[word] == _FULL:
                    word += 1
                where = target = word * 64 + trailing_zeros(~occ[word])
            else:
                target = sequences[phase, where]
                while (occ[target >> 6] >> np.uint64(target & 63)) & _ONE != _ZERO:
                    where += 1
                    target = sequences[phase, where]
            slot = phase * cells + target
            list_ = first[slot]
            for side in range(sides):
                other = around[slot * sides + side]
                list_ += np.int64((occ[other >> 6] >> np.uint64(other & 63)) & _ONE) << side
            stack[depth, BASE] = base[slot]
            word, shift = base[slot] >> 6, np.uint64(base[slot] & 63)
            window = (occ[word] >> shift) | ((occ[word + 1] << _ONE) << (_63 - shift))
            windows[depth * words] = window
            for k in range(1, words):
                windows[depth * words + k] = (occ[word + k] >> shift) | ((occ[word + k + 1] << _ONE) << (_63 - shift))
            tiles_left = available[0] & has[list_ * tile_words]
            at = end = tile = 0
            stack[depth, LIST], stack[depth, WHERE] = list_, where
            stack[depth, PHASE], stack[depth, PIECES] = phase, p
        else:
            # Take the last image away and go on behind it.
            if depth == 0:
                break
            depth -= 1
            at, tile = stack[depth, AT], stack[depth, TILE]
            word, shift = stack[depth, BASE] >> 6, np.uint64(stack[depth, BASE] & 63)
            for k in range(words):
                mask = masks[at * words + k]
                occ[word + k] ^= mask << shift
                occ[word + k + 1] ^= (mask >> _ONE) >> (_63 - shift)
            left[tile] += 1
            available[tile >> 6] |= _ONE << np.uint64(tile & 63)
            if choosy:
                owed[tile] += 1
                if owed[tile] <= 0:
                    slack += size[tile]
            open_ += size[tile]
            copies += 1
            list_, end, p = stack[depth, LIST], stack[depth, END], stack[depth, PIECES]
            tiles_left, window = todo[depth], windows[depth * words]
            at += 1
        # The next image that fits.
        begin = at
        misses = 0
        while True:
            while at < end:
                if window & masks[at * words] == _ZERO:
                    k = 1
                    while k < words and windows[depth * words + k] & masks[at * words + k] == _ZERO:
                        k += 1
                    if k >= words:
                        break
                at += 1
            misses += at - begin
            back = at == end
            if not back:
                break
            if tiles_left == _ZERO:
                v = (tile >> 6) + 1
                while v < tile_words and available[v] & has[list_ * tile_words + v] == _ZERO:
                    v += 1
                if v >= tile_words:
                    break
                tiles_left = available[v] & has[list_ * tile_words + v]
                tile = v * 64
            tile = (tile & ~63) + trailing_zeros(tiles_left)
            tiles_left &= tiles_left - _ONE
            at = end
            if not choosy or owed[tile] > 0 or size[tile] <= slack:
                at, end = starts[list_ * tiles + tile], starts[list_ * tiles + tile + 1]
            begin = at
        nofits[p] += misses
        if back:
            continue
        todo[depth] = tiles_left
        # Place it.
        fits[p] += 1
        stack[depth, AT], stack[depth, END], stack[depth, TILE] = at, end, tile
        word, shift = stack[depth, BASE] >> 6, np.uint64(stack[depth, BASE] & 63)
        for k in range(words):
            mask = masks[at * words + k]
            occ[word + k] ^= mask << shift
            occ[word + k + 1] ^= (mask >> _ONE) >> (_63 - shift)
        if choosy:
            if owed[tile] <= 0:
                slack -= size[tile]
            owed[tile] -= 1
        left[tile] -= 1
        if left[tile] == 0:
            available[tile >> 6] ^= _ONE << np.uint64(tile & 63)
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
        if nodes >= last:
            code = PAUSED
            break
    state[DEPTH], state[OPEN], state[SLACK], state[COPIES] = depth, open_, slack, copies
    state[NODES], state[FOUND], state[BACK] = nodes, found, back
    return code
