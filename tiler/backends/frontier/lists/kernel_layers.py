"""Make the layers of the frontier: for every profile the list of its states, merged from the lists of the profiles before it.

A state is a row of words: first its key (the copies in use, see kernel_profiles.py), then the number of ways to reach the
state, in words of 64 bits, the lowest word first. The rows of one profile lie together and are its list. Neither the lists nor
the rows within a list are in any order.

A transition costs one look into a hash table: a few nanoseconds. Source: the frontier method with states grouped by profile.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tiler.backends.frontier.shared.kernel_profiles import (
    ALIVE,
    BEFORE,
    EDGE,
    FIT,
    NEXT,
    REST,
    SOURCE,
    SYMMETRY,
    StateLists,
    WideProfiles,
    WideRules,
    add_words,
    copy_words,
    count_copy,
    counter_of,
    equal,
    hash_of,
)
from tiler.backends.frontier.shared.kernel_symmetries import WordMaps, image_of
from tiler.kernels import inner, kernel
from tiler.kernels.arrays import I32, I64, U64_2

#: Why `gather` stopped, in `state[STOPPED]`: budget used up or all done, no room for rows, too few slots, ways too large.
PAUSED, ROOM, SLOTS, OVERFLOW = range(4)
#: Places in `state`: the next free row, transitions so far, why it stopped, what the list that stopped it needs (rows or slots),
#: the end of the rows that may be written.
TOP, TRANSITIONS, STOPPED, NEEDED, END = range(STATE_SIZE := 5)

_ONE = np.uint64(1)


class Merging(NamedTuple):
    """Working arrays and counters of a thread that merges lists."""

    slots: I32  #: (2**k,): scratch: rows of one list by hash
    state: I64  #: by names


@inner()
def transitions_into(profiles: WideProfiles, lists: StateLists, target: int) -> int:
    """The number of transitions to a profile from all states of the profiles before it; some may have no copy left."""
    total = 0
    edge = profiles.links[target, EDGE]
    while edge >= 0:
        source = profiles.edges[edge, SOURCE]
        total += lists.spans[source, 1] - lists.spans[source, 0]
        edge = profiles.edges[edge, BEFORE]
    return total


@kernel()
def gather(
    rules: WideRules,
    maps: WordMaps,
    profiles: WideProfiles,
    lists: StateLists,
    merging: Merging,
    into: U64_2,
    here: I32,
    start: int,
    budget: int,
) -> int:
    """Make the lists of the profiles `here[start:]` for some `budget` transitions. Returns where it stopped; `state` says why.

    The lists are written to `into`, and their spans count from its first row: it is `rows` of `lists`, or another array. Several
    threads may run this at once, each with its own profiles, `merging` and `into`. They share rules, maps, profiles, the rows of
    the profiles before, and their spans, and only read these. Each thread writes the spans of its own profiles, and no profile
    is a source of another one of the same position.
    """
    words = rules.key_words
    links, edges, spans, rows = profiles.links, profiles.edges, lists.spans, lists.rows
    slots, state, key_maps = merging.slots, merging.state, maps.keys
    top = state[TOP]
    state[STOPPED] = PAUSED
    done = 0
    width = rows.shape[1]
    i = start
    while i < here.size and done <= budget:
        target = here[i]
        total = transitions_into(profiles, lists, target)
        # One row more than the list can have, since each key is made in the row after the list.
        if top + total + 1 > state[END]:
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
            counter, symmetry = counter_of(rules, edges[edge, FIT]), edges[edge, SYMMETRY]
            for row in range(spans[source, 0], spans[source, 1]):
                if not count_copy(rules, counter, rest, rows, row, into, top):
                    continue
                if symmetry >= 0:
                    into[top, 0] = image_of(into[top, 0], key_maps, symmetry)
                slot = hash_of(np.uint64(0), into, top, words) & limit
                while True:
                    at = slots[slot]
                    if at == 0:
                        slots[slot] = top - begin + 1
                        copy_words(rows, row, into, top, words, width)
                        top += 1
                        break
                    to = begin + at - 1
                    if equal(into, to, into, top, words):
                        if add_words(into, to, rows, row, words):
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


@kernel()
def listed(profiles: WideProfiles, last: int, found: I32) -> int:
    """Count the profiles of a position that can be completed, and if `found` has room for them, write them there in the order in
    which they were interned. `last` is the last profile that was interned at the position."""
    links = profiles.links
    count = 0
    profile = last
    while profile >= 0:
        count += links[profile, ALIVE]
        profile = links[profile, NEXT]
    if count > found.size:
        return count
    at = count
    profile = last
    while profile >= 0:
        if links[profile, ALIVE]:
            at -= 1
            found[at] = profile
        profile = links[profile, NEXT]
    return count


@kernel()
def incoming(profiles: WideProfiles, lists: StateLists, here: I32, sums: I64) -> None:
    """Write to `sums`, shape (profiles + 1,), how many transitions lead to the first i profiles of `here`, for every i. Some of
    them may have no copy left."""
    sums[0] = 0
    for i in range(here.size):
        sums[i + 1] = sums[i] + transitions_into(profiles, lists, here[i])


@kernel()
def put(made: U64_2, count: int, lists: StateLists, at: int, here: I32, start: int, stop: int, step: int) -> None:
    """Copy the first `count` rows that `gather` made in another array to the rows of the lists from `at` on, and add `step` to
    the spans of their profiles, `here[start:stop]`.

    Several threads may run this at once, each with its own rows and profiles. No thread reads the rows or spans of another.
    """
    rows, spans = lists.rows, lists.spans
    for row in range(count):
        copy_words(made, row, rows, at + row, 0, rows.shape[1])
    for i in range(start, stop):
        spans[here[i], 0] += step
        spans[here[i], 1] += step


@kernel()
def move_down(rows: U64_2, start: int, stop: int, step: int) -> None:
    """Move the rows from `start` to `stop` by `step` rows towards the front. The old and new places may overlap."""
    for row in range(start, stop):
        copy_words(rows, row, rows, row - step, 0, rows.shape[1])


@kernel()
def widen(rows: U64_2, start: int, stop: int, width: int) -> None:
    """Give rows of `width` words, which are packed at the front of the array, the width of the array: their ways get more words.

    The last rows are moved first, in a call and from call to call, so that no row is overwritten before it is moved.
    """
    full = rows.shape[1]
    for row in range(stop - 1, start - 1, -1):
        for w in range(full - 1, width - 1, -1):
            rows[row, w] = 0
        for w in range(width - 1, -1, -1):
            before = row * width + w
            rows[row, w] = rows[before // full, before % full]
