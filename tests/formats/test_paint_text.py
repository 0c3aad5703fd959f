"""Colours and marks in files and on the command line."""

from __future__ import annotations

import json as plain_json
from dataclasses import replace
from random import Random

import pytest
from commands import call
from hypothesis import given, settings
from hypothesis import strategies as st

from tiler import formats
from tiler.errors import InputError
from tiler.formats import json, text, tilings
from tiler.model import paint
from tiler.model.instance import Instance
from tiler.model.lattice import Lattice
from tiler.model.lattices import LATTICES
from tiler.model.paint import CellSide, Coat, Paint, coat_of
from tiler.model.text_maps import has_maps
from tiler.selftest import random_instances

WORKED = """\
# colours: r red, g green, b
# mates: tab blank
# border: flat
# border: red b at top 1,0>1,-1
# fits: red green, b b

rgB
xox

2:
r.
gb
[tab . . .] [. . red .]  [....]
|
x
xx

1:1x1 [r flat blank .]
xx/x [tab . . .] [....] [....]
"""


def test_a_file_with_everything() -> None:
    instance = formats.parse(WORKED)
    ground = instance.ground
    assert dict(ground.colours) == {(0, 0): "red", (0, 1): "green", (0, 2): "b"}
    assert instance.optional == {(0, 2), (1, 1)}
    assert ground.fits == (("b", "b"), ("red", "green"))
    assert ground.mates == (("tab", "blank"),)
    border = dict(ground.border)
    assert border[CellSide((0, 0), (-1, 0))] == border[CellSide((1, 0), (1, -1))] == ("b", "red")
    assert border[CellSide((1, 0), (2, 0))] == ("flat",)
    assert len(border) == 10
    two, one, three = instance.tiles
    assert dict(two.paint.front.colours) == {(0, 0): "red", (1, 0): "green", (1, 1): "b"}
    assert dict(two.paint.front.marks) == {CellSide((0, 0), (-1, 0)): "tab", CellSide((1, 0), (2, 0)): "red"}
    assert not two.paint.back
    assert (one.name, one.at_most) == ("r-flat-blank-.", 1)
    assert dict(one.paint.front.marks)[CellSide((0, 0), (0, 1))] == "flat"
    assert three.paint == Paint(three.paint.front, three.paint.front)


@pytest.mark.parametrize("lattice", [each for each in LATTICES.values() if not each.has_edges], ids=str)
def test_what_is_written_is_read(lattice: Lattice) -> None:
    for seed in range(12):
        instance = random_instances.instance(Random(seed), lattice, wrapped=seed % 3 == 2, painted=True)
        assert json.parse(json.write(instance)) == instance
        if has_maps(lattice):
            read = text.parse(text.write(instance))
            assert read == instance
            assert read.digest == instance.digest


#: Names that are letters of maps, look like them, or are words of text files.
NASTY = [*"abcdegrtzxoBRV2\u00e4", "red", "Red", "at", "none", "top", "yes", "1+", "a-b", "2x2", "blue"]


@st.composite
def with_other_names(draw: st.DrawFn, lattice: Lattice) -> Instance:
    """A painted instance whose colours and marks have other names; on its border and among its mates and fits there may be more
    of them, which no tile has."""
    made = random_instances.instance(Random(draw(st.integers(0, 500))), lattice, wrapped=draw(st.booleans()), painted=True)
    ground = made.ground
    words = paint.names(coat for tile in made.tiles for coat in tile.paint.coats)
    words |= {word for _, word in ground.colours}.union(*ground.mates, *ground.fits or (), *(marks for _, marks in ground.border))
    names = draw(st.permutations(NASTY))
    named = dict(zip(sorted(words), names, strict=False))
    spare = st.sampled_from(names)

    def coat(old: Coat) -> Coat:
        return coat_of({cell: named[word] for cell, word in old.colours}, {side: named[word] for side, word in old.marks})

    tiles = (replace(tile, paint=Paint(*map(coat, tile.paint.coats))) for tile in made.tiles)
    mates = [(named[one], named[other]) for one, other in ground.mates]
    free = [name for name in names if not any(name in pair for pair in mates)]
    mates += zip(free[: draw(st.integers(0, 2))], free[2:], strict=False)
    border = {side: {named[word] for word in marks} for side, marks in ground.border}
    if not lattice.has_edges:
        for side in draw(st.lists(st.sampled_from(paint.border_of(made.lattice, made.wrap, made.board) or [None]), max_size=3)):
            border |= {side: {*border.get(side, ()), draw(spare)}} if side else {}
    fits = ground.fits and {*((named[one], named[other]) for one, other in ground.fits), (draw(spare), draw(spare))}
    demands = paint.Ground(
        tuple((cell, named[word]) for cell, word in ground.colours),
        fits and tuple(sorted(fits)),
        tuple((side, tuple(sorted(marks))) for side, marks in sorted(border.items())),
        tuple(sorted(mates)),
    )
    return replace(made, tiles=tuple(tiles), ground=demands)


