"""Named shapes against what is known about them, and the four ways to write a shape."""

from __future__ import annotations

import re
from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from square import canonical, is_connected, lift, normalise, variants
from strategies import scattered, shapes

from tiler import formats
from tiler.errors import InputError
from tiler.model.lattice import Shape, dimension, move
from tiler.model.lattices import HEXAGONAL, SQUARE
from tiler.model.letter_names import SYNONYMS, name_of, named_shapes
from tiler.model.piece_sets import SETS
from tiler.model.shapes import parse_board, parse_map, parse_shape

FLAT = {name: shape for name, shape in named_shapes().items() if dimension(shape) == 2}
SPATIAL = {name: shape for name, shape in named_shapes().items() if dimension(shape) == 3}
FLAT_PAIRS = ["4J 4L", "4S 4Z", "5A 5Y", "5F 5R", "5G 5N", "5J 5L", "5P 5Q", "5S 5Z"]
SPATIAL_PAIRS = ["4< 4>", "L1 J1", "L2 J2", "L4 J4", "N1 S1", "N2 S2", "V1 V2"]


def refused(text: str) -> str:
    """The one line that says why a text is no shape."""
    with pytest.raises(InputError) as caught:
        parse_shape(text)
    line = str(caught.value)
    assert "\n" not in line
    assert len(line) < 200
    return line


# Names.


def test_names() -> None:
    assert len(FLAT) == 29
    assert len(SPATIAL) == 20
    for name, shape in named_shapes().items():
        assert is_connected(shape)
        assert parse_shape(name) == shape == normalise(shape)
        assert name_of(shape) == name
        assert len(shape) == (int(name[0]) if name[0].isdigit() else 5)


def test_named_shapes_are_distinct_without_reflections() -> None:
    for shapes_of_one_kind in (FLAT, SPATIAL):
        for one, two in combinations(shapes_of_one_kind.values(), 2):
            assert canonical(one, False) != canonical(two, False)


@pytest.mark.parametrize("pair", FLAT_PAIRS + SPATIAL_PAIRS)
def test_mirror_pairs(pair: str) -> None:
    one, two = map(parse_shape, pair.split())
    assert canonical(one, True) == canonical(two, True)
    assert canonical(one, False) != canonical(two, False)


def test_other_shapes_are_their_own_mirror_images() -> None:
    paired = set(" ".join(FLAT_PAIRS + SPATIAL_PAIRS).split())
    for name, shape in named_shapes().items():
        assert (len(variants(shape, True)) > len(variants(shape, False))) == (name in paired)


def test_twenty_nine_pentacubes() -> None:
    flat = {canonical(lift(shape, 3), False) for name, shape in FLAT.items() if len(shape) == 5}
    others = {canonical(shape, False) for shape in SPATIAL.values() if len(shape) == 5}
    assert (len(flat), len(others), len(flat | others)) == (12, 17, 29)


def test_handedness() -> None:
    """The cells of 4> are 000 010 100 101 as x, y, z with y counted upwards; rows are counted downwards."""
    assert parse_shape("4>") == frozenset({(0, 1, 0), (0, 0, 0), (0, 1, 1), (1, 1, 1)})


@pytest.mark.parametrize(("synonym", "name"), SYNONYMS.items())
def test_synonyms(synonym: str, name: str) -> None:
    assert parse_shape(synonym) == parse_shape(name)


def test_golombs_letters() -> None:
    assert {name for name in SYNONYMS if len(name) == 1} == set("FILNPTUVWXYZ")
    assert len({canonical(parse_shape(letter), True) for letter in "FILNPTUVWXYZ"}) == 12


def test_the_bedlam_cube_by_lepages_names() -> None:
    """The pieces that an example of M. Lepage's Polycube Solver names, `problems/bedlam-cube.txt`."""
    names = ("4>", "L1", "L2", "L3", "J4", "S1", "S2", "T1", "T2", "V2", "F_", "W_", "X_")
    assert {parse_shape(name) for name in names} == set(SETS["bedlam"].shapes().values())


def test_names_are_case_sensitive() -> None:
    assert len(parse_shape("x")) == 1
    assert len(parse_shape("X")) == 5
    assert "3L" in refused("3l")


@pytest.mark.parametrize(
    ("wrong", "right"), [("3K", "3I, 3L"), ("5B", "5A"), ("L5", "3L"), ("4brnch", "4branch"), ("4lft", "4left"), ("Q", "Q_")]
)
def test_nearest_names(wrong: str, right: str) -> None:
    line = refused(wrong)
    assert line.startswith(f"{wrong!r} is not a shape; nearest: ")
    assert right in line
    assert line.endswith("(see tiler shapes)")


def test_nothing_is_near() -> None:
    assert refused("@@@") == "'@@@' is not a shape (see tiler shapes)"
    assert "..." in refused("q" * 10**5)


