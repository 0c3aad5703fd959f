"""Find the arcs of a decision diagram in the states of a count: the steps from state to state on the way to a tiling.
Or go one step back from a state, to draw a tiling at random.

The states do not say which states they lead to. This is found again, from the last states back: every arc that is made here leads
to a node of the diagram.

If states are single words (kernel_tables.py), the states of a position lie together in ascending order, so that bisection finds
a state: `arcs_from` goes on from the states of a position. If states are lists of keys by profile (kernel_layers.py),
`arcs_into` goes back from the states of a position along the edges between profiles.

If states are single words, `before` goes one step back. It is not stored which states come before a state. But the placement that
was laid last begins before the first open cell, and without it the state before is left. A step tries every placement that begins
at most 63 cells before the position.

`arcs_from` costs a bisection for each state and each placement that begins at the position. `arcs_into` costs a look at a hash
table for each step from state to state; there are as many steps as it took to make the states.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tiler.backends.frontier.shared.kernel_profiles import (
    BEFORE,
    EDGE,
    FIT,
    POSITION,
    REST,
    SOURCE,
    StateLists,
    WideProfiles,
    WideRules,
    count_copy,
    counter_of,
    equal,
    hash_of,
)
from tiler.backends.frontier.shared.kernel_symmetries import WordMaps
from tiler.backends.frontier.tables.kernel_tables import WordRules, bits_of_mask, key_place, successor
from tiler.cover.kernel_diagram import COMES_FROM, LEADS_TO, OPTION
from tiler.kernels import inner, kernel
from tiler.kernels.arrays import I32, I32_2, I64, I64_2, U64, U64_2

#: Places in `Lookup.state`: the edge into the profile at which `arcs_into` stopped, plus 1 (0: its states are not looked at yet),
#: and the row in the list of the edge's source at which it stopped.
EDGE_AT, ROW_AT = range(STATE_SIZE := 2)
#: Columns of `found`: the position, the state, and the fit that leads from there to the given state.
FOUND_POSITION, FOUND_STATE, FOUND_FIT = range(FOUND_COLUMNS := 3)

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
def arcs_from(
    rules: WordRules, maps: WordMaps, states: WordStates, making: Making, position: int, start: int, stop: int, budget: int
) -> int:
    """Make the arcs from the states of a position from `start` to `stop`. Stops after some `budget` steps, or when `arcs` might
    not hold the arcs of one more state, and returns where it stopped. There must be no symmetries.

    Several threads may run this at once, each for other states and with its own `arcs` and `made`. They share all other arrays,
    and only read them.
    """
    first, words, node, arcs = states.first, states.words, making.node, making.arcs
    begin, end = rules.fit_starts[position], rules.fit_starts[position + 1]
    done, made = 0, making.made[0]
    source = start
    while source < stop and done < budget and made + end - begin <= arcs.shape[0]:
        for fit in range(begin, end):
            to, word, _ = successor(rules, maps, position, words[source], fit)
            if to < 0:
                continue
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
    words = rules.key_words
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
                    slot = hash_of(_ZERO, rows, row, words) & limit
                    while slots[slot]:
                        slot = (slot + _ONE) & limit
                    slots[slot] = row - begin + 1
                    state[EDGE_AT] = links[target, EDGE] + 1
        edge = state[EDGE_AT] - 1
        while edge >= 0:
            source, fit = edges[edge, SOURCE], edges[edge, FIT]
            part, option, counter = links[source, POSITION], making.option[fit], counter_of(rules, fit)
            first, made, full = lookup.first[part], part * room + making.made[part], (part + 1) * room
            for row in range(spans[source, 0] + state[ROW_AT], spans[source, 1]):
                if done > budget or made == full:
                    state[ROW_AT], making.made[part] = row - spans[source, 0], made - part * room
                    return i
                done += 1
                if not count_copy(rules, counter, links[target, REST], rows, row, key, 0):
                    continue
                slot = hash_of(_ZERO, key, 0, words) & limit
                while slots[slot]:
                    into = begin + slots[slot] - 1
                    if equal(rows, into, key, 0, words):
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


@kernel()
def before(rules: WordRules, states: WordStates, found: I64_2, position: int, state: int) -> int:
    """Write every state before a state to `found`, and return their number. `found` must have room for two for each fit in
    reach."""
    first, words = states.first, states.words
    keyed, key_at = rules.key_bits > 0, key_place(rules)
    mask = (words[state] & bits_of_mask(rules)) ^ _ONE
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
            # If the last copy was counted, the key before has one less. If not (none is, or only up to the lower bound), the
            # key is the same.
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
