"""What a search that hands over to FILA needs at a node: the lists of the images still alive, and regions that cannot be filled.

    keep, alive         boolean[options]                which options stay
    has, starts, masks, option                          image lists as kernels/fila.py has them; `.._to` the arrays to write to
    member_starts, members int64[options + 1], int32[..]  the cells of each option
    tile                int32[options]                  its tile
    around_starts, around int64[cells + 1], int32[..]   the neighbours of each cell
    possible            boolean[tiles, cells + 1]       whether the tiles left, less one copy of this, can fill so many cells
    filled              boolean[cells]                  which cells are filled

`narrow` looks at each entry of the lists once; `fillable` makes one flood fill for each option.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tiler.kernels import kernel

I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]
I32 = NDArray[np.int32]
Flags = NDArray[np.bool_]

_I, _U = "int64[::1]", "uint64[::1]"


@kernel(f"void(boolean[::1],int64,int64,{_U},{_I},{_U},int32[::1],{_U},{_I},{_U},int32[::1])")
def narrow(
    keep: Flags,
    tiles: int,
    tile_words: int,
    has: U64,
    starts: I64,
    masks: U64,
    option: I32,
    has_to: U64,
    starts_to: I64,
    masks_to: U64,
    option_to: I32,
) -> None:
    """Write the lists without the options that do not stay."""
    words = masks.size // option.size
    end = 0
    for list_ in range(has.size // tile_words):
        for word in range(tile_words):
            has_to[list_ * tile_words + word] = 0
        for tile in range(tiles):
            begin = end
            starts_to[list_ * tiles + tile] = end
            for at in range(starts[list_ * tiles + tile], starts[list_ * tiles + tile + 1]):
                if keep[option[at]]:
                    option_to[end] = option[at]
                    for k in range(words):
                        masks_to[end * words + k] = masks[at * words + k]
                    end += 1
            if end > begin:
                has_to[list_ * tile_words + (tile >> 6)] |= np.uint64(1) << np.uint64(tile & 63)
    starts_to[starts_to.size - 1] = end


@kernel(f"boolean[::1]({_I},int32[::1],int32[::1],{_I},int32[::1],boolean[:,::1],boolean[::1],boolean[::1])")
def fillable(
    member_starts: I64,
    members: I32,
    tile: I32,
    around_starts: I64,
    around: I32,
    possible: Flags,
    filled: Flags,
    alive: Flags,
) -> Flags:
    """Those of the options alive after which the tiles left can fill every region of open cells, each looked at alone."""
    options, cells = tile.size, filled.size
    keep = np.zeros(options, np.bool_)
    seen = np.full(cells, -1, np.int32)
    queue = np.empty(cells, np.int32)
    for option in range(options):
        if not alive[option]:
            continue
        for m in range(member_starts[option], member_starts[option + 1]):
            seen[members[m]] = option
        keep[option] = True
        for start in range(cells):
            if filled[start] or seen[start] == option:
                continue
            seen[start] = option
            queue[0] = start
            head, tail = 0, 1
            while head < tail:
                cell = queue[head]
                head += 1
                for a in range(around_starts[cell], around_starts[cell + 1]):
                    other = around[a]
                    if seen[other] != option and not filled[other]:
                        seen[other] = option
                        queue[tail] = other
                        tail += 1
            if not possible[tile[option], tail]:
                keep[option] = False
                break
    return keep
