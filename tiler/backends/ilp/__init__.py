"""ILP: the cover as an integer program, for CBC, HiGHS and Gurobi."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tiler.backends import external
from tiler.backends.base import Backend, option, register
from tiler.backends.ilp.engines import ADJUSTED, ENGINES
from tiler.backends.ilp.program import OBJECTIVES, program_of
from tiler.errors import BackendError
from tiler.question.events import Events
from tiler.question.question import Question
from tiler.question.result import Result

if TYPE_CHECKING:
    from tiler.cover.cover import ExactCover


@register
@dataclass(frozen=True)
class Ilp(Backend):
    """An integer program that has the tilings as its solutions, or as its optimal ones, and an ILP engine.

    A binary column means that a placement is made. There is a row per cell, the sum of the placements that cover it, and a row
    per tile with bounds, the number of its placements between them. With `objective=eq-ign` a cell's sum is 1 and any solution
    will do; with `eq-min` the covered area is minimised besides, which guides the engine although it is the same for all. With
    `geq-min` the sum is at least 1 and the area minimised, with `leq-max` at most 1 and maximised: there is a tiling just if
    the optimum is the board's area.

    No row is redundant. HiGHS solves the linear relaxation by itself first; CBC's log tells about it. The counter
    `relaxation_refutes` says whether it was enough to show that there is no tiling. `tuning=adjusted` are settings chosen by
    measurement on the thesis instances (tiler/backends/ilp/engines.py).

    More tilings are found by forbidding the placements of those found; `nodes` are those of branch and bound.

    Source: the four ILP solvers of the Tiler thesis (2022).
    """

    name: ClassVar[str] = "ilp"
    requires: ClassVar[tuple[str, ...]] = ("pulp", "highspy")
    extras: ClassVar[Mapping[tuple[str, str], str]] = {("engine", "gurobi"): "gurobipy"}
    imports: ClassVar[tuple[str, ...]] = ("pulp", "highspy")

    engine: str = option("cbc", "the ILP solver; gurobi needs a licence too", choices=tuple(ENGINES))
    objective: str = option(
        "eq-ign", "how often a cell is covered (once, at least, at most), and what is optimised", choices=OBJECTIVES
    )
    tuning: str = option("default", "the engine's own settings, or adjusted ones", choices=("default", "adjusted"))

    def search(self, cover: ExactCover, question: Question, events: Events) -> Result:
        return external.run(self.engine, lambda report: self._work(cover, report), question, events)

    def _work(self, cover: ExactCover, report: external.Channel) -> external.Conclusion:
        """What the process of its own does."""
        started = time.perf_counter()
        program = program_of(cover, self.objective)
        settings = ADJUSTED[self.engine] if self.tuning == "adjusted" else {}
        engine = ENGINES[self.engine](program, settings, report.folder, report.question.seed)
        called = time.perf_counter()
        report.stats(
            variables=program.columns,
            constraints=len(program.rows),
            nonzeros=program.nonzeros,
            model_seconds=called - started,
        )
        while True:
            optimum = engine.solve()
            report.stats(engine_seconds=time.perf_counter() - called, **engine.counters.known())
            if optimum.chosen is None or program.refuted_by(optimum.value):
                return external.Conclusion(exhausted=True)
            if not _covers_once(cover, optimum.chosen):
                raise BackendError(f"{self.engine}: its optimal solution of value {optimum.value} is no tiling")
            if not report.solution(optimum.chosen):
                return external.Conclusion(exhausted=False)
            engine.forbid(optimum.chosen)


def _covers_once(cover: ExactCover, options: tuple[int, ...]) -> bool:
    covered = [cell for option in options for cell in cover.members[option].tolist()]
    return sorted(covered) == list(range(len(cover.cells)))
