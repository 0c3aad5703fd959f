"""Search by FILA in a fixed order on a few words, which have the cells filled from the first hole on and the tiles used up.
Lists are chosen by the next cells.

In a state the low bits are the cells filled, counted from the first open one (bit 0), and at the top there is a bit for every
tile without copies left. A placement in the first hole is a mask of the same kind, so an `and` says whether it can be made. Most
boards need one word. Below, W is the number of *further words*, whose bits come after those of the first.

Many cells have the same possible placements and the same neighbours: they are of one *class*. There is a list for each class and
each way in which the next K cells can be filled; it is made when it is first needed. It leaves out placements that meet one of
these cells, and placements that close off some of these cells whose number no set of tiles has. So looking for closed parts costs
nothing per node.

A node tries all images of its list at once, 64 at a time, at an operation or two each; those that fit are bits of one word. Only
images that fit by the first word are compared with further words. The kernel returns GROW, before a node, if a list that has to
be made might not fit in `masks`.

Several threads may search parts of one tree. They share the arrays that are never written to. Each has its own `WindowState`, and
its own lists: `table`, `masks` and `which`.

`children` makes all children of many nodes at once, for samples of the tree.

Source: M. Busche, Fixed Image List Algorithm, 2018; lists by the next cells and the volume filter inside them are our own.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler.backends.fila.kernel_counters import BACK, COPIES, COUNTED_ALONG, DEPTH, FLOOR, FOUND, NODES, OPEN, SHARED, SLACK
from tiler.kernels import EXHAUSTED, PAUSED, SOLUTION, inner, kernel
from tiler.kernels.arrays import I32, I64, I64_2, U64, U64_2, Bool_2, SolutionRows
from tiler.kernels.inner import copy_row, end_solution, seldom, trailing_zeros


class WindowNodes(NamedTuple):
    """Room for nodes. A node is given by one row of each array."""

    filled: U64  #: (nodes,): FILLED of a state's words
    further: U64_2  #: (nodes, W)
    where: I64  #: (nodes,): WHERE of its stack
    left: I64_2  #: (nodes, tiles)
    owed: I64_2  #: (nodes, tiles)
    counters: I64_2  #: (nodes,) by the names in COUNTED_ALONG

    @classmethod
    def new(cls, nodes: int, tiles: int, further: int) -> WindowNodes:
        """Room for this number of nodes."""
        return cls(
            filled=np.zeros(nodes, np.uint64),
            further=np.zeros((nodes, further), np.uint64),
            where=np.zeros(nodes, np.int64),
            left=np.zeros((nodes, tiles), np.int64),
            owed=np.zeros((nodes, tiles), np.int64),
            counters=np.zeros((nodes, len(COUNTED_ALONG)), np.int64),
        )


@kernel()
def children(
    lists: WindowLists, state: WindowState, solutions: SolutionRows, above: WindowNodes, at: I64, into: WindowNodes
) -> int:
    """Make the children of nodes one by one, in their order, and write down those below which something can be, until there is no
    more room or, if fewer come than that, there are no more; how many these are, or -1 - that if there has to be more room for
    lists.

    `at[0]` is the node that is the root of the state, -1 before the first. All arrays are of one thread.
    """
    counters, count, nodes = state.counters, 0, state.counters[NODES]
    while count < into.where.size:
        code = go_on(lists, state, solutions, 1, 0, lists.further_cells.size > 0) if at[0] >= 0 else EXHAUSTED
        if code == GROW:
            return -1 - count
        if code == EXHAUSTED:
            if at[0] + 1 >= above.where.size:
                break
            at[0] += 1
            state.words[0, FILLED], state.stack[0, WHERE] = above.filled[at[0]], above.where[at[0]]
            copy_row(above.further[at[0]], state.further[0])
            copy_row(above.left[at[0]], state.left)
            copy_row(above.owed[at[0]], state.owed)
            for i in range(len(COUNTED_ALONG)):
                counters[COUNTED_ALONG[i]] = above.counters[at[0], i]
            counters[DEPTH] = counters[BACK] = 0
            continue
        if counters[NODES] > nodes and counters[BACK] == 0:
            into.filled[count], into.where[count] = state.words[1, FILLED], state.stack[1, WHERE]
            copy_row(state.further[1], into.further[count])
            copy_row(state.left, into.left[count])
            copy_row(state.owed, into.owed[count])
            for i in range(len(COUNTED_ALONG)):
                into.counters[count, i] = counters[COUNTED_ALONG[i]]
            count += 1
        nodes = counters[NODES]
        counters[BACK] = 1
    return count


#: More room is needed for the lists.
GROW = 4

#: Places in `counters`, after those that all searches of FILA have.
COUNTED, USED = range(SHARED, COUNTERS := SHARED + 2)
WHERE, AT, END, CHOSEN, TILE, PIECES = range(STACK_COLUMNS := 6)
FILLED, FITTING = range(WORD_COLUMNS := 2)


class WindowLists(NamedTuple):
    """The placements, and the lists made of them. A search writes only to `table`, `masks` and `which`, when it makes a list."""

    class_of: I64  #: (cells,): the class of each place
    class_starts: I64  #: (classes + 1,): the placements of each class, in the next two
    class_masks: U64  #: the first words of their masks
    class_further: U64_2  #: (placements, W)
    class_tiles: I64  #: their tiles
    known: U64  #: (classes,): those of the next K cells that are on the board, as bits
    nearby: U64_2  #: (classes, K + 1): the neighbours of the cell i ahead, as bits; bit 63 for neighbours beyond the next K cells
    possible: Bool_2  #: (tiles, 64): [t, n] is whether the tiles, less one copy of t, can have n cells
    size: I64  #: (tiles,): cells of a tile
    tile_bit: U64  #: (tiles,): its bit, if that is in the first word
    further_cells: U64  #: (W,): the bits of further words that are for cells
    pieces: I64  #: (cells + 1,): pieces left by number of open cells; pieces[0] = -1: count copies instead
    table: I32  #: (classes << K,): by class and next cells, where the list starts in `masks`; -1: not made yet
    masks: U64  #: the lists: their length, then the first words of masks
    further: U64_2  #: beside the masks: (entries, W)
    which: I32  #: beside the masks, the placement's number within its class


class WindowState(NamedTuple):
    """The state of a search."""

    left: I64  #: (tiles,): copies left
    owed: I64  #: (tiles,): copies that must still be used
    words: U64_2  #: by depth: FILLED (the state above), FITTING (images of the list still to try)
    further: U64_2  #: (levels, W): by depth, further words of FILLED
    stack: I64_2  #: by depth: WHERE (the place), AT .. END (of the list), the entry CHOSEN, its TILE, PIECES left
    fits: I64  #: (pieces + 1,): images placed, by pieces left
    attempts: I64  #: (pieces + 1,): images tried, by pieces left
    counters: I64  #: by name; COUNTED: copies have to be counted; USED: how much of `masks` is

    @classmethod
    def new(cls, tiles: int, levels: int, pieces: int, further: int) -> WindowState:
        """All zeros, for searches with at most `levels - 2` placements at a time."""
        return cls(
            left=np.zeros(tiles, np.int64),
            owed=np.zeros(tiles, np.int64),
            words=np.zeros((levels, WORD_COLUMNS), np.uint64),
            further=np.zeros((levels, further), np.uint64),
            stack=np.zeros((levels, STACK_COLUMNS), np.int64),
            fits=np.zeros(pieces + 1, np.int64),
            attempts=np.zeros(pieces + 1, np.int64),
            counters=np.zeros(COUNTERS, np.int64),
        )


_ZERO, _ONE, _63, _64 = np.uint64(0), np.uint64(1), np.uint64(63), 64
_BEYOND = _ONE << _63  # the bit that stands for all cells from there on


@inner()
def closes_off(open_: np.uint64, cells: np.uint64, known: np.uint64, nearby: U64, possible: NDArray[np.bool_]) -> bool:
    """Whether filling these cells cuts off some of the open cells known, a number of cells that no set of tiles has."""
    open_ &= ~cells
    while open_ != _ZERO:
        border = open_ & (~open_ + _ONE)
        open_ ^= border
        count = 0
        outside = _ZERO
        while border != _ZERO:
            beside = nearby[trailing_zeros(border)] & ~cells
            border &= border - _ONE
            count += 1
            outside |= beside & ~known
            border |= beside & open_
            open_ &= ~beside
        if outside == _ZERO and not possible[count]:
            return True
    return False


@inner()
def make_list(class_: int, filled: np.uint64, used: int, lists: WindowLists) -> int:
    """Write the list for a class and its next cells after the other lists. Returns where the next list can begin."""
    class_starts, class_masks, class_tiles = lists.class_starts, lists.class_masks, lists.class_tiles
    masks, which, known, nearby = lists.masks, lists.which, lists.known[class_], lists.nearby[class_]
    end = used + 1
    for j in range(class_starts[class_], class_starts[class_ + 1]):
        tile = class_tiles[j]
        cells = class_masks[j] & ~(lists.tile_bit[tile] | _BEYOND)
        if cells & filled != _ZERO or closes_off(known & ~filled, cells, known, nearby, lists.possible[tile]):
            continue
        masks[end] = class_masks[j]
        copy_row(lists.class_further[j], lists.further[end])
        which[end] = j - class_starts[class_]
        end += 1
    masks[used] = np.uint64(end - used - 1)
    return end


@inner()
def _write_down(solutions: SolutionRows, which: I32, stack: I64_2, depth: int, most: int) -> bool:
    """Write down a solution, two numbers for each placement: its place, and its number within the class. Whether there are `most`
    now."""
    row = solutions.values[solutions.filled[0]]
    for d in range(depth):
        row[2 * d] = stack[d, WHERE]
        row[2 * d + 1] = which[stack[d, CHOSEN]]
    return end_solution(solutions, 2 * depth, most)


@inner()
def fit_too(fitting: np.uint64, begin: int, images: U64_2, filled: U64) -> np.uint64:
    """The images, as bits, that fit in further words too; bit 0 is the image `begin`."""
    ahead = fitting
    while ahead != _ZERO:
        image = begin + trailing_zeros(ahead)
        for k in range(filled.size):
            if filled[k] & images[image, k] != _ZERO:
                fitting ^= ahead & (~ahead + _ONE)
                break
        ahead &= ahead - _ONE
    return fitting


@inner()
def place_further(image: U64, cells: U64, is_used_up: bool, above: U64, into: U64) -> None:
    """Fill the cells of an image in further words, and note its tile if that is used up."""
    for k in range(above.size):
        into[k] = above[k] | (image[k] if is_used_up else image[k] & cells[k])


@inner()
def move_on(first: np.uint64, number: np.uint64, cells: U64, further: U64) -> np.uint64:
    """Leave a number of cells, from 0 to 63, behind in further words; the first word after that, which has only cells before."""
    before: np.uint64 = (first >> number) | (((further[0] & cells[0]) << _ONE) << (_63 - number))
    for k in range(further.size):
        after = ((further[k + 1] & cells[k + 1]) << _ONE) << (_63 - number) if k + 1 < further.size else _ZERO
        further[k] = ((further[k] & cells[k]) >> number) | after | (further[k] & ~cells[k])
    return before


@kernel()
def search(lists: WindowLists, state: WindowState, solutions: SolutionRows, budget: int, most: int) -> int:
    """Search where a state is one word: see `go_on`."""
    return go_on(lists, state, solutions, budget, most, False)


@kernel()
def search_wide(lists: WindowLists, state: WindowState, solutions: SolutionRows, budget: int, most: int) -> int:
    """The same with further words: without them, to ask for them at each node takes 6 % more time."""
    return go_on(lists, state, solutions, budget, most, True)


@inner(inline=True)
def go_on(lists: WindowLists, state: WindowState, solutions: SolutionRows, budget: int, most: int, is_wide: bool) -> int:
    """Search for `budget` nodes from where the state is, and write down solutions until there are `most`; 0: only count them.
    With `is_wide` there are further words."""
    class_of, class_starts, class_tiles, known = lists.class_of, lists.class_starts, lists.class_tiles, lists.known
    size, tile_bit, pieces = lists.size, lists.tile_bit, lists.pieces
    table, masks, which = lists.table, lists.masks, lists.which
    left, owed, words, stack, counters = state.left, state.owed, state.words, state.stack, state.counters
    fits, attempts, images, above, further_cells = state.fits, state.attempts, lists.further, state.further, lists.further_cells
    cells, ahead, counted = class_of.size, lists.nearby.shape[1] - 1, counters[COUNTED] == 1
    depth, open_, slack, copies = counters[DEPTH], counters[OPEN], counters[SLACK], counters[COPIES]
    nodes, found, back = counters[NODES], counters[FOUND], counters[BACK] == 1
    tile_bits = _ZERO
    for tile in range(size.size):
        tile_bits |= tile_bit[tile]
    cell_bits, next_cells = ~tile_bits, (_ONE << np.uint64(ahead)) - _ONE
    last, floor = nodes + budget, counters[FLOOR]
    code = EXHAUSTED
    where, filled = stack[depth, WHERE], words[depth, FILLED]
    at = end = tile = 0
    p = row = _ZERO
    fitting = _ZERO
    while True:
        if not back:
            # A new node: find its list, and the images in it that fit.
            class_ = class_of[np.uint64(where)]
            key = (np.uint64(class_) << np.uint64(ahead)) | ((filled >> _ONE) & next_cells)
            begin = int(table[key])
            if begin < 0:
                if masks.size - counters[USED] <= class_starts[class_ + 1] - class_starts[class_]:
                    code = GROW
                    break
                begin = counters[USED]
                counters[USED] = make_list(class_, filled & known[class_], begin, lists)
                table[key] = begin
            p = np.uint64(pieces[open_] if counted and pieces[0] >= 0 else copies)
            row = np.uint64(depth)
            at, end = begin + 1, int(begin + 1 + np.int64(masks[np.uint64(begin)]))
            attempts[p] += end - at
            stack[row, WHERE], stack[row, END], stack[row, PIECES] = where, end, p
            words[row, FILLED] = filled
            fitting = _ZERO
            base = np.uint64(at)
            for i in range(min(_64, end - at)):
                fitting |= np.uint64(filled & masks[base + np.uint64(i)] == _ZERO) << np.uint64(i)
            if is_wide:
                fitting = fit_too(fitting, at, images, above[row])
        else:
            # Take the last image away, and go on with the next one in the list.
            if depth == floor:
                break
            depth -= 1
            row = np.uint64(depth)
            filled, fitting = words[row, FILLED], words[row, FITTING]
            where, at, end, p = stack[row, WHERE], stack[row, AT], stack[row, END], np.uint64(stack[row, PIECES])
            copies += 1
            if counted:
                tile = stack[depth, TILE]
                left[tile] += 1
                owed[tile] += 1
                if owed[tile] <= 0:
                    slack += size[tile]
                open_ += size[tile]
        # The next image that fits.
        while True:
            while fitting == _ZERO and end - at > _64:
                at += _64
                base = np.uint64(at)
                for i in range(min(_64, end - at)):
                    fitting |= np.uint64(filled & masks[base + np.uint64(i)] == _ZERO) << np.uint64(i)
                if is_wide:
                    fitting = fit_too(fitting, at, images, above[row])
            back = fitting == _ZERO
            if back:
                break
            entry = at + trailing_zeros(fitting)
            fitting &= fitting - _ONE
            if counted:
                tile = int(class_tiles[class_starts[class_of[where]] + which[entry]])
                if owed[tile] <= 0 and size[tile] > slack:
                    continue
            break
        if back:
            continue
        stack[row, AT], stack[row, CHOSEN] = at, entry
        words[row, FITTING] = fitting
        mask = masks[np.uint64(entry)]
        if counted:
            stack[depth, TILE] = tile
            if owed[tile] <= 0:
                slack -= size[tile]
            owed[tile] -= 1
            left[tile] -= 1
            if left[tile] > 0:
                mask &= cell_bits
            open_ -= size[tile]
        filled |= mask
        if is_wide:
            place_further(images[entry], further_cells, not counted or left[tile] == 0, above[row], above[depth + 1])
            while filled & cell_bits == ~_ZERO:
                filled = move_on(filled, _63, further_cells, above[depth + 1])
                where += 63
        ran = trailing_zeros(~(filled & cell_bits))
        if is_wide:
            filled = move_on(filled & cell_bits, np.uint64(ran), further_cells, above[depth + 1]) | (filled & tile_bits)
        else:
            filled = ((filled & cell_bits) >> np.uint64(ran)) | (filled & tile_bits)
        where += ran
        fits[p] += 1
        copies -= 1
        depth += 1
        nodes += 1
        if seldom(where == cells):
            found += 1
            back = True
            if most > 0 and _write_down(solutions, which, stack, depth, most):
                code = SOLUTION
                break
        if nodes >= last:
            code = PAUSED
            break
    stack[depth, WHERE], words[depth, FILLED] = where, filled
    counters[DEPTH], counters[OPEN], counters[SLACK], counters[COPIES] = depth, open_, slack, copies
    counters[NODES], counters[FOUND], counters[BACK] = nodes, found, back
    return code
