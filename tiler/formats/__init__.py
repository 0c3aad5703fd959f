"""Turn files and texts into instances and back: `read` takes any file or problem that a user names; each other module knows one
format."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tiler import printable
from tiler.errors import InputError, located, suggest
from tiler.formats import blocks, instance_settings, json, library, text
from tiler.formats.settings import with_settings as with_settings
from tiler.formats.text import inline as inline
from tiler.model import lattices
from tiler.model.instance import Instance
from tiler.model.shapes import parse_board
from tiler.process import files

if TYPE_CHECKING:
    from tiler.formats.xmpuzzle import StoredSolution

# How files of other programs begin, after spaces and comments.
_LEPAGE = re.compile(r"(?:\s|--(?!\[\[)[^\n]*|--\[\[(?:[^\]]|\](?!\]))*+\]\])*+problem\s*=")
_BUSCHE = re.compile(r"(?:\s|#[^\n]*)*+D\s*:[^\n]*\bxDim\b")

#: A problem file larger than this is refused unread; the largest board written as a map has some 2 MB.
MAX_BYTES = 16 << 20


def read(
    path: str | Path,
    *,
    name: str | None = None,
    reflections: bool | None = None,
    as_named: bool = False,
    tell: Callable[[str], object] = lambda note: None,
) -> Instance:
    """The instance in a file, text, JSON or one of BurrTools; `-` is standard input.

    A problem that comes with Tiler may be named from anywhere (library.py). The name is the folder's and the file's without their
    endings (`4L/10x10_u`) unless given; the facts in the name (a quote: reflections; `_s` and `_u`: the verdict) are taken from
    the file's own name. The arguments `reflections` and `as_named` win over the file. A file of BurrTools may hold several
    problems; `puzzle.xmpuzzle#2` names the second. `tell` gets a line about each of its facts that an instance cannot hold.
    """
    source = "<stdin>" if str(path) == "-" else str(path)
    file, number = _numbered(path)
    data = _data(library.find(file), MAX_BYTES)
    if name is None:
        name = "" if source == "<stdin>" else name_of_file(Path(path))
    if is_packed(data):
        from tiler.formats import xmpuzzle  # A large module, and rarely needed.

        instance = xmpuzzle.parse(data, number=number, name=name, source=source)
        tell(f"{printable.line(source)}: {instance.note}")
        return instance.instance if reflections is None else replace(instance.instance, reflections=reflections)
    if number is not None:
        raise InputError(f"only a file of BurrTools holds problems by number; leave out #{number}", source)
    return parse(_decoded(data, source), name=name, source=source, reflections=reflections, as_named=as_named)


def stored(path: str | Path, instance: Instance) -> list[StoredSolution]:
    """The solutions stored in the file of BurrTools from which `read` made the instance; InputError for another file."""
    from tiler.formats import xmpuzzle

    file, number = _numbered(path)
    data = _data(library.find(file), MAX_BYTES)
    if not is_packed(data):
        raise InputError("solutions are stored in files of BurrTools, and this is none", str(path))
    return xmpuzzle.stored(data, instance, number=number, source=str(path))


def is_packed(data: bytes) -> bool:
    """Whether a file begins as gzipped data or XML does, so that it is BurrTools'; no other problem file begins so."""
    return data.startswith(b"\x1f\x8b") or data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<")


def parse(
    content: str, *, name: str = "", source: str | None = None, reflections: bool | None = None, as_named: bool = False
) -> Instance:
    """The instance that a text stands for, in either format; errors call the text `source`. For the other arguments see
    `read`."""
    foreign = _of_another_program(content)
    if foreign is not None:
        instance = foreign(content, name=name, source=source)
        with located(source):
            return instance if reflections is None else replace(instance, reflections=reflections)
    if content.lstrip().startswith("{"):
        own = json.parse(content, name=name, source=source)
        instance = own if reflections is None else replace(own, reflections=reflections)
    elif reflections is None and not as_named:
        return text.parse(content, name=name, source=source)
    else:
        instance = text.parse(content, name=name, source=source, reflections=reflections, as_named=as_named)
        try:
            own = text.parse(content, name=name)
        except InputError:  # The file is contradictory unless arguments win over it.
            return instance
    # The answer that a file expects is the answer to the file's own question.
    return instance if instance == own else replace(instance, about=instance.about.unanswered)


