"""`tiler count`: how many tilings?"""

from __future__ import annotations

import argparse
import json
import sys

from tiler.cli import question
from tiler.query import Goal, Query, Stop

HELP = "count the tilings of a problem"
EXAMPLES = """\
  tiler count 8x8 2
  tiler count 3x20 1:F 1:I 1:L 1:N 1:P 1:T 1:U 1:V 1:W 1:X 1:Y 1:Z --reflections
  tiler count 3x3x3 1:3L 1:4L 1:4S 1:4T 1:4branch 1:4left 1:4right --up-to-symmetry
  tiler count problems/mixed/1-3I-08x08_s.txt --time-limit 30s --checkpoint count.state
"""


def configure(parser: argparse.ArgumentParser) -> None:
    question.add_problem(parser)
    question.add_search(parser)
    parser.add_argument("--checkpoint", metavar="FILE", help="save the state to a file now and then, and go on from it next time")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: %(default)s, the number alone")


def run(args: argparse.Namespace) -> int:
    query = Query(Goal.COUNT, question.limits(args), args.up_to_symmetry)
    answer = question.ask(args, question.read_problem(args), query, checkpoint=args.checkpoint)
    result = answer.result
    if args.format == "json":
        print(json.dumps(answer.summary()))
    elif result.count is not None:
        print(f"{result.count}{question.symmetry_in_words(answer)}")
    else:
        print(f"at least {result.stats.get('found', 0)}{question.symmetry_in_words(answer)}")
    if args.format == "text" and (result.stop is not Stop.DONE or result.message):
        print(f"tiler: {question.reason(answer)}", file=sys.stderr)
    return question.exit_status(answer)
