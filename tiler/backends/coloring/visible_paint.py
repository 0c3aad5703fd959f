"""Look at what is painted on tiles, for the checker of proofs. The code shares nothing with the listing of placements or with
verify.py.

It is naive on purpose. Tiles are turned by their corners (corners.py), together with the cells beside them. An *end* of a side is
a cell of the board and the step to the cell on the other side. A side has two ends; a side on the border has one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from tiler.model import corners
from tiler.model.corners import Solid
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Lattice, Matrix
from tiler.model.paint import Coat, Paint

CellEnd = tuple[int, Cell]  #: the number of a cell, and the step to the cell on the other side


class PlacedLook(NamedTuple):
    """What is seen of a placement: the marks at its ends, and the colours of its cells; both sorted."""

    marks: tuple[tuple[CellEnd, str], ...] = ()
    colours: tuple[tuple[int, str], ...] = ()


class SolidCoat(NamedTuple):
    """The coat of a tile that was turned and moved: (cell, colour), and (cell, cell on the other side, mark); both sorted."""

    colours: tuple[tuple[Cell, str], ...] = ()
    marks: tuple[tuple[Cell, Cell, str], ...] = ()


Form = tuple[Solid, SolidCoat]


def forms_of(lattice: Lattice, shape: Collection[Cell], paint: Paint, reflections: bool, turning: bool = True) -> list[Form]:
    """The distinct ways to turn a painted tile, in the order of variants: by cells, then by colours and marks."""
    if not paint:
        return [(solid, SolidCoat()) for solid in corners.turned(lattice, frozenset(shape), reflections, turning)]
    found: dict[Form, tuple[list[Cell], SolidCoat]] = {}
    for rows in corners.rigid_motions(lattice, reflections, turning):
        # In the plane a tile that is turned over shows its back.
        coat = paint.back if lattice.dimension == 2 and corners.determinant(rows) < 0 else paint.front
        solid = [[corners.applied(rows, point) for point in corners.corners(lattice, cell)] for cell in shape]
        cells = [corners.centre(lattice, points) for points in solid]
        low = [min(along) // m * m for along, m in zip(zip(*cells, strict=True), lattice.moduli, strict=True)]
        there = sorted(tuple(a - b for a, b in zip(cell, low, strict=True)) for cell in cells)
        far = [lattice.fine * a for a in low]
        moved = tuple(sorted(tuple(sorted(tuple(a - b for a, b in zip(p, far, strict=True)) for p in cell)) for cell in solid))
        seen = _turned(lattice, coat, rows, low)
        found[moved, seen] = (there, seen)
    return sorted(found, key=found.__getitem__)


def _turned(lattice: Lattice, coat: Coat, rows: Matrix, low: Sequence[int]) -> SolidCoat:
    """The coat turned by a motion (`rows`), and then moved by -`low`."""

    def to(cell: Cell) -> Cell:
        points = corners.corners(lattice, (0,) * (lattice.dimension - len(cell)) + cell)
        centre = corners.centre(lattice, [corners.applied(rows, point) for point in points])
        return tuple(a - b for a, b in zip(centre, low, strict=True))

    colours = sorted((to(cell), colour) for cell, colour in coat.colours)
    marks = sorted((to(side.cell), to(side.beyond), mark) for side, mark in coat.marks)
    return SolidCoat(tuple(colours), tuple(marks))


class PaintedBoard:
    """What a board demands of the tiles on it."""

    def __init__(self, instance: Instance, number: Mapping[Cell, int]) -> None:
        self._lattice, self._wrap = instance.lattice, instance.wrap
        self._number = {instance.wrap.reduce(cell): i for cell, i in number.items()}
        self._mates: dict[str, set[str]] = {}
        for one, other in instance.ground.mates:
            self._mates.setdefault(one, set()).add(other)
            self._mates.setdefault(other, set()).add(one)
        self._colours = {number[cell]: colour for cell, colour in instance.ground.colours}
        self._fits = instance.ground.fits
        self._border = {self.end(cell, beyond): marks for (cell, beyond), marks in instance.ground.border}

    def mates(self, mark: str) -> Collection[str]:
        """The marks that may be at the other end of a side with this mark."""
        return self._mates.get(mark, (mark,))

    @property
    def is_paired(self) -> bool:
        """Whether each mark has one mate."""
        return all(len(mates) == 1 for mates in self._mates.values())

    def mate(self, mark: str) -> str:
        """The only mate of a mark, if marks are paired."""
        (only,) = self.mates(mark)
        return only

    def end(self, cell: Cell, beyond: Cell) -> CellEnd:
        """The end of a side at a cell of the board."""
        return self._number[self._wrap.reduce(cell)], tuple(b - a for a, b in zip(cell, beyond, strict=True))

    def ends(self, cell: Cell, beyond: Cell) -> tuple[CellEnd, CellEnd] | None:
        """Both ends of a side between two cells of the board that touch; None if there is none."""
        if {len(cell), len(beyond)} != {self._lattice.dimension}:
            return None
        if self._wrap.reduce(cell) not in self._number or beyond not in corners.around(self._lattice, cell):
            return None
        far = self.other_end(cell, beyond)
        return None if far is None else (self.end(cell, beyond), far)

    def other_end(self, cell: Cell, beyond: Cell) -> CellEnd | None:
        """The end of the side at `beyond`; None if that cell is not on the board."""
        return self.end(beyond, cell) if self._wrap.reduce(beyond) in self._number else None

    def seen(self, coat: SolidCoat, step: Sequence[int]) -> PlacedLook | None:
        """How a coat looks on the board after the tile is moved by `step`, in coordinates of corners; None if the board does not
        accept it there."""
        far = [a // self._lattice.fine for a in step]

        def moved(cell: Cell) -> Cell:
            return tuple(a + b for a, b in zip(cell, far, strict=True))

        colours = {self._number[self._wrap.reduce(moved(cell))]: colour for cell, colour in coat.colours}
        if not all(self._accepts(cell, colour) for cell, colour in colours.items()):
            return None
        sides = [(moved(cell), moved(beyond), mark) for cell, beyond, mark in coat.marks]
        marks = {self.end(cell, beyond): mark for cell, beyond, mark in sides}
        for cell, beyond, mark in sides:
            other = self.other_end(cell, beyond)
            if other is None and mark not in self._border.get(self.end(cell, beyond), (mark,)):
                return None
            if other is not None and other in marks and marks[other] not in self.mates(mark):
                return None  # The tile meets itself, and its marks do not fit.
        return PlacedLook(tuple(sorted(marks.items())), tuple(sorted(colours.items())))

    def _accepts(self, cell: int, colour: str) -> bool:
        board = self._colours.get(cell)
        if board is None:
            return True
        return colour == board if self._fits is None else (colour, board) in self._fits
