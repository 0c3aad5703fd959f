"""Find the Heesch numbers of all shapes of some sets, and in how few orbits those that tile the plane do.

python scripts/heesch_campaign.py results/reference/heesch/heesch.jsonl heptominoes hexahexes
python scripts/heesch_campaign.py results/reference/heesch/heesch.jsonl

The first command writes a line into the file for each shape; a shape that is there already is left out, so that a run that was
stopped can go on. The second prints a table of the file. Shapes may be turned over.

C. S. Kaplan, Heesch numbers of unmarked polyforms (2022), has such tables for polyominoes, polyhexes and polyiamonds. J. Myers
has counted the tiles with one orbit and with more (OEIS A075205, A075206, A075214, A075215, A075223, A075224).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tiler.apps.mathematics import isohedral, plane
from tiler.apps.mathematics.coronas import holes_in
from tiler.grouping import grouped
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.lattice import Lattice, Shape
from tiler.model.piece_sets import ALL
from tiler.model.tile import Tile

_ORBITS = 3  # Tilings with more are only looked for as tilings of any torus.
_CELLS = 72  # of the largest torus


def verdict(lattice: Lattice, name: str, shape: Shape, coronas: int, seconds: float) -> dict[str, Any]:
    """What is found out about a shape: that it has a hole, the least number of orbits of a tiling, or its Heesch numbers."""
    if holes_in(lattice, shape):
        return {"status": Status.UNSAT, "has_hole": True}
    asked = Instance(shape, (Tile(name, shape, lattice=lattice),), reflections=True, lattice=lattice)
    # Most tiles have a tiling with one orbit, which is found first; most others cannot be surrounded twice.
    heesch = plane.PlaneAnswer(Status.UNKNOWN)
    for orbits, times in ((1, 2), (2, coronas), (_ORBITS, 0)):
        if isohedral.with_orbits(asked, orbits):
            return {"status": Status.SAT, "orbits": orbits}
        if not times:
            break
        heesch = plane.ask(asked, plane.PlaneQuestion(heesch=True, coronas=times, seconds_each=seconds))
        if heesch.status is Status.UNSAT:
            return {"status": Status.UNSAT, "heesch": heesch.heesch, "hole_free": heesch.hole_free}
    known = {"orbits_at_least": _ORBITS + 1, "heesch_at_least": heesch.heesch, "hole_free_at_least": heesch.hole_free}
    return {"status": plane.ask(asked, plane.PlaneQuestion(_CELLS, coronas=0, seconds_each=seconds)).status, **known}


def lines(name: str, known: set[str], coronas: int, seconds: float) -> Iterator[dict[str, Any]]:
    """A line for each shape of a set that is not known."""
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    for number, shape in ALL[name].shapes().items():
        if number not in known:
            began = time.process_time()
            found = verdict(ALL[name].lattice, number, shape, coronas, seconds)
            took = round(time.process_time() - began, 2)
            yield {"set": name, "shape": number, **found, "cpu_seconds": took, "commit": commit}


def kind(line: dict[str, Any]) -> str:
    """What a line says, as the head of a column."""
    if line.get("has_hole"):
        return "have a hole"
    if "heesch" in line:
        return f"{line['hole_free']} / {line['heesch']}"
    if "orbits" in line:
        return f"{line['orbits']} orbit{'s' if line['orbits'] > 1 else ''}"
    return "more orbits" if line["status"] == Status.SAT else "not decided"


def table(known: dict[str, list[dict[str, Any]]]) -> str:
    """For each set the numbers of shapes by what is known about them, in Markdown."""
    counted = {name: Counter(map(kind, found)) for name, found in known.items()}
    order = ("1 orbit", "2 orbits", "3 orbits", "more orbits")
    seen = {head for kinds in counted.values() for head in kinds}
    numbers = sorted(head for head in seen if "/" in head)
    heads = [head for head in (*order, "have a hole", *numbers, "not decided") if head in seen]
    rows = [["set", "shapes", *heads, "CPU s"], ["---"] * (len(heads) + 3)]
    for name, kinds in counted.items():
        cells = [f"{kinds[head] or ''}" for head in heads]
        seconds = sum(line["cpu_seconds"] for line in known[name])
        done, there = kinds.total(), len(ALL[name].shapes())
        rows.append([name, f"{done}" if done == there else f"{done} of {there}", *cells, f"{seconds:.0f}"])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _a_set(name: str) -> str:
    if name not in ALL:
        raise argparse.ArgumentTypeError(f"{name} is no set of shapes; see tiler shapes")
    return name


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("sets", nargs="*", type=_a_set, metavar="SET")
    parser.add_argument("--coronas", type=int, default=5, help="try at most this number of coronas")
    parser.add_argument("--seconds", type=float, default=60, help="stop each search after this time")
    args = parser.parse_args()
    written = [json.loads(line) for line in args.file.read_text().splitlines()] if args.file.exists() else []
    known = grouped((line["set"], line) for line in written)
    for name in args.sets:
        with args.file.open("a") as file:
            for line in lines(name, {each["shape"] for each in known.get(name, [])}, args.coronas, args.seconds):
                print(json.dumps(line), file=file, flush=True)
    if not args.sets:
        print(table(known))


if __name__ == "__main__":
    main()
