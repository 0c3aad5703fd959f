"""Compute how many steps one piece can move before it meets another, for each position of the two relative to each other. The
tables are computed once for each pair of shapes, and kept.

If cells are boxes side by side, a step along an axis needs only the next box. On other lattices a moving cell touches cells
beside its way, which would need geometry: there are no steps for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler.apps.puzzles.apart.kernel import AXES, UNBOUNDED, Distances
from tiler.errors import BadOption
from tiler.model.lattice import Cell, Lattice, Shape, move


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


_KEPT = 4096  # pairs of shapes


class _Pair(NamedTuple):
    """The tables of distances of two shapes whose corners are at the origin; the fields are those of `Distances`."""

    low: NDArray[np.int64]
    sides: NDArray[np.int64]
    far: NDArray[np.int32]


def distances(lattice: Lattice, shapes: Sequence[Shape]) -> Distances:
    """The tables of distances for all pairs of pieces, relative to where the pieces lie. BadOption on a lattice without straight
    moves."""
    count, steps = len(shapes), glides(lattice)
    corners = [lattice.corner(shape) for shape in shapes]
    normal = [move(shape, tuple(-a for a in corner)) for shape, corner in zip(shapes, corners, strict=True)]
    units = np.array([_padded([a // m for a, m in zip(corner, lattice.moduli, strict=True)]) for corner in corners], np.int64)
    starts, lows, sides = np.zeros((count * count,), np.int64), *(np.zeros((count * count, AXES), np.int64) for _ in range(2))
    parts: list[NDArray[np.int32]] = []
    total = 0
    for a in range(count):
        for b in range(count):
            if a != b:
                pair = _pair(lattice, normal[a], normal[b])
                at = a * count + b
                starts[at], lows[at], sides[at] = total, pair.low + units[a] - units[b], pair.sides
                parts.append(pair.far)
                total += pair.far.size
    far = np.concatenate(parts) if parts else np.zeros(0, np.int32)
    return Distances(np.array([_padded(step.vector) for step in steps], np.int64), starts, lows, sides, far)


def _padded(vector: Sequence[int]) -> Cell:
    """The vector with three coordinates: in the plane, a 0 is put in front."""
    return (*(0,) * (AXES - len(vector)), *vector)


@lru_cache(_KEPT)
def _pair(lattice: Lattice, a: Shape, b: Shape) -> _Pair:
    steps = glides(lattice)
    kind = {residue: number for number, residue in enumerate(lattice.residues)}
    met = []
    for step in steps:
        needed = {
            tuple(x + y for x, y in zip(cell, way, strict=True))
            for cell in a
            for way in step.passes[kind[tuple(x % m for x, m in zip(cell, lattice.moduli, strict=True))]]
        }
        apart = (np.array(sorted(needed), np.int64)[:, None] - np.array(sorted(b), np.int64)[None]).reshape(-1, lattice.dimension)
        whole = apart[(apart % lattice.moduli == 0).all(axis=1)] // lattice.moduli
        met.append(np.array([_padded(vector) for vector in np.unique(whole, axis=0).tolist()], np.int64).reshape(-1, AXES))
    every = np.concatenate(met)
    low = every.min(axis=0)
    sides = every.max(axis=0) - low + 1
    tables = []
    for step, offsets in zip(steps, met, strict=True):
        blocked = np.zeros(sides, np.bool_)
        blocked[tuple((offsets - low).T)] = True
        tables.append(_free(blocked, _padded(step.vector)).ravel())
    return _Pair(low, sides, np.concatenate(tables))


def _free(blocked: NDArray[np.bool_], vector: Cell) -> NDArray[np.int32]:
    """The number of steps against `vector` from every place of a box to a blocked place; UNBOUNDED if there is none on the way.

    `blocked` and the result have the shape of the box. The coordinates of `vector` are 1, 0 or -1.
    """
    axis = next(axis for axis, way in enumerate(vector) if way)
    steps: NDArray[np.int32] = np.moveaxis(np.full(blocked.shape, UNBOUNDED, np.int32), axis, 0)
    walls = np.moveaxis(blocked, axis, 0)
    others = [way for other, way in enumerate(vector) if other != axis]
    before = np.full(steps.shape[1:], UNBOUNDED, np.int32)
    for at in range(len(steps)) if vector[axis] > 0 else reversed(range(len(steps))):
        steps[at] = np.where(walls[at], 0, np.minimum(before + 1, UNBOUNDED))
        before = _moved(steps[at], others)
    return np.ascontiguousarray(np.moveaxis(steps, 0, axis))


def _moved(layer: NDArray[Any], by: Sequence[int]) -> NDArray[Any]:
    """The layer shifted by a vector. Places that are shifted in from outside are UNBOUNDED."""
    made = np.full(layer.shape, UNBOUNDED, layer.dtype)
    into = tuple(slice(max(0, way), side + min(0, way)) for way, side in zip(by, layer.shape, strict=True))
    out = tuple(slice(max(0, -way), side - max(0, way)) for way, side in zip(by, layer.shape, strict=True))
    made[into] = layer[out]
    return made
