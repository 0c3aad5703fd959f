"""Six-piece burrs: six sticks of 2x2x6, two side by side along each axis, notched where they meet.

A piece is told by a number, as J. von Känel and W. Cutler number them: one more than the sum of the powers of two of the cubes
that are cut out. On the upper side these are 1, 2, 4 and 8 from left to right in front, 16 to 128 behind them, and below 256 and
512 in front, 1024 and 2048 behind.

Of the 59 pieces that notches straight across the stick can make, 25 occur in burrs without holes inside (Cutler, 1978).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from corpora.described import described
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Shape
from tiler.model.tile import Tile

CUTLER = "W. Cutler, A Computer Analysis of All 6-Piece Burrs, 1994"
TWENTY_FIVE = "pieces: W. Cutler, The Six-Piece Burr, 1978; tiler counts as many assemblies of all 59 notchable pieces"
COLLECTED = "assemblies and moves: puzzle-place.com, 6-piece burrs, 2011"

#: The notchable pieces that occur in burrs without holes.
NOTCHABLE = (
    *(1, 18, 35, 52, 86, 103, 120, 154, 188, 256, 359, 615, 792),
    *(824, 856, 871, 888, 911, 928, 943, 960, 975, 992, 1007, 1024),
)


def piece(number: int) -> Shape:
    """A stick in two layers, from left to right."""
    cut = number - 1
    upper = {(1, 1 - back, 1 + along): along + 4 * back for back in range(2) for along in range(4)}
    lower = {(0, 1 - back, 2 + along): 8 + along + 2 * back for back in range(2) for along in range(2)}
    bit_of: dict[Cell, int] = {cell: bit for each in (upper, lower) for cell, bit in each.items()}
    return frozenset(cell for cell in product(range(2), range(2), range(6)) if not (cell in bit_of and cut >> bit_of[cell] & 1))


def board() -> tuple[Shape, Shape]:
    """All cells of the assembled burr, and those within two sticks or more, which may stay open."""

    def sticks(cell: Cell) -> int:
        z, y, x = cell
        return sum(1 <= wide <= 4 and thick in (2, 3) for wide, thick in ((y, z), (z, x), (x, y)))

    cells = list(product(range(6), repeat=3))
    return frozenset(filter(sticks, cells)), frozenset(cell for cell in cells if sticks(cell) > 1)


def burr(name: str, title: str, numbers: Sequence[int], source: str, assemblies: int | None = None) -> Instance:
    """The burr of these pieces, each of them used; `assemblies` up to symmetry, whether or not they come apart."""
    cells, inner = board()
    tiles = tuple(
        Tile(f"{number}", piece(number), numbers.count(number), numbers.count(number)) for number in dict.fromkeys(numbers)
    )
    return described(Instance(cells, tiles, optional=inner), f"burrs/{name}", title, source, ("burr",), (None, assemblies))


def solid() -> Instance:
    """All burrs of notchable pieces without holes; of each piece as many as there may be."""
    cells, _ = board()
    tiles = tuple(Tile(f"{number}", piece(number)) for number in NOTCHABLE)
    title, orbits = "All burrs of notchable pieces without holes", 588
    return described(Instance(cells, tiles), "burrs/solid", title, TWENTY_FIVE, ("burr",), (None, orbits))


def burrs() -> Iterator[Instance]:
    """Those with levels that have been published; tests/apps/puzzles/test_burrs.py has the levels. And those without holes."""
    yield burr("dubois", "Burr by Philippe Dubois, level 6.4", [120, 160, 256, 512, 880, 960], COLLECTED, 2)
    yield burr("piston", "Piston, by Peter Marineau, level 9.3", [88, 512, 768, 922, 1008, 1008], COLLECTED, 10)
    yield burr("loves-dozen", "Love's Dozen, by Bruce Love, level 12", [88, 512, 704, 960, 992, 1008], CUTLER)
    yield solid()