@given(shapes(2) | shapes(3))
def test_name_of_any_shape(shape: Shape) -> None:
    name = name_of(shape)
    if name is None:
        assert len(shape) > 5
    else:
        assert canonical(lift(parse_shape(name), 3), False) == canonical(lift(shape, 3), False)


# Dimensions.


@pytest.mark.parametrize(
    ("text", "sides"),
    [("1x1", (1, 1)), ("11x7", (7, 11)), ("3x4x5", (5, 4, 3)), ("02x03", (3, 2)), ("4x4x1", (1, 4, 4)), ("1x1x2", (2, 1, 1))],
)
def test_dimensions(text: str, sides: tuple[int, ...]) -> None:
    shape = parse_shape(text)
    assert dimension(shape) == len(sides)
    assert tuple(max(axis) + 1 for axis in zip(*shape, strict=True)) == sides
    product = 1
    for side in sides:
        product *= side
    assert len(shape) == product


@pytest.mark.parametrize("text", ["0x3", "3x0", "00x1", "3x3x0"])
def test_empty_dimensions(text: str) -> None:
    assert refused(text) == f"{text} has no cell; every side must be at least 1"


@pytest.mark.parametrize(
    "text", ["2001x2000", "2000x2001x1", "401x100x100", "99999999999999x1", "1x" + "9" * 10_000, "x".join(["9" * 5000] * 3)]
)
def test_too_large(text: str) -> None:
    line = refused(text)
    assert "is too large" in line
    assert "the limit is 4,000,000 cells" in line


@pytest.mark.parametrize("text", ["", " ", "3x", "x3", "3xx3", "-1x3", "3X3", "2x2x2x2", "3 x 3", "٣x٣", "3.0x3"])
def test_not_dimensions(text: str) -> None:
    refused(text)


# Maps.


def test_maps() -> None:
    assert parse_map("x./xx") == (frozenset({(0, 0), (1, 0), (1, 1)}), frozenset())
    assert parse_map("x \nxx") == parse_map("x./xx") == parse_map("x\nxx\n")
    assert parse_map(".o/xo")[0] == frozenset({(0, 1), (1, 0), (1, 1)})
    assert parse_map(".o/xo")[1] == frozenset({(0, 1), (1, 1)})


def test_layered_maps() -> None:
    shape, optional = parse_map("xx\n-\no.")
    assert shape == frozenset({(0, 0, 0), (0, 0, 1), (1, 0, 0)})
    assert optional == frozenset({(1, 0, 0)})
    # An empty layer counts when it is written out; one layer with cells among several stays in space.
    assert parse_map(".\n-\nx") == (frozenset({(1, 0, 0)}), frozenset())
    assert parse_map("x/-/.") == (frozenset({(0, 0, 0)}), frozenset())


def test_leading_space_is_significant() -> None:
    assert parse_board(" x/xx")[0] == frozenset({(0, 1), (1, 0), (1, 1)})
    assert parse_board("  x\nxx")[0] == frozenset({(0, 2), (1, 0), (1, 1)})


@pytest.mark.parametrize("text", ["x\n-", "-\nx", "x\n-\n-\nx", "x/-//-/x"])
def test_layers_must_not_be_blank(text: str) -> None:
    assert refused(text) == "a layer of the map is empty; write its rows as '.'"


@pytest.mark.parametrize("text", [".", "...", "./.", ".\n-\n."])
def test_maps_without_cells(text: str) -> None:
    refused(text)
    with pytest.raises(InputError, match="the map has no cell; mark cells with x"):
        parse_map(text)


def test_unknown_letters_in_maps() -> None:
    with pytest.raises(InputError, match=r"'#' in a map; it may hold x, o, '.' and spaces, and a row '-' between layers"):
        parse_map("x#/xx")


def test_only_boards_have_optional_cells() -> None:
    assert refused("xo") == "'o' marks cells that may stay uncovered: only the board can have them"
    assert parse_board("xo") == (frozenset({(0, 0), (0, 1)}), frozenset({(0, 1)}))


def test_large_maps_are_refused_at_once() -> None:
    assert "too large" in refused("." * 5_000_000 + "x")
    assert "too large" in refused("x/" * 2_000_000 + "xx")


@given(scattered(2, side=6) | scattered(3))
def test_maps_read_back(shape: Shape) -> None:
    space = sorted(lift(normalise(shape), 3))
    layers, rows, columns = (max(axis) + 1 for axis in zip(*space, strict=True))
    picture = [["".join(".x"[(z, y, x) in space] for x in range(columns)) for y in range(rows)] for z in range(layers)]
    for between in "/\n":
        text = f"{between}-{between}".join(between.join(layer) for layer in picture)
        assert parse_shape(text) == (normalise(shape) if layers > 1 or dimension(shape) == 2 else frozenset(c[1:] for c in space))


# Perimeters.


