"""Draw what the thesis and the article on FILA show in their figures, from what Tiler computes: `docs/pictures/method-NAME.svg`.

python scripts/method_pictures.py             draw them all
python scripts/method_pictures.py --numbers   print the numbers in them

The pictures are drawn anew here, and copy nothing. Only where things lie on the page is decided here. The larger board has 10
columns and 6 rows, and the tiles are the twelve pentominoes; cells are numbered column after column.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402
from solver_pictures import FILLED, FOLDER, PALE, RED, SMALL, WORD, at, box, line, page, word  # noqa: E402

from tiler import formats  # noqa: E402
from tiler.backends.fila import lists  # noqa: E402
from tiler.cover import filters  # noqa: E402
from tiler.cover.board import BoardCover  # noqa: E402
from tiler.model.lattice import Cell  # noqa: E402
from tiler.render import svg  # noqa: E402
from tiler.render.colours import PALETTE  # noqa: E402
from tiler.render.scene import BARE, BORDER, INK, THIN, Label, Mark, Patch  # noqa: E402

_CELL = 20.0  # the side of a cell
_CORNER = "5X"  # the piece that the redundancy filter keeps in one quarter of the board


class Lists(NamedTuple):
    """The image lists of a board, in the first open cell's order or (without POF) for any target."""

    cover: BoardCover
    place: NDArray[np.int64]  #: the number of each cell
    made: lists.ImageLists
    pof: bool

    def options(self, cell: Cell, taken: Collection[Cell] = ()) -> list[int]:
        """The placements in the list of a cell, if some of its neighbours are taken."""
        number, cells = self.cover.cells.index(cell), self.cover.cells
        place = int(self.place[number])
        here = np.flatnonzero(self.made.places == place)
        around = sorted((int(self.place[each]), cells[each]) for each in self.cover.beside[number].tolist() if each >= 0)
        later = [beside for rank, beside in around if rank > place or not self.pof]
        state = sum(1 << bit for bit, beside in enumerate(later) if beside in taken) if len(here) > 1 else 0
        tiles = len(self.cover.tiles)
        start, end = (int(self.made.images.starts[at * tiles]) for at in (here[state], here[state] + 1))
        return list(map(int, self.made.images.option[start:end]))


def lists_of(cover: BoardCover, *, pof: bool, nof: bool) -> Lists:
    columns = sorted(range(len(cover.cells)), key=lambda number: cover.cells[number][::-1])
    place = np.empty(len(cover.cells), np.int64)
    place[columns] = np.arange(len(columns))
    return Lists(cover, place, lists.build(cover, place, cover.beside, [place if pof else None], nof=nof), pof)


@cache
def six_by_ten() -> BoardCover:
    return BoardCover.of(formats.inline(["10x6", "1:pentominoes"]))


def square(cell: Cell) -> list[tuple[float, float]]:
    row, column = cell
    return box(_CELL * column, _CELL * row, _CELL * (column + 1), _CELL * (row + 1))


def board(cells: Collection[Cell], fills: Mapping[Cell, str] | None = None) -> list[Mark]:
    """Cells with thin borders, some of them with a fill."""
    return [Patch([square(cell)], (fills or {}).get(cell, BARE), THIN, PALE) for cell in sorted(cells)]


def piece(cells: Collection[Cell], fill: str) -> list[Mark]:
    """A piece: its cells, and a thick line around them."""
    marks: list[Mark] = [Patch([square(cell)], fill, THIN, fill) for cell in sorted(cells)]
    for row, column in sorted(cells):
        left, top = _CELL * column, _CELL * row
        sides = {
            (row - 1, column): ((left, top), (left + _CELL, top)),
            (row + 1, column): ((left, top + _CELL), (left + _CELL, top + _CELL)),
            (row, column - 1): ((left, top), (left, top + _CELL)),
            (row, column + 1): ((left + _CELL, top), (left + _CELL, top + _CELL)),
        }
        marks += [line(*ends, INK, BORDER) for beyond, ends in sides.items() if beyond not in cells]
    return marks


def fill_of(tile: int) -> str:
    return PALETTE[(5 * tile) % len(PALETTE)].fill


# --- the pictures; each gives its marks


