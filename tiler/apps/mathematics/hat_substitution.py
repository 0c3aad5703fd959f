"""Lay large patches of hats by the substitution of metatiles: each of the four clusters H, T, P and F of hats grows into a larger
one that is made of such clusters, and so on. There is no search.

The lattice point that stands for a cluster is a corner of its outline, or for T the centre. What the clusters are like on each
level differs a little, but the vectors between these points follow a recurrence, v(n + 2) = 3 v(n + 1) - v(n), since lengths grow
by the square of the golden ratio. So two vectors for each part give all levels.

Source: D. Smith, J. S. Myers, C. S. Kaplan, C. Goodman-Strauss, An aperiodic monotile, Combinatorial Theory 4 (2024), section 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tiler.model.lattice import Cell, Matrix, Shape
from tiler.model.lattices import KITES

_UNIT = 8  #: vectors are counted in thirds of the distance of two hexagons


class _Part(NamedTuple):
    """A cluster in a larger one: how often it is turned by 60 degrees, and where it is, on the first two levels."""

    cluster: str
    turns: int
    first: Cell
    second: Cell


class _Hat(NamedTuple):
    """A hat in a cluster of the first level."""

    turns: int
    is_reflected: bool
    at: Cell


_HAT: Shape = frozenset({(-5, -5), (5, -10), (5, 5), (10, -5), (14, 5), (19, -14), (19, -5), (29, -19)})
_HATS: Mapping[str, tuple[_Hat, ...]] = {
    "H": (_Hat(2, True, (-3, 3)), _Hat(4, False, (-6, 6)), _Hat(4, False, (0, 3)), _Hat(2, False, (-3, 6))),
    "T": (_Hat(3, False, (2, -1)),),
    "P": (_Hat(0, False, (3, 0)), _Hat(5, False, (0, 3))),
    "F": (_Hat(0, False, (3, 0)), _Hat(5, False, (0, 3))),
}
_IN_BOTH = (
    _Part("F", 5, (-5, 7), (-14, 19)),
    _Part("H", 1, (7, 4), (17, 11)),
    _Part("P", 1, (7, -2), (19, -5)),
    _Part("H", 2, (13, 1), (34, 1)),
    _Part("F", 2, (19, -5), (50, -13)),
)
_PARTS: Mapping[str, tuple[_Part, ...]] = {
    "H": (
        _Part("H", 0, (-10, 8), (-26, 22)),
        _Part("H", 0, (-1, 2), (-5, 7)),
        _Part("H", 4, (-13, 17), (-32, 43)),
        _Part("T", 0, (-9, 12), (-23, 31)),
        _Part("P", 4, (-13, 23), (-34, 59)),
        _Part("F", 4, (-19, 20), (-49, 53)),
        _Part("P", 0, (-16, 8), (-40, 20)),
        _Part("F", 0, (-7, 2), (-19, 5)),
        _Part("P", 5, (-4, 11), (-11, 28)),
        _Part("F", 2, (-1, 14), (-1, 35)),
    ),
    "T": (_Part("H", 5, (-1, -4), (-3, -9)),),
    "P": _IN_BOTH,
    "F": (*_IN_BOTH, _Part("F", 0, (10, -8), (26, -22))),
}
_TURN: Matrix = KITES.rotations[0]
_REFLECT: Matrix = ((1, 0), (-1, -1))


def patch(level: int) -> list[tuple[Shape, bool]]:
    """The hats of the cluster H after a number of substitutions, each with whether it is reflected.

    >>> [len(patch(level)) for level in range(3)]
    [4, 25, 169]
    """
    clusters: Mapping[str, list[_Hat]] = {cluster: list(hats) for cluster, hats in _HATS.items()}
    ways = {part: (part.first, part.second) for parts in _PARTS.values() for part in parts}
    for _ in range(level):
        clusters = {
            cluster: [_laid(hat, part.turns, ways[part][0]) for part in parts for hat in clusters[part.cluster]]
            for cluster, parts in _PARTS.items()
        }
        ways = {part: (later, (3 * later[0] - now[0], 3 * later[1] - now[1])) for part, (now, later) in ways.items()}
    row, column = clusters["H"][0].at  # all hats are whole units of the lattice from each other
    return [(_cells(_laid(hat, 0, (-row, -column))), hat.is_reflected) for hat in clusters["H"]]


def _laid(hat: _Hat, turns: int, way: Cell) -> _Hat:
    row, column = _applied(hat.at, turns)
    return _Hat((hat.turns + turns) % 6, hat.is_reflected, (row + way[0], column + way[1]))


def _cells(hat: _Hat) -> Shape:
    row, column = hat.at
    cells = (_times(_REFLECT, cell) if hat.is_reflected else cell for cell in _HAT)
    return frozenset((r + _UNIT * row, c + _UNIT * column) for r, c in (_applied(cell, hat.turns) for cell in cells))


def _applied(vector: Cell, turns: int) -> Cell:
    for _ in range(turns):
        vector = _times(_TURN, vector)
    return vector


def _times(rows: Matrix, vector: Cell) -> Cell:
    (a, b), (c, d) = rows
    return a * vector[0] + b * vector[1], c * vector[0] + d * vector[1]
