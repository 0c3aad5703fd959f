"""What the symmetries of an instance do to the options of its cover."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tiler.model.symmetry import cell_maps, group
from tiler.process.look import Look, unhurried

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tiler.cover.board import BoardCover


def actions(cover: BoardCover, look: Look = unhurried) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where the symmetries of an unfiltered cover, the identity first, take its cells and its options: shapes (symmetries, cells)
    and (symmetries, options).

    They are those of the board and the tiles that respect the instance's constraints: they map placements to placements.
    """
    turned = cell_maps(cover.instance, cover.cells, group(cover.instance, look))
    maps = cover.option_maps(turned, look)
    whole = (maps >= 0).all(axis=1)
    return turned[whole], maps[whole]
