"""Define how an assembly comes apart, as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tiler.model.lattice import Cell


@dataclass(frozen=True)
class Slide:
    """One move: pieces, by their numbers, that go straight along a vector together. The vector is the whole way in coordinates of
    cells. If the pieces go off for good, it is one step, which they repeat without end.
    """

    pieces: tuple[int, ...]
    vector: Cell
    off: bool = False


@dataclass(frozen=True)
class Separation:
    """The moves by which some pieces are taken off others that lay together; the last of the moves goes off for good."""

    removed: tuple[int, ...]
    left: tuple[int, ...]
    slides: tuple[Slide, ...]

    @property
    def pieces(self) -> tuple[int, ...]:
        """All pieces that lay together."""
        return tuple(sorted(self.removed + self.left))


def level_of(levels: Sequence[int]) -> str:
    """The numbers of moves of all separations as they are published.

    >>> level_of((5, 2, 1)), level_of(())
    ('5.2.1', '0')
    """
    return ".".join(map(str, levels)) or "0"


@dataclass(frozen=True)
class Disassembly:
    """Whether an assembly comes apart, and how: its separations one after the other, each with the fewest moves. If it does not,
    `stuck` has pieces that cannot be taken apart, and the separations are those made before. `positions` is the number of
    positions that the search looked at.
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
        """The levels as they are published, such as 5.2.1; of one piece, which needs no move, 0."""
        return level_of(self.levels)

    @property
    def moves(self) -> int:
        """How many moves there are in all."""
        return sum(self.levels)

    def to_json(self, names: Sequence[str]) -> dict[str, Any]:
        """Ready for `json.dumps`; pieces are numbers from 0, in the order of `names`, the tile of each."""
        return {
            "comes_apart": self.comes_apart,
            "levels": list(self.levels),
            "moves": self.moves,
            "pieces": list(names),
            "stuck": list(self.stuck),
            "separations": [
                {
                    "removed": list(each.removed),
                    "left": list(each.left),
                    "moves": [
                        {"pieces": list(slide.pieces), "by": list(slide.vector), "off": slide.off} for slide in each.slides
                    ],
                }
                for each in self.separations
            ],
        }
