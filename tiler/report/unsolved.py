"""Show what was not solved in a panel of seconds: a row of letters above it for each solver, and a line at the time limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tiler.bench.stats import Cell, End, RecordedInstance, Table
from tiler.report import coloured, panels, style
from tiler.report.panels import Frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ROW = 0.12  # the height of a row of marks, in inches, for letters of 10 points
_BEFORE = 0.1  # the room between the marker of a solver and the left edge of a panel, in inches


def with_marks(table: Table, problems: Sequence[RecordedInstance]) -> list[str]:
    """The solvers that did not solve some of these problems; each has a row of marks above the panel of the problems, if its
    line has a colour."""
    cells = {solver: [table.cell(problem, solver) for problem in problems] for solver in coloured.in_colour(table)}
    return [solver for solver, some in cells.items() if any(cell.is_attempted and not cell.is_solved for cell in some)]


def without_solved(table: Table, problems: Sequence[RecordedInstance]) -> list[str]:
    """The solvers that were asked about some of these problems, and solved none."""
    solved = {solver for solver in table.solvers if any(table.cell(problem, solver).is_solved for problem in problems)}
    return [solver for solver in with_marks(table, problems) if solver not in solved]


def inches(rows: float) -> float:
    """The height of the rows of marks above a panel."""
    return (rows + 0.5) * _ROW * style.FONT / 10 if rows else 0.0


def room_for_marks(frame: Frame, rows: int) -> Frame:
    """The frame with room for rows of marks above it."""
    return replace(frame, above=frame.above + inches(rows) / (style.FONT / 10))


def mark(panel: Axes, row: int, places: Sequence[float], cells: Sequence[Cell], look: style.LineStyle) -> None:
    """Draw a row of marks above a panel, after the marker of a solver: the letter of the end, as in a heat map, of each of its
    runs without an answer. Runs that were never made have none."""
    height = 1 + inches(row + 0.5) / panels.inches_of(panel, upright=True)
    before = -_BEFORE / panels.inches_of(panel)
    panel.plot([before], [height], marker=look.marker, color=look.colour, transform=panel.transAxes, clip_on=False)
    drawn: Any = {"transform": panel.get_xaxis_transform(), "fontsize": style.SMALL, "ha": "center", "va": "center_baseline"}
    for x, cell in zip(places, cells, strict=True):
        if cell.is_attempted and not cell.is_solved:
            paint = {End.WRONG: style.RED, End.ERROR: "#b36b00"}.get(cell.end, style.dark(look.colour))
            panel.text(x, height, style.ENDS[cell.end][0], color=paint, **drawn)


def limit_line(panel: Axes, table: Table) -> None:
    """Draw a dotted line at the time limit, if there is one."""
    if table.seconds_limit is not None:
        panel.axhline(table.seconds_limit, color=style.FAINT, lw=0.9, ls=(0, (1, 2)))


def note(table: Table, problems: Sequence[RecordedInstance], *, has_line: bool) -> str:
    """What the marks above panels with these problems mean, and the line at the limit; without what is not drawn."""
    ends = {table.cell(problem, solver).end for problem in problems for solver in coloured.in_colour(table)}
    marks = [f"{letter}: {end.in_words}" for end, (letter, _) in style.ENDS.items() if letter and end in ends]
    text = f" Above a panel, after the marker of a solver, are its runs without an answer ({', '.join(marks)})." if marks else ""
    return text + " The dotted line is the time limit." * has_line
