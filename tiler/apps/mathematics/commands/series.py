"""`tiler series`: count the tilings of a rectangle or box for every length."""

from __future__ import annotations

import argparse
import json

from tiler.cli.shared import arguments, declared
from tiler.cli.shared.declared import OPTIONS, PRINTED
from tiler.question.parameters import COMMON, PROBLEM, WORDS, declare, parameter

HELP = "count tilings of strips or bars of every length"
EXAMPLES = """\
  tiler series 3xn 2
  tiler series 4xn 2 3I --terms 20
  tiler series 5xn 3L 1 --format json
  tiler series 2x3xn 1x1x2
  tiler series 2xn 2 --terms 40 --b-file b000045.txt
  tiler series rhombus:2xn diamonds
  tiler series 4xn "1 [1 1 2 2]" "1 [2 2 1 1]" --no-turning
"""


_B_FILE = declare(
    b_file=parameter(
        None, "also write the terms into FILE, in the form of the OEIS: lines with n and a(n)", WORDS, metavar="FILE"
    )
)


def configure(parser: argparse.ArgumentParser) -> None:
    from tiler.apps.mathematics.series import SeriesQuestion

    declared.add(parser, SeriesQuestion, "board")
    declared.add(parser, OPTIONS, "tiles", tiles="a shape; any number of copies may be used")
    declared.add(parser, PROBLEM, "reflections", "lattice", "turning", "mates")
    declared.add(parser, COMMON, "threads")
    declared.add(parser, SeriesQuestion, "terms")
    declared.add(parser, _B_FILE)
    declared.add(parser, OPTIONS, "format", format=PRINTED)


def run(args: argparse.Namespace) -> int:
    from tiler.apps.mathematics.functions import series
    from tiler.process import files

    asked = declared.values(args, "reflections", "lattice", "turning", "mates", "terms", "threads")
    found = series(args.board, *args.tiles, **asked)
    if args.b_file is not None:
        files.write(args.b_file, found.b_file(args.terms).encode())
    print(json.dumps(found.summary()) if args.format == "json" else found.text(args.terms))
    arguments.say_turning(found.shortest)
    return 0
