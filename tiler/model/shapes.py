"""Read the notation of shapes that files and the command line share.

A shape is written in one of four ways (`parse_shape`): a name (`3L` of letter_names.py, `6-01` of numbered_names.py), dimensions
(`11x7`: 11 columns, 7 rows; `4x4x4`: columns, rows, layers), a map (`x./xx`, rows from the top; layers separated by a row `-`),
or a perimeter word (`DDRRULUL`).
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from itertools import product

from tiler.errors import InputError, suggest
from tiler.grouping import grouped
from tiler.model import lattice_shape_names, named_boards, numbered_names, text_maps
from tiler.model.lattice import Cell, Lattice, Shape
from tiler.model.lattices import SQUARE, is_implied_by_cells
from tiler.model.letter_names import SYNONYMS, named_shapes
from tiler.model.piece_sets import ALL, SETS, on
from tiler.model.tile import MAX_BOX, check_box

_DIMENSIONS = re.compile(r"[0-9]+(x[0-9]+){1,2}")
_PERIMETER = re.compile(r"[UDLR]{2,}")
_MAP = re.compile(r"[xo. \-/\n]+")
_OTHER_MAP = re.compile(r"[01#*_. /\n]+")  # as other programs draw maps
#: Tiles that people look for here, and why they are on no lattice.
_ON_NO_LATTICE = {
    "spectre": "the spectre is no shape of a lattice, since its copies lie in twelve directions; of its relatives there are hat "
    "and turtle, on the kites lattice",
}
_STEPS = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}


def named(name: str, lattice: Lattice = SQUARE) -> Shape | None:
    """The shape of that name on a lattice, which may be a letter, a synonym or a number; None if there is no such name.

    >>> named("X") == named("5X") == parse_shape(".x./xxx/.x.")
    True
    """
    with suppress(InputError):
        if not is_implied_by_cells(lattice):
            return lattice_shape_names.named(lattice, name)
        if numbered_names.is_name(name):
            return numbered_names.shape_called(name)
    return named_shapes().get(SYNONYMS.get(name, name))


def parse_shape(text: str, lattice: Lattice = SQUARE) -> Shape:
    """The shape that a notation on one line stands for; InputError if there is none, or if it has optional cells.

    >>> parse_shape("3L") == parse_shape("x./xx") == parse_shape("DDRRULUL")
    True
    """
    shape, optional = parse_board(text, lattice)
    if optional:
        raise InputError("'o' marks cells that may stay uncovered: only the board can have them")
    return shape


def parse_board(text: str, lattice: Lattice = SQUARE) -> tuple[Shape, Shape]:
    """A shape as `parse_shape` reads it, and those of its cells that are optional (`o` in a map).

    On a lattice with layers, or on the lattice of one layer, the shape may be one of the other: see `lattices.fitted`.
    """
    plain = text.strip()
    if not is_implied_by_cells(lattice):
        return _parse_elsewhere(text, lattice)
    if numbered_names.is_name(plain):
        return numbered_names.shape_called(plain), frozenset()
    by_name = named(plain)
    if by_name is not None:
        return by_name, frozenset()
    if _DIMENSIONS.fullmatch(plain):
        return _cuboid(plain), frozenset()
    if _MAP.fullmatch(text) and re.search("[xo]", text):
        return parse_map(text)
    if _PERIMETER.fullmatch(plain):
        return _inside(plain), frozenset()
    if named_boards.is_region(plain) and plain.partition(":")[0] in named_boards.on_squares():
        return named_boards.region(SQUARE, plain), frozenset()
    _refuse_on_no_lattice(plain)
    shown = plain if len(plain) <= 40 else plain[:40] + "..."
    if re.fullmatch("[0-9]+(x[0-9]+){3,}", plain):
        raise InputError(
            f"{shown!r} has {plain.count('x') + 1} dimensions; boards have two (columns x rows) or three (and layers)"
        )
    if plain in ALL:
        raise InputError(f"{plain} is a set of pieces, not a shape; a set stands for tiles, and only in text")
    if named_boards.is_region(plain):
        raise InputError(
            f"{shown!r} is a board of other lattices: say which one, such as --lattice hexagonal (see tiler lattices)"
        )
    refuse_other_marks(text)
    names = [*named_shapes(), *SYNONYMS, *SETS]
    raise InputError(f"{shown!r} is not a shape{suggest(plain, names)} (see tiler shapes)")


def _parse_elsewhere(text: str, lattice: Lattice) -> tuple[Shape, Shape]:
    """`parse_board` on lattices other than the square and the cubic one: dimensions and maps."""
    plain = text.strip()
    for plane in filter(None, (lattice, lattice.plane)):
        by_name = lattice_shape_names.named(plane, plain)
        if by_name is not None:
            return by_name, frozenset()
    if named_boards.is_region(plain):
        return named_boards.region(lattice, plain), frozenset()
    if _MAP.fullmatch(text) and re.search("[xo]", text):
        if not text_maps.has_maps(lattice):
            raise InputError(f"the {lattice} lattice has no maps; write the problem as JSON, with cells as lists of numbers")
        every, optional = parse_map(text)
        cells = text_maps.cells_at(lattice, every)
        if cells is None:
            raise InputError(f"no map of the {lattice} lattice: a mark stands where there is no cell (see tiler lattices)")
        marked = dict(zip(sorted(every), sorted(cells, key=lambda cell: text_maps.place(lattice, cell)), strict=True))
        return cells, frozenset(map(marked.__getitem__, optional))
    if plain in ALL:
        raise InputError(f"{plain} is a set of pieces, not a shape; a set stands for tiles, and only in text")
    _refuse_on_no_lattice(plain)
    refuse_other_marks(text)
    likely = suggest(plain, [*lattice_shape_names.common_names(lattice), *on(lattice)])
    raise InputError(f"{_short(plain)!r} is not a shape of the {lattice} lattice{likely} (see tiler lattices)")


def refuse_other_marks(text: str) -> None:
    """InputError if a text looks like a map whose cells are marked otherwise than with x, such as 111/101 or ###."""
    rows = text.strip()
    if _OTHER_MAP.fullmatch(rows) and (len(rows) > 1) and re.search("[/\n#*]", rows):
        written = re.sub("[1#*]", "x", re.sub("[0_]", ".", rows)).replace("\n", "/")
        raise InputError(f"{_short(rows)!r} is not a shape; a map marks cells with x: {_short(written)}")


