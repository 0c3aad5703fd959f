"""From the last state of the frontier back to the empty board: one tiling after another, random ones, or how many use each fit.

The layers are complete then (kernel_layers.py); arrays are those of that file. Every state in them is reached in some way, so
no step back is a dead end.

    is_sorted   boolean[profiles]   lists that are in ascending order of their keys: put so when first looked into
    found       int64[.., 3]        the states before a state: profile, row, and the fit that leads on from there
    stack       int64[depths, 4]    profile, row, next edge to go back along, the fit by which the depth below was left
    forth, back uint64[rows, primes] by row, modulo each prime: the ways to reach a state, and to go on from it to a tiling
    uses        uint64[fits, primes] the tilings that use a fit, modulo each prime

A step back costs a binary search for each edge into the profile. Crediting costs as much as gathering, for each prime.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tiler.backends.frontier.kernel_profiles import (
    BEFORE,
    EDGE,
    FIELD,
    FIT,
    MOST,
    REST,
    SHIFT,
    SOURCE,
    STAYS,
    WORD,
    owed,
    scramble,
    take,
)
from tiler.kernels import EXHAUSTED, PAUSED, SOLUTION, inner, kernel

#: Places in `state`, for `retreat`: how far back it is, the states it came to, the edges it tried.
DEPTH, NODES, STEPS = range(STATE_SIZE := 3)
#: Columns of `stack`: profile, row, next edge to go back along, the fit by which the depth below was left.
PROFILE, ROW, NEXT_EDGE, LEFT_BY = range(STACK_COLUMNS := 4)
#: Columns of `found`: the profile and the row before, and the fit that leads on from there.
FOUND_PROFILE, FOUND_ROW, FOUND_FIT = range(FOUND_COLUMNS := 3)

_ONE = np.uint64(1)
_LINKS = "int32[:,::1],int32[:,::1],int64[:,::1]"
_LISTS = f"{_LINKS},uint64[:,::1],int64,boolean[::1]"


@inner("boolean(uint64[:,::1],int64,int64,int64)")
def is_less(rows: NDArray[np.uint64], a: int, b: int, words: int) -> bool:
    """Whether the key of a row comes before that of another."""
    for w in range(words):
        if rows[a, w] != rows[b, w]:
            return bool(rows[a, w] < rows[b, w])
    return False


@inner("void(uint64[:,::1],int64,int64,int64)")
def sift(rows: NDArray[np.uint64], begin: int, root: int, end: int) -> None:
    """Let a row sink in a heap of rows; `end` and `root` count from `begin`. All words are compared: the key comes first."""
    while 2 * root + 1 < end:
        child = 2 * root + 1
        if child + 1 < end and is_less(rows, begin + child, begin + child + 1, rows.shape[1]):
            child += 1
        if not is_less(rows, begin + root, begin + child, rows.shape[1]):
            return
        for w in range(rows.shape[1]):
            rows[begin + root, w], rows[begin + child, w] = rows[begin + child, w], rows[begin + root, w]
        root = child


@inner("void(uint64[:,::1],int64,int64)")
def sort_rows(rows: NDArray[np.uint64], begin: int, end: int) -> None:
    """Put some rows in ascending order, in place (heapsort)."""
    count = end - begin
    for root in range(count // 2 - 1, -1, -1):
        sift(rows, begin, root, count)
    for last in range(count - 1, 0, -1):
        for w in range(rows.shape[1]):
            rows[begin, w], rows[begin + last, w] = rows[begin + last, w], rows[begin, w]
        sift(rows, begin, 0, last)


@inner(f"int64(int64,int64,int64,int64,int32[::1],int64[:,::1],{_LISTS})")
def before(
    edge: int,
    profile: int,
    row: int,
    same: int,
    fit_tile: NDArray[np.int32],
    counters: NDArray[np.int64],
    links: NDArray[np.int32],
    edges: NDArray[np.int32],
    spans: NDArray[np.int64],
    rows: NDArray[np.uint64],
    words: int,
    is_sorted: NDArray[np.bool_],
) -> int:
    """The row before a row along an edge, with the same key (`same` 1) or with one copy less (0); -1 if there is none."""
    tile = fit_tile[edges[edge, FIT]]
    word = counters[tile, WORD]
    shift = np.uint64(0)
    unit = np.uint64(0)
    if word < 0:
        if not same:
            return -1
    else:
        shift = np.uint64(counters[tile, SHIFT])
        field = (rows[row, word] >> shift) & np.uint64(counters[tile, FIELD])
        if same:
            if not counters[tile, STAYS] or field != np.uint64(counters[tile, MOST]):
                return -1
        elif field == 0:
            return -1
        else:
            unit = _ONE << shift
    source = edges[edge, SOURCE]
    low, high = spans[source, 0], spans[source, 1]
    if not is_sorted[source]:
        sort_rows(rows, low, high)
        is_sorted[source] = True
    while low < high:
        middle = (low + high) // 2
        less = False
        for w in range(words):
            wanted = rows[row, w] - unit if w == word else rows[row, w]
            if rows[middle, w] != wanted:
                less = rows[middle, w] < wanted
                break
        if less:
            low = middle + 1
        else:
            high = middle
    if low == spans[source, 1]:
        return -1
    for w in range(words):
        if rows[low, w] != (rows[row, w] - unit if w == word else rows[row, w]):
            return -1
    return int(low)


@kernel(f"int64(int64,int64,int32[::1],int64[:,::1],{_LISTS},int64[:,::1])")
def predecessors(
    profile: int,
    row: int,
    fit_tile: NDArray[np.int32],
    counters: NDArray[np.int64],
    links: NDArray[np.int32],
    edges: NDArray[np.int32],
    spans: NDArray[np.int64],
    rows: NDArray[np.uint64],
    words: int,
    is_sorted: NDArray[np.bool_],
    found: NDArray[np.int64],
) -> int:
    """Every state before a state, in `found`; returns how many. There must be room for two for every edge."""
    count = 0
    edge = links[profile, EDGE]
    while edge >= 0:
        for same in range(2):
            other = before(edge, profile, row, same, fit_tile, counters, links, edges, spans, rows, words, is_sorted)
            if other >= 0:
                found[count, FOUND_PROFILE] = edges[edge, SOURCE]
                found[count, FOUND_ROW] = other
                found[count, FOUND_FIT] = edges[edge, FIT]
                count += 1
        edge = edges[edge, BEFORE]
    return count


@kernel(f"int64(int32[::1],int64[:,::1],{_LISTS},int64[:,::1],int64[::1],int64)")
def retreat(
    fit_tile: NDArray[np.int32],
    counters: NDArray[np.int64],
    links: NDArray[np.int32],
    edges: NDArray[np.int32],
    spans: NDArray[np.int64],
    rows: NDArray[np.uint64],
    words: int,
    is_sorted: NDArray[np.bool_],
    stack: NDArray[np.int64],
    state: NDArray[np.int64],
    budget: int,
) -> int:
    """Every tiling that ends in the state at the bottom of the stack: SOLUTION at each, PAUSED after so many steps, EXHAUSTED.

    The next edge is kept as twice its number, plus 1 when only the same key is left to try; -1 for none. The empty board is
    profile 0, which no edge leads to.
    """
    depth, steps = state[DEPTH], 0
    while True:
        profile, row = stack[depth, PROFILE], stack[depth, ROW]
        descended = False
        if profile != 0:
            while stack[depth, NEXT_EDGE] >= 0:
                if steps >= budget:
                    state[DEPTH] = depth
                    return PAUSED
                steps += 1
                state[STEPS] += 1
                edge, same = stack[depth, NEXT_EDGE] >> 1, stack[depth, NEXT_EDGE] & 1
                follow = np.int64(edges[edge, BEFORE])
                stack[depth, NEXT_EDGE] = stack[depth, NEXT_EDGE] + 1 if not same else (2 * follow if follow >= 0 else -1)
                other = before(edge, profile, row, same, fit_tile, counters, links, edges, spans, rows, words, is_sorted)
                if other >= 0:
                    stack[depth, LEFT_BY] = edges[edge, FIT]
                    source = edges[edge, SOURCE]
                    depth += 1
                    first = np.int64(links[source, EDGE])
                    stack[depth, PROFILE], stack[depth, ROW], stack[depth, NEXT_EDGE] = (
                        source,
                        other,
                        2 * first if first >= 0 else -1,
                    )
                    descended = True
                    break
        if descended:
            state[NODES] += 1
            if stack[depth, PROFILE] == 0:
                state[DEPTH] = depth
                return SOLUTION
            continue
        if depth == 0:
            state[DEPTH] = 0
            return EXHAUSTED
        depth -= 1


@kernel("void(uint64[:,::1],int64,int64,int64,uint64[::1],uint64[:,::1])")
def reduce_ways(
    rows: NDArray[np.uint64], words: int, start: int, stop: int, primes: NDArray[np.uint64], forth: NDArray[np.uint64]
) -> None:
    """The ways of some rows modulo primes below 2**31."""
    half = np.uint64(32)
    low = np.uint64(0xFFFFFFFF)
    for row in range(start, stop):
        for q in range(primes.size):
            value = np.uint64(0)
            for w in range(rows.shape[1] - 1, words - 1, -1):
                value = ((value << half) | (rows[row, w] >> half)) % primes[q]
                value = ((value << half) | (rows[row, w] & low)) % primes[q]
            forth[row, q] = value


@kernel(
    f"int64(int32[::1],int64,int64,int32[::1],int64[:,::1],int32[::1],{_LINKS},uint64[:,::1],int64,int32[::1],uint64[::1],"
    "uint64[:,::1],uint64[:,::1],uint64[:,::1],uint64[:,::1])"
)
def credit(
    profiles: NDArray[np.int32],
    start: int,
    budget: int,
    fit_tile: NDArray[np.int32],
    counters: NDArray[np.int64],
    owing: NDArray[np.int32],
    links: NDArray[np.int32],
    edges: NDArray[np.int32],
    spans: NDArray[np.int64],
    rows: NDArray[np.uint64],
    words: int,
    slots: NDArray[np.int32],
    primes: NDArray[np.uint64],
    forth: NDArray[np.uint64],
    back: NDArray[np.uint64],
    uses: NDArray[np.uint64],
    key: NDArray[np.uint64],
) -> int:
    """Pass the ways on from `profiles[start]` and those after it, whose own are complete, to the states before them, and credit
    the fits between. Some `budget` transitions; returns where it stopped. `slots` are as many as `gather` needed, `key` is
    uint64[1, words].
    """
    done = 0
    i = start
    while i < profiles.size and done <= budget:
        target = profiles[i]
        i += 1
        begin, end = spans[target, 0], spans[target, 1]
        if begin == end:
            continue
        size = 8
        while size < 2 * (end - begin):
            size *= 2
        slots[:size] = 0
        limit = np.uint64(size - 1)
        for row in range(begin, end):
            code = np.uint64(0)
            for w in range(words):
                code = scramble(code ^ rows[row, w])
            slot = code & limit
            while slots[slot]:
                slot = (slot + _ONE) & limit
            slots[slot] = row - begin + 1
        edge = links[target, EDGE]
        while edge >= 0:
            source, fit = edges[edge, SOURCE], edges[edge, FIT]
            done += spans[source, 1] - spans[source, 0]
            for row in range(spans[source, 0], spans[source, 1]):
                for w in range(words):
                    key[0, w] = rows[row, w]
                if not take(counters, fit_tile[fit], key, 0):
                    continue
                if owing.size and owed(counters, owing, key, 0) > links[target, REST]:
                    continue
                code = np.uint64(0)
                for w in range(words):
                    code = scramble(code ^ key[0, w])
                slot = code & limit
                into = -1
                while into < 0:
                    into = begin + slots[slot] - 1
                    for w in range(words):
                        if rows[into, w] != key[0, w]:
                            into = -1
                            break
                    slot = (slot + _ONE) & limit
                for q in range(primes.size):
                    back[row, q] = (back[row, q] + back[into, q]) % primes[q]
                    uses[fit, q] = (uses[fit, q] + forth[row, q] * back[into, q]) % primes[q]
            edge = edges[edge, BEFORE]
    return i
