"""The colouring or the weights of a proof as a picture: text for terminals, SVG, and PNG through matplotlib.

In a document a few placements are drawn in, to see that all of a kind cover alike. A board in space is drawn layer by layer.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from typing import TYPE_CHECKING

from tiler.model import charts
from tiler.model.lattice import Cell, box
from tiler.question.certificate import Colourings, Proof, Removal, Weights
from tiler.render import image, svg
from tiler.render import svg_elements as xml
from tiler.render.drawing import Panel, numbered
from tiler.render.grid import headings
from tiler.render.outline import Point, trace
from tiler.render.svg_elements import INK, element, opened

if TYPE_CHECKING:
    from tiler.cover.remainder import Remainder

_CELL, _MARGIN, _GAP, _HEADING = 20, 6, 16, 18
_BLACK, _WHITE = "#4a4a4a", "#ffffff"
_EXAMPLES = ("#ee7733", "#0077bb", "#ee3377")  # Paul Tol's vibrant scheme
_MAX_ROWS = 40  #: of a picture in text
_LINE, _LETTER, _FONT = 17, 7.2, 13  #: height, width and size of the letters of a caption

Layer = dict[Point, int]  #: by row and column


@dataclass(frozen=True)
class Example:
    """A placement drawn in."""

    layer: int
    loops: list[list[Point]]
    colour: str


@dataclass(frozen=True)
class ProofPicture:
    """Numbers on cells. Rows, columns and layers count from 0 at the upper left."""

    layers: list[Layer]
    height: int
    width: int
    headings: tuple[str, ...]  #: what the layers are called
    examples: tuple[Example, ...] = ()
    panel: Panel | None = None  #: for documents, of boards that are not of squares or cubes; `layers` is then as on a map

    @property
    def is_black_and_white(self) -> bool:
        return all(set(layer.values()) <= {0, 1} for layer in self.layers)


def weights_of(proof: Proof) -> tuple[int, ...] | None:
    """What there is to be seen of a proof: its first colouring, or its weights; None if it has neither."""
    match proof:
        case Colourings((first, *_)):
            return first.weights
        case Weights(weights, _):
            return weights
        case Removal(_, then):
            return weights_of(then)
    return None


def picture(remainder: Remainder, weights: Sequence[int], *, examples: bool = True) -> ProofPicture:
    """The picture of weights, one for every cell of the board."""
    cover, chosen = remainder.cover, _examples(remainder) if examples else []
    if not cover.instance.has_boxes:
        return _elsewhere(remainder, weights, chosen)
    solid = [*map(_in_space, cover.cells)]
    low, high = box(frozenset(solid))
    depth, height, width = (b - a + 1 for a, b in zip(low, high, strict=True))
    layers: list[Layer] = [{} for _ in range(depth)]
    for (z, y, x), weight in zip(solid, weights, strict=True):
        layers[z - low[0]][y - low[1], x - low[2]] = weight
    drawn = []
    for option, colour in zip(chosen, _EXAMPLES, strict=False):
        by_layer: dict[int, set[Point]] = {}
        for z, y, x in (solid[cell] for cell in remainder.cells_of[option]):
            by_layer.setdefault(z - low[0], set()).add((y - low[1], x - low[2]))
        drawn += [Example(z, trace(cells), colour) for z, cells in sorted(by_layer.items())]
    return ProofPicture(layers, height, width, tuple(headings(frozenset(solid))), tuple(drawn))


def _elsewhere(remainder: Remainder, weights: Sequence[int], chosen: Sequence[int]) -> ProofPicture:
    """The picture on a lattice of other cells than squares and cubes."""
    lattice, cells = remainder.cover.lattice, remainder.cover.cells
    if charts.has_maps(lattice):
        places = [_in_space(charts.place(lattice, cell)) for cell in cells]
        low, high = box(places)
        layers: list[Layer] = [{} for _ in range(high[0] - low[0] + 1)]
        for (z, y, x), weight in zip(places, weights, strict=True):
            layers[z - low[0]][y - low[1], x - low[2]] = weight
        names = tuple(f"layer {z}" for z in range(low[0], high[0] + 1))
        shown = ProofPicture(layers, high[1] - low[1] + 1, high[2] - low[2] + 1, names)
    else:
        # No map, but the numbers, for the shades.
        shown = ProofPicture([{(0, cell): weight for cell, weight in enumerate(weights)}], 0, 0, ("",))
    shade = _shades(shown)
    drawn = [
        ([cells[cell] for cell in remainder.cells_of[option]], colour) for option, colour in zip(chosen, _EXAMPLES, strict=False)
    ]
    words = None if shown.is_black_and_white else lambda value: (str(value), _on(shade[value]))
    return replace(shown, panel=numbered(lattice, dict(zip(cells, weights, strict=True)), shade, drawn, words))


def as_text(shown: ProofPicture, width: int = 80) -> str:
    """Lines of at most `width` characters; of a board too large for that, its upper left part. Letters alone if `width` is 0.

    Nothing on a lattice without maps.
    """
    if not shown.height:
        return ""
    size, marks = _marks(shown, width)
    columns = min(shown.width, max(1, (width or 80) // size))
    rows = min(shown.height, _MAX_ROWS)
    blocks = []
    for heading, layer in zip(shown.headings, shown.layers, strict=True):
        lines = ["".join(marks.get(layer.get((y, x)), " " * size) for x in range(columns)) for y in range(rows)]
        blocks.append(([heading] if len(shown.layers) > 1 else []) + lines)
    pitch = max(size * columns, *map(len, shown.headings)) if len(blocks) > 1 else size * columns
    abreast = max(1, ((width or 80) + 3) // (pitch + 3))
    parts = []
    for first in range(0, len(blocks), abreast):
        some = blocks[first : first + abreast]
        parts.append("\n".join("   ".join(line.ljust(pitch) for line in lines).rstrip() for lines in zip(*some, strict=True)))
    if columns < shown.width or rows < shown.height:
        parts.append(f"(the upper left {columns}x{rows} of {shown.width}x{shown.height})")
    return "\n\n".join(parts)


def as_svg(shown: ProofPicture, caption: str = "") -> str:
    """A standalone document."""
    if shown.panel is not None:
        return svg.of_panels([shown.panel], caption, _lines(caption, shown.panel.width))
    abreast, wide, high, total_width, total_height, lines = _page(shown, caption)
    scale = min(2.0, max(0.4, 800 / max(total_width, total_height)))
    parts = []
    heading = _HEADING if len(shown.layers) > 1 else 0
    shade = _shades(shown)
    for number, layer in enumerate(shown.layers):
        x = _MARGIN + number % abreast * (wide + _GAP)
        y = _MARGIN + number // abreast * (high + _GAP) + heading
        parts.append(opened("g", transform=f"translate({x} {y})"))
        if heading:
            parts.append(xml.text(shown.headings[number], 11, y=-6))
        for value in sorted(set(layer.values())):
            cells = [at for at, other in layer.items() if other == value]
            parts.append(element("path", fill=shade[value], fill_rule="evenodd", d=_path(trace(cells))))
        lines_within = "".join(
            f"M{j * _CELL} {i * _CELL}H{(j + 1) * _CELL}" for i, j in sorted(layer) if (i - 1, j) in layer
        ) + "".join(f"M{j * _CELL} {i * _CELL}V{(i + 1) * _CELL}" for i, j in sorted(layer) if (i, j - 1) in layer)
        parts.append(element("path", fill="none", stroke="#999999", stroke_width=0.7, d=lines_within))
        if layer:
            parts.append(element("path", fill="none", stroke=INK, stroke_width=2, d=_path(trace(layer))))
        parts += [
            element(
                "path",
                fill=example.colour,
                fill_opacity=0.45,
                fill_rule="evenodd",
                stroke=example.colour,
                stroke_width=3,
                stroke_linejoin="round",
                d=_path(example.loops),
            )
            for example in shown.examples
            if example.layer == number
        ]
        if not shown.is_black_and_white:
            parts += [
                xml.text(str(value), 11, x=(j + 0.5) * _CELL, y=i * _CELL + 14, text_anchor="middle", fill=_on(shade[value]))
                for (i, j), value in sorted(layer.items())
                if value
            ]
        parts.append("</g>")
    first = total_height - _MARGIN - _LINE * len(lines) + _FONT
    parts += [xml.text(line, _FONT, x=_MARGIN, y=first + _LINE * row) for row, line in enumerate(lines)]
    return xml.document(total_width, total_height, caption, parts, scale)


def as_png(shown: ProofPicture, caption: str = "") -> bytes:
    """The same as a PNG image."""
    if shown.panel is not None:
        return image.of_panels([shown.panel], caption, "png", _lines(caption, shown.panel.width))
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    abreast, wide, high, total_width, total_height, lines = _page(shown, caption)
    inch = 1 / min(72, max(24, max(total_width, total_height) / 8))
    figure = Figure((total_width * inch, total_height * inch), dpi=150)
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, total_width), ylim=(total_height, 0))
    axes.set_axis_off()
    heading = _HEADING if len(shown.layers) > 1 else 0
    shade = _shades(shown)
    points = 72 * inch  # of a unit of the page

    def add(loops: list[list[Point]], x: int, y: int, **style: object) -> None:
        corners, codes = [], []
        for loop in loops:
            corners += [(x + j * _CELL, y + i * _CELL) for i, j in [*loop, loop[0]]]
            codes += [Path.MOVETO, *[Path.LINETO] * (len(loop) - 1), Path.CLOSEPOLY]
        axes.add_patch(PathPatch(Path(corners, codes), **style))

    for number, layer in enumerate(shown.layers):
        x = _MARGIN + number % abreast * (wide + _GAP)
        y = _MARGIN + number // abreast * (high + _GAP) + heading
        if heading:
            axes.text(x, y - 6, shown.headings[number], fontsize=11 * points, color=INK)
        for value in sorted(set(layer.values())):
            add(trace([at for at, other in layer.items() if other == value]), x, y, facecolor=shade[value], edgecolor="none")
        across = [((x + j * _CELL, y + i * _CELL), (x + (j + 1) * _CELL, y + i * _CELL)) for i, j in layer if (i - 1, j) in layer]
        down = [((x + j * _CELL, y + i * _CELL), (x + j * _CELL, y + (i + 1) * _CELL)) for i, j in layer if (i, j - 1) in layer]
        if across + down:
            from matplotlib.collections import LineCollection

            axes.add_collection(LineCollection(across + down, colors="#999999", linewidths=0.7 * points))
        if layer:
            add(trace(layer), x, y, facecolor="none", edgecolor=INK, linewidth=2 * points)
        if not shown.is_black_and_white:
            for (i, j), value in sorted(layer.items()):
                if value:
                    at = (x + (j + 0.5) * _CELL, y + (i + 0.5) * _CELL)
                    axes.text(*at, str(value), fontsize=11 * points, color=_on(shade[value]), ha="center", va="center_baseline")
        for example in shown.examples:
            if example.layer == number:
                add(example.loops, x, y, facecolor=f"{example.colour}73", edgecolor=example.colour, linewidth=3 * points)
    first = total_height - _MARGIN - _LINE * len(lines) + _FONT
    for row, line in enumerate(lines):
        axes.text(_MARGIN, first + _LINE * row, line, fontsize=_FONT * points, color=INK, parse_math=False)
    data = BytesIO()
    FigureCanvasAgg(figure).print_png(data)  # type: ignore[no-untyped-call]
    return data.getvalue()


def _page(shown: ProofPicture, caption: str) -> tuple[int, int, int, int, int, list[str]]:
    """Layers in a row, the width and height of one, those of the whole, and the lines of the caption."""
    wide = shown.width * _CELL
    high = shown.height * _CELL + (_HEADING if len(shown.layers) > 1 else 0)
    if len(shown.layers) > 1:
        wide = max(wide, 48)
    count = len(shown.layers)

    abreast = xml.abreast(count, wide + _GAP, high + _GAP)
    total_width = max(2 * _MARGIN + abreast * (wide + _GAP) - _GAP, 300 if caption else 0)
    lines = _lines(caption, total_width - 2 * _MARGIN)
    total_height = 2 * _MARGIN + -(-count // abreast) * (high + _GAP) - _GAP + (8 + _LINE * len(lines) if lines else 0)
    return abreast, wide, high, total_width, total_height, lines


def _lines(caption: str, width: float) -> list[str]:
    """A caption in lines no longer than that, or than some words."""
    return textwrap.wrap(caption, int(max(290.0, width) / _LETTER)) if caption else []


def _marks(shown: ProofPicture, width: int) -> tuple[int, dict[int | None, str]]:
    """How many characters a cell takes, and which, by its number."""
    if shown.is_black_and_white:
        if width == 0:
            return 1, {0: ".", 1: "#"}
        return (2, {0: "░░", 1: "██"}) if 2 * shown.width <= width else (1, {0: "░", 1: "█"})
    values = {value for layer in shown.layers for value in layer.values()}
    size = max(len(str(value)) for value in values) + 1
    return size, {value: (str(value) if value or width == 0 else "·").rjust(size) for value in values}


def _shades(shown: ProofPicture) -> dict[int, str]:
    """A grey for each number, the greatest darkest."""
    if shown.is_black_and_white:
        return {0: _WHITE, 1: _BLACK}
    values = {value for layer in shown.layers for value in layer.values()}
    low, high = min(values), max(values)
    greys = {value: 255 - round(181 * (value - low) / max(1, high - low)) for value in values}
    return {value: f"#{grey:02x}{grey:02x}{grey:02x}" for value, grey in greys.items()}


def _on(shade: str) -> str:
    """The colour of a number on a shade."""
    return INK if int(shade[1:3], 16) > 140 else _WHITE


def _path(loops: list[list[Point]]) -> str:
    return xml.outline([(j * _CELL, i * _CELL) for i, j in loop] for loop in loops)


def _in_space(cell: Cell) -> Cell:
    return (0,) * (3 - len(cell)) + cell


def _examples(remainder: Remainder) -> list[int]:
    """Up to three placements apart from each other: of different tiles, or of one tile turned differently."""
    cover = remainder.cover
    low, high = box(frozenset(cover.cells))
    taken: set[int] = set()
    chosen: list[int] = []
    tiles = [t for t, most in enumerate(remainder.counts.upper) if most and cover.tiles[t].name][:3]
    turns = [(t, turn) for turn in range(2) for t in tiles]
    for place, (t, turn) in enumerate(turns[: 3 if len(tiles) > 1 else 2]):
        mine = cover.by_tile[t].tolist()
        kinds = sorted({int(cover.variant[o]) for o in mine})
        if turn >= len(kinds):
            continue
        target = [a + (b - a) * (place + 1) / 4 for a, b in zip(low, high, strict=True)]

        def distance(option: int, target: list[float] = target) -> tuple[float, int]:
            cells = [cover.cells[cell] for cell in remainder.cells_of[option]]
            return sum(abs(x - t) for cell in cells for x, t in zip(cell, target, strict=True)), option

        free = [o for o in mine if cover.variant[o] == kinds[turn] and taken.isdisjoint(remainder.cells_of[o])]
        if free:
            chosen.append(min(free, key=distance))
            taken.update(remainder.cells_of[chosen[-1]])
    return chosen
