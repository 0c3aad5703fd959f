"""Depth first through the states of the frontier, remembering those that failed.

A state is a profile with a key, the copies in use; arrays that are not explained here are those of kernel_profiles.py.

    failed  uint64[2**k, key words + 1]   the states known to fail: key, profile + 1; 0 for none
    stack   int64[depths, ..]             by depth, by the names below
    keys    uint64[depths, key words]     the copies in use

The fits of a profile are listed when it is first entered. A step costs a probe among the failed states.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tiler.backends.frontier.kernel_profiles import (
    ALIVE,
    COUNT,
    EDGE,
    EDGES,
    FIT,
    POSITION,
    PROFILES,
    REST,
    TARGET,
    intern,
    lay,
    owed,
    scramble,
    take,
)
from tiler.backends.frontier.kernel_profiles import STATE_SIZE as _SHARED
from tiler.kernels import EXHAUSTED, PAUSED, SOLUTION, inner, kernel

#: What the search returns besides the codes of tiler.kernels: an array is full, and Python has to make room.
FULL = 3

#: Places in `state`, beside those of kernel_profiles.py: depth, states entered, solutions, states failed, whether one was just
#: entered.
DEPTH, NODES, FOUND, FAILED, ENTERED = range(_SHARED, STATE_SIZE := _SHARED + 5)
#: Columns of `stack`: the profile, the edge to try next, the solutions found before, the fit that was laid to come here.
PROFILE, NEXT_EDGE, FOUND_BEFORE, LAID = range(STACK_COLUMNS := 4)

_ONE = np.uint64(1)
_FITS = "int64[::1],uint64[:,::1]"
_BOARD = "int64[::1],int32[::1],boolean[::1]"
_POOL = "int32[::1],uint64[:,::1],int32[:,::1]"
_WORK = "int64[::1],int32[::1],uint64[::1],int64[::1]"


@inner("int64(uint64[:,::1],int64,uint64[:,::1],int64,int64)")
def find_failed(failed: NDArray[np.uint64], words: int, keys: NDArray[np.uint64], row: int, profile: int) -> int:
    """Where a state (a key of so many words, and a profile) is among those that failed, or -1 minus where it belongs."""
    limit = np.uint64(failed.shape[0] - 1)
    code = scramble(np.uint64(profile + 1))
    for w in range(words):
        code = scramble(code ^ keys[row, w])
    slot = code & limit
    while failed[slot, words]:
        same = failed[slot, words] == np.uint64(profile + 1)
        for w in range(words):
            same = same and failed[slot, w] == keys[row, w]
        if same:
            return int(slot)
        slot = (slot + _ONE) & limit
    return -1 - int(slot)


@kernel("void(uint64[:,::1],int64,int64,int64,uint64[:,::1])")
def copy_failed(failed: NDArray[np.uint64], start: int, stop: int, words: int, into: NDArray[np.uint64]) -> None:
    """Enter the failed states of some places into a larger table."""
    for slot in range(start, stop):
        if failed[slot, words]:
            place = -1 - find_failed(into, words, failed, slot, int(failed[slot, words]) - 1)
            into[place] = failed[slot]


@kernel(
    f"int64({_FITS},int32[::1],int64[:,::1],int32[::1],{_BOARD},{_POOL},int32[:,::1],uint64[:,::1],"
    f"int64[:,::1],uint64[:,::1],{_WORK},int64,boolean,boolean)"
)
def search(
    fit_starts: NDArray[np.int64],
    fit_masks: NDArray[np.uint64],
    fit_tile: NDArray[np.int32],
    counters: NDArray[np.int64],
    owing: NDArray[np.int32],
    around_starts: NDArray[np.int64],
    around: NDArray[np.int32],
    possible: NDArray[np.bool_],
    table: NDArray[np.int32],
    masks: NDArray[np.uint64],
    links: NDArray[np.int32],
    edges: NDArray[np.int32],
    failed: NDArray[np.uint64],
    stack: NDArray[np.int64],
    keys: NDArray[np.uint64],
    seen: NDArray[np.int64],
    queue: NDArray[np.int32],
    fresh: NDArray[np.uint64],
    state: NDArray[np.int64],
    budget: int,
    stop_at_solutions: bool,
    remembers: bool,
) -> int:
    """Depth first, for at most so many nodes: EXHAUSTED, PAUSED, SOLUTION or FULL. A state below which nothing was found is
    remembered, if `remembers`, and never entered again.
    """
    cells, words = possible.size - 1, keys.shape[1]
    depth = state[DEPTH]
    last = state[NODES] + budget
    while True:
        profile = stack[depth, PROFILE]
        if links[profile, EDGE] < 0:
            position = links[profile, POSITION]
            a, b = fit_starts[position], fit_starts[position + 1]
            if (
                state[PROFILES] + b - a >= masks.shape[0]
                or 2 * (state[PROFILES] + b - a) > table.size
                or state[EDGES] + b - a > edges.shape[0]
            ):
                state[DEPTH] = depth
                return FULL
            links[profile, EDGE] = state[EDGES]
            for fit in range(a, b):
                to = lay(position, masks, profile, fit_masks, fit, fresh)
                if to < 0:
                    continue
                target = intern(to, around_starts, around, possible, table, masks, links, seen, queue, fresh, state)
                if links[target, ALIVE]:
                    edges[state[EDGES], FIT] = fit
                    edges[state[EDGES], TARGET] = target
                    state[EDGES] += 1
            links[profile, COUNT] = state[EDGES] - links[profile, EDGE]
        if state[ENTERED]:
            state[ENTERED] = 0
            stack[depth, NEXT_EDGE] = links[profile, EDGE]
        end = links[profile, EDGE] + links[profile, COUNT]
        descended = False
        for edge in range(stack[depth, NEXT_EDGE], end):
            target = edges[edge, TARGET]
            fit = edges[edge, FIT]
            keys[depth + 1] = keys[depth]
            if not take(counters, fit_tile[fit], keys, depth + 1):
                continue
            if owing.size and owed(counters, owing, keys, depth + 1) > links[target, REST]:
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
                # The solution is read off the stack before the next call goes back.
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
                for w in range(words):
                    failed[place, w] = keys[depth, w]
                failed[place, words] = np.uint64(profile + 1)
                state[FAILED] += 1
        if depth == 0:
            state[DEPTH] = 0
            return EXHAUSTED
        depth -= 1
