"""List the kinds of plots, and write their files: every drawing as SVG, PDF or PNG, and its data as CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from tiler.bench.record import Record
from tiler.bench.stats import Table, tables
from tiler.errors import BadOption
from tiler.process import files
from tiler.question.question import Goal
from tiler.report import style
from tiler.report.names import file_stem
from tiler.report.panels import Drawing, Row, question_as_name

KINDS = ("survival", "instances", "scaling", "heatmap", "scatter", "profile", "encodings", "effort", "boxes")
ON_REQUEST = ("ranks",)  #: kinds that are drawn only if they are named
ALL_KINDS = KINDS + ON_REQUEST
FORMATS = ("svg", "pdf", "png", "pgf")
BY_DEFAULT = FORMATS[:2]  #: for pages, and for LaTeX
DPI = 150


@dataclass(frozen=True)
class WrittenDrawing:
    """A drawing on disk. `name` is the name of its files without an ending; `is_detail`: it shows the variants of one
    backend; `high`: its height in inches."""

    kind: str
    name: str
    title: str
    is_detail: bool = False
    caption: str = ""
    high: float = 0.0


def kind(name: str) -> ModuleType:
    """The module of a kind of plot; it has HELP, TITLE, NOTE, suits(table) and draw(table)."""
    return import_module(f"tiler.report.{name}")


def suitable(table: Table, kinds: Sequence[str] = ()) -> tuple[str, ...]:
    """The kinds that have something to draw; `kinds` names others, and an empty `kinds` means KINDS."""
    return tuple(name for name in kinds or KINDS if table.solvers and kind(name).suits(table))


def drawings(table: Table, kinds: Sequence[str] = ()) -> Iterator[tuple[str, Drawing]]:
    """The drawings of a table, each with its kind. Imports matplotlib, which takes a second."""
    from matplotlib import rc_context

    for name in suitable(table, kinds):
        with rc_context(style.rc()):
            yield from ((name, drawing) for drawing in kind(name).draw(table))


def write(
    table: Table, folder: Path, kinds: Sequence[str] = (), formats: Sequence[str] = BY_DEFAULT, *, called: str = ""
) -> list[WrittenDrawing]:
    """Draw into a folder, and return what was drawn; a file appears whole or not at all. Names of files begin with the kind of
    plot, or with `called` instead."""
    from matplotlib import rc_context

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadOption(f"cannot write to {folder}: {error.strerror}") from None
    done = []
    for name, drawing in drawings(table, kinds):
        # The name may contain the name of a solver.
        stem = file_stem(drawing.name.replace(name, called, 1) if called else drawing.name)
        with rc_context(style.rc()):
            for form in formats:
                files.write(folder / f"{stem}.{form}", image(drawing, form))
        caption = str(getattr(drawing.figure, "caption", ""))
        if style.layout().bare:
            words = " ".join(f"{style.heading(drawing.title)}. {caption}".split())
            files.write(folder / f"{stem}.txt", f"{words}\n".encode("utf-8", "backslashreplace"))
        files.write(folder / f"{stem}.csv", table_of(drawing.rows).encode("utf-8", "backslashreplace"))
        done.append(WrittenDrawing(name, stem, drawing.title, drawing.is_detail, caption, float(drawing.figure.get_figheight())))
    return done


def campaign(records: Sequence[Record], folder: Path) -> list[tuple[Path, WrittenDrawing]]:
    """Draw all plots that suit some records. The goal and limits with the most runs go to the folder, others to subfolders.
    Figures of older records that were not drawn again are removed."""
    done = []
    for number, table in enumerate(tables(records)):
        into = folder / group_name(table) if number else folder
        done += [(into, written) for written in write(table, into)]
    remove_others(folder, done)
    return done


_FIGURE = re.compile(rf"({'|'.join(ALL_KINDS)})(-.*)?\.({'|'.join(FORMATS)}|csv|txt)")  # the name of a file of a figure


def remove_others(folder: Path, done: Sequence[tuple[Path, WrittenDrawing]]) -> None:
    """Remove the figures in a folder, and in its subfolders of a goal and limits, that are not among these."""
    kept = {(into, written.name) for into, written in done}
    groups = (path for path in folder.glob("*-*") if path.name.partition("-")[0] in set(Goal) and path.is_dir())
    for place in (folder, *groups):
        for path in list(place.iterdir()):
            if (place, path.stem) not in kept and _FIGURE.fullmatch(path.name):
                path.unlink()
        if not any(place.iterdir()):
            place.rmdir()


def group_name(table: Table) -> str:
    """The name of the folder for a goal and limits."""
    return question_as_name(table.goal, table.limits)


def image(drawing: Drawing, form: str) -> bytes:
    """The figure as the content of a file; the same data give the same bytes."""
    if form == "pgf":
        return _pgf(drawing)
    out = io.BytesIO()
    nothing = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}[form]
    drawing.figure.savefig(out, format=form, dpi=DPI, metadata={"Title": drawing.title, **nothing})
    return out.getvalue()


def _pgf(drawing: Drawing) -> bytes:
    """The figure for `\\input` in LaTeX. BadOption if LaTeX, which measures its letters, does not run here."""
    from matplotlib import rc_context

    out = io.BytesIO()
    try:
        with rc_context({"pgf.rcfonts": False}):
            drawing.figure.savefig(out, format="pgf")
    except (OSError, RuntimeError) as error:
        reason = str(error).splitlines()[0]
        raise BadOption(f"pgf is made with LaTeX (xelatex), which does not run here: {reason}; --format pdf needs none") from None
    return out.getvalue()


def table_of(rows: Iterable[Row]) -> str:
    """Rows as CSV, their values unrounded; an empty field is None. A text that a spreadsheet would take for a formula has a quote
    mark before it.

    >>> print(table_of([{"solver": "=cmd|calc", "seconds": -1.5}, {"solver": "dlx", "seconds": None}]), end="")
    solver,seconds
    '=cmd|calc,-1.5
    dlx,
    """
    listed = [{_harmless(key): _harmless(value) for key, value in row.items()} for row in rows]
    out = io.StringIO()
    columns = list(dict.fromkeys(key for row in listed for key in row))
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(listed)
    return out.getvalue()


_FORMULA = re.compile(r"[=+\-@\t\r]")
_NUMBER = re.compile(r"-|[+-]?\d+(\.\d+)?")  # and what stands for none


def _harmless(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    quote = "'" if _FORMULA.match(value) and not _NUMBER.fullmatch(value) else ""
    return quote + value.replace("\r", "\n")  # Before Python 3.13 csv puts no quotes around a lone carriage return.
