"""Which methods the backend `auto` asks, in which order, and why: the rules, and nothing else.

They rest on the reference results in results/reference. Deciding: `dlx` finds a tiling in hundredths of a second on nearly all
boards that have one; `frontier` refutes in a tenth of a second what no colouring can, on boards up to some 20 cells wide; what
is left over is for SAT and for the later stages of `coloring`. Tilings by two cells are for `matching`, which takes polynomial
time, where it can answer; proofs for `coloring`, which asks it itself. Counting: `frontier` wins in the plane, whether tiles
repeat or not, as long as the board is narrow, `fila` on wide boards and in space; which of its searches, it finds out itself.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from tiler.backends.auto import METHODS
from tiler.backends.base import Backend
from tiler.backends.coloring import Coloring
from tiler.backends.cpsat import Cpsat
from tiler.backends.dlx import Dlx
from tiler.backends.fila import Fila
from tiler.backends.frontier import Frontier
from tiler.backends.matching import Matching
from tiler.backends.sat import Sat
from tiler.cover.board import BoardCover
from tiler.cover.cover import Cover
from tiler.cover.items import Kind
from tiler.question.question import Goal, Question

_SMALL = 64  # cells


@dataclass(frozen=True)
class Candidate:
    """A backend that takes part after so many seconds of the others, why it is asked at all, and its share of the time then."""

    backend: Backend
    after: float
    why: str
    share: float = 1.0


def candidates(cover: Cover, goal: Goal, among: Collection[str] = METHODS, *, matches: bool = True) -> list[Candidate]:
    """Who is asked, the favourite first. If `among` names a search there is at least one, even if it leaves out all others. With
    `matches` it is a matching alone, where that can answer."""
    if not isinstance(cover, BoardCover):
        return _without_board(goal)
    if matches and goal is not Goal.PROVE and Matching().refusal(Question(goal), cover) is None:
        return [Candidate(Matching(), 0, "every placement covers two cells")]
    dlx, frontier, fila = Dlx(), Frontier(), Fila(order="auto")
    listed = {
        Goal.DECIDE: [
            Candidate(dlx, 0, "a tiling, if there is one, is mostly found at once"),
            Candidate(frontier, 0.1, "no state that failed is entered twice"),
            Candidate(fila, 0.2, "it makes the most placements a second"),
            Candidate(Coloring(stages="weights+probe+cases"), 1, "no search was over in a second"),
            Candidate(Sat(), 1, "no search was over in a second"),
        ],
        Goal.COUNT: [
            Candidate(frontier, 0, "partial tilings that leave the same to be done are counted together"),
            Candidate(fila, 0.1, "it makes the most placements a second"),
            Candidate(dlx, 600, "no other was over in ten minutes"),
        ],
        Goal.ENUMERATE: [
            Candidate(fila, 0, "it makes the most placements a second, and lists tilings as it finds them"),
            Candidate(dlx, 0, "it makes the fewest placements, and lists tilings as it finds them"),
            Candidate(frontier, 0, "it lists tilings without dead ends"),
        ],
        Goal.SAMPLE: [Candidate(frontier, 0, "it knows how many tilings go on from every state")],
        Goal.USES: [Candidate(frontier, 0, "it knows how many tilings go through every state")],
        Goal.PROVE: [Candidate(Coloring(), 0, "it looks for a reason")],
        Goal.OPTIMISE: [Candidate(Cpsat(), 0, "it bounds what tilings can weigh")],
    }
    is_small_part = not cover.is_whole and len(cover.items) <= _SMALL
    if goal is Goal.COUNT and (is_small_part or cover.instance.dimension > 2):
        # With an anchor laid a tree soon ends, but a frontier is as wide as before; in space it is wider than trees are deep.
        states, images, *others = listed[goal]
        why = "where fewest placements fit the tree is small"
        listed[goal] = [replace(images, after=0, why=why), replace(states, after=0.2), *others]
    # The prover knows nothing of corners that tiles must not cross in.
    asked = [each for each in listed[goal] if not (cover.has(Kind.CORNER) and isinstance(each.backend, Coloring))]
    able = [each for each in asked if not each.backend.missing()]
    if len(able) > 1:
        able = [each for each in able if each.backend.name in among]
    if goal is Goal.COUNT:
        # Then a favourite that is right takes at most half as long again, and one that is wrong three times as long.
        able[:1] = [replace(each, share=2.0) for each in able[:1]]
    return able


def _without_board(goal: Goal) -> list[Candidate]:
    """Who is asked about a general exact cover: whoever needs no geometry."""
    search = Candidate(Dlx(), 0, "it makes the fewest placements")
    listed = {
        Goal.DECIDE: [search, Candidate(Sat(), 1, "no search was over in a second")],
        Goal.OPTIMISE: [Candidate(Cpsat(), 0, "it bounds what solutions can weigh")],
    }
    return [each for each in listed.get(goal, [search]) if not each.backend.missing()]
