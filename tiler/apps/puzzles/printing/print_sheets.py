"""Make sheets to print and cut out: the board and the pieces at a given size, in millimetres, on pages of a paper. They are one
PDF, or an SVG or a PNG for each page.

The labels of the board's cells are on the sheet. Cells that are known to stay open are hatched.
"""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from tiler import printable
from tiler.errors import BadOption
from tiler.model.corners import Point
from tiler.model.instance import Instance
from tiler.model.lattice import Lattice, Shape
from tiler.model.paint import BLANK, Coat
from tiler.model.placed import placed
from tiler.model.tile import Tile
from tiler.render import cell_outlines, colours, lettering, paint, scene, svg
from tiler.render.cell_outlines import Spot
from tiler.render.colours import Colouring, PieceColours
from tiler.render.lettering import Word
from tiler.render.pages import on_sheets
from tiler.render.paint import NO_INKS, Inks
from tiler.render.papers import INCH, PAPERS
from tiler.render.scene import BORDER, INK, Label, Lines, Mark, Page, Panel, Patch

LABELS = ("names", "letters", "numbers", "none")
MARGIN, GAP = 10.0, 5.0  #: the margin of the page, and the gap between pieces, in mm
MOST = 1000  #: the most pieces

_HATCHES = ("//", "\\\\", "--", "||", "xx", "++", "..", "oo", "///", "\\\\\\", "---", "|||")
_POINT = INCH / 72  # mm
_LETTER = 14 * _POINT  # size of letters, at most


@dataclass(frozen=True)
class SheetLook:
    """The look of a sheet. `unit` is the length of a step of the lattice in mm; for squares it is their side."""

    unit: float = 15.0
    paper: str = "A4"
    labels: str = "names"
    colours: Colouring = None
    hatching: bool = False


def pages(instance: Instance, look: SheetLook) -> list[Page]:
    """A page with the board and the pieces that are placed on it from the start, then pages with all pieces; or one page with
    all, if there is room. A tile has as many pieces as copies may be used; a tile without a limit has one. Lengths are in mm.

    BadOption if the paper is too small; it says which unit or paper would suffice.
    """
    refuse(instance)
    across, down = PAPERS[look.paper]
    room = across - 2 * MARGIN, down - 2 * MARGIN
    ordered = copies(instance, look)
    board = _board(instance, ordered, look.unit)
    lies = not _fits(board, room) and _fits(board, room[::-1])  # A page on its side, for the board alone.
    pieces = _pieces(instance.lattice, ordered, look.unit, Inks.of(instance))
    for piece in [board, *pieces]:
        _refuse_too_large(piece, look, turned=piece is board)
    empty = Page(across, down, (), inches=max(across, down) / INCH, grain=_POINT)
    turned = empty._replace(width=down, height=across) if lies else empty
    first = turned._replace(placed=[(board, (MARGIN, MARGIN))])
    sizes = [(piece.width, piece.height) for piece in pieces]
    below = MARGIN + board.height + 2 * GAP
    rows = on_sheets(sizes, (room[0], across + down), GAP)[0]
    if not lies and all(below + y + pieces[number].height <= down - MARGIN for number, (_, y) in rows):
        return [first._replace(placed=[*first.placed, *((pieces[number], (x + MARGIN, y + below)) for number, (x, y) in rows)])]
    filled = ([(pieces[number], (x + MARGIN, y + MARGIN)) for number, (x, y) in sheet] for sheet in on_sheets(sizes, room, GAP))
    return [first, *(empty._replace(placed=placed) for placed in filled)]


def draw(instance: Instance, look: SheetLook, form: str = "pdf") -> list[bytes]:
    """The pages as the content of files: one PDF, or an SVG or a PNG for each page."""
    these, title = pages(instance, look), instance.heading or "pieces"
    if form == "svg":
        return [svg.of_page(page, title).encode() for page in these]
    from tiler.render import image

    if form == "pdf":
        return [image.of_pages(these, title, measured=True)]
    return [image.of_page(page, title, form) for page in these]