def variants() -> list[Mark]:
    """All variants of the tetrominoes."""
    instance = formats.inline(["4x5", "1:tetrominoes"])
    marks: list[Mark] = [Label((0, -14), "tile", SMALL), Label((110, -14), "its variants: turned, and turned over", SMALL)]
    top = 0.0
    for number, tile in enumerate(instance.distinct_tiles):
        shapes = instance.variants(tile)
        high = max(max(row for row, _ in shape) for shape in shapes) + 1
        times = 0.7
        marks.append(word(14, top + high * _CELL * times / 2 + 4, tile.name, WORD))
        said = "1 variant" if len(shapes) == 1 else f"{len(shapes)} variants"
        marks.append(Label((36, top + high * _CELL * times / 2 + 4), said, SMALL))
        right = 110.0
        for shape in shapes:
            marks.extend(at(piece(shape, fill_of(number)), right, top, times))
            right += (max(column for _, column in shape) + 1) * _CELL * times + 14
        top += high * _CELL * times + 16
    return marks


def encoding() -> list[Mark]:
    """Every placement as a row: its cells, its tile, and its cells as bits of a number."""
    cover = BoardCover.of(formats.inline(["3x2", "3L", "3I"]))
    cells, marks = cover.cells, list[Mark]()
    wide, high = 24.0, 30.0
    heads = [str(number) for number in range(len(cells))] + list(cover.names)
    for column, head in enumerate(heads):
        marks.append(word(100 + wide * column + (14 if column >= len(cells) else 0), -12, head, WORD))
    marks.append(word(100 + wide * (len(heads) - 1) + 90, -12, "bits 5 to 0", SMALL))
    marks.extend(at(board(cells), -6, -54, 0.8))
    marks.extend(at((word(*_middle(cell), str(number), SMALL) for number, cell in enumerate(cells)), -6, -54, 0.8))
    for row in range(len(cover)):
        inside, y = cover.cells_of(row), high * row + 8
        tile = int(cover.tile[row])
        lying = [*board(cells), *piece([cells[cell] for cell in inside], fill_of(tile))]
        marks.extend(at(lying, 0, y - 8, 0.6))
        for column in range(len(heads)):
            is_one = column - len(cells) == tile if column >= len(cells) else column in inside
            x = 100 + wide * column + (14 if column >= len(cells) else 0)
            if is_one:
                marks.append(Patch([box(x - 9, y - 7, x + 9, y + 11)], fill_of(tile)))
            marks.append(word(x, y + 6, str(int(is_one)), WORD, INK if is_one else PALE))
        bits = sum(1 << int(cell) for cell in inside)
        marks.append(word(100 + wide * (len(heads) - 1) + 90, y + 6, f"{bits:06b} = {bits}", SMALL))
    return marks


def _middle(cell: Cell) -> tuple[float, float]:
    row, column = cell
    return _CELL * (column + 0.5), _CELL * (row + 0.5) + 4