def perimeter(shape: Shape, *, right: bool) -> str:
    """The walk round a plane shape from its first corner, clockwise; where two ways are open it turns right or left."""
    walls: dict[tuple[int, int], list[str]] = {}
    for row, column in shape:
        for letter, start, beyond in [
            ("R", (row, column), (row - 1, column)),
            ("D", (row, column + 1), (row, column + 1)),
            ("L", (row + 1, column + 1), (row + 1, column)),
            ("U", (row + 1, column), (row, column - 1)),
        ]:
            if beyond not in shape:
                walls.setdefault(start, []).append(letter)
    step = {"R": (0, 1), "D": (1, 0), "L": (0, -1), "U": (-1, 0)}
    clockwise = "RDLU"
    here = start = min(walls)
    word = walls[here].pop()
    while True:
        here = (here[0] + step[word[-1]][0], here[1] + step[word[-1]][1])
        if not walls.get(here):
            assert here == start
            return word
        turn = clockwise[(clockwise.index(word[-1]) + (1 if right else -1)) % 4]
        word += turn if turn in walls[here] else walls[here][0]
        walls[here].remove(word[-1])


def sides(shape: Shape) -> int:
    return sum((row + y, column + x) not in shape for row, column in shape for y, x in [(0, 1), (1, 0), (0, -1), (-1, 0)])


@given(shapes(2, max_cells=12), st.booleans(), st.data())
def test_walking_round_a_shape_gives_it_back(shape: Shape, right: bool, data: st.DataObject) -> None:
    word = perimeter(shape, right=right)
    assume(len(word) == sides(shape))  # no holes
    expected = normalise(shape)
    assert parse_shape(word) == expected
    start = data.draw(st.integers(0, len(word)))
    assert parse_shape(word[start:] + word[:start]) == expected
    backwards = word[::-1].translate(str.maketrans("UDLR", "DURL"))
    assert parse_shape(backwards) == expected


@pytest.mark.parametrize("name", sorted(FLAT))
def test_walking_round_named_shapes(name: str) -> None:
    assert parse_shape(perimeter(FLAT[name], right=True)) == FLAT[name]


def test_perimeters() -> None:
    assert parse_shape("RDLU") == parse_shape("LURD") == parse_shape("ULDR") == frozenset({(0, 0)})
    assert parse_shape("DDRRULUL") == parse_shape("3L")
    assert parse_shape(" RDLU ") == frozenset({(0, 0)})
    assert len(parse_shape("R" * 300 + "D" * 300 + "L" * 300 + "U" * 300)) == 90_000


def test_touching_at_a_corner() -> None:
    # Two cells corner to corner, and a ring of seven whose hole and outside meet at a corner.
    assert parse_shape("RDRDLULU") == frozenset({(0, 0), (1, 1)})
    ring = frozenset((row, column) for row in range(3) for column in range(3)) - {(0, 0), (1, 1)}
    word = perimeter(ring, right=True)
    assert len(word) == 16
    assert parse_shape(word) == move(ring, (0, 0))


@pytest.mark.parametrize(
    ("word", "what"),
    [
        ("RRRDDD", "does not close: it ends 3 rows and 3 columns from its start"),
        ("UUL", "does not close: it ends 2 rows and 1 columns from its start"),
        ("RRDDLUUL", "runs along the same side twice"),
        ("RL", "runs along the same side twice"),
        ("UD", "runs along the same side twice"),
        ("RDLURDLU", "runs along the same side twice"),
        ("RRDDLUUULD", "crosses itself"),
        ("RRDLUULD", "crosses itself"),
    ],
)
def test_bad_perimeters(word: str, what: str) -> None:
    assert refused(word) == f"the perimeter {word} {what}"


def test_long_perimeters_are_refused_at_once() -> None:
    assert "does not close" in refused("R" * 10_000_000)
    assert "is too long" in refused("RDLU" * 3_000_000)
    # A thin cross has few cells in a box that is too large.
    arm = 2000
    assert "too large" in refused("R" * arm + "D" * arm + "R" + "U" * (arm + 1) + "L" * (arm + 1) + "D")


@pytest.mark.parametrize(
    ("text", "written"), [("111/111", "xxx/xxx"), ("###", "xxx"), ("##/#.", "xx/x."), ("101\n111", "x.x/xxx"), ("*_/**", "x./xx")]
)
def test_maps_with_other_marks(text: str, written: str) -> None:
    """Also on other lattices, and in files, where rows that begin with # are comments."""
    says = re.escape(f"is not a shape; a map marks cells with x: {written}")
    for lattice in (SQUARE, HEXAGONAL):
        with pytest.raises(InputError, match=says):
            parse_board(text, lattice)
    if "#" not in text and "_" not in text:
        with pytest.raises(InputError, match=says):
            formats.parse(text.replace("/", "\n") + "\n\n2\n")
    assert "marks cells" not in refused("1/2")
