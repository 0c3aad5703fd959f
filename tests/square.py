"""What a lattice knows of shapes, for those of the square and the cubic one, told apart by the numbers of a cell."""

from __future__ import annotations

from collections.abc import Iterable

from tiler.model.lattice import Cell, Isometry, Lattice, Shape
from tiler.model.lattices import CUBIC, SQUARE, fitted


def lattice_of(cells: Iterable[Cell]) -> Lattice:
    return CUBIC if any(len(cell) == 3 for cell in cells) else SQUARE


def isometries(dimension: int, reflections: bool) -> tuple[Isometry, ...]:
    return (CUBIC if dimension == 3 else SQUARE).isometries(reflections)


def neighbours(cell: Cell) -> list[Cell]:
    return lattice_of([cell]).neighbours(cell)


def normalise(shape: Shape) -> Shape:
    return lattice_of(shape).normalise(shape)


def variants(shape: Shape, reflections: bool) -> tuple[Shape, ...]:
    return lattice_of(shape).variants(shape, reflections)


def canonical(shape: Shape, reflections: bool) -> Shape:
    return lattice_of(shape).canonical(shape, reflections)


def components(shape: Shape) -> list[Shape]:
    return lattice_of(shape).components(shape)


def is_connected(shape: Shape) -> bool:
    return lattice_of(shape).is_connected(shape)


def flatten(shape: Shape) -> Shape:
    return fitted(SQUARE, shape)[1]


def lift(shape: Shape, dimension: int) -> Shape:
    return (CUBIC if dimension == 3 else SQUARE).lift(shape)
