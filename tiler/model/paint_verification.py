"""Check painted tiles by corners: paint is attached to corners, and a side is the set of corners that two cells share.

Nothing here uses the group of a lattice, its sides or its neighbours, nor the code that lists placements. Deliberately naive.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from operator import sub
from typing import NamedTuple

from tiler.model import corners
from tiler.model.corners import Point
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Lattice, Matrix, Shape
from tiler.model.paint import Coat, Paint
from tiler.model.tile import Placement
from tiler.model.wrap import Wrap


class Sticker(NamedTuple):
    """A cell and a colour, or one of its sides and a mark. All points are sorted."""

    cell: tuple[Point, ...]  #: the corners of the cell
    side: tuple[Point, ...]  #: the corners that it shares with the cell beyond; none for a colour
    text: str


Stickers = frozenset[Sticker]


def stickers(lattice: Lattice, cells: Shape, coat: Coat) -> Stickers:
    """The stickers on some cells: one for each cell, with its colour if it has one, and one for each mark. KeyError if one
    is on another cell, or a mark is beside something that is no cell."""
    colour = dict(coat.colours)
    elsewhere = {*colour, *(side.cell for side, _ in coat.marks)} - cells
    if elsewhere:
        raise KeyError(min(elsewhere))
    coloured = {Sticker(corners.corners(lattice, cell), (), colour.get(cell, "")) for cell in cells}
    marked = {
        Sticker(corners.corners(lattice, cell), _common(lattice, cell, beyond), mark) for (cell, beyond), mark in coat.marks
    }
    return frozenset(coloured | marked)


@lru_cache(1024)
def ways(lattice: Lattice, cells: Shape, paint: Paint, reflections: bool, turning: bool = True) -> tuple[Stickers, ...]:
    """The distinct ways to turn a painted tile, each at the origin, in the order of variants: by their cells, then by colours and
    marks. A tile of the plane shows its back where it is reflected."""
    turned: dict[Stickers, tuple[object, ...]] = {}
    for rows in corners.rigid_motions(lattice, reflections, turning):
        coat = paint.back if lattice.dimension == 2 and corners.determinant(rows) < 0 else paint.front
        image = at_origin(
            Sticker(_turned(rows, sticker.cell), _turned(rows, sticker.side), sticker.text)
            for sticker in stickers(lattice, cells, coat)
        )
        named = cells | {side.beyond for side, _ in coat.marks}
        centre = {cell: corners.centre(lattice, _turned(rows, corners.corners(lattice, cell))) for cell in named}
        low = [min(centre[cell][axis] for cell in cells) // m * m for axis, m in enumerate(lattice.moduli)]
        moved = {cell: tuple(map(sub, at, low)) for cell, at in centre.items()}
        colours = sorted((moved[cell], colour) for cell, colour in coat.colours)
        marks = sorted(((moved[side.cell], moved[side.beyond]), mark) for side, mark in coat.marks)
        turned[image] = (sorted(moved[cell] for cell in cells), colours, marks)
    return tuple(sorted(turned, key=turned.__getitem__))


def lies(lattice: Lattice, wrap: Wrap, tile: Stickers, placed: Stickers) -> bool:
    """Whether a painted tile can be moved so that it is exactly the placement, each cell once."""
    seam = wrap.times(lattice.fine)

    def seen(sticker: Sticker, step: Sequence[int]) -> tuple[object, ...]:
        first = sticker.cell[0]
        form = [tuple(map(sub, point, first)) for point in chain(sticker.cell, sticker.side)]
        return tuple(form), len(sticker.side), sticker.text, seam.reduce(tuple(a + b for a, b in zip(first, step, strict=True)))

    nowhere = (0,) * lattice.dimension
    there = {seen(sticker, nowhere) for sticker in placed}
    if len(there) != len(tile) or len(placed) != len(tile):
        return False
    start = min(tile).cell[0]
    steps = {tuple(map(sub, sticker.cell[0], start)) for sticker in placed}
    return any({seen(sticker, step) for sticker in tile} == there for step in sorted(steps))


class Touching:
    """Compares marks where tiles touch, and paint with the demands of the board."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        ground = instance.ground
        self._colour = dict(ground.colours)
        self._pairs = None if ground.fits is None else set(ground.fits)
        self._wanted = {self.place(cell, beyond): marks for (cell, beyond), marks in ground.border}
        self._mates: dict[str, set[str]] = {}
        for one, other in ground.mates:
            self._mates.setdefault(one, set()).add(other)
            self._mates.setdefault(other, set()).add(one)

    def error_in(self, solution: Sequence[Placement]) -> str | None:
        """A sentence about marks or colours that do not match in a tiling; None if all match."""
        met: dict[tuple[int, Point], tuple[str, str]] = {}
        for number, placement in enumerate(solution, 1):
            name = f"placement {number} ({placement.tile})"
            for cell, colour in placement.coat.colours:
                of_board = self._colour.get(cell)
                if of_board is not None and not self._accepts(colour, of_board):
                    return f"{name}: {cell} is {of_board} on the board, and {colour} on the tile"
            for (cell, beyond), mark in placement.coat.marks:
                place = self.place(cell, beyond)
                wanted = self._wanted.get(place)
                if wanted is not None and mark not in wanted:
                    return f"{name}: on the border at {cell} the mark is {mark}, not {' or '.join(wanted)}"
                if place in met and not self.may_meet(mark, met[place][1]):
                    return f"{name}: at {cell} its mark {mark} meets {met[place][1]} of {met[place][0]}"
                met.setdefault(place, (name, mark))
        return None

    def may_meet(self, mark: str, other: str) -> bool:
        """Whether two marks fit each other on a side."""
        return other in self._mates.get(mark, (mark,))

    def _accepts(self, colour: str, of_board: str) -> bool:
        return colour == of_board if self._pairs is None else (colour, of_board) in self._pairs

    def place(self, cell: Cell, beyond: Cell) -> tuple[int, Point]:
        """The place of a side, which is the same from both of its cells: the sum of its corners, and their number."""
        lattice = self._instance.lattice
        points = _common(lattice, cell, beyond)
        total = tuple(map(sum, zip(*points, strict=True)))
        return len(points), self._instance.wrap.times(lattice.fine * len(points)).reduce(total)


def _common(lattice: Lattice, cell: Cell, beyond: Cell) -> tuple[Point, ...]:
    """The corners that two cells share, in ascending order; KeyError if they share too few to have a side in common."""
    shared = set(corners.corners(lattice, cell)) & set(corners.corners(lattice, beyond))
    if len(shared) < lattice.shared or cell == beyond:
        raise KeyError(beyond)
    return tuple(sorted(shared))


def _turned(rows: Matrix, points: Iterable[Point]) -> tuple[Point, ...]:
    return tuple(sorted(corners.applied(rows, point) for point in points))


def at_origin(some: Iterable[Sticker]) -> Stickers:
    """Stickers moved so that the least coordinate of a corner along each axis is 0."""
    listed = list(some)
    low = [min(along) for along in zip(*{point for sticker in listed for point in sticker.cell}, strict=True)]

    def moved(points: tuple[Point, ...]) -> tuple[Point, ...]:
        return tuple([tuple(map(sub, point, low)) for point in points])

    return frozenset(Sticker(moved(sticker.cell), moved(sticker.side), sticker.text) for sticker in listed)
