"""Puzzles in which sides must match: sets of MacMahon, cubes, nuts, cards, paths, dominoes in a row, and Wang tiles.

A tile of one cell is a word, a letter for each side, in the order of problem files: clockwise, those of squares from the top.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from operator import sub

from corpora.described import described
from tiler.bench import families
from tiler.model.instance import Instance
from tiler.model.lattice import Lattice
from tiler.model.lattices import CUBIC, HEXAGONAL, SQUARE, TRIANGULAR
from tiler.model.paint import CellSide, Ground, Paint, border_of, coat_of, sides
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
    """All words with this number of letters, one of each set of words that turn into each other."""
    words = map("".join, product(letters, repeat=length))
    return [word for word in words if word == min(word[k:] + word[:k] for k in range(length))]


def upright(tiles: str) -> list[str]:
    """Wang tiles, in our order."""
    return [f"{top}{right}{bottom}{left}" for right, top, left, bottom in map(tuple, tiles.split())]


#: The cubes with six colours: the first lies on top, each of the others below it.
CUBES = [
    f"{''.join((rest[0], *around))}1{below}"
    for below in "23456"
    for rest in ["23456".replace(below, "")]
    for around in permutations(rest[1:])
]
TWO, THREE = necklaces("rg", 4), necklaces("rgb", 4)
NINE = [word for word in THREE if len(set(word)) == 3]
JIGSAW = necklaces("tb", 4)
#: Hexagons with three paths in three colours, but for the two where all are straight.
LINKS = [word for word in necklaces("rgb", 6) if set(Counter(word).values()) == {2} and word[:3] != word[3:]]
SIXTEEN = list(map("".join, product("01", repeat=4)))


@dataclass(frozen=True)
class Puzzle:
    """A puzzle with tiles of one cell, each once; at most once if they are `chosen` from. `counts` are its tilings, all and up to
    symmetry, None where they are not known."""

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
    turning: bool = True
    chosen: bool = False
    by: str = "dlx and backtracking"  #: who counted
    unlimited: bool = False


ONE_COLOUR = "; turns, mirror images and exchanged colours counted once: {}"
PUZZLES = (
    Puzzle("macmahon-6-3x2", "MacMahon's six squares of two colours: 3x2", "3x2", TWO, PASTIMES, (416, 104)),
    Puzzle("macmahon-6-6x1", "MacMahon's six squares of two colours: 6x1", "6x1", TWO, PASTIMES, (1_920, 480)),
    Puzzle("macmahon-9-3x3", "MacMahon's nine squares with all of three colours: 3x3", "3x3", NINE, PASTIMES, (178_128, 22_284)),
    Puzzle(
        "macmahon-9-torus-3x3",
        "MacMahon's nine squares with all of three colours: torus 3x3",
        "3x3",
        NINE,
        PASTIMES,
        (1_584, 24),
        wrap="rows columns",
    ),
    Puzzle(
        "macmahon-24-6x4",
        "MacMahon's 24 squares of three colours, border of one colour: 6x4",
        "6x4",
        THREE,
        f"{PASTIMES}; {FELDMAN}{ONE_COLOUR.format(13_328)}",
        (106_624, 26_656),
        border="r",
        by="dlx and xcover",
    ),
    Puzzle(
        "macmahon-24-8x3",
        "MacMahon's 24 squares of three colours, border of one colour: 8x3",
        "8x3",
        THREE,
        PASTIMES,
        (0, 0),
        border="r",
        by="dlx and xcover",
    ),
    Puzzle("jigsaw-6-3x2", "The six squares with tabs and blanks: 3x2", "3x2", JIGSAW, "", (1_456, 364), mates=("tb",)),
    Puzzle(
        "jigsaw-6-torus-3x2",
        "The six squares with tabs and blanks: torus 3x2",
        "3x2",
        JIGSAW,
        "",
        (144, 6),
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
        (12, 2),
        lattice=TRIANGULAR,
    ),
    Puzzle(
        "macmahon-triangles-11",
        "MacMahon's eleven triangles of three colours: a row",
        ".xxxxxxxxxxx",
        necklaces("rgb", 3),
        PASTIMES,
        (2_062_752, 1_031_376),
        lattice=TRIANGULAR,
        by="dlx and xcover",
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
        by="xcover",
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
        (12_600, 450),
        lattice=HEXAGONAL,
        wrap="rows columns",
        by="dlx and xcover",
    ),
    Puzzle(
        "wang-16-4x4",
        "All Wang tiles of two colours, border of one: 4x4",
        "4x4",
        SIXTEEN,
        WANG,
        (652, 82),
        border="0",
        turning=False,
    ),
    Puzzle(
        "wang-16-torus-3x3",
        "All Wang tiles of two colours, any number of each: torus 3x3",
        "3x3",
        SIXTEEN,
        f"{WANG}; 2 to the power of 18",
        (2**18, 4_172),
        wrap="rows columns",
        turning=False,
        unlimited=True,
    ),
    *(
        Puzzle(
            f"{name}-{size}",
            f"The {len(words)} Wang tiles of {who}: {size}",
            size,
            words,
            source,
            (count, count),
            turning=False,
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
            (0, 0),
            wrap="rows columns",
            turning=False,
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


#: Drawn puzzles by family, size and number, with their tilings.
DRAWN: tuple[tuple[str, int, int, tuple[int | None, int | None]], ...] = (
    ("tetravex", 3, 1, (1, 1)),
    ("tetravex", 4, 1, (1, 1)),
    ("tetravex", 5, 1, (1, 1)),
    ("tetravex", 6, 1, (1, 1)),
    ("framed-2", 4, 1, (64, 16)),
    ("framed-3", 4, 1, (4, 1)),
    ("framed-4", 5, 1, (16, 4)),
    ("framed-5", 5, 1, (8, 2)),
    ("framed-6", 6, 1, (4, 1)),
)
SEED = 1


def edges() -> Iterator[Instance]:
    """Every puzzle."""
    for each in PUZZLES:
        yield _instance(each)
    for spots, tilings in ((2, (12, 6)), (3, (0, 0)), (4, (126_720, 63_360))):
        yield _row(spots, tilings)
    for name, size, number, counts in DRAWN:
        kind, _, colours = name.partition("-")
        title = f"TetraVex: {size}x{size}" if kind == "tetravex" else f"A framed square of {colours} colours: {size}x{size}"
        yield drawn("edges", name, size, number, title, counts)


def drawn(folder: str, family: str, size: int, number: int, title: str, counts: tuple[int | None, int | None]) -> Instance:
    """A puzzle of a family that is drawn at random."""
    made = families.instance(families.FAMILIES[family], SEED, size, number)
    return told(made, folder, f"{family}-{size}", title, f"drawn by tiler corpus with seed {SEED}", counts)


def told(
    made: Instance,
    folder: str,
    name: str,
    title: str,
    source: str,
    counts: tuple[int | None, int | None],
    by: str = "dlx and backtracking",
) -> Instance:
    """An instance with its name and what is known about it, and who counted."""
    found = "found here by sat" if counts[0] is None else f"counted here by {by}"
    source = "; ".join(filter(None, (source, found)))
    return described(made, f"{folder}/{name}", title, source, (folder, made.lattice.name), counts)


def _instance(puzzle: Puzzle) -> Instance:
    lattice = puzzle.lattice
    board = parse_board(puzzle.board, lattice)[0]
    wrap = parse_wrap(puzzle.wrap, lattice, board) if puzzle.wrap else FLAT
    ways = [tuple(map(sub, side.beyond, side.cell)) for side in sides(lattice, lattice.residues[0])]
    wanted = dict.fromkeys(ways, puzzle.border) if len(puzzle.border) == 1 else dict(zip(ways, puzzle.border, strict=False))
    # A border of one mark is that on every lattice; one of several goes by directions.
    border = tuple(
        (side, (wanted.get(tuple(map(sub, side.beyond, side.cell)), puzzle.border),))
        for side in (border_of(lattice, wrap, board) if puzzle.border else ())
    )
    mates = tuple(sorted((mates[0], mates[1]) for mates in puzzle.mates))
    tiles = tuple(
        _tile(lattice, word, None if puzzle.unlimited else copies, 0 if puzzle.unlimited or puzzle.chosen else copies)
        for word, copies in Counter(puzzle.words).items()
    )
    ground = Ground(border=border, mates=mates)
    made = Instance(board, tiles, lattice=lattice, wrap=wrap, turning=puzzle.turning, ground=ground)
    return told(made, "edges", puzzle.name, puzzle.title, puzzle.source, puzzle.counts, puzzle.by)


def _tile(lattice: Lattice, word: str, most: int | None, least: int) -> Tile:
    cell = lattice.residues[0]
    coat = coat_of({}, dict(zip(sides(lattice, cell), word, strict=True)))
    return Tile(word, frozenset({cell}), most, least, lattice=lattice, paint=Paint(coat, coat))


def _row(spots: int, counts: tuple[int | None, int | None]) -> Instance:
    """All dominoes up to a double, in a row whose ends match."""
    dominoes = [(one, other) for other in range(spots + 1) for one in range(other + 1)]
    left, right = CellSide((0, 0), (0, -1)), CellSide((0, 1), (0, 2))
    tiles = []
    for one, other in dominoes:
        coat = coat_of({}, {left: str(one), right: str(other)})
        tiles.append(Tile(f"{one}-{other}", frozenset({(0, 0), (0, 1)}), 1, 1, paint=Paint(coat, coat)))
    board = frozenset((0, column) for column in range(2 * len(dominoes)))
    title = f"The dominoes up to double {spots}: a row"
    return told(Instance(board, tuple(tiles)), "edges", f"dominoes-{spots}-row", title, REISS, counts)
