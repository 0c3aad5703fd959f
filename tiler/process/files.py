"""Write files that appear as a whole or not at all: the old file stays until all of the new content is on the disk. Tiler writes
all its files by this module, except the records of a campaign, which are appended (bench/store.py).

Files that a user names are read without waiting for ever for a pipe to which nobody writes, or a device that never ends.
"""

from __future__ import annotations

import errno
import io
import os
import select
import stat
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from tiler.errors import BadOption, TilerError

#: For `os.open`, on every system: a file of bytes, which processes that are started later do not get.
BYTES = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)

_PATIENCE_SECONDS = 5.0  # seconds to wait until somebody writes to a named pipe
_TICK_SECONDS = 0.1
_PART_BYTES = 1 << 24


def read_up_to(path: str | Path, at_most: int) -> bytes:
    """The content of a file or pipe, or its first bytes. OSError if it cannot be read, or is a named pipe that nobody opens."""
    if not hasattr(os, "O_NONBLOCK"):  # Windows has no named pipes among its files.
        with open(path, "rb") as file:
            return rest_of(file, at_most)
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as file:
        about = os.fstat(descriptor)
        first = _first_byte(descriptor) if stat.S_ISFIFO(about.st_mode) else b""
        os.set_blocking(descriptor, True)
        return first + rest_of(file, at_most - len(first), max(_PART_BYTES, about.st_size + 1))


def rest_of(file: BinaryIO, at_most: int, part: int = _PART_BYTES) -> bytes:
    """The rest of what can be read, or its first bytes. In parts, as `read` takes memory for all that it might return."""
    parts = [file.read(min(at_most, part))]
    while len(parts[-1]) == part:  # Else it is the end, and a terminal would ask for a second one.
        at_most -= part
        parts.append(file.read(min(at_most, part)))
    return b"".join(parts)


def ordinary_file(path: str | Path) -> Path:
    """The path itself, if the file can be read again and written to. OSError if it is a pipe or a device. A missing file and a
    folder are accepted, since opening them will raise."""
    found = Path(path)
    if found.exists() and not found.is_file() and not found.is_dir():
        raise OSError(errno.EINVAL, "not an ordinary file")
    return found


def _first_byte(pipe: int) -> bytes:
    """The first byte, if it is there; empty if the writer has written nothing yet."""
    poll = select.poll()
    poll.register(pipe, select.POLLIN)
    end = time.monotonic() + _PATIENCE_SECONDS
    while True:
        closed = any(event & select.POLLHUP for _, event in poll.poll(1000 * _TICK_SECONDS))
        try:
            content = os.read(pipe, 1)
        except BlockingIOError:
            return b""  # A writer has opened it, and may take any time.
        if content or closed:
            return content
        if time.monotonic() > end:
            raise OSError(errno.EPIPE, "nobody writes to this pipe")


def write(path: str | Path, content: bytes) -> None:
    """Write a file, or leave things as they were: errors as for `Replacement`."""
    with Replacement(path) as new:
        new.file.write(content)


class Replacement:
    """A new file that replaces another one when the block ends without an error; `file` takes its bytes. Until then it has
    another name in the same folder: `part` if that is given, so that the next call overwrites what a kill left behind. The file
    of that name is gone in any case when the block ends. The file's permissions are kept, and a symbolic link stays one. A path
    that is not an ordinary file (/dev/null, a pipe) is written to directly.

    BadOption, at once, if there can be no such file; TilerError if it cannot be written to its end, as on a full disk.
    """

    file: io.BufferedWriter

    def __init__(self, path: str | Path, *, part: str | None = None, durable: bool = False) -> None:
        """`durable` waits until the content would survive a loss of power."""
        self.path = Path(path)
        self._durable, self._wanted = durable, True
        self._part: Path | None = None
        try:
            self._target = Path(os.path.realpath(self.path))
            before = self._before()
            if before is None or stat.S_ISREG(before.st_mode):
                self._part = self._target.with_name(part or f".tiler-{os.urandom(6).hex()}.part")
            raw = _Raw(self.path, self._open(before), "wb")
        except (OSError, ValueError) as error:
            raise BadOption(f"cannot write {self.path}: {getattr(error, 'strerror', None) or 'not a file name'}") from None
        self.file = io.BufferedWriter(raw)

    def discard(self) -> None:
        """Drop the new file when the block ends: the old one stays, if there is one."""
        self._wanted = False

    @property
    def can_be_kept(self) -> bool:
        """Whether `keep` can be called."""
        return self._part is not None

    def keep(self) -> Path:
        """Keep the new file as it is, beside the one that it was to replace; where it is then."""
        assert self._part is not None
        kept = self._target.with_name(f"{self._target.stem}.partial{self._target.suffix}")
        self._part.replace(kept)
        self._part = None
        return kept

    def __enter__(self) -> Replacement:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            if kind is None and self._wanted:
                self._finish()
        finally:
            with suppress(OSError):
                self.file.raw.close()  # Closed before its buffer, which would try to write the rest.
            if self._part is not None:
                with suppress(OSError):
                    self._part.unlink()

    def _before(self) -> os.stat_result | None:
        try:
            before = self._target.stat()
        except FileNotFoundError:
            return None
        if stat.S_ISDIR(before.st_mode):
            raise BadOption(f"{self.path} is a folder; name a file")
        return before

    def _open(self, before: os.stat_result | None) -> int:
        if self._part is None:
            return os.open(self._target, os.O_WRONLY | BYTES)
        if before is not None and not os.access(self._target, os.W_OK):
            raise PermissionError(0, "it is write-protected")
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0) | BYTES
        file = os.open(self._part, flags, 0o666)
        if before is not None and hasattr(os, "fchmod"):
            with suppress(OSError):  # Some file systems have no permissions.
                os.fchmod(file, stat.S_IMODE(before.st_mode))
        return file

    def _finish(self) -> None:
        self.file.flush()
        try:
            if self._durable:
                os.fsync(self.file.fileno())
            self.file.close()
            if self._part is not None:
                self._part.replace(self._target)
        except OSError as error:
            raise _failed(self.path, error) from None


class _Raw(io.FileIO):
    """A file whose errors name the file that is to be replaced."""

    def __init__(self, meant: Path, file: int, mode: str) -> None:
        super().__init__(file, mode)
        self._meant = meant

    def write(self, content: Any, /) -> int:
        try:
            return super().write(content)
        except OSError as error:
            raise _failed(self._meant, error) from None


def _failed(path: Path, error: OSError) -> TilerError:
    kept = "; what was there before is kept" if path.is_file() else ""
    return TilerError(f"{path}: cannot be written: {error.strerror}{kept}")
