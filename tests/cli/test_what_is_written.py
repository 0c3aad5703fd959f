"""Files that `-o` writes, beyond those of each command's own tests: every command writes what others write."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from commands import call
from PIL import Image

MAGIC = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF", "html": b"<!DO"}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("form", ["pdf", "html"])
def test_a_proof(form: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "prove", "6x6", "4L", "-o", f"proof.{form}")
    assert (status, out.splitlines()[0]) == (0, "unsat: there is no tiling")
    content = (here / f"proof.{form}").read_bytes()
    assert content.startswith(MAGIC[form])
    assert form == "pdf" or (b"row stripes: every 4L" in content and b"<svg" in content)


def test_no_page_of_a_proof_that_is_none(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    err = call(capsys, "prove", "4x4", "2", "-o", "proof.html")[2]
    assert (err, list(here.iterdir())) == ("tiler: there is nothing to write: proof.html is not written\n", [])


def test_a_search_as_a_moving_picture(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "solve", "4x4", "4L", "--trace", "--solver", "dlx", "-o", "search.gif")[0] == 0
    with Image.open(here / "search.gif") as picture:
        first, frames = picture.convert("RGB").tobytes(), picture.n_frames
        picture.seek(frames - 1)
        assert (frames >= 4, picture.convert("RGB").tobytes() != first) == (True, True)
    assert "a moving picture shows a search: --trace" in call(capsys, "solve", "4x4", "2", "-o", "x.gif")[2]
    space = call(capsys, "solve", "2x2x2", "1x1x2", "--trace", "--solver", "dlx", "-o", "x.gif")
    assert (space[0], "-o search.html" in space[2]) == (2, True)


@pytest.mark.parametrize(
    "asked",
    [
        ["--optimise", "--weight", "2 5", "--weight", "3I 9"],
        ["--minimise", "pieces"],
        ["--all"],
        ["--limit", "2"],
        [],
        ["--unique"],
        ["--all", "--up-to-symmetry"],
    ],
)
def test_the_words_beside_a_file_are_those_without_one(asked: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    forms = ("json", "txt") if "--unique" in asked else ("json", "txt", "svg")
    for board, form in product((["4x3", "2", "3I"], ["3x3", "2"]), forms):
        status, printed, _ = call(capsys, "solve", *board, *asked)
        words = [line for line in printed.splitlines() if line and line[0] not in "│┌├└"]
        assert call(capsys, "solve", *board, *asked, "-o", f"file.{form}")[:2] == (status, "".join(f"{line}\n" for line in words))


def test_convert_writes_no_file_that_is_not_named_by_an_option(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(here.iterdir())
    status, out, err = call(capsys, "convert", "3x3x1", "1:1", "1:3L", "1:5V", "--format", "dlx")
    assert (status, out.splitlines()[0], err) == (0, "| 3x3x1 1:1 1:3L 1:5V", "")
    assert call(capsys, "convert", "3x3x1", "1:1", "1:3L", "1:5V", "--format", "dlx", "-o", "-") == (0, out, "")
    assert call(capsys, "convert", "4x4", "2", "a.cnf")[::2] == (2, "tiler: the file to write has an option: -o a.cnf\n")
    said = "tiler: name the file to write, or the language: tiler convert problem.txt -o out.cnf, or --format cnf\n"
    assert call(capsys, "convert", "4x4", "2") == (2, "", said)
    assert sorted(here.iterdir()) == before
    assert call(capsys, "convert", "4x4", "2", "-o", "b.cnf") == (0, "", "")
    assert (here / "b.cnf").read_text().startswith("c ")


@pytest.mark.parametrize("form", ["png", "pdf"])
def test_a_sheet_of_problems(form: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "problems", "dominoes-02x02", "-o", f"sheet.{form}") == (0, "", "")
    assert (here / f"sheet.{form}").read_bytes().startswith(MAGIC[form])


def test_plastic_says_what_was_written(capsys: pytest.CaptureFixture[str]) -> None:
    out = call(capsys, "show", "6x1", "2:3I", "-o", "pieces.stl", "--unit", "10", "--gap", "0")[1]
    assert out.startswith("2 pieces, ")
    assert out.endswith(" mm\n")
    assert call(capsys, "show", "6x1", "2:3I", "-o", "tray.stl", "--tray")[1].startswith("tray, ")


def test_files_from_before_are_named(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("choose", "5x3", "1:pentominoes", "--format", "problem", "-o", "puzzles/")
    assert "from before" not in call(capsys, *words, "--limit", "3")[2]
    (here / "puzzles/mine.txt").write_text("")
    err = call(capsys, *words, "--limit", "2")[2]
    assert "tiler: note: written before, and left where they are: 3.txt\n" in err
    assert len(list((here / "puzzles").iterdir())) == 4


def test_choose_writes_worksheets(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    asked = ("choose", "5x5", "--from", "pentominoes", "--pieces", "5", "--unique")
    sheet = str(tmp_path / "sheet.svg")
    assert call(capsys, *asked, "-o", sheet, "--per-page", "2", "--solutions")[0] == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sheet-1.svg", "sheet-2.svg"]
    for wrong in (("--per-page", "2"), ("--solutions", "-o", "sets.txt"), ("--per-page", "2", "--names", "-o", sheet)):
        status, _, err = call(capsys, *asked, *wrong)
        assert status == 2
        assert "worksheets" in err
