"""Find the Heesch numbers of all shapes of some sets that do not tile the plane, and write them as a table.

python scripts/heesch_table.py heptominoes hexahexes >> results/reference/heesch.csv

A line is a set, a shape, and its Heesch numbers: without holes in the last corona, and with. Where a shape has a hole, tiles the
plane, or is not decided, the line says so instead. C. S. Kaplan, Heesch numbers of unmarked polyforms (2022), has such tables for
polyominoes, polyhexes and polyiamonds.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.lattice import Lattice, Shape
from tiler.model.piece_sets import ALL
from tiler.model.tile import Tile
from tiler.studies import plane
from tiler.studies.coronas import holes_in


def numbers(lattice: Lattice, name: str, shape: Shape, up_to: int, coronas: int, seconds: float) -> tuple[str, str]:
    """The Heesch numbers of a shape as words."""
    if holes_in(lattice, shape):
        return "hole", "hole"
    asked = Instance(shape, (Tile(name, shape, lattice=lattice),), reflections=True, lattice=lattice)
    # Most shapes that do not tile cannot be surrounded twice, which is found sooner than that they have no small period.
    for question in (
        plane.PlaneQuestion(up_to // 2, coronas=0, seconds_each=seconds),
        plane.PlaneQuestion(heesch=True, coronas=coronas, seconds_each=seconds),
        plane.PlaneQuestion(up_to, coronas=0, seconds_each=seconds),
    ):
        answer = plane.ask(asked, question)
        if answer.status is Status.SAT:
            return "tiles", "tiles"
        if answer.status is Status.UNSAT:
            return str(answer.hole_free), str(answer.heesch)
    return "unknown", "unknown"


def lines(name: str, up_to: int, coronas: int, seconds: float) -> Iterator[str]:
    """A line for each shape of a set."""
    for number, shape in ALL[name].shapes().items():
        yield ",".join((name, number, *numbers(ALL[name].lattice, number, shape, up_to, coronas, seconds)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", choices=sorted(ALL), metavar="SET")
    parser.add_argument("--up-to", type=int, default=72, help="try periods of at most this number of cells")
    parser.add_argument("--coronas", type=int, default=4, help="try at most this number of coronas")
    parser.add_argument("--seconds", type=float, default=20, help="stop each search after this time")
    args = parser.parse_args()
    for name in args.sets:
        for line in lines(name, args.up_to, args.coronas, args.seconds):
            print(line, flush=True)


if __name__ == "__main__":
    main()
