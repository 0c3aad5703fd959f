"""Write a problem in other forms that mean the same, so that a solver without a random choice has a spread of seconds, too.

Form 0 is the problem as it is written. In any other form, the board and its tiles are taken to others by an isometry of the
lattice, the tiles have another order, and their names are exchanged. Cells and placements then get other numbers by themselves,
since covers sort them (`BoardCover`).

tdoku's benchmarks permute puzzles so (Dillon 2019), and SMT-COMP scrambles its files against solvers that know them (Weber et
al., The SMT Competition 2015 to 2018, JSAT 11, 2019).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from random import Random

from tiler.errors import BadSolution
from tiler.model import paint, wrap
from tiler.model.constraints import Constraint
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Isometry, Shape
from tiler.model.open_cells import OpenGroup
from tiler.model.tile import Placement, Tile
from tiler.model.verify import error_in


@dataclass(frozen=True)
class Form:
    """A form of an instance: what is asked, and how it was made."""

    original: Instance
    instance: Instance
    isometry: Isometry  #: takes the original board to the board of this form
    names: Mapping[str, str]  #: the original name of each tile, by its name here

    def originals(self, tiling: Iterable[Placement]) -> tuple[Placement, ...]:
        """A tiling of this form as a tiling of the original, which is verified once more; BadSolution if it does not hold."""
        if self.instance is self.original:
            return tuple(tiling)
        back = self.isometry.inverse()
        tiles, number_of = self.original.distinct_tiles, self.original.number_of
        lying = tuple(
            Placement(
                tiles[number_of(self.names[placement.tile])].name,
                frozenset(back.images(placement.cells)),
                placement.coat.carried(back),
            )
            for placement in tiling
        )
        wrong = error_in(self.original, lying)
        if wrong:
            raise BadSolution(f"the tiling of a scrambled form is none of the problem itself: {wrong}")
        return lying


def form_of(instance: Instance, number: int) -> Form:
    """The form of an instance with a number, always the same one; form 0 is the instance itself."""
    names = {tile.name: tile.name for tile in instance.tiles}
    if number == 0:
        return Form(instance, instance, instance.lattice.isometries(False)[0], names)
    chance = Random(f"{instance.digest} {number}")
    turn = chance.choice(_isometries(instance))
    offset = instance.lattice.corner(frozenset(turn.images(instance.board)))
    isometry = replace(turn, offset=tuple(-a for a in offset))
    new_names = dict(zip(names, chance.sample(list(names), len(names)), strict=True))
    tiles = [_image_of_tile(instance, tile, turn, new_names[tile.name]) for tile in instance.tiles]
    chance.shuffle(tiles)
    return Form(
        instance,
        replace(
            instance,
            board=_image(isometry, instance.board),
            tiles=tuple(tiles),
            optional=_image(isometry, instance.optional),
            constraints=tuple(_image_of_constraint(each, isometry, new_names) for each in instance.constraints),
            wrap=wrap.wrap_of(turn.images(instance.wrap.vectors)),
            together=tuple(tuple(new_names[name] for name in group) for group in instance.together),
            ground=instance.ground.carried(isometry),
            groups=tuple(OpenGroup(group.name, _image(isometry, group.cells)) for group in instance.groups),
            labels=tuple(sorted((isometry(cell), label) for cell, label in instance.labels)),
        ),
        isometry,
        {new: old for old, new in new_names.items()},
    )


def _isometries(instance: Instance) -> tuple[Isometry, ...]:
    """The isometries of the lattice that leave the meaning of each setting; the identity comes first."""
    every = instance.lattice.isometries(True)
    if any(constraint.orientations for constraint in instance.constraints):  # The ways of a tile are numbered.
        return every[:1]
    if any(constraint.kind == "within" for constraint in instance.constraints):  # A box must stay a box.
        every = tuple(turn for turn in every if all(sum(map(abs, row)) == 1 for row in turn.matrix))
    if instance.is_layer:  # Solvers for flat boards know them by their layer.
        every = tuple(turn for turn in every if not any(turn.matrix[0][1:]))
    return every


def _image(isometry: Isometry, cells: Shape) -> Shape:
    return frozenset(isometry.images(cells))


def _image_of_tile(instance: Instance, tile: Tile, turn: Isometry, name: str) -> Tile:
    lattice = instance.lattice
    lifted = tile.paint.carried(lambda cell: paint.lifted(cell, lattice.dimension))
    shape = _image(turn, lattice.lift(tile.shape))
    return replace(tile, name=name, shape=shape, lattice=lattice, paint=lifted.carried(turn))


def _image_of_constraint(constraint: Constraint, isometry: Isometry, names: Mapping[str, str]) -> Constraint:
    cells: tuple[Cell, ...] = tuple(isometry.images(constraint.cells))
    if constraint.kind == "within":
        low, high = (tuple(map(choose, *cells)) for choose in (min, max))
        cells = low, high
    elif constraint.kind in ("place", "forbid"):
        cells = tuple(sorted(cells))
    return replace(constraint, tile=names[constraint.tile], cells=cells)
