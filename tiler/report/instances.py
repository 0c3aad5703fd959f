"""Plot seconds for each problem, with a line for each solver and a panel for each family, as in the thesis."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from tiler.bench.stats import RecordedInstance, Table
from tiler.grouping import grouped
from tiler.report import names, panels, style
from tiler.report.names import shortened
from tiler.report.panels import Drawing, Frame
from tiler.report.solver_lines import SolverLines

HELP = "seconds for each problem, a line for each solver (as in the thesis)"
TITLE = "Seconds for every problem"
NOTE = "A point is a solved problem."
_LINES = " Lines join problems that differ in size alone; these stand side by side."

_ABREAST = 40  # the most problems in a panel; fewer in a narrow figure
_PANELS, _NARROW_PANELS = 3, 2  # the most panels of a figure, and of a narrow one
_LETTERS = 30  # the longest name of a problem
_SIDES = 1.0  # the room beside a panel of a narrow figure, in inches
_PER_PROBLEM = 0.2  # the width for a problem, in inches
_PER_BAR = 0.11  # the same for a bar, if repeats have bars, which stand side by side


def suits(table: Table) -> bool:
    return bool(table.problems) and any(cell.is_solved for cell in table.cells.values())


def draw(table: Table) -> Iterator[Drawing]:
    for suffix, part in panels.casts(table):
        groups = _groups(part.problems, _abreast())
        for stem, some in panels.paged(f"instances{suffix}", groups, _PANELS, _NARROW_PANELS):
            yield _page(stem, part, some, is_detail=bool(suffix))


def _abreast() -> int:
    """The most problems that a panel can name on its lower edge; the names stand upright."""
    width = style.layout().width
    if width is None:
        return _ABREAST
    return max(4, min(_ABREAST, int((width - _SIDES * style.FONT / 10) / (1.25 * style.SMALL / 72))))


def _groups(problems: Sequence[RecordedInstance], abreast: int) -> list[tuple[str, Sequence[RecordedInstance]]]:
    """The problems of each panel, with a heading. Small families share a panel; a large one has parts of similar size. Within a
    family, problems that differ in size alone stand side by side, the smallest first."""
    by_family = grouped((problem.family, problem) for problem in problems)
    line_of = _lines_of(problems)
    merged: list[tuple[list[str], Sequence[RecordedInstance]]] = []
    for family, members in by_family.items():
        in_lines = grouped((line_of[problem.name], problem) for problem in members)
        name = family or "problems"
        parts = _parts([sorted(some, key=lambda problem: problem.cells) for some in in_lines.values()], abreast)
        if len(parts) > 1:
            merged += [([f"{name}, {part} of {len(parts)}"], some) for part, some in enumerate(parts, 1)]
        elif merged and len(merged[-1][1]) + len(members) <= abreast:
            merged[-1] = ([*merged[-1][0], name], [*merged[-1][1], *parts[0]])
        else:
            merged.append(([name], parts[0]))
    return [(", ".join(names), some) for names, some in merged]


def _parts(in_lines: Sequence[Sequence[RecordedInstance]], most: int) -> list[list[RecordedInstance]]:
    """Problems in parts of similar size, none larger than `most`; a line is divided only if it is longer than that."""
    whole = sum(map(len, in_lines))
    wanted = math.ceil(whole / math.ceil(whole / most))
    parts: list[list[RecordedInstance]] = [[]]
    for line in in_lines:
        for some in panels.evenly(line, most):
            if parts[-1] and (len(parts[-1]) >= wanted or len(parts[-1]) + len(some) > most):
                parts.append([])
            parts[-1] += some
    return parts


def _page(stem: str, table: Table, groups: Sequence[tuple[str, Sequence[RecordedInstance]]], *, is_detail: bool) -> Drawing:
    problems = [problem for _, some in groups for problem in some]
    lines = SolverLines.of(table, problems)
    ticks = [_names(some) for _, some in groups]
    joined = [list(_runs(some, table.problems)) for _, some in groups]
    banded = panels.repeats(table)
    width = max(_PER_PROBLEM, _PER_BAR * (len(table.solvers) + 1)) if banded else _PER_PROBLEM
    part = style.FONT / 10  # The sizes of frames are given for letters of 10 points.
    below = [(max(map(style.text_inches, words)) + 0.15) / part for words in ticks]
    frames = [
        lines.room(Frame(max(2.0, width * len(some)), 2.2, above=0.3, below=deep, between=deep), some)
        for (_, some), deep in zip(groups, below, strict=True)
    ]
    are_joined = any(end > first + 1 for ranges in joined for first, end in ranges)
    note = NOTE + _LINES * are_joined + lines.note(has_line=table.seconds_limit is not None)
    figure, axes = panels.figure(TITLE, panels.context(table, note), frames)
    took = lines.took()
    low, high = style.decades(took or [1e-3, 1.0], at_least=2)
    if table.seconds_limit is not None:
        high = max(table.seconds_limit, *took, 10 * low)
    high *= 1.6
    for panel, (heading, some), words, ranges in zip(axes, groups, ticks, joined, strict=True):
        panel.set_yscale("log")
        panel.set_ylim(low, high)
        panel.set_xlim(-0.6, len(some) - 0.4)
        style.seconds_axis(panel.yaxis)
        panel.set_xticks(range(len(some)), words, rotation=90)
        panel.tick_params(axis="x", length=0)
        panels.head(panel, heading, lift=lines.inches_above(some))
        panel.set_ylabel(f"{table.clock} seconds")
        lines.draw_limit(panel)
        lines.draw(panel, some, range(len(some)), ranges, beside=0.8 if banded else 0.0 if len(ranges) < len(some) else 0.5)
    return Drawing(stem, TITLE, figure, tuple(_rows(table, problems)), is_detail)


def _names(problems: Sequence[RecordedInstance]) -> list[str]:
    """Names for the problems of a panel: without their family if all have the same, the middle of long ones left out."""
    short = [problem.name.rpartition("/")[2] for problem in problems]
    if len({problem.family for problem in problems}) > 1 or len(set(short)) < len(short):
        short = [problem.name for problem in problems]
    cut = [name if len(name) <= _LETTERS else f"{name[: _LETTERS - 10]}…{name[-9:]}" for name in short]
    return cut if len(set(cut)) == len(cut) else short


def _lines_of(problems: Sequence[RecordedInstance]) -> dict[str, str]:
    """The line of each problem by its name; a problem without others that differ in size alone has a line of its own."""
    joined = {problem.name: name for name, some in names.lines(problems, least=2).items() for problem in some}
    return {problem.name: joined.get(problem.name, problem.name) for problem in problems}


def _runs(problems: Sequence[RecordedInstance], every: Sequence[RecordedInstance]) -> Iterator[tuple[int, int]]:
    """Ranges (first, last + 1) of neighbouring problems that differ only in size. A line joins only problems of one range."""
    line_of = _lines_of(every)
    lines_of = [line_of[problem.name] for problem in problems]
    first = 0
    for end in range(1, len(problems) + 1):
        if end == len(problems) or lines_of[end] != lines_of[first]:
            yield first, end
            first = end


def _rows(table: Table, problems: Sequence[RecordedInstance]) -> Iterator[dict[str, Any]]:
    specs = shortened(table.solvers)
    for problem in problems:
        for solver in table.solvers:
            yield {"instance": problem.name, "solver": specs[solver], **table.cell(problem, solver).columns}
