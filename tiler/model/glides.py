"""List the vectors along which a cell can be moved straight, and the cells that it needs on the way. If cells are boxes side by
side, a step along an axis needs only the next box. On other lattices a moving cell touches cells beside its way, which would need
geometry: this module has no steps for them.
"""

from __future__ import annotations

from typing import NamedTuple

from tiler.errors import BadOption
from tiler.model.lattice import Cell, Lattice


class Glide(NamedTuple):
    """A step by a vector, in translations of the lattice; for each kind of cell the differences to the cells that it needs."""

    vector: Cell
    passes: tuple[tuple[Cell, ...], ...]


def glides(lattice: Lattice) -> tuple[Glide, ...]:
    """The possible steps, one of each pair of opposite steps. BadOption if the lattice has none.

    >>> from tiler.model.lattices import SQUARE
    >>> [glide.vector for glide in glides(SQUARE)]
    [(1, 0), (0, 1)]
    """
    if not lattice.has_boxes:
        raise BadOption(f"pieces are taken apart along the axes of squares and cubes; the {lattice} lattice has none like that")
    axes = (tuple(int(i == axis) for i in range(lattice.dimension)) for axis in range(lattice.dimension))
    return tuple(Glide(axis, ((axis,),)) for axis in axes)
