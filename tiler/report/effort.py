"""Plot seconds against a counter of the solver: the nodes of a search, or the conflicts of a SAT engine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tiler.bench.stats import Table
from tiler.report import cloud
from tiler.report.panels import Drawing

HELP = "nodes or conflicts against seconds, of solvers with five points or more"
TITLE = "Effort and seconds"
NOTE = "The heading has the seconds of all problems of the solver, divided by all their {each}.{more}"
_COUNTERS = {"nodes": " Each solver has its own definition of a node.", "conflicts": ""}


def suits(table: Table) -> bool:
    return any(cloud.suits(_rows(table, counter)) for counter in _COUNTERS)


def draw(table: Table) -> Iterator[Drawing]:
    for counter, more in _COUNTERS.items():
        rows = list(_rows(table, counter))
        if cloud.suits(rows):
            note = NOTE.format(each=counter, more=more)
            yield from cloud.page(f"effort-{counter}", TITLE, note, counter, table, rows, f"{table.clock} seconds")


def _rows(table: Table, counter: str) -> Iterator[dict[str, Any]]:
    """A row for each solved problem with a counter above 1."""
    for solver in table.solvers:
        for problem in table.problems:
            cell = table.cell(problem, solver)
            count = cell.stats.get(counter)
            if cell.seconds is not None and isinstance(count, int | float) and count > 1:
                yield {
                    "solver": solver,
                    "instance": problem.name,
                    "verdict": problem.verdict,
                    counter: count,
                    "seconds": cell.seconds,
                }
