"""Write the tables of Busche's article on FILA from the records of the campaign `busche`: his figures, ours, and the differences.

Source: M. Busche, Fixed Image List Algorithm (FILA), Matt's Maniacal Musings, 2018. Table 1 has a row for each way to count.
Tables 2 to 5 have fits and no-fits by the number of pieces left, with and without neighbour occupancy filtering (NOF). A target
is a call of the choice of image lists, an attempt is an image that is tried: a fit or a no-fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tiler.backends.registry import parse_spec
from tiler.bench.record import Record
from tiler.errors import InputError
from tiler.process import files
from tiler.report import chosen_records, document
from tiler.report.document import Block, Heading, Tabular
from tiler.report.latex_draft import text, write_table
from tiler.report.like import Written
from tiler.report.names import short

CAMPAIGN = "busche"
TEX, PAGE = "tables.tex", "tables.md"
_DIGITS = 3  # behind the point, as in the article


@dataclass(frozen=True)
class Published:
    """A row of Table 1, and how it is run here."""

    row: str
    problem: str  #: in results/reference/busche-problems
    spec: str
    fits: int
    no_fits: int | None  #: None: he does not say
    seconds: float  #: on an i3-4130T, one thread


#: His lists and numbering. A constraint of these problems puts the piece that he keeps in one placement of each orbit there.
TC = "axes=zyx,handoff=11"
PT = "filter=volume,axes=xy,handoff=13,volume=12"
PUBLISHED = (
    Published("P-1", "P", "dlx", 892_247, None, 2.08),
    Published("P-2", "P", "dlx:filter=volume", 768_356, None, 1.75),
    Published("P-3", "P", "dlx:filter=volume,order=mrv+forced:11", 1_000_250, None, 2.05),
    Published("P-4", "P", "fila:filter=volume,handoff=11,window=off,nof=off", 2_091_215, 13_106_789, 0.168),
    Published("P-5", "P", "fila:filter=volume,handoff=11,window=off", 2_091_215, 4_682_886, 0.157),
    Published("TC-1", "TC", "dlx", 30_255_329, None, 113),
    Published("TC-2", "TC", f"fila:{TC},order=e,nof=off", 48_705_459, 1_093_916_558, 22.2),
    Published("TC-3", "TC", f"fila:{TC},order=e:11+f:3,nof=off", 80_346_268, 1_526_897_959, 19.9),
    Published("TC-4", "TC", f"fila:{TC},order=e:11+f:3", 80_346_268, 393_143_352, 17.0),
    Published("PT-1", "PT", "dlx", 207_341_751, None, 646),
    Published("PT-2", "PT", "dlx:filter=volume,volume=12", 78_145_746, None, 182),
    Published("PT-3", "PT", f"fila:{PT},order=e,nof=off", 153_069_413, 1_094_305_862, 70.2),
    Published("PT-4", "PT", f"fila:{PT},order=e:13+f:3,nof=off", 185_469_244, 1_203_943_050, 67.7),
    Published("PT-5", "PT", f"fila:{PT},order=e:13+f:3", 185_469_244, 291_191_337, 60.6),
)
#: The rows without and with NOF that are compared by pieces left.
PAIRS = (("P-4", "P-5"), ("TC-3", "TC-4"), ("PT-4", "PT-5"))
_NOT_RUN = "Table 1, rows OP-1 to OP-4, and the table of OP by pieces left: it is open which piece he keeps in one placement"


def write(results: Path, folder: Path) -> Written:
    """Write the tables as LaTeX, CSV and Markdown into a folder, and all of them with captions as tables.tex."""
    try:
        records = chosen_records.read(results / CAMPAIGN)
    except InputError:
        return Written((), ())
    by_row = {row.row: found for row in PUBLISHED if (found := _record(records, row)) is not None}
    lacking = [f"Table 1, row {row.row}: no record of {row.spec} in {CAMPAIGN}" for row in PUBLISHED if row.row not in by_row]
    tables = {"table-1": ("Table 1", table_1(by_row))} if by_row else {}
    for off, on in PAIRS:
        puzzle = off.partition("-")[0]
        if off in by_row and on in by_row:
            tables[f"by-pieces-left-{puzzle.lower()}"] = (
                f"{puzzle} by pieces left",
                by_pieces_left(off, by_row[off], on, by_row[on]),
            )
        else:
            lacking.append(f"Table of {puzzle} by pieces left: it needs {off} and {on}")
    paths = [path for name, (_, grid) in tables.items() for path in write_table(name, grid, folder)]
    if tables:
        blocks: list[Block] = [Heading("The tables of the article on FILA", 1)]
        for title, grid in tables.values():
            blocks += [Heading(title), grid]
        files.write(folder / PAGE, document.markdown(blocks).encode())
        latex = [_HEAD, *(_latex(name, title, grid) for name, (title, grid) in tables.items())]
        files.write(folder / TEX, "\n".join(latex).encode())
        paths += [folder / PAGE, folder / TEX]
    return Written(tuple(paths), (*lacking, _NOT_RUN))


def _record(records: Sequence[Record], row: Published) -> Record | None:
    spec = str(parse_spec(row.spec))
    return next(
        (
            record
            for record in records
            if str(record["instance"]).rpartition("/")[2] == row.problem
            and short(str(record["solver"])) == spec
            and record["stats"]
        ),
        None,
    )


def table_1(by_row: dict[str, Record]) -> Tabular:
    """Table 1 with our figures beside his."""
    rows = []
    for row in PUBLISHED:
        if row.row not in by_row:
            continue
        record = by_row[row.row]
        stats = _stats(record)
        fits, no_fits = stats["nodes"], sum(stats["nofits"]) if "nofits" in stats else None
        targets = sum(stats.get("targets", ()))
        attempts = f"{(_tried(stats) / targets):.{_DIGITS}f}" if targets else ""
        seconds = record["solve_seconds"] or 0.0
        shown = (_beside(row.fits, fits), _beside(row.no_fits, no_fits))
        took = (f"{row.seconds:g}", f"{seconds:.{_DIGITS}f}", _change(row.seconds, seconds))
        rows.append((row.row, row.spec, *shown[0], *shown[1], attempts, *took))
    heads = (
        *("row", "solver", "fits, his", "fits, ours", "fits, %", "no-fits, his", "no-fits, ours", "no-fits, %"),
        *("attempts per target", "seconds, his", "seconds, ours", "seconds, %"),
    )
    note = (
        "Table 1 of Busche's article on FILA, and the same searches here. A fit is an image that was placed, a no-fit one that "
        "was tried in vain; a target is a call of the choice of image lists, above which dancing links place the first pieces. % "
        "is ours less his, in per cent of his. His seconds are of an i3-4130T, ours wall clock of one thread."
    )
    return Tabular(heads, tuple(rows), note)


def by_pieces_left(off: str, without: Record, on: str, with_nof: Record) -> Tabular:
    """Fits, no-fits and attempts per target by pieces left, without and with NOF."""
    before, after = _stats(without), _stats(with_nof)
    levels = [left for left, targets in enumerate(after["targets"]) if targets]
    rows = [(str(left), *_level([left], before, after)) for left in levels]
    rows.append(("all", *_level(levels, before, after)))
    heads = (
        *("pieces left", "targets", "fits per target", "no-fits per target, NOF off", "no-fits, NOF on", "no-fits, %"),
        *("attempts per target, NOF off", "attempts, NOF on", "attempts, %"),
    )
    note = (
        f"{off} (NOF off) and {on} (NOF on) of Busche's article on FILA by the number of pieces left, as its Tables 2 to 5. A "
        "target is a call of the choice of image lists; an attempt is an image that is tried, a fit or a no-fit. % is NOF on "
        "less NOF off, in per cent of NOF off."
    )
    return Tabular(heads, tuple(rows), note)


def _stats(record: Record) -> dict[str, Any]:
    """The counters of a record; `fits`, `nofits` and `targets` are lists by pieces left."""
    return record["stats"] or {}


def _level(levels: Sequence[int], off: dict[str, Any], on: dict[str, Any]) -> Iterator[str]:
    """The cells of some numbers of pieces left."""
    targets = sum(on["targets"][left] for left in levels)
    fits = sum(on["fits"][left] for left in levels)
    no_fits = [sum(stats["nofits"][left] for left in levels) for stats in (off, on)]
    yield f"{targets:,}"
    yield f"{fits / targets:.{_DIGITS}f}"
    for first, second in (no_fits, [fits + number for number in no_fits]):
        yield from (f"{number / targets:.{_DIGITS}f}" for number in (first, second))
        yield _change(first, second)


def _tried(stats: dict[str, Any]) -> int:
    """The attempts at targets: what dancing links placed above them is none."""
    levels = [left for left, targets in enumerate(stats["targets"]) if targets]
    return sum(int(stats[name][left]) for name in ("fits", "nofits") for left in levels)


def _beside(his: int | None, ours: int | None) -> tuple[str, str, str]:
    if his is None or ours is None:
        return "", "", ""
    return f"{his:,}", f"{ours:,}", _change(his, ours)


def _change(his: float, ours: float) -> str:
    """A difference in per cent.

    >>> _change(200, 199), _change(7, 7), _change(0, 0)
    ('-0.500', '0.000', '0.000')
    """
    change = 100 * (ours - his) / his if his else 0.0
    return f"{change:+.{_DIGITS}f}" if change else f"{0:.{_DIGITS}f}"


_HEAD = r"% Written by tiler report --like fila. \usepackage{graphicx,booktabs,siunitx}, and \input{tables}"


def _latex(name: str, title: str, grid: Tabular) -> str:
    return rf"""
\begin{{table}}[p]
\centering
\resizebox{{\textwidth}}{{!}}{{\input{{{name}}}}}
\caption{{{text(f"{title}. {grid.note}")}}}
\label{{tab:fila-{name}}}
\end{{table}}"""
