"""Change a formula before an engine gets it, and translate models back: into another order by a seed, and into a smaller one.

Few engines take a seed, and they use it for different things; but the order of a formula matters to all of them. So *seed* means
one thing for every engine here: another formula with the same models, with variables renamed, and clauses and the literals within
them shuffled, as solver competitions scramble theirs (Biere and Heule, The effect of scrambling CNFs, 2018). CaDiCaL's
preprocessor, through PySAT, makes formulas smaller.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence

from tiler.backends.sat.formula import Formula


class Scrambled:
    """A formula after renaming; `there` and `back` translate literals. Seed 0 changes nothing."""

    def __init__(self, formula: Formula, seed: int) -> None:
        self._name: Sequence[int] = range(formula.variables + 1)
        self._old: Sequence[int] = self._name
        self.formula = formula
        if seed == 0:
            return
        draw = random.Random(seed)
        named = list(range(1, formula.variables + 1))
        draw.shuffle(named)
        self._name = [0, *named]
        old = [0] * len(self._name)
        for variable, name in enumerate(self._name):
            old[name] = variable
        self._old = old
        clauses = [self.there(clause) for clause in formula.clauses]
        draw.shuffle(clauses)
        for clause in clauses:
            draw.shuffle(clause)
        self.formula = Formula(formula.variables, clauses, [(self.there(each), bound) for each, bound in formula.at_mosts])

    def there(self, literals: Iterable[int]) -> list[int]:
        """Translate literals of the original formula into this one; later variables keep their numbers."""
        return _renamed(self._name, literals)

    def back(self, literals: Iterable[int]) -> list[int]:
        """Translate literals of this formula into the original one."""
        return _renamed(self._old, literals)

    def line_back(self, line: str) -> str:
        """Translate a line of a proof about this formula into one about the original."""
        deletes, words = (["d"], line.split()[1:]) if line.startswith("d") else ([], line.split())
        return " ".join([*deletes, *map(str, self.back(map(int, words)))])


def _renamed(names: Sequence[int], literals: Iterable[int]) -> list[int]:
    known = len(names)
    return [each if abs(each) >= known else names[each] if each > 0 else -names[-each] for each in literals]


class PreprocessedFormula:
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
