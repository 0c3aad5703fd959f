"""Define the backend `matching`: tilings by tiles of two cells are perfect matchings of a graph, found in polynomial time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tiler.backends.base import Backend, Implementation
from tiler.backends.coloring import Coloring
from tiler.backends.registry import register
from tiler.cover.items import ItemKind
from tiler.optional_packages import is_installed, pip_install
from tiler.question.events import RunningSearch, SearchContext
from tiler.question.question import Goal, Question

if TYPE_CHECKING:
    from tiler.cover.cover import Cover
    from tiler.cover.embedded_graph import EmbeddedCover

#: The most cells of a board on which placements are drawn at random one by one, each by a count of all tilings.
MOST_IN_STEPS = 1024


@register
@dataclass(frozen=True)
class Matching(Backend):
    """Match the cells in pairs: for tiles of two cells, in polynomial time.

    Cells are the vertices of a graph and placements its edges; a tiling is a perfect matching, or where cells may stay open one
    that leaves no other cell alone. A tiling is found by alternating trees. Where there is none, the trees that cannot grow are
    the reason, as a certificate: some cells have fewer neighbours than they are (Hall's condition), or without some cells too
    many parts of an odd number of cells are left (Tutte's). The heaviest tiling is an assignment, for OR-Tools, where cells are
    of two colours.

    On boards in the plane, cylinders and tori tilings are counted by Kasteleyn's method, in whole numbers of any size, and how
    many have each placement. Tilings at random are exactly uniform: an Aztec diamond is shuffled, other boards are coupled from
    the past. Small tori, and small boards without two colours, are first filled in one by one, by exact counts.

    Refused is what is no matching: tiles of other sizes, bounds on their numbers that can bind, edges that must not cross; to
    count and to draw, cells that may stay open, boards in space and placements that cross. A node is a cell looked at, or of a
    count a row eliminated. Tilings that a symmetry keeps are counted in the quotient of the graph, if that can be drawn so too.

    Sources: Hall, On representatives of subsets, 1935; Tutte, The factorization of linear graphs, 1947; Edmonds, Paths, trees,
    and flowers, 1965; Karp and Sipser, Maximum matchings in sparse random graphs, 1981; Kasteleyn, The statistics of dimers on a
    lattice, 1961; Propp and Wilson, Exact sampling with coupled Markov chains, 1996.
    """

    name: ClassVar[str] = "matching"
    goals: ClassVar[frozenset[Goal]] = frozenset(Goal) - {Goal.ENUMERATE, Goal.TALLY}
    needs_board: ClassVar[bool] = True
    gains_by_anchor: ClassVar[bool] = False

    @classmethod
    def implementation(cls) -> Implementation:
        from tiler.backends.matching.search import search

        return search

    def refusal(self, question: Question, cover: Cover | None = None) -> str | None:
        if question.goal is Goal.COUNT and cover is not None:
            from tiler.cover.embedded_graph import EmbeddedCover

            if isinstance(cover, EmbeddedCover):
                return no_faces(cover)
        if question.goal is Goal.PROVE and (self.filter != "off" or self.anchor != "off"):
            return "a proof has to account for every placement; leave out filter and anchor"
        reason = super().refusal(question, cover)
        if reason is not None or cover is None:
            return reason
        if question.goal is Goal.OPTIMISE:
            return no_pairs(cover) or no_colours(cover)
        return no_pairs(cover) or (None if question.goal in (Goal.DECIDE, Goal.PROVE) else no_drawing(cover, question.goal))

    def refuted(self, cover: Cover, question: Question, reason: str, context: SearchContext) -> RunningSearch:
        """Refute a cover that needs no matching for this: the certificate is the prover's."""
        if question.goal not in (Goal.DECIDE, Goal.PROVE):
            return super().refuted(cover, question, reason, context)
        return Coloring(stages="area").refuted(cover, question, reason, context)


def no_pairs(cover: Cover) -> str | None:
    """Why the solutions of a cover are no matchings, in words; None if they are."""
    if ItemKind.CORNER in cover.kinds:
        return "it does not know of edges that must not cross"
    if bool((cover.sizes[~cover.is_filler] != 2).any()):
        return "it is made for tiles of two cells"
    tiles = len(cover.names) - len(cover.fillers)
    if len(cover.fillers) > 1:
        return "it does not know of groups of which one cell stays open"
    if not cover.fillers:
        # The area says how often a single tile is used.
        return "it does not count the copies of each tile" if tiles > 1 and bool(cover.bounded.any()) else None
    if bool((cover.bounded & ~cover.is_filler).any()) or bool((2 * cover.upper < len(cover.items) - 1)[~cover.is_filler].any()):
        return "it does not count the copies of a tile where cells may stay open"
    if bool((cover.lower > len(cover.items) % 2)[cover.is_filler].any()):
        return "it leaves as few cells open as it can, not a given number"
    return None


def no_colours(cover: Cover) -> str | None:
    """Why it cannot find the heaviest matching, in words; None if it can."""
    from tiler.backends.matching.graph import Pairs, colours
    from tiler.cover.board import on_board

    if not is_installed("ortools"):
        return f"to optimise it needs ortools; install with: {pip_install(['ortools'])}"
    if bool((cover.upper < len(cover.may_stay_open))[cover.is_filler].any()):
        return "it optimises only where all cells that may stay open may do so together"
    pairs = Pairs.of(on_board(cover, Matching.name))
    if colours(pairs.cells, pairs.ends) is None:
        return "it optimises only where cells are of two colours and every tile covers one of each"
    return None


def no_drawing(cover: Cover, goal: Goal) -> str | None:
    """Why its matchings cannot be counted by a drawing of the graph, in words; None if they can."""
    from tiler.backends.matching.gadgets import drawing
    from tiler.backends.matching.graph import Pairs, colours
    from tiler.backends.matching.sample import order_of_diamond
    from tiler.cover.board import on_board

    board = on_board(cover, Matching.name)
    if board.fillers:
        return f"where cells may stay open it cannot {goal.verb}"
    if board.instance.dimension > 2:
        return f"in space it cannot {goal.verb}"
    if goal is Goal.SAMPLE:
        pairs = Pairs.of(board)
        if bool((pairs.times > 1).any()):
            return "it cannot draw at random among different tiles on the same cells"
        if order_of_diamond(board, pairs) is not None:
            return None
    drawn = drawing(board)
    if drawn is None or drawn.genus > 1:
        return f"placements that cross each other: it cannot {goal.verb}"
    is_large = len(board.items) > MOST_IN_STEPS
    if goal is Goal.SAMPLE and is_large and (drawn.genus == 1 or colours(drawn.pairs.cells, drawn.pairs.ends) is None):
        return f"on a torus, or where cells have no two colours, it draws at random among at most {MOST_IN_STEPS} cells"
    return None


def no_faces(cover: EmbeddedCover) -> str | None:
    """Why the solutions of a drawn cover cannot be counted by its faces, in words; None if they can."""
    from tiler.backends.matching.gadgets import drawing

    if cover.fillers or bool(cover.bounded.any()):
        return "it does not count the copies of each tile"
    if bool((cover.sizes > 2).any()):
        return "it is made for tiles of two cells"
    graph = drawing(cover)
    if graph is None:
        return "options of one item lie round several faces"
    return "options that cross each other: it cannot count" if graph.genus > 1 else None
