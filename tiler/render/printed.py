"""Sheets to print and cut out: the board and the pieces at a given size, in millimetres, on pages of a paper, as PDF."""

from __future__ import annotations

import io
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from tiler import printable
from tiler.errors import BadOption
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Lattice, Shape
from tiler.render import colours, figures
from tiler.render.figures import Spot

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
_FEW = ("#f4c070", "#77aadd", "#b9e3c6", "#ffaabb")
_GREYS = ("#f2f2f2", "#d9d9d9", "#bfbfbf", "#e6e6e6", "#cccccc")
_HATCHES = ("//", "\\\\", "--", "||", "xx", "++", "..", "oo", "///", "\\\\\\", "---", "|||")
_INK = "#222222"


@dataclass(frozen=True)
class Look:
    """How a sheet looks: `unit` mm for a step of the lattice, of squares a side."""

    unit: float = 15.0
    paper: str = "A4"
    labels: str = "names"
    colours: str | Mapping[str, str] = "tile"  #: tile, copy, few or grey, or a colour for each tile by its name
    hatching: bool = False


class _Piece(NamedTuple):
    """A shape with its outline, in mm from the upper left corner of what it takes."""

    loops: Sequence[Sequence[Spot]]
    lines: Sequence[tuple[Spot, Spot]]
    middle: Spot
    wide: float
    high: float
    label: str
    fill: str
    hatch: str | None


