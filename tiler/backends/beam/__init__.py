"""Define the backend `beam`: a beam search over the states of a frontier, for boards with room to spare."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tiler.backends.base import Backend, Implementation, option
from tiler.backends.registry import register
from tiler.question.question import Goal


def _check_width(width: int) -> str | None:
    return None if width else "it must be 1 or more"


@register
@dataclass(frozen=True)
class Beam(Backend):
    """Cover cell after cell, and keep only the best partial tilings that have the same first free cell.

    A state is a profile (the first free cell, and which of the cells beyond it are covered) with the copies in use, as in
    `frontier`: partial tilings with the same rest are one state. Of the states at a cell, the `width` states of least score are
    kept. The score adds up the cells that stay open, those that will have to since their region is smaller than every tile, the
    length of the line between covered and free cells, how unevenly copies of the tiles were used, and some noise that depends on
    `seed`. A state is dropped too if more cells would stay open than may, or if the free cells do not suffice for the copies that
    must be used.

    A beam that reaches the last cell has found a tiling. One that ends before says nothing about the board; then the search
    begins again, with twice the width and other noise, up to the width `widest`. So the answer is a tiling or *unknown*, never
    that there is none. A node is a state that was made.

    It suits boards of which up to some 95 % are to be covered, by any number of pieces, and many copies of few tiles.

    Source: beam search (Lowerre, 1976), made iterative as in https://github.com/fontanf/treesearchsolver.
    """

    name: ClassVar[str] = "beam"
    goals: ClassVar[frozenset[Goal]] = frozenset({Goal.DECIDE})
    complete: ClassVar[bool] = False
    needs_board: ClassVar[bool] = True
    knows_colours: ClassVar[bool] = True
    gains_by_anchor: ClassVar[bool] = False

    width: int = option(10, "how many states are kept at each cell, at first", check=_check_width, tries=(1, 1000))
    widest: int = option(1_000_000, "with how many states at each cell it gives up", check=_check_width, tries=(200,))
    seed: int = option(0, "another seed makes another search", tries=(1,))

    @classmethod
    def implementation(cls) -> Implementation:
        from tiler.backends.beam.search import search

        return search
