"""`tiler compare`: which tilings do two files share?"""

from __future__ import annotations

import argparse

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
    from tiler.door.comparison import compare
    from tiler.model import lattices

    lattice = lattices.called(args.lattice or lattices.USUAL.name)
    found = compare(args.first, args.second, lattice, up_to_symmetry=args.up_to_symmetry)
    print(found.json() if args.format == "json" else f"{found}\n", end="")
    return 0
