"""`tiler unique`: make a puzzle with exactly one solution."""

from __future__ import annotations

import argparse
import sys

from tiler.cli.main import INTERRUPTED
from tiler.cli.shared import arguments, output
from tiler.cli.shared.album import add_look, look_of
from tiler.errors import BadOption, InputError
from tiler.question.quantities import natural, seconds

HELP = "make a puzzle with one solution: fix pieces or remove cells"
_DESCRIPTION = """\
Make a puzzle with exactly one solution, up to symmetry. The command fixes as few pieces as it
can, until one tiling is left. If the board has more cells than the pieces, it removes cells.
"""
EXAMPLES = """\
  tiler unique 6x10 1:pentominoes
  tiler unique 8x8 1:pentominoes --seed 3
  tiler unique 5x5 3L 1:1 --format problem -o puzzle.txt
  tiler unique 8x8 1:pentominoes 1:4O -o puzzle.svg
"""
_FORMATS = ("text", "json", "problem", *output.PICTURES)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    arguments.add_problem(parser)
    parser.add_argument(
        "--seed", metavar="SEED", type=natural, default=0, help="make another puzzle; the same seed makes the same (default: 0)"
    )
    parser.add_argument("--time-limit", metavar="10s", type=seconds, help="stop after this time")
    arguments.add_threads(parser)
    parser.add_argument(
        "--format", choices=_FORMATS, help="choose the format; problem is a problem file (default: the ending of OUT, else text)"
    )
    parser.add_argument(
        "-o", "--output", metavar="OUT", help="write the puzzle to a file; .svg, .png and .pdf draw it with its pieces"
    )
    add_look(parser, marks=False)


def run(args: argparse.Namespace) -> int:
    from tiler.door.answers.unique_puzzle import UniquePuzzle
    from tiler.door.monitoring import following
    from tiler.studies import unique_puzzles

    form = output.format_of(args.format, args.output, _FORMATS)
    if form in ("png", "pdf") and args.output in (None, "-"):
        raise BadOption(f"a {form} goes into a file: -o puzzle.{form}")
    look = look_of(args, form)
    instance, threads = arguments.read_problem(args), arguments.threads_of(args)
    with following(True) as follow:
        try:
            made = unique_puzzles.make(instance, seed=args.seed, seconds=args.time_limit, threads=threads, on_tick=follow.tick)
        except unique_puzzles.EndedError:
            ended = follow.stop is not None
            print(f"tiler: no such puzzle was found ({'interrupted' if ended else 'the time limit is over'})", file=sys.stderr)
            return INTERRUPTED if ended else 3
    if made is None:
        # No puzzle comes out: a program that reads one from stdout must not take this for it.
        raise InputError(f"{instance.name or 'the problem'}: there is no tiling, so no puzzle can be made")
    puzzle = UniquePuzzle(made)
    with output.opened(args.output) as out:
        if form == "json":
            out.write(puzzle.json())
        elif form == "problem":
            out.write(puzzle.problem())
        elif form == "text":
            print(puzzle.text(coloured=output.is_coloured(out), width=output.width_of(out), look=look), file=out)
        else:
            output.write(out, puzzle.picture(form, look))
    return 0
