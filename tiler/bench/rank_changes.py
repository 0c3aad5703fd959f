"""Find out which places in the ranking depend on the form in which problems are written (scramble.py)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from tiler.bench.stats import Table, ranking, tabulate


@dataclass(frozen=True)
class RankChange:
    """Two solvers that change places: `first` is before `second` by the medians over all forms, but not in each form alone."""

    first: str
    second: str
    forms: tuple[int, ...]  #: in which `second` comes first


def forms(table: Table) -> tuple[int, ...]:
    """The numbers of the forms in which problems were asked."""
    return tuple(sorted({record.get("form") or 0 for record in table.records}))


def rank_changes(table: Table) -> tuple[RankChange, ...]:
    """The pairs of solvers that a scramble makes change places, in the order of the ranking; none if there is one form only.

    Solvers that were not asked in a form are not ranked there.
    """
    numbers = forms(table)
    if len(numbers) < 2:
        return ()
    ranked: dict[int, tuple[str, ...]] = {}
    for number in numbers:
        ranked[number] = ranking(
            tabulate([record for record in table.records if (record.get("form") or 0) == number], table.clock)
        )
    changes = []
    for first, second in combinations(ranking(table), 2):
        reverse = tuple(number for number, order in ranked.items() if _comes_first(second, first, order))
        if reverse:
            changes.append(RankChange(first, second, reverse))
    return tuple(changes)


def _comes_first(one: str, other: str, order: tuple[str, ...]) -> bool:
    return one in order and other in order and order.index(one) < order.index(other)
