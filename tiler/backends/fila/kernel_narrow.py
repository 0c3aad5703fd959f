"""What a search that hands over to FILA needs at a node: the lists of the images still alive.

    keep                boolean[options]                which options stay
    has, starts, masks, option                          image lists as kernels/fila.py has them; `.._to` the arrays to write to

Each entry of the lists is looked at once.
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
