"""Solve the cover as a constraint program by CP-SAT, in a separate process."""

from __future__ import annotations

import time
from math import floor

from ortools.sat.python import cp_model

from tiler.backends import external
from tiler.backends.cpsat import Cpsat
from tiler.backends.cpsat.models import MODELS
from tiler.cover.cover import Cover
from tiler.errors import BackendError
from tiler.question.events import RunningSearch, SearchContext
from tiler.question.question import Goal, Question

_TINY = 1e-6  # the largest rounding error of a bound on whole numbers


def search(backend: Cpsat, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
    """Start the search of the backend `cpsat`."""
    return external.run("cpsat", lambda report: _work(backend, cover, report), question)


def _work(backend: Cpsat, cover: Cover, report: external.Channel) -> external.Conclusion:
    """The work of the separate process."""
    optimises = report.question.goal is Goal.OPTIMISE
    started = time.perf_counter()
    built = MODELS[backend.model](cover)
    if optimises:
        built.maximise()
    called = time.perf_counter()
    proto = built.model.proto
    report.stats(variables=len(proto.variables), constraints=len(proto.constraints), model_seconds=called - started)
    wanted = True

    class Found(cp_model.CpSolverSolutionCallback):  # type: ignore[misc, unused-ignore]
        def on_solution_callback(self) -> None:
            nonlocal wanted
            if wanted:
                wanted = report.solution(built.options(self.value)) or optimises
            if not wanted:
                self.stop_search()

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = backend.workers
    solver.parameters.random_seed = backend.seed + report.question.seed
    solver.parameters.catch_sigint_signal = False
    solver.parameters.enumerate_all_solutions = report.question.goal in (Goal.COUNT, Goal.ENUMERATE)
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
    if optimises and report.found:
        value, bound = round(solver.objective_value), floor(solver.best_objective_bound + _TINY)
        return external.Conclusion(exhausted=complete, value=value, bound=bound)
    return external.Conclusion(exhausted=complete and wanted)
