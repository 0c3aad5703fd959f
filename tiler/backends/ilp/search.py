"""Solve the cover as an integer program, by an engine in a separate process."""

from __future__ import annotations

import time

from tiler.backends import external
from tiler.backends.ilp import Ilp
from tiler.backends.ilp.engines import ADJUSTED, ENGINES, EXACT
from tiler.backends.ilp.program import program_of, weighted_program_of
from tiler.cover.cover import Cover
from tiler.cover.verify import error_in_items
from tiler.errors import BackendError
from tiler.question.events import RunningSearch, SearchContext
from tiler.question.question import Goal, Question


def search(backend: Ilp, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
    """Start the search of the backend `ilp`."""
    return external.run(backend.engine, lambda report: _work(backend, cover, report), question)


def _work(backend: Ilp, cover: Cover, report: external.Channel) -> external.Conclusion:
    """The work of the separate process."""
    started = time.perf_counter()
    optimises = report.question.goal is Goal.OPTIMISE
    program = weighted_program_of(cover) if optimises else program_of(cover, backend.objective)
    settings = {
        **(ADJUSTED[backend.engine] if backend.tuning == "adjusted" else {}),
        **(EXACT[backend.engine] if optimises else {}),
    }
    engine = ENGINES[backend.engine](program, settings, report.folder, backend.seed + report.question.seed)
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
        chosen = tuple(column for column in optimum.chosen if column < program.placements)
        if error_in_items(cover, chosen) is not None:
            raise BackendError(f"{backend.engine}: its optimal solution of value {optimum.value} is no tiling")
        if optimises:
            report.solution(chosen)
            value = int(cover.weights[cover.tile[list(chosen)]].sum())
            return external.Conclusion(exhausted=True, value=value, bound=value)
        if not report.solution(chosen):
            return external.Conclusion(exhausted=False)
        engine.forbid(chosen)
