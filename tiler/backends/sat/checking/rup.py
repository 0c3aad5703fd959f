"""Check whether a DRUP proof shows that a CNF has no model. Both are read strictly: a file that is damaged or belongs to another
CNF is refused.

Deletions of unit clauses are ignored, as drat-trim does: a literal that is true without assumptions stays true, even if the proof
deletes the clause that says so or the clause from which it followed. Engines (maplecm is one) delete such clauses and rest on the
literal later, because they delete clauses that need not be kept in memory. Every other deletion counts: the clause is used no
more.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from tiler.backends.sat.checking import kernel
from tiler.errors import InputError
from tiler.kernels import PAUSED, TerminationCheck, python_time
from tiler.process.cancellation import StopCheck, never_stop

_LARGEST = 1 << 29  #: the largest number that a variable may have
_BUDGET = 1 << 12  # steps between two looks at the clock: mostly some hundredths of a second


@dataclass(frozen=True)
class Cnf:
    """The clauses of a CNF file; its variables are 1 to `variables`."""

    variables: int
    clauses: tuple[tuple[int, ...], ...]


def read_cnf(content: str, source: str | None = None) -> Cnf:
    """A CNF file; InputError if it is not as its first line says."""
    head: tuple[int, int] | None = None
    clauses: list[tuple[int, ...]] = []
    for number, line in enumerate(content.split("\n"), 1):
        if not line or line == "c" or line.startswith("c "):
            continue
        if line.startswith("p "):
            words = line.split()
            if head is not None or len(words) != 4 or words[1] != "cnf" or not all(map(_is_number, words[2:])):
                raise InputError("it must have one line `p cnf VARIABLES CLAUSES`", source, number)
            head = int(words[2]), int(words[3])
            if head[0] > _LARGEST:
                raise InputError(f"too many variables; there may be {_LARGEST}", source, number)
            continue
        if head is None:
            raise InputError("a line `p cnf VARIABLES CLAUSES` must come before the clauses", source, number)
        clauses.append(_clause(line, head[0], source, number))
    if head is None:
        raise InputError("no CNF: there is no line `p cnf VARIABLES CLAUSES`", source)
    if len(clauses) != head[1]:
        raise InputError(f"it has {len(clauses)} clauses, but says {head[1]}: cut off or damaged", source)
    return Cnf(head[0], tuple(clauses))


@dataclass
class _Steps:
    """Collects clauses and steps in the form that the kernel takes."""

    starts: array[int] = field(default_factory=lambda: array("q", [0]))
    literals: array[int] = field(default_factory=lambda: array("i"))
    steps: array[int] = field(default_factory=lambda: array("i"))
    kinds: bytearray = field(default_factory=bytearray)
    lines: array[int] = field(default_factory=lambda: array("q"))
    known: dict[int, list[int]] = field(default_factory=dict)  #: the numbers of the present clauses, by a fingerprint

    def add(self, clause: Iterable[int], kind: int, line: int) -> None:
        """Add a clause that is given or derived."""
        codes = _codes(clause)
        number = len(self.starts) - 1
        self.literals.extend(sorted(codes))
        self.starts.append(len(self.literals))
        self.known.setdefault(hash(codes), []).append(number)
        self._step(number, kind, line)

    def delete(self, clause: Iterable[int], line: int) -> None:
        """Delete a clause. It need not be there: engines also delete clauses that they have shortened without a word in the
        proof."""
        numbers = self.known.get(hash(_codes(clause)))
        if numbers:
            self._step(numbers.pop(), kernel.DELETED, line)

    def _step(self, number: int, kind: int, line: int) -> None:
        self.steps.append(number)
        self.kinds.append(kind)
        self.lines.append(line)


@dataclass(frozen=True)
class Followed:
    """The result of checking a proof: the number of clauses derived, or what is wrong in which line."""

    derived: int
    wrong: str | None = None


def follow(cnf: Cnf, proof: str, source: str | None = None, check_stop: StopCheck = never_stop) -> Followed:
    """Check a proof in DRUP: every clause must follow by unit propagation, and at last there must be a contradiction.

    See above for what it deletes. InputError if it is no text of that kind. It takes about
    as long as the engine took, and some 50 bytes a literal.
    """
    made = _Steps()
    for number, clause in enumerate(cnf.clauses, 1):
        made.add(clause, kernel.GIVEN, -number)
    largest = cnf.variables
    for line, literals, deleted in _lines(proof, source, check_stop):
        if deleted:
            made.delete(literals, line)
        else:
            made.add(literals, kernel.DERIVED, line)
            largest = max(largest, max(map(abs, literals), default=0))
    return _follow(made, largest, check_stop)


def _follow(made: _Steps, variables: int, check_stop: StopCheck) -> Followed:
    clauses = len(made.starts) - 1
    kinds = np.frombuffer(made.kinds, np.uint8)
    literals = _numbers(made.literals, np.int32)
    if variables > len(literals):  # A line can name variables with huge numbers: only variables that occur get memory.
        used, number = np.unique(literals >> 1, return_inverse=True)
        variables, literals = len(used), (2 * number + 2 | literals & 1).astype(np.int32)
    steps = kernel.ClauseProof(_numbers(made.starts, np.int64), _numbers(made.steps, np.int32), kinds)
    state = kernel.CheckingState(
        literals=literals,
        next=np.full(2 * clauses, -1, np.int32),
        first=np.full(2 * variables + 2, -1, np.int32),
        truth=np.zeros(2 * variables + 2, np.uint8),
        trail=np.full(variables + 1, -1, np.int32),
        deleted=np.zeros(clauses, np.uint8),
        at=np.zeros(3, np.int64),
    )
    termination, code = TerminationCheck("the check"), PAUSED
    while code == PAUSED:
        code = kernel.follow(steps, state, python_time.share(_BUDGET))
        termination.advance(int(state.at[0]) + (code != PAUSED))
        check_stop()
    at, derived = int(state.at[0]), int(state.at[2])
    if code == kernel.REFUTED:
        return Followed(derived)
    if code == kernel.WRONG:
        return Followed(derived, f"line {made.lines[at]}: this clause does not follow from those before it")
    return Followed(derived, "it ends before the contradiction: cut off, or no proof")


def _codes(clause: Iterable[int]) -> frozenset[int]:
    """Literals as the kernel has them. Other literals may have the same fingerprint, and another clause be deleted then: that is
    no wrong step either."""
    return frozenset(2 * literal if literal > 0 else 1 - 2 * literal for literal in clause)


def _numbers(values: array[int], kind: type[np.generic]) -> np.ndarray:
    return np.frombuffer(values, kind).copy() if values else np.empty(0, kind)


def _lines(proof: str, source: str | None, check_stop: StopCheck) -> Iterator[tuple[int, Sequence[int], bool]]:
    """The number of every line that is no comment, its literals, and whether they are deleted."""
    for number, line in enumerate(proof.split("\n"), 1):
        if number % _BUDGET == 0:
            check_stop()
        if not line or line == "c" or line.startswith("c "):
            continue
        deleted = line.startswith("d ")
        yield number, _clause(line[2:] if deleted else line, _LARGEST, source, number), deleted


def _clause(line: str, largest: int, source: str | None, number: int) -> tuple[int, ...]:
    """The literals of a line that ends with 0."""
    try:
        *literals, end = map(int, line.split())
    except ValueError:
        raise InputError("a clause is literals and a 0 at the end", source, number) from None
    if end != 0 or 0 in literals:
        raise InputError("a clause ends with its line, and 0 at the end: cut off or damaged", source, number)
    if literals and not max(literals) <= largest >= -min(literals):
        raise InputError(f"there is no variable beyond {largest}", source, number)
    return tuple(literals)


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdecimal() and len(word) < 12
