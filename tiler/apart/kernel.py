"""Find all positions that the pieces of an assembly can be moved to, layer by layer: each layer is one move further.

A position says for every piece how far it has been moved from where it lay. The first piece always stays where it is, because
only the places of pieces relative to each other count. A move takes one or more pieces by one vector. For every direction a
matrix says how far a piece can go before it meets a given other piece. A piece that is met must come along. So a set can be
moved by one step if it contains every piece that one of its pieces touches in that direction. A set can be taken away if it
contains every piece that one of its pieces would ever meet. Moving a set is the same as moving all others the opposite way:
therefore only one of any two opposite directions is tried.

`advance` goes through the positions of a layer. It costs some nanoseconds for each two pieces and direction, and a probe of a
hash table for each move. BurrTools, by Andreas Röver, takes puzzles apart by such a matrix; nothing of its code is here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tiler.kernels import EXHAUSTED, PAUSED, inner, kernel
from tiler.kernels.arrays import I32, I32_2, I64, I64_2

AXES = 3  #: coordinates of a place; in the plane the first is 0
UNBOUNDED = 1 << 20  #: steps; also what no way is longer than
FULL = 3  #: what `advance` returns when there is no room for another position
#: Places in `ApartWork.counters`: the position to go on with, how many there are, and how many ends.
AT, SIZE, ENDS = range(COUNTERS := 3)
#: What an end has: the position, the set of pieces that can be taken off, by bits, and along which direction.
POSITION, PIECES, DIRECTION = range(END_COLUMNS := 3)


class Distances(NamedTuple):
    """How far each piece a can go before it meets each other b, by how far b has been moved beside a: numbers in a box for each
    two pieces and each direction. Outside of the box they are not beside each other."""

    vectors: I64_2  #: (directions, AXES): of one step
    starts: I64  #: (pieces * pieces,): by a * pieces + b where their numbers begin, those of each direction one after the other
    lows: I64_2  #: (pieces * pieces, AXES): where their box begins
    sides: I64_2  #: (pieces * pieces, AXES): how long it is
    far: I32  #: the numbers


class ApartWork(NamedTuple):
    """The positions found so far. There is room for some more."""

    places: I32_2  #: (positions, pieces * AXES): how far each piece has been moved
    parents: I32  #: (positions,): from which position each was reached; -1: from none
    slots: I32  #: a power of two, more than positions: the hash table, 1 + the position; 0 for none
    ends: I64_2  #: (room, END_COLUMNS) by names: how pieces of this layer can be taken off
    matrix: I64  #: (directions * pieces * pieces,): of the position looked at
    closure: I64  #: (pieces,): what each piece takes along, by bits
    without: I64  #: (pieces,): what takes each piece along
    taken: I64  #: (pieces + 1,): of the sets under way, which pieces are in
    kept: I64  #: (pieces + 1,): which are not
    counters: I64  #: by names


_MIX = np.uint64(0x9E3779B97F4A7C15)
_NOTHING, _HALF, _ONE = np.uint64(0), np.uint64(32), np.uint64(1)


@inner()
def distance(given: Distances, pair: int, direction: int, x: int, y: int, z: int) -> int:
    """How many steps one piece can go before it meets the other, which has been moved so far beside it."""
    vectors, lows, sides = given.vectors, given.lows, given.sides
    enter, leave = 0, UNBOUNDED
    for axis in range(AXES):
        at = (x if axis == 0 else y if axis == 1 else z) - lows[pair, axis]
        room, way = sides[pair, axis] - 1, vectors[direction, axis]
        if way == 0:
            if at < 0 or at > room:
                return UNBOUNDED
        elif way > 0:
            enter, leave = max(enter, at - room), min(leave, at)
        else:
            enter, leave = max(enter, -at), min(leave, room - at)
    if enter > leave:
        return UNBOUNDED
    at = direction
    for axis in range(AXES):
        place = (x if axis == 0 else y if axis == 1 else z) - lows[pair, axis] - enter * vectors[direction, axis]
        at = at * sides[pair, axis] + place
    return int(min(enter + given.far[given.starts[pair] + at], UNBOUNDED))


@inner()
def close(work: ApartWork, direction: int, steps: int) -> None:
    """What each piece takes along if it goes some steps, and what takes it along."""
    matrix, closure, without = work.matrix, work.closure, work.without
    pieces = closure.size
    for a in range(pieces):
        along = 1 << a
        for b in range(pieces):
            if matrix[(direction * pieces + a) * pieces + b] < steps:
                along |= 1 << b
        closure[a] = along
    for b in range(pieces):
        for a in range(pieces):
            if closure[a] >> b & 1:
                closure[a] |= closure[b]
    for b in range(pieces):
        without[b] = 0
        for a in range(pieces):
            without[b] |= (closure[a] >> b & 1) << a


@inner()
def slot_of(work: ApartWork, position: int) -> np.uint64:
    """Where a position is in the hash table, or would be."""
    places, slots = work.places, work.slots
    word = _NOTHING
    for i in range(places.shape[1]):
        word = (word ^ np.uint64(places[position, i] + UNBOUNDED)) * _MIX
        word ^= word >> _HALF
    limit = np.uint64(slots.size - 1)
    slot = word & limit
    while slots[slot]:
        other = slots[slot] - 1
        same = True
        for i in range(places.shape[1]):
            if places[other, i] != places[position, i]:
                same = False
                break
        if same:
            break
        slot = (slot + _ONE) & limit
    return slot


@kernel()
def enter(work: ApartWork) -> None:
    """Put all positions into the hash table, which was made anew."""
    for position in range(work.counters[SIZE]):
        work.slots[slot_of(work, position)] = position + 1


@kernel()
def advance(given: Distances, work: ApartWork, last: int, budget: int) -> int:
    """Go on through the positions before `last`: note how pieces can be taken off, and unless that is found, add the positions
    that a move leads to. EXHAUSTED when they are done or there is no room for more ends, PAUSED after `budget` moves, FULL."""
    vectors, places, matrix, counters = given.vectors, work.places, work.matrix, work.counters
    closure, without, taken, kept, ends = work.closure, work.without, work.taken, work.kept, work.ends
    slots, pieces, directions = work.slots, closure.size, vectors.shape[0]
    everything = (1 << pieces) - 1
    tried = 0
    while counters[AT] < last:
        if tried >= budget:
            return PAUSED
        at = counters[AT]
        for a in range(pieces):
            for b in range(pieces):
                x = places[at, AXES * b] - places[at, AXES * a]
                y = places[at, AXES * b + 1] - places[at, AXES * a + 1]
                z = places[at, AXES * b + 2] - places[at, AXES * a + 2]
                for direction in range(directions):
                    far = UNBOUNDED
                    if a != b:
                        far = distance(given, a * pieces + b, direction, x, y, z)
                    matrix[(direction * pieces + a) * pieces + b] = far
        tried += 1
        for going in range(2 * directions):
            direction = going % directions
            off = going < directions
            if not off and counters[ENDS]:
                break
            close(work, direction, UNBOUNDED if off else 1)
            # Every closed set once: of the first piece that is undecided, all it takes along is in, or all that takes it is out.
            top = 1
            taken[0] = kept[0] = 0
            while top:
                top -= 1
                inside, outside = taken[top], kept[top]
                if inside | outside != everything:
                    piece = 0
                    while (inside | outside) >> piece & 1:
                        piece += 1
                    taken[top], kept[top] = inside, outside | without[piece]
                    taken[top + 1], kept[top + 1] = inside | closure[piece], outside
                    top += 2
                    continue
                if not inside or not outside:
                    continue
                tried += 1
                if off:
                    end = counters[ENDS]
                    ends[end, POSITION], ends[end, PIECES], ends[end, DIRECTION] = at, inside, direction
                    counters[ENDS] = end + 1
                    if end + 1 == ends.shape[0]:
                        return EXHAUSTED
                    continue
                far = UNBOUNDED
                for a in range(pieces):
                    if inside >> a & 1:
                        for b in range(pieces):
                            if outside >> b & 1:
                                far = min(far, matrix[(direction * pieces + a) * pieces + b])
                first = inside & 1
                for steps in range(1, far + 1):
                    tried += 1
                    size = counters[SIZE]
                    if size == places.shape[0]:
                        return FULL
                    for a in range(pieces):
                        by = steps * ((inside >> a & 1) - first)
                        for axis in range(AXES):
                            places[size, AXES * a + axis] = places[at, AXES * a + axis] + by * vectors[direction, axis]
                    slot = slot_of(work, size)
                    if slots[slot] == 0:
                        slots[slot] = size + 1
                        work.parents[size] = at
                        counters[SIZE] = size + 1
        counters[AT] = at + 1
    return EXHAUSTED
