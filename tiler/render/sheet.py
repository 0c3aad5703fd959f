"""Draw a sheet of shapes with their names. Plane shapes lie as they are given. Polycubes are seen from above and the front, each
turned so that as many of its cells as possible are seen; the layers that `tiler shapes` prints show the hidden cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise

from tiler.model.lattice import Cell, Lattice, Shape, dimension
from tiler.model.lattices import CUBIC, SQUARE
from tiler.render import colours, drawing, pages
from tiler.render.scene import Page

MOST = 5000  #: shapes on a sheet


def page(shapes: Mapping[str, Shape], lattice: Lattice | None = None) -> Page:
    """The sheet; shapes of squares and cubes, if no lattice is named. Each shape is a panel called by its name."""
    panels = []
    for number, (name, shape) in enumerate(shapes.items()):
        on = lattice or (SQUARE if dimension(shape) == 2 else CUBIC)
        turned = _turned(shape) if on is CUBIC else shape
        panels.append(drawing.of_shape(on, turned, colours.fill(number % len(colours.PALETTE)), name))
    return pages.in_rows(panels)


@cache
def _turned(shape: Shape) -> Shape:
    """The turned image with the most visible cells, and among equals the one that shows most."""

    def shown(image: Shape) -> tuple[int, int, list[Cell]]:
        seen = dict(_in_front(image))
        return len(set(seen.values())), len(seen), sorted(image)

    return max(CUBIC.variants(shape, reflections=False), key=shown)


# The corners round a cell as it is seen, from above and with the clock: steps across and half steps down from its middle.
_ROUND = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))


def _in_front(cells: Shape) -> Iterator[tuple[tuple[int, int], Cell]]:
    """Every triangle that half a side of a cell takes in the view, by the sum of its corners, with the cell, what lies in front
    last. A cell is seen as six of them, which others in front of it may take as well."""
    for cell in sorted(cells, key=sum):
        z, i, j = cell
        for (a, b), (c, d) in pairwise([*_ROUND, _ROUND[0]]):
            yield (3 * (j - i) + a + c, 3 * (i + j - 2 * z) + b + d), cell
