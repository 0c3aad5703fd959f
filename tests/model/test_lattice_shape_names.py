"""Names and sets of shapes on lattices other than the square and the cubic one."""

from __future__ import annotations

import pytest
from commands import call

from tiler import formats
from tiler.ask.solve import solve
from tiler.errors import InputError
from tiler.model.lattice import Lattice, Shape
from tiler.model.lattices import HEXAGONAL, HEXAGONAL_PRISMS, LATTICES, SPHERES, TETRAKIS, TRIANGULAR, is_implied_by_cells
from tiler.model.piece_sets import ALL, SETS, Mirroring, on
from tiler.model.shapes import parse_shape
from tiler.question.question import Goal, Question

COUNTS = {
    "triamonds": (1, 1),
    "hexiamonds": (12, 19),
    "tetrahexes": (7, 10),
    "hexahexes": (82, 147),
    "tetrasticks": (16, 25),
    "monaboloes": (1, 1),
    "diaboloes": (3, 4),
    "triaboloes": (4, 6),
    "tetraboloes": (14, 22),
    "pentaboloes": (30, 56),  # A006074: 1, 3, 4, 14, 30
}


@pytest.mark.parametrize(("name", "free", "one_sided"), [(name, *counts) for name, counts in COUNTS.items()])
def test_sets_have_as_many_pieces_as_are_known(name: str, free: int, one_sided: int) -> None:
    for each, count in ((ALL[name], free), (ALL[f"one-sided-{name}"], one_sided)):
        pieces = each.shapes()
        assert len(pieces) == count
        assert all(each.lattice.holds(shape) and each.lattice.is_connected(shape) for shape in pieces.values())
        reflections = each.kind is Mirroring.FREE
        assert len({each.lattice.canonical(shape, reflections) for shape in pieces.values()}) == count
        assert {name: parse_shape(name, each.lattice) for name in pieces} == dict(pieces)


def test_sets_are_those_of_their_lattice() -> None:
    for lattice in LATTICES.values():
        assert on(lattice) == (
            SETS if is_implied_by_cells(lattice) else {n: each for n, each in ALL.items() if each.lattice is lattice}
        )
    assert len(ALL) == len(SETS) + sum(len(on(lattice)) for lattice in LATTICES.values() if not is_implied_by_cells(lattice))
    assert [len(on(SPHERES)[name].shapes()) for name in ("dispheres", "trispheres", "tetraspheres")] == [1, 5, 28]


#: What is known of the hexiamonds: how many images each has, and whether two shapes of three make it.
IMAGES = {
    **{"hexagon": 1, "butterfly": 3, "chevron": 6, "crown": 6, "lobster": 6, "bar": 6, "snake": 6},
    **dict.fromkeys(["sphinx", "yacht", "hook", "crook", "signpost"], 12),
}


def test_hexiamonds() -> None:
    names = ALL["hexiamonds"].shapes()
    assert {name: len(TRIANGULAR.variants(shape, reflections=True)) for name, shape in names.items()} == IMAGES
    uneven = {name for name, shape in names.items() if abs(sum(map(TRIANGULAR.colour, shape))) == 2}
    assert uneven == {"sphinx", "yacht"}
    three = parse_shape(".xxx", TRIANGULAR)
    apart = {name for name, shape in names.items() if not any(halves(shape, three))}
    assert apart == {"crown", "lobster", "signpost"}


def halves(shape: Shape, three: Shape) -> list[bool]:
    lying = (
        frozenset(tuple(a + b - c for a, b, c in zip(each, cell, min(turned), strict=True)) for each in turned)
        for turned in TRIANGULAR.variants(three, reflections=True)
        for cell in shape
        if not any((a - b) % 3 for a, b in zip(cell, min(turned), strict=True))
    )
    return [TRIANGULAR.canonical(shape - half, True) == TRIANGULAR.canonical(three, True) for half in lying if half < shape]


