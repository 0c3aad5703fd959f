"""`tiler problems`: the problems that can be named from anywhere."""

from __future__ import annotations

import argparse
import json
import sys
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from tiler import printable
from tiler.amounts import counted
from tiler.cli import output
from tiler.errors import InputError, suggest
from tiler.model.expected import Status
from tiler.render import drawing, pages, svg, table

if TYPE_CHECKING:
    from tiler.model.instance import Instance

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
    from tiler.bench import corpus

    if args.output:
        output.format_of(None, args.output, ("svg",))
    folder = corpus.find_folder(args.problems)
    known = sorted({corpus.family(name) for name in corpus.names(folder)})
    for family in args.family:
        if family not in known:
            raise InputError(f"no family is called {family!r}{suggest(family, known)}; there are {', '.join(known)}")
    chosen = [
        instance
        for instance in corpus.select(folder, args.name, args.tag)
        if not args.family or corpus.family(instance.name) in args.family
    ]
    if not chosen:
        raise InputError(f"none of these is in the family {' or '.join(args.family)}")
    if args.output:
        with output.opened(args.output) as out:
            pictures = [pages.one(drawing.panels(instance, ()), instance.name) for instance in chosen]
            out.write(svg.of_page(pages.album(pictures), f"{counted(len(chosen), 'problem')} of {folder.name}"))
        return 0
    if args.format == "json":
        print("\n".join(json.dumps(_summary(instance)) for instance in chosen))
        return 0
    rows = [tuple(map(printable.line, _row(instance))) for instance in chosen]
    width = output.width_of(sys.stdout) if sys.stdout.isatty() else None
    print(table.draw(rows, ("name", "title", "cells", "tilings", "orbits"), texts=2, width=width or None))
    return 0


def _row(instance: Instance) -> tuple[str, ...]:
    expected = instance.about.expected
    verdict = {Status.SAT: "some", Status.UNSAT: "none", None: ""}[expected.verdict]
    tilings = verdict if expected.count is None else _count(expected.count)
    orbits = "" if expected.up_to_symmetry is None else _count(expected.up_to_symmetry)
    return instance.name, instance.about.title, f"{len(instance.board):,}", tilings, orbits


def _count(number: int) -> str:
    """A number of any size, with three figures if it has more than a column has room for."""
    return f"{number:,}" if number < 10**10 else f"{Decimal(number):.3g}"


def _summary(instance: Instance) -> dict[str, Any]:
    about = instance.about
    return {
        "name": instance.name,
        "title": about.title,
        "source": about.source,
        "tags": about.tags,
        "cells": len(instance.board),
        "dimension": instance.dimension,
        "verdict": about.expected.verdict,
        "count": about.expected.count,
        "count_up_to_symmetry": about.expected.up_to_symmetry,
    }
