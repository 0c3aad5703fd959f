"""`tiler report`: a report of a campaign from its records."""

from __future__ import annotations

import argparse
from pathlib import Path

from tiler import printable
from tiler.cli import plot

HELP = "write a report on the results of tiler bench"
EXAMPLES = """\
  tiler report results/bench
  tiler report results/thesis --title "Chapter 5" --clock total
  tiler report results/thesis --kind survival --kind heatmap --only-svg
"""

_DESCRIPTION = """\
Write report.md, and report.html with all plots inside, into a results folder: wrong
answers first, then tables, findings in words, plots, and what was run where.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    plot.add_results(parser)
    parser.add_argument("--title", help="its heading (default: the folder's name)")
    plot.add_kinds(parser)
    plot.add_clock(parser)
    parser.add_argument("--only-svg", action="store_true", help="draw neither PDF nor PNG")


def run(args: argparse.Namespace) -> int:
    from tiler.bench.stats import Clock
    from tiler.report import findings, report

    folder = Path(args.results)
    records = plot.read(folder)
    title = args.title or f"Results of {folder.resolve().name}"
    plots = report.Plots(tuple(args.kind), () if args.only_svg else report.Plots.others)
    for path in report.write(records, folder, title, Clock(args.clock), plots):
        print(printable.line(str(path)))
    return 4 if findings.wrong(records) else 0
