"""Write the report of a campaign: tables, findings, plots, machines and versions, as Markdown and as one HTML page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from tiler.amounts import counted
from tiler.bench.machine import in_words
from tiler.bench.record import Record
from tiler.bench.stats import Clock, Table, newest
from tiler.bench.stats import tables as tabulated
from tiler.bench.store import ENVIRONMENT, RUNS
from tiler.process import files
from tiler.report import document, draw, findings, runs, spread, tables
from tiler.report.document import Block, Bullets, Figure, Heading, Links, Paragraph, Tabular
from tiler.report.names import short
from tiler.report.panels import codes, limits_in_words, place

PLOTS = "plots"
_MANY_PROBLEMS = 400
_PAGE_BY_PAGE = ("instances", "heatmap", "scaling")
MARKDOWN, HTML = "report.md", "report.html"


@dataclass(frozen=True)
class Plots:
    """The kinds of plots to draw (if empty: all that suit the data), and `others`, the formats of files in addition to SVG."""

    kinds: tuple[str, ...] = ()
    others: tuple[str, ...] = draw.BY_DEFAULT[1:]


def write(
    records: Sequence[Record], folder: Path, title: str, clock: Clock = Clock.SOLVE, plots: Plots = Plots()
) -> tuple[Path, Path]:
    """Write both reports and the plots into a folder, and return the reports' paths."""
    blocks = list(_blocks(records, folder, title, clock, plots))
    page = document.html(title, blocks, runs.section(records, clock), runs.style_sheet())
    files.write(folder / MARKDOWN, document.markdown(blocks).encode())
    files.write(folder / HTML, page.encode())
    return folder / MARKDOWN, folder / HTML


def _blocks(records: Sequence[Record], folder: Path, title: str, clock: Clock, plots: Plots) -> Iterator[Block]:
    yield Heading(title, 1)
    used = newest(records)
    wrong = findings.wrong(used)
    if wrong:
        yield Heading("Wrong answers")
        yield Paragraph(f"{counted(len(wrong), 'answer')} of {counted(len(used), 'run')} wrong.", loud=True)
        yield Bullets(tuple(wrong), loud=True)
    else:
        yield Paragraph(f"{counted(len(used), 'run')}, no wrong answer.")
    doubts = findings.warnings(used)
    if doubts:
        yield Bullets(tuple(doubts))
    groups = tabulated(records, clock)
    for index, table in enumerate(groups):
        several = f"Goal {table.goal}, limits {limits_in_words(table.limits)}: " if len(groups) > 1 else ""
        into = PLOTS if index == 0 else f"{PLOTS}/{draw.group_name(table)}"
        yield from _results(table, several, folder, into, plots)
    yield Heading("What was run where")
    yield from _surroundings(used)
    yield Heading("Records")
    yield Paragraph("One record per run, values unrounded; the data of each plot is beside it as CSV.")
    yield Links((RUNS, ENVIRONMENT))


def _results(table: Table, several: str, folder: Path, into: str, plots: Plots) -> Iterator[Block]:
    yield Heading(f"{several}Results", first=True)
    yield Paragraph(f"{tables.sentence(table.clock.meaning)}.")
    yield tables.solvers(table)
    provers = [f"{sentence}." for sentence in [findings.provers(table)] if sentence]
    about = (*findings.overall(table), *findings.alike(table), *findings.failed(table), *findings.refused(table.records))
    yield Bullets((*about, *provers))
    yield Paragraph(findings.trust(table.records))
    yield Heading(f"{several}By family")
    yield tables.families(table)
    yield Bullets(tuple(findings.by_family(table)))
    again = tables.repeats(table)
    if again is not None:
        yield Heading(f"{several}Spread over forms, seeds and repeats")
        yield again
        sentences = spread.about_rankings(table)
        if sentences:
            yield Bullets(tuple(sentences))
        single = spread.by_problem(table)
        if single is not None:
            yield single
    gains = tables.speedups(table)
    if gains is not None:
        yield Heading(f"{several}One against another")
        yield gains
    chosen = tables.beside_the_best(table)
    if chosen is not None:
        yield Heading(f"{several}Beside the best of the others")
        yield chosen
    tested = tables.pair_tests(table)
    if tested is not None:
        yield Heading(f"{several}Tests")
        yield tested
    yield Heading(f"{several}Plots")
    kinds = plots.kinds
    if not kinds and len(table.problems) > _MANY_PROBLEMS:
        kinds = tuple(name for name in draw.suitable(table) if name not in _PAGE_BY_PAGE)
        yield Paragraph(
            f"Plots by problem ({', '.join(_PAGE_BY_PAGE)}) would take many pages; tiler plot --kind draws them. In "
            "report.html you can sort and filter all runs."
        )
    drawn = draw.write(table, folder / into, kinds, ("svg", *plots.others))
    for written in drawn:
        if not written.is_detail:
            svg = (folder / into / f"{written.name}.svg").read_bytes()
            yield Figure(f"{into}/{written.name}", written.title, svg, (*plots.others, "csv"))
    details = tuple(f"{into}/{written.name}.svg" for written in drawn if written.is_detail)
    if details:
        yield Paragraph("The variants of each backend:")
        yield Links(details)


def _surroundings(records: Sequence[Record]) -> Iterator[Block]:
    started = sorted(str(record.get("started")) for record in records)
    lines = [f"From {started[0]} to {started[-1]} (UTC), {counted(len(records), 'run')}."] if started else []
    lines += [f"Machine: {text}" for text in sorted({place(record) for record in records} - {""})]
    lines += [f"Code: {text}" for text in codes(records)]
    limits = sorted({f"goal {record['goal']}, limits {limits_in_words(record['limits'])}" for record in records})
    lines += [f"Question: {text}" for text in limits]
    lines += [f"It has {text}." for text in sorted({in_words(record.get("machine") or {}) for record in records} - {""})]
    loads = [load for record in records if (load := record.get("load")) is not None]
    if loads:
        lines.append(f"Load average during the runs: median {median(loads):.1f}, at most {max(loads):.1f}.")
    during = [busy for record in records if (busy := record.get("load_during")) is not None]
    if during:
        lines.append(
            f"Other processes kept {median(during):.2f} cores busy during the runs (median), at most {max(during):.2f}, in "
            f"{counted(len(during), 'run')} of 0.1 s or more."
        )
    bound = sum(record.get("cores_bound") is not None for record in records)
    if bound:
        lines.append(f"{counted(bound, 'run')} were bound to cores of their own (--pin).")
    abreast = sorted({int(record.get("jobs") or 1) for record in records})
    lines.append(f"Runs at a time: {' or '.join(map(str, abreast))}.")
    often = [warm["runs"] for record in records if (warm := record.get("warm"))]
    if often:
        lines.append(
            f"{counted(len(often), 'run')} were over in a moment, and repeated in the process {median(often):.0f} times (median)."
        )
    cost = findings.overhead(records)
    yield Bullets((*lines, *([cost] if cost else []), *findings.engines(records)))
    versions = {name: version for record in records for name, version in (record.get("versions") or {}).items()}
    yield Tabular(("package", "version"), tuple(sorted((str(name), str(version)) for name, version in versions.items())))
    specs: dict[str, Any] = dict.fromkeys(str(record["solver"]) for record in records)
    yield Tabular(("solver", "full spec"), tuple((short(spec), spec) for spec in specs))
