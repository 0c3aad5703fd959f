"""Run the last stage of Algorithm X with multiplicities (kernel.py): few options, in WORDS words, and one word for all cells.

It begins at a node where at most 64 cells are open and at most 64 * WORDS options are left, and searches below that node. It
keeps no degrees: when a node is entered, the options of each cell and tile are counted by `and` and popcount, in some 100 to 200
ns a node. Cells are looked at first, because mostly one of them shows that the node is dead. The tree is that tree which
kernel.py makes, node for node and in the same order. Arrays that several threads share are only read here: see kernel.py.
"""

from __future__ import annotations

import numpy as np

from tiler.backends.dlx.kernel_state import (
    AT,
    BACK,
    CELLS,
    CHOSEN,
    DEPTH,
    END,
    ENTER,
    FLOOR,
    FOUND,
    FREE,
    ITEM,
    NARROW,
    NEXT,
    NODES,
    OPEN,
    PHASE,
    SLACK,
    TRIED,
    WAYS,
    WORDS,
    DlxMatrix,
    DlxState,
    Narrow,
)
from tiler.kernels import EXHAUSTED, PAUSED, SOLUTION, inner
from tiler.kernels.arrays import I64_2, U64, SolutionRows
from tiler.kernels.inner import end_solution, population, trailing_zeros

# All parts of an index are unsigned here: with a signed index each access would check whether it is negative.
_ZERO, _ONE, _WORDS, _ALL = np.uint64(0), np.uint64(1), np.uint64(WORDS), ~np.uint64(0)
#: A cell is compared as one number: from bit 6 on how many options cover it, and below that the cell's number.
_NUMBER, _6, _63 = np.uint64(0x3F), np.uint64(6), np.uint64(63)

_FEW = 1 << 15  # so few words are cleared faster all at once than one by one


@inner()
def number_cells(depth: int, level: int, matrix: DlxMatrix, state: DlxState, narrow: Narrow) -> None:
    """Number the open cells of a node, from 1 to 64 of them, and write down the cells of each option left."""
    starts, items, size, tile = matrix.starts, matrix.items, matrix.size, matrix.tile
    number_of, count = narrow.number_of, 0
    for cell in range(number_of.size):
        if state.degree[level, cell] < FREE:
            number_of[cell], narrow.cell_of[count] = count, cell
            count += 1
    narrow.open_cells[depth] = _ALL >> np.uint64(64 - count)
    for w in range(state.alive.shape[1]):
        ahead = state.alive[depth, w]
        while ahead != _ZERO:
            option = 64 * w + signed(trailing_zeros(ahead))
            ahead &= ahead - _ONE
            on = _ZERO
            for i in range(starts[option], starts[option] + np.uint64(size[tile[option]])):
                on |= _ONE << np.uint64(number_of[items[i]])
            narrow.cells_of[option] = on


@inner()
def begin_narrow(depth: int, matrix: DlxMatrix, state: DlxState, narrow: Narrow) -> None:
    """Let the last stage begin at a node where cells have numbers: number the options left, at most 64 * WORDS, and the tiles
    that must still be used."""
    state.counters[PHASE], state.counters[NARROW] = ENTER, depth
    tile, lower, used = matrix.tile, matrix.lower, state.used
    option_of, option_cells, tile_options, square, cover = (
        narrow.option_of,
        narrow.option_cells,
        narrow.tile_options,
        narrow.square,
        narrow.cover,
    )
    tile_options[:] = _ZERO
    count = _ZERO
    for w in range(state.alive.shape[1]):
        ahead = state.alive[depth, w]
        while ahead != _ZERO:
            option = 64 * w + signed(trailing_zeros(ahead))
            ahead &= ahead - _ONE
            option_of[count], option_cells[count] = option, narrow.cells_of[option]
            tile_options[_WORDS * np.uint64(tile[option]) + (count >> _6)] |= _ONE << (count & _63)
            count += _ONE
    if matrix.rivals.size > 0:
        begin_colours(count, matrix, narrow)
    owed, needed = 0, _ZERO
    for t in range(lower.size):
        narrow.bit_of[t] = _ZERO
        if used[t] < lower[t]:
            narrow.tile_of[owed], narrow.bit_of[t] = t, _ONE << np.uint64(owed)
            needed |= narrow.bit_of[t]
            owed += 1
    narrow.needed[depth] = needed
    many = signed(count)
    for i in range(WORDS):
        some = min(max(many - 64 * i, 0), 64)
        narrow.words[WORDS * depth + i] = _ALL >> np.uint64(64 - some) if some > 0 else _ZERO
        for k in range(64):
            square[k] = option_cells[64 * i + k] if k < some else _ZERO
        if some > 0:
            transpose(square)
        for c in range(64):
            cover[WORDS * c + i] = square[c]


