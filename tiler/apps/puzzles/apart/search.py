"""Take an assembly apart with as few moves as possible; puzzles are rated by these numbers of moves.

A *separation* takes some pieces off others that lie together. As long as there is a separation of a single move, it is made. The
other separations of a single move can still be made afterwards, or are no longer needed; so their order does not matter. Then the
largest part is separated with as few moves as possible. If there are several ways with this number of moves, the search goes on
with those that make the next separations shortest. If a part cannot be separated, no other choice before would help: every way to
separate all pieces also separates this part.

The positions that pieces can reach are kept in layers by the number of moves (`PositionLayers`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from tiler.apps.puzzles.apart.disassembly import Disassembly, Separation, Slide, error_in
from tiler.apps.puzzles.apart.distances import distances
from tiler.apps.puzzles.apart.kernel import (
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
    Distances,
    PositionState,
    advance,
    enter,
)
from tiler.errors import BadOption, BadSolution
from tiler.kernels import EXHAUSTED, TerminationCheck, bind, python_time
from tiler.model.lattice import Cell, Lattice, Shape
from tiler.process.cancellation import StopCheck, never_stop

_ROOM = 64  # positions that the first arrays can hold
_BUDGET = 1 << 17  # moves between two looks: some hundredths of a second
Places = tuple[Cell, ...]  #: how far each piece has been moved


class Separable(NamedTuple):
    """A way to take pieces off: the number of the position, the pieces, and the number of the direction."""

    position: int
    pieces: tuple[int, ...]
    direction: int


class PositionLayers:
    """A breadth-first search from some positions. Each call of `ends` searches one layer."""

    def __init__(self, given: Distances, pieces: int, starts: Sequence[Places], most_ends: int) -> None:
        room = max(_ROOM, 2 * len(starts))
        self._given, self._pieces = given, pieces
        self._work = PositionState(
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

    def ends(self, check_stop: StopCheck) -> list[Separable]:
        """Look at the positions of the next layer. Returns the ways to take pieces off there by one more move, at most
        `most_ends`; empty if there are none."""
        last, termination = self.size, TerminationCheck("taking apart")
        while True:
            counters = self._work.counters
            code = self._bound(last, python_time.share(_BUDGET))
            check_stop()
            if code == EXHAUSTED:
                ends = self._work.ends[: counters[ENDS]]
                return [
                    Separable(
                        int(end[POSITION]), tuple(p for p in range(self._pieces) if end[PIECES] >> p & 1), int(end[DIRECTION])
                    )
                    for end in ends
                ]
            if code == FULL:
                self._grow()
            termination.advance(int(counters[AT]), len(self._work.places))

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
        way = [position]
        while self._work.parents[way[-1]] >= 0:
            way.append(int(self._work.parents[way[-1]]))
        return way[::-1]


def _slots(room: int) -> int:
    """The size of the hash table: a power of two, at least twice the room."""
    return 1 << (2 * room - 1).bit_length()


MOST_PIECES = 60  #: a set of pieces is a word of bits
#: The most ways to make a separation that are looked at; more than this are found only where pieces lie loosely.
MOST_ENDS = 1000


class _Part(NamedTuple):
    """Pieces that lie together, ascending, and how far each has been moved relative to the first."""

    pieces: tuple[int, ...]
    places: Places


class _Cut(NamedTuple):
    """A separation of some pieces: the search that found it, and the end that it found."""

    pieces: tuple[int, ...]
    layers: PositionLayers
    end: Separable


class _History(NamedTuple):
    """The separations made so far, as a linked list: the latest ones, and those before."""

    before: _History | None
    cuts: tuple[_Cut, ...]  #: in the order in which they are made


_Parts = tuple[_Part, ...]  #: still to be taken apart, in order
_Front = dict[_Parts, "_History | None"]  #: parts to which equally short separations lead, and these separations


def take_apart(
    lattice: Lattice,
    shapes: Sequence[Shape],
    together: Sequence[frozenset[int]] = (),
    *,
    shortest: bool = True,
    check_stop: StopCheck = never_stop,
) -> Disassembly:
    """How pieces come apart by straight moves along the axes. Each piece is a set of cells; the space around is empty.

    Pieces that are all in one of the sets `together` may stay together. Without `shortest`, only the first separation has the
    fewest moves, and the search is faster. `check_stop` is called many times a second, and may raise. BadOption for a lattice
    that has no straight moves, and for more than `MOST_PIECES` pieces.
    """
    if len(shapes) > MOST_PIECES:
        raise BadOption(f"{len(shapes)} pieces are too many to be taken apart; the most are {MOST_PIECES}")
    ends = MOST_ENDS if shortest else 1
    search = _Disassembler(distances(lattice, shapes), lattice.dimension, shapes, together, ends, check_stop)
    disassembly = search.run()
    wrong = error_in(shapes, disassembly, together)
    if wrong:
        raise BadSolution(f"taking apart answered with a wrong way: {wrong}")
    return disassembly


class _Disassembler:
    def __init__(
        self,
        given: Distances,
        dimension: int,
        shapes: Sequence[Shape],
        together: Sequence[frozenset[int]],
        ends: int,
        check_stop: StopCheck,
    ) -> None:
        self._given, self._dimension, self._shapes, self._together = given, dimension, shapes, together
        self._ends, self._check_stop = ends, check_stop
        self._positions = 0
        self._first: dict[_Part, _Cut | None] = {}  # the separation of a part by a single move, if there is one

    def run(self) -> Disassembly:
        every = _Part(tuple(range(len(self._shapes))), ((0, 0, 0),) * len(self._shapes))
        front = self._best([(None, (), (every,), ())])
        while () not in front:
            after = self._after(front)
            if not after:
                parts, past = next(iter(front.items()))
                return Disassembly(self._told(past), _largest(parts)[0].pieces, self._positions)
            front = after
        return Disassembly(self._told(front[()]), (), self._positions)

    def _is_open(self, pieces: tuple[int, ...]) -> bool:
        """Whether these pieces must be taken apart."""
        return len(pieces) > 1 and not any(group.issuperset(pieces) for group in self._together)

    def _after(self, front: _Front) -> _Front:
        """Separate the largest part with as few moves as possible, from all entries of the front at once. Returns the next front;
        empty if the part cannot be separated."""
        of: dict[tuple[tuple[int, ...], _Parts], dict[Places, _History | None]] = {}
        for parts, past in front.items():
            for part in _largest(parts):
                rest = tuple(other for other in parts if other is not part)
                of.setdefault((part.pieces, rest), {}).setdefault(part.places, past)
        running = [(pieces, rest, starts, self._layers(pieces, list(starts))) for (pieces, rest), starts in of.items()]
        entries: list[tuple[_History | None, tuple[_Cut, ...], _Parts, _Parts]] = []
        while running and not entries:
            for pieces, rest, starts, layers in running:
                pasts = list(starts.values())
                for end in layers.ends(self._check_stop):
                    before = pasts[layers.path(end.position)[0]]
                    entries.append((before, (_Cut(pieces, layers, end),), _split(pieces, layers.places(end.position), end), rest))
            self._positions += sum(run[-1].size for run in running if run[-1].is_done)
            stuck = [run for run in running if run[-1].is_done]
            if stuck and not entries:
                return {}  # It cannot be separated, whatever was done before.
        self._positions += sum(run[-1].size for run in running)
        return self._best(entries)

    def _layers(self, pieces: tuple[int, ...], starts: Sequence[Places], ends: int | None = None) -> PositionLayers:
        return PositionLayers(_of_some(self._given, pieces, len(self._shapes)), len(pieces), starts, ends or self._ends)

    def _best(self, entries: Iterable[tuple[_History | None, tuple[_Cut, ...], _Parts, _Parts]]) -> _Front:
        """The next front. In every way found, the new parts are first separated by single moves. Ways after which no part is left
        are best, then those with the most single moves; only the best are kept."""
        front: _Front = {}
        most: tuple[bool, int] | None = None
        for before, cuts, new, rest in entries:
            loose, firm = self._loosened(new)
            parts = tuple(sorted((*rest, *firm)))
            rank = (not parts, len(loose))
            if most is None or rank > most:
                most, front = rank, {}
            if rank == most and len(front) < self._ends:
                front.setdefault(parts, _History(before, (*cuts, *loose)))
        return front

    def _loosened(self, parts: _Parts) -> tuple[list[_Cut], list[_Part]]:
        """Separate parts as long as a single move is enough. Returns these separations and the parts still to be taken apart."""
        cuts: list[_Cut] = []
        firm: list[_Part] = []
        left = [part for part in parts if self._is_open(part.pieces)][::-1]
        while left:
            part = left.pop()
            if part not in self._first:
                layers = self._layers(part.pieces, [part.places], MOST_ENDS if self._together else 1)
                ends = layers.ends(self._check_stop)
                self._positions += 1
                self._first[part] = _Cut(part.pieces, layers, min(ends, key=self._splits(part))) if ends else None
            cut = self._first[part]
            if cut is None:
                firm.append(part)
            else:
                cuts.append(cut)
                left += [half for half in _split(part.pieces, part.places, cut.end) if self._is_open(half.pieces)]
        return cuts, firm

    def _splits(self, part: _Part) -> Callable[[Separable], int]:
        """A function that says how many of the sets `together` an end of this part splits."""

        def number(end: Separable) -> int:
            off = {part.pieces[p] for p in end.pieces}
            return sum(not off.isdisjoint(group) and not off.issuperset(group & {*part.pieces}) for group in self._together)

        return number

    def _told(self, past: _History | None) -> tuple[Separation, ...]:
        separations = []
        while past is not None:
            separations += [self._separation(cut) for cut in past.cuts[::-1]]
            past = past.before
        return tuple(separations[::-1])

    def _separation(self, cut: _Cut) -> Separation:
        """A separation with its moves. Of two sets of pieces that move past each other, the set with fewer pieces is moved."""
        pieces, layers, end = cut
        ways = [layers.places(position) for position in layers.path(end.position)]
        slides = []
        for before, after in pairwise(ways):
            gone = [tuple(b - a for a, b in zip(*places, strict=True)) for places in zip(before, after, strict=True)]
            (vector,) = {*gone} - {(0, 0, 0)}
            slides.append(self._slide(pieces, [p for p, by in enumerate(gone) if any(by)], vector))
        off = tuple(self._given.vectors[end.direction].tolist())
        slides.append(self._slide(pieces, end.pieces, off, off=True))
        going = slides[-1].pieces
        staying = tuple(piece for piece in pieces if piece not in going)
        return Separation(going, staying, tuple(slides))

    def _slide(self, pieces: tuple[int, ...], moved: Sequence[int], vector: Cell, *, off: bool = False) -> Slide:
        ours = tuple(pieces[p] for p in moved)
        others = tuple(piece for piece in pieces if piece not in ours)
        by = vector[AXES - self._dimension :]
        # If both sides have as many pieces, a large piece such as a box stays where it is.
        largest = [(len(some), max(len(self._shapes[piece]) for piece in some)) for some in (ours, others)]
        if largest[1] < largest[0]:
            return Slide(others, tuple(-a for a in by), off)
        return Slide(ours, by, off)


def _largest(parts: _Parts) -> list[_Part]:
    """The parts with the most pieces."""
    most = max(len(part.pieces) for part in parts)
    return [part for part in parts if len(part.pieces) == most]


def _split(pieces: tuple[int, ...], places: Places, end: Separable) -> _Parts:
    """The two parts that an end makes of pieces: the part taken off, and the part that stays."""
    inside, outside = ([p for p in range(len(pieces)) if (p in end.pieces) is off] for off in (True, False))
    return _part(pieces, places, inside), _part(pieces, places, outside)


def _part(pieces: tuple[int, ...], places: Places, some: Sequence[int]) -> _Part:
    first = places[some[0]]
    beside = [tuple(a - b for a, b in zip(places[p], first, strict=True)) for p in some]
    return _Part(tuple(pieces[p] for p in some), tuple(beside))


def _of_some(given: Distances, pieces: Sequence[int], count: int) -> Distances:
    """The distances of some of the pieces."""
    pairs = [a * count + b for a in pieces for b in pieces]
    return given._replace(starts=given.starts[pairs], lows=given.lows[pairs], sides=given.sides[pairs])
