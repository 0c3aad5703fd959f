"""Counts in results/reference/records: both ways say the same, and the quickest are counted again. And the boxes in
results/reference/boxes: what its page says of them is what they say, and those of a tile are all there."""

from __future__ import annotations

import json
import re
import shlex
from collections import Counter
from pathlib import Path

import pytest
from commands import call

from tiler.apps.mathematics.answers.rectangle_records import Records
from tiler.apps.mathematics.answers.rectangles import tiles_of
from tiler.apps.mathematics.rectangles import Rectangles, with_volume
from tiler.model.expected import Status

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


BOXES = FOLDER.parent / "boxes"
PAGE = (BOXES / "README.md").read_text()
ORDERS = re.findall(r"^\| `\S+` \| `(\S+)` \| \S.* \| at least (\d+) \|$", PAGE, re.M)


def test_orders_follow_from_the_boxes() -> None:
    """All boxes of fewer copies are refuted, for which nothing is searched here."""
    assert len(ORDERS) >= 20
    with Records.opened(str(BOXES / "boxes.jsonl")) as records:
        for name, order in ORDERS:
            tiles = tiles_of([name], reflections=True, in_space=True).tiles
            found = Rectangles(tiles, True, seconds=0, in_space=True)
            records.recall(found)
            for copies in range(1, int(order)):
                for sides in with_volume(copies * tiles[0].size, 3):
                    verdict = found.known[sides]
                    assert verdict.status is Status.UNSAT, (name, sides)
                    sure = {"area": 0, "colouring": 1, "search": 2}[verdict.how]
                    assert sum(each.status is Status.UNSAT for each in verdict.methods) >= sure, (name, sides)


def test_the_page_says_how_boxes_were_decided() -> None:
    lines = [json.loads(line) for line in (BOXES / "boxes.jsonl").read_text().splitlines()]
    assert len({(line["names"], *line["sides"]) for line in lines}) == len(lines)
    how = Counter(line["how"] for line in lines)
    for kind in ("area", "colouring", "search"):
        assert f"| {how[kind]:,} |" in PAGE
    assert f"{how['limit']} boxes were not decided" in PAGE


def test_a_box_is_decided_again(capsys: pytest.CaptureFixture[str]) -> None:
    """And the hexacube that fills none."""
    assert "fills no box at all" in call(capsys, "rectangles", "6c-52", "--reflections", "--copies", "1")[1]
    (line,) = [
        json.loads(text) for text in (BOXES / "boxes.jsonl").read_text().splitlines() if '"6c-01"' in text and "[4, 4, 6]" in text
    ]
    told = call(capsys, "solve", "6x4x4", "6c-01", "--reflections", "--solver", "dlx", "--format", "json")[1]
    (nodes,) = [each["nodes"] for each in line["methods"] if each["solver"] == "dlx"]
    assert json.loads(told)["status"] == line["status"] == "unsat"
    assert json.loads(told)["stats"]["nodes"] == nodes
