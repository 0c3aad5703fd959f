"""The backend that chooses others by what the instance is like, and does not depend on the choice being right."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from tiler.backends.base import Backend, backends, option, register
from tiler.errors import BadOption, suggest
from tiler.model.expected import Status
from tiler.question.events import Events
from tiler.question.question import Goal, Question
from tiler.question.result import Result, Stop

if TYPE_CHECKING:
    from tiler.backends.auto.rules import Candidate
    from tiler.cover.cover import ExactCover

_SEARCHES = ("dlx", "frontier", "fila")
#: What `among` may name.
METHODS = ("lattice", *_SEARCHES, "coloring", "sat")
# The lattice stage takes milliseconds for so many, and hardly ever refutes more tiles that differ.
_MOST_PLACEMENTS, _MOST_TILES = 200_000, 8


def _check_methods(names: str) -> str | None:
    unknown = [name for name in names.split("+") if name not in METHODS]
    if unknown:
        return f"{unknown[0]!r} is no method{suggest(unknown[0], METHODS)}; there are {', '.join(METHODS)}"
    return None if {*_SEARCHES, "sat"} & set(names.split("+")) else f"it needs one that can find a tiling: {', '.join(_SEARCHES)}"


@register
@dataclass(frozen=True)
class Auto(Backend):
    """Ask the methods that the instance calls for, in turns, until one knows the answer.

    First the lattice stage of the prover, a matter of milliseconds, refutes whatever a colouring can. Then searches take
    turns, of which each has its share of the seconds (portfolio.py). The favourite starts and the others follow, so that a
    favourite that is right at once costs nothing, and a wrong one at most three times what the best takes: `dlx`, then
    `frontier` and `fila` for deciding, `frontier` and `fila` for counting, the other way round in space. Where deciding takes
    more than a second, `sat` and the later stages of `coloring` take part as well. To list tilings, to trace and to save the
    state of a count there is no portfolio, the favourite of those that can is asked. The rules are in choice.py, and rest on the
    reference results.

    What answered and why is in the statistics. Which tiling is found may depend on the clock, the verdict does not: ask one
    method by its name to get the same one always.
    """

    name: ClassVar[str] = "auto"
    can_trace: ClassVar[bool] = True
    can_save: ClassVar[bool] = True
    imports: ClassVar[tuple[str, ...]] = (
        "tiler.backends.auto.rules",
        "tiler.backends.auto.portfolio",
        "tiler.backends.coloring.prove",
    )

    among: str = option("+".join(METHODS), "the methods that may be asked, joined by +", check=_check_methods)

    @classmethod
    def preloads(cls) -> tuple[str, ...]:
        known = backends()
        return tuple(dict.fromkeys([*cls.imports, *(each for name in _SEARCHES for each in known[name].imports)]))

    def settled(self, cover: ExactCover, question: Question) -> Backend:
        """The favourite for deciding, else that for listing: `frontier` gains nothing from parts, as most of their states are the
        same."""
        goal = question.goal if question.goal is Goal.DECIDE else Goal.ENUMERATE
        return replace(self._choices(cover, Question(goal), Events())[0].backend, filter=self.filter, anchor=self.anchor)

    def search(self, cover: ExactCover, question: Question, events: Events) -> Result:
        from tiler.backends.auto import portfolio
        from tiler.backends.coloring import Coloring

        if self._asks_lattice(cover):
            lattice = Coloring(stages="area+lattice")
            result = lattice.search(cover, question, events)
            if result.stop is Stop.INTERRUPTED:
                return _told(result, None, "there was no time for any", {})
            if result.status is Status.UNSAT:
                count = 0 if question.goal is not Goal.DECIDE else None
                return _told(replace(result, count=count), lattice, "a colouring shows that there is no tiling", {})
        choices = self._choices(cover, question, events)
        if question.goal is Goal.ENUMERATE or events.traces or events.saves:
            choice = choices[0]
            return _told(choice.backend.search(cover, question, events), choice.backend, choice.why, {})
        outcome = portfolio.run(
            [portfolio.Member(each.backend, each.after, each.share) for each in choices], cover, question, events
        )
        why = next((each.why for each in choices if each.backend == outcome.winner), "nobody knew the answer")
        return _told(outcome.result, outcome.winner, why, {str(backend): seconds for backend, seconds in outcome.seconds})

    def _asks_lattice(self, cover: ExactCover) -> bool:
        return (
            "lattice" in self.among.split("+")
            and cover.is_whole  # A certificate is about all placements.
            and len(cover) <= _MOST_PLACEMENTS
            and len(cover.tiles) <= _MOST_TILES
        )

    def _choices(self, cover: ExactCover, question: Question, events: Events) -> list[Candidate]:
        """Those of the methods wanted that can do what is asked, at least one."""
        from tiler.backends.auto.rules import choices

        able = [
            each
            for each in choices(cover, question.goal, self.among.split("+"))
            if (each.backend.can_trace or not events.traces) and (each.backend.can_save or not events.saves)
        ]
        if not able:
            raise BadOption(f"{self.name}: nothing of among={self.among} can do what is asked; these can: dlx, fila")
        return able


def _told(result: Result, backend: Backend | None, why: str, seconds: dict[str, float]) -> Result:
    """The result, saying whose it is."""
    stats = {**result.stats, "chosen": str(backend) if backend else "", "because": why}
    return replace(result, stats={**stats, "asked": seconds} if seconds else stats)
