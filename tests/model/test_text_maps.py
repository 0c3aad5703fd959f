"""Maps and dimensions of lattices: what is typed and what is meant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiler.errors import InputError
from tiler.model import text_maps
from tiler.model.lattice import Lattice, Shape, move
from tiler.model.lattices import (
    HEXAGONAL,
    LATTICES,
    RHOMBIC_TETRAHEDRA,
    RHOMBILLE,
    SPHERES,
    SQUARE,
    SQUARE_EDGES,
    TETRAKIS,
    TRIANGULAR,
    TRIANGULAR_EDGES,
    TRIANGULAR_PRISMS,
)
from tiler.model.named_boards import region
from tiler.model.polyforms import polyforms
from tiler.model.shapes import parse_board, parse_shape

WITH_MAPS = [lattice for lattice in LATTICES.values() if text_maps.has_maps(lattice)]


@pytest.mark.parametrize("lattice", WITH_MAPS, ids=str)
def test_every_cell_has_a_place_of_its_own(lattice: Lattice) -> None:
    for form in polyforms(lattice, 4):
        places = {cell: text_maps.place(lattice, cell) for cell in form.shape}
        assert len(set(places.values())) == 4
        assert {cell: text_maps.cell_at(lattice, place) for cell, place in places.items()} == {cell: cell for cell in form.shape}


@pytest.mark.parametrize("lattice", WITH_MAPS, ids=str)
@given(data=st.data())
def test_a_shape_is_read_as_it_was_written(lattice: Lattice, data: st.DataObject) -> None:
    form = data.draw(st.sampled_from(polyforms(lattice, 5)))
    offset = tuple(m * data.draw(st.integers(-5, 5)) for m in lattice.moduli)
    shape = move(data.draw(st.sampled_from(lattice.variants(form.shape, reflections=True))), offset)
    optional = frozenset(data.draw(st.sets(st.sampled_from(sorted(shape)))))
    back = text_maps.corner(lattice, shape)
    rows = text_maps.notation(lattice, shape, optional)
    read, open_ = parse_board(rows, lattice)
    if len(min(read)) < lattice.dimension:  # It lies flat.
        read, open_ = lattice.lift(read), lattice.lift(open_) if open_ else open_
    assert (move(read, back), move(open_, back)) == (shape, optional)


#: The map of a figure, where it points to, and the sizes of its parts.
FIGURES = [
    (HEXAGONAL, "x.x/.x.", 3, 3),  # round a point
    (HEXAGONAL, ".x/x.x", 3, 3),
    (HEXAGONAL, "x...x", 2, 0),
    (TRIANGULAR, ".xxx/..x.", 4, 3),  # a large triangle that points down
    (TRIANGULAR, "..x../.xxx.", 4, 3),  # and one that points up
    (TRIANGULAR, ".x./xxx", 4, 2),  # the upper one points down, so that it is apart
    (TRIANGULAR, "xx", 2, 1),
    (TRIANGULAR, "x/x", 2, 1),
    (TRIANGULAR, ".x/.x", 2, 0),
    (SQUARE_EDGES, ".x./x.x/.x.", 4, 4),
    (SQUARE_EDGES, "x.x", 2, 1),
    (TRIANGULAR_PRISMS, "x/-/x", 2, 1),
]


@pytest.mark.parametrize(("lattice", "rows", "size", "sides"), FIGURES)
def test_what_maps_mean(lattice: Lattice, rows: str, size: int, sides: int) -> None:
    """The number of cells, and of pairs that touch."""
    shape = parse_shape(rows, lattice)
    assert len(shape) == size
    assert sum(other in shape for cell in shape for other in lattice.neighbours(cell)) == 2 * sides


@pytest.mark.parametrize(
    ("lattice", "text", "cells"),
    [
        (HEXAGONAL, "hex:5", 61),
        (HEXAGONAL, "tri:6", 21),
        (HEXAGONAL, "rhombus:6x10", 60),
        (HEXAGONAL, "hexagon:3,3,3", 19),
        (HEXAGONAL, "hexagon:2,3,4", 18),
        (TRIANGULAR, "hexagon:3,3,3", 54),
        (TRIANGULAR, "hexagon:2,3,4", 52),
        (SQUARE, "aztec:1", 4),
        (SQUARE, "aztec:5", 60),
        (SQUARE, "holey:8", 60),
        (SQUARE, "holey:5", 24),
        (TRIANGULAR, "hex:3", 54),
        (TRIANGULAR, "tri:6", 36),
        (TRIANGULAR, "rhombus:6x10", 120),
        (TRIANGULAR_EDGES, "tri:3", 18),
        (TRIANGULAR_EDGES, "hex:1", 12),
        (RHOMBILLE, "hex:1", 12),
        (SQUARE_EDGES, "3x2", 17),
        (TETRAKIS, "3x2", 24),
        (TRIANGULAR_PRISMS, "hex:1x2", 12),
    ],
)
def test_regions(lattice: Lattice, text: str, cells: int) -> None:
    board = region(lattice, text)
    assert len(board) == cells
    assert lattice.holds(board)
    assert lattice.is_connected(board)
    # A hexagon has the whole group of the lattice, a triangle half of it.
    orders = {"hex": len(lattice.isometries(True)), "tri": 6}
    kind = text.partition(":")[0]
    if kind in orders and lattice is not TRIANGULAR_PRISMS:
        assert len(lattice.variants(board, reflections=True)) == len(lattice.isometries(True)) // orders[kind]


def test_columns_come_first() -> None:
    board = region(HEXAGONAL, "rhombus:6x10")
    assert max(board) == (9, 5)


@pytest.mark.parametrize(
    ("lattice", "text", "line"),
    [
        (
            HEXAGONAL,
            "6x10",
            "6x10 are no dimensions on the hexagonal lattice: there are hex:5, hexagon:3,4,5, tri:6, rhombus:6x10",
        ),
        (TETRAKIS, "hex:3", "hex:3 are no dimensions on the tetrakis lattice: there are 6x10"),
        (SPHERES, "4x4x4", "4x4x4 are no dimensions on the spheres lattice: there are tetrahedron:5, pyramid:5"),
        (RHOMBIC_TETRAHEDRA, "4x4x4", "no dimensions on the rhombic-tetrahedra lattice: it has none; give the cells"),
        (HEXAGONAL, "hex:5x2", "hex:5x2 has 2 lengths; hex takes 1"),
        (HEXAGONAL, "rhombus:5", "rhombus:5 has 1 lengths; rhombus takes 2"),
        (TRIANGULAR_PRISMS, "tri:2x2x2", "tri:2x2x2 has 3 lengths; tri takes 1, and the number of layers"),
        (HEXAGONAL, "hex:0", "hex:0 has no cell; every length must be at least 1"),
        (HEXAGONAL, "hex:9999", "the board is too large: 19998x19998x1x1; the limit is 4,000,000 cells"),
        (HEXAGONAL, "xx", "no map of the hexagonal lattice: a mark stands where there is no cell (see tiler lattices)"),
        (SQUARE_EDGES, "xx", "no map of the square-edges lattice: a mark stands where there is no cell (see tiler lattices)"),
        (HEXAGONAL, "4L", "'4L' is not a shape of the hexagonal lattice (see tiler lattices)"),
        (TETRAKIS, "x.x", "the tetrakis lattice has no maps; write the problem as JSON, with cells as lists of numbers"),
    ],
)
def test_what_is_refused(lattice: Lattice, text: str, line: str) -> None:
    with pytest.raises(InputError) as error:
        parse_board(text, lattice)
    assert line in str(error.value)


def test_the_square_lattice_is_read_as_ever() -> None:
    for text in ("3L", "4x2", "x./xx", "DDRRULUL"):
        shape: Shape = parse_shape(text)
        assert shape == parse_shape(text, SQUARE)
