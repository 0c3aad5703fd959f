"""Named polyominoes and polycubes, and the one shape notation that files and the command line share.

A shape is written in one of four ways (`parse_shape`): a name (`3L`), dimensions (`11x7`: 11 columns, 7 rows; `4x4x4`: columns,
rows, layers), a map (`x./xx`, rows from the top; layers separated by a row `-`), or a perimeter word (`DDRRULUL`).
"""

from __future__ import annotations

import re
from functools import cache
from itertools import product

from tiler.errors import InputError, suggest
from tiler.model import charts, regions
from tiler.model.lattice import Cell, Lattice, Shape
from tiler.model.lattices import CUBIC, SQUARE, fitted
from tiler.model.tile import MAX_BOX, check_box

# One-sided polyominoes by size and letter; the two of a mirror pair stand apart: without reflections they are different tiles.
_POLYOMINOES = {
    "1": "x",
    "2": "x/x",
    "3I": "x/x/x",
    "3L": "x./xx",
    "4I": "x/x/x/x",
    "4J": ".x/.x/xx",
    "4L": "x./x./xx",
    "4O": "xx/xx",
    "4S": ".xx/xx.",
    "4T": "xxx/.x.",
    "4Z": "xx./.xx",
    "5A": ".x/.x/xx/.x",
    "5F": ".xx/xx./.x.",
    "5G": "x./xx/.x/.x",
    "5I": "x/x/x/x/x",
    "5J": ".x/.x/.x/xx",
    "5L": "x./x./x./xx",
    "5N": ".x/xx/x./x.",
    "5P": "xx/xx/x.",
    "5Q": "xx/xx/.x",
    "5R": "xx./.xx/.x.",
    "5S": ".xx/.x./xx.",
    "5T": "xxx/.x./.x.",
    "5U": "x.x/xxx",
    "5V": "x../x../xxx",
    "5W": "x../xx./.xx",
    "5X": ".x./xxx/.x.",
    "5Y": ".x/xx/.x/.x",
    "5Z": "xx./.x./.xx",
}

# Polycubes that do not lie flat, cells as x (column), y (row, counted from the bottom) and z (layer).
_POLYCUBES = {
    "4^": "010 000 100 001",
    "4<": "010 000 100 011",
    "4>": "010 000 100 101",
    "A_": "011 010 000 100 101",
    "J1": "120 110 100 000 121",
    "J2": "120 110 100 000 111",
    "J4": "120 110 100 000 001",
    "L1": "020 010 000 100 021",
    "L2": "020 010 000 100 011",
    "L3": "020 010 000 100 001",
    "L4": "020 010 000 100 101",
    "N1": "120 110 010 000 121",
    "N2": "120 110 010 000 111",
    "Q_": "000 010 110 100 101",
    "S1": "020 010 110 100 021",
    "S2": "020 010 110 100 011",
    "T1": "010 110 210 100 111",
    "T2": "010 110 210 100 101",
    "V1": "110 100 200 111 011",
    "V2": "110 100 000 111 211",
}

#: Other names for the same shapes: Golomb's letters, and names that a shell leaves alone.
SYNONYMS = {letter: f"5{letter}" for letter in "FILNPTUVWXYZ"} | {"4branch": "4^", "4left": "4<", "4right": "4>"}

_DIMENSIONS = re.compile(r"[0-9]+(x[0-9]+){1,2}")
_PERIMETER = re.compile(r"[UDLR]{2,}")
_MAP = re.compile(r"[xo. \-/\n]+")
_STEPS = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}


@cache
def named_shapes() -> dict[str, Shape]:
    """Every name with its shape, in the order `tiler shapes` lists them; synonyms are not in it."""
    plane = {name: parse_map(rows)[0] for name, rows in _POLYOMINOES.items()}
    # Rows are counted downwards here: y turns round, so that the picture stays right-handed.
    space = {
        name: CUBIC.normalise(frozenset((int(z), -int(y), int(x)) for x, y, z in map(tuple, cells.split())))
        for name, cells in _POLYCUBES.items()
    }
    return plane | space


