"""How many problems each solver has solved after so many seconds, with the virtual best solver."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tiler.bench.stats import Table, solved_seconds, virtual_best
from tiler.report import panels, style
from tiler.report.names import labels
from tiler.report.panels import Drawing, Frame

HELP = "problems solved within a time, with the virtual best"
TITLE = "Problems solved within a time"
NOTE = (
    "A line counts the problems that a solver answers within the time given to each of them; the virtual best is the fastest "
    "solver of every single problem. A thin line across: all problems. Behind a name: solved, of those attempted."
)

BEST = "virtual best"


def suits(table: Table) -> bool:
    return len(virtual_best(table)) >= 2


def draw(table: Table) -> Iterator[Drawing]:
    for suffix, part in panels.casts(table):
        yield _figure(f"survival{suffix}", part, is_detail=bool(suffix))


def _figure(stem: str, table: Table, *, is_detail: bool) -> Drawing:
    looks = style.looks(table.solvers)
    curves: dict[str, list[float]] = {solver: sorted(solved_seconds(table, solver)) for solver in table.solvers}
    names = labels(table.solvers)
    texts = {s: f"{names[s]}  {len(curves[s])}/{len(table.attempted(s))}" for s in table.solvers}
    if len(table.solvers) > 1:
        curves[BEST] = sorted(best.seconds for best in virtual_best(table).values())
        texts[BEST] = f"{BEST}  {len(curves[BEST])}/{len(table.problems)}"
    frame = Frame(5.6, 3.6).room_for(list(texts.values()))
    figure, (panel,) = panels.figure(TITLE, panels.context(table, NOTE), frame)
    every = [seconds for curve in curves.values() for seconds in curve]
    low, high = style.decades([*every, table.seconds_limit or max(every)], at_least=2, margin=1.0)
    right = table.seconds_limit or high
    panel.set_xscale("log")
    panel.set_xlim(low, right)
    panel.set_ylim(0, len(table.problems) * 1.04)
    style.seconds_axis(panel.xaxis)
    panel.set_xlabel("time for each problem")
    panel.set_ylabel("problems solved")
    panel.axhline(len(table.problems), color=style.FAINT, lw=0.6)
    ends = []
    for solver, curve in curves.items():
        if not curve:
            continue
        colour, dash = ("#000000", (0, (2, 1.2))) if solver == BEST else (looks[solver].colour, looks[solver].dash)
        panel.step([low, *curve, right], [0, *range(1, len(curve) + 1), len(curve)], where="post", color=colour, ls=dash)
        if solver != BEST:
            marks = curve[:: max(1, len(curve) // 8)]
            panel.plot(marks, [curve.index(x) + 1 for x in marks], looks[solver].marker, color=colour, ms=4)
        ends.append((right, float(len(curve)), texts[solver], colour))
    # Of lines that end at one height, the one that came there first has the upper label.
    last = {texts[solver]: curve[-1] for solver, curve in curves.items() if curve}
    style.end_labels(panel, sorted(ends, key=lambda end: -last[end[2]]))
    rows: list[dict[str, Any]] = [
        {"solver": solver, "solved": rank, "seconds": seconds}
        for solver, curve in curves.items()
        for rank, seconds in enumerate(curve, 1)
    ]
    return Drawing(stem, TITLE, figure, tuple(rows), is_detail)
