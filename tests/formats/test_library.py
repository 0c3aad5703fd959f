"""Problems by name: from anywhere, and a file here goes before one of ours."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import call

from tiler import formats
from tiler.errors import InputError
from tiler.formats import library

NAMES = ("4L/10x10_u", "4L/10x10_u.txt", "problems/4L/10x10_u", "problems/4L/10x10_u.txt", "./problems/4L/10x10_u.txt")


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory without problems."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", NAMES)
def test_ours_are_found_from_anywhere(elsewhere: Path, name: str) -> None:
    instance = formats.read(name)
    assert (instance.name, len(instance.board)) == ("4L/10x10_u", 100)


@pytest.mark.parametrize("name", ["4L/10x10_u", "4L/10x10_u.txt"])
def test_a_file_here_goes_first(elsewhere: Path, name: str) -> None:
    (elsewhere / "4L").mkdir()
    (elsewhere / name).write_text("2x1\n\n2\n")
    assert len(formats.read(name).board) == 2


def test_a_folder_of_problems_here_goes_before_ours(elsewhere: Path) -> None:
    (elsewhere / "problems" / "4L").mkdir(parents=True)
    (elsewhere / "problems" / "4L" / "10x10_u.txt").write_text("2x1\n\n2\n")
    assert len(formats.read("4L/10x10_u").board) == 2
    assert len(formats.read("4L/06x06_u").board) == 36


@pytest.mark.parametrize("name", ["4L/none", "4L", "problems", "../4L/10x10_u", "problems/../4L/10x10_u", "/4L/10x10_u", "a\0b"])
def test_what_is_no_name_of_a_problem_is_taken_as_it_is(elsewhere: Path, name: str) -> None:
    assert library.find(name) == name
    with pytest.raises(InputError, match=r"there is no such file|not a file name"):
        formats.read(name)


def test_the_command_says_what_there_is(elsewhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "show", "4L/10x10_u", "--format", "problem")[0] == 0
    status, _, err = call(capsys, "solve", "4L/10x10")
    assert (status, err.count("\n")) == (2, 1)
    assert err.startswith("tiler: 4L/10x10: there is no such file; nearest: 4L/10x10_u, ")
    assert err.endswith(" (tiler problems lists those of Tiler)\n")
