"""Define the backend `coloring`, which proves that there is no tiling and says why, or answers unknown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tiler.backends.base import Backend, Implementation, option
from tiler.backends.registry import register
from tiler.cover.items import ItemKind
from tiler.errors import suggest
from tiler.optional_packages import is_installed, remedy
from tiler.question.events import RunningSearch, SearchContext
from tiler.question.question import Goal, Question

if TYPE_CHECKING:
    from tiler.cover.cover import Cover

#: The refusal of instances in which tiles must not cross.
NO_PROOF = "proofs are about edges that tiles may cross"

STAGES = ("area", "lattice", "pairs", "weights", "marks", "probe", "cases")
_LINEAR = ("weights", "marks")  # stages that solve linear programs
_LINEAR_MODULE = "highspy"


def stages_here(*names: str) -> str:
    """The stages that can run here, as the option `stages` has them; linear programs need a package."""
    return "+".join(name for name in names if name not in _LINEAR or is_installed(_LINEAR_MODULE))


def missing_stages() -> str:
    """A sentence that says which stages cannot run here, and what to do about that; empty if all can."""
    if is_installed(_LINEAR_MODULE):
        return ""
    return f"the stages {' and '.join(_LINEAR)} need {_LINEAR_MODULE}: {remedy([_LINEAR_MODULE])}"


def _check_stages(names: str) -> str | None:
    unknown = [name for name in names.split("+") if name not in STAGES]
    return f"{unknown[0]!r} is no stage{suggest(unknown[0], STAGES)}; there are {', '.join(STAGES)}" if unknown else None


@register
@dataclass(frozen=True)
class Coloring(Backend):
    """Prove that there is no tiling, by a colouring or other weights of the cells; or answer unknown.

    It looks for a reason why there is no tiling, in stages:

    - area: no numbers of tiles have the area of the board
    - lattice: weights of the cells modulo some m, under which all placements of a tile weigh the same, but no numbers of tiles
      weigh what the board weighs; integer elimination decides about all such weights at once
    - pairs: cells with too few neighbours, found by a matching, where all tiles cover two cells
    - weights: weights of the cells under which the board is heavier than tiles can be; a linear program, then exact integers
    - marks: marks of sides that cannot occur as often as the marks that fit them; lattice and weights, with weights of marks
    - probe: placements that lead to a contradiction are ruled out
    - cases: all of that for each placement over some cell

    The answer unsat has a certificate, which is checked by separate code; the answer is never sat. If the lattice stage fails,
    there is a signed tiling, so that no colouring of any kind can prove anything; the later stages may. A node is a case.

    Sources: Conway and Lagarias, Tiling with polyominoes and combinatorial group theory, 1990, for signed tilings; Farkas' lemma
    for the weights.
    """

    name: ClassVar[str] = "coloring"
    #: It decides only that there is no tiling.
    goals: ClassVar[frozenset[Goal]] = frozenset({Goal.DECIDE, Goal.PROVE})
    complete: ClassVar[bool] = False
    needs_board: ClassVar[bool] = True
    knows_colours: ClassVar[bool] = True
    extras: ClassVar[Mapping[tuple[str, str], str]] = {("stages", name): _LINEAR_MODULE for name in _LINEAR}

    stages: str = option(
        stages_here(*STAGES),
        "what is tried, joined by +",
        check=_check_stages,
        tries=("area", "area+lattice", "weights", "lattice+probe", "pairs", "marks", "cases"),
    )
    nodes: int = option(500, "the most cases of the stage cases", tries=(0, 3))
    placements: int = option(
        15_000, "the most placements for which the stage weights is tried; cases: a fifth of it", tries=(0, 100)
    )
    seconds: int = option(20, "the most seconds for one linear program", tries=(5,))

    @classmethod
    def implementation(cls) -> Implementation:
        from tiler.backends.coloring.search import search

        return search

    def refusal(self, question: Question, cover: Cover | None = None) -> str | None:
        if question.goal in self.goals and (self.filter != "off" or self.anchor != "off"):
            return "a proof has to account for every placement; leave out filter and anchor"
        if cover is not None and ItemKind.CORNER in cover.kinds:
            return NO_PROOF
        return super().refusal(question, cover)

    def refuted(self, cover: Cover, question: Question, reason: str, context: SearchContext) -> RunningSearch:
        """Run the prover, so that a cover that needs no search gets a certificate too."""
        return self.search(cover, Question(Goal.PROVE), context)
