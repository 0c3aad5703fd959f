"""The impossibility prover as a backend: it finds out that there is no tiling, and why, or it cannot tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tiler.backends.base import Backend, option, register
from tiler.errors import BadOption, suggest
from tiler.model.expected import Status
from tiler.question.events import Events, Progress
from tiler.question.question import Goal, Question
from tiler.question.result import Result, Stop

if TYPE_CHECKING:
    from tiler.cover.cover import ExactCover

_STAGES = ("area", "lattice", "weights", "probe", "cases")


def _check_stages(names: str) -> str | None:
    unknown = [name for name in names.split("+") if name not in _STAGES]
    return f"{unknown[0]!r} is no stage{suggest(unknown[0], _STAGES)}; there are {', '.join(_STAGES)}" if unknown else None


@register
@dataclass(frozen=True)
class Coloring(Backend):
    """Prove that there is no tiling, by a colouring or other weights of the cells; or answer unknown.

    Nothing is searched for but a reason: numbers of tiles that do not fill the board (area), weights of the cells in some Z/m
    that every placement of a tile has in common but the board lacks (lattice: all such at once, by integer elimination),
    weights that no placement exceeds (weights: a linear program, then exact integers), placements that contradict themselves
    (probe), and all of that for each placement over some cell (cases). An answer unsat carries a certificate, which is checked
    by code of its own; sat is never answered. When the lattice stage fails there is a signed tiling, so that no colouring of any
    kind can prove anything: the later stages may. A node is a case.

    Sources: Conway and Lagarias, Tiling with polyominoes and combinatorial group theory, 1990, for signed tilings; Farkas' lemma
    for the weights.
    """

    name: ClassVar[str] = "coloring"
    goals: ClassVar[frozenset[Goal]] = frozenset()  # It decides one way only: see `refuse`.
    proves: ClassVar[bool] = True
    requires: ClassVar[tuple[str, ...]] = ("highspy",)
    imports: ClassVar[tuple[str, ...]] = ("tiler.backends.coloring.prove",)

    stages: str = option("+".join(_STAGES), "what is tried, joined by +", check=_check_stages)
    nodes: int = option(500, "the most cases of the stage cases")
    placements: int = option(15_000, "the most placements for which the stage weights is tried; cases: a fifth of it")
    seconds: int = option(20, "the most seconds for one linear program")

    def refuted(self, cover: ExactCover, reason: str, events: Events) -> Result:
        """What needs no search gets its certificate too."""
        return self._prove(cover, events)

    def search(self, cover: ExactCover, question: Question, events: Events) -> Result:
        return self._prove(cover, events)

    def _prove(self, cover: ExactCover, events: Events) -> Result:
        from tiler.backends.coloring.prove import Effort, Findings, Stopped, prove
        from tiler.backends.coloring.sentence import sentence
        from tiler.cover.remainder import Remainder
        from tiler.question.certificate import Certificate

        findings = Findings()

        def tick() -> None:
            if not events.tick(Progress(findings.nodes)):
                raise Stopped

        effort = Effort(tuple(self.stages.split("+")), self.nodes, self.placements, float(self.seconds))
        remainder = Remainder.of(cover)
        stop = Stop.UNDECIDED
        try:
            prove(remainder, effort, findings, tick)
        except Stopped:
            stop = Stop.INTERRUPTED
        stats = {"found": 0, "nodes": findings.nodes, "stage": findings.stage, "cpu_seconds": findings.seconds, **findings.facts}
        if findings.obstacle is not None:
            stats["obstacle"] = list(findings.obstacle)
        if findings.proof is None:
            return Result(Status.UNKNOWN, stop, stats=stats, message="" if stop is Stop.INTERRUPTED else findings.told(remainder))
        certificate = Certificate(cover.instance.digest, findings.proof, cover.instance.name)
        return Result(Status.UNSAT, Stop.DONE, certificate=certificate, stats=stats, message=sentence(remainder, findings.proof))

    def refuse(self, question: Question) -> None:
        if question.goal is Goal.DECIDE:
            if self.filter != "off" or self.anchor != "off":
                raise BadOption(f"{self.name}: a proof has to account for every placement; leave out filter and anchor")
            if not self.missing():
                return
        super().refuse(question)
