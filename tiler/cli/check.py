"""`tiler check`: do the solutions in a file hold?"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from tiler.errors import InputError
from tiler.formats.json import cells

if TYPE_CHECKING:
    from tiler.instance import Placement

HELP = "check solutions, as `solve --format json` writes them, against a problem"
EXAMPLES = """\
  tiler solve problems/misc/03_s.txt -o solution.json
  tiler check problems/misc/03_s.txt solution.json
"""

_MAX_BYTES = 1 << 30


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("problem", metavar="FILE", help="the problem file")
    parser.add_argument(
        "solution", metavar="SOLUTION.json", help="JSON lines, each a list of {tile, cells}; - for standard input"
    )


def run(args: argparse.Namespace) -> int:
    from tiler import formats, verify

    instance = formats.read(args.problem)
    checked = wrong = 0
    for line, solution in _solutions(args.solution):
        checked += 1
        problem = verify.problem(instance, solution)
        if problem:
            wrong += 1
            print(f"wrong: {args.solution}:{line}: {problem}")
    if not checked:
        raise InputError("there is no solution in it", args.solution)
    if not wrong:
        print("the solution holds" if checked == 1 else f"all {checked} solutions hold")
    return 4 if wrong else 0


def _solutions(path: str) -> list[tuple[int, list[Placement]]]:
    """Line number and placements of every solution; lines with an object are summaries and passed over."""
    from tiler import formats

    found = []
    for number, line in enumerate(formats.load(path, _MAX_BYTES).split("\n"), 1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
        except (json.JSONDecodeError, RecursionError):
            raise InputError("not a line of JSON, as `tiler solve --format json` writes them", path, number) from None
        if isinstance(data, list):
            try:
                found.append((number, [_placement(item) for item in data]))
            except InputError as error:
                raise error.at(path, number) from None
        elif not (isinstance(data, dict) and "schema" in data):
            raise InputError("neither a solution (a list of placements) nor a summary", path, number)
    return found


def _placement(data: Any) -> Placement:
    from tiler.instance import Placement

    if not isinstance(data, dict) or not isinstance(data.get("tile"), str):
        raise InputError('a placement is an object {"tile": NAME, "cells": [[row, column], ...]}')
    return Placement(data["tile"], cells(data.get("cells"), f"'cells' of {data['tile'][:40]}"))
