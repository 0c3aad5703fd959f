"""The instances of the Tiler thesis: families of one tile, many different tiles once each, and a few tiles with bounds."""

from __future__ import annotations

from collections.abc import Iterator

from corpora.boards import corners, diamond, h_board, hskew, l_board, plus, rectangle, skew
from corpora.described import described
from tiler.model.instance import Instance
from tiler.model.lattice import Shape
from tiler.model.shapes import parse_map, parse_shape
from tiler.model.tile import Tile

GOLOMB = "S. W. Golomb, Polyominoes: Puzzles, Patterns, Problems, and Packings, 2nd edition, 1994"
MARTIN = "G. E. Martin, Polyominoes: A Guide to Puzzles and Problems in Tiling, 1991"
THESIS = "Tiler thesis instances, 2022"

# Tile sets, in the order in which solvers get to try the tiles.
MONOMINO_TO_TETROMINOES = ["1", "2", "3I", "3L", "4I", "4J", "4L", "4O", "4S", "4T", "4Z"]
PENTOMINOES = ["5A", "5F", "5G", "5J", "5P", "5S", "5Y", "5R", "5N", "5L", "5Q", "5Z", "5I", "5T", "5U", "5V", "5W", "5X"]
ONE_SIDED = MONOMINO_TO_TETROMINOES + PENTOMINOES
FREE_TETROMINOES = ["4I", "4J", "4O", "4S", "4T"]
FREE_PENTOMINOES = ["5A", "5F", "5G", "5J", "5P", "5S", "5I", "5T", "5U", "5V", "5W", "5X"]

IRREGULAR = {
    "fcr": """\
...xx
...xx
...xxx.xx
...xxxxxx
xxxxxxxxx
.xxxxxxxxx
xxxxxxx
.xxx.xx
.....xx
.....xxxx
.....xxxx
......xxx
.....xx""",
    "plus": """\
...xxxx
...xxxx
...xxxx
xxxxxxxxxx
xxxx..xxxx
xxxx..xxxx
xxxxxxxxxx
...xxxx
...xxxx
...xxxx""",
    "sideways": """\
...x
..xxx
.xxxxx
xxxxxxx
.xxxxxxx
..xxxxxxx
...xxxxxxx
....xxxxxxx
.....xxxxxxx
......xxxxx
.......xxx
........x""",
    "mess-01": """\
.xx.xxx.xxx
xx.xx.xxx.x
.xxx....xxx
xxx..xxxx.x
..xx.x....x
xxxxxx.xxxx
xx..xxxxx.x""",
    "mess-02": """\
...xxxxxxxxx
x..x.x.xx..x
xxxx.......x
.x.x.....xxx
.x.....xxx
xx.....x
xx.xxxxx
x..x.........x
...x.........x
...xxx.......x
.....xx.....xx
......xxx..xx
........xxxx
...........x""",
    "misc-02": """\
xxxx
xxxxx
xxxxx
xxxxx
xxxx""",
    "snake": """\
x
xxx
..x
..xx
...xxx
.....x
.....x
.....xx
......xxxx
.........x
.........xxxx
...........xxx
.............xx
..............xxxx
................xxx
..................xxx
....................x
...................xx
....................xxx
....................xx
.....................xx
......................xx
.......................x
.......................xx
........................xxxx
...........................xxx
............................xxx
..............................xxx
................................x
................................xxxxxx
.................................x...xx
.....................................xxx
.......................................xxxx
..........................................x
..........................................x
..........................................xx
...........................................xx
...........................................xx
............................................xxx
..............................................x
..............................................xxx
................................................x
................................................x
................................................x
................................................xxxx
..................................................x
..................................................x""",
}


def irregular(name: str) -> Shape:
    return parse_map(IRREGULAR[name])[0]


def snake(area: int) -> Shape:
    """The first cells of the long snake, in reading order."""
    return frozenset(sorted(irregular("snake"))[:area])


def problem(
    name: str,
    title: str,
    board: Shape,
    tiles: list[str],
    *,
    solvable: bool = True,
    reflections: bool = False,
    source: str = THESIS,
) -> Instance:
    """An instance of the thesis; `tiles` are names, with `N:` before those that have only so many copies."""
    made = Instance(board, tuple(tile(written) for written in tiles), reflections=reflections)
    return described(made, name, title, source, ("thesis",), solvable=solvable)


def tile(written: str) -> Tile:
    count, _, name = written.rpartition(":")
    return Tile(name, parse_shape(name), int(count) if count else None)


