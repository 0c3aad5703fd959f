"""Make sheets to print and cut out: the board and the pieces at a given size, in millimetres, on pages of a paper, as PDF."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from tiler import printable
from tiler.errors import BadOption
from tiler.model import constraints
from tiler.model.corners import Point
from tiler.model.instance import Instance
from tiler.model.lattice import Lattice, Shape
from tiler.model.paint import BLANK, Coat
from tiler.model.tile import Tile
from tiler.render import coats, colours, figures, scene
from tiler.render.cells import central
from tiler.render.coats import NO_INKS, Inks
from tiler.render.colours import Colouring, PieceColours
from tiler.render.figures import Spot
from tiler.render.scene import BORDER, INK, Label, Lines, Mark, Page, Panel, Patch

PAPERS: Mapping[str, tuple[float, float]] = {
    "A5": (148, 210),
    "A4": (210, 297),
    "A3": (297, 420),
    "A2": (420, 594),
    "letter": (215.9, 279.4),
    "tabloid": (279.4, 431.8),
}
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
    colours: Colouring = None
    hatching: bool = False


def pdf(instance: Instance, look: SheetLook) -> bytes:
    """The board on a page, with the pieces that lie there already, and all pieces on as many as they need: each copy that may be
    used, or one of each tile where there may be any number.

    BadOption in a line where the paper is too small, with what would do.
    """
    from tiler.render import image

    if instance.dimension == 3:
        raise BadOption("a sheet shows boards of the plane; for pieces in space -o pieces.stl")
    across, down = PAPERS[look.paper]
    room = across - 2 * MARGIN, down - 2 * MARGIN
    copies = _copies(instance, look)
    board = _board(instance, copies, look.unit)
    lies = not _fits(board, room) and _fits(board, room[::-1])  # A page on its side, for the board alone.
    inks = Inks.of(instance)
    pieces = [face for copy in copies for face in copy.faces(instance.lattice, look.unit, inks)]
    sheets = _laid_out(pieces, room)
    for piece in [board, *(piece for sheet in sheets for piece, _ in sheet)]:
        _refuse_too_large(piece, look, turned=piece is board)
    first = Page(*((down, across) if lies else (across, down)), [(board, (MARGIN, MARGIN))])
    others = [Page(across, down, [(piece, (x + MARGIN, y + MARGIN)) for piece, (x, y) in sheet]) for sheet in sheets]
    return image.of_pages([first, *others], instance.heading or "pieces", per_unit=1 / _INCH)


class _Copy(NamedTuple):
    """A copy of a tile: its label, and how it looks."""

    tile: Tile
    label: str
    patch: Patch

    def faces(self, lattice: Lattice, unit: float, inks: Inks) -> list[Panel]:
        """The piece in mm; and where its back looks different, that too, as it is seen from behind."""
        shape, paint = self.tile.shape, self.tile.paint
        front = _piece(lattice, shape, unit, self.label, self.patch, paint.front, inks)
        if paint.back == paint.front:
            return [front]
        behind = f"{self.label} (back)" if self.label else ""
        return [front, scene.mirrored(_piece(lattice, shape, unit, behind, self.patch, paint.back, inks))]


def _copies(instance: Instance, look: SheetLook) -> list[_Copy]:
    copies = [tile.at_most or 1 for tile in instance.distinct_tiles]
    if sum(copies) > MOST:
        raise BadOption(f"{sum(copies):,} pieces are too many for a sheet; it takes {MOST:,}")
    names = [printable.line(tile.name) for tile in instance.distinct_tiles]
    own = dict(zip(names, _letters(names), strict=True))
    fills = PieceColours.of(instance, (), look.colours).tiles
    found: list[_Copy] = []
    for t, (tile, times) in enumerate(zip(instance.distinct_tiles, copies, strict=True)):
        for _ in range(times):
            number = len(found)
            label = {"names": names[t], "letters": own[names[t]], "numbers": str(number + 1), "none": ""}[look.labels]
            fill = colours.fill(number) if look.colours == "copy" else fills[tile.name]
            patch = Patch((), "#ffffff", hatch=_HATCHES[t % len(_HATCHES)]) if look.hatching else Patch((), fill)
            found.append(_Copy(tile, label, patch))
    return found


def _board(instance: Instance, copies: Sequence[_Copy], unit: float) -> Panel:
    """The board in mm, with the pieces that lie there already: the first copies of their tiles."""
    lattice, inks = instance.lattice, Inks.of(instance)
    place = partial(_spot, lattice, unit=unit)
    ground = Coat(tuple((cell, colour) for cell, colour in instance.ground.colours))
    pale = inks._replace(fills={name: coats.pale(fill) for name, fill in inks.fills.items()})
    marks = [*coats.wanted(instance, lattice, inks, place)]
    marks += _marks(lattice, instance.board, unit, "", Patch((), "#ffffff"), ground, pale)
    used: Counter[int] = Counter()
    for clue in constraints.placed(instance.constraints):
        number = instance.number_of(clue.tile)
        own = [copy for copy in copies if copy.tile is instance.distinct_tiles[number]]
        copy = own[min(used[number], len(own) - 1)]
        used[number] += 1
        marks += _marks(instance.lattice, clue.cells, unit, copy.label, copy.patch)
    return scene.fitted("", marks, _spots(instance.lattice, instance.board, unit))


def _letters(names: Sequence[str]) -> list[str]:
    """The letters that pieces are known by: the last of their names (5F, 5I, ...) if no two agree in it, else A, B, ..."""
    last = [name[-1:] for name in names]
    if len(set(last)) == len(names) and all(letter.isascii() and letter.isalpha() for letter in last):
        return last
    letters = string.ascii_uppercase
    return [letters[n % 26] * (n // 26 + 1) for n in range(len(names))]


def _piece(lattice: Lattice, shape: Shape, unit: float, label: str, patch: Patch, coat: Coat, inks: Inks) -> Panel:
    """A shape in mm, with its label and what is painted on it; `patch` is how it looks."""
    return scene.fitted(label, _marks(lattice, shape, unit, label, patch, coat, inks), _spots(lattice, shape, unit))


def _spots(lattice: Lattice, shape: Shape, unit: float) -> list[Spot]:
    """The corners of a shape in mm."""
    return [_spot(lattice, point, unit) for loop in figures.outline(lattice, shape) for point in loop]


def _spot(lattice: Lattice, point: Point, unit: float) -> Spot:
    (x, y), times = figures.page(lattice, point), unit / figures.step(lattice)
    return x * times, y * times


def _marks(
    lattice: Lattice, shape: Shape, unit: float, label: str, patch: Patch, coat: Coat = BLANK, inks: Inks = NO_INKS
) -> list[Mark]:
    """A shape in mm, with its label in the cell in the middle."""
    loops = [[_spot(lattice, point, unit) for point in loop] for loop in figures.outline(lattice, shape)]
    lines = [(_spot(lattice, start, unit), _spot(lattice, end, unit)) for start, end in figures.inner_lines(lattice, shape)]
    place, times = partial(_spot, lattice, unit=unit), _POINT / BORDER
    marks: list[Mark] = [patch._replace(loops=loops, border=_POINT), *coats.areas(lattice, coat, inks, place, times)]
    marks += [Lines(lines, INK, 0.4 * _POINT, 0.4)] if lines else []
    marks += [Patch(loops, "none", _POINT)] if coat else []
    for tabs in (False, True):
        marks += coats.knobs(lattice, coat, inks, place, patch.fill, times, tabs=tabs)
    if label:
        x, y = _spot(lattice, tuple(lattice.fine * a for a in central(shape)), unit)
        size = min(14.0 * _POINT, 0.45 * unit, 1.4 * unit / len(label))
        wide, high = 0.35 * size * len(label) + 0.5, 0.6 * size
        around = [(x - wide, y - high), (x + wide, y - high), (x + wide, y + high), (x - wide, y + high)]
        marks += [Patch([around], "#ffffff")] if patch.hatch or coat else []
        ink = "#ffffff" if colours.is_dark(patch.fill) and not coat else INK
        marks.append(Label((x, y + 0.36 * size), label, size, ink, centred=True))
    return marks


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
