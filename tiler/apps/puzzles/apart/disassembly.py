"""Define how an assembly comes apart, as data; and check it by sets of cells and single steps, without sharing anything with the
search for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tiler.model.lattice import Cell, Shape, box, move


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


def error_in(shapes: Sequence[Shape], disassembly: Disassembly, together: Sequence[frozenset[int]] = ()) -> str | None:
    """What is wrong with a disassembly of pieces on squares or cubes; None if nothing is.

    Every move must be possible. If the disassembly says that the assembly comes apart, the only pieces left together are those in
    one of the sets `together`. That stuck pieces are really stuck is not checked.
    """
    places = dict(enumerate(shapes))
    parts = [tuple(range(len(shapes)))] if len(shapes) > 1 else []
    for number, separation in enumerate(disassembly.separations, 1):
        if separation.pieces not in parts or not separation.removed or not separation.left:
            return f"separation {number} is of pieces that do not lie together"
        parts.remove(separation.pieces)
        parts += [part for part in (separation.removed, separation.left) if len(part) > 1]
        positions = {piece: places[piece] for piece in separation.pieces}
        for turn, slide in enumerate(separation.slides, 1):
            if slide.off is not (turn == len(separation.slides)):
                return f"separation {number} does not end as pieces go off"
            wrong = _slid(positions, slide)
            if wrong:
                return f"separation {number}, move {turn}: {wrong}"
        if {*separation.slides[-1].pieces} not in ({*separation.removed}, {*separation.left}):
            return f"separation {number}: other pieces go off"
        places |= positions
    left = [part for part in parts if not any(group.issuperset(part) for group in together)]
    if left != ([disassembly.stuck] if disassembly.stuck else []) and disassembly.comes_apart:
        return f"pieces {left[0]} are left together"
    return None


def _slid(places: dict[int, Shape], slide: Slide) -> str | None:
    """Make a move step by step, and change `places`. Returns what is wrong with the move, or None."""
    if not slide.pieces or not any(slide.vector) or not places.keys() > {*slide.pieces}:
        return "it moves nothing"
    others = {cell: piece for piece, shape in places.items() if piece not in slide.pieces for cell in shape}
    for step in _steps(slide, places):
        for piece in slide.pieces:
            places[piece] = move(places[piece], step)
            met = next((others[cell] for cell in sorted(places[piece]) if cell in others), None)
            if met is not None:
                return f"piece {piece} meets piece {met}"
    return None


def _steps(slide: Slide, places: dict[int, Shape]) -> Iterator[Cell]:
    """The single steps of a move. Pieces that go off make steps until nothing can be in their way any more."""
    (way,) = (axis for axis, by in enumerate(slide.vector) if by)
    step = tuple((a > 0) - (a < 0) for a in slide.vector)
    far = abs(slide.vector[way])
    if slide.off:
        low, high = box(frozenset(cell for shape in places.values() for cell in shape))
        far = high[way] - low[way] + 1
    for _ in range(far):
        yield step
