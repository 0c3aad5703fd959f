"""Problem files: both formats read back what they wrote, and bad input gets one line that says what would be right."""

from __future__ import annotations

import io
import json as stdlib_json
import os
import re
from dataclasses import replace
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import bounds, instances, is_line

from tiler import formats
from tiler.errors import InputError
from tiler.formats import json, pieces, text
from tiler.model.about import About
from tiler.model.expected import Expected, Status
from tiler.model.instance import Instance
from tiler.model.lattice import move
from tiler.model.shapes import parse_board, parse_shape
from tiler.model.tile import Tile


def error(content: str, name: str = "") -> str:
    """The one line that says why a text is no problem."""
    with pytest.raises(InputError) as caught:
        formats.parse(content, name=name, source="f.txt")
    line = str(caught.value)
    assert is_line(line)
    assert len(line) < 300
    return line


def tiles(content: str) -> list[tuple[str, int, int | None]]:
    return [(tile.name, tile.at_least, tile.at_most) for tile in formats.parse(content).tiles]


# Reading back.


@given(instances())
def test_text_reads_back(instance: Instance) -> None:
    written = text.write(instance)
    again = formats.parse(written)
    assert (again, again.about) == (instance, instance.about)
    assert formats.parse(text.write(again)) == instance
    assert "\n\n\n" not in written
    assert re.search(r"[^\n]\n\Z", written)


@given(instances())
def test_json_reads_back_with_names(instance: Instance) -> None:
    written = json.write(instance)
    again = formats.parse(written)
    assert (again, again.about) == (instance, instance.about)
    assert again.name == instance.name
    assert [tile.name for tile in again.tiles] == [tile.name for tile in instance.tiles]
    assert json.write(again) == written


@given(instances(max_cells=10), st.sampled_from(["\n", "\r\n", "\r"]), st.booleans())
def test_line_ends_and_byte_order_mark(
    tmp_path_factory: pytest.TempPathFactory, instance: Instance, end: str, mark: bool
) -> None:
    file = tmp_path_factory.getbasetemp() / "line-ends.txt"
    file.write_bytes(text.write(instance).replace("\n", end).encode("utf-8-sig" if mark else "utf-8"))
    again = formats.read(file)
    assert (again, again.about) == (instance, instance.about)


def test_written_text() -> None:
    tiles = [
        Tile("4L", parse_shape("4L")),
        Tile("4T", parse_shape("4T"), at_most=3),
        Tile("ring", parse_shape("xxx/x.x/xxx"), at_most=2, at_least=1),
        Tile("bar", parse_shape("1x7")),
        Tile("apart", parse_shape("x.x"), at_least=2),
        Tile("3I", parse_shape("3I")),
        Tile("2", parse_shape("2")),
    ]
    board, optional = parse_board(".xx/xxo")
    written = text.write(
        Instance(
            move(board, (3, -4)),
            tuple(tiles),
            True,
            move(optional, (3, -4)),
            about=About("A title", "A book: its page 7", ("one", "two"), Expected(None, 12, 3)),
        )
    )
    assert written == (
        "# title: A title\n# source: A book: its page 7\n# tags: one, two\n# reflections: yes\n# disconnected: yes\n"
        "# verdict: sat\n# count: 12\n# count up to symmetry: 3\n# origin: 3,-4\n\n"
        ".xx\nxxo\n\n4L\n3:4T\n\nring = 1..2:\nxxx\nx.x\nxxx\n\nbar = 1x7\n\napart = 2..:x.x\n\n3I\n2\n"
    )


def test_written_text_in_space() -> None:
    instance = Instance(parse_shape("xx/xx/-/x"), (Tile("upright", parse_shape("x/-/x")), Tile("1", parse_shape("1"))))
    assert text.write(instance) == "xx\nxx\n-\nx\n.\n\nupright = 1x1x2\n1\n"


