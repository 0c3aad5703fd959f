"""Puzzles in a box as two other programs write them: M. Lepage's Polycube Solver and M. Busche's polycube.

The files are written here from the descriptions of the formats. Counts without another source are those of Lepage's README.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import is_line

from tiler import formats
from tiler.ask.solve import solve
from tiler.cli import main as cli
from tiler.errors import InputError
from tiler.formats import busche, lepage, text
from tiler.model.instance import Instance
from tiler.model.lattice import Cell
from tiler.model.lattices import CUBIC, SQUARE
from tiler.question.question import Goal, Question

PENTOMINOES = "F_ I_ L_ N_ P_ T_ U_ V_ W_ X_ Y_ Z_"
SOMA = "3L 4L 4S 4T 4^ 4< 4>"
BEDLAM = "4> L1 L2 L3 J4 S1 S2 T1 T2 V2 F_ W_ X_"
BIG_BROTHER = "4< U_ X_ Z_ J1 J2 J4 L4 N1 N2 V1 V2 T2"
PROBLEMS = Path(__file__).parents[2] / "problems"


def lua(box: str, pieces: str, more: str = "") -> str:
    """A problem of the Polycube Solver."""
    names = ", ".join(f'"{piece}"' for piece in pieces.split())
    return f"problem = {{\n\tbox = {{ {box} }},\n\tpieces = {{ {names} }},\n\t{more}\n}}\n"


def count(instance: Instance, up_to_symmetry: bool = False) -> int | None:
    return solve(instance, "dlx", Question(Goal.COUNT, up_to_symmetry=up_to_symmetry)).result.count


# Lepage.


@pytest.mark.parametrize(
    ("box", "pieces", "more", "tilings"),
    [
        ("3, 3, 1", "1_ 3L V_", 'lock = "V_"', 4),
        ("20, 3, 1", PENTOMINOES, 'lock = "F_", lockcount = 2', 2),
        ("15, 4, 1", PENTOMINOES, 'lock = "F_", lockcount = 2', 368),
        ("12, 5, 1", PENTOMINOES, 'lock = "F_", lockcount = 2', 1010),
        ("10, 6, 1", PENTOMINOES, 'lock = "F_", lockcount = 2', 2339),
        ("10, 3, 2", PENTOMINOES, 'constrain_z = "F_", lock = "F_", lockcount = 2', 12),
        ("6, 5, 2", PENTOMINOES, 'constrain_z = "F_", lock = "F_", lockcount = 2', 264),
        ("3, 3, 3", SOMA, 'lock = "4L"', 480),
        # Without his means against mirror images: Bouwkamp 1969, Conway and Guy 1961.
        ("10, 3, 2", PENTOMINOES, "", 96),
        ("3, 3, 3", SOMA, "", 11_520),
        pytest.param("8, 8, 1", f"4O {PENTOMINOES}", 'lock = "F_"', 16_146, marks=pytest.mark.slow),
        pytest.param("4, 4, 4", BEDLAM, 'lock = "L2"', 19_186, marks=pytest.mark.slow),
        pytest.param("4, 4, 4", BIG_BROTHER, 'lock = "J2"', 14_177, marks=pytest.mark.slow),
    ],
)
def test_counts_of_lepage(box: str, pieces: str, more: str, tilings: int) -> None:
    assert count(formats.parse(lua(box, pieces, more))) == tilings


def test_the_first_two_turns_are_about_z() -> None:
    """In our own order the first two ways of the F in space are others, and leave another problem."""
    ours = formats.inline(["10x6x1", *(f"1:{piece}" for piece in PENTOMINOES.split())])
    assert count(formats.constrained(ours, [("lock", "F_ 2")])) == 1426


def placements(instance: Instance) -> set[frozenset[Cell]]:
    """Where the one piece that is constrained may lie."""
    (constraint,) = instance.constraints
    size = instance.distinct_tiles[instance.number_of(constraint.tile)].size
    assert constraint.kind == "only"
    return {frozenset(constraint.cells[at : at + size]) for at in range(0, len(constraint.cells), size)}


def test_constrain_bounds_positions_and_not_cells() -> None:
    # Three positions of two cells in four: the first two of them, though the second has a cell in the other half.
    four = placements(formats.parse(lua("4, 1, 1", "2_ 2_", 'constrain_x = "2_"')))
    assert four == {frozenset({(0, 0), (0, 1)}), frozenset({(0, 1), (0, 2)})}
    # Along y the first positions are at the bottom, which is the last row; and an odd number leaves the middle one.
    three = placements(formats.parse(lua("1, 4, 1", "2_ 2_", 'constrain_y = "2_"')))
    assert three == {frozenset({(3, 0), (2, 0)}), frozenset({(2, 0), (1, 0)})}
    assert placements(formats.parse(lua("2, 2, 2", "1_ 3L 4^", 'constrain = "1_"'))) == {frozenset({(0, 1, 0)})}


@pytest.mark.parametrize(("turns", "positions"), [(1, 4), (2, 8), (4, 8), (5, 12), (24, 12)])
def test_turns_that_look_the_same_are_counted(turns: int, positions: int) -> None:
    """A domino points along y, x, y and x, and then along z; in a cube of two it has four positions each way."""
    assert len(placements(formats.parse(lua("2, 2, 2", "2_ 3L 3L", f'lock = "2_", lockcount = {turns}')))) == positions


@pytest.mark.parametrize(
    ("piece", "rows"), [("N_", ".x/.x/xx/x."), ("Y_", "x./x./xx/x."), ("4S", "x./xx/.x"), ("F_", ".xx/xx./.x.")]
)
def test_a_piece_that_is_not_turned_lies_as_the_solver_has_it(piece: str, rows: str) -> None:
    lines = rows.split("/")
    locked = formats.parse(lua(f"{len(lines[0])}, {len(lines)}, 1", piece, f'lock = "{piece}"'))
    drawn = {(row, column) for row, line in enumerate(lines) for column, letter in enumerate(line) if letter == "x"}
    assert placements(locked) == {frozenset(drawn)}


def test_pieces_are_turned_over_in_the_plane_and_never_mirrored_in_space() -> None:
    flat = formats.parse(lua("4, 2, 1", "4L 4L"))
    assert (flat.dimension, flat.reflections, flat.lattice) == (2, True, SQUARE)
    assert [tile.at_most for tile in flat.distinct_tiles] == [2]
    assert flat == formats.inline(["4x2", "1..1:4L", "1..1:4L"], reflections=True)
    solid = formats.parse(lua("3, 3, 3", SOMA))
    ours = formats.inline(["3x3x3", *(f"1:{piece}" for piece in SOMA.split())])
    assert (solid.board, solid.reflections) == (ours.board, False)
    assert list(map(solid.looks, solid.tiles)) == list(map(ours.looks, ours.tiles))
    # A solid piece finds no room in one layer; that is an answer, and not an error.
    layer = formats.parse(lua("2, 2, 1", "4^"))
    assert (layer.lattice, count(layer)) == (CUBIC, 0)


def test_a_piece_that_is_locked_where_it_has_no_room_has_no_position() -> None:
    assert count(formats.parse(lua("3, 1, 1", "3I"))) == 1
    assert count(formats.parse(lua("3, 1, 1", "3I", 'lock = "3I"'))) == 0


def test_comments_quotes_and_separators_of_lua() -> None:
    written = "--[[ Soma\n ]] -- a cube\n\nproblem\n=\n{ box = {2,2;1,}; pieces = {'4O'}, -- lock = '4O'\n lockcount = 3; }"
    assert formats.parse(written) == formats.parse(lua("2, 2, 1", "4O"))


# Busche.


def polycube(instance: Instance, drawn: bool) -> str:
    """A puzzle of polycube, its pieces drawn or given by their cubes, with a frame where the box has more cells."""
    board = CUBIC.lift(instance.board) if instance.dimension == 2 else instance.board
    deep, high, wide = (max(cell[axis] for cell in board) + 1 for axis in range(3))
    lines = [
        f"# {instance.name}",
        "",
        f"D:xDim={wide}:yDim = {high}:zDim={deep}{'' if deep > 1 or instance.reflections else ':oneSide'}",
    ]
    copies = [(f"{tile.name}.{copy}", tile) for tile in instance.tiles for copy in range(tile.at_most or 0)]
    for name, tile in copies:
        cells = CUBIC.lift(tile.shape)
        lines += drawing(name, cells) if drawn else [f"C:name={name}:type=M:layout=" + by_cubes(cells)]
    frame = frozenset((z, y, x) for z in range(deep) for y in range(high) for x in range(wide)) - board
    return "\n".join([*lines, *(drawing("*", frame, (deep, high, wide), ":stationary=*") if frame else ()), "~D  # the end\n"])


def drawing(name: str, cells: frozenset[Cell], sides: tuple[int, int, int] | None = None, settings: str = "") -> list[str]:
    """The lines that draw a piece; layers stand side by side."""
    deep, high, wide = sides or tuple(max(cell[axis] for cell in cells) + 1 for axis in range(3))
    rows = (
        ", ".join(" ".join(name if (z, y, x) in cells else "." for x in range(wide)) for z in range(deep)) for y in range(high)
    )
    return [f"L{settings}", *rows, "~L"]


def by_cubes(cells: Iterable[Cell]) -> str:
    return ", ".join(f"{x} {-y} {z}" for z, y, x in sorted(cells))


def all_used(instance: Instance) -> Instance:
    """The same problem with bounds that say that all copies are used, as they must be to fill the board."""
    return replace(instance, tiles=tuple(replace(tile, at_least=tile.at_most or 0) for tile in instance.tiles))


@pytest.mark.parametrize("drawn", [False, True])
@pytest.mark.parametrize("name", ["pentominoes-06x10_s", "PT_s", "one-sided-05x18_s", "tetris-cube_s", "soma_s"])
def test_the_puzzles_of_the_article(name: str, drawn: bool) -> None:
    """The counts of these problems are tested elsewhere."""
    instance = all_used(formats.read(PROBLEMS / f"classic/{name}.txt"))
    found = formats.parse(polycube(instance, drawn))
    assert found.board == instance.board
    assert Counter(map(found.looks, found.tiles)) == Counter(
        found.looks(tile) for tile in instance.tiles for _ in range(tile.at_most or 0)
    )
    assert (found.reflections, found.lattice) == (instance.reflections, instance.lattice)
    assert formats.parse(text.write(found)) == found


def test_counts_of_busche() -> None:
    """P of Table 1."""
    solved = (
        "N N N W W Z Z U U U/I T N N W W Z U Y U/I T T T X W Z Z Y Y/I T F X X X P P Y V/I F F F X L P P Y V/I F L L L L P V V V"
    )
    found = formats.parse("D:xDim=10:yDim=6:zDim=1\nL\n" + solved.replace("/", "\n") + "\n~L\n~D\n")
    assert count(found, up_to_symmetry=True) == 2339


STATIONARY = """\
D:xDim=4:yDim=2:zDim=1
L:stationary=A
. . . A
. . A A
~L
L  # turned over
B
B

