"""Polyforms by size: how many there are on each lattice, as others have counted them."""

from __future__ import annotations

import pytest

from tiler.errors import InputError
from tiler.model import polyforms as module
from tiler.model.lattice import Lattice
from tiler.model.lattices import CUBIC, LATTICES, SPHERES, SQUARE
from tiler.model.numbered_names import numbered
from tiler.model.polyforms import one_sided, polyforms

FREE = {
    "square": [1, 1, 2, 5, 12, 35, 108, 369, 1285],  # A000105
    "hexagonal": [1, 1, 3, 7, 22, 82, 333],  # A000228
    "triangular": [1, 1, 1, 3, 4, 12, 24, 66],  # A000577
    "tetrakis": [1, 2, 2, 6, 8, 22],
    "square-edges": [1, 2, 5, 16, 55, 222],  # A019988
    "triangular-edges": [1, 3, 12, 60, 375],
    "kites": [1, 2, 4, 10, 27, 85, 262, 873],  # A057786
    "drafters": [1, 3, 3, 9, 14, 38, 74],  # A197462, in the kisrhombille tiling; A056842 has drafters that are shifted, too
    "cubic": [1, 1, 2, 7, 23, 112, 607, 3811],  # A038119
    "spheres": [1, 1, 4, 20],
    "triangular-prisms": [1, 2, 3, 11],
    "hexagonal-prisms": [1, 2, 5, 20],
}
ONE_SIDED = {
    "square": [1, 1, 2, 7, 18, 60, 196, 704, 2500],  # A000988
    "hexagonal": [1, 1, 3, 10, 33, 147],  # A006535
    "triangular": [1, 1, 1, 4, 6, 19, 43],  # A006534
    "square-edges": [1, 2, 7, 25, 99, 416],  # A151537
    "cubic": [1, 1, 2, 8, 29, 166, 1023, 6922],  # A000162
    "spheres": [1, 1, 5, 28],
}
FIXED = {
    "square": [1, 2, 6, 19, 63, 216],  # A001168
    "hexagonal": [1, 3, 11, 44, 186, 814],  # A001207
    "triangular": [2, 3, 6, 14, 36, 94],  # A001420
    "square-edges": [2, 6, 22, 88, 372],  # A096267
    "cubic": [1, 3, 15, 86, 534],  # A001931
}


def count_fixed(lattice: Lattice, size: int) -> int:
    """Those that differ by more than a translation."""
    return sum(len(lattice.variants(form.shape, reflections=True)) for form in polyforms(lattice, size))


@pytest.mark.parametrize("name", FREE)
def test_free(name: str) -> None:
    assert [len(polyforms(LATTICES[name], size)) for size in range(1, len(FREE[name]) + 1)] == FREE[name]


@pytest.mark.parametrize("name", ONE_SIDED)
def test_one_sided(name: str) -> None:
    assert [len(one_sided(LATTICES[name], size)) for size in range(1, len(ONE_SIDED[name]) + 1)] == ONE_SIDED[name]


@pytest.mark.parametrize("name", FIXED)
def test_fixed(name: str) -> None:
    assert [count_fixed(LATTICES[name], size) for size in range(1, len(FIXED[name]) + 1)] == FIXED[name]


@pytest.mark.slow
def test_there_are_as_many_polycubes_of_nine_cells_as_published() -> None:
    assert (len(polyforms(CUBIC, 9)), len(one_sided(CUBIC, 9))) == (25_413, 48_311)
    assert len(numbered(9, solid=True)) == 48_311 - 1285


@pytest.mark.parametrize("lattice", LATTICES.values(), ids=str)
@pytest.mark.parametrize("size", range(1, 5))
def test_each_is_in_canonical_form_and_all_are_in_order(lattice: Lattice, size: int) -> None:
    found = polyforms(lattice, size)
    assert [sorted(form.shape) for form in found] == sorted(sorted(form.shape) for form in found)
    for shape, mirror in found:
        assert len(shape) == size
        assert lattice.holds(shape)
        assert lattice.is_connected(shape)
        assert lattice.canonical(shape, reflections=True) == shape
        apart = {lattice.canonical(image, reflections=False) for image in lattice.variants(shape, reflections=True)}
        assert apart == ({shape} if mirror is None else {shape, mirror})


def test_what_cannot_be_made_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="there is no shape of 0 cells"):
        polyforms(SQUARE, 0)
    monkeypatch.setattr(module, "MAX_SHAPES", 1000)
    with pytest.raises(InputError, match="there are more than 1,000 shapes of 6 cells on the spheres lattice"):
        polyforms(SPHERES, 30)
