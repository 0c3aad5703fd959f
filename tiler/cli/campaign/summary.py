"""Print what a campaign found, at its end: a table of the solvers, the best first, and reasons to doubt it."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

from tiler import printable
from tiler.amounts import counted
from tiler.bench import stats
from tiler.bench.campaign import summarise
from tiler.bench.job import Job, is_hopeless
from tiler.bench.record import Category, Record
from tiler.bench.stats import Table
from tiler.cli.shared import output
from tiler.render import table
from tiler.render.table import RedEntry
from tiler.report import findings, spread, tables
from tiler.report.names import short
from tiler.report.panels import limits_in_words

WIDTH = 80
_SHOWN = 20  # the most wrong or failed runs that are listed; the records have all
_ALWAYS = (Category.CORRECT, Category.WRONG, Category.UNKNOWN)  # columns, even of zeros
_BEST_FIRST = (
    "the best solver first: by problems solved, then by mean seconds, where an unsolved problem counts as twice the limit (PAR-2)"
)


def show(records: Sequence[Record], jobs: Sequence[Job], path: Path) -> None:
    """Print the summary of a campaign's records."""
    grids = stats.tables(records)
    _print_solvers(grids, stats.series(records))
    limits = "" if len(grids) > 1 else f"limits of a run: {_limits(jobs)}; "
    print(f"{limits}records: {printable.line(str(path))}")
    left_out = dict.fromkeys(f"{sentence}." for grid in grids if (sentence := findings.beforehand(grid)))
    left_out |= dict.fromkeys(sentence for grid in grids for sentence in findings.alike(grid))
    for line in (*left_out, *_expected_unknown(records, jobs), *findings.refused(records), *findings.warnings(records)):
        print(textwrap.fill(line, WIDTH))
    for grid in grids:
        _print_spread(grid)
    for category in (Category.WRONG, Category.ERROR):
        _print_bad([record for record in records if record["category"] == category], category)


def _print_solvers(grids: Sequence[Table], groups: Sequence[Sequence[Record]]) -> None:
    """Print a table of the solvers for each goal and limits, since only within these they compare, and what the columns mean."""
    notes: dict[str, None] = {}
    for grid, group in zip(grids, groups, strict=True):
        if len(grids) > 1:
            print(f"goal {grid.goal}, limits {limits_in_words(grid.limits)}:")
        drawn, some = _solvers(grid, group)
        print(f"{drawn}\n")
        notes |= dict.fromkeys(some)
    for note in notes:
        print(textwrap.fill(note, WIDTH))


def _solvers(grid: Table, records: Sequence[Record]) -> tuple[str, list[str]]:
    """A table of the solvers of one goal and limits, the best first, and what its columns mean."""
    order = stats.ranking(grid)
    rows = sorted(summarise(records), key=lambda row: order.index(row.solver) if row.solver in order else len(order))
    kinds = [kind for kind in Category if kind in _ALWAYS or any(row.counts.get(kind) for row in rows)]
    kinds = [kind for kind in kinds if kind is not Category.BEFOREHAND]  # A sentence says it.
    columns: list[tuple[str, list[str]]] = [("solver", [short(row.solver) for row in rows])]
    several = len(records) > len({(record["instance"], record["solver"]) for record in records})
    for kind in kinds:
        numbers = [row.counts.get(kind, 0) for row in rows]
        head = f"{kind} runs" if several and kind is Category.CORRECT else kind
        columns.append((head, [RedEntry(n) if kind is Category.WRONG and n else str(n) for n in numbers]))
    notes = [_BEST_FIRST] if len(rows) > 1 else []
    if several:
        notes.append("correct runs, wrong, ...: numbers of runs; there are several for a problem")
    solvers = [row.solver for row in rows]
    medians, unit = tables.in_one_unit([_median(grid, solver) for solver in solvers])
    columns.append((f"median {unit}", medians))
    notes.append(f"median {unit}: {grid.clock} seconds of the problems that it solved")
    if len(grid.solvers) > 1:
        means = stats.times_slower(grid)
        factors = ["-" if (mean := means.get(solver)) is None else f"{tables.factor(mean)}x" for solver in solvers]
        columns.append(("slower", factors))
        notes.append(
            "slower: how many times slower than the fastest solver of each of these problems (the virtual best solver), on "
            "geometric average"
        )
    columns.append(("wall s", [f"{row.wall_seconds:.2f}" for row in rows]))
    notes.append("wall s: wall clock of all runs from start to end, without repeats within a run")
    heads, entries = zip(*columns, strict=True)
    return table.draw(list(zip(*entries, strict=True)), heads, width=WIDTH, colour=output.is_coloured(sys.stdout)), notes


def _median(grid: Table, solver: str) -> float | None:
    spread = stats.spread(stats.solved_seconds(grid, solver))
    return None if spread is None else spread.median


def _expected_unknown(records: Sequence[Record], jobs: Sequence[Job]) -> list[str]:
    """A sentence about the unknown answers of solvers that were asked what they cannot find."""
    hopeless = {(job.name, job.solver) for job in jobs if is_hopeless(job)}
    unknown = [
        str(record["solver"])
        for record in records
        if record["category"] == Category.UNKNOWN and (str(record["instance"]), str(record["solver"])) in hopeless
    ]
    if not unknown:
        return []
    who = " and ".join(dict.fromkeys(solver.partition(":")[0] for solver in unknown))
    return [
        f"{counted(len(unknown), 'unknown answer')} by {who} had to be: it can only prove that there is no tiling, and these "
        "problems are expected to have one."
    ]


def _print_bad(bad: Sequence[Record], category: Category) -> None:
    """Print the wrong answers, or the failures."""
    for record in bad[:_SHOWN]:
        text = f"{category}: {record['instance']}  {short(record['solver'])}: {record['message'] or record['status']}"
        is_red = category is Category.WRONG and output.is_coloured(sys.stdout)
        print(f"\033[31;1m{text}\033[0m" if is_red else text)
    if len(bad) > _SHOWN:
        print(f"... and {len(bad) - _SHOWN} more of category {category}; see the records")


def _print_spread(grid: Table) -> None:
    """Print how far the times spread over forms, seeds and repeats, if there are any, and what that leaves open."""
    shown = tables.repeats(grid)
    if shown is not None:
        drawn = table.draw(shown.rows, shown.heads, width=WIDTH, colour=output.is_coloured(sys.stdout))
        print(f"\n{drawn}\n\n{textwrap.fill(shown.note, WIDTH)}")
        for sentence in spread.about_rankings(grid):
            print(textwrap.fill(sentence, WIDTH))


def _limits(jobs: Sequence[Job]) -> str:
    """The limits of all runs."""
    # One job for each set of limits is enough: there may be very many jobs.
    some = {job.question.limits: job for job in jobs}.values()
    return " or ".join(dict.fromkeys(limits_in_words(job.head["limits"]) for job in some))
