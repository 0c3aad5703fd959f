"""Make short names of solvers and groups of problems."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from hashlib import sha256
from itertools import pairwise

from tiler.bench.stats import RecordedInstance
from tiler.grouping import grouped

# Sizes, or a number at the end. Other numbers belong to names of tiles.
_SIZES = re.compile(r"\d+(?:x\d+)+|(?<=-)\d+(?=_[su]$|$)")


def backend(spec: str) -> str:
    """The backend's name in a spec.

    >>> backend("dlx:order=first")
    'dlx'
    """
    return spec.partition(":")[0]


def family(spec: str) -> str:
    """The backend of a spec; if it has an encoding, also the first word of the encoding.

    >>> family("sat:encoding=amo-bdd"), family("dlx")
    ('sat amo', 'dlx')
    """
    options = dict(part.partition("=")[::2] for part in short(spec).partition(":")[2].split(",") if part)
    return f"{backend(spec)} {options.get('encoding', '').partition('-')[0]}".strip()


def short(spec: str) -> str:
    """A spec without options that have their default value. A spec that this version does not know stays as it is.

    Records of an earlier version may have options that no longer exist, and records of declared programs may be read where the
    programs are not declared. An option that was off is left out in any case.

    >>> short("dlx:filter=off,gone=off"), short("theirs:filter=off,anchor=off")
    ('dlx', 'theirs')
    """
    from tiler.backends.registry import backends, parse_spec
    from tiler.errors import TilerError

    name, _, options = spec.partition(":")
    known = {field.name for field in fields(backends()[name])} if name in backends() else set()
    kept = [part for part in options.split(",") if part.partition("=")[0] in known or not part.endswith("=off")]
    text = ":".join(filter(None, [name, ",".join(kept)]))
    if name not in backends():
        return text
    try:
        return str(parse_spec(text))
    except TilerError:
        return spec


def labels(specs: Sequence[str]) -> dict[str, str]:
    """A label for each spec: the backend and the values of those options that differ from their defaults, if this is unique. For
    a long value, such as a drawn order of cells, there are six digits of its SHA-256.

    >>> labels(["dlx:order=first", "dlx:parity=on"])
    {'dlx:order=first': 'dlx first', 'dlx:parity=on': 'dlx parity=on'}
    >>> list(labels(["backtracking:cells=1.2.3.4.5.6/12.11.10.9.8.7"]).values())
    ['backtracking cells=a42a4a']
    """
    shorts = {spec: short(spec) for spec in specs}
    made = {spec: _renamed(_label(text), text) for spec, text in shorts.items()}
    used = list(made.values())
    return {spec: label if used.count(label) == 1 else shorts[spec] for spec, label in made.items()}


def without_backend(called: Mapping[str, str]) -> dict[str, str]:
    """The labels of specs without the names of backends in front, for places that name the backend already.

    >>> without_backend({"dlx": "dlx", "dlx:order=first": "dlx first"})
    {'dlx': 'dlx', 'dlx:order=first': 'first'}
    """
    return {spec: label.removeprefix(f"{backend(spec)} ") for spec, label in called.items()}


def shortened(specs: Iterable[str]) -> dict[str, str]:
    """What each spec is called in data: the short spec, or the whole one where others are as short.

    >>> shortened(["theirs:filter=off,anchor=off", "dlx:gone=off", "dlx:filter=off"])
    {'theirs:filter=off,anchor=off': 'theirs', 'dlx:gone=off': 'dlx:gone=off', 'dlx:filter=off': 'dlx:filter=off'}
    """
    shorts = {spec: short(spec) for spec in specs}
    used = Counter(shorts.values())
    return {spec: text if used[text] == 1 else spec for spec, text in shorts.items()}


_LONGEST_VALUE = 24  # characters of the value of an option in a label
_OF_ONE_WIDTH = 3  # the least number of problems of one width that make a line, and of problems with numbers that are sizes

_called: list[Mapping[str, str]] = [{}]


@contextmanager
def renaming(others: Mapping[str, str]) -> Iterator[None]:
    """Rename solvers within a `with` block. A key is a spec, a label or a backend (whose name changes in all labels)."""
    _called.append(others)
    try:
        yield
    finally:
        _called.pop()


def _renamed(label: str, spec: str) -> str:
    others = _called[-1]
    name, blank, rest = label.partition(" ")
    return others.get(spec) or others.get(label) or f"{others.get(name, name)}{blank}{rest}"


def _label(text: str) -> str:
    name, _, options = text.partition(":")
    words = [name]
    for part in options.split(",") if options else []:
        name, _, value = part.partition("=")
        if len(value) > _LONGEST_VALUE:
            words.append(f"{name}={sha256(value.encode()).hexdigest()[:6]}")
        else:
            words.append(part if value in ("on", "off") or value.isdigit() else value)
    return " ".join(words)


def lines(problems: Iterable[RecordedInstance], least: int = 3) -> dict[str, tuple[RecordedInstance, ...]]:
    """Problems that differ only in size, grouped by the rest of their names, if there are at least `least`; smallest first.

    Names that differ only in numbers belong together. If a width has three problems or more, it has a line of its own:

    >>> names = [f"2/{width:02}x{height:02}_s" for width in (1, 2) for height in (4, 6, 8)]
    >>> list(lines(RecordedInstance(name, number, "sat") for number, name in enumerate(names)))
    ['2/01x#_s', '2/02x#_s']
    """
    groups = grouped((_SIZES.sub("#", problem.name), problem) for problem in problems)
    by_pattern: dict[str, tuple[RecordedInstance, ...]] = {}
    for pattern, members in groups.items():
        if not _are_sizes(members):
            continue
        by_width = grouped((_width(problem.name), problem) for problem in members)
        rest: list[RecordedInstance] = []
        for width, some in by_width.items():
            if width and len(some) >= _OF_ONE_WIDTH:
                by_pattern[pattern.replace("#", f"{width}x#", 1)] = tuple(some)
            else:
                rest += some
        if rest:
            by_pattern[pattern] = tuple(rest)
    sorted_ = {name: tuple(sorted(some, key=lambda problem: problem.cells)) for name, some in by_pattern.items()}
    return {name: some for name, some in sorted_.items() if len({problem.cells for problem in some}) >= least}


def _are_sizes(members: Sequence[RecordedInstance]) -> bool:
    """Whether the numbers in the names of problems are sizes. A number at the end may also be a serial number: it
    is a size if there are three boards or more, and they grow with it.

    >>> _are_sizes([RecordedInstance("mess-01_s", 70, "sat"), RecordedInstance("mess-02_s", 90, "sat")])
    False
    """
    if any(_width(problem.name) for problem in members):
        return True
    if len(members) < _OF_ONE_WIDTH:
        return False
    by_number = sorted(members, key=lambda problem: int(re.findall(r"\d+", problem.name)[-1]))
    return all(one.cells < other.cells for one, other in pairwise(by_number))


def _width(name: str) -> str:
    match = re.search(r"(\d+)x\d+", name.rpartition("/")[2])
    return match[1] if match else ""


def file_stem(text: str) -> str:
    """A text as the name of a file, without an ending. Characters that are special in paths or shells become `-`.

    >>> file_stem("survival-../my solver")
    'survival-..-my-solver'
    """
    return re.sub(r"[^A-Za-z0-9._#+-]+", "-", text)[:100]
