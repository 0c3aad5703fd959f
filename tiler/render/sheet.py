"""A sheet of shapes with their names.

Plane shapes lie as they are given. Polycubes are seen from above and the front, each turned so that as many of its cells are seen
as can be; what these hide all the same, the layers that `tiler shapes` prints tell.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise

from tiler.model.lattice import Cell, Lattice, Shape, dimension
from tiler.model.lattices import CUBIC, SQUARE
from tiler.render import colours, drawing, pages, scene
from tiler.render.scene import SIDE, Page, Panel, Words

MOST = 5000  #: shapes on a sheet
_GAP = 0.9 * SIDE  #: between shapes
_LABEL = 0.9 * SIDE  #: the height of a name
_FONT = 0.7 * SIDE  #: the size of its letters


def page(shapes: Mapping[str, Shape], lattice: Lattice | None = None) -> Page:
    """The sheet; shapes of squares and cubes, if no lattice is named. Each shape is a panel called by its name."""
    panels = []
    for number, (name, shape) in enumerate(shapes.items()):
        on = lattice or (SQUARE if dimension(shape) == 2 else CUBIC)
        turned = _turned(shape) if on is CUBIC else shape
        panels.append(_named(drawing.of_shape(on, turned, colours.fill(number % len(colours.PALETTE)), name)))
    return _laid_out(panels)


def _named(panel: Panel) -> Panel:
    """The panel with its name below it, no narrower than that."""
    wide = max(panel.width, pages.LETTER * _FONT * len(panel.heading))
    right = (wide - panel.width) / 2
    name = Words((wide / 2, panel.height + 0.75 * _LABEL), panel.heading, _FONT, centred=True)
    marks = [*(scene.moved(mark, right, 0.0) for mark in panel.marks), name]
    return Panel(panel.heading, wide, panel.height + _LABEL, marks, kind="shape")


def _laid_out(panels: Sequence[Panel]) -> Page:
    """Panels in rows, from left to right and from the top, on a sheet of some 3 by 2; those of a row stand upon one line."""
    total = sum((panel.width + _GAP) * (panel.height + _GAP) for panel in panels)
    limit = max([*(panel.width for panel in panels), math.sqrt(1.5 * total)])
    rows: list[list[Panel]] = [[]]
    used = 0.0
    for panel in panels:
        if rows[-1] and used + panel.width > limit:
            rows.append([])
            used = 0.0
        rows[-1].append(panel)
        used += panel.width + _GAP
    placed, widest, y = [], 0.0, _GAP
    for row in rows:
        x, high = _GAP, max(panel.height for panel in row)
        for panel in row:
            placed.append((panel, (x, y + high - panel.height)))
            x += panel.width + _GAP
        widest, y = max(widest, x), y + high + _GAP
    return Page(widest, y, placed, is_sheet=True)


@cache
def _turned(shape: Shape) -> Shape:
    """The turned image of which most cells are seen, and of those the one that shows most."""

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
