"""Make the data of the page that shows all runs: a table to sort and filter, plots that follow the filter, and the record of each
run. report.html has this page in it; the studio shows the same page by the same scripts (page/).

The page draws the tiling of a run from its letters (bench/measure.py); if it has none, the page draws the board of the
problem, if that is known here.

report.html needs no network: it contains D3 and Observable Plot (page/, 0.5 MB), and the records, packed. Data that many records
share, such as the machine, is stored once.
"""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from collections.abc import Iterable, Sequence
from importlib import resources
from typing import Any

from tiler import formats
from tiler.bench.record import Category, Record
from tiler.bench.stats import Clock, End, Table, end_of, newest, seconds_of, series
from tiler.bench.stats import tables as tabulated
from tiler.errors import TilerError
from tiler.formats import library
from tiler.render import colours
from tiler.report import style
from tiler.report.names import labels
from tiler.report.panels import limits_in_words

_SHARED = ("environment", "versions", "limits", "expected", "program", "plugin", "sources")
_LEFT_OUT = ("schema",)
_MOST_BOARDS = 2000
_MOST_CELLS = 4000  # the most cells of a board that is drawn
SCRIPTS = ("d3.min.js", "plot.umd.min.js", "runs_model.js", "runs_table.js", "runs_plots.js", "runs_record.js", "runs.js")
STYLE = "runs.css"
_FILLS = 52  # the number of letters of `measure.compact_tiling`
_MOST_LETTERS = 4_000_000  # the most letters of all tilings together; each adds about a tenth of a byte to the page


def style_sheet() -> str:
    """The style of the section."""
    return file(STYLE)


def section(records: Sequence[Record], clock: Clock) -> str:
    """The section as HTML, with its data and all its code."""
    used = newest(records)
    content = {**data(used, clock), **_packed_records(used)}
    packed = b64encode(gzip.compress(json.dumps(content, separators=(",", ":")).encode(), 6, mtime=0)).decode()
    licences = file("LICENSES.txt").replace("--", "- -")
    scripts = "\n".join(f"<script>{file(name)}</script>" for name in (*SCRIPTS, "report.js"))
    return (
        '<h2>All runs</h2>\n<div id="runs"></div>\n'
        f'<script type="text/plain" id="data">{packed}</script>\n<!--\n{licences}\n-->\n{scripts}\n'
    )


def data(records: Sequence[Record], clock: Clock) -> dict[str, Any]:
    """The runs as the page takes them, without their records. The last two values of a row are the place of its
    record, and its form."""
    places = {id(record): place for place, record in enumerate(records)}
    groups = series(records)
    ordered = [(number, record) for number, group in enumerate(groups) for record in group]
    specs = list(dict.fromkeys(str(record["solver"]) for _, record in ordered))
    grids = tabulated(records)
    ranked = grids[0].among if records else ()
    best_first = tuple(dict.fromkeys((*ranked, *specs)))  # A solver that never searched has no rank.
    names, looks = labels(specs), style.looks(best_first, style.declared(records))
    problems = list(dict.fromkeys(str(record["instance"]) for _, record in ordered))
    number_of = {"problem": _numbers(problems), "solver": _numbers(specs), "end": _numbers(End), "category": _numbers(Category)}
    rows = [
        [
            number_of["problem"][str(record["instance"])],
            number_of["solver"][str(record["solver"])],
            group,
            number_of["end"][_end(record, grids[group])],
            number_of["category"][record["category"]],
            [_short(seconds_of(record, each_clock)) for each_clock in Clock],
            _nodes(record),
            record.get("seed"),
            record.get("repeat"),
            places[id(record)],
            record.get("form"),
        ]
        for group, record in ordered
    ]
    return {
        "rows": rows,
        "problems": problems,
        "solvers": [_solver(spec, names[spec], looks[spec]) for spec in specs],
        "ends": [end.in_words for end in End],
        "categories": list(Category),
        "groups": [
            {"words": f"{group[0]['goal']}, {limits_in_words(group[0]['limits'])}", "seconds": group[0]["limits"].get("seconds")}
            for group in groups
        ],
        "clock": list(Clock).index(clock),
        "clocks": [f"{each_clock} seconds" for each_clock in Clock],
        "meanings": [each_clock.meaning for each_clock in Clock],
        "fills": [colours.fill(number) for number in range(_FILLS)],
        "without": "",
        "boards": _boards([record for _, record in ordered]),
    }


