"""The page of all runs: what is in it, that it needs no network, and that foreign text in it is only text."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64decode
from typing import Any

from records import RECORDS, record

from tiler.bench.stats import Clock
from tiler.formats import library, read
from tiler.report import document, runs


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


def test_the_page_is_one_file_and_foreign_text_is_packed() -> None:
    evil = "</script><script>alert(1)</script>"
    page = document.html("t", [], runs.section([record(f"f/{evil}", "a", 1.0, message=evil)], Clock.SOLVE), runs.style_sheet())
    assert "alert(1)" not in page
    assert not re.search(r"<(?:script|link|img)[^>]*(?:src|href)=", page)
    assert data(page)["problems"] == [f"f/{evil}"]
    assert "Copyright 2010-" in page
    assert "innerHTML" not in (runs._file("page.js"))


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
