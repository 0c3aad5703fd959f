"""The lattices there are, each some lines of data."""

from __future__ import annotations

from tiler.model.lattice import Lattice, Shape, dimension

SQUARE = Lattice(
    name="square",  # a cell is (row, column), rows counted downwards
    moduli=(1, 1),
    residues=((0, 0),),
    rotations=(((0, -1), (1, 0)),),
    mirror=((0, 1), (1, 0)),
    sides=(((0, 0), (0, 1)),),
)

CUBIC = Lattice(
    name="cubic",  # (layer, row, column)
    moduli=(1, 1, 1),
    residues=((0, 0, 0),),
    rotations=(((1, 0, 0), (0, 0, -1), (0, 1, 0)), ((0, -1, 0), (1, 0, 0), (0, 0, 1))),
    mirror=((-1, 0, 0), (0, 1, 0), (0, 0, 1)),
    sides=(((0, 0, 0), (0, 0, 1)),),
    plane=SQUARE,
)

LATTICES = {lattice.name: lattice for lattice in (SQUARE, CUBIC)}


def fitted(lattice: Lattice, shape: Shape) -> tuple[Lattice, Shape]:
    """A shape that is told to be of a lattice, and that which it is really of.

    A shape in space that lies in one layer is one of the plane; a shape whose cells have a number more than those of a lattice of
    the plane is one of the lattice in space with such layers.

    >>> fitted(SQUARE, frozenset({(3, 0, 0), (4, 0, 0)}))[0].name
    'cubic'
    >>> fitted(CUBIC, frozenset({(3, 0, 1)})) == (SQUARE, frozenset({(0, 1)}))
    True
    """
    if dimension(shape) == lattice.dimension + 1:
        lattice = next((above for above in LATTICES.values() if above.plane == lattice), lattice)
    if lattice.plane is None or dimension(shape) < lattice.dimension:
        return (lattice.plane if lattice.plane and dimension(shape) == lattice.plane.dimension else lattice), shape
    one_layer = len({cell[0] for cell in shape}) == 1
    return (lattice.plane, frozenset([cell[1:] for cell in shape])) if one_layer else (lattice, shape)
