"""The symmetry group of an instance: every isometry of the board, mirrors included, that maps the tiles with their bounds onto
themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tiler.geometry import Cell, Isometry, Shape, box, isometries, lift, move, variants
from tiler.instance import Instance

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tiler.cover import ExactCover


@dataclass(frozen=True)
class Symmetry:
    """An isometry of the lattice that maps a board onto itself: first `turn`, then move by `offset`."""

    turn: Isometry
    offset: Cell

    def __call__(self, cell: Cell) -> Cell:
        return tuple(a + b for a, b in zip(self.turn(cell), self.offset, strict=True))


def cell_maps(cells: Sequence[Cell], symmetries: Sequence[Symmetry]) -> NDArray[np.int64]:
    """Where symmetries take the cells of a board, as numbers into `cells`: shape (symmetries, cells)."""
    import numpy as np

    number = {cell: i for i, cell in enumerate(cells)}
    return np.array([[number[symmetry(cell)] for cell in cells] for symmetry in symmetries], np.int64)


def group(instance: Instance) -> tuple[Symmetry, ...]:
    """The symmetries of an instance, the identity first; the answer up to symmetry counts orbits under them.

    With reflections allowed, or in a set that holds every tile with its mirror image, mirrors qualify; in space a mirror of a
    flat piece is the piece turned over. (6x10 with the free pentominoes: 4. A 3x4x5 box with flat pieces: 8. Soma: 48.)
    """
    low, _ = box(instance.board)
    kept = []
    for turn in isometries(instance.dimension, reflections=True):
        if not (instance.reflections or turn.is_rotation or _tiles_allow(instance, turn)):
            continue
        image = frozenset(map(turn, instance.board))
        offset = tuple(a - b for a, b in zip(low, box(image)[0], strict=True))
        optional = frozenset(map(turn, instance.optional))
        if move(image, offset) == instance.board and move(optional, offset) == instance.optional:
            kept.append(Symmetry(turn, offset))
    return tuple(kept)


def _tiles_allow(instance: Instance, turn: Isometry) -> bool:
    """Whether the images of the tiles are the tiles again, with the same bounds."""

    def bounds(mirrored: bool) -> dict[Shape, tuple[int, int | None]]:
        return {
            _least(instance, tile.shape, turn if mirrored else None): (tile.at_least, tile.at_most)
            for tile in instance.distinct_tiles
        }

    return bounds(mirrored=False) == bounds(mirrored=True)


def _least(instance: Instance, shape: Shape, turn: Isometry | None) -> Shape:
    lifted = lift(shape, instance.dimension)
    return variants(frozenset(map(turn, lifted)) if turn else lifted, instance.reflections)[0]


def actions(cover: ExactCover) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where the symmetries of an unfiltered cover, the identity first, take its cells and its options: shapes (symmetries, cells)
    and (symmetries, options).

    They are those of the board and the tiles that respect the instance's constraints: they map placements to placements.
    """
    turned = cell_maps(cover.cells, group(cover.instance))
    maps = cover.option_maps(turned)
    whole = (maps >= 0).all(axis=1)
    return turned[whole], maps[whole]
