"""A sheet of shapes with their names: as SVG, or as PNG or PDF by matplotlib.

Plane shapes lie as they are given. Shapes in space are seen as in solid.py, each turned so that as many of its cells are seen as
can be; what these hide all the same, the layers that `tiler shapes` prints tell.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from tiler import printable
from tiler.model.lattice import Cell, Shape, dimension
from tiler.model.lattices import CUBIC, SQUARE
from tiler.render import colours, solid
from tiler.render import svg_elements as xml
from tiler.render.solid import Edge, Point

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST = 5000  #: shapes on a sheet
_LABEL, _GAP = 0.9, 0.9  # the height of a name, and what is between shapes, in sides of a cell
_LETTER = 0.42  # the width of a letter of a name
_FONT = 0.7  # the height of letters
_CELL = 20.0  # units of an SVG
_INCHES, _DPI = 40.0, 150  # the longer side of a picture at most


class _Pen(NamedTuple):
    """How lines within a shape look, or those around it."""

    inner: bool
    width: float
    opacity: float


_PENS = (_Pen(True, 0.03, 0.3), _Pen(False, 0.09, 1.0))


class _Coat(NamedTuple):
    """Areas in one colour, and the lines on them."""

    areas: Sequence[Sequence[Point]]
    fill: str
    edges: Sequence[Edge]


class _Drawing(NamedTuple):
    """A shape as coats, one over the other, in sides of a cell from the upper left corner of what it takes."""

    coats: Sequence[_Coat]
    wide: float
    high: float


class _Placed(NamedTuple):
    """A drawing, its name below it, and where its upper left corner is on the sheet."""

    name: str
    drawing: _Drawing
    x: float
    y: float


def svg(shapes: Mapping[str, Shape], title: str) -> str:
    """A standalone document: each shape a group with its name as a title."""
    placed, wide, high = _laid_out(shapes)
    parts = []
    for name, drawing, x, y in placed:
        inside = [xml.titled(name), *(part for coat in drawing.coats for part in _painted(coat))]
        below = (drawing.high + 0.75 * _LABEL) * _CELL
        inside.append(xml.text(name, _FONT * _CELL, x=drawing.wide / 2 * _CELL, y=below, text_anchor="middle"))
        moved = f"translate({xml.number(x * _CELL)} {xml.number(y * _CELL)})"
        parts.append(xml.element("g", "".join(inside), class_="shape", transform=moved))
    return xml.document(wide * _CELL, high * _CELL, title, parts)


def _painted(coat: _Coat) -> Iterator[str]:
    loops = [[(a * _CELL, b * _CELL) for a, b in corners] for corners in coat.areas]
    yield xml.element("path", fill=coat.fill, d=xml.outline(loops))
    for pen in _PENS:
        lines = [
            f"M{xml.number(a * _CELL)} {xml.number(b * _CELL)}L{xml.number(c * _CELL)} {xml.number(d * _CELL)}"
            for (a, b), (c, d), inner in coat.edges
            if inner == pen.inner
        ]
        if lines:
            look: dict[str, Any] = {"stroke": xml.INK, "stroke_width": pen.width * _CELL, "stroke_opacity": pen.opacity}
            yield xml.element("path", fill="none", stroke_linecap="round", d="".join(lines), **look)


def image(shapes: Mapping[str, Shape], title: str, form: str = "png") -> bytes:
    """The same as a file of the format, `png` or `pdf`. Imports matplotlib, which takes a second."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    placed, wide, high = _laid_out(shapes)
    inches = min(0.3, _INCHES / max(wide, high))
    with rc_context({"pdf.fonttype": 42, "font.family": "DejaVu Sans"}):
        figure = Figure(figsize=(wide * inches, high * inches))
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_xlim(0, wide)
        axes.set_ylim(high, 0)
        axes.set_axis_off()
        for z in range(max(len(each.drawing.coats) for each in placed)):
            coats = [(each.drawing.coats[z], each.x, each.y) for each in placed if z < len(each.drawing.coats)]
            _paint(axes, coats, z, inches * 72)
        for name, drawing, x, y in placed:
            axes.text(
                *(x + drawing.wide / 2, y + drawing.high + 0.75 * _LABEL, printable.line(name)),
                fontsize=_FONT * inches * 72,
                color=xml.INK,
                ha="center",
            )
        out = io.BytesIO()
        when: dict[str, Any] = {"CreationDate": None} if form == "pdf" else {}
        figure.savefig(out, format=form, dpi=_DPI, metadata={"Title": printable.line(title), **when})
    return out.getvalue()


