"""Plot the sizes of formulas against seconds, for SAT encodings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tiler.bench.stats import Table
from tiler.report import cloud
from tiler.report.panels import Drawing

HELP = "clauses of SAT encodings against seconds"
TITLE = "Size of the formula and seconds"
NOTE = (
    "A point is a solved problem (filled: has a tiling; open: has none); grey points are those of the other encodings. The "
    "heading has the seconds of all problems divided by all their clauses. If a record has both, these are the seconds of making "
    "the formula and of the engine, without the process in which it runs. The CSV also has variables and literals."
)
_SIZES = ("variables", "clauses", "literals")
_PARTS = ("model_seconds", "engine_seconds")


def suits(table: Table) -> bool:
    return any(_rows(table))


def draw(table: Table) -> Iterator[Drawing]:
    yield from cloud.page("encodings", TITLE, NOTE, "clauses", table, list(_rows(table)), "seconds")


def _rows(table: Table) -> Iterator[dict[str, Any]]:
    for solver in table.solvers:
        for problem in table.problems:
            cell = table.cell(problem, solver)
            stats = cell.stats
            if cell.seconds is not None and isinstance(stats.get("clauses"), int) and stats["clauses"] > 0:
                sizes = {size: stats.get(size) for size in _SIZES}
                parts: list[Any] = [stats.get(part) for part in _PARTS]
                seconds = cell.seconds if None in parts else sum(parts)
                yield {"solver": solver, "instance": problem.name, "verdict": problem.verdict, **sizes, "seconds": seconds}