@pytest.mark.parametrize("name", ["x", "xx", "3:2", "2 ", " 2", "x/x", "#", "DLUR", "1..2:2", "-", "o", "3x1", "a\tb", "é"])
def test_odd_names_do_not_spoil_the_text(name: str) -> None:
    shapes = [parse_shape("2"), parse_shape("1"), parse_shape("3I"), parse_shape("x.x")]
    for shape in shapes:
        for other in shapes:
            tiles = (Tile("first", other, at_most=2), Tile(name, shape), Tile("last", other))
            for instance in (Instance(parse_shape("3x3"), tiles), Instance(parse_shape("3x3"), tiles[1:])):
                assert formats.parse(text.write(instance)) == instance


@given(bounds(10**9 - 1))
def test_bounds_read_back(pair: tuple[int, int | None]) -> None:
    tile = Tile("4L", parse_shape("4L"), pair[1], pair[0])
    assert formats.parse(f"4x4\n\n{pieces.bounds(tile)}4L\n").tiles == (tile,)
    assert formats.parse(f"4x4\n\n{pieces.bounds(tile)}\nx\nx\nxx\n").tiles == (tile,) or pair == (0, None)


# The text format.


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("4L", (0, None)),
        ("3:4L", (0, 3)),
        ("03:4L", (0, 3)),
        ("2..3:4L", (2, 3)),
        ("2..:4L", (2, None)),
        ("0..3:4L", (0, 3)),
        ("0..:4L", (0, None)),
        ("..3:4L", None),
        (" 2..3 : 4L ", (2, 3)),
        ("2..3:\nx\nx\nxx", (2, 3)),
        ("2..3:x\nx\nxx", (2, 3)),
        ("3:x./x./xx", (0, 3)),
        ("3:DDDRRULUUL", (0, 3)),
        ("3:\n4L", (0, 3)),
    ],
)
def test_bounds(written: str, expected: tuple[int, int | None] | None) -> None:
    if expected is None:
        assert "is not a number of copies" in error(f"4x4\n\n{written}\n")
    else:
        assert tiles(f"4x4\n\n{written}\n") == [("4L", *expected)]


def test_a_block_of_tiles_on_a_line_each_and_maps_in_blocks_of_their_own() -> None:
    content = "5x5\n\n2\n3:4L\n1x5\n\n\n  \nxx\n x\n\n2:\nxx\nxx\n\n5X\n"
    assert tiles(content) == [("2", 0, None), ("4L", 0, 3), ("1x5", 0, None), ("3L", 0, None), ("4O", 0, 2), ("5X", 0, None)]


def test_tiles_without_a_name_get_their_shapes_name_or_a_number() -> None:
    assert [name for name, *_ in tiles("9x9\n\nx\n\nxx\n\nRDLU\n\nxxx\nx\n\nxxxxxx\nx\n\nF\n")] == [
        "1",
        "2",
        "1",
        "4L",
        "tile5",
        "F",
    ]


def test_layered_maps() -> None:
    instance = formats.parse("xx\nxx\n-\nx\n\nx\n-\nx\n")
    assert instance.dimension == 3
    assert len(instance.board) == 5
    assert instance.tiles[0].shape == frozenset({(0, 0, 0), (1, 0, 0)})


def test_leading_spaces_are_significant() -> None:
    board = frozenset({(0, 1), (1, 0), (1, 1)})
    assert formats.parse(" x\nxx\n\n1\n").board == formats.parse(".x\nxx\n\n1\n").board == board
    assert formats.parse("\n\n x  \nxx\n\n1\n").board == board


def test_the_board_keeps_its_place() -> None:
    assert formats.parse("..x\n\n1").board == frozenset({(0, 2)})
    assert formats.parse("# origin: -1,7\n..x\n\n1").board == frozenset({(-1, 9)})
    assert formats.parse("# origin: 1, 2, 3\n1x1x2\n\n1").board == frozenset({(1, 2, 3), (2, 2, 3)})


