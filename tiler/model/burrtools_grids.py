"""Translate the grids of BurrTools: its places, three numbers each, into cells of our lattices and back.

Places count columns to the right, rows upwards and layers; our rows count downwards, so that nothing is mirrored. Three of the
grids are written as some places of a grid of cubes. Facts from the sources of BurrTools (src/lib/voxel_*.h).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from tiler.model.lattice import Cell, Lattice, Shape
from tiler.model.lattices import CUBIC, RHOMBIC_TETRAHEDRA, SPHERES, TETRAHEDRA_OCTAHEDRA, TRIANGULAR_PRISMS

Place = tuple[int, int, int]  #: x, y, z

_THIRDS = {-2: -3, -1: -2, 0: 0, 1: 2, 2: 3}
_FIFTHS = {eighth: fifth for fifth, eighth in _THIRDS.items()}


@dataclass(frozen=True)
class BurrGrid:
    """A grid by its name in BurrTools, with the cell at each place and the place of each cell. It repeats after `steps` places. A
    piece that is one cell thick along one of the axes `flat` can be laid down in a layer. `also` makes the images of a piece that
    BurrTools makes in addition to those by symmetries of the lattice.
    """

    name: str
    lattice: Lattice
    cell: Callable[[Place], Cell]
    place: Callable[[Cell], Place]
    steps: Place
    flat: tuple[int, ...] = (0,)
    also: Callable[[Shape], Iterable[Shape]] = lambda _: ()

    def turned_further(self, shape: Shape) -> list[Shape]:
        """The images of a shape that BurrTools makes in addition."""
        variants = self.lattice.variants(self.lattice.lift(shape), reflections=False)
        return [image for image in self.also(shape) if self.lattice.normalise(image) not in variants]


def _cube(place: Place) -> Cell:
    x, y, z = place
    return z, -y, x


def _cube_at(cell: Cell) -> Place:
    z, y, x = cell
    return x, -y, z


def _prism(place: Place) -> Cell:
    """In a row triangles point up and down by turns; up where x + y is even."""
    x, y, z = place
    down = (x + y) % 2
    return z, -3 * y - 1 - down, 3 * ((x - y - down) // 2 + y) + 2 + 2 * down


def _prism_at(cell: Cell) -> Place:
    z, row, column = cell
    down = int(row % 3 == 1)
    y = -(row + 1 + down) // 3
    return 2 * ((column - 2 - 2 * down) // 3 - y) + y + down, y, z


def _sphere(place: Place) -> Cell:
    """Spheres are at the black places of a checkerboard, in layers of squares."""
    x, y, z = place
    return (z - y - x) // 2, (z + y + x) // 2, (x - y - z) // 2


def _sphere_at(cell: Cell) -> Place:
    a, b, c = cell
    return b + c, -(a + c), a + b


def _by_a_sixth(shape: Shape) -> Iterator[Shape]:
    """Spheres in one layer of triangles, turned by a sixth in it, which takes no others to where there are spheres."""
    if len({a for a, _, _ in shape}) == 1:
        yield frozenset((a, -c, b + c) for a, b, c in shape)
    if len({b for _, b, _ in shape}) == 1:
        yield frozenset((-c, b, a + c) for a, b, c in shape)
    if len({c for _, _, c in shape}) == 1:
        yield frozenset((-b, a + b, c) for a, b, c in shape)
    if len({sum(cell) for cell in shape}) == 1:
        yield frozenset((a + c, -c, b + c) for a, b, c in shape)


def _rhombic(place: Place) -> Cell:
    """A cube of five places is cut into 24 tetrahedra: four on each of its sides, at places away from edges and the middle."""
    z, y, x = (8 * (a // 5) + _THIRDS[a % 5 - 2] for a in reversed(place))
    return z, -y, x


def _rhombic_at(cell: Cell) -> Place:
    z, y, x = cell
    a, b, c = (5 * ((i + 4) // 8) + _FIFTHS[(i + 4) % 8 - 4] + 2 for i in (x, -y, z))
    return a, b, c


def _tetrahedron(place: Place) -> Cell:
    """A cube of three places is a tetrahedron in its middle and four corners, which are eighths of octahedra."""
    x, y, z = (4 * (a // 3) + a % 3 + 1 for a in place)
    return _sphere_halved(x - 4, -y, z)


def _sphere_halved(x: int, y: int, z: int) -> Cell:
    return z + y - x, x - y + z, x + y - z


def _tetrahedron_at(cell: Cell) -> Place:
    a, b, c = cell
    x, y, z = (b + c) // 2 + 4, -(a + c) // 2, (a + b) // 2
    i, j, k = (3 * (n // 4) + n % 4 - 1 for n in (x, y, z))
    return i, j, k


#: By the number that a file has.
GRIDS = (
    BurrGrid("bricks", CUBIC, _cube, _cube_at, (1, 1, 1), flat=(0, 1, 2)),
    BurrGrid("triangular prisms", TRIANGULAR_PRISMS, _prism, _prism_at, (2, 2, 1)),
    BurrGrid("spheres", SPHERES, _sphere, _sphere_at, (2, 2, 2), also=_by_a_sixth),
    BurrGrid("rhombic tetrahedra", RHOMBIC_TETRAHEDRA, _rhombic, _rhombic_at, (5, 5, 5)),
    BurrGrid("tetrahedra and octahedra", TETRAHEDRA_OCTAHEDRA, _tetrahedron, _tetrahedron_at, (6, 6, 6)),
)
