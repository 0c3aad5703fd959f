"""Draw performance profiles: the share of problems on which a solver is within a factor of the best (Dolan and Moré 2002)."""

from __future__ import annotations

from collections.abc import Iterator

from tiler.bench.stats import Table, virtual_best
from tiler.report import coloured, curves, panels, style
from tiler.report.curves import Curve
from tiler.report.names import shortened
from tiler.report.panels import Drawing, Frame

HELP = "the share of problems solved within a factor of the fastest solver"
TITLE = "Within a factor of the fastest"
NOTE = (
    "A line begins at the share of problems on which the solver is the fastest; far to the right is the share that it solves at "
    "all. The problems are those that all solvers attempted and some solver solved (performance profile, Dolan and Moré 2002). "
    "Factors are those to the fastest of these solvers: if the best is left out, the ranks of the others may change (Gould and "
    "Scott 2016)."
)


def suits(table: Table) -> bool:
    able = panels.able(table)
    return len(able.solvers) >= 2 and len(_common(able)) >= 2


def draw(table: Table) -> Iterator[Drawing]:
    for suffix, part in panels.casts(table):
        if suits(part):
            note = NOTE + panels.about_left_out(part)
            yield _figure(f"profile{suffix}", panels.able(part), note, is_detail=bool(suffix))


def _common(table: Table) -> dict[str, float]:
    """The best seconds for each problem that some solver solved and that every solver was asked about."""
    best = virtual_best(table)
    whole = {p.name for p in table.problems if all(table.cell(p, solver).is_attempted for solver in table.solvers)}
    return {name: run.seconds for name, run in best.items() if name in whole}


def _figure(stem: str, table: Table, note: str, *, is_detail: bool) -> Drawing:
    common, specs = _common(table), shortened(table.solvers)
    names = coloured.with_others(table, panels.labels_of(table))
    factors = {
        solver: sorted(s / best for name, best in common.items() if (s := table.cell(name, solver).seconds) is not None)
        for solver in table.solvers
    }
    note += coloured.about_others(table)
    frame = curves.frame(Frame(5.6, 3.4), list(dict.fromkeys(names.values())))
    figure, (panel,) = panels.figure(TITLE, panels.context(table, note), frame)
    right = style.decades([1.0, *(factor for some in factors.values() for factor in some)], margin=1.0)[1]
    axis = curves.Axis(1.0, right, 100 / len(common))
    drawn = {solver: Curve(some, names[solver]) for solver, some in factors.items()}
    panel.set_xscale("log")
    panel.set_xlim(1, right)
    panel.set_ylim(0, 104)
    style.number_axis(panel.xaxis)
    panel.yaxis.set_major_formatter(lambda value, _: f"{value:g} %")
    panel.set_xlabel("times the fastest solver's seconds")
    panel.set_ylabel("share of the problems")
    curves.draw(panel, table, drawn, axis)
    rows = tuple(
        {"solver": specs[solver], "factor": factor, "solved": rank, "of": len(common)}
        for solver, some in factors.items()
        for rank, factor in (enumerate(some, 1) if some else [(0, None)])
    )
    return Drawing(stem, TITLE, figure, rows, is_detail)
