"""The commands that a newcomer types first, exactly so, from the beginning to the end: exit status, answers, records, figures."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest
from commands import NOT_TURNED, call

from tiler.bench import record
from tiler.bench.record import Category, Record

PROBLEMS = Path(__file__).resolve().parents[2] / "problems"
FEW = ("many-unique/5r-05x12_s", "many-unique/5r-plus_u", "4L/10x10_u", "classic/soma_s")


@pytest.fixture
def few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a few of the problems, as the working directory."""
    for name in FEW:
        path = tmp_path / f"problems/{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(PROBLEMS / f"{name}.txt", path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.long
def test_deciding(few: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "solve", "problems/4L/10x10_u.txt", "--solver", "fila")
    assert (status, err) == (0, NOT_TURNED)
    assert out == "unsat: there is no tiling\n"


@pytest.mark.long
def test_counting(few: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "count", "problems/classic/soma_s.txt", "--up-to-symmetry")
    assert (status, err) == (0, NOT_TURNED.replace("turned over", "mirrored"))
    assert out == "240 up to symmetry (a group of 48)\n"


@pytest.mark.long
def test_comparing(few: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(capsys, 2, "--time-limit", "0.5s", "--no-warm-repeats")


@pytest.mark.slow
def test_comparing_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    check(capsys, len(list(PROBLEMS.glob("many-unique/*.txt"))))


def check(capsys: pytest.CaptureFixture[str], problems: int, *limits: str) -> None:
    """Every solver that is asked about one of these problems is asked about all; nothing fails, and nothing looks as if."""
    status, out, err = call(capsys, "bench", "--filter", "many-unique", *limits)
    assert status == 0
    assert err.count("matching is not asked about") == 1
    runs = record.read(Path("results/bench")).records
    solvers = {run["solver"].partition(":")[0] for run in runs}
    assert {"auto", "backtracking", "dlx", "fila", "frontier"} <= solvers
    assert solvers.isdisjoint({"matching", "coloring"})  # A prover has nothing to say about most of them.
    assert len(runs) == problems * len(solvers) == len({(run["instance"], run["solver"]) for run in runs})
    assert [run for run in runs if _is_odd(run)] == []
    summary = {line.split()[0]: line.split()[1:] for line in out.splitlines() if line}
    assert summary["solver"] == ["correct", "wrong", "unknown", "median", "ms", "slower", "wall", "s"]  # There is no error.
    assert solvers <= set(summary)
    with Path("results/bench/plots/heatmap.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == problems
    assert solvers < set(rows[0])
    assert not any(row[solver] in ("error", "wrong", "refused", "missing") for row in rows for solver in solvers)
    for kind in ("survival", "instances", "heatmap", "scatter"):
        assert list(Path("results/bench/plots").glob(f"{kind}*.svg"))


def _is_odd(run: Record) -> bool:
    return run.get("error") is not None or run["category"] in (Category.ERROR, Category.REFUSED, Category.WRONG)
