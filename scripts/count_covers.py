"""Count the solutions of an exact cover with a package from PyPI, as a program that a campaign can declare as a solver:

    [[solver]]
    name = "xcover"
    command = "../../.venv/peers/xcover/bin/python ../../scripts/count_covers.py xcover {dlx}"
    input = "dlx"
    output = "count"

The packages are xcover, pyxcc, exact-cover, dxz and graphillion; `python scripts/peers.py --install` makes an environment for
each. The file is in Knuth's format; items that may be covered several times are refused, and colours by exact-cover and dxz. The
last line is the number. graphillion knows options of two items only: it counts the perfect matchings of a graph, so tilings by
dominoes. `xcover-memo` is xcover by its decision diagram with a memo, which miscounts: `tiler convert 6x10 1:pentominoes -o
out.dlx`, and it says 9357, where there are 9356 (seen again on 2026-11-26, xcover 0.2.6).

    python scripts/count_covers.py xcover FILE.dlx 0.2

prints the number and CPU seconds too: those of the fastest of as many searches as take 0.2 s together, with all code loaded.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

PACKAGES = {
    "xcover": "xcover",
    "xcover-memo": "xcover",
    "pyxcc": "pyxcc",
    "exact-cover": "exact-cover",
    "dxz": "dxz",
    "graphillion": "graphillion",
}


def read(path: str) -> tuple[list[str], list[str], list[list[str]]]:
    """Primary items, secondary items and options."""
    head, *lines = (line for line in Path(path).read_text().splitlines() if line and not line.startswith("|"))
    primary, _, secondary = head.partition(" | ")
    if "|" in primary + secondary:
        raise SystemExit("items that may be covered several times are not for these packages")
    return primary.split(), secondary.split(), [line.split() for line in lines]


def is_coloured(options: list[list[str]]) -> bool:
    """Whether some option gives an item a colour."""
    return any(":" in item[1:] for option in options for item in option)


def split(item: str) -> tuple[str, str]:
    """An item and its colour, "" for none.

    >>> split("x:1"), split(":1")
    (('x', '1'), (':1', ''))
    """
    name, _, colour = item[1:].partition(":")
    return item[0] + name, colour


def _xcover(primary: list[str], secondary: list[str], options: list[list[str]]) -> int:
    from xcover import covers

    return sum(1 for _ in covers(options, primary=primary, secondary=secondary, colored=is_coloured(options)))


def _xcover_memo(primary: list[str], secondary: list[str], options: list[list[str]]) -> int:
    from xcover import covers_zdd

    # A node is (its number, the option, the node where it is not taken, the one where it is), after those that it names; 0 is
    # no solution and 1 the empty one.
    numbers, last = {0: 0, 1: 1}, 0
    for last, _, low, high in covers_zdd(options, primary=primary, secondary=secondary, use_memo_cache=True):
        numbers[last] = numbers[low] + numbers[high]
    return numbers[last]


def _pyxcc(primary: list[str], secondary: list[str], options: list[list[str]]) -> int:
    import pyxcc

    known = set(primary)
    made = [
        pyxcc.Option(str(n), [item for item in items if item in known], [split(item) for item in items if item not in known])
        for n, items in enumerate(options)
    ]
    count: int = pyxcc.solve(pyxcc.Problem(primary, secondary, made), True).count()
    return count


def _exact_cover(primary: list[str], secondary: list[str], options: list[list[str]]) -> int:
    if is_coloured(options):
        raise SystemExit("colours are not for this package")
    import numpy as np
    from exact_cover import get_solution_count

    # It knows no secondary items: each has an option that leaves it open.
    items = {item: column for column, item in enumerate((*primary, *secondary))}
    rows = [*options, *([item] for item in secondary)]
    matrix = np.zeros((len(rows), len(items)), np.int32)
    for row, option in enumerate(rows):
        matrix[row, [items[item] for item in option]] = 1
    return int(get_solution_count(matrix))


def _dxz(primary: list[str], secondary: list[str], options: list[list[str]]) -> int:
    if is_coloured(options):
        raise SystemExit("colours are not for this package")
    from dxz import dxz_count

    # As above; the matrix is one list.
    items = {item: column for column, item in enumerate((*primary, *secondary))}
    rows = [*options, *([item] for item in secondary)]
    matrix = [0] * (len(rows) * len(items))
    for row, option in enumerate(rows):
        for item in option:
            matrix[row * len(items) + items[item]] = 1
    return int(dxz_count(len(rows), len(items), matrix))


def _graphillion(primary: list[str], secondary: list[str], options: list[list[str]]) -> int:
    edges = {frozenset(option) for option in options}
    if secondary or any(len(edge) != 2 for edge in edges) or len(edges) < len(options):
        raise SystemExit("it counts perfect matchings: an option must have two primary items, and no two options the same ones")
    if {item for edge in edges for item in edge} != set(primary):
        return 0
    # In its universe the names of points are to be numbers; in the order of the items it stays small.
    number = {item: place for place, item in enumerate(primary)}
    from graphillion import GraphSet

    GraphSet.set_universe(sorted(tuple(sorted(number[item] for item in edge)) for edge in edges))
    return len(GraphSet.perfect_matchings())


COUNTERS: dict[str, Callable[[list[str], list[str], list[list[str]]], int]] = {
    "xcover": _xcover,
    "xcover-memo": _xcover_memo,
    "pyxcc": _pyxcc,
    "exact-cover": _exact_cover,
    "dxz": _dxz,
    "graphillion": _graphillion,
}


def timed(name: str, path: str, least: float) -> tuple[int, float]:
    """The number, and CPU seconds of the fastest of the searches that take `least` seconds together."""
    count, problem = COUNTERS[name], read(path)
    count(["a", "b"], [], [["a"], ["b"], ["a", "b"]])  # Now its code is loaded.
    number, took = 0, list[float]()
    while sum(took) < least:
        before = time.process_time()
        number = count(*problem)
        took.append(time.process_time() - before)
    return number, min(took)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4) or sys.argv[1] not in COUNTERS:
        raise SystemExit(
            f"usage: count_covers.py PACKAGE FILE.dlx [SECONDS] (or --version); PACKAGE is one of {', '.join(COUNTERS)}"
        )
    name, path, *least = sys.argv[1:]
    if path == "--version":
        print(f"{name} {metadata.version(PACKAGES[name])}")
    elif least:
        print(*timed(name, path, float(least[0])))
    else:
        print(COUNTERS[name](*read(path)))
