"""Boards that are wrapped round, and the conjugacy classes of their groups."""

from __future__ import annotations

from itertools import product

import pytest
from brute_force import moved
from commands import call
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import instances, wrapped

from tiler import formats
from tiler.errors import InputError
from tiler.formats import json, text
from tiler.model.lattice import Isometry, Lattice
from tiler.model.lattices import CUBIC, LATTICES, SQUARE
from tiler.model.symmetry import conjugacy_classes, group
from tiler.model.wrap import FLAT, Wrap, parse_wrap, wrap_of
from tiler.render import svg

small = st.integers(-6, 6)


@given(st.lists(st.tuples(small, small, small), min_size=1, max_size=3), st.tuples(*[st.integers(-40, 40)] * 3))
def test_a_cell_is_one_with_those_that_vectors_lead_to(vectors: list[tuple[int, ...]], cell: tuple[int, ...]) -> None:
    try:
        wrap = wrap_of(vectors)
    except InputError:
        return
    reduced = wrap.reduce(cell)
    for times in product((-2, 1), repeat=len(vectors)):
        step = [sum(n * vector[axis] for n, vector in zip(times, vectors, strict=True)) for axis in range(3)]
        assert wrap.reduce(tuple(a + b for a, b in zip(cell, step, strict=True))) == reduced
    assert wrap.reduce(reduced) == reduced
    pivots = [next(axis for axis, a in enumerate(vector) if a) for vector in wrap.vectors]
    assert pivots == sorted(set(pivots))
    assert all(0 <= reduced[pivot] < vector[pivot] for pivot, vector in zip(pivots, wrap.vectors, strict=True))
    assert parse_wrap(str(wrap), CUBIC, frozenset({(0, 0, 0)})) == wrap


@pytest.mark.parametrize(
    ("words", "vectors"),
    [
        ("columns", ((0, 6),)),
        ("rows columns", ((4, 0), (0, 6))),
        ("columns rows", ((4, 0), (0, 6))),
        ("0,6 4,1", ((4, 1), (0, 6))),
        ("4,7 0,-6", ((4, 1), (0, 6))),
    ],
)
def test_what_words_mean(words: str, vectors: tuple[tuple[int, ...], ...]) -> None:
    instance = formats.inline(["6x4", "2"], wrap=words)
    assert instance.wrap.vectors == vectors
    assert text.parse(text.write(instance)) == json.parse(json.write(instance)) == instance
    assert instance.digest != formats.inline(["6x4", "2"]).digest


def test_in_units_of_the_lattice() -> None:
    instance = formats.inline(["rhombus:5x2", "xx"], lattice="triangular", wrap="rows columns")
    assert instance.wrap.vectors == ((6, 0), (0, 15))
    assert "# wrap: 6,0 0,15\n" in text.write(instance)


@pytest.mark.parametrize(
    ("board", "lattice", "words", "vectors"),
    [
        ("3x3x2", None, "columns", ((0, 0, 3),)),
        ("3x4x2", None, "layers rows", ((2, 0, 0), (0, 4, 0))),
        ("3x4x2", "cubic", "layers rows", ((2, 0, 0), (0, 4, 0))),
        ("3x4x2", "square", "layers 0,4,1", ((2, 0, 0), (0, 4, 1))),
    ],
)
def test_boards_in_space_need_no_lattice_in_space(board: str, lattice: str | None, words: str, vectors: tuple) -> None:
    assert formats.inline([board, board], lattice=lattice, wrap=words).wrap.vectors == vectors


@pytest.mark.parametrize(
    ("shapes", "lattice", "words", "line"),
    [
        (["4x4", "2"], None, "column", "wrap: 'column' is none of rows, columns, and no vector such as 0,5"),
        (["4x4", "2"], None, "", "wrap: there is no vector"),
        (["4x4", "2"], None, "0,4 0,2", "wrap: 0,4 0,2: these vectors are not independent; leave one out"),
        (["4x4", "2"], None, "0,0", "wrap: 0,0: these vectors are not independent; leave one out"),
        (["4x4", "2"], None, "0,3", "wrap: it makes the cells 0,0 and 0,3 of the board the same"),
        (["4x4", "2"], None, "0,0,4", "wrap: 0,0,4 has 3 numbers, cells of the board have 2"),
        (["4x4", "2"], None, "4,0 0,0,4", "wrap: 4,0 0,0,4: a vector must have as many numbers as a cell"),
        (
            ["hex:2", "xx"],
            "triangular",
            "0,13",
            "wrap: 0,13 takes cells of the triangular lattice to cells of another kind, or to no cell",
        ),
    ],
)
def test_what_is_refused(shapes: list[str], lattice: str | None, words: str, line: str) -> None:
    with pytest.raises(InputError) as error:
        formats.inline(shapes, lattice=lattice, wrap=words)
    assert line in str(error.value)


