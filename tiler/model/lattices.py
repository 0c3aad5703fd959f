"""Define the lattices, each by some lines of data."""

from __future__ import annotations

from itertools import product

from tiler.errors import InputError, suggest
from tiler.model.lattice import Cell, Lattice, Matrix, Shape, dimension

# How long the axes are and how they meet: at right angles, or at 60 degrees as the sides of a triangle.
_STRAIGHT: Matrix = ((1, 0), (0, 1))
_OBLIQUE: Matrix = ((2, 1), (1, 2))

# On a map a step along a row is two characters, and one to the next row is one to the right as well.
_SHIFTED: Matrix = ((1, 0), (1, 2))

SQUARE = Lattice(
    name="square",  # a cell is (row, column), rows counted downwards
    moduli=(1, 1),
    residues=((0, 0),),
    rotations=(((0, -1), (1, 0)),),
    mirror=((0, 1), (1, 0)),
    sides=(((0, 0), (0, 1)),),
    fine=2,
    corners=(((-1, -1), (-1, 1), (1, 1), (1, -1)),),
    metric=_STRAIGHT,
    shared=2,
    what="squares",
    chart=(_STRAIGHT, 1),
)

CUBIC = Lattice(
    name="cubic",  # (layer, row, column)
    moduli=(1, 1, 1),
    residues=((0, 0, 0),),
    rotations=(((1, 0, 0), (0, 0, -1), (0, 1, 0)), ((0, -1, 0), (1, 0, 0), (0, 0, 1))),
    mirror=((-1, 0, 0), (0, 1, 0), (0, 0, 1)),
    sides=(((0, 0, 0), (0, 0, 1)),),
    fine=2,
    corners=(tuple(product((-1, 1), repeat=3)),),
    metric=((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    shared=4,
    what="cubes",
    plane=SQUARE,
)

# Rows lie half a cell to the right of those above: below a cell are (row + 1, column - 1) and, to the right, (row + 1, column).
HEXAGONAL = Lattice(
    name="hexagonal",
    moduli=(1, 1),
    residues=((0, 0),),
    rotations=(((0, -1), (1, 1)),),
    mirror=((0, 1), (1, 0)),
    sides=(((0, 0), (0, 1)),),
    fine=3,
    corners=(((1, 1), (2, -1), (1, -2), (-1, -1), (-2, 1), (-1, 2)),),
    metric=_OBLIQUE,
    shared=2,
    what="hexagons",
    chart=(_SHIFTED, 1),
)

# In the same oblique coordinates, three times finer: a triangle is its centre, and corners are where both are multiples of three.
TRIANGULAR = Lattice(
    name="triangular",
    moduli=(3, 3),
    residues=((1, 1), (2, 2)),  # pointing down, pointing up
    rotations=HEXAGONAL.rotations,
    mirror=HEXAGONAL.mirror,
    sides=(((1, 1), (1, 1)),),
    fine=1,
    corners=(((-1, -1), (-1, 2), (2, -1)), ((1, 1), (1, -2), (-2, 1))),
    metric=_OBLIQUE,
    shared=2,
    what="triangles",
    chart=(_SHIFTED, 3),
)

# A square of side six, cut by its diagonals: a triangle is its centre.
TETRAKIS = Lattice(
    name="tetrakis",
    moduli=(6, 6),
    residues=((3, 1), (5, 3), (3, 5), (1, 3)),
    rotations=SQUARE.rotations,
    mirror=SQUARE.mirror,
    sides=(((3, 1), (2, 2)), ((3, 1), (0, -2))),
    fine=1,
    corners=(
        ((-3, -1), (0, 2), (3, -1)),
        ((1, -3), (-2, 0), (1, 3)),
        ((3, 1), (0, -2), (-3, 1)),
        ((-1, 3), (2, 0), (-1, -3)),
    ),
    metric=_STRAIGHT,
    shared=2,
    what="quarters of squares cut by both diagonals",
)

# Squares of side two: an edge is its middle.
SQUARE_EDGES = Lattice(
    name="square-edges",
    moduli=(2, 2),
    residues=((1, 0), (0, 1)),
    rotations=SQUARE.rotations,
    mirror=SQUARE.mirror,
    sides=(((1, 0), (1, 1)), ((1, 0), (2, 0))),
    fine=1,
    corners=(((-1, 0), (1, 0)), ((0, -1), (0, 1))),
    metric=_STRAIGHT,
    shared=1,
    what="edges of squares",
    chart=(_STRAIGHT, 1),
)

TRIANGULAR_EDGES = Lattice(
    name="triangular-edges",
    moduli=(2, 2),
    residues=((1, 0), (0, 1), (1, 1)),
    rotations=HEXAGONAL.rotations,
    mirror=HEXAGONAL.mirror,
    sides=(((1, 0), (2, 0)), ((1, 0), (-1, 1)), ((1, 0), (-2, 1))),
    fine=1,
    corners=(((-1, 0), (1, 0)), ((0, -1), (0, 1)), ((-1, 1), (1, -1))),
    metric=_OBLIQUE,
    shared=1,
    what="edges of triangles",
)

# A rhombus is the middle of its long diagonal, which is an edge of the triangles.
RHOMBILLE = Lattice(
    name="rhombille",
    moduli=(2, 2),
    residues=((1, 0), (0, 1), (1, 1)),
    rotations=HEXAGONAL.rotations,
    mirror=HEXAGONAL.mirror,
    sides=(((1, 0), (-1, 1)), ((1, 0), (0, 1))),
    fine=3,
    corners=(
        ((-3, 0), (-1, 2), (3, 0), (1, -2)),
        ((0, -3), (-2, 1), (0, 3), (2, -1)),
        ((3, -3), (1, 1), (-3, 3), (-1, -1)),
    ),
    metric=_OBLIQUE,
    shared=2,
    what="rhombi, three of which make a hexagon",
)


def _prisms(plane: Lattice) -> Lattice:
    """The lattice in space whose layers are a lattice of the plane."""
    half_turn = ((-1, 0, 0), *((0, *row) for row in plane.mirror))
    return Lattice(
        name=f"{plane.name}-prisms",
        moduli=(1, *plane.moduli),
        residues=tuple((0, *residue) for residue in plane.residues),
        rotations=(*(((1, 0, 0), *((0, *row) for row in turn)) for turn in plane.rotations), half_turn),
        mirror=((-1, 0, 0), (0, 1, 0), (0, 0, 1)),
        sides=(
            *(((0, *residue), (0, *way)) for residue, way in plane.sides),
            *(((0, *residue), (1, 0, 0)) for residue in plane.residues),
        ),
        fine=2 * plane.fine,
        corners=tuple(
            tuple((layer * plane.fine, *(2 * a for a in corner)) for layer in (-1, 1) for corner in of) for of in plane.corners
        ),
        metric=((3, 0, 0), *((0, *row) for row in plane.metric)),
        shared=3,
        what=f"prisms over {plane.what}",
        plane=plane,
    )


HEXAGONAL_PRISMS = _prisms(HEXAGONAL)
TRIANGULAR_PRISMS = _prisms(TRIANGULAR)

# The centres of spheres packed as densely as can be, in the basis (0, 1, 1), (1, 0, 1), (1, 1, 0).
SPHERES = Lattice(
    name="spheres",
    moduli=(1, 1, 1),
    residues=((0, 0, 0),),
    rotations=(((1, 1, 1), (0, 0, -1), (-1, 0, 0)), ((0, 0, 1), (1, 0, 0), (0, 1, 0))),
    mirror=((0, 1, 0), (1, 0, 0), (0, 0, 1)),
    sides=(((0, 0, 0), (0, 0, 1)),),
    fine=2,
    # Where a sphere touches others.
    corners=(
        (
            (1, 0, 0),
            (0, 1, 0),
            (0, 0, 1),
            (1, -1, 0),
            (1, 0, -1),
            (0, 1, -1),
            (-1, 0, 0),
            (0, -1, 0),
            (0, 0, -1),
            (-1, 1, 0),
            (-1, 0, 1),
            (0, -1, 1),
        ),
    ),
    metric=((2, 1, 1), (1, 2, 1), (1, 1, 2)),
    shared=1,
    what="spheres packed as densely as can be",
)


def _orbit(of: Lattice, moduli: Cell, cell: Cell, corners: tuple[Cell, ...]) -> dict[Cell, tuple[Cell, ...]]:
    """The residues to which the group of a lattice takes a cell, with their corners."""
    orbit, reached = {}, [(cell, corners)]
    for at, around in reached:
        residue = tuple(a % m for a, m in zip(at, moduli, strict=True))
        if residue not in orbit:
            orbit[residue] = around
            for rows in (*of.rotations, of.mirror):
                image, *images = (
                    tuple(sum(a * b for a, b in zip(row, point, strict=True)) for row in rows) for point in (at, *around)
                )
                reached.append((image, tuple(images)))
    return orbit


# Hexagons cut by the lines from their centres to the middles of their sides: a kite is its centre. The origin is the centre of a
# hexagon.
_KITES = _orbit(HEXAGONAL, (24, 24), (5, 5), ((-5, -5), (7, -5), (3, 3), (-5, 7)))
KITES = Lattice(
    name="kites",
    moduli=(24, 24),
    residues=tuple(_KITES),
    rotations=HEXAGONAL.rotations,
    mirror=HEXAGONAL.mirror,
    sides=(((5, 5), (-10, 5)), ((5, 5), (9, 0))),
    fine=1,
    corners=tuple(_KITES.values()),
    metric=_OBLIQUE,
    shared=2,
    what="kites, six of which make a hexagon",
)

# Hexagons cut by all their lines of symmetry.
_DRAFTERS = _orbit(HEXAGONAL, (72, 72), (20, 8), ((-20, -8), (4, 16), (16, -8)))
DRAFTERS = Lattice(
    name="drafters",
    moduli=(72, 72),
    residues=tuple(_DRAFTERS),
    rotations=HEXAGONAL.rotations,
    mirror=HEXAGONAL.mirror,
    sides=(((20, 8), (-12, 12)), ((20, 8), (8, -16)), ((20, 8), (24, 0))),
    fine=1,
    corners=tuple(_DRAFTERS.values()),
    metric=_OBLIQUE,
    shared=2,
    what="drafters, twelve of which make a hexagon",
)

# A cube of side eight round the origin, cut by the six planes through two edges opposite each other: the centres of the parts.
_PARTS = _orbit(CUBIC, (8, 8, 8), (3, 2, 0), ((-3, -2, 0), (1, -2, 0), (1, 2, 4), (1, 2, -4)))
RHOMBIC_TETRAHEDRA = Lattice(
    name="rhombic-tetrahedra",
    moduli=(8, 8, 8),
    residues=tuple(_PARTS),
    rotations=CUBIC.rotations,
    mirror=CUBIC.mirror,
    sides=(((3, 2, 0), (0, -2, 2)), ((3, 2, 0), (2, 0, 0)), ((3, 2, 0), (-1, 1, 0))),
    fine=1,
    corners=tuple(_PARTS.values()),
    metric=CUBIC.metric,
    shared=3,
    what="tetrahedra, twenty-four of which make a cube",
)

# Octahedra cut into eighths, and the tetrahedra between them, in the basis of the spheres: the centres of the parts.
_EIGHTHS = _orbit(SPHERES, (8, 8, 8), (1, 1, 1), ((-1, -1, -1), (-5, 3, 3), (3, -5, 3), (3, 3, -5)))
_BETWEEN = _orbit(SPHERES, (8, 8, 8), (2, 2, 2), ((2, 2, 2), (-6, 2, 2), (2, -6, 2), (2, 2, -6)))
TETRAHEDRA_OCTAHEDRA = Lattice(
    name="tetrahedra-octahedra",
    moduli=(8, 8, 8),
    residues=(*_EIGHTHS, *_BETWEEN),
    rotations=SPHERES.rotations,
    mirror=SPHERES.mirror,
    sides=(((1, 1, 1), (2, -2, -2)), ((1, 1, 1), (1, 1, 1))),
    fine=1,
    corners=(*_EIGHTHS.values(), *_BETWEEN.values()),
    metric=SPHERES.metric,
    shared=3,
    what="tetrahedra, and octahedra cut into eighths",
)

LATTICES = {
    lattice.name: lattice
    for lattice in (
        *(SQUARE, CUBIC, HEXAGONAL, TRIANGULAR, TETRAKIS, SQUARE_EDGES, TRIANGULAR_EDGES, RHOMBILLE, KITES, DRAFTERS),
        *(HEXAGONAL_PRISMS, TRIANGULAR_PRISMS, SPHERES, RHOMBIC_TETRAHEDRA, TETRAHEDRA_OCTAHEDRA),
    )
}

#: The lattice of problems that name none; where cells have three numbers, the lattice in space with such layers.
USUAL = SQUARE


def is_implied_by_cells(lattice: Lattice) -> bool:
    """Whether a lattice need not be named, because it is the usual one for cells with this number of coordinates."""
    return USUAL in (lattice, lattice.plane)


def called(name: str) -> Lattice:
    """The lattice of that name; InputError if there is none."""
    if name not in LATTICES:
        raise InputError(f"{name[:40]!r} is no lattice{suggest(name, LATTICES)}; there are {', '.join(LATTICES)}")
    return LATTICES[name]


def fitted(lattice: Lattice, shape: Shape) -> tuple[Lattice, Shape]:
    """The lattice that a shape was given with, and the lattice that it really has.

    A shape in space that lies in one layer is one of the plane; a shape whose cells have a number more than those of a lattice of
    the plane is one of the lattice in space with such layers.

    >>> fitted(SQUARE, frozenset({(3, 0, 0), (4, 0, 0)}))[0].name
    'cubic'
    >>> fitted(CUBIC, frozenset({(3, 0, 1)})) == (SQUARE, frozenset({(0, 1)}))
    True
    """
    lattice = _reached(lattice, shape)
    if lattice.plane is None or dimension(shape) < lattice.dimension:
        return (lattice.plane if lattice.plane and dimension(shape) == lattice.plane.dimension else lattice), shape
    one_layer = len({cell[0] for cell in shape}) == 1
    return (lattice.plane, frozenset([cell[1:] for cell in shape])) if one_layer else (lattice, shape)


def spread(lattice: Lattice, board: Shape) -> tuple[Lattice, Shape]:
    """The lattice that a board was given with, and the lattice that it really has. As `fitted`, but a board in space stays in
    space, even with one layer: there is room to turn pieces over. A board of a lattice in space whose cells have a number less is
    its layer 0.

    >>> spread(CUBIC, frozenset({(0, 1)}))[1], spread(SQUARE, frozenset({(3, 0, 1)}))[0].name
    (frozenset({(0, 0, 1)}), 'cubic')
    """
    return _reached(lattice, board), lattice.lift(board)


def _reached(lattice: Lattice, shape: Shape) -> Lattice:
    """The lattice in space with such layers, for a shape whose cells have one number more than the cells of a lattice of the
    plane."""
    if dimension(shape) == lattice.dimension + 1:
        return next((above for above in LATTICES.values() if above.plane == lattice), lattice)
    return lattice
