"""A tiling as a PNG or PDF picture, by matplotlib. In space: its layers, and an isometric view of the whole.

As in an SVG (svg.py): thick borders between tiles, thin lines inside, a dot where a tile goes on in the next layer. The view is
that of solid.py.
"""

from __future__ import annotations

import io
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler import printable
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, box
from tiler.model.lattices import CUBIC
from tiler.model.tile import Placement
from tiler.render import colours, drawing, solid
from tiler.render.grid import HOLE, OUTSIDE, UNCOVERED, Layer, headings, layers
from tiler.render.outline import Point, by_form, trace

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("png", "pdf")
Form = tuple[Point, ...]
_DPI = 200
_INCHES = 9.0  # of the picture's longer side, at most
_CELL_INCHES = 0.42  # of a cell's side, at most
_INK = "#222222"
_BARE = "#f4f4f4"
_LOOK: dict[Any, Any] = {"pdf.fonttype": 42, "font.family": "DejaVu Sans", "hatch.linewidth": 0.6}
_GAP, _CAPTION = 0.8, 0.9  # between and above layers, in cells


def draw(instance: Instance, solution: Sequence[Placement], form: str = "png") -> bytes:
    """The picture as a file of the format, the same bytes for the same tiling; `()` draws the plain board.

    Imports matplotlib, which takes a second.
    """
    if not instance.has_boxes:
        return of_panels(drawing.panels(instance, solution), instance.heading, form)
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    grid, above = layers(instance.board, solution), headings(instance.board)
    in_space = instance.dimension == 3
    rows, columns = len(grid[0]), len(grid[0][0])
    abreast = _abreast(len(grid), rows / columns)
    high = -(-len(grid) // abreast) * (rows + (_CAPTION + _GAP if in_space else 0))
    wide = abreast * (columns + _GAP) - _GAP
    view = _View.of(len(grid), rows, columns)
    whole_wide = wide + (1.5 * _GAP + view.wide if in_space else 0) + 0.3
    whole_high = max(high, view.high + _CAPTION if in_space else 0) + 0.3
    inches = min(_CELL_INCHES, _INCHES / max(whole_wide, whole_high))
    with rc_context(_LOOK):
        figure = Figure(figsize=(whole_wide * inches, whole_high * inches))
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_xlim(-0.15, whole_wide - 0.15)
        axes.set_ylim(whole_high - 0.15, -0.15)
        axes.set_axis_off()
        pen = _Pen(axes, inches * 72, [colours.fill(number) for number in colours.assign(instance.lattice, solution)])
        optional = _optional(instance)
        for z, layer in enumerate(grid):
            x = z % abreast * (columns + _GAP)
            y = z // abreast * (rows + _CAPTION + _GAP) + (_CAPTION if in_space else 0)
            if in_space:
                pen.text(x, y - 0.2, above[z])
            pen.layer(layer, x, y, {(row, column) for at, row, column in optional if at == z})
            if z + 1 < len(grid):
                pen.dots(layer, grid[z + 1], x, y)
        if in_space:
            pen.solid(grid, wide + 1.5 * _GAP + view.left, _CAPTION + view.top)
        return _saved(figure, instance.heading, form)


def _saved(figure: Figure, title: str, form: str) -> bytes:
    out = io.BytesIO()
    title = printable.line(title) or "tiling"
    when: dict[str, Any] = {"CreationDate": None} if form == "pdf" else {}
    figure.savefig(out, format=form, dpi=_DPI, metadata={"Title": title, **when})
    return out.getvalue()


def of_panels(panels: Sequence[drawing.Panel], title: str, form: str, caption: Sequence[str] = ()) -> bytes:
    """Panels side by side, as svg.py has them."""
    from matplotlib import rc_context

    with rc_context(_LOOK):
        return _saved(_figure(panels, caption), title, form)


def of_pages(pages: Sequence[Sequence[drawing.Panel]], title: str) -> bytes:
    """A PDF with panels side by side on each of its pages."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_pdf import PdfPages

    out = io.BytesIO()
    with rc_context(_LOOK), PdfPages(out, metadata={"Title": printable.line(title) or "tilings", "CreationDate": None}) as file:
        for panels in pages:
            file.savefig(_figure(panels, ()))
    return out.getvalue()


def _figure(panels: Sequence[drawing.Panel], caption: Sequence[str]) -> Figure:
    from matplotlib.figure import Figure

    gap, heading = _GAP * drawing.SIDE, _CAPTION * drawing.SIDE if len(panels) > 1 else 0.0
    line = 0.85 * drawing.SIDE
    wide = max([*(panel.width for panel in panels), *(0.36 * drawing.SIDE * len(said) for said in caption)]) + gap
    high = max(panel.height for panel in panels) + heading + gap
    abreast = _abreast(len(panels), high / wide)
    width, bottom = abreast * wide, -(-len(panels) // abreast) * high
    height = bottom + line * len(caption)
    inches = min(_CELL_INCHES / drawing.SIDE, _INCHES / max(width, height))
    points = 72 * inches
    figure = Figure(figsize=(width * inches, height * inches))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(-gap / 2, width - gap / 2)
    axes.set_ylim(height - gap / 2, -gap / 2)
    axes.set_axis_off()
    for number, panel in enumerate(panels):
        x, y = number % abreast * wide, number // abreast * high + heading
        if heading:
            axes.text(x, y - 4, panel.heading, fontsize=min(10.0, 9 * points), color=_INK, va="bottom")
        for order, mark in enumerate(panel.marks):
            _draw(axes, drawing.moved(mark, x, y), points, order)
    for row, said in enumerate(caption):
        size = 0.65 * drawing.SIDE * points
        axes.text(0, bottom + row * line, said, fontsize=size, color=_INK, va="center", parse_math=False)
    return figure


def _draw(axes: Axes, mark: drawing.Mark, points: float, order: int) -> None:
    """Draw a mark above those of a lower order; a unit of the drawing is so many points."""
    from matplotlib.collections import LineCollection
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    match mark:
        case drawing.Area(loops, fill, border, hatched, _, edge, opacity):
            path = Path.make_compound_path(*(Path([*loop, loop[0]], closed=True) for loop in loops))
            look: dict[str, Any] = {"ec": edge if border else "none", "lw": border * points, "joinstyle": "round"}
            fill = fill if opacity == 1 else f"{fill}{round(255 * opacity):02x}"
            if hatched:
                look = {"ec": "#b8b8b8", "lw": 0, "hatch": "////"}
            axes.add_patch(PathPatch(path, fc=fill, zorder=order, **look))
        case drawing.Lines(ends, colour, width, opacity, _, dashed):
            style: dict[str, Any] = {"linestyles": [(0, (2, 2))], "capstyle": "butt"} if dashed else {"capstyle": "round"}
            style |= {"colors": colour, "linewidths": width * points, "alpha": opacity, "zorder": order}
            axes.add_collection(LineCollection(ends, **style))
        case drawing.Dots(middles):
            across, down = [x for x, _ in middles], [y for _, y in middles]
            axes.plot(across, down, "o", color=_INK, ms=4 * points, mew=0, zorder=order)
        case drawing.Text((x, y), said, colour):
            axes.text(x, y, said, fontsize=10 * points, color=colour, ha="center", va="center", zorder=order)


def _abreast(count: int, ratio: float) -> int:
    """How many layers to put side by side, of so many rows to a column; rows of layers are filled evenly."""
    if count <= 3:
        return count
    wanted = min(count, max(1, round(math.sqrt(count * ratio * 1.6))))
    return -(-count // -(-count // wanted))


def _optional(instance: Instance) -> set[Cell]:
    """The cells that may stay uncovered, as (layer, row, column) from the corner of the board."""
    if not instance.optional:
        return set()
    low, _ = box(instance.board)
    moved = frozenset(tuple(a - b for a, b in zip(cell, low, strict=True)) for cell in instance.optional)
    return set(CUBIC.lift(moved))


class _View(NamedTuple):
    """The size of the isometric view, and where the corner of the first cell's floor lies in it, in cells."""

    wide: float
    high: float
    left: float
    top: float

    @classmethod
    def of(cls, depth: int, rows: int, columns: int) -> _View:
        return cls((rows + columns) * solid.ACROSS, (rows + columns) * solid.DOWN + depth, rows * solid.ACROSS, depth)


class _Pen:
    """Draws on axes whose unit is a cell of so many points."""

    def __init__(self, axes: Axes, points: float, fills: Sequence[str]) -> None:
        self._axes, self._fills = axes, fills
        self._thick, self._thin = min(2.0, 0.09 * points), min(0.7, 0.03 * points)
        self._letters = min(10.0, 0.45 * points)
        self._dot = 0.12 * points

    def text(self, x: float, y: float, text: str) -> None:
        self._axes.text(x, y, text, fontsize=self._letters, color=_INK, va="bottom")

    def layer(self, layer: Layer, x: float, y: float, optional: set[tuple[int, int]]) -> None:
        """One layer as a plan, its upper left corner at (x, y)."""
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        cells: defaultdict[int, list[Point]] = defaultdict(list)
        for i, row in enumerate(layer):
            for j, entry in enumerate(row):
                cells[entry].append((i, j))
        bare = cells.pop(UNCOVERED, [])
        if bare:
            self._areas({tuple(bare): [(0, 0)]}, x, y, _BARE, self._thick)
            hatched = optional.intersection(bare)
            if hatched:
                self._areas({tuple(hatched): [(0, 0)]}, x, y, _BARE, 0, hatch="////")
        # Everything of one colour at once: a patch for every tile of a large board would take hours.
        coloured: defaultdict[str, defaultdict[Form, list[Point]]] = defaultdict(lambda: defaultdict(list))
        for number in sorted(set(cells) - {OUTSIDE, HOLE}):
            form, offset = by_form(cells[number])
            coloured[self._fills[number]][form].append(offset)
        for fill, forms in coloured.items():
            self._areas(forms, x, y, fill, self._thick)
        lines = _inner_lines(layer)
        codes = np.resize(np.array([Path.MOVETO, Path.LINETO], np.uint8), len(lines))
        if len(lines):
            path = Path(lines[:, ::-1] + (x, y), codes)
            self._axes.add_patch(PathPatch(path, fill=False, ec=_INK, alpha=0.25, lw=self._thin, capstyle="butt", zorder=1.5))

    def dots(self, layer: Layer, following: Layer, x: float, y: float) -> None:
        """A dot on every cell whose tile also covers the same cell of the following layer."""
        on = [
            (x + j + 0.5, y + i + 0.5)
            for i, (row, under) in enumerate(zip(layer, following, strict=True))
            for j, (entry, other) in enumerate(zip(row, under, strict=True))
            if entry == other and entry >= 0
        ]
        self._axes.plot([a for a, _ in on], [b for _, b in on], "o", color=_INK, ms=self._dot, mew=0)

    def solid(self, grid: Sequence[Layer], x: float, y: float) -> None:
        """The whole from above, its rearmost corner of the floor at (x, y): what lies in front is drawn last."""
        from matplotlib.patches import Polygon

        owner: dict[Cell, int] = {
            (z, i, j): entry
            for z, layer in enumerate(grid)
            for i, row in enumerate(layer)
            for j, entry in enumerate(row)
            if entry not in (OUTSIDE, HOLE)
        }
        for side in solid.sides(owner, x, y):
            entry = owner[side.cell]
            fill = solid.shade(self._fills[entry] if entry >= 0 else _BARE, side.light)
            self._axes.add_patch(Polygon(side.corners, fc=fill, ec=fill, lw=0.3, zorder=2))
            for (ax, ay), (bx, by), inner in side.edges:
                width, alpha = (self._thin, 0.3) if inner else (self._thick * 0.8, 1.0)
                self._axes.plot([ax, bx], [ay, by], color=_INK, lw=width, alpha=alpha, solid_capstyle="round", zorder=2)

    def _areas(
        self, forms: Mapping[Form, Sequence[Point]], x: float, y: float, fill: str, border: float, hatch: str | None = None
    ) -> None:
        """Areas in one colour: each form wherever it is moved to."""
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        points: list[NDArray[np.float64]] = []
        codes: list[NDArray[np.uint8]] = []
        for form, offsets in forms.items():
            moved = np.array(offsets, np.float64)[:, None, ::-1] + (x, y)
            for loop in trace(form):
                corners = moved + np.array([*loop, loop[0]], np.float64)[:, ::-1]
                points.append(corners.reshape(-1, 2))
                code = np.array([Path.MOVETO, *[Path.LINETO] * (len(loop) - 1), Path.CLOSEPOLY], np.uint8)
                codes.append(np.tile(code, len(offsets)))
        edge = _INK if border else "#b8b8b8"
        path = Path(np.concatenate(points), np.concatenate(codes))
        self._axes.add_patch(PathPatch(path, fc=fill, ec=edge, lw=border, joinstyle="round", hatch=hatch, zorder=1))


def _inner_lines(layer: Layer) -> NDArray[np.int64]:
    """Lines between neighbouring cells of one tile, or of none: shape (2 * lines, 2), the ends (row, column) of each."""
    entries = np.array(layer)
    inner = (entries != OUTSIDE) & (entries != HOLE)
    down, right = np.array([1, 0]), np.array([0, 1])
    upright = np.argwhere((entries[:, 1:] == entries[:, :-1]) & inner[:, 1:]) + right
    level = np.argwhere((entries[1:] == entries[:-1]) & inner[1:]) + down
    ends = [np.stack([upright, upright + down], 1), np.stack([level, level + right], 1)]
    return np.concatenate(ends).reshape(-1, 2)
