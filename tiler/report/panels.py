"""Make figures of panels with sizes in inches, so that letters keep their size and nothing is cut off.

A panel has its size before anything is drawn in it: the numbers along axes, headings, marks and names at the ends of lines are
fitted to it. matplotlib's constrained layout finds sizes afterwards. On the figures of `results/reference/thesis` it took half of
the drawing time again (0.36 CPU seconds for a figure); it made panels with long names below them lower, and laid the key of a
narrow figure over its caption.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from tiler.amounts import counted
from tiler.bench.job import only_proves
from tiler.bench.record import Record, disturbed
from tiler.bench.stats import Cell, End, Table, ranking
from tiler.errors import BadOption
from tiler.grouping import grouped
from tiler.report import end_labels, findings, style
from tiler.report.names import backend, labels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Row = Mapping[str, Any]
T = TypeVar("T")

_LINE = 0.15  # inches per line of the caption
_EDGE, _NARROW_EDGE = 0.15, 0.06  # the room around a figure of any width, and of one with a given width, in inches
PAGE = 9.0  #: the height of a page of print, in inches
_BROAD = 5.0  # the least width of a figure that is not narrow, in inches
_FLATTEST = 0.6  # the least height of a panel that is made lower so that its figure fits on a page, in inches
_BOLD = 1.15  # the width of bold letters, as a multiple of the width of others
_LEAST_AXES = 0.6  # the least share of the width for the axes of a panel with labels beside it
_LEAST_WIDE = 1.5  # the least width of a panel beside others, in inches
_LEAST_IN_GRID = 0.85  # the same in a grid, where only the first panel of a row names the axis
GAP = 0.2  #: inches between panels of a grid, into which a heading may reach
_LABEL = 0.2  # inches of the room on the left that do not shrink with the letters


@dataclass(frozen=True)
class Drawing:
    """A figure ready to be written, with its data; `name` is the name of its files, `title` says what it shows.

    A detail shows only the variants of one backend; another figure has all backends.
    """

    name: str
    title: str
    figure: Figure
    rows: tuple[Row, ...]
    is_detail: bool = False


NO_LABELS = -1


@dataclass(frozen=True)
class Frame:
    """The inner size of a panel and the room around it, in inches."""

    wide: float
    high: float
    left: float = 0.8
    right: float = 0.25
    above: float = 0.35
    below: float = 0.5
    columns: int = 0  #: columns of labels below the panel; 0: the labels are beside it; NO_LABELS: another panel has them
    deep: float = 0.0  #: the distance from the panel down to the labels below it
    inner: float | None = None  #: the room on the left of a panel with another panel there; None: as for others
    between: float | None = None  #: the room below a panel with another panel there; None: as for others

    def room_for(self, labels: Sequence[str]) -> Frame:
        """The frame with room for the labels of lines, on the right or else below."""
        width = style.layout().width
        beside = max(map(style.text_inches, labels)) + 0.4 + end_labels.MARKED / 72
        if width is None or (width - self.left - beside >= _LEAST_AXES * width and self.between is None):
            return replace(self, high=max(self.high, end_labels.inches(len(labels) + 1.5)), right=beside)
        # A narrow panel has no room beside it, and panels of a grid share labels: these go below, in as many columns as fit.
        widest = max(map(style.text_inches, labels))
        columns = max(1, int(width / (widest + end_labels.SAMPLE)))
        lines = end_labels.lines_of_key(labels, columns, width)
        part = style.FONT / 10  # `_fitted` scales what is below
        deep = max(self.below * part, (13 + 1.2 * (style.SMALL + style.FONT)) / 72)
        below = deep + lines * end_labels.LEGEND_LINE * style.SMALL + 0.1
        return replace(self, right=0.25, below=below / part, columns=columns, deep=deep)


def figure(title: str, caption: str, frames: Frame | Sequence[Frame], columns: int = 1) -> tuple[Figure, list[Axes]]:
    """A figure of several panels, row by row, with a heading and a caption. `frames` is the frame of the only panel, or one
    for each. Returns the figure and the axes of its panels."""
    from matplotlib.figure import Figure

    asked = style.layout()
    all_frames = [frames] if isinstance(frames, Frame) else list(frames)
    columns = max(1, min(columns, len(all_frames)))
    edge = _EDGE if asked.width is None else _NARROW_EDGE
    if asked.width is not None:
        all_frames, columns = _fitted(all_frames, columns, asked.width)
    title = style.heading(title)
    all_frames = [_in_grid(frame, place, columns, len(all_frames)) for place, frame in enumerate(all_frames)]
    rows = [all_frames[i : i + columns] for i in range(0, len(all_frames), columns)]
    widths = [max(frame.left + frame.wide + frame.right for frame in all_frames[column::columns]) for column in range(columns)]
    width = max(sum(widths) + 2 * edge, 6.0) if asked.width is None else asked.width
    lines = [] if asked.bare else style.wrapped(caption, 0.97 * (width - 2 * edge))
    heading = [] if asked.bare else style.wrapped(title, width - 2 * edge, _BOLD * 1.2 * style.FONT)
    foot = _LINE * style.SMALL / 9 * len(lines) + 0.2 if lines else 0.0
    top = 0.22 * style.FONT / 10 * len(heading) + 0.15 if heading else 0.0
    if asked.width is not None:
        rows = _lowered(rows, PAGE - foot - top - edge)
    heights = [_height(row) for row in rows]
    height = sum(heights) + foot + top + edge
    made = Figure(figsize=(width, height))
    made.caption = caption  # type: ignore[attr-defined]
    made.text(edge / width, 1 - 0.12 / height, "\n".join(heading), fontsize=1.2 * style.FONT, fontweight="bold", va="top")
    made.text(edge / width, 0.1 / height, "\n".join(lines), fontsize=style.SMALL, color="#555555", va="bottom", linespacing=1.25)
    axes = []
    y = height - top
    for row, high in zip(rows, heights, strict=True):
        for column, frame in enumerate(row):
            x = edge + sum(widths[:column]) + frame.left
            bottom = y - max(other.above for other in row) - frame.high  # Panels of a row stand at one height.
            axes.append(made.add_axes((x / width, bottom / height, frame.wide / width, frame.high / height)))
            end_labels.put_labels_below(axes[-1], frame.columns, frame.deep)
        y -= high
    return made, axes


def is_narrow() -> bool:
    """Whether figures have the width of a column of print."""
    width = style.layout().width
    return width is not None and width < _BROAD


def _height(row: Sequence[Frame]) -> float:
    return max(frame.above for frame in row) + max(frame.high + frame.below for frame in row)


def _lowered(rows: Sequence[Sequence[Frame]], room: float) -> list[list[Frame]]:
    """The rows of frames, lower if they need more than `room` inches, so that they fit or are as low as panels may be."""
    spare = (room - sum(map(_height, rows))) / len(rows)
    return [[replace(frame, high=max(min(frame.high, _FLATTEST), frame.high + min(spare, 0.0))) for frame in row] for row in rows]


def _fitted(frames: Sequence[Frame], columns: int, width: float) -> tuple[list[Frame], int]:
    """Frames for a figure of this width in inches, its edges included, and the number of columns. Panels become narrower or
    wider; if there is no room side by side, there are fewer columns.

    BadOption if there is no room for one column.
    """
    part = style.FONT / 10
    scaled = [
        replace(
            frame,
            left=frame.left * part + _LABEL * (1 - part),
            above=frame.above * part,
            below=frame.below * part,
            inner=None if frame.inner is None else frame.inner * part,
            between=None if frame.between is None else frame.between * part,
        )
        for frame in frames
    ]
    while True:
        first = max(frame.left + frame.right for frame in scaled)
        others = max((frame.left if frame.inner is None else frame.inner) + frame.right for frame in scaled)
        wide = (width - 2 * _NARROW_EDGE - first - (columns - 1) * others) / columns
        if wide >= (_LEAST_WIDE if scaled[0].inner is None else _LEAST_IN_GRID) or columns == 1:
            break
        columns -= 1
    if wide < _LEAST_WIDE / 2:
        raise BadOption(f"a figure of {width:g} in has no room beside its labels; --font smaller, or --as with shorter names")
    flattest = 0.6 if scaled[0].inner is None else 0.45
    return [replace(frame, wide=wide, high=frame.high * min(1.0, max(flattest, wide / frame.wide))) for frame in scaled], columns


def _in_grid(frame: Frame, place: int, columns: int, number: int) -> Frame:
    """A frame with the room and the labels that it needs at its place in a grid."""
    if place % columns and frame.inner is not None:
        frame = replace(frame, left=frame.inner)
    if frame.between is None:
        return frame
    last_row = (number - 1) // columns * columns
    # Labels below panels are drawn once, under the first panel of the last row.
    labels = NO_LABELS if frame.columns and place != last_row else frame.columns
    return replace(frame, below=frame.between if place < last_row else frame.below, columns=labels)


def evenly(items: Sequence[T], most: int) -> list[Sequence[T]]:
    """Some things, at least one, in parts of similar size, none larger than `most`."""
    size = math.ceil(len(items) / math.ceil(len(items) / most))
    return [items[i : i + size] for i in range(0, len(items), size)]


def paged(stem: str, items: Sequence[T], most: int, narrow: int | None = None) -> list[tuple[str, Sequence[T]]]:
    """The things in each figure, after the name of its file; if there are several figures, names have numbers. at most
    `most` are in a figure, and at most `narrow` in a narrow one."""
    pages = evenly(items, (narrow or most) if is_narrow() else most) if items else []
    return [(f"{stem}-{page}" if len(pages) > 1 else stem, some) for page, some in enumerate(pages, 1)]


def columns_of(axes: Sequence[Axes]) -> int:
    """The number of panels in the first row of a figure."""
    return sum(math.isclose(panel.get_position().y1, axes[0].get_position().y1) for panel in axes)


def inches_of(panel: Axes, *, upright: bool = False) -> float:
    """The width of a panel in inches, or its height."""
    box, (wide, high) = panel.get_position(), panel.figure.get_size_inches()  # type: ignore[union-attr]
    return float(box.height * high if upright else box.width * wide)


def head(panel: Axes, name: str, *parts: str, lift: float = 0.0) -> None:
    """Write a name over a panel, and `parts` below the name; `lift` is the room between them and the panel, in inches."""
    lines = folded_head(inches_of(panel) + GAP, name, *parts)
    panel.set_title("\n".join(lines), loc="left", pad=6.0 + 72 * lift)


def folded_head(wide: float, name: str, *parts: str) -> list[str]:
    """The lines of a heading, no wider than `wide` inches: the name, then the parts after each other."""
    lines: list[str] = []
    for part in parts:
        longer = f"{lines[-1]}, {part}" if lines else part
        if lines and style.text_inches(longer, style.FONT) <= wide:
            lines[-1] = longer
        else:
            lines += folded(part, wide)
    return [*folded(name, wide), *lines]


def able(table: Table) -> Table:
    """The table without the solvers that attempted less than half of its problems, which would leave few for all, and without
    those that can only prove that there is no tiling."""
    return table.only(solvers=lambda solver: 2 * len(table.attempted(solver)) >= len(table.problems) and not only_proves(solver))


def about_left_out(table: Table) -> str:
    """The words about the solvers that `able` leaves out; empty if there are none."""
    left = {solver: name for solver, name in labels(table.solvers).items() if solver not in able(table).solvers}
    reasons = grouped(
        ("only prove" if only_proves(solver) else "attempted less than half of the problems", name)
        for solver, name in left.items()
    )
    return "".join(f" Left out, as they {reason}: {', '.join(some)}." for reason, some in reasons.items())


def about_points(have_tiling: Iterable[bool]) -> str:
    """What filled and empty points mean, for a sentence about a point; empty if all are filled."""
    kinds = set(have_tiling)
    return " (filled: has a tiling; open: has none)" if len(kinds) > 1 else " (open: has no tiling)" if kinds == {False} else ""


def folded(text: str, inches: float) -> list[str]:
    """A name in lines no wider than `inches`, broken between words and after slashes; a longer word is broken anywhere.

    >>> folded("frontier filter=off anchor=off", 0.9)
    ['frontier', 'filter=off', 'anchor=off']
    """
    lines: list[str] = []
    for word in re.findall(r"\S+?(?:/|\s+|$)", text):
        longer = (lines[-1] if lines else "") + word
        if lines and style.text_inches(longer.rstrip(), style.FONT) <= inches:
            lines[-1] = longer
            continue
        rest = word
        while style.text_inches(rest.rstrip(), style.FONT) > inches and len(rest) > 1:
            fits = next((n for n in range(len(rest) - 1, 1, -1) if style.text_inches(rest[:n], style.FONT) <= inches), 1)
            lines.append(rest[:fits])
            rest = rest[fits:]
        lines.append(rest)
    return [line.rstrip() for line in lines]


def room_for_heads(frame: Frame, heads: Sequence[Sequence[str]], columns: int, foot: str = "") -> list[Frame]:
    """The frames of the panels of a grid, with room for the `heads`, each a name and the parts below it, and for `foot`, a name
    below, if these need more lines than two and one."""
    width = style.layout().width
    wide = GAP + (frame.wide if width is None else _fitted([frame], min(columns, len(heads)), width)[0][0].wide)
    line = 1.25 * 10 / 72  # The sizes of frames are given for letters of 10 points.
    below = frame.below + (len(folded(foot, wide + GAP)) - 1) * line if foot else frame.below
    more = (max(0, len(folded_head(wide, *head)) - 2) for head in heads)
    return [replace(frame, above=frame.above + lines * line, below=below) for lines in more]


def tell_axes_once(axes: Sequence[Axes], *, across: bool = True) -> None:
    """Keep the labels of vertical axes only on the left of a grid. If `across`, horizontal axes are equal too, and only the
    lowest panels keep their labels."""
    columns = columns_of(axes)
    for place, panel in enumerate(axes):
        if place % columns:
            panel.tick_params(labelleft=False)
            panel.set_ylabel("")
        if across and place + columns < len(axes):
            panel.tick_params(labelbottom=False)
            panel.set_xlabel("")


def context(table: Table, note: str = "") -> str:
    """The caption of a figure: how to read it, then the goal, the limits, the clock, the numbers of problems and runs, the days
    and the machines, and which solvers most problems do not tell apart."""
    records = table.records
    days = sorted({str(record.get("started", ""))[:10] for record in records} - {""})
    when = f" of {days[0]}" + (f" to {days[-1]}" if len(days) > 1 else "") if days else ""
    limits = limits_in_words(table.limits)
    runs = sum(table.cell(problem, solver).repeats for problem in table.problems for solver in table.solvers)
    start = findings.start_in_words(table)
    if repeats(table):
        note = f"{note} {_MEDIAN}".strip()
    text = (
        f"Goal: {table.goal}; limits of a run: {limits}; {'; '.join(filter(None, (table.clock.meaning, start)))}. "
        f"{counted(len(table.problems), 'problem')}, {counted(len(table.solvers), 'solver')}, {counted(runs, 'run')}{when}"
    )
    places = sorted({place(record) for record in records} - {""})
    if places:
        text += f"; {'; '.join(places[:2])}" + (" and others" if len(places) > 2 else "")
    made_by = codes(records)
    if made_by:
        text += f"; {made_by[0] if len(made_by) == 1 else f'{len(made_by)} versions of the code'}"
    for told in filter(None, (findings.beforehand(table), findings.provers(table))):
        text += f"; {told}"
    shared = disturbed(records)
    if shared:
        text += f"; made under load: {shared} of these runs shared the processor with other programs"
    starved = findings.starved_in_words(records)
    if starved:
        text += f"; {starved}"
    text = " ".join((f"{text}.", *findings.alike(table)[:1]))
    return f"{note}\n{text}" if note else text


_MEDIAN = "If a solver ran several times on a problem, the median is shown; a run that did not solve it counts as the longest."

#: What bars mean, for the notes of figures that have some.
BARS = " Bars reach from the fastest to the slowest of these times, or to the limit if a run did not solve the problem."


def labels_of(table: Table) -> dict[str, str]:
    """A label for each solver; after the name of one that solved nothing stands of how many problems: `minisat  0/12`."""
    names = labels(table.solvers)
    tried = {solver: table.attempted(solver) for solver in table.solvers}
    return {
        solver: name if any(cell.is_solved for cell in tried[solver]) else f"{name}  0/{len(tried[solver])}"
        for solver, name in names.items()
    }


def repeats(table: Table) -> bool:
    """Whether a solver was asked about a problem several times."""
    return any(cell.repeats > 1 for cell in table.cells.values())


def extent(cell: Cell, limit: float | None) -> tuple[float, float] | None:
    """The least and most seconds of the repeats of a cell; the most is the limit if a repeat did not solve the problem. None if
    there are no repeats, or if none solved it."""
    if cell.repeats < 2 or cell.end is End.WRONG or not cell.every or math.isinf(cell.every[0]):
        return None
    solved = [seconds for seconds in cell.every if not math.isinf(seconds)]
    return solved[0], solved[-1] if len(solved) == cell.repeats or limit is None else limit


def limits_in_words(limits: Mapping[str, Any]) -> str:
    """The limits of a run in words. Threads are named only if there are several.

    >>> limits_in_words({"seconds": 10.0, "megabytes": 2048, "nodes": None, "threads": 1})
    '10 s, 2048 MiB'
    >>> limits_in_words({"seconds": 10.0, "threads": 2})
    '10 s, 2 threads'
    """
    units = {"seconds": "s", "megabytes": "MiB", "nodes": "nodes", "solutions": "tilings"}
    words = [
        f"{limits[key]:g} {unit}" if key == "seconds" else f"{limits[key]} {unit}"
        for key, unit in units.items()
        if limits.get(key)
    ]
    words += [f"{limits['threads']} threads"] if limits.get("threads", 1) != 1 else []
    return ", ".join(words) or "none"


def question_as_name(goal: str, limits: Mapping[str, Any]) -> str:
    """A goal and limits as a name that a folder can have.

    >>> question_as_name("decide", {"seconds": 10.0, "megabytes": 2048})
    'decide-10s-2048MiB'
    """
    return f"{goal}-{limits_in_words(limits)}".replace(" ", "").replace(",", "-")


def place(record: Record) -> str:
    """The machine a record was made on."""
    there = record.get("environment") or {}
    cores = there.get("cores")
    return ", ".join(
        filter(None, [str(there.get("cpu") or ""), counted(cores, "core") if cores else "", str(there.get("platform") or "")])
    )


def codes(records: Iterable[Record]) -> tuple[str, ...]:
    """The versions of the code that records were made by.

    Each backend has a fingerprint of its own, so an installation is one version unless a backend has several.
    """
    by_backend: dict[str, dict[tuple[str, str | None], str]] = defaultdict(dict)
    for record in sorted(records, key=lambda record: str(record.get("started"))):
        there, version = record.get("environment") or {}, (record.get("versions") or {}).get("tiler")
        commit, fingerprint = there.get("commit"), record.get("sources") or there.get("sources")
        if version:
            text = f"tiler {version}" + (f" ({commit})" if commit else "")
            by_backend[backend(str(record["solver"]))].setdefault((version, fingerprint or commit), text)
    most = max(by_backend.values(), key=len, default={})
    all_told = {text for texts in by_backend.values() for text in texts.values()}
    if len(all_told) < len(most):  # Then only the fingerprints of a backend distinguish the versions.
        all_told = {f"{text} (code {fingerprint})" for (_, fingerprint), text in most.items()}
    return tuple(sorted(all_told))


def casts(table: Table) -> list[tuple[str, Table]]:
    """Tables of few solvers, each with an ending for names of files. A table of up to `style.MANY` solvers, or of variants of one
    backend, stays as it is. From a larger one come a table with the best variant of every backend and the solvers to highlight,
    and a table for each backend with several variants."""
    if len(table.solvers) <= style.MANY or len(set(map(backend, table.solvers))) == 1:
        return [("", table)]
    best: dict[str, str] = {}
    for spec in ranking(table):
        best.setdefault(backend(spec), spec)
    chosen = {*best.values(), *style.layout().highlight}
    parts = [("", table.only(solvers=chosen.__contains__))]
    for name in dict.fromkeys(map(backend, table.solvers)):
        variants = [spec for spec in table.solvers if backend(spec) == name]
        if len(variants) > 1:
            parts.append((f"-{name}", table.only(solvers=set(variants).__contains__)))
    return parts
