"""A solver beside the best of the others: by hand."""

from __future__ import annotations

import pytest
from records import record

from tiler.bench.selection import beside_the_best
from tiler.bench.stats import Table, tables
from tiler.report import tables as report_tables

#: Seconds by solver and problem; None: the limit of ten seconds.
SECONDS: dict[str, dict[str, float | None]] = {
    "dlx": {"a": 1.0, "b": 4.0, "c": None},
    "fila": {"a": 2.0, "b": 1.0, "c": 2.0},
    "auto": {"a": 2.0, "b": 4.0, "c": 2.0},
}


def table(seconds: dict[str, dict[str, float | None]]) -> Table:
    records = [record(name, solver, took) for solver, by_problem in seconds.items() for name, took in by_problem.items()]
    (found,) = tables(records)
    return found


def of(found: Table, name: str) -> str:
    return next(solver for solver in found.solvers if solver.partition(":")[0] == name)


def test_by_hand() -> None:
    made = table(SECONDS)
    found = beside_the_best(made, of(made, "auto"))
    assert found is not None
    # The best of the others take 1, 1 and 2 seconds.
    assert found.times == pytest.approx((2 / 1 * 4 / 1 * 2 / 2) ** (1 / 3))
    assert (found.worst, found.worst_times, found.of, found.lost) == ("b", 4.0, 3, ())
    # PAR-2: fila (2 + 1 + 2) / 3 is the best single one, the virtual best has (1 + 1 + 2) / 3, auto (2 + 4 + 2) / 3.
    assert found.closed == pytest.approx((5 - 8) / (5 - 4))


def test_a_prover_is_one_of_the_others_though_it_is_not_asked_about_all() -> None:
    made = table({**SECONDS, "coloring": {"b": 0.5}})
    found = beside_the_best(made, of(made, "auto"))
    assert found is not None
    assert found.closed == pytest.approx((5 - 8) / (5 - 3.5))
    prover = beside_the_best(made, of(made, "coloring"))
    assert prover is not None
    assert prover.closed is None


def test_no_share_of_hardly_any_gap_is_said() -> None:
    made = table({"dlx": {"a": 1.0, "b": 1.1}, "fila": {"a": 9.0, "b": 1.0}, "auto": {"a": 2.0, "b": 2.0}})
    found = beside_the_best(made, of(made, "auto"))
    assert found is not None
    assert found.closed is None


def test_what_others_solved_is_lost() -> None:
    made = table(SECONDS)
    found = beside_the_best(made, of(made, "dlx"))
    assert found is not None
    assert (found.of, found.lost) == (2, ("c",))
    assert found.times == pytest.approx((1 / 2 * 4 / 1) ** 0.5)


def test_always_the_best_closes_the_gap() -> None:
    made = table({**SECONDS, "auto": {"a": 1.0, "b": 1.0, "c": 2.0}})
    found = beside_the_best(made, of(made, "auto"))
    assert found is not None
    assert found.times == pytest.approx(1.0)
    assert found.closed == pytest.approx(1.0)
    assert beside_the_best(table({"dlx": {"a": 1.0}}), "dlx") is None


def test_the_table_names_solver_and_worst_problem() -> None:
    shown = report_tables.beside_the_best(table(SECONDS))
    assert shown is not None
    assert {row[0]: row[4] for row in shown.rows} == {"fila": "a", "auto": "b", "dlx": "b"}
    assert report_tables.beside_the_best(table({"dlx": {"a": 1.0}, "fila": {"a": 2.0}})) is None
