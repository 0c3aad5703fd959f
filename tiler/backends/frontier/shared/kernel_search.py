"""Search depth first through the states of the frontier, and remember the states that failed.

A state is a profile (kernel_profiles.py) with a key, the copies in use.

The fits of a profile are listed when it is first entered. A step costs a probe among the failed states.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tiler.backends.frontier.shared.kernel_profiles import (
    COUNT,
    EDGE,
    EDGES,
    FIT,
    POSITION,
    REST,
    TARGET,
    Judging,
    WideProfiles,
    WideRules,
    copy_words,
    count_copy,
    counter_of,
    equal,
    follow,
    has_room,
    hash_of,
    scramble,
)
from tiler.backends.frontier.shared.kernel_symmetries import WordMaps
from tiler.kernels import EXHAUSTED, PAUSED, SOLUTION, inner, kernel
from tiler.kernels.arrays import I64, I64_2, U64_2
from tiler.kernels.inner import copy_row

#: The search returns the codes of tiler.kernels, or this: an array is full, and Python has to make room.
FULL = 3

#: Places in `state`: depth, states entered, solutions, states failed, whether a state was just entered.
DEPTH, NODES, FOUND, FAILED, ENTERED = range(STATE_SIZE := 5)
#: Columns of `stack`: the profile, the edge to try next, the solutions found before, the fit that was laid to come here.
PROFILE, NEXT_EDGE, FOUND_BEFORE, LAID = range(STACK_COLUMNS := 4)

_ONE = np.uint64(1)


class Descent(NamedTuple):
    """The present state of a search."""

    failed: U64_2  #: (2**k, key words + 1): the states known to fail: key, profile + 1; 0: a free place
    stack: I64_2  #: (depths,) by names
    keys: U64_2  #: (depths, key words): by depth the copies in use
    state: I64  #: by names


@inner()
def find_failed(failed: U64_2, words: int, keys: U64_2, row: int, profile: int) -> np.int64:
    """The place of a state in the hash table `failed`; if it is not there, -1 - the place where it belongs. The state is a
    profile, and a key of `words` words in a row of `keys`."""
    limit = np.uint64(failed.shape[0] - 1)
    slot = hash_of(scramble(np.uint64(profile + 1)), keys, row, words) & limit
    while failed[slot, words]:
        if failed[slot, words] == np.uint64(profile + 1) and equal(failed, np.int64(slot), keys, row, words):
            return np.int64(slot)
        slot = (slot + _ONE) & limit
    return -1 - np.int64(slot)


@kernel()
def copy_failed(failed: U64_2, start: int, stop: int, words: int, into: U64_2) -> None:
    """Enter the failed states of the places from `start` to `stop` into a larger table."""
    for slot in range(start, stop):
        if failed[slot, words]:
            place = -1 - find_failed(into, words, failed, slot, int(failed[slot, words]) - 1)
            copy_row(failed[slot], into[place])


@kernel()
def search(
    rules: WideRules,
    maps: WordMaps,
    profiles: WideProfiles,
    judging: Judging,
    descent: Descent,
    budget: int,
    stop_at_solutions: bool,
    remembers: bool,
) -> int:
    """Search depth first for at most `budget` nodes. Returns EXHAUSTED, PAUSED, SOLUTION or FULL. If `remembers`, a state below
    which nothing was found is remembered, and never entered again. There must be no symmetries.
    """
    links, edges, counts = profiles.links, profiles.edges, profiles.state
    failed, stack, keys, state = descent.failed, descent.stack, descent.keys, descent.state
    cells, words = rules.possible.size - 1, rules.key_words
    depth = state[DEPTH]
    last = state[NODES] + budget
    while True:
        profile = stack[depth, PROFILE]
        if links[profile, EDGE] < 0:
            position = links[profile, POSITION]
            first, after = rules.fit_starts[position], rules.fit_starts[position + 1]
            if not has_room(profiles, after - first):
                state[DEPTH] = depth
                return FULL
            links[profile, EDGE] = counts[EDGES]
            for fit in range(first, after):
                follow(rules, maps, profiles, judging, profile, fit)
            links[profile, COUNT] = counts[EDGES] - links[profile, EDGE]
        if state[ENTERED]:
            state[ENTERED] = 0
            stack[depth, NEXT_EDGE] = links[profile, EDGE]
        end = links[profile, EDGE] + links[profile, COUNT]
        descended = False
        for edge in range(stack[depth, NEXT_EDGE], end):
            target = edges[edge, TARGET]
            fit = edges[edge, FIT]
            if not count_copy(rules, counter_of(rules, fit), links[target, REST], keys, depth, keys, depth + 1):
                continue
            if links[target, POSITION] < cells and find_failed(failed, words, keys, depth + 1, target) >= 0:
                continue
            stack[depth, NEXT_EDGE] = edge + 1
            depth += 1
            stack[depth, PROFILE] = target
            stack[depth, FOUND_BEFORE] = state[FOUND]
            stack[depth, LAID] = fit
            descended = True
            break
        if descended:
            state[NODES] += 1
            if links[stack[depth, PROFILE], POSITION] == cells:
                state[FOUND] += 1
                # The caller reads the solution off the stack before it calls again.
                links[stack[depth, PROFILE], EDGE] = 0
                links[stack[depth, PROFILE], COUNT] = 0
                stack[depth, NEXT_EDGE] = 0
                if stop_at_solutions:
                    state[DEPTH] = depth
                    return SOLUTION
            else:
                state[ENTERED] = 1
            if state[NODES] == last:
                state[DEPTH] = depth
                return PAUSED
            continue
        if remembers and state[FOUND] == stack[depth, FOUND_BEFORE] and links[profile, POSITION] < cells:
            if 2 * state[FAILED] >= failed.shape[0]:
                stack[depth, NEXT_EDGE] = end
                state[DEPTH] = depth
                return FULL
            place = find_failed(failed, words, keys, depth, profile)
            if place < 0:
                place = -1 - place
                copy_words(keys, depth, failed, place, 0, words)
                failed[place, words] = np.uint64(profile + 1)
                state[FAILED] += 1
        if depth == 0:
            state[DEPTH] = 0
            return EXHAUSTED
        depth -= 1
