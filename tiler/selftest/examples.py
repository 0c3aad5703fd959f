"""Instances with what the brute force says about them, and how they are put to a backend.

Tiny problems have names; each needs one thing that a solver can get wrong. They are written as in files: BOARDS as in
docs/reference/problems.md, COVERS in the format of Knuth's programs.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cache, cached_property

from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.base import Backend
from tiler.cover.board import BoardCover
from tiler.formats import library
from tiler.model.about import About
from tiler.model.expected import Expected
from tiler.model.instance import Instance
from tiler.question.question import Goal, Question
from tiler.question.result import Result
from tiler.selftest import brute_force
from tiler.selftest.brute_force import Tiling, as_tiling
from tiler.selftest.rows_brute_force import RowsExample

#: By name: the text of a problem file.
BOARDS = {
    "one cell": "1x1\n\n1",
    "one tiling": "2x2\n\n4O",
    "none, by the area": "3x1\n\n2",
    "none, though the area fits": "4x2\n\n4T",
    "a cell that nothing covers": "x.xx\n\n2",
    "a tile larger than the board": "2x1\n\n2\n5I",
    "two lengths": "4x1\n\n1\n2",
    "lower bounds": "4x1\n\n2..2:1\n2",
    "lower bounds that nothing meets": "5x1\n\n2..:2\n2..:1",
    "upper bounds": "4x1\n\n2:1\n2",
    "both bounds": "5x1\n\n1..3:1\n1..1:2\n3I",
    "a bound on each copy": "3x2\n\n2:3L",
    "two tiles that are one": "3x2\n\na = 1..1:2\nb = 1:2\nc = 1..1:2",
    "an open cell": "xxo\n\n2",
    "open cells": "oox\noxx\n\n2",
    "every cell open": "ooo\n\n2",
    "exactly two open cells": "# open: 2..2\n\n2x2\n\n1\n2",
    "at least one open cell": "# open: 1..\n\noxo\n\n1\n2",
    "open cells and bounds": "ooxx\n\n1..1:2\n1:1",
    "a group of open cells": "# labels: a b c\n# group: all a b c\n\noooxx\n\n2",
    "two groups of open cells": "# labels: a b c d\n# group: left a b\n# group: right c d\n\nooxx\nxxoo\n\n2\n3L",
    "a hole": "xxx\nx.x\nxxx\n\n2",
    "two parts of a board": "xx.xx\nxx.xx\n\n2",
    "two parts, one without a tiling": "xx.xxx\n\n2",
    "bounds across two parts": "xx.xx\n\n1..1:2\n1",
    "a tile in two parts": "# disconnected: yes\n\n4x1\n\nx.x",
    "turning": "3x2\n\n3L\n2",
    "no turning": "# turning: no\n\n3x2\n\n2\n1:x/x",
    "turning over": "# reflections: yes\n\n4x2\n\n4L",
    "no turning over": "# reflections: no\n\n4x2\n\n4L\n4S",
    "mirror images that are two tiles": "# reflections: no\n\nxx..\n.xxx\n\n1:.xx/xx.\n2:2\n1:xx./.xx\n1",
    "a turn that is left out": "# lock: 2 1\n\n3x2\n\n2\n1",
    "a copy that lies fixed": "# place: 2 0,0 0,1\n\n3x2\n\n2\n1..:1",
    "cells that are forbidden": "# forbid: 0,0 for 2\n# within: 1 0,0..0,1\n\n3x2\n\n2\n1",
    "a cylinder": "# wrap: columns\n\n3x2\n\n2",
    "a torus": "# wrap: rows columns\n\n2x2\n\n2",
    "a torus that is turned": "# wrap: 0,4 1,1\n\n4x1\n\n2",
    "cubes": "2x2x2\n\n2",
    "cubes that are turned over": "3x2x1\n\n3L",
    "hexagons": "# lattice: hexagonal\n\nhex:2\n\n2-1\n3-1",
    "triangles": "# lattice: triangular\n\nhex:1\n\n2-1\n3-1",
    "edges": "# lattice: square-edges\n\n1x1\n\n2-1\n2-2",
    "edges that must not cross": "# lattice: square-edges\n# crossing: no\n\n2x2\n\n2-1\n2-2",
    "prisms": "# lattice: triangular-prisms\n\nhex:1\n\n2-1\n2-2",
    "one place in four ways": "1x1\n\n1 [ab..]",
    "marks on the border": "# border: a\n\n2x1\n\n1 [aab.]\n1 [a...]",
    "colours": "# colours: b black, w white\n\nbwb\nwbw\n\nbw\n1:bwb",
    "another back": "# colours: b black, w white\n# reflections: yes\n\nbww\n\n1:b | w\n1..:bw | wb\n1:w | b",
    "marks that meet": "2x1\n\n1 [ab..]\n1:1 [aabb]",
    "marks that mate": "# mates: tab blank\n\n2x1\n\n1:1 [. tab . .]\n1:1 [. blank . .]",
}

#: By name: the text of a file with a general exact cover. Every option has a primary item.
COVERS = {
    "rows": "a b c d e f g\nc e\na d g\nb c f\na d f\nb g\nd e g",
    "rows without a solution": "a b c\na b\nb c\na c",
    "an item that no row covers": "a b\na",
    "one row": "a b\na b",
    "equal rows": "a b\na\na\nb\na b",
    "secondary items": "a b | x y\na x\na y\nb x\nb y\nb",
    "nothing but a secondary clash": "a b | x\na x\nb x",
    "rows with colours": "a b c | x\na x:1\na x:2\nb x:1\nb x\nc x:2\nc x:1\nc",
    "an item covered twice": "a b 2|c\na c\nb c\na b\na",
    "items covered once or twice": "a b 1:2|c 0:1|d\na c\nb c\na d\nb d\na b",
    "an item that may be left out": "a 0:2|b\na b\nb\nb\na",
    "rows of many lengths": "a b c d 2:3|n\na n\nb n\nc d n\nc n\nd n\na b c d n\na b",
}


@cache
def named_examples() -> tuple[Example | RowsExample, ...]:
    """The problems with the answers of the brute force, the smallest first."""
    boards = [Example.of(formats.parse(text, name=name)) for name, text in BOARDS.items()]
    covers = [RowsExample.of(name, text) for name, text in COVERS.items()]
    return tuple(sorted([*filter(None, boards), *covers], key=lambda example: example.size))


#: Problems that come with Tiler, with 40 to 72 cells and few tilings, whose number is known from elsewhere.
KNOWN = ("colours/spots-5_s", "triangular/hexiamonds-notched-hexagon-1_s")


@cache
def known_examples() -> tuple[KnownExample, ...]:
    """The larger problems, those of them that are installed."""
    installed = set(library.names())
    return tuple(KnownExample(formats.read(name)) for name in KNOWN if name in installed)


MANY = 300  #: the most tilings of an instance


@dataclass(frozen=True)
class BoardExample:
    """An instance, and how it is put to a backend."""

    instance: Instance

    @cached_property
    def cover(self) -> BoardCover:
        """The cover, which is listed once for all questions."""
        return BoardCover.of(self.instance)

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
        return answer.result, [as_tiling(solution) for solution in answer.solutions]


@dataclass(frozen=True)
class KnownExample(BoardExample):
    """An instance whose number of tilings is known, while there are too many cells for the brute force."""

    @property
    def weighted(self) -> KnownExample:
        """The same: nothing is known of weights."""
        return self

    @property
    def problem(self) -> Instance:
        """What is asked about; its file has the known numbers."""
        return self.instance

    @property
    def tilings_there_are(self) -> int:
        """The number of tilings."""
        return self.number(up_to_symmetry=False)

    def number(self, up_to_symmetry: bool) -> int:
        """The known number of tilings."""
        expected = self.instance.about.expected
        number = expected.up_to_symmetry if up_to_symmetry else expected.count
        assert number is not None
        return number

    def suits(self, question: Question) -> bool:
        """Whether the answer to a question follows from the numbers."""
        return question.goal in (Goal.DECIDE, Goal.COUNT, Goal.ENUMERATE)


@dataclass(frozen=True)
class Example(BoardExample):
    """An instance with the answers of the brute force."""

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

    @property
    def tilings_there_are(self) -> int:
        """The number of tilings."""
        return len(self.tilings)

    def suits(self, question: Question) -> bool:
        """Whether a question can be asked about it: every question can."""
        return True

    @cached_property
    def weighted(self) -> Example:
        """The instance with weights of the tiles, some of them negative."""
        instance = self.instance
        weights = {tile.name: 3 * number * number - 4 for number, tile in enumerate(instance.distinct_tiles)}
        named = [instance.distinct_tiles[instance.number_of(tile.name)].name for tile in instance.tiles]
        tiles = [dataclasses.replace(tile, weight=weights[name]) for tile, name in zip(instance.tiles, named, strict=True)]
        return Example(dataclasses.replace(instance, tiles=tuple(tiles)), self.tilings)

    @cached_property
    def problem(self) -> Instance:
        """What is asked about, with the right numbers as the expected ones."""
        expected = Expected(count=len(self.tilings), up_to_symmetry=len(set(self.orbits.values())))
        return dataclasses.replace(self.instance, about=About(expected=expected))

    def shown(self, option: int) -> Tiling:
        """What an option of the cover places."""
        return as_tiling(self.cover.placements([option]))

    def weight(self, tiling: Tiling) -> int:
        """The sum of the weights of the tiles."""
        weight = {tile.name: tile.weight for tile in self.instance.tiles}
        return sum(weight[name] for name, _ in tiling)
