"""Instances as notebooks show them: the board, and the tiles below it."""

from __future__ import annotations

from collections.abc import Iterator

from tiler.model.instance import Instance
from tiler.model.lattice import Cell, box, move
from tiler.model.tile import Placement, Tile
from tiler.render import svg

_WIDE = 24  # cells that tiles may take side by side, where the board is narrower


def svg_of(instance: Instance) -> str:
    """The board with its tiles laid out below it; on lattices where there is no below, the board alone."""
    if not instance.has_boxes:
        return svg.draw(instance, ())
    laid = tuple(_laid_out(instance))
    cells = frozenset(cell for placement in laid for cell in placement.cells)
    tiles = tuple(Tile(placement.tile, placement.cells) for placement in laid)
    everything = Instance(
        instance.board | cells, tiles, optional=instance.optional, lattice=instance.lattice, name=instance.heading
    )
    return svg.draw(everything, laid)


def _laid_out(instance: Instance) -> Iterator[Placement]:
    """The distinct tiles in rows below the board, a cell apart, with how many copies there are in their names."""
    lift = instance.lattice.lift
    low, high = box(instance.board)
    left, wide = low[-1], max(_WIDE, high[-1] - low[-1] + 1)
    row, column, deep = high[-2] + 2, left, 0
    for tile in instance.distinct_tiles:
        shape = lift(tile.shape)
        far = box(shape)[1]
        if column > left and column + far[-1] >= left + wide:
            row, column, deep = row + deep + 1, left, 0
        offset: Cell = (*low[:-2], row, column)
        yield Placement(f"{tile.name}: {_copies(tile)}", move(shape, offset))
        column, deep = column + far[-1] + 2, max(deep, far[-2] + 1)


def _copies(tile: Tile) -> str:
    if tile.at_most is None:
        return f"at least {tile.at_least}" if tile.at_least else "any number"
    return str(tile.at_most) if tile.at_least == tile.at_most else f"{tile.at_least} to {tile.at_most}"
