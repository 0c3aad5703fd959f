"""`tiler compare`: which tilings do two files share?"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tiler.amounts import counted
from tiler.errors import InputError

if TYPE_CHECKING:
    from tiler.model.lattice import Lattice, Shape
    from tiler.model.tile import Placement

HELP = "compare the tilings in two files: which are in both?"
_DESCRIPTION = """\
Compare the tilings in two files, as tiler solve --format json writes them. Tilings are the
same if they cut the board into the same pieces, whatever these are called.
"""
EXAMPLES = """\
  tiler solve 4x4 2 --all -o every.json
  tiler solve 4x4 2 --all --up-to-symmetry -o orbits.json
  tiler compare every.json orbits.json --up-to-symmetry
"""

SCHEMA = "tiler-comparison-1"
_MAX_BYTES = 1 << 30

_Key = tuple[tuple[tuple[int, ...], ...], ...]  #: a tiling: the cells of its pieces, sorted


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.add_argument("first", metavar="A.json", help="JSON lines, each a list of {tile, cells}; - for standard input")
    parser.add_argument("second", metavar="B.json", help="the same")
    parser.add_argument(
        "--up-to-symmetry",
        action="store_true",
        help="take tilings for one that turns, mirrors and moves carry into each other",
    )
    parser.add_argument("--lattice", metavar="NAME", help="whose symmetries these are (default: square or cubic)")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="json: also the lines of those in one only")


def run(args: argparse.Namespace) -> int:
    from tiler import formats
    from tiler.formats import tilings
    from tiler.model import lattices

    lattice = lattices.called(args.lattice or lattices.USUAL.name)
    found: list[dict[_Key, int]] = []
    read = []
    for path in (args.first, args.second):
        lines = tilings.read(formats.load(path, _MAX_BYTES), path)
        if not lines:
            raise InputError("there is no tiling in it", path)
        keys: dict[_Key, int] = {}
        for number, tiling in lines:
            keys.setdefault(_least(tiling, lattice) if args.up_to_symmetry else _plain(tiling), number)
        found.append(keys)
        read.append(len(lines))
    first, second = found
    only = [[line for key, line in one.items() if key not in other] for one, other in ((first, second), (second, first))]
    both = len(first) - len(only[0])
    how = " up to symmetry" if args.up_to_symmetry else ""
    if args.format == "json":
        sides = [
            {"file": path, "tilings": n, "different": len(keys), "only": lines}
            for path, n, keys, lines in zip((args.first, args.second), read, found, only, strict=True)
        ]
        print(json.dumps({"schema": SCHEMA, "up_to_symmetry": args.up_to_symmetry, "both": both, "files": sides}))
        return 0
    for path, number, keys in zip((args.first, args.second), read, found, strict=True):
        print(f"{path}: {counted(number, 'tiling')}, {len(keys):,} different{how}")
    print(f"in both: {both:,}")
    for path, missing in zip((args.first, args.second), only, strict=True):
        where = f" (line {_some(missing)})" if missing else ""
        print(f"in {path} only: {len(missing):,}{where}")
    return 0


def _some(lines: Sequence[int]) -> str:
    return ", ".join(map(str, lines[:5])) + (", ..." if len(lines) > 5 else "")


def _plain(tiling: Sequence[Placement]) -> _Key:
    return tuple(sorted(tuple(sorted(placement.cells)) for placement in tiling))


def _least(tiling: Sequence[Placement], lattice: Lattice) -> _Key:
    """The least of the images of a tiling under all isometries, moved to the origin."""
    from tiler.model.lattices import fitted
    from tiler.model.tile import Placement

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
