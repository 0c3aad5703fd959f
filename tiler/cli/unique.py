"""`tiler unique`: a puzzle with exactly one solution."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from tiler.amounts import counted
from tiler.cli import asking, output
from tiler.cli.main import INTERRUPTED
from tiler.errors import InputError
from tiler.process.interrupts import interruptible
from tiler.question.values import natural, seconds
from tiler.render import text
from tiler.render.ticker import Ticker

if TYPE_CHECKING:
    from tiler.ask.uniquely import Puzzle

HELP = "make a puzzle with one solution: fix pieces, or take cells out of the board"
_DESCRIPTION = """\
Make a puzzle with exactly one solution, up to symmetry: pieces are fixed until one tiling is
left, as few as can be; or, where the board is larger than the pieces, cells are taken out.
"""
EXAMPLES = """\
  tiler unique 6x10 1:pentominoes
  tiler unique 8x8 1:pentominoes --seed 3
  tiler unique 5x5 3L 1:1 --format problem -o puzzle.txt
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    asking.add_problem(parser)
    parser.add_argument("--seed", metavar="SEED", type=natural, default=0, help="the same makes the same puzzle (default: 0)")
    parser.add_argument("--time-limit", metavar="10s", type=seconds, help="stop after so long")
    parser.add_argument(
        "--format", choices=("text", "json", "problem"), default="text", help="problem: a problem file (default: text)"
    )
    parser.add_argument("-o", "--output", metavar="OUT", help="write it to a file")


def run(args: argparse.Namespace) -> int:
    from tiler.ask import uniquely
    from tiler.formats import text as problem
    from tiler.question.events import Progress

    instance = asking.read_problem(args)
    with interruptible() as interrupted, Ticker() as ticker:

        def going_on(progress: Progress) -> bool:
            ticker.show(progress)
            return not interrupted()

        try:
            puzzle = uniquely.make(instance, seed=args.seed, seconds=args.time_limit, on_tick=going_on)
        except uniquely.EndedError:
            ended = interrupted()
            print(f"tiler: no such puzzle was found ({'interrupted' if ended else 'the time limit is over'})", file=sys.stderr)
            return INTERRUPTED if ended else 3
    if puzzle is None:
        # No puzzle comes out: whoever reads one from stdout must not take this for it.
        raise InputError(f"{instance.name or 'the problem'}: there is no tiling, so no puzzle can be made")
    with output.opened(args.output) as out:
        if args.format == "json":
            print(json.dumps(puzzle.summary()), file=out)
        elif args.format == "problem":
            out.write(problem.write(puzzle.instance))
        else:
            print(_in_words(puzzle, output.is_coloured(out), output.width_of(out)), file=out)
    return 0


def _in_words(puzzle: Puzzle, coloured: bool, width: int) -> str:
    given = counted(len(puzzle.fixed), "piece") + " fixed"
    if puzzle.removed:
        given = f"{counted(len(puzzle.removed), 'cell')} taken out" + (f", {given}" if puzzle.fixed else "")
    elif not puzzle.fixed:
        given = "nothing has to be fixed"
    drawn = [text.draw(puzzle.instance, each, colour=coloured, width=width) for each in (puzzle.fixed, puzzle.tiling)]
    hard = f"a search takes {counted(puzzle.nodes, 'node')}; {counted(puzzle.placements, 'placement')} for one tiling"
    return "\n\n".join([f"{given}:", drawn[0], "The only tiling up to symmetry:", drawn[1], f"difficulty: {hard}"])
