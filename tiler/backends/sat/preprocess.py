"""Run CaDiCaL's preprocessor, through PySAT: it makes a formula smaller before an engine gets it, and translates models back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tiler.backends.sat.formula import Formula


class Processed:
    """A formula after preprocessing. Variables that clauses will be added about later must be `frozen`."""

    def __init__(self, formula: Formula, frozen: Sequence[int], techniques: Mapping[str, bool]) -> None:
        from pysat.process import Processor

        # It does not accept an empty clause.
        clauses = formula.clauses if all(formula.clauses) else [[1], [-1]]
        self._processor = Processor(bootstrap_with=clauses)
        processed = self._processor.process(freeze=list(frozen), **techniques)
        self.formula = Formula(formula.variables)
        self.formula.extend(processed.clauses if self._processor.status else [[]], processed.nv or 0)

    def restore(self, model: Sequence[int]) -> list[int]:
        """A model of the original formula from one of the processed one."""
        return list(self._processor.restore(list(model)))
