"""Draw a table of all problems and solvers: seconds as shades, other ends as letters."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tiler.bench.stats import Cell, End, RecordedInstance, Table
from tiler.grouping import grouped
from tiler.report import panels, style
from tiler.report.names import labels, shortened
from tiler.report.panels import Drawing, Frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HELP = "a table of problems and solvers, seconds as shades"
TITLE = "Every problem and every solver"
NOTE = "Darker is slower."

_ROWS = 56  # the most rows in a panel
_PANELS = 2  # the most panels on a page
_ROW, _COLUMN = 0.165, 0.36  # the height of a row and the width of a column, in inches
_GAP, _BAR = 0.13, 0.12  # the gap before the scale of shades, and the width of the scale, in inches
_NARROWEST = 0.75  # the width of a panel before it is fitted to a given width, in inches
_HEADING = Cell(End.MISSING)  # a cell in the row of a family's name
_FEW = 3  # the least number of problems of a family, on average, for which its name stands in a row of its own


def suits(table: Table) -> bool:
    return bool(table.cells) and len(table.problems) >= 2


def draw(table: Table) -> Iterator[Drawing]:
    for stem, some in panels.paged("heatmap", panels.evenly(table.problems, _ROWS), _PANELS):
        yield _page(stem, table, some)


def _page(stem: str, table: Table, columns: Sequence[Sequence[RecordedInstance]]) -> Drawing:
    problems = [problem for column in columns for problem in column]
    # Upright names must not be longer than the map is high: with few problems, solvers have the rows.
    across = len(columns) == 1 and len(problems) < len(table.solvers)
    solvers = list(labels(table.solvers).values())
    rows = [[(problem.name, problem) for problem in column] if across else _with_headings(column) for column in columns]
    names = [name for column in rows for name, _ in column]
    left = max(map(style.text_inches, solvers if across else names)) + 0.2
    above = max(map(style.text_inches, names if across else solvers)) + 0.15
    part = style.FONT / 10  # The sizes of frames are given for letters of 10 points.
    # A figure of a given width stretches or narrows the columns, never the rows.
    wide = _COLUMN * len(problems if across else table.solvers) if style.layout().width is None else _NARROWEST
    heights = [len(table.solvers)] if across else [len(column) for column in rows]
    frames = [Frame(wide, _ROW * part * high, left / part, 0.35, above / part, 0.1) for high in heights]
    frames[-1] = replace(frames[-1], right=2 * _GAP + _BAR + 0.55 * part)
    figure, axes = panels.figure(TITLE, panels.context(table, _note(table, problems)), frames, columns=len(columns))
    took = [cell.seconds for cell in table.cells.values() if cell.seconds is not None]
    low, high = style.decades(took or [1e-3, 1.0], at_least=2, margin=1.0)
    for panel, column in zip(axes, rows, strict=True):
        cells = [[_HEADING if problem is None else table.cell(problem, s) for s in table.solvers] for _, problem in column]
        ticks = [solvers, [name for name, _ in column]]
        if across:
            cells, ticks = [list(row) for row in zip(*cells, strict=True)], ticks[::-1]
        image = _shades(panel, cells, low, high)
        panel.set_xticks([x + 0.5 for x in range(len(ticks[0]))], ticks[0], rotation=90)
        # Upright words are as wide as a line is high; very many columns have smaller letters.
        points = 72 * panels.inches_of(panel) / len(ticks[0]) / 1.2
        panel.tick_params(axis="x", labelsize=min(style.SMALL, points))
        panel.xaxis.tick_top()
        panel.set_yticks([y + 0.5 for y in range(len(ticks[1]))], ticks[1])
        for label, (_, problem) in zip(panel.get_yticklabels(), () if across else column, strict=False):
            label.set_fontweight("normal" if problem else "bold")
        panel.tick_params(length=0)
        panel.grid(visible=False)
        for spine in panel.spines.values():
            spine.set_visible(False)
    _scale(figure, axes[-1], image)
    return Drawing(stem, TITLE, figure, tuple(_rows(table, problems)))


def _with_headings(problems: Sequence[RecordedInstance]) -> list[tuple[str, RecordedInstance | None]]:
    """The rows of a panel: each with its label and its problem. The name of a family has a row before its problems, and their
    labels are without it; but whole names stand alone where families are small."""
    families = grouped((problem.family, problem) for problem in problems)
    if len(problems) < _FEW * len(families):
        return [(problem.name, problem) for problem in problems]
    rows: list[tuple[str, RecordedInstance | None]] = []
    for family, members in families.items():
        rows += [(f"{family}/", None)] if family else []
        rows += [(problem.name.removeprefix(f"{family}/"), problem) for problem in members]
    return rows


def _note(table: Table, problems: Sequence[RecordedInstance]) -> str:
    """How to read the figure: what is in it."""
    ends = {table.cell(problem, solver).end for problem in problems for solver in table.solvers}
    words = [f"{letter}: {end.in_words}" for end, (letter, _) in style.ENDS.items() if letter and end in ends]
    blank = [end.in_words for end, (letter, _) in style.ENDS.items() if not letter and end in ends]
    words += [f"blank: {' or '.join(blank)}"] if blank else []
    return f"{NOTE} {', '.join(words)}." if words else NOTE


def _shades(panel: Axes, cells: Sequence[Sequence[Cell]], low: float, high: float) -> Any:
    """Draw rows of cells, the first on top."""
    from matplotlib.colors import LogNorm
    from matplotlib.patches import Rectangle

    values = [[math.nan if cell.seconds is None else cell.seconds for cell in row] for row in cells]
    image = panel.pcolormesh(values, cmap=_greys_or_blues(), norm=LogNorm(low, high), edgecolors="white", linewidth=0.8)
    image.set_rasterized(False)
    for y, row in enumerate(cells):
        for x, cell in enumerate(row):
            if cell.end not in style.ENDS or not cell.is_attempted:
                continue
            letter, paint = _end(cell.end)
            panel.add_patch(Rectangle((x, y), 1, 1, fc=paint, ec="white", lw=0.8))
            ink = "#ffffff" if paint in (style.RED, "#000000") else style.INK
            panel.text(x + 0.5, y + 0.52, letter, ha="center", va="center", fontsize=style.SMALL, color=ink)
    panel.set_xlim(0, len(cells[0]))
    panel.set_ylim(len(cells), 0)
    return image


def _scale(figure: Figure, panel: Axes, image: Any) -> None:
    """Draw the scale of shades with its seconds to the right of a panel."""
    box = panel.get_position()
    wide, high = figure.get_size_inches()
    tall = min(2.2 / high, box.height)
    beside = figure.add_axes((box.x1 + _GAP / wide, box.y1 - tall, _BAR / wide, tall))
    bar = figure.colorbar(image, cax=beside)
    bar.outline.set_visible(False)
    style.seconds_axis(beside.yaxis)
    beside.tick_params(length=2)


def _rows(table: Table, problems: Sequence[RecordedInstance]) -> Iterator[dict[str, Any]]:
    names = shortened(table.solvers)
    for problem in problems:
        ends = {}
        for solver in table.solvers:
            cell = table.cell(problem, solver)
            ends[names[solver]] = cell.end.value if cell.seconds is None else cell.seconds
        yield {"instance": problem.name, "cells": problem.cells, "verdict": problem.verdict, **ends}


def _end(which: End) -> tuple[str, str]:
    """The letter and the colour of an end. In the grey palette shades are seconds, so only a wrong answer gets a dark colour."""
    letter, paint = style.ENDS[which]
    if style.layout().palette != "grey":
        return letter, paint
    return letter, "#000000" if which is End.WRONG else "#ffffff"


def _greys_or_blues() -> Any:
    """The shades of seconds, from pale to dark; the palest is darker than white, which stands for missing runs."""
    import matplotlib as mpl
    from matplotlib.colors import LinearSegmentedColormap

    if style.layout().palette != "grey":
        return mpl.colormaps["YlGnBu"]
    return LinearSegmentedColormap.from_list("greys", ["#e4e4e4", "#1a1a1a"])
