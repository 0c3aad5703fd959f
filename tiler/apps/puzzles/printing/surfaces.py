"""Make closed surfaces from outlines and from faces, and cut off their edges.

A surface is a list of faces, each a list of corners, anticlockwise as seen from outside; corners are places in space.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import dist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler.render import cell_outlines
from tiler.render.cell_outlines import Position, Spot

_TINY = 1e-9


class Surface(NamedTuple):
    """Corners in mm, and faces as numbers of corners."""

    corners: Sequence[Position]
    faces: Sequence[Sequence[int]]

    def triangles(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Corners, shape (corners, 3), and triangles, shape (triangles, 3); faces must be convex."""
        triangles = [(face[0], a, b) for face in self.faces for a, b in pairwise(face[1:])]
        return np.array(self.corners, float), np.array(triangles, np.int64)


def extruded(loops: Sequence[Sequence[Spot]], heights: tuple[float, float], inset: float, bevel: float) -> Surface:
    """A body of even height over an area of a page, whose sides are moved in by `inset`; seen from above, y runs to the back. The
    loops of the area run clockwise, those around holes anticlockwise; `bevel` is cut off its upper and lower edges."""
    low, high = heights
    levels = [(low, inset + bevel), (low + bevel, inset), (high - bevel, inset), (high, inset + bevel)]
    corners: list[Position] = []
    rings: list[list[list[int]]] = []
    for z, moved_in in levels if bevel else [(low, inset), (high, inset)]:
        rings.append([])
        for loop in loops:
            spots = [(x, -y) for x, y in cell_outlines.grown(loop, -moved_in)][::-1]
            rings[-1].append(list(range(len(corners), len(corners) + len(spots))))
            corners += [(x, y, z) for x, y in spots]
    faces: list[Sequence[int]] = []
    for below, above in pairwise(rings):
        for ring, other in zip(below, above, strict=True):
            faces += [
                (a, b, d, c) for (a, b), (c, d) in zip(pairwise([*ring, ring[0]]), pairwise([*other, other[0]]), strict=True)
            ]
    flat = [(x, y) for x, y, _ in corners]
    for polygon in _with_holes(flat, rings[-1]):
        faces += _ears(flat, polygon)
    for polygon in _with_holes(flat, rings[0]):
        faces += [face[::-1] for face in _ears(flat, polygon)]
    return Surface(corners, faces)


