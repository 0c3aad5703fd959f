"""Shorten the image lists of FILA, at a node where another search hands over to it, to the images that are still alive."""

from __future__ import annotations

import numpy as np

from tiler.backends.fila.kernel_lists import ListedImages
from tiler.kernels import kernel
from tiler.kernels.arrays import Bool


@kernel()
def narrow(keep: Bool, tiles: int, tile_words: int, images: ListedImages, into: ListedImages) -> None:
    """Write lists with only the options marked in `keep`, shape (options,). Each entry is looked at once.

    Threads share `images`, which is never written to; `into` belongs to one of them alone while this writes to it."""
    has, starts, masks, option = images.has, images.starts, images.masks, images.option
    words = masks.size // option.size
    end = 0
    for list_ in range(has.size // tile_words):
        for word in range(tile_words):
            into.has[list_ * tile_words + word] = 0
        for tile in range(tiles):
            begin = end
            into.starts[list_ * tiles + tile] = end
            for at in range(starts[list_ * tiles + tile], starts[list_ * tiles + tile + 1]):
                if keep[option[at]]:
                    into.option[end] = option[at]
                    for k in range(words):
                        into.masks[end * words + k] = masks[at * words + k]
                    end += 1
            if end > begin:
                into.has[list_ * tile_words + (tile >> 6)] |= np.uint64(1) << np.uint64(tile & 63)
    into.starts[into.starts.size - 1] = end
