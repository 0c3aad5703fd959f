"""`tiler report`: write a report on a campaign from its records, or compare two campaigns."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tiler import printable
from tiler.cli.campaign import plot
from tiler.cli.shared import declared, output
from tiler.cli.shared.declared import OPTIONS
from tiler.errors import BadOption
from tiler.optional_packages import need
from tiler.question.parameters import WORDS, declare, fields_of, one_of, parameter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tiler.bench.compare import Comparison

HELP = "write a report on results of tiler bench, or compare two results"
EXAMPLES = """\
  tiler report results/bench
  tiler report results/thesis --title "Chapter 5" --clock total
  tiler report results/thesis --kind survival --kind heatmap --format pdf
  tiler report results/thesis --format parquet
  tiler report results/thesis --csv runs.csv
  tiler report results/thesis --draft paper --solver sat
  tiler report results/before results/after --fail-if slower:1.2 --fail-if lost:0
  tiler report results/reference --like thesis -o figures
"""

_DESCRIPTION = """\
Write report.md and report.html into a results folder: wrong answers first, then
tables, findings in words, plots, and the machines and versions. report.html begins
with a table of all runs to sort and filter, plots that follow the filter, and the
record of every run; a link holds the filter. It is one file and needs no network.

With two folders, compare the runs that both have: the same solver, problem and
question. What got worse comes first. --fail-if makes the exit status 1 if
  slower:1.2   a solver is slower by this factor, and certainly slower: no accident
               of the problems, of repeats or of the machine's drift (95 %),
               runs repeated without load, or both made by turns (tiler bench
               --against)
  lost:0       more than 0 problems are no longer solved; timeouts in less than
             half of the limit in CPU seconds do not count
  wrong        an answer is wrong that was correct before
  counts       a number of tilings differs
  answers      by one of the two there is a tiling, by the other there is none

