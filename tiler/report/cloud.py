"""Draw clouds of points in small multiples: a panel for each solver has its points in colour, and all points in grey below."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from tiler.amounts import duration
from tiler.bench.stats import Table
from tiler.grouping import grouped
from tiler.report import panels, style
from tiler.report.names import labels, shortened
from tiler.report.panels import Drawing, Frame

_PANELS, _NARROW_PANELS = 12, 6  # the most panels of a figure, and of a narrow one


class Point(NamedTuple):
    """A solved problem: the number on the horizontal axis, and the seconds."""

    x: float
    seconds: float
    has_tiling: bool


NOTE = "A point is a solved problem{kinds}{others}."
_COLUMNS = 3
_LEAST = 5  # the least number of points in a panel; a mean of fewer says little
_ONE = (4.4, 3.0)  # the size of a panel without others, in inches


def suits(rows: Iterable[Mapping[str, Any]], least: int = 1) -> bool:
    """Whether these rows are worth a figure: whether `least` solvers or more have enough points."""
    return len(_clouds(rows, "seconds")[0]) >= least


def _clouds(rows: Iterable[Mapping[str, Any]], across: str) -> tuple[dict[str, list[Point]], dict[str, list[Point]]]:
    """The points of each solver that has enough of them, and those of the others."""
    clouds = grouped((row["solver"], Point(row[across], row["seconds"], row["verdict"] != "unsat")) for row in rows)
    large = {solver: points for solver, points in clouds.items() if len(points) >= _LEAST}
    return large, {solver: points for solver, points in clouds.items() if solver not in large}


def page(
    stem: str,
    title: str,
    note: str,
    across: str,
    table: Table,
    rows: Sequence[Mapping[str, Any]],
    clock: str,
) -> Iterator[Drawing]:
    """Figures with one panel per solver. A row is a solved problem: its solver, its name (`instance`), its verdict, its seconds,
    and under `across` the number on the horizontal axis. `clock` names the seconds on the vertical axis. The heading of a panel
    has the seconds per unit of x, over all problems of the solver. `note` follows what is said about points."""
    clouds, small = _clouds(rows, across)
    names, specs, looks = labels([*clouds, *small]), shortened(table.solvers), style.looks_of(table)
    every = [point for points in clouds.values() for point in points]
    about = NOTE.format(
        kinds=panels.about_points(point.has_tiling for point in every),
        others="; grey points are those of the other solvers" if len(clouds) > 1 else "",
    )
    left_out = ", ".join(f"{names[solver]} (n = {len(points)})" for solver, points in small.items())
    caption = panels.context(table, f"{about} {note}" + f" Left out, as they have few points: {left_out}." * bool(small))
    low, high = style.decades([point.x for point in every])
    fast, slow = style.decades([point.seconds for point in every])
    for name, some in panels.paged(stem, list(clouds), _PANELS, _NARROW_PANELS):
        heads = {solver: (names[solver], *_heading(clouds[solver], across)) for solver in some}
        frame = Frame(2.3, 1.9, above=0.55, below=0.6, right=0.2, inner=0.25, between=0.15)
        if len(some) == 1:
            frame = replace(frame, wide=_ONE[0], high=_ONE[1])
        frames = panels.room_for_heads(frame, list(heads.values()), _COLUMNS)
        figure, axes = panels.figure(title, caption, frames, columns=_COLUMNS)
        for panel, solver in zip(axes, some, strict=True):
            panel.set_xscale("log")
            panel.set_yscale("log")
            panel.set_xlim(low, high)
            panel.set_ylim(fast, slow)
            style.number_axis(panel.xaxis)
            style.seconds_axis(panel.yaxis)
            points = clouds[solver]
            panel.plot(
                [p.x for p in every], [p.seconds for p in every], "o", color="#dadada", ms=2.5, mew=0, zorder=1, rasterized=True
            )
            for has_tiling in (True, False):
                some_points = [p for p in points if p.has_tiling == has_tiling]
                paint = style.dark(looks[solver].colour)
                fill = paint if has_tiling else "#ffffff"
                panel.plot(
                    [p.x for p in some_points],
                    [p.seconds for p in some_points],
                    "o",
                    mec=paint,
                    mfc=fill,
                    mew=0.9,
                    zorder=3,
                    clip_on=False,  # Points on the border are whole, and lie on it.
                )
            panels.head(panel, *heads[solver])
            panel.set_xlabel(across, labelpad=1)
            panel.set_ylabel(clock)
        panels.tell_axes_once(axes)
        yield Drawing(
            name,
            title,
            figure,
            tuple({**row, "solver": specs[row["solver"]]} for row in rows),
        )


def _heading(points: Sequence[Point], across: str) -> tuple[str, str]:
    cost = duration(sum(point.seconds for point in points) / sum(point.x for point in points))
    return f"{cost} a {across.removesuffix('s')}", f"n = {len(points)}"
