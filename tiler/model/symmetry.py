"""The symmetry group of an instance: every isometry of the board, mirrors included, that maps the tiles with their bounds onto
themselves.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Isometry, Shape, isometries, lift, variants
from tiler.process.look import Look, unhurried

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


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

    grid = _Grid.of(cells)
    number = np.empty(int(np.prod(grid.sides)), np.int64)
    number[grid.place(grid.cells)] = np.arange(len(cells))
    return np.array([number[grid.place(grid.image(symmetry))] for symmetry in symmetries], np.int64)


class _Grid(NamedTuple):
    """A board as an array of its cells, shape (cells, dimension), and the box around it: its least corner and its sides."""

    cells: NDArray[np.int64]
    low: NDArray[np.int64]
    sides: NDArray[np.int64]

    @classmethod
    def of(cls, board: Collection[Cell]) -> _Grid:
        import numpy as np

        dimension = len(next(iter(board)))
        cells = np.fromiter(chain.from_iterable(board), np.int64, dimension * len(board)).reshape(-1, dimension)
        low = cells.min(0)
        return cls(cells, low, cells.max(0) - low + 1)

    def image(self, symmetry: Symmetry) -> NDArray[np.int64]:
        """Where a symmetry takes the cells, in their order."""
        import numpy as np

        turn = symmetry.turn
        return np.asarray(self.cells[:, turn.axes] * np.array(turn.signs) + np.array(symmetry.offset))

    def place(self, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        """Shape (cells,): the place of each cell within the box, counted row by row."""
        import numpy as np

        strides = np.cumprod([1, *self.sides[:0:-1]])[::-1]
        return np.asarray((cells - self.low) @ strides)


def group(instance: Instance, look: Look = unhurried) -> tuple[Symmetry, ...]:
    """The symmetries of an instance, the identity first; the answer up to symmetry counts orbits under them.

    With reflections allowed, or in a set that holds every tile with its mirror image, mirrors qualify; in space a mirror of a
    flat piece is the piece turned over. (6x10 with the free pentominoes: 4. A 3x4x5 box with flat pieces: 8. Soma: 48.)
    """
    import numpy as np

    look()
    grid = _Grid.of(instance.board)
    # 0 off the board, 1 on it, 2 where a cell may stay uncovered.
    marks = np.zeros(int(np.prod(grid.sides)), np.int8)
    marks[grid.place(grid.cells)] = 1
    if instance.optional:
        marks[grid.place(_Grid.of(instance.optional).cells)] = 2
    here = marks[grid.place(grid.cells)]
    kept = []
    for turn in isometries(instance.dimension, reflections=True):
        look()
        if not (instance.reflections or turn.is_rotation or _tiles_allow(instance, turn)):
            continue
        image = grid.image(Symmetry(turn, (0,) * instance.dimension))
        offset = grid.low - image.min(0)
        if (grid.sides[list(turn.axes)] == grid.sides).all() and (marks[grid.place(image + offset)] == here).all():
            kept.append(Symmetry(turn, tuple(offset.tolist())))
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