@inner()
def begin_colours(count: np.uint64, matrix: DlxMatrix, narrow: Narrow) -> None:
    """Write down, for each colour of an item, which of the numbered options give the item this colour."""
    rival_starts, rivals, shared, shades = matrix.rival_starts, matrix.rivals, matrix.shared, np.uint32(matrix.shades)
    option_of, colour_options, giving = narrow.option_of, narrow.colour_options, narrow.giving
    narrow.known[:] = _ZERO
    if colour_options.size <= _FEW:
        colour_options[:] = _ZERO
        giving[:] = _ZERO
    else:
        for k in range(count):
            for i in range(rival_starts[option_of[k]], rival_starts[option_of[k] + 1]):
                for w in range(_WORDS):
                    colour_options[_WORDS * np.uint64(rivals[i]) + w] = _ZERO
                    giving[_WORDS * np.uint64(shared[rivals[i]]) + w] = _ZERO
    for k in range(count):
        for i in range(rival_starts[option_of[k]], rival_starts[option_of[k] + 1]):
            giving[_WORDS * np.uint64(shared[rivals[i]]) + (k >> _6)] |= _ONE << (k & _63)
            if rivals[i] < shades:
                colour_options[_WORDS * np.uint64(rivals[i]) + (k >> _6)] |= _ONE << (k & _63)


@inner()
def find_rivals(number: np.uint64, matrix: DlxMatrix, narrow: Narrow) -> None:
    """Write down which options give some item another colour than the option with this number does."""
    rivals, shared, colour_options, giving, conflicts = (
        matrix.rivals,
        matrix.shared,
        narrow.colour_options,
        narrow.giving,
        narrow.conflicts,
    )
    option = narrow.option_of[number]
    for w in range(_WORDS):
        conflicts[_WORDS * number + w] = _ZERO
    for i in range(matrix.rival_starts[option], matrix.rival_starts[option + 1]):
        every, own = _WORDS * np.uint64(shared[rivals[i]]), _WORDS * np.uint64(rivals[i])
        for w in range(_WORDS):
            conflicts[_WORDS * number + w] |= giving[every + w] & ~colour_options[own + w]
    narrow.known[number >> _6] |= _ONE << (number & _63)


@inner()
def transpose(square: U64) -> None:
    """Transpose 64 words as a square of bits: bit j of word i becomes bit i of word j. Two quarters of the square change places,
    then two quarters of each quarter, and so on.

    Source: H. S. Warren, Hacker's Delight, 2nd edition, section 7-3.
    """
    half, low = 32, np.uint64(0xFFFFFFFF)
    while half > 0:
        shift = np.uint64(half)
        for base in range(0, 64, 2 * half):
            for k in range(base, base + half):
                change = ((square[k] >> shift) ^ square[k + half]) & low
                square[k + half] ^= change
                square[k] ^= change << shift
        half >>= 1
        low ^= low << np.uint64(half)


@inner()
def signed(word: np.uint64) -> int:
    """A word as a signed number: Numba would make the difference of a word and a signed number a float."""
    return np.int64(word)  # type: ignore[return-value]


