"""Which rectangles, and in space which boxes, can be tiled by copies of some tiles?

By rising area. What can be cut into two boxes that are tiled needs no search. In the plane a corner, or the end of a strip of
some width, that cannot be covered whatever lies beyond rules out nearly all that have it; and if what is left is refuted one by
one, the tiles fill no rectangle at all. The rest is asked of `auto`, after colourings, which refute many with a reason. A box is
*prime* if no smaller boxes that are tiled make it up.

Source of the words: D. A. Klarner, "Packing a rectangle with congruent N-ominoes", Journal of Combinatorial Theory 7 (1969).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations_with_replacement, product
from math import prod
from typing import Any

from tiler.ask.asking import Placements
from tiler.ask.solve import solve
from tiler.backends.coloring import Coloring
from tiler.cover.bounds import is_reachable
from tiler.errors import BadOption
from tiler.formats import tilings
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.lattice import Shape, box
from tiler.model.tile import Tile
from tiler.process.look import Stopped
from tiler.question.events import Progress
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop

SCHEMA = "tiler-rectangle-1"
MAYBE_PARTS = "prime, unless smaller ones make it up in some way"

Sides = tuple[int, ...]  #: of a box, the least first

#: How deep a corner or an end of a strip is looked at, and how long.
_DEPTHS = (1, 2, 3, 4, 6, 8)
_CORNER_SECONDS = 2.0
_PARTS_SECONDS = 2.0  # to make a box of smaller ones
_PROVE_SECONDS = 2.0


@dataclass(frozen=True)
class Verdict:
    """What is known of a box."""

    sides: Sides
    status: Status
    how: str  #: `area`, `parts`, `corner`, `strip`, `colouring`, `search`, or `limit` where it is not known
    reason: str = ""
    seconds: float = 0.0
    tiling: Placements | None = None  #: where one was searched for and found
    is_prime: bool = False

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
        }


def named(sides: Sides) -> str:
    """`2x3`, the least side first."""
    return "x".join(map(str, sides))


@dataclass
class Rectangles:
    """The boxes of some tiles, found out one by one; `known` are those that are known already."""

    tiles: tuple[Tile, ...]
    reflections: bool
    seconds: float = 10.0  #: for each search
    on_tick: Callable[[Progress], bool] = lambda progress: True

    def __post_init__(self) -> None:
        if any(tile.at_most is not None or tile.at_least for tile in self.tiles):
            raise BadOption("of each tile there are as many copies as are wanted; leave out the numbers")
        if any(coat.marks for tile in self.tiles for coat in tile.paint.coats):
            raise BadOption("rectangles are made of smaller ones, whose marks need not match; leave out the marks")
        self.known: dict[Sides, Verdict] = {}
        self._dead_ends: dict[int, int | None] = {}

    @cached_property
    def digest(self) -> str:
        """A fingerprint of the tiles."""
        return self._on(self._box((2,) * self.dimension)).digest

    @property
    def dimension(self) -> int:
        return max(tile.lattice.dimension for tile in self.tiles)

    @property
    def primes(self) -> list[Verdict]:
        """By area."""
        return sorted((each for each in self.known.values() if each.is_prime), key=lambda each: (prod(each.sides), each.sides))

    def up_to(self, longest: int) -> Iterator[Verdict]:
        """Every box with sides up to `up_to` cells, by area; a box that is known is passed on as it is."""
        sides = combinations_with_replacement(range(1, longest + 1), self.dimension)
        for each in sorted(sides, key=lambda each: (prod(each), each)):
            yield self.decide(each)

    def order(self) -> tuple[int, bool] | None:
        """The least number of copies of a single tile that fill a box, and whether none fewer do, boxes of any length considered;
        None if no box is known."""
        if len(self.tiles) > 1 or not self.primes:
            return None
        size = self.tiles[0].size
        area = prod(self.primes[0].sides)
        smaller = [each for n in range(size, area, size) for each in _with_volume(n, self.dimension)]
        is_least = all(self.decide(each).status is Status.UNSAT for each in smaller)
        return area // size, is_least

    def none_at_all(self) -> str:
        """Why no rectangle can be tiled, however large; nothing where that is not shown."""
        if self.dimension != 2:
            return ""
        corner = self._corner
        if corner is None:
            return ""
        # A rectangle, repeated along a strip of its width, would cover the end of the strip.
        if any(self._dead_end(width) is None for width in range(1, corner)):
            return ""
        deep = corner - self._reach
        return (
            f"a corner of {deep}x{deep} cells cannot be covered, whatever lies beyond; nor can the ends of strips that are less "
            f"than {corner} wide"
        )

    def decide(self, sides: Sides) -> Verdict:
        """Whether a box can be tiled; remembered, so that it can be built on."""
        if sides not in self.known:
            started = time.perf_counter()
            found = self._decide(sides)
            self.known[sides] = replace(found, seconds=time.perf_counter() - started)
        return self.known[sides]

    def _decide(self, sides: Sides) -> Verdict:
        volume = prod(sides)
        if not is_reachable(volume, [tile.size for tile in self.tiles], [0] * len(self.tiles), [volume] * len(self.tiles)):
            return Verdict(sides, Status.UNSAT, "area", "no numbers of copies have this area")
        if self.dimension == 3 and sides[0] == 1 and all(tile.lattice.dimension == 3 for tile in self.tiles):
            return Verdict(sides, Status.UNSAT, "area", "no tile is so flat")
        cut = self._cut(sides)
        if cut:
            return Verdict(sides, Status.SAT, "parts", f"{named(cut[0])} and {named(cut[1])}")
        if self.dimension == 2:
            end = self._dead_end(sides[0])
            if end is not None and sides[1] >= end:
                return Verdict(sides, Status.UNSAT, "strip", f"the end of a strip {sides[0]} wide cannot be covered")
            if self._corner is not None and sides[0] >= self._corner:
                return Verdict(sides, Status.UNSAT, "corner", "a corner cannot be covered")
        parts = self._parts(sides)
        if parts:
            return Verdict(sides, Status.SAT, "parts", parts)
        found = self._searched(sides)
        # Whether smaller ones make it up was not found out in time.
        return replace(found, reason=MAYBE_PARTS) if parts is None and found.is_prime else found

    def _cut(self, sides: Sides) -> tuple[Sides, Sides] | None:
        """Two boxes that are tiled and make up a box, side by side."""
        for axis, long in enumerate(sides):
            others = sides[:axis] + sides[axis + 1 :]
            for first in range(1, long // 2 + 1):
                pair = [tuple(sorted((*others, length))) for length in (first, long - first)]
                if all(each in self.known and self.known[each].status is Status.SAT for each in pair):
                    return pair[1], pair[0]
        return None

    def _parts(self, sides: Sides) -> str | None:
        """The smaller prime boxes that make up a box, in words; nothing if none do, None if that is not known."""
        smaller = [each for each in self.primes if all(a <= b for a, b in zip(each.sides, sides, strict=True))]
        if len(smaller) < 2 and not (smaller and self.dimension > 2):
            return ""
        lattice = self.tiles[0].lattice
        boxes = tuple(Tile(named(each.sides), self._box(each.sides), lattice=lattice) for each in smaller)
        answer = solve(Instance(self._box(sides), boxes), question=Question(limits=Limits(_PARTS_SECONDS)), on_tick=self._tick)
        if not answer.solutions:
            return None if answer.result.status is Status.UNKNOWN else ""
        return " and ".join(sorted({placement.tile for placement in answer.solutions[0]}))

    def _searched(self, sides: Sides) -> Verdict:
        instance = self._on(self._box(sides))
        prover = Coloring(stages="area+lattice")
        limits = Limits(min(self.seconds, _PROVE_SECONDS))
        proof = solve(instance, prover, Question(Goal.PROVE, limits), on_tick=self._tick).result
        if proof.status is Status.UNSAT:
            return Verdict(sides, Status.UNSAT, "colouring", proof.message)
        answer = solve(instance, question=Question(limits=Limits(self.seconds)), on_tick=self._tick)
        result = answer.result
        if result.stop is Stop.INTERRUPTED:
            raise Stopped(Stop.INTERRUPTED)
        if result.status is Status.UNKNOWN:
            return Verdict(sides, Status.UNKNOWN, "limit", result.reason)
        tiling = answer.solutions[0] if answer.solutions else None
        why = result.message or f"{result.nodes:,} nodes"
        return Verdict(sides, result.status, "search", "" if tiling else why, tiling=tiling, is_prime=tiling is not None)

    @cached_property
    def _corner(self) -> int | None:
        """So wide and so long a rectangle must be for its corner to be known to be impossible; None if that is not known."""
        return self._impossible(None)

    def _dead_end(self, width: int) -> int | None:
        """So long a rectangle of that width must be for its end to be known to be impossible."""
        if width not in self._dead_ends:
            self._dead_ends[width] = self._impossible(width)
        return self._dead_ends[width]

    def _impossible(self, width: int | None) -> int | None:
        """How far a corner, or the end of a strip of some width, reaches that cannot be covered: cells beyond may stay open."""
        until = time.perf_counter() + _CORNER_SECONDS
        for deep in _DEPTHS:
            far = deep + self._reach
            board = self._box((width or far, far))
            must = frozenset(cell for cell in board if cell[1] < deep and (width is not None or cell[0] < deep))
            left = until - time.perf_counter()
            if left <= 0:
                return None
            instance = replace(self._on(board), optional=board - must)
            status = solve(instance, "dlx", Question(limits=Limits(left)), on_tick=self._tick).result.status
            if status is Status.UNSAT:
                return far
            if status is Status.UNKNOWN:
                return None
        return None

    @cached_property
    def _reach(self) -> int:
        """How many cells beyond one that it covers a tile reaches, at most."""
        return max(b - a for tile in self.tiles for a, b in zip(*box(tile.shape), strict=True))

    def _tick(self, progress: Progress) -> bool:
        if not self.on_tick(progress):
            raise Stopped(Stop.INTERRUPTED)
        return True

    def _on(self, board: Shape) -> Instance:
        return Instance(board, self.tiles, self.reflections)

    def _box(self, sides: Sides) -> Shape:
        return frozenset(product(*map(range, sides)))


def _with_volume(volume: int, dimension: int) -> list[Sides]:
    """The boxes of that volume."""
    if dimension == 1:
        return [(volume,)]
    firsts = [first for first in range(1, volume + 1) if first**dimension <= volume and volume % first == 0]
    return [(first, *rest) for first in firsts for rest in _with_volume(volume // first, dimension - 1) if rest[0] >= first]
