"""Find the arcs of a decision diagram in the states of a count: the steps from state to state on the way to a tiling.

The states do not say which states they lead to. This is found again, from the last states back: every arc that is made here leads
to a node of the diagram.

If states are single words (kernel_tables.py), the states of a position lie together in ascending order, so that bisection finds
a state: `arcs_from` goes on from the states of a position. If states are lists of keys by profile (kernel_layers.py),
`arcs_into` goes back from the states of a position along the edges between profiles.

`arcs_from` costs a bisection for each state and each placement that begins at the position. `arcs_into` costs a look at a hash
table for each step from state to state; there are as many steps as it took to make the states.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tiler.backends.frontier.shared.kernel_profiles import (
    BEFORE,
    EDGE,
    FIELD,
    FIT,
    MOST,
    POSITION,
    SHIFT,
    SOURCE,
    STAYS,
    WORD,
    StateLists,
    WideProfiles,
    WideRules,
    scramble,
)
from tiler.backends.frontier.tables.kernel_tables import WordRules
from tiler.cover.kernel_diagram import COMES_FROM, LEADS_TO, OPTION
from tiler.kernels import inner, kernel
from tiler.kernels.arrays import I32, I32_2, I64, U64, U64_2
from tiler.kernels.inner import trailing_zeros

#: Places in `Lookup.state`: the edge into the profile at which `arcs_into` stopped, plus 1 (0: its states are not looked at yet),
#: and the row in the list of the edge's source at which it stopped.
EDGE_AT, ROW_AT = range(STATE_SIZE := 2)

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_WORD = 64


class WordStates(NamedTuple):
    """The states of all positions, where they are single words (kernel_tables.py)."""

    first: I64  #: (cells + 2,): by position its first word
    words: U64  #: (states,)


class Lookup(NamedTuple):
    """Arrays to find states in their lists."""

    first: I64  #: (positions + 1,): by position its first row
    slots: I32  #: as many as `gather` needed: a hash table of the states of a profile that are nodes
    key: U64_2  #: (1, words): the key of the state at work
    state: I64  #: by names


class Making(NamedTuple):
    """The arcs made so far, in separate parts by the position that they come from if there are several such positions."""

    node: I32  #: (states,): by state its node in the diagram; -1 where no tiling is reached, or where it is not known yet
    option: I32  #: (fits,): the option of the cover
    arcs: I32_2  #: (parts * room,) by names (cover/kernel_diagram.py); sources are numbered from their position's first state
    made: I64  #: (parts,): the number of arcs in each part


@inner()
def place_among(words: U64, low: int, high: int, word: np.uint64) -> int:
    """The index of a word in the sorted `words[low:high]`; -1 if it is not there."""
    end = high
    while low < high:
        middle = (low + high) // 2
        if words[middle] < word:
            low = middle + 1
        else:
            high = middle
    return low if low < end and words[low] == word else -1


@kernel()
def arcs_from(rules: WordRules, states: WordStates, making: Making, position: int, start: int, stop: int, budget: int) -> int:
    """Make the arcs from the states of a position from `start` to `stop`. Stops after some `budget` steps, or when `arcs` might
    not hold the arcs of one more state, and returns where it stopped.

    Several threads may run this at once, each for other states and with its own `arcs` and `made`. They share all other arrays,
    and only read them.
    """
    first, words, node, arcs = states.first, states.words, making.node, making.arcs
    key_at = np.uint64(_WORD - rules.key_bits if rules.key_bits else _WORD - 1)
    keyed = rules.key_bits > 0
    mask_bits = ((_ONE << key_at) - _ONE) if keyed else ~_ZERO
    begin, end = rules.fit_starts[position], rules.fit_starts[position + 1]
    done, made = 0, making.made[0]
    source = start
    while source < stop and done < budget and made + end - begin <= arcs.shape[0]:
        mask = (words[source] & mask_bits) ^ _ONE
        for fit in range(begin, end):
            if mask & rules.fit_masks[fit] != _ZERO:
                continue
            key = _ZERO
            if keyed:
                key = words[source] >> key_at
                if key & rules.fields[fit] < rules.mosts[fit]:
                    key += rules.units[fit]
                elif not rules.stays[fit]:
                    continue
            covered = mask | rules.fit_masks[fit]
            step = np.uint64(trailing_zeros(~covered))
            to = position + np.int64(step)
            word = (covered >> step) | _ONE | (key << key_at) if keyed else (covered >> step) | _ONE
            at = place_among(words, first[to], first[to + 1], word)
            if at >= 0 and node[at] >= 0:
                arcs[made, COMES_FROM] = source - first[position]
                arcs[made, OPTION] = making.option[fit]
                arcs[made, LEADS_TO] = node[at]
                made += 1
        done += end - begin + 1
        source += 1
    making.made[0] = made
    return source


@inner()
def place_of(rows: U64_2, row: int, words: int) -> np.uint64:
    """The hash of the key of a row, a key of `words` words."""
    code = _ZERO
    for w in range(words):
        code = scramble(code ^ rows[row, w])
    return code


@kernel()
def arcs_into(
    rules: WideRules,
    profiles: WideProfiles,
    lists: StateLists,
    lookup: Lookup,
    making: Making,
    here: I32,
    start: int,
    budget: int,
) -> int:
    """Make the arcs into those states of the profiles `here[start:]` that are nodes of the diagram. Stops after some `budget`
    steps, at the end, or when a part of `arcs` is full, and returns where it stopped. `arcs` has a part for each position.

    Several threads may run this at once, each for other profiles and with its own `slots`, `key`, `state`, `arcs` and `made`.
    They share all other arrays, and only read them.
    """
    links, edges, spans, rows = profiles.links, profiles.edges, lists.spans, lists.rows
    fit_tile, counters, words = rules.fit_tile, rules.counters, rules.key_words
    slots, key, state = lookup.slots, lookup.key, lookup.state
    node, arcs = making.node, making.arcs
    room = arcs.shape[0] // making.made.size
    done = 0
    i = start
    while i < here.size:
        target = here[i]
        begin, end = spans[target, 0], spans[target, 1]
        size = 8
        while size < 2 * (end - begin):
            size *= 2
        limit = np.uint64(size - 1)
        if state[EDGE_AT] == 0:
            done += end - begin
            slots[:size] = 0
            for row in range(begin, end):
                if node[row] >= 0:
                    slot = place_of(rows, row, words) & limit
                    while slots[slot]:
                        slot = (slot + _ONE) & limit
                    slots[slot] = row - begin + 1
                    state[EDGE_AT] = links[target, EDGE] + 1
        edge = state[EDGE_AT] - 1
        while edge >= 0:
            source, fit = edges[edge, SOURCE], edges[edge, FIT]
            tile, part, option = fit_tile[fit], links[source, POSITION], making.option[fit]
            first, made, full = lookup.first[part], part * room + making.made[part], (part + 1) * room
            word = counters[tile, WORD]
            shift, field = np.uint64(counters[tile, SHIFT]), np.uint64(counters[tile, FIELD])
            most, stays = np.uint64(counters[tile, MOST]), counters[tile, STAYS]
            for row in range(spans[source, 0] + state[ROW_AT], spans[source, 1]):
                if done > budget or made == full:
                    state[ROW_AT], making.made[part] = row - spans[source, 0], made - part * room
                    return i
                done += 1
                for w in range(words):
                    key[0, w] = rows[row, w]
                if word >= 0:
                    if (key[0, word] >> shift) & field < most:
                        key[0, word] += _ONE << shift
                    elif not stays:
                        continue
                slot = place_of(key, 0, words) & limit
                while slots[slot]:
                    into = begin + slots[slot] - 1
                    same = True
                    for w in range(words):
                        same &= rows[into, w] == key[0, w]
                    if same:
                        arcs[made, COMES_FROM] = row - first
                        arcs[made, OPTION] = option
                        arcs[made, LEADS_TO] = node[into]
                        made += 1
                        break
                    slot = (slot + _ONE) & limit
            making.made[part] = made - part * room
            edge = np.int64(edges[edge, BEFORE])
            state[ROW_AT], state[EDGE_AT] = 0, edge + 1
        i += 1
    return i
