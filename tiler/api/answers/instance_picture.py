"""Instances as notebooks and `print` show them: the board, with what lies there already, and the tiles below it."""

from __future__ import annotations

import textwrap

from tiler import printable
from tiler.api.answers.saving import Forms, pictures
from tiler.formats import pieces
from tiler.model.instance import Instance
from tiler.model.paint import Coat, lifted
from tiler.model.placed import placed
from tiler.model.tile import Tile
from tiler.render import drawing, pages, svg, text
from tiler.render.colours import PieceColours
from tiler.render.options import USUAL, PictureLook
from tiler.render.paint import Inks
from tiler.render.scene import Page, Panel


def svg_of(instance: Instance) -> str:
    """The document of the page."""
    return svg.of_page(page_of(instance), instance.heading or "problem")


def pictures_of(instance: Instance, look: PictureLook) -> Forms:
    """The page of a puzzle as svg, png and pdf."""
    return pictures(lambda: page_of(instance, look), instance.heading or "puzzle")


def text_of(instance: Instance) -> str:
    """The board as lines, and below it the tiles with their bounds, as problem files write them.

    >>> import tiler
    >>> print(tiler.make("2x1", "1:1", "1"))
    ┌───────┐
    │ ·   · │
    └───────┘
    1
    """
    board = text.draw(instance, placed(instance), colour=False)
    tiles = " ".join(f"{pieces.bounds(tile)}{tile.name}" for tile in instance.distinct_tiles)
    return f"{board}\n{textwrap.fill(printable.line(tiles), 80, break_long_words=False, break_on_hyphens=False)}"


def page_of(instance: Instance, look: PictureLook = USUAL) -> Page:
    """The board with its distinct tiles below it, in the colours of a tiling, each with its name, and the number of its
    copies if there may be several."""
    board = drawing.panels(instance, placed(instance), look=look._replace(inches=0.0))
    return pages.stacked(pages.of_tiling(board), pages.in_rows(pieces_of(instance, look)))._replace(inches=look.inches)


def pieces_of(instance: Instance, look: PictureLook = USUAL) -> list[Panel]:
    """The distinct tiles, each headed by its name, and the number of its copies if there may be several."""
    fills = PieceColours.of(instance, (), look.colours).tiles
    lattice, inks = instance.lattice, Inks.of(instance)
    return [
        drawing.of_shape(lattice, lattice.lift(tile.shape), fills[tile.name], _caption(tile), _coat(instance, tile), inks)
        for tile in instance.distinct_tiles
    ]


def _coat(instance: Instance, tile: Tile) -> Coat:
    """What is painted on the front of a tile, where it lies in space if the board does."""
    return tile.paint.front.carried(lambda cell: lifted(cell, instance.dimension))


def _caption(tile: Tile) -> str:
    """The name of a tile, and how many copies there are if there may be several."""
    if tile.at_most == 1:
        return tile.name
    if tile.at_most is None:
        return f"{tile.name}: at least {tile.at_least}" if tile.at_least else f"{tile.name}: any number"
    return f"{tile.name}: {tile.at_most}" if tile.at_least == tile.at_most else f"{tile.name}: {tile.at_least} to {tile.at_most}"
