"""Solve the cover as clauses, by an engine in a separate process."""

from __future__ import annotations

import time

from tiler.backends import external
from tiler.backends.sat import TECHNIQUES, Sat, dimacs, preprocess
from tiler.backends.sat.engines import ENGINES, Solver
from tiler.backends.sat.formula import Formula
from tiler.backends.sat.preprocess import PreprocessedFormula, Scrambled
from tiler.backends.sat.tiling import encode
from tiler.cover.board import on_board
from tiler.cover.cover import Cover
from tiler.question.drup import Drup
from tiler.question.events import RunningSearch, SearchContext
from tiler.question.question import Goal, Question


def search(backend: Sat, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
    """Start the search of the backend `sat`."""
    return external.run(backend.engine, lambda report: _work(backend, cover, report), question)


def _work(backend: Sat, cover: Cover, report: external.Channel) -> external.Conclusion:
    """The work of the separate process."""
    proves = report.question.goal is Goal.PROVE
    started = time.perf_counter()
    encoding = "amk-seqcounter" if proves and backend.encoding == "amk-auto" else backend.encoding
    tiling = encode(cover, encoding, backend.cell, backend.symmetry)
    several = report.question.goal not in (Goal.DECIDE, Goal.PROVE)
    named = tiling.name_placements() if several else {}
    formula = tiling.formula
    encoded = time.perf_counter()
    report.stats(
        variables=formula.variables,
        clauses=len(formula.clauses),
        literals=sum(map(len, formula.clauses)),
        constraints=len(formula.at_mosts),
        **({} if tiling.symmetries is None else {"symmetries": tiling.symmetries}),
        model_seconds=encoded - started,
    )
    if backend.symmetry == "breakid":
        formula = _broken(formula, report)
        encoded = time.perf_counter()
    processed = _preprocess(backend, formula, [*range(1, len(tiling.option) + 1), *named.values()] if several else [])
    if processed is not None:
        report.stats(
            preprocess_seconds=time.perf_counter() - encoded,
            variables_left=len({abs(literal) for clause in processed.formula.clauses for literal in clause}),
            clauses_left=len(processed.formula.clauses),
        )
        formula = processed.formula
    scrambled = Scrambled(formula, backend.seed + report.question.seed)
    called = time.perf_counter()
    with Solver(ENGINES[backend.engine], scrambled.formula, proof=proves) as solver:
        exhausted = False
        going_on = True
        while going_on:
            model = solver.solve()
            counters = solver.counters()
            report.stats(engine_seconds=time.perf_counter() - called, nodes=counters.get("decisions", 0), **counters)
            if model is None:
                exhausted = True
                break
            model = scrambled.back(model)
            # Frozen variables keep their values. The preprocessor can translate one model back, not several.
            options = tiling.options(processed.restore(model) if processed and not several else model)
            going_on = report.solution(options)
            if going_on:
                solver.add(scrambled.there(-named[each] for each in options))
        certificate = None
        if proves and exhausted:
            board = on_board(cover, "a proof in a file")
            comments = [board.instance.heading, f"what the proof beside it refutes, {backend}", *dimacs.caveats(tiling)]
            certificate = Drup(tuple(dimacs.write_cnf(board, tiling, comments)), tuple(map(scrambled.line_back, solver.proof())))
    return external.Conclusion(exhausted, certificate=certificate)


def _broken(formula: Formula, report: external.Channel) -> Formula:
    """The formula with clauses that break symmetries; it is reported which program added how many."""
    started = time.perf_counter()
    program = preprocess.breaker()
    result = preprocess.broken(program, formula, report.folder)
    report.stats(
        symmetry_seconds=time.perf_counter() - started,
        symmetry_program=f"{program.name} {program.digest}",
        symmetry_variables=result.variables - formula.variables,
        symmetry_clauses=len(result.clauses) - len(formula.clauses),
    )
    return result


def _preprocess(backend: Sat, formula: Formula, frozen: list[int]) -> PreprocessedFormula | None:
    if backend.preprocess == "off":
        return None
    techniques = {} if backend.preprocess == "on" else {name: name in backend.preprocess.split("+") for name in TECHNIQUES}
    return PreprocessedFormula(formula, frozen, techniques)
