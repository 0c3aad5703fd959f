"""Plot the best solver against each of the others, with a point for every problem: above the diagonal the best solver is
faster."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tiler.bench.speedup import speedup
from tiler.bench.stats import Cell, End, RecordedInstance, Table, ranking
from tiler.report import panels, style
from tiler.report.names import labels, shortened
from tiler.report.panels import Drawing, Frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HELP = "one solver against another; unsolved problems lie on the border"
TITLE = "One solver against another"
NOTE = (
    "A point is a problem{kinds}. Above the diagonal the solver along the bottom is faster than the solver in the heading. Thin "
    "lines mark 10 and 100 times.{border}{missing} The heading compares the solver to {best} by the geometric mean over the "
    "problems that both solved; n is their number, of all problems that both were asked.{without}"
)
_BORDER = " A point on the border was not solved by that solver."
_MISSING = " Problems that one of the two never ran are left out."
_WITHOUT = " Left out, as no problem was solved by both: {solvers}."
_ONE = 4.4  # the size of a panel without others, in inches

_COLUMNS = 3
_PANELS, _NARROW_PANELS = 9, 6  # the most panels of a figure, and of a narrow one


def suits(table: Table) -> bool:
    return len(_pairs(table)[0]) > 0


def draw(table: Table) -> Iterator[Drawing]:
    pairs, without = _pairs(table)
    for stem, some in panels.paged("scatter", pairs, _PANELS, _NARROW_PANELS):
        yield _page(stem, table, some, without)


def _pairs(table: Table) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The best solver against each of the others that was asked the same as it, in the order of the ranking: those with an
    answer in common, and those without."""
    order = ranking(table)
    asked = [p for p in table.problems if table.cell(p, order[0]).is_attempted] if order else []
    pairs = [(order[0], other) for other in order[1:] if any(table.cell(p, other).is_attempted for p in asked)]
    compared = [pair for pair in pairs if speedup(table, *pair) is not None]
    return compared, [pair for pair in pairs if pair not in compared]


def _page(stem: str, table: Table, pairs: Sequence[tuple[str, str]], without: Sequence[tuple[str, str]]) -> Drawing:
    names, specs, looks = panels.labels_of(table), shortened(table.solvers), style.looks_of(table)
    frame = Frame(2.3, 2.3, left=0.85, right=0.2, above=0.55, below=0.65, inner=0.25, between=0.15)
    if len(pairs) == 1:
        frame = replace(frame, wide=_ONE, high=_ONE)
    foot = f"{names[pairs[0][0]]}: {table.clock} seconds"
    heads = [(names[b], *_heading(table, a, b)) for a, b in pairs]
    frames = panels.room_for_heads(frame, heads, _COLUMNS, foot)
    figure, axes = panels.figure(TITLE, panels.context(table, _note(table, pairs, without)), frames, columns=_COLUMNS)
    took = [s for pair in pairs for solver in pair for p in table.problems if (s := table.cell(p, solver).seconds) is not None]
    low, high = style.decades(took, at_least=2, margin=1.0)
    border = high * (high / low) ** 0.06
    top = border * (high / low) ** 0.035
    for panel, (a, b), head in zip(axes, pairs, heads, strict=True):
        _guides(panel, low, high, border, top)
        clouds: dict[tuple[str, bool], list[tuple[float, float]]] = defaultdict(list)
        for problem, one, two in _points(table, a, b):
            paint = style.RED if End.WRONG in (one.end, two.end) else style.dark(looks[b].colour)
            place = (border if cell.seconds is None else cell.seconds for cell in (one, two))
            _bars(panel, one, two, border, table.seconds_limit, paint)
            clouds[paint, problem.verdict != "unsat"].append(tuple(place))  # type: ignore[arg-type]
        for (paint, filled), points in clouds.items():
            fill = paint if filled else "none"
            panel.plot(*zip(*points, strict=True), "o", mfc=fill, mec=paint, alpha=0.75, clip_on=False, zorder=3)
        panel.set_xlabel("\n".join(panels.folded(foot, panels.inches_of(panel) + panels.GAP)))
        panel.set_ylabel(f"{table.clock} seconds")
        panels.head(panel, *head)
    panels.tell_axes_once(axes)
    rows = (
        {"a": specs[a], "b": specs[b], "instance": p.name, "verdict": p.verdict, **_ends("a", one), **_ends("b", two)}
        for a, b in (*pairs, *without)
        for p, one, two in _points(table, a, b)
    )
    return Drawing(stem, TITLE, figure, tuple(rows))