def test_json_is_looked_at() -> None:
    content = '{"board": "4x4", "tiles": ["2"], "wrap": %s}'
    assert formats.parse(content % "[[0, 4]]").wrap == Wrap(((0, 4),))
    for wrong in ("[0, 4]", '[["0", 4]]', '"columns"', "[[4]]", "[[0, 4], []]"):
        with pytest.raises(InputError, match=r"'wrap' is .*; it must be a list of vectors"):
            formats.parse(content % wrong)


@pytest.mark.parametrize(
    ("board", "words", "order", "classes"),
    [
        ("4x4", None, 8, 5),  # of the square
        ("4x4", "columns", 16, 10),
        ("4x4", "rows columns", 128, 20),
        ("5x5", "rows columns", 200, 14),
        ("3x5", "rows columns", 60, 12),
        ("6x6", "0,6 6,1", 72, 21),
        ("2x2x2", None, 48, 10),  # of the cube
    ],
)
def test_conjugacy_classes(board: str, words: str | None, order: int, classes: int) -> None:
    instance = formats.inline([board, "1"], wrap=words)
    symmetries = group(instance)
    found = conjugacy_classes(instance.wrap, symmetries)
    assert (len(symmetries), len(found)) == (order, classes)
    assert sum(number for _, number in found) == order
    assert found[0] == (symmetries[0], 1)
    # As the definition has it.
    normal = {(each.matrix, instance.wrap.reduce(each.offset)): each for each in symmetries}
    for one, number in found:
        conjugate = {each.after(one).after(each.inverse()) for each in symmetries}
        assert len({(each.matrix, instance.wrap.reduce(each.offset)) for each in conjugate}) == number
        assert all((each.matrix, instance.wrap.reduce(each.offset)) in normal for each in conjugate)


@pytest.mark.parametrize("lattice", LATTICES.values(), ids=str)
def test_an_inverse_undoes(lattice) -> None:
    for number, turn in enumerate(lattice.isometries(reflections=True)):
        moved = Isometry(turn.matrix, tuple(3 * number - axis for axis in range(lattice.dimension)))
        cell = lattice.residues[0]
        assert moved.inverse()(moved(cell)) == cell == moved(moved.inverse()(cell))


def test_it_is_shown_and_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "count", "4x4", "2", "--wrap", "rows columns")[:2] == (0, "272\n")
    _, out, _ = call(capsys, "show", "rhombus:3x3", "xx", "--lattice", "triangular", "--wrap", "columns")
    assert "18 cells, on the triangular lattice, wrapped by 0,9" in out
    _, out, _ = call(capsys, "show", "x.x/x.x", "2", "--wrap", "0,3")
    assert "4 cells within 3x2, in the plane, wrapped by 0,3" in out
    assert "parts" not in out
    instance = formats.inline(["4x4", "2"], wrap="columns")
    assert 'stroke-dasharray="5 5"' in svg.draw(instance, ())
    assert 'stroke-dasharray="5 5"' not in svg.draw(formats.inline(["4x4", "2"]), ())
    assert instance.wrap != FLAT


@pytest.mark.parametrize("lattice", [each for each in LATTICES.values() if each.dimension == 2], ids=str)
@settings(max_examples=60)
@given(st.data())
def test_cells_that_a_shape_can_be(lattice: Lattice, data: st.DataObject) -> None:
    """Moved by a translation, each cell of the shape on a cell of its own: as the brute force moves it, and no other way."""
    instance = data.draw(wrapped(instances(max_cells=6, max_tile=3, words=False, lattice=lattice)))
    piece = data.draw(st.sampled_from(instance.tiles)).shape
    cells = frozenset(data.draw(st.sets(st.sampled_from(sorted(instance.board)), min_size=1, max_size=len(piece))))
    lying = {cells for each in instance.board for cells in [moved(instance, piece, min(piece), each)] if cells}
    some = data.draw(st.sampled_from([cells, *sorted(lying, key=sorted)]))
    assert instance.wrap.fits(instance.lattice, piece, some) == (some in lying)


def test_cells_that_a_shape_cannot_be() -> None:
    """A bar that would lie across itself, and a triangle moved to where one of the other kind is."""
    around = formats.inline(["3x1", "4I"], wrap="columns")
    assert not around.wrap.fits(SQUARE, frozenset((0, column) for column in range(4)), around.board)
    triangles = formats.inline(["rhombus:2x1", "x"], lattice="triangular", wrap="columns")
    one, other = (next(frozenset({cell}) for cell in sorted(triangles.board) if cell[1] % 3 == kind) for kind in (1, 2))
    assert triangles.wrap.fits(triangles.lattice, one, one)
    assert not triangles.wrap.fits(triangles.lattice, one, other)
    for told in ("place", "only"):
        with pytest.raises(InputError, match=f"{told}: 0,0 0,1 0,2 are not the cells of a 4I"):
            formats.constrained(around, [(told, "4I 0,0 0,1 0,2")])