def _paint(axes: Axes, coats: Sequence[tuple[_Coat, float, float]], z: int, points: float) -> None:
    """The z-th coat of all shapes at once, where a side of a cell is so many points: thousands of artists would take minutes."""
    from matplotlib.collections import LineCollection, PolyCollection

    areas = [[(a + x, b + y) for a, b in corners] for coat, x, y in coats for corners in coat.areas]
    fills = [coat.fill for coat, _, _ in coats for _ in coat.areas]
    axes.add_collection(PolyCollection(areas, facecolors=fills, edgecolors=fills, linewidths=0.3, zorder=2 * z))
    for pen in _PENS:
        lines = [
            ((a + x, b + y), (c + x, d + y)) for coat, x, y in coats for (a, b), (c, d), inner in coat.edges if inner == pen.inner
        ]
        look: dict[str, Any] = {"colors": xml.INK, "linewidths": pen.width * points, "alpha": pen.opacity, "capstyle": "round"}
        axes.add_collection(LineCollection(lines, zorder=2 * z + 1, **look))


def _laid_out(shapes: Mapping[str, Shape]) -> tuple[list[_Placed], float, float]:
    """The shapes in rows, from left to right and from the top, on a sheet of some 3 by 2; and its width and height."""
    drawings = [
        (name, _drawn(shape, colours.fill(number % len(colours.PALETTE)))) for number, (name, shape) in enumerate(shapes.items())
    ]
    slots = [max(drawing.wide, _LETTER * len(name)) for name, drawing in drawings]
    total = sum((slot + _GAP) * (drawing.high + _LABEL + _GAP) for slot, (_, drawing) in zip(slots, drawings, strict=True))
    limit = max([*slots, math.sqrt(1.5 * total)])
    rows: list[list[int]] = [[]]
    used = 0.0
    for number, slot in enumerate(slots):
        if rows[-1] and used + slot > limit:
            rows.append([])
            used = 0.0
        rows[-1].append(number)
        used += slot + _GAP
    placed, widest, y = [], 0.0, _GAP
    for row in rows:
        x, high = _GAP, max(drawings[number][1].high for number in row)
        for number in row:
            name, drawing = drawings[number]
            # Upon one line, over the middle of the name.
            placed.append(_Placed(name, drawing, x + (slots[number] - drawing.wide) / 2, y + high - drawing.high))
            x += slots[number] + _GAP
        widest, y = max(widest, x), y + high + _LABEL + _GAP
    return placed, widest, y


def _drawn(shape: Shape, fill: str) -> _Drawing:
    return _flat(shape, fill) if dimension(shape) == 2 else _solid(shape, fill)


def _flat(shape: Shape, fill: str) -> _Drawing:
    areas, edges = [], []
    cells = SQUARE.normalise(shape)
    for i, j in sorted(cells):
        areas.append(((j, i), (j + 1, i), (j + 1, i + 1), (j, i + 1)))
        for other, start, end in (
            ((i - 1, j), (j, i), (j + 1, i)),
            ((i, j - 1), (j, i), (j, i + 1)),
            ((i + 1, j), (j, i + 1), (j + 1, i + 1)),
            ((i, j + 1), (j + 1, i), (j + 1, i + 1)),
        ):
            if other not in cells or other < (i, j):
                edges.append(Edge(start, end, other in cells))
    return _Drawing([_Coat(areas, fill, edges)], 1 + max(j for _, j in cells), 1 + max(i for i, _ in cells))


def _solid(shape: Shape, fill: str) -> _Drawing:
    seen = list(solid.sides(dict.fromkeys(_turned(shape), 0)))
    corners = [corner for side in seen for corner in side.corners]
    left, top = (min(corner[axis] for corner in corners) for axis in (0, 1))
    right, bottom = (max(corner[axis] for corner in corners) for axis in (0, 1))

    def placed(corner: Point) -> Point:
        return corner[0] - left, corner[1] - top

    coats = [
        _Coat(
            [tuple(map(placed, side.corners))],
            solid.shade(fill, side.light),
            [Edge(placed(start), placed(end), inner) for start, end, inner in side.edges],
        )
        for side in seen
    ]
    return _Drawing(coats, right - left, bottom - top)


@cache
def _turned(shape: Shape) -> Shape:
    """The turned image of which most cells are seen, and of those the one that shows most."""

    def shown(image: Shape) -> tuple[int, int, list[Cell]]:
        seen = dict(_in_front(image))
        return len(set(seen.values())), len(seen), sorted(image)

    return max(CUBIC.variants(shape, reflections=False), key=shown)


# The corners round a cell as it is seen, from above and with the clock: steps across and half steps down from its middle.
_ROUND = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))


def _in_front(cells: Shape) -> Iterator[tuple[Point, Cell]]:
    """Every triangle that half a side of a cell takes in the view, by the sum of its corners, with the cell, what lies in front
    last. A cell is seen as six of them, which others in front of it may take as well."""
    for cell in sorted(cells, key=sum):
        z, i, j = cell
        for (a, b), (c, d) in pairwise([*_ROUND, _ROUND[0]]):
            yield (3 * (j - i) + a + c, 3 * (i + j - 2 * z) + b + d), cell
