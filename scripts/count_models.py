"""Count the models of a CNF with a counter from PyPI, as a program that a campaign can declare as a solver:

    [[solver]]
    name = "ganak"
    command = "{python} ../../scripts/count_models.py ganak {cnf}"
    input = "cnf"
    output = "count"
    projects = true

The counters are ganak (pip install pyganak), d4 (d4Solver) and tididi (tididi-cnf). Counted are the models of the variables that
a comment `c p show` names, else of all; with `c p weight` their weights are added up. What is printed is what the model counting
competitions ask for: `s mc N`, or `c s exact arb frac N` for weights (exact with tididi and projection, else a double).

The interpreter is the one that has the counter: scripts/peers.py makes one, called `{python}` where it is Tiler's own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import metadata
from pathlib import Path

PACKAGES = {"ganak": "pyganak", "d4": "d4Solver", "tididi": "tididi-cnf"}


@dataclass
class Cnf:
    """What a file says."""

    variables: int = 0
    clauses: list[list[int]] = field(default_factory=list)
    shown: set[int] = field(default_factory=set)
    weights: dict[int, str] = field(default_factory=dict)
    is_weighted: bool = False  #: so says its line `c t`: where there is no variable there is no weight either


def read(path: str) -> Cnf:
    """A file in DIMACS, with the comments of the model counting competitions."""
    cnf = Cnf()
    for line in Path(path).read_text().splitlines():
        words = line.split()
        if words[:3] == ["c", "p", "show"]:
            cnf.shown |= {int(word) for word in words[3:-1]}
        elif words[:3] == ["c", "p", "weight"]:
            cnf.weights[int(words[3])] = words[4]
        elif words[:2] == ["c", "t"]:
            cnf.is_weighted = "w" in words[2]
        elif words[:1] == ["p"]:
            cnf.variables = int(words[2])
        elif words and words[0] != "c":
            cnf.clauses.append([int(word) for word in words[:-1]])
    return cnf


def _ganak(path: str, cnf: Cnf) -> int | float:
    import pyganak

    counter = pyganak.WeightedCounter() if cnf.weights else pyganak.Counter()
    counter.new_vars(cnf.variables)
    counter.add_clauses(cnf.clauses)
    if cnf.shown:
        counter.set_sampling_set(sorted(cnf.shown))
    for literal, weight in cnf.weights.items():
        counter.set_lit_weight(literal, float(weight))
    found: int | float = counter.count()
    return found


def _d4(path: str, cnf: Cnf) -> int | float:
    import py_d4

    if cnf.shown and len(cnf.shown) < cnf.variables:
        raise SystemExit("d4's binding counts all models: it knows no c p show")
    solver = py_d4.Solver([tuple(clause) for clause in cnf.clauses], cnf.variables)
    if cnf.weights:
        solver.setWeights(cnf.weights, py_d4.WeightType.FLOAT)
        return float(solver.count().getResult())
    return int(solver.count().getResult())


def _tididi(path: str, cnf: Cnf) -> int | float | Fraction:
    import tididi_cnf

    # Told `c t mc` it preprocesses first, which takes minutes for dominoes on 12x12; asked to compile, half a second.
    compiles = not cnf.shown and not cnf.is_weighted
    text = Path(path).read_text()
    plain = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("c")) if compiles else text
    found: int | float | Fraction = tididi_cnf.count(plain).count
    return found


COUNTERS: dict[str, Callable[[str, Cnf], int | float | Fraction]] = {"ganak": _ganak, "d4": _d4, "tididi": _tididi}


def main(name: str, path: str) -> None:
    cnf = read(path)
    # An empty clause: some bindings read none.
    found = COUNTERS[name](path, cnf) if all(cnf.clauses) else 0
    print(f"c s exact arb frac {Fraction(found)}" if cnf.is_weighted else f"s mc {found}")


if __name__ == "__main__":
    if sys.argv[2:] == ["--version"]:
        print(f"{sys.argv[1]} {metadata.version(PACKAGES[sys.argv[1]])}")
    else:
        main(sys.argv[1], sys.argv[2])
