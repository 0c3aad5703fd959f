"""Find out whether copies of some tiles tile the plane: try periods by rising size, and surround a single tile by its copies.

A periodic tiling is one of a torus, the plane wrapped by two translations. All tori of a size are tried, except those that
symmetries of the lattice turn into earlier ones: the first with a tiling has the smallest period there is. A tile that cannot be
surrounded some number of times (coronas.py) does not tile; for several tiles, and for painted ones, the question is instead
whether they can cover a patch of the plane, with pieces that may reach out of it. Neither search need come to an end: then the
answer is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from math import ceil, floor
from operator import sub
from pathlib import Path
from typing import Any

from tiler.amounts import counted
from tiler.apps.mathematics import aperiodic, corona_proofs, isohedral
from tiler.apps.mathematics.coronas import Coronas, holes_in
from tiler.apps.mathematics.tori import on_torus, tori
from tiler.ask.solve import TilingAnswer, solve
from tiler.cover.bounds import is_reachable
from tiler.errors import BadOption, MissingDependency
from tiler.formats import tilings
from tiler.model import lattices, named_boards, verify
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Lattice, box, move
from tiler.model.paint import Ground
from tiler.model.symmetry import turns_of_tiles
from tiler.model.tile import Placement, Placements, Tile
from tiler.model.wrap import FLAT
from tiler.process.cancellation import Stopped
from tiler.question.drup import Drup
from tiler.question.events import Progress
from tiler.question.parameters import COUNT, NATURAL, PATH, SECONDS, parameter
from tiler.question.question import Limits, Question
from tiler.question.result import Stop
from tiler.render import cells

SCHEMA = "tiler-plane-1"
#: Units of the lattice along the sides of patches that several tiles, or painted ones, have to cover: before any torus, after a
#: third of them, and after two thirds.
_PATCHES = ((1, 2), (4,), (8,))
_SUBSTITUTIONS = 4  #: that make a patch of 7921 hats or turtles


@dataclass(frozen=True)
class PlaneQuestion:
    """How long to look for periods and coronas."""

    up_to: int = parameter(60, "try periods of at most this number of cells", COUNT, metavar="CELLS")
    coronas: int = parameter(3, "try at most N rings of copies around a tile", NATURAL)
    seconds_each: float = parameter(10.0, "stop each search after this time", SECONDS, option="--limit-per")
    orbits: int | None = parameter(
        None, "find a tiling by one tile with as few orbits as possible, at most K; 1 is isohedral", COUNT, metavar="K"
    )
    heesch: bool = parameter(False, "find the Heesch numbers of a tile, with and without holes, and no period")
    proofs: str | Path | None = parameter(
        None, "with --heesch, write a proof that there are no more rings into this folder, and check it", PATH, metavar="FOLDER"
    )


@dataclass(frozen=True)
class PlaneAnswer:
    """Whether the plane can be tiled (`sat`: it can), and what shows it."""

    status: Status
    period: Instance | None = None  #: the torus with the smallest period, where one is found
    tiling: Placements | None = None  #: of the torus
    is_least: bool = True  #: whether all smaller tori are known to have none
    orbits: tuple[int, ...] | None = None  #: the orbit of each piece of the tiling, by number, under all symmetries of the tiling
    fewest: bool = False  #: whether no tiling has fewer orbits
    refuted: int = 0  #: no tiling by the tile has this number of orbits, or fewer
    tried: int = 0  #: all tori of up to this number of cells were looked at
    heesch: int | None = None  #: so often a single tile can be surrounded, no more often if it does not tile
    rings: tuple[Placements, ...] = ()  #: the tile, and each corona round it
    hole_free: int | None = None  #: so often without a hole in the last corona, as far as is known; only if that was asked
    proof: Drup | None = None  #: that it cannot be surrounded once more, with holes or else without
    checked: int | None = None  #: the steps of the proof that were checked
    has_hole: bool = False
    aperiodic: Placements | None = None  #: a patch by substitution, of a tile that tiles the plane, but never with a period
    uncovered: int | None = None  #: the cells of a patch that cannot be covered

    @property
    def around(self) -> Placements:
        """The tile first, and all copies that were laid round it."""
        return tuple(placement for ring in self.rings for placement in ring)

    def summary(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "schema": SCHEMA,
            "status": self.status,
            "period": None if self.period is None else self.period.wrap.vectors,
            "cells": None if self.period is None else len(self.period.board),
            "is_least": self.is_least,
            "tiling": None if self.tiling is None else tilings.to_json(self.tiling),
            "orbits": self.orbits,
            "is_fewest": self.fewest,
            "refuted_orbits": self.refuted,
            "tried": self.tried,
            "heesch": self.heesch,
            "hole_free": self.hole_free,
            "checked": self.checked,
            "around": tilings.to_json(self.around) if self.rings else None,
            "rings": list(map(len, self.rings)),
            "has_hole": self.has_hole,
            "is_aperiodic": self.aperiodic is not None,
            "uncovered": self.uncovered,
        }


def cell_of(name: str) -> str:
    """A board of a lattice of the plane, as small as can be written."""
    forms = named_boards.forms(lattices.called(name))
    return {"hex": "hex:1", "6x": "1x1"}.get((forms or ("",))[0].partition("10")[0].partition(":")[0], "x")


def ask(
    asked: Instance,
    question: PlaneQuestion = PlaneQuestion(),
    *,
    threads: int = 1,
    on_tick: Callable[[Progress], bool] = lambda progress: True,
) -> PlaneAnswer:
    """Look for tori, and for coronas; `threads` is for each search. The instance gives the tiles, how they may be turned, and
    which marks fit; its board does not matter. If `on_tick` ends it, the answer is what is known by then."""
    tiles = asked.tiles
    lattice = tiles[0].lattice
    if any(tile.lattice != lattice for tile in tiles) or lattice.dimension != 2:
        raise BadOption("all tiles must be of one lattice in the plane")
    if any(tile.at_most is not None or tile.at_least for tile in tiles):
        raise BadOption("any number of copies of each tile may be used; leave out the numbers")
    if question.orbits and (len(tiles) > 1 or asked.is_painted or lattice.has_edges):
        raise BadOption("orbits are counted for a single tile, without marks, and not for sticks")
    knows_coronas = len(tiles) == 1 and asked.turning and not asked.is_painted
    if question.heesch and not knows_coronas:
        raise BadOption("heesch: a single tile has a Heesch number, without marks, and if it may be turned")
    if question.proofs is not None and not question.heesch:
        raise BadOption("proofs are written with heesch only")
    search = _Search(asked, question, Coronas(tiles[0], asked.reflections) if knows_coronas else None, threads, on_tick)
    with suppress(Stopped):
        for known in search.orbits() if question.orbits else search.heesch() if question.heesch else search.periods():
            search.known = known
    return search.known


class _Search:
    """A question while it is answered. Each way to answer it yields what is known, and more each time."""

    def __init__(
        self,
        asked: Instance,
        question: PlaneQuestion,
        single: Coronas | None,
        threads: int,
        on_tick: Callable[[Progress], bool],
    ) -> None:
        self.asked, self.question, self.single = asked, question, single
        self.threads, self.on_tick = threads, on_tick
        self.lattice = asked.tiles[0].lattice
        has_hole = single is not None and bool(holes_in(self.lattice, single.tile.shape))
        self.known = PlaneAnswer(Status.UNKNOWN, heesch=0 if single else None, has_hole=has_hole)

    def check_stop(self, where: str) -> None:
        """Tell where the search is; Stopped if it is to end."""
        if not self.on_tick(Progress(where=where)):
            raise Stopped(Stop.INTERRUPTED)

    def orbits(self) -> Iterator[PlaneAnswer]:
        """A tiling with as few orbits as there can be."""
        for orbits in range(1, (self.question.orbits or 0) + 1):
            found = isohedral.with_orbits(
                self.asked, orbits, partial(self.check_stop, f"tilings with {counted(orbits, 'orbit')}")
            )
            if found is not None:
                torus, tiling = found
                assert verify.error_in(torus, tiling) is None
                of = tuple(isohedral.orbits_of(torus, tiling))
                yield replace(self.known, status=Status.SAT, period=torus, tiling=tiling, orbits=of, fewest=True)
                return
            self.known = replace(self.known, refuted=orbits)

    def periods(self) -> Iterator[PlaneAnswer]:
        """Tori by rising size. After some of them a corona more, since most tiles that do not tile cannot even be surrounded once
        or twice; or a larger patch, for several tiles."""
        asked, tiles, coronas = self.asked, self.asked.tiles, self.question.coronas if self.single else 0
        sizes = [size for size in range(1, self.question.up_to + 1) if _may_fill(size, tiles, self.lattice)]
        steps = max(1, -(-len(sizes) // max(1, coronas)))
        patches = {place * len(sizes) // len(_PATCHES): sides for place, sides in enumerate(_PATCHES)}
        turns = turns_of_tiles(asked)  # They take tilings to tilings.
        least = True
        missing: MissingDependency | None = None
        for place, size in enumerate(sizes):
            if place % steps == 0 and place // steps < coronas and missing is None:
                try:
                    known = self.corona(place // steps + 1)
                except MissingDependency as error:
                    missing = error  # A period may answer.
                else:
                    yield known
                    if known.status is Status.UNSAT:
                        return
            for side in patches.get(place, ()) if not self.single else ():
                instance = _patch_to_cover(asked, side)
                if self.solved(instance).result.status is Status.UNSAT:
                    yield PlaneAnswer(Status.UNSAT, uncovered=len(instance.board - instance.optional))
                    return
            for wrap in tori(self.lattice, size // self.lattice.kinds, turns):
                instance = on_torus(asked, wrap)
                answer = self.solved(instance)
                least &= answer.result.status is not Status.UNKNOWN
                if answer.solutions:
                    tiling = answer.solutions[0]
                    orbits = None if asked.is_painted else tuple(isohedral.orbits_of(instance, tiling))
                    yield PlaneAnswer(Status.SAT, instance, tiling, least, orbits)
                    return
            yield replace(self.known, tried=size)
        if missing is not None:
            raise missing
        self.known = replace(self.known, tried=self.question.up_to)
        known_name = aperiodic.name_of(self.lattice, tiles[0].shape) if self.single and asked.reflections else None
        for times in range(-(-len(sizes) // steps) + 1, coronas + 1):
            yield (known := self.corona(times))
            if known.status is Status.UNSAT:
                return
        if known_name:
            laid = tuple(Placement(tiles[0].name, cells) for cells in aperiodic.patch(known_name, _SUBSTITUTIONS))
            yield replace(self.known, status=Status.SAT, aperiodic=laid)

    def corona(self, times: int) -> PlaneAnswer:
        """What is known after a search for the last of `times` coronas, if the others are there."""
        single, known = self.single, self.known
        if single is None or known.heesch != times - 1:
            return known
        found = single.surrounded(times, self.question.seconds_each, check_stop=partial(self.check_stop, f"corona {times}"))
        if found.with_holes is Status.UNSAT:
            return replace(known, status=Status.UNSAT)
        return replace(known, heesch=times, rings=found.rings) if found.rings else known

    def heesch(self) -> Iterator[PlaneAnswer]:
        """How often a tile can be surrounded, ring after ring, with holes in the last and without."""
        single, question = self.single, self.question
        assert single is not None
        self.known = replace(self.known, hole_free=0)
        for times in range(1, question.coronas + 1):
            found = single.surrounded(
                times,
                question.seconds_each,
                holes_matter=True,
                proof=question.proofs is not None,
                check_stop=partial(self.check_stop, f"corona {times}"),
            )
            known = replace(self.known, heesch=times, rings=found.rings) if found.rings else self.known
            if found.without is Status.SAT:
                yield replace(known, hole_free=times)
            elif Status.UNKNOWN in (found.with_holes, found.without):
                yield known
                return
            else:
                with_holes = found.with_holes is Status.UNSAT
                proof = found.proof
                checked = None if proof is None else corona_proofs.check(single, times, proof, with_holes=with_holes)
                # Coronas of a tiling may have holes, which later ones fill: only a corona that is impossible at all refutes it.
                beyond = (
                    found
                    if with_holes
                    else single.surrounded(times + 1, question.seconds_each, check_stop=partial(self.check_stop, ""))
                )
                status = Status.UNSAT if beyond.with_holes is Status.UNSAT else Status.UNKNOWN
                yield replace(known, status=status, proof=proof, checked=checked)
                return

    def solved(self, instance: Instance) -> TilingAnswer:
        """The answer about a torus or a patch; Stopped if it is to end."""
        limits = Limits(self.question.seconds_each, threads=self.threads)
        answer = solve(instance, question=Question(limits=limits), on_tick=self.on_tick)
        if answer.result.stop is Stop.INTERRUPTED:
            raise Stopped(Stop.INTERRUPTED)
        return answer


def _patch_to_cover(asked: Instance, side: int) -> Instance:
    """`side` units of the lattice in each direction, which must be covered, and around them all that tiles reach."""
    lattice = asked.tiles[0].lattice
    reach = max(
        -(-(b - a) // unit)
        for tile in asked.distinct_tiles
        for variant in asked.variants(tile)
        for a, b, unit in zip(*box(variant), lattice.moduli, strict=True)
    )

    def units(first: int, end: int) -> frozenset[Cell]:
        spans = [range(first * unit, end * unit, unit) for unit in lattice.moduli]
        return frozenset((r + a, c + b) for r, c in product(*spans) for a, b in lattice.residues)

    board = units(-reach, side + reach)
    ground = Ground(mates=asked.ground.mates)
    return replace(asked, board=board, optional=board - units(0, side), wrap=FLAT, ground=ground)


def patch(answer: PlaneAnswer, span: float = 0.0) -> tuple[Instance, Placements] | None:
    """The pieces of a tiling that lie within a square of the plane, as a board that is not wrapped: pieces that lie across a seam
    are whole there. `span` is the side of the square, in units of a panel (see cells.spot); three periods along each vector if it
    is 0, or too small for a piece."""
    if answer.period is None or answer.tiling is None:
        return None
    instance, vectors = answer.period, answer.period.wrap.vectors
    whole = [_whole(instance, placement) for placement in answer.tiling]
    laid = tuple(_within(instance, whole, span) or _moved(whole, vectors, list(product(range(3), repeat=2))))
    board = frozenset(cell for placement in laid for cell in placement.cells)
    return replace(instance, board=board, wrap=FLAT), laid


def groups(answer: PlaneAnswer, pieces: Placements) -> tuple[int, ...] | None:
    """For each piece of a picture the number of its corona, or of its orbit if the fewest are several; None where neither is
    shown."""
    if answer.period is not None:
        if not answer.refuted or answer.orbits is None or answer.tiling is None:
            return None
        reduce, orbits = answer.period.wrap.reduce, zip(answer.tiling, answer.orbits, strict=True)
        number = {cell: orbit for piece, orbit in orbits for cell in map(reduce, piece.cells)}
        return tuple(number[reduce(min(piece.cells))] for piece in pieces)
    ring_of = {piece.cells: number for number, ring in enumerate(answer.rings) for piece in ring}
    return None if answer.aperiodic else tuple(ring_of[piece.cells] for piece in pieces)


def in_the_middle(lattice: Lattice, pieces: Placements, span: float) -> Placements:
    """The pieces that lie within a square round the middle of all; all pieces if there are none."""
    spots = [[spot for cell in piece.cells for spot in cells.alone(lattice, cell)] for piece in pieces]
    middle = [sum(axis) / len(axis) for axis in zip(*(spot for piece in spots for spot in piece), strict=True)]

    def is_near(piece: list[tuple[float, float]]) -> bool:
        return all(abs(a - b) <= span / 2 for spot in piece for a, b in zip(spot, middle, strict=True))

    return tuple(piece for piece, where in zip(pieces, spots, strict=True) if is_near(where)) or pieces


def _within(instance: Instance, whole: Sequence[Placement], span: float) -> list[Placement]:
    """Whole pieces of a torus, moved by all sums of its vectors that take them into a square."""
    lattice, (down, along) = instance.lattice, instance.wrap.vectors
    # The page has rows below each other: the second vector leads to the right.
    (skew, high), (wide, _) = cells.centre(lattice, down), cells.centre(lattice, along)
    laid = []
    for piece in whole:
        spots = [spot for cell in piece.cells for spot in cells.alone(lattice, cell)]
        left, right = min(x for x, _ in spots), max(x for x, _ in spots)
        top, bottom = min(y for _, y in spots), max(y for _, y in spots)
        for i in range(ceil(-top / high), floor((span - bottom) / high) + 1):
            columns = range(ceil((-left - i * skew) / wide), floor((span - right - i * skew) / wide) + 1)
            laid += _moved([piece], instance.wrap.vectors, [(i, j) for j in columns])
    return laid


def _moved(whole: Sequence[Placement], vectors: Sequence[Cell], times: Sequence[tuple[int, ...]]) -> list[Placement]:
    """Pieces moved by each of these sums of vectors."""
    ways = [
        tuple(sum(n * a for n, a in zip(numbers, axis, strict=True)) for axis in zip(*vectors, strict=True)) for numbers in times
    ]
    return [Placement(piece.tile, move(piece.cells, way), piece.coat.moved(way)) for way in ways for piece in whole]


def _whole(instance: Instance, placement: Placement) -> Placement:
    """A placement on a torus as it lies in the plane."""
    tile = instance.distinct_tiles[instance.number_of(placement.tile)]
    home = {instance.wrap.reduce(cell): cell for cell in instance.board}
    for variant, coat in zip(instance.variants(tile), instance.coats(tile), strict=True):
        for laid in instance.wrap.all_lying(instance.lattice, variant, placement.cells):
            seen = coat.moved(tuple(map(sub, min(laid), min(variant))))
            if seen.at_home(instance.wrap, home) == placement.coat:
                return Placement(placement.tile, laid, seen)
    raise AssertionError("a placement is a variant of its tile")


def _may_fill(size: int, tiles: tuple[Tile, ...], lattice: Lattice) -> bool:
    sizes = [tile.size for tile in tiles]
    return size % lattice.kinds == 0 and is_reachable(size, sizes, [0] * len(sizes), [size] * len(sizes))
