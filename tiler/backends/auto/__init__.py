"""Define the backend `auto`, which asks other backends by a plan. The plan depends on the instance, and trusts no single
backend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tiler.backends.backtracking import Backtracking
from tiler.backends.base import Backend, option
from tiler.backends.beam import Beam
from tiler.backends.coloring import NO_PROOF, Coloring
from tiler.backends.dlx import Dlx
from tiler.backends.fila import Fila
from tiler.backends.frontier import Frontier
from tiler.backends.matching import Matching
from tiler.backends.registry import register
from tiler.backends.strips import Strips
from tiler.cover.items import ItemKind
from tiler.errors import suggest
from tiler.question.question import Goal, Question

if TYPE_CHECKING:
    from tiler.cover.cover import Cover

#: Backends with engines, loaded when they are asked. Whole names, so that bench/code_fingerprint.py sees whose code takes part.
_SAT, _CPSAT = "tiler.backends.sat", "tiler.backends.cpsat"
#: Those that are asked too, if `among` is left as it is.
OTHERS = (Backtracking, Matching, Beam, Strips)
#: Our own searches that may be asked; and all methods, which are the values of `among`.
SEARCHES = {backend.name: backend for backend in (Dlx, Frontier, Fila)}
METHODS = ("lattice", *SEARCHES, Coloring.name, _SAT.rpartition(".")[2])
OPTIMISER = _CPSAT.rpartition(".")[2]  #: finds the heaviest tiling where there are too many choices of copies to decide them all


def _check_methods(names: str) -> str | None:
    unknown = [name for name in names.split("+") if name not in METHODS]
    if unknown:
        return f"{unknown[0]!r} is no method{suggest(unknown[0], METHODS)}; there are {', '.join(METHODS)}"
    return (
        None
        if {*SEARCHES, METHODS[-1]} & set(names.split("+"))
        else f"it needs one that can find a tiling: {', '.join(SEARCHES)}"
    )


@register
@dataclass(frozen=True)
class Auto(Backend):
    """Ask the methods that the instance calls for, in turns or several at once, until one knows the answer.

    Attempts are in the order of their price. To decide or count, `backtracking` searches some thousand nodes, about two
    milliseconds, if `among` is left as it is. Then, where all tiles cover two cells, `matching` is asked alone, if it can answer.

    Otherwise it asks the lattice stage of the prover, which takes milliseconds and refutes whatever a colouring can. Then
    searches take turns, each prepared when its turn comes. The favourite starts, and each other search joins after a delay and
    gets its share of the time. So a favourite that is right at once costs nothing, and a wrong one takes at most three times as
    long as the best:

    - deciding: `dlx`, then `frontier` and `fila`; after a second `sat` and the later stages of `coloring` too
    - deciding where cells may stay open: `dlx`, `frontier`, `fila`, and `beam` with four shares of the time; after three
      seconds the others, `cpsat` with two workers; `beam` also takes part where copies of a tile are many
    - deciding in the plane where every copy of large pieces is used: `fila` with four shares
    - deciding on 300 cells or more: after 0.1 s `strips` too, if `among` is
      left as it is; on 4,000 or more narrow strips first, in the place of `backtracking`
    - deciding with several threads: after half a second `cpsat` too, on a core of its own, if `among` is left as it is
    - counting in the plane: `frontier`, then `fila`
    - counting in space: `fila`, then `frontier`
    - counting up to symmetry in the plane: `frontier` (Burnside's lemma) for half the time that `fila` is estimated to need, then
      also `fila` (below an anchor)
    - counting up to symmetry in space: `fila`, and `frontier` after twice the time that `fila` is estimated to need
    - listing, tracing, saving the state of a count: the favourite of the solvers that can, alone

    It finds the heaviest tiling by deciding, or by `cpsat` where there are too many choices of copies: by more than six tiles, or
    by many copies of a few. Where the tiling that covers most cells is the heaviest, `beam` finds packings first, and the search
    is asked for better ones.

    With several threads, methods that use only one of them search at the same time; the others have all threads in their turn, or
    those that are left.

    The statistics say which solver answered, and why. The clock and the number of threads may change which tiling is found, but
    never whether there is one; name a solver to get the same tiling always. The rules are in tiler/ask/planner.py, and rest on
    the reference results.
    """

    name: ClassVar[str] = "auto"
    goals: ClassVar[frozenset[Goal]] = frozenset(Goal) - {Goal.OPTIMISE}
    imports: ClassVar[tuple[str, ...]] = ("tiler.backends.coloring.search",)
    knows_colours: ClassVar[bool] = True  # the solvers that it asks do
    can_trace: ClassVar[bool] = True
    can_save: ClassVar[bool] = True

    among: str = option(
        "+".join(METHODS),
        "the methods that may be asked, joined by +",
        check=_check_methods,
        tries=("dlx", "fila", "frontier", "lattice+dlx", "dlx+frontier+fila"),
    )

    def refusal(self, question: Question, cover: Cover | None = None) -> str | None:
        if question.goal is Goal.PROVE and (self.filter != "off" or self.anchor != "off"):
            return "a proof has to account for every placement; leave out filter and anchor"
        if question.goal is Goal.PROVE and cover is not None and ItemKind.CORNER in cover.kinds:
            return NO_PROOF
        return super().refusal(question, cover)

    @property
    def delegates(self) -> bool:
        return True

    @property
    def leaves_all(self) -> bool:
        """Whether all methods may be asked."""
        return set(METHODS) <= set(self.among.split("+"))
