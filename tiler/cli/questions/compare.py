"""`tiler compare`: find the tilings that two files share."""

from __future__ import annotations

import argparse

from tiler.cli.shared import declared
from tiler.cli.shared.declared import OPTIONS, PRINTED
from tiler.question.parameters import COMMON, PROBLEM, fields_of

HELP = "say which tilings of two files are in both"
_DESCRIPTION = """\
Compare the tilings in two files that tiler solve --format json wrote. Two tilings are the same
if they cut the board into the same pieces, which show the same colours and marks, even if the
pieces have other names.
"""
EXAMPLES = """\
  tiler solve 4x4 2 --all -o every.json
  tiler solve 4x4 2 --all --up-to-symmetry -o orbits.json
  tiler compare every.json orbits.json --up-to-symmetry
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    declared.add(
        parser,
        fields_of(COMMON, PROBLEM, OPTIONS),
        *("first", "second", "up_to_symmetry", "lattice", "format"),
        first="a file with tilings, one list of {tile, cells} in each line; - for standard input",
        second="the other file",
        up_to_symmetry="take two tilings as one if a turn, mirror image or shift makes them equal",
        lattice="name the lattice of the tilings (default: square or cubic)",
        format={**PRINTED, "help": "json also lists the tilings that are in one file only"},
    )


def run(args: argparse.Namespace) -> int:
    from tiler.api.answers.tiling_comparison import compare
    from tiler.model import lattices

    lattice = lattices.called(args.lattice or lattices.USUAL.name)
    found = compare(args.first, args.second, lattice, up_to_symmetry=args.up_to_symmetry)
    print(found.json() if args.format == "json" else f"{found}\n", end="")
    return 0
