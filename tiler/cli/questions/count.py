"""`tiler count`: count the tilings of a problem."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from tiler.cli.shared import arguments, declared, output, verdicts
from tiler.cli.shared.declared import OPTIONS, PRINTED
from tiler.question.parameters import COMMON, WORDS, declare, parameter
from tiler.question.question import Goal, Question, TallyBy
from tiler.question.result import Stop

if TYPE_CHECKING:
    from tiler.api.answers.counts import TilingCounts
    from tiler.ask.solve import Answered, TilingAnswer

HELP = "count the tilings of a problem"
EXAMPLES = """\
  tiler count 8x8 2
  tiler count 3x20 1:F 1:I 1:L 1:N 1:P 1:T 1:U 1:V 1:W 1:X 1:Y 1:Z --reflections
  tiler count 3x3x3 1:3L 1:4L 1:4S 1:4T 1:4branch 1:4left 1:4right --up-to-symmetry
  tiler count 6x8 2 --fault-free --up-to-symmetry
  tiler count problems/many-unique/5r-06x10_s.txt --by-cell -o heat.svg
  tiler count calendars/a-puzzle-a-day_s --by-open -o dates.svg
  tiler count 5x5 3L --open 1 --by-open
  tiler count problems/mixed/1-3I-08x08_s.txt --time-limit 30s --checkpoint count.state
  tiler count problems/classic/pentacubes-5x4x3_s.txt --executor local:2 --checkpoint count.state
  tiler count 10x8 4T 4L 4S --executor dask:tcp://192.0.2.1:8786
"""


_OPTIONS = declare(
    checkpoint=parameter(None, "save the search to a file now and then; the same command goes on", WORDS, metavar="FILE"),
    by_cell=parameter(False, "also count, for each cell and tile, the tilings in which that tile covers the cell"),
    by_open=parameter(False, "also count the tilings for each set of open cells"),
)
_WRITTEN = "write a heat map (.svg, .png, .pdf) or the table (.txt, .json), with --by-cell or --by-open"
_PRINTED = "choose what is printed (default: text, only the number)"


def configure(parser: argparse.ArgumentParser) -> None:
    arguments.add_problem(parser, covers=True)
    arguments.add_search(parser, "up_to_symmetry", "trace")
    declared.add(parser, COMMON, "executor")
    arguments.add_features(parser)
    declared.add(parser, _OPTIONS)
    declared.add(parser, OPTIONS, "output", "format", output=_WRITTEN, format={**PRINTED, "help": _PRINTED})


def run(args: argparse.Namespace) -> int:
    answer: Answered[Any]
    if declared.is_cover(args):
        answer = arguments.ask_cover(args, arguments.read_cover(args), Question(Goal.COUNT, arguments.limits(args)))
    elif args.by_cell or args.by_open:
        answer = _table(args)
    else:
        features = arguments.features_of(args)
        question = Question(Goal.COUNT, arguments.limits(args), args.up_to_symmetry, features=features)
        answer = arguments.ask(args, arguments.read_problem(args), question, checkpoint=args.checkpoint, executor=args.executor)
    if args.format == "text":
        print(_number(answer))
        if answer.result.stop is not Stop.DONE or answer.result.message:
            print(f"tiler: {answer.result.reason}", file=sys.stderr)
    elif not (args.by_cell or args.by_open):
        print(json.dumps(answer.summary()))
    return arguments.exit_status(answer)


def _number(answer: Answered[Any]) -> str:
    """The number, or how many are known."""
    result = answer.result
    number = f"at least {result.found}" if result.count is None else f"{result.count}"
    return f"{number}{verdicts.symmetry_in_words(answer)}"


def _table(args: argparse.Namespace) -> TilingAnswer:
    """Count by cell, or by open cells, and write a table or a picture."""
    form = output.format_of("json" if args.format == "json" else None, args.output, ("text", "json", *output.PICTURES))
    goal, tally_by = (Goal.USES, ()) if args.by_cell else (Goal.TALLY, (TallyBy.OPEN,))
    instance = arguments.read_problem(args)
    with output.opened(args.output, even_empty=form not in output.PICTURES) as out:
        answer = arguments.ask(args, instance, Question(goal, arguments.limits(args), tally_by=tally_by))
        found = _counts(answer)
        if found is not None:
            output.put(out, found.forms(), form)
        if form == "json":
            print(json.dumps(answer.summary()), file=out)
    return answer


def _counts(answer: TilingAnswer) -> TilingCounts[Any] | None:
    """The numbers in an answer, if it has them."""
    from tiler.api.answers.counts import OpenCounts, Uses

    if answer.result.uses is not None:
        return Uses(answer)
    return None if answer.result.tally is None else OpenCounts(answer)
