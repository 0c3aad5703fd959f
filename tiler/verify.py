"""Check a solution against an instance, from scratch: nothing here is shared with the code that lists placements or searches.

Deliberately naive: it turns shapes with its own few lines and compares sets of cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import permutations, product

from tiler.constraints import Constraint
from tiler.geometry import Cell, Shape
from tiler.instance import Instance, Placement


def problem(instance: Instance, solution: Sequence[Placement]) -> str | None:
    """What is wrong with a solution, in words, or None if it is a tiling of the board as the instance wants it."""
    congruent = _Congruence(len(next(iter(instance.board))), instance.reflections)
    names = {tile.name: congruent.least(tile.shape) for tile in instance.tiles}
    covered: set[Cell] = set()
    used: Counter[frozenset[Cell]] = Counter()
    for number, placement in enumerate(solution, 1):
        here = f"placement {number} ({placement.tile})"
        if placement.tile not in names:
            return f"{here}: there is no tile of that name"
        if not placement.cells:
            return f"{here}: it covers no cell"
        outside = placement.cells - instance.board
        if outside:
            return f"{here}: {min(outside)} is not a cell of the board"
        least = congruent.least(placement.cells)
        if least != names[placement.tile]:
            how = "" if instance.reflections else " (reflections are not allowed)"
            return f"{here}: its cells do not have the shape of the tile{how}"
        twice = placement.cells & covered
        if twice:
            return f"{here}: {min(twice)} is covered already"
        covered |= placement.cells
        used[least] += 1
    missing = instance.board - instance.optional - covered
    if missing:
        others = f", nor are {len(missing) - 1} others" if len(missing) > 1 else ""
        return f"{min(missing)} is not covered{others}"
    at_most: Counter[frozenset[Cell]] = Counter()
    at_least: Counter[frozenset[Cell]] = Counter()
    unlimited = set()
    for tile in instance.tiles:
        least = names[tile.name]
        at_least[least] += tile.at_least
        if tile.at_most is None:
            unlimited.add(least)
        else:
            at_most[least] += tile.at_most
    for tile in instance.tiles:
        least = names[tile.name]
        if least not in unlimited and used[least] > at_most[least]:
            return f"tile {tile.name} is used {used[least]} times, at most {at_most[least]} are allowed"
        if used[least] < at_least[least]:
            return f"tile {tile.name} is used {used[least]} times, at least {at_least[least]} are needed"
    for constraint in instance.constraints:
        broken = _broken(constraint, instance, solution, congruent)
        if broken:
            return broken
    return None


def _broken(constraint: Constraint, instance: Instance, solution: Sequence[Placement], congruent: _Congruence) -> str | None:
    """Which placement a constraint forbids, or that a placed copy is missing."""
    least = congruent.least(instance.distinct_tiles[constraint.tile].shape)
    own = [placement.cells for placement in solution if congruent.least(placement.cells) == least]
    if constraint.kind == "place":
        return None if frozenset(constraint.cells) in own else "the copy that is placed already is missing"
    for cells in own:
        name = f"{instance.distinct_tiles[constraint.tile].name} on {min(cells)}"
        if constraint.kind == "forbid" and cells & frozenset(constraint.cells):
            return f"{name}: it covers a cell that is forbidden to it"
        if constraint.kind == "within":
            low, high = constraint.cells
            if any(not a <= x <= b for cell in cells for a, x, b in zip(low, cell, high, strict=True)):
                return f"{name}: it leaves the box that it has to stay within"
        if constraint.kind == "lock" and congruent.images(cells).index(_at_origin(list(cells))) >= constraint.orientations:
            return f"{name}: it is not locked in an orientation that is allowed"
    return None


class _Congruence:
    """The least image of a shape under the isometries that an instance allows, remembered per shape at the origin."""

    def __init__(self, dimension: int, reflections: bool) -> None:
        self.dimension = dimension
        self.matrices = [
            (axes, signs)
            for axes in permutations(range(dimension))
            for signs in product((1, -1), repeat=dimension)
            if reflections or _determinant(axes, signs) == 1
        ]
        self.known: dict[tuple[Cell, ...], frozenset[Cell]] = {}

    def least(self, shape: Shape) -> frozenset[Cell]:
        cells = [(0,) * (self.dimension - len(cell)) + cell for cell in shape]
        at_origin = _at_origin(cells)
        if at_origin not in self.known:
            self.known[at_origin] = frozenset(self.images(cells)[0])
        return self.known[at_origin]

    def images(self, cells: Iterable[Cell]) -> list[tuple[Cell, ...]]:
        """The distinct ways to turn some cells, at the origin, the least first."""
        turned = (
            [tuple(sign * cell[axis] for axis, sign in zip(axes, signs, strict=True)) for cell in cells]
            for axes, signs in self.matrices
        )
        return sorted(set(map(_at_origin, turned)))


def _at_origin(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    low = [min(axis) for axis in zip(*cells, strict=True)]
    return tuple(sorted(tuple(a - b for a, b in zip(cell, low, strict=True)) for cell in cells))


def _determinant(axes: tuple[int, ...], signs: tuple[int, ...]) -> int:
    swaps = sum(axes[i] > axes[j] for i in range(len(axes)) for j in range(i + 1, len(axes)))
    result = -1 if swaps % 2 else 1
    for sign in signs:
        result *= sign
    return result
