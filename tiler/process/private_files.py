"""Read files that run as code, and write them: only those that nobody but this user and root can have written.

What was opened is looked at, never its path, which may lead to something else a moment later. So a folder is a descriptor here,
and a file is a name in it. Windows has no such descriptors; there the folder of a user is the user's alone, and paths serve.
"""

from __future__ import annotations

import os
import stat
from abc import ABC, abstractmethod
from contextlib import suppress
from pathlib import Path

from tiler.process import files, locks

_ROOT = 0
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_LOCK = ".lock"
_HAS_DESCRIPTORS = hasattr(os, "geteuid") and {os.open, os.unlink, os.rename} <= os.supports_dir_fd


class ExposedError(Exception):
    """Somebody else can have written what is there; the message says why."""


class PrivateFolder(ABC):
    """An open folder, made by `open_folder`; it is to be closed."""

    @abstractmethod
    def names(self) -> list[str]:
        """The names of its files."""

    @abstractmethod
    def read(self, name: str, at_most: int) -> bytes:
        """The content of a file, or its first bytes. ExposedError, or OSError; links and what is no ordinary file are refused."""

    @abstractmethod
    def write(self, name: str, content: bytes) -> None:
        """Write a file as a whole or not at all, in place of what has its name: a link is replaced, not followed. OSError. What a
        kill leaves behind is overwritten the next time; so two processes must not do this at once."""

    @abstractmethod
    def can_be_written(self) -> bool:
        """Whether files can be made in it."""

    @abstractmethod
    def lock(self) -> None:
        """Lock it, until it is closed. BlockingIOError if another process has done so; OSError if it cannot be locked."""

    @abstractmethod
    def close(self) -> None:
        """Close it."""


def open_folder(path: Path) -> PrivateFolder:
    """A folder that is there. ExposedError, or OSError."""
    return _Opened(path) if _HAS_DESCRIPTORS else _Named(path)


def make_folder(path: Path) -> None:
    """Make a folder, and those above it, for this user alone; what is there already stays as it is. OSError."""
    for folder in (*reversed(path.parents), path):
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)


class _Opened(PrivateFolder):
    """A folder by its descriptor."""

    def __init__(self, path: Path) -> None:
        self._descriptor = _own(os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))

    def names(self) -> list[str]:
        return os.listdir(self._descriptor)

    def read(self, name: str, at_most: int) -> bytes:
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        descriptor = _own(os.open(name, flags, dir_fd=self._descriptor))
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise OSError("not an ordinary file")
            return file.read(at_most)

    def write(self, name: str, content: bytes) -> None:
        part, folder = f".{name}.part", self._descriptor
        with suppress(FileNotFoundError):
            os.unlink(part, dir_fd=folder)
        mode = stat.S_IRUSR | stat.S_IWUSR | stat.S_IRGRP | stat.S_IROTH
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode, dir_fd=folder)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
            os.replace(part, name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            with suppress(OSError):
                os.unlink(part, dir_fd=folder)
            raise

    def can_be_written(self) -> bool:
        return os.access(".", os.W_OK, dir_fd=self._descriptor, effective_ids=True)

    def lock(self) -> None:
        locks.lock(self._descriptor)

    def close(self) -> None:
        os.close(self._descriptor)


class _Named(PrivateFolder):
    """A folder by its path."""

    def __init__(self, path: Path) -> None:
        if not path.is_dir():
            raise NotADirectoryError(f"{path} is no folder")
        self._path, self._locked = path, -1

    def names(self) -> list[str]:
        return os.listdir(self._path)

    def read(self, name: str, at_most: int) -> bytes:
        with files.ordinary_file(self._path / name).open("rb") as file:
            return file.read(at_most)

    def write(self, name: str, content: bytes) -> None:
        part = self._path / f".{name}.part"
        part.write_bytes(content)
        part.replace(self._path / name)

    def can_be_written(self) -> bool:
        return os.access(self._path, os.W_OK)

    def lock(self) -> None:
        self._locked = os.open(self._path / _LOCK, os.O_RDWR | os.O_CREAT)
        locks.lock(self._locked)

    def close(self) -> None:
        if self._locked >= 0:
            os.close(self._locked)


def _own(descriptor: int) -> int:
    """The descriptor, if nobody else can have written what it stands for."""
    found = os.fstat(descriptor)
    reason = ""
    if found.st_uid not in (os.geteuid(), _ROOT):
        reason = "it belongs to another user"
    elif found.st_mode & _OTHERS_WRITE:
        reason = "others may write to it"
    if reason:
        os.close(descriptor)
        raise ExposedError(reason)
    return descriptor
