"""A tiling as lines of text, for terminals and log files.

Without colour, borders are drawn between the tiles, three characters to a cell or, where that is too wide, one:

    ┌───────────┬───┐    ┌─────┬─┐
    │           │   │    │ ┌───┘ │
    │   ┌───────┘   │    └─┴─────┘
    │   │           │
    └───┴───────────┘

and where that is too wide as well, every cell is a letter. A `·` is a cell that no tile covers, `░` a hole in the board (`.`
among letters). Where borders do not tell which cells belong together (in space, drawn layer by layer, and with tiles in
several parts) cells carry letters. On other lattices than the square and the cubic one every cell is a letter, where it stands on
a map (charts.py). Where tiles are painted, and a cell has three characters, letters for their colours stand in the cells, and
letters for their marks in the borders. Which letter or colour a placement gets is the business of letters.py and colours.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from operator import sub

from tiler import printable
from tiler.model import charts, paint
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, box
from tiler.model.tile import Placement
from tiler.render import colours, letters
from tiler.render.grid import HOLE, OUTSIDE, UNCOVERED, Raster, headings, layers

_GAP = "   "  #: between layers side by side

# By the lines that meet: 1 up, 2 down, 4 left, 8 right. A border never just ends, so half-lines do not occur.
_JUNCTIONS = " ??│?┘┐┤?└┌├─┴┬┼"


def draw(instance: Instance, solution: Sequence[Placement], *, colour: bool, width: int = 80) -> str:
    """The tiling as lines joined by newlines, without one at the end; `()` draws the plain board.

    `colour` is for terminals that know 256 colours: coloured cells, two characters wide if that fits, instead of borders.
    Lines have at most `width` characters, except that a cell takes at least one: nothing is cut off.
    """
    if not instance.has_boxes:
        return _on_map(instance, solution, colour, width)
    grid = layers(instance.board, solution)
    columns = len(grid[0][0])
    labelled = instance.dimension == 3 or instance.has_tiles_in_parts
    blank = [" "] * len(solution)
    above = headings(instance.board)
    if colour:
        numbers = colours.assign(instance.lattice, solution)
        size = 2 if 2 * columns <= width else 1
        names = letters.assign(instance.lattice, solution) if labelled or size == 1 else blank
        return _arrange([list(_coloured(layer, names, numbers, size)) for layer in grid], above, size * columns, width)
    if 4 * columns < width:
        names = letters.assign(instance.lattice, solution) if labelled else blank
        boxes = [list(_boxed(layer, names, 2)) for layer in grid]
        if instance.is_painted:
            boxes = _painted(instance, solution, boxes, labelled=labelled)
        return _arrange(boxes, above, 4 * columns + 1, width)
    if 2 * columns < width and not labelled and _needs_no_marks(grid):
        return _arrange([list(_boxed(layer, blank, 1)) for layer in grid], above, 2 * columns + 1, width)
    names = letters.assign(instance.lattice, solution)
    return _arrange([list(_lettered(layer, names)) for layer in grid], above, columns, width)


def _on_map(instance: Instance, solution: Sequence[Placement], colour: bool, width: int) -> str:
    """A letter for every cell, where it stands on a map of its lattice; without maps the cells of each tile."""
    lattice = instance.lattice
    if not charts.has_maps(lattice):
        return "\n".join(_listed(placement) for placement in sorted(solution, key=lambda placement: min(placement.cells)))
    owner = {cell: number for number, placement in enumerate(solution) for cell in placement.cells}
    back = charts.corner(lattice, instance.board)
    places = {
        (0, *charts.place(lattice, tuple(map(sub, cell, back))))[-3:]: owner.get(cell, UNCOVERED) for cell in instance.board
    }
    _, (high, rows, columns) = box(list(places))
    left = charts.margin(lattice, [place[-lattice.dimension :] for place in places])
    grid = [
        [[places.get((z, row, column), OUTSIDE) for column in range(left, columns + 1)] for row in range(rows + 1)]
        for z in range(high + 1)
    ]
    names = letters.assign(lattice, solution, instance.wrap)
    above = [f"layer {z + back[0]}" for z in range(high + 1)]
    wide = columns + 1 - left
    if colour:
        numbers = colours.assign(lattice, solution, instance.wrap)
        return _arrange([list(_coloured(layer, names, numbers, 1)) for layer in grid], above, wide, width)
    blank = str.maketrans(".", " ")
    return _arrange([[line.translate(blank) for line in _lettered(layer, names)] for layer in grid], above, wide, width)


def _listed(placement: Placement) -> str:
    cells = " ".join(",".join(map(str, cell)) for cell in sorted(placement.cells))
    return f"{printable.line(placement.tile)}  {cells}"


def _needs_no_marks(grid: Sequence[Raster]) -> bool:
    """Whether every area within borders is a tile."""
    return not any(entry in (UNCOVERED, HOLE) for layer in grid for row in layer for entry in row)


def _coloured(layer: Raster, names: Sequence[str], numbers: Sequence[int], size: int) -> Iterator[str]:
    """One line per row, `size` characters per cell. Every line ends in the terminal's own colours."""
    marks = {OUTSIDE: " ", HOLE: " ", UNCOVERED: "·"}
    for row in layer:
        line = []
        for entry, cells in groupby(row):
            mark = (marks[entry] if entry < 0 else names[entry]).ljust(size) * len(list(cells))
            # Black is taken from the colour cube: the first eight colours are the user's to change.
            line.append(mark if entry < 0 else f"\x1b[38;5;16;48;5;{colours.terminal(numbers[entry])}m{mark}\x1b[0m")
        yield "".join(line)