def test_optional_cells() -> None:
    instance = formats.parse("xo\nox\n\n2\n")
    assert instance.optional == frozenset({(0, 1), (1, 0)})
    assert len(instance.board) == 4


def test_every_setting() -> None:
    instance = formats.parse(
        "# TITLE :  A title: with a colon \n#source:A source\n #  tags: one,two  three\n# reflections: Yes\n# disconnected: yes\n"
        "# verdict: sat\n# count: 9356\n# Count  Up To Symmetry: 2339\n# origin: 1,1\n# a comment\n# note: nothing known\n#\n"
        "# 2: neither\nx.x\n\n# another: comment\n3:\n# in between\nx.x\n# at the end\n"
    )
    assert instance == Instance(
        frozenset({(1, 1), (1, 3)}),
        (Tile("a name", frozenset({(0, 0), (0, 2)}), 3),),
        True,
    )
    assert instance.about == About("A title: with a colon", "A source", ("one", "two", "three"), Expected(Status.SAT, 9356, 2339))


def test_empty_settings() -> None:
    instance = formats.parse("# title:\n# source:\n# tags:\n2x2\n\n2\n")
    assert (instance.about.title, instance.about.source, instance.about.tags) == ("", "", ())


@pytest.mark.parametrize(
    ("name", "reflections", "verdict"),
    [
        ("misc/02'_s", True, Status.SAT),
        ("misc/02_u", False, Status.UNSAT),
        ("02'", True, None),
        ("it's_u/02", False, None),
        ("02_s'", True, None),
        ("02_x", False, None),
        ("_s", False, Status.SAT),
        ("", False, None),
        ("a\nb'_u", True, Status.UNSAT),
    ],
)
def test_what_the_name_tells(name: str, reflections: bool, verdict: Status | None) -> None:
    instance = formats.parse("2x2\n\n2\n", name=name)
    assert (instance.reflections, instance.about.expected.verdict) == (reflections, verdict)
    assert instance.name == name


def test_the_name_and_the_settings_must_agree() -> None:
    assert formats.parse("# verdict: sat\n# reflections: yes\n2x2\n\n2", name="a'_s").reflections
    assert formats.parse("# reflections: yes\n2x2\n\n2", name="a_s").reflections
    assert error("# verdict: sat\n2x2\n\n2", name="a_u") == "f.txt:1: verdict: sat, but the file's name ends in _u"
    assert error("\n# reflections: no\n2x2\n\n2", name="a'_u") == (
        "f.txt:2: the quote in the file's name allows reflections, its setting forbids them; drop one"
    )


def test_inline() -> None:
    instance = formats.inline(["11x7", "4T", "3:3I", "1..:xx/xx"], reflections=True)
    assert [(tile.name, tile.at_least, tile.at_most) for tile in instance.tiles] == [
        ("4T", 0, None),
        ("3I", 0, 3),
        ("4O", 1, None),
    ]
    assert instance.reflections
    assert len(instance.board) == 77
    assert formats.inline(["x.x", "1"]).board == frozenset({(0, 0), (0, 2)})
    for shapes, what in [
        (["3:4x4", "2"], "'3:4x4': the board comes first and has no number of copies"),
        (["4x4", "3K"], "'3K' is not a shape; nearest: 3I, 3L, L3 (see tiler shapes)"),
        (["4x4", "1:"], "'1:' has no shape; write one after it or on the next line"),
        (["4x4", ""], "'' has no shape; write one after it or on the next line"),
    ]:
        with pytest.raises(InputError) as caught:
            formats.inline(shapes)
        assert str(caught.value) == what


# Bad input: file, line, text, and what would be right.


