"""Solve and check general exact covers on the command line, from files in Knuth's format. Solutions are printed as Knuth's
programs print them: an option in each line, by its items.
"""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

from tiler import jsontext, printable
from tiler.cli.questions import listed_solutions
from tiler.cli.shared import arguments, output, verdicts
from tiler.errors import BadOption, InputError
from tiler.question.question import Goal, Question

if TYPE_CHECKING:
    from tiler.ask.session import Rows
    from tiler.cover.cover import RowCover


def solve(args: argparse.Namespace) -> int:
    """`tiler solve` for a general exact cover."""
    if args.format in output.PICTURES:
        raise BadOption(
            f"a picture ({args.format}) shows a board; of a general exact cover there are {', '.join(verdicts.FORMATS)}"
        )
    form = output.format_of(args.format, args.output, verdicts.FORMATS)
    cover = arguments.read_cover(args)
    goal, best_of = verdicts.goal_of(args), verdicts.of_cover(args, cover)
    with output.opened(args.output) as out:
        drawn, line = partial(_drawn, cover), partial(_line, cover)
        write = verdicts.writer(out, form, drawn, line, "solution")
        question = Question(goal, arguments.limits(args, 2 if args.unique else args.limit))
        answer = arguments.ask_cover(args, cover, question, None if goal is Goal.OPTIMISE else write)
        for best in answer.solutions:  # Solutions come heavier and heavier; the last one counts.
            write(best)
        words = verdicts.write_verdict(args, out, form, answer, best_of, "solution")
    if args.output and out is not sys.stdout:
        print(*words, sep="\n")
    return arguments.exit_status(answer, dimacs=form == "dimacs")


def check(cover: RowCover, content: str, source: str) -> int:
    """`tiler check` for a general exact cover: solutions as JSON lines."""
    checked, lines, wrong = 0, list[tuple[int, Any]](), list[tuple[int, str | None]]()
    for number, line in enumerate(content.split("\n"), 1):
        if not line.strip():
            continue
        try:
            data = jsontext.loads(line, number)
            if isinstance(data, dict) and "schema" in data:
                lines.append((number, data))
                continue
            wrong.append((number, _error_in(cover, data)))
        except InputError as refused:
            raise refused.at(source, number) from None
        checked += 1
        lines.append((number, frozenset(each["row"] for each in data)))
    return listed_solutions.verdict(checked, [*wrong, *listed_solutions.misstated(lines)], source)


def _error_in(cover: RowCover, data: Any) -> str | None:
    from tiler.cover.verify import error_in

    if not isinstance(data, list):
        raise InputError("neither a solution (a list of rows) nor a summary")
    rows = []
    for each in data:
        if not isinstance(each, dict) or type(each.get("row")) is not int:
            raise InputError('a row of a solution is an object {"row": NUMBER, "items": [...]}')
        if not 0 <= each["row"] < len(cover.rows):
            return f"there is no row {each['row']}"
        if "items" in each and each["items"] != list(cover.rows[each["row"]]):
            return f"row {each['row']} has other items"
        rows.append(each["row"])
    return error_in(cover, rows)


def _drawn(cover: RowCover, solution: Rows) -> str:
    """A line for each row: it is written by its items."""
    return "\n".join(printable.line(" ".join(map(str, cover.rows[row]))) for row in solution)


def _line(cover: RowCover, solution: Rows) -> str:
    return json.dumps([cover.meaning(row) for row in solution])
