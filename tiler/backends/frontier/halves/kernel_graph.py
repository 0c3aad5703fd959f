"""Find the profiles of a frontier, one word each, and the edges between them, position by position. Copies are not counted.

A profile is a first open cell (its position) and a word of the covered cells beyond it. Bit 0 stands for the first open cell, and
is set although the cell is open (see kernel_tables.py). Each profile is entered once, by its hash, with a verdict: a profile that
closes off a region that tiles cannot fill has no edges. If profiles are images of each other, one stands for all
(kernel_symmetries.py).

Profiles are shared out among threads by their hash. All threads together make the edges from a position in two steps, as hash
tables are filled (kernel_exchange.py). First each thread finds the profiles that follow its own profiles, and sorts them by the
thread that they belong to. Then each thread enters the profiles that belong to it. So no two threads ever write to the same
array. Between the two steps the number of new profiles is known, so that room can be made for them. The second step looks at many
places of the table at a time, as fast as the memory allows.

The n-th profile of thread t has the common number n * threads + t.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tiler.backends.frontier.shared.kernel_profiles import scramble
from tiler.backends.frontier.shared.kernel_symmetries import WordMaps
from tiler.backends.frontier.tables.kernel_exchange import ROW, SINK, Exchange, fullest_of, room_of, send
from tiler.backends.frontier.tables.kernel_tables import WordRules, can_be_filled, successor
from tiler.kernels import inner, kernel
from tiler.kernels.arrays import I32, I32_2, I64, U64, Bool
from tiler.kernels.inner import population

#: Places in `state`: how many profiles and edges there are.
PROFILES, EDGES = range(STATE_SIZE := 2)
#: Columns of `edges`: the profile that the edge comes from, by its common number; the profile of this thread that it leads to, by
#: the thread's own number; the fit, with the symmetry in the lowest SYMMETRY_BITS. The symmetry maps the covered cells after the
#: fit to the target; symmetries are numbered from 1 on, and 0 is none.
SOURCE, TARGET, LAID = range(EDGE_COLUMNS := 3)
SYMMETRY_BITS = 7

_ZERO, _ONE, _TURN = np.uint64(0), np.uint64(1), np.uint64(0xD1B54A32D192ED03)
_BATCH = 128  # places of the table that are read in advance, to have them in the cache


class WordProfiles(NamedTuple):
    """The profiles that a thread has found so far, and the edges that lead to them."""

    words: U64  #: (room,): the covered cells
    positions: I32  #: (room,): the position; -1 - position if the profile cannot be completed
    before: I32  #: (room,): the completable profile found before it at its position; -1: none
    last: I32  #: (cells + 1,): the last completable profile found at each position; -1: none
    counts: I64  #: (cells + 1,): how many completable profiles each position has
    table: I32  #: (2**k,): the hash table: the number of a profile + 1, or 0 for a free place
    edges: I32_2  #: (room, 3) by names
    state: I64  #: by names


@inner()
def slot_of(word: np.uint64, position: int, limit: np.uint64) -> np.uint64:
    """The place of the table where the search for a profile begins."""
    return scramble(word ^ (np.uint64(position) * _TURN)) & limit


@kernel()
def lead_on(
    rules: WordRules, maps: WordMaps, found: WordProfiles, exchange: Exchange, position: int, maker: int, budget: int
) -> None:
    """Take a thread's profiles of a position, from `state[ROW]` on, and write the profiles that follow them into buckets. Stops
    after some `budget` fits, or when a bucket might not have room for the followers of one more profile. The rules have no keys.

    Several threads may run this at once, each with another `maker`. They share rules, maps and `owner`, and only read these. Each
    reads its own `found`, and writes the buckets of its maker and its rows of `filled` and `state`.
    """
    filled, room, fullest, done = exchange.filled[maker], room_of(exchange), fullest_of(exchange, maker), 0
    begin = maker * (exchange.first.size - 1) * room
    first, last = rules.fit_starts[position], rules.fit_starts[position + 1]
    profile = exchange.state[maker, ROW]
    while profile >= 0 and done <= budget and fullest + last - first <= room:
        done += 1 + last - first
        for fit in range(first, last):
            to, word, symmetry = successor(rules, maps, position, found.words[profile], fit)
            if to >= 0:
                source = (profile << 32) | (fit << SYMMETRY_BITS) | (symmetry + 1)
                fullest = max(fullest, send(exchange, filled, begin, room, word, to, source))
        profile = np.int64(found.before[profile])  # As Python, too: the number is shifted above.
    exchange.state[maker, ROW] = profile


@kernel()
def enter(rules: WordRules, found: WordProfiles, exchange: Exchange, taker: int) -> None:
    """Enter the profiles in the buckets for a thread, and empty these buckets. There must be room for all profiles.

    Several threads may run this at once, each with another `taker`. They share the rules, and only read them. Each writes its own
    `found`, the buckets of its taker, and its column of `filled`.
    """
    words, positions, table, edges = found.words, found.positions, found.table, found.edges
    offered, targets, sources = exchange.word, exchange.target, exchange.source
    threads, limit = exchange.first.size - 1, np.uint64(table.size - 1)
    room = room_of(exchange)
    profiles, edge = found.state[PROFILES], found.state[EDGES]
    sink = _ZERO
    for maker in range(threads):
        begin = (maker * threads + taker) * room
        end = begin + exchange.filled[maker, taker]
        for start in range(begin, end, _BATCH):
            stop = min(start + _BATCH, end)
            for i in range(start, stop):
                sink ^= np.uint64(table[slot_of(offered[i], targets[i], limit)])
            for i in range(start, stop):
                sink ^= words[max(0, table[slot_of(offered[i], targets[i], limit)] - 1)]
            for i in range(start, stop):
                word, to, source = offered[i], targets[i], sources[i]
                slot = slot_of(word, to, limit)
                target = np.int64(-1)
                while table[slot] != 0:
                    other = np.int64(table[slot]) - 1
                    if words[other] == word and (positions[other] == to or positions[other] == -1 - to):
                        target = other
                        break
                    slot = (slot + _ONE) & limit
                if target < 0:
                    target = profiles
                    profiles += 1
                    table[slot] = target + 1
                    words[target] = word
                    if can_be_filled(word, to, rules.possible, rules.shifts, rules.beside, rules.leaving, rules.inside):
                        positions[target] = to
                        found.before[target] = found.last[to]
                        found.last[to] = target
                        found.counts[to] += 1
                    else:
                        positions[target] = -1 - to
                if positions[target] >= 0:
                    edges[edge, SOURCE], edges[edge, TARGET] = (source >> 32) * threads + maker, target
                    edges[edge, LAID] = source & ((1 << 32) - 1)
                    edge += 1
        exchange.filled[maker, taker] = 0
    exchange.state[taker, SINK] = np.int64(sink & np.uint64(255))
    found.state[PROFILES], found.state[EDGES] = profiles, edge


@kernel()
def enter_anew(found: WordProfiles, start: int, stop: int) -> None:
    """Enter the profiles from `start` to `stop` into a new table. Threads may run this at once, each with its own `found`."""
    limit = np.uint64(found.table.size - 1)
    for profile in range(start, stop):
        position = found.positions[profile]
        slot = slot_of(found.words[profile], position if position >= 0 else -1 - position, limit)
        while found.table[slot] != 0:
            slot = (slot + _ONE) & limit
        found.table[slot] = profile + 1


@kernel()
def revive(found: WordProfiles, owner: int, threads: int, start: int, stop: int, alive: Bool) -> None:
    """Mark every profile from which one of the edges from `start` to `stop` of a thread leads to a marked profile. `alive` has
    the marks, by common numbers."""
    edges = found.edges
    for edge in range(stop - 1, start - 1, -1):
        if alive[np.int64(edges[edge, TARGET]) * threads + owner]:
            alive[edges[edge, SOURCE]] = True


@kernel()
def count(found: WordProfiles, owner: int, threads: int, alive: Bool, start: int, stop: int, counts: I64) -> None:
    """Count the marked profiles of a thread from `start` to `stop`: add them to `counts`, by position."""
    for profile in range(start, stop):
        if alive[profile * threads + owner]:
            counts[found.positions[profile]] += 1


@kernel()
def number(
    rules: WordRules,
    found: WordProfiles,
    owner: int,
    threads: int,
    alive: Bool,
    start: int,
    stop: int,
    ends: I64,
    numbers: I32,
    covered: I64,
) -> None:
    """Number the marked profiles of a thread from `start` to `stop`. `ends` has the next number of each position. Profiles that
    are not marked get -1. `covered` gets the number of cells that each marked profile covers beyond its first open cell."""
    for profile in range(start, stop):
        at = profile * threads + owner
        numbers[at] = -1
        if alive[at]:
            position = found.positions[profile]
            numbers[at] = ends[position]
            covered[ends[position]] = population((found.words[profile] ^ _ONE) & rules.inside[position])
            ends[position] += 1


@kernel()
def count_edges(
    found: WordProfiles, owner: int, threads: int, numbers: I32, start: int, stop: int, out_of: I64, into: I64
) -> None:
    """Count the edges between numbered profiles: add them to `out_of` by their source, and to `into` by their target."""
    edges = found.edges
    for edge in range(start, stop):
        source, target = numbers[edges[edge, SOURCE]], numbers[np.int64(edges[edge, TARGET]) * threads + owner]
        if source >= 0 and target >= 0:
            out_of[source] += 1
            into[target] += 1


@kernel()
def put_edges(
    found: WordProfiles,
    owner: int,
    threads: int,
    numbers: I32,
    fit_tile: I32,
    tiles: int,
    symmetries: int,
    start: int,
    stop: int,
    out_of: I64,
    into: I64,
    outgoing: I32_2,
    incoming: I32_2,
) -> None:
    """Write the edges between numbered profiles to `outgoing` and `incoming`: the profile at the other end, and the number of the
    change of keys (shared_data.py). `out_of` and `into` have the next free row of each profile."""
    edges = found.edges
    for edge in range(start, stop):
        source, target = numbers[edges[edge, SOURCE]], numbers[np.int64(edges[edge, TARGET]) * threads + owner]
        if source < 0 or target < 0:
            continue
        laid = edges[edge, LAID]
        tile, symmetry = fit_tile[laid >> SYMMETRY_BITS], laid & ((1 << SYMMETRY_BITS) - 1)
        at = out_of[source]
        outgoing[at, 0], outgoing[at, 1] = target, tile + tiles * (symmetry + symmetries if symmetry > 0 else 0)
        out_of[source] = at + 1
        at = into[target]
        incoming[at, 0], incoming[at, 1] = source, tile + tiles * symmetry
        into[target] = at + 1
