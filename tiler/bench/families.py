"""Draw families of random instances; larger instances are harder. An instance has its expected answer. A family draws from a
given generator: the same seed gives the same instances. An instance depends only on its size and the generator, so a longer list
of sizes does not change the instances of a shorter one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import product
from random import Random

from tiler import formats
from tiler.model.expected import Expected, Status
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Shape
from tiler.model.lattices import USUAL
from tiler.model.paint import CellSide, Ground, Paint, border_of, coat_of, sides
from tiler.model.tile import Tile
from tiler.model.wrap import FLAT, parse_wrap

_TRIES = 50  # tries to lay a piece over a cell, before the cell is left open
_TURNS = 30  # turns of pairs of dominoes, for each cell


@dataclass(frozen=True)
class Family:
    """Instances of one kind. `about` is a sentence for readers of a paper; `least` the smallest size, `step` to the next one."""

    name: str
    about: str
    draw: Callable[[Random, int], Instance]
    least: int
    step: int = 1


def _mutilated(wrap: str) -> Callable[[Random, int], Instance]:
    def draw(drawn: Random, size: int) -> Instance:
        """A square board from which two cells of one chessboard colour are removed. If the side is even, dominoes cannot fill
        it."""
        first = drawn.randrange(size), drawn.randrange(size)
        others = [(r, c) for r in range(size) for c in range(size) if (r + c) % 2 == sum(first) % 2 and (r, c) != first]
        gone = {first, drawn.choice(others)}
        rows = ["".join("." if (r, c) in gone else "x" for c in range(size)) for r in range(size)]
        return _known(formats.inline(["/".join(rows), "2"], wrap=wrap or None), Status.UNSAT)

    return draw


def _laid(drawn: Random, size: int) -> Instance:
    """Pieces laid next to each other around the origin, each kind as often as it was laid: they fill what they cover."""
    kinds = [_piece(drawn, cells) for cells in (4, 5, 5, 6)]
    used = [0] * len(kinds)
    board, holes = set[Cell](), set[Cell]()
    while len(board) < size * size:
        around = {other for cell in board for other in USUAL.neighbours(cell)} - board - holes
        corner = min(around or {(0, 0)}, key=_spiral)
        for _ in range(_TRIES):
            kind = drawn.randrange(len(kinds))
            laid = _over(drawn, kinds[kind], corner, board | holes)
            if laid:
                board |= laid
                used[kind] += 1
                break
        else:
            holes.add(corner)
    tiles = tuple(
        Tile(f"p{number}", kind, copies, copies)
        for number, (kind, copies) in enumerate(zip(kinds, used, strict=True), 1)
        if copies
    )
    return _known(Instance(frozenset(board), tiles), Status.SAT)


def _striped(drawn: Random, size: int) -> Instance:
    """A square of even side less some squares of four cells, with room for an odd number of L tetrominoes. Where columns have
    two colours in turn, each has three cells of one colour; so the cells of a colour would be odd, and they are not."""
    board: set[Cell] = {(r, c) for r in range(size) for c in range(size)}
    left = drawn.choice([number for number in range(4) if (size * size // 4 - number) % 2])
    while left:
        row, column = drawn.randrange(size - 1), drawn.randrange(size - 1)
        block = {(r, c) for r in (row, row + 1) for c in (column, column + 1)}
        if block <= board:
            board -= block
            left -= 1
    return _known(Instance(frozenset(board), formats.inline(["2x2", "4L"]).tiles), Status.UNSAT)


def _tetravex(drawn: Random, size: int) -> Instance:
    """A square is cut into cells, with a number on every cut; tiles are not turned."""
    return _cut(drawn, size, "0123456789", turning=False)


def _framed(colours: int) -> Callable[[Random, int], Instance]:
    def draw(drawn: Random, size: int) -> Instance:
        """A square is cut into cells, with one of `colours` colours on every cut and another one around it."""
        return _cut(drawn, size, "abcdefghij"[:colours], frame="x")

    return draw


def _wang(drawn: Random, size: int) -> Instance:
    """A torus is cut into Wang tiles, which are not turned."""
    return _cut(drawn, size, "abc", turning=False, wrapped=True)


def _wang_changed(drawn: Random, size: int) -> Instance:
    """A torus is cut into Wang tiles, and one side of one tile gets another mark. Then more left sides than right sides have that
    mark, or more upper than lower ones or the other way round, so there is no tiling."""
    whole = _wang(drawn, size)
    kinds = list(whole.tiles)
    place = drawn.randrange(len(kinds))
    chosen, marks = kinds[place], list(kinds[place].paint.front.marks)
    number = drawn.randrange(len(marks))
    side, old = marks[number]
    marks[number] = side, drawn.choice([mark for mark in "abc" if mark != old])
    coat = coat_of({}, dict(marks))
    fewer = chosen.at_least - 1
    kinds[place : place + 1] = [replace(chosen, at_least=fewer, at_most=fewer)] if fewer else []
    kinds.append(Tile("changed", chosen.shape, 1, 1, paint=Paint(coat, coat)))
    return _known(replace(whole, tiles=tuple(kinds)), Status.UNSAT)


def _cut(drawn: Random, size: int, marks: str, frame: str = "", *, turning: bool = True, wrapped: bool = False) -> Instance:
    """The cells of a square or torus as tiles with a mark on each side between two of them, and the frame's on the border."""
    board = frozenset((row, column) for row in range(size) for column in range(size))
    wrap = parse_wrap("rows columns", USUAL, board) if wrapped else FLAT
    own: dict[frozenset[CellSide], str] = {}
    pieces = Counter[Paint]()
    for cell in sorted(board):
        seen = {}
        for there, side in zip(sides(USUAL, cell), sides(USUAL, (0, 0)), strict=True):
            beyond = wrap.reduce(there.beyond)
            if beyond in board:
                back = CellSide(beyond, tuple(a - b for a, b in zip(beyond, side.beyond, strict=True)))
                seen[side] = own.setdefault(frozenset({there, back}), drawn.choice(marks))
            elif frame:
                seen[side] = frame
            else:
                seen[side] = drawn.choice(marks)
        coat = coat_of({}, seen)
        pieces[Paint(coat, coat)] += 1
    tiles = [
        Tile(f"p{number}", frozenset({(0, 0)}), copies, copies, paint=paint)
        for number, (paint, copies) in enumerate(sorted(pieces.items(), key=lambda item: item[0].front.marks), 1)
    ]
    border = tuple((side, (frame,)) for side in border_of(USUAL, FLAT, board)) if frame else ()
    return _known(Instance(board, tuple(tiles), wrap=wrap, ground=Ground(border=border), turning=turning), Status.SAT)


