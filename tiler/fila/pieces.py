"""How many pieces are left: what schedules, handing over and the counters of FILA go by."""

from __future__ import annotations

import numpy as np

from tiler.cover import ExactCover


class Pieces:
    """How many pieces are left, from the open cells or the copies used.

    Where every copy has to be used it is the number of copies left. Else it is the most that the open cells could hold.
    """

    def __init__(self, cover: ExactCover) -> None:
        cells, smallest = len(cover.cells), int(cover.sizes.min())
        self.exact = bool((cover.lower == cover.upper).all())
        self.all = int(cover.upper.sum()) if self.exact else cells // smallest
        #: shape (cells + 1,): by open cells; -1 where they do not tell.
        self.by_open = (np.full(cells + 1, -1) if self.exact else np.arange(cells + 1) // smallest).astype(np.int64)

    def left(self, open_cells: int, copies_used: int) -> int:
        """How many pieces are left."""
        return self.all - copies_used if self.exact else int(self.by_open[open_cells])
