"""Long lists of tilings are written in blocks, and read back as they were."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from painted import drawn

import tiler
from tiler.ask.solve import solve
from tiler.cover.board import BoardCover
from tiler.errors import BadOption, InputError, TilerError
from tiler.formats import inline, tiling_lists
from tiler.formats.tiling_lists import ListWriter
from tiler.model import verify_blocks
from tiler.model.instance import Instance
from tiler.process import files
from tiler.question.events import Found
from tiler.question.question import Goal, Question

HEADER = '{"schema": "tiler-tilings-1", "placements": [{"tile": "2", "cells": [[0, 0], [0, 1]]}]}'
FORMS = ("jsonl", "npz", "csv")


def written(instance: Instance, path: Path) -> dict[str, Any]:
    with ListWriter.of(path.suffix[1:], str(path)) as writer:
        answer = solve(instance, "dlx", Question(Goal.ENUMERATE), on_block=writer.add)
        writer.answer = answer.summary()
    return answer.summary()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "words",
    [["4x4", "2"], ["3x4", "2", "3L"], ["2x2x3", "2", "3I"], ["5x1", "2", "1:3I"]],
    ids=["even", "ragged", "space", "one"],
)
def test_tilings_are_read_as_they_were_written(words: list[str], form: str, tmp_path: Path) -> None:
    instance, path = inline(words), tmp_path / f"all.{form}"
    answer = written(instance, path)
    every = {frozenset(tiling) for tiling in solve(instance, "dlx", Question(Goal.ENUMERATE)).solutions}
    read = tiler.read_tilings(path, instance)
    assert len(read) == len(every)
    assert {frozenset(tiling.placements) for tiling in read} == every
    last = tiling_lists.lines(str(path))[-1][1]
    assert form == "csv" or last == json.loads(json.dumps(answer))


@pytest.mark.parametrize("form", FORMS)
def test_cells_may_stay_open(form: str, tmp_path: Path) -> None:
    instance = tiler.make("5x1", "2", open=1)
    written(instance, tmp_path / f"open.{form}")
    assert len(tiler.read_tilings(tmp_path / f"open.{form}", instance)) == 3


def test_marks_are_kept_and_a_table_has_none(tmp_path: Path) -> None:
    instance = drawn(1)
    for form in ("jsonl", "npz"):
        written(instance, tmp_path / f"marks.{form}")
        assert tiler.read_tilings(tmp_path / f"marks.{form}", instance)
    with pytest.raises(BadOption, match="no colours and marks"):
        written(instance, tmp_path / "marks.csv")


def test_arrays_can_be_used_without_tiler(tmp_path: Path) -> None:
    written(inline(["3x4", "2", "3L"]), tmp_path / "all.npz")
    with np.load(tmp_path / "all.npz") as arrays:
        rows, covers, cells = arrays["tilings_0"], arrays["covers"], arrays["cells"]
        assert arrays["tile"].shape == covers.shape[:1]
    assert (len(rows), cells.shape) == (55, (12, 2))
    for row in rows:
        covered = covers[row[row >= 0]]
        assert sorted(covered[covered >= 0].tolist()) == list(range(12))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("room", [3_000, 9_000, 14_000])
def test_a_full_disk_loses_nothing_that_is_written(form: str, room: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    instance, path = inline(["5x6", "2"]), tmp_path / f"all.{form}"
    path.write_text("before")
    write = files._Raw.write

    def limited(raw: Any, content: Any) -> int:
        left = room - raw.tell()
        if left <= 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(raw, memoryview(content)[:left])

    # How many tilings a search hands over at a time depends on the clock.
    blocks: list[tuple[BoardCover, Found]] = []
    solve(instance, "dlx", Question(Goal.ENUMERATE), on_block=lambda *block: blocks.append(block))
    cover, tilings = blocks[0][0], Found.joined([block.rows for _, block in blocks]).rows
    monkeypatch.setattr(files._Raw, "write", limited)
    monkeypatch.setattr(tiling_lists, "_MEMBER", 1_000)

    def write_list() -> None:
        with ListWriter.of(form, str(path)) as writer:
            for start in range(0, len(tilings), 50):
                writer.add(cover, Found(tilings[start : start + 50]))

    with pytest.raises((TilerError, OSError), match=r"No space left|cannot be written") as failure:
        write_list()
    assert path.read_text() == "before"
    kept = tmp_path / f"all.partial.{form}"
    if not kept.exists():
        assert room == 3_000
        return
    some = tiler.read_tilings(kept, instance)
    assert some
    assert f"{len(some)} tilings" in str(failure.value)
    assert kept.stat().st_size <= room
    assert sorted(os.listdir(tmp_path)) == sorted([path.name, kept.name])


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        (
            "a.jsonl",
            '{"schema": "tiler-tilings-1", "placements": [{"tile": "2", "cells": [[0, 0], [0, 1]]}]}\n[7]\n',
            "'7' is no num",
        ),
        ("a.jsonl", '{"schema": "tiler-tilings-1"}\n', "not the beginning of a list"),
        (
            "a.jsonl",
            '{"schema": "tiler-tilings-1", "placements": [{"tile": "2", "cells": [[0, 0], [0, 1]]}]}\n[0,0]\n',
            "covered al",
        ),
        ("a.csv", "0 0,0 1,1 0,1 1\n2.1,2.1\n", "2 cells, and the first line has 4"),
        ("a.csv", "0 0,0 1,1 0,1 1\n2.1,2.2,2.2,2.1\n", "do not have the shape"),
        ("a.csv", "first\n", "the first line must name cells"),
        ("a.npz", "PK", "not a list of tilings"),
    ],
)
def test_what_is_wrong_in_a_list_is_said(name: str, content: str, words: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=words):
        tiler.read_tilings(tmp_path / name, inline(["2x2", "2"]))


def test_arrays_are_not_written_to_stdout() -> None:
    with pytest.raises(BadOption, match="goes into a file"):
        ListWriter.of("npz", None)


def test_a_wrong_tiling_is_seen_in_a_later_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify_blocks, "_BLOCK", 8)
    instance = inline(["4x4", "2"])
    tilings = list(solve(instance, "dlx", Question(Goal.ENUMERATE)).solutions)
    tilings[20] = tilings[20][:-1]
    errors = verify_blocks.errors_in(instance, tilings)
    assert [number for number, wrong in enumerate(errors) if wrong] == [20]
