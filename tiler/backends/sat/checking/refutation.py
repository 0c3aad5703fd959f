"""Check a proof of a SAT engine against the problem: that the CNF is the problem's, and that the proof refutes this CNF."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass

from tiler import amounts
from tiler.backends.sat import dimacs, groups
from tiler.backends.sat.checking import faithful, rup
from tiler.model.instance import Instance
from tiler.process.cancellation import StopCheck, never_stop

_PROGRAM = "drat-trim"  #: checks proofs in place of our own checker, if it is installed
_FOREVER = "1000000"  # seconds; its default limit is some hours


@dataclass(frozen=True)
class Refutation:
    """The result of a check: what is `wrong` with the proof; or why it is `not_shown` that the clauses are those of the problem.
    If both are empty, there is no tiling. `checked` says how the proof was checked."""

    wrong: str | None
    not_shown: str | None = None
    checked: str = ""


def is_proof(content: str, path: str) -> bool:
    """Whether a file holds a DRUP proof rather than what a SAT solver printed: the first of its lines is a clause."""
    if path.lower().endswith((".drup", ".drat")):
        return True
    first = next((line for line in content.split("\n") if line.strip() and not re.match(r"c( |$)", line)), "")
    return bool(re.fullmatch(r"(d )?(-?\d+ )*0\s*", first))


def check(instance: Instance, cnf: tuple[str, str], proof: tuple[str, str], check_stop: StopCheck = never_stop) -> Refutation:
    """Whether a proof shows that an instance has no tiling. Both files are given by path and content.

    InputError if one of them cannot be read as what it should be.
    """
    (cnf_path, clauses), (proof_path, steps) = cnf, proof
    formula = rup.read_cnf(clauses, cnf_path)
    recorded = groups.read(clauses, cnf_path)
    if recorded:
        not_shown = faithful.why_not_shown(instance, formula, dimacs.read_meanings(clauses, cnf_path), recorded, check_stop)
    else:
        not_shown = "no comment says which groups of clauses there are; write it with `tiler convert` or --proof"
    program = shutil.which(_PROGRAM)
    if program and "-" not in (cnf_path, proof_path):
        return Refutation(_refused(program, cnf_path, proof_path), not_shown, f"by {_PROGRAM}")
    followed = rup.follow(formula, steps, proof_path, check_stop)
    return Refutation(followed.wrong, not_shown, f"{amounts.counted(followed.derived, 'clause')} followed")


def _refused(program: str, cnf: str, proof: str) -> str | None:
    """The reason why drat-trim does not accept a proof; None if it does."""
    run = subprocess.run([program, cnf, proof, "-t", _FOREVER], check=False, capture_output=True, text=True, errors="replace")
    if "s VERIFIED" in run.stdout.splitlines():
        return None
    said = [line for line in (run.stdout + run.stderr).splitlines() if line.strip()]
    return f"{_PROGRAM} does not take it: {said[-1][:200] if said else f'exit status {run.returncode}'}"
