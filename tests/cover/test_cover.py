"""The exact-cover model: placements, bounds, refusals, restriction."""

from __future__ import annotations

from itertools import permutations, product
from operator import mod, sub
from unittest.mock import patch

import numpy as np
import pytest
from brute_force import images
from hypothesis import given
from hypothesis import strategies as st
from strategies import instances

from tiler import formats
from tiler.cover import listing
from tiler.cover.board import BoardCover
from tiler.cover.cover import SolutionsKept
from tiler.errors import InputError
from tiler.model.instance import Instance
from tiler.model.lattice import move
from tiler.model.lattices import LATTICES
from tiler.model.shapes import parse_map, parse_shape
from tiler.model.tile import Tile

PENTOMINOES = [f"1:{letter}" for letter in "FILNPTUVWXYZ"]


def cover_of(*shapes: str, reflections: bool = False) -> BoardCover:
    return BoardCover.of(formats.inline(shapes, reflections=reflections))


@pytest.mark.parametrize(
    ("shapes", "reflections", "count"),
    [
        (["100x100", "2"], False, 19_800),
        (["10x10", "4L"], False, 4 * 2 * 9 * 8 // 2),
        # Busche: 2056 images of the 12 free pentominoes on 10x6.
        (["10x6", *PENTOMINOES], True, 2056),
        (["10x10x10", "1x2x4"], False, 3780),
        (["10x10x10", "1x1x4"], False, 2100),
        (["2x2", "3I", "1"], False, 4),
    ],
)
def test_number_of_placements(shapes: list[str], reflections: bool, count: int) -> None:
    assert len(cover_of(*shapes, reflections=reflections)) == count


@pytest.mark.parametrize(
    ("sides", "apart", "count"),
    [
        ((2, 10), (0, 7), 6),
        ((2, 10), (1, 7), 6),  # either way
        ((10, 2), (7, 0), 6),
        ((10, 2), (0, 7), 6),
        ((3, 10), (2, 9), 2),
        ((2, 3, 10), (0, 1, 9), 14),
        ((2, 3, 10), (1, 2, 9), 4),
        ((4, 2, 10), (0, 0, 7), 24),
        ((10, 2, 4), (7, 1, 3), 12),
    ],
)
def test_cells_far_apart_do_not_wrap_round(sides: tuple[int, ...], apart: tuple[int, ...], count: int) -> None:
    tile = Tile("apart", frozenset({(0,) * len(apart), apart}))
    board = frozenset(product(*map(range, sides)))
    expected = {
        frozenset({first, tuple(a + b for a, b in zip(first, turned, strict=True))})
        for axes in permutations(apart)
        for turned in product(*[(d, -d) for d in axes])
        for first in board
    }
    expected = {cells for cells in expected if cells <= board}
    for reflections in (False, True):
        cover = BoardCover.of(Instance(board, (tile,), reflections=reflections))
        listed = {frozenset(cover.cells[cell] for cell in members) for members in cover.members.lists()}
        assert len(listed) == len(cover)
        assert listed <= expected
        if reflections:
            assert (listed, len(listed)) == (expected, count)


@given(instances())
def test_lists_every_placement_once(instance: Instance) -> None:
    cover = BoardCover.of(instance)
    listed = [(int(cover.tile[o]), frozenset(cover.cells[c] for c in cover.members[o])) for o in range(len(cover))]
    expected = set()
    for t, tile in enumerate(instance.distinct_tiles):
        for shape in images(instance, tile.shape):
            first = min(shape)
            for cell in instance.board:
                step = tuple(a - b for a, b in zip(cell, first, strict=True))
                cells = frozenset(tuple(a + b for a, b in zip(each, step, strict=True)) for each in shape)
                if cells <= instance.board:
                    expected.add((t, cells))
    openings = enumerate(instance.openings, len(instance.distinct_tiles))
    expected |= {(filler, frozenset({cell})) for filler, (cells, _, _) in openings for cell in cells}
    assert len(listed) == len(set(listed))
    assert set(listed) == expected


@given(
    st.sampled_from(list(LATTICES.values())).flatmap(lambda lattice: instances(lattice=lattice, max_cells=12)),
    st.sampled_from([1, 40, 1 << 16]),
)
def test_placements_are_by_tile_variant_and_first_cell_on_every_lattice(instance: Instance, at_once: int) -> None:
    """However many places of shapes are looked at together."""
    with patch.object(listing, "_AT_ONCE", at_once):
        cover = BoardCover.of(instance)
    expected = []
    for t, _ in enumerate(instance.distinct_tiles):
        for v, variant in enumerate(cover.variants[t]):
            for cell in cover.cells:
                offset = tuple(map(sub, cell, min(variant)))
                moved = move(variant, offset)
                if not any(map(mod, offset, instance.lattice.moduli)) and moved <= instance.board:
                    expected.append((t, v, list(offset), sorted(moved)))
    facts = zip(cover.tile.tolist(), cover.variant.tolist(), cover.offset.tolist(), cover.members.lists(), strict=True)
    listed = [(t, v, offset, [cover.cells[member] for member in members]) for t, v, offset, members in facts]
    assert listed[: len(expected)] == expected
    assert cover.fills[len(expected) :].all()


@given(instances())
def test_touching_placements_share_a_cell(instance: Instance) -> None:
    cover = BoardCover.of(instance)
    cells = [set(members) for members in cover.members.lists()]
    for option in range(0, len(cover), 7):
        assert cover.touching(option).tolist() == [bool(cells[option] & other) for other in cells]


@given(instances())
def test_arrays_agree_with_each_other(instance: Instance) -> None:
    cover = BoardCover.of(instance)
    assert cover.cells == tuple(sorted(instance.board))
    for option in range(len(cover)):
        members = cover.members[option].tolist()
        shape = cover.variants[cover.tile[option]][cover.variant[option]]
        moved = sorted(tuple(a + b for a, b in zip(cell, cover.offset[option].tolist(), strict=True)) for cell in shape)
        assert [cover.cells[member] for member in members] == moved
        assert all(option in cover.by_item[member] for member in members)
        assert option in cover.by_tile[cover.tile[option]]
    assert sum(map(len, cover.by_item.lists())) == len(cover.members.values)
    assert sum(map(len, cover.by_tile.lists())) == len(cover)
    assert cover.origin.tolist() == list(range(len(cover)))


@pytest.mark.parametrize(
    ("shapes", "lower", "upper", "bounded"),
    [
        (["6x10", *PENTOMINOES], [1] * 12, [1] * 12, [True] * 12),
        (["4x4", "2"], [0], [8], [False]),
        (["4x4", "8:2"], [0], [8], [False]),  # enough copies to fill the board: no constraint
        (["4x4", "7:2", "1..:1"], [0, 1], [7, 16], [True, True]),
        (["11x7", "4T", "3:3I"], [0, 1], [19, 3], [False, True]),  # 19 T leave a cell over
        (["3x3", "1:4L", "5:1"], [1, 5], [1, 5], [True, True]),  # the areas add up: every copy is used
        (["3x3", "1:4L", "1:4T", "2:1"], [1, 1, 1], [1, 1, 2], [True, True, True]),
    ],
)
def test_bounds(shapes: list[str], lower: list[int], upper: list[int], bounded: list[bool]) -> None:
    cover = cover_of(*shapes)
    assert (cover.lower.tolist(), cover.upper.tolist(), cover.bounded.tolist()) == (lower, upper, bounded)


@pytest.mark.parametrize(
    ("shapes", "reason"),
    [
        (["3x3", "2"], "area: pieces of 2 cells cannot add up to 9 cells"),
        (["4x4", "3:4L"], "area: all pieces together have 12 cells, the board 16"),
        (["4x4", "3:4L", "1:17x1"], "area: all pieces that fit together have 12 cells, the board 16"),
        (["4x4", "4L", "5..:1"], None),
        (["4x4", "4L", "15..15:1"], "area: pieces of 1 and 4 cells, as many as there may be, cannot add up to 16 cells"),
        (["4x4", "17..:1"], "area: the pieces that must be used have 17 cells, the board 16"),
        (["1x6", "3L"], "cell: no placement covers (0, 0), (1, 0), (2, 0), ..."),
        (["5x1", "2..:2x2", "1"], "area: the pieces that must be used have 8 cells, the board 5"),
        (["8x1", "1..:2x2", "1"], "tile: 2x2 must be used 1 times but has 0 placements"),
        (["xx/oo/o.", "3L"], None),
        (["xxx/x.o", "3I"], "area: pieces of 3 cells cannot add up to 4 to 5 cells"),
    ],
)
def test_refusal(shapes: list[str], reason: str | None) -> None:
    refusal = cover_of(*shapes).refusal()
    assert refusal == reason or (reason is not None and refusal is not None and refusal.startswith(reason))


def test_a_cell_that_nothing_covers_is_called_by_its_label() -> None:
    instance = formats.parse("# labels: a b - d\n\nxx\nx.\n.x\n\n2\n")
    assert BoardCover.of(instance).refusal() == "cell: no placement covers d"


def test_optional_cells_become_a_filler() -> None:
    cover = cover_of("xxo/xxo", "2")
    assert cover.by_tile.lists()[1] == [len(cover) - 2, len(cover) - 1]
    assert cover.upper.tolist() == [3, 2]
    assert [placement.tile for placement in cover.placements(range(len(cover)))] == ["2"] * 7


def test_what_is_known_of_a_board_is_known_of_its_parts_and_the_same() -> None:
    cover = BoardCover.of(formats.inline(["4x4", "2", "3L"]))
    keep = np.arange(len(cover)) % 3 > 0
    anew = cover.restrict(keep)
    for name in ("neighbours", "tiles_are_connected", "by_item"):
        getattr(cover, name)
    part = cover.restrict(keep)
    assert part.neighbours is cover.neighbours
    assert "by_item" not in vars(part)
    assert (part.beside == anew.beside).all()
    assert part.tiles_are_connected == anew.tiles_are_connected


def test_restrict_keeps_the_way_back() -> None:
    cover = cover_of("4x4", "4L", "4T")
    keep = np.arange(len(cover)) % 3 == 1
    smaller = cover.restrict(keep, SolutionsKept.REPRESENTATIVES)
    again = smaller.restrict(np.arange(len(smaller)) % 2 == 0)
    assert again.keeps is SolutionsKept.REPRESENTATIVES
    assert len(again.by_item.values) == len(again.members.values) == 4 * len(again)
    for option, before in enumerate(again.origin):
        assert again.members[option].tolist() == cover.members[before].tolist()
        assert again.tile[option] == cover.tile[before]


def test_tile_larger_than_the_board_has_no_placement() -> None:
    assert cover_of("3x3", "1", "4I", "5x5").by_tile.lists()[1:] == [[], []]


def test_margin_keeps_tiles_from_wrapping_round() -> None:
    # On boards one cell thick every tile that reached over an edge would meet the next row.
    for board in ("7x1", "1x7", "7x1x1", "1x1x7"):
        cover = BoardCover.of(Instance(parse_shape(board), (Tile("4L", parse_shape("4L")), Tile("3I", parse_shape("3I")))))
        assert all(len(set(members)) == len(members) for members in cover.members.lists())
        assert len(cover.by_tile[0]) == 0


def test_tiles_that_just_fit_lie_at_every_edge() -> None:
    # Neither larger nor smaller than the board along an axis, and in a corner of it on boards of every kind.
    assert [len(members) for members in cover_of("5x3", "5I", "5x3", "3I").by_tile.lists()] == [3, 1, 5 + 9]
    assert [len(members) for members in cover_of("2x3x4", "4I", "2x3x4").by_tile.lists()] == [6, 1]


def test_shapes_wider_than_what_is_left_do_not_meet_the_next_row() -> None:
    # A tile whose first cell lies far from its other ones, in every direction, on a board of no more than its box.
    for form in ("x...x/.....", "....x/x....", "x/./././x", "x..x/-/.../x"):
        shape = parse_map(form)[0]
        for board in ("5x5", "5x2", "3x3", "9x3", "4x3x2"):
            if len(next(iter(shape))) <= len(next(iter(parse_shape(board)))):
                cover = BoardCover.of(Instance(parse_shape(board), (Tile("t", shape),), reflections=True))
                for option, members in enumerate(cover.members.lists()):
                    variant = sorted(cover.variants[0][cover.variant[option]])
                    moved = [tuple(a + b for a, b in zip(cell, cover.offset[option].tolist(), strict=True)) for cell in variant]
                    assert [cover.cells[member] for member in members] == moved


def test_too_many_placements_are_refused_at_once() -> None:
    with pytest.raises(InputError, match="too large"):
        cover_of("750x750", *(name for name in "FILNPTUVWXYZ"))
