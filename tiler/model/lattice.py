"""Compute everything that follows from the data of a lattice: which cells touch, how shapes are turned and moved, which shapes
are connected. This is the only module that knows how cells lie; no other code may assume that any vector is a translation, that
cells fill their box, or that neighbours are one step along an axis away. lattices.py has the lattices there are. A cell is a
tuple of integers, in space the layer first. A shape is a frozen set of cells.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from math import prod
from operator import add, floordiv, itemgetter, mod, mul, sub
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Cell = tuple[int, ...]
Shape = frozenset[Cell]
Matrix = tuple[tuple[int, ...], ...]  #: the rows of a matrix


@dataclass(frozen=True)
class Isometry:
    """First multiply a cell by a matrix, then move it by an offset."""

    matrix: Matrix
    offset: Cell

    def __call__(self, cell: Cell) -> Cell:
        return self.images((cell,))[0]

    def images(self, cells: Iterable[Cell]) -> list[Cell]:
        """The images of cells, in their order."""
        # Written out for speed: a large shape has a million cells and 48 isometries.
        if len(self.offset) == 2:
            ((a, b), (c, d)), (s, t) = self.matrix, self.offset
            return [(a * x + b * y + s, c * x + d * y + t) for x, y in cells]
        ((a, b, c), (d, e, f), (g, h, i)), (s, t, u) = self.matrix, self.offset
        return [(a * x + b * y + c * z + s, d * x + e * y + f * z + t, g * x + h * y + i * z + u) for x, y, z in cells]

    def image(self, shape: Shape) -> Shape:
        """The image of a shape."""
        return frozenset(self.images(shape))

    def array(self, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        """The images of cells in an array of shape (cells, dimension)."""
        import numpy as np

        image = np.empty(cells.shape, np.int64, order="F")
        for column, (row, offset) in enumerate(zip(self.matrix, self.offset, strict=True)):
            first, *others = [(axis, factor) for axis, factor in enumerate(row) if factor]
            out = image[:, column]
            np.multiply(cells[:, first[0]], first[1], out=out)
            for axis, factor in others:
                out += factor * cells[:, axis]
            if offset:
                out += offset
        return image

    def after(self, other: Isometry) -> Isometry:
        """The isometry that does the other one first, then this one."""
        return Isometry(_product(self.matrix, other.matrix), self(other.offset))

    def inverse(self) -> Isometry:
        """The isometry that undoes this one."""
        # The powers of the matrix repeat: its inverse is the power two before the one that is the matrix again.
        powers = [self.matrix]
        while len(powers) < 2 or powers[-1] != self.matrix:
            powers.append(_product(powers[-1], self.matrix))
        back = powers[-3] if len(powers) > 2 else powers[-2]
        turned = Isometry(back, (0,) * len(self.offset))(self.offset)
        return Isometry(back, tuple(-a for a in turned))

    @property
    def is_rotation(self) -> bool:
        """Whether the determinant is 1, so that the isometry can be done by turning alone."""
        if len(self.matrix) == 2:
            (a, b), (c, d) = self.matrix
            return a * d - b * c == 1
        (a, b, c), (d, e, f), (g, h, i) = self.matrix
        return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) == 1


@dataclass(frozen=True, repr=False)
class Lattice:
    """Translations are the vectors whose coordinates are multiples of `moduli`; cells are those that are one of the `residues`
    modulo them. The generators of the rotations, and a mirror, are matrices about the origin; every isometry of the lattice is
    one of the group they make, followed by a translation. `sides` are pairs of a residue and the difference to a neighbour of
    such a cell; the group makes all others of them.

    So the origin is a point where the turns and the mirror meet. The axes must be short: a vector as long as an axis has no
    coordinate beyond -1 and 1, since `corners.rigid_motions` looks for isometries among these. If an axis is too long, multiply
    the coordinates along it, which makes the axis shorter.

    What cells look like is separate, for checking (see corners.py) and drawing: the corners of a cell are `fine`
    times the cell, and to that the corners of its residue are added; they have the cell as their centre. Two points are apart as
    `metric` says, the matrix of the products of the axes. Neighbours are the cells that share `shared` corners.
    """

    name: str
    moduli: Cell
    residues: tuple[Cell, ...]
    rotations: tuple[Matrix, ...]
    mirror: Matrix
    sides: tuple[tuple[Cell, Cell], ...]
    fine: int
    corners: tuple[tuple[Cell, ...], ...]  #: in the plane in the order round the cell
    metric: Matrix
    shared: int
    what: str  #: what cells are called, such as `hexagons`
    plane: Lattice | None = None  #: in space, the lattice of every layer if there are layers: a flat shape is one of that
    chart: tuple[Matrix, int] | None = None  #: in the plane, what makes places on a map of cells: see text_maps.py

    def __hash__(self) -> int:
        return hash(self.name)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<lattice {self.name}>"

    @property
    def dimension(self) -> int:
        """2 in the plane, 3 in space: how many numbers a cell has."""
        return len(self.moduli)

    @property
    def kinds(self) -> int:
        """The number of cells in a unit, which repeats along the translations."""
        return len(self.residues)

    @property
    def has_edges(self) -> bool:
        """Whether cells are edges of the plane, which meet in corners."""
        return self.dimension == 2 and self.shared == 1

    @cached_property
    def is_every_vector(self) -> bool:
        """Whether every vector is a cell and a translation."""
        return set(self.moduli) == {1}

    @cached_property
    def has_boxes(self) -> bool:
        """Whether cells are boxes side by side: every vector is a cell, and neighbours are one step along an axis away."""
        return self.is_every_vector and all(sum(map(abs, way)) == 1 for way in self.differences[0])

    def holds(self, cells: Iterable[Cell]) -> bool:
        """Whether these are cells of the lattice."""
        if self.is_every_vector:
            return {*map(len, cells)} <= {self.dimension}
        return all(len(cell) == self.dimension and tuple(map(mod, cell, self.moduli)) in self._kind_of for cell in cells)

    def isometries(self, reflections: bool) -> tuple[Isometry, ...]:
        """The isometries that fix the origin, the identity first: every isometry of the lattice is one of them followed by a
        translation.

        >>> from tiler.model.lattices import CUBIC, SQUARE
        >>> [len(lattice.isometries(r)) for lattice in (SQUARE, CUBIC) for r in (False, True)]
        [4, 8, 24, 48]
        """
        return self._isometries if reflections else self._turns

    @cached_property
    def _isometries(self) -> tuple[Isometry, ...]:
        identity = tuple(tuple(int(i == j) for j in range(self.dimension)) for i in range(self.dimension))
        found, reached = {identity}, [identity]
        for matrix in reached:
            for other in (*self.rotations, self.mirror):
                made = _product(other, matrix)
                if made not in found:
                    found.add(made)
                    reached.append(made)

        def rank(matrix: Matrix) -> tuple[object, ...]:
            return (
                matrix != identity,
                [-abs(factor) for row in matrix for factor in row],
                [-factor for row in matrix for factor in row],
            )

        return tuple(Isometry(matrix, (0,) * self.dimension) for matrix in sorted(found, key=rank))

    @cached_property
    def a_mirror(self) -> Isometry:
        """An isometry that fixes the origin and is not a rotation; every other such isometry is a rotation after this one."""
        return Isometry(self.mirror, (0,) * self.dimension)

    @cached_property
    def _turns(self) -> tuple[Isometry, ...]:
        return tuple(isometry for isometry in self._isometries if isometry.is_rotation)

    @cached_property
    def _kind_of(self) -> dict[Cell, int]:
        return {residue: kind for kind, residue in enumerate(self.residues)}

    @cached_property
    def differences(self) -> tuple[tuple[Cell, ...], ...]:
        """For every kind of cell the differences to its neighbours, least first."""
        found = set(self.sides)
        # Sides are given once; the group makes all others, seen from both of their cells.
        found |= {(self._residue(tuple(map(add, cell, way))), tuple(-a for a in way)) for cell, way in self.sides}
        found = {(self._residue(turn(cell)), turn(way)) for turn in self._isometries for cell, way in found}
        return tuple(tuple(sorted(way for cell, way in found if cell == residue)) for residue in self.residues)

    @cached_property
    def steps(self) -> tuple[tuple[tuple[Cell, int], ...], ...]:
        """For every kind of cell, in the order of `differences`, how many units away its neighbours are, and their kinds."""
        return tuple(
            tuple((tuple(map(floordiv, other, self.moduli)), self._kind_of[self._residue(other)]) for other in others)
            for others in (
                [tuple(map(add, residue, way)) for way in ways]
                for residue, ways in zip(self.residues, self.differences, strict=True)
            )
        )

    @cached_property
    def reach(self) -> Cell:
        """The largest distance of a neighbour along each axis, in units."""
        away = [unit for steps in self.steps for unit, _ in steps]
        return tuple(max(abs(unit[axis]) for unit in away) for axis in range(self.dimension))

    @cached_property
    def colours(self) -> dict[tuple[Cell, int], int] | None:
        """A checkerboard: 1 or -1 for every cell, by its unit modulo 2 and its kind, so that neighbours differ; None if there is
        none."""
        # A translation keeps the two colours or swaps them; twice the translation keeps them.
        colour = {((0,) * self.dimension, 0): 1}
        reached = list(colour)
        for at, kind in reached:
            for step, other in self.steps[kind]:
                there = (tuple((a + b) % 2 for a, b in zip(at, step, strict=True)), other)
                if there not in colour:
                    colour[there] = -colour[at, kind]
                    reached.append(there)
                elif colour[there] == colour[at, kind]:
                    return None
        return colour

    def colour(self, cell: Cell) -> int:
        """1 or -1, by the checkerboard; 0 on a lattice that has none."""
        if self.colours is None:
            return 0
        unit = tuple(a // m % 2 for a, m in zip(cell, self.moduli, strict=True))
        return self.colours[unit, self._kind_of[self._residue(cell)]]

    def keeps_colours(self, translation: Cell) -> bool:
        """Whether a translation takes cells to cells of the same colour; where there are no colours it does."""
        cell = self.residues[0]
        return self.colour(cell) == self.colour(tuple(map(add, cell, translation)))

    def _residue(self, cell: Cell) -> Cell:
        return tuple(map(mod, cell, self.moduli))

    def neighbours(self, cell: Cell) -> list[Cell]:
        """The cells that share a side with a cell, least first."""
        return [tuple(map(add, cell, way)) for way in self.differences[self._kind_of[self._residue(cell)]]]

    def corner(self, shape: Shape) -> Cell:
        """The translation that moves the shape from the origin to its place."""
        low, _ = box(shape)
        return low if self.is_every_vector else tuple(a // m * m for a, m in zip(low, self.moduli, strict=True))

    def normalise(self, shape: Shape) -> Shape:
        """The shape moved to the origin: its least coordinate along each axis is 0, or the least possible number, if not every
        vector is a translation of the lattice."""
        corner = self.corner(shape)
        return move(shape, tuple(-a for a in corner)) if any(corner) else shape

    def lift(self, shape: Shape) -> Shape:
        """A shape of the plane as one layer (layer 0) in space; one of this lattice unchanged.

        >>> from tiler.model.lattices import CUBIC
        >>> CUBIC.lift(frozenset({(5, 7)}))
        frozenset({(0, 5, 7)})
        """
        return frozenset((0, *cell) for cell in shape) if shape and dimension(shape) < self.dimension else shape

    def variants(self, shape: Shape, reflections: bool) -> tuple[Shape, ...]:
        """The distinct images of a shape under rotation (and reflection), each moved to the origin, least first.

        >>> from tiler.model.lattices import SQUARE
        >>> domino = frozenset({(0, 0), (0, 1)})
        >>> [sorted(variant) for variant in SQUARE.variants(domino, reflections=False)]
        [[(0, 0), (0, 1)], [(0, 0), (1, 0)]]

        A chiral pentacube has 24 variants, 48 with reflections.
        """
        return _variants(self, shape, reflections)

    def canonical(self, shape: Shape, reflections: bool) -> Shape:
        """The least variant: two shapes are congruent if theirs are equal."""
        return self.variants(shape, reflections)[0]

    def components(self, cells: Iterable[Cell]) -> list[Shape]:
        """The connected parts of a shape; the part with the least cell comes first."""
        listed = list(cells)
        if not listed:
            return []
        if self.is_every_vector:
            units, kinds = listed, [0] * len(listed)
        else:
            units = [tuple(map(floordiv, cell, self.moduli)) for cell in listed]
            kinds = [self._kind_of[self._residue(cell)] for cell in listed]
        low, high = box(units)
        # Cells by number, with a margin so that a step never wraps round an edge.
        sides = [b - a + 1 + reach for a, b, reach in zip(low, high, self.reach, strict=True)]
        strides = [self.kinds * prod(sides[axis + 1 :]) for axis in range(self.dimension)]
        steps = [[sum(map(mul, unit, strides)) + other - kind for unit, other in of] for kind, of in enumerate(self.steps)]
        numbers = [sum(map(mul, map(sub, unit, low), strides)) + kind for unit, kind in zip(units, kinds, strict=True)]
        left = dict(zip(numbers, listed, strict=True))
        parts = []
        for start in sorted(left, key=left.__getitem__):
            if start not in left:
                continue
            part, reached = [left.pop(start)], [start]
            for number in reached:
                for step in steps[number % self.kinds]:
                    if number + step in left:
                        part.append(left.pop(number + step))
                        reached.append(number + step)
            parts.append(frozenset(part))
        return parts

    def is_connected(self, shape: Shape) -> bool:
        """Whether there is a way through shared sides between any two cells; linear, and fast for a full box."""
        if not shape:
            return True
        return (self._boxes_are_connected and fills_box(shape)) or len(self.components(shape)) == 1

    @cached_property
    def _boxes_are_connected(self) -> bool:
        axes = {tuple(int(i == axis) for i in range(self.dimension)) for axis in range(self.dimension)}
        return self.is_every_vector and axes <= set(self.differences[0])


def dimension(shape: Shape) -> int:
    """2 or 3; the shape must not be empty."""
    return len(next(iter(shape)))


def box(cells: Iterable[Cell]) -> tuple[Cell, Cell]:
    """The least and the greatest coordinate along each axis."""
    cells = cells if isinstance(cells, frozenset | list | tuple) else list(cells)
    axes = [list(map(itemgetter(axis), cells)) for axis in range(len(next(iter(cells))))]
    return tuple(map(min, axes)), tuple(map(max, axes))


def fills_box(shape: Shape) -> bool:
    """Whether every vector in its box is a cell of the shape."""
    low, high = box(shape)
    return len(shape) == prod(b - a + 1 for a, b in zip(low, high, strict=True))


def move(shape: Shape, offset: Cell) -> Shape:
    """The shape moved by an offset, which is a translation of its lattice."""
    if len(offset) == 2:
        s, t = offset
        return frozenset([(x + s, y + t) for x, y in shape])
    s, t, u = offset
    return frozenset([(x + s, y + t, z + u) for x, y, z in shape])


@lru_cache(maxsize=4096)
def _variants(lattice: Lattice, shape: Shape, reflections: bool) -> tuple[Shape, ...]:
    # Turns have many rows in common: a cube's 24 turns have six.
    turns = [tuple(zip(turn.matrix, lattice.moduli, strict=True)) for turn in lattice.isometries(reflections)]
    along = {row: _moved_along(*row, shape) for row in set(chain.from_iterable(turns))}
    images = {frozenset(zip(*map(along.__getitem__, rows), strict=True)) for rows in turns}
    return tuple(sorted(images, key=sorted))


def _moved_along(row: tuple[int, ...], modulus: int, cells: Shape) -> list[int]:
    """The coordinates that a row of a matrix makes of cells, moved to the origin as `Lattice.normalise` does."""
    if len(row) == 2:
        a, b = row
        image = [a * x + b * y for x, y in cells]
    else:
        a, b, c = row
        image = [a * x + b * y + c * z for x, y, z in cells]
    corner = min(image) // modulus * modulus
    return [at - corner for at in image] if corner else image


def _product(one: Matrix, two: Matrix) -> Matrix:
    columns = tuple(zip(*two, strict=True))
    return tuple(tuple(sum(map(mul, row, column)) for column in columns) for row in one)
