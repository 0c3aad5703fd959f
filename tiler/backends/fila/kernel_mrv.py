"""FILA where the target is the open cell with the fewest images: those that still fit are bits, counted by `and` and popcount.

Every image has a number, and a node knows which images fit in B words. As soon as 64 * FEW images fit and 64 cells are open at
most, both are numbered anew and the search goes on below that node with FEW words: *narrow*, some 50 to 120 ns a node. Fixed
orders take part in schedules. Since the images that fit are known, no other is tried: there are no no-fits to count.

    image_starts, images int64[options + 1], int32[..]  the places of each option's cells
    option_of, tile_of  int64[..]          the option and the tile of each image
    covering, of_tile   uint64[cells, B], uint64[T, B]  the images that cover a cell, and those of a tile
    beside              int64[cells, 4|6]  the neighbours of each cell; cells for none
    sequences           int64[sets, cells] the places of a fixed order, first to last
    phases              int64[pieces + 1]  by pieces left, the ordering: a set, or ESTIMATE or SIZE
    size                int64[T]           the cells of a tile
    pieces              int64[cells + 1]   pieces left by number of open cells; pieces[0] = -1: count copies instead
    left, owed          int64[T]           state: copies left; copies that must still be used
    filled              uint8[cells + 1]   state: which cells are filled, above the narrow part; the last one is
    rows                uint64[depth, 2, B]   state, by depth: images that fit, and those still to try
    words, still        uint64[depth, 2, FEW], uint64[depth]  state, by depth in the narrow part: the same, and the open cells
    stack               int64[depth, 5]    state, by depth, by the names below
    number_of           int64[cells]       narrow: the number of a cell
    image_of            int64[64 * FEW]    narrow: the image of a number
    lie                 uint64[64 * FEW]   narrow: the cells of an image
    near, cover         uint64[64], uint64[64, FEW]   narrow: the neighbours of a cell; the images that cover it
    kin                 uint64[T, FEW]     narrow: the images of a tile
    scratch             int64[cells]
    fits                int64[pieces + 1]  images placed, by pieces left
    state               int64[9]           by the names below

Source: M. Busche, Fixed Image List Algorithm, 2018, orderings e and s; the words of images are our own.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tiler.kernels import EXHAUSTED, PAUSED, SOLUTION, kernel
from tiler.kernels.bits import trailing_zeros

I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]
I32 = NDArray[np.int32]

DEPTH, OPEN, SLACK, COPIES, NODES, FOUND, BACK, CHOOSY, NARROW = range(9)
TILE, IMAGE, WHERE, PIECES, TARGET = range(5)  # columns of `stack`
ALIVE, REST = range(2)  # rows of `rows` and `words`
#: Words of images in the narrow part.
FEW = 8
#: Phases: the number of a set, or these.
ESTIMATE, SIZE = -1, -2

_ZERO, _ONE, _2, _4, _56 = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)
_PAIRS, _FOURS, _EIGHTS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333), np.uint64(0x0F0F0F0F0F0F0F0F)
_BYTES = np.uint64(0x0101010101010101)


@kernel()
def population(word: np.uint64) -> int:
    """How many bits are set; compiled, this is one instruction."""
    word = word - ((word >> _ONE) & _PAIRS)
    word = (word & _FOURS) + ((word >> _2) & _FOURS)
    return np.int64((((word + (word >> _4)) & _EIGHTS) * _BYTES) >> _56)  # type: ignore[return-value]


@kernel()
def lowest(word: np.uint64) -> int:
    """The position of the lowest bit that is set; not to be asked of zero."""
    return np.int64(trailing_zeros(word))  # type: ignore[return-value]


@kernel()
def number_anew(
    depth: int,
    image_starts: I64,
    images: I32,
    option_of: I64,
    tile_of: I64,
    beside: I64,
    filled: NDArray[np.uint8],
    rows: U64,
    words: U64,
    still: U64,
    number_of: I64,
    image_of: I64,
    lie: U64,
    near: U64,
    cover: U64,
    kin: U64,
) -> None:
    """Number the open cells and the images that fit at a node; there must be 64 and 64 * FEW at most."""
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


@kernel()
def choose(estimate: bool, filled: NDArray[np.uint8], beside: I64, covering: U64, rows: U64, depth: int, scratch: I64) -> int:
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


_I, _U, _U2, _I2 = "int64[::1]", "uint64[::1]", "uint64[:,::1]", "int64[:,::1]"
_IMAGES = f"{_I},int32[::1],{_I},{_I},{_U2},{_U2}"
_CHOICE = f"{_I2},{_I2},{_I},{_I},{_I}"
_U3 = "uint64[:,:,::1]"
_STATE = f"{_I},{_I},uint8[::1],{_U3},{_U3},{_U},{_I2},{_I},{_I},{_U},{_U},{_U2},{_U2},{_I},{_I},{_I}"


@kernel(f"int64({_IMAGES},{_CHOICE},{_STATE},int64,boolean)")
def search(
    image_starts: I64,
    images: I32,
    option_of: I64,
    tile_of: I64,
    covering: U64,
    of_tile: U64,
    beside: I64,
    sequences: I64,
    phases: I64,
    size: I64,
    pieces: I64,
    left: I64,
    owed: I64,
    filled: NDArray[np.uint8],
    rows: U64,
    words: U64,
    still: U64,
    stack: I64,
    number_of: I64,
    image_of: I64,
    lie: U64,
    near: U64,
    cover: U64,
    kin: U64,
    scratch: I64,
    fits: I64,
    state: I64,
    budget: int,
    stop_at_solutions: bool,
) -> int:
    tiles, bits = size.size, rows.shape[2]
    depth, open_, slack, copies = state[DEPTH], state[OPEN], state[SLACK], state[COPIES]
    nodes, found, back, choosy = state[NODES], state[FOUND], state[BACK] == 1, state[CHOOSY] == 1
    narrow = state[NARROW]  # the depth where the narrow part begins, or -1
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
                    number_anew(
                        depth,
                        image_starts,
                        images,
                        option_of,
                        tile_of,
                        beside,
                        filled,
                        rows,
                        words,
                        still,
                        number_of,
                        image_of,
                        lie,
                        near,
                        cover,
                        kin,
                    )
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
    state[DEPTH], state[OPEN], state[SLACK], state[COPIES] = depth, open_, slack, copies
    state[NODES], state[FOUND], state[BACK], state[NARROW] = nodes, found, back, narrow
    return code
