"""Find out how many pieces are left, and set the counts with which a search begins at a node.

The number of pieces left decides when schedules change over and when dancing links hand over; fits and no-fits are counted by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.backends.fila.kernel_counters import BACK, COPIES, DEPTH, FLOOR, OPEN, SLACK
from tiler.cover.board import BoardCover

if TYPE_CHECKING:
    from tiler.backends.fila.kernel_lists import ListsState
    from tiler.backends.fila.kernel_window import WindowState


class Pieces:
    """The number of pieces left, found from the open cells or the copies used.

    Where every copy has to be used it is the number of copies left. Else it is the most that the open cells could hold.
    """

    def __init__(self, cover: BoardCover) -> None:
        cells, smallest = cover.extent, int(cover.sizes[cover.sizes > 0].min())
        self.exact = cover.uses_every_copy
        self.all = int(cover.upper.sum()) if self.exact else cells // smallest
        self.most = cells // smallest + int(cover.upper[cover.sizes == 0].sum())  #: images that can be placed
        #: shape (cells + 1,): the pieces left, by the number of open cells; -1 where that number does not determine them
        self.by_open = (np.full(cells + 1, -1) if self.exact else portable.arange(cells + 1) // smallest).astype(np.int64)


def begin(
    cover: BoardCover, place: NDArray[np.int64], chosen: Sequence[int], state: ListsState | WindowState
) -> NDArray[np.bool_]:
    """Set the counts in the state of a kernel for the node where these options are placed.

    Returns which places are filled there.
    """
    left, owed, counters = state.left, state.owed, state.counters
    used = portable.bincount(cover.tile[list(chosen)], minlength=len(cover.tiles))
    np.subtract(cover.upper, used, out=left)
    np.subtract(cover.lower, used, out=owed)
    counters[DEPTH] = counters[BACK] = counters[FLOOR] = 0
    counters[OPEN] = cover.extent - used @ cover.sizes
    counters[SLACK] = counters[OPEN] - np.maximum(owed, 0) @ cover.sizes
    counters[COPIES] = left.sum()
    filled = np.zeros(len(cover.items), np.bool_)
    for option in chosen:
        filled[place[cover.members[option]]] = True
    return filled
