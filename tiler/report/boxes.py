"""Draw the spread of each solver's seconds over the problems, by family of encodings: boxes, the fastest median first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import Any

from tiler.bench.stats import Table
from tiler.grouping import grouped
from tiler.report import panels, style
from tiler.report.names import backend, family, labels, shortened, without_backend
from tiler.report.panels import Drawing, Frame

HELP = "the spread of seconds over the problems, by family of variants"
TITLE = "Seconds over the problems"
NOTE = (
    "A box spans the middle half of the problems, with a line at the median. Its whiskers reach to the furthest problem within "
    "one and a half times its length; dots are the problems beyond. Only problems that all these solvers answered are counted. "
    "Numbers after names: solved / attempted."
)
_LEAST = 4  # the least number of problems, and of solvers
_HIGH = 0.23  # the height of a box in inches


def suits(table: Table) -> bool:
    able = panels.able(table)
    return len(able.solvers) >= _LEAST and len(_common(able)) >= _LEAST


def draw(table: Table) -> Iterator[Drawing]:
    left_out = panels.about_left_out(table)
    table = panels.able(table)
    common = _common(table)
    names = labels(table.solvers)
    if len(set(map(backend, table.solvers))) == 1:  # All names would begin with it.
        names = without_backend(names)
    groups = grouped((family(solver), solver) for solver in table.solvers)
    took = {solver: [_seconds(table, name, solver) for name in common] for solver in table.solvers}
    for members in groups.values():
        members.sort(key=lambda solver: median(took[solver]))
    ordered = [solver for _, members in sorted(groups.items()) for solver in members]
    solved = {s: f"{sum(cell.is_solved for cell in table.attempted(s))}/{len(table.attempted(s))}" for s in ordered}
    texts = [f"{names[solver]}  {solved[solver]}" for solver in ordered]
    left = max(map(style.text_inches, texts)) + 0.2
    frame = Frame(4.6, _HIGH * len(ordered) + 0.1, left=left / (style.FONT / 10), above=0.15)
    note = f"{NOTE} Shown: {len(common)} of {len(table.problems)} problems.{left_out}"
    figure, (panel,) = panels.figure(TITLE, panels.context(table, note), frame)
    looks = style.looks_of(table, ordered)
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
    panel.set_xlim(*style.decades([seconds for some in took.values() for seconds in some]))
    style.seconds_axis(panel.xaxis)
    panel.set_yticks(places, texts)
    panel.grid(visible=False, axis="y")
    panel.set_xlabel(f"{table.clock} seconds")
    edges = [solver for solver, after in pairwise(ordered) if family(solver) != family(after)]
    for solver in edges:
        panel.axhline(len(ordered) - ordered.index(solver) - 0.5, color=style.FAINT, lw=0.7)
    yield Drawing("boxes", TITLE, figure, tuple(_rows(ordered, common, took)))


def _common(table: Table) -> list[str]:
    """The names of the problems that all solvers solved."""
    return [p.name for p in table.problems if all(table.cell(p, solver).is_solved for solver in table.solvers)]


def _seconds(table: Table, name: str, solver: str) -> float:
    seconds = table.cell(name, solver).seconds
    assert seconds is not None
    return seconds


def _rows(solvers: Sequence[str], common: Sequence[str], took: dict[str, list[float]]) -> Iterator[dict[str, Any]]:
    names = shortened(solvers)
    for solver in solvers:
        for name, seconds in zip(common, took[solver], strict=True):
            yield {"solver": names[solver], "family": family(solver), "instance": name, "seconds": seconds}
