"""Draw the mean rank of each solver, and join those that no test tells apart: a critical-difference plot (Demšar 2006)."""

from __future__ import annotations

from collections.abc import Iterator

from tiler.bench.significance import LEVEL, MOST, MeanRanks, mean_ranks
from tiler.bench.stats import Table
from tiler.report import panels, style
from tiler.report.names import labels, shortened
from tiler.report.panels import Drawing, Frame

HELP = "mean ranks, and which solvers no test tells apart (critical differences)"
TITLE = "Mean ranks"
NOTE = (
    "The mean rank over the problems that all these solvers attempted: 1 is the fastest, and unsolved runs share the last rank. "
    f"A bar joins solvers of whom no two differ by Wilcoxon's signed-rank test (p < {LEVEL:g}, corrected by Holm for all pairs). "
    "Ranks do not say by how much a solver is faster, and they may change if another solver is left out."
)
_HIGH = 0.3  # the height of a row in inches
_BAR = 0.22  # the room of a bar, in inches


def suits(table: Table) -> bool:
    return mean_ranks(panels.able(table)) is not None


def draw(table: Table) -> Iterator[Drawing]:
    left_out = panels.about_left_out(table)
    table = panels.able(table)
    found = mean_ranks(table)
    assert found is not None
    names = labels(table.solvers)
    solvers = [solver for solver, _ in found.ranks]
    left = max(style.text_inches(names[solver]) for solver in solvers) + 0.2
    bars = _BAR * len(found.alike) + 0.1
    frame = Frame(
        4.2, _HIGH * len(solvers) + 0.1, left=left / (style.FONT / 10), right=0.25 + bars / (style.FONT / 10), above=0.15
    )
    some = f" The best {MOST} solvers by problems solved." if len(table.solvers) > len(solvers) else ""
    note = f"{NOTE} {found.number} of {len(table.problems)} problems.{some}{left_out}"
    figure, (panel,) = panels.figure(TITLE, panels.context(table, note), frame)
    looks = style.looks_of(table, solvers)
    places = {solver: len(solvers) - number for number, solver in enumerate(solvers)}
    for solver, rank in found.ranks:
        panel.plot([rank], [places[solver]], marker="o", markersize=7, color=looks[solver].colour, clip_on=False)
    panel.set_xlim(1, len(solvers))
    panel.set_ylim(0.5, len(solvers) + 0.5)
    panel.set_yticks(list(places.values()), [names[solver] for solver in solvers])
    panel.set_xticks(range(1, len(solvers) + 1))
    panel.grid(visible=False, axis="y")
    panel.set_xlabel("mean rank")
    inch = 1 / (panel.get_position().width * figure.get_figwidth())  # of the width of the panel
    for number, group in enumerate(found.alike):
        ends = [places[group[-1]] - 0.2, places[group[0]] + 0.2]
        across = 1 + inch * (0.15 + _BAR * number)
        panel.plot(
            [across] * 2,
            ends,
            color=style.INK,
            lw=3,
            solid_capstyle="round",
            clip_on=False,
            transform=panel.get_yaxis_transform(),
        )
    yield Drawing("ranks", TITLE, figure, tuple(_rows(found, shortened(table.solvers))))


def _rows(found: MeanRanks, names: dict[str, str]) -> Iterator[dict[str, object]]:
    for solver, rank in found.ranks:
        groups = [number for number, group in enumerate(found.alike, 1) if solver in group]
        yield {"solver": names[solver], "mean_rank": rank, "problems": found.number, "bars": " ".join(map(str, groups))}