def _spots(drawn: Random, size: int) -> Instance:
    """All dominoes up to a double are laid, and taken away again; their spots stay on the board as colours."""
    rows, columns = size + 1, size + 2
    right = columns % 2 == 0  # the direction of all dominoes at first
    mate: dict[Cell, Cell] = {}
    for row, column in product(range(rows), range(columns)):
        step = -1 if (column if right else row) % 2 else 1
        mate[row, column] = (row, column + step) if right else (row + step, column)
    for _ in range(_TURNS * rows * columns):
        # Two dominoes side by side are turned together.
        row, column = drawn.randrange(rows - 1), drawn.randrange(columns - 1)
        a, b, c, d = (row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)
        if mate[a] == b and mate[c] == d:
            mate |= {a: c, c: a, b: d, d: b}
        elif mate[a] == c and mate[b] == d:
            mate |= {a: b, b: a, c: d, d: c}
    dominoes = [(one, other) for other in range(size + 1) for one in range(other + 1)]
    spots: dict[Cell, str] = {}
    laid = [cell for cell in sorted(mate) if cell < mate[cell]]
    for cell, domino in zip(laid, drawn.sample(dominoes, len(dominoes)), strict=True):
        ends = (cell, mate[cell]) if drawn.randrange(2) else (mate[cell], cell)
        spots |= {end: str(number) for end, number in zip(ends, domino, strict=True)}
    tiles = []
    for one, other in dominoes:
        coat = coat_of({(0, 0): str(one), (0, 1): str(other)}, {})
        tiles.append(Tile(f"{one}-{other}", frozenset({(0, 0), (0, 1)}), 1, 1, paint=Paint(coat, coat)))
    ground = Ground(tuple(sorted(spots.items())))
    return _known(Instance(frozenset(spots), tuple(tiles), ground=ground), Status.SAT)


