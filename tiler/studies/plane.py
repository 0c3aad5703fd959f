"""Find out whether copies of some tiles tile the plane: try periods by rising size, and surround a single tile by its copies.

A periodic tiling is one of a torus, the plane wrapped by two translations. All tori of a size are tried, except those that
symmetries of the lattice turn into earlier ones: the first with a tiling has the smallest period there is. A tile that cannot be
surrounded some number of times (coronas.py) does not tile; for several tiles, and for painted ones, the question is instead
whether they can cover a patch of the plane, with pieces that may reach out of it. Neither search need come to an end: then the
answer is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import ceil, floor
from operator import sub
from pathlib import Path
from typing import Any

from tiler.ask.session import Placements
from tiler.ask.solve import TilingAnswer, solve
from tiler.cover.bounds import is_reachable
from tiler.errors import BadOption
from tiler.formats import tilings
from tiler.model import hat_substitution, lattices, named_boards
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Lattice, box, move
from tiler.model.paint import Ground
from tiler.model.symmetry import turns_of_tiles
from tiler.model.tile import Placement, Tile
from tiler.model.wrap import FLAT
from tiler.process.cancellation import Stopped
from tiler.question.drup import Drup
from tiler.question.events import Progress
from tiler.question.parameters import COUNT, NATURAL, PATH, SECONDS, parameter
from tiler.question.question import Limits, Question
from tiler.question.result import Stop
from tiler.render import cells
from tiler.studies import corona_proofs
from tiler.studies.coronas import Coronas, holes_in
from tiler.studies.tori import on_torus, tori

SCHEMA = "tiler-plane-1"
#: Units of the lattice along the sides of patches that several tiles, or painted ones, have to cover: before any torus, after a
#: third of them, and after two thirds.
_PATCHES = ((1, 2), (4,), (8,))
_SUBSTITUTIONS = 4  #: that make a patch of 7921 hats


@dataclass(frozen=True)
class PlaneQuestion:
    """How long to look for periods and coronas."""

    up_to: int = parameter(60, "try periods of at most this number of cells", COUNT, metavar="CELLS")
    coronas: int = parameter(3, "try at most N rings of copies around a tile", NATURAL)
    seconds_each: float = parameter(10.0, "stop each search after this time", SECONDS, option="--limit-per")
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
    heesch: int | None = None  #: so often a single tile can be surrounded, no more often if it does not tile
    around: Placements | None = None  #: the tile, and that often copies around it
    hole_free: int | None = None  #: so often without a hole in the last corona, as far as is known; only if that was asked
    proof: Drup | None = None  #: that it cannot be surrounded once more, with holes or else without
    checked: int | None = None  #: the steps of the proof that were checked
    has_hole: bool = False
    hats: Placements | None = None  #: a patch by substitution, of the hat, which tiles the plane, but never with a period
    uncovered: int | None = None  #: the cells of a patch that cannot be covered

    def summary(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "schema": SCHEMA,
            "status": self.status,
            "period": None if self.period is None else self.period.wrap.vectors,
            "cells": None if self.period is None else len(self.period.board),
            "is_least": self.is_least,
            "tiling": None if self.tiling is None else tilings.to_json(self.tiling),
            "heesch": self.heesch,
            "hole_free": self.hole_free,
            "checked": self.checked,
            "around": None if self.around is None else tilings.to_json(self.around),
            "has_hole": self.has_hole,
            "is_aperiodic": self.hats is not None,
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
    which marks fit; its board does not matter."""
    coronas, seconds = question.coronas, question.seconds_each
    tiles = asked.tiles
    lattice = tiles[0].lattice
    if any(tile.lattice != lattice for tile in tiles) or lattice.dimension != 2:
        raise BadOption("all tiles must be of one lattice in the plane")
    if any(tile.at_most is not None or tile.at_least for tile in tiles):
        raise BadOption("any number of copies of each tile may be used; leave out the numbers")
    knows_coronas = len(tiles) == 1 and asked.turning and not asked.is_painted
    single = Coronas(tiles[0], asked.reflections) if knows_coronas else None
    if question.heesch:
        if single is None:
            raise BadOption("heesch: a single tile has a Heesch number, without marks, and if it may be turned")
        return _heesch(single, question)
    if question.proofs is not None:
        raise BadOption("proofs are written with heesch only")
    around, level, known = None, 0, True
    least = True
    sizes = [size for size in range(1, question.up_to + 1) if _may_fill(size, tiles, lattice)]
    # A corona more for every few tori: most tiles that do not tile cannot even be surrounded once or twice.
    steps = max(1, -(-len(sizes) // max(1, coronas)))
    patches = {place * len(sizes) // len(_PATCHES): sides for place, sides in enumerate(_PATCHES)}
    turns = turns_of_tiles(asked)  # They take tilings to tilings.
    for place, size in enumerate(sizes):
        while single and known and level < coronas and level * steps <= place:
            found = single.surrounded(level + 1, seconds)
            if found.with_holes is Status.UNSAT:
                return PlaneAnswer(Status.UNSAT, heesch=level, around=around, has_hole=bool(holes_in(lattice, tiles[0].shape)))
            known = found.with_holes is Status.SAT
            if known:
                around, level = found.placements, level + 1
        for side in patches.get(place, ()) if not single else ():
            instance = _patch_to_cover(asked, side)
            if _solved(instance, seconds, threads, on_tick).result.status is Status.UNSAT:
                return PlaneAnswer(Status.UNSAT, uncovered=len(instance.board - instance.optional))
        for wrap in tori(lattice, size // lattice.kinds, turns):
            instance = on_torus(asked, wrap)
            answer = _solved(instance, seconds, threads, on_tick)
            least &= answer.result.status is not Status.UNKNOWN
            if answer.solutions:
                return PlaneAnswer(Status.SAT, instance, answer.solutions[0], least)
    if single and asked.reflections and hat_substitution.is_hat(lattice, tiles[0].shape):
        return PlaneAnswer(Status.SAT, heesch=level, around=around, hats=_hats(tiles[0].name))
    return PlaneAnswer(Status.UNKNOWN, heesch=level if single else None, around=around)


def _hats(name: str) -> Placements:
    """A large patch of hats."""
    return tuple(Placement(name, cells) for cells, _ in hat_substitution.patch(_SUBSTITUTIONS))


def _heesch(single: Coronas, question: PlaneQuestion) -> PlaneAnswer:
    """How often a tile can be surrounded, ring after ring."""
    has_hole = bool(holes_in(single.tile.lattice, single.tile.shape))
    status, around, level, hole_free, proof = Status.UNKNOWN, None, 0, 0, None
    while level == hole_free < question.coronas and status is Status.UNKNOWN:
        surrounding = single.surrounded(level + 1, question.seconds_each, holes_matter=True, proof=question.proofs is not None)
        if surrounding.rings:
            around, level = surrounding.placements, level + 1
        hole_free += surrounding.without is Status.SAT
        proof = surrounding.proof
        if Status.UNKNOWN in (surrounding.with_holes, surrounding.without):
            break
        if surrounding.without is Status.UNSAT:
            status = Status.UNSAT
    checked = None if proof is None else corona_proofs.check(single, hole_free + 1, proof, with_holes=level == hole_free)
    return PlaneAnswer(status, heesch=level, around=around, hole_free=hole_free, proof=proof, checked=checked, has_hole=has_hole)


def _solved(instance: Instance, seconds: float, threads: int, on_tick: Callable[[Progress], bool]) -> TilingAnswer:
    answer = solve(instance, question=Question(limits=Limits(seconds, threads=threads)), on_tick=on_tick)
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
