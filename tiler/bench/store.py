"""The records of a campaign on disk: a folder with runs.jsonl, one record per line, and env.json.

Records are only ever appended, each by one write, so that several harnesses may share a folder, and a harness killed in the
middle of a line costs that line and no other. What a record means is the business of campaign.py.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from tiler.errors import BadOption, TilerError

RUNS, ENVIRONMENT = "runs.jsonl", "env.json"

Record = Mapping[str, Any]


@dataclass(frozen=True)
class Contents:
    """What a campaign's file holds, and how many of its lines are no record: torn, or not of this schema."""

    records: tuple[Record, ...] = ()
    skipped: int = 0


class Store:
    """A campaign's folder, open for appending; made if missing. BadOption if that cannot be."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.runs = folder / RUNS
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self.runs, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise BadOption(f"cannot write {self.runs}: {error.strerror}") from None

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        os.close(self._file)

    def append(self, record: Record) -> None:
        """Add a record. TilerError, and nothing lost of what was there, if the disk is full or not writable."""
        data = json.dumps(record, separators=(",", ":"), allow_nan=False).encode() + b"\n"
        try:
            if self._is_torn():
                data = b"\n" + data
            written = os.write(self._file, data)
            if written < len(data):  # The disk is full, and trying to write the rest says so.
                written += os.write(self._file, data[written:])
        except OSError as error:
            raise _failed(self.runs, error) from None
        if written < len(data):
            raise TilerError(f"{self.runs}: cannot be written: only a part of the record would go in; is the disk full?")

    def read(self, schema: str) -> Contents:
        """The records of that schema, in the order they were written."""
        return read(self.folder, schema)

    def write_environment(self, environment: Mapping[str, Any]) -> None:
        """Write env.json, whole or not at all."""
        path = self.folder / ENVIRONMENT
        try:
            handle, temporary = tempfile.mkstemp(dir=self.folder, prefix=f".{ENVIRONMENT}.")
            try:
                with os.fdopen(handle, "w") as file:
                    file.write(json.dumps(environment, indent=2) + "\n")
                Path(temporary).chmod(0o644)
                Path(temporary).replace(path)
            finally:
                with contextlib.suppress(FileNotFoundError):
                    Path(temporary).unlink()
        except OSError as error:
            raise _failed(path, error) from None

    def _is_torn(self) -> bool:
        """Whether the last line has no end, since whoever wrote it was killed or the disk was full.

        Another harness may end the line at the same moment; that leaves an empty line, which readers pass over.
        """
        size = os.fstat(self._file).st_size
        return size > 0 and os.pread(self._file, 1, size - 1) != b"\n"


def read(folder: Path, schema: str) -> Contents:
    """The records of that schema in a campaign's folder, in the order they were written; none if there is no such folder."""
    path = folder / RUNS
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return Contents()
    except OSError as error:
        raise _failed(path, error, "read") from None
    records, skipped = [], 0
    for line in filter(bytes.strip, lines):
        record = _parse(line)
        if isinstance(record, dict) and record.get("schema") == schema:
            records.append(record)
        else:
            skipped += 1
    return Contents(tuple(records), skipped)


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


def _parse(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _failed(path: Path, error: OSError, what: str = "written") -> TilerError:
    return TilerError(f"{path}: cannot be {what}: {error.strerror}")