def _lettered(layer: Raster, names: Sequence[str]) -> Iterator[str]:
    """One line per row, one character per cell."""
    # What is not under a tile is negative, and counts from the end.
    marks = [*names, *(mark for _, mark in sorted({OUTSIDE: ".", HOLE: ".", UNCOVERED: "·"}.items()))]
    return ("".join(map(marks.__getitem__, row)) for row in layer)


def _boxed(layer: Raster, names: Sequence[str], size: int) -> Iterator[str]:
    """Borders between cells that differ, 2 * size characters and size lines from one to the next: cells look square.

    Size 1 is lines only; size 2 leaves room for a mark in every cell.
    """
    marks = {number: f" {name} " for number, name in enumerate(names)} | {OUTSIDE: "   ", HOLE: "░░░", UNCOVERED: " · "}
    rim = [OUTSIDE] * (len(layer[0]) + 2)
    rows = [rim, *([OUTSIDE, *row, OUTSIDE] for row in layer), rim]
    for above, below in pairwise(rows):
        line = []
        for (a, b), (c, d) in zip(pairwise(above), pairwise(below), strict=True):
            lines = (a != b) + 2 * (c != d) + 4 * (a != c) + 8 * (b != d)
            space = "░" if b == d == HOLE else " "
            line.append(_JUNCTIONS[lines] if lines else "░" if a == HOLE else " ")
            line.append(("─" if b != d else space) * (2 * size - 1))
        yield "".join(line[:-1])
        if size == 2 and below is not rim:
            line = []
            for c, d in pairwise(below):
                line.append("│" if c != d else "░" if c == HOLE else " ")
                line.append(marks[d])
            yield "".join(line[:-1])


def _painted(
    instance: Instance, solution: Sequence[Placement], boxes: Sequence[Sequence[str]], *, labelled: bool
) -> list[list[str]]:
    """Boxed layers with letters for colours in their cells, unless these are labelled, and for marks in their borders: of two
    mates that of the cell with the smaller coordinates. The plain board shows its own colours."""
    of_board = dict(instance.ground.colours)
    letter = paint.letters(paint.names(coat for tile in instance.tiles for coat in tile.paint.coats) | {*of_board.values()})
    low, _ = box(instance.board)
    drawn = [[list(line) for line in lines] for lines in boxes]

    def put(cell: Cell, down: int, right: int, name: str) -> None:
        z, y, x = paint.lifted(tuple(map(sub, cell, low)), 3)
        # Lines end with their last mark.
        line = drawn[z][2 * y + 1 + down]
        line += " " * (4 * x + 3 + 2 * right - len(line))
        line[4 * x + 2 + 2 * right] = letter.get(name, "?")

    for cell, colour in of_board.items() if not solution else ():
        put(cell, 0, 0, colour)
    for placement in sorted(solution, key=lambda placement: min(placement.cells), reverse=True):
        for cell, colour in placement.coat.colours if not labelled else ():
            put(cell, 0, 0, colour)
        for (cell, beyond), mark in reversed(placement.coat.marks):
            *up, down, right = map(sub, beyond, cell)
            if not any(up):
                put(cell, down, right, mark)
    return [["".join(line) for line in lines] for lines in drawn]


def _arrange(blocks: Sequence[list[str]], above: Sequence[str], wide: int, width: int) -> str:
    """Layers of equal size, `wide` characters each, as many side by side as fit, each under its heading if there are several."""
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
