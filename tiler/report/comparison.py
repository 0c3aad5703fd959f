"""Two campaigns side by side, as tables: what got worse first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tiler.amounts import counted, duration
from tiler.bench.compare import Change, Comparison, Pair
from tiler.bench.stats import Cell
from tiler.report.document import Block, Bullets, Heading, Paragraph, Tabular
from tiler.report.names import labels
from tiler.report.panels import limits_in_words

_MOST = 40  # lines of single problems


def blocks(found: Sequence[Comparison], before: str, after: str) -> Iterator[Block]:
    """The report of a comparison."""
    yield Heading(f"{after} against {before}", 1)
    for each in found:
        names = labels([change.solver for change in each.changes])
        yield Heading(f"Goal {each.goal}, limits {limits_in_words(each.limits)}")
        moved, slower = each.moved, each.slower
        lost = sum(pair.is_worse for pair in moved)
        if lost:
            yield Paragraph(f"{counted(lost, 'answer')} lost or wrong now.", loud=True)
        yield _changes(each, names)
        if moved:
            yield Heading("Other ends", 3)
            yield Bullets(tuple(_moved(pair, names) for pair in moved[:_MOST]) + _rest(len(moved)))
        if slower:
            yield Heading("Slower", 3)
            yield Bullets(tuple(_slower(pair, names) for pair in slower[:_MOST]) + _rest(len(slower)))


def _changes(each: Comparison, names: dict[str, str]) -> Tabular:
    rows = tuple(
        (
            names[change.solver],
            f"{change.solved[0]}/{len(change.pairs)}",
            f"{'!' if change.solved[1] < change.solved[0] else ''}{change.solved[1]}/{len(change.pairs)}",
            *_factor(change),
            str(change.number),
        )
        for change in each.changes
    )
    note = (
        f"Problems that both have, asked the same; {each.clock.meaning}. Times faster: above 1 the second is faster; the "
        "geometric mean over the problems solved both times, with a 95 % interval from resampling them. Where that holds 1, "
        "nothing is known."
    )
    return Tabular(("solver", "solved before", "after", "times faster", "95 %", "both"), rows, note)


def _factor(change: Change) -> tuple[str, str]:
    if change.factor is None:
        return "-", "-"
    loud = "!" if change.is_sure and change.factor < 1 else ""
    return f"{loud}{change.factor:.2f}", f"{change.low:.2f} to {change.high:.2f}"


def _moved(pair: Pair, names: dict[str, str]) -> str:
    return f"{pair.problem}: {names[pair.solver]}: {_end(pair.before)} before, {_end(pair.after)} now"


def _slower(pair: Pair, names: dict[str, str]) -> str:
    factor = 1 / (pair.factor or 1.0)
    return f"{pair.problem}: {names[pair.solver]}: {factor:.1f} times slower, {_end(pair.before)} before, {_end(pair.after)} now"


def _end(cell: Cell) -> str:
    return duration(cell.seconds) if cell.seconds is not None else cell.end.in_words


def _rest(number: int) -> tuple[str, ...]:
    return (f"and {number - _MOST} more",) if number > _MOST else ()