def _points(table: Table, a: str, b: str) -> Iterator[tuple[RecordedInstance, Cell, Cell]]:
    """The problems that both were asked and one solved, with the cells of both."""
    for problem in table.problems:
        one, two = table.cell(problem, a), table.cell(problem, b)
        if one.is_attempted and two.is_attempted and (one.is_solved or two.is_solved):
            yield problem, one, two


def _bars(panel: Axes, one: Cell, two: Cell, border: float, limit: float | None, paint: str) -> None:
    """Draw bars from the fastest to the slowest of the repeats, along both axes."""
    x, y = (border if cell.seconds is None else cell.seconds for cell in (one, two))
    along, up = panels.extent(one, limit), panels.extent(two, limit)
    if along is not None:
        panel.hlines(y, *along, color=paint, lw=0.7, alpha=0.6)
    if up is not None:
        panel.vlines(x, *up, color=paint, lw=0.7, alpha=0.6)


def _ends(key: str, cell: Cell) -> dict[str, Any]:
    return {f"{key}_end": cell.end, f"{key}_seconds": cell.seconds}


def _note(table: Table, pairs: Sequence[tuple[str, str]], without: Sequence[tuple[str, str]]) -> str:
    """How to read the figure: what is in it."""
    names = panels.labels_of(table)
    cells = [(p.verdict != "unsat", table.cell(p, a), table.cell(p, b)) for a, b in pairs for p in table.problems]
    asked = [cell for cell in cells if cell[1].is_attempted and cell[2].is_attempted]
    shown = [cell for cell in asked if cell[1].is_solved or cell[2].is_solved]
    note = NOTE.format(
        kinds=panels.about_points(has_tiling for has_tiling, _, _ in shown),
        border="" if all(one.is_solved and two.is_solved for _, one, two in shown) else _BORDER,
        missing="" if len(asked) == len(cells) else _MISSING,
        best=names[pairs[0][0]],
        without=_WITHOUT.format(solvers=", ".join(names[b] for _, b in without)) if without else "",
    )
    return note + panels.BARS * panels.repeats(table)


def _heading(table: Table, a: str, b: str) -> tuple[str, ...]:
    """The words about solver b against solver a, which is along the bottom; in a narrow figure without what the caption and the
    borders tell."""
    names = labels(table.solvers)
    cells = [(table.cell(problem, a), table.cell(problem, b)) for problem in table.problems]
    solved = Counter((one.is_solved, two.is_solved) for one, two in cells if one.is_attempted and two.is_attempted)
    gain = speedup(table, a, b)
    assert gain is not None  # Only such pairs have panels.
    mean, n = _in_words(1 / gain.factor), f"n = {solved[True, True]} of {solved.total()}"
    if panels.is_narrow():
        return mean.removesuffix(" than"), n
    left_out = (
        (solved[True, False], f"not solved by {names[b]}"),
        (solved[False, True], f"not solved by {names[a]}"),
        (solved[False, False], "not solved by either"),
    )
    left_out_lines = [f"{number} {words}" for number, words in left_out if number]
    return f"{mean} {names[a]}", n, *left_out_lines


def _in_words(factor: float) -> str:
    """A speed-up in words.

    >>> _in_words(2.34), _in_words(0.01), _in_words(1.02)
    ('2.3 times faster than', '100 times slower than', 'as fast as')
    """
    times, word = (factor, "faster") if factor >= 1 else (1 / factor, "slower")
    return "as fast as" if times < 1.05 else f"{times:,.{0 if times >= 10 else 1}f} times {word} than"


def _guides(panel: Axes, low: float, high: float, border: float, top: float) -> None:
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.set_xlim(low, top)
    panel.set_ylim(low, top)
    style.seconds_axis(panel.xaxis)
    style.seconds_axis(panel.yaxis)
    for factor, width in ((1.0, 1.0), (10.0, 0.6), (0.1, 0.6), (100.0, 0.6), (0.01, 0.6)):
        start, end = max(low, low / factor), min(high, high / factor)
        if start < end:
            panel.plot(
                [start, end], [start * factor, end * factor], color=style.FAINT, lw=width, ls="-" if factor == 1 else (0, (4, 3))
            )
    for line in (panel.axhline, panel.axvline):
        line(border, color=style.FAINT, lw=0.8)
