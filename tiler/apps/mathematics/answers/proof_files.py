"""Write proofs into the folder that `--proofs` of `tiler rectangles` and of `tiler plane` names.

For each box that is refuted there is a certificate, or a DRUP proof beside its CNF. `tiler check` reads both, beside the box,
whose sides are at the end of the name, and its tiles. For a tile that cannot be surrounded more often there is a DRUP proof.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from tiler.apps.mathematics.rectangles import Rectangles, Verdict, named
from tiler.errors import BadOption
from tiler.process import files
from tiler.question.certificate import Certificate
from tiler.question.drup import Drup

_LARGEST = 10**9  #: bytes; what is larger is not written


class ProofFile(NamedTuple):
    """What a record says of a proof."""

    file: str
    bytes: int
    sha256: str


def folder(path: str) -> Path:
    """The folder, made if it is not there; BadOption if it cannot be."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadOption(f"cannot make the folder {path}: {error.strerror}") from None
    return Path(path)


def write(into: Path, found: Rectangles, verdict: Verdict) -> ProofFile | None:
    """Write the proof of a verdict, if it has one that is not too large."""
    proof = verdict.proof
    name = f"{found.digest}-{named(verdict.sides[::-1])}"  # as `tiler check` is asked about it: columns first
    if proof is None:
        return None
    if isinstance(proof, Certificate):
        return _written(into / f"{name}.json", [json.dumps(proof.to_json())])
    return write_drup(into, name, proof)


def write_drup(into: Path, name: str, proof: Drup) -> ProofFile | None:
    """Write a DRUP proof and its CNF, unless they are too large."""
    size = sum(len(line) + 1 for line in proof.drup)
    if size > _LARGEST:
        return None
    _written(into / f"{name}.cnf", proof.cnf)
    return _written(into / f"{name}.drup", proof.drup)


def _written(path: Path, lines: Iterable[str]) -> ProofFile:
    total, digest = 0, hashlib.sha256()
    with files.Replacement(path) as new:
        for line in _ended(lines):
            total += len(line)
            digest.update(line)
            new.file.write(line)
    return ProofFile(path.name, total, digest.hexdigest())


def _ended(lines: Iterable[str]) -> Iterator[bytes]:
    return (f"{line}\n".encode() for line in lines)