@settings(max_examples=100)
@given(st.sampled_from([each for each in LATTICES.values() if has_maps(each)]).flatmap(with_other_names))
def test_names_that_no_tile_has_keep_their_meaning(instance: Instance) -> None:
    assert json.parse(json.write(instance)) == instance
    if any("at" in marks for _, marks in instance.ground.border):
        with pytest.raises(InputError, match="a mark called at cannot be written as text"):
            text.write(instance)
        return
    read = text.parse(text.write(instance))
    assert read == instance == json.parse(json.write(read))
    assert read.digest == instance.digest


def test_a_letter_of_the_legend_is_no_other_mark() -> None:
    content = {
        "board": [[0, 0], [0, 1]],
        "tiles": [{"cells": [[0, 0]], "colours": [[[0, 0], "red"]], "marks": [[[0, 0], [0, 1], "green"]]}],
        "mates": [["r", "green"]],
        "border": [{"marks": ["g"]}],
    }
    instance = json.parse(plain_json.dumps(content))
    written = text.write(instance)
    assert text.parse(written) == instance
    assert "# colours: a red, b green\n# mates: r green\n# border: g\n" in written


def test_cells_in_words_keep_their_marks() -> None:
    for tile in ("1 [rgbk]", {"cells": "1 [rgbk]"}):
        (read,) = json.parse(plain_json.dumps({"board": "2x2", "tiles": [tile]})).tiles
        assert read.paint == formats.inline(["2x2", "1 [rgbk]"]).tiles[0].paint
    both = {"cells": "1 [rgbk]", "colours": [[[0, 0], "red"]]}
    with pytest.raises(InputError, match="in its 'cells' and beside them"):
        json.parse(plain_json.dumps({"board": "2x2", "tiles": [both]}))


@pytest.mark.parametrize(
    ("lattice", "marks", "ways"),
    [
        ("square", "abcd", [(-1, 0), (0, 1), (1, 0), (0, -1)]),
        ("hexagonal", "abcdef", [(-1, 1), (0, 1), (1, 0), (1, -1), (0, -1), (-1, 0)]),
        ("square", "abcdef", [(0, -1, 0), (0, 0, 1), (0, 1, 0), (0, 0, -1), (1, 0, 0), (-1, 0, 0)]),
        ("triangular", "abc", [(-1, 2), (2, -1), (-1, -1)]),
    ],
)
def test_marks_stand_clockwise_from_the_top(lattice: str, marks: str, ways: list[tuple[int, ...]]) -> None:
    board = "2x2x2" if len(ways[0]) == 3 else "rhombus:2x2" if lattice != "square" else "2x2"
    (tile,) = formats.inline([board, f"x [{marks}]"], lattice=None if len(ways[0]) == 3 else lattice).tiles
    told = {mark: tuple(b - a for a, b in zip(*side, strict=True)) for side, mark in tile.paint.front.marks}
    assert [told[mark] for mark in marks] == ways
    assert tile.name == marks


