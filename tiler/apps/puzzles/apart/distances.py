"""Compute how many steps one piece can move before it meets another, for each position of the two relative to each other. The
tables are computed once for each pair of shapes, and kept.

Cells are boxes side by side: a step along an axis needs only the next box. On other lattices a moving cell touches cells beside
its way, which would need geometry; there pieces are not taken apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler.apps.puzzles.apart.kernel import AXES, UNBOUNDED, Distances
from tiler.errors import BadOption
from tiler.model.lattice import Cell, Lattice, Shape

_KEPT = 4096  # pairs of shapes


class _Pair(NamedTuple):
    """The tables of distances of two shapes whose corners are at the origin; the fields are those of `Distances`."""

    low: NDArray[np.int64]
    sides: NDArray[np.int64]
    far: NDArray[np.int32]


def refusal(lattice: Lattice) -> str | None:
    """The reason why pieces of a lattice cannot be taken apart; None if they can."""
    if lattice.has_boxes:
        return None
    return f"pieces are taken apart along the axes of squares and cubes; the {lattice} lattice has none like that"


def distances(lattice: Lattice, shapes: Sequence[Shape]) -> Distances:
    """The tables of distances for all pairs of pieces, relative to where the pieces lie. Of two opposite directions there is the
    one in which coordinates grow. BadOption on a lattice without straight moves."""
    why = refusal(lattice)
    if why is not None:
        raise BadOption(why)
    count, dimension = len(shapes), lattice.dimension
    normal = [lattice.normalise(shape) for shape in shapes]
    corners = np.array([_padded(lattice.corner(shape)) for shape in shapes], np.int64)
    starts, lows, sides = np.zeros((count * count,), np.int64), *(np.zeros((count * count, AXES), np.int64) for _ in range(2))
    parts: list[NDArray[np.int32]] = []
    total = 0
    for a in range(count):
        for b in range(count):
            if a != b:
                pair = _pair(dimension, normal[a], normal[b])
                at = a * count + b
                starts[at], lows[at], sides[at] = total, pair.low + corners[a] - corners[b], pair.sides
                parts.append(pair.far)
                total += pair.far.size
    far = np.concatenate(parts) if parts else np.zeros(0, np.int32)
    return Distances(np.eye(AXES, dtype=np.int64)[AXES - dimension :], starts, lows, sides, far)


def _padded(cell: Cell) -> Cell:
    """The cell with three coordinates: in the plane, a 0 is put in front."""
    return (*(0,) * (AXES - len(cell)), *cell)


@lru_cache(_KEPT)
def _pair(dimension: int, a: Shape, b: Shape) -> _Pair:
    ours, theirs = (np.array([_padded(cell) for cell in sorted(shape)], np.int64) for shape in (a, b))
    apart = (ours[:, None] - theirs[None]).reshape(-1, AXES)
    axes = range(AXES - dimension, AXES)
    # Offsets at which a step of the first along an axis meets the second.
    met = [apart + np.eye(AXES, dtype=np.int64)[axis] for axis in axes]
    every = np.concatenate(met)
    low = every.min(axis=0)
    sides = every.max(axis=0) - low + 1
    tables = []
    for axis, offsets in zip(axes, met, strict=True):
        blocked = np.zeros(sides, np.bool_)
        blocked[tuple((offsets - low).T)] = True
        tables.append(_free(blocked, axis).ravel())
    return _Pair(low, sides, np.concatenate(tables))


def _free(blocked: NDArray[np.bool_], axis: int) -> NDArray[np.int32]:
    """The number of steps down an axis from every place of a box to a blocked place; UNBOUNDED if there is none on the way.
    `blocked` and the result have the shape of the box."""
    steps = np.where(blocked, 0, UNBOUNDED).astype(np.int32)
    layers = np.moveaxis(steps, axis, 0)
    for before, layer in pairwise(layers):
        np.minimum(layer, before + 1, out=layer)
    return steps
