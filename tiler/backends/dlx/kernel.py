"""Search an exact cover with multiplicities by Knuth's Algorithm X, with options as bits of words instead of links.

The items are the cells, each to be covered once, and then the tiles. The *degree* of an item is the number of ways to go on with
it: for a cell the options left that cover it; for a tile the options left - copies still needed + 1. With degree 0 the node is a
dead end. If an item is covered, or used as often as it must be, FREE is added to its degree, so that the least degree belongs to
an item to branch on. A node branches on one item and tries its options one by one. An option of a tile that was tried is
*dropped*: it is gone for good below the node, so that no set of copies is found twice. When an option is placed, these options
go: those that share a cell with it, those that give an item another colour, and all options of a tile that is used up, or that is
too large for the cells not owed to tiles still needed.

Each option left is one bit. Options that go are found by one `and` per word, and each costs a decrement for each of its items. If
a degree becomes 0, the node is given up at the end of that word. Nothing is undone: every level of the stack has words and
degrees of its own. Only if the board is so large that degrees would take too much memory, `degree` has one row, and going back
counts up again what went. Options are best numbered by position, so that those that go together lie in few words.

Where few cells are open and few options left, as at almost all nodes, the last stage takes over (kernel_narrow.py): it searches
the same tree, and keeps no degrees.

Threads search parts of one tree at the same time: DlxMatrix is shared, and nobody writes to it; each thread has a DlxState and a
Narrow of its own, so what one writes no other reads. A part is handed over between two calls (driver.py, `give`).

`children` makes all children of many nodes at once, for samples of the tree: one by one takes ten times as long.

A node is an option placed. Source: D. E. Knuth, The Art of Computer Programming 4B, section 7.2.2.1, Algorithms X and M.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler.backends.dlx.kernel_narrow import begin_narrow, leave_narrow, number_cells, search_narrow, write_down
from tiler.backends.dlx.kernel_state import (
    AT,
    BACK,
    CHOSEN,
    DEPTH,
    ENTER,
    FIRST,
    FLOOR,
    FORCED,
    FOUND,
    FREE,
    ITEM,
    NARROW,
    NEXT,
    NODES,
    NUMBERED,
    OPEN,
    PHASE,
    SLACK,
    TINT,
    TRIED,
    WAYS,
    WORDS,
    DlxMatrix,
    DlxState,
    Narrow,
)
from tiler.kernels import EXHAUSTED, PAUSED, SOLUTION, inner, kernel
from tiler.kernels.arrays import I32_2, I64, I64_2, U64_2, SolutionRows
from tiler.kernels.inner import copy_row, population, trailing_zeros


class DlxNodes(NamedTuple):
    """Room for nodes. A node is given by one row of each array; the arrays are named as in the state of a search."""

    alive: U64_2  #: (nodes, words)
    degree: I32_2  #: (nodes, items)
    stack: I64_2  #: (nodes,) by names
    used: I64_2  #: (nodes, tiles)

    @classmethod
    def new(cls, nodes: int, state: DlxState) -> DlxNodes:
        """Room for this number of nodes."""
        return cls(
            alive=np.zeros((nodes, state.alive.shape[1]), np.uint64),
            degree=np.zeros((nodes, state.degree.shape[1]), np.int32),
            stack=np.zeros((nodes, state.stack.shape[1]), np.int64),
            used=np.zeros((nodes, len(state.used)), np.int64),
        )


@kernel()
def children(
    matrix: DlxMatrix, state: DlxState, narrow: Narrow, solutions: SolutionRows, above: DlxNodes, at: I64, into: DlxNodes
) -> int:
    """Make the children of nodes one by one, in their order, and write down those that are not dead, until there is no more room
    or, if fewer come than that, there are no more; how many these are. Only for a matrix without a last stage.

    `at[0]` is the node that is the root of the state, -1 before the first. Threads share the matrix, which is only read; the
    other arrays are each one's own.
    """
    counters = state.counters
    below = 1 if state.degree.shape[0] > 1 else 0
    count, nodes = 0, counters[NODES]
    while count < into.alive.shape[0]:
        if at[0] < 0 or go_on(matrix, state, narrow, solutions, 1, 0) == EXHAUSTED:
            if at[0] + 1 >= above.alive.shape[0]:
                break
            at[0] += 1
            copy_row(above.alive[at[0]], state.alive[0])
            copy_row(above.degree[at[0]], state.degree[0])
            copy_row(above.stack[at[0]], state.stack[0])
            copy_row(above.used[at[0]], state.used)
            counters[DEPTH], counters[PHASE] = 0, ENTER
            continue
        if counters[NODES] == nodes:
            continue
        nodes = counters[NODES]
        if counters[PHASE] == ENTER:
            copy_row(state.alive[1], into.alive[count])
            copy_row(state.degree[below], into.degree[count])
            copy_row(state.stack[1], into.stack[count])
            copy_row(state.used, into.used[count])
            count += 1
        counters[PHASE] = BACK
    return count


#: The kernel also returns this: it has reached a node below which another search takes over.
HANDOFF = 3

_ONE, _SIX = np.uint64(1), np.uint64(6)


@inner()
def _choose(degree: NDArray[np.int32], level: int, cells: int, rule: int) -> int:
    """The item to branch on, -1 if there is none."""
    if rule != FIRST:
        least: np.int32 = degree[level, 0]
        for item in range(1, cells if rule >= FORCED else degree.shape[1]):
            least = min(least, degree[level, item])
        if least >= FREE:
            return -1
        if rule != FORCED or least <= 1:
            item = 0
            while degree[level, item] != least:
                item += 1
            return item
    for item in range(cells):
        if degree[level, item] < FREE:
            return item
    return -1


@inner()
def _mark(kill: NDArray[np.uint64], word: NDArray[np.uint32], mask: NDArray[np.uint64], begin: int, end: int) -> None:
    """Mark the options of a list as ruled out."""
    for at in range(begin, end):
        kill[word[at]] |= mask[at]


@inner()
def _leaves_a_cell_bare(depth: int, matrix: DlxMatrix, state: DlxState, narrow: Narrow) -> bool:
    """Whether some open cell is covered by no option that is left. Cells must have numbers (kernel_narrow.py)."""
    list_starts, word, mask, alive = matrix.list_starts, matrix.word, matrix.mask, state.alive
    ahead = narrow.open_cells[depth]
    while ahead != 0:
        cell = narrow.cell_of[trailing_zeros(ahead)]
        ahead &= ahead - _ONE
        at, end = list_starts[cell], list_starts[cell + 1]
        while at < end and alive[depth, word[at]] & mask[at] == 0:
            at += 1
        if at == end:
            return True
    return False


@inner(inline=True)
def _leave(depth: int, cells: int, matrix: DlxMatrix, state: DlxState) -> int:
    """Go back to a node from its child. Returns the phase there."""
    starts, items, tile, lower = matrix.starts, matrix.items, matrix.tile, matrix.lower
    alive, degree, stack, used = state.alive, state.degree, state.stack, state.used
    levelled = degree.shape[0] > 1
    here = depth if levelled else 0
    option = stack[depth, CHOSEN]
    t = tile[option]
    used[t] -= 1
    if not levelled:
        for w in range(alive.shape[1]):
            back = alive[depth, w] & ~alive[depth + 1, w]
            while back != 0:
                other = (np.uint64(w) << _SIX) | trailing_zeros(back)
                back &= back - _ONE
                for i in range(starts[other], starts[other + _ONE]):
                    degree[0, items[i]] += 1
        for i in range(starts[option], starts[option] + np.uint64(matrix.size[t])):
            degree[0, items[i]] -= FREE
        if used[t] < lower[t]:
            degree[0, cells + t] -= 1 if used[t] + 1 < lower[t] else 1 + FREE
    phase = NEXT
    if stack[depth, ITEM] >= cells:
        # Drop the option that was tried.
        alive[depth, option >> 6] ^= _ONE << np.uint64(option & 63)
        for i in range(starts[option], starts[option + 1]):
            degree[here, items[i]] -= 1
            if degree[here, items[i]] == 0:
                phase = BACK
    return phase


@kernel()
def go_back(matrix: DlxMatrix, state: DlxState, narrow: Narrow, depth: int) -> None:
    """Go back to a node above, and treat everything below it as done."""
    counters, cells = state.counters, state.degree.shape[1] - matrix.size.size
    here, phase = counters[DEPTH], counters[PHASE]
    while here > depth:
        if here == counters[NUMBERED]:
            counters[NUMBERED] = -1
        if here == counters[NARROW]:
            counters[NARROW] = -1
        here -= 1
        if counters[NARROW] >= 0:
            phase = leave_narrow(np.uint64(here), cells, matrix, state, narrow)
        else:
            phase = _leave(here, cells, matrix, state)
    counters[DEPTH], counters[PHASE] = here, phase


@kernel()
def search(matrix: DlxMatrix, state: DlxState, narrow: Narrow, solutions: SolutionRows, budget: int, most: int) -> int:
    return go_on(matrix, state, narrow, solutions, budget, most)


@inner()
def go_on(matrix: DlxMatrix, state: DlxState, narrow: Narrow, solutions: SolutionRows, budget: int, most: int) -> int:
    """Search for `budget` nodes from where the state is, and write down solutions until there are `most`; 0: only count them."""
    starts, items, list_starts, word, mask = matrix.starts, matrix.items, matrix.list_starts, matrix.word, matrix.mask
    tile, size, lower, upper = matrix.tile, matrix.size, matrix.lower, matrix.upper
    tint, tint_most = matrix.tint, matrix.tint_most
    rules, pieces, smallest, handoff, watched = matrix.rules, matrix.pieces, matrix.smallest, matrix.handoff, matrix.watched
    rival_starts, rivals, has_colours = matrix.rival_starts, matrix.rivals, matrix.rivals.size > 0
    kill, used, alive, degree, rest = state.kill, state.used, state.alive, state.degree, state.rest
    stack, fits, counters = state.stack, state.fits, state.counters
    last = counters[NODES] + budget
    code = search_narrow(matrix, state, narrow, solutions, last, most) if counters[NARROW] >= 0 else EXHAUSTED
    if code != EXHAUSTED:
        return code
    depth, phase, nodes, found, numbered = counters[DEPTH], counters[PHASE], counters[NODES], counters[FOUND], counters[NUMBERED]
    floor = counters[FLOOR]
    cells = degree.shape[1] - size.size
    words = alive.shape[1]
    levelled = degree.shape[0] > 1
    while True:
        here = depth if levelled else 0
        if phase == ENTER:
            p = pieces - depth if pieces >= 0 else stack[depth, OPEN] // smallest
            if p <= matrix.narrow and 0 < stack[depth, OPEN] <= 64:
                if numbered < 0:
                    numbered = depth
                    number_cells(depth, here, matrix, state, narrow)
                left_ = 0
                for w in range(words):
                    left_ += population(alive[depth, w])
                if left_ <= 64 * WORDS:
                    counters[DEPTH], counters[NODES], counters[FOUND], counters[NUMBERED] = depth, nodes, found, numbered
                    begin_narrow(depth, matrix, state, narrow)
                    code = search_narrow(matrix, state, narrow, solutions, last, most)
                    if code != EXHAUSTED:
                        return code
                    nodes, found, phase = counters[NODES], counters[FOUND], BACK
                    continue
            item = _choose(degree, here, cells, rules[p])
            if item < 0:
                phase = BACK
                t = 0
                while t < size.size and used[t] >= lower[t]:
                    t += 1
                if t < size.size:
                    # Only with named copies, for which no cells are kept, where no tile is looked at.
                    continue
                found += 1
                if most > 0 and write_down(solutions, stack, depth, most):
                    code = SOLUTION
                    break
            elif p <= handoff:
                phase = BACK
                code = HANDOFF
                break
            else:
                at = list_starts[item]
                rest[depth] = alive[depth, word[at]] & mask[at]
                stack[depth, ITEM], stack[depth, AT] = item, at
                stack[depth, WAYS], stack[depth, TRIED] = degree[here, item], 0
                phase = NEXT

        if phase == NEXT:
            at = stack[depth, AT]
            end = list_starts[stack[depth, ITEM] + 1]
            left = rest[depth]
            while left == 0 and at + 1 < end:
                at += 1
                left = alive[depth, word[at]] & mask[at]
            if left == 0:
                phase = BACK
            else:
                option = (np.int64(word[at]) << 6) + np.int64(trailing_zeros(left))
                rest[depth] = left & (left - _ONE)
                stack[depth, AT] = at
                stack[depth, CHOSEN] = option
                stack[depth, TRIED] += 1
                nodes += 1
                fits[pieces - depth if pieces >= 0 else stack[depth, OPEN] // smallest] += 1
                t = tile[option]
                child = depth + 1
                there = child if levelled else 0

                # Which options are ruled out, in the words low .. high.
                low, high = np.int64(words), np.int64(0)
                for i in range(starts[option], starts[option] + np.uint64(size[t])):
                    begin, end = list_starts[items[i]], list_starts[items[i] + 1]
                    _mark(kill, word, mask, begin, end)
                    low, high = min(low, np.int64(word[begin])), max(high, np.int64(word[end - 1]))
                if has_colours:
                    for i in range(rival_starts[option], rival_starts[option + 1]):
                        other_list = degree.shape[1] + np.int64(rivals[i])
                        begin, end = list_starts[other_list], list_starts[other_list + 1]
                        _mark(kill, word, mask, begin, end)
                        low, high = min(low, np.int64(word[begin])), max(high, np.int64(word[end - 1]))
                owed = used[t] < lower[t]
                used[t] += 1
                slack = stack[depth, SLACK] - (0 if owed else size[t])
                if used[t] == upper[t] or (used[t] >= lower[t] and size[t] > slack):
                    _mark(kill, word, mask, list_starts[cells + t], list_starts[cells + t + 1])
                    low, high = np.int64(0), np.int64(words - 1)
                if not owed:
                    for s in range(size.size):
                        if used[s] >= lower[s] and slack < size[s] <= slack + size[t]:
                            _mark(kill, word, mask, list_starts[cells + s], list_starts[cells + s + 1])
                            low, high = np.int64(0), np.int64(words - 1)
                stack[child, SLACK] = slack
                stack[child, OPEN] = stack[depth, OPEN] - size[t]
                p = pieces - child if pieces >= 0 else stack[child, OPEN] // smallest
                if numbered >= 0:
                    narrow.open_cells[child] = narrow.open_cells[depth] & ~narrow.cells_of[option]
                    if levelled and p <= matrix.narrow and stack[child, OPEN] > 0:
                        # Nobody needs degrees below a node where the last stage begins.
                        many = 0
                        for w in range(words):
                            alive[child, w] = alive[depth, w] & ~kill[w]
                            many += population(alive[child, w])
                        if many <= 64 * WORDS:
                            kill[low : high + 1] = 0
                            if _leaves_a_cell_bare(child, matrix, state, narrow):
                                depth, phase = child, BACK
                                if nodes >= last:
                                    code = PAUSED
                                    break
                                continue
                            counters[DEPTH], counters[NODES], counters[FOUND], counters[NUMBERED] = child, nodes, found, numbered
                            begin_narrow(child, matrix, state, narrow)
                            if nodes >= last:
                                return PAUSED
                            code = search_narrow(matrix, state, narrow, solutions, last, most)
                            if code != EXHAUSTED:
                                return code
                            depth, nodes, found, phase = child, counters[NODES], counters[FOUND], BACK
                            continue

                # The options that are left.
                if levelled:
                    for item in range(degree.shape[1]):
                        degree[child, item] = degree[depth, item]
                for i in range(starts[option], starts[option] + np.uint64(size[t])):
                    degree[there, items[i]] += FREE
                if owed:
                    degree[there, cells + t] += 1 if used[t] < lower[t] else 1 + FREE
                for w in range(low):
                    alive[child, w] = alive[depth, w]
                for w in range(high + 1, words):
                    alive[child, w] = alive[depth, w]
                dead = False
                deadly = np.uint32(cells) if rules[p] >= FORCED else np.uint32(degree.shape[1])
                for w in range(low, high + 1):
                    left = alive[depth, w]
                    gone = left & kill[w]
                    kill[w] = 0
                    alive[child, w] = left ^ gone
                    while gone != 0:
                        other = (np.uint64(w) << _SIX) | trailing_zeros(gone)
                        gone &= gone - _ONE
                        for i in range(starts[other], starts[other + _ONE]):
                            ways = degree[there, items[i]] - np.int32(1)
                            degree[there, items[i]] = ways
                            dead |= ways == 0 and items[i] < deadly
                    if dead and levelled:
                        kill[w + 1 : high + 1] = 0
                        break
                if tint.size and not dead:
                    stack[child, TINT] = stack[depth, TINT] - tint[option]
                    reachable = 0
                    for s in range(size.size):
                        reachable += min(upper[s] - used[s], stack[child, OPEN] // size[s]) * tint_most[s]
                    dead = abs(stack[child, TINT]) > reachable
                depth = child
                phase = BACK if dead else ENTER
                if nodes >= last or p > watched:
                    code = PAUSED
                    break
                continue

        # Back to the node above.
        if depth == floor:
            break
        numbered = -1 if depth == numbered else numbered
        depth -= 1
        phase = _leave(depth, cells, matrix, state)
    counters[DEPTH], counters[PHASE], counters[NODES], counters[FOUND], counters[NUMBERED] = depth, phase, nodes, found, numbered
    return code
