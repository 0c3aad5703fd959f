"""`tiler choose`: find sets of pieces that fill a board."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tiler import printable
from tiler.cli.shared import arguments, declared, output
from tiler.cli.shared.album import add_look, look_of
from tiler.cli.shared.solving_command import in_words, solving
from tiler.errors import BadOption, InputError
from tiler.question.parameters import COMMON, COUNT, declare, fields_of, parameter

if TYPE_CHECKING:
    from tiler.apps.puzzles.answers.piece_sets import ChosenPieces
    from tiler.model.instance import Instance
    from tiler.render.options import PictureLook

HELP = "choose pieces from a pool that fill a board"
_DESCRIPTION = """\
Choose sets of pieces from a pool that fill a board. The pool is the tiles after the board, or
those of --from; a number before a tile says how many copies there are (default: any number, but
one of each tile of --from). The table has the pieces of each set, the number of tilings, and how
hard the set is: the nodes of a complete search by dlx, the number of ways to place a single piece,
and how hard it is for people, by a model: easy, medium, hard or expert, which --level keeps alone.
With --unique a set is kept if `tiler count --up-to-symmetry` counts 1 with its pieces; on a board
in several parts each part is turned by itself, and equal parts may change places. --all-open
counts set by set: with --most the first one is soon found (five CPU seconds in the example of a
calendar), without it later (fifty there). The tilings of all sets are counted together first, which
a large pool makes long; --seed draws sets instead, and -v says at once which ones it finds.
"""
EXAMPLES = """\
  tiler choose 5x5 --from pentominoes --pieces 5 --unique
  tiler choose 5x5 --from pentominoes --pieces 5 --level medium
  tiler choose 6x10 --from pentominoes 2:4L --most --limit 5
  tiler choose 4x5 --from one-sided-tetrominoes --pieces 5 --at-least 10
  tiler choose calendars/a-puzzle-a-day_s --from pentominoes 3x2 --pieces 8 --all-open \\
                --most --limit 1
  tiler choose 5x5x2 --from pentacubes --pieces 10 --unique --seed 1 --limit 3 -v
  tiler choose 5x5 --from pentominoes --pieces 5 --unique -o puzzle.pdf
  tiler choose 5x5 --from pentominoes --pieces 5 --unique -o sheet.pdf --per-page 4 --solutions
  tiler choose board.txt --from pentominoes --pieces 5 --unique -o puzzles/ \\
                --format problem
"""
_FORMATS = ("text", "json", "problem", *output.PICTURES)
_LISTED = 20


_FEWEST = declare(fewest=parameter(False, "list sets with the fewest tilings first (the default)", excludes="order"))

_SHEET = declare(
    per_page=parameter(None, "write the sets as worksheets: N problems on a page", COUNT, absent="4"),
    solutions=parameter(False, "write worksheets with the solutions on the last page"),
)


def configure(parser: argparse.ArgumentParser) -> None:
    from tiler.apps.puzzles.answers.piece_sets import WantedPieces

    parser.description = _DESCRIPTION
    arguments.add_problem(parser)
    limit = {"help": "list N sets", "absent": f"{_LISTED}; 1 where one problem file is written, 4 on worksheets"}
    declared.add(parser, COMMON, "pool", pool="name the pool: pieces and sets, such as pentominoes")
    declared.add(parser, fields_of(WantedPieces, _FEWEST), limit=limit)
    declared.add(parser, COMMON, "seconds", "threads")
    written = (
        "write to a file: a table (.txt), the first set as a puzzle (.problem) or drawn with its pieces (.svg, .png, .pdf); "
        "with --format problem also to FOLDER/, a file for each set"
    )
    output.add(parser, written, *_FORMATS, help="problem: the sets as problem files")
    add_look(parser, marks=False)
    declared.add(parser, _SHEET, "per_page", "solutions")


def run(args: argparse.Namespace) -> int:
    from tiler.api.answers.saving import json_lines
    from tiler.api.monitoring import following
    from tiler.apps.puzzles import piece_sets
    from tiler.apps.puzzles.answers.piece_sets import WantedPieces
    from tiler.formats import pieces

    pool = args.pool
    if pool and len(args.problem) == 1:
        args.problem = [args.problem[0], *pool]
        pool = None
    folder = Path(args.output) if args.output and (args.output.endswith("/") or Path(args.output).is_dir()) else None
    form = args.format or "text" if folder else output.format_of(args.format, args.output, _FORMATS)
    if folder and form != "problem":
        raise BadOption(f"-o {args.output}: a folder holds problem files: --format problem")
    sheet = bool(args.per_page or args.solutions)
    if sheet and (folder or args.output in (None, "-") or form not in output.PICTURES):
        raise BadOption("--per-page and --solutions write worksheets: -o sheet.pdf, .svg or .png")
    if sheet and (args.names or args.size):
        raise BadOption("--names and --size change nothing on worksheets")
    single = form in ("problem", *output.PICTURES) and not folder and not sheet
    if single and (args.limit or 1) > 1:
        raise BadOption("--limit: a file holds one problem; several go into a folder: -o puzzles/ --format problem")
    look = look_of(args, form)
    instance = arguments.read_problem(args, board_alone=True)
    instance = pieces.with_pool(instance, pool, args.reflections) if pool else instance
    instance = piece_sets.one_each(instance) if args.pool else instance
    limit = args.limit or (1 if single else args.per_page or 4 if sheet else _LISTED)
    wanted = replace(declared.given(args, WantedPieces), limit=limit)
    with following(True, arguments.limits(args)) as follow:
        sets = piece_sets.find(instance, wanted, follow, _say if args.verbose else None)
    if (single or sheet) and not sets.found and not sets.ended:
        raise InputError(f"no problem is written: {sets}")

    if folder:
        print(sets)
        sets.save_problems(folder)
        if sets.found:
            output.note_leftovers(sets.files(folder))
    elif sheet:
        _write_worksheets(args, [one.instance for one in sets], look, form)
    else:
        with output.opened(args.output, even_empty=not single) as out:
            with_commands = ({**each.summary(), "command": solving(args, each.instance)} for each in sets)
            output.put(out, {**sets.forms(look), "json": lambda: json_lines(with_commands)}, form)
    if sets.found and form != "json":
        made = str(sets.files(folder)[0]) if folder else args.output if form == "problem" and args.output != "-" else None
        said = in_words(args, sets[0].instance, made, "it" if len(sets) == 1 else "the first")
        print(said, file=sys.stdout if form == "text" and not args.output else sys.stderr)
    if sets.ended and (form != "text" or args.output):
        print(f"tiler: there may be more sets ({sets.ended})", file=sys.stderr)
    return arguments.ended(follow, known=not sets.ended, quiet=True)


def _say(chosen: ChosenPieces) -> None:
    """Say at once that a set was found."""
    print(f"tiler: found {printable.line(' '.join(chosen.pieces))}", file=sys.stderr, flush=True)


def _write_worksheets(args: argparse.Namespace, instances: list[Instance], look: PictureLook, form: str) -> None:
    from tiler.apps.puzzles.printing import worksheets

    if instances:
        sheet = worksheets.WorksheetLook(args.per_page or 4, args.solutions, colours=look.colours)
        output.written_to(args.output, worksheets.draw(instances, sheet, form))
