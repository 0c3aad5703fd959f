"""`tiler solvers`: list the solvers and their options."""

from __future__ import annotations

import argparse

from tiler.cli.shared import declared
from tiler.cli.shared.declared import OPTIONS
from tiler.question.parameters import COMMON, fields_of

HELP = "list the solvers and their options"
EXAMPLES = """\
  tiler solvers
  tiler solve 10x10 4L --solver backtracking:order=rare
"""


def configure(parser: argparse.ArgumentParser) -> None:
    about = "a solver; also say how it works (default: list all)"
    declared.add(parser, fields_of(COMMON, OPTIONS), "names", "load", names=about)


def run(args: argparse.Namespace) -> int:
    from tiler.api.answers.solvers import Solvers

    print(Solvers.of(args.names))
    return 0