LETTERS = "it may hold x, o, '.' and spaces, and a row '-' between layers"


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("", ": there is no board; a problem file starts with one, such as 10x6"),
        ("# title: nothing\n\n", ": there is no board; a problem file starts with one, such as 10x6"),
        ("4x4\n\n2\n3K\n", ":4: '3K' is not a shape; nearest: 3I, 3L, L3 (see tiler shapes)"),
        ("4y4\n\n2\n", ":1: '4y4' is not a shape; nearest: Y (see tiler shapes)"),
        ("4x4\n\n2\n\n...\n", ":5: '...' is not a shape (see tiler shapes)"),
        ("4x4\n\n1:\n", ":3: '1:' has no shape; write one after it or on the next line"),
        ("4x4\n\nx.x\n", ":3: tile tile1 is not connected; allow that with a line '# disconnected: yes' at the top"),
        ("4x4\n\n2\n\n3:\nx\n x\n", ":5: tile tile2 is not connected; allow that with a line '# disconnected: yes' at the top"),
        ("4x4\n\nRDRDLULU\n", ":3: tile tile1 is not connected; allow that with a line '# disconnected: yes' at the top"),
        ("4x4\n\nRRDLUULD\n", ":3: the perimeter RRDLUULD crosses itself"),
        ("4x4\n\n2:RRRDDD\n", ":3: the perimeter RRRDDD does not close: it ends 3 rows and 3 columns from its start"),
        ("4x4\n\n0:2\n", ":3: '0:' allows no copy; leave the tile out"),
        ("4x4\n\n0..0:2\n", ":3: '0..0:' allows no copy; leave the tile out"),
        ("4x4\n\n5..3:2\n", ":3: '5..3:' is an empty range; the smaller number comes first"),
        ("4x4\n\n-1:2\n", ":3: '-1:' is not a number of copies; write N:, M..N: or M..: before a shape"),
        ("4x4\n\n:2\n", ":3: ':' is not a number of copies; write N:, M..N: or M..: before a shape"),
        ("4x4\n\n1...2:2\n", ":3: '1...2:' is not a number of copies; write N:, M..N: or M..: before a shape"),
        ("4x4\n\n1234567890:2\n", ":3: '1234567890:' is too many copies; write fewer than 1,000,000,000, or no number"),
        ("4x4\n\n٣:2\n", ":3: '٣:' is not a number of copies; write N:, M..N: or M..: before a shape"),
        ("4x4\n\n1:2:2\n", ":3: '2:2' is not a shape; nearest: 2 (see tiler shapes)"),
        ("4x4\n\n2\n2x2x2\n", ":4: tile 2x2x2 has several layers, but the board has one"),
        ("4x4\n\n4^\n", ":3: tile 4^ has several layers, but the board has one"),
        ("4x4\n2\n", ":2: the board is one shape; leave a blank line between it and the tiles"),
        ("3:4x4\n\n2\n", ":1: '3:4x4': the board comes first and has no number of copies"),
        ("5000x5000\n\n2\n", ":1: the box is too large: 5000x5000; the limit is 4,000,000 cells"),
        ("4x4\n\n2000x2001\n", ":3: the box is too large: 2000x2001; the limit is 4,000,000 cells"),
        ("0x4\n\n2\n", ":1: 0x4 has no cell; every side must be at least 1"),
        ("4x4\n\nxo\n", ":3: 'o' marks cells that may stay uncovered: only the board can have them"),
        ("x\n-\n-\nx\n\n1\n", ":3: a layer of the map is empty; write its rows as '.'"),
        ("x\n-\n\n1\n", ":2: a layer of the map is empty; write its rows as '.'"),
        ("xxx\nxxx\nxyx\n\n2\n", f":3: 'y' in a map; {LETTERS}"),
        ("xqx\nxxx\nxxx\n\n2\n", f":1: 'q' in a map; {LETTERS}"),
        ("xx\n-\nxx\nx-x\n\n2\n", f":4: '-' in a map; {LETTERS}"),
        ("XXX\nxxx\n\n2\n", f":1: 'X' in a map; {LETTERS}"),
        ("4x4\n\n1:\nxx\nxq\n", ":5: 'q' in a map; it may hold x, '.' and spaces, and a row '-' between layers"),
        ("4x4\n\n1:xx\nx#\n", ":4: '#' in a map; it may hold x, '.' and spaces, and a row '-' between layers"),
        ("4x4\n\nxx\nx.\nxo\n", ":5: 'o' marks cells that may stay uncovered: only the board can have them"),
        ("4x4\n\nxx\nxq\n", ":4: 'xq' is not a shape"),
        ("# titel: a\n4x4\n\n2\n", ":1: unknown setting 'titel'; did you mean 'title'?"),
        ("# reflection: yes\n4x4\n\n2\n", ":1: unknown setting 'reflection'; did you mean 'reflections'?"),
        ("# title: a\n# Title: b\n4x4\n\n2\n", ":2: 'title' is set twice"),
        ("4x4\n# reflections: yes\n\n2\n", ":2: the setting 'reflections' must stand before the board"),
        ("# reflections: maybe\n4x4\n\n2\n", ":1: reflections: 'maybe' is neither yes nor no"),
        ("# disconnected: 1\n4x4\n\n2\n", ":1: disconnected: '1' is neither yes nor no"),
        ("# verdict: unknown\n4x4\n\n2\n", ":1: verdict: 'unknown' is neither sat nor unsat"),
        ("# count: many\n4x4\n\n2\n", ":1: count: 'many' is not a number of tilings"),
        ("# count: -1\n4x4\n\n2\n", ":1: count: '-1' is not a number of tilings"),
        ("# count up to symmetry: 1.5\n4x4\n\n2\n", ":1: count up to symmetry: '1.5' is not a number of tilings"),
        ("# origin: 1\n4x4\n\n2\n", ":1: origin: '1' is not row,column or layer,row,column"),
        ("# origin: 1,2,3\n4x4\n\n2\n", ":2: the origin needs 2 numbers"),
        ("# verdict: unsat\n# count: 3\n4x4\n\n2\n", ": the expected verdict and the expected counts contradict each other"),
        ("4x4\n\nx\tx\n", ":3: 'x\\tx' is not a shape"),
    ],
)
def test_bad_text(content: str, line: str) -> None:
    for end in ("\n", "\r\n"):
        assert error(content.replace("\n", end)).startswith(f"f.txt{line}")


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("{", ":1: not JSON: Expecting property name enclosed in double quotes"),
        ('{"board": "4x4",\n "tiles": }', ":2: not JSON: Expecting value"),
        ("{}", ": 'board' must be a list of cells"),
        ('{"board": "4x4"}', ": 'tiles' must be a list of tiles"),
        ('{"board": "4x4", "tiles": "2"}', ": 'tiles' must be a list of tiles"),
        ('{"board": "4x4", "tiles": [7]}', ": tile 1 must be an object with name, cells, at_least, at_most"),
        ('{"board": "4x4", "tiles": ["2", {}]}', ": 'cells' of tile 2 must be a list of cells"),
        ('{"board": "4x4", "tiles": ["3K"]}', ": '3K' is not a shape; nearest: 3I, 3L"),
        ('{"board": [], "tiles": ["2"]}', ": the board has no cell"),
        ('{"board": [[0, 0.5]], "tiles": ["2"]}', ": 'board' must be a list of cells"),
        ('{"board": [[0, true]], "tiles": ["2"]}', ": 'board' must be a list of cells"),
        ('{"board": [[0, NaN]], "tiles": ["2"]}', ": 'NaN' is no finite number"),
        ('{"board": [[0]], "tiles": ["2"]}', ": 'board' must be a list of cells"),
        ('{"board": [[0, 1000000000]], "tiles": ["2"]}', ": 'board' must be a list of cells"),
        ('{"board": [[0, 0], [0, 0]], "tiles": ["2"]}', ": 'board' names a cell twice"),
        ('{"board": [[0, 0], [0, 0, 0]], "tiles": ["2"]}', ": the board has cells of mixed dimension"),
        (
            '{"board": [[0, 0], [9, 999999999]], "tiles": ["2"]}',
            ": the board is too large: 1000000000x10; the limit is 4,000,000",
        ),
        ('{"board": "4x4", "tiles": [{"cells": []}]}', ": tile 1 has no cell"),
        ('{"board": "4x4", "tiles": [{"cells": [[0, 0], [0, 0, 0]]}]}', ": tile 1 has cells of mixed dimension"),
        ('{"board": "4x4", "tiles": [{"cells": [[0, 0], [2, 0]]}]}', ": tile tile1 is not connected; allow that with"),
        ('{"board": "4x4", "tiles": [{"cells": "2", "at_most": -1}]}', ": 'at_most' is '-1'; it must be a whole number from 0"),
        ('{"board": "4x4", "tiles": [{"cells": "2", "at_most": 0}]}', ": tile 2: 0..0 is not a range of copies"),
        ('{"board": "4x4", "tiles": [{"cells": "2", "at_least": "1"}]}', ": 'at_least' is '1'; it must be a whole number from 0"),
        ('{"board": "4x4", "tiles": [{"cells": "2", "at_least": 1e9}]}', ": 'at_least' is '1000000000.0'; it must be a whole"),
        ('{"board": "4x4", "tiles": [{"cells": "2", "at_most": 9999999999}]}', ": 'at_most' is '9999999999'; it must be"),
        ('{"board": "4x4", "tiles": [{"cells": "2", "name": "a\\nb"}]}', ": 'name' is 'a\\nb'; it must be a single line of text"),
        ('{"board": "4x4", "tiles": ["2"], "title": "\\ud800"}', ": 'title' is '\\ud800'; it must be a single line of text"),
        ('{"board": "4x4", "tiles": ["2"], "tags": ["\\ud800"]}', ": 'tags' must be a list of words"),
        ('{"board": "4x4", "tiles": ["2"], "tags": ["two words"]}', ": a tag is one word without commas"),
        ('{"board": "4x4", "tiles": ["2"], "reflections": "yes"}', ": 'reflections' is 'yes'; it must be true or false"),
        (
            '{"board": "4x4", "tiles": ["2"], "reflexions": true}',
            ": the problem has an unknown key 'reflexions'; nearest: reflections",
        ),
        ('{"board": "4x4", "tiles": ["2"], "schema": "other-1"}', ": schema 'other-1'; this program reads tiler-instance-1"),
        ('{"board": "4x4", "tiles": ["2"], "expected": {"verdict": "yes"}}', ": 'verdict' is 'yes', neither 'sat' nor 'unsat'"),
        ('{"board": "4x4", "tiles": ["2"], "expected": {"count": 0.5}}', ": 'count' is '0.5'; it must be a whole number from 0"),
        (
            '{"board": "4x4", "tiles": ["2"], "expected": []}',
            ": 'expected' must be an object with verdict, count, up_to_symmetry",
        ),
        ('{"board": "4x4", "tiles": ["2"], "optional": [[9, 9]]}', ": optional cells must be cells of the board"),
        ('{"board": "4x4", "tiles": ["2x2x2"]}', ": tile 2x2x2 has several layers, but the board has one"),
        ('{"board": ' + "[" * 100_000, ": nested too deeply"),
        ('{"a": ' * 100_000, ": nested too deeply"),
        ('{"board": [[0, ' + "1" * 5000 + ']], "tiles": ["2"]}', ": a number has thousands of digits"),
    ],
)
def test_bad_json(content: str, line: str) -> None:
    assert error(content).startswith(f"f.txt{line}")


