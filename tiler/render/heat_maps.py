"""Draw heat maps: a panel for every tile. The more tilings cover a cell with the tile, the darker is the cell. Heat maps are
tables for terminals, SVG for documents, PNG or PDF for other uses. All panels share one scale, drawn below them.
Of calendars cells have their numbers, and the scale is one of ratios: a few easy dates would make all others look alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import NamedTuple

from tiler import printable
from tiler.model.lattice import Cell, Lattice
from tiler.render import cells, lettering, pages, scene
from tiler.render import svg as documents
from tiler.render import table as tables
from tiler.render.cell_outlines import Spot
from tiler.render.colours import of_parts
from tiler.render.lettering import Word
from tiler.render.scene import INK, THIN, Label, Mark, Page, Panel, Patch

_SCALE_STEPS = 60
_SCALE_WIDTH = 180
_FIRST = 0.06  #: where on a scale of ratios the least number of tilings is
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
    numbered: frozenset[Cell] = frozenset()  #: cells with their numbers in them; the scale is then that of ratios, not of shares
    caption: str = ""  #: a line below the scale

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
    scale = _Scale.of(heat)
    shapes = cells.side_by_side(heat.lattice, heat.cells)
    panels = []
    for t, title in enumerate(heat.titles):
        marks: list[Mark] = []
        for cell, shape, row in zip(heat.cells, shapes, heat.counts, strict=True):
            said = f"{title} at {','.join(map(str, cell))}: {row[t]:,} of {heat.total:,} tilings"
            marks.append(Patch([shape], scale.colour(row[t]), THIN, _LINE, title=said))
        marks += _labels(heat, shapes, [row[t] for row in heat.counts], scale)
        panels.append(scene.fitted(title, marks))
    below = pages.side_by_side([_drawn(scale, heat)], headed=False)
    return pages.stacked(pages.side_by_side(panels)._replace(is_sheet=True), below)


class _Scale(NamedTuple):
    """From which count to which the colours run. `least` is 0 for shares of the tilings; else equal ratios are equal steps, and
    the first colour is for no tilings alone."""

    least: int
    most: int

    @classmethod
    def of(cls, heat: Heat) -> _Scale:
        counts = [count for cell, row in zip(heat.cells, heat.counts, strict=True) for count in row]
        asked = [
            count for cell, row in zip(heat.cells, heat.counts, strict=True) if cell in heat.numbered for count in row if count
        ]
        return cls(min(asked, default=0), max(counts, default=0))

    def share(self, count: int) -> float:
        """How far along the scale a count is, from 0 to 1."""
        if not count or not self.most:
            return 0.0
        if not self.least:
            # Thousandths are computed first, since a quotient of large integers may not fit into a float.
            return 1000 * count // self.most / 1000
        return _FIRST + (1 - _FIRST) * (log(count / self.least) / log(self.most / self.least) if self.most > self.least else 1.0)

    def colour(self, count: int) -> str:
        return _colour(self.share(count))


def _labels(heat: Heat, shapes: Sequence[Sequence[Spot]], counts: Sequence[int], scale: _Scale) -> list[Mark]:
    """The labels of cells, each in the middle of its cell, or above its number; they are white on dark cells."""
    upper, lower = [], []
    for cell, label, shape, count in zip(heat.cells, heat.labels or [""] * len(shapes), shapes, counts, strict=True):
        ink = "#ffffff" if 5 * scale.share(count) > 3 else INK
        is_numbered = cell in heat.numbered
        if label:
            upper.append(Word(printable.line(label), [_half(shape, 0) if is_numbered else shape], ink))
        if is_numbered:
            lower.append(Word(f"{count:,}", [_half(shape, 1) if label else shape], ink))
    return [*lettering.written(upper, _LETTER), *lettering.written(lower, _LETTER)]


def _half(shape: Sequence[Spot], which: int) -> list[Spot]:
    """The upper (0) or lower (1) half of the box around a cell."""
    (left, top), (right, low) = map(min, zip(*shape, strict=True)), map(max, zip(*shape, strict=True))
    middle = (top + low) / 2
    top, low = (top, middle) if which == 0 else (middle, low)
    return [(left, top), (right, top), (right, low), (left, low)]


def _drawn(scale: _Scale, heat: Heat) -> Panel:
    """The scale of colours, with its least and its largest value at its ends; then the caption."""
    step = _SCALE_WIDTH / _SCALE_STEPS
    marks: list[Mark] = []
    for i in range(_SCALE_STEPS):
        left, right = i * step, (i + 1) * step + 0.3
        first = _FIRST if scale.least else 0.0
        colour = _colour(first + (1 - first) * i / (_SCALE_STEPS - 1))
        marks.append(Patch([[(left, 10), (right, 10), (right, 20), (left, 20)]], colour))
    share = 1000 * scale.most // heat.total / 1000 if heat.total else 0.0
    ends = (f"{scale.least:,}", f"{scale.most:,}", "tilings") if scale.least else ("0%", f"{share:.0%}", "of the tilings")
    marks += [Label((0, 34), ends[0], 12), Label((_SCALE_WIDTH, 34), ends[1], 12, centred=True)]
    marks += [Label((_SCALE_WIDTH + 8, 19.5), ends[2], 12), *([Label((0, 56), heat.caption, 12)] if heat.caption else [])]
    wide = max(_SCALE_WIDTH + 110, pages.LETTER * 12 * len(heat.caption))
    return Panel("", wide, 60 if heat.caption else 38, marks)


def _colour(share: float) -> str:
    """The colour `#rrggbb` at a share of the scale, from 0 to 1."""
    at = share * (len(_COLOURS) - 1)
    low = min(int(at), len(_COLOURS) - 2)
    return of_parts(round(a + (b - a) * (at - low)) for a, b in zip(_COLOURS[low], _COLOURS[low + 1], strict=True))
