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


def prisms(layers: int) -> Shape:
    """Seven hexagonal prisms in each layer, round the origin."""
    return frozenset((layer, i, j) for layer in range(layers) for i, j in product(range(-1, 2), repeat=2) if abs(i + j) < 2)


def rhombi(side: int) -> Shape:
    """The rhombi in so many units by so many."""
    return frozenset((2 * i + a, 2 * j + b) for i, j in product(range(side), repeat=2) for a, b in RHOMBILLE.residues)


def unit(lattice: Lattice) -> Shape:
    """A unit of a lattice round the origin: a cube, or an octahedron and two tetrahedra at its sides."""
    return frozenset(
        tuple((a + m // 2) % m - m // 2 for a, m in zip(cell, lattice.moduli, strict=True)) for cell in lattice.residues
    )


#: The lattice, the name, the board (its dimensions or its cells), the tiles as `corpora.polyforms.pieces` takes them, the number
#: of tilings, and that up to symmetry: dlx and frontier agree on both.
PUZZLES: tuple[tuple[Lattice, str, str | Shape, str, int, int], ...] = (
    (TRIANGULAR, "calissons-1-1-1", "hexagon:1,1,1", "copies 2", 2, 1),
    (TRIANGULAR, "calissons-2-2-2", "hexagon:2,2,2", "copies 2", 20, 6),
    (TRIANGULAR, "calissons-3-3-3", "hexagon:3,3,3", "copies 2", 980, 113),
    (TRIANGULAR, "calissons-4-4-4", "hexagon:4,4,4", "copies 2", 232_848, 20_174),
    (TRIANGULAR, "calissons-1-1-2", "hexagon:2,1,1", "copies 2", 3, 2),
    (TRIANGULAR, "calissons-2-2-4", "hexagon:4,2,2", "copies 2", 105, 38),
    (TRIANGULAR, "calissons-3-3-6", "hexagon:6,3,3", "copies 2", 41_580, 10_774),
    (HEXAGONAL, "pairs-2x2", "rhombus:2x2", "copies 2", 2, 1),
    (HEXAGONAL, "pairs-2x4", "rhombus:4x2", "copies 2", 5, 4),
    (HEXAGONAL, "pairs-4x4", "rhombus:4x4", "copies 2", 56, 17),
    (HEXAGONAL, "pairs-4x6", "rhombus:6x4", "copies 2", 749, 393),
    (HEXAGONAL, "pairs-6x6", "rhombus:6x6", "copies 2", 56_568, 14_222),
    (HEXAGONAL, "trihexes-3x3", "rhombus:3x3", "copies 3", 11, 4),
    (HEXAGONAL, "trihexes-3x4", "rhombus:4x3", "copies 3", 33, 21),
    (HEXAGONAL, "trihexes-4x6", "rhombus:6x4", "copies 3", 4_483, 2_294),
    (HEXAGONAL, "trihexes-6x6", "rhombus:6x6", "copies 3", 1_215_049, 304_254),
    (TETRAKIS, "pairs-1x1", "1x1", "copies 2", 2, 1),
    (TETRAKIS, "pairs-1x2", "2x1", "copies 2", 4, 2),
    (TETRAKIS, "pairs-2x2", "2x2", "copies 2", 17, 7),
    (TETRAKIS, "pairs-3x3", "3x3", "copies 2", 648, 107),
    (TETRAKIS, "threes-2x3", "3x2", "copies 3", 10, 4),
    (TETRAKIS, "threes-3x3", "3x3", "copies 3", 86, 14),
    (TETRAKIS, "threes-3x4", "4x3", "copies 3", 580, 155),
    (TETRAKIS, "fours-2x2", "2x2", "copies 4", 4, 3),
    (TETRAKIS, "fours-2x3", "3x2", "copies 4", 17, 7),
    (TETRAKIS, "fours-3x3", "3x3", "copies 4", 211, 34),
    (SQUARE_EDGES, "pairs-1x1", "1x1", "copies 2", 2, 1),
    (SQUARE_EDGES, "pairs-1x3", "3x1", "copies 2", 8, 2),
    (SQUARE_EDGES, "pairs-2x2", "2x2", "copies 2", 20, 8),
    (SQUARE_EDGES, "pairs-2x4", "4x2", "copies 2", 464, 130),
    (SQUARE_EDGES, "pairs-3x3", "3x3", "copies 2", 1_088, 184),
    (SQUARE_EDGES, "threes-2x2", "2x2", "copies 3", 55, 11),
    (SQUARE_EDGES, "threes-3x3", "3x3", "copies 3", 10_806, 1_398),
    (TRIANGULAR_EDGES, "threes-2", "tri:2", "copies 3", 60, 15),
    (TRIANGULAR_EDGES, "threes-3", "tri:3", "copies 3", 20_196, 3_413),
    (TRIANGULAR_EDGES, "pairs-3", "tri:3", "copies 2", 2_768, 468),
    (TRIANGULAR_EDGES, "pairs-4", "tri:4", "copies 2", 2_160_960, 360_224),
    (RHOMBILLE, "pairs-2", rhombi(2), "copies 2", 2, 1),
    (RHOMBILLE, "pairs-4", rhombi(4), "copies 2", 512, 256),
    (RHOMBILLE, "threes-2", rhombi(2), "copies 3", 3, 2),
    (RHOMBILLE, "threes-3", rhombi(3), "copies 3", 48, 25),
    (KITES, "pairs-hexagon", "hex:1", "copies 2", 36, 8),
    (KITES, "pairs-2x2", "rhombus:2x2", "copies 2", 44, 17),
    (KITES, "threes-hexagon", "hex:1", "copies 3", 176, 22),
    (KITES, "threes-2x3", "rhombus:2x3", "copies 3", 22_141, 11_192),
    (KITES, "fours-2x2", "rhombus:2x2", "4", 28, 7),
    (DRAFTERS, "pairs-triangle", "tri:2", "copies 2", 35, 14),
    (DRAFTERS, "pairs-2x2", "rhombus:2x2", "copies 2", 2_402, 700),
    (DRAFTERS, "threes-triangle", "tri:2", "copies 3", 144, 26),
    (DRAFTERS, "threes-hexagon", "hex:1", "copies 3", 2_356, 220),
    (DRAFTERS, "threes-2x2", "rhombus:2x2", "copies 3", 31_110, 7_875),
    (TRIANGULAR_PRISMS, "pairs-2", "hex:1x2", "copies 2", 20, 6),
    (TRIANGULAR_PRISMS, "pairs-3", "hex:1x3", "copies 2", 108, 12),
    (TRIANGULAR_PRISMS, "pairs-4", "hex:1x4", "copies 2", 725, 71),
    (TRIANGULAR_PRISMS, "threes-2", "hex:1x2", "copies 3", 45, 6),
    (TRIANGULAR_PRISMS, "threes-3", "hex:1x3", "copies 3", 618, 41),
    (HEXAGONAL_PRISMS, "pairs-2", prisms(2), "copies 2", 116, 14),
    (HEXAGONAL_PRISMS, "pairs-4", prisms(4), "copies 2", 24_611, 1_157),
    (HEXAGONAL_PRISMS, "threes-3", prisms(3), "copies 3", 28_155, 1_225),
    (SPHERES, "pyramid-pairs-3", "tetrahedron:3", "copies 2", 24, 1),
    (SPHERES, "pyramid-pairs-4", "tetrahedron:4", "copies 2", 4_536, 213),
    (SPHERES, "pyramid-fours-4", "tetrahedron:4", "copies 4", 88_927, 3_792),
    (RHOMBIC_TETRAHEDRA, "cube-2", unit(RHOMBIC_TETRAHEDRA), "copies 2", 169, 17),
    (RHOMBIC_TETRAHEDRA, "cube-3", unit(RHOMBIC_TETRAHEDRA), "copies 3", 900, 30),
    (RHOMBIC_TETRAHEDRA, "cube-4", unit(RHOMBIC_TETRAHEDRA), "copies 4", 3_031, 94),
    (TETRAHEDRA_OCTAHEDRA, "unit-pairs", unit(TETRAHEDRA_OCTAHEDRA), "copies 2", 2, 1),
    (TETRAHEDRA_OCTAHEDRA, "unit-pairs-and-threes", unit(TETRAHEDRA_OCTAHEDRA), "copies 2 3", 26, 5),
)
#: Boxes seen from a corner: P. A. MacMahon, Combinatory Analysis, 1916. The sequences that count their tilings.
CALISSONS = {"1-1-1": "A008793", "2-2-2": "A008793", "3-3-3": "A008793", "4-4-4": "A008793"}
CALISSONS |= {"1-1-2": "A352656", "2-2-4": "A352656", "3-3-6": "A352656"}


def lattices() -> Iterator[Instance]:
    """Every puzzle."""
    for lattice, name, where, tiles, tilings, orbits in PUZZLES:
        board = named_boards.region(lattice, where) if isinstance(where, str) else where
        made = Instance(board, pieces(lattice, tiles), reflections=lattice.dimension == 2, lattice=lattice)
        copies = "Copies of all shapes of" if tiles.startswith("copies") else "Each shape once of"
        sizes = " and ".join(tiles.removeprefix("copies ").split())
        title = f"{copies} {sizes} cells on the {lattice} lattice: {name}"
        sequence = CALISSONS.get(name.removeprefix("calissons-"))
        published = f"oeis.org/{sequence} ({tilings} tilings); " if sequence else ""
        source = f"{published}counted here by dlx and frontier"
        yield described(made, f"{lattice.name}/{name}", title, source, ("lattices", lattice.name), (tilings, orbits))
