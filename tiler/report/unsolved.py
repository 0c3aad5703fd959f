"""Show what was not solved in a panel of seconds: a row of marks above it for each solver, and a line at the time limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tiler.bench.stats import Cell, End, RecordedInstance, Table
from tiler.report import end_labels, style
from tiler.report.panels import Frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ROW = 0.09  # the height of a row of marks, in inches, for letters of 10 points


def with_marks(table: Table, problems: Sequence[RecordedInstance]) -> list[str]:
    """The solvers that did not solve some of these problems; each has a row of marks above the panel of the problems."""
    cells = {solver: [table.cell(problem, solver) for problem in problems] for solver in table.solvers}
    return [solver for solver, some in cells.items() if any(cell.is_attempted and not cell.is_solved for cell in some)]


def without_solved(table: Table, problems: Sequence[RecordedInstance]) -> list[str]:
    """The solvers that were asked about some of these problems, and solved none."""
    solved = {solver for solver in table.solvers if any(table.cell(problem, solver).is_solved for problem in problems)}
    return [solver for solver in with_marks(table, problems) if solver not in solved]


def inches(rows: int) -> float:
    """The height of the rows of marks above a panel."""
    return (rows + 0.5) * _ROW * style.FONT / 10 if rows else 0.0


def room_for_marks(frame: Frame, rows: int) -> Frame:
    """The frame with room for rows of marks above it."""
    return replace(frame, above=frame.above + inches(rows) / (style.FONT / 10))


def mark(panel: Axes, row: int, places: Sequence[float], cells: Sequence[Cell], look: style.LineStyle) -> None:
    """Draw a row of marks above a panel, one for each run of a solver without an answer. Runs that were never made have none."""
    high = panel.get_position().height * panel.figure.get_size_inches()[1]  # type: ignore[union-attr]
    height = 1 + inches(row + 1) / high
    edge = panel.get_xaxis_transform()
    bold: Any = {"transform": edge, "fontsize": style.SMALL, "ha": "center", "va": "center", "fontweight": "bold"}
    unanswered = []
    for x, cell in zip(places, cells, strict=True):
        if cell.is_solved or not cell.is_attempted:
            continue
        letter = style.ENDS[cell.end][0]
        if letter in ("W", "E"):
            panel.text(x, height, letter, color=style.RED if letter == "W" else "#b36b00", **bold)
        else:
            unanswered.append(x)
    drawn: Any = {"transform": edge, "ls": "none", "mec": look.colour, "clip_on": False, **end_labels.EMPTY}
    panel.plot(unanswered, [height] * len(unanswered), marker=look.marker, **drawn)


def limit_line(panel: Axes, table: Table) -> None:
    """Draw a dotted line at the time limit, if there is one."""
    if table.seconds_limit is not None:
        panel.axhline(table.seconds_limit, color=style.FAINT, lw=0.9, ls=(0, (1, 2)))


def note(table: Table, problems: Sequence[RecordedInstance], *, has_line: bool) -> str:
    """What the marks above panels with these problems mean, and the line at the limit; without what is not drawn."""
    ends = {table.cell(problem, solver).end for problem in problems for solver in table.solvers}
    unanswered = ends - {End.SOLVED, End.WRONG, End.ERROR, End.MISSING, End.REFUSED}
    marks = ["an empty marker is a run without an answer, mostly at its limit"] if unanswered else []
    marks += ["a W is a wrong answer"] if End.WRONG in ends else []
    marks += ["an E is an error"] if End.ERROR in ends else []
    text = f" Above a panel {'; '.join(marks)}." if marks else ""
    return text + " The dotted line is the time limit." * has_line
