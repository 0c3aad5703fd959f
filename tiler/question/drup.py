"""Proofs of UNSAT as SAT engines write them: a CNF, and clauses that follow from it one after the other, the last one empty.

The format of the second is DRUP, which drat-trim and others check; Tiler does not. Nothing here says that the CNF stands for the
problem; it is the one that `tiler convert` writes, with the same comments.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Drup:
    """The lines of a CNF file and of a DRUP proof that it has no model."""

    cnf: tuple[str, ...]
    drup: tuple[str, ...]
