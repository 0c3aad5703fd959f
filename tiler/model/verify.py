"""Check a solution against an instance, from scratch: nothing here is shared with the code that lists placements or searches.

Deliberately naive: it knows cells by their corners, and compares sets of these (see corners.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from operator import sub

from tiler.model import corners
from tiler.model.constraints import Constraint, placements_left
from tiler.model.corners import Solid
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Lattice, Shape
from tiler.model.tile import Placement

# So many placements are remembered, with the tile that they have the shape of: on a small board all there are.
_REMEMBERED = 1 << 16

_Form = Solid  #: one of the ways to turn a shape, the same for all that are congruent


def error_in(instance: Instance, solution: Sequence[Placement]) -> str | None:
    """What is wrong with a solution, in words, or None if it is a tiling of the board as the instance wants it."""
    return Verifier(instance).error_in(solution)


class Verifier:
    """Checks solutions of one instance: what does not depend on the solution is worked out once."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._congruent = _Congruence(instance.lattice, instance.reflections)
        self._forms = {tile.name: self._congruent.form(tile.shape) for tile in instance.tiles}
        self._required = instance.board - instance.optional if instance.optional else instance.board
        self._at_least: Counter[_Form] = Counter()
        self._at_most: Counter[_Form] = Counter()
        unlimited: set[_Form] = set()
        for tile in instance.tiles:
            form = self._forms[tile.name]
            self._at_least[form] += tile.at_least
            if tile.at_most is None:
                unlimited.add(form)
            else:
                self._at_most[form] += tile.at_most
        for form in unlimited:
            del self._at_most[form]
        # Placements that lie on the board, and the form of each.
        self._known: dict[Shape, _Form] = {}

    def error_in(self, solution: Sequence[Placement]) -> str | None:
        """What is wrong with a solution, in words, or None if it is a tiling of the board as the instance wants it.

        Some 10 microseconds for every placement that it has not seen before, and one for others.
        """
        used: list[_Form] = []
        for number, placement in enumerate(solution, 1):
            form = self._known.get(placement.cells) or self._look_at(placement.cells)
            if form is None or form != self._forms.get(placement.tile):
                return f"placement {number} ({placement.tile}): {self._wrong(placement)}"
            used.append(form)
        shapes = [placement.cells for placement in solution]
        covered = set().union(*shapes)
        if len(covered) < sum(map(len, shapes)):
            return _overlap(solution)
        if not self._required <= covered:
            missing = self._required - covered
            others = f", nor are {len(missing) - 1} others" if len(missing) > 1 else ""
            return f"{min(missing)} is not covered{others}"
        return self._miscounted(Counter(used)) or self._broken(solution)

    def _look_at(self, cells: Shape) -> _Form | None:
        """The form of a placement; None if it does not lie on the board."""
        if not cells or not cells <= self._instance.board:
            return None
        form = self._congruent.form(cells)
        if len(self._known) < _REMEMBERED:
            self._known[cells] = form
        return form

    def _wrong(self, placement: Placement) -> str:
        """What is wrong with a placement that is not one of its tile on the board."""
        if placement.tile not in self._forms:
            return "there is no tile of that name"
        if not placement.cells:
            return "it covers no cell"
        outside = placement.cells - self._instance.board
        if outside:
            return f"{min(outside)} is not a cell of the board"
        how = "" if self._instance.reflections else " (reflections are not allowed)"
        return f"its cells do not have the shape of the tile{how}"

    def _miscounted(self, used: Mapping[_Form, int]) -> str | None:
        """Which tile is used too often or too seldom."""
        for tile in self._instance.tiles:
            form = self._forms[tile.name]
            copies = used.get(form, 0)
            if form in self._at_most and copies > self._at_most[form]:
                return f"tile {tile.name} is used {copies} times, at most {self._at_most[form]} are allowed"
            if copies < self._at_least[form]:
                return f"tile {tile.name} is used {copies} times, at least {self._at_least[form]} are needed"
        return None

    def _broken(self, solution: Sequence[Placement]) -> str | None:
        """Which placement a constraint forbids, or that a placed copy is missing."""
        reasons = (_broken(constraint, self._instance, solution, self._congruent) for constraint in self._instance.constraints)
        return next(filter(None, reasons), None)


def _overlap(solution: Sequence[Placement]) -> str:
    """Which placement covers a cell that one before it covers; there is one."""
    covered: set[Cell] = set()
    for number, placement in enumerate(solution, 1):
        twice = placement.cells & covered
        if twice:
            return f"placement {number} ({placement.tile}): {min(twice)} is covered already"
        covered |= placement.cells
    raise AssertionError("no placement overlaps another")


def _broken(constraint: Constraint, instance: Instance, solution: Sequence[Placement], congruent: _Congruence) -> str | None:
    """Which placement a constraint forbids, or that a placed copy is missing."""
    shape = next(tile.shape for tile in instance.tiles if tile.name == constraint.tile)
    least = congruent.form(shape)
    own = [placement for placement in solution if congruent.form(placement.cells) == least]
    if constraint.kind == "place":
        placed = frozenset(constraint.cells) in [placement.cells for placement in own]
        return None if placed else "the copy that is placed already is missing"
    for placement in own:
        cells = placement.cells
        name = f"{placement.tile} on {min(cells)}"
        if constraint.kind == "forbid" and cells & frozenset(constraint.cells):
            return f"{name}: it covers a cell that is forbidden to it"
        if constraint.kind == "only" and cells not in placements_left(constraint, len(cells)):
            return f"{name}: it lies on none of the places that are left to it"
        if constraint.kind == "within":
            low, high = constraint.cells
            if any(not a <= x <= b for cell in cells for a, x, b in zip(low, cell, high, strict=True)):
                return f"{name}: it leaves the box that it has to stay within"
        if constraint.kind == "lock" and congruent.orientation(cells) >= constraint.orientations:
            return f"{name}: it is not locked in an orientation that is allowed"
    return None


class _Congruence:
    """The ways to turn shapes that an instance allows, remembered per shape at the origin."""

    def __init__(self, lattice: Lattice, reflections: bool) -> None:
        self._lattice, self._reflections = lattice, reflections
        self._known: dict[tuple[Cell, ...], _Form] = {}

    def form(self, cells: Shape) -> _Form:
        """What all shapes congruent to this one share; where the board is in space, a plane shape is its layer 0."""
        near = self._near_origin(cells)
        if near not in self._known:
            self._known[near] = min(corners.turned(self._lattice, near, self._reflections))
        return self._known[near]

    def orientation(self, cells: Shape) -> int:
        """Which of the ways to turn it a shape has."""
        here = corners.at_origin(corners.corners(self._lattice, cell) for cell in cells)
        return corners.turned(self._lattice, cells, self._reflections).index(here)

    def _near_origin(self, cells: Shape) -> tuple[Cell, ...]:
        low = tuple(map(min, *cells)) if len(cells) > 1 else next(iter(cells))
        if len(low) < self._lattice.dimension:
            return self._near_origin(frozenset((0, *cell) for cell in cells))
        corner = [a - a % m for a, m in zip(low, self._lattice.moduli, strict=True)]
        return tuple(sorted([tuple(map(sub, cell, corner)) for cell in cells]))
