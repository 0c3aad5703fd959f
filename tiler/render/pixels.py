"""Draw a tiling of very many squares as an image of some pixels per cell, by Pillow: outlines of 300,000 pieces take half a
minute and 40 MB.

Pieces have borders if a cell has at least three pixels. Their colours are of the stretch of their tile and change from place to
place, but neighbours may have the same one: the borders tell them apart.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.model.cell_numbers import coordinates
from tiler.model.instance import Instance
from tiler.model.tile import Placement
from tiler.optional_packages import is_installed
from tiler.render import svg_elements as xml
from tiler.render.colours import PieceColours, fill, homes, parts
from tiler.render.options import USUAL, PictureLook
from tiler.render.scene import BARE, INK

_MANY = 200_000  # cells from which a picture is made of pixels
_LONGEST, _MOST_OF_CELL = 4000, 8  # pixels of the longer side, and of a cell, at most
_LEAST_WITH_BORDER = 3  # pixels of a cell that has a border
_COLOURS = 253  # the most colours of pieces: the palette of a PNG has 256


def suits(instance: Instance, look: PictureLook = USUAL) -> bool:
    """Whether a board has very many cells, and only pieces are drawn."""
    is_plain = instance.has_boxes and instance.dimension == 2 and not (instance.is_painted or instance.ground)
    return len(instance.board) >= _MANY and is_plain and not (look.marks or look.names or look.cut) and is_installed("PIL")


def png(instance: Instance, solution: Sequence[Placement], look: PictureLook = USUAL) -> bytes:
    """The picture as a PNG."""
    from PIL import Image

    pixels, palette = _drawn(instance, solution, look)
    image = Image.fromarray(pixels)
    image.putpalette([level for colour in palette for level in parts(colour)])
    dots = max(pixels.shape) / look.inches if look.inches else 0.0
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=1, **({"dpi": (dots, dots)} if dots else {}))
    return out.getvalue()


def svg(instance: Instance, solution: Sequence[Placement], look: PictureLook = USUAL) -> str:
    """The same picture in a document."""
    content = png(instance, solution, look)
    wide, high = (int.from_bytes(content[at : at + 4], "big") for at in (16, 20))  # from the head of every PNG
    reference = f"data:image/png;base64,{base64.b64encode(content).decode()}"
    image = xml.element("image", width=wide, height=high, href=reference, style="image-rendering: pixelated")
    return xml.document(wide, high, instance.heading or "tiling", [image], 1.0, look.inches)


def _drawn(instance: Instance, solution: Sequence[Placement], look: PictureLook) -> tuple[NDArray[np.uint8], list[str]]:
    """The pixels, shape (rows, columns), as numbers of colours; and the colours."""
    board = coordinates(instance.board)
    low, sides = board.min(0), board.max(0) - board.min(0) + 1
    sizes = [len(placement.cells) for placement in solution]
    covered = np.fromiter(chain.from_iterable(chain.from_iterable(p.cells for p in solution)), np.int64).reshape(-1, 2) - low
    piece = np.full(tuple(sides), -2, np.int64)
    piece[tuple((board - low).T)] = -1
    piece[tuple(covered.T)] = portable.repeat(portable.arange(len(solution)), sizes)
    colours, of_piece = _colours(instance, solution, look)
    number = np.array([1, 2, *of_piece], np.uint8)[piece + 2]  # Beyond the board, of open cells, of pieces.
    times = max(1, min(_MOST_OF_CELL, _LONGEST // int(sides.max())))
    pixels = number.repeat(times, 0).repeat(times, 1)
    if times >= _LEAST_WITH_BORDER:
        pixels[:, times::times][(piece[:, 1:] != piece[:, :-1]).repeat(times, 0)] = 0
        pixels[times::times][(piece[1:] != piece[:-1]).repeat(times, 1)] = 0
        pixels = np.pad(pixels, ((0, 1), (0, 1)))
        pixels[0], pixels[:, 0] = 0, 0
    return pixels, [INK, "#ffffff", BARE, *colours]


def _colours(instance: Instance, solution: Sequence[Placement], look: PictureLook) -> tuple[list[str], list[int]]:
    """The colours of pieces, and for each piece its own as a number, from 3 on."""
    if look.colours is not None:
        fills = PieceColours.of(instance, [solution], look.colours).pieces[0]
    else:
        home = {name: [fill(colour) for colour in stretch] for name, stretch in homes({p.tile for p in solution}).items()}
        firsts = (min(placement.cells) for placement in solution)
        fills = [
            home[placement.tile][(2 * row + column) % len(home[placement.tile])]
            for placement, (row, column) in zip(solution, firsts, strict=True)
        ]
    colours = list(dict.fromkeys(fills))[:_COLOURS]
    numbers = {colour: 3 + number for number, colour in enumerate(colours)}
    return colours, [numbers.get(colour, 3) for colour in fills]