With --like, RESULTS is a folder of campaigns, such as results/reference. The figures
of the thesis that show measurements (3.2, 3.4, B.1 to B.13), or the tables of the
article on FILA (2018), are made again from its records, in their order, with
captions for LaTeX: figures.tex, tables.tex. What has no records is named.
"""
_CONDITION = re.compile(r"slower:(\d+(?:\.\d+)?)|lost:(\d+)|wrong|counts|answers")
_WIDTH = 80


_OPTIONS = declare(
    other=parameter(None, "another folder, which is compared with the first", WORDS, metavar="OTHER", nargs="?", by_place=True),
    csv=parameter(None, "instead write a row for each run into this file, as CSV; - is standard output", WORDS, metavar="FILE"),
    draft=parameter(None, "instead write the draft of a paper into this folder: LaTeX, figures, tables", WORDS, metavar="DIR"),
    like=parameter(None, "instead make the figures or tables of a published text again", WORDS),
    fail_if=parameter(
        (),
        "set the exit status when comparing two folders: see above",
        WORDS,
        metavar="slower:F|lost:N|wrong|counts|answers",
        nargs="append",
    ),
)
_TITLE = {"help": "set the heading", "absent": "the title of the campaign, else the name of the folder"}
_WRITTEN = {
    "help": "write compare.md and compare.html into this folder, for two folders, or what --like makes (default: like-TEXT in "
    "RESULTS)",
    "metavar": "DIR",
}
_FORMAT = (
    "choose the format of figures ({figures}); {tables}: instead write a row for each run into runs.csv, runs.parquet in RESULTS"
)


def configure(parser: argparse.ArgumentParser) -> None:
    need("report", "msgspec", "matplotlib", "markdown_it")
    from tiler.report.like import TEXTS

    parser.description = _DESCRIPTION
    plot.add(parser, "results")
    declared.add(parser, fields_of(OPTIONS, _OPTIONS), "other", "title", title=_TITLE)
    plot.add_choice(parser)
    plot.add(parser, "kind", "highlight", "clock")
    _add_format(parser)
    declared.add(
        parser,
        fields_of(OPTIONS, _OPTIONS),
        "csv",
        "draft",
        "like",
        "fail_if",
        "output",
        like={"kind": one_of(*TEXTS)},
        output=_WRITTEN,
    )


def _add_format(parser: argparse.ArgumentParser) -> None:
    from tiler.report import draw, run_table

    words = _FORMAT.format(figures=", ".join(draw.FORMATS), tables=" or ".join(run_table.FORMATS))
    plot.add(parser, "format", format={"help": words, "kind": one_of(*draw.FORMATS, *run_table.FORMATS)})


def run(args: argparse.Namespace) -> int:
    from tiler.bench import store
    from tiler.bench.stats import Clock, newest
    from tiler.report import chosen_records, draw, findings, report, run_table, style, tables

    if args.like is not None:
        return _like(args)
    listed = [form for form in plot.formats(args) if form in run_table.FORMATS]
    if listed and (args.other is not None or args.draft or len(listed) < len(plot.formats(args))):
        raise BadOption(f"--format {listed[0]} has a row for each run of one results folder: ask for it in a command of its own")
    if args.other is not None:
        return _compare(args)
    folder = Path(args.results)
    records = chosen_records.select(chosen_records.read(folder), args.filter, args.solvers)
    if args.csv:
        with output.opened(args.csv) as out:
            out.write(draw.table_of(tables.record_rows(newest(records))))
        return 4 if findings.wrong(records) else 0
    if listed:
        for path in run_table.write(records, folder, listed):
            print(printable.line(str(path)))
        return 4 if findings.wrong(records) else 0
    highlight = chosen_records.named(records, args.highlight)
    layout = style.Layout(about=chosen_records.about(folder, args.filter, args.solvers), highlight=highlight)
    title = args.title or printable.line(store.title_of(folder)) or f"Results of {folder.resolve().name}"
    if args.draft:
        from tiler.report import latex_draft

        with style.laid_out(layout):
            written = latex_draft.write(records, Path(args.draft), title, Clock(args.clock))
        for path in written:
            print(printable.line(str(path)))
        return 4 if findings.wrong(records) else 0
    plots = report.Plots(tuple(args.kind), tuple(form for form in plot.formats(args) if form != "svg"))
    with style.laid_out(layout):
        both = report.write(records, folder, title, Clock(args.clock), plots)
    for path in both:
        print(printable.line(str(path)))
    return 4 if findings.wrong(records) else 0


def _like(args: argparse.Namespace) -> int:
    from tiler.report import draw
    from tiler.report.like import fila, thesis

    results = Path(args.results)
    folder = Path(args.output or results / f"like-{args.like}")
    formats = tuple(dict.fromkeys(args.format or ("pdf",)))
    rows = [form for form in formats if form not in draw.FORMATS]
    if rows:
        raise BadOption(f"--like {args.like} makes figures and tables: leave out --format {rows[0]}")
    written = thesis.write(results, folder, formats) if args.like == "thesis" else fila.write(results, folder)
    if not written.paths:
        raise BadOption(
            f"there are no records for --like {args.like} in {results}: name a folder of campaigns, as results/reference"
        )
    for path in written.paths:
        print(printable.line(str(path)))
    for line in written.lacking:
        print(f"without {line}")
    return 0


def _compare(args: argparse.Namespace) -> int:
    from tiler.bench.compare import compare
    from tiler.bench.stats import Clock
    from tiler.process import files
    from tiler.report import chosen_records, comparison, document
    from tiler.report.names import short

    for condition in args.fail_if:
        if not _CONDITION.fullmatch(condition):
            raise BadOption(f"--fail-if {condition}: it is slower:F, lost:N, wrong, counts or answers")
    folders = (Path(name) for name in (args.results, args.other))
    before, after = (chosen_records.select(chosen_records.read(path), args.filter, args.solvers) for path in folders)
    found = compare(before, after, Clock(args.clock), short)
    if not any(each.changes for each in found):
        raise BadOption("there is nothing to compare: no solver was asked the same about the same problem in both")
    names = [printable.line(str(name)) for name in (args.results, args.other)]
    blocks = list(comparison.blocks(found, *names))
    if args.output:
        folder = Path(args.output)
        folder.mkdir(parents=True, exist_ok=True)
        files.write(folder / "compare.md", document.markdown(blocks).encode())
        files.write(folder / "compare.html", document.html(args.title or f"{names[1]} against {names[0]}", blocks).encode())
    print(document.plain(blocks, _WIDTH, coloured=output.is_coloured(sys.stdout)))
    failed = [condition for condition in args.fail_if if _is_met(condition, found)]
    for condition in failed:
        print(f"failed: {condition}")
    for condition in args.fail_if:
        if condition not in failed and _is_met(condition, found, even_unsure=True):
            print(f"not judged: {condition}: see above why that is not certain")
    return 1 if failed else 0


def _is_met(condition: str, found: Sequence[Comparison], *, even_unsure: bool = False) -> bool:
    match = _CONDITION.fullmatch(condition)
    assert match is not None
    if condition == "counts":
        return any(each.counted_otherwise for each in found)
    if condition == "answers":
        return any(each.answered_otherwise for each in found)
    if condition == "wrong":
        return any(pair.is_worse and not pair.is_lost for each in found for pair in each.pairs) or any(
            pair.after.end == "wrong" and pair.before.end != "wrong" for each in found for pair in each.pairs
        )
    if match[2] is not None:
        return sum(pair.is_lost and (even_unsure or not pair.is_starved) for each in found for pair in each.pairs) > int(match[2])
    most = 1 / float(match[1])
    changes = [change for each in found for change in each.changes]
    return any(
        change.factor is not None and change.factor < most and (change.is_outside if even_unsure else change.is_sure)
        for change in changes
    )
