"""Write an answer to stdout, or to a file that appears as a whole or not at all."""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from tiler import printable
from tiler.errors import BadOption
from tiler.process import files

_ENDINGS = {
    "svg": (".svg",),
    "png": (".png",),
    "pdf": (".pdf",),
    "html": (".html", ".htm"),
    "gif": (".gif",),
    "json": (".json", ".jsonl"),
    "text": (".txt",),
    "dimacs": (".cnf",),
    "problem": (".problem",),
    "stl": (".stl",),
    "3mf": (".3mf",),
    "dxf": (".dxf",),
}
PICTURES = ("svg", "png", "pdf")
PAGES = (*PICTURES, "html")  #: formats that hold several tilings
SOLIDS = ("stl", "3mf", "dxf")  #: formats for 3D printers and laser cutters


def format_of(wanted: str | None, out: str | None, formats: Sequence[str]) -> str:
    """The format asked for, else the one of these that the file's ending stands for, else text.

    BadOption if the ending stands for none: a user who names a picture must not get a text. A name without an ending says
    nothing.
    """
    ending = Path(out or "").suffix.lower()
    if wanted or not ending:
        return wanted or "text"
    by_ending = {ending: form for form in formats for ending in _ENDINGS[form]}
    if ending not in by_ending:
        raise BadOption(f"{out}: the name must end in {', '.join(by_ending)}; for another name choose the format with --format")
    return by_ending[ending]


def is_coloured(stream: TextIO) -> bool:
    """Whether to write in colours: on a terminal, unless NO_COLOR is set (no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


@contextmanager
def opened(out: str | None, *, even_empty: bool = True, quiet: bool = False) -> Iterator[TextIO]:
    """Stdout, or a file that replaces `out` when the block ends without an error. Without `even_empty`, an empty file is not
    made; unless `quiet`, stderr says so. Opened before the search, so that a folder that cannot be written to is known at once.
    """
    if out is None or out == "-":
        yield sys.stdout
        return
    with files.Replacement(out) as new:
        # Foreign text in it is made printable; but the name of a tile in JSON, or in a problem file, stays as it is.
        text = io.TextIOWrapper(new.file, encoding="utf-8", errors="backslashreplace")
        yield text
        text.flush()
        if not even_empty and not new.file.tell():
            new.discard()
            if not quiet:
                print(f"tiler: {left_alone(out)}", file=sys.stderr)
        text.detach()


def write(out: TextIO, content: str | bytes) -> None:
    """Write a text, or the bytes of a picture."""
    if isinstance(content, str):
        out.write(content)
    else:
        out.flush()
        out.buffer.write(content)


def written_to(out: str, contents: Sequence[bytes]) -> None:
    """Write a file; or several, as sheet-1.svg, sheet-2.svg and so on, whose names are printed."""
    if len(contents) == 1:
        files.write(out, contents[0])
        return
    for number, content in enumerate(contents, 1):
        path = Path(out).with_stem(f"{Path(out).stem}-{number}")
        files.write(path, content)
        print(printable.line(str(path)))


def left_alone(out: str) -> str:
    """A note that a file is not written."""
    name = printable.line(out)
    return f"{name} is kept as it was" if Path(out).exists() else f"{name} is not written"


def columns_of(stream: TextIO) -> int | None:
    """How wide a table may be: as wide as the terminal or, where there is none, as COLUMNS says; None if that says nothing."""
    return shutil.get_terminal_size().columns if stream.isatty() or os.environ.get("COLUMNS", "").isdigit() else None


def width_of(stream: TextIO) -> int:
    """How many columns a picture may take: the width of the terminal, or 80 if there is none. 0 where line-drawing characters
    cannot be written: the picture is then made of letters."""
    try:
        "┼".encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return 0
    return shutil.get_terminal_size().columns if stream.isatty() else 80
