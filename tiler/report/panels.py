"""Figures made of panels whose sizes are given in inches, so that letters keep their size and nothing is cut off."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tiler.amounts import counted
from tiler.bench.stats import Table
from tiler.report import style
from tiler.report.names import backend

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Row = Mapping[str, Any]

MANY = 10  #: solvers in one panel; where there are more, see `casts`
_LINE = 0.17  # inches per line of the caption
_EDGE = 0.15


@dataclass(frozen=True)
class Drawing:
    """A figure ready to be written, with the data in it; `name` is that of its files, `title` says what is to be seen.

    A detail shows the variants of one backend, where another figure has all backends.
    """

    name: str
    title: str
    figure: Figure
    rows: tuple[Row, ...]
    is_detail: bool = False


@dataclass(frozen=True)
class Frame:
    """A panel's inner size and the room round it, in inches."""

    wide: float
    high: float
    left: float = 0.8
    right: float = 0.25
    above: float = 0.35
    below: float = 0.5

    def room_for(self, labels: Sequence[str]) -> Frame:
        """The same with room on the right for the labels of lines."""
        widest = max((style.text_inches(label) for label in labels), default=0.0)
        return replace(self, right=widest + 0.4)


def figure(
    title: str, caption: str, frames: Frame | Sequence[Frame], count: int = 1, columns: int = 1
) -> tuple[Figure, list[Axes]]:
    """A figure of so many panels, row by row, with a heading and a caption; one frame serves all, or each has its own."""
    from matplotlib.figure import Figure

    all_frames = [frames] * count if isinstance(frames, Frame) else list(frames)
    columns = max(1, min(columns, len(all_frames)))
    rows = [all_frames[i : i + columns] for i in range(0, len(all_frames), columns)]
    widest = max(frame.left + frame.wide + frame.right for frame in all_frames)
    width = max(columns * widest + 2 * _EDGE, 6.0)
    lines = wrap(caption, width - 2 * _EDGE)
    heading = wrap(title, width - 2 * _EDGE, 12)
    foot = _LINE * len(lines) + 0.2
    top = 0.22 * len(heading) + 0.15
    heights = [max(frame.above + frame.high + frame.below for frame in row) for row in rows]
    height = sum(heights) + foot + top + _EDGE
    made = Figure(figsize=(width, height))
    made.text(_EDGE / width, 1 - 0.12 / height, "\n".join(heading), fontsize=12, fontweight="bold", va="top")
    made.text(_EDGE / width, 0.1 / height, "\n".join(lines), fontsize=style.SMALL, color="#555555", va="bottom", linespacing=1.25)
    axes = []
    y = height - top
    for row, high in zip(rows, heights, strict=True):
        for column, frame in enumerate(row):
            x = _EDGE + column * widest + frame.left
            bottom = y - frame.above - frame.high
            axes.append(made.add_axes((x / width, bottom / height, frame.wide / width, frame.high / height)))
        y -= high
    return made, axes


def wrap(text: str, inches: float, size: float = style.SMALL) -> list[str]:
    """Lines of at most so many inches, by the width of an average letter."""
    average = style.text_inches("The quick brown fox, 2048 MiB; ") / 31 * size / style.SMALL
    return [line for part in text.split("\n") for line in textwrap.wrap(part, max(20, int(inches / average))) or [""]]


def context(table: Table, note: str = "") -> str:
    """What a figure's caption must tell: how to read it, the question, the limits, the clock, how much, when, where."""
    records = table.records
    days = sorted({str(record.get("started", ""))[:10] for record in records} - {""})
    when = f" of {days[0]}" + (f" to {days[-1]}" if len(days) > 1 else "") if days else ""
    limits = limits_in_words(table.limits)
    runs = sum(table.cell(problem, solver).repeats for problem in table.problems for solver in table.solvers)
    text = (
        f"Goal: {table.goal}; limits of a run: {limits}; {table.clock.meaning}. "
        f"{counted(len(table.problems), 'problem')}, {counted(len(table.solvers), 'solver')}, {counted(runs, 'run')}{when}"
    )
    places = sorted({place(record) for record in records} - {""})
    if places:
        text += f"; {'; '.join(places[:2])}" + (" and others" if len(places) > 2 else "")
    codes = sorted({code(record) for record in records} - {""})
    if codes:
        text += f"; {codes[0] if len(codes) == 1 else f'{len(codes)} versions of the code'}"
    return f"{note}\n{text}." if note else f"{text}."


def limits_in_words(limits: Mapping[str, Any]) -> str:
    """The limits of a run.

    >>> limits_in_words({"seconds": 10.0, "megabytes": 2048, "nodes": None})
    '10 s, 2048 MiB'
    """
    units = {"seconds": "s", "megabytes": "MiB", "nodes": "nodes", "solutions": "tilings"}
    words = [
        f"{limits[key]:g} {unit}" if key == "seconds" else f"{limits[key]} {unit}"
        for key, unit in units.items()
        if limits.get(key)
    ]
    return ", ".join(words) or "none"


def place(record: Mapping[str, Any]) -> str:
    """The machine a record was made on."""
    there = record.get("environment") or {}
    cores = there.get("cores")
    return ", ".join(
        filter(None, [str(there.get("cpu") or ""), counted(cores, "core") if cores else "", str(there.get("platform") or "")])
    )


def code(record: Mapping[str, Any]) -> str:
    """The code a record was made by."""
    there = record.get("environment") or {}
    version = (record.get("versions") or {}).get("tiler")
    commit = there.get("commit") or record.get("sources") or there.get("sources")
    return f"tiler {version}" + (f" ({commit})" if commit else "") if version else ""


def casts(table: Table) -> list[tuple[str, Table]]:
    """Tables of few solvers, each with the end of a name: the table; or, where it has more than `MANY`, the best variant of every
    backend, and then the variants of each backend that has several."""
    from tiler.bench.stats import ranking

    if len(table.solvers) <= MANY:
        return [("", table)]
    best: dict[str, str] = {}
    for spec in ranking(table):
        best.setdefault(backend(spec), spec)
    chosen = set(best.values())
    found = [("", table.only(solvers=chosen.__contains__))]
    for name in dict.fromkeys(map(backend, table.solvers)):
        variants = [spec for spec in table.solvers if backend(spec) == name]
        if len(variants) > 1:
            found.append((f"-{name}", table.only(solvers=set(variants).__contains__)))
    return found
