"""Problems on other lattices than the square and the cubic one, in files and on the command line."""

from __future__ import annotations

from dataclasses import replace

import pytest
from commands import call

from tiler import formats
from tiler.errors import InputError
from tiler.formats import json, text
from tiler.model.instance import Instance
from tiler.model.lattice import Lattice
from tiler.model.lattices import HEXAGONAL, LATTICES, TRIANGULAR, TRIANGULAR_PRISMS
from tiler.model.polyforms import polyforms
from tiler.model.text_maps import has_maps
from tiler.model.tile import Tile

HEXAGONS = """\
# lattice: hexagonal
# reflections: yes
# origin: 2,-1

 x o x
x x x

2:
x x
 x

1..: x.x
rhombus:2x1
"""


def test_a_file_says_which_lattice_it_is_about() -> None:
    instance = formats.parse(HEXAGONS)
    assert instance.lattice is HEXAGONAL
    assert sorted(instance.board) == [(2, 0), (2, 1), (2, 2), (3, -1), (3, 0), (3, 1)]
    assert instance.optional == {(2, 1)}
    assert [(len(tile.shape), tile.at_least, tile.at_most) for tile in instance.tiles] == [(3, 0, 2), (2, 1, None), (2, 0, None)]
    assert [tile.lattice for tile in instance.tiles] == [HEXAGONAL] * 3


def some(lattice: Lattice) -> Instance:
    """Pieces of three and a board of nine cells with a cell that may stay open, not at the origin."""
    tiles = [
        Tile(f"t{n}", form.shape, 2 if n % 2 else None, n % 3 % 2, lattice=lattice)
        for n, form in enumerate(polyforms(lattice, 3))
    ]
    board = max((form.shape for form in polyforms(lattice, 5)), key=sorted)
    moved = frozenset(tuple(a + 4 * m for a, m in zip(cell, lattice.moduli, strict=True)) for cell in board)
    return Instance(moved, tuple(tiles), optional=frozenset({min(moved)}), lattice=lattice)


@pytest.mark.parametrize("lattice", LATTICES.values(), ids=str)
def test_json_holds_every_lattice(lattice: Lattice) -> None:
    instance = some(lattice)
    assert json.parse(json.write(instance)) == instance
    assert json.parse(json.write(instance)).digest == instance.digest


@pytest.mark.parametrize("lattice", LATTICES.values(), ids=str)
def test_text_holds_those_that_have_maps(lattice: Lattice) -> None:
    instance = some(lattice)
    if has_maps(lattice):
        assert text.parse(text.write(instance)) == instance
    else:
        with pytest.raises(InputError, match=f"shapes of the {lattice} lattice cannot be written as text; JSON can hold them"):
            text.write(instance)


def test_layers_of_triangles_are_prisms() -> None:
    rows = "# lattice: triangular\n\nxx\n-\nxx\n\nxx\nx/-/x\n"
    instance = formats.parse(rows)
    assert instance.lattice is TRIANGULAR_PRISMS
    assert [tile.lattice for tile in instance.tiles] == [TRIANGULAR, TRIANGULAR_PRISMS]
    assert formats.parse(text.write(instance)) == instance


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("# lattice: hexagons\n\nhex:2\n\nx.x\n", "1: lattice: 'hexagons' is no lattice; nearest: hexagonal"),
        ("# lattice: hexagonal\n\nxx\n\nx.x\n", "3: no map of the hexagonal lattice: a mark stands where there is no cell"),
        ("# lattice: hexagonal\n\nhex:2\n\n4L\n", "5: '4L' is not a shape of the hexagonal lattice"),
        ("# lattice: triangular\n\nhex:2\n\n.x/.x\n", "5: tile tile1 is not connected"),
        ("# lattice: triangular\n# origin: 1,0\n\nhex:2\n\nxx\n", "the board: (2, 7) is not a cell of the triangular lattice"),
        ("# lattice: hexagonal\n\nhex:2\n\nx/-/x\n", "5: tile tile1 has several layers, but the board has one"),
        ("2:hex:2\n\n1\n", "the board comes first and has no number of copies"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(content: str, line: str) -> None:
    with pytest.raises(InputError) as error:
        formats.parse(content)
    assert line in str(error.value)


def test_tiles_of_another_lattice_are_refused() -> None:
    instance = some(HEXAGONAL)
    with pytest.raises(InputError, match="tile 3L is of the square lattice, but the board is of the hexagonal lattice"):
        replace(instance, tiles=(Tile("3L", frozenset({(0, 0), (0, 1), (1, 0)})),))


def test_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "count", "hex:2", "xx", "--lattice", "triangular")
    assert (status, out) == (0, "20\n")
    status, out, _ = call(capsys, "show", "hex:2", "2:tri:2", "--lattice", "triangular", "--format", "problem")
    assert status == 0
    assert out.startswith("# lattice: triangular\n")
    assert out.endswith("\n2:tri:2\n")
    assert call(capsys, "count", "hex:2", "xx", "--lattice", "square")[0] == 2
    status, _, err = call(capsys, "count", "problems/misc/02_u.txt", "--lattice", "triangular")
    assert (status, err) == (2, "tiler: --lattice triangular: the file has its own lattice, square; leave out --lattice\n")