B B .
. B B
~L
~D
"""


def test_a_stationary_piece_lies_on_its_places() -> None:
    found = formats.parse(STATIONARY.replace("B\nB\n\nB B .\n. B B", "B B B\n. B ."))
    assert [(each.kind, each.tile, each.cells) for each in found.constraints] == [("place", "A", ((0, 3), (1, 2), (1, 3)))]
    assert [tile.name for tile in found.tiles] == ["A", "B"]
    given = "D:xDim=4:yDim=2:zDim=1\nC:name=A:type=S:layout=2 0 0, 3 0 0, 3 1 0\nC:name=B:layout=0 0 0,1 0 0,2 0 0,1 -1 0\n~D"
    assert formats.parse(given) == found


def test_rows_of_a_drawing_go_down_and_empty_ones_count() -> None:
    """A drawing is a map of places: what stands below an empty line is two rows lower, in another part of the piece."""
    tile = formats.parse(STATIONARY).tiles[1]
    assert tile.shape == frozenset({(0, 0), (1, 0), (3, 0), (3, 1), (4, 1), (4, 2)})
    assert not tile.is_connected


def test_a_puzzle_of_one_layer_turns_pieces_over_unless_it_is_one_sided() -> None:
    upright = "D:xDim=2:yDim=2:zDim=1\nC:name=A:layout=0 0 0, 0 0 1, 0 1 0\nC:name=B:layout=0 0 0\n~D"
    found = formats.parse(upright)
    assert (found.dimension, found.reflections, count(found)) == (2, True, 4)
    assert formats.parse(upright.replace("zDim=1", "zDim=1:oneSide=0")) == found
    flat = upright.replace("0 0 1", "1 0 0")
    assert not formats.parse(flat.replace("zDim=1", "zDim=1:oneSide")).reflections
    assert not formats.parse(flat.replace("zDim=1", "zDim=1:oneSide=1")).reflections
    with pytest.raises(InputError, match="2: piece A has a cube with another z than 0, but oneSide is set"):
        formats.parse(upright.replace("zDim=1", "zDim=1:oneSide"))


def test_nothing_is_mirrored_on_the_way() -> None:
    """A drawing of a chiral piece, its cubes, and its name in the Polycube Solver are one tile."""
    drawn = formats.parse("D:xDim=2:yDim=2:zDim=2\nL\nA ., A .\nA A, . .\n~L\n~D").tiles
    given = formats.parse("D:xDim=2:yDim=2:zDim=2\nC:name=A:layout=0 1 0, 0 0 0, 1 0 0, 0 1 1\n~D").tiles
    named = formats.parse(lua("2, 2, 2", "4<")).tiles
    assert len({CUBIC.canonical(tile.shape, reflections=False) for (tile,) in (drawn, given, named)}) == 1


shapes = st.frozensets(st.tuples(*[st.integers(0, 2)] * 3), min_size=1, max_size=6)


@given(st.lists(shapes, min_size=1, max_size=4), st.booleans())
def test_any_pieces_are_read_as_they_are_written(pieces: list[frozenset[Cell]], drawn: bool) -> None:
    lines = [
        line
        for number, cells in enumerate(pieces)
        for line in (drawing(f"P{number}", cells) if drawn else [f"C:name=P{number}:layout={by_cubes(cells)}"])
    ]
    found = formats.parse("\n".join(["D:xDim=3:yDim=3:zDim=3", *lines, "~D"]))
    expected = [CUBIC.canonical(cells, reflections=False) for cells in pieces]
    assert [CUBIC.canonical(CUBIC.lift(tile.shape), reflections=False) for tile in found.tiles] == expected


# Both: what is not understood, and commands.

SOLVER = lua("2, 2, 1", "1_ 3L", 'lock = "3L"')
DRAWN = "D:xDim=2:yDim=2:zDim=1\nL\nA B\nA A\n~L\n~D\n"


def error(content: str) -> str:
    with pytest.raises(InputError) as caught:
        formats.parse(content, source="p.txt")
    line = str(caught.value)
    assert is_line(line)
    assert len(line) < 250
    return line


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (
            SOLVER.replace("box", "bxo"),
            "p.txt:2: there is no field bxo; nearest: box; a file is problem = { ... } with box, pieces",
        ),
        (SOLVER.replace("{ 2, 2, 1 }", "{ 2, 2 }"), "p.txt:2: box must be three whole numbers from 1"),
        (SOLVER.replace("{ 2, 2, 1 }", "{ 0, 2, 1 }"), "p.txt:2: box must be three whole numbers from 1"),
        (SOLVER.replace("{ 2, 2, 1 }", "{ 9999, 9999, 1 }"), "p.txt: the box is too large: 9999x9999"),
        (SOLVER.replace("{ 2, 2, 1 }", "size"), "p.txt:2: size stands where a number or a name in quotes must be"),
        (SOLVER.replace("{ 2, 2, 1 }", "math.floor(2)"), "p.txt:2: math stands where a number"),
        (SOLVER.replace("{ 2, 2, 1 }", "2 + 2"), "p.txt:2: '+ 2,"),
        (SOLVER.replace("{ 2, 2, 1 },", "{ 2, 2, 1 }"), "p.txt:3: a comma is missing before pieces"),
        (SOLVER.replace("2, 2", "2 2"), "p.txt:2: a comma is missing before 2"),
        (SOLVER.replace('"3L" }', '"3K" }'), "p.txt:3: there is no piece '3K'; nearest: 3I, 3L"),
        (SOLVER.replace('"3L" }', "3 }"), "p.txt:3: pieces must be names in quotes"),
        (SOLVER.replace('{ "1_", "3L" }', "{ }"), "p.txt:3: pieces must be names in quotes"),
        (SOLVER.replace('lock = "3L"', 'lock = "4L"'), "p.txt:4: lock must name one of the pieces in quotes, such as '1_'"),
        (SOLVER.replace('lock = "3L"', 'lock = "3L", lockcount = 25'), "p.txt:4: lockcount must be a whole number from 1 to 24"),
        (SOLVER.replace('lock = "3L"', 'box = "3L"'), "p.txt:4: box is given twice"),
        (SOLVER + "return problem", "p.txt:6: return stands behind the problem"),
        (SOLVER[:-3], "p.txt:4: a comma is missing before the end"),
        (SOLVER[:40], "p.txt:"),
        ("problem = 3", "p.txt:1: { is missing before 3"),
        (SOLVER + "--[[ on and on", "p.txt:6: a comment begins here with --[[ and never ends"),
        (SOLVER.replace("2, 2, 1", "400, 400, 1"), "p.txt:4: the piece has more than 50,000 positions"),
        (DRAWN.replace("xDim=2", "xDim=0"), "p.txt:1: the sides of the box must be whole numbers from 1"),
        (DRAWN.replace(":yDim=2", ""), "p.txt:1: the sides of the box must be whole numbers from 1"),
        (DRAWN.replace("xDim=2", "xDim=999999:yDim=999999").replace(":yDim=2", ""), "p.txt: the box is too large: 999999x999999"),
        (DRAWN.replace("zDim=1", "zDim=1:oneSided"), "p.txt:1: there is no setting 'oneSided'; nearest: oneSide"),
        (DRAWN.replace("zDim=1", "zDim=1:oneSide=2"), "p.txt:1: oneSide is '2'"),
        (DRAWN.replace("zDim=1", "zDim=2:oneSide"), "p.txt:1: pieces that are not turned over lie in one layer"),
        (DRAWN.replace("zDim=1", "zDim=1:zDim=1"), "p.txt:1: zDim is given twice"),
        (DRAWN.replace("L\nA", "M\nA"), "p.txt:2: 'M' is not understood: lines begin with one D:, with C: or L, ~D ends"),
        (DRAWN + DRAWN, "p.txt:7: another puzzle begins here"),
        (DRAWN.replace("~D", ""), "p.txt: the line ~D at the end is missing"),
        (DRAWN.replace("~L", ""), "p.txt:2: the drawing that begins here has no end, ~L"),
        (DRAWN.replace("L\nA", "L:stationary=C\nA"), "p.txt:2: piece C is stationary, and is not drawn"),
        (DRAWN.replace("L\nA", "L:fixed=A\nA"), "p.txt:2: there is no setting 'fixed'"),
        (DRAWN.replace("~L", "~L\nL\nA\n~L"), "p.txt:6: there are two pieces 'A', the first in line 3"),
        (DRAWN.replace("~L", "~L\nC:name=C"), "p.txt:6: a piece has a name and cubes"),
        (DRAWN.replace("~L", "~L\nC:layout=0 0 0"), "p.txt:6: a piece has a name and cubes"),
        (DRAWN.replace("~L", "~L\nC:name=C:layout=0 0"), "p.txt:6: a piece has a name and cubes"),
        (DRAWN.replace("~L", "~L\nC:name=C:layout=0 0 0, 0 0 0"), "p.txt:6: piece C has a cube twice"),
        (DRAWN.replace("~L", "~L\nC:name=C:type=X:layout=0 0 0"), "p.txt:6: type is 'X'"),
        (DRAWN.replace("~L", "~L\nC:name=C:type=S:layout=2 0 0"), "p.txt:6: the stationary piece C lies outside the box"),
        (
            DRAWN.replace("L\nA", "L:stationary=A\nA").replace("~L", "~L\nC:name=C:type=S:layout=0 0 0"),
            "p.txt:6: the stationary pieces A and C overlap",
        ),
        (DRAWN.replace("B", "\x1b"), "has no name that can be printed"),
        ("D:xDim=2:yDim=2:zDim=1\n~D", "p.txt: there are no pieces"),
    ],
)
def test_refusals(content: str, says: str) -> None:
    assert says in error(content)


def refused(act: Callable[[], object]) -> str | None:
    try:
        act()
    except InputError as why:
        return str(why)
    return None


@pytest.mark.parametrize(("parse", "content"), [(lepage.parse, SOLVER + "-- the end" * 20), (busche.parse, DRAWN)])
def test_any_damage_is_an_error_in_one_line(parse: Callable[[str], Instance], content: str) -> None:
    random = Random(1)
    answers = []
    for _ in range(300):
        letters = list(content)
        for _ in range(random.randint(1, 3)):
            letters[random.randrange(len(letters))] = chr(random.randrange(1, 256))
        answers.append(refused(partial(parse, "".join(letters))))
    assert all(is_line(each) for each in answers if each is not None)
    assert 0 < answers.count(None) < 300


@pytest.mark.parametrize("beginning", ["--[[ ]", "--[[\n", "-- problem\n", " \n", "# D:\n"])
def test_a_long_beginning_takes_no_time(beginning: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search for the end of each comment, in a megabyte of them, would take hours."""
    asked: list[str] = []
    monkeypatch.setattr("tiler.formats.text.parse", lambda content, **others: asked.append(content))
    formats.parse(beginning * 200_000 + "D")
    assert len(asked) == 1


def test_commands_take_these_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, content in (("a.txt", SOLVER), ("b.txt", "\ufeff" + DRAWN.replace("\n", "\r\n"))):
        path = tmp_path / name
        path.write_text(content, newline="")
        assert cli.main(["count", str(path), "--solver", "dlx"]) == 0
        assert cli.main(["convert", str(path), "--format", "text"]) == 0
    out, err = capsys.readouterr()
    assert (out.split("\n")[0], "\n4\n" in out, err) == ("1", True, "")
    written = tmp_path / "c.txt"
    assert cli.main(["convert", str(path), "-o", str(written)]) == 0
    assert formats.read(written) == formats.read(path)


def test_reflections_of_the_command_line_win() -> None:
    assert not formats.parse(DRAWN, reflections=False).reflections
    # F may not be turned over, but two of the positions that are left to it are those of its mirror image.
    with pytest.raises(InputError, match=r"p\.txt: only: .* are not the cells of a F_"):
        formats.parse(lua("3, 3, 1", "F_ 4T", 'lock = "F_", lockcount = 24'), source="p.txt", reflections=False)
