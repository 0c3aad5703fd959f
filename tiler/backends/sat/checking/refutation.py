"""A proof by a SAT engine checked against the problem: that its CNF is the problem's, and that it refutes it."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass

from tiler import amounts
from tiler.backends.sat import dimacs
from tiler.backends.sat.checking import faithful, rup
from tiler.errors import InputError
from tiler.model.instance import Instance
from tiler.process.look import Look, unhurried

_PROGRAM = "drat-trim"  #: takes over from our own checker where it is installed
_FOREVER = "1000000"  # seconds: its own limit is some hours


@dataclass(frozen=True)
class Refutation:
    """What the check came to: what is wrong with one of the files, or in words what was checked and by what."""

    wrong: str | None
    file: str
    checked: str = ""
    tried: int = 0  #: groups of clauses that count copies and were only tried (see faithful.py)


def is_proof(content: str, path: str) -> bool:
    """Whether a file holds a DRUP proof rather than what a SAT solver printed: the first of its lines is a clause."""
    if path.lower().endswith((".drup", ".drat")):
        return True
    first = next((line for line in content.split("\n") if line.strip() and not re.match(r"c( |$)", line)), "")
    return bool(re.fullmatch(r"(d )?(-?\d+ )*0\s*", first))


def check(instance: Instance, cnf: tuple[str, str], proof: tuple[str, str], look: Look = unhurried) -> Refutation:
    """Whether a proof shows that an instance has no tiling. Both files are given by path and content.

    InputError if one of them cannot be read as what it should be.
    """
    (cnf_path, clauses), (proof_path, steps) = cnf, proof
    if instance.open is not None:
        # They would be counted over all cells, by variables that have no comment.
        raise InputError(
            "of problems that say how many cells stay open no clauses are followed; drat-trim checks the proof alone"
        )
    formula = rup.read_cnf(clauses, cnf_path)
    shown = faithful.check(instance, formula, dimacs.read_meanings(clauses, cnf_path), look)
    if shown.wrong:
        return Refutation(f"{shown.wrong}; the CNF is not shown to be that of this problem", cnf_path)
    program = shutil.which(_PROGRAM)
    if program and "-" not in (cnf_path, proof_path):
        return Refutation(_refused(program, cnf_path, proof_path), proof_path, f"by {_PROGRAM}", shown.tried)
    followed = rup.follow(formula, steps, proof_path, look)
    return Refutation(followed.wrong, proof_path, f"{amounts.counted(followed.derived, 'clause')} followed", shown.tried)


def _refused(program: str, cnf: str, proof: str) -> str | None:
    """Why drat-trim does not take a proof, or None if it does."""
    run = subprocess.run([program, cnf, proof, "-t", _FOREVER], check=False, capture_output=True, text=True, errors="replace")
    if "s VERIFIED" in run.stdout.splitlines():
        return None
    said = [line for line in (run.stdout + run.stderr).splitlines() if line.strip()]
    return f"{_PROGRAM} does not take it: {said[-1][:200] if said else f'exit status {run.returncode}'}"
