"""Find all positions that the pieces of an assembly can be moved to, layer by layer: each layer is one move further.

A position says for every piece how far it has been moved from where it lay. The first piece always stays where it is, because
only the places of pieces relative to each other count. A move takes one or more pieces by one vector. For every direction a
matrix says how far a piece can go before it meets a given other piece. A piece that is met must come along. So a set can be
moved by one step if it contains every piece that one of its pieces touches in that direction. A set can be taken away if it
contains every piece that one of its pieces would ever meet. Moving a set is the same as moving all others the opposite way:
therefore only one of any two opposite directions is tried.

`advance` goes through the positions of a layer. A position costs some nanoseconds for each pair of pieces and each direction, and
a probe of a hash table for each move. BurrTools, by Andreas Röver, takes puzzles apart with the same kind of matrix; nothing of
its code is here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tiler.kernels import EXHAUSTED, PAUSED, inner, kernel
from tiler.kernels.arrays import I32, I32_2, I64, I64_2

AXES = 3  #: coordinates of a place; in the plane the first is 0
UNBOUNDED = 1 << 20  #: a number of steps that means "without end"; every distance is at most this
FULL = 3  #: what `advance` returns when there is no room for another position
#: Indices into `PositionState.counters`: the next position to look at, the number of positions, and the number of ends.
AT, SIZE, ENDS = range(COUNTERS := 3)
#: Columns of `PositionState.ends`: the position, the pieces that can be taken off (one bit each), and the direction.
POSITION, PIECES, DIRECTION = range(END_COLUMNS := 3)


class Distances(NamedTuple):
    """How many steps piece a can go before it meets piece b, for each pair of pieces.

    The number depends on the direction and on the *offset*: how far b has been moved, minus how far a has been moved. The offsets
    at which the pieces may touch lie in a box; `far` has a number for each of them. At an offset outside the box, one step of a
    cannot meet b. The pair of a and b has number a * pieces + b.
    """

    vectors: I64_2  #: (directions, AXES): one step of each direction
    starts: I64  #: (pieces * pieces,): index in `far` of the first number of a pair; each direction has its own block
    lows: I64_2  #: (pieces * pieces, AXES): least offset in the box of a pair
    sides: I64_2  #: (pieces * pieces, AXES): lengths of the box of a pair
    far: I32  #: numbers of steps, for all pairs, directions and offsets


class PositionState(NamedTuple):
    """The positions found so far, with room for more, and the arrays that `advance` works with."""

    places: I32_2  #: (positions, pieces * AXES): how far each piece has been moved
    parents: I32  #: (positions,): the position from which each was reached; -1 for a start
    slots: I32  #: the hash table: 1 + the number of a position, or 0; its size is a power of two, and larger than `positions`
    ends: I64_2  #: (room, END_COLUMNS): the ways to take pieces off in this layer; the columns are named above
    matrix: I64  #: (directions * pieces * pieces,): steps that a can go before it meets b, in the position looked at
    closure: I64  #: (pieces,): the pieces that must move with each piece, one bit each
    without: I64  #: (pieces,): the pieces that cannot move without each piece, one bit each
    taken: I64  #: (pieces + 1,): a stack of partly chosen sets: the pieces that move, one bit each
    kept: I64  #: (pieces + 1,): the same stack: the pieces that stay
    counters: I64  #: (COUNTERS,): see AT, SIZE and ENDS


_MIX = np.uint64(0x9E3779B97F4A7C15)
_NOTHING, _HALF, _ONE = np.uint64(0), np.uint64(32), np.uint64(1)


@inner()
def distance(given: Distances, pair: int, direction: int, x: int, y: int, z: int) -> int:
    """How many steps the first piece of a pair can go before it meets the second, at the offset (x, y, z); see `Distances`."""
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
def close(work: PositionState, direction: int, steps: int) -> None:
    """Compute `closure` and `without`: which pieces must move together if one of them goes this number of steps."""
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
def slot_of(work: PositionState, position: int) -> np.uint64:
    """The slot of the hash table that has a position, or the empty slot where it belongs."""
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
def enter(work: PositionState) -> None:
    """Put all positions into the hash table, which must be empty."""
    for position in range(work.counters[SIZE]):
        work.slots[slot_of(work, position)] = position + 1


@kernel()
def advance(given: Distances, work: PositionState, last: int, budget: int) -> int:
    """Look at the positions before `last`, from where the last call stopped. Note every way to take pieces off in `ends`. As long
    as there is none, also add the positions that one move leads to.

    Returns EXHAUSTED when these positions are done or `ends` is full, PAUSED after about `budget` moves, FULL if there is no room
    for another position.
    """
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
            # Visit every closed set once. The first undecided piece moves, with all pieces that must move with it; or it stays,
            # with all pieces that cannot move without it.
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
