"""A row for each run, for other programs: as CSV, and as Parquet with a type for each column."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from records import record

import tiler
from tiler.bench.job import SCHEMA
from tiler.bench.store import Store
from tiler.cli.main import main
from tiler.errors import BadArgument, InputError

HUGE = 10**40


@pytest.fixture
def results(tmp_path: Path) -> Path:
    folder = tmp_path / "results"
    with Store(folder) as store:
        store.append(record("x", "dlx", 1.5, schema=SCHEMA, goal="count", count=HUGE, stats={"nodes": 7}))
        store.append(record("y", "dlx", schema=SCHEMA))
    return folder


def test_csv_is_written_beside_the_records(results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(results), "--format", "csv"]) == 0
    assert capsys.readouterr().out == f"{results / 'runs.csv'}\n"
    assert {path.name for path in results.iterdir()} == {"runs.jsonl", "runs.csv"}  # and no report
    with (results / "runs.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [(row["instance"], row["count"], row["nodes"], row["solve_seconds"]) for row in rows] == [
        ("x", str(HUGE), "7", "1.5"),
        ("y", "", "", ""),
    ]
    assert main(["report", str(results), "--csv", str(tmp_path / "same.csv")]) == 0
    assert (tmp_path / "same.csv").read_bytes() == (results / "runs.csv").read_bytes()


@pytest.mark.parametrize("more", [["--format", "pdf"], ["--draft", "draft"], ["OTHER"]])
def test_rows_are_asked_for_alone(more: list[str], results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(results), *(str(results) if word == "OTHER" else word for word in more), "--format", "csv"]) == 2
    why = "has a row for each run of one results folder: ask for it in a command of its own"
    assert capsys.readouterr().err == f"tiler: --format csv {why}\n"


def test_parquet_has_the_rows_with_types(results: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    assert main(["report", str(results), "--format", "parquet"]) == 0
    read = parquet.read_table(results / "runs.parquet")
    rows = tiler.benchmark(folder=results).rows
    assert read.to_pylist() == [{**rows[0], "count": str(HUGE)}, rows[1]]
    types = {field.name: str(field.type) for field in read.schema}
    assert (types["solver"], types["nodes"], types["solve_seconds"], types["load"]) == ("string", "int64", "double", "double")


def test_a_number_too_large_for_parquet_is_one_line(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyarrow")
    with Store(results) as store:
        store.append(record("z", "dlx", 1.0, schema=SCHEMA, seed=2**70))
    assert main(["report", str(results), "--format", "parquet"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("tiler: a record does not fit into Parquet")
    assert not (results / "runs.parquet").exists()


def test_a_benchmark_opens_a_folder(results: Path, tmp_path: Path) -> None:
    assert [run["instance"] for run in tiler.benchmark(folder=results)] == ["x", "y"]
    with pytest.raises(InputError, match="there are no records here"):
        tiler.benchmark(folder=tmp_path / "nowhere")
    with pytest.raises(BadArgument, match="there are none to run"):
        tiler.benchmark()
    for folder in (results, str(results)):
        with pytest.raises(BadArgument, match=r"is no list of records; tiler\.Benchmark\.open"):
            tiler.Benchmark(folder)  # type: ignore[arg-type]
