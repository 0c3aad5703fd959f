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

from itertools import combinations  # noqa: E402

import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402
from solver_pictures import FILLED, FOLDER, PALE, RED, SMALL, WORD, at, box, line, page, word  # noqa: E402

from tiler import formats  # noqa: E402
from tiler.backends.fila import lists  # noqa: E402
from tiler.backends.sat import cardinality, tiling  # noqa: E402
from tiler.backends.sat.formula import Formula  # noqa: E402
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


class Counted(NamedTuple):
    """Clauses about rows of counters, with values that satisfy them."""

    cover: BoardCover
    clauses: list[list[int]]
    options: dict[int, int]  #: the placement that a variable stands for
    rows: list[list[tuple[int, int]]]  #: the variable of a placement, and its counter, if it has one, else 0
    true: frozenset[int]  #: the variables that are true


def _counted(
    cover: BoardCover, clauses: list[list[int]], options: dict[int, int], rows: list[list[int]], chosen: list[int]
) -> Counted:
    """The counter of a placement is what it implies; it is true from the chosen placement of its row on."""
    counter = {-clause[0]: clause[1] for clause in clauses if len(clause) == 2 and -clause[0] in options and clause[1] > 0}
    pairs = [[(variable, counter.get(variable, 0)) for variable in row] for row in rows]
    reached = (
        each for row in pairs for at, (variable, _) in enumerate(row) if variable in chosen for _, each in row[at:] if each
    )
    return Counted(cover, clauses, options, pairs, frozenset([*chosen, *reached]))


@cache
def in_sequence() -> Counted:
    """At most one of the placements over the middle of a board, the third of which is used."""
    cover = BoardCover.of(formats.inline(["3x3", "2", "3I"]))
    over = cover.by_item.lists()[4]
    formula = Formula(len(over))
    cardinality.at_most("seqcounter", formula, range(1, len(over) + 1), 1)
    return _counted(cover, formula.clauses, dict(enumerate(over, 1)), [list(range(1, len(over) + 1))], [3])


