"""Sheets to print and cut out: the board and the pieces at a given size, in millimetres, on pages of a paper, as PDF."""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tiler import printable
from tiler.errors import BadOption
from tiler.model.corners import Point
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Lattice, Shape
from tiler.render import colours, figures, scene
from tiler.render.colours import PieceColours
from tiler.render.figures import Spot
from tiler.render.scene import INK, Label, Lines, Mark, Page, Panel, Patch

PAPERS: Mapping[str, tuple[float, float]] = {
    "A5": (148, 210),
    "A4": (210, 297),
    "A3": (297, 420),
    "A2": (420, 594),
    "letter": (215.9, 279.4),
    "tabloid": (279.4, 431.8),
}
COLOURS = ("tile", "copy", "few", "grey")
LABELS = ("names", "letters", "numbers", "none")
MARGIN, GAP = 10.0, 5.0  #: round the page, and between pieces, in mm
MOST = 1000  #: pieces

_INCH = 25.4
_HATCHES = ("//", "\\\\", "--", "||", "xx", "++", "..", "oo", "///", "\\\\\\", "---", "|||")
_POINT = _INCH / 72  # mm


@dataclass(frozen=True)
class SheetLook:
    """How a sheet looks: `unit` mm for a step of the lattice, of squares a side."""

    unit: float = 15.0
    paper: str = "A4"
    labels: str = "names"
    colours: str | Mapping[str, str] = "tile"  #: tile, copy, few or grey, or a colour for each tile by its name
    hatching: bool = False


def pdf(instance: Instance, look: SheetLook) -> bytes:
    """The board on a page, and the pieces on as many as they need: each copy that may be used, or one of each tile where there
    may be any number. BadOption in a line where the paper is too small, with what would do."""
    from tiler.render import image

    if instance.dimension == 3:
        raise BadOption("a sheet shows boards of the plane; for pieces in space -o pieces.stl")
    across, down = PAPERS[look.paper]
    room = across - 2 * MARGIN, down - 2 * MARGIN
    board = _piece(instance.lattice, instance.board, look.unit, "", Patch((), "#ffffff"))
    lies = not _fits(board, room) and _fits(board, room[::-1])  # A page on its side, for the board alone.
    sheets = _laid_out(_pieces(instance, look), room)
    for piece in [board, *(piece for sheet in sheets for piece, _ in sheet)]:
        _refuse_too_large(piece, look, turned=piece is board)
    first = Page(*((down, across) if lies else (across, down)), [(board, (MARGIN, MARGIN))])
    others = [Page(across, down, [(piece, (x + MARGIN, y + MARGIN)) for piece, (x, y) in sheet]) for sheet in sheets]
    return image.of_pages([first, *others], instance.heading or "pieces", per_unit=1 / _INCH)


def _pieces(instance: Instance, look: SheetLook) -> list[Panel]:
    copies = [tile.at_most or 1 for tile in instance.distinct_tiles]
    if sum(copies) > MOST:
        raise BadOption(f"{sum(copies):,} pieces are too many for a sheet; it takes {MOST:,}")
    names = [printable.line(tile.name) for tile in instance.distinct_tiles]
    own = dict(zip(names, _letters(names), strict=True))
    fills = _fills(instance, look.colours)
    found: list[Panel] = []
    for t, (tile, times) in enumerate(zip(instance.distinct_tiles, copies, strict=True)):
        for _ in range(times):
            number = len(found)
            label = {"names": names[t], "letters": own[names[t]], "numbers": str(number + 1), "none": ""}[look.labels]
            fill = colours.fill(number) if look.colours == "copy" else fills[t]
            patch = Patch((), "#ffffff", hatch=_HATCHES[t % len(_HATCHES)]) if look.hatching else Patch((), fill)
            found.append(_piece(instance.lattice, tile.shape, look.unit, label, patch))
    return found


