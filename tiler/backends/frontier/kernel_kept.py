"""Back from the states of a count that are single words (kernel_tables.py), of which those of all positions are kept.

The words of a position lie together, in ascending order, so that a state is found by bisection. Which states come before one is
not kept: a placement that is laid last covers a cell before the first open one, and leaves one state without it.

    first   int64[cells + 2]   by position its first word
    words   uint64[states]     as in kernel_tables.py
    alive   boolean[states]    whether a tiling is reached, of the positions beyond the present one
    found   int64[.., 3]       what was found, see the names below

A step back looks at every placement that begins within a word before the position; a step forth at those at the position.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tiler.backends.frontier.kernel_tables import Rules
from tiler.kernels import inner, kernel
from tiler.kernels.arrays import I64, I64_2, U64, Bool
from tiler.kernels.bits import trailing_zeros

#: Columns of `found`: of `before` the position, the state and the fit that leads on; of `arcs_from` the state, the fit, the next.
FOUND_POSITION, FOUND_STATE, FOUND_FIT = range(FOUND_COLUMNS := 3)
SOURCE, BY, TARGET = range(ARC_COLUMNS := 3)

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_WORD = 64


@inner()
def place_among(words: NDArray[np.uint64], low: int, high: int, word: np.uint64) -> int:
    """Where a word is between two places; -1 if it is not there."""
    end = high
    while low < high:
        middle = (low + high) // 2
        if words[middle] < word:
            low = middle + 1
        else:
            high = middle
    return low if low < end and words[low] == word else -1


@kernel()
def before(rules: Rules, first: I64, words: U64, position: int, state: int, found: I64_2) -> int:
    """Every state before a state, in `found`, which must have room for two of every fit in reach; returns how many."""
    key_at = np.uint64(_WORD - rules.key_bits if rules.key_bits else _WORD - 1)
    keyed = rules.key_bits > 0
    mask_bits = ((_ONE << key_at) - _ONE) if keyed else ~_ZERO
    mask = (words[state] & mask_bits) ^ _ONE
    key = (words[state] >> key_at) if keyed else _ZERO
    count = 0
    for back in range(1, min(position, _WORD - 1) + 1):
        step = np.uint64(back)
        covered = (mask << step) | ((_ONE << step) - _ONE)
        if covered >> step != mask or (keyed and covered >> key_at != _ZERO):
            break
        here = position - back
        low, high = first[here], first[here + 1]
        if low == high:
            continue
        for fit in range(rules.fit_starts[here], rules.fit_starts[here + 1]):
            if rules.fit_masks[fit] & ~covered != _ZERO:
                continue
            word = (covered ^ rules.fit_masks[fit]) | _ONE
            used = key & rules.fields[fit]
            # With one copy less, if it is counted; with as many, if it is not, or no more than its lower bound is counted.
            for same in range(2):
                if same == 0 and (rules.units[fit] == _ZERO or used == _ZERO):
                    continue
                if same == 1 and not (rules.stays[fit] and used == rules.mosts[fit]):
                    continue
                other = key if same else key - rules.units[fit]
                at = place_among(words, low, high, (word | (other << key_at)) if keyed else word)
                if at >= 0:
                    found[count, FOUND_POSITION] = here
                    found[count, FOUND_STATE] = at
                    found[count, FOUND_FIT] = fit
                    count += 1
    return count


@kernel()
def arcs_from(
    rules: Rules, first: I64, words: U64, position: int, start: int, budget: int, alive: Bool, arcs: I64_2, made: I64
) -> int:
    """The steps from the states of a position from `start` on to states that are alive, in `arcs`, `made[0]` of them so far; then
    those are alive too. For some `budget` steps; returns where it stopped, also if `arcs` might not hold those of one more state.
    """
    key_at = np.uint64(_WORD - rules.key_bits if rules.key_bits else _WORD - 1)
    keyed = rules.key_bits > 0
    mask_bits = ((_ONE << key_at) - _ONE) if keyed else ~_ZERO
    begin, end = rules.fit_starts[position], rules.fit_starts[position + 1]
    done = 0
    state = start
    while state < first[position + 1] and done < budget and made[0] + end - begin <= arcs.shape[0]:
        mask = (words[state] & mask_bits) ^ _ONE
        for fit in range(begin, end):
            if mask & rules.fit_masks[fit] != _ZERO:
                continue
            key = _ZERO
            if keyed:
                key = words[state] >> key_at
                if key & rules.fields[fit] < rules.mosts[fit]:
                    key += rules.units[fit]
                elif not rules.stays[fit]:
                    continue
            covered = mask | rules.fit_masks[fit]
            step = np.uint64(trailing_zeros(~covered))
            to = position + np.int64(step)
            word = (covered >> step) | _ONE | (key << key_at) if keyed else (covered >> step) | _ONE
            at = place_among(words, first[to], first[to + 1], word)
            if at >= 0 and alive[at]:
                alive[state] = True
                arcs[made[0], SOURCE] = state
                arcs[made[0], BY] = fit
                arcs[made[0], TARGET] = at
                made[0] += 1
        done += end - begin + 1
        state += 1
    return state
