"""The profiles of a frontier, of a word each, and the edges between them, without regard to copies: position by position.

A profile is a first open cell (its position) with the covered cells beyond it as a word, of which bit 0, the first open cell, is
set; see kernel_tables.py. Each is found once, by a hash, with its verdict: one that closes off a region that tiles cannot fill
has no edges. Of profiles that are images of each other one stands for all (kernel_symmetries.py).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tiler.backends.frontier.kernel_symmetries import WordMaps, representative
from tiler.backends.frontier.kernel_tables import WordRules, can_be_filled
from tiler.kernels import inner, kernel
from tiler.kernels.arrays import I32, I32_2, I64, U64, Bool
from tiler.kernels.bits import trailing_zeros

#: What `explore` returns: the budget is used up, all profiles of the position are led on, an array is full.
PAUSED, DONE, ROOM = range(3)
#: Places in `state`: how many profiles and edges there are, and the profile to be led on next (-1: none).
PROFILES, EDGES, AT = range(STATE_SIZE := 3)
#: Columns of `edges`; the last is the symmetry that takes where the fit leads to the target, -1 for none.
SOURCE, TARGET, FIT, SYMMETRY = range(EDGE_COLUMNS := 4)

_ZERO, _ONE, _FOLD = np.uint64(0), np.uint64(1), np.uint64(29)
_MIX, _TURN = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1B54A32D192ED03)


class WordProfiles(NamedTuple):
    """The profiles so far, and the edges between them."""

    words: U64  #: (room,)
    positions: I32  #: (room,): less than 0, -1 - position, of one that cannot be completed
    before: I32  #: (room,): the one found before it at its position, of those that can; -1: none
    last: I32  #: (cells + 1,): the last one found at each position, of those that can
    table: I32  #: (2**k,): profiles by hash, 0 for none, else number + 1
    edges: I32_2  #: (room, 4) by names


@inner()
def slot_of(word: np.uint64, position: int, limit: np.uint64) -> np.uint64:
    """Where in the table to look first."""
    mixed = (word ^ (np.uint64(position) * _TURN)) * _MIX
    return (mixed ^ (mixed >> _FOLD)) & limit


@kernel()
def explore(rules: WordRules, maps: WordMaps, found: WordProfiles, position: int, budget: int, state: I64) -> int:
    """Lead the profiles of a position on, from the one that `state` names, to all that they lead to: some `budget` fits."""
    words, positions, table, edges = found.words, found.positions, found.table, found.edges
    limit = np.uint64(table.size - 1)
    first, last = rules.fit_starts[position], rules.fit_starts[position + 1]
    done = 0
    while state[AT] >= 0:
        if done > budget:
            return PAUSED
        done += 1 + last - first
        profile = state[AT]
        if state[EDGES] + last - first > edges.shape[0]:
            return ROOM
        if state[PROFILES] + last - first > words.size or 2 * (state[PROFILES] + last - first) > table.size:
            return ROOM
        mask = words[profile] ^ _ONE
        for fit in range(first, last):
            if mask & rules.fit_masks[fit] != _ZERO:
                continue
            covered = mask | rules.fit_masks[fit]
            step = trailing_zeros(~covered)
            to, word, symmetry = representative(position + step, covered >> np.uint64(step), maps)
            word |= _ONE
            slot = slot_of(word, to, limit)
            target = -1
            while table[slot] != 0:
                other = table[slot] - 1
                if words[other] == word and (positions[other] == to or positions[other] == -1 - to):
                    target = other
                    break
                slot = (slot + _ONE) & limit
            if target < 0:
                target = state[PROFILES]
                state[PROFILES] += 1
                table[slot] = target + 1
                words[target] = word
                if can_be_filled(word, to, rules.possible, rules.shifts, rules.beside, rules.leaving, rules.inside):
                    positions[target] = to
                    found.before[target] = found.last[to]
                    found.last[to] = target
                else:
                    positions[target] = -1 - to
            if positions[target] >= 0:
                edge = state[EDGES]
                edges[edge, SOURCE], edges[edge, TARGET] = profile, target
                edges[edge, FIT], edges[edge, SYMMETRY] = fit, symmetry
                state[EDGES] = edge + 1
        state[AT] = found.before[profile]
    return DONE


@kernel()
def enter(found: WordProfiles, start: int, stop: int) -> None:
    """Enter some profiles into a table without them."""
    limit = np.uint64(found.table.size - 1)
    for profile in range(start, stop):
        position = found.positions[profile]
        slot = slot_of(found.words[profile], position if position >= 0 else -1 - position, limit)
        while found.table[slot] != 0:
            slot = (slot + _ONE) & limit
        found.table[slot] = profile + 1


@kernel()
def revive(edges: I32_2, alive: Bool) -> None:
    """Mark all that leads to what is marked, through edges each of which comes after those to its source."""
    for edge in range(edges.shape[0] - 1, -1, -1):
        if alive[edges[edge, TARGET]]:
            alive[edges[edge, SOURCE]] = True