@pytest.mark.parametrize(
    ("content", "line", "wrong"),
    [
        ("# colours: r red, r rose\n\n2x2\n\n1\n", 1, "'r' stands for two colours"),
        ("# colours: x red\n\n2x2\n\n1\n", 1, "'x' is no letter"),
        ("# colours: r red pink\n\n2x2\n\n1\n", 1, "commas stand between"),
        ("# colours: r red\n\nrg\n\n1\n", 3, "'rg' is not a shape"),
        ("# colours: r red\n\nrr\nrg\n\n1\n", 4, "'g' in a map"),
        ("# colours: r red\n\n2x2\n\n2:\nrR\nrr\n", 6, "'R' in a map"),
        ("# colours: r red\n\n2x2\n\n1x1 [r rde r r]\n", 5, "'rde' is not in the legend"),
        ("2x2\n\n1x1 [a b c]\n", 3, "has 3 marks; a cell of the square lattice has 4 sides"),
        ("2x2\n\n1x1 [rgb]\n", 3, "has 1 mark; a cell of the square lattice has 4 sides or, in space, 6: write a word"),
        ("2x2\n\n1x1 [a b c d\n", 3, "marks stand between brackets"),
        ("2x2\n\n2x1 [abcd]\n", 3, "has marks of 1 cells; the tile has 2"),
        ("2x2\n\n2x1 [abcd] [....]\n", 3, "inside the tile"),
        ("2x2\n\n2x1 [a...] [....] | 1x2\n", 3, "the cells of its front"),
        ("# mates: tab\n\n2x2\n\n1\n", 1, "is no pair"),
        ("# mates: a b, b a\n\n2x2\n\n1\n", None, "a b stands there twice"),
        ("# border: at top\n\n2x2\n\n1\n", 1, "is not of the form"),
        ("# border: a at 0,0>0,1\n\n2x2\n\n1\n", 1, "is not a side on the border"),
        ("# lattice: hexagonal\n# border: a at top\n\nx.x\n\nx\n", 2, "name sides as"),
        ("# checkered: black\n\n2x2\n\n1\n", 1, "not two colours"),
        ("# lattice: square-edges\n\n2x2\n\nx [aaaaaa]\n", 5, "no sides to mark"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(content: str, line: int | None, wrong: str) -> None:
    with pytest.raises(InputError, match=wrong) as error:
        formats.parse(content)
    assert error.value.line == line


@pytest.mark.parametrize(
    ("more", "wrong"),
    [
        ({"colours": [[[0, 0]]]}, r"\[cell, colour\]"),
        ({"colours": [[[0, 0], "a"], [[0, 0], "b"]]}, "name a cell twice"),
        ({"colours": [[[0, 0], "a b"]]}, "no name of a colour"),
        ({"border": [{"sides": []}]}, "must have a list of 'marks'"),
        ({"border": [{"marks": ["a"], "sides": [[[0, 0]]]}]}, "its cell and the cell beyond"),
        ({"mates": ["ab"]}, "pairs of names"),
        ({"tiles": [{"cells": [[0, 0]], "marks": [[[0, 0], "a"]]}]}, "the cell beyond the side, mark"),
        ({"tiles": [{"cells": [[0, 0]], "marks": [[[0, 0], [0, 2], "a"]]}]}, "no side"),
        ({"tiles": [{"cells": [[0, 0]], "back": {"colour": []}}]}, "unknown key"),
    ],
)
def test_wrong_json_is_refused(more: dict[str, object], wrong: str) -> None:
    with pytest.raises(InputError, match=wrong):
        formats.parse(plain_json.dumps({"board": "2x2", "tiles": ["1"], **more}))


def test_a_placement_comes_back_with_its_paint(capsys: pytest.CaptureFixture[str]) -> None:
    problem = ["3x2", "2:bwb | wbw", "--legend", "b black, w white", "--reflections"]
    assert call(capsys, "solve", *problem, "--format", "json")[0] == 0
    _, out, _ = call(capsys, "solve", *problem, "--format", "json", "--solver", "dlx", "--all")
    found = tilings.read("\n".join(line for line in out.splitlines() if line.startswith("[")), "here")
    assert len(found) == 4  # each of two tiles shows its front or its back
    assert len({frozenset(placements) for _, placements in found}) == 4


def test_text_shows_colours_and_marks(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = call(capsys, "solve", "2x1", "1:1x1 [ab.c]", "1:1x1 [..cb]", "--solver", "dlx", "--border-marks", "a c")
    rows = ["│   a   │       │", "│ c   b │ b     │", "│       │   c   │"]
    assert out.splitlines()[-5:] == ["┌───────┬───────┐", *rows, "└───────┴───────┘"]


def test_a_file_says_itself_what_is_painted(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = call(capsys, "show", "4L/10x10_u", "--mates", "a b")
    assert code == 2
    assert "--mates: leave it out; 4L/10x10_u says that itself" in err
