"""Puzzles on the lattices for which hardly any count has been published: each counted here by two solvers; and calissons."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from corpora.described import described
from corpora.polyforms import pieces
from tiler.model import named_boards
from tiler.model.instance import Instance
from tiler.model.lattice import Lattice, Shape
from tiler.model.lattices import (
    DRAFTERS,
    HEXAGONAL,
    HEXAGONAL_PRISMS,
    KITES,
    RHOMBIC_TETRAHEDRA,
    RHOMBILLE,
    SPHERES,
    SQUARE_EDGES,
    TETRAHEDRA_OCTAHEDRA,
    TETRAKIS,
    TRIANGULAR,
    TRIANGULAR_EDGES,
    TRIANGULAR_PRISMS,
)

#: By the name of a problem its tilings, and those up to symmetry, on which dlx and frontier agree.
COUNTS: dict[str, tuple[int, int]] = {
    "triangular/calissons-1-1-1": (2, 1),
    "triangular/calissons-2-2-2": (20, 6),
    "triangular/calissons-3-3-3": (980, 113),
    "triangular/calissons-4-4-4": (232_848, 20_174),
    "triangular/calissons-1-1-2": (3, 2),
    "triangular/calissons-2-2-4": (105, 38),
    "triangular/calissons-3-3-6": (41_580, 10_774),
    "hexagonal/pairs-2x2": (2, 1),
    "hexagonal/pairs-2x4": (5, 4),
    "hexagonal/pairs-4x4": (56, 17),
    "hexagonal/pairs-4x6": (749, 393),
    "hexagonal/pairs-6x6": (56_568, 14_222),
    "hexagonal/trihexes-3x3": (11, 4),
    "hexagonal/trihexes-3x4": (33, 21),
    "hexagonal/trihexes-4x6": (4_483, 2_294),
    "hexagonal/trihexes-6x6": (1_215_049, 304_254),
    "tetrakis/pairs-1x1": (2, 1),
    "tetrakis/pairs-1x2": (4, 2),
    "tetrakis/pairs-2x2": (17, 7),
    "tetrakis/pairs-3x3": (648, 107),
    "tetrakis/threes-2x3": (10, 4),
    "tetrakis/threes-3x3": (86, 14),
    "tetrakis/threes-3x4": (580, 155),
    "tetrakis/fours-2x2": (4, 3),
    "tetrakis/fours-2x3": (17, 7),
    "tetrakis/fours-3x3": (211, 34),
    "square-edges/pairs-1x1": (2, 1),
    "square-edges/pairs-1x3": (8, 2),
    "square-edges/pairs-2x2": (20, 8),
    "square-edges/pairs-2x4": (464, 130),
    "square-edges/pairs-3x3": (1_088, 184),
    "square-edges/threes-2x2": (55, 11),
    "square-edges/threes-3x3": (10_806, 1_398),
    "triangular-edges/threes-2": (60, 15),
    "triangular-edges/threes-3": (20_196, 3_413),
    "triangular-edges/pairs-3": (2_768, 468),
    "triangular-edges/pairs-4": (2_160_960, 360_224),
    "rhombille/pairs-2": (2, 1),
    "rhombille/pairs-4": (512, 256),
    "rhombille/threes-2": (3, 2),
    "rhombille/threes-3": (48, 25),
    "kites/pairs-hexagon": (36, 8),
    "kites/pairs-2x2": (44, 17),
    "kites/threes-hexagon": (176, 22),
    "kites/threes-2x3": (22_141, 11_192),
    "kites/fours-2x2": (28, 7),
    "drafters/pairs-triangle": (35, 14),
    "drafters/pairs-2x2": (2_402, 700),
    "drafters/threes-triangle": (144, 26),
    "drafters/threes-hexagon": (2_356, 220),
    "drafters/threes-2x2": (31_110, 7_875),
    "triangular-prisms/pairs-2": (20, 6),
    "triangular-prisms/pairs-3": (108, 12),
    "triangular-prisms/pairs-4": (725, 71),
    "triangular-prisms/threes-2": (45, 6),
    "triangular-prisms/threes-3": (618, 41),
    "hexagonal-prisms/pairs-2": (116, 14),
    "hexagonal-prisms/pairs-4": (24_611, 1_157),
    "hexagonal-prisms/threes-3": (28_155, 1_225),
    "spheres/pyramid-pairs-3": (24, 1),
    "spheres/pyramid-pairs-4": (4_536, 213),
    "spheres/pyramid-fours-4": (88_927, 3_792),
    "rhombic-tetrahedra/cube-2": (169, 17),
    "rhombic-tetrahedra/cube-3": (900, 30),
    "rhombic-tetrahedra/cube-4": (3_031, 94),
    "tetrahedra-octahedra/unit-pairs": (2, 1),
    "tetrahedra-octahedra/unit-pairs-and-threes": (26, 5),
}

#: Puzzles on boards that have names: the lattice, the name, the board and the tiles.
KITES_AND_DRAFTERS = (
    *((KITES, "pairs-hexagon", "hex:1", "copies 2"), (KITES, "pairs-2x2", "rhombus:2x2", "copies 2")),
    *((KITES, "threes-hexagon", "hex:1", "copies 3"), (KITES, "threes-2x3", "rhombus:2x3", "copies 3")),
    (KITES, "fours-2x2", "rhombus:2x2", "4"),
    *((DRAFTERS, "pairs-triangle", "tri:2", "copies 2"), (DRAFTERS, "pairs-2x2", "rhombus:2x2", "copies 2")),
    *((DRAFTERS, "threes-triangle", "tri:2", "copies 3"), (DRAFTERS, "threes-hexagon", "hex:1", "copies 3")),
    (DRAFTERS, "threes-2x2", "rhombus:2x2", "copies 3"),
)


def lattices() -> Iterator[Instance]:
    """Every puzzle."""
    # P. A. MacMahon, Combinatory Analysis, 1916: boxes seen from a corner.
    for n, count in enumerate((2, 20, 980, 232_848), 1):
        yield counted(TRIANGULAR, f"calissons-{n}-{n}-{n}", triangles(n, n, n), "copies 2", f"oeis.org/A008793 ({count} tilings)")
    for n, count in enumerate((3, 105, 41_580), 1):
        board, source = triangles(n, n, 2 * n), f"oeis.org/A352656 ({count} tilings)"
        yield counted(TRIANGULAR, f"calissons-{n}-{n}-{2 * n}", board, "copies 2", source)
    for rows, columns in ((2, 2), (2, 4), (4, 4), (4, 6), (6, 6)):
        yield counted(HEXAGONAL, f"pairs-{rows}x{columns}", rhombus(rows, columns), "copies 2")
    for rows, columns in ((3, 3), (3, 4), (4, 6), (6, 6)):
        yield counted(HEXAGONAL, f"trihexes-{rows}x{columns}", rhombus(rows, columns), "copies 3")
    for rows, columns in ((1, 1), (1, 2), (2, 2), (3, 3)):
        yield counted(TETRAKIS, f"pairs-{rows}x{columns}", squares(rows, columns), "copies 2")
    for rows, columns in ((2, 3), (3, 3), (3, 4)):
        yield counted(TETRAKIS, f"threes-{rows}x{columns}", squares(rows, columns), "copies 3")
    for rows, columns in ((2, 2), (2, 3), (3, 3)):
        yield counted(TETRAKIS, f"fours-{rows}x{columns}", squares(rows, columns), "copies 4")
    for rows, columns in ((1, 1), (1, 3), (2, 2), (2, 4), (3, 3)):
        yield counted(SQUARE_EDGES, f"pairs-{rows}x{columns}", edges(rows, columns), "copies 2")
    for rows, columns in ((2, 2), (3, 3)):
        yield counted(SQUARE_EDGES, f"threes-{rows}x{columns}", edges(rows, columns), "copies 3")
    for side in (2, 3):
        yield counted(TRIANGULAR_EDGES, f"threes-{side}", net(side), "copies 3")
    for side in (3, 4):
        yield counted(TRIANGULAR_EDGES, f"pairs-{side}", net(side), "copies 2")
    for side in (2, 4):
        yield counted(RHOMBILLE, f"pairs-{side}", rhombi(side), "copies 2")
    for side in (2, 3):
        yield counted(RHOMBILLE, f"threes-{side}", rhombi(side), "copies 3")
    for lattice, name, region, tiles in KITES_AND_DRAFTERS:
        yield counted(lattice, name, named_boards.region(lattice, region), tiles)
    for layers in (2, 3, 4):
        yield counted(TRIANGULAR_PRISMS, f"pairs-{layers}", stacked(triangles(1, 1, 1), layers), "copies 2")
    for layers in (2, 3):
        yield counted(TRIANGULAR_PRISMS, f"threes-{layers}", stacked(triangles(1, 1, 1), layers), "copies 3")
    for layers in (2, 4):
        yield counted(HEXAGONAL_PRISMS, f"pairs-{layers}", stacked(hexagon(2), layers), "copies 2")
    yield counted(HEXAGONAL_PRISMS, "threes-3", stacked(hexagon(2), 3), "copies 3")
    for side in (3, 4):
        yield counted(SPHERES, f"pyramid-pairs-{side}", pyramid(side), "copies 2")
    yield counted(SPHERES, "pyramid-fours-4", pyramid(4), "copies 4")
    for size in (2, 3, 4):
        yield counted(RHOMBIC_TETRAHEDRA, f"cube-{size}", unit(RHOMBIC_TETRAHEDRA), f"copies {size}")
    yield counted(TETRAHEDRA_OCTAHEDRA, "unit-pairs", unit(TETRAHEDRA_OCTAHEDRA), "copies 2")
    yield counted(TETRAHEDRA_OCTAHEDRA, "unit-pairs-and-threes", unit(TETRAHEDRA_OCTAHEDRA), "copies 2 3")


def counted(lattice: Lattice, name: str, board: Shape, tiles: str, source: str = "") -> Instance:
    """A puzzle with what we count; `tiles` as `corpora.polyforms.pieces` takes them."""
    full = f"{lattice.name}/{name}"
    copies = "Copies of all shapes of" if tiles.startswith("copies") else "Each shape once of"
    sizes = " and ".join(tiles.removeprefix("copies ").split())
    made = Instance(board, pieces(lattice, tiles), reflections=lattice.dimension == 2, lattice=lattice)
    title = f"{copies} {sizes} cells on the {lattice} lattice: {name}"
    source = "; ".join(filter(None, [source, "counted here by dlx and frontier"]))
    return described(made, full, title, source, ("lattices", lattice.name), COUNTS.get(full, (None, None)))


def triangles(a: int, b: int, c: int) -> Shape:
    """The triangles of a hexagon with these sides, each twice, as a box of a x b x c is seen from a corner."""
    cells = ((3 * i + k, 3 * j + k) for i, j in product(range(a + b + c), repeat=2) for k in (1, 2))
    return frozenset((i, j) for i, j in cells if i < 3 * (a + b) and j < 3 * (b + c) and 3 * b < i + j < 3 * (a + b + c))


def hexagon(side: int) -> Shape:
    return frozenset((i, j) for i, j in product(range(1 - side, side), repeat=2) if abs(i + j) < side)


def rhombus(rows: int, columns: int) -> Shape:
    return frozenset(product(range(rows), range(columns)))


def squares(rows: int, columns: int) -> Shape:
    """The four triangles of each square of a rectangle."""
    return frozenset((6 * i + a, 6 * j + b) for i, j in product(range(rows), range(columns)) for a, b in TETRAKIS.residues)


def edges(rows: int, columns: int) -> Shape:
    """All sides of the squares of a rectangle."""
    flat = {(2 * i, 2 * j + 1) for i, j in product(range(rows + 1), range(columns))}
    return frozenset(flat | {(2 * i + 1, 2 * j) for i, j in product(range(rows), range(columns + 1))})


def net(side: int) -> Shape:
    """All sides of the triangles in a triangle."""
    return frozenset(
        (2 * i + a, 2 * j + b) for i, j in product(range(side), repeat=2) for a, b in ((1, 0), (0, 1), (1, 1)) if i + j < side
    )


def rhombi(side: int) -> Shape:
    """The rhombi in so many units by so many."""
    return frozenset((2 * i + a, 2 * j + b) for i, j in product(range(side), repeat=2) for a, b in RHOMBILLE.residues)


def stacked(shape: Shape, layers: int) -> Shape:
    return frozenset((layer, *cell) for layer in range(layers) for cell in shape)


def pyramid(side: int) -> Shape:
    """Spheres in a tetrahedron."""
    return frozenset(cell for cell in product(range(side), repeat=3) if sum(cell) < side)


def unit(lattice: Lattice) -> Shape:
    """A unit of a lattice round the origin: a cube, or an octahedron and two tetrahedra at its sides."""
    return frozenset(
        tuple((a + m // 2) % m - m // 2 for a, m in zip(cell, lattice.moduli, strict=True)) for cell in lattice.residues
    )
