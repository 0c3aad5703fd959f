"""Lock open files, so that one process at a time works with them. A lock ends with its process, however that ends."""

from __future__ import annotations

import errno
import os
from types import ModuleType

fcntl: ModuleType | None
msvcrt: ModuleType | None
try:
    import fcntl
except ImportError:  # On Windows, or in a web page.
    fcntl = None
try:
    import msvcrt
except ImportError:
    msvcrt = None

_BYTE = 1 << 30  # the byte that is locked on Windows, where others cannot read what is locked


def lock(descriptor: int) -> None:
    """Lock an open file without waiting. BlockingIOError if another process has locked it; OSError if it cannot be locked
    here."""
    if fcntl is not None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    elif msvcrt is not None:
        before = os.lseek(descriptor, 0, os.SEEK_CUR)
        os.lseek(descriptor, _BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            raise BlockingIOError(errno.EAGAIN, "another process has locked it") from None
        finally:
            os.lseek(descriptor, before, os.SEEK_SET)
    else:
        raise OSError(errno.ENOTSUP, "files cannot be locked here")
