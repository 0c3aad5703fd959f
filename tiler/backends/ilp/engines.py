"""Call ILP engines, all behind `solve` and `forbid`: CBC and Gurobi through PuLP, HiGHS through highspy.

No engine is given a time limit: answers that engines give at their own limits cannot be trusted, and isolate.py kills them in
time.
"""

from __future__ import annotations

import os
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tiler.backends.ilp.program import IntegerProgram, Row
from tiler.errors import BackendError

#: Settings for `tuning=adjusted`, by engine, chosen by CPU seconds on the hardest thesis instances with `eq-ign`. CBC without its
#: heuristics decided 12 of 15 within 20 s each, in 132 s altogether, by itself 10 in 167 s; without cuts too, or depth first, it
#: was slower again. HiGHS without its heuristics decided 11 of 13 within 15 s each, in 73 s, by itself 9 in 90 s. Gurobi with
#: more presolving took 6 s for 12 that its free licence admits, by itself 14 s; MIPFocus=1, Heuristics=0 and Cuts=0 gained less.
ADJUSTED: dict[str, dict[str, Any]] = {
    "cbc": {"heuristicsOnOff": "off"},
    "highs": {"mip_heuristic_effort": 0.0},
    "gurobi": {"Presolve": 2},
}


#: Settings that make an optimum of whole numbers exact: by default engines stop at a small gap.
EXACT: dict[str, dict[str, Any]] = {
    "cbc": {"ratioGap": 0, "allowableGap": 0.5},
    "highs": {"mip_rel_gap": 0.0, "mip_abs_gap": 0.5},
    "gurobi": {"MIPGap": 0.0, "MIPGapAbs": 0.5},
}


@dataclass(frozen=True)
class Optimum:
    """A definite answer of an engine: the columns that are 1 in an optimal solution, or None if there is no solution."""

    chosen: tuple[int, ...] | None
    value: float = 0.0


@dataclass
class Counters:
    """The engine's counters over all calls; None for a counter that the engine does not tell. `relaxation_refutes` is about the
    first call: whether the linear relaxation alone shows that there is no tiling."""

    nodes: int = 0
    iterations: int = 0
    relaxation_refutes: bool | None = None
    relaxation_seconds: float | None = None

    def known(self) -> dict[str, Any]:
        """The counters that the engine tells."""
        return {name: value for name, value in vars(self).items() if value is not None}


class LinearEngine(ABC):
    """An engine with an integer program; `folder` is for its files."""

    def __init__(self, program: IntegerProgram, settings: Mapping[str, Any], folder: Path, seed: int = 0) -> None:
        self.program, self.settings, self.folder, self.seed = program, settings, folder, seed
        self.counters = Counters()
        self._load()

    @abstractmethod
    def _load(self) -> None:
        """Hand the program to the engine."""

    @abstractmethod
    def solve(self) -> Optimum:
        """Find an optimal solution. BackendError if the engine gives no definite answer."""

    @abstractmethod
    def forbid(self, chosen: tuple[int, ...]) -> None:
        """Rule a solution out."""


class _ThroughPulp(LinearEngine):
    """An engine that PuLP calls."""

    def _load(self) -> None:
        self._pulp = PulpProgram(self.program)

    def forbid(self, chosen: tuple[int, ...]) -> None:
        self._pulp.add(self.program.forbid(chosen))


class Cbc(_ThroughPulp):
    """CBC, as PuLP brings it along; its log tells what the relaxation says."""

    _is_first = True

    def solve(self) -> Optimum:
        import pulp

        log = self.folder / "cbc.log"
        options = [f"{name} {value}" for name, value in self.settings.items()]
        if self.seed:
            options += [f"randomSeed {self.seed}", f"randomCbcSeed {self.seed}"]
        solver = pulp.COIN_CMD(msg=False, logPath=str(log), options=options, path=pulp.PULP_CBC_CMD.pulp_cbc_path)
        # A path relative to the run's folder, since PuLP divides its command at blanks.
        solver.tmpDir = os.path.relpath(self.folder)
        try:
            optimum = self._pulp.solve(solver, "cbc")
        except pulp.PulpSolverError:
            lines = log.read_text(errors="replace").split("\n")
            raise BackendError(f"cbc: it failed; its last line: {next(filter(None, reversed(lines)), 'none')}") from None
        self._read(log.read_text(errors="replace"))
        return optimum

    def _read(self, log: str) -> None:
        self.counters.nodes += _number(r"Enumerated nodes:\s+(\d+)", log) or 0
        self.counters.iterations += _number(r"Total iterations:\s+(\d+)", log) or 0
        if self._is_first:
            bound = re.search(r"Continuous objective value is (\S+)", log)
            if bound:
                self.counters.relaxation_refutes = self.program.refuted_by(float(bound[1]))
            elif "Problem is infeasible" in log:
                self.counters.relaxation_refutes = True
        self._is_first = False


class Gurobi(_ThroughPulp):
    """Gurobi, where gurobipy and a licence are installed."""

    def solve(self) -> Optimum:
        import gurobipy
        import pulp

        solver = pulp.GUROBI(msg=False, MIPGap=0, Threads=1, Seed=self.seed, **self.settings)
        try:
            optimum = self._pulp.solve(solver, "gurobi")
        except gurobipy.GurobiError as error:
            raise BackendError(f"gurobi: {error}") from None
        self.counters.nodes += int(self._pulp.problem.solverModel.NodeCount)
        self.counters.iterations += int(self._pulp.problem.solverModel.IterCount)
        return optimum


