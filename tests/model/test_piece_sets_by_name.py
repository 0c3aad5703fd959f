"""Sets of pieces: which they are, and what they mean in a problem."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tiler import formats
from tiler.ask.solve import solve
from tiler.cli.main import main
from tiler.errors import InputError
from tiler.formats import json, text
from tiler.model.instance import Instance
from tiler.model.lattice import dimension
from tiler.model.lattices import CUBIC, SQUARE
from tiler.model.piece_sets import SETS, Mirroring, of_size
from tiler.model.shapes import parse_shape
from tiler.question.question import Goal, Question

CLASSIC = Path(__file__).parents[2] / "problems/classic"

#: The On-Line Encyclopedia of Integer Sequences, A000105, A000988 and A000162; the puzzles as they are sold.
COUNTS = {
    **{"monominoes": 1, "dominoes": 1, "trominoes": 2, "tetrominoes": 5, "pentominoes": 12},
    **{"hexominoes": 35, "heptominoes": 108, "octominoes": 369, "nonominoes": 1285},
    **{"one-sided-tetrominoes": 7, "one-sided-pentominoes": 18, "one-sided-hexominoes": 60},
    **{"one-sided-heptominoes": 196, "one-sided-octominoes": 704, "one-sided-nonominoes": 2500},
    **{"tricubes": 2, "tetracubes": 8, "pentacubes": 29, "hexacubes": 166, "heptacubes": 1023, "octacubes": 6922},
    **{"checkered-pentominoes": 18, "soma": 7, "bedlam": 13, "tetris-cube": 12},
}


@pytest.mark.parametrize("name", COUNTS)
def test_each_piece_is_there_once(name: str) -> None:
    chosen = SETS[name]
    shapes = chosen.shapes()
    assert len(shapes) == COUNTS[name]
    flat = chosen.kind is not Mirroring.SOLID
    if len(shapes) < 2000:
        lattice = SQUARE if flat else CUBIC
        free = chosen.kind is Mirroring.FREE and not chosen.checkered
        least = {lattice.canonical(lattice.lift(shape), reflections=free) for shape in shapes.values()}
        assert len(least) == len(shapes)
        assert all(parse_shape(piece) == shape for piece, shape in shapes.items())
    if chosen.size:
        assert {len(shape) for shape in shapes.values()} == {chosen.size}
    assert all(dimension(shape) == 2 for shape in shapes.values()) == flat or name == "tricubes"


def test_these_are_all_sets() -> None:
    assert COUNTS.keys() == SETS.keys() - {"nonacubes"}


def test_sizes_of_puzzles() -> None:
    for name, cells in [("soma", 27), ("bedlam", 64), ("tetris-cube", 64)]:
        assert sum(map(len, SETS[name].shapes().values())) == cells


def test_all_of_a_size() -> None:
    assert [len(of_size(size)) for size in range(1, 8)] == [1, 1, 2, 10, 35, 112, 607]
    for size in (0, 10):
        with pytest.raises(InputError, match=f"shapes of 1 to 9 cells are listed, not of {size}"):
            of_size(size)


# In problems.


def test_a_set_is_its_pieces_each_with_the_bounds() -> None:
    instance = formats.parse("6x10\n\n1:pentominoes\n")
    assert instance == formats.inline(["6x10", *(f"1:{letter}" for letter in "FILNPTUVWXYZ")], reflections=True)
    assert [tile.name for tile in instance.tiles] == [f"5{letter}" for letter in "FILNPTUVWXYZ"]
    assert formats.parse("6x10\n\n1:\npentominoes\n") == instance
    assert solve(formats.inline(["3x20", "1:pentominoes"]), "dlx", Question(Goal.COUNT)).result.count == 8
    any_number = formats.inline(["5x5", "pentominoes", "2..:one-sided-tetrominoes"], reflections=True)
    assert [(tile.at_least, tile.at_most) for tile in any_number.tiles] == [(0, None)] * 12 + [(2, None)] * 7


@pytest.mark.parametrize(("name", "shapes"), [("bedlam", "1:bedlam"), ("soma", "1:soma"), ("tetris-cube", "1:tetris-cube")])
def test_puzzles_are_those_of_the_files(name: str, shapes: str) -> None:
    file = formats.read(CLASSIC / f"{name}_s.txt")
    board = "3x3x3" if name == "soma" else "4x4x4"
    assert formats.inline([board, shapes]).digest == file.digest


def test_sets_of_classic_puzzles() -> None:
    one_sided = formats.inline(["5x18", "1:one-sided-pentominoes"])
    file = formats.read(CLASSIC / "one-sided-05x18_s.txt")
    key = {(one_sided.variants(tile)[0], tile.at_most) for tile in one_sided.tiles}
    assert key == {(file.variants(tile)[0], tile.at_most) for tile in file.tiles}
    assert one_sided.reflections is file.reflections is False


def test_sets_mix_with_tiles() -> None:
    instance = formats.inline(["8x8", "1:pentominoes", "1:4O"])
    assert (len(instance.tiles), instance.reflections) == (13, True)
    instance = formats.inline(["3x5", "1:tetrominoes", "1:4I"])
    assert {tile.name: tile.at_most for tile in instance.distinct_tiles}["4I"] == 2


def test_a_set_is_written_as_its_pieces() -> None:
    instance = formats.parse("7x35\n\n1:hexominoes\n")
    written = text.write(instance)
    assert "1:6-01\n1:6-02\n" in written
    assert "# reflections: yes" in written
    for module in (text, json):
        assert module.parse(module.write(instance)) == instance


# Reflections.


FREE, ONE_SIDED = "1:pentominoes", "1:one-sided-tetrominoes"


def allows(shapes: list[str], reflections: bool | None, **said: bool) -> bool:
    return formats.inline(shapes, reflections=reflections, **said).reflections


@pytest.mark.parametrize(
    ("shapes", "told", "allowed"),
    [
        (["6x10", FREE], None, True),
        (["6x10", FREE], True, True),
        (["5x4", ONE_SIDED], None, False),
        (["5x4", ONE_SIDED], False, False),
        (["5x4", ONE_SIDED], True, True),
        (["8x8", FREE, ONE_SIDED], True, True),
        (["3x4x5", FREE], None, False),  # in space flat pieces can be turned over anyway
        (["3x4x5", FREE], False, False),
        (["2x4x4", "1:tetracubes"], None, False),
        (["2x4x4", "1:tetracubes"], True, True),
        (["4x4", "2"], None, False),
    ],
)
def test_what_sets_mean_for_reflections(shapes: list[str], told: bool | None, allowed: bool) -> None:
    assert allows(shapes, told) is allowed
    content = "\n\n".join([shapes[0], "\n".join(shapes[1:])])
    assert formats.parse(content, reflections=told).reflections is allowed
    said = {None: "", True: "# reflections: yes\n", False: "# reflections: no\n"}[told]
    assert formats.parse(said + content).reflections is allowed


@pytest.mark.parametrize(
    ("shapes", "told", "line"),
    [
        (
            *(["6x10", FREE], False),
            "pentominoes may be turned over, but reflections are not allowed: take one-sided-pentominoes or single pieces",
        ),
        (
            *(["6x10", "dominoes"], False),
            "dominoes may be turned over, but reflections are not allowed: take single pieces",
        ),
        (
            *(["8x8", FREE, ONE_SIDED], None),
            "pentominoes may be turned over and one-sided-tetrominoes may not: say whether reflections are allowed",
        ),
        (
            *(["8x8", FREE, ONE_SIDED], False),
            "pentominoes may be turned over, but reflections are not allowed: take one-sided-pentominoes or single pieces",
        ),
        (
            *(["3x4x5", "1:one-sided-pentominoes"], None),
            "in space a flat piece can be turned over: take pentominoes, not one-sided-pentominoes",
        ),
    ],
)
def test_contradictions_are_refused_unless_sets_stand_as_named(
    shapes: list[str], told: bool | None, line: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    option = {None: [], False: ["--no-reflections"], True: ["--reflections"]}[told]
    assert main(["show", *shapes, *option]) == 2
    assert capsys.readouterr() == ("", f"tiler: {line}\n")
    file = tmp_path / "p.txt"
    file.write_text("\n\n".join(shapes))
    assert main(["show", str(file), *option]) == 2
    assert capsys.readouterr() == ("", f"tiler: {file}:{2 * len(shapes) - 1 if 'say' in line else 3}: {line}\n")
    assert allows(shapes, told, as_named=True) is False
    assert main(["show", str(file), *option, "--as-named"]) == 0
    assert "may be turned" in capsys.readouterr().out
    file.write_text("# Sets: as named\n" + "\n\n".join(shapes))
    assert main(["show", str(file), *option]) == 0


def test_a_quote_in_the_name_of_a_file_allows_reflections() -> None:
    assert formats.parse("8x8\n\n1:pentominoes\n1:one-sided-tetrominoes\n", name="old'_s").reflections
    with pytest.raises(InputError, match="the quote in the file's name allows reflections"):
        formats.parse("# reflections: no\n8x8\n\n1:pentominoes\n", name="old'_s")


# Errors.


@pytest.mark.parametrize(
    ("shapes", "line"),
    [
        (
            ["6x10", "1:pentominos"],
            "'pentominos' is not a shape; nearest: pentominoes, heptominoes, ",
        ),
        (["6x10", "one-sided-pentomino"], "'one-sided-pentomino' is not a shape; nearest: one-sided-pentominoes, "),
        (
            ["pentominoes", "2"],
            "pentominoes is a set of pieces, not a shape; a set stands for tiles, and only in text",
        ),
        (["4x4", "1:tetracubes"], "tile 4^ has several layers, but the board has one"),
        (["6x6", "1:6-36"], "'6-36' is not a shape; there are 6-01 to 6-35 (see tiler shapes 6)"),
    ],
)
def test_mistakes(shapes: list[str], line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", *shapes]) == 2
    assert capsys.readouterr().err.startswith(f"tiler: {line}")


def test_settings_of_sets(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match=r"^p:1: sets: 'whatever' is not known; it may be: as named$"):
        formats.parse("# sets: whatever\n6x10\n\n1:pentominoes\n", source="p")
    with pytest.raises(InputError, match=r"^p:4: pentominoes may be turned over"):
        formats.parse("# reflections: no\n6x10\n\n1:pentominoes\n", source="p")


def test_json_lists_its_tiles() -> None:
    with pytest.raises(InputError, match="pentominoes is a set of pieces"):
        formats.parse('{"board": "6x10", "tiles": ["pentominoes"]}')
    instance: Instance = formats.parse('{"board": "3x4", "tiles": ["6-01", {"cells": "6-02m", "at_most": 1}]}')
    assert [tile.name for tile in instance.tiles] == ["6-01", "6-02m"]
    assert formats.parse(json.write(instance), reflections=True) == replace(instance, reflections=True)
