"""List the SAT engines in one table of what each can do, and call them in one way, PySAT's or CryptoMiniSat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tiler.backends.sat.formula import Formula
from tiler.errors import BackendError


@dataclass(frozen=True)
class SatEngine:
    """What a SAT engine can do beyond deciding a CNF.

    `proves`: writes a DRUP proof of UNSAT. `counts`: has at-most-k constraints of its own. `grows`: takes clauses after an
    answer; the others start afresh. `tells`: has counters.
    """

    name: str
    proves: bool = True
    counts: bool = False
    grows: bool = True
    tells: bool = True
    module: str = "pysat"


ENGINES: dict[str, SatEngine] = {
    engine.name: engine
    for engine in (
        SatEngine("cadical195"),
        SatEngine("cadical103"),
        SatEngine("cadical153"),
        SatEngine("cadical300"),
        SatEngine("cryptominisat", proves=False, tells=False, module="pycryptosat"),
        SatEngine("ergo"),
        SatEngine("glucose3"),
        SatEngine("glucose4"),
        SatEngine("glucose42"),
        SatEngine("gluecard3", counts=True),
        SatEngine("gluecard4", counts=True),
        SatEngine("kissat404", proves=False, grows=False, tells=False),
        SatEngine("lingeling"),
        SatEngine("maplechrono"),
        SatEngine("maplecm"),
        SatEngine("maplesat", proves=False),
        SatEngine("mergesat3", proves=False),
        SatEngine("minicard", proves=False, counts=True),
        SatEngine("minisat22", proves=False),
        SatEngine("minisat-ep", proves=False),
        SatEngine("minisat-gh", proves=False),
    )
}


class Solver:
    """An engine with a formula. Clauses can be added between calls of `solve`. Close it, or use it in a `with` block."""

    def __init__(self, engine: SatEngine, formula: Formula, *, proof: bool = False) -> None:
        self._engine, self._formula, self._proof = engine, formula, proof
        self._solver = self._start()

    def __enter__(self) -> Solver:
        return self

    def __exit__(self, *error: object) -> None:
        self._solver.delete()

    def solve(self) -> list[int] | None:
        """A model as literals, or None if there is none; BackendError if the engine does not say."""
        answer = self._solver.solve()
        if answer is None:
            raise BackendError(f"{self._engine.name}: it gave up")
        return list(self._solver.get_model() or ()) if answer else None

    def add(self, clause: Sequence[int]) -> None:
        """Add a clause."""
        self._formula.add(*clause)
        if self._engine.grows:
            self._solver.add_clause(list(clause))
        else:
            self._solver.delete()
            self._solver = self._start()

    def counters(self) -> dict[str, int]:
        """The counters of the engine so far, by the engine's own names."""
        return dict(self._solver.accum_stats() or {}) if self._engine.tells else {}

    def proof(self) -> list[str]:
        """The lines of the DRUP proof, after an UNSAT; the last one is the empty clause."""
        lines = list(self._solver.get_proof() or ())
        return lines if lines[-1:] == ["0"] else [*lines, "0"]

    def _start(self) -> Any:
        clauses = self._formula.clauses
        if not all(clauses):
            # Some engines do not accept an empty clause, but all accept that a variable is true and that it is false.
            spare = self._formula.variables + 1
            clauses = [*filter(None, clauses), [spare], [-spare]]
        if not clauses:
            # Preprocessing may leave no clause (`on` for 4x4 with dominoes, `block+cover` for a single domino). Then PySAT's
            # maplesat dies, by SIGSEGV; with a clause that is always true it does not. No other engine died of any of 200 small
            # formulas, after no preprocessing, after each technique, each pair of them and all.
            clauses = [[1, -1]]
        if self._engine.module == "pycryptosat":
            return _CryptoMiniSat(clauses)
        from pysat.solvers import Solver as PySat

        solver = PySat(name=self._engine.name, bootstrap_with=clauses, **({"with_proof": True} if self._proof else {}))
        for literals, bound in self._formula.at_mosts:
            solver.add_atmost(literals, bound)
        return solver


class _CryptoMiniSat:
    """CryptoMiniSat with the methods of PySAT's engines."""

    def __init__(self, clauses: Sequence[Sequence[int]]) -> None:
        import pycryptosat

        self._solver, self._model = pycryptosat.Solver(threads=1), list[int]()
        for clause in clauses:
            self.add_clause(clause)

    def add_clause(self, clause: Sequence[int]) -> None:
        self._solver.add_clause(list(clause))

    def solve(self) -> bool | None:
        answer, values = self._solver.solve()
        self._model = [v if values[v] else -v for v in range(1, len(values))] if answer else []
        return None if answer is None else bool(answer)

    def get_model(self) -> list[int]:
        return self._model

    def delete(self) -> None:
        pass
