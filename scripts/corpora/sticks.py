"""Puzzles with edges where pieces may not cross, as Polyform Puzzler has them, each counted here by two solvers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from corpora.described import described
from corpora.polyforms import PUZZLER
from tiler.model import corners, named_boards
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Lattice, Shape
from tiler.model.lattices import SQUARE_EDGES, TRIANGULAR_EDGES
from tiler.model.piece_sets import ALL
from tiler.model.tile import Tile

#: By the name of a problem its tilings, and those up to symmetry, on which dlx and fila agree.
COUNTS = {
    "clipped-corners-1": (84, 21),
    "clipped-corners-2": (264, 132),
    "welded-tetrasticks-4x4": (16, 3),
    "tritrigs-5x2": (18, 9),
    "tritrigs-trapezoid-6x2": (16, 8),
}


def sticks() -> Iterator[Instance]:
    """Every puzzle."""
    small = [each for name in ("monosticks", "disticks", "tristicks") for each in once(name)]
    grid, large = (named_boards.region(SQUARE_EDGES, size) for size in ("3x3", "4x4"))
    bottom_left, top_right, bottom_right = {(6, 1), (5, 0)}, {(0, 5), (1, 6)}, {(6, 5), (5, 6)}
    for name, gone in (("clipped-corners-1", bottom_left | top_right), ("clipped-corners-2", bottom_left | bottom_right)):
        yield puzzle(SQUARE_EDGES, name, "One to three sticks: clipped square", grid - gone, small, "polysticks")
    welded = [tile for tile in once("one-sided-tetrasticks") if is_welded(tile.shape)]
    title = "The ten one-sided welded tetrasticks: square"
    yield puzzle(SQUARE_EDGES, "welded-tetrasticks-4x4", title, large, welded, "polysticks", reflections=False)
    # An edge inside is left out.
    left_out, trigs = {(2, 5)}, once("tritrigs")
    rhombus = named_boards.region(TRIANGULAR_EDGES, "rhombus:5x2")
    title = "The twelve tritrigs: parallelogram without an edge"
    yield puzzle(TRIANGULAR_EDGES, "tritrigs-5x2", title, rhombus - left_out, trigs, "polytrigs")
    trapezoid = frozenset(
        cell
        for cell in named_boards.region(TRIANGULAR_EDGES, "tri:6")
        if max(row for row, _ in ends(TRIANGULAR_EDGES, cell)) <= 4
    )
    title = "The twelve tritrigs: trapezoid without an edge"
    yield puzzle(TRIANGULAR_EDGES, "tritrigs-trapezoid-6x2", title, trapezoid - left_out, trigs, "polytrigs")


def puzzle(
    lattice: Lattice, name: str, title: str, board: Shape, tiles: list[Tile], source: str, *, reflections: bool = True
) -> Instance:
    made = Instance(board, tuple(tiles), reflections=reflections, lattice=lattice, crossing=False)
    source = f"{PUZZLER.format(source)} ({COUNTS[name][1]} solutions); recounted here by dlx and fila"
    return described(made, f"{lattice}/{name}", title, source, ("sticks", lattice.name), COUNTS[name])


def once(name: str) -> list[Tile]:
    """Each piece of a set once."""
    chosen = ALL[name]
    return [Tile(piece, shape, 1, 1, lattice=chosen.lattice) for piece, shape in chosen.shapes().items()]


def is_welded(shape: Shape) -> bool:
    """Whether more than two of its edges meet in a corner."""
    return max(Counter(end for cell in shape for end in ends(SQUARE_EDGES, cell)).values()) > 2


def ends(lattice: Lattice, cell: Cell) -> tuple[Cell, ...]:
    return corners.corners(lattice, cell)
