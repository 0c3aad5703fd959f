"""Instances as notebooks show them: the board, and the tiles below it."""

from __future__ import annotations

from tiler.model.instance import Instance
from tiler.model.tile import Tile
from tiler.render import drawing, pages, svg
from tiler.render.colours import PieceColours


def svg_of(instance: Instance) -> str:
    """The board with its distinct tiles below it, how many copies there are beside their names, in the colours of a tiling."""
    fills = PieceColours.of(instance, ()).tiles
    lattice = instance.lattice
    shapes = [
        drawing.of_shape(lattice, lattice.lift(tile.shape), fills[tile.name], f"{tile.name}: {_copies(tile)}")
        for tile in instance.distinct_tiles
    ]
    page = pages.stacked(pages.of_tiling(drawing.panels(instance, ())), pages.in_rows(shapes))
    return svg.of_page(page, instance.heading or "problem")


def _copies(tile: Tile) -> str:
    if tile.at_most is None:
        return f"at least {tile.at_least}" if tile.at_least else "any number"
    return str(tile.at_most) if tile.at_least == tile.at_most else f"{tile.at_least} to {tile.at_most}"
