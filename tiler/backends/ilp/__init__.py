"""Define the backend `ilp`, which gives the cover as an integer program to CBC, HiGHS or Gurobi."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from tiler.backends.base import Backend, Implementation, option
from tiler.backends.ilp.engines import ENGINES
from tiler.backends.ilp.program import OBJECTIVES
from tiler.backends.registry import register
from tiler.question.question import Goal


@register
@dataclass(frozen=True)
class Ilp(Backend):
    """An integer program that has the tilings as its solutions, or as its optimal ones, and an ILP engine.

    A binary column means that a placement is made. There is a row per cell, the sum of the placements that cover it, and a row
    per tile with bounds, the number of its placements between them. Where sides have marks, a column for each side and mark says
    that it has another; placements on either end that give that mark, and this column, are at most one.

    With `objective=eq-ign` a cell's sum is 1 and any solution will do; `eq-min` also minimises the covered area, which
    guides the engine although it is the same for all. With `geq-min` the sum is at least 1 and the area minimised, with `leq-max`
    at most 1 and maximised: there is a tiling just if the optimum is the board's area.

    No row is redundant. HiGHS solves the linear relaxation by itself first; CBC's log tells about it. The counter
    `relaxation_refutes` says whether it was enough to show that there is no tiling. `tuning=adjusted` are settings chosen by
    measurement on the thesis instances (tiler/backends/ilp/engines.py).

    More tilings are found by forbidding the placements of those found; `nodes` are those of branch and bound.

    Source: the four ILP solvers of the Tiler thesis (2022).
    """

    name: ClassVar[str] = "ilp"
    goals: ClassVar[frozenset[Goal]] = frozenset({Goal.DECIDE, Goal.COUNT, Goal.ENUMERATE, Goal.OPTIMISE})
    has_process: ClassVar[bool] = True
    knows_colours: ClassVar[bool] = True
    requires: ClassVar[tuple[str, ...]] = ("pulp", "highspy")
    extras: ClassVar[Mapping[tuple[str, str], str]] = {("engine", "gurobi"): "gurobipy"}

    engine: str = option("cbc", "the ILP solver; gurobi needs a licence too", choices=tuple(ENGINES))
    objective: str = option(
        "eq-ign", "how often a cell is covered (once, at least, at most), and what is optimised", choices=OBJECTIVES
    )
    tuning: str = option("default", "the engine's own settings, or adjusted ones", choices=("default", "adjusted"))
    seed: int = option(0, "the engine's seed; the seed of the run is added", tries=(3,))

    @classmethod
    def implementation(cls) -> Implementation:
        from tiler.backends.ilp.search import search

        return search
