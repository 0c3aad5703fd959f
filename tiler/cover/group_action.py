"""Say what the symmetries of an instance do to the options of its cover, and which tilings are images of one another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.cover.board import BoardCover
from tiler.cover.csr import Csr, RowNumbers
from tiler.errors import BadOption
from tiler.model.lattice import Isometry
from tiler.model.symmetry import cell_maps, group, tile_maps
from tiler.model.tile import Placement
from tiler.process.cancellation import StopCheck, never_stop


class TilingClasses:
    """Tells the classes of tilings of an unfiltered cover."""

    def __init__(self, cover: BoardCover) -> None:
        symmetries = symmetries_of(cover)
        self._matrices = [symmetry.matrix for symmetry in symmetries]
        self._instance, self._cells = cover.instance, len(cover.cells)
        self._board_paint = cover.board_paint if cover.instance.is_painted else None
        self._number = {cell: number for number, cell in enumerate(cover.cells)}
        self._cell_to = cell_maps(cover.instance, cover.cells, symmetries)
        self._tile_to = tile_maps(cover.instance, symmetries)

    def of(self, tiling: Sequence[Placement]) -> bytes:
        """A key that two tilings have in common just if they are images of one another. Among the images, each written as the
        tile and the first cell of the piece on every cell, and then what is painted where, the least."""
        if not tiling:
            return b""  # All cells stay open.
        cells = np.array([self._number[cell] for placed in tiling for cell in placed.cells], np.int64)
        sizes = np.array([len(placed.cells) for placed in tiling])
        tiles = np.array([self._instance.number_of(placed.tile) for placed in tiling], np.int64)
        there = self._cell_to[:, cells]
        piece = self._tile_to[:, tiles] * self._cells + portable.reduceat(
            np.minimum, there, portable.cumsum(sizes) - sizes, axis=1
        )
        images = np.full((len(there), self._cells), -1, ">i8")
        np.put_along_axis(images, there, portable.repeat(piece, sizes, axis=1), axis=1)
        painted = self._painted(tiling)
        return min(image.tobytes() + paint for image, paint in zip(images, painted, strict=True))

    def _painted(self, tiling: Sequence[Placement]) -> list[bytes]:
        """For every symmetry, what is painted where on the image of a tiling."""
        if self._board_paint is None:
            return [b""] * len(self._matrices)
        origin = np.zeros((1, self._instance.dimension), np.int32)
        seen = np.concatenate([self._board_paint.traits(placed.coat, origin)[0] for placed in tiling])
        images = (
            self._board_paint.turned_traits(seen, cells, matrix)
            for cells, matrix in zip(self._cell_to, self._matrices, strict=True)
        )
        return [np.sort(image).astype(">i8").tobytes() for image in images]


#: The most images of options that are listed: symmetries times options, with eight bytes each.
MAX_IMAGES = 20_000_000
_AT_ONCE = 1 << 16  # the number of options whose images are found between two looks at the clock


def symmetries_of(cover: BoardCover, check_stop: StopCheck = never_stop) -> tuple[Isometry, ...]:
    """The symmetries of an unfiltered cover, the identity first: those of the board and the tiles that respect the instance's
    constraints."""
    found = group(cover.instance, check_stop)
    return (
        found
        if not cover.instance.constraints
        else tuple(symmetry for symmetry in found if (images(cover, [symmetry], check_stop)[1] >= 0).all())
    )


def item_maps(cover: BoardCover, symmetries: list[Isometry]) -> NDArray[np.int64]:
    """Where symmetries take the items, shape (symmetries, items)."""
    cells = cell_maps(cover.instance, cover.cells, symmetries)
    number = {corner: at for at, corner in enumerate(cover.corners, len(cover.cells))}
    corners = [[number[corner.turned(symmetry)] for corner in cover.corners] for symmetry in symmetries]
    return np.hstack([cells, np.array(corners, np.int64)]) if number else cells


def images(
    cover: BoardCover, symmetries: list[Isometry], check_stop: StopCheck = never_stop
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The images of items and options under symmetries: shapes (symmetries, items) and (symmetries, options); -1 for an image
    that is no item or option."""
    turned = item_maps(cover, symmetries)
    tiles = np.tile(portable.arange(len(cover.tiles)), (len(symmetries), 1))  # A symmetry takes each filler to itself.
    tiles[:, : len(cover.instance.distinct_tiles)] = tile_maps(cover.instance, symmetries)
    if not cover.instance.is_painted:
        return turned, option_maps(cover, turned, tiles, cover.members, check_stop)
    # The traits of options are mapped like items, and have the numbers after those.
    every, traits = cover.traits
    carried = [
        cover.board_paint.turned_traits(every, cells, symmetry.matrix)
        for symmetry, cells in zip(symmetries, turned[:, : len(cover.cells)], strict=True)
    ]
    at = np.searchsorted(every, np.array(carried)).clip(max=max(0, len(every) - 1))
    numbers = np.where(every[at] == carried, at + len(cover.items), -1)
    members = cover.members.beside(Csr(traits.starts, traits.values + np.int32(len(cover.items))))
    return turned, option_maps(cover, np.hstack([turned, numbers]), tiles, members, check_stop)


