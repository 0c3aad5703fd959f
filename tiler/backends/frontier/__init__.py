"""The backend `frontier` merges partial tilings that leave the same to be done into one state: a dynamic programme."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, ClassVar

from tiler.backends.base import Backend, option
from tiler.backends.registry import register
from tiler.question.question import Goal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tiler.cover.cover import Cover


def _check_folder(name: str) -> str | None:
    return None if name == "off" or Path(name).is_dir() else "there is no such folder"


@register
@dataclass(frozen=True)
class Frontier(Backend):
    """Merge all partial tilings that leave the same to be done, and count them together.

    Cells are covered in a fixed order, always the first open one. What remains depends on the first open cell, the covered cells
    beyond it (the profile) and the copies in use of those tiles whose bounds can bind. There is a state for each of these
    combinations, with the exact number of ways to reach it, and no tree. Redundant but helpful: a profile that closes off a
    region of a size that no tiles add up to is dropped. The work does not depend on the number of tilings; it is at most cells x
    2^width where no tile has to be counted, and grows with the choices of tiles left where some have. So it suits narrow boards
    and repeated tiles.

    Counting goes through the states in the order of their first open cells, and keeps those that are still ahead: in hash tables,
    where few tiles are counted. Where many are, it goes from both ends at once, along the graph of all profiles, with a list of
    keys for each, and puts together what meets. Of states that are images of each other, by a symmetry that keeps the fill
    order, it keeps one. Listing, uses of placements and draws at random keep all of them, and go back from the last one: mostly
    they make a decision diagram of all tilings, which has no dead ends. To decide, and to find a given number of tilings, is a
    depth-first search that never enters a state twice that failed. A node is a state. A count that needs more than the memory
    limit, or half of the memory that is free, goes on in sorted runs in the folder `spill`.

    Marks of sides are a few cells more in the fill order (pins), which placements cover by patterns: so a profile has the marks
    along the frontier. Symmetries are not used there.

    Source: the transfer-matrix method (Klarner and Pollack, 1980); frontiers in Knuth, The Art of Computer Programming 4A, 7.1.4.
    """

    name: ClassVar[str] = "frontier"
    goals: ClassVar[frozenset[Goal]] = frozenset({Goal.DECIDE, Goal.COUNT, Goal.ENUMERATE, Goal.SAMPLE, Goal.USES, Goal.TALLY})
    implementation: ClassVar[str] = "tiler.backends.frontier.answer:search"
    needs_board: ClassVar[bool] = True
    knows_colours: ClassVar[bool] = True
    gains_by_anchor: ClassVar[bool] = False  # Most states occur in every part.
    can_save: ClassVar[bool] = True
    threaded: ClassVar[frozenset[Goal]] = frozenset({Goal.COUNT, Goal.ENUMERATE, Goal.SAMPLE, Goal.USES, Goal.TALLY})

    order: str = option(
        "auto",
        "in which order cells are covered: along the axes, diagonals, breadth first from an end, or the best of all",
        choices=("auto", "axes", "diagonal", "breadth"),
    )
    spill: str = option(
        "off",
        "a folder for the states of a count that do not fit into memory",
        check=_check_folder,
        tries=(gettempdir(),),
    )

    def numbering(self, cover: Cover) -> NDArray[np.int64]:
        from tiler.backends.frontier import order
        from tiler.cover.board import on_board

        board = on_board(cover, self.name)
        return order.choose(board, self.order)
