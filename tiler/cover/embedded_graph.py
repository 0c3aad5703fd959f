"""Hold covers that are drawn as a graph on some surface, but not on a board: quotients of boards by a symmetry."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.cover.cover import Cover, SolutionsKept


@dataclass(frozen=True, eq=False, kw_only=True)
class EmbeddedCover(Cover):
    """Items are points, and options of two items lines between them; options of one item are not drawn."""

    around: tuple[tuple[int, ...], ...]  #: for each item, its options of two items, in their order round it
    points: NDArray[np.float64]  #: shape (items, 2): roughly where each item lies; neighbours may be far apart

    def restrict(self, keep: NDArray[np.bool_], keeps: SolutionsKept | None = None) -> EmbeddedCover:
        number = np.where(keep, portable.cumsum(keep) - 1, -1).tolist()
        around = tuple(tuple(number[option] for option in options if keep[option]) for options in self.around)
        return replace(self, around=around, **self._restricted(keep, keeps))
