"""Orders of cells for the option `cells`: rows, columns, a spiral, or one that somebody drew.

A drawn order is the map of the board with numbers in place of cells, separated by blanks: the cell with the least number is the
first. A full stop is a place without a cell, a line with a single `-` begins the next layer, and `#` begins a comment. Numbers
may be left out, but none may stand twice. So this is a spiral on the board 4x3:

     1  2  3  4
    10 11 12  5
     9  8  7  6

In a spec the same stands in one line, `cells=1.2.3.4/10.11.12.5/9.8.7.6`, with nothing between two full stops where there is no
cell. A file that is named on the command line, or in the file of a campaign, is replaced by its content in this form: records,
checkpoints and other processes hold the order itself, and a file that changes later changes nothing in them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tiler.errors import BadOption, InputError, suggest
from tiler.model.lattice import Cell, Lattice, Shape
from tiler.model.text_maps import Place, has_maps, place
from tiler.process import files

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tiler.cover.board import BoardCover

ROWS, COLUMNS, SPIRAL = "rows", "columns", "spiral"
PRESETS = (ROWS, COLUMNS, SPIRAL)
MOST_BYTES = 4_000_000  #: of a file
_DRAWN = re.compile(r"[\d./-]*\d[\d./-]*", re.ASCII)  # an order in one line; so the name of a file needs a letter
_MOST_DIGITS = 9


def error_in(text: str) -> str | None:
    """What is wrong with a value of the option, or None.

    >>> error_in("spiral"), error_in("2.1/3.4"), error_in("1.1")
    (None, None, 'the number 1 stands twice, in line 1')
    >>> error_in("spirl")
    "there is no order 'spirl'; nearest: spiral; there are rows, columns, spiral (files are for commands and campaigns)"
    """
    if text in PRESETS:
        return None
    if not _DRAWN.fullmatch(text):
        there = f"there are {', '.join(PRESETS)} (files are for commands and campaigns)"
        return f"there is no order {text!r}{suggest(text, PRESETS)}; {there}"
    try:
        _numbers(text)
    except InputError as error:
        return str(error)
    return None


def of_file(text: str, folder: Path) -> str:
    """The value that a value on the command line stands for: the order in a file, where it names one. BadOption says what is
    wrong with the file. Names of files are relative to the folder."""
    if text in PRESETS or _DRAWN.fullmatch(text):
        return text
    path = folder / text
    if not path.exists():
        raise BadOption(
            f"there is no such file, and no order of that name{suggest(text, PRESETS)}; there are {', '.join(PRESETS)}"
        )
    try:
        content = files.read_up_to(path, MOST_BYTES + 1)
    except OSError as error:
        raise BadOption(error.strerror or "it cannot be read") from None
    if len(content) > MOST_BYTES:
        raise BadOption(f"it has more than {MOST_BYTES:,} bytes")
    try:
        return _in_a_line(read(content.decode("utf-8", errors="replace")))
    except InputError as error:
        raise BadOption(str(error)) from None


def read(text: str) -> dict[Place, int]:
    """The numbers of a drawn order by their places, (layer, row, column); InputError names the line that is wrong."""
    numbers: dict[Place, int] = {}
    lines: dict[int, int] = {}
    layer = row = 0
    for at, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if words == ["-"]:
            layer, row = layer + 1, 0
            continue
        for column, word in enumerate(words):
            if word == ".":
                continue
            if not (word.isascii() and word.isdigit() and len(word) <= _MOST_DIGITS):
                raise InputError(f"line {at}: {word[:30]!r} is no number; a place without a cell is a full stop")
            number = int(word)
            if number in lines:
                where = f"in line {at}" if lines[number] == at else f"in lines {lines[number]} and {at}"
                raise InputError(f"the number {number} stands twice, {where}")
            lines[number] = at
            numbers[layer, row, column] = number
        row += 1
    if not numbers:
        raise InputError("there is no number")
    return numbers


def drawn(lattice: Lattice, cells: Sequence[Cell]) -> str:
    """The value of the option for an order of the cells of a board. BadOption for a lattice that cannot be drawn as a map.

    >>> from tiler.model.lattices import SQUARE
    >>> drawn(SQUARE, [(5, 5), (5, 6), (6, 6), (6, 5)])
    '1.2/4.3'
    """
    if not has_maps(lattice):
        raise BadOption(_no_maps(lattice))
    return _in_a_line({_solid(place(lattice, cell)): number for number, cell in enumerate(cells, 1)})


def in_lines(value: str) -> str:
    """A drawn order as a file has it.

    >>> print(in_lines("1.2.3/10..4"), end="")
     1  2  3
    10  .  4
    """
    numbers = _numbers(value)
    width = len(str(max(numbers.values())))
    rows = [[str(numbers.get(at, ".")).rjust(width) for at in row] for row in _rows(numbers)]
    return "".join(f"{' '.join(row)}\n" if row else "-\n" for row in rows)


def refusal(value: str, lattice: Lattice, board: Shape) -> str | None:
    """Why an order does not fit a board, or None."""
    if value in PRESETS:
        return None
    if not has_maps(lattice):
        return _no_maps(lattice)
    numbers, places = _moved(_numbers(value)), _places(lattice, board)
    if len(numbers) != len(board):
        return f"the order of cells has {len(numbers):,} numbers, the board {len(board):,} cells"
    missing = sorted(cell for cell, at in places.items() if at not in numbers)
    return f"the order of cells has no number for the cell {','.join(map(str, missing[0]))}" if missing else None


def in_order(value: str, lattice: Lattice, board: Shape) -> list[Cell]:
    """The cells of a board in an order that `refusal` accepts."""
    cells = sorted(board)
    if value == COLUMNS:
        cells.sort(key=lambda cell: cell[::-1])
    elif value == SPIRAL:
        rows, columns = ([cell[axis] for cell in cells] for axis in (-2, -1))
        bounds = min(rows), max(rows), min(columns), max(columns)
        cells.sort(key=lambda cell: (*cell[:-2], *_along_spiral(cell[-2], cell[-1], *bounds)))
    elif value != ROWS:
        numbers, places = _moved(_numbers(value)), _places(lattice, board)
        cells.sort(key=lambda cell: numbers[places[cell]])
    return cells


def ranks(value: str, cover: BoardCover) -> NDArray[np.int64]:
    """The rank of each item, shape (items,): cells as the order says, corners after them."""
    import numpy as np

    rank = np.arange(len(cover.items), dtype=np.int64)
    number_of = {cell: number for number, cell in enumerate(cover.cells)}
    ordered = [number_of[cell] for cell in in_order(value, cover.lattice, cover.instance.board)]
    rank[ordered] = np.arange(len(ordered))
    return rank


def _along_spiral(row: int, column: int, top: int, bottom: int, left: int, right: int) -> tuple[int, int]:
    """How far a spiral has come at a cell: its ring, counted from outside, and the steps along it from its corner on the upper
    left, clockwise."""
    ring = min(row - top, bottom - row, column - left, right - column)
    down, across = bottom - top - 2 * ring, right - left - 2 * ring
    y, x = row - top - ring, column - left - ring
    if y == 0:
        return ring, x
    if x == across:
        return ring, across + y
    return ring, across + down + (across - x) if y == down else 2 * across + down + (down - y)


def _no_maps(lattice: Lattice) -> str:
    return f"the {lattice} lattice has no maps, so no order of its cells can be drawn; there are {', '.join(PRESETS)}"


def _solid(where: Place) -> Place:
    return where if len(where) == 3 else (0, *where)


def _corner(places: Sequence[Place]) -> Place:
    return tuple(map(min, zip(*places, strict=True)))


def _moved(numbers: dict[Place, int]) -> dict[Place, int]:
    """The numbers with their places moved to the origin."""
    corner = _corner(list(numbers))
    return {tuple(a - b for a, b in zip(at, corner, strict=True)): number for at, number in numbers.items()}


def _places(lattice: Lattice, board: Shape) -> dict[Cell, Place]:
    """The places of the cells of a board on its map, relative to the corner of the map."""
    places = {cell: _solid(place(lattice, cell)) for cell in board}
    corner = _corner(list(places.values()))
    return {cell: tuple(a - b for a, b in zip(at, corner, strict=True)) for cell, at in places.items()}


def _numbers(value: str) -> dict[Place, int]:
    """The numbers of an order in one line."""
    lines = [[word or "." for word in line.split(".")] for line in value.split("/")]
    return read("\n".join(map(" ".join, lines)))


def _rows(numbers: dict[Place, int]) -> list[list[Place]]:
    """The places of the box around the numbers in rows; an empty row stands between layers."""
    layers, height, width = (max(along) + 1 for along in zip(*numbers, strict=True))
    rows: list[list[Place]] = []
    for layer in range(layers):
        rows += [[]] * (layer > 0)
        rows += [[(layer, row, column) for column in range(width)] for row in range(height)]
    return rows


def _in_a_line(numbers: dict[Place, int]) -> str:
    """The order in one line, with ranks in place of the numbers: equal orders are equal specs."""
    rank = {number: str(at) for at, number in enumerate(sorted(numbers.values()), 1)}
    moved = _moved(numbers)
    lines = [".".join(rank[moved[at]] if at in moved else "" for at in row).rstrip(".") if row else "-" for row in _rows(moved)]
    return "/".join(lines)
