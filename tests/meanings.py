"""What features of tilings mean on a board of squares, wrapped or not, or of their edges, read off tilings of the brute force."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations
from typing import Any

from assemblies import comes_apart
from brute_force import Tiling, places

from tiler.model.instance import Instance
from tiler.model.lattice import Cell

Piece = tuple[str, frozenset[Any]]


def pieces_at(instance: Instance, tiling: Tiling) -> Callable[[tuple[int, int]], Piece | None]:
    """What tells which piece lies in a cell, or in the one that it is on a wrapped board."""
    there = places(instance)
    piece_of = {cell: piece for piece in tiling for cell in piece[1]}
    return lambda cell: piece_of[there[cell]] if there.get(cell) in piece_of else None


def has_no_fault(instance: Instance, tiling: Tiling) -> bool:
    for axis in range(instance.dimension):
        for line in sorted({cell[axis] for cell in instance.board})[1:]:
            if not any(min(c[axis] for c in cells) < line <= max(c[axis] for c in cells) for _, cells in tiling):
                return False
    return True


def has_no_crossroads(instance: Instance, tiling: Tiling) -> bool:
    at = pieces_at(instance, tiling)
    fours = [{at((r + a, c + b)) for a in (0, 1) for b in (0, 1)} - {None} for r, c in instance.board]
    return all(len(four) < 4 for four in fours)


def is_apart(instance: Instance, tiling: Tiling) -> bool:
    at = pieces_at(instance, tiling)
    for r, c in instance.board:
        for other in (at((r + 1, c)), at((r, c + 1))):
            one = at((r, c))
            if one and other and one != other and one[0] == other[0]:
                return False
    return True


def is_on_border(instance: Instance, tiling: Tiling) -> bool:
    def touches(cell: tuple[int, ...]) -> bool:
        r, c = cell
        return not {(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)} <= places(instance).keys()

    return all(any(map(touches, cells)) for _, cells in tiling)


def can_be_taken_apart(instance: Instance, tiling: Tiling) -> bool:
    return comes_apart(tuple(cells for _, cells in sorted(tiling, key=lambda piece: sorted(piece[1]))))


def around(point: tuple[int, int]) -> set[tuple[int, int]]:
    """The edges that end in a point: they are told by their middles."""
    r, c = point
    return {(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)}


def points(edges: Iterable[Cell]) -> set[tuple[int, int]]:
    """Where edges end."""
    return {(r + way * (r % 2), c + way * (c % 2)) for r, c in edges for way in (1, -1)}


def edges_have_no_crossroads(instance: Instance, tiling: Tiling) -> bool:
    return all(sum(not cells.isdisjoint(around(point)) for _, cells in tiling) < 4 for point in points(instance.board))


def edges_are_apart(instance: Instance, tiling: Tiling) -> bool:
    pairs = combinations(tiling, 2)
    return all(name != other or points(one).isdisjoint(points(two)) for (name, one), (other, two) in pairs)


def edges_are_on_border(instance: Instance, tiling: Tiling) -> bool:
    return all(any(not around(point) <= instance.board for point in points(cells)) for _, cells in tiling)


MEANING: dict[str, Callable[[Instance, Tiling], bool]] = {
    "fault-free": has_no_fault,
    "no-crossroads": has_no_crossroads,
    "apart": is_apart,
    "border": is_on_border,
    "takes-apart": can_be_taken_apart,
}
OF_EDGES: dict[str, Callable[[Instance, Tiling], bool]] = {
    "no-crossroads": edges_have_no_crossroads,
    "apart": edges_are_apart,
    "border": edges_are_on_border,
}
