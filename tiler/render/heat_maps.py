"""Draw heat maps: a panel for every tile. The more tilings cover a cell with the tile, the darker is the cell. Heat maps are
tables for terminals, SVG for documents, PNG or PDF for other uses. All panels share one scale, drawn below them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tiler import printable
from tiler.model.lattice import Cell, Lattice
from tiler.render import cells, lettering, pages, scene
from tiler.render import svg as documents
from tiler.render import table as tables
from tiler.render.lettering import Word
from tiler.render.scene import INK, THIN, Label, Mark, Page, Panel, Patch

_SCALE_STEPS = 60
_SCALE_WIDTH = 180
_LINE = "#9a9a9a"
_LETTER = 8.0  # of labels, at most
#: Colours from no tilings to the most, darker and darker, so that they can be read in grey too.
_COLOURS = ((255, 250, 240), (253, 212, 158), (252, 141, 89), (215, 48, 31), (110, 0, 10))


@dataclass(frozen=True)
class Heat:
    """The number of tilings in which each cell is covered by each tile."""

    lattice: Lattice
    cells: tuple[Cell, ...]
    tiles: tuple[str, ...]  #: the names of the tiles; "" stands for no tile, on a cell that may stay open
    counts: tuple[tuple[int, ...], ...]  #: for each cell, and then for each tile
    total: int  #: the number of tilings
    labels: tuple[str, ...] = ()  #: the labels of the cells, drawn in them; "" for a cell without a label

    @property
    def titles(self) -> tuple[str, ...]:
        """The names of the tiles as they are shown. Cells that stay open have `uncovered`, in brackets if a tile is called so."""
        names, uncovered = tuple(map(printable.line, self.tiles)), "uncovered"
        while uncovered in names:
            uncovered = f"({uncovered})"
        return tuple(name or uncovered for name in names)


def table(heat: Heat) -> str:
    """One line for each cell, one column for each tile.

    >>> from tiler.model.lattices import SQUARE
    >>> print(table(Heat(SQUARE, ((0, 0), (0, 1)), ("1", "2"), ((1, 1), (1, 1)), 2)))
    cell  1  2
    0,0   1  1
    0,1   1  1

    Cells that stay open have a column of their own, whatever the tiles are called:

    >>> Heat(SQUARE, (), ("2", "uncovered", ""), (), 0).titles
    ('2', 'uncovered', '(uncovered)')
    """
    names = (",".join(map(str, cell)) for cell in heat.cells)
    rows = ((name, *map(str, row)) for name, row in zip(names, heat.counts, strict=True))
    return tables.draw(rows, ("cell", *heat.titles))


def svg(heat: Heat, title: str = "") -> str:
    """A standalone SVG document, which shows the count of a cell on hovering."""
    return documents.of_page(_page(heat), title or "tilings by cell and tile")


def image(heat: Heat, form: str = "png") -> bytes:
    """The heat maps as a PNG or a PDF."""
    from tiler.render import image as images

    return images.of_page(_page(heat), "tilings by cell and tile", form)


def _page(heat: Heat) -> Page:
    """A panel for every tile, side by side in a frame of about 3 by 2, then the scale."""
    most = max((count for row in heat.counts for count in row), default=0)
    shapes = cells.side_by_side(heat.lattice, heat.cells)
    panels = []
    for t, title in enumerate(heat.titles):
        marks: list[Mark] = []
        for cell, shape, row in zip(heat.cells, shapes, heat.counts, strict=True):
            said = f"{title} at {','.join(map(str, cell))}: {row[t]:,} of {heat.total:,} tilings"
            marks.append(Patch([shape], _colour(row[t], most), THIN, _LINE, title=said))
        marks += _labels(heat, shapes, [row[t] for row in heat.counts], most)
        panels.append(scene.fitted(title, marks))
    share = 1000 * most // heat.total / 1000 if heat.total else 0.0
    scale = pages.side_by_side([_scale(f"{share:.0%} of the tilings")], headed=False)
    return pages.stacked(pages.side_by_side(panels)._replace(is_sheet=True), scale)


def _labels(heat: Heat, shapes: Sequence[Sequence[tuple[float, float]]], counts: Sequence[int], most: int) -> list[Mark]:
    """The labels of cells, each in the middle of its cell; they are white on dark cells."""
    named = [(label, shape, count) for label, shape, count in zip(heat.labels, shapes, counts, strict=False) if label]
    inks = ("#ffffff" if 5 * count > 3 * most else INK for _, _, count in named)
    said = [Word(printable.line(label), [shape], ink) for (label, shape, _), ink in zip(named, inks, strict=True)]
    return [*lettering.written(said, _LETTER)]


def _scale(most: str) -> Panel:
    """The scale of colours, from 0% to the largest share, which is given as text."""
    step = _SCALE_WIDTH / _SCALE_STEPS
    marks: list[Mark] = []
    for i in range(_SCALE_STEPS):
        left, right = i * step, (i + 1) * step + 0.3
        marks.append(Patch([[(left, 10), (right, 10), (right, 20), (left, 20)]], _colour(i, _SCALE_STEPS - 1)))
    marks += [Label((0, 34), "0%", 12), Label((_SCALE_WIDTH - 24, 34), most, 12)]
    return Panel("", _SCALE_WIDTH + 110, 38, marks)


def _colour(count: int, most: int) -> str:
    """The colour `#rrggbb` of a count: the first colour for 0, the last for `most`. Counts may have any size."""
    if not most:
        return _hex(_COLOURS[0])
    # Thousandths are computed first, since a quotient of large integers may not fit into a float.
    at = (1000 * count // most) / 1000 * (len(_COLOURS) - 1)
    low = min(int(at), len(_COLOURS) - 2)
    return _hex(tuple(round(a + (b - a) * (at - low)) for a, b in zip(_COLOURS[low], _COLOURS[low + 1], strict=True)))


def _hex(colour: Sequence[int]) -> str:
    return "#" + "".join(f"{part:02x}" for part in colour)
