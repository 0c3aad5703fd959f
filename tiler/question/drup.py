"""Hold proofs of UNSAT as SAT engines write them: a CNF, and a list of clauses that follow from it one after the other, the last
one empty. The list is in the format DRUP, which drat-trim and other programs check. The CNF is the one that `tiler convert`
writes, with the same comments. backends/sat/checking checks that the CNF follows from the problem, and that the proof holds.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Drup:
    """The lines of a CNF file and of a DRUP proof that it has no model."""

    cnf: tuple[str, ...]
    drup: tuple[str, ...]
