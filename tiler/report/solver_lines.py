"""Draw the seconds of problems into panels, a line for each solver, with what was not solved: a row of letters above a panel for
each solver, and a line at the time limit."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tiler.bench.stats import Cell, End, RecordedInstance, Table
from tiler.report import coloured, end_labels, panels, style
from tiler.report.panels import Frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ROW = 0.12  # the height of a row of marks, in inches, for letters of 10 points
_BEFORE = 0.1  # the room between the marker of a solver and the left edge of a panel, in inches

_Problems = Sequence[RecordedInstance]


@dataclass(frozen=True)
class SolverLines:
    """The lines of a figure with several panels; each panel has some of the problems."""

    table: Table
    problems: _Problems
    names: Mapping[str, str]
    looks: Mapping[str, style.LineStyle]

    @classmethod
    def of(cls, table: Table, problems: _Problems) -> SolverLines:
        names = coloured.with_others(table, panels.labels_of(table))
        return cls(table, problems, names, coloured.looks_of_lines(table))

    def took(self) -> list[float]:
        """The seconds of all points of the figure."""
        cells = (self.table.cell(problem, solver) for problem in self.problems for solver in self.table.solvers)
        return [cell.seconds for cell in cells if cell.seconds is not None]

    def room(self, frame: Frame, problems: _Problems) -> Frame:
        """The frame of a panel of these problems, with room for the names of lines, and for marks above it."""
        roomy = frame.room_for(list(dict.fromkeys(self.names.values())))
        return replace(roomy, above=roomy.above + self.inches_above(problems) / (style.FONT / 10))

    def inches_above(self, problems: _Problems) -> float:
        """The height of the rows of marks above a panel of these problems."""
        return _inches(len(self._with_marks(problems)))

    def draw(
        self, panel: Axes, problems: _Problems, places: Sequence[float], runs: Sequence[tuple[int, int]] = (), beside: float = 0.0
    ) -> None:
        """Draw the lines of all solvers, with bars for repeats, names at their ends, and the marks above the panel. `places` are
        where the problems stand on its horizontal axis, ascending; a line joins those of a run (first, last + 1), by default all.
        The points of solvers stand side by side, over the width `beside`. The axes must be set before."""
        marked = self._with_marks(problems)
        has_legend = end_labels.has_legend(panel)
        none = self._without_solved(self.problems if has_legend else problems)
        ends = {}
        for rank, solver in enumerate(self.table.solvers):
            name, look = self.names[solver], self.looks[solver]
            cells = [self.table.cell(problem, solver) for problem in problems]
            heights = [math.nan if cell.seconds is None else cell.seconds for cell in cells]
            shift = beside * ((rank + 0.5) / len(self.table.solvers) - 0.5)
            shifted = [place + shift for place in places]
            for first, end in runs or [(0, len(places))]:
                panel.plot(shifted[first:end], heights[first:end], **look.line, label=name)
            for x, cell in zip(shifted, cells, strict=True):
                between = panels.extent(cell, self.table.seconds_limit)
                if between is not None:
                    panel.vlines(x, *between, color=look.colour, lw=1.0, alpha=0.7)
            if solver in marked:
                _mark(panel, marked.index(solver), places, cells, look)
            last = [(x, y) for x, y in zip(places, heights, strict=True) if not math.isnan(y)]
            if last or solver in none or has_legend:
                ends[solver] = (*(last[-1] if last else (places[0], panel.get_ylim()[0])), name, look.colour)
        in_order = coloured.ends_in_order(self.table, ends)
        end_labels.write(panel, in_order, [self.names[solver] for solver in none], far=places[-1])

    def draw_limit(self, panel: Axes) -> None:
        """Draw a dotted line at the time limit, if there is one."""
        if self.table.seconds_limit is not None:
            panel.axhline(self.table.seconds_limit, color=style.FAINT, lw=0.9, ls=(0, (1, 2)))

    def note(self, *, has_line: bool) -> str:
        """What bars, colours, and the marks above panels mean, and the line at the limit; without what is not drawn."""
        ends = {self.table.cell(problem, solver).end for problem in self.problems for solver in coloured.in_colour(self.table)}
        marks = [f"{letter}: {end.in_words}" for end, (letter, _) in style.ENDS.items() if letter and end in ends]
        above = f" Above a panel, after the marker of a solver, are its runs without an answer ({', '.join(marks)})."
        line = " The dotted line is the time limit."
        bars = panels.BARS * panels.repeats(self.table)
        return above * bool(marks) + line * has_line + bars + coloured.about_others(self.table)

    def _with_marks(self, problems: _Problems) -> list[str]:
        """The solvers that did not solve some of these problems; each has a row of marks above the panel of the problems, if its
        line has a colour."""
        cells = {solver: [self.table.cell(p, solver) for p in problems] for solver in coloured.in_colour(self.table)}
        return [solver for solver, some in cells.items() if any(cell.is_attempted and not cell.is_solved for cell in some)]

    def _without_solved(self, problems: _Problems) -> list[str]:
        """The solvers that were asked about some of these problems, and solved none."""
        cell = self.table.cell
        return [s for s in self._with_marks(problems) if not any(cell(problem, s).is_solved for problem in problems)]


def _inches(rows: float) -> float:
    """The height of rows of marks above a panel."""
    return (rows + 0.5) * _ROW * style.FONT / 10 if rows else 0.0


def _mark(panel: Axes, row: int, places: Sequence[float], cells: Sequence[Cell], look: style.LineStyle) -> None:
    """Draw a row of marks above a panel, after the marker of a solver: the letter of the end, as in a heat map, of each of its
    runs without an answer. Runs that were never made have none."""
    height = 1 + _inches(row + 0.5) / panels.inches_of(panel, upright=True)
    before = -_BEFORE / panels.inches_of(panel)
    panel.plot([before], [height], marker=look.marker, color=look.colour, transform=panel.transAxes, clip_on=False)
    drawn: Any = {"transform": panel.get_xaxis_transform(), "fontsize": style.SMALL, "ha": "center", "va": "center_baseline"}
    for x, cell in zip(places, cells, strict=True):
        if cell.is_attempted and not cell.is_solved:
            paint = {End.WRONG: style.RED, End.ERROR: "#b36b00"}.get(cell.end, style.dark(look.colour))
            panel.text(x, height, style.ENDS[cell.end][0], color=paint, **drawn)
