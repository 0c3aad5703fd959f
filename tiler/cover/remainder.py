"""Hold what the stages of the prover work on: cells still to be covered, placements still possible, and bounds on the copies
left.

This is the whole cover at first, and later the rest of it after placements were made or ruled out. Cells and placements keep
their numbers in the cover, so that what is found out about a rest can be written down about the board.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tiler.cover.count_vectors import CountVectors

if TYPE_CHECKING:
    from tiler.cover.board import BoardCover


@dataclass(frozen=True)
class Remainder:
    """A cover, or what is left of one. `options`, `cells_of` and `tile_of` are indexed by the cover's numbers."""

    cover: BoardCover
    cells_of: list[list[int]]  #: the cells of every option of the cover
    tile_of: list[int]
    cells: tuple[int, ...]  #: the cells that are still to be covered
    options: tuple[int, ...]  #: the options that may still be used
    lower: tuple[int, ...]  #: for each tile
    upper: tuple[int, ...]

    @classmethod
    def of(cls, cover: BoardCover) -> Remainder:
        """The remainder that is the whole cover."""
        return cls(
            cover,
            cover.members.lists(),
            cover.tile.tolist(),
            tuple(range(len(cover.items))),
            tuple(range(len(cover))),
            tuple(cover.lower.tolist()),
            tuple(cover.upper.tolist()),
        )

    @property
    def is_whole(self) -> bool:
        """Whether nothing is placed or ruled out yet."""
        return len(self.options) == len(self.tile_of) and len(self.cells) == len(self.cover.items)

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(self.cover.sizes.tolist())

    @cached_property
    def counts(self) -> CountVectors:
        """The numbers of copies that tiles can have: within their bounds, and no more than there are placements."""
        available = [0] * len(self.lower)
        for option in self.options:
            available[self.tile_of[option]] += 1
        upper = tuple(min(most, there) for most, there in zip(self.upper, available, strict=True))
        return CountVectors(len(self.cells), self.sizes, self.lower, upper)