@pytest.mark.parametrize(
    ("lattice", "name", "rows"),
    [
        (HEXAGONAL, "bee", "x.x/.x.x"),
        (HEXAGONAL, "4-7", "x/.x.x/x"),
        (TRIANGULAR, "sphinx", "..x/.xxxxx"),
        (TRIANGULAR, "sphinx-m", "....x/.xxxxx"),
        (HEXAGONAL_PRISMS, "bee", "x.x/.x.x"),
    ],
)
def test_names_mean_shapes(lattice: Lattice, name: str, rows: str) -> None:
    one, two = parse_shape(name, lattice), parse_shape(rows, lattice)
    plane = lattice.plane or lattice
    assert plane.canonical(one, reflections=True) == plane.canonical(two, reflections=True)


def test_a_shape_that_is_drawn_gets_the_name_that_people_call_it_by() -> None:
    drawn = formats.inline(["hex:3", "x.x/.x.x", "x.x.x.x.x"], lattice="hexagonal")
    assert [tile.name for tile in drawn.tiles] == ["bee", "tile2"]
    assert formats.constrained(drawn, [("lock", "4-4 1")]).constraints[0].tile == "bee"


@pytest.mark.parametrize(
    ("lattice", "name", "line"),
    [
        (HEXAGONAL, "4-8", "'4-8' is not a shape of the hexagonal lattice; there are 4-1 to 4-7"),
        (HEXAGONAL, "4-1m", "'4-1m' is not a shape: 4-1 is its own mirror image; leave out the m"),
        (HEXAGONAL, "9-001", "shapes of 1 to 8 cells of the hexagonal lattice have numbers such as 3-1, not of 9"),
        (SPHERES, "6-01", "shapes of 1 to 5 cells of the spheres lattice have numbers such as 3-1, not of 6"),
        (TETRAKIS, "a7-01", "polyaboloes of 1 to 6 half squares have numbers such as a3-1, not of 7"),
        (HEXAGONAL, "a4-01", "'a4-01' is not a shape of the hexagonal lattice"),
        (HEXAGONAL, "tetrahexes", "tetrahexes is a set of pieces, not a shape"),
        (HEXAGONAL, "propelor", "nearest: propeller"),
    ],
)
def test_names_that_are_none(lattice: Lattice, name: str, line: str) -> None:
    with pytest.raises(InputError) as error:
        parse_shape(name, lattice)
    assert line in str(error.value)


def test_sets_on_boards(capsys: pytest.CaptureFixture[str]) -> None:
    instance = formats.inline(["rhombus:4x7", "1:tetrahexes"], lattice="hexagonal")
    assert instance.reflections
    assert formats.inline(["rhombus:4x7", "1:tetrahexes"]) == instance  # A set says which lattice it is.
    assert solve(instance, "dlx", Question(Goal.COUNT)).result.count == 18
    with pytest.raises(InputError, match="tetrahexes are shapes of the hexagonal lattice, not of the square one"):
        formats.inline(["4x7", "1:tetrahexes"], lattice="square")
    with pytest.raises(InputError, match="'hex:4' is a board of other lattices: say which one, such as --lattice hexagonal"):
        formats.inline(["hex:4", "3I"])
    with pytest.raises(InputError, match="pentominoes are shapes of the square lattice, not of the hexagonal one"):
        formats.inline(["hex:4", "1:pentominoes"], lattice="hexagonal")
    flat_in_space = formats.inline(["hex:2x2", "trihexes"], lattice="hexagonal-prisms")
    assert {tile.lattice for tile in flat_in_space.tiles} == {HEXAGONAL}


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path) -> None:
    status, out, _ = call(capsys, "shapes", "tetrahexes")
    assert status == 0
    assert out.split("\n")[0].split() == list(ALL["tetrahexes"].shapes())
    out = call(capsys, "shapes", "--lattice", "triangular")[1]
    assert "Names: bar, sphinx," in out
    assert "hexiamonds" in out
    for form, start in (("svg", b"<svg"), ("png", b"\x89PNG")):
        sheet = tmp_path / f"sheet.{form}"
        assert call(capsys, "shapes", "hexiamonds", "-o", str(sheet))[0] == 0
        assert sheet.read_bytes().startswith(start)
    assert call(capsys, "shapes", "hexiamonds", "-o", str(tmp_path / "sheet.txt"))[0] == 2
    assert call(capsys, "shapes", "x", "--lattice", "hexes")[0] == 2
