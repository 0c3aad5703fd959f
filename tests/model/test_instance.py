"""Instances: what is refused, what merges, and what the digest depends on."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from square import lift, normalise
from strategies import bounds, instances, offsets

from tiler.cover.board import BoardCover
from tiler.errors import InputError
from tiler.model.about import About
from tiler.model.expected import Expected, Status
from tiler.model.instance import Instance
from tiler.model.lattice import dimension, move
from tiler.model.lattices import CUBIC, HEXAGONAL, SQUARE
from tiler.model.open_cells import OpenGroup
from tiler.model.shapes import parse_shape
from tiler.model.tile import MAX_BOX, Tile, check_box

BOARD = parse_shape("3x4")
L, J = Tile("4L", parse_shape("4L")), Tile("4J", parse_shape("4J"))


def merged(instance: Instance) -> list[tuple[str, int, int | None]]:
    return [(tile.name, tile.at_least, tile.at_most) for tile in instance.distinct_tiles]


# Tiles.


def test_a_tile_is_kept_at_the_origin_and_flat() -> None:
    assert Tile("a", frozenset({(5, -7), (5, -6)})).shape == frozenset({(0, 0), (0, 1)})
    assert Tile("a", frozenset({(9, 5, -7), (9, 5, -6)})).shape == frozenset({(0, 0), (0, 1)})
    assert Tile("a", frozenset({(9, 5, -7), (8, 5, -7)})).shape == frozenset({(0, 0, 0), (1, 0, 0)})
    assert L.size == 4


@pytest.mark.parametrize(("at_least", "at_most"), [(-1, None), (0, 0), (3, 2), (1, 0), (0, -1)])
def test_bad_bounds(at_least: int, at_most: int | None) -> None:
    with pytest.raises(InputError, match="is not a range of copies"):
        Tile("a", BOARD, at_most, at_least)


def test_shapes_that_are_none() -> None:
    with pytest.raises(InputError, match="tile a has no cell"):
        Tile("a", frozenset())
    with pytest.raises(InputError, match="tile a has cells of mixed dimension"):
        Tile("a", frozenset({(0, 0), (0, 0, 0)}))
    with pytest.raises(InputError, match="the board has cells of mixed dimension"):
        Instance(frozenset({(0, 0, 0, 0)}), (L,))
    with pytest.raises(InputError, match="the board has no cell"):
        Instance(frozenset(), (L,))


def test_too_large() -> None:
    with pytest.raises(InputError, match="the board is too large: 2x2000001; the limit is 4,000,000 cells"):
        Instance(frozenset({(0, 0), (2_000_000, 1)}), (L,))
    with pytest.raises(InputError, match="tile a is too large"):
        Tile("a", frozenset({(0, 0, 0), (200, 200, 200)}))
    check_box([2000, 2000], "this")
    assert MAX_BOX == 4_000_000


@given(instances(), st.data())
def test_tiles_compare_by_shape_and_bounds(instance: Instance, data: st.DataObject) -> None:
    for tile in instance.tiles:
        assert replace(tile, name="another") == tile
        at_least, at_most = data.draw(bounds())
        same = (at_least, at_most) == (tile.at_least, tile.at_most)
        assert (replace(tile, at_least=at_least, at_most=at_most) == tile) == same


# Instances.


def test_instances_are_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        Instance(BOARD, (L,)).name = "other"  # type: ignore[misc]


def test_the_board_keeps_its_coordinates_and_stays_in_space() -> None:
    board = frozenset({(7, -1, 5), (7, -1, 6)})
    instance = Instance(board, (L,), optional=frozenset({(7, -1, 6)}))
    assert (instance.board, instance.optional) == (board, frozenset({(7, -1, 6)}))
    assert (instance.dimension, instance.is_layer) == (3, True)
    flat = frozenset({(-1, 5), (-1, 6)})
    lifted = Instance(flat, (L,), optional=frozenset({(-1, 6)}), lattice=CUBIC)
    assert (lifted.board, lifted.optional) == (frozenset({(0, -1, 5), (0, -1, 6)}), frozenset({(0, -1, 6)}))
    assert Instance(flat, (L,)).dimension == 2


def test_optional_cells_are_cells_of_the_board() -> None:
    with pytest.raises(InputError, match="optional cells must be cells of the board"):
        Instance(BOARD, (L,), optional=frozenset({(9, 9)}))
    with pytest.raises(InputError, match="optional cells must be cells of the board"):
        Instance(BOARD, (L,), optional=frozenset({(0, 0, 0)}))
    assert Instance(BOARD, (L,), optional=BOARD).optional == BOARD


def test_a_board_alone_is_no_problem() -> None:
    with pytest.raises(InputError, match="there is no tile; give at least one after the board"):
        BoardCover.of(Instance(BOARD, ()))


def test_tiles_in_space_need_a_board_in_space() -> None:
    cube = Tile("2x2x2", parse_shape("2x2x2"))
    with pytest.raises(InputError, match="tile 2x2x2 has several layers, but the board has one"):
        Instance(BOARD, (cube,))
    assert Instance(parse_shape("4x4x4"), (cube, L)).dimension == 3


def test_a_flat_tile_may_be_turned_over_in_space() -> None:
    assert len(Instance(BOARD, (L,)).variants(L)) == 4
    assert len(Instance(BOARD, (L,), reflections=True).variants(L)) == 8
    assert len(Instance(parse_shape("2x2x2"), (L,)).variants(L)) == 24


def test_names_tell_tiles_apart() -> None:
    with pytest.raises(InputError, match="two different tiles are called a"):
        Instance(BOARD, (replace(L, name="a"), replace(J, name="a")))
    assert Instance(BOARD, (replace(L, name="a"), replace(J, name="a")), reflections=True).tiles


def test_a_tile_needs_a_name() -> None:
    with pytest.raises(InputError, match="a tile has no name"):
        Instance(BOARD, (replace(L, name=""),))


@pytest.mark.parametrize("text", ["two\nlines", " before", "behind ", "return\r", "nul\0"])
def test_titles_and_sources_are_lines(text: str) -> None:
    for field in ("title", "source"):
        with pytest.raises(InputError, match="titles, sources and tags are single lines"):
            replace(About(), **{field: text})


@pytest.mark.parametrize("tag", ["", "two words", "comma,", "tab\tbed"])
def test_tags_are_words(tag: str) -> None:
    with pytest.raises(InputError, match="a tag is one word without commas"):
        About(tags=("good", tag))


def test_expectations() -> None:
    assert Expected(count=0).verdict is Status.UNSAT
    assert Expected(up_to_symmetry=3).verdict is Status.SAT
    assert Expected().verdict is None
    for verdict, count, up_to_symmetry in [
        (Status.SAT, 0, None),
        (Status.UNSAT, None, 1),
        (None, 0, 1),
        (None, 5, 0),
        (Status.UNKNOWN, None, None),
    ]:
        with pytest.raises(InputError, match="contradict each other"):
            Expected(verdict, count, up_to_symmetry)


# Congruent tiles.


@pytest.mark.parametrize(
    ("one", "two", "both"),
    [
        ((0, 3), (0, 4), (0, 7)),
        ((0, None), (0, 4), (0, None)),
        ((2, 3), (1, None), (3, None)),
        ((1, 1), (1, 1), (2, 2)),
        ((0, None), (0, None), (0, None)),
    ],
)
def test_bounds_of_congruent_tiles_add_up(
    one: tuple[int, int | None], two: tuple[int, int | None], both: tuple[int, int | None]
) -> None:
    for first, second in [(one, two), (two, one)]:
        tiles = (Tile("a", L.shape, first[1], first[0]), Tile("b", parse_shape("xxx/x"), second[1], second[0]))
        assert merged(Instance(BOARD, tiles)) == [("a", *both)]


def test_what_is_congruent_depends_on_the_instance() -> None:
    assert merged(Instance(BOARD, (J, L))) == [("4J", 0, None), ("4L", 0, None)]
    assert merged(Instance(BOARD, (J, L), reflections=True)) == [("4J", 0, None)]
    assert merged(Instance(parse_shape("3x3x3"), (L, J))) == [("4L", 0, None)]
    upright = Tile("upright", frozenset({(0, 0, 0), (1, 0, 0)}))
    assert merged(Instance(parse_shape("3x3x3"), (upright, L, Tile("2", parse_shape("2"))))) == [
        ("upright", 0, None),
        ("4L", 0, None),
    ]


def test_merging_keeps_the_order_of_first_tiles() -> None:
    tiles = (replace(L, at_most=1), replace(J, at_most=2), replace(L, name="again", at_most=4))
    assert merged(Instance(BOARD, tiles)) == [("4L", 0, 5), ("4J", 0, 2)]


@given(instances(words=False))
def test_merged_tiles_are_pairwise_different(instance: Instance) -> None:
    distinct = instance.distinct_tiles
    assert len({instance.variants(tile) for tile in distinct}) == len(distinct)
    assert {instance.variants(tile) for tile in distinct} == {instance.variants(tile) for tile in instance.tiles}
    assert sum(tile.at_least for tile in distinct) == sum(tile.at_least for tile in instance.tiles)
    if len(distinct) == len(instance.tiles):
        assert distinct == instance.tiles


# The digest.


@given(instances(), st.data())
def test_digest_does_not_depend_on(instance: Instance, data: st.DataObject) -> None:
    dimensions = instance.dimension
    offset = data.draw(st.tuples(*[offsets] * dimensions))
    turned = []
    for index, tile in enumerate(instance.tiles):
        variant = data.draw(st.sampled_from(instance.variants(tile)))
        turned.append(Tile(f"other{index}", variant, tile.at_most, tile.at_least))
    same = Instance(
        move(instance.board, offset),
        tuple(turned),
        instance.reflections,
        move(instance.optional, offset),
        open=instance.open,
        groups=tuple(OpenGroup(f"other{each.name}", move(each.cells, offset)) for each in instance.groups),
        about=About(expected=Expected(None, 7)),
    )
    assert same.digest == instance.digest
    assert len(same.digest) == 16
    assert int(same.digest, 16) >= 0


@given(instances(words=False), st.data())
def test_digest_depends_on(instance: Instance, data: st.DataObject) -> None:
    tiles = instance.tiles
    index = data.draw(st.integers(0, len(tiles) - 1))
    tile = tiles[index]
    at_least, at_most = data.draw(bounds().filter(lambda pair: pair != (tile.at_least, tile.at_most)))
    others = [
        replace(instance, reflections=not instance.reflections),
        replace(instance, optional=frozenset() if instance.optional else instance.board, open=None, groups=()),
        replace(instance, tiles=(*tiles[:index], Tile(tile.name, tile.shape, at_most, at_least), *tiles[index + 1 :])),
        replace(instance, tiles=(*tiles, tiles[0])),
        replace(instance, board=instance.board | {(*[0] * (instance.dimension - 1), 99)}),
    ]
    if len(tiles) > 1 and tiles[0] != tiles[-1] and instance.variants(tiles[0]) != instance.variants(tiles[-1]):
        others.append(replace(instance, tiles=tiles[::-1]))
    assert instance.digest not in [other.digest for other in others]


def test_digests_are_stable() -> None:
    """They are kept in result files: a change makes those unreadable."""
    assert Instance(parse_shape("2x2"), (Tile("2", parse_shape("2")),)).digest == "d532ae5f7cbafb4b"


@given(instances())
def test_equality_is_about_what_is_asked(instance: Instance) -> None:
    """Nothing that is merely said about it counts, and whatever a solver sees does."""
    tiles = tuple(replace(tile, name=f"other {tile.name}") for tile in instance.tiles)
    about = About("another title", "elsewhere", ("tag",), Expected(None, 7))
    same = replace(instance, name="another", tiles=tiles, about=about)
    assert (same, hash(same)) == (instance, hash(instance))
    assert replace(instance, reflections=not instance.reflections) != instance
    assert replace(instance, tiles=tuple(replace(tile, weight=9) for tile in tiles)) != instance
    assert replace(instance, board=instance.board | {(*[0] * (instance.dimension - 1), 99)}) != instance
    assert instance != instance.board


def test_the_lattice_is_a_part_of_what_is_asked() -> None:
    cells = frozenset({(0, 0), (0, 1)})
    square, hexagonal = (
        Instance(cells, (Tile("2", cells, lattice=lattice),), lattice=lattice) for lattice in (SQUARE, HEXAGONAL)
    )
    assert square != hexagonal
    assert square.digest != hexagonal.digest


@given(instances(dimensions=3))
def test_variants_fit_the_board(instance: Instance) -> None:
    for tile in instance.tiles:
        for variant in instance.variants(tile):
            assert dimension(variant) == instance.dimension
            assert len(variant) == tile.size
            assert normalise(variant) == variant
        assert lift(tile.shape, instance.dimension) in instance.variants(tile)
