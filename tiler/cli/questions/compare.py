"""`tiler compare`: find the tilings that two files share."""

from __future__ import annotations

import argparse
import sys

from tiler.cli.shared import declared, output
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
    from tiler.api.catalogue import compare

    found = compare(**declared.values(args, "first", "second", "up_to_symmetry", "lattice"))
    output.put(sys.stdout, found.forms(), args.format)
    return 0
