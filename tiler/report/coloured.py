"""Choose the lines that have a colour in a figure of many solvers; the others are grey, and have one label together."""

from __future__ import annotations

from collections.abc import Mapping

from tiler.amounts import counted
from tiler.bench.stats import Table, ranking
from tiler.report import panels, style

_ABOUT = " In colour are the best and the worst solver, and those that were asked for; all others are grey."


def in_colour(table: Table) -> tuple[str, ...]:
    """The solvers whose lines have a colour. Up to `style.MANY` all have one. Of more solvers, the best and the worst of those
    that were asked about most problems, and those to highlight."""
    if len(table.solvers) <= style.MANY:
        return table.solvers
    order = ranking(panels.able(table)) or ranking(table)
    wanted = {order[0], order[-1], *style.layout().highlight}
    return tuple(solver for solver in table.solvers if solver in wanted)


def looks_of_lines(table: Table) -> dict[str, style.LineStyle]:
    """The looks of the lines of a table's solvers; all that are not `in_colour` look alike."""
    coloured, looks = in_colour(table), style.looks_of(table)
    return {solver: looks[solver] if solver in coloured else style.OTHERS for solver in table.solvers}


def with_others(table: Table, names: Mapping[str, str]) -> dict[str, str]:
    """The labels of lines by solver: the names, but one for all lines that are not `in_colour`."""
    coloured = in_colour(table)
    together = counted(len(table.solvers) - len(coloured), "other")
    return {solver: names[solver] if solver in coloured else together for solver in table.solvers}


def ends_in_order(table: Table, ends: Mapping[str, tuple[float, float, str, str]]) -> list[tuple[float, float, str, str]]:
    """The ends of lines by solver, the best solver first, for `end_labels`; of the lines that are not `in_colour`, one."""
    coloured = in_colour(table)
    ordered = [ends[solver] for solver in ranking(table) if solver in ends and solver in coloured]
    grey = sorted(end for solver, end in ends.items() if solver not in coloured)
    return ordered + grey[len(grey) // 2 :][:1]


def about_others(table: Table) -> str:
    """What the colours of many lines mean, for a note; empty if all lines have one."""
    return _ABOUT if len(in_colour(table)) < len(table.solvers) else ""