def option_maps(
    cover: BoardCover,
    item_maps: NDArray[np.int64],
    tile_maps: NDArray[np.int64],
    members: Csr,
    check_stop: StopCheck = never_stop,
) -> NDArray[np.int64]:
    """The images of options under maps of the items, shape (maps, items), and tiles, shape (maps, tiles); -1 for an image that is
    no option: shape (maps, options). `members` are those of the options and whatever else tells them apart, which is mapped like
    items."""
    check_stop()
    options_to = np.empty((len(item_maps), len(cover)), np.int64)
    sizes = np.diff(members.starts)
    for size in sorted(set(sizes.tolist())):
        options = np.flatnonzero(sizes == size)
        rows = np.empty((len(options), size + 1), np.int64)
        items, tiles = rows[:, :size], rows[:, size:]
        tiles[:, 0] = cover.tile[options]
        for first in range(0, len(options), _AT_ONCE):
            check_stop()
            some = slice(first, first + _AT_ONCE)
            items[some] = members.values[members.starts[options[some]][:, None] + portable.arange(size)]
        numbers = RowNumbers(rows, check_stop)
        for to, item_to, tile_to in zip(options_to, item_maps, tile_maps, strict=True):
            for first in range(0, len(options), _AT_ONCE):
                check_stop()
                some = slice(first, first + _AT_ONCE)
                found = numbers.find(np.hstack([np.sort(item_to[items[some]], axis=1), tile_to[tiles[some]]]))
                to[options[some]] = np.where(found >= 0, options[found], -1)
    return options_to


def are_too_many(cover: BoardCover, symmetries: int) -> bool:
    """Whether there are too many symmetries to list the images of all options under them."""
    return symmetries * len(cover) > MAX_IMAGES


def actions(
    cover: BoardCover, check_stop: StopCheck = never_stop, symmetries: Sequence[Isometry] = ()
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where the symmetries of an unfiltered cover, the identity first, take its items and its options: shapes (symmetries, items)
    and (symmetries, options). `symmetries` are all of them, where they are known. BadOption if `are_too_many`."""
    symmetries = symmetries or symmetries_of(cover, check_stop)
    if are_too_many(cover, len(symmetries)):
        raise BadOption(
            f"up to symmetry: a group of {len(symmetries):,} takes {len(cover):,} placements to more images than are listed; "
            "tilings can be counted, where tiles have no bounds"
        )
    return images(cover, list(symmetries), check_stop)


#: Generators are only looked for in groups with at most this number of symmetries.
_MOST_ELEMENTS = 200


def generators(turned: NDArray[np.int64]) -> tuple[tuple[int, ...], ...]:
    """Generators of the group: each is the array of the cells' images. `turned` has all symmetries, the identity first, shape
    (symmetries, cells). There are none for the identity alone, and none if the group is too large.
    """
    if not 1 < len(turned) <= _MOST_ELEMENTS:
        return ()
    made, chosen = {turned[0].tobytes()}, []
    for row in turned:
        if row.tobytes() in made:
            continue
        chosen.append(row)
        todo = [np.frombuffer(each, turned.dtype) for each in made]
        while todo:
            placement = todo.pop()
            for by in chosen:
                product = by[placement]
                if product.tobytes() not in made:
                    made.add(product.tobytes())
                    todo.append(product)
    return tuple(tuple(row.tolist()) for row in chosen)
