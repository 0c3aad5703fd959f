"""Write a problem in other forms that mean the same, so that a solver without a random choice has a spread of seconds, too.

Form 0 is the problem as it is written. In any other form, the board and its tiles are taken to others by an isometry of the
lattice, the tiles have another order, and their names are exchanged. Cells and placements then get other numbers by themselves,
since covers sort them (`BoardCover`). A general exact cover has no geometry: there items and options have another order.

tdoku's benchmarks permute puzzles so (Dillon 2019), and SMT-COMP scrambles its files against solvers that know them (Weber et
al., The SMT Competition 2015 to 2018, JSAT 11, 2019).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from random import Random

from tiler.ask.solve import CoverAnswer, TilingAnswer, solve, solve_cover
from tiler.bench.general_cover import GeneralCover
from tiler.errors import BadSolution
from tiler.model.instance import Instance
from tiler.model.lattice import Isometry
from tiler.model.tile import Placement
from tiler.model.verify import error_in
from tiler.question.question import Question


@dataclass(frozen=True)
class ScrambledForm:
    """A form of an instance: what is asked, and how it was made."""

    original: Instance
    instance: Instance
    isometry: Isometry  #: takes the original board to the board of this form
    names: Mapping[str, str]  #: the original name of each tile, by its name here

    def ask(self, solver: str, question: Question) -> TilingAnswer:
        """The answer to a question about this form, whose tilings are verified."""
        return solve(self.instance, solver, question)

    def originals(self, tiling: Iterable[Placement]) -> tuple[Placement, ...]:
        """A tiling of this form as a tiling of the original, which is verified once more; BadSolution if it does not hold."""
        if self.instance is self.original:
            return tuple(tiling)
        back = self.isometry.inverse()
        tiles, number_of = self.original.distinct_tiles, self.original.number_of
        lying = tuple(
            Placement(
                tiles[number_of(self.names[placement.tile])].name,
                back.image(placement.cells),
                placement.coat.carried(back),
            )
            for placement in tiling
        )
        wrong = error_in(self.original, lying)
        if wrong:
            raise BadSolution(f"the tiling of a scrambled form is none of the problem itself: {wrong}")
        return lying


@dataclass(frozen=True)
class ScrambledCover:
    """A form of a general exact cover."""

    form: GeneralCover

    def ask(self, solver: str, question: Question) -> CoverAnswer:
        """The answer to a question about this form, whose solutions are verified."""
        return solve_cover(self.form.cover, solver, question, name=self.form.name)


def form_of(problem: Instance | GeneralCover, number: int) -> ScrambledForm | ScrambledCover:
    """The form of a problem with a number, always the same one; form 0 is the problem itself."""
    return ScrambledCover(problem.scrambled(number)) if isinstance(problem, GeneralCover) else form_of_instance(problem, number)


def form_of_instance(instance: Instance, number: int) -> ScrambledForm:
    """The form of an instance with a number, always the same one; form 0 is the instance itself."""
    names = list(dict.fromkeys(tile.name for tile in instance.tiles))
    if number == 0:
        return ScrambledForm(instance, instance, instance.lattice.isometries(False)[0], {name: name for name in names})
    chance = Random(f"{instance.digest} {number}")
    turn = chance.choice(instance.carriers)
    corner = instance.lattice.corner(turn.image(instance.board))
    isometry = replace(turn, offset=tuple(-a for a in corner))
    new_names = dict(zip(names, chance.sample(names, len(names)), strict=True))
    carried = instance.carried(isometry, new_names)
    tiles = tuple(chance.sample(carried.tiles, len(carried.tiles)))
    return ScrambledForm(instance, replace(carried, tiles=tiles), isometry, {new: old for old, new in new_names.items()})
