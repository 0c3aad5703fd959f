"""`tiler sample`: draw tilings at random, all with the same probability."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from tiler import printable
from tiler.amounts import counted
from tiler.cli.shared import arguments, declared, output
from tiler.cli.shared.album import Album, add_look, look_of
from tiler.formats import tilings
from tiler.model.expected import Status
from tiler.question.parameters import COMMON
from tiler.question.question import Goal, Question
from tiler.question.result import Stop
from tiler.render import text

if TYPE_CHECKING:
    from tiler.ask.solve import TilingAnswer
    from tiler.model.tile import Placements

HELP = "draw tilings at random, all with the same probability"
EXAMPLES = """\
  tiler sample 8x8 2 -n 3
  tiler sample problems/many-unique/5r-06x10_s.txt -n 100 --seed 1 --format json
  tiler sample 12x12 3L -o tiling.svg
  tiler sample 8x8 2 -n 9 -o gallery.png
  tiler sample aztec:60 2 --solver matching --marks frozen --size 24in -o circle.pdf
"""


_FORMATS = ("text", "json", *output.PAGES)


def configure(parser: argparse.ArgumentParser) -> None:
    arguments.add_problem(parser)
    arguments.add_search(parser)
    declared.add(parser, COMMON, "number", "seed")
    output.add(parser, "write the tilings to a file, and only their number to stdout", *_FORMATS)
    add_look(parser)


def run(args: argparse.Namespace) -> int:
    form = output.format_of(args.format, args.output, _FORMATS)
    look = look_of(args, form)
    instance = arguments.read_problem(args)
    question = Question(Goal.SAMPLE, arguments.limits(args), seed=args.seed, samples=args.number)
    with output.opened(args.output, even_empty=form not in output.PAGES) as out:
        album = Album(instance, form, look) if form in output.PAGES else None
        coloured, width = output.is_coloured(out), output.width_of(out)

        def write(solution: Placements) -> None:
            if form == "json":
                print(tilings.line(solution), file=out)
            elif album:
                album.add(solution)
            else:
                print(text.draw(instance, solution, colour=coloured, width=width, look=look), end="\n\n", file=out)

        answer = arguments.ask(args, instance, question, write)
        if album:
            album.write(out)
        if form == "json":
            print(json.dumps(answer.summary()), file=out)
        elif form == "text":
            print(_how_many(answer), file=out)
        elif args.output in (None, "-") and not answer.result.found:
            print(f"tiler: {_how_many(answer)}; nothing to draw", file=sys.stderr)
    if args.output and out is not sys.stdout:
        print(_how_many(answer))
    return arguments.exit_status(answer)


def _how_many(answer: TilingAnswer) -> str:
    """A sentence: how many were drawn, from how many tilings, and why no more."""
    result = answer.result
    if result.status is Status.UNSAT:
        why = printable.line(result.message)
        return f"unsat: there is no tiling{f' ({why})' if why else ''}"
    drawn = result.found
    tilings = int(result.stats.get("tilings", 0))
    source = f" from {counted(tilings, 'tiling')}" if tilings else ""
    why = "" if result.stop is Stop.SOLUTIONS else f" ({answer.result.reason})"
    return f"{drawn:,} drawn at random{source}{why}"
