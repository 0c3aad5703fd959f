"""SAT: the cover as clauses, for the engines of PySAT and for CryptoMiniSat."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tiler.backends import external
from tiler.backends.base import Backend, option, register
from tiler.backends.sat import dimacs
from tiler.backends.sat.cardinality import AT_MOST_ONE
from tiler.backends.sat.engines import ENGINES, Solver
from tiler.backends.sat.proof import Proof
from tiler.backends.sat.tiling import NAMES, encode
from tiler.errors import BadOption, suggest
from tiler.question.events import Events
from tiler.question.question import Goal, Question
from tiler.question.result import Result

if TYPE_CHECKING:
    from tiler.backends.sat.formula import Formula
    from tiler.backends.sat.preprocess import Processed
    from tiler.cover.cover import ExactCover

_TECHNIQUES = ("block", "cover", "condition", "decompose", "elim", "probe", "probehbr", "subsume", "vivify")


def _check_preprocess(names: str) -> str | None:
    unknown = [name for name in names.split("+") if name not in _TECHNIQUES]
    if names in ("off", "on") or not unknown:
        return None
    return f"{unknown[0]!r} is no technique{suggest(unknown[0], _TECHNIQUES)}; there are on, off, {', '.join(_TECHNIQUES)}"


@register
@dataclass(frozen=True)
class Sat(Backend):
    """A CNF that has the tilings as its models, and a SAT engine.

    With `encoding=amk-ENC` a variable means that a placement is made. For each cell exactly one of the placements that cover it
    is made (a clause, and at most one in the encoding `cell`); a tile with bounds is placed between `lower` and `upper` times,
    in the cardinality encoding ENC. With `encoding=amo-ENC` the copies of tiles with bounds have names, and a variable means that
    a copy is placed there: at most one placement per copy, exactly one for those that must be used. Tiles with enough copies to
    fill the board are neither counted nor named. `amo-ordered` has the copies in board order.

    Redundant but helpful: a tile whose copies are all needed is counted from below as well; the j-th copy of a tile only lies in
    its j-th position or later. Symmetric tilings are not broken in the CNF, but beforehand, by `anchor`.

    More tilings are found by forbidding the placements of those found; `nodes` are the engine's decisions.

    Source: the SAT solvers of the Tiler thesis (2022); each encoding names its own (tiler/encodings).
    """

    name: ClassVar[str] = "sat"
    requires: ClassVar[tuple[str, ...]] = ("pysat",)
    extras: ClassVar[Mapping[tuple[str, str], str]] = {
        ("engine", engine.name): engine.module for engine in ENGINES.values() if engine.module != "pysat"
    }
    imports: ClassVar[tuple[str, ...]] = ("pysat.solvers", "pysat.card", "pysat.pb", "pysat.process")

    engine: str = option("cadical195", "the SAT solver", choices=tuple(ENGINES))
    encoding: str = option("amk-auto", "how tiles are counted: amk with nameless, amo with named copies", choices=NAMES)
    cell: str = option("auto", "the encoding of at most one placement per cell", choices=AT_MOST_ONE)
    preprocess: str = option(
        "off",
        f"CaDiCaL's preprocessor beforehand: on, or techniques joined by + ({', '.join(_TECHNIQUES)})",
        check=_check_preprocess,
    )
    proof: bool = option(False, "of UNSAT, as the certificate of the answer: the CNF and a DRUP proof")

    def search(self, cover: ExactCover, question: Question, events: Events) -> Result:
        return external.run(self.engine, lambda report: self._work(cover, report), question, events)

    def refuse(self, question: Question) -> None:
        super().refuse(question)
        engine = ENGINES[self.engine]
        native = "native" in (self.cell, self.encoding.partition("-")[2])
        if native and not engine.counts:
            able = ", ".join(name for name, each in ENGINES.items() if each.counts)
            raise BadOption(f"sat: {self.engine} has no native constraints; these engines have: {able}")
        if native and self.preprocess != "off":
            raise BadOption("sat: preprocess= knows clauses only; choose another encoding than native")
        if self.proof and not engine.proves:
            able = ", ".join(name for name, each in ENGINES.items() if each.proves)
            raise BadOption(f"sat: {self.engine} writes no proofs; these engines do: {able}")
        if self.proof and (native or self.preprocess != "off"):
            raise BadOption("sat: a proof is about the clauses: it needs preprocess=off and an encoding other than native")
        if self.proof and question.goal is not Goal.DECIDE:
            raise BadOption("sat: a proof is of UNSAT, not of a count")

    def _work(self, cover: ExactCover, report: external.Channel) -> external.Conclusion:
        """What the process of its own does."""
        started = time.perf_counter()
        tiling = encode(cover, self.encoding, self.cell)
        several = report.question.goal is not Goal.DECIDE
        named = tiling.name_placements() if several else {}
        formula = tiling.formula
        encoded = time.perf_counter()
        report.stats(
            variables=formula.variables,
            clauses=len(formula.clauses),
            literals=sum(map(len, formula.clauses)),
            constraints=len(formula.at_mosts),
            model_seconds=encoded - started,
        )
        processed = self._preprocess(formula, [*range(1, len(tiling.option) + 1), *named.values()] if several else [])
        if processed is not None:
            report.stats(
                preprocess_seconds=time.perf_counter() - encoded,
                variables_left=len({abs(literal) for clause in processed.formula.clauses for literal in clause}),
                clauses_left=len(processed.formula.clauses),
            )
            formula = processed.formula
        called = time.perf_counter()
        with Solver(ENGINES[self.engine], formula, proof=self.proof) as solver:
            exhausted = False
            going_on = True
            while going_on:
                model = solver.solve()
                counters = solver.counters()
                report.stats(engine_seconds=time.perf_counter() - called, nodes=counters.get("decisions", 0), **counters)
                if model is None:
                    exhausted = True
                    break
                # Frozen variables are as they were; the preprocessor can lead back one model, not several.
                options = tiling.options(processed.restore(model) if processed and not several else model)
                going_on = report.solution(options)
                if going_on:
                    solver.add([-named[each] for each in options])
            certificate = None
            if self.proof and exhausted:
                comments = [cover.instance.title or cover.instance.name, f"what the proof beside it refutes, {self}"]
                certificate = Proof(tuple(dimacs.write(cover, tiling, comments)), tuple(solver.proof()))
        return external.Conclusion(exhausted, certificate=certificate)

    def _preprocess(self, formula: Formula, frozen: list[int]) -> Processed | None:
        if self.preprocess == "off":
            return None
        from tiler.backends.sat.preprocess import Processed

        techniques = {} if self.preprocess == "on" else {name: name in self.preprocess.split("+") for name in _TECHNIQUES}
        return Processed(formula, frozen, techniques)