FAMILIES: Mapping[str, Family] = {
    family.name: family
    for family in (
        Family(
            "laid",
            "A board is made by laying pieces of four to six cells next to each other, which fill it.",
            _laid,
            6,
        ),
        Family(
            "mutilated",
            "A square chessboard of even side less two cells of one colour; dominoes cannot cover it.",
            _mutilated(""),
            4,
            2,
        ),
        Family(
            "mutilated-cylinder",
            "A square chessboard of even side on a cylinder less two cells of one colour; dominoes cannot cover it.",
            _mutilated("columns"),
            4,
            2,
        ),
        Family(
            "mutilated-torus",
            "A square chessboard of even side on a torus less two cells of one colour; dominoes cannot cover it.",
            _mutilated("rows columns"),
            4,
            2,
        ),
        Family(
            "striped",
            "A square without some squares of four cells; a colouring with stripes shows that L tetrominoes cannot cover it.",
            _striped,
            6,
            2,
        ),
        Family(
            "tetravex",
            "A square is cut into cells with one of ten numbers on each side; they are to be put together without turning them.",
            _tetravex,
            2,
        ),
        *(
            Family(
                f"framed-{colours}",
                f"A square with a frame is cut into cells with one of {colours} colours on each side; they may be turned.",
                _framed(colours),
                2,
            )
            for colours in (2, 3, 4, 5, 6, 8)
        ),
        Family(
            "wang-torus",
            "A torus is cut into squares with one of three colours on each side; they go back together without being turned.",
            _wang,
            3,
        ),
        Family(
            "wang-torus-changed",
            "One side of one square is repainted, after a torus was cut into squares with one of three colours on each side; "
            "left and right sides, or upper and lower ones, no longer pair up.",
            _wang_changed,
            3,
        ),
        Family(
            "spots",
            "All dominoes up to a double were laid, and only their spots are left; where did each lie?",
            _spots,
            2,
        ),
    )
}


def instance(family: Family, seed: int, size: int, number: int) -> Instance:
    """An instance of a family; its name is `family/size-number` with its verdict."""
    made = family.draw(Random(f"{seed} {family.name} {size} {number}"), size)
    verdict = made.about.expected.verdict
    return replace(made, name=f"{family.name}/{size:02}-{number}_{'s' if verdict is Status.SAT else 'u'}")


def _known(made: Instance, verdict: Status) -> Instance:
    return replace(made, about=replace(made.about, expected=Expected(verdict, None, None)))


def _spiral(cell: Cell) -> tuple[int, Cell]:
    return max(abs(part) for part in cell), cell


def _piece(drawn: Random, cells: int) -> Shape:
    shape: set[Cell] = {(0, 0)}
    while len(shape) < cells:
        shape.add(drawn.choice(sorted({other for cell in shape for other in USUAL.neighbours(cell)} - shape)))
    return USUAL.normalise(frozenset(shape))


def _over(drawn: Random, kind: Shape, corner: Cell, board: set[Cell]) -> frozenset[Cell] | None:
    """The kind, turned at random, over a cell and beside what is laid; None if this time it does not fit."""
    turned = kind
    for _ in range(drawn.randrange(4)):
        turned = frozenset((column, -row) for row, column in turned)
    row, column = drawn.choice(sorted(turned))
    laid = frozenset((r - row + corner[0], c - column + corner[1]) for r, c in turned)
    return None if laid & board else laid
