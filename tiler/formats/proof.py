"""Proofs of UNSAT as SAT engines write them: a CNF, and clauses that follow from it one after the other, the last one empty.

The format of the second is DRUP, which drat-trim and others check. Nothing here says that the CNF stands for the problem.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tiler.errors import BadOption
from tiler.formats.dimacs import write_clauses


@dataclass(frozen=True)
class Proof:
    """A CNF and the lines of a DRUP proof that it has no model."""

    variables: int
    clauses: tuple[tuple[int, ...], ...]
    lines: tuple[str, ...]

    def files(self, path: str) -> Iterator[tuple[str, Iterator[str]]]:
        """The files of the proof, path and lines: the proof itself, and the CNF beside it, with the ending `.cnf`."""
        cnf = Path(path).with_suffix(".cnf")
        if Path(path) == cnf:
            raise BadOption(f"{path}: the proof needs another ending than its CNF, such as .drup")
        yield path, iter(self.lines)
        yield str(cnf), write_clauses(self.variables, self.clauses)
