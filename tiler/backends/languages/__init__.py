"""List the languages that other programs read, and the forms in which they answer.

`LANGUAGES` is the only such list. `tiler convert` writes all of them, a `[[solver]]` table names one as its input (command/), and
`tiler check` reads answers to files in them. writing.py writes the files, answers.py reads the answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tiler.question.question import Goal

#: The forms of answers, and the goals for which they are enough.
FORMS: Mapping[str, frozenset[Goal]] = {
    "dimacs": frozenset({Goal.DECIDE}),
    "maxsat": frozenset({Goal.DECIDE, Goal.OPTIMISE}),
    "pb": frozenset({Goal.DECIDE, Goal.OPTIMISE}),
    "columns": frozenset({Goal.DECIDE, Goal.OPTIMISE}),
    "minizinc": frozenset({Goal.DECIDE}),
    "json": frozenset({Goal.DECIDE, Goal.COUNT}),
    "count": frozenset({Goal.COUNT}),
    "weight": frozenset(),
}


@dataclass(frozen=True)
class Language:
    """What programs of one kind read. `model` is the spec of the backend whose model is written; with none there is no choice.

    `answers` are the forms in which they answer, the first being what `tiler check` expects of an answer to a file. Where
    `declared` is false no `[[solver]]` names it. `is_problem`: it is the problem itself, not its cover. `optimises`: it can tell
    weights.
    """

    name: str
    about: str
    answers: tuple[str, ...] = ()
    model: str = ""
    endings: tuple[str, ...] = ()  #: the endings of its files, that of the named file first; if empty, the language's name
    declared: bool = True
    is_problem: bool = False
    optimises: bool = False

    @property
    def files(self) -> tuple[str, ...]:
        """The endings of its files."""
        return self.endings or (self.name,)

    @property
    def places(self) -> tuple[str, ...]:
        """The words that stand for its files in a command."""
        return (self.name, *self.endings[1:])


# Without own variables of encodings, the models are the tilings.
_COUNTED = "sat:encoding=amo-pairwise,cell=pairwise"

LANGUAGES: Mapping[str, Language] = {
    each.name: each
    for each in (
        Language("cnf", "SAT solvers (DIMACS)", ("dimacs", "count"), "sat"),
        Language("wcnf", "MaxSAT solvers (the form of 2022)", ("maxsat",), "sat", optimises=True),
        Language("mc", "model counters: all models", ("count",), _COUNTED, declared=False),
        Language("pmc", "model counters: models of the placements", ("count",), "sat", declared=False),
        Language("wmc", "model counters: weights of all models", ("weight",), _COUNTED, declared=False),
        Language("pwmc", "model counters: weights of models of the placements", ("weight",), "sat", declared=False),
        Language("opb", "pseudo-Boolean solvers", ("pb",), "ilp", optimises=True),
        Language("lp", "ILP solvers", ("columns",), "ilp", optimises=True),
        Language("mps", "ILP solvers", ("columns",), "ilp", optimises=True),
        Language("mzn", "MiniZinc", ("minizinc",), endings=("mzn", "dzn")),
        Language("dlx", "Knuth's dancing links programs", ("count",)),
        Language("xmpuzzle", "BurrTools", declared=False, is_problem=True),
        Language("text", "a problem file", ("json", "count"), endings=("txt",), is_problem=True),
        Language("json", "the problem as JSON", ("json", "count"), is_problem=True),
    )
}


def of_file(path: str) -> Language | None:
    """The language of a file, by its ending."""
    ending = path.rpartition(".")[2].lower() if "." in path else ""
    return next((each for each in LANGUAGES.values() if each.files[0] == ending), None)
