"""Puzzles in which sides must match: sets of MacMahon, cubes, nuts, cards, paths, dominoes in a row, and Wang tiles.

A tile of one cell is a word, a letter for each side, in the order of problem files: clockwise, those of squares from the top.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product

from tiler.bench import families
from tiler.model.about import About
from tiler.model.expected import Expected, Status
from tiler.model.instance import Instance
from tiler.model.lattice import Lattice
from tiler.model.lattices import CUBIC, HEXAGONAL, SQUARE, TRIANGULAR
from tiler.model.paint import Ground, Paint, Side, border_of, coat_of, sides
from tiler.model.shapes import parse_board
from tiler.model.tile import Tile
from tiler.model.wrap import FLAT, parse_wrap

PASTIMES = "P. A. MacMahon, New Mathematical Pastimes, 1921"
FELDMAN = "G. Feldman, MacMahon squares, Stanford, 1964 (12261 solutions)"
CONWAY = "J. H. Conway's tableau; I. Johnson and E. Roldan, arxiv.org/abs/2407.13208 (two ways)"
SCHERPHUIS = "J. Scherphuis, jaapsch.net/puzzles/circus.htm"
JEANDEL_RAO = "E. Jeandel and M. Rao, An aperiodic set of 11 Wang tiles, Advances in Combinatorics 1, 2021"
KARI = "J. Kari, A small aperiodic set of Wang tiles, Discrete Mathematics 160, 1996"
CULIK = "K. Culik, An aperiodic set of 13 Wang tiles, Discrete Mathematics 160, 1996"
WANG = "H. Wang, Proving theorems by pattern recognition, Bell System Technical Journal 40, 1961"
REISS = "M. Reiss, Annali di Matematica 5, 1871; oeis.org/A135388 (Eulerian circuits of complete graphs)"
PATHS = "C. Titus and C. Schensted, Psyche-Paths; M. McManaway, Tantrix"

#: The nuts of Drive Ya Nuts, and the tents of Circus Puzzler.
NUTS = "123456 143652 146235 162453 164253 165324 165432"
TENTS = "rygowb rygowb rybowg rybowg rwgoyb rwgoyb rwboyg"
#: Halves of four monkeys: a capital is a head, which fits the body of the same colour.
MONKEYS = "GRbp PbpG BGbr PgrB rPGp BRgp RgrB GBpr PRpg"
#: Wang tiles, right, top, left and bottom, as these articles list them; fractions are letters, and `o` is their 0'.
JEANDEL_RAO_TILES = "2421 2220 1131 1232 3133 0131 0001 3102 0212 1214 3312"
CULIK_TILES = "o0oo o1o2 h0o1 hoo1 h0ho h1h2 o1h1 1201 2101 2211 0110 0220 1120"
KARI_TILES = "m1m2 01m1 m001 0102 o2a1 b2o1 c2b1 a2b2 o2c2 a1o1 o1b1 b1c1 b1a0 c1o0"


def necklaces(letters: str, length: int) -> list[str]:
    """The words of so many letters, one of all that turn into each other."""
    words = map("".join, product(letters, repeat=length))
    return [word for word in words if word == min(word[k:] + word[:k] for k in range(length))]


def upright(tiles: str) -> list[str]:
    """Wang tiles, in our order."""
    return [f"{top}{right}{bottom}{left}" for right, top, left, bottom in tiles.split()]


#: The cubes with six colours: the first lies on top, each of the others below it.
CUBES = [
    f"{''.join((rest[0], *around))}1{below}"
    for below in "23456"
    for rest in ["23456".replace(below, "")]
    for around in permutations(rest[1:])
]
#: The eight of these that build one of them, CUBES[0].
EIGHT: list[str] = []
TWO, THREE, FOUR = necklaces("rg", 4), necklaces("rgb", 4), necklaces("rgby", 3)
JIGSAW = necklaces("tb", 4)
#: Hexagons with three paths in three colours, but for the two where all are straight.
LINKS = [word for word in necklaces("rgb", 6) if set(Counter(word).values()) == {2} and word[:3] != word[3:]]
SIXTEEN = list(map("".join, product("01", repeat=4)))


@dataclass(frozen=True)
class Puzzle:
    """A puzzle with tiles of one cell, each once. `counts` are its tilings, all and up to symmetry, None where they are not known."""

    name: str
    title: str
    board: str
    words: Sequence[str]
    source: str
    counts: tuple[int | None, int | None]
    lattice: Lattice = SQUARE
    wrap: str = ""
    border: str = ""  #: the mark of all sides there, or one for each direction
    mates: Sequence[str] = ()
    turns: bool = True
    unlimited: bool = False


ONE_COLOUR = "; turns, mirror images and exchanged colours counted once: {}"
PUZZLES = (
    Puzzle("macmahon-6-3x2", "MacMahon's six squares of two colours: 3x2", "3x2", TWO, PASTIMES, (416, None)),
    Puzzle("macmahon-6-6x1", "MacMahon's six squares of two colours: 6x1", "6x1", TWO, PASTIMES, (1_920, None)),
    Puzzle("macmahon-9-3x3", "MacMahon's nine squares with all of three colours: 3x3", "3x3", NINE, PASTIMES, (178_128, None)),
    Puzzle(
        "macmahon-9-torus-3x3",
        "MacMahon's nine squares with all of three colours: torus 3x3",
        "3x3",
        NINE,
        PASTIMES,
        (1_584, None),
        wrap="rows columns",
    ),
    Puzzle(
        "macmahon-24-6x4",
        "MacMahon's 24 squares of three colours, border of one colour: 6x4",
        "6x4",
        THREE,
        f"{PASTIMES}; {FELDMAN}{ONE_COLOUR.format(13_328)}",
        (106_624, None),
        border="r",
    ),
    Puzzle(
        "macmahon-24-8x3",
        "MacMahon's 24 squares of three colours, border of one colour: 8x3",
        "8x3",
        THREE,
        PASTIMES,
        (0, None),
        border="r",
    ),
    Puzzle("jigsaw-6-3x2", "The six squares with tabs and blanks: 3x2", "3x2", JIGSAW, "", (1_456, None), mates=("tb",)),
    Puzzle(
        "jigsaw-6-torus-3x2",
        "The six squares with tabs and blanks: torus 3x2",
        "3x2",
        JIGSAW,
        "",
        (144, None),
        wrap="rows columns",
        mates=("tb",),
    ),
    Puzzle(
        "monkeys",
        "Nine cards with halves of monkeys",
        "3x3",
        MONKEYS.split(),
        "a puzzle on sale",
        (4, 1),
        mates=("gG", "bB", "pP", "rR"),
    ),
    Puzzle(
        "macmahon-triangles-4",
        "MacMahon's four triangles of two colours: a triangle",
        "tri:2",
        necklaces("rg", 3),
        PASTIMES,
        (12, None),
        lattice=TRIANGULAR,
    ),
    Puzzle(
        "macmahon-triangles-11",
        "MacMahon's eleven triangles of three colours: a row",
        ".xxxxxxxxxxx",
        necklaces("rgb", 3),
        PASTIMES,
        (2_062_752, None),
        lattice=TRIANGULAR,
    ),
    Puzzle(
        "macmahon-triangles-24",
        "MacMahon's 24 triangles of four colours, border of one colour: a hexagon",
        "hex:2",
        necklaces("rgby", 3),
        f"{PASTIMES}{ONE_COLOUR.format(164_636)}",
        (11_853_792, None),
        lattice=TRIANGULAR,
        border="r",
    ),
    Puzzle(
        "macmahon-cubes-30",
        "MacMahon's thirty cubes: eight that build one of them",
        "2x2x2",
        CUBES,
        CONWAY,
        (2, 2),
        lattice=CUBIC,
        border=CUBES[0],
        chosen=True,
    ),
    Puzzle("drive-ya-nuts", "Drive Ya Nuts: seven nuts", "hex:2", NUTS.split(), SCHERPHUIS, (6, 1), lattice=HEXAGONAL),
    Puzzle("circus-puzzler", "Circus Puzzler: seven tents", "hex:2", TENTS.split(), SCHERPHUIS, (12, 2), lattice=HEXAGONAL),
    Puzzle(
        "links-14-torus-7x2",
        "Fourteen hexagons with three paths: torus 7x2",
        "rhombus:7x2",
        LINKS,
        PATHS,
        (12_600, None),
        lattice=HEXAGONAL,
        wrap="rows columns",
    ),
    Puzzle(
        "wang-16-4x4",
        "All Wang tiles of two colours, border of one: 4x4",
        "4x4",
        SIXTEEN,
        WANG,
        (652, None),
        border="0",
        turns=False,
    ),
    Puzzle(
        "wang-16-torus-3x3",
        "All Wang tiles of two colours, any number of each: torus 3x3",
        "3x3",
        SIXTEEN,
        f"{WANG}; 2 to the power of 18",
        (2**18, None),
        wrap="rows columns",
        turns=False,
        unlimited=True,
    ),
    *(
        Puzzle(
            f"{name}-{size}",
            f"The {len(words)} Wang tiles of {who}: {size}",
            size,
            words,
            source,
            (count, None),
            turns=False,
            unlimited=True,
        )
        for name, who, words, source, size, count in (
            ("jeandel-rao", "Jeandel and Rao", upright(JEANDEL_RAO_TILES), JEANDEL_RAO, "3x3", 444),
            ("jeandel-rao", "Jeandel and Rao", upright(JEANDEL_RAO_TILES), JEANDEL_RAO, "5x5", 9_172),
            ("culik", "Culik", upright(CULIK_TILES), CULIK, "3x3", 1_240),
            ("culik", "Culik", upright(CULIK_TILES), CULIK, "4x4", 14_810),
            ("kari", "Kari", upright(KARI_TILES), KARI, "3x3", 3_052),
            ("kari", "Kari", upright(KARI_TILES), KARI, "4x4", 58_910),
        )
    ),
    *(
        Puzzle(
            f"{name}-torus-{size}",
            f"The {len(words)} Wang tiles of {who}: torus {size}",
            size,
            words,
            f"{source} (no torus)",
            (0, None),
            wrap="rows columns",
            turns=False,
            unlimited=True,
        )
        for name, who, words, source, size in (
            ("jeandel-rao", "Jeandel and Rao", upright(JEANDEL_RAO_TILES), JEANDEL_RAO, "4x4"),
            ("jeandel-rao", "Jeandel and Rao", upright(JEANDEL_RAO_TILES), JEANDEL_RAO, "7x5"),
            ("culik", "Culik", upright(CULIK_TILES), CULIK, "4x4"),
            ("kari", "Kari", upright(KARI_TILES), KARI, "4x4"),
        )
    ),
)


def edges() -> Iterator[Instance]:
    """Every puzzle."""
    for each in PUZZLES:
        yield _instance(each)
    for spots in (2, 3, 4):
        yield _row(spots)
    for name, size, number, count in DRAWN:
        yield _drawn(name, size, number, count)


def _instance(puzzle: Puzzle) -> Instance:
    lattice = puzzle.lattice
    board = parse_board(puzzle.board, lattice)[0]
    if lattice is CUBIC:
        border = dict.fromkeys(())
    wrap = parse_wrap(puzzle.wrap, lattice, board) if puzzle.wrap else FLAT
