"""Proofs of UNSAT as SAT engines write them: a CNF, and clauses that follow from it one after the other, the last one empty.

The format of the second is DRUP, which drat-trim and others check. That the CNF is the problem's, of which it is what `tiler
convert` writes, with the same comments, and that the proof holds, is for backends/sat/checking to say.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Drup:
    """The lines of a CNF file and of a DRUP proof that it has no model."""

    cnf: tuple[str, ...]
    drup: tuple[str, ...]
