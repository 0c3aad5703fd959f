"""Write proofs of UNSAT by SAT engines: a CNF, and clauses that follow from it one after the other, the last one empty.

The proof has the format DRUP, which drat-trim and others check; checking/ says whether both files hold. The CNF is the one that
`tiler convert` writes, with the same comments.
"""

from __future__ import annotations

from pathlib import Path

from tiler.errors import BadOption


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
