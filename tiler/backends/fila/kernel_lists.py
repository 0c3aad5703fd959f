"""Search by FILA with image lists: try each image in the list for a target cell and the state of its neighbours.

The target is the first open cell in a fixed order, or the cell that kernel_choice.py chooses.

A cell is identified by its place in the numbering; cell p is bit p & 63 of occupied[p >> 6]. Masks of images are relative to the
base of their slot, so that they are short however large the board is; `windows` holds as many bits of `occupied` from there. The
lists are made by tiler/backends/fila/lists.py. Below, W is the number of words in a mask, and V the number of words in a set of
tiles.

A step tries one image, at the price of one word each. Several threads may search parts of one tree. They share `Slots`,
`ListedImages`, `Order` and all of `CellChoice` but `scratch`, and write to none of these. Each has its own `scratch` and
`ListsState`.

`narrow` shortens the lists, at a node where dancing links hands over, to the images that are still alive.

Source: M. Busche, Fixed Image List Algorithm, 2018.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tiler.backends.fila.kernel_choice import ESTIMATE, CellChoice, candidates, fits_up_to
from tiler.backends.fila.kernel_counters import BACK, COPIES, DEPTH, FLOOR, FOUND, NODES, OPEN, SHARED, SLACK
from tiler.kernels import EXHAUSTED, PAUSED, SOLUTION, inner, kernel
from tiler.kernels.arrays import I32, I64, I64_2, U64, Bool, SolutionRows
from tiler.kernels.inner import end_solution, trailing_zeros


@kernel()
def narrow(keep: Bool, tiles: int, tile_words: int, images: ListedImages, into: ListedImages) -> None:
    """Write lists with only the options marked in `keep`, shape (options,). Each entry is looked at once.

    Threads share `images`, which is never written to; `into` belongs to one of them alone while this writes to it."""
    has, starts, masks, option = images.has, images.starts, images.masks, images.option
    words = masks.size // option.size
    end = 0
    for list_ in range(has.size // tile_words):
        for word in range(tile_words):
            into.has[list_ * tile_words + word] = 0
        for tile in range(tiles):
            begin = end
            into.starts[list_ * tiles + tile] = end
            for at in range(starts[list_ * tiles + tile], starts[list_ * tiles + tile + 1]):
                if keep[option[at]]:
                    into.option[end] = option[at]
                    for k in range(words):
                        into.masks[end * words + k] = masks[at * words + k]
                    end += 1
            if end > begin:
                into.has[list_ * tile_words + (tile >> 6)] |= np.uint64(1) << np.uint64(tile & 63)
    into.starts[into.starts.size - 1] = end


#: Places in `counters`, after those that all searches of FILA have.
CHOOSY, IN_ORDER = range(SHARED, COUNTERS := SHARED + 2)
LIST, BASE, AT, END, TILE, WHERE, PHASE, PIECES = range(STACK_COLUMNS := 8)


class Slots(NamedTuple):
    """The targets, one in each slot. Slot `set * cells + place` is a target in a fixed order. The slots after all sets, one for
    each place, are for targets that kernel_choice.py chooses. A search only reads this."""

    first: I64  #: (slots,): the slot's list when all neighbours looked at are open (z = 0); the lists for z = 1, 2, ... follow
    base: I64  #: (slots,): the place that bit 0 of the slot's masks stands for
    around: I64  #: (slots * sides,): the places that z looks at, bit 0 first; `cells`, which is never filled, for none


class ListedImages(NamedTuple):
    """The images in the lists; a search only reads this."""

    has: U64  #: (lists * V,): the tiles with an image in a list, as bits
    starts: I64  #: (lists * tiles + 1,): where the images of a tile in a list begin
    masks: U64  #: (entries * W,): the cells of the images
    option: I32  #: (entries,): the images


class Order(NamedTuple):
    """The rules that say which cell comes next; a search only reads this."""

    sequences: I64_2  #: (sets, cells): the places of a fixed order, first to last
    phases: I64  #: (pieces + 1,): by pieces left the set, or ESTIMATE or SIZE
    size: I64  #: (tiles,): the cells of a tile
    pieces: I64  #: (cells + 1,): pieces left by number of open cells; pieces[0] = -1: count copies instead


class ListsState(NamedTuple):
    """The state of a search."""

    left: I64  #: (tiles,): copies left
    owed: I64  #: (tiles,): copies that must still be used
    available: U64  #: (V,): tiles with copies left
    occupied: U64  #: cells that are filled, as bits; beyond the board all ones
    stack: I64_2  #: by depth: the LIST and its BASE; AT .. END, images of TILE in it; WHERE in the sequence; PHASE, PIECES left
    todo: U64  #: (levels,): by depth, tiles still to try, of one word
    windows: U64  #: (levels * W,): by depth, the part of `occupied` that masks see
    fits: I64  #: (pieces + 1,): attempts by pieces left
    nofits: I64
    targets: I64  #: (pieces + 1,): targets chosen, by pieces left
    tally: I64  #: (3 * lists,): by list, how often it was chosen, fits and no-fits; empty if nobody asks
    usable: U64  #: (V,): scratch: the tiles of which a copy can be placed
    counters: I64  #: by name; CHOOSY: not every copy must be used; IN_ORDER: the set whose order is the numbering, or -1

    @classmethod
    def new(cls, cells: int, tiles: int, levels: int, pieces: int, words: int, most_words: int, tallied: int) -> ListsState:
        """All zeros, for masks of `words` words, and sets of neighbours of no more than `most_words`."""
        return cls(
            left=np.zeros(tiles, np.int64),
            owed=np.zeros(tiles, np.int64),
            available=np.zeros(-(-tiles // 64), np.uint64),
            occupied=np.zeros(cells // 64 + most_words + 1, np.uint64),
            stack=np.zeros((levels, STACK_COLUMNS), np.int64),
            todo=np.zeros(levels, np.uint64),
            windows=np.zeros(levels * words, np.uint64),
            fits=np.zeros(pieces + 1, np.int64),
            nofits=np.zeros(pieces + 1, np.int64),
            targets=np.zeros(pieces + 1, np.int64),
            tally=np.zeros(3 * tallied, np.int64),
            usable=np.zeros(-(-tiles // 64), np.uint64),
            counters=np.zeros(COUNTERS, np.int64),
        )


_ZERO, _ONE, _63, _FULL = np.uint64(0), np.uint64(1), np.uint64(63), ~np.uint64(0)


@inner(inline=True)
def list_at(slot: int, sides: int, first: I64, around: I64, occ: U64) -> int:
    """The list of a slot for the present state of its neighbours."""
    list_ = first[slot]
    for side in range(sides):
        other = around[slot * sides + side]
        list_ += np.int64((occ[other >> 6] >> np.uint64(other & 63)) & _ONE) << side
    return int(list_)


@inner()
def _write_down(solutions: SolutionRows, option: I32, stack: I64_2, depth: int, most: int) -> bool:
    """Write down a solution. Whether there are `most` now."""
    row = solutions.values[solutions.filled[0]]
    for d in range(depth):
        row[d] = option[stack[d, AT]]
    return end_solution(solutions, depth, most)


@kernel()
def search(
    slots: Slots,
    images: ListedImages,
    order: Order,
    choice: CellChoice,
    state: ListsState,
    solutions: SolutionRows,
    budget: int,
    most: int,
) -> int:
    """Search for `budget` nodes from where the state is, and write down solutions until there are `most`; 0: only count them."""
    first, base, around = slots.first, slots.base, slots.around
    has, starts, masks, option = images.has, images.starts, images.masks, images.option
    sequences, phases, size, pieces = order.sequences, order.phases, order.size, order.pieces
    left, owed, available, occ, stack = state.left, state.owed, state.available, state.occupied, state.stack
    todo, windows, fits, nofits, counters = state.todo, state.windows, state.fits, state.nofits, state.counters
    targets, tally, usable, scratch = state.targets, state.tally, state.usable, choice.scratch
    cells, tiles, tile_words = sequences.shape[1], size.size, available.size
    words, sides = masks.size // option.size, around.size // max(first.size, 1)
    chosen, tallied = sequences.shape[0] * cells, tally.size > 0
    depth, open_, slack, copies = counters[DEPTH], counters[OPEN], counters[SLACK], counters[COPIES]
    nodes, found, back, choosy = counters[NODES], counters[FOUND], counters[BACK] == 1, counters[CHOOSY] == 1
    last, floor = nodes + budget, counters[FLOOR]
    code = EXHAUSTED
    list_ = at = end = p = tile = phase = 0
    tiles_left, window = _ZERO, _ZERO
    while True:
        entered = not back
        if entered:
            # A new node: choose its cell and its list of images.
            p = pieces[open_] if pieces[0] >= 0 else copies
            phase = phases[p]
            targets[p] += 1
            where = 0
            if depth > 0 and stack[depth - 1, PHASE] == phase:
                where = stack[depth - 1, WHERE]
            if phase < 0:
                many = candidates(phase == ESTIMATE, choice.near, choice.near_base, scratch, occ)
                target = scratch[0]
                if many > 1:
                    for v in range(tile_words):
                        usable[v] = available[v]
                    for t in range(tiles if choosy else 0):
                        if owed[t] <= 0 and size[t] > slack:
                            usable[t >> 6] &= ~(_ONE << np.uint64(t & 63))
                    fewest = 1 << 62
                    for c in range(many):
                        slot = chosen + scratch[c]
                        list_ = list_at(slot, sides, first, around, occ)
                        count = fits_up_to(fewest, list_, base[slot], words, usable, has, starts, masks, occ)
                        if count < fewest:
                            target, fewest = scratch[c], count
                            if count == 0:
                                break
                    if fewest == 0:
                        # The node is known to be dead: nothing is tried.
                        back = True
                        if tallied:
                            tally[3 * list_] += 1
                        continue
                slot = chosen + target
            elif phase == counters[IN_ORDER]:
                # The set's order is the numbering.
                word = where >> 6
                while occ[word] == _FULL:
                    word += 1
                where = target = word * 64 + trailing_zeros(~occ[word])
                slot = phase * cells + target
            else:
                target = sequences[phase, where]
                while (occ[target >> 6] >> np.uint64(target & 63)) & _ONE != _ZERO:
                    where += 1
                    target = sequences[phase, where]
                slot = phase * cells + target
            list_ = list_at(slot, sides, first, around, occ)
            if tallied:
                tally[3 * list_] += 1
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
            # Take the last image away, and go on with the next one in the list.
            if depth == floor:
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
        if entered and back and phase < 0:
            # Nothing fits on the cell, as its choice has shown: it is not tried.
            misses = 0
        nofits[p] += misses
        if tallied:
            tally[3 * list_ + 1] += int(not back)
            tally[3 * list_ + 2] += misses
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
            if most > 0 and _write_down(solutions, option, stack, depth, most):
                code = SOLUTION
                break
        if nodes >= last:
            code = PAUSED
            break
    counters[DEPTH], counters[OPEN], counters[SLACK], counters[COPIES] = depth, open_, slack, copies
    counters[NODES], counters[FOUND], counters[BACK] = nodes, found, back
    return code
