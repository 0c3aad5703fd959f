"""Two campaigns side by side: what is compared, how sure it is, and what makes a project's own tests fail."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from records import record

from tiler.bench.compare import compare
from tiler.bench.job import SCHEMA
from tiler.bench.ratio_intervals import of_factors, student
from tiler.cli.main import main


def campaign(factor: float, *, drop: int = 0, wrong: bool = False, repeats: int = 1) -> list[dict[str, Any]]:
    runs = [record(f"f/{n}", "a", None if n < drop else factor * (1 + n / 10), digest=str(n)) for n in range(8)]
    runs += [record(f"f/{n}", "b", 2.0, digest=str(n)) for n in range(8)]
    if wrong:
        runs[-1] |= {"category": "wrong", "message": "no"}
    return [
        {**run, "repeat": repeat, "calibration_seconds": 0.014 + repeat / 1e5, "versions": {"python": "3.11"}}
        for run in runs
        for repeat in range(repeats)
    ]


def written(folder: Path, runs: Iterable[dict[str, Any]]) -> str:
    folder.mkdir()
    (folder / "runs.jsonl").write_text("".join(json.dumps({**run, "schema": SCHEMA}) + "\n" for run in runs))
    return str(folder)


def test_an_interval_is_as_wide_as_the_factors_scatter() -> None:
    mean, low, high = of_factors([1.0, 4.0, 2.0, 2.0])
    assert mean == pytest.approx(2)
    assert low * high == pytest.approx(mean**2)
    assert low < min(1, mean)
    assert high > max(4, mean)
    assert of_factors([1.0, 4.0, *[2.0] * 50])[2] < 2.1
    assert of_factors([3.0]) == (3.0, 0.0, math.inf)
    assert of_factors([1e-25, 1e25]) == (1.0, 0.0, math.inf)


@pytest.mark.parametrize(("freedom", "deviations"), [(1, 12.706), (2, 4.303), (5, 2.571), (10, 2.228), (121, 1.980)])
def test_quantiles_of_students_distribution(freedom: int, deviations: float) -> None:
    """As tables have them."""
    assert student(freedom) == pytest.approx(deviations, abs=5e-4)
    assert student(freedom, among=5) > student(freedom)


def test_what_changed() -> None:
    (found,) = compare(campaign(1.0, repeats=2), campaign(2.0, drop=1, wrong=True, repeats=2))
    worst, other = found.changes
    assert (worst.solver, worst.solved, worst.number) == ("a", (8, 7), 7)
    assert worst.factor == pytest.approx(0.5)
    assert worst.is_sure
    assert (other.solver, other.factor, other.is_sure, other.solved) == ("b", 1.0, False, (8, 7))
    assert [(pair.problem, pair.solver, pair.is_lost) for pair in found.moved] == [("f/0", "a", True), ("f/7", "b", True)]
    assert {pair.problem for pair in found.slower} == {f"f/{n}" for n in range(1, 8)}


def test_a_problem_that_is_another_one_now_is_not_compared() -> None:
    after = [{**run, "digest": "new"} if run["instance"] == "f/0" else run for run in campaign(1.0)]
    (found,) = compare(campaign(1.0), after)
    assert {len(change.pairs) for change in found.changes} == {7}


def test_other_counts_and_nodes_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, after = campaign(1.0), campaign(1.0, drop=1)
    for number, run in enumerate(before):
        run |= {"count": 7, "stats": {"nodes": number}}
    for number, run in enumerate(after):
        run |= {"count": 8 if number == 2 else 7, "stats": {"nodes": number + (number == 3)}}
    (found,) = compare(before, after)
    assert [(pair.problem, pair.counts) for pair in found.counted_otherwise] == [("f/2", (7, 8))]
    assert [(pair.problem, pair.nodes) for pair in found.searched_otherwise] == [("f/3", (3, 4))]
    folders = written(tmp_path / "before", before), written(tmp_path / "after", after)
    assert main(["report", *folders, "--fail-if", "counts"]) == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "1 count came out otherwise" in said
    assert "f/2: a: 7 before, 8 now" in said
    assert "f/3: a: 3 before, 4 now" in said
    assert "The same number of nodes in 14 of 15 runs with nodes" in said


def test_a_contradiction_is_told_where_nothing_is_expected(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, after = (
        [{**run, "expected": {"verdict": None, "count": None}, "category": "unchecked"} for run in campaign(1.0)]
        for _ in range(2)
    )
    folders = written(tmp_path / "before", before), written(tmp_path / "after", after)
    assert main(["report", *folders, "--fail-if", "answers"]) == 0
    for run in after:
        run["status"] = "unsat" if run["instance"] == "f/2" else run["status"]
    folders = folders[0], written(tmp_path / "other", after)
    capsys.readouterr()
    assert main(["report", *folders, "--fail-if", "answers"]) == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "One says that there is a tiling, and the other that there is none:" in said
    assert said.endswith("failed: answers")


@pytest.mark.parametrize(
    ("conditions", "status"),
    [
        ([], 0),
        (["slower:1.2"], 1),
        (["slower:2.5"], 0),
        (["lost:0"], 1),
        (["lost:1"], 0),
        (["wrong"], 0),
        (["slower:2.5", "lost:0"], 1),
        (["faster:2"], 2),
    ],
)
def test_fail_if(conditions: list[str], status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    earlier, later = campaign(1.0, repeats=2), campaign(2.0, drop=1, repeats=2)
    before, after = written(tmp_path / "before", earlier), written(tmp_path / "after", later)
    options = [option for condition in conditions for option in ("--fail-if", condition)]
    assert main(["report", before, after, *options]) == status
    said = capsys.readouterr()
    assert ("failed: " in said.out) == (status == 1)
    if status < 2:
        assert "f/0: a: 1.00 s before, timeout now" in said.out
        assert max(map(len, said.out.splitlines()[3:8])) <= 80


BUSY = {"load": 9.0, "environment": {"cores": 2}, "jobs": 1}


@pytest.mark.parametrize(
    ("repeats", "changed", "why"),
    [
        (2, {}, ""),
        (1, {}, "runs were made once"),
        (2, BUSY, "other programs kept the processor busy during"),
        (2, {"wall_seconds": 20.0, "cpu_seconds": 9.0}, "other programs kept the processor busy during"),
    ],
    ids=["quiet", "once", "load", "cpu"],
)
def test_noise_is_not_called_certain(
    repeats: int, changed: dict[str, Any], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Twice as slow on all problems: the problems agree, the machine may have been another one."""
    before, after = campaign(1.0, repeats=repeats), [run | changed for run in campaign(2.0, repeats=repeats)]
    (found,) = compare(before, after)
    worst = found.changes[0]
    assert worst.is_outside
    assert worst.is_sure == (not why)
    folders = written(tmp_path / "before", before), written(tmp_path / "after", after)
    assert main(["report", *folders, "--fail-if", "slower:1.2"]) == (0 if why else 1)
    said = " ".join(capsys.readouterr().out.split())
    assert ("Not certain" in said) == ("not judged: slower:1.2" in said) == bool(why)
    assert why in said


def test_a_timeout_that_load_made_is_no_loss(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    after = [run | ({"cpu_seconds": 4.0} if run["instance"] == "f/0" else {}) for run in campaign(1.0, drop=1)]
    folders = written(tmp_path / "before", campaign(1.0)), written(tmp_path / "after", after)
    assert main(["report", *folders, "--fail-if", "lost:0"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "1 answer lost or wrong now; 1 of them timeouts with less than half of the limit in CPU seconds" in said
    assert "f/0: a: 1.00 s before, timeout (4.00 s of CPU) now" in said
    assert "not judged: lost:0" in said


def test_wrong_now(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, after = written(tmp_path / "before", campaign(1.0)), written(tmp_path / "after", campaign(1.0, wrong=True))
    assert main(["report", before, after, "--fail-if", "wrong", "-o", str(tmp_path / "out")]) == 1
    assert "1 answer lost or wrong now." in capsys.readouterr().out
    assert "f/7: b: 2.00 s before, wrong now" in (tmp_path / "out/compare.md").read_text()
    assert main(["report", before, "--fail-if", "wrong"]) == 2
    nothing = written(tmp_path / "nothing", [record("g/1", "c", 1.0)])
    assert main(["report", before, nothing]) == 2
