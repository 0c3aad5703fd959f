"""What polyominoes and polycubes without letters are called."""

from __future__ import annotations

import hashlib

import pytest
from brute_force import at_origin, turns
from hypothesis import given
from strategies import shapes

from tiler.errors import InputError
from tiler.model import numbered_names
from tiler.model.lattice import Shape, box
from tiler.model.lattices import CUBIC, SQUARE
from tiler.model.letter_names import named_shapes
from tiler.model.polyforms import polyforms


def test_the_letters_are_among_them() -> None:
    forms = {
        (lattice.dimension, form.shape)
        for lattice in (SQUARE, CUBIC)
        for size in range(1, 6)
        for form in polyforms(lattice, size)
    }
    for name, shape in named_shapes().items():
        lattice = SQUARE if SQUARE.holds(shape) else CUBIC
        assert (lattice.dimension, lattice.canonical(shape, reflections=True)) in forms, name


def picture(name: str) -> str:
    shape = numbered_names.shape_called(name)
    _, (high, wide) = box(shape)
    return "/".join("".join("x" if (row, column) in shape else "." for column in range(wide + 1)) for row in range(high + 1))


def test_names_stay() -> None:
    """They are in files: what they stand for must not change."""
    assert [picture(name) for name in ("6-01", "6-02", "6-02m", "6-08", "6-35")] == [
        *("xxxxxx", "xxxxx/x....", "xxxxx/....x", "xxxx/x.../x...", ".x../xxxx/..x."),
    ]
    assert sorted(numbered_names.shape_called("6c-01")) == [(0, 0, 0), (0, 0, 1), (0, 0, 2), (0, 0, 3), (0, 1, 0), (1, 0, 0)]
    every = repr([[name, sorted(shape)] for size in (6, 7, 8, 9) for name, shape in numbered_names.numbered(size, False).items()])
    assert hashlib.sha256(every.encode()).hexdigest()[:16] == "1e4c7a877a8028dc"
    solid = repr([[name, sorted(shape)] for size in (6, 7, 8) for name, shape in numbered_names.numbered(size, True).items()])
    assert hashlib.sha256(solid.encode()).hexdigest()[:16] == "03153a985dc3f83f"
    assert [picture(name) for name in ("7-001", "8-001", "9-0001")] == ["x" * 7, "x" * 8, "x" * 9]
    assert picture("9-1285") == "..x../..x../xxxxx/..x../..x.."


@pytest.mark.parametrize(
    ("size", "flat", "solid"), [(6, (35, 60), (77, 131)), (7, (108, 196), (499, 915)), (8, (369, 704), (3442, 6553))]
)
def test_all_have_names_and_numbers_of_one_width(size: int, flat: tuple[int, int], solid: tuple[int, int]) -> None:
    for is_solid, (count, apart) in ((False, flat), (True, solid)):
        names, without = numbered_names.numbered(size, is_solid), numbered_names.free(size, is_solid)
        assert (len(without), len(names), len(set(names.values()))) == (count, apart, apart)
        assert len({len(name) for name in without}) == 1
        assert list(without) == sorted(without)
        assert all(numbered_names.is_name(name) for name in names)


@given(shapes(2, 9, 6) | shapes(3, 8, 6))
def test_a_name_is_that_of_the_shape_however_it_is_turned(shape: Shape) -> None:
    name = numbered_names.name_of(shape)
    assert name is not None
    dimension = len(min(shape))
    flat = dimension == 2 or any(len(set(axis)) == 1 for axis in zip(*shape, strict=True))
    assert ("c" in name) != flat
    called = [(0,) * (dimension - len(cell)) + cell for cell in numbered_names.shape_called(name)]
    assert at_origin(shape) in {
        at_origin(map(turn, called)) for turn in turns(CUBIC if dimension == 3 else SQUARE, reflections=False)
    }


def test_what_has_no_number_has_no_name() -> None:
    assert numbered_names.name_of(frozenset({(0, 0), (0, 1)})) is None
    assert numbered_names.name_of(frozenset((0, 2 * column) for column in range(6))) is None
    assert numbered_names.name_of(frozenset((0, column) for column in range(10))) is None


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("6-36", "'6-36' is not a shape; there are 6-01 to 6-35 (see tiler shapes 6)"),
        ("6-1", "'6-1' is not a shape; there are 6-01 to 6-35 (see tiler shapes 6)"),
        ("6-00m", "'6-00m' is not a shape; there are 6-01 to 6-35 (see tiler shapes 6)"),
        ("6c-78", "'6c-78' is not a shape; there are 6c-01 to 6c-77 (see tiler shapes 6)"),
        ("6-01m", "'6-01m' is not a shape: 6-01 is its own mirror image; leave out the m"),
        ("5-01", "'5-01' is not a shape; shapes of 6 to 9 cells have names such as 6-01"),
        ("10-00001", "'10-00001' is not a shape; shapes of 6 to 9 cells have names such as 6-01"),
    ],
)
def test_names_that_are_none(name: str, line: str) -> None:
    assert numbered_names.is_name(name)
    with pytest.raises(InputError) as error:
        numbered_names.shape_called(name)
    assert str(error.value) == line
