"""Heat maps: for every tile the board, each cell the darker the more tilings cover it with that tile.

As a table for terminals, as SVG for documents, as PNG or PDF for anything else. All panels share one scale, drawn below them.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tiler import printable
from tiler.model.lattice import Cell, Lattice
from tiler.render import svg_elements as xml
from tiler.render import table as tables
from tiler.render.drawing import cell_shapes
from tiler.render.svg_elements import INK, element, opened

_MARGIN = 8
_GAP = 24  #: between panels
_CAPTION = 20  #: height of the name above a panel
_SCALE_STEPS = 60
_SCALE_WIDTH = 180
_LINE = "#9a9a9a"
#: From none to the most, darker and darker, so that it reads in grey too.
_COLOURS = ((255, 250, 240), (253, 212, 158), (252, 141, 89), (215, 48, 31), (110, 0, 10))


@dataclass(frozen=True)
class Heat:
    """In how many tilings each cell is covered by each tile."""

    lattice: Lattice
    cells: tuple[Cell, ...]
    tiles: tuple[str, ...]  #: names; "" is no tile at all, on a cell that may stay uncovered
    counts: tuple[tuple[int, ...], ...]  #: by cell, then by tile
    total: int  #: the number of tilings, which the counts of each cell add up to

    @property
    def titles(self) -> tuple[str, ...]:
        """The names of the tiles as they are shown."""
        return tuple(printable.line(name) or "uncovered" for name in self.tiles)


def table(heat: Heat) -> str:
    """One line for each cell, one column for each tile.

    >>> from tiler.model.lattices import SQUARE
    >>> print(table(Heat(SQUARE, ((0, 0), (0, 1)), ("1", "2"), ((1, 1), (1, 1)), 2)))
    cell  1  2
    0,0   1  1
    0,1   1  1
    """
    names = (",".join(map(str, cell)) for cell in heat.cells)
    rows = ((name, *map(str, row)) for name, row in zip(names, heat.counts, strict=True))
    return tables.draw(rows, ("cell", *heat.titles))


class _Cell(NamedTuple):
    corners: list[tuple[float, float]]
    colour: str
    title: str


class _Text(NamedTuple):
    x: float
    y: float  # of the base line
    text: str


class _Picture(NamedTuple):
    width: float
    height: float
    cells: list[_Cell]
    scale: list[tuple[float, float, float, str]]  # x, y, width, colour
    texts: list[_Text]


def svg(heat: Heat, title: str = "") -> str:
    """A standalone document; a cell tells its count on hovering."""
    picture = _layout(heat)
    parts = [
        opened("g", stroke=_LINE, stroke_width=0.6),
        *(element("path", xml.titled(c.title), d=xml.outline([c.corners]), fill=c.colour) for c in picture.cells),
        "</g>",
        *(element("rect", x=x, y=y, width=width + 0.3, height=10, fill=colour) for x, y, width, colour in picture.scale),
        *(xml.text(each.text, 12, x=each.x, y=each.y) for each in picture.texts),
    ]
    return xml.document(picture.width, picture.height, title or "tilings by cell and tile", parts)


def image(heat: Heat, form: str = "png") -> bytes:
    """The same as a PNG of two pixels per unit, or as a PDF."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.collections import PatchCollection
    from matplotlib.figure import Figure
    from matplotlib.patches import Polygon, Rectangle

    picture = _layout(heat)
    figure = Figure(figsize=(picture.width / 72, picture.height / 72), dpi=144)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, picture.width)
    axes.set_ylim(picture.height, 0)
    axes.set_axis_off()
    cells = [Polygon(each.corners) for each in picture.cells]
    colours = [each.colour for each in picture.cells]
    axes.add_collection(PatchCollection(cells, facecolors=colours, edgecolors=_LINE, linewidths=0.6))
    steps = [Rectangle((x, y), width + 0.3, 10) for x, y, width, _ in picture.scale]
    axes.add_collection(PatchCollection(steps, facecolors=[colour for *_, colour in picture.scale], linewidths=0))
    for text in picture.texts:
        axes.text(text.x, text.y, text.text, fontsize=12, color=INK, parse_math=False)
    stream = io.BytesIO()
    figure.savefig(stream, format=form, metadata={"CreationDate": None} if form == "pdf" else None)
    return stream.getvalue()


def _layout(heat: Heat) -> _Picture:
    """A panel for every tile, side by side in a frame of about 3 by 2, then the scale."""
    shapes, wide, high = cell_shapes(heat.lattice, heat.cells)
    panels = len(heat.tiles)
    abreast = xml.abreast(panels, wide + _GAP, high + _CAPTION + _GAP)
    captions = max((len(title) for title in heat.titles), default=0) * 7
    wide = max(wide, captions)
    most = max((count for row in heat.counts for count in row), default=0)
    cells, texts = [], []
    for t, title in enumerate(heat.titles):
        left = _MARGIN + t % abreast * (wide + _GAP)
        top = _MARGIN + t // abreast * (high + _CAPTION + _GAP) + _CAPTION
        texts.append(_Text(left, top - 6, title))
        for cell, shape, row in zip(heat.cells, shapes, heat.counts, strict=True):
            where = ",".join(map(str, cell))
            said = f"{title} at {where}: {row[t]:,} of {heat.total:,} tilings"
            cells.append(_Cell([(left + x, top + y) for x, y in shape], _colour(row[t], most), said))
    bottom = _MARGIN + -(-panels // abreast) * (high + _CAPTION + _GAP)
    step = _SCALE_WIDTH / _SCALE_STEPS
    scale = [(_MARGIN + i * step, float(bottom), step, _colour(i, _SCALE_STEPS - 1)) for i in range(_SCALE_STEPS)]
    share = 1000 * most // heat.total / 1000 if heat.total else 0.0
    texts += [_Text(_MARGIN, bottom + 24, "0%"), _Text(_MARGIN + _SCALE_WIDTH - 24, bottom + 24, f"{share:.0%} of the tilings")]
    width = max(2 * _MARGIN + abreast * (wide + _GAP) - _GAP, 2 * _MARGIN + _SCALE_WIDTH + 110)
    return _Picture(width, bottom + 32, cells, scale, texts)


def _colour(count: int, most: int) -> str:
    """`#rrggbb` between the first colour, for none, and the last, for the most; counts of any size."""
    if not most:
        return _hex(_COLOURS[0])
    # Thousandths first: a quotient of large integers may be no float.
    at = (1000 * count // most) / 1000 * (len(_COLOURS) - 1)
    low = min(int(at), len(_COLOURS) - 2)
    return _hex(tuple(round(a + (b - a) * (at - low)) for a, b in zip(_COLOURS[low], _COLOURS[low + 1], strict=True)))


def _hex(colour: Sequence[int]) -> str:
    return "#" + "".join(f"{part:02x}" for part in colour)
