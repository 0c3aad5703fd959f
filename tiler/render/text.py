"""Draw a tiling as lines of text, for terminals and log files.

Without colour, borders are drawn between the tiles, three characters to a cell or, where that is too wide, one:

    ┌───────────┬───┐    ┌─────┬─┐
    │           │   │    │ ┌───┘ │
    │   ┌───────┘   │    └─┴─────┘
    │   │           │
    └───┴───────────┘

and where that is too wide as well, every cell is a letter. A `·`, or its label, is a cell that no tile covers, `░` a hole in the
board (`.` among letters). Where borders do not tell which cells belong together (in space, drawn layer by layer, and with tiles
in several parts) cells carry letters. With names of pieces, each is written across its cells, or where one has no room a list
below says what the letters stand for. Where tiles of squares are painted, and there is room, letters for their colours stand in
the cells, and letters for their marks at the sides of larger cells. On other lattices than the square and the cubic one every
cell is a letter, where it stands on a map (model/text_maps.py). Which letter or colour a placement gets is the business of
lettering.py and colours.py.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from operator import itemgetter, sub
from types import MappingProxyType

from tiler import printable
from tiler.model import paint, text_maps
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, box
from tiler.model.tile import Placement
from tiler.render import lettering
from tiler.render.colours import PieceColours, Tone, is_dark
from tiler.render.grid import HOLE, OUTSIDE, UNCOVERED, Raster, headings, layers
from tiler.render.options import USUAL, PictureLook
from tiler.render.paint import Inks

#: The text in some cells, by row and column.
_Words = Mapping[tuple[int, int], str]

_WIDE = 8  # the distance of cells in characters, if sides have marks
_SIDES = {(-1, 0): 0, (0, 1): 1, (1, 0): 2, (0, -1): 3}
_GAP = "   "  #: between layers side by side

# By the lines that meet: 1 up, 2 down, 4 left, 8 right. A border never just ends, so half-lines do not occur.
_JUNCTIONS = " ??│?┘┐┤?└┌├─┴┬┼"


def draw(instance: Instance, solution: Sequence[Placement], *, colour: bool, width: int = 80, look: PictureLook = USUAL) -> str:
    """The tiling as lines joined by newlines, without one at the end; `()` draws the plain board.

    `colour` is for terminals that know 256 colours: coloured cells, two characters wide if that fits, instead of borders.
    Lines have at most `width` characters, except that a cell takes at least one: nothing is cut off.
    """
    tones = PieceColours.of(instance, [solution], look.colours).tones[0] if colour else ()
    if (instance.is_painted or instance.ground.colours) and not look.names:
        painted = _painted(instance, solution, width)
        if painted:
            return painted
    if not instance.has_boxes:
        return _on_map(instance, solution, tones, width, look)
    grid = layers(instance.board, solution)
    columns = len(grid[0][0])
    above = headings(instance.board)
    boxed = 4 * columns < width
    open_cells = _open_cells(instance, grid[0]) if len(grid) == 1 else {}
    # Cells become as wide as their labels need, if there is room.
    wanted = max([0, *map(len, open_cells.values())]) + 1 if open_cells else 0
    size = max(2 if 2 * columns <= width else 1, min(wanted, width // columns))
    wide = max(4, min(wanted, (width - 1) // columns))
    labelled = instance.dimension == 3 or instance.has_tiles_in_parts
    words = None
    if look.names and not labelled and (colour or boxed):
        named = [printable.line(placement.tile) for placement in solution]
        words = _across(named, grid, *((size, 0) if colour else (wide, 1)))
    labelled |= look.names and words is None
    blank = [" "] * len(solution)
    marks, below = _letters(instance, solution, look, width) if labelled else (blank, "")
    words = words or [{} for _ in grid]
    if open_cells and (colour or boxed):
        written, in_full = _labels(open_cells, (size if colour else wide) - 1, width)
        words, below = [words[0] | written], below + in_full
    if colour:
        marks = lettering.assign_letters(instance.lattice, solution) if size == 1 and not labelled and not look.names else marks
        drawn = [list(_coloured(layer, marks, tones, size, *some)) for layer, *some in zip(grid, words, strict=True)]
        return _arrange(drawn, above, size * columns, width) + below
    if boxed:
        drawn = [list(_boxed(layer, marks, wide, *some)) for layer, *some in zip(grid, words, strict=True)]
        return _arrange(drawn, above, wide * columns + 1, width) + below
    if 2 * columns < width and not labelled and _needs_no_marks(grid):
        return _arrange([list(_boxed(layer, blank, 2)) for layer in grid], above, 2 * columns + 1, width)
    marks = marks if labelled else lettering.assign_letters(instance.lattice, solution)
    return _arrange([list(_lettered(layer, marks)) for layer in grid], above, columns, width) + below


def _painted(instance: Instance, solution: Sequence[Placement], width: int) -> str:
    """A board of squares with letters for colours of cells and marks of sides, and below it what the letters stand for. A cell
    has one letter, and if any tile has marks also one at each side. The text is empty for other boards, or without room."""
    grid = layers(instance.board, solution)
    marked = any(coat.marks for tile in instance.tiles for coat in tile.paint.coats)
    wide = _WIDE if marked else 4
    if not instance.has_boxes or instance.dimension != 2 or wide * len(grid[0][0]) >= width:
        return ""
    low, _ = box(instance.board)
    shown: dict[Cell, list[str]] = {}
    known = _signs(Inks.of(instance).fills)
    for cell, colour in [*instance.ground.colours, *(entry for placement in solution for entry in placement.coat.colours)]:
        shown.setdefault(cell, [" "] * 5)[4] = known.get(colour, "?")
    for (cell, beyond), mark in (entry for placement in solution for entry in placement.coat.marks):
        way = _SIDES[tuple(map(sub, beyond, cell))]
        shown.setdefault(cell, [" "] * 5)[way] = known.get(mark, "?")
    cells = {tuple(map(sub, cell, low)): signs for cell, signs in shown.items()}
    if marked:
        drawn = list(_large(grid[0], cells))
    else:
        words = {(row, column): f" {signs[4]}  " for (row, column), signs in cells.items()}
        drawn = list(_boxed(grid[0], [" "] * len(solution), 4, words))
    longer = [f"{sign} {printable.line(name)}" for name, sign in sorted(known.items()) if name != sign]
    below = "\n\n" + textwrap.fill(", ".join(longer), width) if longer else ""
    return "\n".join(line.rstrip() for line in drawn) + below


def _signs(names: Iterable[str]) -> dict[str, str]:
    """The character for each name of a colour or mark: the name itself if it is one ASCII character, else a letter."""
    own = {name: name for name in names if len(name) == 1 and name.isascii()}
    return own | paint.letters((name for name in names if name not in own), own)


def _large(layer: Raster, cells: Mapping[tuple[int, ...], Sequence[str]]) -> Iterator[str]:
    """Cells of seven characters and three lines within borders, with a sign at each side and one in the middle."""
    for r, row, line in _bordered(layer, _WIDE):
        if row is None:
            yield line
            continue
        for k in range(3):
            parts = []
            for column, (c, d) in enumerate(pairwise(row)):
                top, right, bottom, left, middle = cells.get((r, column), [" "] * 5)
                if d < 0 and (r, column) not in cells:
                    middle = {UNCOVERED: "·", HOLE: "░"}.get(d, " ")
                parts.append("│" if c != d else " ")
                parts.append((f"   {top}   ", f" {left} {middle} {right} ", f"   {bottom}   ")[k])
            yield "".join(parts[:-1])


def _bordered(layer: Raster, wide: int) -> Iterator[tuple[int, list[int] | None, str]]:
    """The lines of borders above and below the rows of a layer, as (row number, None, line), for cells `wide` characters apart;
    and between them the rows, as (row number, row with a cell outside at both ends, empty text)."""
    rim = [OUTSIDE] * (len(layer[0]) + 2)
    rows = [rim, *([OUTSIDE, *row, OUTSIDE] for row in layer), rim]
    for r, (above, below) in enumerate(pairwise(rows)):
        line = []
        for (a, b), (c, d) in zip(pairwise(above), pairwise(below), strict=True):
            lines = (a != b) + 2 * (c != d) + 4 * (a != c) + 8 * (b != d)
            space = "░" if b == d == HOLE else " "
            line.append(_JUNCTIONS[lines] if lines else "░" if a == HOLE else " ")
            line.append(("─" if b != d else space) * (wide - 1))
        yield r, None, "".join(line[:-1])
        if below is not rim:
            yield r, below, ""


def _across(named: Sequence[str], grid: Sequence[Raster], pitch: int, gap: int) -> list[dict[tuple[int, int], str]] | None:
    """The text in cells, by row and column, for every layer: each name runs across the longest row of its piece.

    A cell has `pitch` characters; its last `gap` characters separate it from the next cell. None if a name has no room.
    """
    longest: dict[int, tuple[int, int, int, int]] = {}
    for z, layer in enumerate(grid):
        for r, row in enumerate(layer):
            column = 0
            for entry, cells in groupby(row):
                length = len(list(cells))
                if entry >= 0 and length > longest.get(entry, (0,))[0]:
                    longest[entry] = (length, z, r, column)
                column += length
    texts: list[dict[tuple[int, int], str]] = [{} for _ in grid]
    for entry, (length, z, r, column) in longest.items():
        room = length * pitch - gap
        if len(named[entry]) > room:
            return None
        said = named[entry].center(room) + " " * gap
        texts[z] |= {(r, column + k): said[k * pitch : (k + 1) * pitch] for k in range(length)}
    return texts


def _letters(instance: Instance, solution: Sequence[Placement], look: PictureLook, width: int) -> tuple[list[str], str]:
    """A letter for each placement; and if names are wanted, a text for below the drawing that says what the letters stand for.
    If there are not enough letters for names, all placements of a tile have the same letter."""
    lattice, wrap = instance.lattice, instance.wrap
    letters = lettering.assign_letters(lattice, solution, wrap)
    if not look.names:
        return letters, ""
    if len(set(letters)) < len(letters):
        first = {placement.tile: placement for placement in reversed(solution)}
        by_tile = dict(zip(first, lettering.assign_letters(lattice, [*first.values()], wrap), strict=True))
        letters = [by_tile[placement.tile] for placement in solution]
    stand = {letter: printable.line(placement.tile) for letter, placement in zip(letters, solution, strict=True)}
    said = ", ".join(f"{letter} {stand[letter]}" for letter in sorted(stand))
    return letters, "\n\n" + textwrap.fill(said, width or 80)


def _on_map(instance: Instance, solution: Sequence[Placement], tones: Sequence[Tone], width: int, look: PictureLook) -> str:
    """A drawing with a letter for every cell, at its place on a map of the lattice. For a lattice without maps it is a list of
    the cells of each placement."""
    lattice = instance.lattice
    if not text_maps.has_maps(lattice):
        return "\n".join(_listed(placement) for placement in sorted(solution, key=lambda placement: min(placement.cells)))
    owner = {cell: number for number, placement in enumerate(solution) for cell in placement.cells}
    back = text_maps.corner(lattice, instance.board)
    places = {
        (0, *text_maps.place(lattice, tuple(map(sub, cell, back))))[-3:]: owner.get(cell, UNCOVERED) for cell in instance.board
    }
    _, (high, rows, columns) = box(list(places))
    left = text_maps.margin(lattice, [place[-lattice.dimension :] for place in places])
    grid = [
        [[places.get((z, row, column), OUTSIDE) for column in range(left, columns + 1)] for row in range(rows + 1)]
        for z in range(high + 1)
    ]
    names, below = _letters(instance, solution, look, width)
    above = [f"layer {z + back[0]}" for z in range(high + 1)]
    wide = columns + 1 - left
    if tones:
        return _arrange([list(_coloured(layer, names, tones, 1, {})) for layer in grid], above, wide, width) + below
    blank = str.maketrans(".", " ")
    return _arrange([[line.translate(blank) for line in _lettered(layer, names)] for layer in grid], above, wide, width) + below


def _listed(placement: Placement) -> str:
    cells = " ".join(",".join(map(str, cell)) for cell in sorted(placement.cells))
    return f"{printable.line(placement.tile)}  {cells}"


def _needs_no_marks(grid: Sequence[Raster]) -> bool:
    """Whether every area within borders is a tile, so that no cell needs a mark for a hole or an uncovered cell."""
    return not any(entry in (UNCOVERED, HOLE) for layer in grid for row in layer for entry in row)


def _coloured(layer: Raster, names: Sequence[str], tones: Sequence[Tone], size: int, words: _Words) -> Iterator[str]:
    """One line per row, `size` characters per cell. Every line ends in the terminal's own colours."""
    marks = {OUTSIDE: " ", HOLE: " ", UNCOVERED: "·"}
    for r, row in enumerate(layer):
        line = []
        for entry, cells in groupby(enumerate(row), key=itemgetter(1)):
            mark = (marks[entry] if entry < 0 else names[entry]).ljust(size)
            said = "".join([words.get((r, column), mark) for column, _ in cells])
            # Black and white are taken from the colour cube: the first eight colours are the user's to change.
            ink = 231 if entry >= 0 and is_dark(tones[entry].fill) else 16
            line.append(said if entry < 0 else f"\x1b[38;5;{ink};48;5;{tones[entry].terminal}m{said}\x1b[0m")
        yield "".join(line)