@cache
def in_order() -> Counted:
    """Three named copies of a domino in order, on a board of eight cells."""
    cover = BoardCover.of(formats.inline(["4x2", "3..3:2", "1"]))
    made = tiling.encode(cover, tiling.ORDERED, "pairwise")
    group = next(group for group in made.formula.groups if "ordered" in group.fact)
    options = {variable: option for variable, option in enumerate(made.option, 1) if made.copy[variable - 1]}
    rows = [[variable for variable in options if made.copy[variable - 1] == copy] for copy in (1, 2, 3)]
    order = [options[variable] for variable in rows[0]]
    apart = [some for some in combinations(order, 3) if len({int(cell) for each in some for cell in cover.cells_of(each)}) == 6]
    used = apart[len(apart) // 2]
    chosen = [next(variable for variable in row if options[variable] == option) for row, option in zip(rows, used, strict=True)]
    return _counted(cover, made.formula.clauses[group.first - 1 : group.last], options, rows, chosen)


def sequential() -> list[Mark]:
    """A sequential counter: what each clause of two literals says, and the values while one placement is used."""
    return [*_counters(in_sequence(), 84, 40), *_key(-14, 86, "not both")]


def ordered() -> list[Mark]:
    """Sequential counters of named copies, a row for each, and the implications that put the copies in order."""
    return [*_counters(in_order(), 62, 6, 60), *_key(-14, 166)]


def _counters(of: Counted, wide: float, top: float, high: float = 0.0) -> list[Mark]:
    cells, marks = of.cover.cells, list[Mark]()
    first = [of.options[variable] for variable, _ in of.rows[0]]
    where: dict[int, tuple[float, float]] = {}
    for column, option in enumerate(first):
        inside = [cells[cell] for cell in of.cover.cells_of(option)]
        times = 0.45
        marks.extend(at([*board(cells), *piece(inside, fill_of(column))], wide * column - 18, -46, times))
        marks.append(word(wide * column, -54, str(column + 1), SMALL))
    for number, row in enumerate(of.rows):
        y = top + high * number
        if len(of.rows) > 1:
            marks.append(Label((-90, y + 4), f"copy {number + 1}", WORD))
        for variable, counter in row:
            column = first.index(of.options[variable])
            where[variable] = wide * column, y - 21 if len(of.rows) > 1 else 0.0
            if counter:
                where[counter] = wide * column, y
    boxes = {counter: variable for row in of.rows for variable, counter in row if counter}
    for a, b in (clause for clause in of.clauses if len(clause) == 2):
        if b > 0:
            start, end = where[-a], where[b]
            if -a in boxes and start[1] == end[1]:
                marks += _arrow((start[0] + 13, start[1]), (end[0] - 13, end[1]))
            elif -a in boxes:
                marks += _arrow((start[0], start[1] - 13), (end[0], end[1] + 13))
            elif len(of.rows) == 1:
                marks += _arrow((start[0], -12), (end[0], end[1] - 13))
        elif len(of.rows) == 1:
            (left, low), (right, _) = sorted((where[-a], where[-b]))
            marks.append(line((left + 13, low - 8), (right - 5, -12), RED, 1.4))
    for counter, variable in boxes.items():
        x, y = where[counter]
        column = first.index(of.options[variable])
        is_true, is_used = counter in of.true, variable in of.true
        fill = fill_of(column) if is_used else "#fff1c9" if is_true else "#ffffff"
        marks.append(Patch([box(x - 13, y - 13, x + 13, y + 13)], fill, BORDER if is_used else 1.0, INK if is_true else PALE))
        marks.append(word(x, y + 4, str(int(is_true)), WORD, INK if is_true else PALE))
    return marks


def _arrow(start: tuple[float, float], end: tuple[float, float]) -> list[Mark]:
    """A line with a head, along one of the axes."""
    right, down = ((there > here) - (there < here) for here, there in zip(start, end, strict=True))
    back = [(end[0] - 5 * right + 3 * side * down, end[1] - 5 * down + 3 * side * right) for side in (1, -1)]
    return [line(start, end), *(line(each, end) for each in back)]


def _key(x: float, y: float, excluded: str = "") -> list[Mark]:
    """What arrows and red lines mean."""
    marks = [*_arrow((x, y - 4), (x + 22, y - 4)), Label((x + 30, y), "implies", SMALL)]
    if excluded:
        marks += [line((x + 100, y - 4), (x + 122, y - 4), RED, 1.4), Label((x + 130, y), excluded, SMALL)]
    return marks


FOURTEEN = (2, 2)  #: the cell with this number in the article: the third row of the third column


def images() -> list[Mark]:
    """The images of one cell of 6x10, each once, by the lists that it is in."""
    cover, of = six_by_ten(), lists_of(six_by_ten(), pof=True, nof=True)
    marks: list[Mark] = []
    before = {cell for cell in cover.cells if cell[::-1] < FOURTEEN[::-1]}
    picture = [*board(cover.cells, dict.fromkeys(before, FILLED)), Patch([square(FOURTEEN)], "#ffffff", 3.0, RED)]
    marks.extend(at(picture, 0, 0, 0.7))
    for number, (state, length) in enumerate(zip(STATES, image_lists(), strict=True)):
        marks.append(Label((170, 14 + 19 * number), f"{state}: {len(length)} images", SMALL))
    top = 126.0
    lists_with = [[number for number, each in enumerate(image_lists()) if option in each] for option in of.options(FOURTEEN)]
    for which in sorted(map(tuple, {tuple(each) for each in lists_with}), key=lambda some: (len(some), some)):
        here = [option for option, each in zip(of.options(FOURTEEN), lists_with, strict=True) if tuple(each) == which]
        named = (
            "the list of index 0 alone"
            if which == (0,)
            else "the lists of index " + " and ".join([", ".join(map(str, which[:-1])), str(which[-1])])
        )
        marks.append(Label((0, top), f"{len(here)} in {named}", SMALL))
        for number, option in enumerate(here):
            cells = [(row, column - 2) for row, column in (cover.cells[cell] for cell in cover.cells_of(option))]
            window = [(row, column - 2) for row, column in cover.cells if 2 <= column < 7]
            shades: dict[Cell, str] = {(row, column - 2): FILLED for row, column in before if column >= 2}
            small = [*board(window, shades), *piece(cells, fill_of(int(cover.tile[option])))]
            marks.extend(at(small, 44.0 * (number % 17), top + 8 + 52 * (number // 17), 0.38))
        top += 26 + 52 * -(-len(here) // 17)
    return marks


#: The states of the two neighbours that the lists of a cell look at, by index.
STATES = (
    "index 0, both open",
    "index 1, the one below is filled",
    "index 2, the right one is filled",
    "index 3, both are filled",
)


@cache
def image_lists() -> list[list[int]]:
    """The placements in the four lists of the article's cell 14, by index."""
    of, (row, column) = lists_of(six_by_ten(), pof=True, nof=True), FOURTEEN
    below, beside = (row + 1, column), (row, column + 1)
    return [of.options(FOURTEEN, taken) for taken in ((), (below,), (beside,), (below, beside))]


#: What draws each picture.
PICTURES: Mapping[str, Callable[[], list[Mark]]] = {
    draw.__name__: draw for draw in (variants, encoding, sequential, ordered, occupancy, index, images, filtered)
}
_TITLES = {
    "variants": "The variants of the tetrominoes",
    "encoding": "The placements on a board as rows of an exact cover",
    "sequential": "A sequential counter for the placements over one cell",
    "ordered": "Sequential counters that put three copies in order",
    "occupancy": "The lengths of FILA's lists for each cell of 6x10",
    "index": "FILA's lists for a cell by the state of its neighbours",
    "images": "The images of one cell of 6x10, by FILA's lists",
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
    for said, images_of in zip(STATES, image_lists(), strict=True):
        yield f"{len(images_of)} images in the list of cell 14: {said}"


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
