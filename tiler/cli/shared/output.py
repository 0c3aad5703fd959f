"""Write an answer to stdout, or to a file that appears as a whole or not at all."""

from __future__ import annotations

import argparse
import io
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from tiler import printable
from tiler.cli.shared import declared
from tiler.errors import BadOption
from tiler.process import files
from tiler.question.parameters import one_of

if TYPE_CHECKING:
    from tiler.api.answers.saving import Forms

_ENDINGS = {
    "svg": (".svg",),
    "png": (".png",),
    "pdf": (".pdf",),
    "html": (".html", ".htm"),
    "gif": (".gif",),
    "json": (".json", ".jsonl"),
    "jsonl": (".jsonl",),
    "npz": (".npz",),
    "csv": (".csv",),
    "text": (".txt",),
    "dimacs": (".cnf",),
    "problem": (".problem",),
    "stl": (".stl",),
    "3mf": (".3mf",),
    "dxf": (".dxf",),
}
LISTS = ("jsonl", "npz", "csv")  #: formats of long lists of tilings (formats/tiling_lists.py)
PICTURES = ("svg", "png", "pdf")
PAGES = (*PICTURES, "html")  #: formats that hold several tilings
SOLIDS = ("stl", "3mf", "dxf")  #: formats for 3D printers and laser cutters


_IN_FILES = ("png", "pdf", "html", "gif", *SOLIDS)  #: what a terminal cannot show


def add(parser: argparse.ArgumentParser, written: str, *formats: str, help: str = "choose the format") -> None:
    """Add the arguments that say in which of these formats an answer is written, and where."""
    about = {"help": help, "kind": one_of(*formats)}
    declared.add(parser, declared.OPTIONS, "format", "output", format=about, output=written)


def format_of(wanted: str | None, out: str | None, formats: Sequence[str]) -> str:
    """The format asked for, else the one of these that the file's ending stands for, else text.

    BadOption if the ending stands for none: a user who names a picture must not get a text. A name without an ending says
    nothing. BadOption also if a terminal cannot show the format.
    """
    ending = Path(out or "").suffix.lower()
    if wanted in _IN_FILES and out in (None, "-"):
        raise BadOption(f"a {wanted} goes into a file: -o answer.{wanted}")
    if wanted or not ending:
        return wanted or "text"
    by_ending = {ending: form for form in formats for ending in _ENDINGS[form]}
    if ending not in by_ending:
        raise BadOption(f"{out}: the name must end in {', '.join(by_ending)}; for another name choose the format with --format")
    return by_ending[ending]


def picture_of(out: str | None) -> str:
    """The format of a file to draw in, or nothing if none is named. BadOption if its name does not end like a picture's."""
    form = Path(out or "").suffix.lower().removeprefix(".")
    if out and form not in PICTURES:
        ends = ", ".join(f".{each}" for each in PICTURES)
        raise BadOption(f"{printable.line(out)}: the name of a picture must end in {ends}")
    return form


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


def put(out: TextIO, forms: Forms, form: str) -> None:
    """Write an answer in one of its forms; nothing if it has none of this name."""
    ending = "txt" if form == "text" else form
    if ending in forms:
        write(out, forms[ending]())


def draw(path: str, forms: Forms, nothing: str = "nothing to draw") -> None:
    """Write a picture into a file, by the ending of its name; stderr says so if there is `nothing`."""
    form = picture_of(path)
    if form not in forms:
        print(f"tiler: {nothing}; {left_alone(path)}", file=sys.stderr)
        return
    with opened(path) as out:
        put(out, forms, form)


def write(out: TextIO, content: str | bytes) -> None:
    """Write a text, or the bytes of a picture."""
    if isinstance(content, str):
        out.write(content)
    else:
        out.flush()
        out.buffer.write(content)


def written_to(out: str, contents: Sequence[bytes], words: Sequence[str] = ()) -> None:
    """Write a file; or several, as sheet-1.svg, sheet-2.svg and so on, whose names are printed. `words` says what is in each."""
    if len(contents) == 1:
        files.write(out, contents[0])
        print("".join(f"{said}\n" for said in words), end="")
        return
    paths = [Path(out).with_stem(f"{Path(out).stem}-{number}") for number in range(1, len(contents) + 1)]
    for path, content, said in zip(paths, contents, words or [""] * len(paths), strict=True):
        files.write(path, content)
        print(printable.line(str(path)) + (f": {said}" if said else ""))
    note_leftovers(paths)


def note_leftovers(written: Sequence[Path]) -> None:
    """Say on stderr which files lie beside numbered ones that were written, and have other numbers: they are from before."""
    first = written[0]
    stem = first.stem.rstrip("0123456789")
    numbered = re.compile(rf"{re.escape(stem)}[0-9]+{re.escape(first.suffix)}")
    names = {path.name for path in written}
    others = sorted(path.name for path in first.parent.iterdir() if numbered.fullmatch(path.name) and path.name not in names)
    if others:
        some = " ".join(printable.line(name) for name in others[:3]) + (f" and {len(others) - 3} more" if len(others) > 3 else "")
        print(f"tiler: note: written before, and left where they are: {some}", file=sys.stderr)


def left_alone(out: str) -> str:
    """A note that a file is not written."""
    name = printable.line(out)
    return f"{name} is kept as it was" if Path(out).exists() else f"{name} is not written"


def columns_of(stream: TextIO) -> int | None:
    """How wide a table may be: as wide as the terminal or, where there is none, as COLUMNS says; None if that says nothing."""
    return _columns() if stream.isatty() or os.environ.get("COLUMNS", "").isdigit() else None


def width_of(stream: TextIO) -> int:
    """How many columns a picture may take: the width of the terminal, or 80 if there is none. 0 where line-drawing characters
    cannot be written: the picture is then made of letters."""
    try:
        "┼".encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return 0
    return _columns() if stream.isatty() else 80


def _columns() -> int:
    import shutil  # Loading it takes some milliseconds.

    return shutil.get_terminal_size().columns
