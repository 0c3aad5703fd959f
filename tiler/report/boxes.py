"""Draw the spread of each solver's seconds over the problems, by family of encodings: boxes, the fastest median first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import Any

from tiler.bench import stats
from tiler.bench.stats import Table
from tiler.grouping import grouped
from tiler.report import coloured, panels, style
from tiler.report.names import backend, family, labels, shortened, without_backend
from tiler.report.panels import Drawing, Frame

HELP = "the spread of seconds over the problems, by family of variants"
TITLE = "Seconds over the problems"
NOTE = (
    "A box spans the middle half of the problems that a solver attempted, with a line at the median. Its whiskers reach to "
    "the furthest problem within one and a half times its length; dots are the problems beyond. A problem without an answer "
    "counts as {most}. Numbers after names: solved / attempted."
)
_APART = " Below the thick line: solvers asked about other problems than most; they do not compare with the others."
_LEAST = 4  # the least number of problems, and of solvers
_HIGH = 0.23  # the height of a box in inches


def suits(table: Table) -> bool:
    shown = _shown(table)
    return len(shown.solvers) >= _LEAST and any(stats.count(shown, solver) >= _LEAST for solver in shown.solvers)


def draw(table: Table) -> Iterator[Drawing]:
    table = _shown(table)
    names = labels(table.solvers)
    if len(set(map(backend, table.solvers))) == 1:  # All names would begin with it.
        names = without_backend(names)
    every = [seconds for solver in table.solvers for seconds in stats.solved_seconds(table, solver)]
    most = table.seconds_limit or max(every)
    took = {s: [most if cell.seconds is None else cell.seconds for cell in table.attempted(s)] for s in table.solvers}
    apart = _apart(table)
    ordered = sorted(table.solvers, key=lambda solver: (solver in apart, family(solver), median(took[solver])))
    texts = [f"{names[solver]}  {stats.count(table, solver)}/{len(took[solver])}" for solver in ordered]
    left = max(map(style.text_inches, texts)) + 0.2
    frame = Frame(4.6, _HIGH * len(ordered) + 0.1, left=left / (style.FONT / 10), above=0.15)
    note = NOTE.format(most="the slowest" if table.seconds_limit is None else "the time limit, at the dotted line")
    note += _APART * bool(apart) + coloured.about_others(table)
    figure, (panel,) = panels.figure(TITLE, panels.context(table, note), frame)
    looks = coloured.looks_of_lines(table)
    places = list(range(len(ordered), 0, -1))
    drawn = panel.boxplot(
        [took[solver] for solver in ordered],
        positions=places,
        orientation="horizontal",
        widths=0.6,
        patch_artist=True,
        flierprops={"marker": ".", "markersize": 3},
        medianprops={"linewidth": 1.8},
    )
    for box, middle, solver in zip(drawn["boxes"], drawn["medians"], ordered, strict=True):
        box.set(facecolor=looks[solver].colour, edgecolor=style.INK, linewidth=0.7)
        middle.set(color="#ffffff" if style.grey(looks[solver].colour) < 0.5 else "#000000")
    panel.set_xscale("log")
    panel.set_xlim(*style.decades([*every, most]))
    style.seconds_axis(panel.xaxis)
    panel.set_yticks(places, texts)
    panel.grid(visible=False, axis="y")
    panel.set_xlabel(f"{table.clock} seconds")
    if table.seconds_limit is not None:
        panel.axvline(table.seconds_limit, color=style.FAINT, lw=0.9, ls=(0, (1, 2)))
    for place, (solver, after) in enumerate(pairwise(ordered), 1):
        is_apart = (solver in apart) != (after in apart)
        if is_apart or family(solver) != family(after):
            panel.axhline(len(ordered) - place + 0.5, color=style.FAINT, lw=2.0 if is_apart else 0.7)
    yield Drawing("boxes", TITLE, figure, tuple(_rows(table, ordered)))


def _shown(table: Table) -> Table:
    """The table with the solvers that were asked about enough problems for a box."""
    return table.only(solvers=lambda solver: len(table.attempted(solver)) >= _LEAST)


def _apart(table: Table) -> set[str]:
    """The solvers that were asked about other problems than most."""
    asked = grouped(
        (tuple(problem.name for problem in table.problems if table.cell(problem, solver).is_attempted), solver)
        for solver in table.solvers
    )
    _, most = max((len(some), some) for some in asked.values())
    return set(table.solvers).difference(most)


def _rows(table: Table, solvers: Sequence[str]) -> Iterator[dict[str, Any]]:
    names = shortened(solvers)
    for solver in solvers:
        for problem in table.problems:
            cell = table.cell(problem, solver)
            if cell.is_attempted:
                row = {"solver": names[solver], "family": family(solver), "instance": problem.name}
                yield {**row, "end": cell.end, "seconds": cell.seconds}
