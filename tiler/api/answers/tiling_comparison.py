"""Find the tilings that two lists share; a list is a file or a Python list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tiler.amounts import counted
from tiler.api import arguments
from tiler.api.answers.saving import Forms, Savable, json_lines
from tiler.api.answers.tiling import Tiling
from tiler.errors import BadArgument, InputError
from tiler.formats import tiling_lists
from tiler.model.lattice import Cell, Lattice, Shape, move
from tiler.model.lattices import fitted, spread
from tiler.model.paint import Coat, Paint
from tiler.model.tile import Placement

SCHEMA = "tiler-comparison-1"
_Piece = tuple[Shape, Coat]
_Key = tuple[tuple[Any, ...], ...]  #: a tiling: the cells of its pieces with what is seen of their paint, sorted


@dataclass(frozen=True)
class ComparedList:
    """One of the two lists."""

    name: str  #: of the file
    tilings: int
    different: int  #: of them
    only: tuple[int, ...]  #: the lines (from 1) of those that the other list has not


@dataclass(frozen=True)
class TilingComparison(Savable):
    """The comparison of two lists of tilings; `str` puts it into words."""

    first: ComparedList
    second: ComparedList
    both: int
    up_to_symmetry: bool

    @property
    def same(self) -> bool:
        """Whether both lists have the same tilings."""
        return not self.first.only and not self.second.only

    def __str__(self) -> str:
        how = " up to symmetry" if self.up_to_symmetry else ""
        both = (self.first, self.second)
        lines = [f"{each.name}: {counted(each.tilings, 'tiling')}, {each.different:,} different{how}" for each in both]
        lines.append(f"in both: {self.both:,}")
        for each in both:
            where = f" (line {_some(each.only)})" if each.only else ""
            lines.append(f"in {each.name} only: {len(each.only):,}{where}")
        return "\n".join(lines)

    def json(self) -> str:
        """A line, as `tiler compare --format json` prints it."""
        sides = [
            {"file": each.name, "tilings": each.tilings, "different": each.different, "only": each.only}
            for each in (self.first, self.second)
        ]
        head = {"schema": SCHEMA, "up_to_symmetry": self.up_to_symmetry, "both": self.both}
        return json_lines([{**head, "files": sides}])

    def forms(self) -> Forms:
        """The comparison in words as .txt, with the tilings that are in one list only as .json."""
        return {"txt": self.printed, "json": self.json}


#: Tilings to compare: a file, or tilings at hand.
Given = str | Path | Iterable[Tiling]


def compare(first: Given, second: Given, lattice: Lattice, *, up_to_symmetry: bool) -> TilingComparison:
    """Compare two lists. Tilings are the same if they cut the board into the same pieces, which show the same colours and marks,
    even if the pieces have other names."""
    read = [_lines(each, name) for each, name in ((first, "first"), (second, "second"))]
    found: list[dict[_Key, int]] = []
    for name, lines in read:
        if not lines:
            raise InputError("there is no tiling in it", name)
        keys: dict[_Key, int] = {}
        for number, tiling in lines:
            pieces = [(placement.cells, placement.coat) for placement in tiling]
            if len({len(cell) for piece in pieces for cell in _cells(*piece)}) > 1:
                raise InputError("cells of two and of three coordinates in one tiling", name, number)
            keys.setdefault(_least(pieces, lattice) if up_to_symmetry else _plain(pieces), number)
        found.append(keys)
    sides = [
        ComparedList(name, len(lines), len(keys), tuple(line for key, line in keys.items() if key not in other))
        for (name, lines), keys, other in zip(read, found, reversed(found), strict=True)
    ]
    one, other = sides
    return TilingComparison(one, other, one.different - len(one.only), up_to_symmetry)


def _lines(given: Given, name: str) -> tuple[str, list[tuple[int, Sequence[Placement]]]]:
    """What a list is called, and its tilings with their lines."""
    if isinstance(given, str | Path):
        lines = tiling_lists.lines(str(given))
        return str(given), [(number, tiling) for number, tiling in lines if isinstance(tiling, list)]
    if not isinstance(given, Iterable):
        raise BadArgument(f"{name}: {arguments.shown(given)} is neither a file nor a list of tilings")
    every = list(given)
    for each in every:
        if not isinstance(each, Tiling):
            raise BadArgument(f"{name}: {arguments.shown(each)} is not a Tiling")
    return name, [(number, each.placements) for number, each in enumerate(every, 1)]


def _some(lines: Sequence[int]) -> str:
    return ", ".join(map(str, lines[:5])) + (", ..." if len(lines) > 5 else "")


def _cells(cells: Shape, coat: Coat) -> Iterator[Cell]:
    """The cells that a piece covers, and those that its paint names."""
    yield from cells
    yield from (cell for cell, _ in coat.colours)
    yield from (cell for side, _ in coat.marks for cell in side)


def _plain(pieces: Iterable[_Piece]) -> _Key:
    return tuple(sorted((tuple(sorted(cells)), coat.colours, coat.marks) for cells, coat in pieces))


def _least(pieces: Sequence[_Piece], lattice: Lattice) -> _Key:
    """The least of the images of a tiling under all isometries, moved to the origin."""
    covered: Shape = frozenset().union(*(cells for cells, _ in pieces))
    if not covered:
        return ()
    leaves_layer = any(Paint(coat).leaves_layer for _, coat in pieces)
    lattice, fitting = (spread if leaves_layer else fitted)(lattice, covered)
    if fitting != covered:  # One layer in space is a board in the plane.
        pieces = [(frozenset(cell[1:] for cell in cells), coat.carried(lambda cell: cell[1:])) for cells, coat in pieces]
        covered = fitting
    images = []
    for turn in lattice.isometries(reflections=True):
        turned = [(frozenset(turn.images(cells)), coat.carried(turn)) for cells, coat in pieces]
        back = tuple(-a for a in lattice.corner(frozenset().union(*(cells for cells, _ in turned))))
        images.append(_plain((move(cells, back), coat.moved(back)) for cells, coat in turned))
    return min(images)
