"""The symmetry group of an instance."""

from __future__ import annotations

import pytest
from brute_force import symmetries
from hypothesis import given
from strategies import instances

from tiler import formats
from tiler.cover.board import BoardCover
from tiler.cover.group_action import actions
from tiler.model.instance import Instance
from tiler.model.symmetry import group

FREE = [f"1:{letter}" for letter in "FILNPTUVWXYZ"]
ONE_SIDED = [f"1:5{letter}" for letter in "AFGJPSYRNLQZITUVWX"]
SOMA = ["1:3L", "1:4L", "1:4S", "1:4T", "1:4^", "1:4<", "1:4>"]
BEDLAM = ["1:4>", "1:L1", "1:L2", "1:L3", "1:J4", "1:S1", "1:S2", "1:T1", "1:T2", "1:V2", "1:F", "1:W", "1:X"]


@pytest.mark.parametrize(
    ("shapes", "reflections", "order"),
    [
        (["10x6", *FREE], True, 4),
        (["8x8", *FREE, "1:4O"], True, 8),
        (["5x4x3", *FREE], False, 8),
        (["3x3x3", *SOMA], False, 48),
        (["4x4x4", *BEDLAM], False, 24),
        (["18x5", *ONE_SIDED], False, 4),  # the set is closed under mirrors
        (["4x4", "4L"], False, 4),
        (["4x4", "4L", "4J"], False, 8),
        (["4x4", "4L", "2:4J"], False, 4),  # mirrors would swap the bounds
        (["4x4", "4L"], True, 8),
        (["xxo/xxx/xxx", "2"], False, 2),  # optional cells must stay optional
        (["xxo/xxx/oxx", "2"], False, 4),
        (["x./xx/x.", "1"], False, 2),
    ],
)
def test_order_of_the_group(shapes: list[str], reflections: bool, order: int) -> None:
    assert len(group(formats.inline(shapes, reflections=reflections))) == order


def maps(instance: Instance) -> list[tuple[tuple[int, ...], ...]]:
    """Where the symmetries take the cells of the board, by brute force; on a board in one row two may take them alike."""
    return sorted(tuple(map(to, sorted(instance.board))) for to in symmetries(instance))


@given(instances())
def test_it_is_the_group_that_brute_force_finds(instance: Instance) -> None:
    found = [tuple(map(symmetry, sorted(instance.board))) for symmetry in group(instance)]
    assert sorted(found) == maps(instance)
    assert found[0] == tuple(sorted(instance.board))


@pytest.mark.parametrize(
    "shapes",
    [
        ["4x4", "1..:4L", "4J"],
        ["4x4", "1..2:4L", "2:4J"],
        ["4x4", "1..3:4L", "1..3:4J"],
        ["4x4", "3:4L", "2:4J", "1:4J"],
        ["4x5", "1..2:4S", "4Z", "2..:4J", "4L"],
        ["2x2x3", "1..:4<", "4>", "2"],
        ["2x2x3", "1..:4<", "1..:4>", "2"],
        ["xo/ox", "1"],
    ],
)
@pytest.mark.parametrize("reflections", [False, True])
def test_bounds_count(shapes: list[str], reflections: bool) -> None:
    instance = formats.inline(shapes, reflections=reflections)
    assert sorted(tuple(map(symmetry, sorted(instance.board))) for symmetry in group(instance)) == maps(instance)


@pytest.mark.parametrize(
    "written",
    [
        ("lock", "3L 2"),
        ("lock", "2 1"),
        ("within", "3L 0,0..3,1"),
        ("within", "2 1,1..2,2"),
        ("place", "2 1,1 1,2"),
        ("place", "3L 0,0 0,1 1,0"),
        ("forbid", "0,0 3,3 for 2"),
        ("forbid", "0,0 0,3 3,0 3,3 for 3L"),
    ],
)
def test_constraints_count(written: tuple[str, str]) -> None:
    instance = formats.constrained(formats.inline(["4x4", "2", "3L"]), [written])
    cover = BoardCover.of(instance)
    turned = actions(cover)[0]
    assert sorted(tuple(cover.cells[cell] for cell in each) for each in turned.tolist()) == maps(instance)


@given(instances())
def test_it_is_a_group_of_maps_of_the_board(instance: Instance) -> None:
    cells = sorted(instance.board)
    maps = {tuple(map(symmetry, cells)) for symmetry in group(instance)}
    assert tuple(cells) in maps
    for image in maps:
        assert set(image) == instance.board
        to = dict(zip(cells, image, strict=True))
        assert {to[cell] for cell in instance.optional} == instance.optional
        assert {tuple(to[cell] for cell in other) for other in maps} == maps
