"""`tiler hint`: say where the next piece goes."""

from __future__ import annotations

import argparse

from tiler.cli.shared import arguments, declared, output
from tiler.question.parameters import COMMON

HELP = "say where the next piece goes, or why a puzzle cannot be finished"
_DESCRIPTION = """\
Say where the next piece goes, beside those of --place: one that lies there in every tiling, if
there is one. Say also in how many ways the board can be finished, or why it cannot: an area, a
cell that no piece covers, a colouring, or else that a search says so.
"""
EXAMPLES = """\
  tiler hint 6x10 1:pentominoes
  tiler hint 3x3 1:V 1:4O --place "4O 0,0 0,1 1,0 1,1"
  tiler hint 8x8 2 2:1 --place "1 0,0" --place "1 7,7" -o why.svg
"""
_FORMATS = ("text", "json", *output.PICTURES)

_LIMITS = ("seconds", "memory", "threads")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    arguments.add_problem(parser)
    declared.add(parser, COMMON, *_LIMITS)
    output.add(parser, "write the hint to a file; .svg, .png and .pdf draw it", *_FORMATS)


def run(args: argparse.Namespace) -> int:
    from tiler.apps.puzzles.functions import hint

    form = output.format_of(args.format, args.output, _FORMATS)
    instance = arguments.read_problem(args)
    found = hint(instance, **declared.values(args, *_LIMITS), progress=True)
    with output.opened(args.output) as out:
        output.put(out, found.forms(), form)
    if args.output not in (None, "-"):
        print(found.sentence)
    arguments.say_turning(instance)
    return 3 if found.placement is not None and found.is_forced is None else 0
