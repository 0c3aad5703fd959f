"""Read files that a user names, without waiting for ever for a pipe to which nobody writes, or a device that never ends."""

from __future__ import annotations

import errno
import os
import select
import stat
import time
from pathlib import Path

_PATIENCE_SECONDS = 5.0  # seconds to wait until somebody writes to a named pipe
_TICK_SECONDS = 0.1


def some(path: str | Path, at_most: int) -> bytes:
    """The content of a file or pipe, or its first bytes. OSError if it cannot be read, or is a named pipe that nobody opens."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as file:
        first = _first(descriptor) if stat.S_ISFIFO(os.fstat(descriptor).st_mode) else b""
        os.set_blocking(descriptor, True)
        return first + file.read(at_most - len(first))


def ordinary(path: str | Path) -> Path:
    """The path itself, if the file can be read again and written to. OSError if it is a pipe or a device. A missing file and a
    folder are accepted, since opening them will raise."""
    found = Path(path)
    if found.exists() and not found.is_file() and not found.is_dir():
        raise OSError(errno.EINVAL, "not an ordinary file")
    return found


def _first(pipe: int) -> bytes:
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
