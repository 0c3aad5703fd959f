"""The lattice stage decides whether any colouring argument, with weights in any abelian group, refutes a count vector.

Let L in Z^(cells + tiles) be spanned by 1_cells(p) - e_tile(p) for all placements p, and b(n) = 1_board - sum n_i e_i.

Theorem. There are a modulus m, a weight Y of every cell and a value z of every tile such that the cells of every placement weigh
the value of its tile, modulo m, but the board does not weigh sum n_i z_i, if and only if b(n) is not in L.
Proof. Q = Z^(cells + tiles) / L is a finitely generated abelian group, so residually finite: the class of b(n) is not 0 iff some
homomorphism from Q to some Z/m does not vanish on it, and such homomorphisms are the pairs (Y, z).

If b(n) is in L, then 1_board is a sum of placements with integer coefficients, n_i of tile i: a signed tiling, and no colouring
can tell it from a tiling. The idea is from Conway and Lagarias, Tiling with polyominoes and combinatorial group theory, 1990. L
is a lattice in the sense of algebra; the lattice of the cells is something else, see model/lattice.py.

The group is found by elimination over the integers. Generators are cells and tiles. A placement is a relation, which mostly
expresses its newest cell by other generators. Each eliminated generator keeps its expression, which is updated when it is needed.
If the cells come in the order of a growing square, these expressions stay short. Some 0 to 16 generators are left; smith.py
computes the Smith form of the relations between them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tiler.backends.coloring.mark_weights import MarkClasses
from tiler.backends.coloring.smith import Smith, smith
from tiler.cover.count_vectors import Congruence
from tiler.cover.remainder import Remainder
from tiler.question.certificate import Colouring, Colourings

Vector = dict[int, int]
_LOOK_EVERY = 512  # placements between two looks at the clock
_PARKED = 16  # when more relations than this are parked, they are looked at again


@dataclass(frozen=True)
class Coordinate:
    """One cyclic part of the group: a homomorphism to Z/order, or to Z if order is 0. `weights` has its values on the generators
    that were not eliminated."""

    order: int
    weights: Vector

    def of(self, vector: Vector) -> int:
        value = sum(factor * self.weights.get(generator, 0) for generator, factor in vector.items())
        return value % self.order if self.order else value

    def modulus(self, value: int) -> int | None:
        """The least m for which a value of the coordinate is not 0 modulo m either; None if the value is 0."""
        if value == 0:
            return None
        if self.order == 0:
            return next(m for m in range(2, abs(value) + 2) if value % m)
        # The value is reduced modulo the order, so the order does not divide it.
        divisors = (m for m in range(2, self.order) if self.order % m == 0) if self.order < 1 << 16 else iter(())
        return next((m for m in divisors if value % m), self.order)


class TilingGroup:
    """The group Q, found by elimination. Tile t is generator t. The cells come after the tiles, by rank in the growing square."""

    def __init__(
        self, remainder: Remainder, tick: Callable[[], None], *, track: bool = False, marks: MarkClasses | None = None
    ) -> None:
        """Eliminate. `tick` is called now and then. With `track`, `signed_tiling` can be asked afterwards, and elimination takes
        several times as long. With `marks`, each class of marks is a generator too; its factor in b(n) is 0."""
        self.remainder = remainder
        self._marks = marks
        self._tick = tick
        self._tiles = len(remainder.lower)
        self._number, self._number_of_mark = _ranks(remainder, self._tiles, marks)
        size = self._tiles + len(remainder.cells) + len(self._number_of_mark)
        self._expression: list[Vector | None] = [None] * size
        self._stamp = [0] * size
        self._clock = 0
        self._eliminated = 0
        self._track = track
        # For each generator, the placements, with factors, that add up to its difference from its expression.
        self._made_of: list[Vector] = [{} for _ in range(size)] if track else []
        self._parked: list[tuple[Vector, Vector]] = []
        self._eliminate()
        self._coordinates, self._smith, self._active = self._finish()

    def reduce(self, counts: Sequence[int]) -> Vector:
        """b(n) in terms of the generators that were not eliminated."""
        return self._target(counts)[0]

    def holds(self, counts: Sequence[int]) -> bool:
        """Whether b(n) is in L."""
        return self.refute(counts) is None

    def refute(self, counts: Sequence[int]) -> tuple[Coordinate, int] | None:
        """A coordinate that is not 0 on b(n), and a modulus that shows it, as small as possible; None if b(n) is in L."""
        target = self.reduce(counts)
        found: list[tuple[int, int, Coordinate]] = []
        for index, coordinate in enumerate(self._coordinates):
            modulus = coordinate.modulus(coordinate.of(target))
            if modulus is not None:
                found.append((modulus, index, coordinate))
        # A generator that is in no parked relation is a coordinate by itself.
        for generator in sorted(target):
            if generator not in self._active:
                free = Coordinate(0, {generator: 1})
                found.append((free.modulus(target[generator]) or 0, len(self._coordinates) + generator, free))
        if not found:
            return None
        modulus, _, coordinate = min(found, key=lambda each: each[:2])
        return coordinate, modulus

    def colouring(self, coordinate: Coordinate, modulus: int) -> Colouring:
        """A coordinate modulo m as weights of all cells of the board and values of all tiles."""
        weights = [0] * len(self.remainder.cover.cells)
        for cell in self.remainder.cells:
            weights[cell] = self._weight(self._number[cell], coordinate, modulus)
        values = tuple(self._weight(t, coordinate, modulus) for t in range(self._tiles))
        marks = self._marks and self._marks.weights(lambda each: self._weight(self._number_of_mark[each], coordinate, modulus))
        return Colouring(modulus, tuple(weights), values, marks or ())

    def _weight(self, generator: int, coordinate: Coordinate, modulus: int) -> int:
        return coordinate.of(self._reduced(generator)) % modulus

    def signed_tiling(self, counts: Sequence[int]) -> Vector | None:
        """A signed tiling with these numbers of copies: placements and their factors, which sum up to the board. None if there is
        none. Needs `track`."""
        assert self._track
        if not self.holds(counts):
            return None
        rest, made_of = self._target(counts)
        # rest = sum of parked relations: rest @ columns = q @ diagonal, and q @ rows are their factors.
        row = [rest.get(generator, 0) for generator in self._active]
        image = [sum(a * line[j] for a, line in zip(row, self._smith.columns, strict=True)) for j in range(len(row))]
        quotients = [value // d if d else 0 for value, d in zip(image, self._smith.diagonal, strict=False)]
        quotients += [0] * (len(self._parked) - len(quotients))
        for i, (_, relation) in enumerate(self._parked):
            _add(made_of, relation, sum(q * line[i] for q, line in zip(quotients, self._smith.rows, strict=True)))
        return dict(sorted(made_of.items()))

    def _target(self, counts: Sequence[int]) -> tuple[Vector, Vector]:
        target: Vector = {}
        made_of: Vector = {}
        parts = [(self._number[cell], 1) for cell in self.remainder.cells] + [(t, -n) for t, n in enumerate(counts)]
        for generator, factor in parts:
            if factor:
                _add(target, self._reduced(generator), factor)
                if self._track:
                    _add(made_of, self._made_of[generator], factor)
        return target, made_of

    def _reduced(self, generator: int) -> Vector:
        if self._expression[generator] is None:
            return {generator: 1}
        return self._fresh(generator)

    def _eliminate(self) -> None:
        remainder, number, expression, stamp = self.remainder, self._number, self._expression, self._stamp
        newest = {option: max([number[cell] for cell in remainder.cells_of[option]]) for option in remainder.options}
        seen = bytearray(len(expression))
        limit = _PARKED
        for step, option in enumerate(sorted(remainder.options, key=newest.__getitem__)):
            if step % _LOOK_EVERY == 0:
                self._tick()
            relation: Vector = {}
            parts = [number[cell] for cell in remainder.cells_of[option]]
            for generator in parts:
                known = expression[generator]
                if known is None:
                    relation[generator] = relation.get(generator, 0) + 1
                    continue
                if stamp[generator] != self._clock:
                    known = self._fresh(generator)
                for other, factor in known.items():
                    relation[other] = relation.get(other, 0) + factor
            tile = remainder.tile_of[option]
            _add(relation, self._reduced(tile), -1)
            for mark, factor in self._marks.of[option].items() if self._marks else ():
                _add(relation, self._reduced(self._number_of_mark[mark]), factor)
            relation = {generator: factor for generator, factor in relation.items() if factor}
            if not relation:
                continue
            made_of: Vector = {}
            if self._track:
                made_of = {option: 1}
                for generator in parts:
                    _add(made_of, self._made_of[generator], -1)
                _add(made_of, self._made_of[tile], 1)
            self._use(relation, made_of, seen)
            if len(self._parked) > limit:
                self._settle(seen)
                limit = 2 * len(self._parked) + _PARKED
        self._settle(seen)

    def _settle(self, seen: bytearray) -> None:
        """Bring the parked relations up to date and into echelon form. Use those for elimination that now have a factor 1 or -1,
        and repeat until there are none."""
        while True:
            echelon: dict[int, tuple[Vector, Vector]] = {}
            for relation, made_of in self._parked:
                self._tick()
                self._update(relation, made_of)
                _insert(echelon, relation, made_of)
            self._parked = []
            before = self._eliminated
            for _, (relation, made_of) in sorted(echelon.items()):
                self._update(relation, made_of)
                if relation:
                    self._use(relation, made_of, seen)
            if before == self._eliminated:
                return

    def _use(self, relation: Vector, made_of: Vector, seen: bytearray) -> None:
        """Eliminate the newest generator that has factor 1 or -1 in a relation. If there is none, park the relation."""
        pivot = max((generator for generator, factor in relation.items() if factor in (1, -1)), default=-1)
        if pivot < 0:
            self._parked.append((relation, made_of))
            return
        sign = relation.pop(pivot)
        self._eliminated += 1
        self._expression[pivot] = {generator: -sign * factor for generator, factor in relation.items()}
        for generator in relation:
            seen[generator] = 1
        if seen[pivot]:
            # The generator occurs in other expressions: all expressions count as out of date until they are needed.
            self._clock += 1
        self._stamp[pivot] = self._clock
        if self._track:
            self._made_of[pivot] = {option: sign * factor for option, factor in made_of.items()}

    def _fresh(self, generator: int) -> Vector:
        """The expression of an eliminated generator. It and the expressions that it depends on are brought up to date."""
        expression, stamp, clock = self._expression, self._stamp, self._clock
        stack = [generator]
        while stack:
            top = stack[-1]
            known = expression[top]
            assert known is not None
            if stamp[top] != clock:
                gone = [other for other in known if expression[other] is not None]
                stale = [other for other in gone if stamp[other] != clock]
                if stale:
                    stack += stale
                    continue
                if gone:
                    self._update(known, self._made_of[top] if self._track else {}, sign=1)
                stamp[top] = clock
            stack.pop()
        found = expression[generator]
        assert found is not None
        return found

    def _update(self, vector: Vector, made_of: Vector, sign: int = -1) -> None:
        """Replace the eliminated generators in a vector by their expressions. `made_of` is changed accordingly; `sign` is 1 if
        the vector is an expression, -1 if it is a relation."""
        for other in [other for other in vector if self._expression[other] is not None]:
            factor = vector.pop(other)
            _add(vector, self._fresh(other), factor)
            if self._track:
                _add(made_of, self._made_of[other], sign * factor)

    def _finish(self) -> tuple[list[Coordinate], Smith, list[int]]:
        """Bring the parked relations into Smith normal form. Returns the cyclic parts of the group, as coordinates; the normal
        form; and the generators that occur in these relations."""
        active = sorted({generator for relation, _ in self._parked for generator in relation})
        matrix = [[relation.get(generator, 0) for generator in active] for relation, _ in self._parked]
        form = smith(matrix, len(active), self._tick)
        orders = form.diagonal + [0] * (len(active) - len(form.diagonal))
        coordinates = [
            Coordinate(order, {generator: line[j] for generator, line in zip(active, form.columns, strict=True) if line[j]})
            for j, order in enumerate(orders)
            if order != 1
        ]
        return coordinates, form, active


def _ranks(remainder: Remainder, first: int, marks: MarkClasses | None) -> tuple[dict[int, int], list[int]]:
    """Number the generators, from `first` on. Returns the generator of every cell, and of every class of marks.

    Cells are ordered by greatest coordinate, then by coordinates. A class of marks on one side comes before the later of the two
    cells beside the side; any other class comes before all cells.
    """
    cells = remainder.cover.cells
    low = [min(axis) for axis in zip(*cells, strict=True)]

    def key(cell: int) -> tuple[int, int]:
        return max([a - b for a, b in zip(cells[cell], low, strict=True)]), cell

    near = marks.near if marks else ()
    places = [(key(cell), 1, cell) for cell in remainder.cells]
    places += [(max(map(key, cells), default=(-1, -1)), 0, number) for number, cells in enumerate(near)]
    rank = {(kind, number): first + at for at, (_, kind, number) in enumerate(sorted(places))}
    return {cell: rank[1, cell] for cell in remainder.cells}, [rank[0, number] for number in range(len(near))]


def _add(vector: Vector, other: Vector, factor: int) -> None:
    """vector += factor * other, without keeping zeros."""
    if not factor:
        return
    for key, value in other.items():
        total = vector.get(key, 0) + factor * value
        if total:
            vector[key] = total
        else:
            vector.pop(key, None)


def refute(
    remainder: Remainder, tick: Callable[[], None], marks: MarkClasses | None = None
) -> tuple[Colourings | None, tuple[int, ...] | None]:
    """Colourings that together refute every count vector, and None; or None and a count vector that no colouring refutes. With
    `marks`, marks have weights too.

    Count vectors are refuted one by one; each colouring refutes many. Both results are None if there are too many to follow.
    """
    group = TilingGroup(remainder, tick, marks=marks)
    found: list[Colouring] = []
    congruences: list[Congruence] = []
    try:
        while (counts := remainder.counts.find(congruences)) is not None:
            tick()
            refuted = group.refute(counts)
            if refuted is None:
                return None, counts
            colouring = group.colouring(*refuted)
            found.append(colouring)
            total = sum(colouring.weights[cell] for cell in remainder.cells)
            congruences.append(Congruence(colouring.modulus, colouring.values, total))
        for index in reversed(range(len(found))):
            others = congruences[:index] + congruences[index + 1 :]
            if others and remainder.counts.find(others) is None:
                del found[index], congruences[index]
    except OverflowError:
        return None, None
    return Colourings(tuple(found)), None


def _insert(echelon: dict[int, tuple[Vector, Vector]], row: Vector, made_of: Vector) -> None:
    """Add a relation to an echelon form, which has at most one row for each newest generator. Where a row is there already,
    Euclid's algorithm runs on the factors of that generator."""
    while row:
        pivot = max(row)
        if pivot not in echelon:
            echelon[pivot] = (row, made_of)
            return
        other, other_made_of = echelon[pivot]
        if abs(row[pivot]) < abs(other[pivot]):
            echelon[pivot] = (row, made_of)
            row, made_of, other, other_made_of = other, other_made_of, row, made_of
        factor = -(row[pivot] // other[pivot])
        _add(row, other, factor)
        _add(made_of, other_made_of, factor)
