"""The package's brute force, for tests whose examples hypothesis draws: for one with too many tilings another is drawn."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from math import inf
from typing import TypeVar

from hypothesis import currently_in_test_context, reject

from tiler.model.instance import Instance
from tiler.model.tile import Tile
from tiler.selftest import brute_force
from tiler.selftest.brute_force import (
    Tiling,
    as_tiling,
    at_origin,
    distinct,
    images,
    moved,
    obeys,
    placements,
    places,
    symmetries,
    turns,
)

__all__ = [
    "Tiling",
    "allowed_tilings",
    "as_tiling",
    "at_origin",
    "distinct",
    "images",
    "moved",
    "number",
    "obeys",
    "orbits",
    "placements",
    "places",
    "symmetries",
    "tilings",
    "turns",
]

MANY = 500

T = TypeVar("T")


def _some(found: Callable[[Instance, float], T], instance: Instance) -> T:
    try:
        named = tuple((tile.name, tile) for tile in instance.tiles)
        return _known(found, instance, named, MANY if currently_in_test_context() else inf)
    except brute_force.TooManyError:
        reject()


@lru_cache(256)
def _known(found: Callable[[Instance, float], T], instance: Instance, named: tuple[tuple[str, Tile], ...], most: float) -> T:
    """Several solvers are asked about an instance one after the other; equal ones may call their tiles by other names."""
    return found(instance, most)


def tilings(instance: Instance) -> set[Tiling]:
    """See there, as of the others."""
    return _some(brute_force.tilings, instance)


def allowed_tilings(instance: Instance) -> set[Tiling]:
    return _some(brute_force.allowed_tilings, instance)


def orbits(instance: Instance) -> set[frozenset[Tiling]]:
    return _some(brute_force.orbits, instance)


def number(instance: Instance) -> int:
    """How many tilings keep to the constraints, on long boards too: what is the same from some cell on is counted once."""
    pieces = distinct(instance)
    low, high = (tuple(map(some, zip(*instance.board, strict=True))) for some in (min, max))
    axes = sorted(range(len(low)), key=lambda axis: low[axis] - high[axis])  # along the longest
    cells = sorted(instance.board, key=lambda cell: [cell[axis] for axis in axes])
    bit = {cell: 1 << number for number, cell in enumerate(cells)}
    told = [name for name, piece in pieces.items() if piece.least or piece.most < inf]
    placed = {cell for each in instance.constraints if each.kind == "place" for cell in each.cells}
    by_first: dict[int, list[tuple[int, str]]] = {mask: [] for mask in bit.values()}
    for name, lying in placements(instance):
        mask = sum(bit[cell] for cell in lying)
        by_first[mask & -mask].append((mask, name))
    free = {bit[cell] for cell in instance.optional - placed}
    least_open, most_open = instance.open or (0, len(free))

    @cache
    def ways(rest: int, used: tuple[int, ...], still_open: int) -> int:
        if not rest:
            enough = all(n >= pieces[name].least for n, name in zip(used, told, strict=True))
            return int(enough and still_open >= least_open)
        first = rest & -rest
        total = ways(rest - first, used, still_open + 1) if first in free and still_open < most_open else 0
        for mask, name in by_first[first]:
            if mask & rest != mask:
                continue
            after = tuple(n + (name == each) for n, each in zip(used, told, strict=True))
            if all(n <= pieces[each].most for n, each in zip(after, told, strict=True)):
                total += ways(rest & ~mask, after, still_open)
        return total

    return ways((1 << len(cells)) - 1, (0,) * len(told), 0)