def _lettered(layer: Raster, names: Sequence[str]) -> Iterator[str]:
    """One line per row, one character per cell."""
    # Entries of cells without a tile are negative, so that they count from the end of this list.
    marks = [*names, *(mark for _, mark in sorted({OUTSIDE: ".", HOLE: ".", UNCOVERED: "·"}.items()))]
    return ("".join(map(marks.__getitem__, row)) for row in layer)


def _open_cells(instance: Instance, layer: Raster) -> dict[tuple[int, int], str]:
    """The labels of cells that no tile covers, by row and column from the top left."""
    low, _ = box(instance.board)
    at = {(cell[-2] - low[-2], cell[-1] - low[-1]): label for cell, label in instance.labels if cell in instance.board}
    return {(r, c): label for (r, c), label in at.items() if layer[r][c] == UNCOVERED}


def _labels(labels: Mapping[tuple[int, int], str], room: int, width: int) -> tuple[dict[tuple[int, int], str], str]:
    """The text in cells with labels, at most `room` characters and a space; and a text for below the drawing with the full form
    of labels that were cut."""
    cut = {label: f"{label[: room - 1]}…" for label in labels.values() if len(label) > room}
    written = {at: f"{cut.get(label, label).center(room)} " for at, label in labels.items()} if room > 1 or not cut else {}
    said = ", ".join(f"{short} {label}" for label, short in cut.items())
    return written, f"\n\n{textwrap.fill(said, width)}" if written and said else ""


