"""Find the tilings that two lists share; a list is a file or a Python list."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tiler import formats
from tiler.amounts import counted
from tiler.door import given
from tiler.door.tiling import Tiling
from tiler.errors import BadArgument, InputError
from tiler.formats import tilings
from tiler.model.lattice import Lattice, Shape
from tiler.model.lattices import fitted
from tiler.model.tile import Placement

SCHEMA = "tiler-comparison-1"
_MAX_BYTES = 1 << 30

_Key = tuple[tuple[tuple[int, ...], ...], ...]  #: a tiling: the cells of its pieces, sorted


@dataclass(frozen=True)
class ComparedList:
    """One of the two lists."""

    name: str  #: of the file
    tilings: int
    different: int  #: of them
    only: tuple[int, ...]  #: the lines (from 1) of those that the other list has not


@dataclass(frozen=True)
class TilingComparison:
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
        return json.dumps({**head, "files": sides}) + "\n"


#: Tilings to compare: a file, or tilings at hand.
Given = str | Path | Iterable[Tiling]


def compare(first: Given, second: Given, lattice: Lattice, *, up_to_symmetry: bool) -> TilingComparison:
    """Compare two lists. Tilings are the same if they cut the board into the same pieces, even if the pieces have other names."""
    read = [_lines(each, name) for each, name in ((first, "first"), (second, "second"))]
    found: list[dict[_Key, int]] = []
    for name, lines in read:
        if not lines:
            raise InputError("there is no tiling in it", name)
        keys: dict[_Key, int] = {}
        for number, tiling in lines:
            keys.setdefault(_least(tiling, lattice) if up_to_symmetry else _plain(tiling), number)
        found.append(keys)
    sides = [
        ComparedList(name, len(lines), len(keys), tuple(line for key, line in keys.items() if key not in other))
        for (name, lines), keys, other in zip(read, found, reversed(found), strict=True)
    ]
    one, other = sides
    return TilingComparison(one, other, one.different - len(one.only), up_to_symmetry)


def _lines(listed: Given, name: str) -> tuple[str, list[tuple[int, Sequence[Placement]]]]:
    """What a list is called, and its tilings with their lines."""
    if isinstance(listed, str | Path):
        return str(listed), list(tilings.read(formats.load(listed, _MAX_BYTES), str(listed)))
    if not isinstance(listed, Iterable):
        raise BadArgument(f"{name}: {given.shown(listed)} is neither a file nor a list of tilings")
    every = list(listed)
    for each in every:
        if not isinstance(each, Tiling):
            raise BadArgument(f"{name}: {given.shown(each)} is not a Tiling")
    return name, [(number, each.placements) for number, each in enumerate(every, 1)]


def _some(lines: Sequence[int]) -> str:
    return ", ".join(map(str, lines[:5])) + (", ..." if len(lines) > 5 else "")


def _plain(tiling: Sequence[Placement]) -> _Key:
    return tuple(sorted(tuple(sorted(placement.cells)) for placement in tiling))


def _least(tiling: Sequence[Placement], lattice: Lattice) -> _Key:
    """The least of the images of a tiling under all isometries, moved to the origin."""
    covered: Shape = frozenset().union(*(placement.cells for placement in tiling))
    lattice, fitting = fitted(lattice, covered)
    pieces = [placement.cells for placement in tiling]
    if fitting != covered:  # One layer in space is a board in the plane.
        pieces = [frozenset(cell[1:] for cell in piece) for piece in pieces]
        covered = fitting
    images = []
    for turn in lattice.isometries(reflections=True):
        corner = lattice.corner(frozenset(turn.images(covered)))
        moved = [[tuple(a - b for a, b in zip(cell, corner, strict=True)) for cell in turn.images(piece)] for piece in pieces]
        images.append(_plain([Placement("", frozenset(piece)) for piece in moved]))
    return min(images)
