"""Draw the seconds of Busche's Table 1 beside ours, row by row: results/reference/busche/plots/table1.svg.

    python scripts/table1_picture.py

His seconds are those of the article; ours are those of the records beside the picture.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from bench_search import PUBLISHED  # noqa: E402

from tiler.backends.registry import parse_spec  # noqa: E402
from tiler.report import style  # noqa: E402

FOLDER = ROOT / "results/reference/busche"


def seconds() -> dict[str, tuple[float, float]]:
    """His seconds and ours by row of the table; rows without a record are left out."""
    runs = map(json.loads, (FOLDER / "runs.jsonl").read_text().splitlines())
    ours = {(run["instance"].rpartition("/")[2], run["solver"]): run["solve_seconds"] for run in runs}
    keys = {row.row: (row.problem, parse_spec(row.spec).spec) for row in PUBLISHED}
    return {row.row: (row.seconds, ours[keys[row.row]]) for row in PUBLISHED if keys[row.row] in ours}


def draw(rows: dict[str, tuple[float, float]]) -> Figure:
    """A line for each row, from his seconds to ours, on a logarithmic scale."""
    figure = Figure(figsize=(6.4, 0.8 + 0.24 * len(rows)), layout="constrained")
    axes = figure.add_subplot()
    his, ours = zip(*rows.values(), strict=True)
    places = range(len(rows))
    axes.hlines(places, his, ours, color=style.GRID, linewidth=2.5, zorder=1)
    axes.scatter(his, places, s=34, facecolor="white", edgecolor=style.INK, zorder=2, label="Busche, 2018 (i3-4130T)")
    axes.scatter(ours, places, s=34, color=style.colour("fila"), zorder=3, label="these records")
    axes.set_yticks(places, list(rows))
    axes.invert_yaxis()
    axes.set_xscale("log")
    style.seconds_axis(axes.xaxis)
    axes.set_xlabel("seconds for all tilings, one thread")
    axes.legend(loc="upper right", frameon=False)
    return figure


def main() -> None:
    with mpl.rc_context({**style.rc(), "svg.hashsalt": "table1"}):
        draw(seconds()).savefig(FOLDER / "plots/table1.svg", metadata={"Date": None, "Creator": None})


if __name__ == "__main__":
    main()
