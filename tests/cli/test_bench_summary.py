"""The table at the end of a campaign: who won, and what does not count."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from records import LIMITS, record

from tiler import formats
from tiler.bench.job import Job
from tiler.bench.time_left import TimeLeft
from tiler.cli.campaign import summary
from tiler.cli.campaign.progress import progress
from tiler.question.question import Goal, Limits, Question

QUESTION = Question(Goal.DECIDE, Limits(seconds=10, megabytes=100))


def job(name: str, solver: str) -> Job:
    problem = formats.parse("# verdict: sat\n\n2x2\n\n2\n", name=name)
    return Job(problem, solver, QUESTION)


def shown(capsys: pytest.CaptureFixture[str], records: list[Any], jobs: list[Job]) -> list[str]:
    summary.show(records, jobs, Path("out/runs.jsonl"))
    return capsys.readouterr().out.splitlines()


def test_the_best_comes_first_with_its_median_and_how_much_slower_the_others_are(capsys: pytest.CaptureFixture[str]) -> None:
    took = {"slow": (8.0, 2.0, None), "quick": (1.0, 4.0, 1.0)}
    records: list[Any] = [record(f"f/{n}", who, seconds) for who, times in took.items() for n, seconds in enumerate(times)]
    lines = shown(capsys, records, [job("f/0", "dlx")])
    assert [line.split() for line in lines[:3]] == [
        ["solver", "correct", "wrong", "unknown", "median", "s", "slower", "wall", "s"],
        ["quick", "3", "0", "0", "1.00", "1.26x", "60.00"],
        ["slow", "2", "0", "1", "5.00", "2.83x", "60.00"],
    ]
    assert any("slower than the fastest solver of each" in line for line in lines)
    assert max(map(len, lines)) <= summary.WIDTH


def test_each_goal_with_its_limits_has_a_table_and_a_ranking_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    short = {"limits": LIMITS | {"seconds": 2.0}}
    records: list[Any] = [record(f"f/{n}", "quick", 1.0, **short) for n in range(3)]
    records += [record(f"f/{n}", "slow", **short) for n in range(3)]
    records += [record(f"f/{n}", "slow", 5.0) for n in range(5)]
    lines = shown(capsys, records, [job("f/0", "dlx")])
    first, second = lines.index("goal decide, limits 2 s, 100 MiB:"), lines.index("goal decide, limits 10 s, 100 MiB:")
    assert [line.split()[:5] for line in lines[first + 2 : first + 4]] == [
        ["quick", "3", "0", "0", "1.00"],
        ["slow", "0", "0", "3", "-"],
    ]
    assert lines[second + 2].split()[:5] == ["slow", "5", "0", "0", "5.00"]
    assert lines[second + 3] == ""
    assert "records: out/runs.jsonl" in lines
    assert sum("median s:" in line for line in lines) == 1


def test_runs_are_said_to_be_runs_where_a_problem_has_several(capsys: pytest.CaptureFixture[str]) -> None:
    records: list[Any] = [record("f/1", "a", 1.0, repeat=repeat) for repeat in range(3)]
    assert shown(capsys, records, [job("f/1", "dlx")])[0].split()[:3] == ["solver", "correct", "runs"]
    assert shown(capsys, records[:1], [job("f/1", "dlx")])[0].split()[:3] == ["solver", "correct", "wrong"]


def test_a_line_of_progress_says_unknown_once(capsys: pytest.CaptureFixture[str]) -> None:
    some: Any = record("f/1", "dlx")
    with progress(1, 0, TimeLeft([]), 1, quiet=False, verbose=False) as shown_by:
        shown_by.end(some)
    assert capsys.readouterr().err == "1/1  f/1  dlx  unknown (time)  20 s\n"


def test_problems_decided_beforehand_are_told_once_and_are_no_column(capsys: pytest.CaptureFixture[str]) -> None:
    known = {"status": "unsat", "category": "beforehand", "beforehand": True, "expected": {}}
    records: list[Any] = [record(f"f/{n}", who, 1e-4, **known) for n in (1, 2) for who in "ab"]
    lines = shown(capsys, [*records, record("f/3", "a", 1.0)], [job("f/3", "dlx")])
    assert "beforehand" not in lines[0]
    assert [line.split() for line in lines[1:3]] == [["a", "1", "0", "0", "1.00", "20.00"], ["b", "0", "0", "0", "-", "0.00"]]
    assert sum("2 problems are left out" in line for line in lines) == 1


def test_unknown_answers_that_had_to_be(capsys: pytest.CaptureFixture[str]) -> None:
    jobs = [job("f/1", "coloring"), job("f/1", "dlx"), job("f/2", "coloring")]
    records: list[Any] = [record(each.name, each.solver) for each in jobs]
    lines = " ".join(shown(capsys, records, jobs))
    assert "2 unknown answers by coloring had to be: it can only prove that there is no tiling" in lines


def test_by_some_only_is_a_column_only_if_it_says_something(capsys: pytest.CaptureFixture[str]) -> None:
    twice: list[Any] = [record("f/1", "a", 1.0, repeat=0), record("f/1", "a", 2.0, repeat=1)]
    assert "by some only" not in "\n".join(shown(capsys, twice, [job("f/1", "dlx")]))
    lines = " ".join(shown(capsys, [*twice, record("f/1", "a", repeat=2)], [job("f/1", "dlx")]))
    assert "by some only" in lines
    assert "By some only: problems that some of these runs solved" in lines


def test_the_time_left_is_that_of_each_solver() -> None:
    jobs = [job(f"f/{n}", who) for n in range(3) for who in ("dlx", "fila")]
    left = TimeLeft(jobs)
    assert left.seconds == 60.0  # Nothing is known but the limit.
    made: Any = record("f/0", "dlx", 1.0, wall_seconds=2.0)
    left.ended(made)
    assert left.seconds == 2 * 2.0 + 30.0
    assert TimeLeft(jobs[1:], [made]).seconds == 2 * 2.0 + 30.0
