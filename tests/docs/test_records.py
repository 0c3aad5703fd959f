"""The counts in results/reference/records: both ways say the same, and the quickest are counted again."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from commands import call

FOLDER = Path(__file__).parents[2] / "results/reference/records"
RECORDS = [json.loads(line) for line in (FOLDER / "records.jsonl").read_text().splitlines()]


def test_each_is_found_in_two_ways() -> None:
    told = (FOLDER / "README.md").read_text()
    for record in RECORDS:
        assert record["checks"], record["term"]
        for check in record["checks"]:
            assert check.get("count", record["count"]) == record["count"]
            if "prime" in check:
                assert record["count"] % check["prime"] == check["residue"]
        assert f"{record['term']}: {record['count']:,}" in told


def test_a_quick_one_is_counted_again(capsys: pytest.CaptureFixture[str]) -> None:
    (record,) = [each for each in RECORDS if each["term"].startswith("A(9, 12)")]
    arguments = shlex.split(record["command"])[1:]
    status, out, _ = call(capsys, *arguments)
    assert (status, json.loads(out)["count"]) == (0, record["count"])
