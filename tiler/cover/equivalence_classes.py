"""Tell which tilings are images of one another under the symmetries of their instance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tiler.cover.board import BoardCover
from tiler.cover.group_action import symmetries_of
from tiler.model.symmetry import cell_maps, tile_maps
from tiler.model.tile import Placement


class TilingClasses:
    """Tells the classes of tilings of an unfiltered cover."""

    def __init__(self, cover: BoardCover) -> None:
        symmetries = symmetries_of(cover)
        self._matrices = [symmetry.matrix for symmetry in symmetries]
        self._instance, self._cells = cover.instance, len(cover.cells)
        self._canvas = cover.canvas if cover.instance.is_painted else None
        self._number = {cell: number for number, cell in enumerate(cover.cells)}
        self._cell_to = cell_maps(cover.instance, cover.cells, symmetries)
        self._tile_to = tile_maps(cover.instance, symmetries)

    def of(self, tiling: Sequence[Placement]) -> bytes:
        """A key that two tilings have in common just if they are images of one another. Among the images, each written as the
        tile and the first cell of the piece on every cell, and then what is painted where, the least."""
        if not tiling:
            return b""  # All cells stay open.
        cells = np.array([self._number[cell] for placed in tiling for cell in placed.cells])
        sizes = np.array([len(placed.cells) for placed in tiling])
        tiles = np.array([self._instance.number_of(placed.tile) for placed in tiling])
        there = self._cell_to[:, cells]
        piece = self._tile_to[:, tiles] * self._cells + np.minimum.reduceat(there, np.cumsum(sizes) - sizes, axis=1)
        images = np.full((len(there), self._cells), -1, ">i8")
        np.put_along_axis(images, there, np.repeat(piece, sizes, axis=1), axis=1)
        painted = self._painted(tiling)
        return min(image.tobytes() + paint for image, paint in zip(images, painted, strict=True))

    def _painted(self, tiling: Sequence[Placement]) -> list[bytes]:
        """For every symmetry, what is painted where on the image of a tiling."""
        if self._canvas is None:
            return [b""] * len(self._matrices)
        here = np.zeros((1, self._instance.dimension), np.int32)
        seen = np.concatenate([self._canvas.traits(placed.coat, here)[0] for placed in tiling])
        images = (
            self._canvas.turned_traits(seen, cells, matrix) for cells, matrix in zip(self._cell_to, self._matrices, strict=True)
        )
        return [np.sort(image).astype(">i8").tobytes() for image in images]
