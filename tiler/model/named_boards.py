"""Make boards from their dimensions: `hex:5`, `hexagon:3,4,5`, `tri:6`, `rhombus:6x10`, `6x10`; of squares `aztec:5`,
`holey:8`; of spheres `pyramid:5`, `tetrahedron:5`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product

from tiler.errors import InputError
from tiler.model.lattice import Cell, Lattice, Shape
from tiler.model.tile import check_box

#: The number of lengths that each form takes.
_FIGURES = {"hex": 1, "hexagon": 3, "tri": 1, "rhombus": 2, "aztec": 1, "holey": 1, "pyramid": 1, "tetrahedron": 1, None: 2}
_FORM = re.compile(rf"(?:({'|'.join(filter(None, _FIGURES))}):)?([0-9]{{1,9}}(?:[x,][0-9]{{1,9}})*)")


def is_region(text: str) -> bool:
    """Whether a text has the form of dimensions.

    >>> is_region("hex:5"), is_region("6x10"), is_region("3:4T"), is_region("6,10")
    (True, True, False, False)
    """
    match = _FORM.fullmatch(text)
    return match is not None and (match[1] is not None or ("x" in match[2] and "," not in match[2]))


def forms(lattice: Lattice) -> tuple[str, ...]:
    """Examples of the dimensions that a lattice has.

    >>> from tiler.model.lattices import CUBIC, HEXAGONAL, SPHERES
    >>> forms(HEXAGONAL), forms(CUBIC)
    (('hex:5', 'hexagon:3,4,5', 'tri:6', 'rhombus:6x10'), ('6x10', 'aztec:5', 'holey:8', '6x10x2'))
    >>> forms(SPHERES)
    ('tetrahedron:5', 'pyramid:5')
    """
    plane = lattice.plane or lattice
    if plane.dimension != 2:
        return ("tetrahedron:5", "pyramid:5") if plane.is_every_vector else ()
    oblique = any(plane.metric[i][j] for i in range(plane.dimension) for j in range(i))
    usual = "rhombus:6x10" if oblique else "6x10"
    own = ("aztec:5", "holey:8") if plane.is_every_vector and not oblique else ()
    flat = ("hex:5", "hexagon:3,4,5", "tri:6", usual) if oblique else (usual, *own)
    return (*flat, f"{usual}x2") if lattice.plane else flat


def on_squares() -> tuple[str, ...]:
    """The named figures that are made of squares."""
    return ("aztec", "holey")


def region(lattice: Lattice, text: str) -> Shape:
    """The cells of a region; in space the last number counts layers. InputError if the lattice has no such region.

    The numbers are cells along a side: a `hex` has six equal sides, a `hexagon` twice three, a `tri` three equal ones; of a
    `rhombus` they are columns and rows, which lean to the right. An `aztec:N` diamond has N rows of 2, 4, and so on, cells, and N
    rows that become shorter again; a `holey` square lacks the cell in the middle, or the four. Where cells are no hexagons, these
    figures are cut up into cells, and the numbers count edges of cells: `hex:5` has 6 * 5 * 5 triangles. On lattices of squares
    `6x10` are 6 columns and 10 rows of squares. A `pyramid` of spheres stands on a square, a `tetrahedron` on a triangle.

    >>> from tiler.model.lattices import SPHERES
    >>> [len(region(SPHERES, text)) for text in ("pyramid:5", "tetrahedron:5")]
    [55, 35]
    """
    match = _FORM.fullmatch(text)
    figure, lengths = match[1] if match else None, [int(length) for length in re.split("[x,]", match[2])] if match else []
    plane = lattice.plane or lattice
    if (f"{figure}:" if figure else "6x") not in [form[: form.index(":") + 1 if ":" in form else 2] for form in forms(lattice)]:
        there = f"there are {', '.join(forms(lattice))}" if forms(lattice) else "it has none; give the cells"
        raise InputError(f"{text[:40]} are no dimensions on the {lattice} lattice: {there}")
    wanted = _FIGURES[figure]
    layers = lengths[wanted:] or [1]
    if len(lengths) < wanted or len(layers) > (1 if lattice.plane else 0) + (not lengths[wanted:]):
        more = ", and the number of layers" if lattice.plane else ""
        raise InputError(f"{text[:40]} has {len(lengths)} lengths; {figure or 'a rectangle'} takes {wanted}{more}")
    if 0 in lengths:
        raise InputError(f"{text[:40]} has no cell; every length must be at least 1")
    if figure in _STACKS:
        check_box([lengths[0]] * 3, "the board")
        return lattice.normalise(frozenset(_STACKS[figure](lengths[0])))
    (top, rows), (left, columns) = _extent(figure, lengths[:wanted])
    check_box([plane.kinds, *layers, rows, columns], "the board")
    ends = _ends(plane, lengths[:wanted])
    flat = []
    for unit in product(range(top, top + rows + 1), range(left, left + columns + 1)):
        cells = [tuple(u * m + a for u, m, a in zip(unit, plane.moduli, residue, strict=True)) for residue in plane.residues]
        flat += [cell for cell in cells if _INSIDE[figure](cell, ends)]
    shape = plane.normalise(frozenset(flat))
    if lattice.plane is None or layers == [1]:
        return shape
    return frozenset((layer, *cell) for layer in range(layers[0]) for cell in shape)


def _extent(figure: str | None, lengths: list[int]) -> tuple[tuple[int, int], tuple[int, int]]:
    """The first row and the first column, in units, and the number of rows and columns."""
    first, *others = lengths
    if figure == "hex":
        return (-first, 2 * first), (-first, 2 * first)
    if figure == "hexagon":
        return (0, sum(others)), (-others[-1], first + others[-1])
    if figure == "aztec":
        return (0, 2 * first), (0, 2 * first)
    return (0, others[0] if others else first), (0, first)


def _pyramid(side: int) -> Iterator[Cell]:
    """Spheres in a square, and on them in smaller and smaller squares: 0,0,1 and -1,1,0 are the sides of the squares, and 0,1,0
    leads to the next layer."""
    for layer in range(side):
        for row, column in product(range(side - layer), repeat=2):
            yield -row, layer + row, column


def _tetrahedron(side: int) -> Iterator[Cell]:
    """Spheres in a triangle, and on them in smaller and smaller triangles."""
    return (cell for cell in product(range(side), repeat=3) if sum(cell) < side)


_STACKS = {"pyramid": _pyramid, "tetrahedron": _tetrahedron}


def _ends(plane: Lattice, lengths: list[int]) -> list[int]:
    """The greatest coordinates of a number of cells side by side, or of a figure with its corner at the origin."""
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


def _in_uneven_hexagon(cell: Cell, ends: list[int]) -> bool:
    first, second, third = ends
    return 0 <= cell[0] <= second + third and -third <= cell[1] <= first and 0 <= sum(cell) <= first + second


def _in_diamond(cell: Cell, ends: list[int]) -> bool:
    order = ends[0] + 1
    return abs(2 * cell[0] + 1 - 2 * order) + abs(2 * cell[1] + 1 - 2 * order) <= 2 * order


def _in_holey_square(cell: Cell, ends: list[int]) -> bool:
    return _in_rectangle(cell, [ends[0]] * 2) and max(abs(2 * cell[0] - ends[0]), abs(2 * cell[1] - ends[0])) > 1


_INSIDE: dict[str | None, Callable[[Cell, list[int]], bool]] = {
    "hex": _in_hexagon,
    "hexagon": _in_uneven_hexagon,
    "tri": _in_triangle,
    "rhombus": _in_rectangle,
    "aztec": _in_diamond,
    "holey": _in_holey_square,
    None: _in_rectangle,
}