class Highs(LinearEngine):
    """HiGHS. The linear relaxation is solved first, by itself: it is fast, and often enough to refute."""

    def _load(self) -> None:
        import highspy
        import numpy as np

        program, infinity = self.program, highspy.kHighsInf
        model = highspy.HighsLp()
        model.num_col_, model.num_row_ = program.columns, len(program.rows)
        model.col_cost_ = np.array(program.weights or [0] * program.columns, np.float64)
        model.col_lower_, model.col_upper_ = np.zeros(program.columns), np.ones(program.columns)
        model.row_lower_ = np.array([-infinity if row.lower is None else row.lower for row in program.rows], np.float64)
        model.row_upper_ = np.array([infinity if row.upper is None else row.upper for row in program.rows], np.float64)
        model.sense_ = highspy.ObjSense.kMaximize if program.maximise else highspy.ObjSense.kMinimize
        model.integrality_ = [highspy.HighsVarType.kInteger] * program.columns
        model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        model.a_matrix_.start_ = np.concatenate([[0], np.cumsum([len(row.columns) for row in program.rows])]).astype(np.int32)
        model.a_matrix_.index_ = np.array([column for row in program.rows for column in row.columns], np.int32)
        model.a_matrix_.value_ = np.ones(program.nonzeros)
        self._highs = highspy.Highs()
        self._set(output_flag=False, threads=1, random_seed=self.seed, mip_rel_gap=0.0)
        self._set(**self.settings)
        if self._highs.passModel(model) == highspy.HighsStatus.kError:
            raise BackendError("highs: it refused the model")
        self._first = True

    def solve(self) -> Optimum:
        import numpy as np

        if self._first:
            self._first = False
            if self._relaxation_refutes():
                return Optimum(None)
        self._highs.run()
        info = self._highs.getInfo()
        self.counters.nodes += max(0, info.mip_node_count)
        self.counters.iterations += max(0, info.simplex_iteration_count)
        status = self._highs.getModelStatus()
        if status.name == "kInfeasible":
            return Optimum(None)
        if status.name != "kOptimal":
            raise BackendError(f"highs: it stopped with {self._highs.modelStatusToString(status)}")
        values = np.array(self._highs.getSolution().col_value)
        return Optimum(tuple(np.flatnonzero(values > 0.5).tolist()), info.objective_function_value)

    def forbid(self, chosen: tuple[int, ...]) -> None:
        import highspy
        import numpy as np

        row = self.program.forbid(chosen)
        columns = np.array(row.columns, np.int32)
        self._highs.addRow(-highspy.kHighsInf, float(row.upper or 0), len(columns), columns, np.ones(len(columns)))

    def _relaxation_refutes(self) -> bool:
        started = time.perf_counter()
        self._set(solve_relaxation=True)
        self._highs.run()
        self._set(solve_relaxation=False)
        status, info = self._highs.getModelStatus().name, self._highs.getInfo()
        if status == "kOptimal":
            self.counters.relaxation_refutes = self.program.refuted_by(info.objective_function_value)
        elif status == "kInfeasible":
            self.counters.relaxation_refutes = True
        self.counters.relaxation_seconds = time.perf_counter() - started
        self.counters.iterations += max(0, info.simplex_iteration_count)
        return bool(self.counters.relaxation_refutes)

    def _set(self, **options: Any) -> None:
        import highspy

        for name, value in options.items():
            if self._highs.setOptionValue(name, value) == highspy.HighsStatus.kError:
                raise BackendError(f"highs: it has no option {name}={value}")


ENGINES: dict[str, type[LinearEngine]] = {"cbc": Cbc, "highs": Highs, "gurobi": Gurobi}


class PulpProgram:
    """An integer program for PuLP; column i is the variable `xi`."""

    def __init__(self, program: IntegerProgram) -> None:
        import pulp

        self.program = program
        self.problem = pulp.LpProblem("tiling", pulp.LpMaximize if program.maximise else pulp.LpMinimize)
        self._columns = [self.problem.add_variable(f"x{column}", 0, 1, cat=pulp.LpInteger) for column in range(program.columns)]
        weighted = zip(self._columns, program.weights, strict=True) if program.weights else ()
        self.problem += pulp.LpAffineExpression(list(weighted))
        for row in program.rows:
            self.add(row)

    def add(self, row: Row) -> None:
        """Add a row: two constraints if its bounds differ."""
        import pulp

        senses = [(pulp.LpConstraintGE, row.lower, "least"), (pulp.LpConstraintLE, row.upper, "most")]
        if row.lower == row.upper:
            senses = [(pulp.LpConstraintEQ, row.lower, "")]
        for sense, bound, suffix in senses:
            if bound is not None:
                terms = pulp.LpAffineExpression([(self._columns[column], 1) for column in row.columns])
                self.problem += pulp.LpConstraint(terms, sense, row.name + suffix if row.name else None, bound)

    def solve(self, solver: Any, engine: str) -> Optimum:
        """Call an engine. Only `infeasible` and `optimal` are believed."""
        import pulp

        status = self.problem.solve(solver)
        if status == pulp.LpStatusInfeasible:
            return Optimum(None)
        if status != pulp.LpStatusOptimal or self.problem.sol_status != pulp.LpSolutionOptimal:
            raise BackendError(f"{engine}: it stopped with {pulp.LpStatus[status]}")
        chosen = tuple(i for i, column in enumerate(self._columns) if (column.varValue or 0) > 0.5)
        return Optimum(chosen, float(pulp.value(self.problem.objective) or 0))


def _number(pattern: str, text: str) -> int | None:
    match = re.search(pattern, text)
    return int(match[1]) if match else None