def _with_holes(spots: Sequence[Spot], rings: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Each outer ring, anticlockwise, as one polygon with the holes in it: a line leads to each hole and back."""
    holes = [ring for ring in rings if _area(spots, ring) < 0]
    for outer in rings:
        if _area(spots, outer) < 0:
            continue
        polygon = list(outer)
        own = [hole for hole in holes if cell_outlines.is_inside(spots[hole[0]], [spots[k] for k in outer])]
        while own:
            sides = [(spots[a], spots[b]) for ring in (polygon, *own) for a, b in pairwise([*ring, ring[0]])]
            bridges = sorted(
                (dist(spots[a], spots[b]), n, k, m)
                for n, ring in enumerate(own)
                for k, a in enumerate(ring)
                for m, b in enumerate(polygon)
            )
            _, hole, at, to = next(
                bridge
                for bridge in bridges
                if not any(_cross(spots[own[bridge[1]][bridge[2]]], spots[polygon[bridge[3]]], *side) for side in sides)
            )
            ring = own.pop(hole)
            polygon[to : to + 1] = [polygon[to], *ring[at:], *ring[: at + 1], polygon[to]]
        yield polygon


def _ears(spots: Sequence[Spot], polygon: Sequence[int]) -> list[tuple[int, ...]]:
    """The triangles of a polygon, one corner after another cut off."""
    left, triangles = list(polygon), []
    while len(left) > 3:
        ear = next((k for k in range(len(left)) if _is_ear(spots, left, k)), None)
        if ear is None:  # What is left has no area.
            ear = max(range(len(left)), key=lambda k: _turn(*(spots[left[m % len(left)]] for m in (k - 1, k, k + 1))))
        triangles.append((left[ear - 1], left[ear], left[(ear + 1) % len(left)]))
        del left[ear]
    return [*triangles, tuple(left)]


def _is_ear(spots: Sequence[Spot], polygon: Sequence[int], k: int) -> bool:
    a, b, c = (spots[polygon[m % len(polygon)]] for m in (k - 1, k, k + 1))
    if _turn(a, b, c) <= _TINY:
        return False
    others = (spots[point] for point in polygon)
    return not any(
        _turn(a, b, spot) >= -_TINY and _turn(b, c, spot) >= -_TINY and _turn(c, a, spot) >= -_TINY
        for spot in others
        if spot not in (a, b, c)
    )


def bevelled(surface: Surface, by: float) -> Surface:
    """The surface with its faces moved out by a length, and a plane face between two of them where an edge stands out. So a body
    that was moved in by as much has its old size, without its sharp edges."""
    at = np.array(surface.corners, float)
    out = [_normal(at[list(face)]) for face in surface.faces]
    beside = {ends: n for n, face in enumerate(surface.faces) for ends in _around(face)}

    def is_sharp(start: int, end: int) -> bool:
        one, other = out[beside[start, end]], out[beside[end, start]]
        return bool(np.cross(one, other) @ (at[end] - at[start]) > _TINY)

    before: dict[tuple[int, int], int] = {}
    after: dict[tuple[int, int], int] = {}
    for n, face in enumerate(surface.faces):
        for start, end in _around(face):
            after[n, start], before[n, end] = end, start
    corners: dict[tuple[int, tuple[float, ...]], int] = {}
    places: list[Position] = []
    moved: dict[tuple[int, int], int] = {}
    for n, corner in after:
        # The faces at this corner that no sharp edge parts from this one move it together.
        own = {n}
        for step in (before, after):
            around = n
            while True:
                far = step[around, corner]
                ends = (far, corner) if step is before else (corner, far)
                if is_sharp(*ends):
                    break
                around = beside[ends[1], ends[0]]
                if around in own:
                    break
                own.add(around)
        ways = np.unique(np.round([out[other] for other in own], 9), axis=0)
        way = np.linalg.pinv(ways) @ np.full(len(ways), by)
        key = corner, tuple(np.round(way, 6).tolist())
        if key not in corners:
            corners[key] = len(places)
            x, y, z = (at[corner] + way).tolist()
            places.append((x, y, z))
        moved[n, corner] = corners[key]
    faces: list[Sequence[int]] = [[moved[n, corner] for corner in face] for n, face in enumerate(surface.faces)]
    for (start, end), one in beside.items():
        other = beside[end, start]
        if start < end:
            faces.append([moved[one, end], moved[one, start], moved[other, start], moved[other, end]])
    firsts = dict.fromkeys(range(len(surface.corners)), -1)
    for n, corner in after:
        if firsts[corner] < 0:
            firsts[corner] = n
    for corner, first in firsts.items():
        ring, around = [], first
        while first >= 0:
            ring.append(moved[around, corner])
            around = beside[corner, before[around, corner]]
            if around == first:
                break
        faces.append(ring)
    return Surface(places, [face for face in map(_without_repeats, faces) if len(face) > 2])


def drilled(surface: Surface, faces: Iterable[int], share: float, deep: float) -> Surface:
    """The surface with a hole in the middle of some faces: as wide as a share of the face, and so deep in mm."""
    corners, made = list(surface.corners), list(surface.faces)
    for n in faces:
        face = surface.faces[n]
        at = np.array([corners[k] for k in face])
        rim = at.mean(0) + share * (at - at.mean(0))
        ground = rim - deep * _normal(at)
        first = len(corners)
        corners += [(x, y, z) for x, y, z in [*rim.tolist(), *ground.tolist()]]
        upper, lower = range(first, first + len(face)), range(first + len(face), first + 2 * len(face))
        made[n] = list(lower)
        for k, (a, b) in enumerate(_around(face)):
            other = (k + 1) % len(face)
            made += [[a, b, upper[other], upper[k]], [upper[k], upper[other], lower[other], lower[k]]]
    return Surface(corners, made)


def middle(surface: Surface, face: Sequence[int]) -> Position:
    """The mean of the corners of a face."""
    x, y, z = np.mean([surface.corners[corner] for corner in face], axis=0).tolist()
    return x, y, z


def _around(face: Sequence[int]) -> list[tuple[int, int]]:
    return list(pairwise([*face, face[0]]))


def _without_repeats(ring: Sequence[int]) -> list[int]:
    return [corner for k, corner in enumerate(ring) if corner != ring[k - 1]]


def _normal(at: NDArray[np.float64]) -> NDArray[np.float64]:
    out = sum(np.cross(a, b) for a, b in zip(at - at[0], np.roll(at, -1, 0) - at[0], strict=True))
    return np.asarray(out / np.linalg.norm(out), float)


def _area(spots: Sequence[Spot], ring: Sequence[int]) -> float:
    return sum(spots[a][0] * spots[b][1] - spots[b][0] * spots[a][1] for a, b in pairwise([*ring, ring[0]])) / 2


def _turn(a: Spot, b: Spot, c: Spot) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _cross(a: Spot, b: Spot, c: Spot, d: Spot) -> bool:
    """Whether two lines cross; lines that share an end do not."""
    return _turn(a, b, c) * _turn(a, b, d) < -_TINY and _turn(c, d, a) * _turn(c, d, b) < -_TINY