def _letters(names: Sequence[str]) -> list[str]:
    """The letters that pieces are known by: the last of their names (5F, 5I, ...) if no two agree in it, else A, B, ..."""
    last = [name[-1:] for name in names]
    if len(set(last)) == len(names) and all(letter.isascii() and letter.isalpha() for letter in last):
        return last
    letters = string.ascii_uppercase
    return [letters[n % 26] * (n // 26 + 1) for n in range(len(names))]


def _fills(instance: Instance, how: str | Mapping[str, str]) -> list[str]:
    """A colour for each tile: the one that it has in pictures of tilings, of a small palette, or from a file."""
    tiles = instance.distinct_tiles
    if isinstance(how, str):
        own = PieceColours.of(instance, ()).tiles
        palette = {"few": colours.FEW, "grey": colours.GREYS}.get(how, [own[tile.name] for tile in tiles])
        return [palette[t % len(palette)] for t in range(len(tiles))]
    for tile in tiles:
        if printable.line(tile.name) not in how:
            raise BadOption(f"the file of colours says nothing of tile {printable.line(tile.name)}")
    return [how[printable.line(tile.name)] for tile in tiles]


def _piece(lattice: Lattice, shape: Shape, unit: float, label: str, patch: Patch) -> Panel:
    """A shape in mm, with its label in the cell in the middle; `patch` is how it looks."""
    cells = sorted(shape)

    def spot(point: Point) -> Spot:
        x, y = figures.page(lattice, point)
        return x * unit, y * unit

    loops = [[spot(point) for point in loop] for loop in figures.outline(lattice, cells)]
    lines = [(spot(start), spot(end)) for start, end in figures.inner_lines(lattice, cells)]
    marks: list[Mark] = [patch._replace(loops=loops, border=_POINT)]
    marks += [Lines(lines, INK, 0.4 * _POINT, 0.4)] if lines else []
    if label:
        x, y = spot(_centre(lattice, cells))
        size = min(14.0 * _POINT, 0.45 * unit, 1.4 * unit / len(label))
        wide, high = 0.35 * size * len(label) + 0.5, 0.6 * size
        around = [(x - wide, y - high), (x + wide, y - high), (x + wide, y + high), (x - wide, y + high)]
        marks += [Patch([around], "#ffffff")] if patch.hatch else []
        marks.append(Label((x, y + 0.36 * size), label, size, centred=True))
    return scene.fitted(label, marks, [spot for loop in loops for spot in loop])


def _centre(lattice: Lattice, cells: Sequence[Cell]) -> Cell:
    """The centre of the cell that is closest to the middle of all."""
    middle = [sum(axis) / len(cells) for axis in zip(*cells, strict=True)]
    nearest = min(cells, key=lambda cell: (sum((a - b) ** 2 for a, b in zip(cell, middle, strict=True)), cell))
    return tuple(lattice.fine * a for a in nearest)


def _laid_out(pieces: Sequence[Panel], room: Spot) -> list[list[tuple[Panel, Spot]]]:
    """Pieces in rows, as they come; a new page where one is full."""
    sheets: list[list[tuple[Panel, Spot]]] = [[]]
    x = y = deep = 0.0
    for piece in pieces:
        if x and x + piece.width > room[0]:
            x, y, deep = 0.0, y + deep + GAP, 0.0
        if y and y + piece.height > room[1]:
            sheets.append([])
            x = y = deep = 0.0
        sheets[-1].append((piece, (x, y)))
        x, deep = x + piece.width + GAP, max(deep, piece.height)
    return sheets


def _fits(piece: Panel, room: Spot) -> bool:
    return piece.width <= room[0] and piece.height <= room[1]


def _refuse_too_large(piece: Panel, look: SheetLook, *, turned: bool) -> None:
    """BadOption with what would do, if a piece fits no page; `turned`: nor a page on its side."""

    def rooms(paper: str) -> list[Spot]:
        across, down = (side - 2 * MARGIN for side in PAPERS[paper])
        return [(across, down), (down, across)] if turned else [(across, down)]

    if any(_fits(piece, room) for room in rooms(look.paper)):
        return
    fits, wide, high = max(
        (min(wide / piece.width, high / piece.height) * look.unit, wide, high) for wide, high in rooms(look.paper)
    )
    larger = [name for name in PAPERS if any(_fits(piece, room) for room in rooms(name))]
    other = f", or --paper {larger[0]}" if larger else ""
    what = f"tile {piece.heading}" if piece.heading else "the board"
    raise BadOption(
        f"{what} is {piece.width:.0f} x {piece.height:.0f} mm, and {look.paper} has room for {wide:.0f} x {high:.0f}: "
        f"--unit {int(fits * 10) / 10:g} at most{other}"
    )
