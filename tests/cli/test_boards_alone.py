"""A file may hold a board and nothing else: it is shown, and pieces are chosen for it; all other commands want tiles."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import call

import tiler
from tiler import formats
from tiler.errors import InputError

BOARD = "# labels: am pm\n# labels: 1 2 3 4 5\n# group: half am pm\n# group: day 1..5\n\noo...\nooooo\nxxxxx\n"


@pytest.fixture
def board(tmp_path: Path) -> str:
    file = tmp_path / "board.txt"
    file.write_text(BOARD)
    return str(file)


def test_it_is_shown(board: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "show", board)
    assert (status, "symmetry  none" in out, "none: a board alone" in out, " am  pm│" in out) == (0, True, True, True)


@pytest.mark.parametrize("form", ["json", "problem"])
def test_it_is_written_and_read_again(board: str, capsys: pytest.CaptureFixture[str], form: str) -> None:
    alone = formats.read(board)
    again = formats.parse(call(capsys, "show", board, "--format", form)[1])
    assert (again, again.labels, again.tiles) == (alone, alone.labels, ())


def test_it_is_printed(board: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet, tray = tmp_path / "sheet.pdf", tmp_path / "tray.stl"
    assert call(capsys, "show", board, "-o", str(sheet))[0] == 0
    assert sheet.read_bytes().startswith(b"%PDF")
    assert call(capsys, "show", board, "-o", str(tray)) == (2, "", "tiler: there are no pieces; --tray prints the board\n")
    assert call(capsys, "show", board, "-o", str(tray), "--tray")[0] == 0


def test_pieces_are_chosen_for_it(board: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "choose", board, "--from", "3L", "4L", "2", "1", "4T", "--all-open")
    assert (status, "; 2 with a tiling for every set of open cells\nsolve the first: tiler solve " in out) == (0, True)
    assert call(capsys, "choose", board)[2] == "tiler: there is no piece to choose; name the pool: --from pentominoes\n"
    found = tiler.choose(tiler.read(board), pool=["3L", "4L", "2", "1", "4T"], all_open=True)
    assert [each.pieces for each in found] == [("3L", "2", "1", "4T"), ("3L", "4L", "2", "1")]


def test_what_searches_wants_tiles(board: str, capsys: pytest.CaptureFixture[str]) -> None:
    why = "there is no tile; give at least one after the board"
    for command in ("solve", "count", "unique", "estimate", "prove"):
        assert call(capsys, command, board) == (2, "", f"tiler: {board}: {why}\n")
    with pytest.raises(InputError, match=why):
        tiler.count(tiler.read(board))
