"""Exact cover with multiplicities: Knuth's Algorithm X, its options as bits of words instead of links.

The items are the cells, each to be covered once, and the tiles, in this order. The *degree* of a cell is the number of options
left that cover it; of a tile, options left - copies still needed + 1: in both cases the number of ways to go on; 0 is a dead end.
An item that is covered, or used as often as it must, has FREE added to its degree, so that the least degree is that of an item to
branch on. A node branches on one item and tries its options one by one; an option of a tile that was tried is *dropped*: gone for
good below the node, so that no set of copies is found twice. When an option is placed, those that share a cell with it go, and so
do all of a tile that is used up, or too large for the cells that are not owed to tiles still needed.

The options left are one bit each. Those that go are found by one `and` per word, and each costs a decrement for each of its
items; at the end of the word in which a degree becomes 0, the node is given up. Nothing is undone: every level of the stack has
words and degrees of its own, unless the board is so large that degrees would take too much memory (`degree` has only one row);
then going back counts up again what went. Options are best numbered by position: those that go together are then in few words.

    starts, items       uint64[options + 1], uint32[..] the items of each option: its cells, ascending, then its tile if lower > 0
    list_starts         int64[items + 1]                the options of item i, as bits: words list_starts[i] .. list_starts[i + 1]
    word, mask          uint32[..], uint64[..]          of these lists: which word, ascending, and the bits in it
    tile                int32[options]                  its tile
    size, lower, upper  int64[tiles]                    cells of a tile, bounds
    tint, tint_most     int64[options], int64[tiles]    white minus black cells of an option, and the most of it a tile has, for a
                                                        test at every node; empty for none
    handoff_depth, handoff_open                         a node so deep, or with so few cells open, is not searched: HANDOFF is
                                                        returned, the state is the node's, and the next call goes back from it
    kill                uint64[words]                   scratch: the options that go with the one placed, else zero
    used                int64[tiles]                    state: copies in use
    alive               uint64[levels, words]           state, by depth: the options left
    degree              int32[levels or 1, items]       state, by depth (or the present one only)
    rest                uint64[levels]                  state, by depth: the bits not yet tried of the present word of the list
    stack               int64[levels, 8]                state, by depth: ITEM branched on, AT which word of its list, number of
                                                        WAYS when branched, TRIED so far, option CHOSEN, cells OPEN, SLACK (cells
                                                        open and not owed), TINT (white minus black open cells)
    state               int64[5]                        DEPTH, PHASE, NODES, FOUND, REMOVED (options gone or dropped)

A node is an option placed. Source: D. E. Knuth, The Art of Computer Programming 4B, section 7.2.2.1, Algorithms X and M.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tiler.kernels import EXHAUSTED, PAUSED, SOLUTION, kernel
from tiler.kernels.bits import trailing_zeros

#: What the kernel returns besides: a node is reached that is left to another search.
HANDOFF = 3

DEPTH, PHASE, NODES, FOUND, REMOVED = range(5)
ENTER, NEXT, BACK = range(3)
ITEM, AT, WAYS, TRIED, CHOSEN, OPEN, SLACK, TINT = range(8)

FREE = 1 << 29

_ONE, _SIX = np.uint64(1), np.uint64(6)


@kernel()
def _choose(degree: NDArray[np.int32], level: int, cells: int, first_open: bool) -> int:
    """The item to branch on, -1 if there is none: the first of those with the least degree, or the first open cell."""
    if first_open:
        for item in range(cells):
            if degree[level, item] < FREE:
                return item
        return -1
    least: np.int32 = degree[level, 0]
    for item in range(1, degree.shape[1]):
        least = min(least, degree[level, item])
    if least >= FREE:
        return -1
    item = 0
    while degree[level, item] != least:
        item += 1
    return item


@kernel()
def _mark(kill: NDArray[np.uint64], word: NDArray[np.uint32], mask: NDArray[np.uint64], begin: int, end: int) -> None:
    """Add the options of a list to those that go."""
    for at in range(begin, end):
        kill[word[at]] |= mask[at]


_INT, _LIST = "int64[::1]", "uint32[::1]"


@kernel(
    f"int64(uint64[::1],{_LIST},{_INT},{_LIST},uint64[::1],int32[::1],{_INT},{_INT},{_INT},{_INT},{_INT},int64,int64,"
    f"uint64[::1],{_INT},uint64[:,::1],int32[:,::1],uint64[::1],int64[:,::1],{_INT},int64,boolean,boolean)"
)
def search(
    starts: NDArray[np.uint64],
    items: NDArray[np.uint32],
    list_starts: NDArray[np.int64],
    word: NDArray[np.uint32],
    mask: NDArray[np.uint64],
    tile: NDArray[np.int32],
    size: NDArray[np.int64],
    lower: NDArray[np.int64],
    upper: NDArray[np.int64],
    tint: NDArray[np.int64],
    tint_most: NDArray[np.int64],
    handoff_depth: int,
    handoff_open: int,
    kill: NDArray[np.uint64],
    used: NDArray[np.int64],
    alive: NDArray[np.uint64],
    degree: NDArray[np.int32],
    rest: NDArray[np.uint64],
    stack: NDArray[np.int64],
    state: NDArray[np.int64],
    budget: int,
    first_open: bool,
    stop_at_solutions: bool,
) -> int:
    depth, phase, nodes, found, removed = state[DEPTH], state[PHASE], state[NODES], state[FOUND], state[REMOVED]
    cells = degree.shape[1] - size.size
    words = alive.shape[1]
    levelled = degree.shape[0] > 1
    last = nodes + budget
    code = EXHAUSTED
    while True:
        here = depth if levelled else 0
        if phase == ENTER:
            item = _choose(degree, here, cells, first_open)
            if item < 0:
                found += 1
                phase = BACK
                if stop_at_solutions:
                    code = SOLUTION
                    break
            elif depth >= handoff_depth or stack[depth, OPEN] <= handoff_open:
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
                t = tile[option]
                child = depth + 1
                there = child if levelled else 0

                # Which options go, in the words low .. high.
                low, high = np.int64(words), np.int64(0)
                for i in range(starts[option], starts[option] + np.uint64(size[t])):
                    begin, end = list_starts[items[i]], list_starts[items[i] + 1]
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

                # What is left without them.
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
                for w in range(low, high + 1):
                    left = alive[depth, w]
                    gone = left & kill[w]
                    kill[w] = 0
                    alive[child, w] = left ^ gone
                    while gone != 0:
                        other = (np.uint64(w) << _SIX) | trailing_zeros(gone)
                        gone &= gone - _ONE
                        removed += 1
                        for i in range(starts[other], starts[other + _ONE]):
                            ways = degree[there, items[i]] - np.int32(1)
                            degree[there, items[i]] = ways
                            dead |= ways == 0
                    if dead and levelled:
                        kill[w + 1 : high + 1] = 0
                        break
                if tint.size and not dead:
                    stack[child, TINT] = stack[depth, TINT] - tint[option]
                    most = 0
                    for s in range(size.size):
                        most += min(upper[s] - used[s], stack[child, OPEN] // size[s]) * tint_most[s]
                    dead = abs(stack[child, TINT]) > most
                depth = child
                phase = BACK if dead else ENTER
                if nodes >= last:
                    code = PAUSED
                    break
                continue

        # Back to the node above.
        if depth == 0:
            break
        depth -= 1
        option = stack[depth, CHOSEN]
        t = tile[option]
        used[t] -= 1
        here = depth if levelled else 0
        if not levelled:
            for w in range(words):
                back = alive[depth, w] & ~alive[depth + 1, w]
                while back != 0:
                    other = (np.uint64(w) << _SIX) | trailing_zeros(back)
                    back &= back - _ONE
                    for i in range(starts[other], starts[other + _ONE]):
                        degree[0, items[i]] += 1
            for i in range(starts[option], starts[option] + np.uint64(size[t])):
                degree[0, items[i]] -= FREE
            if used[t] < lower[t]:
                degree[0, cells + t] -= 1 if used[t] + 1 < lower[t] else 1 + FREE
        phase = NEXT
        if stack[depth, ITEM] >= cells:
            # Drop the option that was tried.
            alive[depth, option >> 6] ^= _ONE << np.uint64(option & 63)
            removed += 1
            for i in range(starts[option], starts[option + 1]):
                degree[here, items[i]] -= 1
                if degree[here, items[i]] == 0:
                    phase = BACK
    state[DEPTH], state[PHASE], state[NODES], state[FOUND], state[REMOVED] = depth, phase, nodes, found, removed
    return code
