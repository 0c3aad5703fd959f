"""CP-SAT: the cover as a constraint program, for the solver of OR-Tools."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tiler.backends import external
from tiler.backends.base import Backend, option, register
from tiler.backends.cpsat.models import MODELS
from tiler.errors import BackendError, BadOption
from tiler.question.events import Events
from tiler.question.question import Goal, Question
from tiler.question.result import Result

if TYPE_CHECKING:
    from tiler.cover.cover import ExactCover


def _check_workers(number: int) -> str | None:
    return None if 1 <= number <= 1024 else "it must be from 1 to 1024"


@register
@dataclass(frozen=True)
class Cpsat(Backend):
    """A constraint program that has the tilings as its solutions, and Google's CP-SAT.

    With `model=placements` a Boolean means that a placement is made: exactly one per cell, and for a tile with bounds their sum.
    With `geometric` each copy of a tile has a variant and a position, and their rectangles do not overlap; copies are in order,
    and optional where they need not be used. With `automaton` each cell and copy has a Boolean, and an automaton per copy accepts
    the rows of the board, read one after the other, if they hold one of its variants.

    Redundant but helpful: the order of copies, which also makes every tiling one solution.

    Counting and enumerating leave the search to CP-SAT, which is complete with one worker only. `nodes` are its branches.

    Source: the constraint models of the Tiler thesis (2022), for `geometric` the one with geost; for `automaton` Lagerkvist and
    Pesant, Modeling irregular shape placement problems with regular constraints, 2008.
    """

    name: ClassVar[str] = "cpsat"
    requires: ClassVar[tuple[str, ...]] = ("ortools",)
    imports: ClassVar[tuple[str, ...]] = ("ortools.sat.python.cp_model",)

    model: str = option("placements", "what the variables are", choices=tuple(MODELS))
    workers: int = option(1, "threads, for deciding only", check=_check_workers)

    def refuse(self, question: Question) -> None:
        super().refuse(question)
        if self.workers > 1 and question.goal is not Goal.DECIDE:
            # Measured: it loses solutions then, and still says that it has them all.
            raise BadOption(f"cpsat: workers={self.workers}: CP-SAT can {question.goal} with one worker only")

    def search(self, cover: ExactCover, question: Question, events: Events) -> Result:
        return external.run("cpsat", lambda report: self._work(cover, report), question, events)

    def _work(self, cover: ExactCover, report: external.Channel) -> external.Conclusion:
        """What the process of its own does."""
        from ortools.sat.python import cp_model

        started = time.perf_counter()
        built = MODELS[self.model](cover)
        called = time.perf_counter()
        proto = built.model.proto
        report.stats(variables=len(proto.variables), constraints=len(proto.constraints), model_seconds=called - started)
        wanted = True

        class Found(cp_model.CpSolverSolutionCallback):  # type: ignore[misc, unused-ignore]
            def on_solution_callback(self) -> None:
                nonlocal wanted
                if wanted:
                    wanted = report.solution(built.options(self.value))
                if not wanted:
                    self.stop_search()

        solver = cp_model.CpSolver()
        solver.parameters.num_workers = self.workers
        solver.parameters.random_seed = report.question.seed
        solver.parameters.catch_sigint_signal = False
        solver.parameters.enumerate_all_solutions = report.question.goal is not Goal.DECIDE
        status = solver.solve(built.model, Found())
        report.stats(
            engine_seconds=time.perf_counter() - called,
            nodes=solver.num_branches,
            branches=solver.num_branches,
            conflicts=solver.num_conflicts,
        )
        if status == cp_model.MODEL_INVALID:
            raise BackendError(f"cpsat: it refused the model: {built.model.validate()}")
        complete = status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
        if complete and wanted and (status == cp_model.OPTIMAL) != (report.found > 0):
            raise BackendError(f"cpsat: it ended with {solver.status_name(status)} after {report.found} solutions")
        return external.Conclusion(exhausted=complete and wanted)
