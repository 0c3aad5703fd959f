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
    """The sheet, with a panel for each shape, headed by its name. Without a lattice, shapes consist of squares or cubes."""
    panels = []
    for number, (name, shape) in enumerate(shapes.items()):
        on = lattice or (SQUARE if dimension(shape) == 2 else CUBIC)
        turned = _turned(shape) if on is CUBIC else shape
        panels.append(drawing.of_shape(on, turned, colours.fill(number % len(colours.PALETTE)), name))
    return pages.in_rows(panels)


@cache
def _turned(shape: Shape) -> Shape:
    """The rotated image of a polycube with the most visible cells; of several, the one with the largest visible area."""

    def shown(image: Shape) -> tuple[int, int, list[Cell]]:
        seen = dict(_in_front(image))
        return len(set(seen.values())), len(seen), sorted(image)

    return max(CUBIC.variants(shape, reflections=False), key=shown)


# The corners of a cell in the view, clockwise from the top: steps across and half steps down from its middle.
_ROUND = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))


def _in_front(cells: Shape) -> Iterator[tuple[tuple[int, int], Cell]]:
    """The triangles that cells take in the view, each as a key and its cell; cells in front come last. A cell takes six of them,
    two for each of three faces. Triangles at the same place have the same key, so that the last cell of a key is the
    visible one."""
    for cell in sorted(cells, key=sum):
        z, i, j = cell
        for (a, b), (c, d) in pairwise([*_ROUND, _ROUND[0]]):
            yield (3 * (j - i) + a + c, 3 * (i + j - 2 * z) + b + d), cell
