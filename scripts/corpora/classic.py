"""Classical puzzles, with the numbers of their solutions where they have been published."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from corpora.boards import diamond, rectangle
from corpora.described import described
from corpora.thesis import FREE_PENTOMINOES, FREE_TETROMINOES, PENTOMINOES, one_each, tile
from tiler.model.instance import Instance
from tiler.model.lattice import Shape
from tiler.model.shapes import parse_board
from tiler.model.tile import Tile

HASELGROVE = "C. B. and J. Haselgrove, A computer program for pentominoes, Eureka 23, 1960"
SCOTT = "D. S. Scott, Programming a combinatorial puzzle, Princeton University, 1958"
CLASSICAL = "classical"
BOUWKAMP = "C. J. Bouwkamp, Packing a rectangular box with the twelve solid pentominoes, Journal of Combinatorial Theory 7, 1969"
SOMA = "P. Hein; J. H. Conway and M. J. T. Guy, 1961"
KASTELEYN = "P. W. Kasteleyn, The statistics of dimers on a lattice, Physica 27, 1961"
BUSCHE = "M. Busche, Solving Polyomino and Polycube Puzzles: Algorithms, Software, and Solutions"
DE_BRUIJN = "N. G. de Bruijn, Filling boxes with bricks, American Mathematical Monthly 76, 1969"
YS = "J. Haselgrove, Packing a square with Y-pentominoes, Journal of Recreational Mathematics 7, 1974"

# In the names of the project: cells as columns, rows from below, layers.
TETRIS_CUBE = """
000 100 200 010 020 / 000 010 110 020 030 / 000 001 100 010 110 / 000 001 010 110 210 120 / 000 100 200 010 011 /
000 100 200 110 111 / 000 100 110 111 211 / 010 110 120 210 101 111 / 000 100 200 010 020 011 / 000 100 200 010 020 021 /
000 001 100 110 210 / 000 010 110 120 130
"""
SOMA_PIECES = ["3L", "4L", "4S", "4T", "4^", "4<", "4>"]
BEDLAM_PIECES = ["4>", "L1", "L2", "L3", "J4", "S1", "S2", "T1", "T2", "V2", "5F", "5W", "5X"]
BIG_BROTHER_PIECES = ["4<", "5U", "5X", "5Z", "J1", "J2", "J4", "L4", "N1", "N2", "V1", "V2", "T2"]


def puzzle(
    name: str,
    title: str,
    board: Shape,
    tiles: Sequence[Tile],
    source: str,
    *,
    counts: tuple[int | None, int | None] = (None, None),
    solvable: bool = True,
    reflections: bool = False,
) -> Instance:
    """An instance; `counts` are the number of solutions and that up to symmetry."""
    made = Instance(board, tuple(tiles), reflections=reflections)
    return described(made, f"classic/{name}", title, source, ("classic",), counts, solvable=solvable)


def box(columns: int, rows: int, layers: int) -> Shape:
    return parse_board(f"{columns}x{rows}x{layers}")[0]


def once(names: Sequence[str]) -> list[Tile]:
    return [tile(written) for written in one_each(list(names))]


def tetris_cube() -> list[Tile]:
    """Its twelve pieces, as cells (layer, row, column) with rows counted downwards."""
    pieces = []
    for number, text in enumerate(TETRIS_CUBE.split("/"), 1):
        shape = frozenset((int(cell[2]), -int(cell[1]), int(cell[0])) for cell in text.split())
        pieces.append(Tile(f"tile{number}", shape, 1))
    return pieces


def pentominoes() -> Iterator[Instance]:
    """The twelve, once each."""
    twelve = once(FREE_PENTOMINOES)
    for width, height, raw in [(6, 10, 9356), (5, 12, 4040), (4, 15, 1472), (3, 20, 8)]:
        title = f"The twelve pentominoes on {width}x{height}"
        board, counts, source = rectangle(width, height), (raw, raw // 4), HASELGROVE if raw == 9356 else CLASSICAL
        yield puzzle(f"pentominoes-{width:02}x{height:02}", title, board, twelve, source, counts=counts, reflections=True)
    hole = rectangle(8, 8) - {(row, column) for row in (3, 4) for column in (3, 4)}
    title = "The twelve pentominoes on a chessboard without its centre"
    yield puzzle("pentominoes-08x08-hole", title, hole, twelve, SCOTT, counts=(520, 65), reflections=True)
    title, with_square = "The twelve pentominoes and the square tetromino on a chessboard", [*twelve, *once(["4O"])]
    yield puzzle(
        "pentominoes-08x08-4O", title, rectangle(8, 8), with_square, CLASSICAL, counts=(129_168, 16_146), reflections=True
    )
    for columns, rows, layers, raw in [(6, 5, 2, 2112), (10, 3, 2, 96), (5, 4, 3, 31_520)]:
        size, counts = f"{columns}x{rows}x{layers}", (raw, raw // 8)
        title = f"The twelve flat pentacubes in a box, {size}"
        yield puzzle(f"pentacubes-{size}", title, box(columns, rows, layers), twelve, BOUWKAMP, counts=counts)
    title, counts = "The eighteen one-sided pentominoes on 5x18", (2_746_512, 686_628)
    yield puzzle("one-sided-05x18", title, rectangle(5, 18), once(PENTOMINOES), BUSCHE, counts=counts)
    # Table 1 of Busche's article has the count, and shows the board.
    holed = diamond(6) - {(6, column) for column in range(4, 9)}
    title = "PT: pentominoes and tetrominoes on a diamond with a slit of five cells"
    pieces = once(FREE_PENTOMINOES + FREE_TETROMINOES)
    yield puzzle("PT", title, holed, pieces, BUSCHE, counts=(None, 51_184), reflections=True)
    title = "Y pentominoes on 15x15"
    yield puzzle("Y-15x15", title, rectangle(15, 15), [tile("5Y")], YS, reflections=True)


def cubes() -> Iterator[Instance]:
    """Puzzles in a cube."""
    small, large = box(3, 3, 3), box(4, 4, 4)
    yield puzzle("soma", "The Soma cube", small, once(SOMA_PIECES), SOMA, counts=(11_520, 240))
    source = "B. Bedlam's puzzle; counted by S. Kurowski"
    yield puzzle("bedlam", "The Bedlam cube", large, once(BEDLAM_PIECES), source, counts=(460_464, 19_186))
    source = "a puzzle on sale; counted by Lepage"
    yield puzzle("big-brother", "The Big Brother cube", large, once(BIG_BROTHER_PIECES), source, counts=(None, 14_177))
    source = f"a puzzle on sale; counted in {BUSCHE}"
    yield puzzle("tetris-cube", "The Tetris cube", large, tetris_cube(), source, counts=(None, 9_839))
    for side, sides in [(6, (1, 2, 4)), (10, (1, 2, 4)), (10, (1, 1, 4))]:
        brick = "x".join(map(str, sides))
        title = f"Bricks {brick} in a cube, {side}x{side}x{side}"
        name = f"bricks-{brick}-{side:02}x{side:02}x{side:02}"
        yield puzzle(name, title, box(side, side, side), [tile(brick)], DE_BRUIJN, solvable=False)


def dominoes() -> Iterator[Instance]:
    """Whose number has a formula."""
    for side, raw in [
        (2, 2),
        (4, 36),
        (6, 6728),
        (8, 12_988_816),
        (10, 258_584_046_368),
        (16, 2_444_888_770_250_892_795_802_079_170_816),
    ]:
        title = f"Dominoes on {side}x{side}"
        name = f"dominoes-{side:02}x{side:02}"
        yield puzzle(name, title, rectangle(side, side), [tile("2")], KASTELEYN, counts=(raw, None))
    yield puzzle("dominoes-3x2x2", "Dominoes in a box, 3x2x2", box(3, 2, 2), [tile("2")], CLASSICAL, counts=(32, None))


def classic() -> Iterator[Instance]:
    """Classical puzzles."""
    yield from pentominoes()
    yield from cubes()
    yield from dominoes()