def pdf(instance: Instance, look: Look) -> bytes:
    """The board on a page, and the pieces on as many as they need: each copy that may be used, or one of each tile where there
    may be any number. BadOption in a line where the paper is too small, with what would do."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_pdf import PdfPages
    from matplotlib.figure import Figure

    if instance.dimension == 3:
        raise BadOption("a sheet shows boards of the plane; for pieces in space -o pieces.stl")
    across, down = PAPERS[look.paper]
    room = across - 2 * MARGIN, down - 2 * MARGIN
    board = _piece(instance.lattice, instance.board, look.unit, "", "#ffffff", None)
    lies = not _fits(board, room) and _fits(board, room[::-1])  # A page on its side, for the board alone.
    pages = [[(board, 0.0, 0.0)], *_laid_out(_pieces(instance, look), room)]
    for piece in [board, *(piece for page in pages[1:] for piece, _, _ in page)]:
        _refuse_too_large(piece, look, turned=piece is board)
    out = io.BytesIO()
    title = printable.line(instance.heading) or "pieces"
    # What is not compressed can be measured with any editor.
    plain = {"pdf.fonttype": 42, "font.family": "DejaVu Sans", "pdf.compression": 0, "hatch.linewidth": 0.6}
    with rc_context(plain), PdfPages(out, metadata={"Title": title, "CreationDate": None}) as file:  # type: ignore[arg-type]
        for page in pages:
            wide, high = (down, across) if lies and page is pages[0] else (across, down)
            figure = Figure(figsize=(wide / _INCH, high / _INCH))
            axes = figure.add_axes((0, 0, 1, 1))
            axes.set_xlim(0, wide)
            axes.set_ylim(high, 0)
            axes.set_axis_off()
            for piece, x, y in page:
                _draw(axes, piece, x + MARGIN, y + MARGIN, look.unit)
            file.savefig(figure)
    return out.getvalue()


def _pieces(instance: Instance, look: Look) -> list[_Piece]:
    copies = [tile.at_most or 1 for tile in instance.distinct_tiles]
    if sum(copies) > MOST:
        raise BadOption(f"{sum(copies):,} pieces are too many for a sheet; it takes {MOST:,}")
    names = [printable.line(tile.name) for tile in instance.distinct_tiles]
    own = dict(zip(names, _letters(names), strict=True))
    found: list[_Piece] = []
    for t, (tile, times) in enumerate(zip(instance.distinct_tiles, copies, strict=True)):
        for _ in range(times):
            number = len(found)
            label = {"names": names[t], "letters": own[names[t]], "numbers": str(number + 1), "none": ""}[look.labels]
            fill = _fill(look.colours, names[t], t, number)
            hatch = _HATCHES[t % len(_HATCHES)] if look.hatching else None
            found.append(_piece(instance.lattice, tile.shape, look.unit, label, "#ffffff" if look.hatching else fill, hatch))
    return found


def _letters(names: Sequence[str]) -> list[str]:
    """The letters that pieces are known by: the last of their names (5F, 5I, ...) if no two agree in it, else A, B, ..."""
    last = [name[-1:] for name in names]
    if len(set(last)) == len(names) and all(letter.isascii() and letter.isalpha() for letter in last):
        return last
    letters = string.ascii_uppercase
    return [letters[n % 26] * (n // 26 + 1) for n in range(len(names))]


def _fill(how: str | Mapping[str, str], name: str, tile: int, number: int) -> str:
    if not isinstance(how, str):
        if name not in how:
            raise BadOption(f"the file of colours says nothing of tile {name}")
        return how[name]
    if how == "copy":
        return colours.fill(number)
    palettes = {"few": _FEW, "grey": _GREYS}
    return palettes[how][tile % len(palettes[how])] if how in palettes else colours.fill(tile)


def _piece(lattice: Lattice, shape: Shape, unit: float, label: str, fill: str, hatch: str | None) -> _Piece:
    cells = sorted(shape)

    def spot(point: figures.Point) -> Spot:
        x, y = figures.page(lattice, point)
        return x * unit, y * unit

    loops = [[spot(point) for point in loop] for loop in figures.outline(lattice, cells)]
    lines = [(spot(start), spot(end)) for start, end in figures.inner_lines(lattice, cells)]
    left, top = (min(point[axis] for loop in loops for point in loop) for axis in (0, 1))
    right, bottom = (max(point[axis] for loop in loops for point in loop) for axis in (0, 1))

    def moved(point: Spot) -> Spot:
        return point[0] - left, point[1] - top

    x, y = moved(spot(_centre(lattice, cells)))
    return _Piece(
        [[moved(point) for point in loop] for loop in loops],
        [(moved(start), moved(end)) for start, end in lines],
        (x, y),
        right - left,
        bottom - top,
        label,
        fill,
        hatch,
    )


def _centre(lattice: Lattice, cells: Sequence[Cell]) -> Cell:
    """The centre of the cell that is closest to the middle of all."""
    middle = [sum(axis) / len(cells) for axis in zip(*cells, strict=True)]
    nearest = min(cells, key=lambda cell: (sum((a - b) ** 2 for a, b in zip(cell, middle, strict=True)), cell))
    return tuple(lattice.fine * a for a in nearest)


def _laid_out(pieces: Sequence[_Piece], room: tuple[float, float]) -> list[list[tuple[_Piece, float, float]]]:
    """Pieces in rows, as they come; a new page where one is full."""
    pages: list[list[tuple[_Piece, float, float]]] = [[]]
    x = y = deep = 0.0
    for piece in pieces:
        if x and x + piece.wide > room[0]:
            x, y, deep = 0.0, y + deep + GAP, 0.0
        if y and y + piece.high > room[1]:
            pages.append([])
            x = y = deep = 0.0
        pages[-1].append((piece, x, y))
        x, deep = x + piece.wide + GAP, max(deep, piece.high)
    return pages


def _fits(piece: _Piece, room: Spot) -> bool:
    return piece.wide <= room[0] and piece.high <= room[1]


def _refuse_too_large(piece: _Piece, look: Look, *, turned: bool) -> None:
    """BadOption with what would do, if a piece fits no page; `turned`: nor a page on its side."""

    def rooms(paper: str) -> list[Spot]:
        across, down = (side - 2 * MARGIN for side in PAPERS[paper])
        return [(across, down), (down, across)] if turned else [(across, down)]

    if any(_fits(piece, room) for room in rooms(look.paper)):
        return
    fits, wide, high = max(
        (min(wide / piece.wide, high / piece.high) * look.unit, wide, high) for wide, high in rooms(look.paper)
    )
    larger = [name for name in PAPERS if any(_fits(piece, room) for room in rooms(name))]
    other = f", or --paper {larger[0]}" if larger else ""
    what = f"tile {piece.label}" if piece.label else "the board"
    raise BadOption(
        f"{what} is {piece.wide:.0f} x {piece.high:.0f} mm, and {look.paper} has room for {wide:.0f} x {high:.0f}: "
        f"--unit {int(fits * 10) / 10:g} at most{other}"
    )


def _draw(axes: Axes, piece: _Piece, x: float, y: float, unit: float) -> None:
    from matplotlib.collections import LineCollection
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    loops = [[(a + x, b + y) for a, b in loop] for loop in piece.loops]
    path = Path.make_compound_path(*(Path([*loop, loop[0]], closed=True) for loop in loops))
    axes.add_patch(PathPatch(path, fc=piece.fill, ec=_INK, lw=1.0, joinstyle="miter", hatch=piece.hatch))
    lines = [[(a + x, b + y) for a, b in line] for line in piece.lines]
    axes.add_collection(LineCollection(lines, colors=_INK, linewidths=0.4, alpha=0.4))
    if piece.label:
        size = min(14.0, 0.45 * unit * 72 / _INCH, 1.4 * unit * 72 / _INCH / len(piece.label))
        back = {"facecolor": "white", "edgecolor": "none", "pad": 1.0} if piece.hatch else None
        at = piece.middle[0] + x, piece.middle[1] + y
        axes.text(*at, piece.label, fontsize=size, color=_INK, ha="center", va="center", parse_math=False, bbox=back)
