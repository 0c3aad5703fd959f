"""`tiler problems`: what there is, what is known of it, and the sheet of pictures."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest
from commands import call

from tiler.bench import corpus

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_list_says_what_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "problems", "--family", "classic", "soma", "tetris")
    assert (status, err) == (0, "")
    heads, *lines = (line.split() for line in out.splitlines())
    assert heads == ["name", "title", "cells", "tilings", "orbits"]
    assert lines == [
        ["classic/soma_s", "The", "Soma", "cube", "27", "11,520", "240"],
        ["classic/tetris-cube_s", "The", "Tetris", "cube", "64", "some", "9,839"],
    ]


@pytest.fixture
def few(tmp_path: Path) -> Path:
    """A folder with two families of problems, half of them from the thesis."""
    for family in ("4I", "4L"):
        shutil.copytree(corpus.find_folder() / family, tmp_path / "few" / family)
    return tmp_path / "few"


def test_all_of_a_tag_as_json(few: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "problems", "--problems", str(few), "--tag", "thesis", "--format", "json")
    listed = [json.loads(line) for line in out.splitlines()]
    tagged = [path for path in few.rglob("*.txt") if re.search("^# tags:.* thesis", path.read_text(), re.MULTILINE)]
    names = {path.relative_to(few).with_suffix("").as_posix() for path in tagged}
    assert (status, {each["name"] for each in listed}, len(listed)) == (0, names, 10)
    assert all("thesis" in each["tags"] for each in listed)


def test_problems_of_a_folder_here_are_listed_instead(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name, board in (("mine/small", "2x1"), ("mine/large", "10x1000")):
        path = tmp_path / "problems" / f"{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# count: {10**400 if 'large' in name else 1}\n{board}\n\n2\n")
    assert call(capsys, "problems")[1].splitlines() == [
        "name        title   cells    tilings  orbits",
        "mine/large         10,000  1.00e+400",
        "mine/small              2          1",
    ]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--family", "classik"], "no family is called 'classik'; nearest: classic, calendars, slack; there are 1, 2, 3I"),
        (["--problems", "few", "--tag", "thesiss"], "no problem of 22 has the tag thesiss; there are scaled, thesis"),
        (["soma", "--family", "4L"], "none of these is in the family 4L"),
        (["-o", "sheet.txt"], "the name of a picture must end in .svg"),
        (["--problems", "nowhere"], "nowhere: there is no such folder"),
    ],
)
@pytest.mark.usefixtures("few")
def test_what_is_refused(capsys: pytest.CaptureFixture[str], arguments: list[str], text: str) -> None:
    status, out, err = call(capsys, "problems", *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert text in err


def test_a_sheet_has_a_picture_of_each(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    shutil.copytree(corpus.find_folder() / "classic", tmp_path / "problems/classic")
    (tmp_path / "problems/other").mkdir()
    (tmp_path / "problems/other/small.txt").write_text("2x1\n\n2\n")
    assert call(capsys, "problems", "--family", "classic", "-o", "sheet.svg") == (0, "", "")
    root = ElementTree.parse(tmp_path / "sheet.svg").getroot()
    names = [instance.name for instance in corpus.select(tmp_path / "problems", ["classic/"])]
    assert len(names) > 20
    pictures = root.findall(f"{SVG}g[@class='picture']")
    assert [picture.findtext(f"{SVG}title") for picture in pictures] == names
    captions = [(picture.findall(f"{SVG}text")[-1].text or "").rstrip("…") for picture in pictures]
    assert all(name.startswith(caption) for name, caption in zip(names, captions, strict=True))
    corners = [tuple(map(float, re.findall(r"[\d.]+", picture.attrib["transform"]))) for picture in pictures]
    _, _, wide, high = map(float, (root.get("viewBox") or "").split())
    assert all(x + 150 <= wide and y + 150 <= high for x, y in corners)
    assert len(set(corners)) == len(names)


@pytest.mark.parametrize(
    ("options", "number"),
    [
        (["--place", "2 0,0 0,1"], 18),
        (["--open", "2..2"], 552),
        (["--open-cells", "0,0 0,1"], 18),
        (["--no-turning"], 1),
        (["--weight", "2 3"], 36),
        (["--reflections"], 36),
    ],
)
def test_a_file_expects_nothing_of_another_question(
    options: list[str], number: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "p.txt"
    file.write_text("# count: 36\n\n4x4\n\n2\n")
    assert call(capsys, "count", str(file), *options) == (0, f"{number}\n", "")


def test_what_a_file_expects_when_pieces_are_turned_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "p.txt"
    file.write_text("# count: 3\n\n4x4\n\n1:4L\n12:1\n")
    assert call(capsys, "count", str(file))[0] == 4
    assert call(capsys, "count", str(file), "--reflections") == (0, "48\n", "tiler: note: pieces may be turned over\n")


def test_coordinates_are_drawn_into_cells(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "lattices", "tetrakis", "spheres", "--coordinates", "-o", "where.svg")[0] == 0
    written = {text.text for text in ElementTree.parse(tmp_path / "where.svg").iter(f"{SVG}text")}
    assert {"1,3", "3,1", "3,5", "5,3", "0,1,1", "2,0,0"} <= written
    for arguments, why in (
        (["--coordinates"], "is for a picture"),
        (["kites", "square-edges", "--coordinates", "-o", "x.svg"], "square-edges have no room for numbers"),
    ):
        status, _, err = call(capsys, "lattices", *arguments)
        assert (status, why in err) == (2, True)
