"""Make the tables of a campaign: a row for each solver, families by solvers, and solvers against one another. Turn records into
rows of plain values, for spreadsheets and data frames."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import median
from typing import Any

from tiler.amounts import counted, duration
from tiler.bench import selection, significance, stats
from tiler.bench.record import Record
from tiler.bench.speedup import Speedup, speedup
from tiler.bench.stats import End, Table, end_of
from tiler.report import findings
from tiler.report.document import Tabular
from tiler.report.names import backend, labels, shortened


def record_rows(records: Iterable[Record]) -> list[dict[str, Any]]:
    """A row for each run, by names of columns: the question, the answer, and the cost. Names of columns have the unit."""
    runs = list(records)
    names = shortened(str(run["solver"]) for run in runs)
    return [_record_row(run, names[str(run["solver"])]) for run in runs]


def _record_row(run: Record, solver: str) -> dict[str, Any]:
    """The row of a run. Where no solver searched, the solver took no seconds and no nodes."""
    limits, stats = run["limits"], run.get("stats") or {}
    searched = end_of(run) is not End.BEFOREHAND
    return {
        "instance": run["instance"],
        "cells": run.get("cells"),
        "solver": solver,
        "goal": str(run["goal"]),
        "seed": run.get("seed"),
        "repeat": run.get("repeat"),
        "form": run.get("form"),
        "status": str(run["status"]),
        "stop": str(run["stop"]),
        "category": str(run["category"]),
        "count": run.get("count"),
        "nodes": stats.get("nodes") if searched else None,
        "encode_seconds": run.get("encode_seconds"),
        "solve_seconds": run.get("solve_seconds") if searched else None,
        "wall_seconds": run.get("wall_seconds"),
        "cpu_seconds": run.get("cpu_seconds"),
        "peak_megabytes": run.get("peak_megabytes"),
        "limit_seconds": limits.get("seconds"),
        "limit_megabytes": limits.get("megabytes"),
        "threads": limits.get("threads"),
        "jobs": run.get("jobs"),
        "load": run.get("load"),
    }


_SHIFT = duration(stats.SHIFT)
_DIFFER = (
    "Differ: the number of these problems on which some counter differs; on the others nothing but scatter tells the two apart."
)
_MOST = 12  # the most solvers in a table of all against all


def solvers(table: Table) -> Tabular:
    """A row for each solver, the best first, with counts of ends and means of seconds; last the virtual best."""
    names, best = labels(table.solvers), stats.virtual_best(table)
    ends = [end for end in End if end is not End.SOLVED and any(stats.count(table, s, end) for s in table.solvers)]
    order = stats.ranking(table)
    around = [stats.spread(stats.solved_seconds(table, solver)) for solver in order]
    if len(table.solvers) > 1:
        around.append(stats.spread(run.seconds for run in best.values()))
    par2, par2_unit = in_one_unit([stats.par2(table, solver) for solver in order])
    mean, mean_unit = in_one_unit([stats.geometric_mean(table, solver) for solver in order])
    unit = unit_of([summary.median for summary in around if summary])
    spread = [
        [in_unit(value, unit) for value in (summary.median, summary.least, summary.most)] if summary else ["-"] * 3
        for summary in around
    ]
    heads = (
        "solver",
        "solved",
        "of",
        *(end.plural for end in ends),
        f"PAR-2 ({par2_unit})",
        f"SGM ({mean_unit})",
        f"median ({unit})",
        f"least ({unit})",
        f"most ({unit})",
        "fastest on",
        "alone on",
    )
    rows = []
    for number, solver in enumerate(order):
        share = selection.marginal(table, solver)
        others = [_count(stats.count(table, solver, end), loud=end is End.WRONG) for end in ends]
        counts = str(stats.count(table, solver)), str(len(table.attempted(solver)))
        shares = str(share.fastest), str(share.solved)
        rows.append((names[solver], *counts, *others, par2[number], mean[number], *spread[number], *shares))
    if len(table.solvers) > 1:
        rows.append(("virtual best", str(len(best)), str(len(table.problems)), *[""] * (len(ends) + 2), *spread[-1], "", ""))
    note = (
        "PAR-2 is the mean of the seconds over the attempted problems; an unsolved problem counts as twice the limit. SGM is "
        f"their geometric mean, shifted by {_SHIFT}; an unsolved problem counts as the limit. Median and range are over the "
        "solved problems. Fastest on: problems on which the solver is the fastest of all; alone on: problems that no other "
        "solver solved. Missing: runs that were never made, which are not timeouts."
    )
    contested = len(stats.contested(table).problems)
    if contested < len(table.problems):
        note += f" Fastest and alone count only the {counted(contested, 'problem')} that several solvers were asked about."
    start = findings.start_in_words(table)
    if start:
        note += f" {sentence(start)}."
    return Tabular(heads, tuple(rows), note)


def families(table: Table) -> Tabular:
    """A row for each family: for the best variant of each backend, the solved problems and the geometric mean of their
    seconds."""
    order = stats.ranking(table)
    shown = [s for s in table.solvers if s in {next(o for o in order if backend(o) == name) for name in map(backend, order)}]
    names = labels(table.solvers)
    parts = table.by_family
    means = {
        (family, solver): stats.shifted_geometric_mean(stats.solved_seconds(part, solver), 0)
        for family, part in parts.items()
        for solver in shown
    }
    unit = unit_of([mean for mean in means.values() if mean is not None])
    rows = []
    for family, part in parts.items():
        cells = []
        for solver in shown:
            solved, attempted, mean = stats.count(part, solver), len(part.attempted(solver)), means[family, solver]
            loud = "!" if stats.count(part, solver, End.WRONG) else ""
            cells += [f"{loud}{solved}/{attempted}" if attempted else "", "" if mean is None else in_unit(mean, unit)]
        rows.append((family or ".", str(len(part.problems)), *cells))
    note = (
        "Solved / attempted problems, and the geometric mean of the seconds of the solved ones, for each backend's best variant."
    )
    heads = [head for solver in shown for head in (names[solver], f"{names[solver]} ({unit})")]
    return Tabular(("family", "problems", *heads), tuple(rows), note)


def speedups(table: Table) -> Tabular | None:
    """How many times faster the solver of a row is than the solver of a column, over the problems that both solved. None for
    fewer than two solvers."""
    order: Sequence[str] = stats.ranking(table)[:_MOST]
    if len(order) < 2:
        return None
    names = labels(table.solvers)
    rows = []
    for a in order:
        cells = []
        for b in order:
            gain = speedup(table, a, b) if a != b else None
            cells.append("" if gain is None else f"{factor(gain.factor)} ({gain.of})")
        rows.append((names[a], *cells))
    note = (
        "How many times faster the solver of the row is than the solver of the column: the geometric mean over the problems that "
        "both solved. Their number is in brackets, of the number that both were asked about if one of them did not solve all. "
        f"{_DIFFER}"
    )
    return Tabular(("faster than", *(names[solver] for solver in order)), tuple(rows), note)


def beside_the_best(table: Table) -> Tabular | None:
    """A row for each solver: how far it is from the fastest of the others on each problem. None for fewer than three solvers."""
    if len(table.solvers) < 3:
        return None
    names = labels(table.solvers)
    rows = []
    for solver in stats.ranking(table):
        found, longer = selection.beside_the_best(table, solver), selection.marginal(table, solver).seconds
        if found is None:
            continue
        closed = "-" if found.closed is None else f"{100 * found.closed:.0f} %"
        rows.append(
            (
                names[solver],
                *(factor(found.times), str(found.of), str(len(found.lost))),
                *(found.worst, factor(found.worst_times), closed),
                "-" if longer is None else duration(longer),
            )
        )
    note = (
        "Times: the seconds of the solver divided by those of the fastest other solver (their virtual best), as a geometric mean "
        "over the problems that both solved. Lost: problems that another solver solved, but not this one. Worst: the problem on "
        "which it lost most seconds, with the factor there. Gap closed: of the gap between the best single solver and the "
        "virtual best, the others alone, in PAR-2 (100 %: as good as choosing the fastest each time; none is said if the gap is "
        "less than a tenth of the PAR-2 of the former). Contribution: by how much the PAR-2 of the virtual best of all would "
        "grow without it."
    )
    heads = ("solver", "times", "of", "lost", "worst", "there", "gap closed", "contribution")
    return Tabular(heads, tuple(rows), note)


def pair_tests(table: Table) -> Tabular | None:
    """A row for each pair of the best solvers: who is faster how often, by how much, and whether tests tell them apart. None for
    fewer than two solvers."""
    found = significance.pair_tests(table)
    if not found:
        return None
    names = labels(table.solvers)
    rows = [
        (
            f"{names[test.first]}, {names[test.second]}",
            *(str(number) for number in (test.faster, test.slower, test.ties)),
            *_ratio(test.ratio),
            *(probability(value) for value in (test.sign, test.wilcoxon)),
        )
        for test in found
    ]
    level = f"{significance.LEVEL:g}"
    note = (
        "Pairs of solvers, the better one in the ranking first, on the problems that both attempted: on how many the first is "
        "faster, slower, or as fast. An unsolved run counts as the limit, so two of them are a tie. Times faster is the "
        f"geometric mean over the problems that both solved, with its 95 % interval for other problems like these. {_DIFFER} "
        "The two p-values are those of the sign test and of Wilcoxon's signed-rank test, corrected for all these pairs (Holm "
        f"1979). A p-value of {level} or more: within the scatter of the problems. A small one says that two solvers differ on "
        "problems like these, not that the difference is large."
    )
    if len(table.solvers) > significance.MOST:
        note += f" Tested are the best {significance.MOST} of {len(table.solvers)} solvers."
    heads = ("solvers", "faster", "slower", "ties", "times faster", "95 %", "p, sign", "p, Wilcoxon")
    return Tabular(heads, tuple(rows), note)


def _ratio(ratio: Speedup | None) -> tuple[str, str]:
    if ratio is None:
        return "-", "-"
    return (
        f"{factor(ratio.factor)} ({ratio.of})",
        "-" if ratio.high == math.inf else f"{factor(ratio.low)} to {factor(ratio.high)}",
    )


def probability(value: float) -> str:
    """A p-value with two figures.

    >>> [probability(value) for value in (1.0, 0.0456, 0.000012)]
    ['1.0', '0.046', '< 0.001']
    """
    return "< 0.001" if value < 0.001 else f"{value:.1f}" if value >= 0.95 else f"{value:.2g}"


def repeats(table: Table) -> Tabular | None:
    """How the times of a solver on a problem spread over forms, seeds and repeats; None if every run was made once."""
    names, rows = labels(table.solvers), list[tuple[str, ...]]()
    for solver in table.solvers:
        cells = [cell for cell in table.attempted(solver) if cell.repeats > 1]
        if not cells:
            continue
        widths = [cell.most / cell.least for cell in cells if cell.solved > 1 and cell.least and cell.most]
        mean, widest = stats.shifted_geometric_mean(widths, 0), max(widths, default=None)
        numbers = sorted({cell.repeats for cell in cells})
        fickle = sum(0 < cell.solved < cell.repeats for cell in cells)
        rows.append(
            (
                names[solver],
                str(len(cells)),
                " or ".join(map(str, numbers)),
                *("-" if width is None else factor(width) for width in (mean, widest)),
                str(fickle),
            )
        )
    if not rows:
        return None
    heads: tuple[str, ...] = ("solver", "problems", "runs of each", "spread", "worst", "by some only")
    note = (
        "Several runs of the same solver on the same problem: in several forms, with other seeds, or again. Spread is the "
        "longest time divided by the shortest, over the runs that solved the problem: the geometric mean over the problems, and "
        "the worst problem. "
    )
    if any(row[-1] != "0" for row in rows):
        note += "By some only: problems that some of these runs solved and others did not. "
    else:
        heads, rows = heads[:-1], [row[:-1] for row in rows]
    note += "Tables and plots show the median; an unsolved run counts as the longest."
    return Tabular(heads, tuple(rows), note)


_UNITS = {"s": 1.0, "ms": 1e-3, "µs": 1e-6}


def unit_of(seconds: Sequence[float]) -> str:
    """The unit for a column: the unit that suits the median of its seconds.

    >>> unit_of([0.0002, 0.03, 4.0]), unit_of([])
    ('ms', 's')
    """
    middle = median(seconds) if seconds else 1.0
    return next((unit for unit, size in _UNITS.items() if middle >= size), "µs")


def in_unit(seconds: float, unit: str) -> str:
    """Seconds in a unit, with three figures and without the unit, in digits alone.

    >>> [in_unit(seconds, "ms") for seconds in (4.16789, 0.0126, 0.000012345)]
    ['4170', '12.6', '0.0123']
    """
    value = float(f"{seconds / _UNITS[unit]:.3g}")
    return f"{value:.{max(0, 2 - math.floor(math.log10(value)))}f}" if value else "0"


def in_one_unit(seconds: Sequence[float | None]) -> tuple[list[str], str]:
    """The cells of a column as text, all in one unit, and this unit; `-` stands for None."""
    unit = unit_of([value for value in seconds if value is not None])
    return ["-" if value is None else in_unit(value, unit) for value in seconds], unit


def sentence(text: str) -> str:
    """The text with a capital letter at the beginning."""
    return text[:1].upper() + text[1:]


def factor(times: float) -> str:
    """A factor with about three figures.

    >>> [factor(times) for times in (1234.5, 56.78, 1.2345, 0.0123)]
    ['1,234', '56.8', '1.23', '0.01']
    """
    if times >= 100:
        return f"{times:,.0f}"
    return f"{times:.1f}" if times >= 10 else f"{times:.2f}" if times >= 0.095 else f"{times:.1g}"


def _count(number: int, *, loud: bool) -> str:
    return f"!{number}" if loud and number else str(number) if number else ""
