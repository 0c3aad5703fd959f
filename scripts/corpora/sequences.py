"""Boards that grow, with the numbers of their tilings from the On-Line Encyclopedia of Integer Sequences (oeis.org)."""

from __future__ import annotations

from collections.abc import Iterator

from corpora.boards import rectangle
from corpora.classic import box
from corpora.described import described
from corpora.thesis import tile
from tiler.model.instance import Instance
from tiler.model.lattice import Shape
from tiler.model.lattices import SQUARE
from tiler.model.named_boards import region


def sequences() -> Iterator[Instance]:
    """Every term."""
    # 2 to the power of n(n+1)/2: N. Elkies, G. Kuperberg, M. Larsen and J. Propp, 1992.
    for n in range(1, 7):
        title, board, count = f"Dominoes on the Aztec diamond of order {n}", region(SQUARE, f"aztec:{n}"), 2 ** (n * (n + 1) // 2)
        yield term(f"square/aztec-diamond-{n}", title, board, "2", "A006125", count)
    for n, count in enumerate((4, 18, 88, 468, 2672, 16_072), 1):
        title = f"Right trominoes on 4x{3 * n}"
        yield term(f"square/right-trominoes-4x{3 * n:02}", title, rectangle(3 * n, 4), "3L", "A046984", count)
    for n, count in enumerate((23, 939, 41_813, 1_895_145), 1):
        title = f"Trominoes on 4x{3 * n}"
        yield term(f"square/trominoes-4x{3 * n:02}", title, rectangle(3 * n, 4), "3I 3L", "A233339", count)
    for n, count in enumerate((9, 45, 201, 1062, 5564), 2):
        title = f"Bricks of two and three cubes in a row, 2x2x{n}"
        yield term(f"cubic/two-and-three-2x2x{n}", title, box(2, 2, n), "2 3I", "A233505", count)
    # The last two are not what two solvers and a few lines of dynamic programming count.
    for n, (count, there) in enumerate(((45, 45), (412, 412), (4801, 4705), (51_934, 50_374)), 2):
        title = f"Dominoes and right trominoes in a box, 2x2x{n}"
        yield term(f"cubic/two-and-right-2x2x{n}", title, box(2, 2, n), "2 3L", "A360065", count, there)
    for n, count in enumerate((24, 133, 839, 5056), 2):
        title = f"Dominoes and square plates in a box, 2x2x{n}"
        yield term(f"cubic/two-and-plates-2x2x{n}", title, box(2, 2, n), "2 4O", "A359884", count)


def term(name: str, title: str, board: Shape, tiles: str, sequence: str, count: int, there: int | None = None) -> Instance:
    """An instance with any number of copies of each tile, and the number of its tilings; `there` is what the sequence has."""
    source = f"oeis.org/{sequence} ({count if there is None else there} tilings)"
    agrees = "recounted" if there in (None, count) else "not what is counted"
    made = Instance(board, tuple(tile(written) for written in tiles.split()), reflections="square" in name)
    source = f"{source}; {agrees} here by dlx and frontier"
    return described(made, name, title, source, ("sequences", name.partition("/")[0]), (count, None))
