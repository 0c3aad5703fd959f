"""Polyforms by size: how many there are on each lattice, as others have counted them."""

from __future__ import annotations

import pytest

from tiler.errors import InputError
from tiler.model import polyforms
from tiler.model.lattice import Lattice
from tiler.model.lattices import LATTICES, SPHERES, SQUARE
from tiler.model.polyforms import count_fixed, free

FREE = {
    "square": [1, 1, 2, 5, 12, 35, 108, 369],  # A000105
    "hexagonal": [1, 1, 3, 7, 22, 82, 333],  # A000228
    "triangular": [1, 1, 1, 3, 4, 12, 24, 66],  # A000577
    "tetrakis": [1, 2, 2, 6, 8, 22],
    "square-edges": [1, 2, 5, 16, 55, 222],  # A019988
    "triangular-edges": [1, 3, 12, 60, 375],
    "cubic": [1, 1, 2, 7, 23, 112],
    "spheres": [1, 1, 4, 20],
    "triangular-prisms": [1, 2, 3, 11],
    "hexagonal-prisms": [1, 2, 5, 20],
}
ONE_SIDED = {
    "square": [1, 1, 2, 7, 18, 60, 196, 704],  # A000988
    "hexagonal": [1, 1, 3, 10, 33, 147],  # A006535
    "triangular": [1, 1, 1, 4, 6, 19, 43],  # A006534
    "square-edges": [1, 2, 7, 25, 99, 416],  # A151537
    "cubic": [1, 1, 2, 8, 29, 166],  # A000162
    "spheres": [1, 1, 5, 28],
}
FIXED = {
    "square": [1, 2, 6, 19, 63, 216],  # A001168
    "hexagonal": [1, 3, 11, 44, 186, 814],  # A001207
    "triangular": [2, 3, 6, 14, 36, 94],  # A001420
    "square-edges": [2, 6, 22, 88, 372],  # A096267
    "cubic": [1, 3, 15, 86, 534],  # A001931
}


@pytest.mark.parametrize("name", FREE)
def test_free(name: str) -> None:
    assert [len(free(LATTICES[name], cells, reflections=True)) for cells in range(1, len(FREE[name]) + 1)] == FREE[name]


@pytest.mark.parametrize("name", ONE_SIDED)
def test_one_sided(name: str) -> None:
    found = [len(free(LATTICES[name], cells, reflections=False)) for cells in range(1, len(ONE_SIDED[name]) + 1)]
    assert found == ONE_SIDED[name]


@pytest.mark.parametrize("name", FIXED)
def test_fixed(name: str) -> None:
    assert [count_fixed(LATTICES[name], cells) for cells in range(1, len(FIXED[name]) + 1)] == FIXED[name]


@pytest.mark.parametrize("lattice", LATTICES.values(), ids=str)
@pytest.mark.parametrize("reflections", [False, True])
def test_they_are_canonical_connected_and_in_order(lattice: Lattice, reflections: bool) -> None:
    found = free(lattice, 4, reflections)
    assert list(found) == sorted(set(found), key=sorted)
    for shape in found:
        assert len(shape) == 4
        assert lattice.holds(shape)
        assert lattice.is_connected(shape)
        assert lattice.canonical(shape, reflections) == shape


def test_what_cannot_be_made_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="there is no shape of 0 cells"):
        free(SQUARE, 0, reflections=True)
    monkeypatch.setattr(polyforms, "MAX_SHAPES", 1000)
    with pytest.raises(InputError, match="there are more than 1,000 shapes of 6 cells on the spheres lattice"):
        free(SPHERES, 30, reflections=True)
