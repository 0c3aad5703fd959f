"""Puzzles in which cells of tiles have colours: checkered pieces, pieces that show a picture, and dominoes with spots.

A picture puzzle is made of a tiling, a letter for each piece: its cells are painted, and taken apart again with their colours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from corpora.boards import rectangle
from corpora.edges import drawn, told
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Shape
from tiler.model.lattices import CUBIC, SQUARE
from tiler.model.paint import Ground, Paint, coat_of, forms
from tiler.model.polyforms import polyforms
from tiler.model.tile import Tile

GOLOMB = "S. W. Golomb, Polyominoes, 1965"
SLOCUM = "H. Luers, Sectional checker board, US patent 231,963, 1880; J. Slocum and J. Haubrich, Checkerboard puzzles, 1983"
DUDENEY = "after H. E. Dudeney's broken chessboard, The Canterbury puzzles, 1907, by another tiling"

# Tilings, a letter for each piece; those in space by layers.
SIX_BY_TEN = "DDLEEE/DLLLEE/DALBBC/DABBCC/AAKBCG/FAKKCG/FFFKKG/JIFIHG/JIIIHG/JJJHHH"
HOLE = "DDLIIJJJ/DLLLIJFF/DBLIIJFC/DBB..FFC/BBA..KCC/AAAAKKCH/EEEKKHHH/EEGGGGGH"
CHESSBOARD = "DDLAAAAB/DLLLABBB/DCLEEIBI/DCEEEIII/CCKFFHHH/CKKFMMHJ/KKFFMMHJ/GGGGGJJJ"
SOMA = "AAB/CAB/CEB-CFB/CEG/EEG-DFF/DDF/DGG"
BEDLAM = "AMHK/MMMK/BMGC/BCCC-AHHH/AAHK/DGGK/BGCL-IIIF/EIJK/DGJJ/BBLL-EEEF/EIFF/DDFJ/DLLJ"


class Picture(NamedTuple):
    """A tiling and how its cells are painted."""

    name: str
    title: str
    tiling: str
    paint: Callable[[Cell], str]
    source: str
    counts: tuple[int | None, int | None]
    reflections: bool


def by_turns(cell: Cell) -> str:
    return "black" if sum(cell) % 2 else "white"


PICTURES = (
    Picture("pentominoes-6x10-checkered", "Checkered pentominoes: 6x10", SIX_BY_TEN, by_turns, "", (12, 6), True),
    Picture(
        "pentominoes-6x10-halves",
        "Pentominoes in two colours, a half each: 6x10",
        SIX_BY_TEN,
        lambda cell: "red" if cell[0] < 5 else "blue",
        "",
        (2, 1),
        True,
    ),
    Picture(
        "pentominoes-6x10-stripes",
        "Pentominoes with a flag of three stripes: 6x10",
        SIX_BY_TEN,
        lambda cell: ("blue", "white", "red")[cell[1] // 2],
        "",
        (4, 2),
        True,
    ),
    Picture(
        "pentominoes-6x10-frame",
        "Pentominoes with a frame of another colour: 6x10",
        SIX_BY_TEN,
        lambda cell: "gold" if cell[0] in (0, 9) or cell[1] in (0, 5) else "green",
        "",
        (8, 2),
        True,
    ),
    Picture(
        "pentominoes-08x08-hole-checkered",
        "Checkered pentominoes: a chessboard without its centre",
        HOLE,
        by_turns,
        "",
        (8, 2),
        True,
    ),
    Picture("chessboard", "A broken chessboard: pentominoes and a square", CHESSBOARD, by_turns, DUDENEY, (172, 43), True),
    Picture(
        "chessboard-one-sided",
        "A broken chessboard whose pieces are not turned over",
        CHESSBOARD,
        by_turns,
        DUDENEY,
        (4, 2),
        False,
    ),
    Picture("soma-checkered", "A checkered Soma cube", SOMA, by_turns, "", (10_512, 219), False),
    Picture(
        "soma-layers",
        "A Soma cube in three layers of colour",
        SOMA,
        lambda cell: ("red", "green", "blue")[cell[0]],
        "",
        (8, 2),
        False,
    ),
    Picture(
        "soma-corner",
        "A Soma cube with one black corner",
        SOMA,
        lambda cell: "black" if cell == (0, 0, 0) else "white",
        "",
        (1_242, 207),
        False,
    ),
    Picture("bedlam-checkered", "A checkered Bedlam cube", BEDLAM, by_turns, "", (864, 72), False),
)

#: Checkered pieces: how many cells, whether the other colour is on their backs, the board, and the tilings.
CHECKERED: tuple[tuple[int, bool, str, tuple[int, int], tuple[int | None, int | None]], ...] = (
    (3, False, "trominoes", (4, 3), (16, 8)),
    (4, False, "tetrominoes", (7, 4), (48, 24)),
    (4, True, "tetrominoes", (6, 4), (0, 0)),
    (5, True, "pentominoes", (10, 9), (None, None)),
)
#: Spots by size and number, with their tilings.
SPOTS = (
    (2, 12, (1, 1)),
    (3, 6, (2, 2)),
    (4, 19, (1, 1)),
    (5, 12, (3, 3)),
    (6, 13, (1, 1)),
)


def colours() -> Iterator[Instance]:
    """Every puzzle."""
    for picture in PICTURES:
        yield _picture(picture)
    for size, opposite, called, (width, height), counts in CHECKERED:
        tiles = checkered(size, opposite)
        ground = Ground(tuple(sorted((cell, by_turns(cell)) for cell in rectangle(width, height))))
        made = Instance(rectangle(width, height), tuple(tiles), reflections=True, ground=ground)
        how = ", the other colour on their backs" if opposite else ""
        title = f"The {len(tiles)} checkered {called}{how}: {width}x{height}"
        name = f"checkered-{called}-{'backs-' * opposite}{width}x{height}"
        yield told(made, "colours", name, title, f"{GOLOMB}; {SLOCUM}", counts)
    for size, number, counts in SPOTS:
        yield drawn("colours", "spots", size, number, f"Where do the dominoes lie, up to double {size}?", counts)
    yield two_faces()


def checkered(size: int, opposite: bool) -> Sequence[Tile]:
    """The polyominoes of a size whose cells are black and white by turns, each once; those that may be turned over into each
    other are one. On their backs they have the same colours, or the opposite ones."""
    found: dict[object, Tile] = {}
    for form in polyforms(SQUARE, size):
        for first in (0, 1):
            front = {cell: by_turns((*cell, first)) for cell in form.shape}
            back = {cell: by_turns((*cell, first + opposite)) for cell in form.shape}
            paint = Paint(coat_of(front, {}), coat_of(back, {}))
            looks = frozenset(forms(SQUARE, form.shape, paint, SQUARE.isometries(reflections=True)))
            found.setdefault(looks, Tile(f"{len(found) + 1}", form.shape, 1, 1, paint=paint))
    return list(found.values())


def two_faces() -> Instance:
    """The first example of docs/reference/problems.md."""
    board = rectangle(4, 3)
    tiles = []
    for cells, copies in ((3, 2), (2, 3)):
        shape: Shape = frozenset((0, column) for column in range(cells))
        sides = [coat_of({cell: by_turns((*cell, swapped)) for cell in shape}, {}) for swapped in (1, 0)]
        tiles.append(Tile(f"{cells}I", shape, copies, copies, paint=Paint(*sides)))
    ground = Ground(tuple(sorted((cell, by_turns((*cell, 1))) for cell in board)))
    made = Instance(board, tuple(tiles), reflections=True, ground=ground)
    title = "Straight pieces that show the other colour when turned over: 4x3"
    return told(made, "colours", "two-faces", title, "", (27, 15))


def _picture(picture: Picture) -> Instance:
    layers = [layer.split("/") for layer in picture.tiling.split("-")]
    of = {
        (layer, row, column): letter
        for layer, rows in enumerate(layers)
        for row, letters in enumerate(rows)
        for column, letter in enumerate(letters)
        if letter != "."
    }
    pieces: dict[str, dict[Cell, str]] = {}
    for cell, letter in sorted(of.items()):
        place = cell if len(layers) > 1 else cell[1:]
        pieces.setdefault(letter, {})[place] = picture.paint(place)
    lattice = CUBIC if len(layers) > 1 else SQUARE
    tiles = []
    for letter, cells in sorted(pieces.items()):
        coat = coat_of(cells, {})
        tiles.append(Tile(letter, frozenset(cells), 1, 1, lattice=lattice, paint=Paint(coat, coat)))
    seen = sorted((cell, colour) for cells in pieces.values() for cell, colour in cells.items())
    board = frozenset(cell for cell, _ in seen)
    made = Instance(board, tuple(tiles), picture.reflections, lattice=lattice, ground=Ground(tuple(seen)))
    return told(made, "colours", picture.name, picture.title, picture.source, picture.counts)