def test_json_by_hand() -> None:
    instance = formats.parse('{"board": "xo/xx", "tiles": ["2", {"cells": "x/x/x", "at_most": 2}, {"cells": [[4, 4], [5, 4]]}]}')
    assert [(tile.name, tile.at_most) for tile in instance.tiles] == [("2", None), ("x/x/x", 2), ("2", None)]
    assert instance.optional == frozenset({(0, 1)})
    assert formats.parse('\n {"board": [[0, 0], [5, 5]], "tiles": ["1"], "name": "inside"}', name="outside").name == "inside"


# Files.


def test_names_of_files(tmp_path: Path) -> None:
    for file in ("10x10_u.txt", "10x10_u", "10x10_u.json", "10x10_u.problem"):
        assert formats.name_of_file(Path("problems/4L") / file) == "4L/10x10_u"
    assert formats.name_of_file(Path("10x10_u.txt")) == "10x10_u"
    odd = tmp_path / os.fsdecode(b"\xff_u.txt")
    odd.write_text("2x2\n\n3L\n")
    instance = formats.read(odd)
    assert is_line(instance.name)
    assert instance.about.expected.verdict is Status.UNSAT


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    def give(data: bytes) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))

    give(b"\xef\xbb\xbf2x2\r\n\r\n2\r\n")
    assert formats.read("-").name == ""
    give(b"2x2\n\n9Z\n")
    with pytest.raises(InputError, match=r"<stdin>:3: '9Z' is not a shape"):
        formats.read("-")
    give(b"\x7fELF\0")
    with pytest.raises(InputError, match="<stdin>: not a text file"):
        formats.read("-")


