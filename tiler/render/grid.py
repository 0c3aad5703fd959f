"""A tiling as layers of rows of numbers, and which placements touch: what every picture starts from.

How the numbers are shown is up to text.py and svg.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from tiler.geometry import Cell, Shape, box, lift, neighbours
from tiler.instance import Placement

UNCOVERED = -1  #: a cell of the board under no placement
OUTSIDE = -2  #: not on the board
HOLE = -3  #: not on the board, but enclosed by it within its layer

#: One entry per cell of the board's bounding box, row by row: the number of the placement there, or one of the above.
Layer = list[list[int]]


def layers(board: Shape, solution: Sequence[Placement]) -> list[Layer]:
    """The board's bounding box, a board in the plane as one layer. Cells of placements off the board are left out."""
    solid = lift(board, 3)
    low, high = box(solid)
    depth, height, width = (b - a + 1 for a, b in zip(low, high, strict=True))
    grid = [[[OUTSIDE] * width for _ in range(height)] for _ in range(depth)]
    for z, y, x in solid:
        grid[z - low[0]][y - low[1]][x - low[2]] = UNCOVERED
    for number, placement in enumerate(solution):
        for cell in lift(placement.cells, 3):
            if cell in solid:
                z, y, x = cell
                grid[z - low[0]][y - low[1]][x - low[2]] = number
    for layer in grid:
        _mark_holes(layer)
    return grid


def headings(board: Shape) -> list[str]:
    """What the layers of a board in space are called in pictures: by their coordinate, as cells are in files and messages."""
    low, high = box(lift(board, 3))
    return [f"layer {z}" for z in range(low[0], high[0] + 1)]


def touching(solution: Sequence[Placement]) -> list[list[int]]:
    """For every placement the numbers of those that share a side with it, across layers too, in ascending order."""
    owner = {cell: number for number, placement in enumerate(solution) for cell in placement.cells}
    found: list[set[int]] = [set() for _ in solution]
    for cell, number in owner.items():
        for other in neighbours(cell):
            if owner.get(other, number) != number:
                found[number].add(owner[other])
    return [sorted(others) for others in found]


def order(solution: Sequence[Placement], around: Sequence[Sequence[int]]) -> list[int]:
    """The placements with the most neighbours first, then by least cell: a good order for colouring them greedily.

    It does not depend on the order in which the solution lists them.
    """
    least: list[Cell] = [min(placement.cells) for placement in solution]
    return sorted(range(len(solution)), key=lambda number: (-len(around[number]), least[number]))


def _mark_holes(layer: Layer) -> None:
    """Turn what no path over cells outside the board joins to the rim of the layer from OUTSIDE to HOLE."""
    height, width = len(layer), len(layer[0])
    outside: set[Cell] = {(y, x) for y, row in enumerate(layer) for x, entry in enumerate(row) if entry == OUTSIDE}
    reached = [cell for cell in outside if cell[0] in (0, height - 1) or cell[1] in (0, width - 1)]
    left = outside.difference(reached)
    for cell in reached:
        for other in neighbours(cell):
            if other in left:
                left.remove(other)
                reached.append(other)
    for y, x in left:
        layer[y][x] = HOLE
