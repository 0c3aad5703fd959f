"""The page of all runs: what is in it, that it needs no network, and that foreign text in it is only text."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from records import RECORDS, record, record_of_run

from tiler.ask.solve import solve
from tiler.backends.registry import parse_spec
from tiler.bench import measure
from tiler.bench.job import Job
from tiler.bench.stats import Clock, tables
from tiler.formats import inline, library, read
from tiler.question.question import Question
from tiler.report import document, runs, style


def data(page: str) -> Any:
    found = re.search(r'id="data">([^<]*)<', page)
    assert found is not None
    return json.loads(gzip.decompress(b64decode(found[1])))


def test_every_run_is_there_once_with_its_record() -> None:
    shared = {"environment": {"platform": "here", "cores": 2}}
    given = data(runs.section([{**each, **shared} for each in RECORDS], Clock.SOLVE))
    assert len(given["rows"]) == len(given["records"]) == len(RECORDS)
    named = {(given["problems"][row[0]], given["solvers"][row[1]]["label"]) for row in given["rows"]}
    assert named == {(each["instance"], each["solver"]) for each in RECORDS}
    assert given["tables"]["environment"] == [{"platform": "here", "cores": 2}]
    assert {each["environment"] for each in given["records"]} == {0}
    (first,) = (row for row in given["rows"] if row[:2] == [0, 0])
    assert given["ends"][first[3]] == "solved"
    assert first[5][given["clock"]] == 1.0


def test_boards_are_those_that_were_asked() -> None:
    instance = read(library.find("4L/06x06_u"), name="4L/06x06_u")
    given = data(runs.section([record("4L/06x06_u", "a", 1.0, digest=instance.digest)], Clock.SOLVE))
    assert given["boards"] == {"4L/06x06_u": ["xxxxxx"] * 6}
    assert data(runs.section([record("4L/06x06_u", "a", 1.0, digest="another")], Clock.SOLVE))["boards"] == {}


def test_a_tiling_goes_from_the_run_to_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "mixed/4Os-4T-06x06_u"
    board = "misc/01_s"
    instance = read(library.find(board), name=board)
    made = [record_of_run(Job(instance, parse_spec("dlx").spec, Question()))]
    letters = made[0]["tiling"]
    tiling = {(r, c): letter for r, row in enumerate(letters.split("/")) for c, letter in enumerate(row)}
    assert tiling.keys() == instance.board
    solution = solve(instance, "dlx").solutions[0]
    whose = {cell: number for number, placement in enumerate(solution) for cell in placement.cells}
    for (row, column), letter in tiling.items():
        for other in ((row + 1, column), (row, column + 1)):
            if other in tiling:
                assert (tiling[other] == letter) == (whose[other] == whose[row, column])
    given = data(runs.section(made, Clock.SOLVE))
    assert given["records"][0]["tiling"] == letters
    assert max(map(measure._LETTERS.index, tiling.values())) < len(given["fills"]) == len(measure._LETTERS)
    assert f'"{measure._LETTERS}"' in runs.file("runs_record.js")
    monkeypatch.setattr(runs, "_MOST_LETTERS", len(letters) - 1)
    given = data(runs.section(made, Clock.SOLVE))
    assert "tiling" not in given["records"][0]
    assert "not in this page" in given["without"]
    unsolved = record_of_run(Job(read(library.find(name), name=name), parse_spec("dlx").spec, Question()))
    assert unsolved["tiling"] is None


def test_which_tilings_are_kept(tmp_path: Path) -> None:
    """Flat ones of squares, with `.` for cells that stay open."""
    for words, kept in ((["2x2x2", "2"], False), (["2x2", "2"], True), (["50x42", "2"], False)):
        instance = inline(words)
        assert (measure.compact_tiling(instance, solve(instance, "dlx").solutions[0]) is not None) == kept
    (tmp_path / "open.txt").write_text("xxo\n  x\n  x\n\n2\n")
    instance = read(tmp_path / "open.txt")
    found = measure.compact_tiling(instance, solve(instance, "dlx").solutions[0])
    assert found is not None
    first, second = found[0], found[-1]
    assert found == f"{first}{first}./  {second}/  {second}"


def test_the_page_is_one_file_and_foreign_text_is_packed() -> None:
    evil = "</script><script>alert(1)</script>"
    page = document.html("t", [], runs.section([record(f"f/{evil}", "a", 1.0, message=evil)], Clock.SOLVE), runs.style_sheet())
    assert "alert(1)" not in page
    assert not re.search(r"<(?:script|link|img)[^>]*(?:src|href)=", page)
    assert data(page)["problems"] == [f"f/{evil}"]
    assert "Copyright 2010-" in page
    assert all("innerHTML" not in runs.file(name) for name in runs.SCRIPTS if name.startswith("runs"))


def test_clocks() -> None:
    one = record("f/1", "sat", 2.0, encode_seconds=1.0, wall_seconds=4.0, cpu_seconds=3.0, stats={"engine_seconds": 0.5})
    (row,) = data(runs.section([one], Clock.ENGINE))["rows"]
    assert dict(zip(Clock, row[5], strict=True)) == {
        Clock.SOLVE: 2.0,
        Clock.TOTAL: 3.0,
        Clock.WALL: 4.0,
        Clock.CPU: 3.0,
        Clock.ENGINE: 0.5,
    }


def test_the_page_begins_with_the_main_table_and_folds_the_others() -> None:
    main = [document.Heading("Results", first=True), document.Paragraph("the main table")]
    long = [document.Heading("By family"), document.Tabular(("a", "b"), (("1", "2"),))]
    loud = [document.Heading("Wrong answers"), document.Bullets(("here",), loud=True)]
    page = document.html(
        "t", [document.Heading("Title", 1), *main, *long, *loud], runs.section(RECORDS, Clock.SOLVE), runs.style_sheet()
    )
    places = [
        page.index(text)
        for text in ("<h1>Title", "the main table", "Wrong answers", 'id="runs"', "<summary>By family", "<table>")
    ]
    assert places == sorted(places)
    assert "<details" not in document.html("t", [*long, *loud])


def test_the_form_of_a_problem_is_in_its_row() -> None:
    made = [record("f/1", "dlx", 1.0, form=form) for form in range(3)]
    assert [row[-1] for row in runs.data(made, Clock.SOLVE)["rows"]] == [0, 1, 2]


def test_the_place_of_a_record_is_in_its_row() -> None:
    old = record("f/1", "dlx", 5.0, started="2020-01-01")
    given = runs.data([old, *RECORDS, record("f/1", "dlx", 1.0, started="2021-01-01")], Clock.SOLVE)
    places = [row[-2] for row in given["rows"]]
    assert sorted(places) == [place for place in range(len(RECORDS) + 2) if place != 0]


def test_nodes_of_engines_that_count_none_are_empty() -> None:
    counters = ({"nodes": 0, "engine_seconds": 0.1}, {"nodes": 7, "engine_seconds": 0.1}, {"nodes": 0}, {})
    made = [record(f"f/{n}", "sat", 1.0, stats=stats) for n, stats in enumerate(counters)]
    assert [row[6] for row in runs.data(made, Clock.SOLVE)["rows"]] == [None, 7, 0, None]


def test_a_solver_has_the_looks_of_the_figures() -> None:
    made = [record(f"f/{n}", spec, 1.0 + n) for n in range(3) for spec in ("dlx", "dlx:order=first", "sat")]
    looks = style.looks_of(tables(made)[0])
    shown = {solver["spec"]: solver["colour"] for solver in runs.data(made, Clock.SOLVE)["solvers"]}
    assert shown == {spec: look.colour for spec, look in looks.items()}