@pytest.mark.parametrize(
    "data", [b"2x2\n\n2\n\0", b"\xff\xfe2x2", b"\x89PNG\r\n\x1a\n\0\0", "2x2\n\n2\n".encode("utf-16"), bytes(range(256))]
)
def test_binary_files(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "board.txt"
    file.write_bytes(data)
    with pytest.raises(InputError) as caught:
        formats.read(file)
    assert str(caught.value) == f"{file}: not a text file"


def test_files_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def message(path: str | Path) -> str:
        with pytest.raises(InputError) as caught:
            formats.read(path)
        return str(caught.value)

    assert message(tmp_path / "none.txt") == f"{tmp_path}/none.txt: there is no such file"
    assert message("10x10") == "10x10: there is no such file; shapes on the command line are a board and at least one tile"
    assert message(tmp_path) == f"{tmp_path}: a folder, not a problem file"
    assert message("a\0b") == "'a\\x00b': not a file name"
    assert message("x" * 5000).endswith("cannot be read: File name too long")
    (tmp_path / "empty.txt").touch()
    assert message(tmp_path / "empty.txt").endswith("there is no board; a problem file starts with one, such as 10x6")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert "cannot be read: " in message(tmp_path / "loop")
    huge = tmp_path / "huge.txt"
    with huge.open("wb") as file:
        file.truncate(formats.MAX_BYTES + 1)
    assert message(huge).startswith(f"{huge}: larger than 16 MB")

    def refuse(*_args: object, **_kwargs: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    assert message("secret.txt") == "secret.txt: cannot be read: Permission denied"


# Hostile input: an instance or an InputError on one line, at once.


def survive(content: str) -> None:
    try:
        instance = formats.parse(content, source="f")
    except InputError as wrong:
        said = str(wrong)
    else:
        said = ""
        for module in (text, json):
            again = formats.parse(module.write(instance))
            assert (again, again.about) == (instance, instance.about)
    assert is_line(said)


LETTERS = st.sampled_from("xo.-/ \t\r\n:#0123456789ULDRIXF^<>,{}[]\"'\0é\ufeff\x85\u2028")


@given(st.text() | st.text(LETTERS, max_size=60))
def test_any_text(content: str) -> None:
    survive(content)


@pytest.mark.long
@pytest.mark.parametrize(
    "content",
    [
        "# title:" + " " * 100_000 + "x",
        "# title" + " " * 100_000 + "x",
        "#" + " a" * 100_000 + "\n1x1\n\n1",
        "1x1\n\n" + ":" * 100_000,
        "1x1\n\n" + "1:\n" * 10_000,
        "1x1\n\n" + "xx\n\n" * 10_000,
        "1x1\n\n120x120\n",
        " \n" * 100_000,
        "x\n" + "-\n" * 100_000,
        "1x1\n\n" + "RDLU" * 100_000,
        "1x1\n\n" + "RU" * 50_000 + "L" + "DL" * 50_000 + "D",
    ],
    ids=range(11),
)
def test_long_input_takes_no_longer_than_its_length(content: str) -> None:
    before = process_time()
    survive(content)
    assert process_time() - before < 20  # minutes, if it grew with the square


@given(instances(max_cells=8), st.booleans(), st.data())
def test_damaged_files(instance: Instance, as_json: bool, data: st.DataObject) -> None:
    content = json.write(instance) if as_json else text.write(instance)
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(content)))
        end = data.draw(st.integers(start, min(start + 8, len(content))))
        inserted = data.draw(st.text(LETTERS, max_size=4) | st.just(content[start:end] * 2))
        content = content[:start] + inserted + content[end:]
    survive(content)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["2x2", "4L", "sat", "xx"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(st.data())
def test_json_with_anything_in_it(data: st.DataObject) -> None:
    content = stdlib_json.loads(json.write(replace(data.draw(instances(max_cells=6)), name="n")))
    target = content
    while isinstance(target, dict | list) and target:
        keys = sorted(target) if isinstance(target, dict) else range(len(target))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(target[key], dict | list) or not target[key] or data.draw(st.booleans()):
            target[key] = data.draw(JSON)
            break
        target = target[key]
    survive(stdlib_json.dumps(content))


# Names and colours of pieces.

PETS = "# fill: dog #8a5a2b\n# fill: 2 Blue\n\n5x4\n\ndog = 1:\nxx\nx.\n\ncat =\nxxx\n.x\n\n2\nfish = 1..:3I\n"


def test_names_and_paints_of_pieces_survive_both_formats() -> None:
    read = formats.parse(PETS)
    assert [tile.name for tile in read.tiles] == ["dog", "cat", "2", "fish"]
    assert read.about.fills == (("dog", "#8a5a2b"), ("2", "#4477aa"))
    for write in (text.write, json.write):
        again = formats.parse(write(read))
        assert (again, again.about, [tile.name for tile in again.tiles]) == (read, read.about, [tile.name for tile in read.tiles])


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("3x3\n\n = 4L\n", "3: '' before = is no name"),
        ("3x3\n\nbig dog = 4L\n", "3: 'big dog' before = is no name; a name is one word"),
        ("3x3\n\nall = pentominoes\n", "3: pentominoes are several pieces"),
        ("# fill: 4L\n\n3x3\n\n4L\n", "1: fill: '4L' is not of the form TILE COLOUR"),
        ("# fill: 4T red\n\n3x3\n\n4L\n", "1: fill: there is no tile 4T"),
        ("# fill: 4L red\n# fill: 4L blue\n\n3x3\n\n4L\n", "2: fill: the colour of 4L is set twice"),
        ("# fill: 4L rad\n\n3x3\n\n4L\n", "1: 'rad' is no colour; nearest: red"),
        ('{"board": "3x3", "tiles": [{"cells": "4L", "fill": "#12"}]}', "'#12' is no colour"),
    ],
)
def test_wrong_names_and_fills(content: str, said: str) -> None:
    with pytest.raises(InputError, match=re.escape(said)):
        formats.parse(content)


@pytest.mark.parametrize("setting", ["lock: 2 1", "together: 2"])
def test_a_wrong_line_among_thousands_is_found_without_trying_each(setting: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    whole = Instance.__post_init__
    monkeypatch.setattr(Instance, "__post_init__", lambda self: (made.append(1), whole(self))[1])  # type: ignore[func-returns-value]
    many = f"# {setting}\n" * 3000
    assert text.parse(f"{many}2x2\n\n2\n").tiles
    assert len(made) < 10
    wrong = setting.replace("2", "q", 1)
    with pytest.raises(InputError, match="there is no tile q") as refused:
        text.parse(f"{many}# {wrong}\n{many}2x2\n\n2\n")
    assert refused.value.line == 3001
    assert len(made) < 40
