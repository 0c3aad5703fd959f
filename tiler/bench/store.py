"""Keep the records of a campaign on disk: a folder with runs.jsonl, one record per line, and env.json.

Records are only ever appended, each by one write, so that a harness killed in the middle of a line costs that line and no other.
One harness at a time works in a folder (`locked`), or else each would make every run; readers need not wait. record.py defines
records.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Generic, TypeVar

from tiler import jsontext
from tiler.errors import BadOption, InputError, TilerError
from tiler.process import files, locks

RUNS, ENVIRONMENT = "runs.jsonl", "env.json"
LOCK = ".lock"

R = TypeVar("R")


@dataclass(frozen=True)
class Contents(Generic[R]):
    """What a campaign's file holds, and how many of its lines are no record: torn, not of this schema, or
    with something in them that does not belong there."""

    records: tuple[R, ...] = ()
    skipped: int = 0


class Store:
    """A campaign's folder, open for appending; made if missing. BadOption if that cannot be."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.runs = folder / RUNS
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = os.open(files.ordinary_file(self.runs), os.O_RDWR | os.O_APPEND | os.O_CREAT | files.BYTES, 0o666)
        except OSError as error:
            raise BadOption(f"cannot write {self.runs}: {error.strerror}") from None

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        os.close(self._file)

    def append(self, record: Mapping[str, object]) -> None:
        """Add a record. TilerError, and nothing lost of what was there, if the disk is full or not writable."""
        data = json.dumps(record, separators=(",", ":"), allow_nan=False).encode() + b"\n"
        try:
            if self._is_torn():
                data = b"\n" + data
            written = os.write(self._file, data)
            if written < len(data):  # The disk is full; writing the rest raises the error.
                written += os.write(self._file, data[written:])
        except OSError as error:
            raise _failed(self.runs, error) from None
        if written < len(data):
            raise TilerError(f"{self.runs}: cannot be written: only a part of the record would go in; is the disk full?")

    def write_environment(self, environment: Mapping[str, Any]) -> None:
        """Write env.json, whole or not at all; the title in it stays."""
        title = title_of(self.folder)
        content = {**environment, "title": title} if title else environment
        files.write(self.folder / ENVIRONMENT, (json.dumps(content, indent=2) + "\n").encode())

    def entitle(self, title: str) -> None:
        """Give the campaign a title, in env.json, unless it is empty or there already."""
        if title and title != title_of(self.folder):
            content = {**_environment(self.folder), "title": title}
            files.write(self.folder / ENVIRONMENT, (json.dumps(content, indent=2) + "\n").encode())

    def _is_torn(self) -> bool:
        """Whether the last line has no end, because its writer was killed or the disk was full.

        Another harness may end the line at the same moment; that leaves an empty line, which readers pass over.
        """
        size = os.fstat(self._file).st_size
        return size > 0 and os.pread(self._file, 1, size - 1) != b"\n"


def title_of(folder: Path) -> str:
    """The title of the campaign in a folder; empty if it has none."""
    title = _environment(folder).get("title")
    return title if isinstance(title, str) else ""


def _environment(folder: Path) -> dict[str, Any]:
    """The content of env.json; empty if it is not there, or is no JSON."""
    try:
        content = jsontext.loads(files.ordinary_file(folder / ENVIRONMENT).read_text("utf-8", "replace"))
    except (OSError, InputError):
        return {}
    return content if isinstance(content, dict) else {}


def read(folder: Path, parse: Callable[[bytes], R | None]) -> Contents[R]:
    """The records in a campaign's folder, in the order they were written; none if there is no such folder.

    `parse` gives the record that a line holds, or None if it holds none. Only records are kept, one line at a time.
    """
    path = folder / RUNS
    records, skipped = [], 0
    try:
        with files.ordinary_file(path).open("rb") as lines:
            for line in filter(bytes.strip, lines):
                record = parse(line)
                if record is None:
                    skipped += 1
                else:
                    records.append(record)
    except FileNotFoundError:
        return Contents()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", str(path)) from None
    return Contents(tuple(records), skipped)


@contextmanager
def locked(folder: Path, warn: Callable[[str], None]) -> Iterator[None]:
    """A campaign's folder, made if missing, for us alone. BadOption if another harness works there: it says which.

    The lock is the kernel's and ends with this process, however that ends; the file it is on stays, and says who has it. Where
    the file system has no locks we go on, with a warning.
    """
    path = folder / LOCK
    if folder.exists() and not folder.is_dir():
        raise BadOption(f"{folder} is a file; name a folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT | files.BYTES, 0o666)
    except (OSError, ValueError) as error:
        raise BadOption(f"cannot write {path}: {getattr(error, 'strerror', None) or 'not a file name'}") from None
    _held.add(file)
    try:
        try:
            locks.lock(file)
        except BlockingIOError:
            owner = os.pread(file, 20, 0).decode("ascii", "replace").strip()
            who = f"process {owner}" if owner.isdigit() else "another process"
            raise BadOption(f"{folder}: {who} runs tiler bench there; wait for its end, or choose another folder: -o") from None
        except OSError as error:
            warn(f"warning: {folder} cannot be locked ({error.strerror}); two at a time would make every run twice")
        with suppress(OSError):  # On a full disk other harnesses are not told which one it is.
            os.ftruncate(file, 0)
            os.pwrite(file, f"{os.getpid()}\n".encode(), 0)
        yield
        with suppress(OSError):
            os.ftruncate(file, 0)
    finally:
        _held.discard(file)
        os.close(file)


#: Files that this process has a lock on. A run is forked from it, may outlive it for a moment, and must not hold on to them.
_held: set[int] = set()


def _let_go() -> None:
    for file in _held:
        with suppress(OSError):
            os.close(file)
    _held.clear()


os.register_at_fork(after_in_child=_let_go)


def set_aside(folder: Path) -> Path | None:
    """Give a campaign's folder another name, with the first number that is free, and return it; None if it holds no records."""
    if not (folder / RUNS).exists():
        return None
    place = folder.resolve()
    aside = next(path for number in count(1) if not (path := place.with_name(f"{place.name}.{number}")).exists())
    try:
        place.rename(aside)
    except OSError as error:
        raise BadOption(f"cannot rename {folder}: {error.strerror}") from None
    return folder.with_name(aside.name)


def _failed(path: Path, error: OSError) -> TilerError:
    return TilerError(f"{path}: cannot be written: {error.strerror}")