def refuse(instance: Instance) -> None:
    """BadOption if pieces cannot be cut out of paper or wood."""
    if instance.dimension == 3:
        raise BadOption("pieces of the plane can be cut out; for pieces in space -o pieces.stl")
    if instance.lattice.has_edges:
        raise BadOption(f"pieces of the {instance.lattice} lattice are edges, which have no area to cut out")


def sheet(instance: Instance) -> bytes:
    """The sheet of a problem as a PDF, with the usual look."""
    return draw(instance, SheetLook())[0]


class Copy(NamedTuple):
    """A copy of a tile, with its label and its look."""

    tile: Tile
    label: str
    patch: Patch


def copies(instance: Instance, look: SheetLook) -> list[Copy]:
    """The pieces, in the order of the problem."""
    numbers = [tile.at_most or 1 for tile in instance.distinct_tiles]
    if sum(numbers) > MOST:
        raise BadOption(f"{sum(numbers):,} pieces are too many for a sheet; it takes {MOST:,}")
    names = [printable.line(tile.name) for tile in instance.distinct_tiles]
    own = dict(zip(names, _letters(names), strict=True))
    fills = PieceColours.of(instance, (), look.colours).tiles
    found: list[Copy] = []
    for t, (tile, times) in enumerate(zip(instance.distinct_tiles, numbers, strict=True)):
        for _ in range(times):
            number = len(found)
            label = {"names": names[t], "letters": own[names[t]], "numbers": str(number + 1), "none": ""}[look.labels]
            fill = colours.fill(number) if look.colours == "copy" else fills[tile.name]
            patch = Patch((), "#ffffff", hatch=_HATCHES[t % len(_HATCHES)]) if look.hatching else Patch((), fill)
            found.append(Copy(tile, label, patch))
    return found


def _board(instance: Instance, copies: Sequence[Copy], unit: float) -> Panel:
    """The board in mm, with the pieces that are placed on it from the start; these are the first copies of their tiles."""
    lattice, inks = instance.lattice, Inks.of(instance)
    place = partial(spot, lattice, unit=unit)
    ground = Coat(tuple((cell, colour) for cell, colour in instance.ground.colours))
    pale = inks._replace(fills={name: paint.pale(fill) for name, fill in inks.fills.items()})
    stay_open = instance.optional if instance.stay_open[0] == len(instance.optional) else frozenset()
    used: Counter[int] = Counter()
    pieces: list[tuple[Shape, Copy]] = []
    for clue in placed(instance):
        number = instance.number_of(clue.tile)
        own = [copy for copy in copies if copy.tile is instance.distinct_tiles[number]]
        pieces.append((clue.cells, own[min(used[number], len(own) - 1)]))
        used[number] += 1
    covered = {cell for cells, _ in pieces for cell in cells}
    marks = [*paint.wanted(instance, lattice, inks, place)]
    marks += _marks(lattice, instance.board, unit, Patch((), "#ffffff"), ground, pale)
    if stay_open:
        loops = [[place(point) for point in loop] for loop in cell_outlines.outline(lattice, stay_open)]
        marks += [scene.spare(loops), Patch(loops, "none", 2 * _POINT)]
    marks += lettering.written(lettering.open_cells(instance, covered, place).values(), _LETTER)
    for cells, copy in pieces:
        marks += _marks(lattice, cells, unit, copy.patch)
    written = lettering.written([word(lattice, copy.label, cells, unit, colour=_ink(copy)) for cells, copy in pieces], _LETTER)
    marks += [mark for (_, copy), label in zip(pieces, written, strict=True) for mark in _lettered(label, copy.patch)]
    return scene.fitted("", marks)


