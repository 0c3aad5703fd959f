"""Merge lists of states by profile, if keys count many tiles: the ways of all states with one key are added up.

The cells that a profile covers determine how many cells the copies in use have together. So only some of all keys can occur with
a profile: its *class* numbers these keys, and a sum for each of them fits the cache. States that meet are added up at the number
of their key, without comparing keys or looking for places, and the list made afterwards is in the order of the numbers. The
number of a key is the sum of two numbers that are looked up, by its high and by its low bits. This requires that every copy of
every tile is counted.

Lists are made in two directions. *Forth*, a list says in how many ways each state is reached; *back*, in how many ways it can be
completed. Every tiling goes through one edge from a position before a cut to a position at the cut or behind it. So the number
of tilings is a sum over these edges: the ways to reach a state, times the ways to complete it.

Ways have limbs of 32 bits, the lowest first. They are added up in words of 64 bits and carried only when a list is done; this is
exact, because no list is merged from 2^32 others. If a sum is too long for its limbs, the kernel stops, and the caller gives all
ways one limb more.

A transition costs some 7 nanoseconds. Most of them are transitions for which no copy is left.

Several threads can `merge` profiles of one position, or `join`, at the same time. They share edges, keys, and the lists of
earlier positions, to which nobody writes meanwhile. Each has its own `sums`, `state`, and profiles to work on. In the arrays of
lists a thread writes only the spans of its profiles, and the rows from TOP to END of its state, which no other thread has.

Source: meet in the middle (Horowitz and Sahni 1974), on the states of the transfer-matrix method.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tiler.kernels import inner, kernel
from tiler.kernels.arrays import I32, I32_2, I64, I64_2, U32, U32_2, U64, U64_2
from tiler.kernels.inner import population, trailing_zeros

#: Reasons why `merge` stopped: the budget is used up or everything is done; no room for rows; ways too long for their limbs.
PAUSED, ROOM, OVERFLOW = range(3)
#: Places in `state`; each thread has its own: the next free row, the end of the rows that it may write, why `merge` stopped, the
#: transitions of `join`.
TOP, END, STOPPED, TRANSITIONS = range(STATE_SIZE := 4)
#: Columns of edges: the profile at the other end, and how the fit changes keys.
OTHER, CHANGE = range(EDGE_COLUMNS := 2)
#: Columns of `changes`: what a copy of the tile adds to a key, the bits that count the tile, their value when no copy is left,
#: the symmetry (0: none).
#: If there are no bits, or if the value is 0, the tile is not laid at all.
UNIT, FIELD, MOST, SYMMETRY = range(CHANGE_COLUMNS := 4)

_ZERO, _ONE, _SIX, _LIMB, _LOW = np.uint64(0), np.uint64(1), np.uint64(6), np.uint64(32), np.uint64(0xFFFFFFFF)
_LAST = np.uint64(63)


class Edges(NamedTuple):
    """The edges of a graph of profiles: those that lead to each profile or, backwards, those that lead away from it."""

    starts: I64  #: (profiles + 1,)
    edges: I32_2  #: (edges, 2) by names
    classes: I64  #: (profiles,): the class of each profile
    backwards: bool


class Keys(NamedTuple):
    """The keys that are possible, by class, and how they change."""

    low_bits: int  #: how many bits of a key are the low bits
    high: U32_2  #: (classes, 2**high bits): the number of the first key of a class with these bits, from 1 on
    low: U32  #: (2**low bits,): how many keys of a class with the same high bits come before the key with these low bits
    keys: U32  #: (keys,): all keys, class by class in the order of their numbers
    first: I64  #: (classes + 1,): the first key of each class
    changes: U64_2  #: (changes, 4) by names
    high_images: U32_2  #: (maps, 2**high bits): images of the high bits of a key; maps: identity, symmetries, inverses
    low_images: U32_2  #: (maps, 2**low bits): images of the low bits

    def leaving_out(self, bits: int, column: int) -> Keys:
        """The same keys, but some tiles are never laid: their changes have 0 in `column`. `bits` of a key stand for these tiles;
        each tile has one copy."""
        changes = self.changes.copy()
        changes[self.changes[:, FIELD] & np.uint64(bits) > 0, column] = 0
        return self._replace(changes=changes)


class SideLists(NamedTuple):
    """The states of profiles in one direction. In a count in slices, certain tiles must be laid on this side of the cut."""

    spans: I64_2  #: (profiles, 2): the first row of each profile, and the end
    keys: U32  #: (rows,)
    ways: U32_2  #: (rows, limbs)
    wanted: int  #: the bits of keys that stand for these tiles
    laid: int  #: the value of these bits when the tiles are laid
    left: I32  #: (profiles,): how many tiles can still be laid on this side, at most


class Sums(NamedTuple):
    """Sums of a list while it is made, zeros at first; each thread has its own."""

    totals: U64_2  #: (1 + most keys of a class, limbs); place 0 takes transitions for which no copy is left
    met: U64  #: (words,): the places that are in use, as bits
    products: U64  #: (2 * limbs + 16,): the sum of `join` in limbs of 32 bits, and an unused line of the cache

    @classmethod
    def new(cls, keys: Keys, limbs: int) -> Sums:
        """Zeros, for ways of `limbs` limbs."""
        most = int(np.diff(keys.first).max())
        met, products = np.zeros(most // 64 + 1, np.uint64), np.zeros(2 * limbs + 16, np.uint64)
        return cls(np.zeros((most + 1, limbs), np.uint64), met, products)


@inner(inline=True)
def image_of_key(keys: Keys, symmetry: np.uint64, key: np.uint64, low_bits: np.uint64, low_mask: np.uint64) -> np.uint64:
    """The image of a key under a symmetry; 0 is the identity."""
    if symmetry:
        key = np.uint64(keys.high_images[symmetry, key >> low_bits] | keys.low_images[symmetry, key & low_mask])
    return key


@inner(inline=True)
def place_of_key(high: U32_2, low: U32, cls: int, key: np.uint64, low_bits: np.uint64, low_mask: np.uint64) -> np.uint64:
    """The number of a key among the keys of a class, from 1 on."""
    return np.uint64(high[cls, key >> low_bits]) + np.uint64(low[key & low_mask])


@inner()
def add(edges: Edges, keys: Keys, lists: SideLists, sums: Sums, at: int, cls: int) -> None:
    """Add the ways of the states at the other end of an edge to the sums. `cls` is the class of the profile that is made."""
    high, low, from_keys, ways = keys.high, keys.low, lists.keys, lists.ways
    total, met = sums.totals, sums.met
    low_bits = np.uint64(keys.low_bits)
    low_mask = (_ONE << low_bits) - _ONE
    other, change = edges.edges[at, OTHER], edges.edges[at, CHANGE]
    unit, field, most = keys.changes[change, UNIT], keys.changes[change, FIELD], keys.changes[change, MOST]
    symmetry = keys.changes[change, SYMMETRY]
    limbs = ways.shape[1]
    if field & most == _ZERO:
        return
    for row in range(lists.spans[other, 0], lists.spans[other, 1]):
        key = np.uint64(from_keys[row])
        if edges.backwards:
            key = image_of_key(keys, symmetry, key, low_bits, low_mask)
            there = key & field != _ZERO
            key -= unit if there else _ZERO
        else:
            there = key & field < most
            key = image_of_key(keys, symmetry, key + (unit if there else _ZERO), low_bits, low_mask)
        place = place_of_key(high, low, cls, key, low_bits, low_mask)
        place = place if there else _ZERO  # Looked up in any case: going round it costs a tenth of the time.
        met[place >> _SIX] |= _ONE << (place & _LAST)
        for limb in range(limbs):
            total[place, limb] += np.uint64(ways[row, limb])


@inner()
def transitions_to(edges: Edges, lists: SideLists, profile: int) -> int:
    """The number of transitions to a profile from all profiles that have lists."""
    total = 0
    for at in range(edges.starts[profile], edges.starts[profile + 1]):
        other = edges.edges[at, OTHER]
        total += lists.spans[other, 1] - lists.spans[other, 0]
    return total


@kernel()
def weigh(edges: Edges, lists: SideLists, start: int, stop: int, weights: I64) -> None:
    """Count the transitions to the profiles from `start` to `stop` from all profiles that have lists: `weights[i]` is the number
    for the first `i` of them. Writes nothing else."""
    weights[0] = 0
    for profile in range(start, stop):
        weights[profile - start + 1] = weights[profile - start] + transitions_to(edges, lists, profile)


@kernel()
def merge(edges: Edges, keys: Keys, lists: SideLists, sums: Sums, state: I64, start: int, stop: int, budget: int) -> int:
    """Make the lists of the profiles from `start` to `stop`, for some `budget` transitions. Returns where it stopped.

    Threads share edges and keys, and read lists that were made before; sums, state, the spans of these profiles and the rows from
    TOP to END belong to this one.
    """
    total, met = sums.totals, sums.met
    limbs, top, end = lists.ways.shape[1], state[TOP], state[END]
    wanted, laid = np.uint64(lists.wanted), np.uint64(lists.laid)
    state[STOPPED] = PAUSED
    done, profile = 0, start
    while profile < stop and done <= budget:
        cls = edges.classes[profile]
        incoming = transitions_to(edges, lists, profile)
        if top + min(incoming, keys.first[cls + 1] - keys.first[cls]) >= end:
            state[STOPPED] = ROOM
            break
        for at in range(edges.starts[profile], edges.starts[profile + 1]):
            add(edges, keys, lists, sums, at, cls)
        begin, before = top, keys.first[cls] - 1
        met[0] &= ~_ONE
        overflow = False
        words = (keys.first[cls + 1] - before + 63) // 64 if incoming else 0
        for word in range(words):
            bits = met[word]
            met[word] = _ZERO
            while bits != _ZERO:
                place = 64 * word + trailing_zeros(bits)
                bits &= bits - _ONE
                carry = _ZERO
                for limb in range(limbs):
                    carry += total[place, limb]
                    total[place, limb] = _ZERO
                    lists.ways[top, limb] = np.uint32(carry & _LOW)
                    carry >>= _LIMB
                overflow = overflow or carry != _ZERO
                key = keys.keys[before + place]
                lists.keys[top] = key
                if population((np.uint64(key) ^ laid) & wanted) <= lists.left[profile]:
                    top += 1
        for limb in range(limbs):
            total[0, limb] = _ZERO
        if overflow:
            top = begin
            state[STOPPED] = OVERFLOW
            break
        done += 1 + incoming + words
        lists.spans[profile, 0], lists.spans[profile, 1] = begin, top
        profile += 1
    state[TOP] = top
    return profile


@kernel()
def join(
    edges: Edges,
    keys: Keys,
    forth: SideLists,
    back: SideLists,
    sums: Sums,
    state: I64,
    cut: int,
    start: int,
    stop: int,
    budget: int,
) -> int:
    """Add up products of ways along the edges that lead from profiles before `cut` to the profiles from `start` to `stop`. Takes
    some `budget` transitions, and returns where it stopped.

    Threads share all other arrays, and only read them. Each writes its own sums and state.
    """
    total, products = sums.totals, sums.products
    high, low = keys.high, keys.low
    low_bits = np.uint64(keys.low_bits)
    low_mask = (_ONE << low_bits) - _ONE
    limbs = forth.ways.shape[1]
    done, profile, transitions = 0, start, 0
    while profile < stop and done <= budget:
        cls = edges.classes[profile]
        first, last = back.spans[profile, 0], back.spans[profile, 1]
        begin, end = edges.starts[profile], edges.starts[profile + 1]
        if first < last and begin < end and edges.edges[begin, OTHER] < cut:
            for row in range(first, last):
                place = place_of_key(high, low, cls, np.uint64(back.keys[row]), low_bits, low_mask)
                for limb in range(limbs):
                    total[place, limb] = np.uint64(back.ways[row, limb])
            for at in range(begin, end):
                other, change = edges.edges[at, OTHER], edges.edges[at, CHANGE]
                if other >= cut:
                    break
                unit, field, most = keys.changes[change, UNIT], keys.changes[change, FIELD], keys.changes[change, MOST]
                symmetry = keys.changes[change, SYMMETRY]
                if most == _ZERO:
                    continue
                transitions += forth.spans[other, 1] - forth.spans[other, 0]
                done += forth.spans[other, 1] - forth.spans[other, 0]
                for row in range(forth.spans[other, 0], forth.spans[other, 1]):
                    key = np.uint64(forth.keys[row])
                    there = key & field < most
                    key = image_of_key(keys, symmetry, key + (unit if there else _ZERO), low_bits, low_mask)
                    place = place_of_key(high, low, cls, key, low_bits, low_mask)
                    place = place if there else _ZERO
                    for a in range(limbs):
                        one = np.uint64(forth.ways[row, a])
                        for b in range(limbs):
                            product = one * total[place, b]
                            products[a + b] += product & _LOW
                            products[a + b + 1] += product >> _LIMB
            for row in range(first, last):
                place = place_of_key(high, low, cls, np.uint64(back.keys[row]), low_bits, low_mask)
                for limb in range(limbs):
                    total[place, limb] = _ZERO
            for limb in range(products.size - 1):
                products[limb + 1] += products[limb] >> _LIMB
                products[limb] &= _LOW
        done += 1
        profile += 1
    state[TRANSITIONS] += transitions
    return profile


@kernel()
def farthest(edges: Edges, start: int, stop: int, step: int, least: int, left: I32) -> None:
    """Write to `left` the most edges that a path from each profile to the cut can have. The profiles go from `start` to `stop`
    by `step`, and the first are next to the cut. `least` is 1 if the edge across the cut counts, else 0."""
    for profile in range(start, stop, step):
        most = least
        for at in range(edges.starts[profile], edges.starts[profile + 1]):
            other = edges.edges[at, OTHER]
            if (other - start) * step >= 0:
                most = max(most, 1 + left[other])
        left[profile] = most
