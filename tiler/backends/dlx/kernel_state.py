"""Declare the arrays on which dancing links work: see kernel.py, and kernel_narrow.py for the last stage."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tiler.kernels.arrays import I32, I32_2, I64, I64_2, U32, U64, U64_2

#: Places in `counters`; NUMBERED: the depth from which on open cells have numbers; NARROW: the depth at which the last stage
#: began, or -1; FLOOR: the depth at which the search ends, since the branches above it belong to another search.
DEPTH, PHASE, NODES, FOUND, NUMBERED, NARROW, FLOOR = range(COUNTERS := 7)
#: How an item is chosen: the first of those with the least degree; the first open cell; the first cell with the least degree if
#: that is 1, else the first open one; the first cell with the least degree. From FORCED on no tile is looked at.
FEWEST, FIRST, FORCED, CELLS = range(4)
#: The values of PHASE.
ENTER, NEXT, BACK = range(3)
#: Columns of `stack`: the ITEM branched on, AT which word of its list, number of WAYS when branched, TRIED so far, option CHOSEN,
#: cells OPEN, SLACK (cells open and not owed), TINT (white minus black open cells). In the last stage AT is what comes next in
#: `todo`, which ENDs there, or for a tile the number of the option chosen.
ITEM, AT, WAYS, TRIED, CHOSEN, OPEN, SLACK, TINT, END = range(STACK_COLUMNS := 9)

#: Words of options in the last stage. With more of them options are numbered anew less often, and counting takes longer. Measured
#: with `fila:order=s`: Tetris Cube and Bedlam are quickest with 11, in 0.89 of the seconds of 8; for pentominoes on 6x10 all from
#: 8 to 11 are alike.
WORDS = 11
#: Added to the degree of an item that is covered, or used as often as it must be.
FREE = 1 << 29


class DlxMatrix(NamedTuple):
    """The options, items and rules of a search, which only reads them."""

    starts: U64  #: (options + 1,): where the items of each option begin
    items: U32  #: its cells, ascending, then its tile if lower > 0
    #: (items + lists of rivals + 1,): the options of item i, as bits: words list_starts[i] .. list_starts[i + 1] of the next two.
    #: After the lists of the items come the lists of colour_conflicts.py
    list_starts: I64
    word: U32  #: which word, ascending
    mask: U64  #: the bits in it
    tile: I32  #: (options,)
    size: I64  #: (tiles,): cells of a tile
    lower: I64  #: (tiles,): bounds
    upper: I64
    rival_starts: U64  #: (options + 1,): where those of each option begin; of length 1 if no item has colours
    rivals: U32  #: the lists of rivals of each option, counted on from the last item
    shared: U32  #: (lists of rivals,): the coloured item that a list is about
    shades: int  #: the number of lists about a colour that several options give; they come first
    tint: I64  #: (options,): white minus black cells, for a test at every node; empty for none
    tint_most: I64  #: (tiles,): the largest absolute tint of an option of the tile
    rules: I64  #: (pieces + 1,): how an item is chosen, by pieces left
    pieces: int  #: how many are left at depth 0; -1: as many as the open cells could hold, each of the size `smallest`
    smallest: int
    handoff: int  #: a node with so few pieces left is not searched: HANDOFF is returned, and the next call goes back from it
    watched: int  #: the search pauses at every node with more pieces left
    narrow: int  #: the last stage begins at nodes with so few pieces left only; -1 for never


class DlxState(NamedTuple):
    """The state of a search."""

    kill: U64  #: (words,): scratch: the options that go with the one placed, else zero
    used: I64  #: (tiles,): copies in use
    alive: U64_2  #: (levels, words): by depth, the options left
    degree: I32_2  #: (levels or 1, items): by depth, or the present one only
    rest: U64  #: (levels,): by depth, the bits not yet tried of the present word of the list
    stack: I64_2  #: (levels,) by names
    fits: I64  #: (pieces + 1,): options placed, by pieces left
    counters: I64  #: by names

    @classmethod
    def new(cls, options: int, tiles: int, items: int, levels: int, degrees: int, pieces: int) -> DlxState:
        """All zeros, with a given number of rows for degrees."""
        words = -(-options // 64)
        # The largest first: if memory is missing, that is known at once.
        return cls(
            alive=np.zeros((levels, words), np.uint64),
            kill=np.zeros(words, np.uint64),
            used=np.zeros(tiles, np.int64),
            degree=np.zeros((degrees, items), np.int32),
            rest=np.zeros(levels, np.uint64),
            stack=np.zeros((levels, STACK_COLUMNS), np.int64),
            fits=np.zeros(pieces + 1, np.int64),
            counters=np.array([0, ENTER, 0, 0, -1, -1, 0], np.int64),
        )


class Narrow(NamedTuple):
    """The state of the last stage. Open cells have numbers from the node NUMBERED on, options and tiles that must still be used
    from the node NARROW on."""

    cells_of: U64  #: (options,): the cells of an option, as bits by their numbers
    number_of: I64  #: (cells,): the number of a cell
    cell_of: I64  #: (64,): the cell of a number
    option_of: I64  #: (64 * WORDS,): the option of a number
    option_cells: U64  #: (64 * WORDS,): its cells
    tile_of: I64  #: (64,): the tiles that must still be used
    bit_of: U64  #: (tiles,): which of them a tile is, as a bit; 0 for none
    tile_options: U64  #: (tiles * WORDS,): WORDS words for each tile, its options
    cover: U64  #: (64 * WORDS,): WORDS words for each cell, the options that cover it
    open_cells: U64  #: (levels,): by depth, the open cells
    needed: U64  #: (levels,): by depth, the tiles that must still be used
    words: U64  #: (levels * WORDS,): WORDS words for each depth, the options left
    colour_options: U64  #: (rivals * WORDS,): WORDS words for each shared colour of an item, the options that give it
    giving: U64  #: (coloured items * WORDS,): WORDS words for each, the options that give it any colour
    known: U64  #: (WORDS,): the options of which `conflicts` is known, where items have colours
    conflicts: U64  #: (64 * WORDS * WORDS,) or empty: WORDS words for each option, those that give an item another colour
    todo: I64  #: (64 * WORDS,): of each depth, one behind the other, the options that cover the cell branched on
    square: U64  #: (64,): scratch

    @classmethod
    def new(cls, options: int, tiles: int, cells: int, levels: int, rivals: int, coloured: int) -> Narrow:
        """All zeros."""
        return cls(
            cells_of=np.zeros(options, np.uint64),
            number_of=np.zeros(cells, np.int64),
            cell_of=np.zeros(64, np.int64),
            option_of=np.zeros(64 * WORDS, np.int64),
            option_cells=np.zeros(64 * WORDS, np.uint64),
            tile_of=np.zeros(64, np.int64),
            bit_of=np.zeros(tiles, np.uint64),
            tile_options=np.zeros(tiles * WORDS, np.uint64),
            cover=np.zeros(64 * WORDS, np.uint64),
            open_cells=np.zeros(levels, np.uint64),
            needed=np.zeros(levels, np.uint64),
            words=np.zeros(levels * WORDS, np.uint64),
            colour_options=np.zeros(rivals * WORDS, np.uint64),
            giving=np.zeros(coloured * WORDS, np.uint64),
            known=np.zeros(WORDS, np.uint64),
            conflicts=np.zeros(64 * WORDS * WORDS if rivals else 0, np.uint64),
            todo=np.zeros(64 * WORDS, np.int64),
            square=np.zeros(64, np.uint64),
        )
