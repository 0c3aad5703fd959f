"""The figures of the thesis and the tables of the article are made from records, and what has no records is named."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from commands import call
from records import record

from tiler.backends.registry import parse_spec
from tiler.backends.thesis_names import NAMES
from tiler.bench.job import SCHEMA
from tiler.report import style
from tiler.report.like import fila, thesis
from tiler.report.like.fila import PUBLISHED
from tiler.report.like.thesis import FIGURES, ThesisFigure

REFERENCE = Path(__file__).parents[2] / "results/reference"
PROBLEMS = ("2/corners-06x06_u", "2/corners-08x08_u", "many-unique/5r-04x15_s", "many-unique/mess-01_s")


def campaign(folder: Path, name: str, solvers: Sequence[str], **fields: Any) -> None:
    """Write records of solvers by their names in the thesis."""
    (folder / name).mkdir(parents=True)
    runs = [
        record(problem, parse_spec(solver).spec, 0.1 * (rank + 1) * (place + 1), schema=SCHEMA, cells=10 * (place + 1), **fields)
        for rank, solver in enumerate(solvers)
        for place, problem in enumerate(PROBLEMS)
    ]
    (folder / name / "runs.jsonl").write_text("".join(json.dumps(run) + "\n" for run in runs))


@pytest.fixture
def results(tmp_path: Path) -> Path:
    folder = tmp_path / "reference"
    campaign(folder, "thesis-backtracking", ("simple_default", "simple_frequent", "simple_rare"))
    campaign(folder, "thesis-dlx", ("dlx_default", "dlx"))
    campaign(folder, "thesis-sat", ("amk-card", "amk-bdd", "sat_cadical_no-breaker_amo-seq"))
    return folder


def listed(file: Path) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    return list(csv.DictReader(file.read_text().splitlines()))


def of(number: str) -> ThesisFigure:
    return next(figure for figure in FIGURES if figure.number == number)


def test_the_figures_stand_in_order_with_at_most_ten_lines() -> None:
    assert [figure.number for figure in FIGURES] == ["3.2", "3.4", *(f"B.{number}" for number in range(1, 14))]
    assert max(len(figure.solvers) for figure in FIGURES) == 10
    assert [name for figure in FIGURES for name in figure.solvers if name not in NAMES] == []
    there = {path.stem for path in REFERENCE.glob("*.toml")}
    assert [figure.number for figure in FIGURES if there.isdisjoint(figure.campaigns)] == []


def test_figures_show_what_has_records_and_name_the_rest(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(thesis, "FIGURES", (of("3.4"), of("B.1"), of("B.3"), of("B.7")))
    out = tmp_path / "out"
    status, said, _ = call(capsys, "report", str(results), "--like", "thesis", "--format", "svg", "-o", str(out))
    lines = said.splitlines()
    assert (status, lines[-4:]) == (
        0,
        [
            "without Figure 3.4: no records of ilp_gurobi_adjusted_eq-ign in thesis-backtracking, thesis-dlx, thesis-sat",
            "without Figure B.1: no records of simple_fill-row in thesis-backtracking, thesis-dlx",
            "without Figure B.3: no records of its solvers in thesis-sat",
            "without Figure B.7: no records of cadical breakid, cms no-breaker, cms breakid in thesis-sat",
        ],
    )
    files = {f"figure-{stem}.{ending}" for stem in ("3-4", "b-1", "b-7") for ending in ("svg", "csv", "txt")} | {"figures.tex"}
    assert {path.name for path in out.iterdir()} == files == {Path(line).name for line in lines[:-4]}
    rows = {stem: listed(out / f"figure-{stem}.csv") for stem in ("3-4", "b-1")}
    # The filter of 3.4; our own dlx is not the thesis's.
    assert {row["instance"] for row in rows["3-4"]} == set(PROBLEMS[:2])
    assert {row["solver"] for row in rows["b-1"]} == {
        "backtracking",
        "backtracking:order=frequent",
        "backtracking:order=rare",
        "dlx:copies=named",
    }
    latex = (out / "figures.tex").read_text()
    assert re.findall(r"\\includegraphics\[.*\]\{(.*)\}", latex) == ["figure-3-4", "figure-b-1", "figure-b-7"]
    assert "(as Figure B.1 of the thesis). A point is a solved problem." in latex
    assert r"sat is sat\_cadical\_no-breaker\_amk-card" in latex
    svg = (out / "figure-b-1.svg").read_text()
    assert [label for label in ("simple default", "simple frequent", "simple rare", "dlx") if label not in svg] == []


def test_a_caption_names_solvers_that_were_asked_less(results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = results / "thesis-dlx/runs.jsonl"
    file.write_text("".join(file.read_text().splitlines(keepends=True)[:3]))
    monkeypatch.setattr(thesis, "FIGURES", (of("B.1"),))
    thesis.write(results, tmp_path, ["svg"])
    assert "4 problems, limits of a run: 10 s, 100 MiB. dlx was asked about 3 of them." in (tmp_path / "figures.tex").read_text()


def test_no_records_at_all_are_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("thesis", "fila"):
        status, _, error = call(capsys, "report", str(tmp_path), "--like", text)
        assert (status, error.startswith(f"tiler: there are no records for --like {text} in {tmp_path}")) == (2, True)


@pytest.mark.parametrize(
    ("others", "error"),
    [
        (("--csv", "x"), "--like has its own choice of records, plots and titles: leave out --csv"),
        (("--filter", "4L"), "--like has its own choice of records, plots and titles: leave out --filter"),
        (("--format", "parquet"), "--like fila makes figures and tables: leave out --format parquet"),
    ],
)
def test_what_goes_not_together_is_refused(capsys: pytest.CaptureFixture[str], others: tuple[str, ...], error: str) -> None:
    assert call(capsys, "report", "x", "--like", "fila", *others) == (2, "", f"tiler: {error}\n")


def test_hues_tell_the_variants_of_a_backend_apart() -> None:
    specs = tuple(str(parse_spec(name)) for name in of("B.2").solvers)
    with style.laid_out(style.Layout(hues=True)):
        colours = {look.colour for look in style.looks(specs).values()}
        alone = style.looks(("dlx", "sat"))
    assert len(colours) == len(specs)
    assert {name: look.colour for name, look in alone.items()} == {name: style.colour(name) for name in ("dlx", "sat")}


# --- the article


def rows(file: Path) -> dict[str, dict[str, str]]:
    """The rows of a table by their first cell."""
    return {next(iter(row.values())): row for row in listed(file)}


def test_the_tables_of_the_article(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, said, _ = call(capsys, "report", str(REFERENCE), "--like", "fila", "-o", str(tmp_path))
    assert (status, said.splitlines()[-1][:35]) == (0, "without Table 1, rows OP-1 to OP-4,")
    table = rows(tmp_path / "table-1.csv")
    assert list(table) == [row.row for row in PUBLISHED]
    p5 = table["P-5"]
    assert (p5["fits, his"], p5["fits, ours"], p5["fits, %"]) == ("2,091,215", "2,091,215", "0.000")
    pt5 = table["PT-5"]
    assert (pt5["no-fits, his"], pt5["no-fits, %"]) == ("291,191,337", f"{100 * (298_347_935 / 291_191_337 - 1):+.3f}")
    # The article: attempts by pieces left with NOF off and on, of as many targets as there were fits one level above.
    level = rows(tmp_path / "by-pieces-left-p.csv")
    for left, above, off, on in ((1, 302_256, 301_677, 78_883), (4, 272_072, 3_665_538, 1_775_873), (9, 1744, 28_279, 19_118)):
        shown = level[str(left)]
        assert shown["targets"] == f"{above:,}"
        assert (shown["attempts per target, NOF off"], shown["attempts, NOF on"]) == (f"{off / above:.3f}", f"{on / above:.3f}")
        assert shown["attempts, %"] == f"{100 * (on / off - 1):+.3f}"
    # And for the Tetris cube, with one digit behind the point.
    cube = rows(tmp_path / "by-pieces-left-tc.csv")
    assert [round(float(cube["4"][head]), 1) for head in ("no-fits, NOF on", "no-fits per target, NOF off")] == [3.2, 27.7]
    assert [round(float(cube["3"][head]), 1) for head in ("attempts, NOF on", "no-fits, NOF on")] == [11.3, 9.2]
    assert (tmp_path / "tables.tex").read_text().count(r"\caption{") == 4
    assert "| 4 | 14,995,303 |" in (tmp_path / "tables.md").read_text()


def test_rows_without_a_record_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "busche"
    folder.mkdir()
    lines = (REFERENCE / "busche/runs.jsonl").read_text().splitlines(keepends=True)
    (folder / "runs.jsonl").write_text(
        "".join(line for line in lines if '"instance":"busche-problems/P"' in line and "nof=off" not in line)
    )
    written = fila.write(tmp_path, tmp_path / "out")
    assert {path.name for path in written.paths} == {"table-1.tex", "table-1.csv", "tables.md", "tables.tex"}
    assert written.lacking[0] == "Table 1, row P-4: no record of fila:filter=volume,handoff=11,window=off,nof=off in busche"
    assert "Table of P by pieces left: it needs P-4 and P-5" in written.lacking
