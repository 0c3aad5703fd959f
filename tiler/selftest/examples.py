"""An instance with what the brute force says about it, and how it is put to a backend."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property

from tiler.ask.solve import solve
from tiler.backends.base import Backend
from tiler.cover.board import BoardCover
from tiler.model.instance import Instance
from tiler.question.question import Question
from tiler.question.result import Result
from tiler.selftest import brute_force
from tiler.selftest.brute_force import Tiling, as_tiling

MANY = 300  #: the most tilings of an instance


@dataclass(frozen=True)
class Example:
    """An instance with the answers of the brute force."""

    instance: Instance
    tilings: frozenset[Tiling]

    @classmethod
    def of(cls, instance: Instance) -> Example | None:
        """Ask the brute force about an instance. None if there are too many tilings."""
        try:
            return cls(instance, frozenset(brute_force.allowed_tilings(instance, MANY)))
        except brute_force.TooManyError:
            return None

    @cached_property
    def orbits(self) -> dict[Tiling, frozenset[Tiling]]:
        """For every tiling a representative of its orbit."""
        return {tiling: orbit for orbit in brute_force.orbits(self.instance, MANY) for tiling in orbit}

    @cached_property
    def order(self) -> int:
        return len(brute_force.symmetries(self.instance))

    @cached_property
    def cover(self) -> BoardCover:
        """The cover, which is listed once for all questions."""
        return BoardCover.of(self.instance)

    @cached_property
    def weighted(self) -> Example:
        """The instance with weights of the tiles, some of them negative."""
        instance = self.instance
        weights = {tile.name: 3 * number * number - 4 for number, tile in enumerate(instance.distinct_tiles)}
        named = [instance.distinct_tiles[instance.number_of(tile.name)].name for tile in instance.tiles]
        tiles = [dataclasses.replace(tile, weight=weights[name]) for tile, name in zip(instance.tiles, named, strict=True)]
        return Example(dataclasses.replace(instance, tiles=tuple(tiles)), self.tilings)

    @property
    def problem(self) -> Instance:
        """What is asked about."""
        return self.instance

    @property
    def name(self) -> str:
        """The name of the problem; empty for one that was drawn."""
        return self.instance.name

    @property
    def kind(self) -> str:
        """The lattice in words; a wrapped board counts as another lattice, and so does one with paint."""
        instance = self.instance
        return f"{instance.lattice.name}{' wrapped' * bool(instance.wrap)}{' painted' * instance.is_painted}"

    @property
    def size(self) -> int:
        """The number of cells."""
        return len(self.instance.board)

    def ask(self, backend: Backend, question: Question) -> tuple[Result, list[Tiling]]:
        """The answer of a backend, and the tilings that it shows."""
        answer = solve(self.instance, backend, question, cover=self.cover)
        return answer.result, [as_tiling(each) for each in answer.solutions]

    def shown(self, option: int) -> Tiling:
        """What an option of the cover places."""
        return as_tiling(self.cover.placements([option]))

    def weight(self, tiling: Tiling) -> int:
        """The sum of the weights of the tiles."""
        weight = {tile.name: tile.weight for tile in self.instance.tiles}
        return sum(weight[name] for name, _ in tiling)
