"""Define how an assembly comes apart, as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tiler.model.lattice import Cell


@dataclass(frozen=True)
class Slide:
    """One straight move of some pieces together. `pieces` has their numbers; `vector` is the whole move in coordinates of cells.
    If the pieces go off for good (`off`), `vector` is one step, which is repeated without end.
    """

    pieces: tuple[int, ...]
    vector: Cell
    off: bool = False


@dataclass(frozen=True)
class Separation:
    """The moves that take the pieces `removed` off the pieces `left`. In the last move they go off for good."""

    removed: tuple[int, ...]
    left: tuple[int, ...]
    slides: tuple[Slide, ...]

    @property
    def pieces(self) -> tuple[int, ...]:
        """All pieces that lay together."""
        return tuple(sorted(self.removed + self.left))


def level_of(levels: Sequence[int]) -> str:
    """The level of a puzzle as it is published: the number of moves of each separation, joined by dots.

    >>> level_of((5, 2, 1)), level_of(())
    ('5.2.1', '0')
    """
    return ".".join(map(str, levels)) or "0"


@dataclass(frozen=True)
class Disassembly:
    """Whether an assembly comes apart, and how: its separations one after the other, each with the fewest moves. If it does not
    come apart, `stuck` has pieces that cannot be separated, and `separations` has the separations made before. `positions` is the
    number of positions that the search looked at.
    """

    separations: tuple[Separation, ...]
    stuck: tuple[int, ...] = ()
    positions: int = 0

    @property
    def comes_apart(self) -> bool:
        """Whether nothing is stuck."""
        return not self.stuck

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """The number of moves of each separation."""
        return tuple(len(separation.slides) for separation in self.separations)

    @property
    def level(self) -> str:
        """The level as it is published, such as 5.2.1; 0 for a single piece, which needs no move."""
        return level_of(self.levels)

    @property
    def moves(self) -> int:
        """The number of moves in all separations together."""
        return sum(self.levels)

    def to_json(self, names: Sequence[str]) -> dict[str, Any]:
        """A dictionary for `json.dumps`. Pieces are numbers from 0; `names` has the name of the tile of each piece."""
        return {
            "comes_apart": self.comes_apart,
            "levels": list(self.levels),
            "moves": self.moves,
            "pieces": list(names),
            "stuck": list(self.stuck),
            "separations": [
                {
                    "removed": list(separation.removed),
                    "left": list(separation.left),
                    "moves": [
                        {"pieces": list(slide.pieces), "by": list(slide.vector), "off": slide.off} for slide in separation.slides
                    ],
                }
                for separation in self.separations
            ],
        }
