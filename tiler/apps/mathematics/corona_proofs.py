"""Check a proof that a tile cannot be surrounded more often: that its clauses hold wherever the tile is surrounded that often,
and that they contradict each other.

The comments of the CNF say what its variables mean, and which clauses are about one cell. They are believed only so far: each
clause must be one of those below, and the placements are made here once more, from the corners of cells alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cached_property
from operator import add, sub
from typing import NamedTuple

from tiler.apps.mathematics.coronas import Coronas, halo_of, holes_in
from tiler.backends.sat import groups
from tiler.backends.sat.checking import rup, thresholds
from tiler.errors import BadSolution
from tiler.grouping import grouped
from tiler.model import corners
from tiler.model.lattice import Cell, Shape, move
from tiler.question.drup import Drup


class CoronaMeaning(NamedTuple):
    """These cells are a placement of the first coronas; or this one cell is covered by such a placement."""

    cells: Shape
    corona: int
    is_placement: bool


def check(coronas: Coronas, times: int, proof: Drup, *, with_holes: bool) -> int:
    """The number of steps of a proof that the tile cannot be surrounded that often; with `with_holes` not even if the last corona
    has holes. BadSolution if the proof does not show that."""
    wrong = _Check(coronas, times, proof).wrong(with_holes)
    followed = rup.follow(rup.read_cnf("\n".join(proof.cnf)), "\n".join(proof.drup))
    if wrong or followed.wrong:
        raise BadSolution(f"the proof that {coronas.tile.name} cannot be surrounded {times} times: {wrong or followed.wrong}")
    return followed.derived


class _Check:
    """The clauses of a CNF, and what they may say."""

    def __init__(self, coronas: Coronas, times: int, proof: Drup) -> None:
        self.tile, self.lattice, self.times = coronas.tile.shape, coronas.tile.lattice, times
        motions = corners.rigid_motions(self.lattice, coronas.reflections)
        self.turned = {frozenset(corners.applied(rows, cell) for cell in self.tile) for rows in motions}
        text = "\n".join(proof.cnf)
        self.clauses, self.groups = rup.read_cnf(text).clauses, groups.read(text)
        self.meanings = dict(map(_meaning, (line for line in proof.cnf if line.startswith("c ") and line[2].isdigit())))
        self.taken = set(self.meanings)  # variables that mean something, or that a group has of its own
        self.known_holes: dict[frozenset[Shape], list[Shape]] = {}

    def wrong(self, with_holes: bool) -> str | None:
        """What is wrong with the clauses; None if they all hold."""
        of_groups = set[int]()
        for group in self.groups:
            of_groups.update(range(group.first, group.last + 1))
            if not self._is_at_most_one(group):
                return f"clauses {group.first} to {group.last} do not say that a cell is covered once"
        for number, clause in enumerate(self.clauses, 1):
            if number not in of_groups and not self._holds(clause) and (with_holes or not self._forbids_a_hole(clause)):
                return f"clause {number} does not follow from what coronas are"
        return None

    def _is_at_most_one(self, group: groups.ClauseGroup) -> bool:
        variables, cell = group.fact["of"], tuple(group.fact["cell"])
        clauses = self.clauses[group.first - 1 : group.last]
        own = {abs(literal) for clause in clauses for literal in clause}.difference(variables)
        if not own.isdisjoint(self.taken) or not all(
            self._is(variable, self.times, placement=True) and cell in self.meanings[variable].cells for variable in variables
        ):
            return False
        self.taken |= own
        return thresholds.are_implied(clauses, variables, 1)

    def _is(self, variable: int, corona: int, *, placement: bool) -> bool:
        meaning = self.meanings.get(variable)
        return meaning is not None and (meaning.corona, meaning.is_placement) == (corona, placement)

    def _holds(self, clause: Sequence[int]) -> bool:
        """Whether a clause says what holds of all coronas, with or without holes."""
        positive = {self.meanings[literal] for literal in clause if literal > 0 and literal in self.meanings}
        negative = [self.meanings.get(-literal) for literal in clause if literal < 0]
        if not negative:
            return any(not to.is_placement and to.corona == 1 and to.cells <= self._halo(self.tile) for to in positive)
        if len(negative) > 1 or negative[0] is None:
            return False
        cells, corona, is_placement = negative[0]
        if not is_placement:
            return self._all_over(min(cells), corona) <= positive
        if CoronaMeaning(cells, corona + 1, True) in positive:
            return True
        near = self._halo(cells)
        if corona < self.times and any(
            not to.is_placement and to.corona == corona + 1 and to.cells <= near - self.tile for to in positive
        ):
            return True
        there = frozenset().union(*self._reached[corona - 1])
        touched = {CoronaMeaning(frozenset({cell}), corona - 1, False) for cell in near & there}
        return near.isdisjoint(self.tile) and touched <= positive

    def _forbids_a_hole(self, clause: Sequence[int]) -> bool:
        """Whether a clause says that some placements are not all there, or something covers a cell that they shut in."""
        if not all(self._is(abs(literal), self.times, placement=True) for literal in clause):
            return False
        pieces = [self.meanings[-literal].cells for literal in clause if literal < 0]
        inside = {self.meanings[literal] for literal in clause if literal > 0}
        return any(
            cell not in self.tile
            and {over for over in self._all_over(cell, self.times) if all(over.cells.isdisjoint(piece) for piece in pieces)}
            <= inside
            for hole in self._holes(pieces)
            for cell in hole
        )

    def _holes(self, pieces: Sequence[Shape]) -> list[Shape]:
        """What some pieces shut in. They are moved to one place first, since many lie alike."""
        low = min(map(min, pieces))
        home = tuple(a // m * m for a, m in zip(low, self.lattice.moduli, strict=True))
        back = tuple(-a for a in home)
        key = frozenset(move(piece, back) for piece in pieces)
        if key not in self.known_holes:
            self.known_holes[key] = holes_in(self.lattice, frozenset().union(*key))
        return [move(hole, home) for hole in self.known_holes[key]]

    def _all_over(self, cell: Cell, corona: int) -> set[CoronaMeaning]:
        return {CoronaMeaning(cells, corona, True) for cells in self._over_in[corona].get(cell, ())}

    def _halo(self, cells: Shape) -> Shape:
        if cells not in self._halos:
            self._halos[cells] = halo_of(self.lattice, cells)
        return self._halos[cells]

    @cached_property
    def _halos(self) -> dict[Shape, Shape]:
        return {}

    @cached_property
    def _reached(self) -> list[set[Shape]]:
        """The tile; and the placements that may be in the first coronas, one corona after the other."""
        reached: list[set[Shape]] = [{self.tile}]
        for _ in range(self.times):
            near = frozenset().union(*map(self._halo, reached[-1]))
            reached.append((reached[-1] if len(reached) > 1 else set()) | self._placements_over(near))
        return reached

    @cached_property
    def _over_in(self) -> list[dict[Cell, list[Shape]]]:
        return [grouped((cell, placed) for placed in ring for cell in placed) for ring in self._reached]

    def _placements_over(self, cells: Iterable[Cell]) -> set[Shape]:
        placements = set()
        for cell in cells:
            for shape in self.turned:
                for own in shape:
                    step = tuple(map(sub, cell, own))
                    if not any(a % m for a, m in zip(step, self.lattice.moduli, strict=True)):
                        placed = frozenset(tuple(map(add, other, step)) for other in shape)
                        if placed.isdisjoint(self.tile):
                            placements.add(placed)
        return placements


def _meaning(line: str) -> tuple[int, CoronaMeaning]:
    variable, data = line[2:].split(" ", 1)
    meaning = json.loads(data)
    cells = meaning["cells"] if "cells" in meaning else [meaning["covered"]]
    return int(variable), CoronaMeaning(frozenset(map(tuple, cells)), meaning["corona"], "cells" in meaning)