def one_each(names: list[str]) -> list[str]:
    return [f"1:{name}" for name in names]


def rectangles(
    family: str, sizes: list[tuple[int, int]], *, pieces: str = "", solvable: bool = True, martin: tuple[int, int] | None = None
) -> Iterator[Instance]:
    """One tile, as often as wanted, on rectangles; `martin` is the size that Martin's book has."""
    for width, height in sizes:
        yield problem(
            f"{family}/{width:02}x{height:02}",
            f"{pieces or family} on {width}x{height}",
            rectangle(width, height),
            [family],
            solvable=solvable,
            source=MARTIN if (width, height) == martin else THESIS,
        )


def squares(family: str, sides: range, *, pieces: str = "") -> Iterator[Instance]:
    for side in sides:
        name = f"{family}/square-{side:02}x{side:02}"
        yield problem(name, f"{pieces or family} on a square, {side}x{side}", rectangle(side, side), [family])


def sizes(width: int, heights: range) -> list[tuple[int, int]]:
    return [(width, height) for height in heights]


def ells(family: str, *, solvable: bool) -> Iterator[Instance]:
    for size in range(4, 32, 3):
        title = f"{family} on an L with arms 2 wide and {size} long"
        yield problem(f"{family}/L-02x{size:02}", title, l_board(2, size), [family], solvable=solvable)


def one_tile() -> Iterator[Instance]:
    """Families of one tile without bounds."""
    yield from rectangles("1", sizes(1, range(4, 12)) + sizes(2, range(4, 12)), pieces="Monominoes")
    yield from squares("1", range(4, 12), pieces="Monominoes")

    yield from rectangles("2", sizes(1, range(4, 20, 2)) + sizes(2, range(4, 20, 2)), pieces="Dominoes")
    yield from squares("2", range(4, 20, 2), pieces="Dominoes")
    for width, height in [(4, 4), (4, 6), (6, 6), (6, 8), (8, 8), (8, 10)]:
        title = f"Mutilated chessboard {width}x{height} (two opposite corners missing) with dominoes"
        yield problem(f"2/corners-{width:02}x{height:02}", title, corners(width, height), ["2"], solvable=False)

    for family in ("3I", "3L"):
        yield from rectangles(family, sizes(3, range(4, 20, 2)) + sizes(5, range(6, 22, 3)))
        yield from ells(family, solvable=family == "3L")
    for width in (4, 5):
        title = f"3I on three quarters of a square, {2 * width}x{2 * width}"
        yield problem(f"3I/L-square-{width:02}x{2 * width:02}", title, l_board(width, 2 * width), ["3I"], solvable=False)

    odd_quarters = [(2, 6), (6, 6), (6, 10), (10, 10)]
    yield from rectangles("4I", [*odd_quarters, (10, 14), (14, 14)], solvable=False, martin=(10, 10))
    yield from rectangles("4L", odd_quarters, solvable=False, martin=(10, 10))

    yield from rectangles("4O", sizes(2, range(8, 24, 2)) + sizes(4, range(8, 24, 2)))
    yield from rectangles("4O", sizes(5, range(8, 32, 4)), solvable=False)
    yield from squares("4O", range(8, 24, 2))


def many_unique() -> Iterator[Instance]:
    """Many tiles, one copy of each."""
    one_sided = [
        ("2-3-4-5", "All one-sided polyominoes of 2 to 5 cells", ONE_SIDED[1:], [(3, 42), (6, 21), (7, 18), (9, 14)]),
        ("5", "One-sided pentominoes", PENTOMINOES, [(3, 30), (5, 18), (6, 15), (9, 10)]),
    ]
    for name, pieces, names, boards in one_sided:
        for width, height in boards:
            stem = f"many-unique/{name}-{width:02}x{height:02}"
            yield problem(stem, f"{pieces} on {width}x{height}", rectangle(width, height), one_each(names))
    yield from free_pentominoes()
    mess = ["1", "3I", "3L", "4J", "4L", "4O", "4T", "4Z", "5F", "5Y", "5N", "5Q", "5U"]
    for name, names in [("mess-01", mess), ("mess-02", ONE_SIDED[:16])]:
        title = f"{len(names)} different polyominoes on a mess of narrow paths"
        yield problem(f"many-unique/{name}", title, irregular(name), one_each(names))
    for count in range(5, 30, 5):
        names = ONE_SIDED[:count]
        board = snake(sum(len(parse_shape(name)) for name in names))
        for order, first, tiles in [("ord", "smallest", names), ("rev", "largest", names[::-1])]:
            title = f"Snake of {count} tiles, the {first} first"
            yield problem(f"many-unique/snake-{order}-{count:02}", title, board, one_each(tiles))


