"""Boards by their dimensions on lattices other than the square and the cubic one: `hex:5`, `tri:6`, `rhombus:6x10`, `6x10`."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product

from tiler.errors import InputError
from tiler.model.lattice import Cell, Lattice, Shape
from tiler.model.tile import check_box

_FORM = re.compile(r"(?:(hex|tri|rhombus):)?([0-9]{1,9}(?:x[0-9]{1,9})*)")
#: How many lengths each takes, and what it is.
_FIGURES = {"hex": (1, "a hexagon with sides of 5"), "tri": (1, "a triangle"), "rhombus": (2, "columns and rows"), None: (2, "")}


def is_region(text: str) -> bool:
    """Whether a text has the form of dimensions.

    >>> is_region("hex:5"), is_region("6x10"), is_region("3:4T")
    (True, True, False)
    """
    match = _FORM.fullmatch(text)
    return match is not None and (match[1] is not None or "x" in match[2])


def forms(lattice: Lattice) -> tuple[str, ...]:
    """The dimensions that a lattice has, by example.

    >>> from tiler.model.lattices import CUBIC, HEXAGONAL
    >>> forms(HEXAGONAL), forms(CUBIC)
    (('hex:5', 'tri:6', 'rhombus:6x10'), ('6x10', '6x10x2'))
    """
    plane = lattice.plane or lattice
    if plane.dimension != 2:
        return ()
    oblique = any(plane.metric[i][j] for i in range(plane.dimension) for j in range(i))
    flat = ("hex:5", "tri:6", "rhombus:6x10") if oblique else ("6x10",)
    return (*flat, f"{flat[-1]}x2") if lattice.plane else flat


def region(lattice: Lattice, text: str) -> Shape:
    """The cells of a region; in space a last number is that of layers. InputError if the lattice has no such region.

    A `hex` has six sides of so many cells, a `tri` three; a `rhombus` has so many columns and rows, which lean to the right.
    Where cells are no hexagons, these figures are cut up into cells, and so many edges long: there are 6 * 5 * 5 triangles in
    `hex:5`. On lattices of squares `6x10` are so many columns and rows of squares.
    """
    match = _FORM.fullmatch(text)
    figure, lengths = match[1] if match else None, [int(length) for length in match[2].split("x")] if match else []
    plane = lattice.plane or lattice
    if (f"{figure}:" if figure else "6x") not in [form[: form.index(":") + 1 if ":" in form else 2] for form in forms(lattice)]:
        there = f"there are {', '.join(forms(lattice))}" if forms(lattice) else "it has none; give the cells"
        raise InputError(f"{text[:40]} are no dimensions on the {lattice} lattice: {there}")
    wanted = _FIGURES[figure][0]
    layers = lengths[wanted:] or [1]
    if len(lengths) < wanted or len(layers) > (1 if lattice.plane else 0) + (not lengths[wanted:]):
        more = ", and that of layers" if lattice.plane else ""
        raise InputError(f"{text[:40]} has {len(lengths)} lengths; {figure or 'a rectangle'} takes {wanted}{more}")
    if 0 in lengths:
        raise InputError(f"{text[:40]} has no cell; every length must be at least 1")
    rows, columns = reversed(lengths[:2]) if wanted == 2 else [2 * lengths[0] if figure == "hex" else lengths[0]] * 2
    check_box([plane.kinds, *layers, rows, columns], "the board")
    low = -lengths[0] if figure == "hex" else 0
    ends = _ends(plane, lengths[:wanted])
    flat = []
    for unit in product(range(low, low + rows + 1), range(low, low + columns + 1)):
        cells = [tuple(u * m + a for u, m, a in zip(unit, plane.moduli, residue, strict=True)) for residue in plane.residues]
        flat += [cell for cell in cells if _INSIDE[figure](cell, ends)]
    shape = plane.normalise(frozenset(flat))
    if lattice.plane is None or layers == [1]:
        return shape
    return frozenset((layer, *cell) for layer in range(layers[0]) for cell in shape)


def _ends(plane: Lattice, lengths: list[int]) -> list[int]:
    """The greatest coordinates: of so many cells side by side, or of a figure whose corner is at the origin."""
    if (0, 0) in plane.residues:
        return [length - 1 for length in lengths]
    return [length * plane.moduli[0] for length in lengths]


def _in_rectangle(cell: Cell, ends: list[int]) -> bool:
    wide, high = ends
    return 0 <= cell[0] <= high and 0 <= cell[1] <= wide


def _in_triangle(cell: Cell, ends: list[int]) -> bool:
    return min(cell) >= 0 and sum(cell) <= ends[0]


def _in_hexagon(cell: Cell, ends: list[int]) -> bool:
    return max(abs(cell[0]), abs(cell[1]), abs(sum(cell))) <= ends[0]


_INSIDE: dict[str | None, Callable[[Cell, list[int]], bool]] = {
    "hex": _in_hexagon,
    "tri": _in_triangle,
    "rhombus": _in_rectangle,
    None: _in_rectangle,
}
