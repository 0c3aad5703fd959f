"""Plot how many problems each solver has solved within a time, with the virtual best solver."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tiler.bench import confidence_bands
from tiler.bench.confidence_bands import Band
from tiler.bench.stats import Table, solved_seconds, virtual_best
from tiler.report import coloured, curves, panels, style
from tiler.report.curves import Curve
from tiler.report.names import labels, shortened
from tiler.report.panels import Drawing, Frame

HELP = "problems solved within a time, with the virtual best solver"
TITLE = "Problems solved within a time"
NOTE = (
    "A line counts the problems that a solver answers within a time for each problem.{best} A thin line across marks all "
    "problems. Numbers after names: solved / attempted."
)
_BEST = " The virtual best is the fastest solver for each problem by itself."
_REPEATS = (
    " The band contains 95 % of the lines that single runs would give, with one of the repeats or seeds of each problem at "
    "random."
)
_PROBLEMS = (
    " The band is a 95 % interval for the same number of other problems of this kind, drawn at random (Wilson's, for each time "
    "by itself). It says nothing if the problems were chosen by hand."
)

BEST = "virtual best"


def suits(table: Table) -> bool:
    return len(virtual_best(table)) >= 2


def draw(table: Table) -> Iterator[Drawing]:
    for suffix, part in panels.casts(table):
        yield _figure(f"survival{suffix}", part, is_detail=bool(suffix))


def _figure(stem: str, table: Table, *, is_detail: bool) -> Drawing:
    from matplotlib.ticker import MaxNLocator

    took = {solver: sorted(solved_seconds(table, solver)) for solver in table.solvers}
    best = sorted(best.seconds for best in virtual_best(table).values())
    names = labels(table.solvers)
    kind = _kind_of_band(table)
    texts = {s: f"{names[s]}  {len(took[s])}/{len(table.attempted(s))}" for s in table.solvers}
    first = Curve(best, f"{BEST}  {len(best)}/{len(table.problems)}") if len(table.solvers) > 1 else None
    texts = coloured.with_others(table, texts)
    shown = [*([first.label] if first else []), *dict.fromkeys(texts.values())]
    note = NOTE.format(best=_BEST if first else "") + coloured.about_others(table)
    note += {"repeats": _REPEATS, "problems": _PROBLEMS, "off": ""}[kind]
    figure, (panel,) = panels.figure(TITLE, panels.context(table, note), curves.frame(Frame(5.6, 3.6), shown))
    every = [seconds for curve in (*took.values(), best) for seconds in curve]
    low, high = style.decades([*every, table.seconds_limit or max(every)], at_least=2, margin=1.0)
    axis = curves.Axis(low, table.seconds_limit or high)
    around = {solver: _limits(table, solver, kind) for solver in table.solvers}
    drawn = {solver: Curve(took[solver], texts[solver], around[solver]) for solver in table.solvers}
    panel.set_xscale("log")
    panel.set_xlim(axis.left, axis.right)
    panel.set_ylim(0, len(table.problems) * 1.04)
    style.seconds_axis(panel.xaxis)
    panel.yaxis.set_major_locator(MaxNLocator("auto", integer=True, steps=[1, 2, 5, 10]))
    panel.set_xlabel(f"{table.clock} seconds for each problem")
    panel.set_ylabel("problems solved")
    panel.axhline(len(table.problems), color=style.FAINT, lw=0.6)
    curves.draw(panel, table, drawn, axis, first)
    return Drawing(stem, TITLE, figure, tuple(_rows(table, around, with_best=first is not None)), is_detail)


def _kind_of_band(table: Table) -> str:
    """The kind of the bands: as the layout says; for `auto`, over repeats if there are any, else none."""
    wanted = style.layout().band
    if wanted == "auto":
        several = any(cell.repeats > 1 for cell in table.cells.values())
        return "repeats" if several else "off"
    return wanted


def _limits(table: Table, solver: str, kind: str) -> Band | None:
    band = {"repeats": confidence_bands.over_repeats, "problems": confidence_bands.over_problems}.get(kind)
    return band(table, solver) if band else None


def _rows(table: Table, around: Mapping[str, Band | None], *, with_best: bool) -> Iterator[dict[str, Any]]:
    """The steps of each line, with the problem and the load when its run began. A solver that solved nothing has a row too."""
    specs, best = shortened(table.solvers), virtual_best(table) if with_best else {}
    lines = {solver: [(p.name, solver) for p in table.problems if table.cell(p, solver).is_solved] for solver in table.solvers}
    lines |= {BEST: [(name, run.solver) for name, run in best.items()]} if with_best else {}
    for line, steps in lines.items():
        solver, of = specs.get(line, line), len(table.attempted(line)) if line in specs else len(table.problems)
        cells = sorted(((table.cell(name, by), name) for name, by in steps), key=lambda step: step[0].seconds or 0.0)
        if not cells:
            yield {"solver": solver, "solved": 0, "of": of, "seconds": None}
        for rank, (cell, name) in enumerate(cells, 1):
            load = cell.record.get("load") if cell.record else None
            row = {"solver": solver, "solved": rank, "of": of, "seconds": cell.seconds, "instance": name, "load": load}
            limits = around.get(line)
            if limits is not None and cell.seconds is not None:
                row["low"], row["high"] = limits.at(cell.seconds)
            yield row
