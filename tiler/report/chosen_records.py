"""Read the records of a results folder as they are shown, and choose some of them by problem and by solver."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tiler import printable
from tiler.backends.registry import backends, parse_spec
from tiler.bench import record, store
from tiler.bench.corpus import fits
from tiler.bench.judge import judge
from tiler.bench.record import Record
from tiler.errors import BadOption, InputError, TilerError, suggest
from tiler.report.names import backend, labels, without_backend


def read(folder: Path, *, warn: bool = True) -> tuple[Record, ...]:
    """The records of a results folder, judged together and fit to be seen; InputError if there are none. How many lines cannot be
    read is said on stderr if that is wanted."""
    records = record.read(folder, warn=warn).records
    if not records:
        raise InputError(f"there are no records here ({store.RUNS}); tiler bench -o {folder} makes them", str(folder))
    return judge(tuple(printable.data(records)))


def select(records: Sequence[Record], filters: Sequence[str], solvers: Sequence[str]) -> tuple[Record, ...]:
    """The records of the problems that fit a filter and of the solvers that are asked for; BadOption if one of these fits
    nothing."""
    known = list(dict.fromkeys(str(record["solver"]) for record in records))
    wanted = {solver for name in solvers for solver in _named(known, name)}
    chosen = [record for record in records if not solvers or record["solver"] in wanted]
    fitting = {pattern: {name for record in chosen if fits(name := str(record["instance"]), pattern)} for pattern in filters}
    dead = [pattern for pattern, some in fitting.items() if not some]
    if dead:
        raise BadOption(f"no record is of a problem that fits {' or '.join(map(repr, dead))}")
    names = set().union(*fitting.values())
    return tuple(record for record in chosen if not filters or record["instance"] in names)


def named(records: Sequence[Record], names: Sequence[str]) -> tuple[str, ...]:
    """The solvers of some records that are named, each by its spec, its label or its backend; a text may have several names
    with commas between them. BadOption if a name stands for none."""
    known = list(dict.fromkeys(str(record["solver"]) for record in records))
    found = {solver for text in names for name in _apart(known, text) for solver in _named(known, name)}
    return tuple(solver for solver in known if solver in found)


def about(folder: Path, filters: Sequence[str] = (), solvers: Sequence[str] = ()) -> str:
    """What a heading says about the records of a folder: the campaign, and which part of it was chosen."""
    title = printable.line(store.title_of(folder)) or folder.resolve().name
    chosen = [f"{word} {', '.join(some)}" for word, some in (("filter", filters), ("solver", solvers)) if some]
    return printable.line("; ".join((title, *chosen)))


def _apart(known: Sequence[str], text: str) -> list[str]:
    """The names in a text; options of a spec have commas between them too."""
    return [text] if _matching(known, text) else text.split(",")


def _named(known: Sequence[str], name: str) -> set[str]:
    found = _matching(known, name)
    if not found:
        near = suggest(name, [*known, *map(backend, known)])
        raise BadOption(f"no record is by {name}{near}; there are {', '.join(sorted(set(map(backend, known))))}")
    return found


def _matching(known: Sequence[str], name: str) -> set[str]:
    full, called = _full(name), labels(known)
    short = without_backend(called)
    of_backend = {solver for solver in known if name == backend(solver)}
    return of_backend or {solver for solver in known if _recorded(solver) == full or name in (called[solver], short[solver])}


def _recorded(spec: str) -> str:
    """The full spec of a recorded one; the program of a record may have a name that means something else elsewhere."""
    return _full(spec) if backend(spec) in backends() else spec


def _full(spec: str) -> str:
    try:
        return parse_spec(spec).spec
    except TilerError:
        return spec