def _end(record: Record, grid: Table) -> End:
    """The end of a run; as in figures, a solver that only proves was not asked about a problem that has a tiling."""
    end = grid.cell(str(record["instance"]), str(record["solver"])).end
    return end if end is End.REFUSED else end_of(record)


def _solver(spec: str, name: str, look: style.LineStyle) -> dict[str, Any]:
    """A solver as the page draws it."""
    dash = None if isinstance(look.dash, str) else " ".join(f"{2 * length:g}" for length in look.dash[1])
    return {"label": name, "spec": spec, "colour": look.colour, "dash": dash}


def _nodes(record: Record) -> int | None:
    """The nodes of a run; None for an engine that answered without a search that it counts."""
    counters = record.get("stats") or {}
    nodes: int | None = counters.get("nodes")
    return None if not nodes and "engine_seconds" in counters else nodes


def shown_fields(record: Record) -> dict[str, Any]:
    """What a page shows of a record."""
    return {key: value for key, value in record.items() if key not in _LEFT_OUT and value is not None}


def _packed_records(records: Sequence[Record]) -> dict[str, Any]:
    """The records; what many of them share is in tables. Without the tilings if these are very long."""
    tables: dict[str, list[Any]] = {name: [] for name in _SHARED}
    known: dict[tuple[str, str], int] = {}
    is_long = sum(len(record.get("tiling") or "") for record in records) > _MOST_LETTERS

    def shared(fields: dict[str, Any]) -> dict[str, Any]:
        if is_long:
            fields.pop("tiling", None)
        for name in _SHARED:
            if name in fields:
                text = json.dumps(fields[name], sort_keys=True)
                if (name, text) not in known:
                    known[name, text] = len(tables[name])
                    tables[name].append(fields[name])
                fields[name] = known[name, text]
        return fields

    packed = [shared(shown_fields(record)) for record in records]
    without = "The tilings of that many runs are not in this page; the records have them." if is_long else ""
    return {"records": packed, "shared": _SHARED, "tables": tables, "without": without}


def _boards(records: Iterable[Record]) -> dict[str, list[str]]:
    """Flat boards of squares as maps, by the names of problems. A problem must be known here, unchanged since its run."""
    boards: dict[str, list[str]] = {}
    asked = {str(record["instance"]): record.get("digest") for record in records}
    for name, digest in list(asked.items())[:_MOST_BOARDS]:
        path = library.find(name)
        if str(path) == name:
            continue
        try:
            instance = formats.read(path, name=name)
        except TilerError:
            continue
        if instance.digest != digest or instance.lattice.name != "square" or len(instance.board) > _MOST_CELLS:
            continue
        rows, columns = zip(*instance.board, strict=True)
        boards[name] = [
            "".join(
                "." if (row, column) not in instance.board else "o" if (row, column) in instance.optional else "x"
                for column in range(min(columns), max(columns) + 1)
            )
            for row in range(min(rows), max(rows) + 1)
        ]
    return boards


def _short(seconds: float | None) -> float | None:
    return None if seconds is None else float(f"{seconds:.4g}")


def _numbers(values: Iterable[Any]) -> dict[str, int]:
    return {str(value): number for number, value in enumerate(values)}


def file(name: str) -> str:
    """The content of a file of the page: one of SCRIPTS, STYLE."""
    return (resources.files("tiler.report") / "page" / name).read_text("utf-8")
