"""The layers of the frontier: for every profile the list of its states, merged from the lists of the profiles before it.

A state is a row of words: the key (copies in use, see kernel_profiles.py), then the number of ways to reach it, in words of 64
bits, the lowest first. Rows of a profile lie together, as its list; neither the lists nor the rows within a list are in any
order.

    edges       int32[edges, 5]          fits that lead from profile to profile, chained by target
    links       int32[profiles, 5]       by profile
    spans       int64[profiles, 2]       by profile, the rows of its list
    rows        uint64[rows, words]      the states
    slots       int32[2**k]              scratch: rows of one list by hash
    fit_tile, counters, owing            as in kernel_profiles.py

A transition costs a probe of the hash: a few nanoseconds. Source: the frontier method with states grouped by profile.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tiler.backends.frontier.kernel_profiles import (
    ALIVE,
    BEFORE,
    EDGE,
    FIELD,
    FIT,
    MOST,
    NEXT,
    REST,
    SHIFT,
    SOURCE,
    STAYS,
    SYMMETRY,
    WORD,
    add_words,
    owed,
    scramble,
)
from tiler.backends.frontier.kernel_symmetries import image_of
from tiler.kernels import kernel

#: Why `gather` stopped, in `state[STOPPED]`: budget used up or all done, no room for rows, slots too few, ways over their words.
PAUSED, ROOM, SLOTS, OVERFLOW = range(4)
#: Places in `state`: the next free row, transitions so far, why it stopped, what the list that stopped it needs (rows or slots).
TOP, TRANSITIONS, STOPPED, NEEDED = range(TALLY_SIZE := 4)

_ONE = np.uint64(1)
_COUNTERS = "int32[::1],int64[:,::1],int32[::1]"


@kernel(
    f"int64(int32[::1],int64,int64,int64,{_COUNTERS},int32[:,::1],int32[:,::1],int64[:,::1],uint64[:,::1],int64,int64,"
    "int32[::1],uint64[:,:,::1],int64[::1])"
)
def gather(
    profiles: NDArray[np.int32],
    start: int,
    stop: int,
    budget: int,
    fit_tile: NDArray[np.int32],
    counters: NDArray[np.int64],
    owing: NDArray[np.int32],
    links: NDArray[np.int32],
    edges: NDArray[np.int32],
    spans: NDArray[np.int64],
    rows: NDArray[np.uint64],
    room: int,
    words: int,
    slots: NDArray[np.int32],
    key_images: NDArray[np.uint64],
    state: NDArray[np.int64],
) -> int:
    """Make the lists of `profiles[start:stop]` for some `budget` transitions; returns where it stopped, `state` says why.

    `words` is the length of a key; `room` the end of the rows that may be written; `key_images` what symmetries do to keys of one
    word (kernel_symmetries.py).
    """
    top = state[TOP]
    state[STOPPED] = PAUSED
    done = 0
    width = rows.shape[1]
    i = start
    while i < stop and done <= budget:
        target = profiles[i]
        total = 0
        edge = links[target, EDGE]
        while edge >= 0:
            source = edges[edge, SOURCE]
            total += spans[source, 1] - spans[source, 0]
            edge = edges[edge, BEFORE]
        # One row more than there can be: the next key is made in place.
        if top + total + 1 > room:
            state[STOPPED], state[NEEDED] = ROOM, total + 1
            break
        size = 8
        while size < 2 * total:
            size *= 2
        if size > slots.size:
            state[STOPPED], state[NEEDED] = SLOTS, size
            break
        slots[:size] = 0
        limit = np.uint64(size - 1)
        begin = top
        rest = links[target, REST]
        edge = links[target, EDGE]
        overflow = False
        while edge >= 0:
            source = edges[edge, SOURCE]
            tile, symmetry = fit_tile[edges[edge, FIT]], edges[edge, SYMMETRY]
            word = counters[tile, WORD]
            shift, field = np.uint64(counters[tile, SHIFT]), np.uint64(counters[tile, FIELD])
            most, stays = np.uint64(counters[tile, MOST]), counters[tile, STAYS]
            for row in range(spans[source, 0], spans[source, 1]):
                for w in range(words):
                    rows[top, w] = rows[row, w]
                if word >= 0:
                    if (rows[top, word] >> shift) & field < most:
                        rows[top, word] += _ONE << shift
                    elif not stays:
                        continue
                if symmetry >= 0:
                    rows[top, 0] = image_of(rows[top, 0], key_images, symmetry)
                if owing.size and owed(counters, owing, rows, top) > rest:
                    continue
                code = np.uint64(0)
                for w in range(words):
                    code = scramble(code ^ rows[top, w])
                slot = code & limit
                while True:
                    at = slots[slot]
                    if at == 0:
                        slots[slot] = top - begin + 1
                        for w in range(words, width):
                            rows[top, w] = rows[row, w]
                        top += 1
                        break
                    into = begin + at - 1
                    same = True
                    for w in range(words):
                        same = same and rows[into, w] == rows[top, w]
                    if same:
                        if add_words(rows, into, rows, row, words):
                            overflow = True
                        break
                    slot = (slot + _ONE) & limit
            edge = edges[edge, BEFORE]
        if overflow:
            top = begin
            state[STOPPED], state[NEEDED] = OVERFLOW, total + 1
            break
        done += total
        state[TRANSITIONS] += total
        spans[target, 0], spans[target, 1] = begin, top
        i += 1
    state[TOP] = top
    return i


@kernel("int32[::1](int64,int32[:,::1])")
def listed(last: int, links: NDArray[np.int32]) -> NDArray[np.int32]:
    """The profiles of a position that can be completed, in the order in which they were found; `last` is the last of them."""
    count = 0
    profile = last
    while profile >= 0:
        count += links[profile, ALIVE]
        profile = links[profile, NEXT]
    found = np.empty(count, np.int32)
    profile = last
    while profile >= 0:
        if links[profile, ALIVE]:
            count -= 1
            found[count] = profile
        profile = links[profile, NEXT]
    return found


@kernel("int64[::1](int32[::1],int32[:,::1],int32[:,::1],int64[:,::1])")
def incoming(
    profiles: NDArray[np.int32], links: NDArray[np.int32], edges: NDArray[np.int32], spans: NDArray[np.int64]
) -> NDArray[np.int64]:
    """For each profile how many states lead to it, copies permitting, summed up from the first: shape (profiles + 1,)."""
    sums = np.zeros(profiles.size + 1, np.int64)
    for i in range(profiles.size):
        total = 0
        edge = links[profiles[i], EDGE]
        while edge >= 0:
            source = edges[edge, SOURCE]
            total += spans[source, 1] - spans[source, 0]
            edge = edges[edge, BEFORE]
        sums[i + 1] = sums[i] + total
    return sums


@kernel("void(uint64[:,::1],int64,int64,int64)")
def move_down(rows: NDArray[np.uint64], start: int, stop: int, step: int) -> None:
    """Move some rows towards the front; the places may overlap."""
    for row in range(start, stop):
        for w in range(rows.shape[1]):
            rows[row - step, w] = rows[row, w]


@kernel("void(uint64[:,::1],int64,int64,int64)")
def widen(rows: NDArray[np.uint64], start: int, stop: int, width: int) -> None:
    """Give rows of so many words, close together at the front of the array, the width of the array: a longer number of ways.

    The last ones first, in this call and from call to call: then none is written over one that is still to be moved.
    """
    flat = rows.reshape(rows.size)
    for row in range(stop - 1, start - 1, -1):
        for w in range(rows.shape[1] - 1, width - 1, -1):
            rows[row, w] = 0
        for w in range(width - 1, -1, -1):
            rows[row, w] = flat[row * width + w]
