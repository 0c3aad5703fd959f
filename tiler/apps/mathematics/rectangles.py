"""Find the rectangles, and in space the boxes, that copies of some tiles fill, by rising area. A box that can be cut into two
boxes with tilings needs no search. If a box has a tiling, copies of that box cover a quarter of the plane (an eighth of space),
and a strip (in space a bar) with one end. So if a corner cannot be covered, whatever lies beyond, the tiles fill no box at all;
if the end of a strip cannot be covered, they fill no box of that width. Edges show more, see box_corners.py. All other boxes are
for `auto`, after colourings, which refute many of them with a reason; or for two methods, see two_methods.py. A box is *prime* if
it is not made of smaller boxes with tilings.

Source of the words: D. A. Klarner, "Packing a rectangle with congruent N-ominoes", Journal of Combinatorial Theory 7 (1969).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations_with_replacement, product
from math import prod
from pathlib import Path
from typing import Any

from tiler.apps.mathematics import box_corners, two_methods
from tiler.ask.solve import solve
from tiler.cover.bounds import is_reachable
from tiler.errors import BadOption
from tiler.formats import tilings
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.lattice import Shape, box
from tiler.model.tile import Placements, Tile
from tiler.process.cancellation import Stopped
from tiler.question.certificate import Certificate
from tiler.question.drup import Drup
from tiler.question.events import Progress
from tiler.question.parameters import COUNT, PATH, SECONDS, parameter
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop

SCHEMA = "tiler-rectangle-1"
MAYBE_PARTS = "prime, unless it is made of smaller ones in some way"

Sides = tuple[int, ...]  #: of a box, the least first

#: How deep a corner or an end of a strip or bar is looked at, and how long.
_DEPTHS = {2: (1, 2, 3, 4, 6, 8), 3: (1, 2, 3)}
_CORNER_SECONDS = 2.0
_PARTS_SECONDS = 2.0  # the most seconds for making a box of smaller ones
_PROVER, _PROVE_SECONDS = "coloring:stages=area+lattice", 2.0


@dataclass(frozen=True)
class RectangleQuestion:
    """Which boxes are looked at, and how."""

    boxes: bool = parameter(False, "fill boxes in space, also with flat tiles")
    up_to: int = parameter(20, "try sides up to N", COUNT, excludes="extent")
    copies: int | None = parameter(
        None,
        "try instead all boxes with room for 1, 2, ... up to N copies of a tile, until one is filled",
        COUNT,
        excludes="extent",
    )
    seconds_each: float = parameter(10.0, "stop each search after this time", SECONDS, option="--limit-per")
    records: str | Path | None = parameter(None, "write each result into FILE; the next run goes on from there", PATH)
    proofs: str | Path | None = parameter(
        None,
        "refute each rectangle by two methods, and write a certificate or DRUP proof for each that cannot be filled",
        PATH,
        metavar="FOLDER",
    )

    @property
    def most(self) -> int:
        """The longest side; where copies are counted, their number."""
        return self.up_to if self.copies is None else self.copies

    def includes(self, sides: Sides, tile: Tile) -> bool:
        """Whether a box is among them."""
        return max(sides) <= self.up_to if self.copies is None else prod(sides) <= self.copies * tile.size


@dataclass(frozen=True)
class Verdict:
    """What is known of a box."""

    sides: Sides
    status: Status
    how: str  #: `area`, `parts`, `corner`, `strip` (or bar), `colouring`, `search`, or `limit` if it is not known
    reason: str = ""
    seconds: float = 0.0
    tiling: Placements | None = None  #: a tiling, if a search found one
    is_prime: bool = False
    methods: tuple[two_methods.Method, ...] = ()  #: the answers of the methods, if several were asked
    proof: Certificate | Drup | None = None  #: a proof that there is no tiling, if one is wanted and found

    @property
    def rests_on_one_search(self) -> bool:
        """Whether two methods were asked, and only one of them refuted the box."""
        return self.how == "search" and sum(method.status is Status.UNSAT for method in self.methods) == 1

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "sides": list(self.sides),
            "status": self.status,
            "how": self.how,
            "reason": self.reason,
            "seconds": round(self.seconds, 3),
            "prime": self.is_prime,
            "tiling": None if self.tiling is None else tilings.to_json(self.tiling),
            **({"methods": [_told(method) for method in self.methods]} if self.methods else {}),
        }


def _told(method: two_methods.Method) -> dict[str, Any]:
    return {**method._asdict(), "seconds": round(method.seconds, 3)}


def named(sides: Sides) -> str:
    """`2x3`, the least side first."""
    return "x".join(map(str, sides))


@dataclass
class Rectangles:
    """The boxes of some tiles, decided one by one; `known` has those that are known already."""

    tiles: tuple[Tile, ...]
    reflections: bool
    seconds: float = 10.0  #: for each search
    on_tick: Callable[[Progress], bool] = lambda progress: True
    on_verdict: Callable[[Verdict], None] = lambda verdict: None  #: called with each new verdict
    in_space: bool = False  #: whether flat tiles are also put into boxes
    twice: bool = False  #: whether two methods must refute each box that is searched, with a proof
    threads: int = 1  #: for each search

    def __post_init__(self) -> None:
        if any(tile.at_most is not None or tile.at_least for tile in self.tiles):
            raise BadOption("any number of copies of each tile may be used; leave out the numbers")
        if any(coat.marks for tile in self.tiles for coat in tile.paint.coats):
            raise BadOption("smaller rectangles are put together here, and their marks may not match; leave out the marks")
        self.known: dict[Sides, Verdict] = {}
        self._dead_ends: dict[Sides, int | None] = {}

    @cached_property
    def digest(self) -> str:
        """A fingerprint of the tiles."""
        return self._on(self._box((2,) * self.dimension)).digest

    @property
    def dimension(self) -> int:
        return 3 if self.in_space else max(tile.lattice.dimension for tile in self.tiles)

    @property
    def primes(self) -> list[Verdict]:
        """By area."""
        return sorted(
            (rectangle for rectangle in self.known.values() if rectangle.is_prime),
            key=lambda rectangle: (prod(rectangle.sides), rectangle.sides),
        )

    def up_to(self, longest: int) -> Iterator[Verdict]:
        """Every box with sides up to `up_to` cells, by area; a box that is known is passed on as it is."""
        sides = combinations_with_replacement(range(1, longest + 1), self.dimension)
        for box_sides in sorted(sides, key=lambda a: (prod(a), a)):
            yield self.decide(box_sides)

    def by_copies(self, most: int) -> Iterator[Verdict]:
        """The boxes of 1, 2, ... and up to `most` copies of a single tile, until one is filled. The copies in that one are the
        order of the tile if all boxes before are refuted. There are no boxes if it is known that the tile fills none at all."""
        (tile,) = self.tiles
        for copies in range(1, 0 if self.none_at_all else most + 1):
            for sides in with_volume(copies * tile.size, self.dimension):
                verdict = self.decide(sides)
                yield verdict
                if verdict.status is Status.SAT:
                    return

    def order(self) -> tuple[int, bool] | None:
        """The least known number of copies of a single tile that fill a box, and whether it is proved that no fewer copies fill a
        box of any length; None if no box is known."""
        if len(self.tiles) > 1 or not self.primes:
            return None
        size = self.tiles[0].size
        area = prod(self.primes[0].sides)
        smaller = [box for n in range(size, area, size) for box in with_volume(n, self.dimension)]
        is_least = all(self.decide(box).status is Status.UNSAT for box in smaller)
        return area // size, is_least

    @cached_property
    def none_at_all(self) -> str:
        """Why no box can be tiled, however large; nothing where that is not shown."""
        corner = box_corners.no_corner(self._variants, self.dimension)
        if corner is not None:
            return str(corner)
        deep = self._impossible(())
        if deep is None:
            return ""
        return f"a corner of {named((deep,) * self.dimension)} cells cannot be covered, whatever lies beyond"

    def decide(self, sides: Sides) -> Verdict:
        """Whether a box can be tiled; remembered, so that it can be built on."""
        if sides not in self.known:
            started = time.perf_counter()
            verdict = self._decide(sides)
            news = replace(verdict, seconds=time.perf_counter() - started)
            self.on_verdict(news)
            self.known[sides] = replace(news, proof=None)  # Proofs are large.
        return self.known[sides]

    def recall(self, verdict: Verdict, seconds: float) -> None:
        """Take over the results of an earlier run, which had some seconds for each search. A box is tried again if it is
        undecided, or refuted by one method where two are wanted, and if there is more time now. It is also tried again if it was
        refuted without a proof and a proof is wanted."""
        if seconds < self.seconds and (verdict.status is Status.UNKNOWN or (self.twice and verdict.rests_on_one_search)):
            return
        if self.twice and verdict.status is Status.UNSAT and verdict.how != "area" and not verdict.methods:
            return
        self.known[verdict.sides] = verdict

    def _decide(self, sides: Sides) -> Verdict:
        volume = prod(sides)
        if not is_reachable(volume, [tile.size for tile in self.tiles], [0] * len(self.tiles), [volume] * len(self.tiles)):
            return Verdict(sides, Status.UNSAT, "area", "no numbers of copies have this area")
        if self.dimension == 3 and sides[0] == 1 and all(tile.lattice.dimension == 3 for tile in self.tiles):
            return Verdict(sides, Status.UNSAT, "area", "no tile is so flat")
        cut = self._cut(sides)
        if cut:
            return Verdict(sides, Status.SAT, "parts", f"{named(cut[0])} and {named(cut[1])}")
        if self.none_at_all:
            return Verdict(sides, Status.UNSAT, "corner", "a corner cannot be covered")
        if not self.twice and self._dead_end(sides[:-1]) is not None:
            what = "strip" if self.dimension == 2 else "bar"
            return Verdict(sides, Status.UNSAT, "strip", f"the end of a {what} {named(sides[:-1])} wide cannot be covered")
        parts = self._parts(sides)
        if parts:
            return Verdict(sides, Status.SAT, "parts", parts)
        verdict = self._searched(sides)
        # There was not enough time to find out whether it is made of smaller ones.
        return replace(verdict, reason=MAYBE_PARTS) if parts is None and verdict.is_prime else verdict

    def _cut(self, sides: Sides) -> tuple[Sides, Sides] | None:
        """Two boxes that are tiled and make up a box, side by side."""
        for axis, long in enumerate(sides):
            others = sides[:axis] + sides[axis + 1 :]
            for first in range(1, long // 2 + 1):
                pair = [tuple(sorted((*others, length))) for length in (first, long - first)]
                if all(part in self.known and self.known[part].status is Status.SAT for part in pair):
                    return pair[1], pair[0]
        return None

    def _parts(self, sides: Sides) -> str | None:
        """The smaller prime boxes that a box is made of, in words; empty if there are none, None if that is not known."""
        smaller = [prime for prime in self.primes if all(a <= b for a, b in zip(prime.sides, sides, strict=True))]
        if len(smaller) < 2 and not (smaller and self.dimension > 2):
            return ""
        lattice = self.tiles[0].lattice
        boxes = tuple(Tile(named(prime.sides), self._box(prime.sides), lattice=lattice) for prime in smaller)
        answer = solve(Instance(self._box(sides), boxes), question=self._question(_PARTS_SECONDS), on_tick=self.on_tick)
        if not answer.solutions:
            return None if answer.result.status is Status.UNKNOWN else ""
        return " and ".join(sorted({placement.tile for placement in answer.solutions[0]}))

    def _searched(self, sides: Sides) -> Verdict:
        instance = self._on(self._box(sides))
        proof = solve(instance, _PROVER, self._question(min(self.seconds, _PROVE_SECONDS), Goal.PROVE), on_tick=self.on_tick)
        result = proof.result
        if result.status is Status.UNSAT:
            verdict = Verdict(sides, Status.UNSAT, "colouring", result.message)
            if not self.twice:
                return verdict
            method = two_methods.Method(proof.solver, result.status, result.nodes, proof.solve_seconds)
            return replace(verdict, methods=(method,), proof=result.certificate)
        if self.twice:
            return self._searched_twice(instance, sides)
        answer = solve(instance, question=self._question(self.seconds), on_tick=self.on_tick)
        result = answer.result
        if result.stop is Stop.INTERRUPTED:
            raise Stopped(Stop.INTERRUPTED)
        if result.status is Status.UNKNOWN:
            return Verdict(sides, Status.UNKNOWN, "limit", result.reason)
        tiling = answer.solutions[0] if answer.solutions else None
        why = result.message or f"{result.nodes:,} nodes"
        return Verdict(sides, result.status, "search", "" if tiling else why, tiling=tiling, is_prime=tiling is not None)

    def _searched_twice(self, instance: Instance, sides: Sides) -> Verdict:
        verdict = two_methods.decide(instance, self._question(self.seconds), self.on_tick)
        how = "limit" if verdict.status is Status.UNKNOWN else "search"
        refutations = (f"{method.solver}: {method.nodes:,} nodes" for method in verdict.methods if method.status is Status.UNSAT)
        return Verdict(
            sides,
            verdict.status,
            how,
            "; ".join(refutations),
            tiling=verdict.tiling,
            is_prime=verdict.tiling is not None,
            methods=verdict.methods,
            proof=verdict.proof,
        )

    def _question(self, seconds: float, goal: Goal = Goal.DECIDE) -> Question:
        return Question(goal, Limits(seconds, threads=self.threads))

    def _dead_end(self, across: Sides) -> int | None:
        """How much of the end of a strip or bar is known to be impossible; None if that is not known."""
        if across not in self._dead_ends:
            self._dead_ends[across] = self._impossible(across)
        return self._dead_ends[across]

    def _impossible(self, across: Sides) -> int | None:
        """The depth to which a corner, or the end of a strip or bar with some sides, cannot be covered, whatever lies beyond;
        None if that is not known."""
        until = time.perf_counter() + _CORNER_SECONDS
        for deep in _DEPTHS[self.dimension]:
            endless = self.dimension - len(across)
            board = self._box((*across, *(deep + self._reach,) * endless))
            must = self._box((*across, *(deep,) * endless))
            left = until - time.perf_counter()
            if left <= 0:
                return None
            instance = replace(self._on(board), optional=board - must)
            status = solve(instance, "dlx", self._question(left), on_tick=self.on_tick).result.status
            if status is Status.UNSAT:
                return deep
            if status is Status.UNKNOWN:
                return None
        return None

    @cached_property
    def _variants(self) -> list[Shape]:
        """The tiles as they may lie."""
        instance = self._on(self._box((1,) * self.dimension))
        lattice = instance.lattice
        variants = {shape for tile in self.tiles for shape in lattice.variants(lattice.lift(tile.shape), self.reflections)}
        return sorted(variants, key=sorted)

    @cached_property
    def _reach(self) -> int:
        """How many cells beyond one that it covers a tile reaches, at most."""
        return max(b - a for tile in self.tiles for a, b in zip(*box(tile.shape), strict=True))

    def _on(self, board: Shape) -> Instance:
        return Instance(board, self.tiles, self.reflections)

    def _box(self, sides: Sides) -> Shape:
        return frozenset(product(*map(range, sides)))


def with_volume(volume: int, dimension: int) -> list[Sides]:
    """The boxes of that volume."""
    if dimension == 1:
        return [(volume,)]
    firsts = [first for first in range(1, volume + 1) if first**dimension <= volume and volume % first == 0]
    return [(first, *rest) for first in firsts for rest in with_volume(volume // first, dimension - 1) if rest[0] >= first]
