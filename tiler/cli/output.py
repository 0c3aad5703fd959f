"""Where an answer goes: stdout, or a file that appears whole or not at all."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from tiler.errors import BadOption

_BY_SUFFIX = {".svg": "svg", ".png": "png", ".pdf": "pdf", ".json": "json", ".jsonl": "json", ".txt": "text", ".cnf": "dimacs"}


def format_of(wanted: str | None, out: str | None) -> str:
    """The format asked for, else the one that the file's ending suggests, else text."""
    return wanted or _BY_SUFFIX.get(Path(out or "").suffix.lower(), "text")


def is_coloured(stream: TextIO) -> bool:
    """Whether to write in colours: on a terminal, unless NO_COLOR is set (no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


@contextmanager
def opened(out: str | None, *, even_empty: bool = True) -> Iterator[TextIO]:
    """Stdout, or a file under a temporary name beside `out` that takes its place when the block ends well.

    Without `even_empty` a file that nothing was written to is not made. Opened before the search, so that a folder that cannot be
    written to is known at once.
    """
    if out is None or out == "-":
        yield sys.stdout
        return
    path = Path(out)
    if path.is_dir():
        raise BadOption(f"{out} is a folder; name a file")
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise BadOption(f"cannot write {out}: {error.strerror}") from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            yield file
        if not even_empty and not Path(temporary).stat().st_size:
            return
        umask = os.umask(0)
        os.umask(umask)
        Path(temporary).chmod(0o666 & ~umask)
        Path(temporary).replace(path)
    finally:
        with suppress(FileNotFoundError):
            Path(temporary).unlink()


def width_of(stream: TextIO) -> int:
    """The columns a picture may take: the terminal's width, or 80; 0, which asks for letters, where lines cannot be written."""
    try:
        "┼".encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return 0
    return shutil.get_terminal_size().columns if stream.isatty() else 80