def _refuse_on_no_lattice(name: str) -> None:
    if name in _ON_NO_LATTICE:
        raise InputError(_ON_NO_LATTICE[name])


def parse_map(text: str) -> tuple[Shape, Shape]:
    """All cells and the optional ones of a map: rows separated by `/` or line ends, layers by a row `-`.

    `x` is a cell, `o` an optional one, space and `.` are none. Coordinates count from the first row and character.
    """
    layers: list[list[str]] = [[]]
    for row in re.split("[/\n]", text):
        if row.strip() == "-":
            layers.append([])
        else:
            layers[-1].append(row.rstrip())
    if len(layers) > 1 and not all(any(row.strip() for row in layer) for layer in layers):
        raise InputError("a layer of the map is empty; write its rows as '.'")
    check_box([len(layers), max(map(len, layers)), max(len(row) for layer in layers for row in layer)], "the map")
    cells: dict[str, list[Cell]] = {"x": [], "o": []}
    for z, layer in enumerate(layers):
        for y, row in enumerate(layer):
            before = (z, y) if len(layers) > 1 else (y,)
            for x, letter in enumerate(row):
                if letter in cells:
                    cells[letter].append((*before, x))
                elif letter not in " .":
                    raise InputError(f"{letter!r} in a map; it may hold x, o, '.' and spaces, and a row '-' between layers")
    optional = frozenset(cells["o"])
    every = frozenset(cells["x"]) | optional
    if not every:
        raise InputError("the map has no cell; mark cells with x")
    return every, optional


@lru_cache(1)  # The words of a problem are looked at several times before its board is made.
def _cuboid(text: str) -> Shape:
    sides = text.split("x")
    if any(not side.strip("0") for side in sides):
        raise InputError(f"{text} has no cell; every side must be at least 1")
    if any(len(side.lstrip("0")) > len(str(MAX_BOX)) for side in sides):
        raise InputError(f"{text[:40]} is too large; the limit is {MAX_BOX:,} cells")
    columns, rows, layers = ([int(side) for side in sides] + [1])[:3]
    check_box([layers, rows, columns] if len(sides) == 3 else [rows, columns], "the box")
    return frozenset(product(*map(range, (layers, rows, columns) if len(sides) == 3 else (rows, columns))))


def _inside(word: str) -> Shape:
    """The cells inside a closed walk along cell sides that does not cross itself."""
    down, right = word.count("D") - word.count("U"), word.count("R") - word.count("L")
    if down or right:
        raise InputError(
            f"the perimeter {_short(word)} does not close: it ends {abs(down)} rows and {abs(right)} columns from its start"
        )
    if len(word) > 2 * MAX_BOX + 2:
        raise InputError(f"the perimeter {_short(word)} is too long; the limit is a shape of {MAX_BOX:,} cells")
    y = x = 0
    seen: dict[tuple[int, int], str] = {}
    walls: list[tuple[int, int]] = []
    edges: set[tuple[int, int, bool]] = set()
    # A walk may touch itself at a corner; it crosses itself if it goes straight through a point it has been at.
    for before, letter in zip(word[-1] + word, word, strict=False):
        straight = before == letter
        if (y, x) in seen and straight:
            raise InputError(f"the perimeter {_short(word)} crosses itself")
        seen[y, x] = letter
        dy, dx = _STEPS[letter]
        edge = (min(y, y + dy), min(x, x + dx), dy != 0)
        if edge in edges:
            raise InputError(f"the perimeter {_short(word)} runs along the same side twice")
        edges.add(edge)
        y, x = y + dy, x + dx
        if dy:
            walls.append(edge[:2])
    rows = grouped(walls)
    columns = [column for _, column in walls]
    check_box([len(rows), max(columns) - min(columns)], "the shape inside the perimeter")
    cells: set[Cell] = set()
    for row, borders in rows.items():
        borders.sort()
        for left, right in zip(borders[::2], borders[1::2], strict=True):
            cells.update((row, column) for column in range(left, right))
    return SQUARE.normalise(frozenset(cells))


def _short(word: str) -> str:
    return word if len(word) <= 40 else word[:40] + "..."
