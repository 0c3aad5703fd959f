"""Cells, shapes and isometries of the square and the cubic lattice.

The only module that knows the lattice: everything else asks it for neighbours, variants and components. A cell is a tuple of
integers, (row, column) or (layer, row, column), rows counted downwards. A shape is a frozen set of cells of one dimension.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations, product
from math import prod
from operator import itemgetter, mul

Cell = tuple[int, ...]
Shape = frozenset[Cell]


@dataclass(frozen=True)
class Isometry:
    """A signed permutation matrix: coordinate i of the image is signs[i] * cell[axes[i]]."""

    axes: tuple[int, ...]
    signs: tuple[int, ...]

    def __call__(self, cell: Cell) -> Cell:
        return tuple(sign * cell[axis] for axis, sign in zip(self.axes, self.signs, strict=True))

    @property
    def is_rotation(self) -> bool:
        """Whether the determinant is 1, so that the isometry can be done by turning alone."""
        inversions = sum(a > b for i, a in enumerate(self.axes) for b in self.axes[i + 1 :])
        return (inversions + self.signs.count(-1)) % 2 == 0


@lru_cache
def isometries(dimension: int, reflections: bool) -> tuple[Isometry, ...]:
    """The isometries that fix the origin, the identity first.

    >>> [len(isometries(d, r)) for d in (2, 3) for r in (False, True)]
    [4, 8, 24, 48]
    """
    every = [Isometry(axes, signs) for axes in permutations(range(dimension)) for signs in product((1, -1), repeat=dimension)]
    return tuple(isometry for isometry in every if reflections or isometry.is_rotation)


def dimension(shape: Shape) -> int:
    """2 or 3; the shape must not be empty."""
    return len(next(iter(shape)))


def box(shape: Shape) -> tuple[Cell, Cell]:
    """The least and the greatest coordinate along each axis."""
    axes = [list(map(itemgetter(axis), shape)) for axis in range(dimension(shape))]
    return tuple(map(min, axes)), tuple(map(max, axes))


def move(shape: Shape, offset: Cell) -> Shape:
    """The shape moved by an offset."""
    return frozenset(tuple(a + b for a, b in zip(cell, offset, strict=True)) for cell in shape)


def normalise(shape: Shape) -> Shape:
    """The shape moved so that its least coordinate along each axis is 0."""
    low, _ = box(shape)
    return shape if not any(low) else move(shape, tuple(-a for a in low))


def flatten(shape: Shape) -> Shape:
    """A shape in space that lies in one layer as a plane shape; anything else unchanged."""
    one_layer = dimension(shape) == 3 and len({cell[0] for cell in shape}) == 1
    return frozenset(cell[1:] for cell in shape) if one_layer else shape


def lift(shape: Shape, to: int) -> Shape:
    """A plane shape as one layer (layer 0) in space, when `to` is 3; anything else unchanged.

    >>> lift(frozenset({(5, 7)}), 3)
    frozenset({(0, 5, 7)})
    """
    return frozenset((0, *cell) for cell in shape) if dimension(shape) < to else shape


def neighbours(cell: Cell) -> list[Cell]:
    """The 4 or 6 cells that share a side with a cell, least first."""
    around = [(*cell[:axis], cell[axis] + step, *cell[axis + 1 :]) for axis in range(len(cell)) for step in (-1, 1)]
    return sorted(around)


def components(cells: Iterable[Cell]) -> list[Shape]:
    """The connected parts, that with the least cell first."""
    listed = list(cells)
    if not listed:
        return []
    low, high = box(frozenset(listed))
    # Cells by number, least first, with a margin so that a step never wraps round an edge.
    strides = [prod(b - a + 2 for a, b in zip(low[axis + 1 :], high[axis + 1 :], strict=True)) for axis in range(len(low))]
    left = {sum(map(mul, cell, strides)): cell for cell in listed}
    steps = [*strides, *(-stride for stride in strides)]
    parts = []
    for start in sorted(left):
        if start not in left:
            continue
        part, reached = [left.pop(start)], [start]
        for number in reached:
            for step in steps:
                if number + step in left:
                    part.append(left.pop(number + step))
                    reached.append(number + step)
        parts.append(frozenset(part))
    return parts


def is_connected(shape: Shape) -> bool:
    """Whether there is a way through shared sides between any two cells; linear, and fast for a full box."""
    if not shape:
        return True
    low, high = box(shape)
    return len(shape) == prod(b - a + 1 for a, b in zip(low, high, strict=True)) or len(components(shape)) == 1


@lru_cache(maxsize=4096)
def variants(shape: Shape, reflections: bool) -> tuple[Shape, ...]:
    """The distinct images of a shape under rotation (and reflection), each moved to the origin, least first.

    >>> domino = frozenset({(0, 0), (0, 1)})
    >>> [sorted(variant) for variant in variants(domino, reflections=False)]
    [[(0, 0), (0, 1)], [(0, 0), (1, 0)]]

    Works in any dimension: a chiral pentacube has 24 variants, 48 with reflections.
    """
    images = {normalise(frozenset(map(isometry, shape))) for isometry in isometries(dimension(shape), reflections)}
    return tuple(sorted(images, key=sorted))


def canonical(shape: Shape, reflections: bool) -> Shape:
    """The least variant: two shapes are congruent if theirs are equal."""
    return variants(shape, reflections)[0]
