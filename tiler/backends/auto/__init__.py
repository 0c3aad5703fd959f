"""The backend that chooses others by what the instance is like, and does not depend on the choice being right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from tiler.backends.base import Backend, option
from tiler.backends.coloring import NO_PROOF
from tiler.backends.cpsat import Cpsat
from tiler.backends.registry import backends, register
from tiler.cover.items import Kind
from tiler.errors import suggest
from tiler.question.events import Run
from tiler.question.question import Goal, Question

if TYPE_CHECKING:
    from tiler.cover.cover import Cover

SEARCHES = ("dlx", "frontier", "fila")
_FEW_TILES = 6
#: What `among` may name.
METHODS = ("lattice", *SEARCHES, "coloring", "sat")


def _check_methods(names: str) -> str | None:
    unknown = [name for name in names.split("+") if name not in METHODS]
    if unknown:
        return f"{unknown[0]!r} is no method{suggest(unknown[0], METHODS)}; there are {', '.join(METHODS)}"
    return None if {*SEARCHES, "sat"} & set(names.split("+")) else f"it needs one that can find a tiling: {', '.join(SEARCHES)}"


@register
@dataclass(frozen=True)
class Auto(Backend):
    """Ask the methods that the instance calls for, in turns, until one knows the answer.

    First the lattice stage of the prover, a matter of milliseconds, refutes whatever a colouring can. Then searches take
    turns, of which each has its share of the seconds (portfolio.py). The favourite starts and the others follow, so that a
    favourite that is right at once costs nothing, and a wrong one at most three times what the best takes: `dlx`, then
    `frontier` and `fila` for deciding, `frontier` and `fila` for counting, the other way round in space. Where deciding takes
    more than a second, `sat` and the later stages of `coloring` take part as well. Up to symmetry `fila` counts below an anchor,
    and `frontier` all tilings, for Burnside's lemma: in the plane that has first half of the seconds that `fila` will take by
    samples, in space it begins when `fila` has had twice as many. To list tilings, to trace and to save the state of a count
    there is no portfolio, the favourite of those that can is asked. The rules are in rules.py, and rest on the reference results.

    The heaviest tiling is found by deciding, or by `cpsat` where more than six tiles make too many choices of copies.

    What answered and why is in the statistics. Which tiling is found may depend on the clock, the verdict does not: ask one
    method by its name to get the same one always.
    """

    name: ClassVar[str] = "auto"
    goals: ClassVar[frozenset[Goal]] = frozenset(Goal)
    implementation: ClassVar[str] = "tiler.backends.auto.search:search"
    imports: ClassVar[tuple[str, ...]] = ("tiler.backends.coloring.search",)
    can_trace: ClassVar[bool] = True
    can_save: ClassVar[bool] = True

    def weighs(self, cover: Cover) -> bool:
        # By deciding the searches find at once what CP-SAT seeks in vain, as long as there are few choices of copies to look at.
        return len(cover.names) > _FEW_TILES and not Cpsat.missing()

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

    @classmethod
    def may_load(cls) -> tuple[str, ...]:
        known = backends()
        return tuple(dict.fromkeys([*cls.preloads(), *(module for name in SEARCHES for module in known[name].preloads())]))

    def searchers(self) -> tuple[str, ...]:
        names = self.among.split("+")
        # FILA asks dancing links where they promise to be quicker.
        return (*names, "dlx") if "fila" in names else tuple(names)

    def ways(self, cover: Cover, question: Question, run: Run) -> Sequence[Backend]:
        found: Sequence[Backend] = self._module().ways(self, cover, question, run)
        return [replace(each, filter=self.filter, anchor=self.anchor) for each in found] or (self,)

    def settled(self, cover: Cover, question: Question) -> Backend:
        """The favourite for deciding, else that for listing. Not that for counting: `frontier` gains nothing where a search is
        split, since most states occur in every part."""
        favourite: Backend = self._module().favourite(self, cover, question)
        return replace(favourite, filter=self.filter, anchor=self.anchor).settled(cover, question)
