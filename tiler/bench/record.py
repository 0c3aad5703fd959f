"""What a record may look like: checked in this one place, when a file of them is read, so that nothing that follows has to.

campaign.py says what the fields mean. A field may be missing or null unless it is `Required`; fields of other names are
left out, and statistics of any solver are let pass.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, Required, TypedDict

import msgspec
from msgspec import Meta

from tiler import jsontext, printable
from tiler.bench import store
from tiler.bench.judge import Category
from tiler.bench.store import Contents, Record
from tiler.errors import InputError
from tiler.model.expected import Status
from tiler.question.question import Goal
from tiler.question.result import Stop

_LARGEST = 10**18  # of what is drawn: beyond it sums and logarithmic axes are no longer safe
_DEEPEST = 20  # levels of lists and objects within statistics

Whole = Annotated[int, Meta(ge=0)]  # a number of things: of tilings it may be of any size
Count = Annotated[int, Meta(ge=0, le=_LARGEST)]
Number = Annotated[float, Meta(ge=0, le=_LARGEST)]
Positive = Annotated[float, Meta(gt=0, le=_LARGEST)]
Colour = Annotated[str, Meta(pattern="^(#[0-9a-fA-F]{6})?$")]


class Expected(TypedDict, total=False):
    """What the problem file says."""

    verdict: Literal["sat", "unsat"] | None
    count: Whole | None


class Limits(TypedDict, total=False):
    """What a run might use."""

    seconds: Positive | None
    megabytes: Count | None
    solutions: Count | None
    nodes: Count | None


class Warm(TypedDict):
    """The repeats within a run; whoever has some knows all of this."""

    runs: Count
    first_seconds: Number
    least_seconds: Number
    most_seconds: Number
    wall_seconds: Number
    cpu_seconds: Number


class Program(TypedDict, total=False):
    """A program that was declared as a solver."""

    command: str | None
    input: str | None
    output: str | None
    model: str | None
    version: str | None
    digest: str | None
    projects: bool | None
    colour: Colour | None


class Plugin(TypedDict, total=False):
    """The file that a solver comes from."""

    path: str | None
    digest: str | None


class Environment(TypedDict, total=False):
    """Where it was measured."""

    platform: str | None
    cpu: str | None
    commit: str | None
    sources: str | None
    cores: Count | None
    memory_megabytes: Count | None


class Run(TypedDict, total=False):
    """A record. What is `Required` is taken for granted by readers."""

    schema: Required[Literal["tiler-run-1"]]
    instance: Required[str]
    digest: str | None
    cells: Count | None
    expected: Expected | None
    solver: Required[str]
    goal: Required[Goal]
    limits: Required[Limits]
    seed: Whole | None
    repeat: Count | None
    plugin: Plugin | None
    program: Program | None
    started: str | None
    jobs: Count | None
    load: Number | None
    status: Required[Status]
    stop: Required[Stop]
    count: Whole | None
    symmetry: Whole | None
    stats: dict[str, Any] | None
    message: str | None
    tiling: str | None
    verified: Count | bool | None
    proved: bool | None
    error: str | None
    category: Required[Category]
    encode_seconds: Number | None
    solve_seconds: Number | None
    warm: Warm | None
    wall_seconds: Number | None
    cpu_seconds: Number | None
    peak_megabytes: Number | None
    baseline_megabytes: Number | None
    sources: str | None
    versions: dict[str, str] | None
    environment: Environment | None


_STATISTICS = ("nodes", "conflicts", "variables", "clauses", "literals", "model_seconds", "engine_seconds")  # that are drawn
_SECONDS = ("encode_seconds", "solve_seconds", "wall_seconds", "cpu_seconds")
_ALIKE = ("expected", "limits", "plugin", "program", "versions", "environment")  # in most records of a campaign
_TEXTS = ("instance", "digest", "solver", "sources", "message", "tiling")  # that are in many of them


def read(folder: Path, *, warn: bool = False) -> Contents:
    """The records of a campaign's folder that can be used; how many lines cannot is said on stderr if that is wanted.

    What is the same in many of them is one object, so that they take a kilobyte each.
    """
    shared: dict[Any, Any] = {}

    def parse(line: bytes) -> Record | None:
        record = decoded(line)
        return None if record is None else _shared(record, shared)

    contents = store.read(folder, parse)
    if warn and contents.skipped:
        what = "1 record" if contents.skipped == 1 else f"{contents.skipped:,} records"
        print(f"tiler: {what} in {printable.line(str(folder / store.RUNS))} cannot be read: skipped", file=sys.stderr, flush=True)
    return contents


def decoded(line: bytes) -> dict[str, Any] | None:
    """The record that a line holds, without fields that no record has; None if it lacks some that all have, or has something in
    a field that does not belong there.

    >>> decoded(b'{"schema": "tiler-run-1"}') is None
    True
    """
    try:
        record = _decoder().decode(line)
    except msgspec.ValidationError:
        return None
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        # The names of files that are no text are halves of characters, which only Python's reader lets pass.
        try:
            record = msgspec.convert(jsontext.loads(line), Run)
        except (InputError, msgspec.ValidationError, RecursionError, UnicodeError):
            return None
    return dict(record) if _is_usable(record) else None


@cache
def _decoder() -> msgspec.json.Decoder[Run]:
    return msgspec.json.Decoder(Run)


def _is_usable(record: Run) -> bool:
    stats = record.get("stats") or {}
    if not all(map(_is_drawable, map(stats.get, _STATISTICS))) or not _is_shallow(stats, _DEEPEST):
        return False
    # Whoever has an answer has taken a time for it.
    return record["status"] is Status.UNKNOWN or all(record.get(name) is not None for name in _SECONDS)


def _is_drawable(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return value is None or (number and 0 <= value <= _LARGEST)


def _is_shallow(value: Any, levels: int) -> bool:
    if not isinstance(value, dict | list):
        return True
    return levels > 0 and all(_is_shallow(each, levels - 1) for each in (value.values() if isinstance(value, dict) else value))


def _shared(record: dict[str, Any], known: dict[Any, Any]) -> dict[str, Any]:
    """The record, with what is in `known` already from there."""
    for name in _TEXTS:
        value = record.get(name)
        if value is not None:
            record[name] = known.setdefault(value, value)
    for name in _ALIKE:
        value = record.get(name)
        if value is not None:
            record[name] = known.setdefault((name, *value.items()), value)
    return record
