"""Read the output of a program: a verdict, a count, or a tiling in the program's own terms. Output that is not understood is an
error, not a verdict.

`ProgramAnswer` speaks of variables, columns or placements as the program does. What these stand for is known to the writer of
the file, and is in the comments of the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

from tiler import jsontext
from tiler.backends.sat import dimacs
from tiler.errors import InputError
from tiler.formats import json, tilings
from tiler.model.expected import Status
from tiler.model.paint import BLANK
from tiler.model.tile import Placement

_DIGITS = 4000  # the most digits of a count that Python reads


@dataclass(frozen=True)
class ProgramAnswer:
    """The answer of a program: a verdict, with a tiling or the number of all tilings, and the program's own counters.

    A tiling is the numbers of true variables or of columns at one (`true`), placements by name and cells, or `places` (see
    minizinc.py). `cost` is what an optimiser says that its solution costs, and `optimal` whether it says that none costs less.
    """

    status: Status
    true: frozenset[int] | None = None
    placements: tuple[Placement, ...] | None = None
    places: tuple[tuple[int, int, int], ...] | None = None
    count: int | None = None
    weight: Fraction | None = None
    cost: int | None = None
    optimal: bool = False
    stats: dict[str, float] = field(default_factory=dict)


def read(form: str, text: str) -> ProgramAnswer:
    """The answer in a text, which has one of `languages.FORMS`. InputError if it cannot be understood."""
    return _READERS[form](text)


def _dimacs(text: str) -> ProgramAnswer:
    status, true = dimacs.read_answer(text)
    return ProgramAnswer(status, true if status is Status.SAT else None)


_VERDICTS = {
    "SATISFIABLE": Status.SAT,
    "OPTIMUM FOUND": Status.SAT,
    "UNSATISFIABLE": Status.UNSAT,
    "UNKNOWN": Status.UNKNOWN,
    "UNSUPPORTED": Status.UNKNOWN,
}


def _optimiser(literals: Callable[[list[str]], frozenset[int]], text: str) -> ProgramAnswer:
    """The verdict, the last cost and the words of the `v` lines, as optimisers have printed them in competitions. `literals`
    finds the true variables in the words."""
    verdict, cost, words = "", None, list[str]()
    for line in text.splitlines():
        kind, _, rest = line.strip().partition(" ")
        rest = rest.strip()
        if kind == "s":
            if rest not in _VERDICTS:
                raise InputError(f"{rest[:40]!r} is no verdict; there are {', '.join(_VERDICTS)}")
            verdict = rest
        elif kind == "o":
            if not re.fullmatch(r"[+-]?\d{1,30}", rest):
                raise InputError(f"{rest[:40]!r} is no cost")
            cost = int(rest)
        elif kind == "v":
            words += rest.split()
    if not verdict:
        raise InputError("there is no line that begins with s and says the verdict")
    if _VERDICTS[verdict] is not Status.SAT:
        return ProgramAnswer(_VERDICTS[verdict])
    return ProgramAnswer(Status.SAT, literals(words), cost=cost, optimal=verdict == "OPTIMUM FOUND")


def _pb(words: list[str]) -> frozenset[int]:
    """Literals such as `x1` and `-x2`."""
    if not all(re.fullmatch(r"-?x\d{1,9}", word) for word in words):
        raise InputError("a `v` line holds more than literals, such as x1 and -x2")
    return frozenset(int(word[1:]) for word in words if word[0] == "x")


def _maxsat(words: list[str]) -> frozenset[int]:
    """A value for every variable: a string of 0 and 1 or, as before 2022, literals."""
    if len(words) == 1 and re.fullmatch("[01]+", words[0]) and (len(words[0]) > 1 or words[0] == "1"):
        return frozenset(variable for variable, value in enumerate(words[0], 1) if value == "1")
    if all(re.fullmatch(r"-?[1-9]\d{0,8}|0", word) for word in words):
        return frozenset(int(word) for word in words if int(word) > 0)
    raise InputError("a `v` line holds more than a string of 0 and 1, or literals")


_COLUMN = re.compile(r"(?:^|\s)x(\d{1,9})\s+\*?\s*([-+.\deE]+)")
_INFEASIBLE = re.compile(r"infeasible|INTEGER EMPTY|no (?:integer |primal )?feasible solution", re.IGNORECASE)
_SOLVED = re.compile(r"optimal|feasible", re.IGNORECASE)
_OPTIMAL = re.compile(r"optimal", re.IGNORECASE)
_STOPPED = re.compile(r"undefined|unbounded|stopped|not solved", re.IGNORECASE)
# A blank line, a comment, a line of dashes, or a name and its value.
_HEAD = re.compile(r"\s*(?:$|[c#*\\](?:\s|$)|[-=\s]+$|(?:\w+ ){0,2}\w+:)")


def _columns(text: str) -> ProgramAnswer:
    """A solution file of CBC, GLPK, HiGHS and their like: a line with the verdict, and lines with a column and its value."""
    lines = text.splitlines()
    head = "\n".join(line for line in lines[:40] if not _COLUMN.search(line))
    if _INFEASIBLE.search(head):
        return ProgramAnswer(Status.UNSAT)
    if _STOPPED.search(head):
        return ProgramAnswer(Status.UNKNOWN)
    if not _SOLVED.search(head):
        raise InputError(f"there is no verdict in it{_first(lines)}")
    found = _COLUMN.findall(text)
    if not found:  # As glpsol writes with -w: its columns have its own numbers, and no names.
        others = [line for line in lines if not _HEAD.match(line) and not _SOLVED.search(line)]
        raise InputError(f"it says that there is a solution, and has no column such as `x0 1`{_first(others)}")
    try:
        chosen = [int(number) for number, value in found if float(value) > 0.5]
    except ValueError:
        raise InputError("the value of a column is no number") from None
    return ProgramAnswer(Status.SAT, frozenset(chosen), optimal=bool(_OPTIMAL.search(head)))


def _first(lines: Iterable[str]) -> str:
    """The first line that is not blank, for the end of a message."""
    line = next(filter(str.strip, lines), None)
    return "" if line is None else f"; the first line not understood: {line.strip()[:80]!r}"


_STAT = re.compile(r"%%%mzn-stat: (\w+)=([-+.\deE]+)$")
_STATS = {"flatTime": "flatten_seconds", "solveTime": "engine_seconds", "nodes": "nodes", "failures": "failures"}


def _minizinc(text: str) -> ProgramAnswer:
    stats: dict[str, float] = {}
    placements: list[Placement] = []
    places: list[tuple[int, int, int]] = []
    lines = text.splitlines()
    for line in lines:
        stat = _STAT.match(line)
        if stat and stat[1] in _STATS:
            value = float(stat[2])
            stats[_STATS[stat[1]]] = int(value) if stat[1] in ("nodes", "failures") else value
        elif line.startswith("place "):
            places.append(_place(line))
        elif ": " in line and not line.startswith(("%", "=")):
            tile, _, rest = line.rpartition(": ")
            cells, brace, paint = rest.partition("{")
            if tile or cells.strip():  # Otherwise it is a corner left open.
                coat = json.coat(jsontext.loads(brace + paint), tile[:40]) if brace else BLANK
                placements.append(Placement(tile, frozenset(map(_integers, cells.split())), coat))
    if "=====UNSATISFIABLE=====" in lines:
        return ProgramAnswer(Status.UNSAT, stats=stats)
    if "=====UNKNOWN=====" in lines:
        return ProgramAnswer(Status.UNKNOWN, stats=stats)
    if "----------" not in lines or not (places or placements):
        others = [line for line in lines if not line.startswith(("%", "----------", "=========="))]
        raise InputError(f"there is no verdict and no tiling in it{_first(others)}")
    if places:
        return ProgramAnswer(Status.SAT, places=tuple(places), stats=stats)
    return ProgramAnswer(Status.SAT, placements=tuple(placements), stats=stats)


def _place(line: str) -> tuple[int, int, int]:
    words = line.split()[1:]
    if len(words) != 3 or not all(re.fullmatch(r"\d{1,9}", word) for word in words):
        raise InputError(f"no placement: {line[:60]!r}")
    tile, variant, number = map(int, words)
    return tile, variant, number


def _integers(text: str) -> tuple[int, ...]:
    if not re.fullmatch(r"-?\d{1,9}(,-?\d{1,9})*", text):
        raise InputError(f"no cell: {text[:40]!r}")
    return tuple(map(int, text.split(",")))


_COUNTS = (
    re.compile(r"^c s exact (?:arb )?int (\d+)\s*$", re.MULTILINE),
    re.compile(r"^s mc (\d+)\s*$", re.MULTILINE),
    re.compile(r"Altogether (\d+) solutions?"),
    re.compile(r"^(?:c )?Models\s*:\s*(\d+)\s*$", re.MULTILINE),
)
_APPROXIMATE = re.compile(r"^c s (?:approx|pac)\b|ApproxMC", re.MULTILINE)


def _count(text: str) -> ProgramAnswer:
    """A count as model counters, Knuth's programs and clasp print it, or a last line that is a number."""
    if _APPROXIMATE.search(text):
        raise InputError("an approximate count is no count")
    found = next((match[1] for pattern in _COUNTS if (match := pattern.search(text))), None)
    if found is None:
        last = next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")
        found = last if last.isascii() and last.isdigit() else "0" if "s UNSATISFIABLE" in text.splitlines() else None
    if found is None:
        raise InputError("there is no count in it: `s mc N`, `c s exact arb int N` or a number as the last line")
    if len(found) > _DIGITS:
        raise InputError("a count of thousands of digits")
    number = int(found)
    return ProgramAnswer(Status.SAT if number else Status.UNSAT, count=number)


