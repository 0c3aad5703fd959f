"""Problems without a tiling at sight: no solver searches, so none has the merit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from records import LIMITS, record, record_of_run

from tiler import formats
from tiler.ask.solve import solve
from tiler.bench import stats
from tiler.bench.job import Job
from tiler.bench.judge import categorise, judge
from tiler.bench.record import Record
from tiler.bench.stats import Clock, End
from tiler.question.question import Goal, Limits, Question
from tiler.report import findings, panels, report, runs, tables


def run(words: Sequence[str], solver: str = "dlx", goal: Goal = Goal.DECIDE) -> Record:
    return record_of_run(Job(formats.inline(list(words)), solver, Question(goal, Limits(seconds=60))))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["3x5", "4L"], "area: pieces of 4 cells cannot add up to 15 cells"),
        (["x../xxx/xxx/..x", "4O"], "cell: no placement covers (0, 0), (3, 2)"),
        (["1x8", "1..:4O", "4I"], "tile: 4O must be used 1 times but has 0 placements"),
    ],
)
def test_a_run_in_which_no_solver_searched_says_so(words: Sequence[str], message: str) -> None:
    for goal in (Goal.DECIDE, Goal.COUNT):
        made = run(words, goal=goal)
        assert str(made["message"]).startswith(message)
        assert (made["category"], made["beforehand"], made["proved"], made["warm"]) == ("beforehand", True, True, None)
        assert stats.end_of(made) is End.BEFOREHAND
        assert [stats.seconds_of(made, clock) for clock in Clock] == [None] * len(Clock)


def test_so_it_is_for_a_solver_that_proves() -> None:
    assert run(["3x5", "4L"], "coloring")["category"] == "beforehand"


def test_what_a_search_or_a_filter_found_out_is_its_merit() -> None:
    assert run(["3x3", "3L"])["category"] != "beforehand"
    filtered = solve(formats.inline(["4x4", "1:4T", "3:4L"]), "dlx:filter=parity")
    assert "covers" in filtered.result.message
    assert not filtered.result.is_known_beforehand


def test_the_answer_names_nobody_who_searched() -> None:
    answer = solve(formats.inline(["3x5", "4L"]), "dlx")
    assert answer.result.is_known_beforehand
    assert str(answer.result.plan) == "none: there is no solution at sight, so no search was made"
    assert answer.summary()["stats"]["plan"]["candidates"] == ()
    weighed = solve(formats.inline(["3x5", "4L"]), "auto", Question(Goal.OPTIMISE))
    assert weighed.result.is_known_beforehand


def test_without_crossings_nothing_can_be_proved() -> None:
    problem = formats.inline(["hex:1", "1:2-1"], lattice="triangular-edges", crossing=False)
    made = record_of_run(Job(problem, "dlx", Question(Goal.DECIDE, Limits(seconds=60))))
    assert (made["category"], made["proved"]) == ("beforehand", False)


@pytest.mark.parametrize(
    ("expected", "category"),
    [({}, "beforehand"), ({"verdict": "unsat"}, "beforehand"), ({"verdict": "sat"}, "wrong"), ({"count": 3}, "wrong")],
)
def test_its_category(expected: dict[str, Any], category: str) -> None:
    made = record("f/1", "a", 1.0, status="unsat", count=0, verified=0, beforehand=True, goal="count", expected=expected)
    assert categorise(made)[0] == category
    del made["beforehand"]  # So are records of older versions.
    assert categorise(made)[0] == {"beforehand": "correct" if expected else "unchecked"}.get(category, category)


def test_a_tiling_contradicts_it() -> None:
    sure = record("f/1", "a", 1.0, status="unsat", verified=0, category="beforehand", beforehand=True, expected={})
    assert [each["category"] for each in judge([sure])] == ["beforehand"]
    assert [each["category"] for each in judge([sure, record("f/1", "b", 2.0)])] == ["wrong", "correct"]


def beforehand(name: str, solver: str) -> dict[str, Any]:
    return record(name, solver, 1e-4, status="unsat", category="beforehand", beforehand=True, expected={})


RECORDS = [
    *(record(f"f/{n}", solver, seconds) for n, solver, seconds in ((1, "a", 1.0), (1, "b", 4.0), (2, "a", 2.0))),
    *(beforehand(f"f/{n}", solver) for n in (3, 4) for solver in "ab"),
]


def test_tables_leave_these_problems_out() -> None:
    table = stats.tabulate(RECORDS)
    assert [problem.name for problem in table.problems] == ["f/1", "f/2"]
    assert [(problem.name, problem.verdict) for problem in table.beforehand] == [("f/3", "unsat"), ("f/4", "unsat")]
    assert [(stats.count(table, solver), len(table.attempted(solver))) for solver in "ab"] == [(2, 2), (1, 1)]
    assert [stats.par2(table, solver) for solver in "ab"] == [1.5, 4.0]
    assert set(stats.virtual_best(table)) == {"f/1", "f/2"}
    assert table.only(problems=lambda problem: problem.name < "f/4").beforehand == table.beforehand[:1]


def test_captions_and_reports_say_so_once() -> None:
    table, words = stats.tabulate(RECORDS), "2 problems are left out: they have no tiling at sight"
    assert words in panels.context(table)
    assert sum(words in sentence for sentence in findings.overall(table)) == 1
    assert "left out" not in panels.context(stats.tabulate(RECORDS[:3]))


def test_a_campaign_of_nothing_else_has_an_empty_table() -> None:
    table = stats.tabulate(RECORDS[3:])
    assert (table.problems, table.solvers, len(table.beforehand)) == ((), (), 2)
    assert tables.solvers(table).rows == ()
    assert findings.overall(table)[0] == "0 problems, 0 solved by some solver."
    assert (table.goal, table.limits) == ("decide", LIMITS)
    page = runs.data([cast("Record", each) for each in RECORDS[3:]], Clock.SOLVE)
    assert {page["ends"][row[3]] for row in page["rows"]} == {"decided beforehand"}
    assert {second for row in page["rows"] for second in row[5]} == {None}


def test_a_report_of_nothing_else_is_written(tmp_path: Path) -> None:
    written, page = report.write([cast("Record", each) for each in RECORDS[3:]], tmp_path, "Nothing")
    assert "2 problems are left out" in written.read_text()
    assert "decided beforehand" not in written.read_text()
    assert page.stat().st_size


def test_a_wrong_answer_is_never_left_out() -> None:
    table = stats.tabulate([*RECORDS, record("f/3", "c", 1.0, category="wrong")])
    assert [problem.name for problem in table.problems] == ["f/1", "f/2", "f/3"]
    assert [len(table.attempted(solver)) for solver in "abc"] == [2, 1, 1]
