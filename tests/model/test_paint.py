"""Colours and marks in the model: which tiles are the same, what symmetries keep, what the verifier refuses."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product

import pytest
import verified

from tiler import formats
from tiler.cover.board import BoardCover
from tiler.cover.group_action import actions
from tiler.errors import InputError
from tiler.model.instance import Instance
from tiler.model.lattices import CUBIC, LATTICES, SQUARE
from tiler.model.paint import CellSide, Coat, Ground, Paint, coat_of, sides
from tiler.model.symmetry import group
from tiler.model.tile import Placement, Tile
from tiler.model.verify import Verifier

BLACK_WHITE = {"legend": "b black, w white, a, c, p, q"}


def macmahon() -> list[str]:
    """MacMahon's 24 squares: the marks of four sides, of three, up to turning."""
    words = map("".join, product("abc", repeat=4))
    return [f"1:1x1 [{word}]" for word in sorted({min(word[i:] + word[:i] for i in range(4)) for word in words})]


def test_macmahons_squares_have_the_options_that_are_published() -> None:
    """1,008 options and 38 items with colours, where the border has one colour: what programs for exact covers are given."""
    cover = BoardCover.of(formats.inline(["6x4", *macmahon()], border=["a"]))
    assert len(cover.instance.distinct_tiles) == 24
    assert cover.coloured is not None
    assert (len(cover), len(cover.coloured.items)) == (1008, 38)


def test_thirty_cubes_have_six_colours() -> None:
    cell = (0, 0, 0)
    cubes = [
        Tile("".join(marks), frozenset({cell}), lattice=CUBIC, paint=Paint(coat, coat))
        for marks in permutations("abcdef")
        for coat in [coat_of({}, dict(zip(sides(CUBIC, cell), marks, strict=True)))]
    ]
    instance = Instance(frozenset({cell}), tuple(cubes[:120]), lattice=CUBIC)
    assert len(instance.distinct_tiles) == 30
    assert {len(instance.variants(tile)) for tile in instance.distinct_tiles} == {24}
    assert len(replace(instance, reflections=True).distinct_tiles) == 15


@pytest.mark.parametrize(
    ("one", "other", "reflections", "same"),
    [
        ("xx [a . . .] [c . . .]", "xx [. . c .] [. . a .]", False, True),
        ("xx [a . . .] [c . . .]", "xx [c . . .] [a . . .]", False, False),
        ("xx [a . . .] [c . . .]", "xx [c . . .] [a . . .]", True, True),
        ("xx [a . . .] [c . . .] | xx", "xx [c . . .] [a . . .] | xx", True, False),
        ("bw", "wb", False, True),
        ("bww", "wwb", False, True),
        ("b/ww", "b/wx", False, False),
        ("bw | xx", "bw | ww", False, True),  # the back is never seen
        ("bw | xx", "bw | ww", True, False),
        ("xx | bw", "xx | wb", False, True),
        ("xx | bw", "2x1", False, True),
        ("bbw | wwb", "wwb | bbw", True, True),  # turned over
    ],
)
def test_which_tiles_are_the_same(one: str, other: str, reflections: bool, same: bool) -> None:
    instance = formats.inline(["8x8", f"2:{one}", f"1:{other}"], reflections=reflections, **BLACK_WHITE)
    merged = instance.distinct_tiles
    assert [tile.at_most for tile in merged] == ([3] if same else [2, 1])
    verifier = Verifier(replace(instance, optional=instance.board))
    forms = zip(instance.variants(merged[0]), instance.coats(merged[0]), strict=True)
    wrong = [verifier.error_in([Placement(instance.tiles[1].name, shape, coat)]) for shape, coat in forms]
    assert (set(wrong) == {None}) is same


