"""What the search for the open cell with the fewest images works on: see kernel_mrv.py."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tiler.backends.dlx.kernel_narrow import signed
from tiler.backends.dlx.kernel_state import WORDS
from tiler.backends.fila.kernel_counters import SHARED
from tiler.kernels import inner
from tiler.kernels.arrays import I32, I64, I64_2, U8, U64, U64_2, U64_3
from tiler.kernels.bits import trailing_zeros

#: Of `counters`, besides those that all searches of FILA have.
CHOOSY, NUMBERED, NARROW = range(SHARED, COUNTERS := SHARED + 3)
TILE, IMAGE, NEXT, END, PIECES, TARGET = range(STACK_COLUMNS := 6)
ALIVE, REST = range(ROWS := 2)  #: of `rows`
FEW = WORDS  #: words of images in the narrow part


class Images(NamedTuple):
    """What can be placed from the node on where the search begins, in sets of B words; a search changes nothing of it."""

    image_starts: I64  #: (options + 1,): where the cells of each option begin
    images: I32  #: their places
    option_of: I64  #: (images,): the option
    tile_of: I64  #: (images,): its tile
    covering: U64_2  #: (cells, B): the images that cover a cell
    of_tile: U64_2  #: (tiles, B): the images of a tile
    beside: I64_2  #: (cells, sides): the neighbours of each cell; `cells`, which is always filled, for none


class State(NamedTuple):
    """Where a search stands. From the node NUMBERED on the open cells have numbers, from the node NARROW on the images too."""

    left: I64  #: (tiles,): copies left
    owed: I64  #: (tiles,): copies that must still be used
    filled: U8  #: (cells + 1,): which cells are filled, above the narrow part; the last one is
    rows: U64_3  #: (levels, 2, B): above the narrow part, by depth, images that fit (ALIVE), and those still to try (REST)
    stack: I64_2  #: by depth: TILE and IMAGE placed; where to go on, the word NEXT of REST, or in the narrow part what is
    #: NEXT .. END in `todo`; PIECES left; the TARGET, a place or in the narrow part a number, for a tile -1 - its number
    number_of: I64  #: (cells,): the number of a cell
    near: U64  #: (64,): the neighbours of a number, as bits
    still: U64  #: (levels,): by depth, the open cells
    cells_of: U64  #: (images,): the cells of an image
    image_of: I64  #: (64 * FEW,): narrow: the image of a number
    lie: U64  #: (64 * FEW,): narrow: the cells of an image
    cover: U64  #: (64 * FEW,): narrow: FEW words for each cell, the images that cover it
    kin: U64  #: (tiles * FEW,): narrow: FEW words for each tile, its images
    words: U64  #: (levels * FEW,): narrow: FEW words for each depth, the images that fit
    todo: I64  #: (64 * FEW,): narrow: of each depth, one behind the other, the images that cover the target
    scratch: I64  #: (cells,)
    square: U64  #: (64,)
    fits: I64  #: (pieces + 1,): images placed, by pieces left
    counters: I64  #: by name; CHOOSY: not every copy must be used; NUMBERED and NARROW: the depth of a node, or -1

    @classmethod
    def new(cls, cells: int, tiles: int, levels: int, pieces: int) -> State:
        """All zeros, all cells filled; `rows` and `cells_of` without any images."""
        return cls(
            left=np.zeros(tiles, np.int64),
            owed=np.zeros(tiles, np.int64),
            filled=np.ones(cells + 1, np.uint8),
            rows=np.zeros((levels, ROWS, 0), np.uint64),
            stack=np.zeros((levels, STACK_COLUMNS), np.int64),
            number_of=np.zeros(cells, np.int64),
            near=np.zeros(64, np.uint64),
            still=np.zeros(levels, np.uint64),
            cells_of=np.zeros(0, np.uint64),
            image_of=np.zeros(64 * FEW, np.int64),
            lie=np.zeros(64 * FEW, np.uint64),
            cover=np.zeros(64 * FEW, np.uint64),
            kin=np.zeros(tiles * FEW, np.uint64),
            words=np.zeros(levels * FEW, np.uint64),
            todo=np.zeros(64 * FEW, np.int64),
            scratch=np.zeros(cells, np.int64),
            square=np.zeros(64, np.uint64),
            fits=np.zeros(pieces + 1, np.int64),
            counters=np.zeros(COUNTERS, np.int64),
        )


@inner()
def lowest(word: np.uint64) -> int:
    """The position of the lowest bit that is set; not to be asked of zero."""
    return signed(trailing_zeros(word))
