"""`tiler bench --against`: the other copy of Tiler that makes each run too, and the comparison with it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tiler import printable
from tiler.cli.campaign.progress import talk
from tiler.cli.shared import output
from tiler.errors import BadOption

if TYPE_CHECKING:
    from tiler.bench.by_turns import OtherCode
    from tiler.bench.job import Job
    from tiler.bench.record import Record
    from tiler.bench.store import Store

_WIDTH = 80


def folder_beside(folder: Path) -> Path:
    """The folder for the records of the other copy."""
    return folder.with_name(f"{folder.name}-against")


def check(args: argparse.Namespace) -> None:
    """BadOption if the command asks for what does not go together with --against."""
    if args.against is not None and (args.jobs not in (None, 1) or args.executor is not None):
        raise BadOption("--against makes one run at a time, here: leave out --jobs and --executor")
    if args.against is not None and args.pin:
        raise BadOption("--against lets another copy of Tiler make runs, which --pin does not reach: leave out one of them")
    if args.pin and args.executor is not None and not args.executor.startswith("local:"):
        raise BadOption("--pin binds runs to cores of this machine: leave out --pin or --executor")


@dataclass(frozen=True)
class Opponent:
    """The other copy of Tiler, with its folder open."""

    code: OtherCode
    store: Store

    def paired(self, records: Sequence[Record]) -> tuple[Record, ...]:
        """Our records of runs that need not be made again."""
        from tiler.bench import record

        return self.code.paired(records, record.read(self.store.folder).records)

    def print_comparison(self, records: Sequence[Record], folder: Path) -> None:
        """Compare the other copy's runs with ours, as `tiler report` does."""
        from tiler.bench import record
        from tiler.bench.compare import compare
        from tiler.report import comparison, document
        from tiler.report.names import short

        found = compare(record.read(self.store.folder).records, records, alike=short)
        names = [printable.line(str(place)) for place in (self.store.folder, folder)]
        print(document.plain(comparison.blocks(found, *names), _WIDTH, coloured=output.is_coloured(sys.stdout)))
        print(f"\ntiler report {' '.join(names)} says this again")


@contextmanager
def opened(args: argparse.Namespace, jobs: Sequence[Job], folder: Path) -> Iterator[Opponent | None]:
    """The other copy that the command names; None if it names none. BadOption if it cannot make runs."""
    if args.against is None:
        yield None
        return
    from tiler.bench import store
    from tiler.bench.by_turns import OtherCode
    from tiler.report.names import short

    code = OtherCode.at(args.against, jobs, short)
    if not code.specs:
        raise BadOption(f"{args.against} has none of these solvers: {next(iter(code.lacks.values()), 'none is asked')}")
    for spec, why in code.lacks.items():
        talk(f"{short(spec)} is run by this Tiler only; {args.against} cannot: {why}")
    place = folder_beside(folder)
    with store.locked(place, talk), store.Store(place) as there:
        talk(f"each run is also made by {args.against}, by turns, which takes twice as long; its records go into {place}")
        yield Opponent(code, there)
