"""The lattice: counts of variants and of free and one-sided shapes that are known from elsewhere."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from square import canonical, components, flatten, is_connected, isometries, lift, neighbours, normalise, variants
from strategies import scattered, shapes

from tiler.model.lattice import Shape, box, dimension, move
from tiler.model.letter_names import named_shapes
from tiler.model.shapes import parse_shape

any_shape = shapes(2) | shapes(3) | scattered(2) | scattered(3)

# Variants in the plane without and with reflections, from the symmetry of each shape.
ROUND = ["1", "4O", "5X"]  # 1, 1
TWO_FOLD_WITH_MIRRORS = ["2", "3I", "4I", "5I"]  # 2, 2
TWO_FOLD = ["4S", "4Z", "5S", "5Z"]  # 2, 4
ONE_MIRROR = ["3L", "4T", "5T", "5U", "5V", "5W"]  # 4, 4
IN_PLANE = {
    **dict.fromkeys(ROUND, (1, 1)),
    **dict.fromkeys(TWO_FOLD_WITH_MIRRORS, (2, 2)),
    **dict.fromkeys(TWO_FOLD, (2, 4)),
    **dict.fromkeys(ONE_MIRROR, (4, 4)),
}
# The same in space, where a flat shape meets its mirror image by turning over.
IN_SPACE = {
    **dict.fromkeys(["1"], (1, 1)),
    **dict.fromkeys(["2", "3I", "4I", "5I", "4O", "5X"], (3, 3)),
    **dict.fromkeys(["4^"], (8, 8)),
    **dict.fromkeys(["3L", "4S", "4T"], (12, 12)),
    **dict.fromkeys(["4<", "4>", "L1", "J1", "V1", "V2"], (12, 24)),  # screws that look the same from either end
    **dict.fromkeys(["4L", "5F", "5P", "Q_"], (24, 24)),
    **dict.fromkeys(["L2", "J2", "L4", "J4", "N2", "S2"], (24, 48)),
}


def grown(dimensions: int, size: int, *, reflections: bool) -> set[Shape]:
    """Every shape of a size, one per class of congruent ones."""
    found = {frozenset({(0,) * dimensions})}
    for _ in range(size - 1):
        found = {
            canonical(shape | {other}, reflections)
            for shape in found
            for cell in shape
            for other in neighbours(cell)
            if other not in shape
        }
    return found


@pytest.mark.parametrize("name", [name for name, shape in named_shapes().items() if dimension(shape) == 2])
def test_variants_in_the_plane(name: str) -> None:
    shape = parse_shape(name)
    assert (len(variants(shape, False)), len(variants(shape, True))) == IN_PLANE.get(name, (4, 8))


@pytest.mark.parametrize(("name", "counts"), IN_SPACE.items())
def test_variants_in_space(name: str, counts: tuple[int, int]) -> None:
    shape = lift(parse_shape(name), 3)
    assert (len(variants(shape, False)), len(variants(shape, True))) == counts


@pytest.mark.parametrize(
    ("dimensions", "reflections", "counts"),
    [
        (2, True, [1, 1, 2, 5, 12, 35]),
        (2, False, [1, 1, 2, 7, 18, 60]),
        (3, True, [1, 1, 2, 7, 23]),
        (3, False, [1, 1, 2, 8, 29]),
    ],
)
def test_numbers_of_shapes_by_size(dimensions: int, reflections: bool, counts: list[int]) -> None:
    assert [len(grown(dimensions, size, reflections=reflections)) for size in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize(("dimensions", "counts"), [(2, [1, 2, 6, 19, 63, 216]), (3, [1, 3, 15, 86, 534])])
@pytest.mark.parametrize("reflections", [False, True])
def test_numbers_of_fixed_shapes_by_size(dimensions: int, counts: list[int], reflections: bool) -> None:
    """The variants of all shapes of a size are all the shapes that differ by more than a shift."""
    for size, count in enumerate(counts, 1):
        assert sum(len(variants(shape, reflections)) for shape in grown(dimensions, size, reflections=reflections)) == count


@pytest.mark.parametrize("size", range(1, 6))
def test_every_one_sided_polyomino_to_size_5_has_a_name(size: int) -> None:
    named = [canonical(shape, False) for shape in named_shapes().values() if dimension(shape) == 2 and len(shape) == size]
    assert len(named) == len(set(named))
    assert set(named) == grown(2, size, reflections=False)


@pytest.mark.parametrize("size", [4, 5])
def test_every_polycube_of_size_4_and_5_has_a_name(size: int) -> None:
    named = {canonical(lift(shape, 3), False) for shape in named_shapes().values() if len(shape) == size}
    assert named == grown(3, size, reflections=False)


def test_isometries_form_groups() -> None:
    for dimensions, reflections in product((2, 3), (False, True)):
        group = isometries(dimensions, reflections)
        probe = tuple(range(1, dimensions + 1))
        images = {isometry(probe) for isometry in group}
        assert len(images) == len(group)
        assert {one(two(probe)) for one in group for two in group} == images
        assert group[0](probe) == probe
    assert sum(isometry.is_rotation for isometry in isometries(3, True)) == 24


@given(any_shape, st.booleans())
def test_variants_are_at_the_origin_sorted_and_those_of_each_variant(shape: Shape, reflections: bool) -> None:
    every = variants(shape, reflections)
    assert len(every) in (1, 2, 3, 4, 6, 8, 12, 16, 24, 48)
    assert sorted(every, key=sorted) == list(every)
    for variant in every:
        assert not any(box(variant)[0])
        assert len(variant) == len(shape)
        assert variants(variant, reflections) == every
        assert is_connected(variant) == is_connected(shape)
    assert normalise(shape) in every
    assert canonical(shape, reflections) == every[0]


@given(any_shape, st.data())
def test_moving_changes_nothing_else(shape: Shape, data: st.DataObject) -> None:
    offset = tuple(data.draw(st.lists(st.integers(-9, 9), min_size=dimension(shape), max_size=dimension(shape))))
    moved = move(shape, offset)
    assert normalise(moved) == normalise(shape)
    assert move(moved, tuple(-a for a in offset)) == shape
    low, high = box(shape)
    assert box(moved) == (tuple(map(sum, zip(low, offset, strict=True))), tuple(map(sum, zip(high, offset, strict=True))))


@given(any_shape)
def test_components_partition_a_shape(shape: Shape) -> None:
    parts = components(shape)
    assert frozenset().union(*parts) == shape
    assert sum(map(len, parts)) == len(shape)
    assert all(is_connected(part) for part in parts)
    assert [min(part) for part in parts] == sorted(min(part) for part in parts)
    for part in parts:
        assert not {other for cell in part for other in neighbours(cell)} & (shape - part)
    assert is_connected(shape) == (len(parts) == 1)


def test_connectedness() -> None:
    assert is_connected(frozenset())
    assert is_connected(frozenset({(5, -7)}))
    assert not is_connected(frozenset({(0, 0), (1, 1)}))
    assert not is_connected(frozenset({(0, 0, 0), (0, 1, 1)}))
    # As many cells as the box of another shape, but not in one piece.
    assert not is_connected(frozenset({(0, 0), (0, 1), (0, 3), (1, 3)}))


@given(shapes(2))
def test_flatten_undoes_lift(shape: Shape) -> None:
    assert flatten(lift(shape, 3)) == shape
    assert flatten(shape) == shape
    assert lift(shape, 2) == shape
    assert flatten(move(lift(shape, 3), (4, 0, 0))) == shape


@given(st.lists(st.integers(-9, 9), min_size=2, max_size=3).map(tuple))
def test_neighbours(cell: tuple[int, ...]) -> None:
    around = neighbours(cell)
    assert around == sorted(set(around))
    assert len(around) == 2 * len(cell)
    assert all(sum(abs(a - b) for a, b in zip(cell, other, strict=True)) == 1 for other in around)
