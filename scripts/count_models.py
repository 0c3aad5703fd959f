"""Count the models of a CNF with Ganak (pip install pyganak), as a program that a campaign can declare as a solver:

    [[solver]]
    name = "ganak"
    command = "{python} ../../scripts/count_models.py {cnf}"
    input = "cnf"
    output = "count"
    projects = true

Counted are the models of the variables that a comment `c p show` names, as `tiler bench` writes it.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pyganak


def main(path: str) -> None:
    counter = pyganak.Counter()
    shown: set[int] = set()
    clauses: list[list[int]] = []
    for line in Path(path).read_text().splitlines():
        if line.startswith("c p show "):
            shown |= {int(word) for word in line.split()[3:-1]}
        elif line.startswith("p "):
            counter.new_vars(int(line.split()[2]))
        elif line and not line.startswith("c"):
            clauses.append([int(word) for word in line.split()[:-1]])
    if not all(clauses):  # An empty clause: the binding reads none.
        print("s mc 0")
        return
    counter.add_clauses(clauses)
    if shown:
        counter.set_sampling_set(sorted(shown))
    print(f"s mc {counter.count()}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--version"]:
        print(f"ganak {pyganak.VERSION}")
    else:
        main(sys.argv[1])
