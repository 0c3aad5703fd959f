"""Show how far the seconds of a solver on a problem spread over forms, seeds and repeats, and what that leaves open: who is
faster on a problem, and which places in the ranking depend on the form in which problems are written (bench/scramble.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from tiler.amounts import counted, duration
from tiler.bench import stats
from tiler.bench.stats import Cell, Table
from tiler.grouping import grouped
from tiler.report.document import Tabular
from tiler.report.names import labels

_MOST_SOLVERS = 6
_MOST_PROBLEMS = 60
_MOST_CHANGES = 12


def by_problem(table: Table) -> Tabular | None:
    """A row for each problem that was asked several times: for the best solvers median and range, and whose ranges overlap with
    the fastest solver's range. None if every run was made once."""
    shown = stats.ranking(table)[:_MOST_SOLVERS]
    problems = [p for p in table.problems if any(table.cell(p, solver).repeats > 1 for solver in shown)]
    if not problems:
        return None
    names = labels(table.solvers)
    rows = []
    for problem in problems[:_MOST_PROBLEMS]:
        cells = {solver: table.cell(problem, solver) for solver in shown}
        rows.append((problem.name, *(_range(cell) for cell in cells.values()), _fastest(cells, names)))
    note = (
        "Median of the runs, and in brackets the least and the most of those that solved the problem. Within the scatter: the "
        "ranges of two solvers overlap, where an unsolved run is infinitely long, so these runs do not say which one is faster "
        "there."
    )
    if len(problems) > len(rows):
        note += f" Shown are {len(rows)} of {counted(len(problems), 'problem')}."
    if len(table.solvers) > len(shown):
        note += f" Shown are the best {len(shown)} of {len(table.solvers)} solvers."
    return Tabular(("problem", *(names[solver] for solver in shown), "fastest"), tuple(rows), note)


def _range(cell: Cell) -> str:
    """Median and range in words, and how many runs solved the problem if not all did; the end if the median is not solved."""
    if not cell.is_attempted:
        return ""
    some = f"{cell.solved} of {cell.repeats} solved" if 0 < cell.solved < cell.repeats else ""
    if cell.seconds is None or cell.least is None or cell.most is None:
        return f"{cell.end.in_words} ({some})" if some else cell.end.in_words
    return f"{duration(cell.seconds)} ({', '.join(filter(None, [f'{duration(cell.least)} to {duration(cell.most)}', some]))})"


def _fastest(cells: dict[str, Cell], names: dict[str, str]) -> str:
    solved = {solver: cell for solver, cell in cells.items() if cell.seconds is not None}
    if not solved:
        return "-"
    first = min(solved, key=lambda solver: solved[solver].seconds or 0.0)
    others = [names[solver] for solver, cell in solved.items() if solver != first and not cell.is_apart(solved[first])]
    return f"{names[first]}; within the scatter: {', '.join(others)}" if others else names[first]


def about_rankings(table: Table) -> list[str]:
    """Sentences about the places in the ranking that depend on the form of the problems; none if there is one form only."""
    numbers, names = _forms(table), labels(table.solvers)
    if len(numbers) < 2 or len(table.solvers) < 2:
        return []
    changes = rank_changes(table)
    if not changes:
        return [f"The ranking is the same in each of the {len(numbers)} forms of the problems."]
    sentences = [
        f"A scramble changes the ranking: {names[change.first]} comes before {names[change.second]} by the medians over all "
        f"forms, but after it in {len(change.forms)} of the {len(numbers)} forms."
        for change in changes[:_MOST_CHANGES]
    ]
    left = len(changes) - _MOST_CHANGES
    return [*sentences, f"So do {left} other pairs of solvers."] if left > 0 else sentences


@dataclass(frozen=True)
class RankChange:
    """Two solvers that change places: `first` is before `second` by the medians over all forms, but not in each form alone."""

    first: str
    second: str
    forms: tuple[int, ...]  #: in which `second` comes first


def _forms(table: Table) -> tuple[int, ...]:
    """The numbers of the forms in which problems were asked."""
    return tuple(sorted({record.get("form") or 0 for record in table.records}))


def rank_changes(table: Table) -> tuple[RankChange, ...]:
    """The pairs of solvers that a scramble makes change places, in the order of the ranking; none if there is one form only.

    Solvers that were not asked in a form are not ranked there.
    """
    numbers = _forms(table)
    if len(numbers) < 2:
        return ()
    by_form = grouped((record.get("form") or 0, record) for record in table.records)
    ranked = {number: stats.ranking(stats.tabulate(by_form[number], table.clock)) for number in numbers}
    changes = []
    for first, second in combinations(stats.ranking(table), 2):
        reverse = tuple(number for number, order in ranked.items() if _comes_first(second, first, order))
        if reverse:
            changes.append(RankChange(first, second, reverse))
    return tuple(changes)


def _comes_first(one: str, other: str, order: tuple[str, ...]) -> bool:
    return one in order and other in order and order.index(one) < order.index(other)
