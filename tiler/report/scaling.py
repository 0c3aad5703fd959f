"""Plot seconds against the size of the board, with a panel for every family of problems that differ in size alone."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tiler.amounts import counted
from tiler.bench.stats import RecordedInstance, Table
from tiler.report import names, panels, style
from tiler.report.names import shortened
from tiler.report.panels import Drawing, Frame
from tiler.report.solver_lines import SolverLines

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HELP = "seconds against cells, a panel for each family; a letter above it is an unsolved problem"
TITLE = "How the time grows with the board"
NOTE = "{shown}# stands for the size.{gaps} Both axes are logarithmic."
_SHOWN = "Of {every}, the {number} in families of growing size are drawn; "
_GAPS = " Lines have gaps where a problem was not solved."

_PANELS, _NARROW_PANELS = 8, 4  # the most panels of a figure, and of a narrow one
_LEAST = 3  # the fewest points that show how a time grows


def suits(table: Table) -> bool:
    return bool(_families(table))


def draw(table: Table) -> Iterator[Drawing]:
    for suffix, part in panels.casts(table):
        families = _families(part)
        for stem, some in panels.paged(f"scaling{suffix}", list(families.items()), _PANELS, _NARROW_PANELS):
            number = sum(map(len, families.values()))
            yield _page(stem, part, dict(some), number, is_detail=bool(suffix))


def _families(table: Table) -> dict[str, tuple[RecordedInstance, ...]]:
    """The families in which some solver solved at least two problems."""
    return {
        name: problems
        for name, problems in names.lines(table.problems, least=_LEAST).items()
        if max(sum(table.cell(problem, solver).is_solved for problem in problems) for solver in table.solvers) >= _LEAST
    }


def _page(
    stem: str, table: Table, families: Mapping[str, Sequence[RecordedInstance]], number: int, *, is_detail: bool
) -> Drawing:
    """A figure of these families, which are among those of `number` problems."""
    lines = SolverLines.of(table, [problem for problems in families.values() for problem in problems])
    limits = style.decades(lines.took(), at_least=2)
    has_limit = table.seconds_limit is not None and table.seconds_limit < limits[1]
    shown = _SHOWN.format(number=number, every=counted(len(table.problems), "problem"))
    note = NOTE.format(shown=shown * (number < len(table.problems)), gaps=_GAPS * _has_gaps(table, families))
    note += lines.note(has_line=has_limit)
    frame = Frame(3.1, 2.0, above=0.5, inner=0.25, between=0.5)
    frames = [lines.room(frame, problems) for problems in families.values()]
    figure, axes = panels.figure(TITLE, panels.context(table, note), frames, columns=2)
    for panel, (family, problems) in zip(axes, families.items(), strict=True):
        panel.set_yscale("log")
        panel.set_xscale("log")
        panel.set_ylim(*limits)
        sizes = [problem.cells for problem in problems]
        panel.set_xlim(min(sizes) / 1.08, max(sizes) * 1.08)
        style.seconds_axis(panel.yaxis)
        _ticks(panel, sizes)
        panels.head(panel, family, lift=lines.inches_above(problems))
        panel.set_xlabel("cells", labelpad=1)
        panel.set_ylabel(f"{table.clock} seconds")
        if has_limit:
            lines.draw_limit(panel)
        lines.draw(panel, problems, sizes)
    panels.tell_axes_once(axes, across=False)
    return Drawing(stem, TITLE, figure, tuple(_rows(table, families)), is_detail)


def _has_gaps(table: Table, families: Mapping[str, Sequence[RecordedInstance]]) -> bool:
    """Whether a line of a family has a gap."""
    solved = (
        {table.cell(problem, solver).is_solved for problem in problems}
        for problems in families.values()
        for solver in table.solvers
    )
    return {True, False} in solved


def _ticks(panel: Axes, sizes: Sequence[int]) -> None:
    """Put a tick for each size on the horizontal axis, with the numbers that have room."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    shown: list[int] = []
    whole = math.log(max(sizes) / min(sizes))
    room = 1.3 * style.text_inches(f"{max(sizes):,}") / panels.inches_of(panel)
    for size in sorted(set(sizes)):
        if not shown or math.log(size / shown[-1]) / whole > room:
            shown.append(size)
    panel.xaxis.set_major_locator(FixedLocator(sorted(set(sizes))))
    panel.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.9g}" if value in shown else ""))
    panel.xaxis.set_minor_locator(NullLocator())


def _rows(table: Table, families: Mapping[str, Sequence[RecordedInstance]]) -> Iterator[dict[str, Any]]:
    specs = shortened(table.solvers)
    for family, problems in families.items():
        for problem in problems:
            for solver in table.solvers:
                yield {
                    "family": family,
                    "instance": problem.name,
                    "cells": problem.cells,
                    "solver": specs[solver],
                    **table.cell(problem, solver).columns,
                }
