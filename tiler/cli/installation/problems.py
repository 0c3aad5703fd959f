"""`tiler problems`: list the problems that can be named from any folder."""

from __future__ import annotations

import argparse
import sys

from tiler.cli.shared import declared, output
from tiler.cli.shared.declared import OPTIONS, PRINTED
from tiler.question.parameters import COMMON, fields_of

HELP = "list the problems installed with Tiler, or draw them"
_DESCRIPTION = """\
List the problems that are installed with Tiler, with the number of tilings and of orbits
(tilings up to symmetry) if these are known. You can name them from any folder. If your folder
has a file of the same name, Tiler reads your file.
"""
EXAMPLES = """\
  tiler problems --tag classic
  tiler problems --family 4L
  tiler problems soma -o sheet.svg
  tiler problems --tag classic -o sheet.pdf
  tiler solve 4L/10x10_u
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    declared.add(
        parser,
        fields_of(COMMON, OPTIONS),
        *("names", "tags", "families", "problems", "format", "output"),
        names={"help": "a part of a name, or a pattern for the whole name", "metavar": "TEXT|GLOB"},
        families={"help": "list only this family", "metavar": "FOLDER"},
        problems="list the problems in this folder",
        format={**PRINTED, "help": "json prints a line for each problem"},
        output="draw the boards on a sheet (.svg, .png, .pdf), instead of a list",
    )


def run(args: argparse.Namespace) -> int:
    from tiler.api.answers.problems import Problems

    output.picture_of(args.output)  # refused before the problems are read
    found = Problems.of(**declared.values(args, "names", "tags", "families"), folder=args.problems)
    if args.output:
        output.draw(args.output, found.forms())
    elif args.format == "json":
        print(found.json(), end="")
    else:
        print(found.text(output.columns_of(sys.stdout)))
    return 0
