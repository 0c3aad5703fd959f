"""Solve a WCNF with a MaxSAT solver from PyPI, as a program that prints what the MaxSAT evaluations ask for:

python scripts/maxsat.py rc2 FILE.wcnf          of python-sat, which Tiler needs anyway
python scripts/maxsat.py uwrmaxsat FILE.wcnf    of hermax
"""

from __future__ import annotations

import argparse

from pysat.formula import WCNF


def main(name: str, path: str) -> None:
    formula = WCNF(from_file=path)
    model: list[int] | None
    if name == "rc2":
        from pysat.examples.rc2 import RC2

        with RC2(formula) as solver:
            model = solver.compute()
            cost = solver.cost
    else:
        from hermax.incremental import UWrMaxSAT

        solver = UWrMaxSAT()
        for clause in formula.hard:
            solver.add_clause(clause)
        # Several soft clauses of one literal add up.
        weights: dict[int, int] = {}
        for (literal,), weight in zip(formula.soft, formula.wght, strict=True):
            weights[literal] = weights.get(literal, 0) + weight
        for literal, weight in weights.items():
            solver.set_soft(literal, weight)
        model = solver.get_model() if solver.solve() else None
        cost = solver.get_cost() if model is not None else 0
    if model is None:
        print("s UNSATISFIABLE")
        return
    true = {literal for literal in model if literal > 0}
    print(f"s OPTIMUM FOUND\no {cost}\nv {''.join('1' if v in true else '0' for v in range(1, formula.nv + 1))}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("solver", choices=("rc2", "uwrmaxsat"))
    parser.add_argument("file", metavar="FILE.wcnf")
    args = parser.parse_args()
    main(args.solver, args.file)
