"""Make temporary folders. A folder is removed after its use, or by a later process if its own process was killed.

A folder is named `tiler-........-run`. It holds a file `.owner` that contains this name, and on which its process has a lock for
as long as it lives: so that nobody has to trust process ids, which are used again and mean nothing in another container. A folder
is abandoned if it belongs to this user, has such a name and such a file, and the file can be locked. Nothing else is ever
removed.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tiler.process import interrupts, locks

_PREFIX, _SUFFIX, _OWNER = "tiler-", "-run", ".owner"
_NAME = re.compile(rf"{_PREFIX}\w+{_SUFFIX}")

#: Where this process, or the one it was forked from, has looked for abandoned folders.
_cleared: set[Path] = set()


@contextlib.contextmanager
def folder(parent: Path | None = None) -> Iterator[Path]:
    """A new folder, in another one or where the system wants such things; it goes when the `with` block is left.

    The first time it also clears away what dead processes have left there. OSError if no folder can be made.
    """
    parent = Path(tempfile.gettempdir() if parent is None else parent)
    if parent not in _cleared:
        _cleared.add(parent)
        clear(parent)
    here, lock = None, -1
    try:
        with interrupts.postponed():
            here = Path(tempfile.mkdtemp(prefix=_PREFIX, suffix=_SUFFIX, dir=parent))
            lock = os.open(here / _OWNER, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
            with contextlib.suppress(OSError):  # If files cannot be locked, no process can take this folder for abandoned.
                locks.lock(lock)
            # The name comes last: until it is there, nobody takes the folder for abandoned.
            os.write(lock, here.name.encode())
        yield here
    finally:
        with interrupts.postponed():
            if here is not None:
                shutil.rmtree(here, ignore_errors=True)
            if lock >= 0:
                os.close(lock)
            if here is not None and here.exists():  # Windows keeps files that are open.
                shutil.rmtree(here, ignore_errors=True)


def clear(parent: Path) -> None:
    """Remove the folders in another one that processes of this user have left there when they died."""
    with contextlib.suppress(OSError), os.scandir(parent) as entries:
        for entry in entries:
            if _NAME.fullmatch(entry.name):
                with contextlib.suppress(OSError):
                    _remove_if_abandoned(Path(entry.path))


def _remove_if_abandoned(here: Path) -> None:
    status = here.lstat()
    is_mine = not hasattr(os, "getuid") or status.st_uid == os.getuid()
    if not here.is_dir() or here.is_symlink() or not is_mine:
        return
    lock = os.open(here / _OWNER, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        locks.lock(lock)  # This raises OSError as long as its owner lives.
        if os.read(lock, 1 + len(os.fsencode(here.name))) == os.fsencode(here.name):
            shutil.rmtree(here, ignore_errors=True)
    finally:
        os.close(lock)
