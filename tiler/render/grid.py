"""Turn a tiling into rows of numbers, layer by layer, for pictures in text; find the placements that touch, for the choice of
colours and letters."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from tiler.model.lattice import Cell, Lattice, Shape, box
from tiler.model.lattices import CUBIC
from tiler.model.tile import Placement
from tiler.model.wrap import FLAT, Wrap

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

UNCOVERED = -1  #: a cell of the board under no placement
OUTSIDE = -2  #: not on the board
HOLE = -3  #: not on the board, but enclosed by it within its layer

#: One entry per cell of the board's bounding box, row by row: the number of the placement there, or one of the above.
Raster = list[list[int]]


def layers(board: Shape, solution: Sequence[Placement]) -> list[Raster]:
    """A raster for each layer of the board's bounding box; a board in the plane is one layer. Cells of placements that lie off
    the board are left out."""
    import numpy as np

    cells = _in_space(list(board))
    low = cells.min(0)
    sides = cells.max(0) - low + 1
    grid = np.full(sides, OUTSIDE, np.int64)
    grid[tuple((cells - low).T)] = UNCOVERED
    if solution:
        covered, owner = _owners(solution)
        covered -= low
        inside = ((covered >= 0) & (covered < sides)).all(1)
        covered, owner = covered[inside], owner[inside]
        is_inside = grid[tuple(covered.T)] != OUTSIDE
        grid[tuple(covered[is_inside].T)] = owner[is_inside]
    for layer in grid:
        _mark_holes(layer)
    rasters: list[Raster] = grid.tolist()
    return rasters


def _owners(solution: Sequence[Placement]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The cells of all placements, shape (cells, 3), and for each cell the number of its placement, shape (cells,)."""

    from tiler import portable

    cells = list(chain.from_iterable([placement.cells for placement in solution]))
    return _in_space(cells), portable.repeat(portable.arange(len(solution)), [len(placement.cells) for placement in solution])


def _in_space(cells: Sequence[Cell]) -> NDArray[np.int64]:
    """Cells as an array of shape (cells, 3): layer, row and column; the layer of a cell in the plane is 0."""
    import numpy as np

    if any(len(cell) == 3 for cell in cells):
        cells = [(0, *cell)[-3:] for cell in cells]
    dimension = len(cells[0]) if cells else 3
    flat = np.fromiter(chain.from_iterable(cells), np.int64, dimension * len(cells)).reshape(-1, dimension)
    return np.pad(flat, ((0, 0), (3 - dimension, 0)))


def headings(board: Shape) -> list[str]:
    """The headings of the layers of a board in space, by their coordinate, as in files and messages."""
    low, high = box(CUBIC.lift(board))
    return [f"layer {z}" for z in range(low[0], high[0] + 1)]


def touching(lattice: Lattice, solution: Sequence[Placement], wrap: Wrap = FLAT) -> list[list[int]]:
    """For every placement the numbers of the placements that share a side with it, also across layers, in ascending order."""
    import numpy as np

    from tiler import portable
    from tiler.model.cell_numbers import CellNumbers, coordinates

    if not solution:
        return []
    if wrap:
        return _touching_across_seams(lattice, solution, wrap)
    cells = coordinates(list(chain.from_iterable([placement.cells for placement in solution])))
    owner = portable.repeat(portable.arange(len(solution)), [len(placement.cells) for placement in solution])
    grid = CellNumbers.of(lattice, cells, lattice.reach)
    code = grid.number(cells)
    by_code = np.argsort(code, kind="stable")
    code, owner = code[by_code], owner[by_code]
    last = np.append(code[1:] != code[:-1], True)  # Where placements overlap, the last one counts.
    code, owner = code[last], owner[last]
    pairs = []
    for kind, steps in enumerate(grid.steps()):
        mine = portable.arange(len(code)) if lattice.kinds == 1 else np.flatnonzero(code % lattice.kinds == kind)
        for step in steps[steps > 0]:
            at = np.minimum(np.searchsorted(code, code[mine] + step), len(code) - 1)
            there = code[at] == code[mine] + step
            one, two = owner[mine[there]], owner[at[there]]
            pairs += [one * len(solution) + two, two * len(solution) + one]
    pair = np.sort(np.concatenate(pairs))
    one, two = np.divmod(pair[np.diff(pair, prepend=-1) > 0], len(solution))
    one, two = one[one != two], two[one != two]
    ends, others = portable.cumsum(portable.bincount(one, minlength=len(solution))).tolist(), two.tolist()
    return [others[start:end] for start, end in pairwise([0, *ends])]


def _touching_across_seams(lattice: Lattice, solution: Sequence[Placement], wrap: Wrap) -> list[list[int]]:
    owner = {wrap.reduce(cell): number for number, placement in enumerate(solution) for cell in placement.cells}
    around: list[set[int]] = [set() for _ in solution]
    for cell, number in owner.items():
        around[number] |= {owner.get(wrap.reduce(other), number) for other in lattice.neighbours(cell)} - {number}
    return [sorted(others) for others in around]


def order(solution: Sequence[Placement], around: Sequence[Sequence[int]]) -> list[int]:
    """The numbers of the placements, those with the most neighbours first, then by least cell: a good order for greedy colouring.

    The order does not depend on the order in which the solution lists them.
    """
    least: list[Cell] = [min(placement.cells) for placement in solution]
    by_cell = sorted(range(len(solution)), key=least.__getitem__)
    return sorted(by_cell, key=lambda number: -len(around[number]))


def _mark_holes(layer: NDArray[np.int64]) -> None:
    """Change OUTSIDE to HOLE in cells that no path over cells outside the board joins to the rim of the layer."""
    import numpy as np

    if not (layer == OUTSIDE).any():
        return
    # The layer gets a rim of cells around it, where the paths start.
    wide = layer.shape[1] + 2
    left = bytearray(np.pad(layer == OUTSIDE, 1, constant_values=True).astype(np.uint8))
    reached = [0]
    left[0] = 0
    for place in reached:
        for other in (place - wide, place - 1, place + 1, place + wide):
            if 0 <= other < len(left) and left[other]:
                left[other] = 0
                reached.append(other)
    layer[np.frombuffer(left, np.bool_).reshape(-1, wide)[1:-1, 1:-1]] = HOLE
