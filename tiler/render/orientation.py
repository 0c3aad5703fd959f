"""Find how the pieces of a tiling lie: the turn of each, and for pieces of two cells also the place on the checkerboard.

Dominoes have four orientations: across or upright, each with its first cell black or white. Lozenges have three. In a frozen
corner of an Aztec diamond all dominoes have one orientation; the turn alone does not distinguish two opposite corners.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Shape, move
from tiler.model.tile import Placement


class Orientation(NamedTuple):
    """A way for a tile to lie."""

    tile: str
    turn: int  #: the number of the variant in the list of the variants of the tile
    colour: int  #: for a tile of two cells the checkerboard colour of the lesser cell, 1 or -1; else 0


def kinds(instance: Instance, names: Iterable[str]) -> list[Orientation]:
    """All orientations that the tiles with these names can have, also if the board has no room for some of them."""
    orientations_of_tiles = []
    for name in sorted(names):
        for turn, variant in enumerate(_variants(instance, name)):
            places = [variant, *(move(variant, step) for step in _steps(instance))]
            orientations_of_tiles += sorted({Orientation(name, turn, _colour(instance, place)) for place in places}, reverse=True)
    return orientations_of_tiles


def orientations(instance: Instance, tiling: Sequence[Placement]) -> list[Orientation]:
    """The orientation of every placement."""
    lattice, wrap = instance.lattice, instance.wrap
    turns = {name: _variants(instance, name) for name in {placement.tile for placement in tiling}}
    known = {name: {variant: turn for turn, variant in enumerate(variants)} for name, variants in turns.items()}
    lying = []
    for name, cells in ((placement.tile, placement.cells) for placement in tiling):
        if not wrap:
            lying.append(Orientation(name, known[name][lattice.normalise(cells)], _colour(instance, cells)))
            continue
        laid = ((turn, wrap.lying(lattice, variant, cells)) for turn, variant in enumerate(turns[name]))
        turn, whole = next((turn, whole) for turn, whole in laid if whole is not None)
        lying.append(Orientation(name, turn, _colour(instance, whole)))
    return lying


def _variants(instance: Instance, name: str) -> tuple[Shape, ...]:
    return instance.variants(instance.distinct_tiles[instance.number_of(name)])


def _steps(instance: Instance) -> list[Cell]:
    """The shortest translation of the lattice along each axis."""
    moduli = instance.lattice.moduli
    return [tuple(m if axis == along else 0 for axis, m in enumerate(moduli)) for along in range(len(moduli))]


def _colour(instance: Instance, cells: Shape) -> int:
    """The checkerboard colour of the lesser cell of a pair. It is 0 for other tiles, and if the wrap joins cells so that colours
    change."""
    has_colours = len(cells) == 2 and all(map(instance.lattice.keeps_colours, instance.wrap.vectors))
    return instance.lattice.colour(min(cells)) if has_colours else 0