@pytest.mark.parametrize(
    ("shapes", "paint", "border", "reflections", "order"),
    [
        (["9x10", "1:checkered-pentominoes"], {"checkered": "black white"}, [], None, 2),
        (["9x10", "1:checkered-pentominoes"], {}, [], None, 4),
        (["5x5", "1:checkered-pentominoes"], {"checkered": "black white"}, [], None, 8),
        (["6x4", *macmahon()], {}, ["a"], None, 4),
        (["6x4", *macmahon()], {}, ["a", "b at top"], None, 2),
        (["6x4", *macmahon()], {}, ["a", "a b at 0,0>-1,0"], None, 1),
        (["4x4", *macmahon()], {"mates": "a b"}, [], None, 8),
        (["4x4", "1x1 [abcd]"], {}, [], False, 4),
        (["4x4", "1x1 [abcd]"], {}, [], True, 8),
        (["4x4", "1x1 [abcd] | 1x1 [dcba]"], {}, [], True, 4),  # from behind it looks as from the front: mirrors are others
        (["4x4", "1x1 [abcd] | 1x1"], {}, [], True, 4),
        (["bw/wb", "2"], BLACK_WHITE, [], None, 4),
        (["bb/wb", "2"], BLACK_WHITE, [], None, 2),
        (["2x2x2", "1x1 [abcdef]"], {}, [], False, 24),
        (["2x2x2", "1x1 [abcdef]"], {}, [], True, 48),
    ],
)
def test_order_of_the_group(
    shapes: list[str], paint: dict[str, str], border: list[str], reflections: bool | None, order: int
) -> None:
    instance = formats.inline(shapes, **paint, border=border, reflections=reflections)
    assert len(group(instance)) == order
    _, options = actions(BoardCover.of(instance))
    assert len(options) == order
    assert (options >= 0).all()


def test_on_a_torus_a_cell_meets_itself() -> None:
    """One square on the smallest torus: left and right must match, and so must top and bottom."""
    for marks, fits in [("abab", True), ("abac", False), ("ab.b", True), ("a.b.", False), ("t.s.", True)]:
        instance = formats.inline(["1x1", f"1x1 [{marks}]"], wrap="rows columns", mates="t s")
        cover = BoardCover.of(instance)
        assert bool(len(cover)) is fits
        coat = instance.coats(instance.tiles[0])[0]
        wrong = verified.error_in(instance, [Placement(instance.tiles[0].name, frozenset({(0, 0)}), coat)])
        assert (wrong is None) is fits


def test_two_cells_may_share_two_sides() -> None:
    instance = formats.inline(["2x1", "1:1x1 [.a.b]", "1:1x1 [.b.a]", "1:1x1 [.b.b]"], wrap="columns")
    cover = BoardCover.of(instance)
    assert cover.coloured is not None
    assert [str(item) for item in cover.coloured.items] == ["0,0>0,-1", "0,0>0,1"]
    left, right, wrong = (
        Placement(tile.name, frozenset({(0, column)}), tile.paint.front.moved((0, column)))
        for column, tile in zip((0, 1, 1), instance.tiles, strict=True)
    )
    assert verified.error_in(instance, [left, right]) is None
    assert "meets" in str(verified.error_in(instance, [left, wrong]))


SQUARES = formats.inline(["2x1", "1x1 [apcq]", "bx | xb"], reflections=True, mates="p q", **BLACK_WHITE)


@pytest.mark.parametrize(
    ("coats", "wrong"),
    [
        (("apcq", "apcq"), None),
        (("apcq", "pcqa"), "its mark a meets p"),
        (("apcq", "apca"), "do not look like the tile"),
        (("apcq", "apc."), "do not look like the tile"),
        (("apcq", ""), "do not look like the tile"),
    ],
)
def test_marks_are_verified(coats: tuple[str, str], wrong: str | None) -> None:
    placed = []
    for column, marks in enumerate(coats):
        there = sides(SQUARE, (0, column))
        coat = coat_of({}, {side: mark for side, mark in zip(there, marks, strict=False) if mark != "."})
        placed.append(Placement("apcq", frozenset({(0, column)}), coat))
    found = verified.error_in(SQUARES, placed)
    assert found is None if wrong is None else wrong in str(found)