_WEIGHTS = re.compile(r"^c s exact (?:arb |double )?(?:float|int|frac|rational|prec-sci) (\S+)\s*$", re.MULTILINE)
_NUMBER = re.compile(r"[+-]?\d{1,400}(\.\d{1,400})?([eE][+-]?\d{1,3})?|[+-]?\d{1,400}/\d{1,400}")


def _weight(text: str) -> ProgramAnswer:
    """The sum of the weights of models, as counters print it in competitions."""
    found = _WEIGHTS.search(text)
    if _APPROXIMATE.search(text):
        raise InputError("an approximate sum is no sum")
    if found is None or not _NUMBER.fullmatch(found[1]):
        raise InputError("there is no sum in it: `c s exact arb frac 7/2`, or float or int")
    weight = Fraction(found[1]) if "/" in found[1] else Fraction(Decimal(found[1]))
    return ProgramAnswer(Status.UNKNOWN, weight=weight)


def _json(text: str) -> ProgramAnswer:
    """JSON lines: tilings as lists of {tile, cells}, and an object with `status`, perhaps `count` and `tiling`."""
    found: list[Any] = []
    summary: dict[str, Any] | None = None
    for value in _values(text):
        if isinstance(value, list):
            found.append(value)
        elif isinstance(value, dict) and "status" in value:
            summary = value
    if summary is None:
        raise InputError('there is no line such as {"status": "sat"}')
    if summary.get("tiling") is not None:
        found.append(summary["tiling"])
    status, count = summary["status"], summary.get("count")
    if status not in list(Status):
        raise InputError(f"status {jsontext.shown(status)} is none of {', '.join(Status)}")
    if count is not None and (isinstance(count, bool) or not isinstance(count, int) or count < 0):
        raise InputError(f"count {jsontext.shown(count)} is no number of tilings")
    placements = tuple(map(tilings.placement, found[0])) if found and isinstance(found[0], list) else None
    return ProgramAnswer(Status(status), placements=placements, count=count)


def _values(text: str) -> Iterator[Any]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                yield jsontext.loads(line)
            except InputError as error:
                raise InputError(f"line {number}: {error.text}") from None


_READERS: dict[str, Callable[[str], ProgramAnswer]] = {
    "dimacs": _dimacs,
    "maxsat": partial(_optimiser, _maxsat),
    "pb": partial(_optimiser, _pb),
    "columns": _columns,
    "minizinc": _minizinc,
    "json": _json,
    "count": _count,
    "weight": _weight,
}
