"""Draw clouds of points in small multiples: a panel for each solver has its points in colour, and all points in grey below."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from tiler.amounts import duration
from tiler.bench.stats import Table
from tiler.grouping import grouped
from tiler.report import panels, style
from tiler.report.names import labels, shortened
from tiler.report.panels import Drawing, Frame

_PANELS = 12  # the most panels on a page


class Point(NamedTuple):
    """A solved problem: the number on the horizontal axis, and the seconds."""

    x: float
    seconds: float
    has_tiling: bool


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
    has the seconds per unit of x, over all problems of the solver."""
    clouds = grouped((row["solver"], Point(row[across], row["seconds"], row["verdict"] != "unsat")) for row in rows)
    names, specs, looks = labels(list(clouds)), shortened(table.solvers), style.looks_of(table)
    every = [point for points in clouds.values() for point in points]
    low, high = style.decades([point.x for point in every])
    fast, slow = style.decades([point.seconds for point in every])
    for name, some in panels.paged(stem, list(clouds), _PANELS):
        frame = Frame(2.3, 1.9, above=0.65, below=0.6, inner=0.2, between=0.15)
        frame = panels.room_for_names(frame, [names[solver] for solver in some])
        figure, axes = panels.figure(title, panels.context(table, note), frame, len(some), 3)
        ticks = panels.ticks_for(axes[0])
        for panel, solver in zip(axes, some, strict=True):
            panel.set_xscale("log")
            panel.set_yscale("log")
            panel.set_xlim(low, high)
            panel.set_ylim(fast, slow)
            style.number_axis(panel.xaxis, min(5, ticks))
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
                    ms=4,
                    mew=0.9,
                    zorder=2,
                )
            cost = duration(sum(point.seconds for point in points) / sum(point.x for point in points))
            panels.head(panel, names[solver], f"{cost} a {across.removesuffix('s')}", f"n = {len(points)}")
            panel.set_xlabel(across, labelpad=1)
            panel.set_ylabel(clock)
        panels.tell_axes_once(axes)
        yield Drawing(
            name,
            title,
            figure,
            tuple({**row, "solver": specs[row["solver"]]} for row in rows),
        )
