"""Find the next states in hash tables (kernel_tables.py) with several threads, in two steps. All threads make each step together.

First each thread takes on states of its own. It sorts the next states by the part of a table in which their hash lies: it fills a
bucket of transitions for every thread. When all are done, each thread enters the transitions in its buckets, which lie in its own
parts of the tables. So no two threads ever write to the same row, and no thread reads a row while another writes it.

The tables are the same as those of one thread, except for the order in which states with the same place were entered. They do not
show how many threads made them.

A transition costs as much as for one thread, and some nanoseconds more for the bucket.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tiler.backends.frontier.shared.kernel_profiles import add_words, copy_words
from tiler.backends.frontier.shared.kernel_symmetries import WordMaps
from tiler.backends.frontier.tables.kernel_tables import (
    SHIFT,
    SIZE,
    START,
    HashTables,
    WordRules,
    bits_of_mask,
    can_be_filled,
    look_ahead,
    place_of,
    successor,
)
from tiler.kernels import inner, kernel
from tiler.kernels.arrays import I32, I64, I64_2, U64

#: Parts of a table, by the highest bits of the hash. A table has at least this number of rows.
PARTS = 1 << (PART_BITS := 8)
#: Room of each thread's extra bucket, for transitions that fall beyond the last row of the thread's parts.
EDGE = 1024
#: Columns of `state`: the row whose ways are too large for their words, or -1; the next row for `lead_on`, and the end of its
#: rows; SINK makes sure that places are looked at.
CARRIED, ROW, STOP, SINK = range(STATE_SIZE := 4)
#: Unused columns between the columns of two threads, so that these do not write to the same line of a cache.
APART = 16

_ZERO = np.uint64(0)
_BATCH = 128  # transitions whose places in the tables are read in advance, as fast as the memory allows


class Exchange(NamedTuple):
    """Transitions on their way from the threads that make them (makers) to the threads that enter them (takers). There is a
    bucket for every pair of maker and taker. After these, each taker has an extra bucket, for transitions that it cannot enter
    without touching the rows of the next taker."""

    word: U64  #: (threads * threads * room + threads * EDGE,): the state
    target: I32  #: the position of this state
    source: I64  #: the row of the state before it
    owner: I64  #: (PARTS,): the thread of each part
    first: I64  #: (threads + 1,): the first part of each thread
    filled: I64_2  #: (threads + 1, threads + APART): by maker and taker, the transitions in the bucket; last row: extra buckets
    quota: I64_2  #: (threads + 1, cells + 1 + APART): by taker and position, how many states it may still enter
    wanting: I64_2  #: (threads + 1, cells + 1 + APART): likewise, how many transitions wait for a larger table
    state: I64_2  #: (threads + 1, APART) by names; the last row is for what one thread enters while no other runs


@inner()
def room_of(exchange: Exchange) -> int:
    """How many transitions a bucket can hold."""
    threads = exchange.first.size - 1
    return (exchange.word.size - threads * EDGE) // (threads * threads)


@inner()
def fullest_of(exchange: Exchange, maker: int) -> np.int64:
    """The number of transitions in the fullest bucket of a maker."""
    fullest = np.int64(0)
    for taker in range(exchange.first.size - 1):
        fullest = max(fullest, exchange.filled[maker, taker])
    return fullest


@inner(inline=True)
def send(exchange: Exchange, filled: I64, begin: int, room: int, word: np.uint64, to: int, source: int) -> np.int64:
    """Put a transition into the bucket for the taker of its new state. `filled` is the row of its maker, whose buckets begin at
    `begin`, each with room for `room`. Returns how many are in this bucket now."""
    taker = exchange.owner[np.int64(place_of(word, np.uint64(64 - PART_BITS)))]
    at = begin + taker * room + filled[taker]
    exchange.word[at], exchange.target[at], exchange.source[at] = word, to, source
    filled[taker] += 1
    return np.int64(filled[taker])


@kernel()
def lead_on(rules: WordRules, maps: WordMaps, hashed: HashTables, exchange: Exchange, position: int, maker: int) -> None:
    """Write the transitions from the rows `state[ROW]` to `state[STOP]` of a position's table into buckets. Stops when a bucket
    might not have room for the transitions from one more row.

    Several threads may run this at once, each with another `maker`. They share rules, maps, all tables and rows, and `owner`, and
    only read these. Each writes the buckets of its maker, and its rows of `filled` and `state`.
    """
    rows, state, filled, room = hashed.rows, exchange.state, exchange.filled[maker], room_of(exchange)
    begin = maker * (exchange.first.size - 1) * room
    start = hashed.tables[position, START]
    first, last = rules.fit_starts[position], rules.fit_starts[position + 1]
    row, stop = state[maker, ROW], state[maker, STOP]
    fullest = fullest_of(exchange, maker)
    while row < stop and fullest + last - first <= room:
        stored = rows[start + row, 0]
        if stored != _ZERO:
            for fit in range(first, last):
                to, word, _ = successor(rules, maps, position, stored, fit)
                if to >= 0:
                    fullest = max(fullest, send(exchange, filled, begin, room, word, to, start + row))
        row += 1
    state[maker, ROW] = row


@kernel()
def enter(rules: WordRules, hashed: HashTables, exchange: Exchange, taker: int) -> None:
    """Enter the states in the buckets for a thread; there must be tables for them. States that its quota does not allow stay in
    the buckets. It ends early if ways are too large for their words.

    Several threads may run this at once, each with another `taker`. They share rules, `tables`, `first`, and the rows of the
    present position, from which the ways come, and only read these. Each writes rows of `hashed` in the parts of its taker: a
    state is looked for, and entered, from its place up to the last row of a part; a state that would go on beyond it is put
    aside. Each also writes the buckets of its taker, its column of `filled`, and its rows of `quota`, `wanting` and `state`. If
    `taker` is the number of threads, the states put aside are entered, wherever they fall: then no other thread may run.
    """
    rows, tables, state = hashed.rows, hashed.tables, exchange.state
    words, targets, sources, filled = exchange.word, exchange.target, exchange.source, exchange.filled
    quota, wanting = exchange.quota[taker], exchange.wanting[taker]
    mask_bits = bits_of_mask(rules)
    width, threads = rows.shape[1], exchange.first.size - 1
    room = room_of(exchange)
    edges, alone = threads * threads * room, taker == threads
    aside = edges + taker * EDGE
    for maker in range(threads):
        # Alone: the extra buckets of all threads in turn.
        by, whose = (threads, maker) if alone else (maker, taker)
        bucket = edges + maker * EDGE if alone else (maker * threads + taker) * room
        end = bucket + filled[by, whose]
        kept, i, looked = bucket, bucket, bucket
        carried = False
        while i < end and not carried:
            if i == looked:
                looked = min(end, i + _BATCH)
                state[taker, SINK] ^= look_ahead(hashed, words, targets, i, looked)
            word, to, row = words[i], targets[i], sources[i]
            i += 1
            begin, size = tables[to, START], tables[to, SIZE]
            beyond = size if alone else (size >> PART_BITS) * exchange.first[taker + 1]
            place = np.int64(place_of(word, np.uint64(tables[to, SHIFT])))
            while place < beyond and rows[begin + place, 0] != word and rows[begin + place, 0] != _ZERO:
                place += 1
                if alone and place == size:
                    place -= size
            at = begin + place
            if place == beyond:
                if filled[threads, taker] < EDGE:
                    other = aside + filled[threads, taker]
                    filled[threads, taker] += 1
                else:
                    other = kept
                    kept += 1
                words[other], targets[other], sources[other] = word, to, row
            elif rows[at, 0] == word:
                if add_words(rows, at, rows, row, 1):
                    state[taker, CARRIED] = at
                    carried = True
            elif quota[to] == 0:
                wanting[to] += 1
                words[kept], targets[kept], sources[kept] = word, to, row
                kept += 1
            elif can_be_filled(word & mask_bits, to, rules.possible, rules.shifts, rules.beside, rules.leaving, rules.inside):
                copy_words(rows, row, rows, at, 1, width)
                rows[at, 0] = word
                quota[to] -= 1
        while i < end:
            words[kept], targets[kept], sources[kept] = words[i], targets[i], sources[i]
            kept += 1
            i += 1
        filled[by, whose] = kept - bucket
        if carried:
            return
