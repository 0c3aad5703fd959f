"""Lay out maps that a person can type: at which character of which row a cell stands, and which cell stands there. On the square
lattice a character is a cell. Hexagons of a row stand two characters apart, and one further to the right or left from row to row.
Triangles stand side by side and point up and down in turn: up where row and column, counted from 0, are both even or both odd.
Edges of squares stand between the corners, which are every other character of every other row. In space there are layers, each a
map. So these are three hexagons round a point, four triangles that make a large one pointing up, and the four edges of a square:

    x.x        ..x        .x.
    .x.        .xxx       x.x
                          .x.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from itertools import product
from operator import add
from types import MappingProxyType

from tiler.model.lattice import Cell, Lattice, Shape, box, fills_box, move
from tiler.model.lattices import SQUARE

Place = tuple[int, ...]  #: (row, column), in space (layer, row, column)


def place(lattice: Lattice, cell: Cell) -> Place:
    """The place of a cell on a map."""
    *layer, row, column = cell
    ((a, b), (c, d)), finer = _chart(lattice)
    return (*layer, (a * row + b * column) // finer, (c * row + d * column) // finer)


def cell_at(lattice: Lattice, where: Place) -> Cell | None:
    """The cell at a place on a map; None if there is none.

    >>> from tiler.model.lattices import HEXAGONAL
    >>> [cell_at(HEXAGONAL, where) for where in [(0, 0), (0, 1), (0, 2), (1, 1)]]
    [(0, 0), None, (0, 1), (1, 0)]
    """
    *layer, row, column = where
    for (at_row, at_column), residue in _residues(lattice):
        units = _solve(_steps(lattice), (row - at_row, column - at_column))
        if units is not None:
            moved = (a + unit * m for a, unit, m in zip(residue[-2:], units, lattice.moduli[-2:], strict=True))
            return (*layer, *moved)
    return None


def cells_at(lattice: Lattice, places: Collection[Place]) -> Shape | None:
    """The cells at some places on a map. If not all of these are cells, all places are moved one character to the right; None if
    that does not help either.

    So a map of hexagons may begin with a row that is shifted.
    """
    for shift in (0, 1):
        cells = [cell_at(lattice, (*rest, column + shift)) for *rest, column in places]
        if None not in cells:
            return frozenset(cell for cell in cells if cell is not None)
    return None


def corner(lattice: Lattice, shape: Shape) -> Cell:
    """The translation of the lattice that takes the uppermost and leftmost position of a shape on a map to its present one."""
    places = [place(lattice, cell) for cell in shape]
    *layer, row, column = (min(along) for along in zip(*places, strict=True))
    # Not every step up or left is a translation: then the map begins with some empty rows or columns.
    tried = (_solve(_steps(lattice), (row - up, column - left)) for up, left in product(range(4), repeat=2))
    units = next(found for found in tried if found is not None)
    return (*layer, *(unit * m for unit, m in zip(units, lattice.moduli[-2:], strict=True)))


def margin(lattice: Lattice, places: Collection[Place]) -> int:
    """The number of columns before the first of some places that can be left out of a map without changing its meaning."""
    spare = min(at[-1] for at in places)
    cells = frozenset(cell_at(lattice, at) for at in places)
    return spare if cells_at(lattice, [(*at, column - spare) for *at, column in places]) == cells else 0


def notation(
    lattice: Lattice, shape: Shape, optional: Shape = frozenset(), letters: Mapping[Cell, str] = MappingProxyType({})
) -> str:
    """A shape as text, moved to the origin: dimensions if it is a full box of squares or cubes, else a map on lines. Some cells
    may have letters of their own instead of x and o.

    ValueError if the lattice has no maps.

    >>> from tiler.model.lattices import SQUARE, TRIANGULAR
    >>> notation(SQUARE, frozenset({(0, 0), (1, 0), (1, 1)}))
    'x\\nxx'
    >>> notation(TRIANGULAR, frozenset({(1, 1), (2, 2)}))
    '.xx'
    """
    if not optional and not letters and SQUARE in (lattice, lattice.plane) and fills_box(shape):
        return "x".join(str(b - a + 1) for a, b in reversed(list(zip(*box(shape), strict=True))))
    back = tuple(-a for a in corner(lattice, shape))
    marks = dict.fromkeys((place(lattice, cell) for cell in move(shape, back)), "x")
    marks |= dict.fromkeys((place(lattice, cell) for cell in move(optional, back)), "o")
    marks |= {place(lattice, tuple(map(add, cell, back))): letter for cell, letter in letters.items()}
    spare = margin(lattice, marks)
    marks = {(*at, column - spare): mark for (*at, column), mark in marks.items()}
    solid = {(0, *at)[-3:]: mark for at, mark in marks.items()}
    _, (layers, rows, columns) = box(frozenset(solid))
    pictures = []
    for z in range(layers + 1):
        lines = ["".join(solid.get((z, y, x), ".") for x in range(columns + 1)) for y in range(rows + 1)]
        pictures.append("\n".join(line.rstrip(".") or "." for line in lines))
    return "\n-\n".join(pictures)


def _chart(lattice: Lattice) -> tuple[tuple[tuple[int, ...], ...], int]:
    chart = (lattice.plane or lattice).chart
    if chart is None:
        raise ValueError(f"the {lattice} lattice has no maps")
    return chart


def has_maps(lattice: Lattice) -> bool:
    """Whether shapes can be drawn as maps."""
    return (lattice.plane or lattice).chart is not None


@cache
def _residues(lattice: Lattice) -> tuple[tuple[Place, Cell], ...]:
    """One cell of each kind and its place within a layer."""
    return tuple((place(lattice, residue)[-2:], residue) for residue in lattice.residues)


@cache
def _steps(lattice: Lattice) -> tuple[tuple[int, int], tuple[int, int]]:
    """The steps of the two translations of a layer on a map, as columns of a matrix."""
    ((a, b), (c, d)), finer = _chart(lattice)
    m, n = lattice.moduli[-2:]
    return (a * m // finer, b * n // finer), (c * m // finer, d * n // finer)


def _solve(matrix: tuple[tuple[int, int], tuple[int, int]], to: tuple[int, int]) -> tuple[int, int] | None:
    """The whole numbers that the matrix takes to these numbers, or None."""
    (a, b), (c, d) = matrix
    whole = a * d - b * c
    x, y = d * to[0] - b * to[1], a * to[1] - c * to[0]
    return None if x % whole or y % whole else (x // whole, y // whole)
