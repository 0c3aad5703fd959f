"""Change a formula before an engine gets it, and translate models back: into another order by a seed, into a smaller one, and
into one whose symmetries are broken.

Few engines take a seed, and they use it for different things; but the order of a formula matters to all of them. So *seed* means
one thing for every engine here: another formula with the same models, with variables renamed, and clauses and the literals within
them shuffled, as solver competitions scramble theirs (Biere and Heule, The effect of scrambling CNFs, 2018). CaDiCaL's
preprocessor, through PySAT, makes formulas smaller.

For `symmetry=breakid` a program of others looks for symmetries of the clauses, and adds clauses that few models of each orbit
fulfil. It is BreakID (Devriendt, Bogaerts, Bruynooghe and Denecker, Improved static symmetry breaking for SAT, 2016), which the
thesis used (2.4.4), or satsuma (Anders, Brenner and Rattan, Satsuma: structure-based symmetry breaking in SAT, 2024). Both leave
the variables as they are, and number their own after them. That some model of each orbit is kept rests on their word.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from shutil import which
from typing import NamedTuple

from tiler.backends.sat import SYMMETRY_BREAKERS
from tiler.backends.sat.formula import Formula
from tiler.errors import BackendError, InputError
from tiler.process.programs import call, content

_OPTIONS = {"breakid": ("{cnf}", "{out}"), "satsuma": ("lex", "--file", "{cnf}", "--out-file", "{out}")}


class Scrambled:
    """A formula after renaming; `there` and `back` translate literals. Seed 0 changes nothing."""

    def __init__(self, formula: Formula, seed: int) -> None:
        self._name: Sequence[int] = range(formula.variables + 1)
        self._old: Sequence[int] = self._name
        self.formula = formula
        if seed == 0:
            return
        draw = random.Random(seed)
        named = list(range(1, formula.variables + 1))
        draw.shuffle(named)
        self._name = [0, *named]
        old = [0] * len(self._name)
        for variable, name in enumerate(self._name):
            old[name] = variable
        self._old = old
        clauses = [self.there(clause) for clause in formula.clauses]
        draw.shuffle(clauses)
        for clause in clauses:
            draw.shuffle(clause)
        self.formula = Formula(formula.variables, clauses, [(self.there(each), bound) for each, bound in formula.at_mosts])

    def there(self, literals: Iterable[int]) -> list[int]:
        """Translate literals of the original formula into this one; later variables keep their numbers."""
        return _renamed(self._name, literals)

    def back(self, literals: Iterable[int]) -> list[int]:
        """Translate literals of this formula into the original one."""
        return _renamed(self._old, literals)

    def line_back(self, line: str) -> str:
        """Translate a line of a proof about this formula into one about the original."""
        deletes, words = (["d"], line.split()[1:]) if line.startswith("d") else ([], line.split())
        return " ".join([*deletes, *map(str, self.back(map(int, words)))])


def _renamed(names: Sequence[int], literals: Iterable[int]) -> list[int]:
    known = len(names)
    return [each if abs(each) >= known else names[each] if each > 0 else -names[-each] for each in literals]


class PreprocessedFormula:
    """A formula after preprocessing. Variables that clauses will be added about later must be `frozen`."""

    def __init__(self, formula: Formula, frozen: Sequence[int], techniques: Mapping[str, bool]) -> None:
        from pysat.process import Processor

        # It does not accept an empty clause.
        clauses = formula.clauses if all(formula.clauses) else [[1], [-1]]
        self._processor = Processor(bootstrap_with=clauses)
        processed = self._processor.process(freeze=list(frozen), **techniques)
        self.formula = Formula(formula.variables)
        self.formula.extend(processed.clauses if self._processor.status else [[]], processed.nv or 0)

    def restore(self, model: Sequence[int]) -> list[int]:
        """A model of the original formula from one of the processed one."""
        return list(self._processor.restore(list(model)))


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