@cache
def _names_by_variant() -> dict[Shape, str]:
    names: dict[Shape, str] = {}
    for name, shape in named_shapes().items():
        # A flat shape that stands upright is turned too; there it cannot be told from its mirror image: the first name wins.
        flat = SQUARE.variants(shape, reflections=False) if SQUARE.holds(shape) else ()
        for variant in (*flat, *CUBIC.variants(CUBIC.lift(shape), reflections=False)):
            names.setdefault(variant, name)
    return names


def name_of(shape: Shape, lattice: Lattice = SQUARE) -> str | None:
    """The name of a shape that is a named one, turned or not (never reflected), or None.

    >>> name_of(parse_shape("xxx/x.."))
    '4L'
    """
    lattice, shape = fitted(lattice, shape)
    if SQUARE not in (lattice, lattice.plane):
        return None
    return _names_by_variant().get(lattice.normalise(shape))


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

    On a lattice with layers, or that of a layer, the shape may be one of the other: see `lattices.fitted`.
    """
    plain = text.strip()
    if SQUARE not in (lattice, lattice.plane):
        return _parse_elsewhere(text, lattice)
    name = SYNONYMS.get(plain, plain)
    if name in _POLYOMINOES or name in _POLYCUBES:
        return named_shapes()[name], frozenset()
    if _DIMENSIONS.fullmatch(plain):
        return _cuboid(plain), frozenset()
    if _MAP.fullmatch(text) and re.search("[xo]", text):
        return parse_map(text)
    if _PERIMETER.fullmatch(plain):
        return _inside(plain), frozenset()
    shown = plain if len(plain) <= 40 else plain[:40] + "..."
    names = [*_POLYOMINOES, *_POLYCUBES, *SYNONYMS]
    raise InputError(f"{shown!r} is not a shape{suggest(plain, names)} (see tiler shapes)")


def _parse_elsewhere(text: str, lattice: Lattice) -> tuple[Shape, Shape]:
    """`parse_board` on lattices other than the square and the cubic one: dimensions and maps."""
    plain = text.strip()
    if regions.is_region(plain):
        return regions.region(lattice, plain), frozenset()
    if _MAP.fullmatch(text) and re.search("[xo]", text):
        if not charts.has_maps(lattice):
            raise InputError(f"the {lattice} lattice has no maps; write the problem as JSON, with cells as lists of numbers")
        every, optional = parse_map(text)
        cells = charts.cells_at(lattice, every)
        if cells is None:
            raise InputError(f"no map of the {lattice} lattice: a mark stands where there is no cell (see tiler lattices)")
        marked = dict(zip(sorted(every), sorted(cells, key=lambda cell: charts.place(lattice, cell)), strict=True))
        return cells, frozenset(map(marked.__getitem__, optional))
    raise InputError(f"{_short(plain)!r} is not a shape of the {lattice} lattice (see tiler lattices)")


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
            for x, letter in enumerate(row):
                if letter in cells:
                    cells[letter].append((z, y, x))
                elif letter not in " .":
                    raise InputError(f"{letter!r} in a map; it may hold x, o, '.' and spaces, and a row '-' between layers")
    optional = frozenset(cells["o"])
    every = frozenset(cells["x"]) | optional
    if not every:
        raise InputError("the map has no cell; mark cells with x")
    if len(layers) > 1:
        return every, optional
    return frozenset(cell[1:] for cell in every), frozenset(cell[1:] for cell in optional)


def _cuboid(text: str) -> Shape:
    sides = text.split("x")
    if any(not side.strip("0") for side in sides):
        raise InputError(f"{text} has no cell; every side must be at least 1")
    if any(len(side.lstrip("0")) > len(str(MAX_BOX)) for side in sides):
        raise InputError(f"{text[:40]} is too large; the limit is {MAX_BOX:,} cells")
    columns, rows, layers = ([int(side) for side in sides] + [1])[:3]
    check_box([layers, rows, columns] if len(sides) == 3 else [rows, columns], "the box")
    return frozenset(product(*map(range, (layers, rows, columns) if layers > 1 else (rows, columns))))


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
    rows: dict[int, list[int]] = {}
    for row, column in walls:
        rows.setdefault(row, []).append(column)
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
