"""All connected shapes of so many cells, up to congruence: polyominoes, polycubes and their kin, grown cell by cell.

Each stands in its canonical form, the least of its images: shapes are compared by their cells in ascending order, so that rows
are read from the top and the left. The list of them ascends in the same way. Names of shapes rest on this order (numbered.py):
it must not change.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler.model.lattice import Lattice, Matrix, Shape

_AT_ONCE = 1 << 15  # shapes that are turned about together: some 10 MB each time


class Polyform(NamedTuple):
    """A shape in canonical form, which stands for its mirror image too."""

    shape: Shape
    mirror: Shape | None  #: the canonical form, among its turned images, of the mirror image; None if that is the shape itself


@cache
def polyforms(lattice: Lattice, size: int) -> tuple[Polyform, ...]:
    """The connected shapes of so many cells, mirror images taken for one, in ascending order; on lattices where every vector is
    a cell.

    Kept until the process ends. Some milliseconds for polyominoes to 8 cells and polycubes to 6, then six to eight times as long
    with every cell: 3 s for the 25,413 polycubes of 9 cells. Method: a cell more wherever there is room, and of what comes twice
    the first. (D. H. Redelmeier, Counting polyominoes: yet another attack, 1981, does better for larger sizes.)

    >>> from tiler.model.lattices import SQUARE
    >>> [len(polyforms(SQUARE, size)) for size in range(1, 7)]
    [1, 1, 2, 5, 12, 35]
    """
    least, other = _grown(lattice, size)
    shapes, mirrors = (_cells_of(keys, size, lattice.dimension).tolist() for keys in (least, other))
    return tuple(
        Polyform(frozenset(map(tuple, shape)), frozenset(map(tuple, mirror)) if mirror != shape else None)
        for shape, mirror in zip(shapes, mirrors, strict=True)
    )


@cache
def _grown(lattice: Lattice, size: int) -> tuple[NDArray[np.bytes_], NDArray[np.bytes_]]:
    """The same as keys of the shapes, ascending, and of their mirror images."""
    if size == 1:
        one = _keys(np.zeros((1, 1, lattice.dimension), np.int16))
        return one, one
    smaller = _cells_of(_grown(lattice, size - 1)[0], size - 1, lattice.dimension)
    # Shape (shapes, cells, steps, dimension): wherever a neighbour may be.
    places = smaller[:, :, None] + np.array(lattice.differences[0], np.int16)
    taken = (places[:, :, :, None] == smaller[:, None, None]).all(-1).any(-1)
    shape, cell, step = np.nonzero(~taken)
    larger = np.concatenate([smaller[shape], places[shape, cell, step][:, None]], axis=1)
    parts = [_least(lattice, larger[at : at + _AT_ONCE]) for at in range(0, len(larger), _AT_ONCE)]
    least, other = (np.concatenate(keys) for keys in zip(*parts, strict=True))
    distinct, first = np.unique(least, return_index=True)
    return distinct, other[first]


def _least(lattice: Lattice, shapes: NDArray[np.int16]) -> tuple[NDArray[np.bytes_], NDArray[np.bytes_]]:
    """The keys of shapes and their mirror images in canonical form, the lesser of the two first."""
    isometries = lattice.isometries(reflections=True)
    turned = _least_of(shapes, [each.matrix for each in isometries if each.is_rotation])
    mirrored = _least_of(shapes, [each.matrix for each in isometries if not each.is_rotation])
    return np.where(turned < mirrored, turned, mirrored), np.where(turned < mirrored, mirrored, turned)


def _least_of(shapes: NDArray[np.int16], matrices: Iterable[Matrix]) -> NDArray[np.bytes_]:
    keys = (_keys(shapes @ np.array(matrix, np.int16).T) for matrix in matrices)
    return reduce(lambda least, other: np.where(other < least, other, least), keys)


def _keys(shapes: NDArray[np.int16]) -> NDArray[np.bytes_]:
    """A text of bytes for each shape, wherever it lies, that sorts as its cells in ascending order do: two bytes a cell."""
    at_origin = shapes - shapes.min(axis=1, keepdims=True)
    size = shapes.shape[1]
    numbers = at_origin @ np.array([size**axis for axis in reversed(range(shapes.shape[2]))], np.int16)
    numbers.sort(axis=1)
    return np.ascontiguousarray(numbers, ">u2").view(f"S{2 * size}")[:, 0]


def _cells_of(keys: NDArray[np.bytes_], size: int, dimension: int) -> NDArray[np.int16]:
    """The cells that keys stand for, in ascending order: shape (shapes, size, dimension)."""
    numbers = np.ascontiguousarray(keys).view(">u2").reshape(-1, size)
    return np.stack([numbers // size**axis % size for axis in reversed(range(dimension))], axis=-1).astype(np.int16)
