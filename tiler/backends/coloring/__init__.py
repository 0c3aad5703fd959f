"""The impossibility prover as a backend: it finds out that there is no tiling, and why, or it cannot tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tiler.backends.base import Backend, option, register
from tiler.errors import BadOption, suggest
from tiler.question.question import Events, Goal, Progress, Query, Result, Status, Stop

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

    def search(self, cover: ExactCover, query: Query, events: Events) -> Result:
        return self._prove(cover, events)

    def _prove(self, cover: ExactCover, events: Events) -> Result:
        from tiler.question.certificate import Certificate
        from tiler.cover.remainder import Problem
        from tiler.backends.coloring.prove import Finding, Plan, Stopped, prove
        from tiler.backends.coloring.sentence import sentence

        finding = Finding()

        def tick() -> None:
            if not events.tick(Progress(finding.nodes)):
                raise Stopped

        plan = Plan(tuple(self.stages.split("+")), self.nodes, self.placements, float(self.seconds))
        problem = Problem.of(cover)
        stop = Stop.UNDECIDED
        try:
            prove(problem, plan, finding, tick)
        except Stopped:
            stop = Stop.INTERRUPTED
        stats = {"found": 0, "nodes": finding.nodes, "stage": finding.stage, "cpu_seconds": finding.seconds, **finding.facts}
        if finding.obstacle is not None:
            stats["obstacle"] = list(finding.obstacle)
        if finding.proof is None:
            return Result(Status.UNKNOWN, stop, stats=stats, message="" if stop is Stop.INTERRUPTED else finding.told(problem))
        certificate = Certificate(cover.instance.digest, finding.proof, cover.instance.name)
        return Result(Status.UNSAT, Stop.DONE, certificate=certificate, stats=stats, message=sentence(problem, finding.proof))

    def refuse(self, query: Query) -> None:
        if query.goal is Goal.DECIDE:
            if self.filter != "off" or self.anchor != "off":
                raise BadOption(f"{self.name}: a proof has to account for every placement; leave out filter and anchor")
            if not self.missing():
                return
        super().refuse(query)