def occupancy() -> list[Mark]:
    """How long the list of each cell is: by the board alone, by what is filled before it, and by its next neighbours."""
    marks: list[Mark] = []
    for number, (said, lengths) in enumerate(list_lengths().items()):
        right, down = 230.0 * (number % 2), 170.0 * (number // 2)
        most = max(max(each.values()) for each in list_lengths().values())
        shades = {cell: _shade(length / most) for cell, length in lengths.items()}
        marks.extend(at(board(lengths, shades), right, down))
        marks.extend(at((word(*_middle(cell), str(length), SMALL - 2) for cell, length in lengths.items()), right, down))
        marks.append(Label((right, down - 8), f"{said}: {sum(lengths.values()):,}", SMALL))
    return marks


@cache
def list_lengths() -> dict[str, dict[Cell, int]]:
    """The number of placements in the list of each cell."""
    cover = six_by_ten()
    bounds, pof = (lists_of(cover, pof=pof, nof=False) for pof in (False, True))
    nof = lists_of(cover, pof=True, nof=True)
    asked: dict[str, tuple[Lists, tuple[Cell, ...]]] = {
        "inside the board": (bounds, ()),
        "POF, cells before it are filled": (pof, ()),
        "NOF, the next cell below too": (nof, ((1, 0),)),
        "NOF, the cell to its right too": (nof, ((0, 1),)),
    }
    return {
        said: {
            (row, column): len(of.options((row, column), [(row + down, column + right) for down, right in taken]))
            for row, column in cover.cells
        }
        for said, (of, taken) in asked.items()
    }


def _shade(part: float) -> str:
    """From white to a blue that black numbers can be read on."""
    return "#" + "".join(f"{round(255 + (end - 255) * part**0.5):02x}" for end in (0x77, 0xAA, 0xDD))


def index() -> list[Mark]:
    """The list of one index: which neighbours are filled, as bits, and the placements that are ready for that."""
    cover = BoardCover.of(formats.inline(["6x4", "1:tetrominoes"]))
    target, before = (1, 2), [(row, column) for column in range(3) for row in range(4) if (column, row) < (2, 1)]
    below, beside = (2, 2), (1, 3)
    marks: list[Mark] = []
    top = 0.0
    of = lists_of(cover, pof=True, nof=True)
    for state, taken in ((0, ()), (1, (below,)), (2, (beside,)), (3, (below, beside))):
        fills: dict[Cell, str] = {**dict.fromkeys(before, FILLED), **dict.fromkeys(taken, "#777777")}
        marks.extend(at([*board(cover.cells, fills), Patch([square(target)], "#ffffff", 3.0, RED)], 0, top))
        marks.append(Label((128, top + 30), f"right {state >> 1}, below {state & 1}", SMALL))
        options = of.options(target, taken)
        marks.append(Label((128, top + 48), f"index {state}: {len(options)}", SMALL))
        right, down = 232.0, top
        for option in options:
            cells = [cover.cells[cell] for cell in cover.cells_of(option)]
            if right > 700:
                right, down = 232.0, down + 44
            marks.extend(at([*board(cover.cells, fills), *piece(cells, fill_of(int(cover.tile[option])))], right, down, 0.45))
            right += 64
        top = max(top + 96, down + 56)
    return marks


def filtered() -> list[Mark]:
    """How many placements of each pentomino the filters leave on 6x10."""
    marks: list[Mark] = []
    steps = placements_left()
    scale, high = 1.0, 22.0
    for row, name in enumerate(six_by_ten().names):
        y = row * high
        numbers = [step[name] for step in steps.values()]
        marks.append(word(-16, y + 12, name, WORD))
        marks.append(Patch([box(0, y, numbers[0] * scale, y + 15)], "#dddddd"))
        marks.append(Patch([box(0, y, numbers[-1] * scale, y + 15)], fill_of(row), THIN))
        marks.append(Label((numbers[0] * scale + 8, y + 12), " to ".join(map(str, dict.fromkeys(numbers))), SMALL))
    sums = [f"{sum(step.values()):,} {said}" for said, step in steps.items()]
    marks += [Label((-26, -20 - 18 * (len(sums) - 1 - at)), said, SMALL) for at, said in enumerate(sums)]
    return marks


@cache
def placements_left() -> dict[str, dict[str, int]]:
    """The number of placements of each piece, after each filter of Busche's article."""
    cover = six_by_ten()
    anchored = filters.anchor(cover, _CORNER, lists_of(cover, pof=True, nof=False).place)
    after = {
        "placements inside the board": cover,
        "with the X in one quarter of it": anchored,
        "without those that leave a region of a size that 5 does not divide": filters.volume(anchored),
    }
    return {said: {name: int((left.tile == t).sum()) for t, name in enumerate(left.names)} for said, left in after.items()}


#: What draws each picture.
PICTURES: Mapping[str, Callable[[], list[Mark]]] = {
    draw.__name__: draw for draw in (variants, encoding, occupancy, index, filtered)
}
_TITLES = {
    "variants": "The variants of the tetrominoes",
    "encoding": "The placements on a board as rows of an exact cover",
    "occupancy": "The lengths of FILA's lists for each cell of 6x10",
    "index": "FILA's lists for a cell by the state of its neighbours",
    "filtered": "The placements of the pentominoes on 6x10 that filters leave",
}


def file(name: str) -> str:
    return f"method-{name}.svg"


def document(name: str) -> str:
    return svg.of_page(page(PICTURES[name]()), _TITLES[name])


def numbers() -> Iterator[str]:
    """The sums in the pictures."""
    for said, lengths in list_lengths().items():
        yield f"{sum(lengths.values()):,} placements in the lists: {said}"
    for said, left in placements_left().items():
        yield f"{sum(left.values()):,} {said}"


def draw_all() -> None:
    for name in PICTURES:
        (FOLDER / file(name)).write_text(document(name))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--numbers", action="store_true", help="print the numbers, and draw nothing")
    if parser.parse_args().numbers:
        print("\n".join(numbers()))
    else:
        draw_all()


if __name__ == "__main__":
    main()
