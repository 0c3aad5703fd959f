"""`tiler problems`: list the problems that can be named from any folder."""

from __future__ import annotations

import argparse
import sys

from tiler.cli.shared import arguments, output

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
    parser.add_argument(
        "name", nargs="*", metavar="TEXT|GLOB", help="a part of a name, or a pattern for the whole name (default: all)"
    )
    parser.add_argument(
        "--tag", action="append", default=[], metavar="TAG", help="list only problems with this tag (may be repeated)"
    )
    parser.add_argument("--family", action="append", default=[], metavar="FOLDER", help="list only this family (may be repeated)")
    parser.add_argument(
        "--problems", metavar="FOLDER", help="list the problems in this folder (default: problems/ here, else those of Tiler)"
    )
    parser.add_argument("--format", choices=("text", "json"), help="json prints a line for each problem (default: text)")
    parser.add_argument("-o", "--output", metavar="OUT", help="draw the boards on a sheet (.svg, .png, .pdf), instead of a list")


def run(args: argparse.Namespace) -> int:
    from tiler.door.answers.problems import Problems
    from tiler.door.answers.saving import files_of

    form = arguments.picture_of(args.output)
    found = Problems.of(args.name, args.tag, args.family, args.problems)
    if args.output:
        with output.opened(args.output) as out:
            output.write(out, files_of(found.page, found.title)[form]())
    elif args.format == "json":
        print(found.json(), end="")
    else:
        print(found.text(output.columns_of(sys.stdout)))
    return 0
