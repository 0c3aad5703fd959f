"""`tiler unique`: make a puzzle with exactly one solution."""

from __future__ import annotations

import argparse
import sys
from functools import partial

from tiler.cli.shared import arguments, declared, output
from tiler.cli.shared.album import add_look, look_of
from tiler.cli.shared.solving_command import in_words
from tiler.question.parameters import COMMON

HELP = "make a puzzle with one solution: fix pieces or remove cells"
_DESCRIPTION = """\
Make a puzzle with exactly one solution, up to symmetry: `tiler count --up-to-symmetry` says 1. The
command fixes as few pieces as it can, until one tiling is left. If the board has more cells than the
pieces, it removes cells. With --side-marks it makes an edge-matching puzzle: it draws sets of squares
with marks on their sides, until a set can be laid in one way. With --cell-colours it colours cells of
the board and of pieces: a coloured cell of a piece may lie only on cells of the same colour, or of
none.
"""
EXAMPLES = """\
  tiler unique 6x10 1:pentominoes
  tiler unique 8x8 1:pentominoes --seed 3
  tiler unique 5x5 3L 1:1 --format problem -o puzzle.txt
  tiler unique 8x8 1:pentominoes 1:4O -o puzzle.svg
  tiler unique 3x3 --side-marks 3 --pairs -o squares.pdf
  tiler unique 4x6 4L 3L --cell-colours 2 --format problem -o coloured.txt
"""
_FORMATS = ("text", "json", "problem", *output.PICTURES)


def configure(parser: argparse.ArgumentParser) -> None:
    from tiler.apps.puzzles.unique_puzzles import UniqueQuestion

    parser.description = _DESCRIPTION
    arguments.add_problem(parser)
    declared.add(parser, UniqueQuestion)
    declared.add(parser, COMMON, "seconds", "threads")
    written = "write the puzzle to a file; .svg, .png and .pdf draw it with its pieces"
    output.add(parser, written, *_FORMATS, help="choose the format; problem is a problem file")
    add_look(parser, marks=False)


def run(args: argparse.Namespace) -> int:
    from tiler.apps.puzzles.functions import unique

    form = output.format_of(args.format, args.output, _FORMATS)
    look = look_of(args, form)
    instance = arguments.read_problem(args, board_alone=args.side_marks is not None)
    puzzle = unique(
        instance, **declared.values(args, "seed", "side_marks", "pairs", "cell_colours", "seconds", "threads"), progress=True
    )
    with output.opened(args.output) as out:
        text = partial(puzzle.text, coloured=output.is_coloured(out), width=output.width_of(out), look=look)
        output.put(out, {**puzzle.forms(look), "txt": lambda: f"{text()}\n"}, form)
    if form != "json":
        said = in_words(args, puzzle.instance, args.output if form == "problem" and args.output != "-" else None)
        print(said, file=sys.stdout if form == "text" and not args.output else sys.stderr)
    arguments.say_turning(instance)
    return 0
