"""Keep the machine code of kernels in a file: first a list, one line of JSON, then the object files that it names.

There is one file for each machine type, in the virtual environment that runs us, else among the user's cached files. An entry is
right for a kernel whose name and digest it has (digest.py), and is sealed by a fingerprint: a kill or a full disk may leave a
file torn, and machine code that is changed may do anything. Entries that do not match are ignored, and made anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from tiler.errors import TilerError
from tiler.kernels.where import folders
from tiler.process import files

_STATES = 3  #: versions of each kernel that are kept, for developers who go back and forth between them


class Machine(NamedTuple):
    """What machine code is made for, and by whom."""

    triple: str
    cpu: str
    features: str
    compiler: str  #: as digest.py has it

    @property
    def file_name(self) -> str:
        return f"kernels-{_seal('|'.join((self.triple, self.cpu, self.features)).encode())[:12]}.code"


class Made(NamedTuple):
    """The machine code of one kernel."""

    name: str  #: of its function in the object file
    digest: str
    signature: str
    object: bytes


def find(machine: Machine, name: str, digest: str) -> bytes | None:
    """The object file of a kernel, if it is kept for this machine."""
    for folder in folders():
        for made in read(folder / machine.file_name, machine, [(name, digest)]):
            return made.object
    return None


def read(path: Path, machine: Machine, wanted: Sequence[tuple[str, str]] | None = None) -> list[Made]:
    """What a file holds for a machine, the last one first: all, or what is of these names and digests; none of a file that cannot
    be read."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError), open(path, "rb") as file:
        head = json.loads(file.readline())
        begin = file.tell()
        found = []
        for entry in head["kernels"] if head["machine"] == list(machine) else []:
            if wanted is None or (entry["name"], entry["digest"]) in wanted:
                file.seek(begin + entry["at"])
                content = file.read(entry["size"])
                if _seal(content) == entry["seal"]:
                    found.append(Made(entry["name"], entry["digest"], entry["signature"], content))
        return found
    return []


def keep(machine: Machine, made: Iterable[Made]) -> None:
    """Add what was made to the file of a machine, in the first folder that can be written to; what was there stays, up to some
    states of each kernel. Where nothing can be written it is made again next time."""
    new = list(made)
    for folder in folders():
        path = folder / machine.file_name
        with contextlib.suppress(OSError, TilerError):
            folder.mkdir(parents=True, exist_ok=True)
            files.write(path, content(machine, _without_old([*new, *read(path, machine)])))
            return


def _without_old(kernels: Iterable[Made]) -> list[Made]:
    """The first few kernels of each name; only the first one of those with the same digest."""
    kept: dict[str, dict[str, Made]] = {}
    for each in kernels:
        of_name = kept.setdefault(each.name, {})
        if len(of_name) < _STATES:
            of_name.setdefault(each.digest, each)
    return [each for of_name in kept.values() for each in of_name.values()]


def content(machine: Machine, kernels: Sequence[Made]) -> bytes:
    """A file."""
    entries, at = [], 0
    for each in kernels:
        named = {"name": each.name, "digest": each.digest, "signature": each.signature}
        entries.append({**named, "at": at, "size": len(each.object), "seal": _seal(each.object)})
        at += len(each.object)
    head = json.dumps({"machine": machine, "kernels": entries}).encode()
    return b"\n".join((head, b"".join(each.object for each in kernels)))


def _seal(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
