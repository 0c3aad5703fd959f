"""Go from cell to cell with the best states of each.

A *state* is a profile with a key, the copies in use (tiler/backends/frontier/shared/kernel_profiles.py explains both, and fits).
The states with the same first free cell, its position, are in a heap with the worst on top; there are heaps for the position at
hand and for those ahead that a fit can lead to, in a ring. A heap that is full exchanges its worst state for a better one. Equal
states are found in a hash table with chains, and kept once. A state has links to its parent and to the fit laid there; it is
freed when it is neither in a heap nor has children left. So memory is in proportion to the states in heaps and their ancestors.

The score of a state is a whole number, in thousandths of an open cell; the least is the best. See `Scoring`.

A step, the laying of a fit, costs a look at the cells around it, a probe, and mostly a change in a heap.

Source: beam search (Lowerre, The Harpy speech recognition system, 1976), on states instead of the nodes of a tree.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tiler.backends.frontier.shared.kernel_profiles import (
    FIELD,
    SHIFT,
    WORD,
    WideRules,
    count_copy,
    counter_of,
    equal,
    hash_of,
    lay,
    scramble,
)
from tiler.kernels import EXHAUSTED, PAUSED, SOLUTION, inner, kernel
from tiler.kernels.arrays import I32, I32_2, I64, U64, U64_2, Bool
from tiler.kernels.inner import copy_row, population, trailing_zeros

#: The search returns the codes of tiler.kernels, or this: there is no room for more states.
FULL = 3

#: Columns of `links`: the parent (-1: none), the fit laid there, the children and one more while it is in a heap, the next state
#: with the same hash (or the next free place), the hash, the position, cells that stay open, free cells in regions that
#: are smaller than every tile, and pairs of a covered and a free cell that touch.
PARENT, LAID, HOLDERS, CHAIN, HASH, POSITION, OPEN, SHUT_IN, BORDER = range(LINK_COLUMNS := 9)
#: Places in `state`: the position at hand, the place in its heap, the fit to lay next on the state there, states made, the last
#: state (of a tiling), the first free place (-1: none), places that were ever used, states now, the most states, and states that
#: a full heap had no room for.
CELL, PLACE, NEXT, NODES, LAST, FREE, USED, LIVE, PEAK, DROPPED = range(STATE_SIZE := 10)

_ONE = np.uint64(1)


class Scoring(NamedTuple):
    """What the score is made of, and which cells may stay open."""

    is_filler: Bool  #: (fits,): whether a fit leaves a cell open
    smallest: int  #: the cells of the smallest tile
    shared: I32  #: the tiles with counters whose copies are to be used evenly
    copies: I64  #: (tiles,): their copies
    most_open: int  #: how many cells may stay open
    open_weight: int  #: for each cell that stays open
    shut_in_weight: int  #: for each free cell in a region that is smaller than every tile
    border_weight: int  #: for each pair of a covered and a free cell that touch
    uneven_weight: int  #: for each tile: (left - even)^2 / (1 + even), if `even` would be left of equal shares of all
    noise: int  #: the most that chance adds
    seed: np.uint64  #: on which chance depends


class Looking(NamedTuple):
    """Working arrays to look at the cells around a fit."""

    mask: U64  #: (mask words,): the mask of the state that is being made, from the position of its parent on
    queue: I32  #: (smallest,): the cells of a region
    seen: I64  #: (cells,): when a cell was met last: `looks` then, + 1 if its region is not smaller than the smallest tile
    looks: I64  #: (1,): twice the number of looks
    results: I64  #: (2,): the cells that are shut in, and the border


class BeamStates(NamedTuple):
    """The states of a beam."""

    masks: U64_2  #: (room, mask words): the covered cells from the position on
    keys: U64_2  #: (room, key words): the copies in use
    links: I32_2  #: (room,) by names
    scores: I64  #: (room,)
    table: I32  #: (2**k,): by hash the first state of a chain + 1; 0: none
    heaps: I32_2  #: (reach, width): by position modulo reach, the states there, the worst on top
    sizes: I64  #: (reach,): the number of states in each
    fresh: U64  #: (mask words,): the mask of the state that is being made
    state: I64  #: by names


@inner(inline=True)
def is_covered(mask: U64, position: int, cell: int) -> bool:
    """Whether a cell is covered. The mask begins with the cell at a position; all cells before it are covered."""
    place = cell - position
    if place < 0:
        return True
    if place >= 64 * mask.size:
        return False
    return bool((mask[place >> 6] >> np.uint64(place & 63)) & _ONE)


@inner()
def cells_shut_in(rules: WideRules, looking: Looking, mask: U64, position: int, smallest: int, start: int) -> int:
    """The size of the region of free cells that a cell belongs to, if it is smaller than the smallest tile; else 0. 0 also if the
    region was met before with the same `looks`."""
    starts, around, seen, queue = rules.around_starts, rules.around, looking.seen, looking.queue
    shut = looking.looks[0]
    if seen[start] >= shut:
        return 0
    seen[start] = shut
    queue[0] = start
    head, tail = 0, 1
    is_open = smallest <= 1
    while head < tail and not is_open:
        cell = queue[head]
        head += 1
        for a in range(starts[cell], starts[cell + 1]):
            other = around[a]
            if seen[other] == shut or is_covered(mask, position, other):
                continue
            if seen[other] == shut + 1 or tail + 1 >= smallest:
                is_open = True
                break
            seen[other] = shut
            queue[tail] = other
            tail += 1
    if is_open:
        for i in range(tail):
            seen[queue[i]] = shut + 1
        return 0
    return tail


@inner()
def look_around(rules: WideRules, scoring: Scoring, states: BeamStates, looking: Looking, parent: int, fit: int) -> None:
    """Find out how many cells are shut in, and how long the border is, after a fit is laid on a state: what changes lies next to
    the fit. The results are in `looking.results`."""
    fits, starts, around = rules.fit_masks, rules.around_starts, rules.around
    before, after, results = states.masks[parent], looking.mask, looking.results
    position = states.links[parent, POSITION]
    shut_in, border = states.links[parent, SHUT_IN], states.links[parent, BORDER]
    for w in range(after.size):
        after[w] = before[w] | fits[fit, w]
    if scoring.is_filler[fit]:
        # Only a fit that is smaller than all tiles can lie where cells are shut in.
        looking.looks[0] += 2
        shut_in -= cells_shut_in(rules, looking, before, position, scoring.smallest, position)
    looking.looks[0] += 2
    for w in range(after.size):
        word = fits[fit, w]
        while word:
            cell = position + 64 * w + trailing_zeros(word)
            word &= word - _ONE
            for a in range(starts[cell], starts[cell + 1]):
                other = around[a]
                if not is_covered(after, position, other):
                    border += 1
                    shut_in += cells_shut_in(rules, looking, after, position, scoring.smallest, other)
                elif is_covered(before, position, other):
                    border -= 1
    results[0] = shut_in
    results[1] = border


@inner()
def unevenness(rules: WideRules, scoring: Scoring, keys: U64_2, row: int) -> float:
    """How far the copies left are from equal shares of the copies of all tiles."""
    counters, copies = rules.counters, scoring.copies
    left_in_all, in_all = 0, 0
    for tile in scoring.shared:
        used = np.int64((keys[row, counters[tile, WORD]] >> np.uint64(counters[tile, SHIFT])) & np.uint64(counters[tile, FIELD]))
        left_in_all += copies[tile] - used
        in_all += copies[tile]
    total = 0.0
    for tile in scoring.shared:
        used = np.int64((keys[row, counters[tile, WORD]] >> np.uint64(counters[tile, SHIFT])) & np.uint64(counters[tile, FIELD]))
        even = copies[tile] * left_in_all / max(1, in_all)
        apart = copies[tile] - used - even
        total += apart * apart / (1.0 + even)
    return total


@inner()
def unlink(states: BeamStates, node: int) -> None:
    """Take a state out of the hash table."""
    links, table = states.links, states.table
    slot = links[node, HASH]
    other = table[slot] - 1
    if other == node:
        table[slot] = links[node, CHAIN] + 1
        return
    while links[other, CHAIN] != node:
        other = links[other, CHAIN]
    links[other, CHAIN] = links[node, CHAIN]


@inner()
def let_go(states: BeamStates, node: int) -> None:
    """A state has one holder less. Without a holder it is freed, and its parent has one less."""
    links, state = states.links, states.state
    while node >= 0:
        links[node, HOLDERS] -= 1
        if links[node, HOLDERS] > 0:
            return
        links[node, CHAIN] = state[FREE]
        state[FREE] = node
        state[LIVE] -= 1
        node = links[node, PARENT]


@inner()
def sift_down(heap: I32, size: int, scores: I64, node: int) -> None:
    """Put a state in the place of the top of a heap."""
    at = 0
    while 2 * at + 1 < size:
        below = 2 * at + 1
        if below + 1 < size and scores[heap[below + 1]] > scores[heap[below]]:
            below += 1
        if scores[heap[below]] <= scores[node]:
            break
        heap[at] = heap[below]
        at = below
    heap[at] = node


@inner()
def sift_up(heap: I32, size: int, scores: I64, node: int) -> None:
    """Add a state to a heap, which has room for one more."""
    at = size
    while at > 0 and scores[heap[(at - 1) >> 1]] < scores[node]:
        heap[at] = heap[(at - 1) >> 1]
        at = (at - 1) >> 1
    heap[at] = node


@inner()
def new_place(states: BeamStates) -> int:
    """The place of the next state, which is not taken yet."""
    return int(states.state[FREE] if states.state[FREE] >= 0 else states.state[USED])


@inner()
def take_place(states: BeamStates) -> None:
    """Take the place that `new_place` named."""
    state = states.state
    if state[FREE] >= 0:
        state[FREE] = states.links[state[FREE], CHAIN]
    else:
        state[USED] += 1
    state[LIVE] += 1
    state[PEAK] = max(state[PEAK], state[LIVE])


@inner()
def make(rules: WideRules, scoring: Scoring, states: BeamStates, looking: Looking, parent: int, fit: int) -> bool:
    """Lay a fit on a state, and keep the state that follows if it is good enough. Returns whether it is a tiling."""
    masks, keys, links, scores, table, state = (
        states.masks,
        states.keys,
        states.links,
        states.scores,
        states.table,
        states.state,
    )
    child = new_place(states)
    to = lay(links[parent, POSITION], masks, parent, rules.fit_masks, fit, states.fresh)
    if to < 0:
        return False
    cells = rules.possible.size - 1
    rest = cells - to
    for w in range(states.fresh.size):
        rest -= population(states.fresh[w])
    if not count_copy(rules, counter_of(rules, fit), rest, keys, parent, keys, child):
        return False
    copy_row(states.fresh, masks[child])
    state[NODES] += 1
    code = hash_of(hash_of(scramble(np.uint64(to + 1)), masks, child, masks.shape[1]), keys, child, rules.key_words)
    slot = int(code & np.uint64(table.size - 1))
    other = table[slot] - 1
    while other >= 0:
        if (
            links[other, POSITION] == to
            and equal(masks, other, masks, child, masks.shape[1])
            and equal(keys, other, keys, child, rules.key_words)
        ):
            return False
        other = links[other, CHAIN]
    links[child, OPEN] = links[parent, OPEN] + scoring.is_filler[fit]
    look_around(rules, scoring, states, looking, parent, fit)
    links[child, SHUT_IN], links[child, BORDER] = looking.results[0], looking.results[1]
    if links[child, OPEN] + links[child, SHUT_IN] > scoring.most_open:
        return False
    score = scoring.open_weight * links[child, OPEN] + scoring.shut_in_weight * links[child, SHUT_IN]
    score += scoring.border_weight * links[child, BORDER]
    score += int(scoring.uneven_weight * unevenness(rules, scoring, keys, child))
    score += (scoring.noise * np.int64(scramble(code ^ scoring.seed) >> np.uint64(54))) >> 10
    ring = to % states.sizes.size
    size = states.sizes[ring]
    is_full = size == states.heaps.shape[1]
    if is_full:
        state[DROPPED] += 1
        if score >= scores[states.heaps[ring, 0]]:
            return False
    take_place(states)
    scores[child] = score
    if is_full:
        worst = states.heaps[ring, 0]
        sift_down(states.heaps[ring], size, scores, child)
        unlink(states, worst)
        let_go(states, worst)
    else:
        sift_up(states.heaps[ring], size, scores, child)
        states.sizes[ring] = size + 1
    links[parent, HOLDERS] += 1
    links[child, PARENT] = parent
    links[child, LAID] = fit
    links[child, HOLDERS] = 1
    links[child, POSITION] = to
    links[child, HASH] = slot
    links[child, CHAIN] = table[slot] - 1
    table[slot] = child + 1
    if to == cells:
        state[LAST] = child
        return True
    return False


@kernel()
def search(rules: WideRules, scoring: Scoring, states: BeamStates, looking: Looking, most_fits: int, budget: int) -> int:
    """Go on until `budget` more states are made. Returns EXHAUSTED, PAUSED, SOLUTION or FULL. `most_fits` is the largest number
    of fits with the same first cell."""
    links, sizes, state = states.links, states.sizes, states.state
    cells = rules.possible.size - 1
    last = state[NODES] + budget
    room = links.shape[0]
    while state[CELL] < cells:
        position = state[CELL]
        ring = position % sizes.size
        first, end = rules.fit_starts[position], rules.fit_starts[position + 1]
        while state[PLACE] < sizes[ring]:
            if state[LIVE] + most_fits >= room:
                return FULL
            node = states.heaps[ring, state[PLACE]]
            for fit in range(max(first, state[NEXT]), end):
                state[NEXT] = fit + 1
                if make(rules, scoring, states, looking, node, fit):
                    return SOLUTION
                if state[NODES] == last:
                    return PAUSED
            state[PLACE] += 1
            # Nothing leads to this position any more.
            unlink(states, node)
            let_go(states, node)
            state[NEXT] = 0
        sizes[ring] = 0
        state[PLACE] = 0
        state[CELL] += 1
    return EXHAUSTED