def free_pentominoes() -> Iterator[Instance]:
    """The free pentominoes, some with the free tetrominoes: one of each, reflections allowed."""

    def free(name: str, pieces: str, where: str, board: Shape, names: list[str], *, solvable: bool = True) -> Instance:
        stem = f"many-unique/{name}"
        return problem(stem, f"{pieces} {where}", board, one_each(names), solvable=solvable, reflections=True, source=GOLOMB)

    for width, height in [(4, 20), (5, 16), (8, 10)]:
        pieces, names = "Free tetrominoes and pentominoes", FREE_TETROMINOES + FREE_PENTOMINOES
        yield free(f"4r-5r-{width:02}x{height:02}", pieces, f"on {width}x{height}", rectangle(width, height), names)

    boards = []
    for width, height in [(3, 20), (4, 15), (5, 12), (6, 10)]:
        size, title = f"{width:02}x{height:02}", f"on {width}x{height}"
        boards.append((size, title, rectangle(width, height)))
        boards.append((f"skew-{size}", f"{title}, each column one lower than the one before", skew(width, height)))
    boards += [("H-08x09", "on an H, 8x9", h_board(8, 9)), ("fcr", "on an irregular board, fcr", irregular("fcr"))]
    unsolvable = [
        ("diamond", "on a diamond without its centre", diamond(5)),
        ("hskew-06x10", "on 6x10, each row one further right than the one above", hskew(6, 10)),
        ("plus", "on a windmill around a 2x2 hole", irregular("plus")),
        ("sideways", "on a rectangle turned by 45 degrees", irregular("sideways")),
    ]
    for solvable, group in [(True, boards), (False, unsolvable)]:
        for name, where, board in group:
            yield free(f"5r-{name}", "Free pentominoes", where, board, FREE_PENTOMINOES, solvable=solvable)


def few_tiles() -> Iterator[Instance]:
    """Families of a few different tiles with bounds."""
    small = ["1:4L", "1:3L", "1:3I", "1:4O", "1:1"]
    skewed = ["1:3L", "1:4L", "4:4Z"]
    for reflections in (False, True):
        end = ", reflections allowed" if reflections else ""
        yield problem("misc/01", f"Five different tiles on 3x5{end}", rectangle(3, 5), small, reflections=reflections)
        title = f"3L, 4L and four 4Z on 5x5 without two corners{end}"
        yield problem("misc/02", title, irregular("misc-02"), skewed, solvable=reflections, reflections=reflections)
    yield problem(
        "misc/03", "Twelve each of 4L and 4J, and four monominoes, on 10x10", rectangle(10, 10), ["12:4L", "12:4J", "4:1"]
    )

    for side in (4, 5, 7, 8, 10, 11):
        size, board = f"{side:02}x{side:02}", rectangle(side, side)
        title = f"One monomino and 3I on {side}x{side}"
        yield problem(f"mixed/1-3I-{size}", title, board, ["1:1", "3I"], source=MARTIN if side == 7 else THESIS)
        yield problem(f"mixed/3I-1-{size}", f"3I and one monomino on {side}x{side}", board, ["3I", "1:1"])
    yield problem("mixed/3L-4J-10x14", "Twenty each of 3L and 4J on 10x14", rectangle(10, 14), ["20:3L", "20:4J"])
    for side, count, word in [(4, 3, "three"), (6, 8, "eight")]:
        size, board, several = f"{side:02}x{side:02}", rectangle(side, side), f"{count}:4T"
        source = MARTIN if side == 6 else THESIS
        title = f"One 4O and {word} 4T on {side}x{side}"
        yield problem(f"mixed/4Os-4T-{size}", title, board, ["1:4O", several], solvable=False, source=source)
        title = f"{word.capitalize()} 4T and one 4O on {side}x{side}"
        yield problem(f"mixed/4T-4Os-{size}", title, board, [several, "1:4O"], solvable=False)
    yield problem("mixed/5Q-4L-plus-03x09", "Five each of 5Q and 4L on a plus with arms 3 wide", plus(3, 9), ["5:5Q", "5:4L"])


def thesis() -> Iterator[Instance]:
    """The instances of the Tiler thesis."""
    yield from one_tile()
    yield from many_unique()
    yield from few_tiles()
