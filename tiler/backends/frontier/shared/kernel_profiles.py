"""Intern the profiles of a frontier, and list the placements that fit them.

Cells are numbered in fill order. A *profile* is a first open cell (its `position`) with the set of covered cells beyond it: bit i
of its mask is the cell i places after the first open one. The number of copies left does not matter for which placements fit a
profile, nor for the verdict whether the profile can be completed at all. So each profile is interned once, with its verdict, and
its placements are listed once.

A *fit* is an option of the cover, with cells in fill order. Fits are sorted by first cell. Copies in use are counted in
the bits of a key of several words.

Interning a profile costs a probe and, the first time, a flood fill of the cells up to the last covered one.

Source: the transfer-matrix method (Klarner and Pollack 1980), on states instead of columns; Knuth, The Art of Computer
Programming 4A, section 7.1.4 (frontiers).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tiler.backends.frontier.shared.kernel_symmetries import WordMaps, representative
from tiler.kernels import inner, kernel
from tiler.kernels.arrays import I32, I32_2, I64, I64_2, U64, U64_2, Bool
from tiler.kernels.inner import copy_row, population, trailing_zeros

#: Columns of `counters`: word of the key (-1: not counted), lowest bit of the field, mask of the field (before the shift), its
#: greatest value, whether more copies may be used then (only the lower bound can bind), lower bound, cells.
WORD, SHIFT, FIELD, MOST, STAYS, LOWER, SIZE = range(COUNTER_COLUMNS := 7)
#: Columns of `links`: first open cell, whether it can be completed, open cells; then for the layers the last edge into it and the
#: completable profile interned before it at the same position, for the search the first edge out of it (-1: not listed yet) and
#: the number of these edges.
POSITION, ALIVE, REST, EDGE, NEXT = range(LINK_COLUMNS := 5)
COUNT = NEXT
#: Columns of `edges`: the edge made before it with the same target (-1: none), the profile that it comes from, the fit, the
#: target, and the symmetry that maps the profile after the fit to the target (-1: none).
BEFORE, SOURCE, FIT, TARGET, SYMMETRY = range(EDGE_COLUMNS := 5)
#: Places in `state`: the numbers of profiles and of edges.
PROFILES, EDGES = range(STATE_SIZE := 2)

_ONE = np.uint64(1)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
MIX, FOLD = np.uint64(0x9E3779B97F4A7C15), np.uint64(29)  #: a multiplier and a shift that mix the bits of a word


class WideRules(NamedTuple):
    """A cover in fill order, with masks and keys of any number of words. It does not change during a run."""

    fit_starts: I64  #: (cells + 1,): the first of the fits whose first cell is c
    fit_masks: U64_2  #: (fits, words): the cells of a fit, relative to its first
    fit_tile: I32  #: (fits,): the tile of a fit
    around_starts: I64  #: (cells + 1,): where the neighbours of each cell begin
    around: I32  #: the neighbours; empty if closed regions rule nothing out
    possible: Bool  #: (cells + 1,): [n] is whether the tiles, within their bounds, can cover n cells
    counters: I64_2  #: (tiles,) by names: where a tile is counted
    owing: I32  #: the tiles with a lower bound for which cells may run out
    key_words: int  #: the words of a key


class WideProfiles(NamedTuple):
    """The profiles so far, with masks of any number of words, and the edges between them."""

    masks: U64_2  #: (room, words)
    links: I32_2  #: (room,) by names
    table: I32  #: (2**k,): profiles by hash: number + 1, or 0 for a free place
    edges: I32_2  #: (room,) by names: a fit that leads from one profile to another
    state: I64  #: by names

    @classmethod
    def new(cls, room: int, words: int) -> WideProfiles:
        """Only the empty board, not yet in the table, with room for `room` profiles."""
        return cls(
            masks=np.zeros((room, words), np.uint64),
            links=np.zeros((room, LINK_COLUMNS), np.int32),
            table=np.zeros(4 * room, np.int32),
            edges=np.zeros((4 * room, EDGE_COLUMNS), np.int32),
            state=np.array([1, 0], np.int64),
        )


class StateLists(NamedTuple):
    """The states of profiles: the rows of a profile lie together, as its list."""

    last_at: I32  #: (cells + 1,): the last completable profile interned at each position, -1 for none
    spans: I64_2  #: (profiles, 2): by profile, the rows of its list
    rows: U64_2  #: (rows, words): the states; see kernel_layers.py


class Judging(NamedTuple):
    """Working arrays to judge whether a profile can be completed."""

    fresh: U64  #: (words,): the mask of the profile
    queue: I32  #: (cells + 1,): the cells of a region
    seen: I64  #: (cells + 1,): when a cell was met last: `floods` then, + 1 if its region was open
    floods: I64  #: (1,): twice the number of profiles judged by a flood fill

    @classmethod
    def new(cls, cells: int, words: int) -> Judging:
        """Arrays of zeros, for masks of `words` words."""
        queue, seen = np.zeros(cells + 1, np.int32), np.zeros(cells + 1, np.int64)
        return cls(np.zeros(words, np.uint64), queue, seen, np.zeros(1, np.int64))


@inner()
def scramble(word: np.uint64) -> np.uint64:
    """Mix the bits of a word, so that the low bits of the result can be a hash."""
    word = (word ^ (word >> FOLD)) * MIX
    return word ^ (word >> np.uint64(32))


@inner(inline=True)
def hash_of(code: np.uint64, rows: U64_2, row: int, words: int) -> np.uint64:
    """The hash of the first words of a row, after a number that belongs to it."""
    for w in range(words):
        code = scramble(code ^ rows[row, w])
    return code


@inner(inline=True)
def equal(rows: U64_2, row: int | np.int64, others: U64_2, other: int, words: int) -> bool:
    """Whether two rows have the same first words."""
    same = True
    for w in range(words):
        same = same and rows[row, w] == others[other, w]
    return same


@inner(inline=True)
def copy_words(rows: U64_2, row: int, into: U64_2, at: int | np.int64, first: int, end: int) -> None:
    """Copy the words of a row from `first` to `end` to the same places of another."""
    for w in range(first, end):
        into[at, w] = rows[row, w]


@inner(inline=True)
def add_words(into: U64_2, at: int, rows: U64_2, row: int, first: int) -> bool:
    """Add a number to another in place. Numbers are the words of a row from `first` on, the lowest word first. Returns whether
    the sum is too large for its words: then the carry is lost."""
    carry = np.uint64(0)
    for w in range(first, into.shape[1]):
        term = rows[row, w] + carry
        over = term < carry
        into[at, w] += term
        carry = np.uint64(over or into[at, w] < term)
    return bool(carry != np.uint64(0))


@inner()
def lay(position: int, masks: U64_2, profile: int, fit_masks: U64_2, fit: int, fresh: U64) -> int:
    """Lay a fit on a profile. Returns the new first open cell, with the new mask in `fresh`; -1 if it does not fit."""
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


@inner()
def can_be_completed(rules: WideRules, judging: Judging, position: int, rest: int) -> bool:
    """Whether sizes of tiles can add up to the number of open cells (`rest`), and to the size of each region that is closed off
    before the last covered cell. The mask is in `fresh`."""
    around_starts, around, possible = rules.around_starts, rules.around, rules.possible
    fresh, queue, seen, floods = judging.fresh, judging.queue, judging.seen, judging.floods
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
    # A region is open if a way leads beyond the last covered cell. A search that begins near that cell soon sees this.
    floods[0] += 2
    shut = floods[0]
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


@inner()
def hash_of_profile(position: int, masks: U64_2, profile: int) -> np.uint64:
    """The hash of a profile."""
    return hash_of(scramble(np.uint64(position + 1)), masks, profile, masks.shape[1])


@inner()
def has_room(profiles: WideProfiles, more: int) -> bool:
    """Whether there is room for `more` profiles and edges."""
    state = profiles.state
    count = state[PROFILES] + more
    return bool(
        count < profiles.masks.shape[0] and 2 * count <= profiles.table.size and state[EDGES] + more <= profiles.edges.shape[0]
    )


@inner()
def intern(rules: WideRules, profiles: WideProfiles, judging: Judging, position: int) -> int:
    """The number of the profile in `fresh`, which is added if it is new. There must be room for it. It has no edges then."""
    masks, links, table, state = profiles.masks, profiles.links, profiles.table, profiles.state
    fresh = judging.fresh
    number = state[PROFILES]
    copy_row(fresh, masks[number])
    limit = np.uint64(table.size - 1)
    slot = hash_of_profile(position, masks, number) & limit
    while table[slot]:
        other = table[slot] - 1
        if links[other, POSITION] == position and equal(masks, other, masks, number, fresh.size):
            return int(other)
        slot = (slot + _ONE) & limit
    table[slot] = number + 1
    state[PROFILES] = number + 1
    rest = rules.possible.size - 1 - position
    for w in range(fresh.size):
        rest -= population(fresh[w])
    links[number, POSITION] = position
    links[number, REST] = rest
    links[number, EDGE] = links[number, NEXT] = -1
    links[number, ALIVE] = can_be_completed(rules, judging, position, rest)
    return int(number)


@inner()
def follow(rules: WideRules, maps: WordMaps, profiles: WideProfiles, judging: Judging, profile: int, fit: int) -> int:
    """Lay a fit on a profile, and make the edge to the profile that follows, for which there must be room. Returns the number of
    the edge; -1 if the fit does not fit, or if the profile that follows cannot be completed."""
    links, edges, state, fresh = profiles.links, profiles.edges, profiles.state, judging.fresh
    to = lay(links[profile, POSITION], profiles.masks, profile, rules.fit_masks, fit, fresh)
    if to < 0:
        return -1
    symmetry = -1
    if maps.room[to] > 0:
        to, fresh[0], symmetry = representative(to, fresh[0], maps)
    target = intern(rules, profiles, judging, to)
    if not links[target, ALIVE]:
        return -1
    edge = state[EDGES]
    state[EDGES] = edge + 1
    edges[edge, SOURCE] = profile
    edges[edge, FIT] = fit
    edges[edge, TARGET] = target
    edges[edge, SYMMETRY] = symmetry
    return int(edge)


@kernel()
def rehash(profiles: WideProfiles, start: int, stop: int) -> None:
    """Enter the profiles from `start` to `stop` into a new table."""
    masks, links, table = profiles.masks, profiles.links, profiles.table
    limit = np.uint64(table.size - 1)
    for number in range(start, stop):
        slot = hash_of_profile(links[number, POSITION], masks, number) & limit
        while table[slot]:
            slot = (slot + _ONE) & limit
        table[slot] = number + 1


@kernel()
def expand(
    rules: WideRules, maps: WordMaps, profiles: WideProfiles, judging: Judging, lists: StateLists, here: I32, start: int
) -> int:
    """Make the edges from the profiles `here[start:]` to all profiles that follow them. The profiles `here` are of one position,
    and their lists of states must be complete.

    Returns where it stopped, before the end if an array is full. Profiles without states are skipped. There are symmetries only
    if a mask is one word.
    """
    links, edges, spans, last_at = profiles.links, profiles.edges, lists.spans, lists.last_at
    for i in range(start, here.size):
        profile = here[i]
        if spans[profile, 0] == spans[profile, 1]:
            continue
        position = links[profile, POSITION]
        first, last = rules.fit_starts[position], rules.fit_starts[position + 1]
        if not has_room(profiles, last - first):
            return i
        for fit in range(first, last):
            edge = follow(rules, maps, profiles, judging, profile, fit)
            if edge < 0:
                continue
            target = edges[edge, TARGET]
            if links[target, EDGE] < 0:  # It is new.
                to = links[target, POSITION]
                links[target, NEXT] = last_at[to]
                last_at[to] = target
            edges[edge, BEFORE] = links[target, EDGE]
            links[target, EDGE] = edge
    return int(here.size)


@inner()
def counter_of(rules: WideRules, fit: int) -> tuple[int, np.uint64, np.uint64, np.uint64, bool]:
    """How copies of the tile of a fit are counted: the word of the key (-1: they are not), the lowest bit of the field, its mask,
    its greatest value, and whether more copies may be used then."""
    counter = rules.counters[rules.fit_tile[fit]]
    shift, field, most = np.uint64(counter[SHIFT]), np.uint64(counter[FIELD]), np.uint64(counter[MOST])
    return counter[WORD], shift, field, most, counter[STAYS] != 0


@inner(inline=True)
def count_copy(
    rules: WideRules,
    counter: tuple[int, np.uint64, np.uint64, np.uint64, bool],
    rest: int,
    keys: U64_2,
    row: int,
    into: U64_2,
    at: int,
) -> bool:
    """Copy the key of a row to another row, and count one more copy of a tile there. `rest` is how many cells are open
    afterwards. Returns False if no copy is left, or if the cells do not suffice for the copies that must still be used."""
    word, shift, field, most, stays = counter
    copy_words(keys, row, into, at, 0, rules.key_words)
    is_left = True
    if word >= 0:
        if (into[at, word] >> shift) & field < most:
            into[at, word] += _ONE << shift
        else:
            is_left = stays
    return is_left and (rules.owing.size == 0 or owed(rules.counters, rules.owing, into, at) <= rest)


@inner()
def owed(counters: I64_2, owing: I32, keys: U64_2, row: int) -> int:
    """The number of cells of all copies that must still be used."""
    cells = 0
    for tile in owing:
        used = (keys[row, counters[tile, WORD]] >> np.uint64(counters[tile, SHIFT])) & np.uint64(counters[tile, FIELD])
        cells += max(0, counters[tile, LOWER] - np.int64(used)) * counters[tile, SIZE]
    return cells
