"""Find the problem files of a folder by name and by tag."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from tiler import formats
from tiler.errors import BadOption, InputError, nearest
from tiler.formats import library
from tiler.model.instance import Instance
from tiler.process import files

# A file without an ending, which may be a README, is only taken if it is named like a problem of the original Tiler.
_FILE = re.compile(r"[^.].*\.(txt|json|problem)|[^.]+_[su]")

_RECORD = re.compile(r'\s*\{\s*"schema"\s*:\s*"tiler-(?!instance-)')
_FEW = 6  # the most problems that are named one by one
_HEAD = 100  # this number of characters is enough to recognise a JSON file


def find_folder(wanted: str | Path | None = None) -> Path:
    """The folder of problems: the one asked for, else `problems` here, else ours. InputError if there is none."""
    if wanted is not None and not Path(wanted).is_dir():
        raise InputError("there is no such folder", str(wanted))
    folder = next(library.folders(), None) if wanted is None else Path(wanted)
    if folder is None:
        raise InputError(f"there is no folder {library.FOLDER} here; name one with --problems")
    return folder


def names(folder: Path) -> dict[str, Path]:
    """The problem files below a folder by name, which is the path without its ending (`4L/10x10_u`); small numbers first.
    JSON that Tiler wrote about something else, such as the machine of a campaign (env.json), is left out."""
    files = [path for path in folder.rglob("*") if _FILE.fullmatch(path.name) and path.is_file() and not _is_record(path)]
    by_name: dict[str, Path] = {}
    for path in sorted(files):
        name = path.relative_to(folder).with_suffix("").as_posix()
        if name in by_name:
            raise InputError(f"has the same name as {by_name[name].name}; rename one", str(path))
        by_name[name] = path
    return dict(sorted(by_name.items(), key=lambda item: _natural(item[0])))


def _is_record(path: Path) -> bool:
    """Whether a file is JSON of Tiler that is no problem, such as a record."""
    if path.suffix != ".json":
        return False
    try:
        with files.ordinary_file(path).open(encoding="utf-8", errors="replace") as file:
            return _RECORD.match(file.read(_HEAD)) is not None
    except OSError:
        return False  # The code that reads it says what is wrong.


def select(folder: Path, filters: Sequence[str] = (), tags: Sequence[str] = ()) -> tuple[Instance, ...]:
    """The instances whose name fits one of the filters and that have one of the tags; no filter or tag fits all. Names of the
    thesis, with their quotes, fit what they are called here.

    InputError if a file cannot be read, or if a filter fits nothing, even where others do, or no tag; it says what there is.
    """
    by_name = names(folder)
    if not by_name:
        raise InputError("there are no problem files in it (*.txt, *.json)", str(folder))
    fitting = {pattern: _fitting(by_name, pattern) for pattern in filters}
    dead = [pattern for pattern, some in fitting.items() if not some]
    if dead:
        raise InputError(_nothing_fits(folder, by_name, dead))
    wanted = set().union(*fitting.values()) if filters else set(by_name)
    instances = tuple(formats.read(path, name=name) for name, path in by_name.items() if name in wanted)
    tagged = tuple(instance for instance in instances if not tags or not set(tags).isdisjoint(instance.about.tags))
    if not tagged:
        there = sorted({tag for instance in instances for tag in instance.about.tags})
        raise InputError(f"no problem of {len(instances)} has the tag {' or '.join(tags)}; there are {_listed(there)}")
    return tagged


def _fitting(names: Iterable[str], pattern: str) -> set[str]:
    """The names that fit a pattern, or without its quotes."""
    return {name for name in names if fits(name, pattern)} or {name for name in names if fits(name, library.unquoted(pattern))}


def fits(name: str, pattern: str) -> bool:
    """Whether a name contains the pattern or, if that has one of `*?[`, is matched by it as a whole; a pattern between slashes is
    a regular expression for a part of it. BadOption if it is none.

    >>> fits("4L/10x10_u", "10x"), fits("4L/10x10_u", "4L/*_s"), fits("4L/10x10_u", "/^4L.*_u$/")
    (True, False, True)
    """
    if len(pattern) > 1 and pattern.startswith("/") and pattern.endswith("/"):
        return _expression(pattern[1:-1]).search(name) is not None
    return fnmatchcase(name, pattern) if re.search(r"[*?[]", pattern) else pattern in name


@cache
def _expression(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise BadOption(f"/{text}/ is no regular expression: {error}") from None


def family(name: str) -> str:
    """The folder of a problem, whose members differ in size; empty if it is in none."""
    return name.rpartition("/")[0]


def in_words(names: Iterable[str]) -> str:
    """What there is to choose from: a few names, or the families of many.

    >>> in_words(["2/02x04_s", "2/02x06_s"])
    'problems: 2/02x04_s, 2/02x06_s'
    """
    listed = list(names)
    return f"problems: {', '.join(listed)}" if len(listed) <= _FEW else f"families: {_families(Counter(map(family, listed)))}"


def _families(counts: Counter[str]) -> str:
    return _listed([f"{name or '.'} ({count})" for name, count in counts.items()])


def _nothing_fits(folder: Path, by_name: Iterable[str], filters: Sequence[str]) -> str:
    counts = Counter(map(family, by_name))
    families = _families(counts)
    likely = nearest(filters[0], [*counts, *by_name])
    hint = f"; nearest: {', '.join(likely)}" if likely else ""
    wanted = " or ".join(map(repr, filters))
    return f"no problem of {sum(counts.values())} in {folder} fits {wanted}{hint}; families: {families}"


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words[:20]) + (", ..." if len(words) > 20 else "") if words else "none"


def _natural(name: str) -> list[tuple[int, str]]:
    """A sort key with numbers in their order: 4x4 before 10x10."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split("([0-9]+)", name)]
