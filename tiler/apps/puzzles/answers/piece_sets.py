"""Show and save sets of pieces that fill a board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tiler.amounts import counted
from tiler.api.answers import instance_picture
from tiler.api.answers.saving import Drawable, Forms, json_lines
from tiler.apps.puzzles.grade import LEVELS, Grade
from tiler.apps.puzzles.part_classes import parts_of
from tiler.formats import text
from tiler.model.instance import Instance
from tiler.model.lattice import Shape
from tiler.model.tile import Placements
from tiler.printable import line
from tiler.process import files
from tiler.question.parameters import COUNT, NATURAL, one_of, parameter
from tiler.render import table
from tiler.render.options import USUAL, PictureLook

SCHEMA = "tiler-pieces-1"

_TURNED_OVER = {None: "", True: ", which may be turned over", False: ", not turned over (--reflections allows it)"}


@dataclass(frozen=True)
class WantedPieces:
    """Which sets of pieces are looked for."""

    pieces: int | None = parameter(None, "take N pieces in a set", COUNT, absent="any number")
    unique: bool = parameter(False, "keep sets with exactly one tiling up to symmetry", excludes="wanted")
    all_open: bool = parameter(False, "keep sets with a tiling for every set of open cells", excludes="wanted")
    at_least: int = parameter(
        1, "keep sets with at least N tilings; if all sets of open cells are asked for, with N for each of them", COUNT
    )
    level: str | None = parameter(None, "keep sets that are this hard for people", one_of(*LEVELS), absent="any")
    limit: int | None = parameter(None, "list N sets", COUNT, absent="all")
    most: bool = parameter(False, "list sets with the most tilings first", excludes="order")
    seed: int | None = parameter(
        None,
        "draw sets at random, without counting the tilings of all sets first; the same seed gives the same sets",
        NATURAL,
        metavar="SEED",
        excludes="order",
    )


@dataclass(frozen=True)
class ChosenPieces:
    """A set of pieces that fills the board."""

    instance: Instance  #: with these pieces, all of which must be used
    tilings: int
    nodes: int | None  #: of a complete search by dlx with its default options; None: more than 10 million
    placements: int  #: ways to place a piece
    solution: Placements | None = None  #: the only one up to symmetry, where that was asked for
    fewest: tuple[Shape, int] | None = None  #: the open cells with the fewest tilings, and how many, where all were asked for
    grade: Grade | None = None  #: how hard it is for people; None if all sets of open cells were asked for, or it is too large

    @property
    def pieces(self) -> tuple[str, ...]:
        """Their names, as often as they are used."""
        return tuple(tile.name for tile in self.instance.tiles for _ in range(tile.at_least))

    def summary(self) -> dict[str, Any]:
        """Ready for JSON."""
        least = {}
        if self.fewest:
            cells, number = self.fewest
            least = {"fewest": {"open": sorted(cells), **self.instance.labels_to_json(cells), "tilings": number}}
        return {
            "schema": SCHEMA,
            "pieces": self.pieces,
            "digest": self.instance.digest,
            "reflections": self.instance.reflections,
            "turned_over": self.instance.turned_over,
            "tilings": self.tilings,
            **({"unique": True} if self.solution else {}),
            **least,
            "nodes": self.nodes,
            "placements": self.placements,
            **({"grade": self.grade.to_json()} if self.grade else {}),
        }


@dataclass(frozen=True, repr=False)
class PieceSets(Drawable):
    """Sets of pieces that fill a board, each with the number of its tilings and how hard it is. `str` makes a table of them, and
    `save` writes a file.

    >>> import tiler
    >>> found = tiler.choose(tiler.make("4x4", "1:tetrominoes"), pieces=4)
    >>> found, [each.pieces for each in found]
    (PieceSets(0 of 5 sets of 4 pieces), [])
    """

    instance: Instance  #: with the pool
    wanted: WantedPieces
    found: tuple[ChosenPieces, ...]
    sets: int  #: how many there are, with that number of pieces
    with_tilings: int  #: if sets are drawn, of those that were looked at
    is_all: bool  #: whether `found` are all that there are
    fitting: int  #: as many as `sets`, but only those with as many cells as the tiles are to cover
    looked_at: int  #: until `found` were found: of those with tilings, or if sets are drawn, of those that fit
    sizes: range  #: numbers of cells that the `sets` have
    covered: range  #: numbers of cells that the tiles are to cover
    ended: str = ""  #: why not all that are wanted were found, in words, if a limit or Ctrl-C ended the search

    def __iter__(self) -> Iterator[ChosenPieces]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def __getitem__(self, number: int) -> ChosenPieces:
        return self.found[number]

    @property
    def _sets(self) -> str:
        number = self.wanted.pieces
        return counted(self.sets, "set") + ("" if number is None else f" of {counted(number, 'piece')}")

    def __repr__(self) -> str:
        return f"PieceSets({len(self):,} of {self._sets})"

    def __str__(self) -> str:
        wanted = self.wanted
        what = [
            *([f"one tiling up to symmetry{self._of_parts()}"] if wanted.unique else []),
            *(["a tiling for every set of open cells"] if wanted.all_open else []),
            *([f"at least {wanted.at_least:,} tilings"] if wanted.at_least > 1 else []),
            *([f"the level {wanted.level}"] if wanted.level else []),
        ]
        kept = f"; {len(self):,}{'' if self.is_all else ' or more'} with {' and '.join(what)}" if what else ""
        over = _TURNED_OVER[self.instance.turned_over]
        drawn = "" if wanted.seed is None else f", {self.looked_at:,} drawn"
        total = f"{self._sets}{over}{self._fitting()}{drawn}, {self.with_tilings:,} with a tiling{kept}"
        return "\n".join([*([self._table(), ""] if self.found else []), total, *self._left_out()])

    def _fitting(self) -> str:
        """A phrase with the number of sets that have the right number of cells, if some have not."""
        if self.fitting == self.sets:
            return ""
        if self.fitting:
            return f", {self.fitting:,} of {_range(self.covered)} cells"
        theirs = f", all of {_range(self.sizes)} cells" if self.sizes else ""
        return f"{theirs}, where {_range(self.covered)} are to be covered"

    def _of_parts(self) -> str:
        """How the parts of the board are turned, if it has several."""
        number = len(parts_of(self.instance))
        return f" (each of the {number} parts of the board turned by itself)" if number > 1 else ""

    def _left_out(self) -> list[str]:
        """Why there may be more than are shown."""
        shown = f"{len(self):,} {'is' if len(self) == 1 else 'are'} shown"
        if self.ended:
            number = self.with_tilings if self.wanted.seed is None else self.fitting
            looked = f"{self.looked_at:,} of {counted(number, 'set')} were looked at"
            return [f"unfinished ({self.ended}): {looked}, there may be more"]
        return [] if self.is_all else [f"only {shown}; --limit says how many"]

    def _table(self) -> str:
        wanted = self.wanted
        rows = []
        for each in self.found:
            nodes = "more than 10 million" if each.nodes is None else f"{each.nodes:,}"
            least = [f"{each.fewest[1]:,} ({self._named(each)})"] if each.fewest else []
            level = [] if wanted.all_open else [each.grade.level if each.grade else "too large"]
            rows.append((" ".join(map(line, each.pieces)), f"{each.tilings:,}", *least, nodes, f"{each.placements:,}", *level))
        fewest, level = ["fewest"] * wanted.all_open, ["level"] * (not wanted.all_open)
        return table.draw(rows, ("pieces", "tilings", *fewest, "nodes", "placements", *level))

    def _named(self, each: ChosenPieces) -> str:
        return " ".join(map(each.instance.called, sorted(each.fewest[0]))) if each.fewest else ""

    def json(self) -> str:
        """A line for each set, as `tiler choose --format json` prints it."""
        return json_lines(each.summary() for each in self)

    def problems(self) -> list[str]:
        """A problem file for each set, whose pieces have to be used."""
        return [text.write(each.instance) for each in self]

    def files(self, folder: str | Path) -> list[Path]:
        """The files that `save_problems` writes into a folder: 1.txt, 2.txt and so on."""
        return [Path(folder) / f"{number:0{len(str(len(self)))}}.txt" for number in range(1, len(self) + 1)]

    def save_problems(self, folder: str | Path) -> None:
        """Write the problems into a folder, which is made if need be."""
        Path(folder).mkdir(parents=True, exist_ok=True)
        for path, content in zip(self.files(folder), self.problems(), strict=True):
            files.write(path, content.encode())

    def forms(self, look: PictureLook = USUAL) -> Forms:
        """The sets as .json (a line for each) or .txt, as .problem their problem files one after the other, and the board and the
        pieces of the first set, if there is one, as .svg, .png or .pdf."""
        drawn = instance_picture.pictures_of(self[0].instance, look) if len(self) else {}
        return {"json": self.json, "txt": self.printed, "problem": lambda: "".join(self.problems()), **drawn}


def _range(numbers: range) -> str:
    return f"{numbers[0]:,}" if len(numbers) == 1 else f"{numbers[0]:,} to {numbers[-1]:,}"
