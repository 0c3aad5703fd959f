"""`tiler bench`: every instance against every solver, one limited run each, with a record of every run."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tiler.cli.values import megabytes, seconds
from tiler.errors import TilerError

if TYPE_CHECKING:
    from tiler.bench.campaign import Job
    from tiler.bench.store import Record

HELP = "run solvers on many problems, and record and compare their answers"
EXAMPLES = """\
  tiler bench --filter many-unique --time-limit 5s
  tiler bench --filter '4?/*_u' --filter mixed --solver backtracking:order=rare
  tiler bench --tag thesis --time-limit 1m --memory-limit 4G -o results/thesis
"""

_DESCRIPTION = """\
Run every solver on every problem, each run by itself and limited, and record and
compare the answers. A run that is already recorded in the results folder, with the
same limits, is not repeated: an interrupted campaign goes on where it was.
"""

_WIDTH = 80
_SHOWN = 20  # wrong or failed runs in the summary; the records have them all


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.add_argument(
        "--filter",
        action="append",
        default=[],
        metavar="TEXT|GLOB",
        help="only problems whose name (family/name) contains TEXT, or as a whole matches GLOB; several: any of them",
    )
    parser.add_argument(
        "--tag", action="append", default=[], metavar="TAG", help="only problems with a tag; several: any of them"
    )
    parser.add_argument(
        "--solver",
        action="append",
        default=[],
        metavar="SPEC",
        help="a solver, may be repeated; see tiler solvers (default: each that is installed)",
    )
    parser.add_argument("--time-limit", metavar="10s", type=seconds, default=10.0, help="for each run (default: 10s)")
    parser.add_argument("--memory-limit", metavar="2G", type=megabytes, default=2048, help="for each run (default: 2G)")
    parser.add_argument("--problems", metavar="FOLDER", help="the problems (default: problems/ here or beside the program)")
    parser.add_argument("-o", "--output", metavar="FOLDER", default="results/bench", help="the results (default: %(default)s)")


def run(args: argparse.Namespace) -> int:
    from tiler.bench import campaign, corpus
    from tiler.bench.store import Store
    from tiler.query import Limits, Query

    specs = campaign.full_specs(args.solver)
    instances = corpus.select(corpus.find_folder(args.problems), args.filter, args.tag)
    jobs = campaign.matrix(instances, specs, Query(limits=Limits(args.time_limit, args.memory_limit)))
    interrupted = False
    with Store(Path(args.output)) as store:
        contents = store.read(campaign.SCHEMA)
        if contents.skipped:
            _talk(f"{_number(contents.skipped, 'line')} of {store.runs} ignored: torn, or no record of this version")
        todo = campaign.pending(jobs, contents.records)
        done = len(jobs) - len(todo)
        at_most = f", at most {_duration(len(todo) * args.time_limit)}" if todo else ""
        _talk(
            f"{_number(len(jobs), 'run')} ({_number(len(instances), 'problem')}, {_number(len(specs), 'solver')}), "
            f"{done} of them recorded already{at_most}"
        )
        try:
            with _progress(len(jobs), done) as progress:
                for record in campaign.execute(todo, store, on_start=progress.start, on_tick=progress.tick):
                    progress.end(record)
        except KeyboardInterrupt:
            interrupted = True
        records = campaign.judge(store.read(campaign.SCHEMA).records)
    wanted = campaign.of_jobs(jobs, records)
    _print_summary(wanted, args, store.runs)
    if len(wanted) < len(jobs):
        cause = "interrupted: " if interrupted else ""
        _talk(f"{cause}{len(wanted)} of {_number(len(jobs), 'run')} recorded; the same command goes on from there")
    wrong = sum(record["category"] == campaign.Category.WRONG for record in records)
    if wrong > sum(record["category"] == campaign.Category.WRONG for record in wanted):
        _talk(f"{wrong} wrong answers among all {_number(len(records), 'record')} of {store.runs}")
    if interrupted:
        return 130
    if wrong:
        return 4
    return 0 if len(wanted) == len(jobs) else 3


def _print_summary(records: Sequence[Record], args: argparse.Namespace, path: Path) -> None:
    from tiler.bench.campaign import Category, summarise
    from tiler.cli.output import is_coloured

    def red(text: str) -> str:
        return f"\033[31;1m{text}\033[0m" if is_coloured(sys.stdout) else text

    heads = [*Category, "wall s"]
    rows = [replace(row, solver=_short(row.solver)) for row in summarise(records)]
    widths = [max(len(head), 5) for head in heads[:-1]] + [max([6] + [len(f"{row.wall_seconds:.2f}") for row in rows])]
    room = _WIDTH - sum(widths) - 2 * len(widths)
    left = min(room, max([6] + [len(row.solver) for row in rows]))
    print(f"{'solver':{left}}" + "".join(f"  {head:>{width}}" for head, width in zip(heads, widths, strict=True)))
    for row in rows:
        cells = [str(row.counts.get(category, 0)) for category in Category] + [f"{row.wall_seconds:.2f}"]
        texts = [f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True)]
        for index, category in enumerate(Category):
            if category is Category.WRONG and row.counts.get(category):
                texts[index] = red(texts[index])
        if len(row.solver) > left:  # A long spec has a line of its own.
            print(row.solver)
        print(f"{row.solver if len(row.solver) <= left else '':{left}}" + "".join(f"  {text}" for text in texts))
    print(
        f"\nwall s: wall clock from the start to the end of each run, added up\n"
        f"limits of a run: {args.time_limit:g} s, {args.memory_limit} MiB; records: {path}"
    )
    for category in (Category.WRONG, Category.ERROR):
        bad = [record for record in records if record["category"] == category]
        for record in bad[:_SHOWN]:
            text = f"{category}: {record['instance']}  {_short(record['solver'])}: {record['message'] or record['status']}"
            print(red(text) if category is Category.WRONG else text)
        if len(bad) > _SHOWN:
            print(f"... and {len(bad) - _SHOWN} more of category {category}; see the records")


class _Progress(NamedTuple):
    start: Callable[[Job], None]
    tick: Callable[[], None]
    end: Callable[[Record], None]


@contextmanager
def _progress(total: int, done: int) -> Iterator[_Progress]:
    """A bar on stderr if that is a terminal, else a line for each run."""
    if sys.stderr.isatty() and done < total:
        with _bar(total, done) as bar:
            yield bar
        return
    number = done

    def end(record: Record) -> None:
        nonlocal number
        number += 1
        print(f"{number:{len(str(total))}}/{total}  {_line(record)}", file=sys.stderr, flush=True)

    yield _Progress(lambda job: None, lambda: None, end)


@contextmanager
def _bar(total: int, done: int) -> Iterator[_Progress]:
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from tiler.bench.campaign import Category

    columns = [BarColumn(20), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}")]
    # No thread of its own: runs are forked from this process.
    bar = Progress(
        *columns,
        console=Console(stderr=True),
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    task = bar.add_task("", total=total, completed=done)

    def start(job: Job) -> None:
        bar.update(task, description=escape(f"{job.instance.name}  {_short(job.solver)}"), refresh=True)

    def end(record: Record) -> None:
        bar.advance(task)
        if record["category"] in (Category.WRONG, Category.ERROR):
            style = "bold red" if record["category"] == Category.WRONG else "yellow"
            bar.console.print(_line(record), style=style, markup=False, highlight=False)

    with bar:
        yield _Progress(start, bar.refresh, end)


def _line(record: Record) -> str:
    stop = "" if record["stop"] == "done" else f" ({record['stop']})"
    why = f": {record['message']}" if record["category"] in ("wrong", "error") else ""
    return (
        f"{record['instance']}  {_short(record['solver'])}  {record['status']}{stop}  {record['category']}  "
        f"{record['wall_seconds']:.3f} s{why}"
    )


def _short(spec: str) -> str:
    """A spec without the options that are as by default; specs of records need not be known any more."""
    from tiler.backends.base import parse_spec

    try:
        return str(parse_spec(spec))
    except TilerError:
        return spec


def _talk(text: str) -> None:
    print(f"tiler bench: {text}", file=sys.stderr, flush=True)


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _duration(total: float) -> str:
    minutes = round(total / 60)
    if total < 120:
        return f"{total:.0f} s"
    return f"{minutes} min" if minutes < 120 else f"{minutes / 60:.1f} h"
