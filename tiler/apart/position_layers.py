"""Keep the positions that pieces can reach, in layers by the number of moves. The arrays grow as needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tiler.apart.kernel import (
    AT,
    AXES,
    COUNTERS,
    DIRECTION,
    END_COLUMNS,
    ENDS,
    FULL,
    PIECES,
    POSITION,
    SIZE,
    UNBOUNDED,
    ApartWork,
    Distances,
    advance,
    enter,
)
from tiler.kernels import EXHAUSTED, Ratchet, bind, patience
from tiler.model.lattice import Cell
from tiler.process.cancellation import Look

_ROOM = 64  # positions that the first arrays can hold
_BUDGET = 1 << 17  # moves between two looks: some hundredths of a second
Places = tuple[Cell, ...]  #: how far each piece has been moved


class ApartEnd(NamedTuple):
    """A way to take pieces off: the number of the position, the pieces, and the number of the direction."""

    position: int
    pieces: tuple[int, ...]
    direction: int


class ApartLayers:
    """A breadth-first search from some positions. Each call of `ends` searches one layer."""

    def __init__(self, given: Distances, pieces: int, starts: Sequence[Places], most_ends: int) -> None:
        room = max(_ROOM, 2 * len(starts))
        self._given, self._pieces = given, pieces
        self._work = ApartWork(
            places=np.zeros((room, pieces * AXES), np.int32),
            parents=np.full(room, -1, np.int32),
            slots=np.zeros(_slots(room), np.int32),
            ends=np.zeros((most_ends, END_COLUMNS), np.int64),
            matrix=np.zeros(len(given.vectors) * pieces * pieces, np.int64),
            closure=np.zeros(pieces, np.int64),
            without=np.zeros(pieces, np.int64),
            taken=np.zeros(pieces + 1, np.int64),
            kept=np.zeros(pieces + 1, np.int64),
            counters=np.zeros(COUNTERS, np.int64),
        )
        self._work.places[: len(starts)] = np.array(starts).reshape(len(starts), -1)
        self._work.counters[SIZE] = len(starts)
        enter(self._work)
        self._bound = bind(advance, self._given, self._work)

    @property
    def size(self) -> int:
        """How many positions have been reached."""
        return int(self._work.counters[SIZE])

    @property
    def is_done(self) -> bool:
        """Whether all positions that can be reached have been looked at."""
        return bool(self._work.counters[AT] == self._work.counters[SIZE])

    def ends(self, look: Look) -> list[ApartEnd]:
        """Look at the positions of the next layer. Returns the ways to take pieces off there by one more move, at most
        `most_ends`; empty if there are none."""
        last, ratchet = self.size, Ratchet("taking apart")
        while True:
            counters = self._work.counters
            code = self._bound(last, patience.share(_BUDGET))
            look()
            if code == EXHAUSTED:
                found = self._work.ends[: counters[ENDS]]
                return [
                    ApartEnd(
                        int(end[POSITION]), tuple(p for p in range(self._pieces) if end[PIECES] >> p & 1), int(end[DIRECTION])
                    )
                    for end in found
                ]
            if code == FULL:
                self._grow()
            ratchet.turn(int(counters[AT]), len(self._work.places))

    def _grow(self) -> None:
        work, size = self._work, self.size
        room = 2 * len(work.places)
        if room >= UNBOUNDED << 10:
            raise MemoryError
        places, parents = np.zeros((room, work.places.shape[1]), np.int32), np.full(room, -1, np.int32)
        places[:size], parents[:size] = work.places[:size], work.parents[:size]
        self._work = work._replace(places=places, parents=parents, slots=np.zeros(_slots(room), np.int32))
        enter(self._work)
        self._bound = bind(advance, self._given, self._work)

    def places(self, position: int) -> Places:
        """How far each piece has been moved in a position."""
        row = self._work.places[position].reshape(self._pieces, AXES).tolist()
        return tuple(map(tuple, row))

    def path(self, position: int) -> list[int]:
        """The positions on the way from a start to this position, both included; they are one move apart."""
        found = [position]
        while self._work.parents[found[-1]] >= 0:
            found.append(int(self._work.parents[found[-1]]))
        return found[::-1]


def _slots(room: int) -> int:
    """The size of the hash table: a power of two, at least twice the room."""
    return 1 << (2 * room - 1).bit_length()