def _boxed(layer: Raster, names: Sequence[str], wide: int, words: _Words = MappingProxyType({})) -> Iterator[str]:
    """The lines of a layer with borders between different pieces; cells are `wide` characters apart.

    If `wide` is 2, only the lines of borders are drawn. If it is 4 or more, there are two lines for each row, so that cells look
    square, and each cell has room for a mark, or for the label of a cell that no tile covers.
    """
    marks = dict(enumerate(names)) | {OUTSIDE: "", UNCOVERED: "·"}
    shown = {entry: mark.center(wide - 1) for entry, mark in marks.items()} | {HOLE: "░" * (wide - 1)}
    for r, row, line in _bordered(layer, wide):
        if row is None:
            yield line
        elif wide > 2:
            parts = []
            for column, (c, d) in enumerate(pairwise(row)):
                said = words.get((r, column - 1), " " * wide)
                parts.append("│" if c != d else "░" if c == HOLE else said[-1])
                parts.append(words.get((r, column), shown[d])[: wide - 1])
            yield "".join(parts[:-1])


def _arrange(blocks: Sequence[list[str]], above: Sequence[str], wide: int, width: int) -> str:
    """One text of all layers. Each is `wide` characters wide; as many as `width` allows stand side by side. Several layers have
    headings."""
    if len(blocks) == 1:
        return "\n".join(line.rstrip() for line in blocks[0])
    pitch = max(wide, *map(len, above))
    abreast = max(1, (width + len(_GAP)) // (pitch + len(_GAP)))
    parts = []
    for first in range(0, len(blocks), abreast):
        some = slice(first, first + abreast)
        lines = [_GAP.join(heading.ljust(pitch) for heading in above[some])]
        # Lines may hold colour codes, so that their length says nothing about how wide they are.
        lines += [(" " * (pitch - wide) + _GAP).join(rows) for rows in zip(*blocks[some], strict=True)]
        parts.append("\n".join(line.rstrip() for line in lines))
    return "\n\n".join(parts)
