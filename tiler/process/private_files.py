"""Read files that run as code, and write them: only those that nobody but this user and root can have written.

What was opened is looked at, never its path, which may lead to something else a moment later. So a folder is a descriptor here,
and a file is a name in it.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

_ROOT = 0
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class ExposedError(Exception):
    """Somebody else can have written what is there; the message says why."""


def open_folder(path: Path) -> int:
    """A descriptor of a folder. ExposedError, or OSError."""
    return _own(os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))


def make_folder(path: Path) -> None:
    """Make a folder, and those above it, for this user alone; what is there already stays as it is. OSError."""
    for folder in (*reversed(path.parents), path):
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)


def read(folder: int, name: str, at_most: int) -> bytes:
    """The content of a file, or its first bytes. ExposedError, or OSError; links and what is no ordinary file are refused."""
    descriptor = _own(os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder))
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError("not an ordinary file")
        return file.read(at_most)


def write(folder: int, name: str, content: bytes) -> None:
    """Write a file as a whole or not at all, in place of what has its name: a link is replaced, not followed. OSError. What a
    kill leaves behind is overwritten the next time; so two processes must not do this at once."""
    part = f".{name}.part"
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
