"""Plot the sizes of formulas against seconds, for SAT encodings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tiler.bench.stats import Cell, RecordedInstance, Table
from tiler.report import cloud
from tiler.report.panels import Drawing

HELP = "clauses of SAT encodings against seconds, if two solvers or more have five points or more"
TITLE = "Size of the formula and seconds"
NOTE = "The heading has the seconds of all problems divided by all their clauses. The CSV also has variables and literals."
_PARTS_NOTE = " The seconds are those of making the formula and of the engine, without the process in which it runs."
_SIZES = ("variables", "clauses", "literals")
_PARTS = ("model_seconds", "engine_seconds")


def suits(table: Table) -> bool:
    return cloud.suits(_rows(table), least=2)  # With one, there is nothing to compare.


def draw(table: Table) -> Iterator[Drawing]:
    has_parts = _has_parts(table)
    clock = "model and engine seconds" if has_parts else f"{table.clock} seconds"
    yield from cloud.page("encodings", TITLE, NOTE + _PARTS_NOTE * has_parts, "clauses", table, list(_rows(table)), clock)


def _formulas(table: Table) -> Iterator[tuple[str, RecordedInstance, Cell]]:
    """The solver, the problem and the cell of each solved problem with a number of clauses."""
    for solver in table.solvers:
        for problem in table.problems:
            cell = table.cell(problem, solver)
            if cell.seconds is not None and isinstance(cell.stats.get("clauses"), int) and cell.stats["clauses"] > 0:
                yield solver, problem, cell


def _has_parts(table: Table) -> bool:
    """Whether all seconds are known in parts."""
    return all(part in cell.stats for _, _, cell in _formulas(table) for part in _PARTS)


def _rows(table: Table) -> Iterator[dict[str, Any]]:
    has_parts = _has_parts(table)
    for solver, problem, cell in _formulas(table):
        sizes = {size: cell.stats.get(size) for size in _SIZES}
        seconds = sum(cell.stats[part] for part in _PARTS) if has_parts else cell.seconds
        yield {"solver": solver, "instance": problem.name, "verdict": problem.verdict, **sizes, "seconds": seconds}
