"""Keep the machine code of kernels in a file: first a list, one line of JSON, then the object files that it names.

There is one file for each machine type and compiler, among the user's cached files, so that what one environment has made serves
the next one; else it is in the virtual environment that runs us. An entry is right for a kernel whose name and digest it has
(digest.py), and is sealed by a fingerprint: a kill or a full disk may leave a file torn, and machine code that is changed may do
anything. Entries that do not match are ignored, and made anew. Machine code
runs with all that its user may do, so folders and files that others may write to are not used (process/private_files.py).
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tiler import jsontext, printable
from tiler.amounts import counted
from tiler.errors import InputError
from tiler.kernels.cache_folders import folders
from tiler.process import private_files
from tiler.process.private_files import PrivateFolder

_MOST_BYTES = 1 << 26  #: of a file: a hundred times as many as all kernels have
_MOST_SECONDS, _TICK_SECONDS = 600.0, 0.1  # to wait for another process, which may be stopped, and between two looks at it
SILENT_SECONDS = 15.0  #: between two lines about progress
_STATES = 5  #: versions of each kernel that are kept, for developers who go back and forth between them


class Machine(NamedTuple):
    """What machine code is made for, and by whom."""

    triple: str
    cpu: str
    features: str
    compiler: str  #: as digest.py has it

    @property
    def file_name(self) -> str:
        return f"kernels-{_seal('|'.join(self).encode())[:12]}.code"


class ObjectFile(NamedTuple):
    """The machine code of one kernel."""

    name: str  #: of its function in the object file
    digest: str
    signature: str
    object: bytes


def find(machine: Machine, wanted: Collection[tuple[str, str]]) -> dict[str, bytes]:
    """The object files that are kept for this machine, by name, of those with these names and digests."""
    found: dict[str, bytes] = {}
    for folder in folders():
        if len(found) < len(wanted):
            found = {each.name: each.object for each in read(folder, machine, wanted)} | found
    return found


def read(folder: Path, machine: Machine, wanted: Collection[tuple[str, str]] | None = None) -> list[ObjectFile]:
    """What a folder holds for a machine, the last one first: all, or what is of these names and digests; nothing of a file that
    is damaged or that others can have written."""
    with _opened(folder) as opened:
        return [] if opened is None else _read(opened, folder, machine, wanted)


def _read(
    opened: PrivateFolder, folder: Path, machine: Machine, wanted: Collection[tuple[str, str]] | None = None
) -> list[ObjectFile]:
    head, objects = _parts(opened, folder / machine.file_name)
    with suppress(LookupError, TypeError):  # It is damaged.
        if head["machine"] != list(machine):
            return []
        return [
            made
            for entry in head["kernels"]
            if wanted is None or (entry["name"], entry["digest"]) in wanted
            if (made := _entry(entry, objects)) is not None
        ]
    return []


def _parts(opened: PrivateFolder, path: Path) -> tuple[Any, bytes]:
    """The list in a file, and the object files; None if there is no list."""
    try:
        head, _, objects = opened.read(path.name, _MOST_BYTES).partition(b"\n")
        return jsontext.loads(head), objects
    except private_files.ExposedError as error:
        _say_unused(path, str(error))
    except (OSError, InputError):  # There is no file, or it is damaged.
        pass
    return None, b""


def _entry(entry: Any, objects: bytes) -> ObjectFile | None:
    """A kernel of the list; None if its code is not what it was."""
    texts = entry["name"], entry["digest"], entry["signature"]
    code = objects[entry["at"] : entry["at"] + entry["size"]]
    return ObjectFile(*texts, code) if _seal(code) == entry["seal"] and all(isinstance(each, str) for each in texts) else None


def is_listed(name: str, digest: str) -> bool:
    """Whether a kernel is kept for some machine. Only LLVM says which machine this is, and that takes long to load."""
    return any(_is_listed(folder, name, digest) for folder in folders())


def _is_listed(folder: Path, name: str, digest: str) -> bool:
    with _opened(folder) as opened:
        files = [] if opened is None else [folder / file for file in opened.names() if file.endswith(".code")]
        lists = [_parts(opened, file)[0] for file in files if opened is not None]
    with suppress(LookupError, TypeError):
        return any((each["name"], each["digest"]) == (name, digest) for listed in lists for each in listed["kernels"])
    return False


def keep(machine: Machine, made: Iterable[ObjectFile]) -> None:
    """Add what was made to the file of a machine, in the first folder that can be written to; what was there stays, up to some
    states of each kernel. Where nothing can be written it is made again next time."""
    new = list(made)
    for folder in folders():
        with suppress(OSError), _opened(folder, makes=True) as opened:
            if opened is not None:
                opened.write(machine.file_name, content(machine, _without_old([*new, *_read(opened, folder, machine)])))
                return


def own_folder() -> Path | None:
    """The folder in which this process keeps machine code, if there is one."""
    for each in folders():
        with _opened(each, makes=True) as opened:
            if opened is not None and opened.can_be_written():
                return each
    return None


@contextmanager
def alone(missing: Callable[[], int]) -> Iterator[None]:
    """While this lasts, no other process compiles for the same folder. A process waits for one that does, and says so, until
    no kernel is missing. The folder itself is locked: so a lock ends with its process, however that ends."""
    place = own_folder()
    with ExitStack() as stack:
        opened = None if place is None else stack.enter_context(_opened(place))
        if opened is not None:
            _wait(opened, missing)
        yield


def _wait(opened: PrivateFolder, missing: Callable[[], int]) -> None:
    end = time.monotonic() + _MOST_SECONDS
    next_line = 0.0
    while time.monotonic() < end:
        try:
            opened.lock()
            return
        except BlockingIOError:
            left = missing()
            if not left:
                return
        except OSError:
            return  # This file system knows no locks.
        if time.monotonic() >= next_line:
            print(
                f"tiler: another process compiles the search; waiting for {counted(left, 'kernel')}", file=sys.stderr, flush=True
            )
            next_line = time.monotonic() + SILENT_SECONDS
        time.sleep(_TICK_SECONDS)


@contextmanager
def _opened(folder: Path, *, makes: bool = False) -> Iterator[PrivateFolder | None]:
    """A folder, opened, which may have to be made first; None if it cannot be used, which is said if others may have
    written there."""
    opened = None
    try:
        if makes:
            private_files.make_folder(folder)
        opened = private_files.open_folder(folder)
    except private_files.ExposedError as error:
        _say_unused(folder, str(error))
    except OSError:
        pass
    try:
        yield opened
    finally:
        if opened is not None:
            opened.close()


@cache
def _say_unused(path: Path, reason: str) -> None:
    print(f"tiler: {printable.line(str(path))} is not used, since {reason}", file=sys.stderr, flush=True)


def _without_old(kernels: Iterable[ObjectFile]) -> list[ObjectFile]:
    """The first few kernels of each name; only the first one of those with the same digest."""
    kept: dict[str, dict[str, ObjectFile]] = {}
    for each in kernels:
        of_name = kept.setdefault(each.name, {})
        if len(of_name) < _STATES:
            of_name.setdefault(each.digest, each)
    return [each for of_name in kept.values() for each in of_name.values()]


def content(machine: Machine, kernels: Sequence[ObjectFile]) -> bytes:
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
