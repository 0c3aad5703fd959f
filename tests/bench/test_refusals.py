"""Solvers that nobody named are asked only what they do not refuse; a refusal of a named one is no error, and counts nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import call

import tiler
from tiler.bench import judge, record, refusals, stats
from tiler.bench.job import matrix
from tiler.bench.plan import CampaignPart
from tiler.bench.record import Category
from tiler.formats import inline
from tiler.question.question import Goal, Question
from tiler.report import findings, panels, tables

WHY = "it is made for tiles of two cells"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with three problems, one of them of dominoes."""
    (tmp_path / "problems").mkdir()
    for name, tile in (("dominoes_s", "2"), ("bars_s", "4I"), ("corners_s", "4L")):
        (tmp_path / f"problems/{name}.txt").write_text(f"2x4\n\n{tile}\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_default_solvers_are_asked_only_what_they_do_not_refuse(here: Path) -> None:
    jobs, left_out = CampaignPart(filter=("_s",), repeat=2).runs()
    asked = {job.name for job in jobs if job.solver.startswith("matching")}
    assert asked == {"dominoes_s"}
    assert {(each.solver.partition(":")[0], each.problem, each.reason) for each in left_out} == {
        ("matching", "bars_s", WHY),
        ("matching", "corners_s", WHY),
    }
    assert len(left_out) == 2  # Each once, though every run is made twice.
    others = {job.solver for job in jobs} - {left_out[0].solver}
    assert {(job.name, job.solver, job.repeat) for job in jobs if job.solver in others} == {
        (name, solver, repeat) for name in ("bars_s", "corners_s", "dominoes_s") for solver in others for repeat in (0, 1)
    }


def test_who_is_named_is_asked(here: Path) -> None:
    jobs, left_out = CampaignPart(filter=("_s",), solvers=("matching",)).runs()
    assert (len(jobs), left_out) == (3, ())


def test_what_takes_long_to_list_is_found_out_by_the_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = matrix([inline(["4x4", "4L"])], ["matching"], Question(Goal.COUNT))
    assert refusals.divided(jobs)[0] == ()
    monkeypatch.setattr(refusals, "_MOST", 15)
    assert refusals.divided(jobs) == (jobs, ())


def test_a_dry_run_says_once_who_is_left_out(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "bench", "--filter", "_s", "--goal", "count", "--dry-run")
    assert status == 0
    assert err.count(f"matching is not asked about bars_s and corners_s: {WHY}") == 1
    (row,) = (line for line in out.splitlines() if line.startswith("matching"))
    assert row.split()[:2] == ["matching", "1"]


@pytest.mark.long
def test_a_refusal_is_no_error(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    named = ("--solver", "matching", "--solver", "dlx")
    status, out, err = call(capsys, "bench", "--filter", "_s", *named, "--no-warm-repeats", "-o", "out", "--no-plots")
    assert status == 0
    assert f"matching refused 2 problems: {WHY}." in " ".join(out.split())
    assert f"bars_s  matching  refused: matching: {WHY}\n" in err
    found = judge.judge(record.read(Path("out")).records)
    refused = [run for run in found if run["category"] is Category.REFUSED]
    assert {(run["instance"], run.get("error")) for run in refused} == {("bars_s", "Refused"), ("corners_s", "Refused")}
    assert {run["category"] for run in found if run not in refused} <= {Category.CORRECT, Category.VERIFIED}
    table = stats.tabulate(found)
    (matching,) = (solver for solver in table.solvers if solver.startswith("matching"))
    assert [cell.is_solved for cell in table.attempted(matching)] == [True]
    assert stats.par2(table, matching) == table.cell("dominoes_s", matching).seconds
    assert findings.failed(table) == []
    grid = tables.solvers(table)
    assert dict(zip(grid.heads, grid.rows[-2], strict=True)) | {"solver": "matching", "of": "1", "refused": "2"} == dict(
        zip(grid.heads, grid.rows[-2], strict=True)
    )
    assert panels.labels_of(table)[matching] == "matching"


@pytest.mark.long
def test_benchmarks_from_python_too(here: Path) -> None:
    made = tiler.benchmark([tiler.make("2x4", "4L")], seconds=5)
    assert len(made) > 3
    assert not any(run["solver"].startswith("matching") or run.get("error") for run in made)
