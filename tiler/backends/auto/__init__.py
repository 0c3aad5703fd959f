"""The backend `auto`: a plan asks other backends, by what the instance is like, and does not depend on one right choice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tiler.backends.base import Backend, option
from tiler.backends.coloring import NO_PROOF, Coloring
from tiler.backends.cpsat import Cpsat
from tiler.backends.dlx import Dlx
from tiler.backends.fila import Fila
from tiler.backends.frontier import Frontier
from tiler.backends.registry import register
from tiler.backends.sat import Sat
from tiler.cover.items import Kind
from tiler.errors import suggest
from tiler.question.question import Goal, Question

if TYPE_CHECKING:
    from tiler.cover.cover import Cover

#: The searches of our own that may be asked, and all methods: what `among` may name.
SEARCHES = {backend.name: backend for backend in (Dlx, Frontier, Fila)}
METHODS = ("lattice", *SEARCHES, Coloring.name, Sat.name)
OPTIMISER = Cpsat.name  #: asked for the heaviest tiling where there are too many choices of copies to decide


def _check_methods(names: str) -> str | None:
    unknown = [name for name in names.split("+") if name not in METHODS]
    if unknown:
        return f"{unknown[0]!r} is no method{suggest(unknown[0], METHODS)}; there are {', '.join(METHODS)}"
    return None if {*SEARCHES, "sat"} & set(names.split("+")) else f"it needs one that can find a tiling: {', '.join(SEARCHES)}"


@register
@dataclass(frozen=True)
class Auto(Backend):
    """Ask the methods that the instance calls for, in turns or several at once, until one knows the answer.

    Where all tiles cover two cells, `matching` decides, counts, draws at random and optimises alone, if it can and `among` is
    left as it is. Else first the lattice stage of the prover, a matter of milliseconds, refutes whatever a colouring can. Then
    searches take turns, of which each has its share of the seconds. The favourite starts and the others follow, so
    that a favourite that is right at once costs nothing, and a wrong one at most three times what the best takes: `dlx`, then
    `frontier` and `fila` for deciding, `frontier` and `fila` for counting, the other way round in space. Where deciding takes
    more than a second, `sat` and the later stages of `coloring` take part as well. With several threads methods that know only
    one search at once, and the others have all threads in their turn, or those that are left; after half a second `cpsat` takes
    part, on a core of its own, if `among` is left as it is. Up to symmetry `fila` counts below an anchor,
    and `frontier` all tilings, for Burnside's lemma: in the plane that has first half of the seconds that `fila` will take by
    samples, in space it begins when `fila` has had twice as many. To list tilings, to trace and to save the state of a count
    there is no portfolio, the favourite of those that can is asked. The rules are in tiler/ask/plan.py, and rest on the reference
    results.

    Else the heaviest tiling is found by deciding, or by `cpsat` where more than six tiles make too many choices of copies.

    What answered and why is in the statistics. Which tiling is found when deciding may depend on the clock and on the number of
    threads, the verdict does not: ask one method by its name to get the same one always.
    """

    name: ClassVar[str] = "auto"
    goals: ClassVar[frozenset[Goal]] = frozenset(Goal) - {Goal.OPTIMISE}
    imports: ClassVar[tuple[str, ...]] = ("tiler.backends.coloring.search",)
    knows_colours: ClassVar[bool] = True  # whoever is asked in its place does
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
        if question.goal is Goal.PROVE and cover is not None and cover.has(Kind.CORNER):
            return NO_PROOF
        return super().refusal(question, cover)

    @property
    def is_open(self) -> bool:
        return True

    @property
    def leaves_all(self) -> bool:
        """Whether all methods may be asked."""
        return set(METHODS) <= set(self.among.split("+"))
