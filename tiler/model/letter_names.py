"""Name the shapes of up to five cells by letters; larger shapes have numbers (numbered_names.py)."""

from __future__ import annotations

from functools import cache

from tiler.model import lattice_shape_names
from tiler.model.lattice import Lattice, Shape
from tiler.model.lattices import CUBIC, SQUARE, fitted, is_implied_by_cells

# One-sided polyominoes by size and letter; the two of a mirror pair stand apart: without reflections they are different tiles.
_POLYOMINOES = {
    "1": "x",
    "2": "x/x",
    "3I": "x/x/x",
    "3L": "x./xx",
    "4I": "x/x/x/x",
    "4J": ".x/.x/xx",
    "4L": "x./x./xx",
    "4O": "xx/xx",
    "4S": ".xx/xx.",
    "4T": "xxx/.x.",
    "4Z": "xx./.xx",
    "5A": ".x/.x/xx/.x",
    "5F": ".xx/xx./.x.",
    "5G": "x./xx/.x/.x",
    "5I": "x/x/x/x/x",
    "5J": ".x/.x/.x/xx",
    "5L": "x./x./x./xx",
    "5N": ".x/xx/x./x.",
    "5P": "xx/xx/x.",
    "5Q": "xx/xx/.x",
    "5R": "xx./.xx/.x.",
    "5S": ".xx/.x./xx.",
    "5T": "xxx/.x./.x.",
    "5U": "x.x/xxx",
    "5V": "x../x../xxx",
    "5W": "x../xx./.xx",
    "5X": ".x./xxx/.x.",
    "5Y": ".x/xx/.x/.x",
    "5Z": "xx./.x./.xx",
}

# Polycubes that do not lie flat, cells as x (column), y (row, counted from the bottom) and z (layer).
_POLYCUBES = {
    "4^": "010 000 100 001",
    "4<": "010 000 100 011",
    "4>": "010 000 100 101",
    "A_": "011 010 000 100 101",
    "J1": "120 110 100 000 121",
    "J2": "120 110 100 000 111",
    "J4": "120 110 100 000 001",
    "L1": "020 010 000 100 021",
    "L2": "020 010 000 100 011",
    "L3": "020 010 000 100 001",
    "L4": "020 010 000 100 101",
    "N1": "120 110 010 000 121",
    "N2": "120 110 010 000 111",
    "Q_": "000 010 110 100 101",
    "S1": "020 010 110 100 021",
    "S2": "020 010 110 100 011",
    "T1": "010 110 210 100 111",
    "T2": "010 110 210 100 101",
    "V1": "110 100 200 111 011",
    "V2": "110 100 000 111 211",
}

#: Other names for the same shapes: Golomb's letters, M. Lepage's names of flat pieces (Polycube Solver, 2009), names that a shell
#: leaves alone, and words.
SYNONYMS = {
    **{letter: f"5{letter}" for letter in "FILNPTUVWXYZ"},
    **{"1_": "1", "2_": "2"},
    **{f"{letter}_": f"5{letter}" for letter in "FILNPTUVWXYZ"},
    **{"4branch": "4^", "4left": "4<", "4right": "4>"},
    **{"monomino": "1", "domino": "2"},
}


@cache
def named_shapes() -> dict[str, Shape]:
    """Every name with its shape, in the order in which `tiler shapes` lists them; without synonyms."""
    plane = {
        name: frozenset((y, x) for y, row in enumerate(rows.split("/")) for x, letter in enumerate(row) if letter == "x")
        for name, rows in _POLYOMINOES.items()
    }
    # Rows are counted downwards here: y turns round, so that the picture stays right-handed.
    space = {
        name: CUBIC.normalise(frozenset((int(z), -int(y), int(x)) for x, y, z in map(tuple, cells.split())))
        for name, cells in _POLYCUBES.items()
    }
    return plane | space


@cache
def _names_by_variant() -> dict[Shape, str]:
    names: dict[Shape, str] = {}
    for name, shape in named_shapes().items():
        # Flat shapes also stand upright in space, where a shape and its mirror image are the same: the first name is taken.
        flat = SQUARE.variants(shape, reflections=False) if SQUARE.holds(shape) else ()
        for variant in (*flat, *CUBIC.variants(CUBIC.lift(shape), reflections=False)):
            names.setdefault(variant, name)
    return names


def name_of(shape: Shape, lattice: Lattice = SQUARE) -> str | None:
    """The name of a shape, turned or not (never reflected); None if it has no name.

    >>> name_of(frozenset({(0, 0), (0, 1), (0, 2), (1, 0)}))
    '4L'
    """
    lattice, shape = fitted(lattice, shape)
    if not is_implied_by_cells(lattice):
        return lattice_shape_names.name_of(lattice, shape)
    return _names_by_variant().get(lattice.normalise(shape))