def _of_another_program(content: str) -> Callable[..., Instance] | None:
    """What reads a text as another program's, if it is one."""
    if _LEPAGE.match(content):
        from tiler.formats import lepage  # Rarely needed, like the next one.

        return lepage.parse
    if _BUSCHE.match(content):
        from tiler.formats import busche

        return busche.parse
    return None


def constrained(instance: Instance, written: Sequence[tuple[str, str]]) -> Instance:
    """The instance with more constraints, each a kind and the text after it in a file (see constraints.py).

    >>> constrained(inline(["4x4", "2"]), [("place", "2 0,0 0,1")]).constraints[0].cells
    ((0, 0), (0, 1))
    """
    return instance_settings.constrained(instance, [(kind, blocks.Line(None, words)) for kind, words in written])


def names_problem(word: str, lattice: str | None = None) -> bool:
    """Whether a word, with others after it, names standard input, a file or a problem of Tiler, and not a board.

    >>> names_problem("5x5"), names_problem("calendars/a-puzzle-a-day_s")
    (False, True)
    """
    return not is_board(word, lattice) and (word == "-" or os.path.isfile(library.find(_numbered(word)[0])))


def is_board(word: str, lattice: str | None = None) -> bool:
    """Whether a word is a board, such as 5x5."""
    try:
        parse_board(word, lattices.called(lattice or lattices.USUAL.name))
    except InputError:
        return False
    return True


def _numbered(path: str | Path) -> tuple[str | Path, int | None]:
    """A file and the number of a problem in it, where `#` and a number stand behind its name."""
    match = re.fullmatch(r"(.+)#([0-9]{1,6})", str(path), re.DOTALL)
    return (match[1], int(match[2])) if match and not os.path.lexists(path) else (path, None)


def name_of_file(path: Path) -> str:
    """The name of a problem by its file: `4L/10x10_u` for `problems/4L/10x10_u.txt`."""
    stem = re.sub(rf"\.({'|'.join(library.ENDINGS)})(?=$|#[0-9]+$)", "", path.name)
    folder = path.parent.name
    name = f"{folder}/{stem}" if folder else stem
    # The name of a file need not be text, but printed words must be.
    return name.encode(errors="replace").decode()


def load(path: str | Path, max_bytes: int = MAX_BYTES) -> str:
    """The text in a file, or on standard input for `-`; InputError if there is no such file or it is no text."""
    return _decoded(_data(path, max_bytes), "<stdin>" if str(path) == "-" else str(path))


def _data(path: str | Path, max_bytes: int) -> bytes:
    standard = str(path) == "-"
    data = files.rest_of(sys.stdin.buffer, max_bytes + 1) if standard else _bytes(Path(path), max_bytes + 1)
    if len(data) > max_bytes:
        raise InputError(f"larger than {max_bytes >> 20} MB", "<stdin>" if standard else str(path))
    return data


def _decoded(data: bytes, source: str) -> str:
    try:
        content = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        content = "\0"
    if "\0" in content:
        raise InputError("not a text file", source)
    return content


def _bytes(path: Path, at_most: int) -> bytes:
    try:
        return files.read_up_to(path, at_most)
    except FileNotFoundError:
        # A word with an ending is the name of a file, and no board.
        has_ending = re.fullmatch(r"\.[A-Za-z]+", path.suffix) is not None
        hint = "" if has_ending else "; shapes on the command line are a board and at least one tile"
        if "/" in str(path):
            likely = suggest(str(path), () if path.is_absolute() else library.names())
            hint = f"{likely} (tiler problems lists those of Tiler)" if likely else ""
        raise InputError(f"there is no such file{hint}", str(path)) from None
    except IsADirectoryError:
        raise InputError("a folder, not a problem file", str(path)) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", str(path)) from None
    except ValueError:
        raise InputError("not a file name", repr(str(path))) from None
