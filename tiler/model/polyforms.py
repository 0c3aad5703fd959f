"""All connected shapes of so many cells, up to congruence: polyominoes, polycubes and their kin, grown cell by cell.

Each stands in its canonical form, the least of its images: shapes are compared by their cells in ascending order, so that rows
are read from the top and the left. The list of them ascends in the same way. Names of shapes rest on this order (numbered.py):
it must not change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
    """The shapes of so many cells that are connected through sides, mirror images taken for one, in ascending order.

    Kept until the process ends. Some milliseconds for polyominoes to 8 cells and polycubes to 6, then six to eight times as long
    with every cell: 3 s for the 25,413 polycubes of 9 cells. Method: a cell more wherever there is room, and of what comes twice
    the first. (D. H. Redelmeier, Counting polyominoes: yet another attack, 1981, does better for larger sizes.)

    >>> from tiler.model.lattices import SQUARE
    >>> [len(polyforms(SQUARE, size)) for size in range(1, 7)]
    [1, 1, 2, 5, 12, 35]
    """
    least, other = _grown(lattice, size)
    shapes, mirrors = (_cells_of(lattice, keys, size).tolist() for keys in (least, other))
    return tuple(
        Polyform(frozenset(map(tuple, shape)), frozenset(map(tuple, mirror)) if mirror != shape else None)
        for shape, mirror in zip(shapes, mirrors, strict=True)
    )


def count_fixed(lattice: Lattice, size: int) -> int:
    """The number of shapes of so many cells that differ by more than a translation."""
    return sum(len(lattice.variants(form.shape, reflections=True)) for form in polyforms(lattice, size))


@cache
def _grown(lattice: Lattice, size: int) -> tuple[NDArray[np.bytes_], NDArray[np.bytes_]]:
    """The same as keys of the shapes, ascending, and of their mirror images."""
    if size == 1:
        larger = np.array(lattice.residues, np.int16)[:, None]
    else:
        smaller = _cells_of(lattice, _grown(lattice, size - 1)[0], size - 1)
        larger = np.concatenate(list(_extended(lattice, smaller)))
    parts = [_least(lattice, larger[at : at + _AT_ONCE]) for at in range(0, len(larger), _AT_ONCE)]
    least, other = (np.concatenate(keys) for keys in zip(*parts, strict=True))
    distinct, first = np.unique(least, return_index=True)
    return distinct, other[first]


def _extended(lattice: Lattice, shapes: NDArray[np.int16]) -> Iterator[NDArray[np.int16]]:
    """Shapes with each cell in turn that is beside one of them, by the kinds of cells that it is beside."""
    residues = shapes % np.array(lattice.moduli, np.int16)
    for residue, ways in zip(lattice.residues, lattice.differences, strict=True):
        shape, cell = np.nonzero((residues == residue).all(-1))
        # Shape (cells of that kind, neighbours, dimension): wherever one may be.
        places = shapes[shape, cell][:, None] + np.array(ways, np.int16)
        taken = (places[:, :, None] == shapes[shape][:, None]).all(-1).any(-1)
        which, way = np.nonzero(~taken)
        yield np.concatenate([shapes[shape[which]], places[which, way][:, None]], axis=1)


def _least(lattice: Lattice, shapes: NDArray[np.int16]) -> tuple[NDArray[np.bytes_], NDArray[np.bytes_]]:
    """The keys of shapes and their mirror images in canonical form, the lesser of the two first."""
    isometries = lattice.isometries(reflections=True)
    turned = _least_of(lattice, shapes, [each.matrix for each in isometries if each.is_rotation])
    mirrored = _least_of(lattice, shapes, [each.matrix for each in isometries if not each.is_rotation])
    return np.where(turned < mirrored, turned, mirrored), np.where(turned < mirrored, mirrored, turned)


def _least_of(lattice: Lattice, shapes: NDArray[np.int16], matrices: Iterable[Matrix]) -> NDArray[np.bytes_]:
    keys = (_keys(lattice, shapes @ np.array(matrix, np.int16).T) for matrix in matrices)
    return reduce(lambda least, other: np.where(other < least, other, least), keys)


def _keys(lattice: Lattice, shapes: NDArray[np.int16]) -> NDArray[np.bytes_]:
    """A text of bytes for each shape, wherever it lies, that sorts as its cells in ascending order do: four bytes a cell."""
    low = shapes.min(axis=1, keepdims=True)
    moduli = np.array(lattice.moduli, np.int16)
    numbers = (shapes - low // moduli * moduli) @ _weights(lattice, shapes.shape[1])
    numbers.sort(axis=1)
    return np.ascontiguousarray(numbers, ">u4").view(f"S{4 * shapes.shape[1]}")[:, 0]


def _cells_of(lattice: Lattice, keys: NDArray[np.bytes_], size: int) -> NDArray[np.int16]:
    """The cells that keys stand for, in ascending order: shape (shapes, size, dimension)."""
    numbers = np.ascontiguousarray(keys).view(">u4").astype(np.int32).reshape(-1, size)
    weights = _weights(lattice, size)
    return np.stack([numbers // weight % weights[-2] for weight in weights], axis=-1).astype(np.int16)


def _weights(lattice: Lattice, size: int) -> NDArray[np.int32]:
    """What coordinates are multiplied by to make a number of a cell; each is less than the second last weight."""
    span = max(max(map(abs, way)) for ways in lattice.differences for way in ways)
    return np.array([(size * span + max(lattice.moduli)) ** axis for axis in reversed(range(lattice.dimension))], np.int32)
