"""Boards for dominoes and lozenges, larger than searches can count, with their numbers of tilings by formulas."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from corpora.boards import rectangle
from corpora.described import described
from corpora.thesis import tile
from tiler.model.instance import Instance
from tiler.model.lattices import SQUARE, TRIANGULAR
from tiler.model.named_boards import region
from tiler.model.shapes import parse_board, parse_shape
from tiler.model.tile import Tile
from tiler.model.wrap import wrap_of

KASTELEYN = "P. W. Kasteleyn, The statistics of dimers on a lattice, Physica 27, 1961"
DIAMONDS = "N. Elkies, G. Kuperberg, M. Larsen and J. Propp, Alternating-sign matrices and domino tilings, 1992"
MACMAHON = "P. A. MacMahon, Combinatory Analysis, 1916"


def pairs() -> Iterator[Instance]:
    """Squares and tori, Aztec diamonds, hexagons of lozenges, and boards without a tiling."""
    domino = (tile("2"),)
    squares = {8: 12_988_816, 12: 53_060_477_521_960_000, 16: 2_444_888_770_250_892_795_802_079_170_816, 24: None}
    for side, count in squares.items():
        title = f"Dominoes on a square, {side}x{side}"
        yield _pair(f"square-{side:02}", title, KASTELEYN, count, Instance(rectangle(side, side), domino))
    for side, count in ((4, 272), (8, 311_853_312)):
        title, wrap = f"Dominoes on a torus, {side}x{side}", wrap_of([(side, 0), (0, side)])
        yield _pair(f"torus-{side:02}", title, KASTELEYN, count, Instance(rectangle(side, side), domino, wrap=wrap))
    for order in (10, 20, 40):
        title, count = f"Dominoes on the Aztec diamond of order {order}", 2 ** (order * (order + 1) // 2)
        yield _pair(f"aztec-diamond-{order}", title, DIAMONDS, count, Instance(region(SQUARE, f"aztec:{order}"), domino))
    lozenge = (Tile("lozenge", parse_shape(".xx", TRIANGULAR), lattice=TRIANGULAR),)
    for sides in ((4, 4, 4), (8, 8, 8), (6, 8, 10), (16, 16, 16)):
        name = "-".join(map(str, sides))
        title, board = f"Lozenges in a hexagon with sides of {name}", region(TRIANGULAR, f"hexagon:{','.join(map(str, sides))}")
        made = Instance(board, lozenge, lattice=TRIANGULAR)
        yield _pair(f"hexagon-{name}", title, MACMAHON, boxes(*sides), made)
    trapped, _ = parse_board("x.x.x/xxxxx/.xxxx/xx..x/xxxxx/xxx.x")
    title = "As many black cells as white ones, and six with five neighbours"
    made = Instance(trapped, domino)
    yield described(made, "pairs/trapped", title, "drawn at random for Tiler, 2026", ("pairs",), solvable=False)


def _pair(name: str, title: str, source: str, count: int | None, instance: Instance) -> Instance:
    return described(instance, f"pairs/{name}", title, source, ("pairs",), (count, None))


def boxes(a: int, b: int, c: int) -> int:
    """The plane partitions in a box, and the tilings of a hexagon by lozenges (MacMahon).

    >>> boxes(2, 2, 2), boxes(3, 3, 3)
    (20, 980)
    """
    triples = ((i, j, k) for i in range(1, a + 1) for j in range(1, b + 1) for k in range(1, c + 1))
    return int(math.prod(Fraction(i + j + k - 1, i + j + k - 2) for i, j, k in triples))
