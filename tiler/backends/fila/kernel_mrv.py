"""FILA where the target is the open cell with the fewest images: those that still fit are bits, counted by `and` and popcount.

Every image has a number, and a node knows which images fit in B words. As soon as 64 * FEW images fit and 64 cells are open at
most, both are numbered anew and the search goes on below that node with FEW words: *narrow*, some 50 to 120 ns a node. Fixed
orders take part in schedules. Since the images that fit are known, no other is tried: there are no no-fits to count.

Source: M. Busche, Fixed Image List Algorithm, 2018, orderings e and s; the words of images are our own.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tiler.backends.fila.kernel_choice import ESTIMATE, SIZE
from tiler.backends.fila.kernel_counters import BACK, COPIES, DEPTH, FOUND, NODES, OPEN, SHARED, SLACK
from tiler.backends.fila.kernel_lists import Order
from tiler.kernels import EXHAUSTED, PAUSED, SOLUTION, inner, kernel
from tiler.kernels.arrays import I32, I64, I64_2, U8, U64, U64_2, U64_3
from tiler.kernels.bits import population, trailing_zeros

#: Of `counters`, besides those that all searches of FILA have.
CHOOSY, NARROW = range(SHARED, COUNTERS := SHARED + 2)
TILE, IMAGE, WHERE, PIECES, TARGET = range(STACK_COLUMNS := 5)
ALIVE, REST = range(ROWS := 2)  #: of `rows` and `words`
#: Words of images in the narrow part.
FEW = 8


class Images(NamedTuple):
    """What can be placed from the node on where the search begins, in sets of B words; a search changes nothing of it."""

    image_starts: I64  #: (options + 1,): where the cells of each option begin
    images: I32  #: their places
    option_of: I64  #: (images,): the option
    tile_of: I64  #: (images,): its tile
    covering: U64_2  #: (cells, B): the images that cover a cell
    of_tile: U64_2  #: (tiles, B): the images of a tile
    beside: I64_2  #: (cells, sides): the neighbours of each cell; `cells`, which is always filled, for none


class State(NamedTuple):
    """Where a search stands; what is narrow holds below the node NARROW."""

    left: I64  #: (tiles,): copies left
    owed: I64  #: (tiles,): copies that must still be used
    filled: U8  #: (cells + 1,): which cells are filled, above the narrow part; the last one is
    rows: U64_3  #: (levels, 2, B): by depth, images that fit (ALIVE), and those still to try (REST)
    words: U64_3  #: (levels, 2, FEW): the same in the narrow part
    still: U64  #: (levels,): by depth in the narrow part, the open cells
    stack: I64_2  #: by depth: TILE and IMAGE placed, WHERE in REST the last one was, PIECES left, the TARGET
    number_of: I64  #: (cells,): narrow: the number of a cell
    image_of: I64  #: (64 * FEW,): narrow: the image of a number
    lie: U64  #: (64 * FEW,): narrow: the cells of an image
    near: U64  #: (64,): narrow: the neighbours of a cell
    cover: U64_2  #: (64, FEW): narrow: the images that cover a cell
    kin: U64_2  #: (tiles, FEW): narrow: the images of a tile
    scratch: I64  #: (cells,)
    fits: I64  #: (pieces + 1,): images placed, by pieces left
    counters: I64  #: by name; CHOOSY: not every copy must be used; NARROW: the depth where the narrow part begins, or -1

    @classmethod
    def new(cls, cells: int, tiles: int, levels: int, pieces: int) -> State:
        """All zeros, all cells filled; `rows` without any images."""
        return cls(
            left=np.zeros(tiles, np.int64),
            owed=np.zeros(tiles, np.int64),
            filled=np.ones(cells + 1, np.uint8),
            rows=np.zeros((levels, ROWS, 0), np.uint64),
            words=np.zeros((levels, ROWS, FEW), np.uint64),
            still=np.zeros(levels, np.uint64),
            stack=np.zeros((levels, STACK_COLUMNS), np.int64),
            number_of=np.zeros(cells, np.int64),
            image_of=np.zeros(64 * FEW, np.int64),
            lie=np.zeros(64 * FEW, np.uint64),
            near=np.zeros(64, np.uint64),
            cover=np.zeros((64, FEW), np.uint64),
            kin=np.zeros((tiles, FEW), np.uint64),
            scratch=np.zeros(cells, np.int64),
            fits=np.zeros(pieces + 1, np.int64),
            counters=np.zeros(COUNTERS, np.int64),
        )


_ZERO, _ONE = np.uint64(0), np.uint64(1)


@inner()
def lowest(word: np.uint64) -> int:
    """The position of the lowest bit that is set; not to be asked of zero."""
    return np.int64(trailing_zeros(word))  # type: ignore[return-value]


@inner()
def number_anew(depth: int, lists: Images, state: State) -> None:
    """Number the open cells and the images that fit at a node; there must be 64 and 64 * FEW at most."""
    image_starts, images, option_of, tile_of = lists.image_starts, lists.images, lists.option_of, lists.tile_of
    beside, filled, rows, words, still = lists.beside, state.filled, state.rows, state.words, state.still
    number_of, image_of, lie, near = state.number_of, state.image_of, state.lie, state.near
    cover, kin = state.cover, state.kin
    cells = filled.size - 1
    count = 0
    for place in range(cells):
        if not filled[place]:
            number_of[place] = count
            near[count] = _ZERO
            count += 1
    still[depth] = ~_ZERO >> np.uint64(64 - count)
    for place in range(cells):
        if not filled[place]:
            for side in range(beside.shape[1]):
                other = beside[place, side]
                if not filled[other]:
                    near[number_of[place]] |= _ONE << np.uint64(number_of[other])
    cover[:], kin[:], words[depth] = _ZERO, _ZERO, _ZERO
    count = 0
    for i in range(rows.shape[2]):
        word = rows[depth, ALIVE, i]
        while word != _ZERO:
            image = 64 * i + lowest(word)
            word &= word - _ONE
            i_new, bit = count >> 6, _ONE << np.uint64(count & 63)
            words[depth, ALIVE, i_new] |= bit
            image_of[count] = image
            lie[count] = _ZERO
            for m in range(image_starts[option_of[image]], image_starts[option_of[image] + 1]):
                c = number_of[images[m]]
                lie[count] |= _ONE << np.uint64(c)
                cover[c, i_new] |= bit
            kin[tile_of[image], i_new] |= bit
            count += 1


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


@kernel()
def search(lists: Images, order: Order, state: State, budget: int, stop_at_solutions: bool) -> int:
    image_starts, images, option_of, tile_of = lists.image_starts, lists.images, lists.option_of, lists.tile_of
    covering, of_tile, beside = lists.covering, lists.of_tile, lists.beside
    sequences, phases, size, pieces = order.sequences, order.phases, order.size, order.pieces
    left, owed, filled, rows, stack = state.left, state.owed, state.filled, state.rows, state.stack
    words, still, number_of, image_of = state.words, state.still, state.number_of, state.image_of
    lie, near, cover, kin = state.lie, state.near, state.cover, state.kin
    scratch, fits, counters = state.scratch, state.fits, state.counters
    tiles, bits = size.size, rows.shape[2]
    depth, open_, slack, copies = counters[DEPTH], counters[OPEN], counters[SLACK], counters[COPIES]
    nodes, found, back, choosy = counters[NODES], counters[FOUND], counters[BACK] == 1, counters[CHOOSY] == 1
    narrow = counters[NARROW]  # the depth where the narrow part begins, or -1
    last = nodes + budget
    code = EXHAUSTED
    while True:
        if not back:
            # A new node: which cell, which images.
            p = pieces[open_] if pieces[0] >= 0 else copies
            phase = phases[p]
            stack[depth, PIECES] = p
            if narrow < 0 and open_ <= 64:
                count = 0
                for i in range(bits):
                    count += population(rows[depth, ALIVE, i])
                if count <= 64 * FEW:
                    narrow = depth
                    number_anew(depth, lists, state)
            if narrow >= 0:
                target = 0
                if phase < 0:
                    fewest, least = 1 << 62, 64
                    ahead = still[depth]
                    while ahead != _ZERO:
                        c = lowest(ahead)
                        ahead &= ahead - _ONE
                        if phase == ESTIMATE:
                            number = population(near[c] & still[depth])
                            if number > least:
                                continue
                            if number < least:
                                least, fewest = number, 1 << 62
                        count = 0
                        for i in range(FEW):
                            count += population(words[depth, ALIVE, i] & cover[c, i])
                        if count < fewest:
                            target, fewest = c, count
                            if count == 0 and phase == SIZE:
                                break
                else:
                    i = 0
                    place = sequences[phase, i]
                    while filled[place] or (still[depth] >> np.uint64(number_of[place])) & _ONE == _ZERO:
                        i += 1
                        place = sequences[phase, i]
                    target = number_of[place]
                for i in range(FEW):
                    words[depth, REST, i] = words[depth, ALIVE, i] & cover[target, i]
                stack[depth, TARGET] = target
            else:
                if phase < 0:
                    target = choose(phase == ESTIMATE, filled, beside, covering, rows, depth, scratch)
                else:
                    place = 0
                    while filled[sequences[phase, place]]:
                        place += 1
                    target = sequences[phase, place]
                for i in range(bits):
                    rows[depth, REST, i] = rows[depth, ALIVE, i] & covering[target, i]
                stack[depth, WHERE], stack[depth, TARGET] = 0, target
        else:
            # Take the last image away and go on behind it.
            if depth == 0:
                break
            depth -= 1
            tile = stack[depth, TILE]
            left[tile] += 1
            if choosy:
                owed[tile] += 1
                if owed[tile] <= 0:
                    slack += size[tile]
            open_ += size[tile]
            copies += 1
            if narrow < 0:
                option = option_of[stack[depth, IMAGE]]
                for m in range(image_starts[option], image_starts[option + 1]):
                    filled[images[m]] = 0
        # The next image that fits.
        if narrow >= 0:
            i = 0
            while i < FEW and words[depth, REST, i] == _ZERO:
                i += 1
            back = i == FEW
            if back:
                narrow = -1 if depth == narrow else narrow
                continue
            number = 64 * i + lowest(words[depth, REST, i])
            words[depth, REST, i] &= words[depth, REST, i] - _ONE
            image = image_of[number]
            for i in range(FEW):
                words[depth + 1, ALIVE, i] = words[depth, ALIVE, i]
            on = lie[number]
            still[depth + 1] = still[depth] & ~on
            while on != _ZERO:
                c = lowest(on)
                on &= on - _ONE
                for i in range(FEW):
                    words[depth + 1, ALIVE, i] &= ~cover[c, i]
        else:
            i = stack[depth, WHERE]
            while i < bits and rows[depth, REST, i] == _ZERO:
                i += 1
            back = i == bits
            if back:
                continue
            stack[depth, WHERE] = i
            image = 64 * i + lowest(rows[depth, REST, i])
            rows[depth, REST, i] &= rows[depth, REST, i] - _ONE
            for i in range(bits):
                rows[depth + 1, ALIVE, i] = rows[depth, ALIVE, i]
            for m in range(image_starts[option_of[image]], image_starts[option_of[image] + 1]):
                filled[images[m]] = 1
                for i in range(bits):
                    rows[depth + 1, ALIVE, i] &= ~covering[images[m], i]
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
                if narrow >= 0:
                    for i in range(FEW):
                        words[depth + 1, ALIVE, i] &= ~kin[t, i]
                else:
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
    counters[NODES], counters[FOUND], counters[BACK], counters[NARROW] = nodes, found, back, narrow
    return code
