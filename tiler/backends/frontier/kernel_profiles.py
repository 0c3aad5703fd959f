"""Profiles of a frontier, and the placements that fit them.

Cells are numbered in fill order. A *profile* is a first open cell (its `position`) with the set of covered cells beyond it: bit i
of its mask is the cell i places after the first open one. What fits a profile and whether it can be completed at all does not
depend on the copies left; so each profile is interned once, with its verdict, and its placements are listed once.

A *fit* is an option of the cover in fill order, by first cell. Copies in use are counted in the bits of a key of several words.

    fit_starts          int64[cells + 1]       the fits whose first cell is c
    fit_masks           uint64[fits, words]    the cells of a fit, relative to its first
    fit_tile            int32[fits]            its tile
    around_starts, around                      the neighbours of each cell; none at all if some tile is disconnected
    possible            boolean[cells + 1]     whether the tiles, within their bounds, can cover so many cells
    counters            int64[tiles, ..]       where a tile is counted, see the names below
    owing               int32[..]              the tiles with a lower bound that cells may be wanting for
    table               int32[2**k]            profiles by hash, 0 for none, else number + 1
    masks               uint64[profiles, words]
    links               int32[profiles, ..]    by profile, see the names below
    edges               int32[edges, ..]       a fit that leads from one profile to another
    seen, queue         int64[cells], int32[cells]
    fresh               uint64[words]          the profile about to be interned
    state               int64[..]              see the names below

Interning a profile costs a probe and, the first time, a flood fill of the cells up to the last covered one.

Source: the transfer-matrix method (Klarner and Pollack 1980), on states instead of columns; Knuth, The Art of Computer
Programming 4A, section 7.1.4 (frontiers).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tiler.backends.frontier.kernel_mirrors import Images, representative
from tiler.kernels import inner, kernel
from tiler.kernels.bits import population, trailing_zeros

#: Columns of `counters`: word of the key (-1: not counted), lowest bit, bits of the field, its greatest value, whether it stays
#: there (only the lower bound can bind) or no copy is left then, lower bound, cells.
WORD, SHIFT, FIELD, MOST, STAYS, LOWER, SIZE = range(COUNTER_COLUMNS := 7)
#: Columns of `links`: first open cell, whether it can be completed, open cells; then for the layers the last edge into it and the
#: profile interned before it at the same position, for the search the first edge out of it (-1: not listed yet) and their number.
POSITION, ALIVE, REST, EDGE, NEXT = range(LINK_COLUMNS := 5)
COUNT = NEXT
#: Columns of `edges`; the last is the mirror that takes where the fit leads to the target, -1 for none.
BEFORE, SOURCE, FIT, TARGET, MIRROR = range(EDGE_COLUMNS := 5)
#: Places in `state`; kernel_search.py has more.
PROFILES, EDGES, STAMP = range(STATE_SIZE := 3)

_ONE = np.uint64(1)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_FOLD = np.uint64(29)

_FITS = "int64[::1],uint64[:,::1]"
_BOARD = "int64[::1],int32[::1],boolean[::1]"
_POOL = "int32[::1],uint64[:,::1],int32[:,::1]"
_WORK = "int64[::1],int32[::1],uint64[::1],int64[::1]"
_IMAGES = "int64[::1],int64[::1],int64[:,::1],uint64[:,:,::1],uint64[:,:,::1]"


@inner("uint64(uint64)")
def scramble(word: np.uint64) -> np.uint64:
    """Bits of a word mixed so that the low ones can be a hash.

    `gather` has its own loops for a row's hash and for its place: one inlined function for both made it 6 % slower.
    """
    word = (word ^ (word >> _FOLD)) * _MIX
    return word ^ (word >> np.uint64(32))


@inner(inline=True)
def add_words(into: NDArray[np.uint64], at: int, rows: NDArray[np.uint64], row: int, first: int) -> bool:
    """Add a number of several words, the lowest first, to another: word `first` of a row to its end. Whether the sum is too large
    for its words, where it is kept modulo what they can hold."""
    carry = np.uint64(0)
    for w in range(first, into.shape[1]):
        term = rows[row, w] + carry
        over = term < carry
        into[at, w] += term
        carry = np.uint64(over or into[at, w] < term)
    return bool(carry != np.uint64(0))


@inner("int64(int64,uint64[:,::1],int64,uint64[:,::1],int64,uint64[::1])")
def lay(
    position: int, masks: NDArray[np.uint64], profile: int, fit_masks: NDArray[np.uint64], fit: int, fresh: NDArray[np.uint64]
) -> int:
    """Lay a fit on a profile: the new first open cell, with its profile in `fresh`; -1 if it does not fit."""
    words = fresh.size
    for w in range(words):
        if masks[profile, w] & fit_masks[fit, w]:
            return -1
    step = 64 * words
    for w in range(words):
        holes = (masks[profile, w] | fit_masks[fit, w]) ^ _ALL
        if holes:
            step = 64 * w + trailing_zeros(holes)
            break
    skip, turn = step // 64, np.uint64(step % 64)
    for w in range(words):
        word = np.uint64(0)
        if w + skip < words:
            word = (masks[profile, w + skip] | fit_masks[fit, w + skip]) >> turn
        if turn and w + skip + 1 < words:
            word |= (masks[profile, w + skip + 1] | fit_masks[fit, w + skip + 1]) << (np.uint64(64) - turn)
        fresh[w] = word
    return position + step


@inner(f"boolean(int64,int64,{_BOARD},{_WORK})")
def can_be_completed(
    position: int,
    rest: int,
    around_starts: NDArray[np.int64],
    around: NDArray[np.int32],
    possible: NDArray[np.bool_],
    seen: NDArray[np.int64],
    queue: NDArray[np.int32],
    fresh: NDArray[np.uint64],
    state: NDArray[np.int64],
) -> bool:
    """Whether tiles can cover so many cells: all that are open, and every region closed off before the last covered one."""
    if not possible[rest]:
        return False
    if around.size == 0:
        return True
    top = position
    for w in range(fresh.size - 1, -1, -1):
        if fresh[w]:
            high = 0
            for step in (32, 16, 8, 4, 2, 1):
                if fresh[w] >> np.uint64(high + step):
                    high += step
            top = position + 64 * w + high
            break
    # A region is open if a way leads beyond the last covered cell; from there backwards that is soon seen.
    state[STAMP] += 2
    shut = state[STAMP]
    for start in range(top - 1, position - 1, -1):
        if seen[start] >= shut or fresh[(start - position) >> 6] >> np.uint64((start - position) & 63) & _ONE:
            continue
        seen[start] = shut
        queue[0] = start
        head, tail = 0, 1
        is_open = False
        while head < tail and not is_open:
            cell = queue[head]
            head += 1
            for a in range(around_starts[cell], around_starts[cell + 1]):
                other = around[a]
                if other > top or seen[other] == shut + 1:
                    is_open = True
                    break
                if other < position or seen[other] == shut:
                    continue
                if fresh[(other - position) >> 6] >> np.uint64((other - position) & 63) & _ONE:
                    continue
                seen[other] = shut
                queue[tail] = other
                tail += 1
        if is_open:
            for i in range(tail):
                seen[queue[i]] = shut + 1
        elif not possible[tail]:
            return False
    return True


@inner("uint64(int64,uint64[:,::1],int64)")
def hash_of(position: int, masks: NDArray[np.uint64], profile: int) -> np.uint64:
    """The hash of a profile."""
    code = scramble(np.uint64(position + 1))
    for w in range(masks.shape[1]):
        code = scramble(code ^ masks[profile, w])
    return code


@inner(f"int64(int64,{_BOARD},{_POOL},{_WORK})")
def intern(
    position: int,
    around_starts: NDArray[np.int64],
    around: NDArray[np.int32],
    possible: NDArray[np.bool_],
    table: NDArray[np.int32],
    masks: NDArray[np.uint64],
    links: NDArray[np.int32],
    seen: NDArray[np.int64],
    queue: NDArray[np.int32],
    fresh: NDArray[np.uint64],
    state: NDArray[np.int64],
) -> int:
    """The number of the profile in `fresh`; there must be room for one more. A new one has -1 for its edge."""
    number = state[PROFILES]
    masks[number] = fresh
    limit = np.uint64(table.size - 1)
    slot = hash_of(position, masks, number) & limit
    while table[slot]:
        other = table[slot] - 1
        same = links[other, POSITION] == position
        for w in range(fresh.size):
            same = same and masks[other, w] == fresh[w]
        if same:
            return int(other)
        slot = (slot + _ONE) & limit
    table[slot] = number + 1
    state[PROFILES] = number + 1
    rest = possible.size - 1 - position
    for w in range(fresh.size):
        rest -= population(fresh[w])
    links[number, POSITION] = position
    links[number, REST] = rest
    links[number, EDGE] = -1
    links[number, ALIVE] = can_be_completed(position, rest, around_starts, around, possible, seen, queue, fresh, state)
    return int(number)


@kernel(f"void({_POOL},int64,int64)")
def rehash(table: NDArray[np.int32], masks: NDArray[np.uint64], links: NDArray[np.int32], start: int, stop: int) -> None:
    """Enter some profiles into a table without them."""
    limit = np.uint64(table.size - 1)
    for number in range(start, stop):
        slot = hash_of(links[number, POSITION], masks, number) & limit
        while table[slot]:
            slot = (slot + _ONE) & limit
        table[slot] = number + 1


@kernel(f"int64(int32[::1],int64,int64,int64[:,::1],{_FITS},{_BOARD},{_POOL},int32[:,::1],int32[::1],{_WORK},{_IMAGES})")
def expand(
    profiles: NDArray[np.int32],
    start: int,
    budget: int,
    spans: NDArray[np.int64],
    fit_starts: NDArray[np.int64],
    fit_masks: NDArray[np.uint64],
    around_starts: NDArray[np.int64],
    around: NDArray[np.int32],
    possible: NDArray[np.bool_],
    table: NDArray[np.int32],
    masks: NDArray[np.uint64],
    links: NDArray[np.int32],
    edges: NDArray[np.int32],
    last_at: NDArray[np.int32],
    seen: NDArray[np.int64],
    queue: NDArray[np.int32],
    fresh: NDArray[np.uint64],
    state: NDArray[np.int64],
    cut: NDArray[np.int64],
    room: NDArray[np.int64],
    image_at: NDArray[np.int64],
    images: NDArray[np.uint64],
    key_images: NDArray[np.uint64],
) -> int:
    """Layer by layer: edges from these profiles of one position, which must be complete, to all that they lead to.

    From `profiles[start]` on, at most `budget` of them; returns where it stopped, which is at `start` if an array is full.
    Profiles without states (`spans`) are passed over. `last_at` int32[cells + 1] begins the list of profiles by position. The
    last five are parts of `Images` in kernel_mirrors.py; without symmetries `room` is zero everywhere.
    """
    mirrors = Images(cut, room, image_at, images, key_images)
    stop = min(profiles.size, start + budget)
    for i in range(start, stop):
        profile = profiles[i]
        if spans[profile, 0] == spans[profile, 1]:
            continue
        position = links[profile, POSITION]
        a, b = fit_starts[position], fit_starts[position + 1]
        if state[PROFILES] + b - a >= masks.shape[0] or 2 * (state[PROFILES] + b - a) > table.size:
            return i
        if state[EDGES] + b - a > edges.shape[0]:
            return i
        for fit in range(a, b):
            to = lay(position, masks, profile, fit_masks, fit, fresh)
            if to < 0:
                continue
            mirror = -1
            if room[to] > 0:
                to, fresh[0], mirror = representative(to, fresh[0], mirrors)
            known = state[PROFILES]
            target = intern(to, around_starts, around, possible, table, masks, links, seen, queue, fresh, state)
            if target == known:
                links[target, NEXT] = last_at[to]
                last_at[to] = target
            if links[target, ALIVE]:
                edge = state[EDGES]
                state[EDGES] = edge + 1
                edges[edge, BEFORE] = links[target, EDGE]
                edges[edge, SOURCE] = profile
                edges[edge, FIT] = fit
                edges[edge, TARGET] = target
                edges[edge, MIRROR] = mirror
                links[target, EDGE] = edge
    return stop


@inner("boolean(int64[:,::1],int64,uint64[:,::1],int64)")
def take(counters: NDArray[np.int64], tile: int, keys: NDArray[np.uint64], row: int) -> bool:
    """Count one more copy in the key of a row; False if there is none left."""
    word = counters[tile, WORD]
    if word >= 0:
        field = (keys[row, word] >> np.uint64(counters[tile, SHIFT])) & np.uint64(counters[tile, FIELD])
        if field < np.uint64(counters[tile, MOST]):
            keys[row, word] += _ONE << np.uint64(counters[tile, SHIFT])
        elif not counters[tile, STAYS]:
            return False
    return True


@inner("int64(int64[:,::1],int32[::1],uint64[:,::1],int64)")
def owed(counters: NDArray[np.int64], owing: NDArray[np.int32], keys: NDArray[np.uint64], row: int) -> int:
    """The cells of the copies that must still be used."""
    cells = 0
    for tile in owing:
        used = (keys[row, counters[tile, WORD]] >> np.uint64(counters[tile, SHIFT])) & np.uint64(counters[tile, FIELD])
        cells += max(0, counters[tile, LOWER] - np.int64(used)) * counters[tile, SIZE]
    return cells
