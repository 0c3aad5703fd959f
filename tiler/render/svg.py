"""A tiling as a standalone SVG document, for reports and browsers.

Thick borders between tiles, thin lines inside them, the tile's name on hovering. Cells that no tile covers are light, hatched
if they may stay so; cells outside the board are left blank. Layers of a board in space stand side by side.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from tiler.model.instance import Instance
from tiler.model.lattice import box
from tiler.model.lattices import CUBIC
from tiler.model.tile import Placement
from tiler.render import colours, drawing
from tiler.render import svg_elements as xml
from tiler.render.grid import HOLE, OUTSIDE, UNCOVERED, Layer, headings, layers
from tiler.render.outline import Point, by_form, trace
from tiler.render.svg_elements import INK, element, opened

Loops = list[list[Point]]

CELL = 20  #: units of the document per side of a cell
_MARGIN = 4
_GAP = 16  #: between layers
_CAPTION = 18  #: height of the line above a layer
_CAPTION_WIDTH = 48
_BORDER = 2.2
_DASH = 5
_LETTER, _LINE = 7.2, 17  #: width and height of the letters of a caption
_HATCH = (
    '<pattern id="optional" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<path d="M0 0V5" stroke="#b8b8b8" stroke-width="1.6"/></pattern>'
)


def draw(instance: Instance, solution: Sequence[Placement]) -> str:
    """The document; `()` draws the plain board.

    A placement is one path in every layer it reaches, all in one colour. In space a dot marks a cell whose tile goes on in
    the next layer. The picture is scaled for a screen (at most 40 pixels per cell), and prints at any size.
    """
    if not instance.has_boxes:
        return of_panels(drawing.panels(instance, solution), instance.heading or "tiling")
    grid = layers(instance.board, solution)
    low, _ = box(instance.board)
    optional = {tuple(a - b for a, b in zip(cell, low, strict=True)) for cell in instance.optional}
    spare = CUBIC.lift(frozenset(optional)) if optional else frozenset()
    fills = [colours.fill(number) for number in colours.assign(instance.lattice, solution)]
    title = {name: xml.titled(name) for name in {placement.tile for placement in solution}}
    titles = [title[placement.tile] for placement in solution]

    above = headings(instance.board)
    caption = _CAPTION if len(grid) > 1 else 0
    wide, high = len(grid[0][0]) * CELL, len(grid[0]) * CELL + caption
    if caption:
        wide = max(wide, _CAPTION_WIDTH)
    abreast = xml.abreast(len(grid), wide + _GAP, high + _GAP)
    width = 2 * _MARGIN + abreast * (wide + _GAP) - _GAP
    height = 2 * _MARGIN + -(-len(grid) // abreast) * (high + _GAP) - _GAP
    scale = min(2.0, max(0.4, 800 / max(width, height)))

    parts = [element("defs", _HATCH)] if spare else []
    for z, layer in enumerate(grid):
        x = _MARGIN + z % abreast * (wide + _GAP)
        y = _MARGIN + z // abreast * (high + _GAP) + caption
        parts.append(opened("g", transform=f"translate({x} {y})"))
        if caption:
            parts.append(xml.text(above[z], 11, y=-6))
        parts += _layer(layer, fills, titles, {(row, column) for at, row, column in spare if at == z})
        if z + 1 < len(grid):
            parts += _dots(layer, grid[z + 1])
        parts.append("</g>")
    return xml.document(width, height, instance.heading or "tiling", parts, scale)


def of_panels(panels: Sequence[drawing.Panel], title: str, caption: Sequence[str] = ()) -> str:
    """A document of panels side by side, with the lines of a caption below them."""
    heading = _CAPTION if len(panels) > 1 else 0
    wide = max(
        [_CAPTION_WIDTH if heading else 0.0, *(panel.width for panel in panels), *(_LETTER * len(line) for line in caption)]
    )
    high = max(panel.height for panel in panels) + heading
    abreast = xml.abreast(len(panels), wide + _GAP, high + _GAP)
    width = 2 * _MARGIN + abreast * (wide + _GAP) - _GAP
    bottom = 2 * _MARGIN + -(-len(panels) // abreast) * (high + _GAP) - _GAP
    hatched = any(isinstance(mark, drawing.Area) and mark.hatched for panel in panels for mark in panel.marks)
    parts = [element("defs", _HATCH)] if hatched else []
    for number, panel in enumerate(panels):
        x, y = _MARGIN + number % abreast * (wide + _GAP), _MARGIN + number // abreast * (high + _GAP) + heading
        parts.append(opened("g", transform=f"translate({xml.number(x)} {xml.number(y)})", stroke_linejoin="round"))
        if heading:
            parts.append(xml.text(panel.heading, 11, y=-6))
        parts += [_mark(mark) for mark in panel.marks]
        parts.append("</g>")
    parts += [xml.text(line, 13, x=_MARGIN, y=bottom + _LINE * (row + 0.8)) for row, line in enumerate(caption)]
    height = bottom + (_LINE * len(caption) + _MARGIN if caption else 0)
    return xml.document(width, height, title, parts, min(2.0, max(0.4, 800 / max(width, height))))


def _mark(mark: drawing.Mark) -> str:
    match mark:
        case drawing.Area(loops, fill, border, hatched, title, edge, opacity):
            given: dict[str, str | float] = {"class_": "tile"} if title else {}
            given |= {"fill": "url(#optional)" if hatched else fill, "fill_rule": "evenodd", "d": xml.outline(loops)}
            given |= {"fill_opacity": opacity} if opacity < 1 else {}
            given |= {"stroke": edge, "stroke_width": border} if border else {"stroke": "none"}
            return element("path", xml.titled(title) if title else "", **given)
        case drawing.Lines(ends, colour, width, opacity, title, dashed):
            path = "".join("M{} {}L{} {}".format(*map(xml.number, (*start, *end))) for start, end in ends)
            given = {"class_": "tile"} if title else {}
            given |= {"fill": "none", "stroke": colour, "stroke_width": width, "stroke_linecap": "round", "d": path}
            given |= {"stroke_opacity": opacity} if opacity < 1 else {}
            given |= {"stroke_dasharray": f"{_DASH} {_DASH}", "stroke_linecap": "butt"} if dashed else {}
            return element("path", xml.titled(title) if title else "", **given)
        case drawing.Dots(middles):
            return "".join(element("circle", cx=x, cy=y, r=2.4, fill=INK, pointer_events="none") for x, y in middles)
        case drawing.Text((x, y), said, colour):
            return xml.text(said, 10, x=x, y=y + 3.5, text_anchor="middle", fill=colour)


def _layer(layer: Layer, fills: Sequence[str], titles: Sequence[str], optional: set[Point]) -> Iterator[str]:
    cells: defaultdict[int, list[Point]] = defaultdict(list)
    for i, row in enumerate(layer):
        for j, entry in enumerate(row):
            cells[entry].append((i, j))
    bare = cells.pop(UNCOVERED, [])
    yield opened("g", fill_rule="evenodd", stroke=INK, stroke_width=_BORDER, stroke_linejoin="round")
    if bare:
        yield element("path", class_="uncovered", fill="#f4f4f4", stroke="none", d=_outline(bare))
        hatched = optional.intersection(bare)
        if hatched:
            yield element("path", class_="optional", fill="url(#optional)", stroke="none", d=_outline(hatched))
        # The border comes last, or the hatching would run into it.
        yield element("path", fill="none", d=_outline(bare))
    known: dict[tuple[Point, ...], Loops] = {}
    for number in sorted(cells):
        if number not in (OUTSIDE, HOLE):
            # Most tiles look like others that were traced already.
            form, offset = by_form(cells[number])
            loops = known.get(form) or known.setdefault(form, trace(form))
            yield element("path", titles[number], class_="tile", fill=fills[number], d=_path(loops, *offset))
    yield "</g>"
    lines = _inner_lines(layer)
    if lines:
        # In the colour of the borders, so that nothing shows where these lines cross them.
        yield element(
            "path", fill="none", stroke=INK, stroke_opacity=0.22, stroke_width=0.7, pointer_events="none", d="".join(lines)
        )


def _outline(cells: Sequence[Point] | set[Point]) -> str:
    """The loops round some cells as path data."""
    return _path(trace(cells), 0, 0)


def _path(loops: Loops, down: int, right: int) -> str:
    """Loops, moved, as path data."""
    return xml.outline([((right + j) * CELL, (down + i) * CELL) for i, j in loop] for loop in loops)


def _inner_lines(layer: Layer) -> list[str]:
    """Lines between neighbouring cells of one tile, or of none, as path data; each as long as can be."""
    paths = []
    turned = list(zip(*layer, strict=True))
    for rows, line in ((layer, "M{1} {0}H{2}"), (turned, "M{0} {1}V{2}")):
        for at, (one, two) in enumerate(pairwise(rows), 1):
            start = None
            for j, (a, b) in enumerate([*zip(one, two, strict=True), (OUTSIDE, OUTSIDE)]):
                inner = a == b and a not in (OUTSIDE, HOLE)
                if inner and start is None:
                    start = j
                elif not inner and start is not None:
                    paths.append(line.format(at * CELL, start * CELL, j * CELL))
                    start = None
    return paths


def _dots(layer: Layer, following: Layer) -> list[str]:
    """A dot on every cell whose tile also covers the same cell of the following layer."""
    return [
        element("circle", cx=j * CELL + CELL / 2, cy=i * CELL + CELL / 2, r=2.4, fill=INK, pointer_events="none")
        for i, (row, under) in enumerate(zip(layer, following, strict=True))
        for j, (entry, other) in enumerate(zip(row, under, strict=True))
        if entry == other and entry >= 0
    ]
