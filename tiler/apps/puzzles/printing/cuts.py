"""Make files for laser cutters: pieces, trays and tilings as lines in millimetres, in DXF and SVG.

Lines that are cut have a layer of their own, what is engraved (names and labels) another. There is no fill and no background. A
beam takes away half of its width, the kerf, on both sides of a line: so outlines of solid parts grow by half of it, and holes
shrink. Pieces that lie in place share lines, and each of these is cut once.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice, pairwise
from math import dist
from typing import NamedTuple

from tiler import printable
from tiler.apps.puzzles.printing import print_sheets
from tiler.apps.puzzles.printing.print_sheets import SheetLook
from tiler.errors import BadOption
from tiler.model.corners import Point
from tiler.model.instance import Instance
from tiler.model.lattice import Shape
from tiler.model.paint import BLANK, Coat
from tiler.model.tile import Placement
from tiler.optional_packages import need
from tiler.render import cell_outlines, lettering, pages, paint
from tiler.render import svg_elements as xml
from tiler.render.cell_outlines import Spot
from tiler.render.lettering import Word
from tiler.render.options import Lengths, PictureLook
from tiler.render.paint import Inks
from tiler.render.scene import Label

FORMATS = ("dxf", "svg")
BED = (600.0, 400.0)  #: default width and depth of the bed of a laser cutter, in mm
APART = 5.0  #: the least gap between parts on the bed, in mm
WALL = 10.0  #: the width of the frame of a tray, in mm
MOST = 1.0  #: the widest kerf or gap, in mm

USUAL = Lengths()
_HAIRLINE = 0.05  # mm
_LETTER = 5.0  # size of letters, at most, in mm
_COLOURS = {"CUT": ("#ff0000", 1), "ENGRAVE": ("#0000ff", 5)}  # for each layer a colour, and its number in DXF


class CutLine(NamedTuple):
    """A line to be cut, or engraved; a closed one ends where it begins."""

    spots: Sequence[Spot]
    closed: bool = True


class CutDrawing(NamedTuple):
    """What lies on one bed, in mm: x to the right, y down, from (0, 0)."""

    width: float
    height: float
    cuts: Sequence[CutLine]
    engraved: Sequence[Label | CutLine] = ()


def pieces(instance: Instance, lengths: Lengths = USUAL, bed: Spot = BED, labels: str = "names") -> list[CutDrawing]:
    """A part for each copy that may be used, or one for each tile, packed on beds. BadOption if one is larger than a bed."""
    unit = _unit(instance, lengths)
    lattice, inks = instance.lattice, Inks.of(instance)
    place = partial(print_sheets.spot, lattice, unit=unit)
    copies = print_sheets.copies(instance, SheetLook(unit, labels=labels))
    words = [list(_words(instance, tile.shape, tile.paint.coats[0], label, unit)) for tile, label, _ in copies]
    written = iter(lettering.written((word for some in words for word in some), _LETTER))
    parts = []
    for (tile, _, _), some in zip(copies, words, strict=True):
        loops = paint.outline(lattice, tile.shape, tile.paint.coats[0], inks, place)
        cuts = [CutLine(cell_outlines.grown(loop, (lengths.kerf - (lengths.gap or 0.0)) / 2)) for loop in loops]
        engraved = [label for label in islice(written, len(some)) if label.said]
        parts.append(_fitted(cuts, engraved, f"tile {printable.line(tile.name)}"))
    return _packed(parts, bed)


def tray(instance: Instance, lengths: Lengths = USUAL, bed: Spot = BED) -> list[CutDrawing]:
    """A floor and a frame to glue on it; labels of cells are engraved on the floor. BadOption if the tray is larger than the bed,
    if the board is wrapped, or if tabs can stand out of it."""
    unit = _unit(instance, lengths)
    paint.refuse_tray(instance)
    place = partial(print_sheets.spot, instance.lattice, unit=unit)
    board = paint.outline(instance.lattice, instance.board, BLANK, Inks.of(instance), place)
    across, down = zip(*(spot for loop in board for spot in loop), strict=True)
    left, right, top, low = min(across) - WALL, max(across) + WALL, min(down) - WALL, max(down) + WALL
    around = CutLine(cell_outlines.grown([(left, top), (right, top), (right, low), (left, low)], lengths.kerf / 2))
    holes = [CutLine(cell_outlines.grown(loop[::-1], lengths.kerf / 2)) for loop in board]
    # Clockwise loops of the board are holes of the frame; the others are islands, whose places are engraved on the floor.
    islands = [CutLine(loop) for loop in board if _area(loop) < 0]
    said = lettering.written(lettering.open_cells(instance, (), place).values(), _LETTER)
    return _packed([_fitted([around], [*islands, *said], "the tray"), _fitted([around, *holes], [], "the tray")], bed)


def assembled(instance: Instance, tiling: Sequence[Placement], lengths: Lengths = USUAL) -> CutDrawing:
    """A tiling in place: lines between and around its pieces, each once. BadOption if the board is wrapped."""
    unit = _unit(instance, lengths)
    if instance.wrap:
        raise BadOption("the tiling of a wrapped board has no outline to cut; -o tiling.svg draws it")
    if not tiling:
        raise BadOption("no piece lies on the board, so there is nothing to cut")
    if lengths.kerf or lengths.gap:
        raise BadOption(
            "pieces in place share their cuts, without a gap: leave out --kerf and --gap, or use tiler show, for pieces apart"
        )
    lattice, inks = instance.lattice, Inks.of(instance)
    place = partial(print_sheets.spot, lattice, unit=unit)
    sides: set[tuple[Point, Point]] = set()
    bent: dict[tuple[Point, Point], list[Spot]] = {}
    for placed in tiling:
        marked = paint.tab_sides(lattice, placed.coat, inks)
        for start, end in cell_outlines.border(lattice, placed.cells):
            ends = (start, end) if start < end else (end, start)
            sides.add(ends)
            if (start, end) in marked:
                bent[ends] = paint.side(lattice, (start, end), marked[start, end], inks, place)
    straight = cell_outlines.joined(sides - bent.keys())
    cuts = [CutLine([place(start), place(end)], closed=False) for start, end in straight]
    cuts += [CutLine(spots, closed=False) for _, spots in sorted(bent.items())]
    words = [word for placed in tiling for word in _words(instance, placed.cells, placed.coat, placed.tile, unit)]
    return _fitted(cuts, lettering.written(words, _LETTER), "").drawing


def draw(instance: Instance, tiling: Sequence[Placement], look: PictureLook, form: str) -> bytes:
    """The pieces of a tiling where they lie, as a file."""
    return write(assembled(instance, tiling, look.lengths), instance.heading, form)


def _unit(instance: Instance, lengths: Lengths) -> float:
    """The length of a step of the lattice. BadOption for what cannot be cut, and for a kerf or a gap out of range."""
    print_sheets.refuse(instance)
    unit = lengths.one_unit
    most = min(MOST, unit / 20 if paint.has_tabs(instance) else unit / 10)
    for name, length in (("kerf", lengths.kerf), ("gap", lengths.gap or 0.0)):
        if not 0 <= length <= most:
            raise BadOption(f"--{name} {length:g}: from 0 to {most:g} mm for cells of {unit:g} mm")
    return unit


def _words(instance: Instance, shape: Shape, coat: Coat, name: str, unit: float) -> Iterator[Word]:
    """What is engraved on a piece: its name, or its colours; and its marks, but for those that its outline shows."""
    lattice, inks = instance.lattice, Inks.of(instance)
    place = partial(print_sheets.spot, lattice, unit=unit)
    for patch in paint.areas(lattice, coat, inks, place):
        if patch.title not in inks.tabs:
            yield Word(printable.line(patch.title), [lettering.shrunk(patch.loops[0], 0.8)])
    if not coat.colours:
        yield print_sheets.word(lattice, printable.line(name), shape, unit, coat, inks)


def _area(loop: Sequence[Spot]) -> float:
    """The area in a loop, negative if it runs anticlockwise on a page."""
    return sum(x * v - u * y for (x, y), (u, v) in zip(loop, [*loop[1:], loop[0]], strict=True)) / 2


class _Part(NamedTuple):
    """A part, moved so that its cuts begin at (0, 0)."""

    name: str
    drawing: CutDrawing


def _fitted(cuts: Sequence[CutLine], engraved: Sequence[Label | CutLine], name: str) -> _Part:
    across, down = zip(*(spot for line in cuts for spot in line.spots), strict=True)
    left, top = min(across), min(down)
    moved = _moved(CutDrawing(0.0, 0.0, cuts, engraved), -left, -top)
    return _Part(name, moved._replace(width=max(across) - left, height=max(down) - top))


def _moved(drawing: CutDrawing, right: float, down: float) -> CutDrawing:
    def moved(line: CutLine) -> CutLine:
        return line._replace(spots=[(x + right, y + down) for x, y in line.spots])

    engraved = [
        moved(each) if isinstance(each, CutLine) else each._replace(at=(each.at[0] + right, each.at[1] + down))
        for each in drawing.engraved
    ]
    return drawing._replace(cuts=list(map(moved, drawing.cuts)), engraved=engraved)


def _packed(parts: Sequence[_Part], bed: tuple[float, float]) -> list[CutDrawing]:
    """The parts in rows on beds, high ones first."""
    ordered = sorted(parts, key=lambda part: -part.drawing.height)
    sizes = [(part.drawing.width, part.drawing.height) for part in ordered]
    for part, size in zip(ordered, sizes, strict=True):
        pages.refuse_larger(part.name, *size, bed)
    beds = []
    for placed in pages.on_sheets(sizes, bed, APART):
        moved = [_moved(ordered[number].drawing, *at) for number, at in placed]
        width = max(x + sizes[number][0] for number, (x, _) in placed)
        height = max(y + sizes[number][1] for number, (_, y) in placed)
        cuts = [line for drawing in moved for line in drawing.cuts]
        beds.append(CutDrawing(width, height, cuts, [each for drawing in moved for each in drawing.engraved]))
    return beds


def in_words(drawing: CutDrawing) -> str:
    """The room that a drawing takes, and the length of its cuts."""
    long = sum(dist(*ends) for line in drawing.cuts for ends in pairwise([*line.spots, *line.spots[: line.closed]]))
    return f"{drawing.width:.4g} x {drawing.height:.4g} mm, {long / 1000:.3g} m to cut"


def write(drawing: CutDrawing, title: str, form: str) -> bytes:
    """The content of a DXF or SVG file."""
    return _dxf(drawing) if form == "dxf" else _svg(drawing, title).encode()


def _svg(drawing: CutDrawing, title: str) -> str:
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" '
        f'width="{xml.number(drawing.width)}mm" height="{xml.number(drawing.height)}mm" '
        f'viewBox="0 0 {xml.number(drawing.width)} {xml.number(drawing.height)}">',
        xml.titled(title or "cuts"),
    ]
    for name, marks in (("CUT", drawing.cuts), ("ENGRAVE", drawing.engraved)):
        look = f'fill="none" stroke="{_COLOURS[name][0]}" stroke-width="{_HAIRLINE}"'
        parts.append(f'<g id="{name.lower()}" inkscape:groupmode="layer" inkscape:label="{name.lower()}" {look}>')
        for mark in marks:
            if isinstance(mark, CutLine):
                parts.append(xml.element("path", d=xml.outline([mark.spots]) if mark.closed else xml.line(mark.spots)))
            else:
                (x, y), colour = mark.at, _COLOURS[name][0]
                parts.append(xml.text(mark.said, mark.size, x=x, y=y, fill=colour, stroke="none", text_anchor="middle"))
        parts.append("</g>")
    return "\n".join([*parts, "</svg>", ""])


def _dxf(drawing: CutDrawing) -> bytes:
    need(".dxf", "ezdxf", instead="--cut -o pieces.svg needs none")
    import ezdxf
    from ezdxf.enums import TextEntityAlignment

    ezdxf.options.write_fixed_meta_data_for_testing = True  # The same pieces make the same file.
    document = ezdxf.new("R2010", units=ezdxf.units.MM)
    for name, (_, colour) in _COLOURS.items():
        document.layers.add(name, color=colour, lineweight=0)
    space = document.modelspace()
    for layer, marks in (("CUT", drawing.cuts), ("ENGRAVE", drawing.engraved)):
        for mark in marks:
            if isinstance(mark, CutLine):
                spots = [(x, drawing.height - y) for x, y in mark.spots]
                space.add_lwpolyline(spots, close=mark.closed, dxfattribs={"layer": layer})
            else:
                (x, y), high = mark.at, lettering.HIGH * mark.size
                text = space.add_text(mark.said, height=high, dxfattribs={"layer": layer})
                text.set_placement((x, drawing.height - y), align=TextEntityAlignment.CENTER)
    out = io.StringIO()
    document.write(out)
    return out.getvalue().encode(document.output_encoding, errors="dxfreplace")
