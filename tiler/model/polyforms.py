"""List all connected shapes with a number of cells of a lattice, up to congruence: polyominoes, polycubes, polyhexes, polyiamonds
and so on.

Each stands in its canonical form, the least of its images: shapes are compared by their cells in ascending order, so that on the
square lattice rows are read from the top and the left. The list of them ascends in the same way. Names of shapes rest on this
order (numbered_names.py): it must not change.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.errors import InputError
from tiler.model.lattice import Lattice, Matrix, Shape

#: The most shapes of one size that are made; a shape and its mirror image count as one.
MAX_SHAPES = 500_000
_AT_ONCE = 1 << 15  # shapes that are turned at the same time; their images take some 10 MB


class Polyform(NamedTuple):
    """A shape in canonical form, which stands for its mirror image too."""

    shape: Shape
    mirror: Shape | None  #: the canonical form, among its turned images, of the mirror image; None if that is the shape itself


@cache
def polyforms(lattice: Lattice, size: int) -> tuple[Polyform, ...]:
    """The shapes with this number of cells that are connected through sides, mirror images taken for one, in ascending order.

    Kept until the process ends. Some milliseconds for polyominoes to 8 cells and polycubes to 6, then six to eight times as long
    with every cell: 4 s for the 25,413 polycubes of 9 cells. InputError if there are more than `MAX_SHAPES`. Method: add a cell
    wherever there is room, and keep one of equal shapes. (D. H. Redelmeier, Counting polyominoes: yet another attack, 1981, does
    better for larger sizes.)

    >>> from tiler.model.lattices import SQUARE
    >>> [len(polyforms(SQUARE, size)) for size in range(1, 7)]
    [1, 1, 2, 5, 12, 35]
    """
    if size < 1:
        raise InputError(f"there is no shape of {size} cells")
    least, other = _grown(lattice, size)
    shapes, mirrors = (_cells_of(keys, lattice, size).tolist() for keys in (least, other))
    return tuple(
        Polyform(frozenset(map(tuple, shape)), frozenset(map(tuple, mirror)) if mirror != shape else None)
        for shape, mirror in zip(shapes, mirrors, strict=True)
    )


def one_sided(lattice: Lattice, size: int) -> tuple[Shape, ...]:
    """The shapes of `polyforms` where a shape and its mirror image are two shapes, unless they can be turned into each other."""
    shapes = [shape for form in polyforms(lattice, size) for shape in form if shape is not None]
    return tuple(sorted(shapes, key=sorted))


@cache
def _grown(lattice: Lattice, size: int) -> tuple[NDArray[np.bytes_], NDArray[np.bytes_]]:
    """The keys of the shapes of `polyforms`, ascending, and the keys of their mirror images."""
    if size == 1:
        larger = np.array(lattice.residues, np.int64)[:, None]
    else:
        larger = _extended(lattice, _cells_of(_grown(lattice, size - 1)[0], lattice, size - 1))
    least = other = np.empty(0, f"S{_BYTES * size}")
    for first in range(0, len(larger), _AT_ONCE):
        more = _least(lattice, larger[first : first + _AT_ONCE])
        least, kept = np.unique(np.concatenate([least, more[0]]), return_index=True)
        other = np.concatenate([other, more[1]])[kept]
        if len(least) > MAX_SHAPES:
            raise InputError(f"there are more than {MAX_SHAPES:,} shapes of {size} cells on the {lattice} lattice")
    return least, other


def _extended(lattice: Lattice, shapes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Every shape with each cell beside it in turn: shape (more shapes, cells + 1, dimension)."""
    residues = shapes % lattice.moduli
    extended = []
    for residue, ways in zip(lattice.residues, lattice.differences, strict=True):
        shape, cell = np.nonzero((residues == residue).all(2))
        other = shapes[shape, cell][:, None] + np.array(ways, np.int64)
        new = np.nonzero(~(shapes[shape][:, None] == other[:, :, None]).all(3).any(2))
        extended.append(np.concatenate([shapes[shape[new[0]]], other[new][:, None]], axis=1))
    return np.concatenate(extended)


def _least(lattice: Lattice, shapes: NDArray[np.int64]) -> tuple[NDArray[np.bytes_], NDArray[np.bytes_]]:
    """The keys of shapes and their mirror images in canonical form, the lesser of the two first."""
    isometries = lattice.isometries(reflections=True)
    turned = _least_of(lattice, shapes, [isometry.matrix for isometry in isometries if isometry.is_rotation])
    mirrored = _least_of(lattice, shapes, [isometry.matrix for isometry in isometries if not isometry.is_rotation])
    return np.where(turned < mirrored, turned, mirrored), np.where(turned < mirrored, mirrored, turned)


def _least_of(lattice: Lattice, shapes: NDArray[np.int64], matrices: Iterable[Matrix]) -> NDArray[np.bytes_]:
    keys = (_keys(lattice, shapes @ np.array(matrix, np.int64).T) for matrix in matrices)
    return reduce(lambda least, other: np.where(other < least, other, least), keys)


_BYTES = 4  # bytes of a key for each cell


def _base(lattice: Lattice, size: int) -> int:
    """A number larger than any coordinate of a connected shape with this number of cells at the origin."""
    return max(lattice.moduli) + size * max(abs(a) for ways in lattice.differences for way in ways for a in way)


def _keys(lattice: Lattice, shapes: NDArray[np.int64]) -> NDArray[np.bytes_]:
    """A text of bytes for each shape, wherever it lies, that sorts as its cells in ascending order do."""
    corner = shapes.min(axis=1, keepdims=True) // lattice.moduli * lattice.moduli
    _, size, dimension = shapes.shape
    numbers = (shapes - corner) @ _base(lattice, size) ** portable.arange(dimension - 1, -1, -1)
    numbers.sort(axis=1)
    return np.ascontiguousarray(numbers, f">u{_BYTES}").view(f"S{_BYTES * size}")[:, 0]


def _cells_of(keys: NDArray[np.bytes_], lattice: Lattice, size: int) -> NDArray[np.int64]:
    """The cells that keys stand for, in ascending order: shape (shapes, size, dimension)."""
    # Numpy drops zeros at the end of a text, and adds them again if the width is fixed.
    numbers = np.ascontiguousarray(keys, f"S{_BYTES * size}").view(f">u{_BYTES}").reshape(-1, size).astype(np.int64)
    base = _base(lattice, size)
    return np.stack([numbers // base**axis % base for axis in reversed(range(lattice.dimension))], axis=-1)
