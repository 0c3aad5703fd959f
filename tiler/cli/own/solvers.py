"""`tiler solvers`: list the solvers and their options."""

from __future__ import annotations

import argparse

from tiler.cli.shared import arguments

HELP = "list the solvers and their options"
EXAMPLES = """\
  tiler solvers
  tiler solve 10x10 4L --solver backtracking:order=rare
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="*", metavar="NAME", help="a solver; also say how it works (default: list all)")
    arguments.add_load(parser)


def run(args: argparse.Namespace) -> int:
    from tiler.door.answers.solvers import Solvers

    print(Solvers.of(args.name))
    return 0
