"""Have the symmetries of a formula found and broken by a program of others, for `symmetry=breakid`.

The program looks for symmetries of the clauses, and adds clauses that few models of each orbit fulfil. It is BreakID (Devriendt,
Bogaerts, Bruynooghe and Denecker, Improved static symmetry breaking for SAT, 2016), which the thesis used (2.4.4), or satsuma
(Anders, Brenner and Rattan, Satsuma: structure-based symmetry breaking in SAT, 2024). Both leave the variables as they are, and
number their own after them. That some model of each orbit is kept rests on their word.
"""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path
from shutil import which
from typing import NamedTuple

from tiler.backends.sat import SYMMETRY_BREAKERS
from tiler.backends.sat.formula import Formula
from tiler.errors import BackendError, InputError
from tiler.process.programs import call, content

_OPTIONS = {"breakid": ("{cnf}", "{out}"), "satsuma": ("lex", "--file", "{cnf}", "--out-file", "{out}")}


class Breaker(NamedTuple):
    """A program that breaks symmetries, and where it is."""

    name: str
    path: str

    @property
    def digest(self) -> str:
        """The digest of its file, 16 hexadecimal digits, as declared programs have one."""
        return sha256(Path(self.path).read_bytes()).hexdigest()[:16]


def breaker() -> Breaker:
    """The first of the programs that is on the path. BackendError if none is."""
    for name in SYMMETRY_BREAKERS:
        path = which(name)
        if path is not None:
            return Breaker(name, path)
    raise BackendError(f"none of {', '.join(SYMMETRY_BREAKERS)} is on the path")


def broken(program: Breaker, formula: Formula, folder: Path) -> Formula:
    """The formula with the clauses that a program adds; its files are in `folder`. BackendError if it fails."""
    if not formula.clauses or not all(formula.clauses):
        return formula  # An empty clause, or no clause at all, is not understood by every program.
    given, made = folder / "symmetric.cnf", folder / "broken.cnf"
    given.write_text("".join(f"{line}\n" for line in formula.lines()))
    files = {"{cnf}": str(given), "{out}": str(made)}
    printed = call(program.name, [program.path, *(files.get(word, word) for word in _OPTIONS[program.name])])
    try:
        variables, clauses = _read(content(made))
    except InputError as error:
        last = f"; its last line: {printed.last_line}" if printed.last_line else ""
        raise BackendError(f"{program.name}: its CNF is not understood: {error.text}{last}") from None
    return Formula(max(formula.variables, variables), clauses)


def _read(text: str) -> tuple[int, list[list[int]]]:
    """The number of variables of a CNF, and its clauses. InputError if it is no CNF, or cut off. PySAT takes a sixth of the time
    of checking/rup.py, which reads more strictly."""
    from pysat.formula import CNF

    head = re.search(r"^p cnf \d+ (\d+)\s*$", text, re.MULTILINE)
    try:
        cnf = CNF(from_string=text)
    except ValueError:
        raise InputError("a line is neither a comment nor a clause") from None
    if head is None or len(cnf.clauses) != int(head[1]) or text.rsplit(maxsplit=1)[-1] != "0":
        raise InputError("it has not the clauses that its line `p cnf VARIABLES CLAUSES` says")
    return cnf.nv, cnf.clauses
