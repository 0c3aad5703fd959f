"""Solve an OPB with Exact from PyPI (pip install exact), as a program that prints what the pseudo-Boolean competitions ask for:

python scripts/pseudo_boolean.py FILE.opb
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path


def terms(text: str) -> list[tuple[int, str]]:
    return [(int(weight), name) for weight, name in re.findall(r"([+-]?\d+) (x\d+)", text)]


def main(path: str) -> None:
    import exact

    solver = exact.Exact()
    head, *lines = Path(path).read_text().splitlines()
    names = [f"x{number}" for number in range(1, int(head.split()[2]) + 1)]
    for name in names:
        solver.addVariable(name)
    optimises = False
    for line in lines:
        if line.startswith("min:"):
            solver.setObjective(terms(line), True, 0)
            optimises = True
        elif not line.startswith("*"):
            bound = int(line.split()[-2])
            solver.addConstraint(terms(line), True, bound, "=" in line.split(), bound)
    solver.runFull(optimises, 0)
    if not solver.hasSolution():
        print("s UNSATISFIABLE")
        return
    values = solver.getLastSolutionFor(names)
    print(f"o {solver.getBestSoFar()}\ns OPTIMUM FOUND" if optimises else "s SATISFIABLE")
    print("v", *(name if value else f"-{name}" for name, value in zip(names, values, strict=True)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", metavar="FILE.opb")
    main(parser.parse_args().file)