def _letters(names: Sequence[str]) -> list[str]:
    """A letter for each tile: the last letter of its name (5F, 5I, ...) if these all differ, else A, B, ..., Z, AA, BB, ..."""
    last = [name[-1:] for name in names]
    if len(set(last)) == len(names) and all(letter.isascii() and letter.isalpha() for letter in last):
        return last
    letters = string.ascii_uppercase
    return [letters[n % 26] * (n // 26 + 1) for n in range(len(names))]


def _pieces(lattice: Lattice, copies: Sequence[Copy], unit: float, inks: Inks) -> list[Panel]:
    """A panel for each piece, in mm. If its back looks different, there is a panel of the back too, as seen from behind."""
    faces: list[tuple[Copy, Coat, bool]] = []
    for copy in copies:
        front, back = copy.tile.paint.coats
        faces.append((copy, front, False))
        if back != front:
            faces.append((copy._replace(label=copy.label and f"{copy.label} (back)"), back, True))
    words = [word(lattice, copy.label, copy.tile.shape, unit, coat, inks, _ink(copy, coat)) for copy, coat, _ in faces]
    written = lettering.written(words, _LETTER)
    panels = []
    for (copy, coat, is_back), label in zip(faces, written, strict=True):
        marks = _marks(lattice, copy.tile.shape, unit, copy.patch, coat, inks)
        marks += _lettered(label, copy.patch, is_painted=paint.has_bands(coat, inks))
        panel = scene.fitted(copy.label, marks)
        panels.append(scene.mirrored(panel) if is_back else panel)
    return panels


def word(
    lattice: Lattice, label: str, cells: Shape, unit: float, coat: Coat = BLANK, inks: Inks = NO_INKS, colour: str = INK
) -> Word:
    """The label of a piece, with the loops in which it may stand if the piece lies on these cells."""
    loops = lettering.on_piece(lattice, cells, partial(spot, lattice, unit=unit))
    if any(mark in inks.tabs for _, mark in coat.marks):  # Between the sockets.
        loops = [lettering.shrunk(loops[0], 0.5)]
    return Word(label, loops, colour)


def _ink(copy: Copy, coat: Coat = BLANK) -> str:
    return "#ffffff" if colours.is_dark(copy.patch.fill) and not coat else INK


def _lettered(label: Label, patch: Patch, *, is_painted: bool = False) -> list[Mark]:
    """The marks of a label; on hatching and painted pieces it has a white box."""
    if not label.said:
        return []
    (x, y), wide, high = label.at, lettering.width(label.said) * label.size / 2 + 0.5, lettering.HIGH * label.size
    around = [(x - wide, y - high - 0.5), (x + wide, y - high - 0.5), (x + wide, y + 0.5), (x - wide, y + 0.5)]
    return [Patch([around], "#ffffff"), label] if patch.hatch or is_painted else [label]


def spot(lattice: Lattice, point: Point, unit: float) -> Spot:
    (x, y), times = cell_outlines.page(lattice, point), unit / cell_outlines.step(lattice)
    return x * times, y * times


def _marks(lattice: Lattice, shape: Shape, unit: float, patch: Patch, coat: Coat = BLANK, inks: Inks = NO_INKS) -> list[Mark]:
    """The marks of a shape in mm, with its painted colours and marks; `patch` has the look of the shape."""
    place, times = partial(spot, lattice, unit=unit), _POINT / BORDER
    loops = paint.outline(lattice, shape, coat, inks, place)
    lines = [(place(start), place(end)) for start, end in cell_outlines.inner_lines(lattice, shape)]
    marks: list[Mark] = [patch._replace(loops=loops, border=_POINT), *paint.areas(lattice, coat, inks, place, times)]
    marks += [Lines(lines, INK, 0.4 * _POINT, 0.4)] if lines else []
    marks += [Patch(loops, "none", _POINT)] if coat else []
    return marks


def _fits(piece: Panel, room: Spot) -> bool:
    return piece.width <= room[0] and piece.height <= room[1]


def _refuse_too_large(piece: Panel, look: SheetLook, *, turned: bool) -> None:
    """BadOption if a piece fits no page; it says which unit or paper would suffice. `turned` also tries a page on its side."""

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
