"""Find tilings by one tile with few orbits. Two pieces of a tiling are in one *orbit* (a transitivity class) if a symmetry of the
tiling takes the first to the second. A tiling with one orbit is *isohedral*, one with k orbits is k-isohedral.

Such a tiling has a period, and it is the images of k pieces under its group. So on the torus of its smallest period, the group
has no translation but the identity: no two of its isometries have the same matrix. There are at most 12 of them, on squares 8,
so only tori with at most 12 k pieces need be searched: if none has a tiling with k orbits, there is none. The search covers a
cell that is still open in one of two ways. Either a further isometry takes one of the pieces there, and then it makes the group
larger; or a piece of a new orbit lies there, and all its images with it.

Tiles lie on the lattice: tilings in which rows of squares are shifted against each other by a part of a square are not tried.

Source of the notions: B. Grünbaum and G. C. Shephard, Tilings and Patterns (1987), sections 1.3 and 6.2. The search is ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from operator import add

from tiler.apps.mathematics.tori import on_torus, tori
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Isometry, Shape
from tiler.model.symmetry import turns_of_tiles
from tiler.model.tile import Placement, Placements
from tiler.process.cancellation import StopCheck, never_stop

_Motion = tuple[int, int]  # the number of a turn, and after it the number of a translation


@dataclass(frozen=True)
class _Orbit:
    """The images of a piece under a group: the cells of the piece, by number, and each image as a set of bits."""

    cells: tuple[int, ...]
    pieces: frozenset[int]

    @property
    def covered(self) -> int:
        """The cells of all images, as bits."""
        return sum(self.pieces)


class Torus:
    """The cells and isometries of a torus of a lattice, by number: cell `u * kinds + kind` is of that kind, in unit u; a motion
    is one of the `turns`, and after it the translation to unit v."""

    def __init__(self, instance: Instance, turns: Sequence[Isometry]) -> None:
        """`turns` are those that may be used, the identity first; only those that fit the wrap are."""
        lattice, wrap = instance.lattice, instance.wrap
        (high, _), (_, wide) = wrap.vectors
        self.instance, self.kinds = instance, lattice.kinds
        self.turns = [turn for turn in turns if wrap.keeps(turn)]
        self.units = [wrap.reduce(unit) for unit in product(range(0, high, lattice.moduli[0]), range(0, wide, lattice.moduli[1]))]
        self.cells = [wrap.reduce(tuple(map(add, unit, residue))) for unit in self.units for residue in lattice.residues]
        self.number = {cell: number for number, cell in enumerate(self.cells)}
        of_unit = {unit: number for number, unit in enumerate(self.units)}

        def units(at: Cell) -> list[int]:
            return [of_unit[wrap.reduce(tuple(map(add, at, unit)))] for unit in self.units]

        self.sums = [units(unit) for unit in self.units]
        self.differences = [[0] * len(self.units) for _ in self.units]
        for one, row in enumerate(self.sums):
            for other, both in enumerate(row):
                self.differences[both][other] = one
        self.turned = [[self.number[wrap.reduce(cell)] for cell in turn.images(self.cells)] for turn in self.turns]
        self.turned_units = [[of_unit[wrap.reduce(unit)] for unit in turn.images(self.units)] for turn in self.turns]
        matrices = {turn.matrix: number for number, turn in enumerate(self.turns)}
        self.products = [[matrices[one.after(other).matrix] for other in self.turns] for one in self.turns]

    def moved(self, motion: _Motion, cells: Sequence[int]) -> int:
        """The images of some cells, as bits."""
        turn, unit = motion
        turned, there, bits = self.turned[turn], self.sums[unit], 0
        for cell in cells:
            at, kind = divmod(turned[cell], self.kinds)
            bits |= 1 << there[at] * self.kinds + kind
        return bits

    def after(self, one: _Motion, other: _Motion) -> _Motion:
        """The motion that does the other one first, then this one."""
        return self.products[one[0]][other[0]], self.sums[one[1]][self.turned_units[one[0]][other[1]]]

    def to(self, cell: int, from_cell: int, turn: int) -> _Motion | None:
        """The motion with this turn that takes one cell to another, if there is one."""
        (at, kind), (there, wanted) = divmod(self.turned[turn][from_cell], self.kinds), divmod(cell, self.kinds)
        return (turn, self.differences[there][at]) if kind == wanted else None

    def numbers(self, cells: Shape) -> tuple[int, ...] | None:
        """The numbers of cells of the plane; None if two of them are one on the torus."""
        numbers = {self.number[self.instance.wrap.reduce(cell)] for cell in cells}
        return tuple(sorted(numbers)) if len(numbers) == len(cells) else None

    def shape(self, bits: int) -> Shape:
        """The cells that these bits are."""
        return frozenset(cell for number, cell in enumerate(self.cells) if bits >> number & 1)


class _Search:
    """The tilings of a torus by one tile, with a given number of orbits at most."""

    def __init__(self, torus: Torus, orbits: int, check_stop: StopCheck) -> None:
        self.torus, self.most, self.check_stop = torus, orbits, check_stop
        instance = torus.instance
        shapes = instance.variants(instance.tiles[0])
        self.variants = {shape: numbers for shape in shapes if (numbers := torus.numbers(shape))}
        self.all = (1 << len(torus.cells)) - 1
        self.seen = set[tuple[tuple[_Motion, ...], frozenset[frozenset[int]]]]()

    def tiling(self) -> tuple[_Orbit, ...] | None:
        """The orbits of a tiling, if there is one."""
        lattice, turned = self.torus.instance.lattice, set[Shape]()
        for shape, cells in self.variants.items():
            # Some piece lies at the origin, in one of the ways that no motion of the torus makes of another.
            if shape not in turned:
                turned |= {lattice.normalise(frozenset(turn.images(shape))) for turn in self.torus.turns}
                if found := self._search(((0, 0),), (_Orbit(cells, frozenset([self.torus.moved((0, 0), cells)])),)):
                    return found
        return None

    def _search(self, group: tuple[_Motion, ...], orbits: tuple[_Orbit, ...]) -> tuple[_Orbit, ...] | None:
        covered = sum(orbit.covered for orbit in orbits)
        if covered == self.all:
            return orbits
        state = group, frozenset(orbit.pieces for orbit in orbits)
        if state in self.seen:
            return None
        self.seen.add(state)
        self.check_stop()
        open_cell = (~covered & covered + 1).bit_length() - 1
        for motion in self._motions(group, orbits, open_cell):
            larger = self._generated(group, motion)
            if larger and (grown := self._grown(larger, orbits)) and (found := self._search(larger, grown)):
                return found
        if len(orbits) < self.most:
            for cells in self._over(open_cell):
                grown = self._grown(group, (*orbits, _Orbit(cells, frozenset())))
                if grown and (found := self._search(group, grown)):
                    return found
        return None

    def _motions(self, group: tuple[_Motion, ...], orbits: tuple[_Orbit, ...], cell: int) -> Iterator[_Motion]:
        """The motions that take a piece to where it covers a cell, with matrices that are not in the group yet."""
        used = {turn for turn, _ in group}
        motions = (
            self.torus.to(cell, own, turn)
            for turn in range(len(self.torus.turns))
            if turn not in used
            for orbit in orbits
            for own in orbit.cells
        )
        yield from dict.fromkeys(filter(None, motions))

    def _generated(self, group: tuple[_Motion, ...], motion: _Motion) -> tuple[_Motion, ...] | None:
        """The group that a further motion makes; None if there is a translation in it."""
        units, made = dict(group), [motion]
        while made:
            turn, unit = made.pop()
            if turn in units:
                if units[turn] != unit:
                    return None
                continue
            units[turn] = unit
            for other in tuple(units.items()):
                made += [self.torus.after((turn, unit), other), self.torus.after(other, (turn, unit))]
        return tuple(sorted(units.items()))

    def _grown(self, group: tuple[_Motion, ...], orbits: tuple[_Orbit, ...]) -> tuple[_Orbit, ...] | None:
        """The orbits under a group; None if pieces overlap."""
        covered, grown = 0, []
        for orbit in orbits:
            pieces = frozenset(self.torus.moved(motion, orbit.cells) for motion in group)
            for piece in pieces:
                if piece & covered:
                    return None
                covered |= piece
            grown.append(_Orbit(orbit.cells, pieces))
        return tuple(grown)

    def _over(self, cell: int) -> Iterator[tuple[int, ...]]:
        """The pieces that cover a cell."""
        for variant in self.variants.values():
            for own in variant:
                motion = self.torus.to(cell, own, 0)
                if motion is not None:
                    bits = self.torus.moved(motion, variant)
                    yield tuple(number for number in range(bits.bit_length()) if bits >> number & 1)


def with_orbits(asked: Instance, orbits: int, check_stop: StopCheck = never_stop) -> tuple[Instance, Placements] | None:
    """A torus and its tiling by a single tile, with at most `orbits` orbits; None if there is none on any torus. The board of
    what is asked does not matter."""
    (tile,), turns = asked.tiles, turns_of_tiles(asked)
    for pieces in range(1, orbits * len(turns) + 1):
        units, rest = divmod(pieces * tile.size, tile.lattice.kinds)
        for wrap in tori(tile.lattice, units, turns) if not rest else ():
            check_stop()
            if pieces <= orbits * sum(wrap.keeps(turn) for turn in turns):
                torus = Torus(on_torus(asked, wrap), turns)
                found = _Search(torus, orbits, check_stop).tiling()
                if found is not None:
                    laid = sorted(piece for orbit in found for piece in orbit.pieces)
                    return torus.instance, tuple(Placement(tile.name, torus.shape(piece)) for piece in laid)
    return None


def orbits_of(instance: Instance, tiling: Sequence[Placement]) -> list[int]:
    """The orbit of each piece of a tiling of a torus, by number, under the symmetries of the plane that take the tiling to itself
    and equal cells of the torus to equal ones: all symmetries, if the torus has the smallest period of the tiling."""
    torus = Torus(instance, instance.lattice.isometries(reflections=True))
    pieces = [torus.numbers(placement.cells) or () for placement in tiling]
    number = {torus.moved((0, 0), piece): k for k, piece in enumerate(pieces)}
    orbit = list(range(len(pieces)))
    for turn, cell in product(range(len(torus.turns)), range(len(torus.cells))):
        motion = torus.to(cell, pieces[0][0], turn)
        if motion is None:
            continue
        images = [number.get(torus.moved(motion, piece), -1) for piece in pieces[:1]]
        images += [number.get(torus.moved(motion, piece), -1) for piece in pieces[1:]] if images != [-1] else []
        if len(images) == len(pieces) and -1 not in images:
            for one, image in enumerate(images):
                same = {orbit[one], orbit[image]}
                orbit = [min(same) if own in same else own for own in orbit]
    order = {first: k for k, first in enumerate(dict.fromkeys(orbit))}
    return [order[first] for first in orbit]
