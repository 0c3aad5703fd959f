"""Count states in hash tables: a state is one word, with the number of ways to reach it.

A state is its first open cell (the *position*), the bits of the covered cells beyond it (its mask), and the copies in use of the
tiles that are counted (its key, see kernel_profiles.py). Mask and key are one word here, with the key in the highest bits. Every
position has a table of its own in one large array of rows, from the first state that is entered until all its states are taken
on; nothing else is kept. Bit 0 of a mask is its first open cell. It is set in the stored word, so that 0 is an empty place.

Two things make the states fewer. A state is not entered if it closes off a region that tiles cannot fill: the flood fill runs
over all cells of a word at once, by the few distances in the fill order that neighbours have. And if states are images of
each other, only one is entered (kernel_symmetries.py).

Ways are whole numbers of one or more words, the lowest first. They are exact: if an addition carries out of the last word, the
kernel stops, and the caller makes all rows a word longer and puts the carry there.

Transitions are made in batches: first their words are found; then their places in the tables are read in advance, as fast as the
memory allows; then they are entered. So a transition costs some 30 nanoseconds, most of it for the flood fill.

Source: the transfer-matrix method (Klarner and Pollack 1980) on states instead of columns.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tiler.backends.frontier.shared.kernel_profiles import FOLD, MIX, add_words, copy_words
from tiler.backends.frontier.shared.kernel_symmetries import WordMaps, image_of, representative
from tiler.kernels import inner, kernel
from tiler.kernels.arrays import I32, I64, I64_2, U64, U64_2, Bool
from tiler.kernels.inner import population, trailing_zeros

#: What `advance` returns: the budget is used up, all states of the position are taken through, the table of position WHERE needs
#: more room, the ways in row WHERE are too large for their words.
PAUSED, DONE, ROOM, CARRY = range(4)
#: Places in `state`: the position, the next row of its table, transitions so far; transitions in the batch, and how many of them
#: are entered; the most cells that a transition goes forward; where it stopped; SINK makes sure that places are looked at; BEGUN
#: is for the caller: whether it has counted the states of the position.
POSITION, AT, TRANSITIONS, FILLED, ENTERED, REACH, WHERE, SINK, BEGUN = range(STATE_SIZE := 9)
#: Columns of `tables`: first row, rows (a power of 2, or 0), states in them, 64 - log2 of the rows.
START, SIZE, USED, SHIFT = range(TABLE_COLUMNS := 4)

_ZERO, _ONE, _BYTE = np.uint64(0), np.uint64(1), np.uint64(255)


class WordRules(NamedTuple):
    """A cover in fill order, with mask and key in one word. It does not change during a count. Bit i of a mask is the cell i
    places after its position."""

    fit_starts: I64  #: (cells + 1,): the first of the fits whose first cell is c
    fit_masks: U64  #: (fits,): the cells of a fit, relative to its first
    possible: Bool  #: (cells + 1,): [n] is whether tiles can cover n cells
    shifts: U64  #: (distances,): how far apart in the fill order neighbours are; empty if closed regions rule nothing out
    beside: U64_2  #: (cells + 1, distances): masks of the cells with a neighbour this far ahead
    leaving: U64  #: (cells + 1,): masks of the cells with a neighbour beyond the word
    inside: U64  #: (cells + 1,): masks of the cells of the board, without pins
    key_bits: int  #: the bits of a key in a word; if 0, no tile is counted, and the arrays below mean nothing
    units: U64  #: (fits,): what the tile of a fit adds to a key; 0 if it is not counted
    fields: U64  #: (fits,): the bits of the key that count it
    mosts: U64  #: (fits,): the value of these bits when no copy is left
    stays: Bool  #: (fits,): whether more copies may be used then, uncounted
    lower: I64_2  #: (tiles, 4): tiles with a lower bound for which cells may run out: lowest bit, number of bits, bound, cells


class HashTables(NamedTuple):
    """The hash tables of all positions, in one array of rows."""

    rows: U64_2  #: (rows, 1 + words of the ways): word of the state, its ways; a word of 0 is an empty place
    tables: I64_2  #: (cells + 1,) by names: the table of each position


class Batch(NamedTuple):
    """The state of a count, and the transitions that are to be entered next."""

    word: U64  #: (size,): the state
    target: I64  #: (size,): the position of the state
    source: I64  #: (size,): the row of the state before it
    state: I64  #: by names

    @classmethod
    def new(cls, size: int) -> Batch:
        """An empty batch with room for `size` transitions."""
        return cls(np.zeros(size, np.uint64), np.zeros(size, np.int64), np.zeros(size, np.int64), np.zeros(STATE_SIZE, np.int64))


@inner()
def place_of(word: np.uint64, shift: np.uint64) -> np.uint64:
    """The place of a table where the search for a word begins. `shift` is 64 - log2 of its rows."""
    return ((word ^ (word >> FOLD)) * MIX) >> shift


@inner()
def look_ahead(hashed: HashTables, words: U64, targets: I64 | I32, start: int, end: int) -> np.int64:
    """Look at the places of the transitions from `start` to `end` in the tables, so that they are in the cache when they are
    wanted. Returns a number that depends on them: otherwise the compiler would not look."""
    rows, tables, sink = hashed.rows, hashed.tables, _ZERO
    for i in range(start, end):
        to = targets[i]
        sink ^= rows[tables[to, START] + np.int64(place_of(words[i], np.uint64(tables[to, SHIFT]))), 0]
    return np.int64(sink & _BYTE)


@inner()
def key_place(rules: WordRules) -> np.uint64:
    """The lowest bit of the key in a word; 63 if there is no key."""
    return np.uint64(64 - rules.key_bits if rules.key_bits else 63)


@inner()
def bits_of_mask(rules: WordRules) -> np.uint64:
    """A mask of the bits of a word that do not belong to its key."""
    return (_ONE << np.uint64(64 - rules.key_bits)) - _ONE if rules.key_bits else ~_ZERO


@inner()
def flood(region: np.uint64, open_cells: np.uint64, position: int, shifts: U64, beside: U64_2) -> np.uint64:
    """All open cells that can be reached from `region` through open cells."""
    while True:
        before = region
        for d in range(shifts.size):
            region |= (((region & beside[position, d]) << shifts[d]) | ((region >> shifts[d]) & beside[position, d])) & open_cells
        if region == before:
            return region


@inner()
def can_be_filled(
    word: np.uint64,
    position: int,
    possible: Bool,
    shifts: U64,
    beside: U64_2,
    leaving: U64,
    inside: U64,
) -> bool:
    """Whether sizes of tiles can add up to the number of open cells, and to the size of each region that is closed off before
    the last covered cell."""
    mask = word ^ _ONE
    if not possible[possible.size - 1 - position - population(mask)]:
        return False
    if shifts.size == 0 or mask == _ZERO:
        return True
    below = mask  # All cells up to the last covered one.
    below |= below >> _ONE
    below |= below >> np.uint64(2)
    below |= below >> np.uint64(4)
    below |= below >> np.uint64(8)
    below |= below >> np.uint64(16)
    below |= below >> np.uint64(32)
    open_cells = ~mask & inside[position]
    shut = open_cells & ~flood(open_cells & (~below | leaving[position]), open_cells, position, shifts, beside)
    while shut != _ZERO:
        region = flood(shut & (~shut + _ONE), shut, position, shifts, beside)
        if not possible[population(region)]:
            return False
        shut ^= region
    return True


@inner(inline=True)
def successor(rules: WordRules, maps: WordMaps, position: int, stored: np.uint64, fit: int) -> tuple[int, np.uint64, int]:
    """Lay a fit on a state of a position. Returns the position and the word of the next state, and the symmetry that leads to it
    (-1: none). The position is -1 if the fit does not fit, or if copies or open cells do not suffice."""
    keyed, key_at = rules.key_bits > 0, key_place(rules)
    mask = (stored & bits_of_mask(rules)) ^ _ONE
    if mask & rules.fit_masks[fit] != _ZERO:
        return -1, _ZERO, -1
    key = _ZERO
    if keyed:
        key = stored >> key_at
        if key & rules.fields[fit] < rules.mosts[fit]:
            key += rules.units[fit]
        elif not rules.stays[fit]:
            return -1, _ZERO, -1
    covered = mask | rules.fit_masks[fit]
    step = trailing_zeros(~covered)
    to, word = position + step, covered >> np.uint64(step)
    if keyed and rules.lower.size:
        open_cells = rules.possible.size - 1 - to - population(word)
        for tile in range(rules.lower.shape[0]):
            used = (key >> np.uint64(rules.lower[tile, 0])) & ((_ONE << np.uint64(rules.lower[tile, 1])) - _ONE)
            open_cells -= max(0, rules.lower[tile, 2] - np.int64(used)) * rules.lower[tile, 3]
        if open_cells < 0:
            return -1, _ZERO, -1
    to, word, symmetry = representative(to, word, maps)
    if symmetry >= 0 and keyed:
        key = image_of(key, maps.keys, symmetry)
    return to, word | _ONE | (key << key_at), symmetry


@kernel()
def advance(rules: WordRules, maps: WordMaps, hashed: HashTables, batch: Batch, budget: int) -> int:
    """Enter the next states of states of the present position, for some `budget` transitions. Returns one of the codes above."""
    fit_starts = rules.fit_starts
    rows, tables = hashed.rows, hashed.tables
    words, targets, sources, state = batch.word, batch.target, batch.source, batch.state
    width, cells = rows.shape[1], tables.shape[0] - 1
    mask_bits = bits_of_mask(rules)
    position = state[POSITION]
    start, size = tables[position, START], tables[position, SIZE]
    first, last = fit_starts[position], fit_starts[position + 1]
    done = 0
    while True:
        # Enter the transitions of the batch.
        state[SINK] ^= look_ahead(hashed, words, targets, state[ENTERED], state[FILLED])
        i = state[ENTERED]
        while i < state[FILLED]:
            word, to, row = words[i], targets[i], sources[i]
            begin, limit = tables[to, START], np.uint64(tables[to, SIZE] - 1)
            place = place_of(word, np.uint64(tables[to, SHIFT]))
            i += 1
            while True:
                at = begin + np.int64(place)
                if rows[at, 0] == word:
                    if add_words(rows, at, rows, row, 1):
                        state[ENTERED], state[WHERE] = i, at
                        return CARRY
                    break
                if rows[at, 0] == _ZERO:
                    if can_be_filled(
                        word & mask_bits, to, rules.possible, rules.shifts, rules.beside, rules.leaving, rules.inside
                    ):
                        copy_words(rows, row, rows, at, 1, width)
                        rows[at, 0] = word
                        tables[to, USED] += 1
                    break
                place = (place + _ONE) & limit
        state[TRANSITIONS] += state[FILLED]
        done += state[FILLED]
        state[FILLED] = state[ENTERED] = 0
        if state[AT] == size:
            return DONE
        if done >= budget:
            return PAUSED
        # Each table that transitions can lead to must have room for a whole batch.
        for to in range(position + 1, min(cells, position + state[REACH]) + 1):
            if 4 * (tables[to, USED] + words.size) > 3 * tables[to, SIZE]:
                state[WHERE] = to
                return ROOM
        count = 0
        row = state[AT]
        while row < size and count + last - first <= words.size:
            if rows[start + row, 0] != _ZERO:
                for fit in range(first, last):
                    to, word, _ = successor(rules, maps, position, rows[start + row, 0], fit)
                    if to < 0:
                        continue
                    words[count] = word
                    targets[count] = to
                    sources[count] = start + row
                    count += 1
            row += 1
        state[AT] = row
        state[FILLED] = count


@kernel()
def move(rows: U64_2, start: int, stop: int, to: int, limit: int, shift: int) -> None:
    """Enter the states of the rows from `start` to `stop` into another table. Its first row is `to`; `limit` is its number of
    rows - 1, and `shift` is 64 - log2 of its rows."""
    last = np.uint64(limit)
    for row in range(start, stop):
        word = rows[row, 0]
        if word != _ZERO:
            place = place_of(word, np.uint64(shift))
            while rows[to + np.int64(place), 0] != _ZERO:
                place = (place + _ONE) & last
            copy_words(rows, row, rows, to + np.int64(place), 0, rows.shape[1])
