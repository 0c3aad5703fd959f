"""Write integer programs as LP and MPS files by PuLP, where column xi places option i, and as pseudo-Boolean ones in the format
OPB of the competition of 2024, where variable xi places option i - 1. Comments describe the options.

The first line of an OPB file is the header of that competition: how many variables, constraints and equations there are, and how
many bits the largest sum of absolute values in a line needs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tiler import printable
from tiler.errors import InputError
from tiler.process import temporary

if TYPE_CHECKING:
    from tiler.backends.ilp.program import IntegerProgram, Row
    from tiler.cover.cover import Cover


def write_opb(program: IntegerProgram, cover: Cover | None = None, comments: Sequence[str] = ()) -> Iterator[str]:
    """The lines of a file. If the cover is given, comments say what variables place."""
    rows = [each for row in program.rows for each in _constraints(row)]
    weights = [-weight if program.maximise else weight for weight in program.weights]
    largest = max(1, sum(map(abs, weights)), *(len(row.columns) + abs(bound) for row, _, bound in rows))
    equations = sum(operator == "=" for _, operator, _ in rows)
    yield f"* #variable= {max(1, program.columns)} #constraint= {len(rows)} #equal= {equations} intsize= {largest.bit_length()}"
    yield from _comments("*", cover, comments, 1)
    if any(weights):
        yield f"min: {' '.join(f'{weight:+} x{column + 1}' for column, weight in enumerate(weights) if weight)} ;"
    for row, operator, bound in rows:
        sign = "-" if operator == "<=" else "+"
        terms = " ".join(f"{sign}1 x{column + 1}" for column in row.columns)
        # The format has no <=: both sides are negated.
        yield f"{terms} {operator if sign == '+' else '>='} {bound if sign == '+' else -bound} ;"


def _constraints(row: Row) -> list[tuple[Row, str, int]]:
    """The constraints that express a row."""
    if not row.columns:
        # An empty sum is too small. Some solvers give no answer if a single line cannot hold. All solvers understand two lines
        # that contradict each other.
        one = replace(row, columns=(0,))
        return [(one, ">=", 1), (one, "<=", 0)] if row.lower else []
    if row.lower is not None and row.lower == row.upper:
        return [(row, "=", row.lower)]
    found = [(row, ">=", row.lower)] if row.lower else []
    return found if row.upper is None or row.upper >= len(row.columns) else [*found, (row, "<=", row.upper)]


def opb_cost(content: str, true: Collection[int], source: str | None = None) -> int | None:
    """The value of a file's objective if these variables are true; None if it has no objective."""
    for number, line in enumerate(content.splitlines(), 1):
        if line.startswith("min:"):
            terms = re.findall(r"([+-]\d{1,30}) x(\d{1,18})(?= )", line)
            if not re.fullmatch(r"min:( [+-]\d{1,30} x\d{1,18})* ;", line):
                raise InputError("not an objective as `tiler convert` writes it", source, number)
            return sum(int(weight) for weight, variable in terms if int(variable) in true)
    return None


_COMMENT = {"lp": "\\", "mps": "*"}


def write_lp(program: IntegerProgram, form: str, cover: Cover | None = None, comments: Sequence[str] = ()) -> Iterator[str]:
    """The lines of a file; `form` is `lp` or `mps`. If the cover is given, comments say what columns place.

    An MPS file always asks for a minimum, since many readers know nothing else: a maximum is written as the minimum of the
    negated area.
    """
    from tiler.backends.ilp.engines import PulpProgram

    yield from _comments(_COMMENT[form], cover, comments, 0)
    problem = PulpProgram(program).problem
    with temporary.folder() as folder:
        path = folder / f"tiling.{form}"
        if form == "lp":
            problem.writeLP(str(path))
        else:
            problem.writeMPS(str(path), mpsSense=1)
        lines = path.read_text().splitlines()
    yield from lines


def _comments(mark: str, cover: Cover | None, comments: Sequence[str], first: int) -> Iterator[str]:
    """Lines of comments, and one for each option, which the variable with its number, counted from `first`, places."""
    for comment in comments:
        yield f"{mark} {printable.joined(comment)}"
    meanings = map(cover.meaning, range(len(cover))) if cover is not None else ()
    for variable, meaning in enumerate(meanings, first):
        if meaning is not None:
            yield f"{mark} x{variable} {json.dumps(meaning)}"
