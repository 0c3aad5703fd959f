"""Compare two campaigns in tables; what got worse comes first."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from tiler.amounts import counted, duration
from tiler.bench.compare import Change, Comparison, Pair
from tiler.bench.record import is_starved
from tiler.bench.stats import Cell
from tiler.report.document import Block, Bullets, Heading, Paragraph, Tabular
from tiler.report.names import labels
from tiler.report.panels import limits_in_words

_MOST = 40  # the most lines about single problems


def blocks(comparisons: Sequence[Comparison], before: str, after: str) -> Iterator[Block]:
    """The blocks of the report that compares two campaigns."""
    yield Heading(f"{after} against {before}", 1)
    for comparison in comparisons:
        names = labels([change.solver for change in comparison.changes])
        yield Heading(f"Goal {comparison.goal}, limits {limits_in_words(comparison.limits)}")
        moved, slower, sure = comparison.moved, comparison.slower, comparison.surely_slower
        lost, starved = sum(pair.is_worse for pair in moved), sum(pair.is_starved for pair in moved)
        if lost:
            load = f"; {starved} of them timeouts with less than half of the limit in CPU seconds" if starved else ""
            yield Paragraph(f"{counted(lost, 'answer')} lost or wrong now{load}.", loud=True)
        if comparison.counted_otherwise:
            yield Paragraph(f"{counted(len(comparison.counted_otherwise), 'count')} came out otherwise.", loud=True)
        if comparison.answered_otherwise:
            yield Paragraph("One says that there is a tiling, and the other that there is none:", loud=True)
            contradictions = [f"{pair.problem}: {names[pair.solver]}" for pair in comparison.answered_otherwise]
            yield Bullets(_listed(contradictions), loud=True)
        yield _changes(comparison, names)
        doubts = _doubts(comparison, before, after)
        if any(change.factor is not None for change in comparison.changes):
            yield Bullets((_drift(comparison), *doubts))
        if comparison.counted_otherwise:
            yield Heading("Other counts", 3)
            yield Bullets(_listed([_numbers(pair, pair.counts, names) for pair in comparison.counted_otherwise]))
        if comparison.with_nodes:
            yield Paragraph(_nodes(comparison))
        if comparison.searched_otherwise:
            yield Heading("Other numbers of nodes", 3)
            yield Bullets(_listed([_numbers(pair, pair.nodes, names) for pair in comparison.searched_otherwise]))
        if moved:
            yield Heading("Other ends", 3)
            yield Bullets(_listed([_moved(pair, names) for pair in moved]))
        for title, some in (("Slower", sure), ("Slower, not certain", [pair for pair in slower if pair not in sure])):
            if some:
                yield Heading(title, 3)
                yield Bullets(_listed([_slower(pair, names) for pair in some]))


def _changes(comparison: Comparison, names: dict[str, str]) -> Tabular:
    rows = tuple(
        (
            names[change.solver],
            f"{change.solved[0]}/{len(change.pairs)}",
            f"{'!' if change.solved[1] < change.solved[0] else ''}{change.solved[1]}/{len(change.pairs)}",
            *_factor(change),
            str(change.number),
        )
        for change in comparison.changes
    )
    note = (
        f"Runs that both have, with the same solver, problem and question; {comparison.clock.meaning}. Times faster is the "
        "geometric mean over the problems solved both times; above 1 the second is faster. All intervals together hold with 95 % "
        "for the choice of problems, the spread of repeats and the drift of the machine. If one contains 1, or ? follows it, it "
        "is not known which one is faster."
    )
    return Tabular(("solver", "solved before", "after", "times faster", "95 %", "both"), rows, note)


def _factor(change: Change) -> tuple[str, str]:
    if change.factor is None:
        return "-", "-"
    loud = "!" if change.is_sure and change.factor < 1 else ""
    doubt = " ?" if change.is_outside and not change.is_sure else ""
    return f"{loud}{change.factor:.2f}", f"{change.low:.2f} to {change.high:.2f}{doubt}" if change.high != math.inf else "-"


def _nodes(comparison: Comparison) -> str:
    """Whether it was the same search."""
    every, others = len(comparison.with_nodes), len(comparison.searched_otherwise)
    if others:
        return f"The same number of nodes in {every - others:,} of {counted(every, 'run')} with nodes."
    cause = "the machine" if comparison.is_same_code else "the machine, or the time that the code takes for a node"
    code = ", and the same code" if comparison.is_same_code else ""
    return (
        f"The same search{code}: the same number of nodes in {every:,} of {counted(every, 'run')} with nodes. What differs in "
        f"seconds is {cause}."
    )


def _drift(comparison: Comparison) -> str:
    """How the drift of the machine was dealt with."""
    if all(change.is_by_turns for change in comparison.changes if change.factor is not None):
        return "Both versions made each run by turns, so the drift of the machine shifts both alike."
    drift = comparison.drift
    if drift is None:
        return (
            "The drift of the machine between the two is not known, as the records have too few calibrations by one version of "
            "Python: no change is called certain. tiler bench --against makes the runs of both by turns."
        )
    factor, low, high = drift.interval
    return (
        f"The machine itself became {factor:.2f} times as fast ({low:.2f} to {high:.2f}), as the calibrations show; the "
        "intervals hold this."
    )


def _doubts(comparison: Comparison, before: str, after: str) -> tuple[str, ...]:
    """The reasons why the factors of some solvers are uncertain, although the problems agree."""
    doubtful = [change for change in comparison.changes if change.is_outside and not change.is_sure]
    doubts = []
    if any(change.is_single for change in doubtful):
        doubts.append("Not certain (?): runs were made once, so their spread is not known. tiler bench --repeat 3 makes several.")
    for name, place in ((before, 0), (after, 1)):
        if any(change.is_loaded[place] for change in doubtful):
            doubts.append(
                f"Not certain (?): other programs kept the processor busy during {name}. Run it again on an idle machine; "
                "--clock cpu suffers less."
            )
    return tuple(doubts)


def _moved(pair: Pair, names: dict[str, str]) -> str:
    return f"{pair.problem}: {names[pair.solver]}: {_end(pair.before)} before, {_end(pair.after)} now"


def _slower(pair: Pair, names: dict[str, str]) -> str:
    factor = 1 / (pair.factor or 1.0)
    return f"{pair.problem}: {names[pair.solver]}: {factor:.1f} times slower, {_end(pair.before)} before, {_end(pair.after)} now"


def _end(cell: Cell) -> str:
    if cell.seconds is not None:
        return duration(cell.seconds)
    if cell.record is not None and is_starved(cell.record):
        return f"timeout ({duration(cell.record.get('cpu_seconds') or 0.0)} of CPU)"
    return cell.end.in_words


def _numbers(pair: Pair, numbers: tuple[int, int] | None, names: dict[str, str]) -> str:
    before, after = numbers or (0, 0)
    return f"{pair.problem}: {names[pair.solver]}: {before:,} before, {after:,} now"


def _listed(lines: Sequence[str]) -> tuple[str, ...]:
    """The first lines of a list, and the number of lines left out."""
    return (*lines[:_MOST], *([f"and {len(lines) - _MOST} more"] if len(lines) > _MOST else []))
