"""From all states of a count to the arcs of a decision diagram: the steps from state to state on the way to a tiling.

Which states lead to which is not kept with them, but found again, from the last states back: every arc that is made here leads
to a node of the diagram.

Where states are single words (kernel_tables.py), those of a position lie together, in ascending order, so that a state is found
by bisection: `arcs_from` goes on from the states of a position. Where they are lists of keys by profile (kernel_layers.py),
`arcs_into` goes back from the states of a position along the edges between profiles.

    first   int64[cells + 2]   by position its first word
    words   uint64[states]     as in kernel_tables.py
    node    int32[states]      by state its node in the diagram; -1 where no tiling is reached, or where it is not known yet
    arcs    int32[.., 3]       the arcs made, see the names below

A step forth costs a bisection for each placement that begins at the position; an arc back one for each edge into the profile.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tiler.backends.frontier.kernel_profiles import BEFORE, EDGE, FIELD, FIT, MOST, SHIFT, SOURCE, STAYS, WORD
from tiler.backends.frontier.kernel_tables import Rules
from tiler.kernels import inner, kernel
from tiler.kernels.arrays import I32, I32_2, I64, I64_2, U64, U64_2, Bool
from tiler.kernels.bits import trailing_zeros

#: Columns of `arcs`: the state that it comes from (of `arcs_from`: counted from the first of the position), the fit, the node to
#: which it leads.
COMES_FROM, BY, LEADS_TO = range(ARC_COLUMNS := 3)
#: Places in `state`: the arcs made, and for `arcs_into` where to go on in the list of the profile at which it stopped.
MADE, ROW_AT = range(STATE_SIZE := 2)

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_WORD = 64


class Kept(NamedTuple):
    """Complete layers, all of them kept: most are arrays of kernel_profiles.py and kernel_layers.py."""

    fit_tile: I32
    counters: I64_2
    links: I32_2
    edges: I32_2
    spans: I64_2
    rows: U64_2
    words: int  #: of a key
    is_sorted: Bool  #: (profiles,): lists in ascending order of their keys, as they are put in when first looked into


@inner()
def place_among(words: U64, low: int, high: int, word: np.uint64) -> int:
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
def arcs_from(
    rules: Rules, first: I64, words: U64, position: int, start: int, budget: int, node: I32, arcs: I32_2, state: I64
) -> int:
    """The arcs from the states of a position from `start` on. For some `budget` steps; returns where it stopped, also if `arcs`
    might not hold those of one more state."""
    key_at = np.uint64(_WORD - rules.key_bits if rules.key_bits else _WORD - 1)
    keyed = rules.key_bits > 0
    mask_bits = ((_ONE << key_at) - _ONE) if keyed else ~_ZERO
    begin, end = rules.fit_starts[position], rules.fit_starts[position + 1]
    done, made = 0, state[MADE]
    source = start
    while source < first[position + 1] and done < budget and made + end - begin <= arcs.shape[0]:
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
                arcs[made, BY] = fit
                arcs[made, LEADS_TO] = node[at]
                made += 1
        done += end - begin + 1
        source += 1
    state[MADE] = made
    return source


@inner()
def is_less(rows: U64_2, a: int, b: int, words: int) -> bool:
    """Whether the key of a row comes before that of another."""
    for w in range(words):
        if rows[a, w] != rows[b, w]:
            return bool(rows[a, w] < rows[b, w])
    return False


@inner()
def sift(rows: U64_2, begin: int, root: int, end: int) -> None:
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


@inner()
def sort_rows(rows: U64_2, begin: int, end: int) -> None:
    """Put some rows in ascending order, in place (heapsort)."""
    count = end - begin
    for root in range(count // 2 - 1, -1, -1):
        sift(rows, begin, root, count)
    for last in range(count - 1, 0, -1):
        for w in range(rows.shape[1]):
            rows[begin, w], rows[begin + last, w] = rows[begin + last, w], rows[begin, w]
        sift(rows, begin, 0, last)


@inner()
def before(kept: Kept, edge: int, row: int, same: int) -> int:
    """The row before a row along an edge, with the same key (`same` 1) or with one copy less (0); -1 if there is none."""
    rows, counters, words = kept.rows, kept.counters, kept.words
    tile = kept.fit_tile[kept.edges[edge, FIT]]
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
    source = kept.edges[edge, SOURCE]
    low, high = kept.spans[source, 0], kept.spans[source, 1]
    if not kept.is_sorted[source]:
        sort_rows(rows, low, high)
        kept.is_sorted[source] = True
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
    if low == kept.spans[source, 1]:
        return -1
    for w in range(words):
        if rows[low, w] != (rows[row, w] - unit if w == word else rows[row, w]):
            return -1
    return int(low)


@kernel()
def arcs_into(kept: Kept, profiles: I32, start: int, budget: int, node: I32, arcs: I32_2, state: I64) -> int:
    """The arcs into the states of `profiles[start]` and those after it that are nodes. For some `budget` steps; returns where it
    stopped: at the end, for a pause, or if `arcs` might not hold those of one more state."""
    links, edges, spans = kept.links, kept.edges, kept.spans
    done = 0
    i = start
    while i < profiles.size:
        target = profiles[i]
        into = 0
        edge = links[target, EDGE]
        while edge >= 0:
            into += 1
            edge = edges[edge, BEFORE]
        row = spans[target, 0] + state[ROW_AT]
        while row < spans[target, 1]:
            if node[row] >= 0:
                made = state[MADE]
                if made + 2 * into > arcs.shape[0] or done > budget:
                    state[ROW_AT] = row - spans[target, 0]
                    return i
                edge = links[target, EDGE]
                while edge >= 0:
                    for same in range(2):
                        other = before(kept, edge, row, same)
                        if other >= 0:
                            arcs[made, COMES_FROM] = other
                            arcs[made, BY] = edges[edge, FIT]
                            arcs[made, LEADS_TO] = node[row]
                            made += 1
                    edge = edges[edge, BEFORE]
                state[MADE] = made
                done += 2 * into + 1
            row += 1
        state[ROW_AT] = 0
        i += 1
    return i
