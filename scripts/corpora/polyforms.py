"""Puzzles with sets of polyforms, one each of a set, on several lattices: boards and counts in a data file per lattice.

An entry has a name, a title, the set of its `tiles`, one of `SETS` or on other lattices sizes, as in `one-sided 6`, and its
`board` as problem files write it. `published` is the number of solutions up to symmetry that its `source` states, `raw` and
`counted` are our own count and that up to symmetry, made `by` two solvers that agree. A problem file expects what we count, and
says in its source what others do.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from corpora.classic import SOMA_PIECES, once
from corpora.described import described
from corpora.thesis import FREE_PENTOMINOES, FREE_TETROMINOES, MONOMINO_TO_TETROMINOES, PENTOMINOES
from tiler.model.instance import Instance
from tiler.model.lattice import Lattice
from tiler.model.lattices import CUBIC, LATTICES, SQUARE
from tiler.model.polyforms import one_sided
from tiler.model.polyforms import polyforms as polyforms_of
from tiler.model.shapes import parse_board
from tiler.model.tile import Tile

FOLDER = Path(__file__).parent
PUZZLER = "D. Goodger, Polyform Puzzler, puzzler.sourceforge.net/docs/{}.html"

SETS = {
    "pentominoes": FREE_PENTOMINOES,
    "pentominoes and monomino": [*FREE_PENTOMINOES, "1"],
    "pentominoes and square": [*FREE_PENTOMINOES, "4O"],
    "one-sided pentominoes": PENTOMINOES,
    "1 2 3": ["1", "2", "3I", "3L"],
    "1 2 3 4": ["1", "2", "3I", "3L", *FREE_TETROMINOES],
    "4 5": [*FREE_TETROMINOES, *FREE_PENTOMINOES],
    "one-sided 2 3 4": MONOMINO_TO_TETROMINOES[1:],
    "soma": SOMA_PIECES,
    "tetracubes": ["4I", "4O", *SOMA_PIECES[1:]],
}


def polyforms() -> Iterator[Instance]:
    """Every puzzle of every lattice."""
    for path in sorted(FOLDER.glob("*.toml")):
        for entry in tomllib.loads(path.read_text(encoding="utf-8"))["puzzle"]:
            yield puzzle(path.stem, entry)


def puzzle(name: str, entry: Mapping[str, Any]) -> Instance:
    """The instance of an entry in the data file of a lattice."""
    lattice = LATTICES[name]
    made = Instance(
        parse_board(entry["board"], lattice)[0],
        tuple(once(SETS[entry["tiles"]])) if lattice in (SQUARE, CUBIC) else pieces(lattice, entry["tiles"]),
        reflections=lattice.dimension == 2 and not entry["tiles"].startswith("one-sided"),
        lattice=lattice,
    )
    counts = entry.get("raw"), entry.get("counted", entry.get("published"))
    return described(made, f"{name}/{entry['name']}", entry["title"], source(entry), ("polyforms", name), counts)


def pieces(lattice: Lattice, sizes: str) -> tuple[Tile, ...]:
    """All polyforms of some sizes once each, as `3 4`; with `one-sided` mirror images apart, with `copies` any number of each."""
    kind, written = sizes.split(maxsplit=1)[0], [word for word in sizes.split() if word.isdigit()]
    apart = kind == "one-sided" or lattice.dimension == 3
    tiles = []
    for size in map(int, written):
        shapes = one_sided(lattice, size) if apart else [form.shape for form in polyforms_of(lattice, size)]
        most = None if kind == "copies" else 1
        tiles += [Tile(f"{size}-{number}", shape, most, lattice=lattice) for number, shape in enumerate(shapes, 1)]
    return tuple(tiles)


def source(entry: Mapping[str, Any]) -> str:
    """Who counted, and what: ours beside a count that it contradicts."""
    said = []
    if "source" in entry:
        published = f" ({entry['published']} solutions{', ' + entry['note'] if 'note' in entry else ''})"
        said.append(PUZZLER.format(entry["source"]) + published)
    if "by" in entry:
        agrees = "recounted" if entry.get("published") == entry["counted"] else "counted"
        said.append(f"{agrees} here by {entry['by']}")
    return "; ".join(said) or "not counted"
