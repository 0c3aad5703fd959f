"""Solve a WCNF or an OPB with a package from PyPI, as a program that prints what the MaxSAT evaluations and the pseudo-Boolean
competitions ask for:

python scripts/optimise_models.py rc2 FILE.wcnf          python-sat, which Tiler needs anyway
python scripts/optimise_models.py uwrmaxsat FILE.wcnf    hermax
python scripts/optimise_models.py exact FILE.opb         exact
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from pathlib import Path


def _rc2(path: str) -> None:
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF

    formula = WCNF(from_file=path)
    with RC2(formula) as solver:
        _print_weighted(solver.compute(), solver.cost, formula.nv)


def _uwrmaxsat(path: str) -> None:
    from hermax.incremental import UWrMaxSAT
    from pysat.formula import WCNF

    formula, solver = WCNF(from_file=path), UWrMaxSAT()
    for clause in formula.hard:
        solver.add_clause(clause)
    # Several soft clauses of one literal add up.
    weights: dict[int, int] = {}
    for (literal,), weight in zip(formula.soft, formula.wght, strict=True):
        weights[literal] = weights.get(literal, 0) + weight
    for literal, weight in weights.items():
        solver.set_soft(literal, weight)
    model = solver.get_model() if solver.solve() else None
    _print_weighted(model, 0 if model is None else solver.get_cost(), formula.nv)


def _print_weighted(model: list[int] | None, cost: int, variables: int) -> None:
    if model is None:
        print("s UNSATISFIABLE")
        return
    true = {literal for literal in model if literal > 0}
    print(f"s OPTIMUM FOUND\no {cost}\nv {''.join('1' if v in true else '0' for v in range(1, variables + 1))}")


def _exact(path: str) -> None:
    import exact

    solver = exact.Exact()
    head, *lines = Path(path).read_text().splitlines()
    names = [f"x{number}" for number in range(1, int(head.split()[2]) + 1)]
    for name in names:
        solver.addVariable(name)
    optimises = False
    for line in lines:
        if line.startswith("min:"):
            solver.setObjective(_terms(line), True, 0)
            optimises = True
        elif not line.startswith("*"):
            bound = int(line.split()[-2])
            solver.addConstraint(_terms(line), True, bound, "=" in line.split(), bound)
    solver.runFull(optimises, 0)
    if not solver.hasSolution():
        print("s UNSATISFIABLE")
        return
    values = solver.getLastSolutionFor(names)
    print(f"o {solver.getBestSoFar()}\ns OPTIMUM FOUND" if optimises else "s SATISFIABLE")
    print("v", *(name if value else f"-{name}" for name, value in zip(names, values, strict=True)))


def _terms(text: str) -> list[tuple[int, str]]:
    return [(int(weight), name) for weight, name in re.findall(r"([+-]?\d+) (x\d+)", text)]


SOLVERS: dict[str, Callable[[str], None]] = {"rc2": _rc2, "uwrmaxsat": _uwrmaxsat, "exact": _exact}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("solver", choices=SOLVERS)
    parser.add_argument("file", metavar="FILE")
    args = parser.parse_args()
    SOLVERS[args.solver](args.file)
