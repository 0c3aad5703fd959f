"""Flip faces: if every second edge of a face is matched, the other edges are matched instead.

Take a graph in which every edge is in some matching. Its matchings are a distributive lattice by such flips of all faces but one:
up if the edges from black to white along the face become matched, down if the other edges do. A coin is thrown for a face: heads
means up, tails down, if that is possible. If one matching is above another, it still is after the same coin for both.

A step is a sweep: a coin for each face, one after the other.

Sources: Propp, Lattice structure for orientations of graphs, 2002; Propp and Wilson, Exact sampling with coupled Markov chains
and applications to statistical mechanics, 1996.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tiler.kernels import inner, kernel
from tiler.kernels.arrays import I32, I64, U8, U64


class Faces(NamedTuple):
    """All faces except one; only read."""

    starts: I64  #: (faces + 1,): where the edges of each face begin; half of them go from black to white along the face
    edges: I32  #: the edges of each face: first those from black to white along the face, then the others


@inner()
def _flip(faces: Faces, matched: U8, face: int, up: bool) -> bool:
    """Flip a face in one direction, if that is possible. Returns whether it was."""
    begin, end = faces.starts[face], faces.starts[face + 1]
    middle = (begin + end) // 2
    first, last = (middle, end) if up else (begin, middle)
    for at in range(first, last):
        if not matched[faces.edges[at]]:
            return False
    for at in range(begin, end):
        matched[faces.edges[at]] ^= 1
    return True


@kernel()
def settle(faces: Faces, matched: U8, up: bool, sweeps: int) -> int:
    """Flip all faces in one direction until none can be flipped any more, for a limited number of sweeps. Returns the number of
    sweeps."""
    for sweep in range(sweeps):
        flips = 0
        for face in range(faces.starts.size - 1):
            flips += _flip(faces, matched, face, up)
        if flips == 0:
            return sweep
    return sweeps


@kernel()
def sweep(faces: Faces, high: U8, low: U8, coins: U64, sweeps: int) -> int:
    """Flip both matchings by the same coins. A coin is a bit of a word, one for each face; each sweep has its own words. Returns
    the number of edges in which the matchings then differ."""
    count = faces.starts.size - 1
    words = (count + 63) // 64
    for number in range(sweeps):
        for face in range(count):
            up = coins[number * words + (face >> 6)] >> np.uint64(face & 63) & np.uint64(1) == np.uint64(1)
            _flip(faces, high, face, up)
            _flip(faces, low, face, up)
    differences = 0
    for edge in range(high.size):
        differences += high[edge] != low[edge]
    return differences
