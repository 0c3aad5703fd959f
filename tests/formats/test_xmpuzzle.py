"""Files of BurrTools: written here from the description of the format, since the designs in others' files are their authors'."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import brute_force
import pytest
from hypothesis import given
from strategies import instances, is_line

from tiler import formats
from tiler.ask.solve import solve
from tiler.cli import main as cli
from tiler.errors import InputError
from tiler.formats import burrtools, xmpuzzle
from tiler.model.burrtools_grids import GRIDS
from tiler.model.instance import Instance
from tiler.model.lattice import move
from tiler.model.lattices import CUBIC, HEXAGONAL, SQUARE
from tiler.model.paint import Ground
from tiler.model.tile import Tile
from tiler.question.question import Goal, Question

OTHERS = '<pair piece="0" result="1"/><pair piece="1" result="0"/>'

# A ring of eight cells around one that may be filled, and three pieces, one of them in three pieces' worth of space.
RING = '<voxel x="3" y="3" z="1" name="Ring" type="0">####+####</voxel>'
PIECES = (
    '<voxel x="3" y="2" z="1" name="long L" type="0">###__#</voxel>',
    '<voxel x="1" y="2" z="1" type="0">##</voxel>',
    '<voxel x="1" y="1" z="3" weight="2" hx="1" type="0">###</voxel>',
)


def file(shapes: tuple[str, ...], *problems: str, colours: int = 0, grid: int = 0, comment: str = "") -> str:
    """The XML of a puzzle."""
    colour = '<color red="1" green="2" blue="3"/>' * colours
    return (
        f'<?xml version="1.0"?>\n<puzzle version="2"><gridType type="{grid}"/><colors>{colour}</colors>'
        f"<shapes>{''.join(shapes)}</shapes><problems>{''.join(problems)}</problems><comment>{comment}</comment></puzzle>\n"
    )


def problem(*parts: str, result: int = 0, bitmap: str = "", known: str = 'state="0"') -> str:
    """The XML of a problem; parts are the attributes of each."""
    shapes = "".join(f"<shape {part}/>" for part in parts)
    return f'<problem {known}><shapes>{shapes}</shapes><result id="{result}"/><bitmap>{bitmap}</bitmap></problem>'


def read(text: str, number: int | None = None) -> Instance:
    return xmpuzzle.parse(gzip.compress(text.encode()), number=number).instance


def error(data: bytes, number: int | None = None) -> str:
    """The one line that says why data are no problem."""
    with pytest.raises(InputError) as caught:
        xmpuzzle.parse(data, number=number, source="p.xmpuzzle")
    line = str(caught.value)
    assert is_line(line)
    assert len(line) < 300
    assert line.startswith("p.xmpuzzle:")
    return line


def refusal(act: Callable[[], object]) -> str | None:
    """The line of the InputError that an act ends with, None if it ends well."""
    try:
        act()
    except InputError as refused:
        return str(refused)
    return None


def counted(instance: Instance) -> int | None:
    return solve(instance, "dlx", Question(Goal.COUNT)).result.count


def tilings(instance: Instance) -> int:
    return len(brute_force.allowed_tilings(instance))


# Reading.


def test_shapes_copies_and_optional_cells() -> None:
    instance = read(file((RING, *PIECES), problem('id="1"', 'id="2" min="0" max="2"', 'id="3" count="0"')))
    assert SQUARE.normalise(instance.board) == frozenset((row, column) for row in range(3) for column in range(3))
    assert SQUARE.normalise(instance.board) - move(instance.optional, (2, 0)) == SQUARE.normalise(instance.board) - {(1, 1)}
    assert [(tile.name, tile.at_least, tile.at_most, tile.size) for tile in instance.tiles] == [
        ("long-L", 1, 1, 4),
        ("S3", 0, 2, 2),
    ]
    # The L lies in one of four corners, turned over or not; the dominoes then cover what is left of the ring.
    assert tilings(instance) == 8
    assert read(file((RING, *PIECES), problem('id="3" count="3"'))).tiles[0].size == 3


def test_a_piece_that_is_flat_in_any_direction_fits_a_result_of_one_layer() -> None:
    # Three cells in each of three directions, and a corner that has to be turned over for one of the two places.
    bars = tuple(f'<voxel x="{x}" y="{y}" z="{z}" type="0">###</voxel>' for x, y, z in ((3, 1, 1), (1, 3, 1), (1, 1, 3)))
    square = '<voxel x="3" y="3" z="1" type="0">#########</voxel>'
    instance = read(file((square, *bars), problem('id="1"', 'id="2"', 'id="3"')))
    assert instance.reflections
    assert instance.dimension == 2
    assert [(tile.at_least, tile.at_most) for tile in instance.distinct_tiles] == [(3, 3)]
    assert tilings(instance) == 2


def test_nothing_is_mirrored_on_the_way() -> None:
    # The result is one of a pair of mirror images, the pieces are both; with rows taken downwards the other one would fit.
    screw = '<voxel x="2" y="2" z="2" name="{}" type="0">{}</voxel>'
    right, left = "###___#_", "###____#"
    shapes = (screw.format("result", right), screw.format("right", right), screw.format("left", left))
    found = read(file(shapes, problem('id="1" min="0" max="1"', 'id="2" min="0" max="1"')))
    (solution,) = brute_force.allowed_tilings(found)
    assert {name for name, _ in solution} == {"right"}
    # As the project names chiral tetracubes: columns, rows from below, layers.
    written = frozenset({(0, 0, 0), (0, 0, 1), (0, -1, 0), (1, -1, 0)})
    assert found.variants(found.tiles[0])[0] == CUBIC.canonical(written, reflections=False)


def test_problems_by_number() -> None:
    text = file((RING, *PIECES), problem('id="2" count="4"'), problem('id="3"', known='name="a  bar &lt;" state="0"'))
    assert read(text, 1).tiles[0].name == "S3"
    assert read(text, 2).about.title == "a bar <"
    for number in (None, 3, 0):
        assert error(text.encode(), number) == (
            "p.xmpuzzle: it holds 2 problems; write one of these behind its name: #1, #2 (a  bar <)"
        )


def test_what_is_left_out_is_said() -> None:
    parts = '<shape id="2"><group group="1" count="1"/></shape>'
    known = 'state="2" assemblies="1234" solutions="5"'
    text = file((RING, *PIECES), problem('id="1"', known=known).replace("<shapes>", f"<shapes>{parts}"))
    assert xmpuzzle.parse(text.encode()).note == (
        "Tiler does not look here whether the pieces come apart: see tiler apart; groups of single copies are left out; "
        "assemblies found by BurrTools, up to symmetry as it counts them: 1,234"
    )
    unfinished = text.replace('state="2"', 'state="1"').replace("<group", "<other")
    assert xmpuzzle.parse(unfinished.encode()).note.endswith("; groups of single copies are left out")


def test_what_is_counted_otherwise_is_said() -> None:
    alike = file((RING, PIECES[1], PIECES[1]), problem('id="1" count="2"', 'id="2" count="2"'))
    assert (
        "identical pieces are copies of one tile here; BurrTools treats them as different" in xmpuzzle.parse(alike.encode()).note
    )
    ranged = file((RING, PIECES[1]), problem('id="1" min="0" max="4"'))
    told = xmpuzzle.parse(ranged.encode()).note
    assert told.endswith("Tiler looks at all pieces to compare mirror images, BurrTools only at those in use")


def test_colours_keep_pieces_from_places() -> None:
    # A row of three: the first place has colour 1, the second colour 2, the third none.
    row = '<voxel x="3" y="1" z="1" type="0">#1#2#</voxel>'
    first = '<voxel x="1" y="1" z="1" name="first" type="0">#1</voxel>'
    pair = '<voxel x="2" y="1" z="1" name="pair" type="0">#2#2</voxel>'
    own = '<pair piece="0" result="0"/><pair piece="1" result="1"/>'
    asked = ('id="1"', 'id="2"')
    assert counted(read(file((row, first, pair), problem(*asked, bitmap=own), colours=2))) == 1
    # Colour 2 may lie in colour 1 as well: then the other way round fits as far as the pair goes, and colour 1 in no colour.
    both = f'{own}<pair piece="1" result="0"/>'
    assert counted(read(file((row, first, pair), problem(*asked, bitmap=both), colours=2))) == 2
    assert counted(read(file((row, first, pair), problem(*asked), colours=2))) == 0
    # Without colours in the list nothing is ruled out.
    assert counted(read(file((row, first, pair), problem(*asked)))) == 2


def test_a_comment_in_another_encoding() -> None:
    text = file((RING, *PIECES), problem('id="1"'), comment="von André, 1971")
    assert xmpuzzle.parse(text.encode("latin-1")).instance == xmpuzzle.parse(text.encode()).instance


# The grids. The voxels of each are written out as the program's manual draws them.

TRIANGLES = '<voxel x="{}" y="2" z="{}" type="0">{}</voxel>'
# A tetrahedron in a cube of 3 places, with the four corners that are left; and without them.
CUBE = "__#___#__" + "____#____" + "#_______#"
MIDDLE = "_________" + "____#____" + "_________"


def parts_of_a_cube(*sides: int) -> str:
    """The four tetrahedra at each of some sides of a cube, by number: those with x, y and z least, then greatest."""
    places = set()
    for side in sides:
        axis, depth = side % 3, 4 * (side // 3)
        for a, b in ((1, 2), (2, 1), (2, 3), (3, 2)):
            place = [a, b]
            place.insert(axis, depth)
            places.add(tuple(place))
    letters = "".join("_#"[(x, y, z) in places] for z in range(5) for y in range(5) for x in range(5))
    return f'<voxel x="5" y="5" z="5" type="0">{letters}</voxel>'


@pytest.mark.parametrize(
    ("grid", "shapes", "parts", "count"),
    [
        # A hexagon in two halves, in three ways; in two layers, nine.
        (1, (TRIANGLES.format(4, 1, "_###_###"), TRIANGLES.format(3, 1, "###___")), ('id="1" count="2"',), 3),
        (1, (TRIANGLES.format(4, 2, "_###_###_###_###"), TRIANGLES.format(3, 1, "###___")), ('id="1" count="4"',), 9),
        # Four spheres, each of which touches all others, in two pairs.
        (
            *(2, ('<voxel x="2" y="2" z="2" type="0">#__#_##_</voxel>', '<voxel x="2" y="2" z="1" type="0">#__#</voxel>')),
            *(('id="1" count="2"',), 3),
        ),
        # A cube in three pairs of sides that lie side by side: the perfect matchings of an octahedron.
        (3, (parts_of_a_cube(*range(6)), parts_of_a_cube(0, 1)), ('id="1" count="3"',), 8),
        # A tetrahedron within a cube, and the four eighths of octahedra around it.
        (
            *(4, (f'<voxel x="3" y="3" z="3" type="0">{CUBE}</voxel>', f'<voxel x="3" y="3" z="3" type="0">{MIDDLE}</voxel>')),
            *(('id="1"', 'id="2" count="4"'), 1),
        ),
    ],
)
def test_a_puzzle_of_each_grid(grid: int, shapes: tuple[str, ...], parts: tuple[str, ...], count: int) -> None:
    eighth = '<voxel x="3" y="1" z="1" type="0">__#</voxel>' if grid == 4 else ""
    instance = read(file((*shapes, eighth), problem(*parts), grid=grid))
    assert counted(instance) == count
    again = xmpuzzle.parse(xmpuzzle.write(instance)).instance
    assert again.lattice == instance.lattice
    assert again.digest == instance.digest


def test_a_lattice_that_is_no_grid() -> None:
    shape = frozenset({(0, 0), (0, 1)})
    tile = Tile("dihex", shape, lattice=HEXAGONAL)
    with pytest.raises(InputError, match="BurrTools has no grid for the hexagonal lattice; it has bricks, triangular prisms"):
        xmpuzzle.write(Instance(shape, (tile,), lattice=HEXAGONAL))


# Writing.


@given(instances(max_cells=10, words=False))
def test_what_is_written_reads_back(instance: Instance) -> None:
    """With the bounds that the board sets to the number of copies, and a tile that is too large left out."""
    refused = refusal(lambda: xmpuzzle.write(instance))
    if refused is not None:
        assert is_line(refused)
        reasons = ("turns flat pieces over", "mirrors no piece", "no tile", "how many cells stay open")
        assert instance.constraints or any(reason in refused for reason in reasons)
        return
    again = xmpuzzle.parse(xmpuzzle.write(instance)).instance
    usable = tuple(
        replace(tile, at_most=max(tile.at_least, min(fitting, tile.at_most or fitting)))
        for tile in instance.distinct_tiles
        for fitting in [len(instance.board) // tile.size]
        if tile.at_least or fitting
    )
    assert again.digest == replace(instance, tiles=usable, reflections=instance.dimension == 2).digest


@pytest.mark.parametrize(
    ("shapes", "reflections", "says"),
    [
        (["4x2", "4L"], False, "turns flat pieces over"),
        (["4x2x1", "4L"], True, None),
        (["2x2x2", "4>"], True, "mirrors no piece"),
        (["2x2x2", "4>"], False, None),
        (["200x200", "1"], False, "40,000 copies"),
    ],
)
def test_what_cannot_be_written(shapes: list[str], reflections: bool, says: str | None) -> None:
    instance = formats.inline(shapes, reflections=reflections)
    if says is None:
        assert tilings(xmpuzzle.parse(xmpuzzle.write(instance)).instance) == tilings(instance)
        return
    with pytest.raises(InputError, match=says):
        xmpuzzle.write(instance)


def test_constraints_cannot_be_written() -> None:
    instance = formats.constrained(formats.inline(["3x3", "3I"]), [("forbid", "1,1 for 3I")])
    with pytest.raises(InputError, match="constraints"):
        xmpuzzle.write(instance)


# Files that are none, or ask what cannot be asked.

PLAIN = file((RING, *PIECES), problem('id="1"', 'id="2" count="2"'))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            PLAIN.replace('gridType type="0"', 'gridType type="3"'),
            "has a voxel at 1,0,0, where the grid of rhombic tetrahedra has none",
        ),
        (PLAIN.replace('gridType type="0"', 'gridType type="2"'), "voxel at 1,0,0, where the grid of spheres has none"),
        (PLAIN.replace('gridType type="0"', 'gridType type="9"'), "its grid is number 9, which is unknown"),
        (PLAIN.replace('result id="0"', 'result id="7"'), "no result shape"),
        (PLAIN.replace('<result id="0"/>', ""), "no result shape"),
        (PLAIN.replace('<shape id="1"/>', '<shape id="8"/>'), "a shape that does not exist"),
        (PLAIN.replace('count="2"', 'count="two"'), "'count' is 'two'; it must be a whole number"),
        (PLAIN.replace('count="2"', 'min="3" max="2"'), "empty range"),
        (PLAIN.replace('id="2" count="2"', 'count="2"'), "'id' is ''"),
        (PLAIN.replace("####+####", "####+###"), "a shape of 3 x 3 x 1 has 9 voxels; 8 are written"),
        (PLAIN.replace('x="3" y="3" z="1"', 'x="1" y="1" z="1"'), "a shape of 1 x 1 x 1 has 1 voxel; 9 are written"),
        (PLAIN.replace("####+####", "####*####"), "the voxels of a shape are written with"),
        (PLAIN.replace("####+####", "#64###+####"), "the colour 64"),
        (PLAIN.replace("####+####", "_________"), "the result shape is empty"),
        (PLAIN.replace('x="3" y="3"', 'x="-3" y="3"'), "'x' is '-3'"),
        (PLAIN.replace('name="Ring" type="0"', 'type="1"'), "voxels of type '1'"),
        (PLAIN.replace("###__#", "##+__#"), "piece long-L has voxels that may be filled or not"),
        (PLAIN.replace("###__#", "______"), "piece long-L is empty"),
        (
            PLAIN.replace('x="3" y="2" z="1"', 'x="2" y="2" z="2"').replace("###__#", "##_#_#__"),
            "piece long-L has several layers",
        ),
        (file((RING, *PIECES)), "it holds shapes, but no problem"),
        (file((RING, *PIECES), problem()), "no pieces"),
        (PLAIN.replace('state="0"', 'state="0" maxHoles="0"').replace('count="2"', 'min="0" max="2"'), "at most 0 of 1 places"),
        ("<html><body/></html>", "its root is 'html'"),
        ("<puzzle><shapes>", "damaged XML"),
        ("<" + "puzzle>" * 50, "damaged XML"),
        ("<puzzle>" + "<a>" * 200, "nested too deeply"),
        ('<!DOCTYPE p [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><puzzle>&b;</puzzle>', "a document type is declared"),
        ('<!DOCTYPE p SYSTEM "file:///etc/passwd"><puzzle/>', "a document type is declared"),
        ("<puzzle>&unknown;</puzzle>", "damaged XML"),
    ],
)
def test_refusals(text: str, says: str) -> None:
    assert says in error(text.encode())


def test_a_limit_to_empty_places_that_is_none() -> None:
    """One place may stay empty, of one that can."""
    ranged = PLAIN.replace('count="2"', 'min="0" max="2"')
    limited = read(ranged.replace('state="0"', 'state="0" maxHoles="1"'))
    assert limited == read(ranged)
    assert tilings(limited) == 8


def test_pieces_that_differ_in_colour_only() -> None:
    row = '<voxel x="2" y="1" z="1" type="0">#1#2</voxel>'
    cubes = tuple(f'<voxel x="1" y="1" z="1" name="{name}" type="0">#{name}</voxel>' for name in (1, 2))
    own = '<pair piece="0" result="0"/><pair piece="1" result="1"/>'
    asked = problem('id="1"', 'id="2"', bitmap=own)
    instance = read(file((row, *cubes), asked, colours=2))
    assert [tile.name for tile in instance.distinct_tiles] == ["1", "2"]
    assert counted(instance) == 1
    # Each may lie in the colour of the other as well.
    assert counted(read(file((row, *cubes), problem('id="1"', 'id="2"', bitmap=own + OTHERS), colours=2))) == 2
    # Without colours in the list they are one piece.
    assert len(read(file((row, *cubes), asked)).distinct_tiles) == 1


def test_a_piece_of_several_colours() -> None:
    # A row of four in the colours 1, 2, none, 1, and a piece of colours 1 and 2, which may lie the other way round.
    row = '<voxel x="4" y="1" z="1" type="0">#1#2##1</voxel>'
    mixed = '<voxel x="1" y="2" z="1" name="m" type="0">#2#1</voxel>'
    own = '<pair piece="0" result="0"/><pair piece="1" result="1"/>'
    instance = read(file((row, mixed), problem('id="1" count="2"', bitmap=own), colours=2))
    assert instance.ground == Ground((((0, 0), "1"), ((0, 1), "2"), ((0, 3), "1")), (("1", "1"), ("2", "2")))
    assert counted(instance) == 1
    swapped = file((row, mixed), problem('id="1" count="2"', bitmap='<pair piece="0" result="1"/>'), colours=2)
    assert counted(read(swapped)) == 0


def test_a_piece_that_fits_with_its_colours_in_two_ways() -> None:
    # No place of the result has a colour: the program tells the two ways apart, and so is it here.
    row, mixed = '<voxel x="2" y="1" z="1" type="0">##</voxel>', '<voxel x="2" y="1" z="1" name="m" type="0">#1#2</voxel>'
    instance = read(file((row, mixed), problem('id="1"'), colours=2))
    assert counted(instance) == 2
    assert solve(instance, "dlx", Question(Goal.COUNT, up_to_symmetry=True)).result.count == 1


def test_colours_are_written_and_read_back() -> None:
    row = '<voxel x="4" y="1" z="1" type="0">#1#2#+3</voxel>'
    pieces = [f'<voxel x="2" y="1" z="1" name="{name}" type="0">{cells}</voxel>' for name, cells in (("a", "#1#3"), ("b", "#2#"))]
    listed = '<pair piece="0" result="1"/><pair piece="2" result="0"/><pair piece="1" result="2"/>'
    instance = read(file((row, *pieces), problem('id="1"', 'id="2" min="0" max="1"', bitmap=listed), colours=3))
    assert read(gzip.decompress(xmpuzzle.write(instance)).decode()) == instance
    # Equal colours fit where no pairs are listed: in the file they are.
    plain = formats.parse("# colours: b blue, r red\n\nbbrx\n\n1:rb\n1:bx")
    again = read(gzip.decompress(xmpuzzle.write(replace(plain, reflections=True))).decode())
    assert again.ground.fits == (("1", "1"), ("2", "2"))
    assert counted(again) == counted(plain) == 2


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("2x1\n\n1 [abcd]", "has marks on its sides"),
        ("# colours: b blue\n# reflections: yes\n\n2x1\n\nb | x", "looks different from behind"),
        ("# turning: no\n\n2x2\n\nxx", "turns all pieces"),
        ("# colours: a, b, c, d\n\n2x2\n\nab/cd", "turns flat pieces over"),
    ],
)
def test_paint_that_cannot_be_written(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        xmpuzzle.write(formats.parse(text))


def test_there_are_not_more_colours_than_the_program_has() -> None:
    board = frozenset((0, column) for column in range(64))
    ground = Ground(tuple(((0, column), f"c{column}") for column in range(64)))
    instance = Instance(board, (Tile("one", frozenset({(0, 0)})),), reflections=True, ground=ground)
    with pytest.raises(InputError, match="64 colours are more than BurrTools takes"):
        xmpuzzle.write(instance)


def test_gzip_that_is_damaged_or_a_bomb(monkeypatch: pytest.MonkeyPatch) -> None:
    data = gzip.compress(PLAIN.encode())
    assert "damaged gzip data" in error(data[:10] + b"\xff" * 20)
    assert "its end is missing" in error(data[:-9])
    assert "damaged gzip data" in error(data[:-8] + b"\0" * 8)
    monkeypatch.setattr(burrtools, "MAX_BYTES", 1 << 20)
    assert "unpacks to more than 1 MB" in error(gzip.compress(bytes(1 << 21)))


def test_any_damage_is_an_error_in_one_line() -> None:
    random, data = Random(1), PLAIN.encode()
    answers = []
    for _ in range(300):
        damaged = bytearray(data)
        for _ in range(random.randint(1, 3)):
            damaged[random.randrange(len(data))] = random.randrange(256)
        answers.append(refusal(lambda content=bytes(damaged): xmpuzzle.parse(content)))
    assert all(is_line(each) for each in answers if each is not None)
    assert 0 < answers.count(None) < 300


# At the command line.


def test_commands_take_files_of_burrtools(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "two.xmpuzzle"
    path.write_bytes(
        gzip.compress(file((RING, *PIECES), problem('id="2" count="4"'), problem('id="1"', 'id="2" count="2"')).encode())
    )
    assert cli.main(["count", f"{path}#2", "--solver", "dlx"]) == 0
    out, err = capsys.readouterr()
    assert out == "8\n"
    assert f"tiler: note: {path}#2: Tiler does not look here whether the pieces come apart: see tiler apart\n" in err
    assert cli.main(["count", str(path)]) == 2
    assert "it holds 2 problems" in capsys.readouterr().err
    other = tmp_path / "p.txt"
    other.write_text("2x2\n\n2\n")
    assert cli.main(["count", f"{other}#2"]) == 2
    assert "only a file of BurrTools holds problems by number" in capsys.readouterr().err
    written = tmp_path / "written.xmpuzzle"
    assert cli.main(["convert", str(other), "-o", str(written)]) == 0
    assert written.read_bytes()[:2] == b"\x1f\x8b"
    assert cli.main(["count", str(written), "--solver", "dlx"]) == 0
    assert capsys.readouterr().out == "2\n"
    assert formats.read(written).name == f"{tmp_path.name}/written"


def spheres(*cells: tuple[int, int, int]) -> str:
    places = {GRIDS[2].place(cell) for cell in cells}
    # Moved to where no place is negative, which keeps black places of the checkerboard black.
    moved = {(x + 4, y + 4, z + 4) for x, y, z in places}
    letters = "".join("_#"[(x, y, z) in moved] for z in range(8) for y in range(8) for x in range(8))
    return f'<voxel x="8" y="8" z="8" type="0">{letters}</voxel>'


def test_spheres_that_only_the_program_turns_by_a_sixth() -> None:
    bent = [(0, 0, 0), (0, 0, 1), (0, 1, 1)]
    turned = [(0, 0, 0), (0, -1, 1), (0, -1, 2)]
    assert GRIDS[2].turned_further(frozenset(bent)) == [frozenset(turned)]
    once = problem('id="1"')
    assert counted(read(file((spheres(*bent), spheres(*bent)), once, grid=2))) == 1
    line = error(file((spheres(*turned), spheres(*bent)), once, grid=2).encode())
    assert (
        line == "p.xmpuzzle: piece S2 lies in one layer, in which BurrTools also turns it by a sixth; that cannot be asked here"
    )
    # A row, and three in a triangle, have no more places than the packing gives them.
    assert not any(
        map(GRIDS[2].turned_further, (frozenset({(0, 0, 0), (0, 0, 1), (0, 0, 2)}), frozenset({(0, 0, 0), (0, 0, 1), (0, 1, 0)})))
    )
