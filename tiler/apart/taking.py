"""How an assembly comes apart with as few moves as can be, as puzzles are rated.

The first separation takes as few moves as possible; of all ways to make it in so many, the search goes on with those that make the
second one shortest, and so on. After pieces came off, first what is left is taken apart, then what came off: what has more pieces
is left. If some part cannot be separated any further, nothing that is done before helps: whoever separates all separates that too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tiler.apart.disassembly import Disassembly, Separation, Slide
from tiler.apart.distances import distances
from tiler.apart.kernel import Distances
from tiler.apart.layers import ApartEnd, ApartLayers, Places
from tiler.apart.replay import error_in
from tiler.errors import BadOption, BadSolution
from tiler.model.lattice import Cell, Lattice, Shape
from tiler.process.look import Look, unhurried

MOST_PIECES = 60  #: a set of pieces is a word of bits
#: How many ways to make a separation are looked at: more than there are, unless pieces lie loosely.
MOST_ENDS = 1000


class _Part(NamedTuple):
    """Pieces that lie together, ascending, and how far each has been moved beside the first."""

    pieces: tuple[int, ...]
    places: Places


class _Past(NamedTuple):
    """The way to where parts lie so: the last separation, as an end of its layers, and what was before."""

    before: _Past | None
    pieces: tuple[int, ...]
    layers: ApartLayers
    end: ApartEnd


_Parts = tuple[_Part, ...]  #: still to be taken apart, the last of them first


def take_apart(
    lattice: Lattice,
    shapes: Sequence[Shape],
    together: Sequence[frozenset[int]] = (),
    *,
    shortest: bool = True,
    look: Look = unhurried,
) -> Disassembly:
    """How the pieces, each a set of cells, come apart by straight moves along the axes; the space around is empty.

    Pieces of which one set `together` has all may stay together. Without `shortest` only the first separation is as short as can
    be, which tells sooner whether they come apart. `look` is called many times a second, and may raise. BadOption for a lattice
    that has no straight moves, and for more than `MOST_PIECES` pieces.
    """
    if len(shapes) > MOST_PIECES:
        raise BadOption(f"{len(shapes)} pieces are too many to be taken apart; the most are {MOST_PIECES}")
    search = _Taking(distances(lattice, shapes), lattice, shapes, together, MOST_ENDS if shortest else 1, look)
    found = search.run()
    wrong = error_in(shapes, found, together)
    if wrong:
        raise BadSolution(f"taking apart answered with a wrong way: {wrong}")
    return found


class _Taking:
    def __init__(
        self,
        given: Distances,
        lattice: Lattice,
        shapes: Sequence[Shape],
        together: Sequence[frozenset[int]],
        ends: int,
        look: Look,
    ) -> None:
        self._given, self._lattice, self._shapes, self._together = given, lattice, shapes, together
        self._ends, self._look = ends, look
        self._positions = 0

    def run(self) -> Disassembly:
        every = _Part(tuple(range(len(self._shapes))), ((0, 0, 0),) * len(self._shapes))
        front: dict[_Parts, _Past | None] = {self._open([every]): None}
        while () not in front:
            after = self._after(front)
            if not after:
                parts, past = next(iter(front.items()))
                return Disassembly(self._told(past), parts[-1].pieces, self._positions)
            front = dict(list(after.items())[: self._ends])
        return Disassembly(self._told(front[()]), (), self._positions)

    def _open(self, parts: Iterable[_Part]) -> _Parts:
        """Those that must be taken apart."""
        return tuple(
            part for part in parts if len(part.pieces) > 1 and not any(group.issuperset(part.pieces) for group in self._together)
        )

    def _after(self, front: dict[_Parts, _Past | None]) -> dict[_Parts, _Past | None]:
        """What lies together after one more separation with as few moves as can be, for all that may lie together before."""
        of: dict[tuple[tuple[int, ...], _Parts], dict[Places, _Past | None]] = {}
        for (*rest, part), past in front.items():
            of.setdefault((part.pieces, tuple(rest)), {}).setdefault(part.places, past)
        running = [
            (pieces, rest, starts, ApartLayers(_of_some(self._given, pieces, len(self._shapes)), len(pieces), list(starts), self._ends))
            for (pieces, rest), starts in of.items()
        ]
        after: dict[_Parts, _Past | None] = {}
        before = self._positions
        while running and not after:
            for pieces, rest, starts, layers in running:
                pasts = list(starts.values())
                for end in layers.ends(self._look):
                    past = _Past(pasts[layers.path(end.position)[0]], pieces, layers, end)
                    for parts in _parts(pieces, layers.places(end.position), end.pieces):
                        after.setdefault((*rest, *self._open(parts)), past)
            running = [each for each in running if not each[-1].is_done]
            self._positions = before + sum(each[-1].size for each in running)
        return after

    def _told(self, past: _Past | None) -> tuple[Separation, ...]:
        told = []
        while past is not None:
            told.append(self._separation(past))
            past = past.before
        return tuple(told[::-1])

    def _separation(self, past: _Past) -> Separation:
        """The moves of a separation; of two sets that move past each other, those go that are fewer."""
        pieces, layers, end = past.pieces, past.layers, past.end
        ways = [layers.places(position) for position in layers.path(end.position)]
        slides = []
        for before, after in zip(ways, ways[1:], strict=False):
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
        by = tuple(a * m for a, m in zip(vector[3 - self._lattice.dimension :], self._lattice.moduli, strict=True))
        # Of as many on both sides, a large piece such as a box stays where it is.
        largest = [(len(some), max(len(self._shapes[piece]) for piece in some)) for some in (ours, others)]
        if largest[1] < largest[0]:
            return Slide(others, tuple(-a for a in by), off)
        return Slide(ours, by, off)


def _parts(pieces: tuple[int, ...], places: Places, moved: tuple[int, ...]) -> list[tuple[_Part, _Part]]:
    """The two parts that pieces fall into, the one that is taken apart later in front: both ways if they have as many pieces."""
    split = [[p for p in range(len(pieces)) if (p in moved) is inside] for inside in (True, False)]
    off, left = sorted((_part(pieces, places, some) for some in split), key=lambda part: len(part.pieces))
    return [(off, left), (left, off)] if len(off.pieces) == len(left.pieces) > 1 else [(off, left)]


def _part(pieces: tuple[int, ...], places: Places, some: Sequence[int]) -> _Part:
    first = places[some[0]]
    beside = [tuple(a - b for a, b in zip(places[p], first, strict=True)) for p in some]
    return _Part(tuple(pieces[p] for p in some), tuple(beside))


def _of_some(given: Distances, pieces: Sequence[int], count: int) -> Distances:
    """The distances of some of the pieces."""
    pairs = [a * count + b for a in pieces for b in pieces]
    return given._replace(starts=given.starts[pairs], lows=given.lows[pairs], sides=given.sides[pairs])
