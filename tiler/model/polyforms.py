"""All connected shapes of so many cells of a lattice: polyominoes, polycubes, polyhexes, polyiamonds and so on."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from tiler.errors import InputError
from tiler.model.lattice import Lattice, Shape

#: The most shapes of one size that are made, and how many are grown at a time.
MAX_SHAPES = 500_000
_AT_ONCE = 1 << 12


def free(lattice: Lattice, cells: int, reflections: bool) -> tuple[Shape, ...]:
    """The shapes of so many cells, connected through sides, one of each class of congruent ones: what `Lattice.canonical` makes
    of it. With `reflections` the free ones, without the one-sided ones. In ascending order of their sorted cells.

    >>> from tiler.model.lattices import SQUARE
    >>> [len(free(SQUARE, cells, reflections=True)) for cells in range(1, 7)]
    [1, 1, 2, 5, 12, 35]

    InputError if there are more than `MAX_SHAPES`. Grown cell by cell: some 1e5 shapes a second and isometry.
    """
    if cells < 1:
        raise InputError(f"there is no shape of {cells} cells")
    return tuple(frozenset(map(tuple, shape)) for shape in _grown(lattice, cells, reflections).tolist())


def count_fixed(lattice: Lattice, cells: int) -> int:
    """The number of shapes of so many cells that differ by more than a translation."""
    return sum(len(lattice.variants(shape, reflections=True)) for shape in free(lattice, cells, reflections=True))


@cache
def _grown(lattice: Lattice, cells: int, reflections: bool) -> NDArray[np.int64]:
    """Shape (shapes, cells, dimension)."""
    if cells == 1:
        seeds = np.array(lattice.residues, np.int64)[:, None]
        return _decoded(np.unique(_canonical(lattice, seeds, reflections), axis=0), lattice.dimension)
    smaller = _grown(lattice, cells - 1, reflections)
    found = np.empty((0, cells), np.int64)
    for first in range(0, len(smaller), _AT_ONCE):
        more = _canonical(lattice, _extended(lattice, smaller[first : first + _AT_ONCE]), reflections)
        found = np.unique(np.concatenate([found, more]), axis=0)
        if len(found) > MAX_SHAPES:
            raise InputError(f"there are more than {MAX_SHAPES:,} shapes of {cells} cells on the {lattice} lattice")
    return _decoded(found, lattice.dimension)


def _extended(lattice: Lattice, shapes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Every shape with each cell beside it in turn: shape (more shapes, cells + 1, dimension)."""
    residues = shapes % lattice.moduli
    extended = []
    for residue, ways in zip(lattice.residues, lattice.differences, strict=True):
        shape, cell = np.nonzero((residues == residue).all(2))
        other = shapes[shape, cell][:, None] + np.array(ways, np.int64)
        body = np.repeat(shapes[shape][:, None], len(ways), axis=1)
        new = ~(body == other[:, :, None]).all(3).any(2)
        extended.append(np.concatenate([body[new], other[new][:, None]], axis=1))
    return np.concatenate(extended)


def _canonical(lattice: Lattice, shapes: NDArray[np.int64], reflections: bool) -> NDArray[np.int64]:
    """Of every shape the least image: its cells as ascending numbers, which compare as the cells do. Shape (shapes, cells)."""
    count, cells, dimension = shapes.shape
    flat = shapes.reshape(-1, dimension)
    least = np.full((count, cells), np.iinfo(np.int64).max)
    for turn in lattice.isometries(reflections):
        image = turn.array(flat).reshape(count, cells, dimension)
        image -= image.min(1, keepdims=True) // lattice.moduli * lattice.moduli
        numbers = np.sort(image @ _WEIGHTS[-dimension:], axis=1)
        first = (least != numbers).argmax(1)[:, None]
        less = np.take_along_axis(numbers, first, 1) < np.take_along_axis(least, first, 1)
        least = np.where(less, numbers, least)
    return least


# A coordinate of a shape at the origin is far below this.
_BITS = 20
_WEIGHTS = np.array([1 << 2 * _BITS, 1 << _BITS, 1], np.int64)


def _decoded(numbers: NDArray[np.int64], dimension: int) -> NDArray[np.int64]:
    return np.stack([numbers >> _BITS * axis & (1 << _BITS) - 1 for axis in reversed(range(dimension))], axis=-1)
