"""Write CNF files in the DIMACS format, with a comment per variable that says what it places. So any SAT solver can be used and
its answer read back.

A comment is `c`, the variable and a JSON object: `c 12 {"tile": "3L", "cells": [[0, 0], [1, 0], [1, 1]]}`, with `"copy": 2`
where copies have names, and `c 57 {"open": [0, 1]}` where an optional cell stays uncovered. A variable without a comment belongs
to the encoding. Groups of clauses have comments too: see groups.py.

Model counters read the format of the competitions since 2021. `c t` names the kind of count. `mc` counts all models. `pmc`
counts models that differ in the variables of `c p show`, the placements. `wmc` and `pwmc` add up the weights of models; a model
weighs the product of the weights of its literals. A literal that makes a placement has the weight of its tile, or 1 if that is
0; all others have weight 1. So a tiling weighs the product of the weights of its tiles.

MaxSAT solvers read the format WCNF of the evaluations since 2022: `h` begins a hard clause, a weight a soft one. The hard
clauses are those of the tilings. The soft clauses give the weight of a tiling: a placement of a tile of positive weight should
be made, a placement of a tile of negative weight should not. The cost of a tiling is the weight of all placements of positive
weight together, less the weight of the tiling. So the cheapest tiling is the heaviest.

A proof of UNSAT is a CNF with the same comments, and beside it clauses that follow from it one after the other, the last one
empty (DRUP). drat-trim and others check it; checking/ says whether both files hold.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import md5
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiler import jsontext, printable
from tiler.cover.items import ItemKind
from tiler.errors import BadOption, InputError
from tiler.model.expected import Status

if TYPE_CHECKING:
    from tiler.backends.sat.tiling import TilingFormula
    from tiler.cover.cover import Cover
    from tiler.model.tile import Placement


def cnf_beside(path: str) -> str:
    """The path for the CNF of a proof: beside the proof, with the ending `.cnf`. BadOption if that is not possible.

    >>> cnf_beside("out/4L.drup")
    'out/4L.cnf'
    """
    if path == "-" or not Path(path).name:
        raise BadOption("a proof is two files; name the one that takes the proof, as in out.drup")
    cnf = str(Path(path).with_suffix(".cnf"))
    if Path(path) == Path(cnf):
        raise BadOption(f"{path}: the proof needs another ending than its CNF, such as .drup")
    return cnf


def write_wcnf(cover: Cover, tiling: TilingFormula, *, optimises: bool, comments: Sequence[str] | None = None) -> Iterator[str]:
    """The lines of a file. Without `optimises` all clauses are hard; for `comments` None there are no comments. BadOption if
    there are native constraints, which are no clauses."""
    tiling.formula.refuse_native()
    yield from comment_lines(cover, tiling, comments)
    for clause in tiling.formula.clauses:
        yield " ".join(map(str, ("h", *clause, 0)))
    for variable, option in enumerate(tiling.option, 1):
        weight = int(cover.weights[cover.tile[option]]) if optimises else 0
        if weight:
            yield f"{abs(weight)} {variable if weight > 0 else -variable} 0"


def wcnf_cost(content: str, true: Collection[int], source: str | None = None) -> int:
    """The sum of the weights of the soft clauses of a file that are violated, if these variables are true."""
    total = 0
    for number, line in enumerate(content.splitlines(), 1):
        words = line.split()
        if not words or words[0] in ("c", "h"):
            continue
        if not all(re.fullmatch(rf"-?\d{{1,{_DIGITS}}}", word) for word in words) or words[-1] != "0":
            raise InputError("neither a comment nor a clause, hard or soft", source, number)
        weight, *literals = map(int, words[:-1])
        if not any((abs(literal) in true) == (literal > 0) for literal in literals):
            total += weight
    return total


COUNTING_KINDS = ("mc", "pmc", "wmc", "pwmc")


def write_counting(cover: Cover, tiling: TilingFormula, kind: str, comments: Sequence[str] | None = None) -> Iterator[str]:
    """The lines of a file. Without `comments`, it has only the comments of the format. BadOption if there is not one model for
    each tiling.
    """
    refusal = _counting_error(cover, tiling, kind)
    if refusal is not None:
        raise BadOption(refusal)
    yield f"c t {kind}"
    yield from comment_lines(cover, tiling, comments)
    head, *lines = tiling.formula.lines()
    yield head
    if kind.startswith("p"):
        yield f"c p show {' '.join(map(str, range(1, len(tiling.option) + 1)))} 0"
    for variable, option in enumerate(tiling.option if "w" in kind else (), 1):
        yield f"c p weight {variable} {int(cover.weights[cover.tile[option]]) or 1} 0"
        yield f"c p weight -{variable} 1 0"
    yield from lines


def _counting_error(cover: Cover, tiling: TilingFormula, kind: str) -> str | None:
    """The reason why the models of a formula, counted in this way, are not as many as the tilings; None if they are."""
    if tiling.symmetries is not None:
        return "symmetry=lex leaves out tilings; to count leave it out"
    several = next((option for option, copy in zip(tiling.option, tiling.copy, strict=True) if (copy or 0) > 1), None)
    others = tiling.formula.variables - len(tiling.option) - tiling.decided
    if several is None and not (others and not kind.startswith("p")):
        return None
    tile = 0 if several is None else int(cover.tile[several])
    copies = f"tile {cover.names[tile]} may be used {cover.upper[tile]} times, and clauses name its copies, which"
    if not kind.startswith("p"):
        what = f"{others} variables of this CNF are the encoding's, which" if several is None else copies
        return f"{what} might multiply models; count those of the placements: p{kind}, or projects = true in a [[solver]] table"
    return f"{copies} multiplies models; to count choose an encoding with amk, as in sat:encoding=amk-auto"


_DIGITS = 18  # the most digits of a number
_VERDICTS = {"SATISFIABLE": Status.SAT, "UNSATISFIABLE": Status.UNSAT, "UNKNOWN": Status.UNKNOWN}


def write_cnf(cover: Cover, tiling: TilingFormula, comments: Sequence[str] | None = ()) -> Iterator[str]:
    """The lines of a CNF file. BadOption if there are native constraints, which are no clauses."""
    tiling.formula.refuse_native()
    yield from comment_lines(cover, tiling, comments)
    yield from tiling.formula.lines()


def comment_lines(cover: Cover, tiling: TilingFormula, comments: Sequence[str] | None) -> Iterator[str]:
    """The comments at the head of a file: the given ones, then the meanings of variables, then the facts of groups of clauses.
    For None there are no comments at all."""
    if comments is None:
        return
    for comment in (*comments, *caveats(tiling)):
        yield f"c {printable.joined(comment)}"
    for variable, (option, copy) in enumerate(zip(tiling.option, tiling.copy, strict=True), 1):
        meaning = cover.meaning(option) or _opening(cover, option)
        if meaning is not None:
            yield f"c {variable} {json.dumps(meaning | ({'copy': copy} if copy else {}))}"
    yield from (group.header for group in tiling.formula.groups)


def _opening(cover: Cover, option: int) -> dict[str, Any] | None:
    """The meaning of an option that makes no placement: a cell stays open. None if its item is no cell of a board."""
    item = int(cover.members[option][0])
    return {"open": cover.items[item]} if cover.kind_of(item) is ItemKind.CELL else None


@dataclass(frozen=True)
class Meaning:
    """The meaning of a variable: a placement, by this copy of its tile, or by any copy if copies have no numbers (0). A tile
    without a name means that a cell stays open."""

    placement: Placement
    copy: int


class GbdHash:
    """The hash by which the Global Benchmark Database (benchmark-database.de) knows a CNF file: MD5 of its clauses, each with its
    0, with one space between all numbers. So comments, the line `p` and line breaks make no difference.

    >>> GbdHash().of(["c a comment", "p cnf 3 2", "1 -2 0", "2 3 0"]).hexdigest == md5(b"1 -2 0 2 3 0").hexdigest()
    True
    """

    def __init__(self) -> None:
        self._md5 = md5(usedforsecurity=False)
        self._between = b""

    @property
    def hexdigest(self) -> str:
        return self._md5.hexdigest()

    def through(self, lines: Iterable[str]) -> Iterator[str]:
        """The same lines, which are hashed as they pass; a line is a comment, the line `p`, or a clause as we write it."""
        for line in lines:
            if not line.startswith(("c", "p")):
                self._md5.update(self._between + line.encode())
                self._between = b" "
            yield line

    def of(self, lines: Iterable[str]) -> GbdHash:
        """This hash, after all lines."""
        for _ in self.through(lines):
            pass
        return self


def caveats(tiling: TilingFormula) -> list[str]:
    """Comments that say which tilings a formula leaves out."""
    if tiling.symmetries is None:
        return []
    return [
        "not the problem alone: clauses that break symmetries are in it, which keep one of the tilings that are symmetric",
        f"to each other ({tiling.symmetries} lex-leaders); a proof is about all clauses, these among them",
    ]


def read_meanings(content: str, source: str | None = None, mark: str = "c ") -> dict[int, Meaning]:
    """What the variables of a CNF file written by `write` mean; InputError if it has no such comments.

    `mark` is the text before the number: files of other languages than DIMACS have such comments too."""
    from tiler.formats import tilings

    found: dict[int, Meaning] = {}
    for number, line in enumerate(content.splitlines(), 1):
        match = re.fullmatch(re.escape(mark) + r"([0-9]+) (\{.*\})", line)
        if match:
            try:
                data = jsontext.loads(match[2])
                if "open" in data:
                    data |= {"tile": "", "cells": [data["open"]]}
                copy = data.get("copy", 0)
                if not isinstance(data.get("tile"), str) or len(match[1]) > _DIGITS or type(copy) is not int or copy < 0:
                    raise InputError("not a comment as `tiler convert` writes them")
                if int(match[1]) in found:
                    raise InputError(f"it says twice what variable {match[1]} means")
                found[int(match[1])] = Meaning(tilings.placement(data), copy)
            except InputError as error:
                raise InputError(error.text, source, number) from None
    if not found:
        raise InputError("it does not say what its variables mean; write it with `tiler convert FILE -o OUT`", source)
    return found


def read_answer(content: str, source: str | None = None) -> tuple[Status, frozenset[int]]:
    """Read the output of a SAT solver: its `s` line, and the true variables of its `v` lines (as in the SAT competitions).

    MiniSat's file (`SAT` and a line of literals, or `UNSAT`) is understood too. InputError if neither is there or it is cut off.

    >>> read_answer("c hello\\ns SATISFIABLE\\nv 1 -2\\nv 3 0\\n")
    (<Status.SAT: 'sat'>, frozenset({1, 3}))
    """
    status: Status | None = None
    words: list[str] = []
    for number, line in enumerate(content.splitlines(), 1):
        kind, _, rest = line.strip().partition(" ")
        if kind == "s":
            if rest.strip() not in _VERDICTS:
                raise InputError(f"{rest.strip()[:40]!r} is no verdict; there are {', '.join(_VERDICTS)}", source, number)
            status = _VERDICTS[rest.strip()]
        elif line.strip() in ("SAT", "UNSAT", "INDET"):
            status = {"SAT": Status.SAT, "UNSAT": Status.UNSAT}.get(line.strip(), Status.UNKNOWN)
        elif kind == "v" or re.fullmatch(r"-?\d+( -?\d+)*", line.strip()):
            words += rest.split() if kind == "v" else line.split()
    if status is None:
        raise InputError("there is no line `s SATISFIABLE` or `s UNSATISFIABLE` in it", source)
    if status is not Status.SAT:
        return status, frozenset()
    if not all(re.fullmatch(rf"-?[0-9]{{1,{_DIGITS}}}", word) for word in words):
        raise InputError("a `v` line holds more than literals", source)
    literals = list(map(int, words))
    if literals[-1:] != [0]:
        raise InputError("its `v` lines are missing or cut off: the last number must be 0", source)
    return status, frozenset(literal for literal in literals if literal > 0)


def placements(meanings: dict[int, Meaning], true: Iterable[int]) -> tuple[Placement, ...]:
    """The placements of a model, by variable."""
    made = (meanings[variable].placement for variable in sorted(true) if variable in meanings)
    return tuple(placement for placement in made if placement.tile)
