"""What people type that is nearly right: the error says what they meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import call

from tiler import formats
from tiler.errors import InputError


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("##.\n###\n\n2\n", 1),
        ("###\n###\n\n2\n", 1),
        ("4x4\n\n##\n#.\n", 3),
        ("# title: A\n#.#\n\n2\n", 2),
        ("4x4\n##.\n###\n\n2\n", 2),
    ],
)
def test_a_map_drawn_with_hashes(content: str, line: int) -> None:
    with pytest.raises(InputError, match="rows that begin with # are comments; mark cells with x") as caught:
        formats.parse(content)
    assert caught.value.line == line


@pytest.mark.parametrize("comment", ["#", "#####\n# A title\n#####", "# title: A", "#...: three dots", "# ----"])
def test_comments_are_none(comment: str) -> None:
    assert formats.parse(f"{comment}\n4x4\n\n2\n") == formats.parse("4x4\n\n2\n")


@pytest.mark.parametrize(("tiles", "line"), [("xx\nx.\n2", 4), ("2\nxx\nx.", 5), ("name: A\nxx\nx.\nname: B\nxx", 5)])
def test_a_map_and_tiles_without_a_blank_line(tiles: str, line: int) -> None:
    with pytest.raises(InputError, match="a map of several rows is a block of its own; leave a blank line") as caught:
        formats.parse(f"3x4\n\n{tiles}\n")
    assert caught.value.line == line


def test_rows_of_one_line_are_tiles() -> None:
    assert [tile.size for tile in formats.parse("3x4\n\nxx\n2:3L\nxxx\n").tiles] == [2, 3, 3]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["count", "2x2x2x2", "2"], "'2x2x2x2' has 4 dimensions; boards have two (columns x rows) or three (and layers)"),
        (["count", "4x4", "2", "--wrap", "rows", "columns"], '--wrap takes both directions as one word: --wrap "rows columns"'),
        (["check", "4x4", "2", "proof.drup"], "a DRUP proof? then name the clauses that it is about, --of OUT.cnf"),
        (["count", "4x4", "1:4x_"], "'4x_' is not a shape; nearest: X_, X"),
        (["count", "4x4", "1__"], "'1__' is not a shape; nearest: 1_, 1"),
        (["bench", "missing.toml"], "missing.toml: there is no such file\n"),
        (["count", "missing.txt"], "missing.txt: there is no such file\n"),
        (["count", "4x4"], "4x4: there is no such file; shapes on the command line are a board and at least one tile"),
        (["unique", "8x8", "1:pentominoes", "--open", "9"], "exactly: --open 4..4"),
        (["unique", "4x4", "2", "--open", "9"], "exactly: --open 0..0"),
    ],
)
def test_the_command_line(
    arguments: list[str], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("proof.drup").write_text("1 -2 0\nd 1 0\n")
    status, out, err = call(capsys, *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert why in err


def test_of_many_rows_that_are_none_only_the_first_are_taken_for_shapes(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def no_shape(text: str, *others: object) -> None:
        asked.append(text)
        raise InputError("no shape")

    monkeypatch.setattr("tiler.formats.blocks.parse_shape", no_shape)
    with pytest.raises(InputError, match="in a map"):
        formats.parse("-- a\n" * 3000 + "x")
    assert 0 < len(asked) <= 1000
