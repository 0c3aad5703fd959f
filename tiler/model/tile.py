"""Define tiles with their bounds, and placements of tiles on a board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from operator import sub
from typing import Any

from tiler.errors import InputError
from tiler.model import paint as painting
from tiler.model.lattice import Cell, Isometry, Lattice, Shape, box
from tiler.model.lattices import SQUARE, fitted, spread
from tiler.model.paint import BLANK, PLAIN, Coat, Paint

#: The largest board or tile, in cells of its bounding box. Dominoes on a board of half this size take 1.5 GB.
MAX_BOX = 4_000_000
#: The largest weight of a copy, positive or negative: so sums over a board are exact, in floating point too.
MAX_WEIGHT = 10**9 - 1


@dataclass(frozen=True)
class Tile:
    """A shape, and how many copies of it a tiling may (`at_most`, None: any number) and must (`at_least`) use.

    The shape is kept at the origin, and in the plane if it is flat and no mark is on a side to another layer: see
    `lattices.fitted`. The paint is moved with it.
    """

    name: str = field(compare=False)
    shape: Shape
    at_most: int | None = None
    at_least: int = 0
    weight: int = 0  #: the weight of each copy, if the heaviest tiling is asked for
    lattice: Lattice = SQUARE
    paint: Paint = PLAIN

    def __post_init__(self) -> None:
        fit = spread if self.paint.leaves_layer else fitted
        lattice, shape = check_shape(self.lattice, self.shape, f"tile {self.name}", fit)
        object.__setattr__(self, "shape", lattice.normalise(shape))
        object.__setattr__(self, "lattice", lattice)
        if self.paint:
            self._settle_paint(lattice.corner(shape))
        if self.at_least < 0 or (self.at_most is not None and self.at_most < max(1, self.at_least)):
            raise InputError(f"tile {self.name}: {self.at_least}..{self.at_most} is not a range of copies")
        if type(self.weight) is not int or abs(self.weight) > MAX_WEIGHT:
            raise InputError(f"tile {self.name} cannot weigh {self.weight}; a weight is a whole number, at most {MAX_WEIGHT:,}")

    def _settle_paint(self, corner: Cell) -> None:
        """Move the paint with the shape, so that it stays on the same cells."""

        def settled(cell: Cell) -> Cell:
            return tuple(map(sub, cell[len(cell) - len(corner) :], corner))

        paint = self.paint.carried(settled)
        if paint.front != paint.back and len(corner) == 3:
            raise InputError(f"tile {self.name} looks different from behind, but in space a tile has no back")
        wrong = painting.error_in(self.lattice, self.shape, paint)
        if wrong:
            raise InputError(f"tile {self.name}: {wrong}")
        object.__setattr__(self, "paint", paint)

    def carried(self, lattice: Lattice, turn: Isometry, name: str) -> Tile:
        """Its image with another name on a lattice: its own, or the one in space whose layers are its own."""
        lifted = self.paint.carried(lambda cell: painting.lifted(cell, lattice.dimension))
        shape = turn.image(lattice.lift(self.shape))
        return replace(self, name=name, shape=shape, lattice=lattice, paint=lifted.carried(turn))

    @property
    def size(self) -> int:
        """The number of cells of the tile."""
        return len(self.shape)

    @property
    def is_connected(self) -> bool:
        """Whether the tile is in one piece."""
        return self.lattice.is_connected(self.shape)


@dataclass(frozen=True)
class Placement:
    """A tile lying on the board, as answers show it: the tile's name, the cells it covers, and its visible paint.

    Sides with marks begin at a cell of the board, also where the tile lies across a seam.
    """

    tile: str
    cells: Shape
    coat: Coat = BLANK

    def to_json(self) -> dict[str, Any]:
        """The form in which Tiler writes it, ready for `json.dumps`; `formats.tilings.placement` reads it."""
        return {"tile": self.tile, "cells": sorted(self.cells), **self.coat.to_json()}


Placements = tuple[Placement, ...]  #: the pieces of a tiling


def check_shape(
    lattice: Lattice, shape: Shape, what: str, fit: Callable[[Lattice, Shape], tuple[Lattice, Shape]] = fitted
) -> tuple[Lattice, Shape]:
    """The shape, and the lattice that it really is of (see `lattices.fitted` and `spread`).

    Refuse an empty shape, cells of mixed dimension, those that are none of the lattice, and a shape whose box is over `MAX_BOX`.
    """
    if not shape:
        raise InputError(f"{what} has no cell")
    if {*map(len, shape)} not in ({2}, {3}):
        raise InputError(f"{what} has cells of mixed dimension; all must be (row, column) or all (layer, row, column)")
    low, high = box(shape)
    check_box([b - a + 1 for a, b in zip(low, high, strict=True)], what)
    lattice, shape = fit(lattice, shape)
    if not lattice.holds(shape):
        wrong = min(cell for cell in shape if not lattice.holds([cell]))
        raise InputError(f"{what}: {wrong} is not a cell of the {lattice} lattice")
    return lattice, shape


def check_box(sides: Sequence[int], what: str) -> None:
    """Refuse a bounding box of more than `MAX_BOX` cells, before anything of its size is made."""
    if prod(sides) > MAX_BOX:
        raise InputError(f"{what} is too large: {'x'.join(map(str, reversed(sides)))}; the limit is {MAX_BOX:,} cells")