def test_colours_are_verified() -> None:
    cells = frozenset({(0, 0), (0, 1)})
    name = SQUARES.tiles[1].name
    on_white = replace(SQUARES, ground=Ground((((0, 0), "white"),)))
    black_first, black_last = (Placement(name, cells, Coat((((0, c), "black"),))) for c in (0, 1))
    assert verified.error_in(SQUARES, [black_first]) is None
    assert verified.error_in(on_white, [black_last]) is None
    assert (
        verified.error_in(on_white, [black_first]) == f"placement 1 ({name}): (0, 0) is white on the board, and black on the tile"
    )
    pairs = replace(on_white.ground, fits=(("black", "white"),))
    assert verified.error_in(replace(on_white, ground=pairs), [black_first]) is None
    beside = Placement(name, cells, Coat((((0, 2), "black"),)))
    assert "do not look like" in str(verified.error_in(SQUARES, [beside]))


def test_a_board_that_names_what_is_not_there_is_refused() -> None:
    board = frozenset({(0, 0), (0, 1)})
    tiles = (Tile("1", frozenset({(0, 0)})),)
    inside, outside = CellSide((0, 0), (0, 1)), CellSide((0, 0), (-1, 0))
    for ground, wrong in [
        (Ground((((5, 5), "red"),)), "not a cell of the board"),
        (Ground(border=((inside, ("a",)),)), "not a side on the border"),
        (Ground(mates=(("a", "b"), ("b", "a"))), "a b stands there twice"),
    ]:
        with pytest.raises(InputError, match=wrong):
            Instance(board, tiles, ground=ground)
    assert Instance(board, tiles, ground=Ground(border=((outside, ("a",)),))).ground


@pytest.mark.parametrize(
    ("coat", "wrong"),
    [
        (Coat((((7, 7), "red"),)), "not one of its cells"),
        (coat_of({}, {CellSide((0, 0), (0, 1)): "a"}), "inside the tile"),
        (coat_of({}, {CellSide((0, 0), (5, 1)): "a"}), "no side"),
    ],
)
def test_paint_beside_a_tile_is_refused(coat: Coat, wrong: str) -> None:
    with pytest.raises(InputError, match=wrong):
        Tile("t", frozenset({(0, 0), (0, 1)}), paint=Paint(coat, coat))


def test_edges_have_no_sides() -> None:
    edges = LATTICES["square-edges"]
    cell = edges.residues[0]
    coat = coat_of({}, {CellSide(cell, edges.neighbours(cell)[0]): "a"})
    with pytest.raises(InputError, match="no sides to mark"):
        Tile("t", frozenset({cell}), lattice=edges, paint=Paint(coat, coat))


def test_digests_tell_paint_apart() -> None:
    told = [
        formats.inline(["4x4", tile], **{**BLACK_WHITE, **more}, border=border, reflections=True).digest
        for tile, more, border in [
            ("2x1", {}, []),
            ("bw", {}, []),
            ("bb", {}, []),
            ("bw | ww", {}, []),
            ("xx [a . . .] [. . . .]", {}, []),
            ("xx [a . . .] [. . . .]", {"mates": "a p"}, []),
            ("xx [a . . .] [. . . .]", {}, ["a"]),
            ("xx [a . . .] [. . . .]", {}, ["p"]),
            ("bw", {"checkered": "black white"}, []),
            ("bw", {"fits": "black black"}, []),
        ]
    ]
    assert len(set(told)) == len(told)
    turned = formats.inline(["4x4", "b/w"], reflections=True, **BLACK_WHITE)
    assert turned.digest == told[1]


def test_a_tiling_with_other_marks_on_the_border_is_refused() -> None:
    free = formats.inline(["1x1", "1:1 [rgbk]"])
    bound = formats.inline(["1x1", "1:1 [rgbk]"], border=["r g at top"])
    tilings = [cover.placements([option]) for cover in [BoardCover.of(free)] for option in range(len(cover))]
    wrong = [verified.error_in(bound, tiling) for tiling in tilings]
    assert len(tilings) == 4
    assert wrong.count(None) == 2
    assert all("on the border" in each for each in wrong if each is not None)