@inner()
def write_down(solutions: SolutionRows, stack: I64_2, depth: int, most: int) -> bool:
    """Write down a solution. Whether there are `most` now."""
    row = solutions.values[solutions.filled[0]]
    for d in range(depth):
        row[d] = stack[d, CHOSEN]
    return end_solution(solutions, depth, most)


@inner()
def search_narrow(matrix: DlxMatrix, state: DlxState, narrow: Narrow, solutions: SolutionRows, last: int, most: int) -> int:
    """Search on below the node NARROW until `last` nodes have been made, or `most` solutions written down.
    Returns EXHAUSTED if everything below that node is done."""
    tile, size, lower, upper = matrix.tile, matrix.size, matrix.lower, matrix.upper
    rules, pieces, smallest = matrix.rules, matrix.pieces, matrix.smallest
    used, stack, fits, counters = state.used, state.stack, state.fits, state.counters
    option_of, option_cells, tile_of, cover, tile_options = (
        narrow.option_of,
        narrow.option_cells,
        narrow.tile_of,
        narrow.cover,
        narrow.tile_options,
    )
    known, conflicts, has_colours = narrow.known, narrow.conflicts, matrix.rivals.size > 0
    open_cells, needed, words, todo = narrow.open_cells, narrow.needed, narrow.words, narrow.todo
    cells, top, depth = narrow.number_of.size, np.uint64(counters[NARROW]), np.uint64(counters[DEPTH])
    floor = max(top, np.uint64(counters[FLOOR]))
    phase, nodes, found = counters[PHASE], counters[NODES], counters[FOUND]
    code = EXHAUSTED
    while True:
        here = _WORDS * depth
        if phase == ENTER:
            # The cell with the fewest options, or a tile with fewer ways, where the rule looks at tiles.
            phase = BACK
            ahead, least = open_cells[depth], _ALL
            if ahead == _ZERO:
                found += 1
                if most > 0 and write_down(solutions, stack, int(depth), most):
                    code = SOLUTION
                    break
            while ahead != _ZERO:
                c = np.uint64(trailing_zeros(ahead))
                ahead &= ahead - _ONE
                count = 0
                for i in range(WORDS):
                    count += population(words[here + np.uint64(i)] & cover[_WORDS * c + np.uint64(i)])
                least = min(least, c | (np.uint64(count) << _6))
                if least <= _NUMBER:
                    break
            if least > _NUMBER and least != _ALL:
                c = least & _NUMBER
                item, fewest = narrow.cell_of[c], signed(least >> _6)
                p = pieces - signed(depth) if pieces >= 0 else stack[depth, OPEN] // smallest
                ahead = _ZERO if rules[p] == CELLS else needed[depth]
                while ahead != _ZERO:
                    t = np.uint64(tile_of[trailing_zeros(ahead)])
                    ahead &= ahead - _ONE
                    ways = used[t] + 1 - lower[t]
                    for i in range(WORDS):
                        ways += population(words[here + np.uint64(i)] & tile_options[_WORDS * t + np.uint64(i)])
                    if ways < fewest:
                        item, fewest = cells + signed(t), ways
                if fewest > 0:
                    at = stack[depth - _ONE, END] if depth > top else 0
                    listed = at
                    if item < cells:
                        for i in range(WORDS):
                            ahead = words[here + np.uint64(i)] & cover[_WORDS * c + np.uint64(i)]
                            while ahead != _ZERO:
                                todo[listed] = 64 * i + signed(trailing_zeros(ahead))
                                ahead &= ahead - _ONE
                                listed += 1
                    stack[depth, ITEM], stack[depth, WAYS], stack[depth, TRIED] = item, fewest, 0
                    stack[depth, AT], stack[depth, END] = at, listed
                    phase = NEXT
        if phase == NEXT and stack[depth, TRIED] < stack[depth, WAYS]:
            item = stack[depth, ITEM]
            if item < cells:
                chosen = np.uint64(todo[stack[depth, AT]])
                stack[depth, AT] += 1
            else:
                # The options of a tile that were tried are gone.
                first = _WORDS * np.uint64(item - cells)
                w = _ZERO
                while words[here + w] & tile_options[first + w] == _ZERO:
                    w += _ONE
                ahead = words[here + w] & tile_options[first + w]
                chosen = (w << _6) | np.uint64(trailing_zeros(ahead))
                stack[depth, AT] = signed(chosen)
            option, on, child, below = option_of[chosen], option_cells[chosen], depth + _ONE, here + _WORDS
            stack[depth, TRIED] += 1
            stack[depth, CHOSEN] = option
            nodes += 1
            fits[pieces - signed(depth) if pieces >= 0 else stack[depth, OPEN] // smallest] += 1
            open_cells[child] = open_cells[depth] & ~on
            if has_colours:
                if known[chosen >> _6] & (_ONE << (chosen & _63)) == _ZERO:
                    find_rivals(chosen, matrix, narrow)
                for k in range(_WORDS):
                    words[below + k] = words[here + k] & ~conflicts[_WORDS * chosen + k]
            else:
                for i in range(WORDS):
                    words[below + np.uint64(i)] = words[here + np.uint64(i)]
            while on != _ZERO:
                c = np.uint64(trailing_zeros(on))
                on &= on - _ONE
                for i in range(WORDS):
                    words[below + np.uint64(i)] &= ~cover[_WORDS * c + np.uint64(i)]
            # Options of tiles that cannot be used any more go as well.
            t = tile[option]
            owed = used[t] < lower[t]
            used[t] += 1
            slack = stack[depth, SLACK] - (0 if owed else size[t])
            if used[t] == upper[t] or (used[t] >= lower[t] and size[t] > slack):
                leave_out(np.uint64(t), tile_options, words, below)
            if not owed:
                for s in range(size.size):
                    if used[s] >= lower[s] and slack < size[s] <= slack + size[t]:
                        leave_out(np.uint64(s), tile_options, words, below)
            needed[child] = needed[depth] if used[t] < lower[t] else needed[depth] & ~narrow.bit_of[t]
            stack[child, SLACK] = slack
            stack[child, OPEN] = stack[depth, OPEN] - size[t]
            depth = child
            phase = ENTER
            if nodes >= last:
                code = PAUSED
                break
            continue

        # Back to the node above.
        if depth == floor:
            phase = BACK
            counters[NARROW] = -1
            break
        depth -= _ONE
        phase = leave_narrow(depth, cells, matrix, state, narrow)
    counters[DEPTH], counters[PHASE], counters[NODES], counters[FOUND] = signed(depth), phase, nodes, found
    return code


@inner(inline=True)
def leave_narrow(depth: np.uint64, cells: int, matrix: DlxMatrix, state: DlxState, narrow: Narrow) -> int:
    """Go back to a node from the one just below it; the phase there."""
    stack, cover, words, option_cells, here = state.stack, narrow.cover, narrow.words, narrow.option_cells, _WORDS * depth
    state.used[matrix.tile[stack[depth, CHOSEN]]] -= 1
    phase = NEXT
    if stack[depth, ITEM] >= cells:
        # Drop the option that was tried; a cell that nothing else covers is the end of this node.
        chosen = np.uint64(stack[depth, AT])
        words[here + (chosen >> _6)] &= ~(_ONE << (chosen & _63))
        on = option_cells[chosen]
        while on != _ZERO:
            c = np.uint64(trailing_zeros(on))
            on &= on - _ONE
            any_ = _ZERO
            for i in range(WORDS):
                any_ |= words[here + np.uint64(i)] & cover[_WORDS * c + np.uint64(i)]
            if any_ == _ZERO:
                phase = BACK
    return phase


@inner()
def leave_out(tile: np.uint64, tile_options: U64, words: U64, at: np.uint64) -> None:
    """Remove the options of a tile from the words that begin at `at`."""
    for i in range(WORDS):
        words[at + np.uint64(i)] &= ~tile_options[_WORDS * tile + np.uint64(i)]
