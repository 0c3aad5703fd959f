"""Drawings say what the tiling says: borders, colours, areas and names are read back out of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random
from time import process_time
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from square import lattice_of, neighbours

from tiler import formats
from tiler.backends.coloring import picture
from tiler.cover.board import BoardCover
from tiler.cover.remainder import Remainder
from tiler.errors import InputError
from tiler.model.about import About
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Shape, box, move
from tiler.model.lattices import SQUARE
from tiler.model.tile import Placement, Tile
from tiler.render import cell_outlines, colours, lettering, scene, svg, text
from tiler.render.options import PictureLook

ANSI = re.compile(r"\x1b\[[0-9;]*m")
SVG = "{http://www.w3.org/2000/svg}"
CELL = int(scene.SIDE)
ARMS = dict(zip(" │┘┐┤└┌├─┴┬┼", (0, 3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15), strict=True))  # 1 up, 2 down, 4 left, 8 right
NAMED = PictureLook(names=True)
MONOMINO = (Tile("1", frozenset({(0, 0)})),)


def colours_of(solution: Sequence[Placement]) -> list[int]:
    return colours.assign(lattice_of(cell for placement in solution for cell in placement.cells), solution)


def letters_of(solution: Sequence[Placement]) -> list[str]:
    return lettering.assign_letters(lattice_of(cell for placement in solution for cell in placement.cells), solution)


def instance(board: Shape, optional: Shape = frozenset()) -> Instance:
    return Instance(board, MONOMINO, optional=optional)


def tiling(*layers: str) -> tuple[Instance, list[Placement]]:
    """A picture with a letter per tile, `.` outside the board and `o` uncovered, as an instance and a solution."""
    cells: dict[str, set[Cell]] = {}
    for z, layer in enumerate(layers):
        for y, row in enumerate(layer.split()):
            for x, sign in enumerate(row):
                cells.setdefault(sign, set()).add((z, y, x) if len(layers) > 1 else (y, x))
    cells.pop(".", None)
    board = frozenset[Cell]().union(*cells.values())
    optional = frozenset(cells.pop("o", ()))
    return instance(board, optional=optional), [Placement(sign, frozenset(some)) for sign, some in sorted(cells.items())]


@st.composite
def tilings(draw: st.DrawFn, sides: tuple[int, ...] | None = None) -> tuple[Instance, list[Placement]]:
    """A board anywhere, with holes, cut into arbitrary sets of cells, some of it uncovered."""
    sides = sides or draw(st.sampled_from([(1, 7), (5, 6), (7, 3), (3, 3, 3), (2, 4, 3)]))
    low = draw(st.tuples(*[st.integers(-9, 9) for _ in sides]))
    cells: list[Cell] = [()]
    for start, side in zip(low, sides, strict=True):
        cells = [(*cell, start + step) for cell in cells for step in range(side)]
    signs = draw(st.lists(st.sampled_from(".oABCDEFGH"), min_size=len(cells), max_size=len(cells)))
    signs[0] = "A"
    parts = {sign: frozenset(c for c, s in zip(cells, signs, strict=True) if s == sign) for sign in sorted(set(signs))}
    board = frozenset(cells) - parts.pop(".", frozenset())
    drawn = instance(board, optional=parts.pop("o", frozenset()))
    names = draw(st.lists(st.sampled_from(["4T", "5F", "3I"]), min_size=len(parts), max_size=len(parts)))
    return drawn, [Placement(name, part) for name, part in zip(names, parts.values(), strict=True)]


def owners(solution: list[Placement]) -> dict[Cell, int]:
    return {cell: number for number, placement in enumerate(solution) for cell in placement.cells}


def clash(solution: list[Placement], marks: list[int] | list[str]) -> bool:
    """Whether two placements that share a side have the same mark."""
    owner = owners(solution)
    pairs = [(owner[cell], owner[other]) for cell in owner for other in neighbours(cell) if other in owner]
    return any(a != b and marks[a] == marks[b] for a, b in pairs)


def chessboard(side: int) -> tuple[Instance, list[Placement]]:
    board = frozenset((y, x) for y in range(side) for x in range(side))
    return instance(board), [Placement("1", frozenset({cell})) for cell in sorted(board)]


# Text


def lines(*rows: str) -> str:
    return "\n".join(rows)


def test_two_dominoes() -> None:
    assert text.draw(*tiling("AB AB"), colour=False) == lines(
        "┌───┬───┐",
        "│   │   │",
        "│   │   │",
        "│   │   │",
        "└───┴───┘",
    )


def test_all_junctions() -> None:
    assert text.draw(*tiling("AABB ACDB ECDF EEFF"), colour=False) == lines(
        "┌───────┬───────┐",
        "│       │       │",
        "│   ┌───┼───┐   │",
        "│   │   │   │   │",
        "├───┤   │   ├───┤",
        "│   │   │   │   │",
        "│   └───┼───┘   │",
        "│       │       │",
        "└───────┴───────┘",
    )


def test_hole_notch_and_uncovered_cells() -> None:
    assert text.draw(*tiling("AAA B.o B.o BBo ..C"), colour=False) == lines(
        "┌───────────┐",
        "│           │",
        "├───┬───┬───┤",
        "│   │░░░│ · │",
        "│   │░░░│   │",
        "│   │░░░│ · │",
        "│   └───┤   │",
        "│       │ · │",
        "└───────┼───┤",
        "        │   │",
        "        └───┘",
    )


def test_board_without_solution() -> None:
    problem, _ = tiling("AA. A..")
    assert text.draw(problem, (), colour=False) == lines(
        "┌───────┐",
        "│ ·   · │",
        "│   ┌───┘",
        "│ · │",
        "└───┘",
    )
    assert text.draw(problem, (), colour=True) == "· ·\n·"


def test_layers_side_by_side_and_below_each_other() -> None:
    problem, solution = tiling("AB AB", "AB CC")
    assert text.draw(problem, solution, colour=False) == lines(
        "layer 0     layer 1",
        "┌───┬───┐   ┌───┬───┐",
        "│ A │ B │   │ A │ B │",
        "│   │   │   ├───┴───┤",
        "│ A │ B │   │ C   C │",
        "└───┴───┘   └───────┘",
    )
    assert text.draw(problem, solution, colour=False, width=20) == lines(
        "layer 0",
        "┌───┬───┐",
        "│ A │ B │",
        "│   │   │",
        "│ A │ B │",
        "└───┴───┘",
        "",
        "layer 1",
        "┌───┬───┐",
        "│ A │ B │",
        "├───┴───┤",
        "│ C   C │",
        "└───────┘",
    )
    assert text.draw(problem, solution, colour=False, width=7) == "layer 0\nAB\nAB\n\nlayer 1\nAB\nCC"


def test_forms_by_width() -> None:
    problem, solution = tiling("AAAB ABBB")
    assert max(map(len, text.draw(problem, solution, colour=False, width=17).splitlines())) == 17
    compact = lines("┌─────┬─┐", "│ ┌───┘ │", "└─┴─────┘")
    assert text.draw(problem, solution, colour=False, width=16) == compact
    assert text.draw(problem, solution, colour=False, width=9) == compact
    assert text.draw(problem, solution, colour=False, width=8) == "AAAB\nABBB"
    assert text.draw(problem, solution, colour=False, width=1) == "AAAB\nABBB"


def test_compact_form_is_only_for_areas_that_are_tiles() -> None:
    assert text.draw(*tiling("AAAo ABBB"), colour=False, width=10) == "AAA·\nABBB"
    assert text.draw(*tiling("AAA A.A AAA"), colour=False, width=10) == "AAA\nA.A\nAAA"


def test_tiles_in_parts_carry_letters() -> None:
    problem, solution = tiling("ABAB")
    problem = replace(problem, tiles=(Tile("split", frozenset({(0, 0), (0, 2)})),))
    assert "│ A │ B │ A │ B │" in text.draw(problem, solution, colour=False)


def test_colour() -> None:
    problem, solution = tiling("AAo A.B")
    one, two = (colours.terminal(number) for number in colours_of(solution))
    assert text.draw(problem, solution, colour=True) == lines(
        f"\x1b[38;5;16;48;5;{one}m    \x1b[0m·",
        f"\x1b[38;5;16;48;5;{one}m  \x1b[0m  \x1b[38;5;16;48;5;{two}m  \x1b[0m",
    )


@pytest.mark.parametrize(("width", "size"), [(80, 2), (14, 2), (13, 1), (3, 1)])
def test_size_in_colour(width: int, size: int) -> None:
    board = frozenset((y, x) for y in range(5) for x in range(7))
    solution = [Placement(f"tile{y}", frozenset((y, x) for x in range(7))) for y in range(5)]
    drawing = text.draw(instance(board), solution, colour=True, width=width)
    assert [len(ANSI.sub("", line)) for line in drawing.split("\n")] == [7 * size] * 5
    assert all(line.endswith("\x1b[0m") for line in drawing.split("\n"))


@given(tilings())
def test_layers_in_colour_line_up(drawn: tuple[Instance, list[Placement]]) -> None:
    coloured = ANSI.sub("", text.draw(*drawn, colour=True, width=30))
    assert max(map(len, coloured.split("\n"))) <= 30
    assert coloured.count("·") == len(drawn[0].board) - len(owners(drawn[1]))
    if drawn[0].dimension == 3:
        signs = re.sub(r"layer -?\d+|[\s·]", "", coloured)
        assert len(signs) == len(owners(drawn[1]))


@given(tilings(sides=(5, 6)))
def test_borders_are_where_neighbours_differ(drawn: tuple[Instance, list[Placement]]) -> None:
    problem, solution = drawn
    owner = dict.fromkeys(problem.board, -1) | owners(solution)
    (top, left), (bottom, right) = box(problem.board)
    drawing = [line.ljust(4 * (right - left + 1) + 1) for line in text.draw(problem, solution, colour=False).split("\n")]
    for y in range(top, bottom + 1):
        for x in range(left, right + 1):
            i, j = 2 * (y - top), 4 * (x - left)
            here = owner.get((y, x))
            assert (drawing[i][j + 1] == "─") == (here != owner.get((y - 1, x)))
            assert (drawing[i + 2][j + 1] == "─") == (here != owner.get((y + 1, x)))
            assert (drawing[i + 1][j] == "│") == (here != owner.get((y, x - 1)))
            assert (drawing[i + 1][j + 4] == "│") == (here != owner.get((y, x + 1)))
            assert (drawing[i + 1][j + 2] == "·") == (here == -1)
    arms = [[ARMS.get(sign, 0) for sign in line] for line in drawing]
    assert all(bool(a & 8) == bool(b & 4) for row in arms for a, b in pairwise(row))
    assert all(bool(a & 2) == bool(b & 1) for one, two in pairwise(arms) for a, b in zip(one, two, strict=True))


@given(tilings(sides=(5, 6)))
def test_letters_show_every_cell(drawn: tuple[Instance, list[Placement]]) -> None:
    problem, solution = drawn
    low, _ = box(problem.board)
    owner = dict.fromkeys(problem.board, "·")
    for letter, placement in zip(letters_of(solution), solution, strict=True):
        owner |= dict.fromkeys(placement.cells, letter)
    rows = text.draw(problem, solution, colour=False, width=1).split("\n")
    found = {(low[0] + y, low[1] + x): sign for y, row in enumerate(rows) for x, sign in enumerate(row) if sign != "."}
    assert found == owner


@given(tilings(), st.integers(-9, 9))
def test_pictures_do_not_depend_on_where_the_board_lies(drawn: tuple[Instance, list[Placement]], step: int) -> None:
    problem, solution = drawn
    offset = (0, step, step)[-problem.dimension :]  # Layers are called by their coordinate.
    moved = replace(problem, board=move(problem.board, offset), optional=move(problem.optional, offset))
    there = [Placement(placement.tile, move(placement.cells, offset)) for placement in solution]
    assert text.draw(moved, there, colour=False) == text.draw(problem, solution, colour=False)
    assert svg.draw(moved, there) == svg.draw(problem, solution)


# Colours and letters


@given(tilings())
def test_neighbours_differ(drawn: tuple[Instance, list[Placement]]) -> None:
    _, solution = drawn
    assert not clash(solution, colours_of(solution))
    assert not clash(solution, letters_of(solution))


@given(tilings(), st.randoms(use_true_random=False))
def test_colours_do_not_depend_on_the_order_of_placements(drawn: tuple[Instance, list[Placement]], random: Random) -> None:
    _, solution = drawn
    shuffled = list(solution)
    random.shuffle(shuffled)
    assert dict(zip(shuffled, colours_of(shuffled), strict=True)) == dict(zip(solution, colours_of(solution), strict=True))


def test_every_kind_has_a_colour_of_its_own_while_they_last() -> None:
    kinds = len(colours.PALETTE)
    solution = [Placement(f"tile{x:02}", frozenset({(0, x)})) for x in range(kinds)]
    assert colours_of(solution) == list(range(kinds))


def test_equal_tiles_apart_look_alike() -> None:
    solution = [Placement(name, frozenset({(0, 2 * x)})) for x, name in enumerate("AABBCC")]
    numbers = colours_of(solution)
    assert {number * 3 // len(colours.PALETTE) for number in numbers[:2]} == {0}
    assert {number * 3 // len(colours.PALETTE) for number in numbers[4:]} == {2}


def test_more_neighbours_than_colours_or_letters() -> None:
    # Tile k is column k of layer 0 and row k of layer 1: any two touch.
    side = 70
    cells = [frozenset({(0, y, k) for y in range(side)} | {(1, k, x) for x in range(side)}) for k in range(side)]
    solution = [Placement("rod", part) for part in cells]
    numbers = colours_of(solution)
    assert len(set(numbers)) == len({colours.fill(number) for number in numbers}) == side
    assert len(set(letters_of(solution))) == side
    assert all(len(letter) == 1 for letter in letters_of(solution))


def test_colours_are_distinct_and_readable() -> None:
    def luminance(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    fills = [colours.fill(number) for number in range(200)]
    assert len(set(fills)) == len(fills)
    assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in fills)
    assert min((luminance(colour) + 0.05) / 0.05 for colour in fills) > 4.5
    assert len({colours.terminal(number) for number in range(60)}) == 60
    assert all(16 <= colours.terminal(number) < 232 for number in range(1000))


def test_letters_are_those_of_the_names_if_they_tell_placements_apart() -> None:
    one, two = frozenset({(0, 0)}), frozenset({(0, 1)})
    assert letters_of([Placement("5X", one), Placement("5F", two)]) == ["X", "F"]
    assert letters_of([Placement("4^", two), Placement("4<", one)]) == ["B", "A"]
    assert letters_of([Placement("5X", one), Placement("5X", two)]) == ["A", "B"]


def test_many_placements_share_letters_but_neighbours_do_not() -> None:
    _, solution = chessboard(12)
    assert not clash(solution, letters_of(solution))
    ring = Placement(
        "ring", frozenset((y, x) for y in range(-1, 13) for x in range(-1, 13)) - {c for p in solution for c in p.cells}
    )
    assert not clash([*solution, ring], letters_of([*solution, ring]))


# SVG


def loops(path: ElementTree.Element) -> list[list[tuple[int, int]]]:
    """The corners of a path made of M, H, V and Z, as (x, y) in cells."""
    found = []
    for part in path.attrib["d"].split("Z")[:-1]:
        steps = re.findall(r"([MHV])(-?\d+)(?: (-?\d+))?", part)
        assert "".join("".join([sign, a, " " * bool(b), b]) for sign, a, b in steps) == part
        corners: list[tuple[int, int]] = []
        for sign, a, b in steps:
            x, y = (int(a), int(b)) if sign == "M" else (int(a), corners[-1][1]) if sign == "H" else (corners[-1][0], int(a))
            assert x % CELL == y % CELL == 0 or sign != "M"
            corners.append((x, y))
        found.append([(x // CELL, y // CELL) for x, y in corners])
    return found


def layers_of(document: str) -> tuple[ElementTree.Element, list[ElementTree.Element]]:
    """The document, and the groups of its layers, or of a board in the plane: all but the view of the whole."""
    root = ElementTree.fromstring(document)
    groups = root.findall(f"{SVG}g")
    views = [group for group in groups if group.findtext(f"{SVG}text") == "from above"]
    assert len(views) == (len(groups) > 1)
    return root, [group for group in groups if group not in views]


def of_kind(groups: list[ElementTree.Element], kind: str) -> list[ElementTree.Element]:
    return [path for group in groups for path in group.findall(f".//{SVG}path[@class='{kind}']")]


def area(path: ElementTree.Element) -> int:
    """In cells; loops round holes run the other way and count as negative."""
    twice = sum(x * v - u * y for loop in loops(path) for (x, y), (u, v) in pairwise([*loop, loop[0]]))
    assert twice % 2 == 0
    return twice // 2


@given(tilings())
def test_svg_areas_titles_and_colours(drawn: tuple[Instance, list[Placement]]) -> None:
    problem, solution = drawn
    _, groups = layers_of(svg.draw(problem, solution))
    paths = of_kind(groups, "tile")
    colour = [colours.fill(number) for number in colours_of(solution)]
    for name, fill in set(zip([p.tile for p in solution], colour, strict=True)):
        mine = [path for path in paths if (path.findtext(f"{SVG}title"), path.attrib["fill"]) == (name, fill)]
        cells = [cell for p, c in zip(solution, colour, strict=True) if (p.tile, c) == (name, fill) for cell in p.cells]
        assert sum(map(area, mine)) == len(cells)
    pieces = {(number, cell[:-2]) for cell, number in owners(solution).items()}
    assert len(paths) == len(pieces)
    bare = problem.board - owners(solution).keys()
    assert sum(map(area, of_kind(groups, "uncovered"))) == len(bare)
    assert sum(map(area, of_kind(groups, "optional"))) == len(bare & problem.optional)


@given(tilings())
def test_svg_is_within_its_frame(drawn: tuple[Instance, list[Placement]]) -> None:
    root, groups = layers_of(svg.draw(*drawn))
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    low, high = box(drawn[0].board)
    assert len(groups) == (high[0] - low[0] + 1 if len(low) == 3 else 1)
    for group in root.findall(f"{SVG}g"):
        numbers = re.fullmatch(r"translate\(([\d.]+) ([\d.]+)\)", group.attrib["transform"])
        assert numbers is not None
        x0, y0 = map(float, numbers.groups())
        seen = 0
        for path in group.iter(f"{SVG}path"):
            for x, y in corners(path):
                assert 2 <= x0 + x <= width - 2
                assert 2 <= y0 + y <= height - 2
                seen += 1
        assert seen


def corners(path: ElementTree.Element) -> list[tuple[float, float]]:
    """All points of a path made of M, H, V, L and Z."""
    found: list[tuple[float, float]] = []
    for sign, a, b in re.findall(r"([MHVL])(-?[\d.]+)(?: (-?[\d.]+))?", path.attrib["d"]):
        x, y = found[-1] if found else (0.0, 0.0)
        found.append({"H": (float(a), y), "V": (x, float(a))}.get(sign) or (float(a), float(b)))
    return found


def test_svg_of_a_ring_and_its_hole() -> None:
    root = ElementTree.fromstring(svg.draw(*tiling("AAA A.A AAA")))
    (path,) = root.findall(f".//{SVG}path[@class='tile']")
    assert path.attrib["d"] == "M0 0H60V60H0ZM20 20V40H40V20Z"
    assert (path.findtext(f"{SVG}title"), area(path)) == ("A", 8)
    assert root.find(f".//{SVG}g[@fill-rule='evenodd']") is not None


@pytest.mark.parametrize("first", [0, 4, -2])
def test_layers_are_called_as_messages_and_files_count_them(first: int) -> None:
    """A bare cell of the board is named by its coordinates, and so is the layer that it is drawn in."""
    board = frozenset((first + z, y, 0) for z in range(3) for y in range(2)) | {(first + 3, 1, 7), (first + 3, 1, 1)}
    shown = Instance(board, (Tile("2", frozenset({(0, 0), (0, 1)})),))
    bare = f"no placement covers ({first + 3}, 1, 1), ({first + 3}, 1, 7)"
    assert bare in (BoardCover.of(shown).refusal() or "")
    expected = [f"layer {first + z}" for z in range(4)]
    drawn = text.draw(shown, (), colour=False, width=200)
    assert drawn.splitlines()[0].split("  ")[0] == expected[0]
    assert [heading for heading in expected if heading in drawn] == expected
    for svg_text in (svg.draw(shown, ()), picture.as_file(_plain(shown), "", "svg").decode()):
        captions = [caption.text for caption in ElementTree.fromstring(svg_text).iter(f"{SVG}text")]
        assert [caption for caption in captions if (caption or "").startswith("layer")] == expected
    assert picture.as_text(_plain(shown), 200).splitlines()[0].split("   ")[0].strip() == expected[0]
    with pytest.raises(InputError, match=rf"place: \({first + 3}, 0, 0\) is not a cell of the board"):
        formats.constrained(shown, [("place", f"2 {first + 3},0,0 {first + 3},1,0")])
    placed = formats.constrained(shown, [("place", f"2 {first},0,0 {first},1,0")])
    assert BoardCover.of(placed).by_tile[0].size > 0


def _plain(shown: Instance) -> picture.ProofPicture:
    return picture.picture(Remainder.of(BoardCover.of(shown)), [0] * len(shown.board), examples=False)


def test_svg_of_layers() -> None:
    root, groups = layers_of(svg.draw(*tiling("AB AB", "AC CC")))
    assert [caption.text for caption in root.iter(f"{SVG}text")] == ["layer 0", "layer 1", "from above"]
    assert [path.findtext(f"{SVG}title") for path in of_kind(groups, "tile")] == ["A", "B", "A", "C"]
    # A alone goes on in layer 1, in one cell.
    assert [(dot.attrib["cx"], dot.attrib["cy"]) for dot in root.iter(f"{SVG}circle")] == [("10", "10")]


def test_svg_of_the_whole() -> None:
    root = ElementTree.fromstring(svg.draw(*tiling("AB AB", "AC CC")))
    (view,) = [group for group in root.findall(f"{SVG}g") if group.findtext(f"{SVG}text") == "from above"]
    seen = Counter(path.findtext(f"{SVG}title") for path in of_kind([view], "tile"))
    # A and three C above, A, B and two C in front, two B and two C on the right.
    assert seen == {"A": 2, "B": 3, "C": 7}


def test_svg_of_a_board() -> None:
    problem, _ = tiling("AAo A.o")
    root = ElementTree.fromstring(svg.draw(problem, ()))
    assert root.findall(f".//{SVG}path[@class='tile']") == []
    assert [area(path) for path in root.findall(f".//{SVG}path[@class='uncovered']")] == [5]
    assert [area(path) for path in root.findall(f".//{SVG}path[@class='optional']")] == [2]


def test_svg_title() -> None:
    problem, solution = tiling("AA")
    for title, name, expected in (("T", "n", "T"), ("", "n", "n"), ("", "", "tiling")):
        root = ElementTree.fromstring(svg.draw(replace(problem, about=About(title), name=name), solution))
        assert root.findtext(f"{SVG}title") == expected


@pytest.mark.parametrize("hostile", ["</title><script>alert(1)</script>", "a & b < c > \"d\" 'e'", "]]>", "&lt;", "é ☃ 🧩"])
def test_svg_escapes_names(hostile: str) -> None:
    problem, solution = tiling("AA")
    document = svg.draw(replace(problem, about=About(hostile)), [replace(solution[0], tile=hostile)])
    root = ElementTree.fromstring(document)
    assert [title.text for title in root.iter(f"{SVG}title")] == [hostile, hostile]
    assert "<script" not in document


@given(st.text(st.characters(codec=None)) | st.sampled_from(["\0\x1b[31m", "\ud800", "\ufffe"]))
def test_svg_parses_whatever_the_names(name: str) -> None:
    problem, solution = tiling("AA")
    document = svg.draw(replace(problem, name=name), [replace(solution[0], tile=name)])
    ElementTree.fromstring(document.encode())
    assert "\x1b" not in text.draw(problem, [replace(solution[0], tile=name)], colour=False, width=1)


@given(st.frozensets(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1))
def test_outline(cells: frozenset[tuple[int, int]]) -> None:
    traced = cell_outlines.outline(SQUARE, cells)
    assert traced == sorted(traced)
    twice = 0
    edges = 0
    for loop in traced:
        for (i, j), (k, m) in pairwise([*loop, loop[0]]):
            assert (i == k) != (j == m)
            twice += j * k - m * i
            edges += abs(i - k) + abs(j - m)
        corners = [*loop, *loop[:2]]
        assert all((a[0] == b[0]) != (b[0] == c[0]) for a, b, c in zip(corners, corners[1:], corners[2:], strict=False))
    assert twice == 2 * SQUARE.fine**2 * len(cells)
    assert edges == SQUARE.fine * sum(other not in cells for cell in cells for other in neighbours(cell))


def test_large_boards_are_quick() -> None:
    problem, solution = chessboard(100)
    start = process_time()
    for width in (80, 300, 500):
        text.draw(problem, solution, colour=False, width=width)
    text.draw(problem, solution, colour=True)
    svg.draw(problem, solution)
    # Some 0.6 s on a slow core; the limit only catches what grows with the square of the board.
    assert process_time() - start < 10


# Names


def test_names_run_across_their_pieces() -> None:
    problem, solution = (
        formats.inline(["4x2", "2", "dog=1:4I"]),
        [
            Placement("dog", frozenset((0, x) for x in range(4))),
            Placement("2", frozenset({(1, 0), (1, 1)})),
            Placement("2", frozenset({(1, 2), (1, 3)})),
        ],
    )
    wanted = ("┌───────────────┐", "│      dog      │", "├───────┬───────┤", "│   2   │   2   │", "└───────┴───────┘")
    assert text.draw(problem, solution, colour=False, look=NAMED) == lines(*wanted)
    coloured = ANSI.sub("", text.draw(problem, solution, colour=True, look=NAMED)).split("\n")
    assert [line.split() for line in coloured] == [["dog"], ["2", "2"]]
    # Where there is no room, letters stand for names.
    assert text.draw(problem, solution, colour=False, width=8, look=NAMED) == lines("AAAA", "BBCC", "", "A dog, B", "2, C 2")


@pytest.mark.parametrize("shapes", [["2x2x2", "4L", "4branch"], ["rhombus:4x4", "1:sphinx", "2:bar"]], ids=str)
def test_where_borders_do_not_tell_letters_stand_for_names(shapes: list[str]) -> None:
    problem = formats.inline(shapes, lattice="triangular" if ":" in shapes[0] else None)
    tile = problem.distinct_tiles[0]
    placed = [Placement(tile.name, tile.lattice.normalise(problem.lattice.lift(tile.shape)))]
    assert text.draw(problem, placed, colour=False, look=NAMED).split("\n")[-2:] == ["", f"{letters_of(placed)[0]} {tile.name}"]


def test_more_pieces_than_letters_have_one_letter_for_each_tile() -> None:
    problem = formats.inline(["200x1", "1:long-name=1x1", "1"])
    solution = [Placement("1", frozenset({(0, x)})) for x in range(199)] + [Placement("long-name", frozenset({(0, 199)}))]
    drawn = text.draw(problem, solution, colour=False, look=NAMED).split("\n")
    assert drawn[0] == "A" * 199 + "B"
    assert drawn[2:] == ["A 1, B long-name"]


def test_a_proof_shows_each_tile_beside_the_board_and_marks_the_odd_one() -> None:
    remainder = Remainder.of(BoardCover.of(formats.inline(["4x5", "1:tetrominoes"])))
    weights = [(row + column) % 2 for row, column in remainder.cover.cells]
    shown = picture.picture(remainder, weights)
    assert [tile.heading for tile in shown.tiles] == [
        *(f"{name}: 2 black, 2 white" for name in ("4I", "4L", "4O", "4S")),
        "4T: 1 or 3 black, 3 or 1 white (the odd one)",
    ]
    assert [tile.is_odd for tile in shown.tiles] == [False, False, False, False, True]
    assert shown.examples == ()
    page = picture.page(shown, "every tile but one covers an even number of black cells " * 3)
    assert page.width == picture.page(shown).width  # The caption is no wider than the picture.
