"""Define a record, for the code that writes records and the code that reads them. Records are checked here, when a file is read;
code that uses them need not check again. A field may be missing or null unless it is `Required`. Unknown fields are left out, and
statistics of any solver are accepted. The load of the machine and the CPU seconds in a record say whether other programs
disturbed the run.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal, Required, TypedDict, cast

from tiler import jsontext, printable
from tiler.bench import store
from tiler.bench.store import Contents
from tiler.errors import InputError
from tiler.model.expected import Status
from tiler.question.question import Goal
from tiler.question.result import Stop

try:
    from msgspec import Meta, ValidationError, convert
except ImportError:  # In a web page.
    from tiler.bench.plain_convert import Meta, ValidationError, convert  # type: ignore[assignment, no-redef]

#: The load that a run of ours makes beside its own: the process that watches it, the start of its engine, the keeping of records.
#: Short runs of engines, two at a time on two cores, made a load of up to 3.3, while longer ones among them got a core each.
_BESIDE = 0.65
_SHARE = 0.5  # a search that gets less than this part of a core had to wait for one
_LEAST_SECONDS = 1.0  # seconds; in a shorter run, most time goes into starting the process


def is_disturbed(record: Record) -> bool:
    """Whether a run shared the processor: when it began, the load was higher than the cores and our own runs explain, or it got
    less than half of a core."""
    cores, jobs = (record.get("environment") or {}).get("cores") or 0, record.get("jobs") or 1
    busy = bool(cores) and (record.get("load") or 0.0) > max(cores, jobs) + _BESIDE * jobs
    wall, cpu = record.get("wall_seconds"), record.get("cpu_seconds")
    return busy or (wall is not None and cpu is not None and wall >= _LEAST_SECONDS and cpu < _SHARE * wall)


def is_starved(record: Record) -> bool:
    """Whether a run came to its time limit with less than half of it in CPU seconds: other programs took the processor, or the
    solver waited."""
    limit, cpu = record["limits"].get("seconds"), record.get("cpu_seconds")
    return record["stop"] == Stop.TIME and bool(limit) and cpu is not None and cpu < _SHARE * float(limit or 0.0)


def disturbed(records: Iterable[Record]) -> int:
    """The number of runs that shared the processor."""
    return sum(map(is_disturbed, records))


def starved(records: Iterable[Record]) -> int:
    """How many runs came to their time limit with less than half of it in CPU seconds."""
    return sum(map(is_starved, records))


_LARGEST = 10**18  # the largest number that is drawn: with larger ones, sums and logarithmic axes are not safe
_DEEPEST = 20  # the most levels of lists and objects in statistics

Whole = Annotated[int, Meta(ge=0)]  # a number of things; numbers of tilings may be of any size
Count = Annotated[int, Meta(ge=0, le=_LARGEST)]
Number = Annotated[float, Meta(ge=0, le=_LARGEST)]
Positive = Annotated[float, Meta(gt=0, le=_LARGEST)]
Colour = Annotated[str, Meta(pattern="^(#[0-9a-fA-F]{6})?$")]


class Category(StrEnum):
    """The judgement of an answer."""

    CORRECT = "correct"  #: as expected
    WRONG = "wrong"  #: the verifier refused it, or it contradicts what is expected or another solver's answer
    UNKNOWN = "unknown"  #: not decided within the limits
    ERROR = "error"  #: the solver failed
    REFUSED = "refused"  #: the solver cannot be asked this
    VERIFIED = "verified"  #: nothing is expected, but the verifier has accepted the tiling
    CERTIFIED = "certified"  #: nothing is expected, but the checker has accepted the proof that there is none
    BEFOREHAND = "beforehand"  #: there is no tiling at sight, so no solver searched; the message says why
    UNCHECKED = "unchecked"  #: there is nothing to compare it with


class RecordedExpected(TypedDict, total=False):
    """The answer that the problem file expects."""

    verdict: Status | None  #: sat or unsat
    count: Whole | None


class RecordedLimits(TypedDict, total=False):
    """The limits of a run."""

    seconds: Positive | None
    megabytes: Count | None
    solutions: Count | None
    nodes: Count | None
    threads: Annotated[int, Meta(ge=1, le=_LARGEST)]


class Warm(TypedDict):
    """The repeats within a run, if there were any; then all of these fields are known."""

    runs: Count
    first_seconds: Number  #: seconds of the first run, which has a cold start
    least_seconds: Number  #: the range of their solve_seconds
    most_seconds: Number
    wall_seconds: Number  #: seconds of all of them
    cpu_seconds: Number


class RecordedProgram(TypedDict, total=False):
    """A program that was declared as a solver."""

    command: str | None
    input: str | None
    output: str | None
    model: str | None
    version: str | None
    digest: str | None
    projects: bool | None
    colour: Colour | None


class RecordedPlugin(TypedDict, total=False):
    """The file that a solver comes from."""

    path: str | None
    digest: str | None


class Environment(TypedDict, total=False):
    """The machine and the code with which it was measured."""

    platform: str | None
    cpu: str | None
    commit: str | None
    sources: str | None
    cores: Count | None
    memory_megabytes: Count | None


class RecordedMachine(TypedDict, total=False):
    """The parts of the machine on which seconds depend (machine.py); an unknown one is left out."""

    logical_cores: Count | None
    physical_cores: Count | None
    least_megahertz: Count | None
    most_megahertz: Count | None
    governor: str | None
    frequency_driver: str | None
    idle_driver: str | None
    turbo: bool | None
    smt: bool | None
    caches: str | None
    numa_nodes: Count | None
    isolated_cores: str | None
    hypervisor: str | None
    swap_megabytes: Count | None
    aslr: str | None


class AskedPart(TypedDict, total=False):
    """The part of a record that is known before the run."""

    schema: Required[Literal["tiler-run-1"]]
    instance: Required[str]
    digest: str | None
    cells: Count | None
    expected: RecordedExpected | None
    solver: Required[str]  #: the full spec
    goal: Required[Goal]
    limits: Required[RecordedLimits]
    seed: Whole | None
    repeat: Count | None
    form: Count | None  #: the form of the problem that was asked (scramble.py); 0: as it is written
    plugin: RecordedPlugin | None
    program: RecordedProgram | None


class AnsweredPart(TypedDict, total=False):
    """The part about the answer, which the run itself tells."""

    status: Required[Status]
    stop: Required[Stop]
    beforehand: bool | None  #: whether there is no tiling at sight (`Cover.refusal`), so that no solver searched
    count: Whole | None
    symmetry: Whole | None
    verified: Count | bool | None  #: how many tilings the verifier has seen and accepted
    proved: bool | None  #: whether the answer is a proof that the checker has accepted
    stats: dict[str, Any] | None
    message: str | None
    tiling: str | None  #: the first one as letters in rows (measure.py)
    encode_seconds: Number | None  #: wall clock within the run, the median of its repeats
    solve_seconds: Number | None
    warm: Warm | None


class Surroundings(TypedDict, total=False):
    """The part about the machine and the code with which it was measured."""

    load: Number | None  #: load average of the machine when the run began
    load_during: Number | None  #: cores that other processes kept busy during the run, on average; None for a short run
    megahertz: Number | None  #: frequency of the cores when the run began
    cores_bound: str | None  #: the cores that the run was bound to, such as `0,2`; None: to none
    sources: str | None  #: a fingerprint of the code that took part (code_fingerprint.py)
    versions: dict[str, str] | None
    environment: Environment | None
    machine: RecordedMachine | None


class Record(AskedPart, AnsweredPart, Surroundings, total=False):
    """A run. Readers may rely on the fields that are `Required`."""

    started: str | None  #: UTC
    jobs: Count | None  #: the number of runs at a time
    order: str | None  #: the order of the runs, with its seed (order.py)
    turn: str | None  #: the same in two records if two versions of the code made the run by turns (by_turns.py)
    calibration_seconds: Number | None  #: of a fixed computation shortly before the run (calibration.py)
    error: str | None  #: the kind of error, if there was no answer
    wall_seconds: Number | None  #: measured from outside, of the whole process and its children, like the next three fields
    cpu_seconds: Number | None
    peak_megabytes: Number | None  #: resident memory
    baseline_megabytes: Number | None  #: the part of the memory that was there from the start
    category: Required[Category]  #: at the time of the run; `judge` may know better later


_STATISTICS = ("nodes", "conflicts", "variables", "clauses", "literals", "model_seconds", "engine_seconds")  # that are drawn
_SECONDS = ("encode_seconds", "solve_seconds", "wall_seconds")  # A web page does not know its CPU seconds.
_ALIKE = ("expected", "limits", "plugin", "program", "versions", "environment", "machine")  # in most records of a campaign
_TEXTS = ("instance", "digest", "solver", "order", "sources", "message", "tiling")  # that are in many of them


def read(folder: Path, *, warn: bool = False) -> Contents[Record]:
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


def decoded(line: bytes) -> Record | None:
    """The record that a line holds, without fields that no record has; None if it lacks some that all have, or has something in
    a field that does not belong there.

    >>> decoded(b'{"schema": "tiler-run-1"}') is None
    True
    """
    try:
        record = convert(jsontext.loads(line), Record)
    except (InputError, ValidationError, RecursionError, UnicodeError):
        return None
    record["limits"].setdefault("threads", 1)  # Records of older code lack some fields.
    return record if _is_usable(record) else None


def _is_usable(record: Record) -> bool:
    stats = record.get("stats") or {}
    if not all(map(_is_drawable, map(stats.get, _STATISTICS))) or not _is_shallow(stats, _DEEPEST):
        return False
    if (record.get("expected") or {}).get("verdict") is Status.UNKNOWN:
        return False
    # A run with an answer has a time for it.
    return record["status"] is Status.UNKNOWN or all(record.get(name) is not None for name in _SECONDS)


def _is_drawable(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return value is None or (number and 0 <= value <= _LARGEST)


def _is_shallow(value: Any, levels: int) -> bool:
    if not isinstance(value, dict | list):
        return True
    return levels > 0 and all(_is_shallow(part, levels - 1) for part in (value.values() if isinstance(value, dict) else value))


def _shared(record: Record, known: dict[Any, Any]) -> Record:
    """The record, with what is in `known` already from there."""
    fields = cast("dict[str, Any]", record)
    for name in _TEXTS:
        value = fields.get(name)
        if value is not None:
            fields[name] = known.setdefault(value, value)
    for name in _ALIKE:
        value = fields.get(name)
        if value is not None:
            fields[name] = known.setdefault((name, *value.items()), value)
    return record
