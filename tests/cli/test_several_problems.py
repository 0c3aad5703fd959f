"""Several problems, and folders of them, are solved and shown one after the other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import call


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.txt").write_text("2x2\n\n2\n")
    (tmp_path / "sub/b.txt").write_text("3x3\n\n2\n")
    (tmp_path / "sub/c.json").write_text('{"schema": "tiler-instance-1", "board": "2x1", "tiles": [{"cells": "2"}]}')
    (tmp_path / "sub/notes.md").write_text("no problem")
    return tmp_path


def test_they_are_solved_one_by_one(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "solve", "a.txt", "sub")
    lines = [line for line in out.splitlines() if line.endswith(":") or line.startswith(("sat", "unsat"))]
    assert (status, lines[0], lines[2], lines[4]) == (0, "a.txt:", "sub/b.txt:", "sub/c.json:")
    assert [line.partition(":")[0] for line in lines[1::2]] == ["sat", "unsat", "sat"]
    answers = [json.loads(line) for line in call(capsys, "solve", "sub", "--format", "json")[1].splitlines()]
    assert [answer["status"] for answer in answers if "status" in answer] == ["unsat", "sat"]


def test_they_are_shown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "show", "4L/06x06_u", "a.txt")
    assert (status, out.startswith("4L/06x06_u:\n"), "\na.txt:\n" in out) == (0, True, True)


def test_what_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "empty").mkdir()
    assert call(capsys, "solve", "empty")[::2] == (2, "tiler: empty: there is no problem in this folder\n")
    several = "tiler: -o and --proof write a file about one problem, and there are 2\n"
    assert call(capsys, "solve", "sub", "-o", "x.svg")[::2] == (2, several)
    assert call(capsys, "solve", "a.txt", "sub/b.txt", "2")[0] == 2


def test_the_worst_status_is_kept(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "wrong.txt").write_text("# verdict: unsat\n\n2x1\n\n2\n")
    assert call(capsys, "solve", "wrong.txt", "a.txt")[0] == 4
