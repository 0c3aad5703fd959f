"""The statistics, against numbers worked out by hand on a small campaign."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from records import LIMITS, RECORDS, TABLE, record

import tiler
from tiler.bench import campaign, selection, stats
from tiler.bench.job import Job, matrix
from tiler.bench.speedup import speedup
from tiler.bench.stats import Clock, End, Spread
from tiler.formats import inline
from tiler.question.question import Question
from tiler.report import tables


def test_the_table() -> None:
    assert [problem.name for problem in TABLE.problems] == ["f/1", "f/2", "g/3", "g/4"]
    assert [problem.family for problem in TABLE.problems] == ["f", "f", "g", "g"]
    assert TABLE.solvers == ("a", "b", "c")
    assert TABLE.seconds_limit == 10
    assert TABLE.cell("f/2", "b").seconds == 8
    assert TABLE.cell("g/3", "a").end is End.TIME
    assert TABLE.cell("g/3", "c").is_missing
    assert len(TABLE.records) == len(RECORDS)
    assert [problem.name for problem in TABLE.only(problems=lambda problem: problem.family == "g").problems] == ["g/3", "g/4"]


def test_solved() -> None:
    assert [stats.count(TABLE, solver) for solver in "abc"] == [2, 3, 1]
    assert [stats.count(TABLE, solver, End.TIME) for solver in "abc"] == [2, 1, 1]
    assert [stats.count(TABLE, solver, End.MISSING) for solver in "abc"] == [0, 0, 2]


def test_par2_counts_a_timeout_twice_and_a_missing_run_not_at_all() -> None:
    assert stats.par2(TABLE, "a") == (1 + 1 + 20 + 20) / 4
    assert stats.par2(TABLE, "b") == (2 + 8 + 9 + 20) / 4
    assert stats.par2(TABLE, "c") == (4 + 20) / 2
    assert stats.par2(TABLE, "nobody") is None


def test_geometric_means() -> None:
    assert stats.shifted_geometric_mean([1, 7], shift=1) == pytest.approx(3)  # sqrt(2 * 8) - 1
    assert stats.shifted_geometric_mean([1, 10, 100], shift=0) == pytest.approx(10)
    # 4 and the limit, 10, each plus a hundredth.
    assert stats.geometric_mean(TABLE, "c") == pytest.approx((4.01 * 10.01) ** 0.5 - 0.01)


def test_medians_with_ranges() -> None:
    assert stats.spread(stats.solved_seconds(TABLE, "b")) == Spread(8, 2, 9, 3)
    assert stats.spread([1, 2]) == Spread(1.5, 1, 2, 2)
    assert stats.spread([]) is None


def test_virtual_best() -> None:
    best = stats.virtual_best(TABLE)
    assert {name: (one.solver, one.seconds) for name, one in best.items()} == {"f/1": ("a", 1), "f/2": ("a", 1), "g/3": ("b", 9)}


def test_marginal_contribution() -> None:
    # Without a: 2 and 8 instead of 1 and 1, over the four problems.
    assert selection.marginal(TABLE, "a") == selection.Marginal(solved=0, fastest=2, seconds=pytest.approx(8 / 4))
    # Without b: g/3 is not solved, 20 instead of 9.
    assert selection.marginal(TABLE, "b") == selection.Marginal(solved=1, fastest=1, seconds=pytest.approx(11 / 4))
    assert selection.marginal(TABLE, "c") == selection.Marginal(solved=0, fastest=0, seconds=0)


def test_where_nobody_else_was_asked_a_solver_is_neither_fastest_nor_alone() -> None:
    refused = {"category": "refused", "status": "unknown", "stop": "done"}
    records: list[Any] = [
        record("f/1", "a", 4.0),
        record("f/1", "b", 2.0),
        record("f/2", "a", 1.0),
        record("f/2", "b", **refused),
        record("f/3", "a", 1.0),  # b was never run on it.
        record("f/4", "a", 1.0),
        record("f/4", "b"),
    ]
    table = stats.tabulate(records)
    assert [problem.name for problem in stats.contested(table).problems] == ["f/1", "f/4"]
    shares = [selection.marginal(table, solver) for solver in "ab"]
    assert [(share.solved, share.fastest) for share in shares] == [(1, 1), (0, 1)]
    assert stats.times_slower(table) == {"a": pytest.approx(2**0.5), "b": 1.0}


def test_speedup_is_over_what_both_solved() -> None:
    gain = speedup(TABLE, "a", "b")
    assert gain is not None
    assert gain.factor == pytest.approx(4)  # sqrt(2 * 8)
    assert (gain.number, gain.asked, gain.of) == (2, 4, "2 of 4")
    assert gain.is_within_scatter
    back = speedup(TABLE, "b", "a")
    assert back is not None
    assert back.factor == pytest.approx(1 / 4)
    assert speedup(TABLE.only(problems=lambda problem: problem.name == "g/3"), "a", "b") is None


def test_ranking() -> None:
    assert stats.ranking(TABLE) == ("b", "a", "c")
    assert stats.ranking(stats.tabulate([record("x", "slow", 2.0), record("x", "fast", 1.0)])) == ("fast", "slow")


# --- ends


@pytest.mark.parametrize(
    ("fields", "end"),
    [
        ({"seconds": 1.0}, "solved"),
        ({"seconds": 1.0, "category": "wrong"}, "wrong"),
        ({"seconds": 1.0, "category": "unchecked"}, "solved"),
        ({}, "time"),
        ({"stop": "memory"}, "memory"),
        ({"stop": "undecided"}, "undecided"),
        ({"stop": "interrupted"}, "undecided"),
        ({"stop": "error", "category": "error"}, "error"),
        ({"seconds": 1.0, "goal": "count", "count": 0}, "solved"),
        ({"seconds": 1.0, "goal": "count"}, "undecided"),
        ({"seconds": 1.0, "goal": "count", "stop": "time"}, "time"),
    ],
)
def test_ends(fields: dict[str, Any], end: str) -> None:
    assert stats.end_of(record("x", "s", **fields)) is End(end)


# --- clocks


def test_every_clock_is_named() -> None:
    assert len({clock.meaning for clock in Clock}) == len(Clock)
    warm = {"runs": 9, "wall_seconds": 4.0, "cpu_seconds": 3.0, "least_seconds": 0.9, "most_seconds": 1.2}
    one = record("x", "s", 1.0, warm=warm)
    assert [stats.seconds_of(one, clock) for clock in Clock] == [1.0, 1.5, 16.0, 12.0, 1.0]
    assert stats.seconds_of(record("x", "s"), Clock.SOLVE) is None
    in_page = record("x", "s", 1.0, cpu_seconds=None, warm=warm)  # A page does not know its CPU seconds.
    assert [stats.seconds_of(in_page, clock) for clock in Clock] == [1.0, 1.5, 16.0, None, 1.0]
    assert stats.tabulate([in_page], Clock.CPU).cell("x", "s").is_missing
    cell = stats.tabulate([one]).cell("x", "s")
    assert (cell.seconds, cell.least, cell.most, cell.repeats) == (1.0, 0.9, 1.2, 1)


# --- repeats


@pytest.mark.parametrize(
    ("repeats", "end", "seconds", "least", "most"),
    [
        ([3.0, 1.0, 2.0], "solved", 2.0, 1.0, 3.0),
        ([3.0, None, 2.0], "solved", 3.0, 2.0, 3.0),
        ([None, 1.0, None], "time", None, None, None),
        ([1.0, 2.0], "solved", 1.0, 1.0, 2.0),
        ([None, 2.0], "solved", 2.0, 2.0, 2.0),
    ],
)
def test_repeats(repeats: list[float | None], end: str, seconds: float | None, least: float | None, most: float | None) -> None:
    records = [record("x", "s", each, repeat=number) for number, each in enumerate(repeats)]
    cell = stats.tabulate(records).cell("x", "s")
    assert (cell.end, cell.seconds, cell.least, cell.most, cell.repeats) == (End(end), seconds, least, most, len(repeats))


def test_one_wrong_repeat_is_wrong() -> None:
    records = [record("x", "s", 1.0), record("x", "s", 1.0, repeat=1, category="wrong"), record("x", "s", 1.0, repeat=2)]
    assert stats.tabulate(records).cell("x", "s").end is End.WRONG


# --- which records


def test_the_newest_record_of_a_run_counts() -> None:
    old, new = record("x", "s", 1.0), record("x", "s", 2.0, started="2026-02-01T00:00:00Z")
    for records in ([old, new], [new, old]):
        assert stats.newest(records) == (new,)
    assert len(stats.newest([old, record("x", "s", 2.0, repeat=1)])) == 2


def test_of_a_problem_that_has_changed_only_the_last_version_counts() -> None:
    old, other = record("x", "a", 1.0), record("y", "a", 1.0)
    new = record("x", "b", 2.0, digest="new", started="2026-02-01T00:00:00Z")
    assert stats.newest([old, other, new]) == (other, new)


def test_only_runs_with_one_goal_and_limit_are_compared() -> None:
    short = record("x", "a", 1.0, limits=LIMITS | {"seconds": 1.0})
    count = record("x", "a", 1.0, goal="count", count=2)
    groups = stats.series([short, *RECORDS, count])
    assert [len(group) for group in groups] == [len(RECORDS), 1, 1]
    assert stats.tabulate(groups[1]).seconds_limit == 1.0


def test_nothing() -> None:
    table = stats.tabulate([])
    assert stats.series([]) == ()
    assert (table.problems, table.solvers, stats.virtual_best(table), stats.ranking(table)) == ((), (), {}, ())


def test_how_times_spread_over_seeds() -> None:
    runs = [record("f/1", "a", seconds, seed=seed) for seed, seconds in enumerate((1.0, 4.0, None))]
    cell = stats.tabulate(runs).cell("f/1", "a")
    assert (cell.seconds, cell.least, cell.most, cell.repeats, cell.solved) == (4.0, 1.0, 4.0, 3, 2)
    grid = tables.repeats(stats.tabulate(runs))
    assert grid is not None
    assert grid.rows == (("a", "1", "3", "4.00", "4.00", "1"),)
    assert tables.repeats(TABLE) is None


def test_seeds_are_for_those_that_they_change() -> None:
    jobs = matrix([inline(["2x2", "2"])], campaign.full_specs(["sat", "dlx"]), Question(seed=3), seeds=3)
    assert [(job.solver.partition(":")[0], job.question.seed) for job in jobs] == [("sat", 3), ("dlx", 3), ("sat", 4), ("sat", 5)]


def test_boards_without_names_are_problems_of_their_own() -> None:
    """Two masks of one size were one problem, and a board drawn in text was its own name."""
    boards = [tiler.make(np.array(mask), "2") for mask in ([[1, 1], [1, 0]], [[1, 1], [0, 1]])]
    boards += [tiler.make("xx/x.", "2"), tiler.make("2x2", "2")]
    names = [Job(board, "dlx", Question()).head["instance"] for board in boards]
    assert len(set(names[:2])) == 2
    assert [name.partition(",")[0] for name in names] == ["3 cells of 2x2"] * 3 + ["2x2 2"]
    assert not any("/" in name for name in names)  # It would be a family.
