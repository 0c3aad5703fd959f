"""Make the board and the tiles of puzzles in a box, whose files count places by x, y and z: the Polycube Solver (lepage.py) and
polycube (busche.py). There y counts upwards and here rows count downwards, so that nothing is mirrored."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from tiler.model.burrtools_grids import GRIDS, Place
from tiler.model.lattice import Cell, Shape
from tiler.model.shapes import parse_board
from tiler.model.tile import Tile

BRICKS = GRIDS[0]  #: places x, y and z as cells, and back


def flat_axis(places: Iterable[Place]) -> int | None:
    """The axis along which a piece is one cell thick, z before y before x; None if it is thick along all of them.

    >>> flat_axis([(0, 0, 0), (0, 1, 0)]), flat_axis([(0, 0, 1), (0, 1, 0)])
    (2, 0)
    """
    return next((axis for axis in (2, 1, 0) if len({place[axis] for place in places}) == 1), None)


@dataclass(frozen=True)
class PuzzleBox:
    """A box with these sides along x, y and z; in the plane if it is to be, which takes one layer."""

    sides: Place
    in_plane: bool

    @cached_property
    def board(self) -> Shape:
        """All cells of the box. InputError if there are too many of them."""
        return parse_board("x".join(map(str, self.sides[:2] if self.in_plane else self.sides)))[0]

    def cell(self, place: Place) -> Cell:
        """The cell at a place of the box."""
        x, y, z = place
        row = self.sides[1] - 1 - y
        return (row, x) if self.in_plane else (z, row, x)

    def tile(self, name: str, places: Iterable[Place]) -> Tile:
        """A piece that must be used once; in the plane it is laid down, for which it must be flat."""
        lying = list(places)
        thin = flat_axis(lying) if self.in_plane else None
        if thin in (0, 1):
            lying = [(x, z, 0) if thin == 1 else (y, z, 0) for x, y, z in lying]
        return Tile(name, frozenset(map(BRICKS.cell, lying)), 1, 1, lattice=BRICKS.lattice)
