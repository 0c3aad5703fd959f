"""Show the progress of `tiler bench`: a bar or lines, and a first figure."""

from __future__ import annotations

import math
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tiler import printable
from tiler.amounts import duration

if TYPE_CHECKING:
    from tiler.bench.job import Job
    from tiler.bench.record import Record
    from tiler.bench.time_left import TimeLeft

FIRST_FIGURE_SECONDS = 30.0


class Reporter(NamedTuple):
    start: Callable[[Job], None]
    tick: Callable[[], None]
    end: Callable[[Record], None]


@contextmanager
def busy(text: str) -> Iterator[None]:
    """Say on a terminal what is done now; the line goes away when that ends."""
    if not sys.stderr.isatty():
        yield
        return
    print(f"tiler bench: {text} ...", end="", file=sys.stderr, flush=True)
    try:
        yield
    finally:
        print("\r\033[K", end="", file=sys.stderr, flush=True)


@contextmanager
def progress(total: int, done: int, left: TimeLeft, slots: int, *, quiet: bool, verbose: bool) -> Iterator[Reporter]:
    """Show progress on stderr: a bar if that is a terminal, with the time `left` if `slots` runs are made at a time, else a line
    at the end of each run. If `verbose`, no bar, but lines: one when a run starts, one when it ends. If `quiet`, nothing."""
    if quiet:
        yield Reporter(lambda job: None, lambda: None, lambda record: None)
        return
    if sys.stderr.isatty() and done < total and not verbose:
        with _bar(total, done, left, slots) as bar:
            yield bar
        return
    number = done

    def end(record: Record) -> None:
        nonlocal number
        number += 1
        print(f"{number:{len(str(total))}}/{total}  {_line(record)}", file=sys.stderr, flush=True)

    def start(job: Job) -> None:
        if verbose:
            talk(f"{job.name}: {job.solver}, seed {job.question.seed}")

    yield Reporter(start, lambda: None, end)


@contextmanager
def _bar(total: int, done: int, left: TimeLeft, slots: int) -> Iterator[Reporter]:
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
    from rich.table import Column

    from tiler.bench.record import Category
    from tiler.report.names import short

    times = [TimeElapsedColumn(), TextColumn("left {task.fields[left]}")]
    # If there is no room, the names of running jobs are shortened, never the numbers.
    running = TextColumn("{task.description}", table_column=Column(ratio=1, no_wrap=True, overflow="ellipsis"))
    columns = [BarColumn(6), MofNCompleteColumn(), *times, running]
    # It has no thread, since runs are forked from this process.
    bar = Progress(
        *columns,
        console=Console(stderr=True),
        auto_refresh=False,
        transient=True,
        expand=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )

    def forecast() -> str:
        return str(timedelta(seconds=math.ceil(left.seconds / max(1, slots))))

    task = bar.add_task("", total=total, completed=done, left=forecast())

    def start(job: Job) -> None:
        bar.update(task, description=escape(printable.line(f"{job.name}  {short(job.solver)}")), refresh=True)

    def end(record: Record) -> None:
        left.ended(record)
        bar.update(task, advance=1, left=forecast())
        if record["category"] in (Category.WRONG, Category.ERROR):
            style = "bold red" if record["category"] == Category.WRONG else "yellow"
            bar.console.print(_line(record), style=style, markup=False, highlight=False)

    with bar:
        yield Reporter(start, bar.refresh, end)


def _line(record: Record) -> str:
    from tiler.report.names import short

    solved = record["solve_seconds"]
    took = duration((record["wall_seconds"] if solved is None else solved) or 0.0)
    stop = "" if record["stop"] == "done" else f" ({record['stop']})"
    why = f": {record['message']}" if record["category"] in ("wrong", "error", "refused") else ""
    who = f"{record['instance']}  {short(record['solver'])}"
    if record["category"] == "refused":  # Nothing failed, and nothing took time.
        return printable.line(f"{who}  refused{why}")
    if record["category"] == "beforehand":
        return printable.line(f"{who}  {record['status']}  known beforehand: {record['message']}")
    judged = "" if str(record["category"]) == record["status"] else f"  {record['category']}"  # Unknown is both.
    return printable.line(f"{who}  {record['status']}{stop}{judged}  {took}{why}")


class EarlyFigure:
    """Draws the first figure while there are more runs to make: between two runs, when nothing is measured, by a process that
    ends before the next run begins; and again each time when twice as much time has passed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._started = time.monotonic()
        self._next = FIRST_FIGURE_SECONDS
        self._is_told = False

    def draw(self) -> None:
        """Draw if it is time to."""
        if time.monotonic() - self._started < self._next:
            return
        command = [sys.executable, "-m", "tiler", "plot", str(self._folder), "--kind", "survival", "--format", "svg"]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        path = self._folder / "plots" / "survival.svg"
        passed = time.monotonic() - self._started
        if done.returncode:  # There are not enough records yet.
            self._next = passed + FIRST_FIGURE_SECONDS
            return
        if not self._is_told:
            talk(f"a first figure is in {path}; it is drawn again from time to time")
        self._is_told, self._next = True, 2 * passed


def talk(text: str) -> None:
    print(f"tiler bench: {printable.line(text)}", file=sys.stderr, flush=True)
