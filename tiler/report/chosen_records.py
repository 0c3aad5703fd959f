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
from tiler.report.names import backend


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
    known = {str(record["solver"]) for record in records}
    wanted: set[str] = set()
    for spec in solvers:
        full = _full(spec)
        found = {solver for solver in known if backend(solver) == spec} or {
            solver for solver in known if _recorded(solver) == full
        }
        if not found:
            near = suggest(spec, [*known, *map(backend, known)])
            raise BadOption(f"no record is by {spec}{near}; there are {', '.join(sorted(set(map(backend, known))))}")
        wanted |= found
    chosen = [record for record in records if not solvers or record["solver"] in wanted]
    fitting = {pattern: {name for record in chosen if fits(name := str(record["instance"]), pattern)} for pattern in filters}
    dead = [pattern for pattern, some in fitting.items() if not some]
    if dead:
        raise BadOption(f"no record is of a problem that fits {' or '.join(map(repr, dead))}")
    names = set().union(*fitting.values())
    return tuple(record for record in chosen if not filters or record["instance"] in names)


def _recorded(spec: str) -> str:
    """The full spec of a recorded one; the program of a record may have a name that means something else elsewhere."""
    return _full(spec) if backend(spec) in backends() else spec


def _full(spec: str) -> str:
    try:
        return parse_spec(spec).spec
    except TilerError:
        return spec
