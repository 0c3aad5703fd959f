"""`tiler problems`: the problems that can be named from anywhere."""

from __future__ import annotations

import argparse
import sys

from tiler.cli import output

HELP = "list the problems that come along, or draw them"
_DESCRIPTION = """\
List problems that can be named from anywhere, with the number of tilings, and of orbits
(tilings up to symmetry), where they are known. A file of your own goes before one of these.
"""
EXAMPLES = """\
  tiler problems --tag classic
  tiler problems --family 4L
  tiler problems soma -o sheet.svg
  tiler solve 4L/10x10_u
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.add_argument(
        "name", nargs="*", metavar="TEXT|GLOB", help="only those whose name contains it, or as a whole matches it"
    )
    parser.add_argument("--tag", action="append", default=[], metavar="TAG", help="only those with a tag; several: any of them")
    parser.add_argument("--family", action="append", default=[], metavar="FOLDER", help="only those of a family; several: any")
    parser.add_argument("--problems", metavar="FOLDER", help="where they are (default: problems/ here, else those of Tiler)")
    parser.add_argument("--format", choices=("text", "json"), help="json: a line for each (default: text)")
    parser.add_argument("-o", "--output", metavar="OUT.svg", help="draw their boards on a sheet, instead of listing them")


def run(args: argparse.Namespace) -> int:
    from tiler.door.problems import Problems
    from tiler.render import svg

    if args.output:
        output.format_of(None, args.output, ("svg",))
    found = Problems.of(args.name, args.tag, args.family, args.problems)
    if args.output:
        with output.opened(args.output) as out:
            out.write(svg.of_page(found.page(), found.title))
    elif args.format == "json":
        print(found.json(), end="")
    else:
        print(found.text(output.columns_of(sys.stdout)))
    return 0
