"""Draw how each solver works, on one small board: `docs/pictures/how-NAME.svg` for the page *How each solver works*.

python scripts/solver_pictures.py             draw them all

Placements, tilings and numbers in the pictures come from Tiler; only where things lie on the page is decided here. The board has
3 columns and 2 rows, the tiles are dominoes; their seven placements are called a to g.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, permutations, product
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tiler import formats  # noqa: E402
from tiler.backends.strips import Strips  # noqa: E402
from tiler.backends.strips.layouts import Layouts, Strip, bricks  # noqa: E402
from tiler.backends.strips.search import Sweep, strips_of  # noqa: E402
from tiler.cover.board import BoardCover  # noqa: E402
from tiler.process.cancellation import never_stop  # noqa: E402
from tiler.question.question import Question  # noqa: E402
from tiler.render import drawing, scene, svg  # noqa: E402
from tiler.render.cell_outlines import Spot  # noqa: E402
from tiler.render.colours import PALETTE, assign  # noqa: E402
from tiler.render.scene import BARE, BORDER, INK, SIDE, THIN, Label, Lines, Mark, Page, Patch  # noqa: E402

FOLDER = ROOT / "docs/pictures"

Option = frozenset[int]  #: a placement: the numbers of its cells
PALE, RED = "#b0b0b0", "#cc3311"
FILLED = "#c9c9c9"
SMALL, WORD = 11.0, 12.0  #: sizes of letters
_MARGIN = 10.0


class Small:
    """A board with all placements of dominoes on it, both numbered in reading order."""

    def __init__(self, board: str) -> None:
        cover = BoardCover.of(formats.inline([board, "2"]))
        self.cells = cover.cells
        self.options = sorted((frozenset(cover.cells_of(option)) for option in range(len(cover))), key=sorted)
        self.names = dict(zip(self.options, "abcdefghijklmnopqrstuvwxyz", strict=False))
        self.fills = {option: PALETTE[(5 * number) % len(PALETTE)].fill for number, option in enumerate(self.options)}

    def over(self, cell: int) -> list[Option]:
        return [option for option in self.options if cell in option]

    def free(self, placed: Iterable[Option]) -> list[int]:
        """The cells that are still open."""
        filled = frozenset().union(*placed)
        return [cell for cell in range(len(self.cells)) if cell not in filled]

    def fitting(self, placed: Sequence[Option]) -> list[Option]:
        """The placements over the first open cell that fit."""
        free = self.free(placed)
        return [option for option in self.over(free[0]) if option <= set(free)] if free else []

    def tilings(self, placed: tuple[Option, ...] = ()) -> Iterator[tuple[Option, ...]]:
        if not self.free(placed):
            yield placed
        for option in self.fitting(placed):
            yield from self.tilings((*placed, option))

    def middle(self, cell: int) -> Spot:
        row, column = self.cells[cell]
        return SIDE * (column + 0.5), SIDE * (row + 0.5)

    def square(self, cell: int) -> list[Spot]:
        row, column = self.cells[cell]
        return box(SIDE * column, SIDE * row, SIDE * (column + 1), SIDE * (row + 1))

    def block(self, option: Option) -> list[Spot]:
        """The outline of a domino."""
        (left, top), (right, bottom) = (self.middle(cell) for cell in sorted(option))
        return box(left - SIDE / 2, top - SIDE / 2, right + SIDE / 2, bottom + SIDE / 2)

    def drawn(self, placed: Iterable[Option] = (), fills: Mapping[int, str] | None = None, *, named: bool = False) -> list[Mark]:
        """The board with some placements; `fills` has the colours of some of the other cells."""
        fills = fills or {}
        marks: list[Mark] = [Patch([self.square(cell)], fills.get(cell, BARE), THIN, PALE) for cell in range(len(self.cells))]
        for option in placed:
            marks.append(Patch([self.block(option)], self.fills[option], BORDER))
            if named:
                marks.append(self.name(option))
        return marks

    def name(self, option: Option, colour: str = INK) -> Label:
        spots = [self.middle(cell) for cell in option]
        x, y = (sum(along) / len(spots) for along in zip(*spots, strict=True))
        return word(x, y + 4, self.names[option], WORD, colour)


def box(left: float, top: float, right: float, bottom: float) -> list[Spot]:
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def word(x: float, y: float, said: str, size: float = SMALL, colour: str = INK) -> Label:
    return Label((x, y), said, size, colour, centred=True)


def at(marks: Iterable[Mark], right: float, down: float, times: float = 1.0) -> Iterator[Mark]:
    return (scene.moved(mark, right, down, times) for mark in marks)


def line(start: Spot, end: Spot, colour: str = INK, width: float = 1.0) -> Lines:
    return Lines([(start, end)], colour, width)


BOARD = Small("3x2")
TILING = list(BOARD.tilings())[1]


# --- the pictures; each gives its marks


def backtracking() -> list[Mark]:
    """The search tree: below each board the placements over its first open cell."""
    board = Small("xxx/xxx/xx.")
    marks: list[Mark] = []
    wide, high, times = 52.0, 62.0, 0.6

    def below(placed: tuple[Option, ...], left: float, depth: int) -> tuple[float, float]:
        """Draw the tree below some placements; the x of its root, and where it ends on the right."""
        fits, right, roots = board.fitting(placed), left, []
        for option in fits:
            root, right = below((*placed, option), right, depth + 1)
            roots.append(root)
        if not fits:
            right = left + wide
        x, y = (roots[0] + roots[-1]) / 2 if roots else left + wide / 2, depth * high
        # Lines lie under the boards.
        marks[:0] = [line((x, y + 3 * SIDE * times), (root, y + high)) for root in roots]
        free = board.free(placed)
        marks.extend(at(board.drawn(placed, {free[0]: "#ffffff"} if free else None), x - 1.5 * SIDE * times, y, times))
        if free:
            marks.append(scene.moved(Patch([board.square(free[0])], "#ffffff", 3.0, RED), x - 1.5 * SIDE * times, y, times))
        if not fits:
            marks.append(word(x, y + 3 * SIDE * times + 14, "dead end" if free else "tiling", SMALL, RED if free else INK))
        return x, right

    below((), 0.0, 0)
    return marks


def _conflicts(chosen: Option) -> list[Option]:
    return [option for option in BOARD.options if option & chosen and option != chosen]


def dlx() -> list[Mark]:
    """The matrix of the exact cover: a column with the fewest options, one of them placed, and what that rules out."""
    least = min(range(6), key=lambda cell: (len(BOARD.over(cell)), cell))
    chosen = BOARD.over(least)[0]
    gone = _conflicts(chosen)
    marks: list[Mark] = [Patch([box(least * 26 - 11, -12, least * 26 + 11, 7 * 22)], "#fff1c9")]
    for cell in range(6):
        colour = PALE if cell in chosen and cell != least else INK
        marks.append(word(cell * 26, -16, str(cell + 1), WORD, colour))
        marks.append(word(cell * 26, 7 * 22 + 10, str(len(BOARD.over(cell))), SMALL, colour))
    marks += [Label((-88, -16), "option \\ cell", SMALL), Label((-88, 7 * 22 + 10), "options left", SMALL)]
    for row, option in enumerate(BOARD.options):
        y, colour = row * 22 + 4, PALE if option in gone else INK
        picture = BOARD.drawn([option])
        marks.extend(at(picture, -70, y - 10, 0.4))
        marks.append(word(-28, y + 4, BOARD.names[option], WORD, colour))
        spots = [(cell * 26.0, float(y)) for cell in sorted(option)]
        start, end = spots  # A domino has two cells.
        marks.append(line(start, end, colour, 1.5))
        for x, _ in spots:
            fill = BOARD.fills[option] if option == chosen else BARE
            marks.append(Patch([box(x - 5, y - 5, x + 5, y + 5)], fill, 1.2, colour))
        if option in gone:
            marks.append(line((-92, y), (136, y), RED, 0.8))
        if option == chosen:
            marks.append(Label((142, y + 4), "placed", SMALL))
        elif option in gone:
            marks.append(Label((142, y + 4), "no longer fits", SMALL, RED))
    return marks


def fila() -> list[Mark]:
    """The lists of one cell, by which of its neighbours are filled."""
    board = Small("2x2")
    marks: list[Mark] = []
    lists = [((), "both open"), ((1,), "right one filled"), ((2,), "lower one filled"), ((1, 2), "both filled")]
    for number, (filled, said) in enumerate(lists):
        y = number * 58.0
        fills = dict.fromkeys(filled, FILLED)
        marks.extend(at([*board.drawn((), fills), Patch([board.square(0)], "#ffffff", 3.0, RED)], 0, y))
        marks.append(Label((50, y + 23), said, SMALL))
        marks.append(line((140, y + 20), (166, y + 20)))
        ready = [option for option in board.over(0) if not option & set(filled)]
        for place, option in enumerate(ready):
            marks.extend(at(board.drawn([option], fills), 180 + 56 * place, y))
        if not ready:
            marks.append(Label((180, y + 23), "empty list: turn back", SMALL, RED))
    marks.append(Label((0, -12), "neighbours of the red cell", SMALL))
    marks.append(Label((180, -12), "its list", SMALL))
    return marks


def frontier() -> list[Mark]:
    """States cell after cell; a number says how many partial tilings lead to one."""
    layers: list[Counter[frozenset[int]]] = [Counter({frozenset(): 1})]
    arcs: list[tuple[int, frozenset[int], frozenset[int]]] = []
    for cell in range(6):
        here: Counter[frozenset[int]] = Counter()
        for filled, ways in layers[-1].items():
            ahead = [filled] if cell in filled else [filled | option for option in BOARD.over(cell) if not option & filled]
            for state in ahead:
                here[state] += ways
                arcs.append((cell, filled, state))
        layers.append(here)
    # States that cannot be completed are left out, as are layers in which nothing is placed.
    done = {frozenset(range(6))}
    alive = [done]
    for cell in reversed(range(6)):
        alive.append({before for step, before, after in arcs if step == cell and after in alive[-1]})
    alive.reverse()
    shown = [sorted((state for state in layer if state in here), key=sorted) for layer, here in zip(layers, alive, strict=True)]
    drawn = [(step, before, after) for step, before, after in arcs if before in shown[step] and after in shown[step + 1]]

    def crossings(order: Iterable[tuple[frozenset[int], ...]]) -> int:
        columns = list(order)
        ends = [(step, columns[step].index(before), columns[step + 1].index(after)) for step, before, after in drawn]
        return sum(a == b and (x - y) * (to - there) < 0 for (a, x, to), (b, y, there) in combinations(ends, 2))

    marks: list[Mark] = []
    where: dict[tuple[int, frozenset[int]], Spot] = {}
    for number, column in enumerate(min(product(*map(permutations, shown)), key=crossings)):
        for place, state in enumerate(column):
            where[number, state] = number * 74.0, (place - (len(column) - 1) / 2) * 66
    for step, before, after in drawn:
        (x, y), (to, there) = where[step, before], where[step + 1, after]
        marks.append(line((x + 44, y + 12), (to, there + 12)))
    for (number, state), (x, y) in where.items():
        marks.extend(at(BOARD.drawn((), dict.fromkeys(state, "#77aadd")), x + 2, y, 0.7))
        marks.append(word(x + 23, y + 43, str(layers[number][state]), WORD))
    return marks


def beam() -> list[Mark]:
    """States by their first free cell: of each column the two with the shortest border are kept, the others are crossed out."""
    board, width = Small("4x3"), 2
    sides = [(cell, cell + 1) for cell in range(12) if cell % 4 < 3] + [(cell, cell + 4) for cell in range(8)]

    def border(state: frozenset[int]) -> int:
        return sum((one in state) != (other in state) for one, other in sides)

    columns: dict[int, dict[frozenset[int], list[frozenset[int]]]] = {0: {frozenset(): []}}
    marks: list[Mark] = []
    where: dict[frozenset[int], Spot] = {}
    for first in range(13):
        if first not in columns:
            continue
        column = sorted(columns[first], key=lambda state: (border(state), sorted(state)))
        x = 72.0 * sum(before < first for before in columns)
        for place, state in enumerate(column):
            where[state] = x, 52.0 * place
            marks[:0] = [
                line((where[before][0] + 56, where[before][1] + 21), (x, 52.0 * place + 21)) for before in columns[first][state]
            ]
            marks.extend(at(board.drawn((), dict.fromkeys(state, "#77aadd")), x, 52.0 * place, 0.7))
            if place >= width:
                marks += [line((x, 52.0 * place), (x + 56, 52.0 * place + 42), RED, 2.0)]
                continue
            for option in board.over(first) if first < 12 else ():
                if not option & state:
                    after = state | option
                    ahead = min((cell for cell in range(12) if cell not in after), default=12)
                    columns.setdefault(ahead, {}).setdefault(after, []).append(state)
    return marks


def coloring() -> list[Mark]:
    """Two corners of one colour are missing, and every domino covers one cell of each colour."""
    board = Small("xxx./xxxx/xxxx/.xxx")
    black = [cell for cell, (row, column) in enumerate(board.cells) if (row + column) % 2]
    fills = {cell: "#555555" if cell in black else "#ffffff" for cell in range(len(board.cells))}
    marks = board.drawn((), fills)
    for option in (board.options[0], board.options[-1]):
        marks.append(Lines([(board.middle(min(option)), board.middle(max(option)))], RED, 5.0))
    white = len(board.cells) - len(black)
    said = [f"{len(black)} black cells, {white} white cells", "every domino covers one of each", "7 dominoes would need 7 and 7"]
    marks += [Label((100, 24 + 20 * line), words, WORD) for line, words in enumerate(said)]
    return marks


def matching() -> list[Mark]:
    """The graph of the board, and a perfect matching in it."""
    marks: list[Mark] = list(at(BOARD.drawn(TILING), 0, 8, 2.0))
    right = 150.0

    def spot(cell: int) -> Spot:
        x, y = BOARD.middle(cell)
        return right + 2.2 * x, 4 + 2.2 * y

    for option in BOARD.options:
        start, end = (spot(cell) for cell in sorted(option))
        is_taken = option in TILING
        marks.append(line(start, end, INK if is_taken else PALE, 6.0 if is_taken else 1.5))
    for cell, (row, column) in enumerate(BOARD.cells):
        x, y = spot(cell)
        marks.append(Patch([round(x, y, 9)], "#555555" if (row + column) % 2 else "#ffffff", 1.5))
    return marks


def round(x: float, y: float, radius: float) -> list[Spot]:
    return [(x + radius * math.cos(math.tau * step / 32), y + radius * math.sin(math.tau * step / 32)) for step in range(32)]


def sat() -> list[Mark]:
    """A vertex is a placement; an edge is a clause that forbids both. One cell with three placements is a triangle."""
    marks: list[Mark] = []
    where = {
        option: (120 + 95 * math.sin(math.tau * number / 7), 95 - 95 * math.cos(math.tau * number / 7))
        for number, option in enumerate(BOARD.options)
    }
    triangle = BOARD.over(1)
    for number, one in enumerate(BOARD.options):
        for other in BOARD.options[number + 1 :]:
            if one & other:
                bold = 1 in one & other
                marks.append(line(where[one], where[other], RED if bold else PALE, 3.0 if bold else 1.5))
    for option, (x, y) in where.items():
        marks.append(Patch([round(x, y, 12)], BOARD.fills[option], 1.2))
        marks.append(word(x, y + 4, BOARD.names[option], WORD))
    marks.extend(at([*BOARD.drawn(), Patch([BOARD.square(1)], "#ffffff", 3.0, RED)], 270, 10))
    first, *rest = (BOARD.names[option] for option in triangle)
    said = ["the red cell is covered:", " or ".join([first, *rest]), "and not twice:"]
    said += [f"not {a} or not {b}" for a, b in ((first, rest[0]), (first, rest[1]), (rest[0], rest[1]))]
    marks += [Label((270, 74 + 18 * line), words, WORD) for line, words in enumerate(said)]
    return marks


def ilp() -> list[Mark]:
    """One equation for each cell, one unknown for each placement; the tiling as a solution."""
    marks: list[Mark] = []
    for column, option in enumerate(BOARD.options):
        x = 26.0 * column
        taken = option in TILING
        if taken:
            marks.append(Patch([box(x - 12, -20, x + 12, 6 * 22 + 22)], BOARD.fills[option]))
        marks.append(word(x, -6, BOARD.names[option], WORD))
        marks.append(word(x, 6 * 22 + 16, str(int(taken)), WORD))
        for cell in range(6):
            inside = cell in option
            marks.append(word(x, cell * 22 + 16, str(int(inside)), WORD, INK if inside else PALE))
    marks.append(line((-14, 2), (26 * 6 + 14, 2)))
    marks.append(line((-14, 6 * 22 + 2), (26 * 6 + 14, 6 * 22 + 2)))
    for cell in range(6):
        marks.append(Label((26 * 6 + 22, cell * 22 + 16), "= 1", WORD))
        marks.append(Label((-62, cell * 22 + 16), f"cell {cell + 1}", SMALL))
    marks.append(Label((-62, 6 * 22 + 16), "solution", SMALL))
    marks.extend(at(BOARD.drawn(TILING, named=True), 235, 40, 1.5))
    return marks


def cpsat() -> list[Mark]:
    """Each placement is true, false or open; one decision, and what follows from it."""
    marks: list[Mark] = []
    decided = next(option for option in BOARD.over(0) if len(BOARD.fitting([option])) == 1)
    placed = [decided]
    while len(follows := BOARD.fitting(placed)) == 1:
        placed.append(follows[0])
    steps: list[tuple[str, Collection[Option], Collection[Option]]] = [
        (f"decide: {BOARD.names[decided]} is true, the others are open", [decided], ()),
        ("what overlaps is false", [decided], _conflicts(decided)),
        ("what is left is true", placed, [option for option in BOARD.options if option not in placed]),
    ]
    for row, (said, true, false) in enumerate(steps):
        y = row * 62.0
        marks.append(Label((0, y - 8), said, SMALL))
        for column, option in enumerate(BOARD.options):
            x = 56.0 * column
            crossed = [line((0, 0), (60, 40), RED, 2.0), line((0, 40), (60, 0), RED, 2.0)] if option in false else []
            block = Patch([BOARD.block(option)], BOARD.fills[option] if option in true else "#ffffff", BORDER)
            marks.extend(at([*BOARD.drawn(), *crossed, block, BOARD.name(option)], x, y, 0.75))
    return marks


def strips() -> list[Mark]:
    """The lengths of strips that trominoes tile, a board made of two strips, and its tiling."""
    cover, side = BoardCover.of(formats.inline(["9x9", "3L"])), 9
    lengths: dict[Strip, list[int]] = {}
    for same in strips_of(cover.instance, (side, side), 5):
        sweep = Sweep(cover.instance, same[0], side)
        for _ in sweep.run(1, never_stop):
            pass
        lengths.update(dict.fromkeys(same, sweep.lengths))
    marks: list[Mark] = []
    for height in range(2, 6):
        said = ", ".join(map(str, lengths[Strip(1, (height,))]))
        marks.append(Label((0, 16.0 * height), f"{height} rows: {said} columns", SMALL))
    layout = Layouts(lengths, 5).in_rows((side, side))
    assert layout is not None
    for number, ((rows, columns), offsets) in enumerate(bricks(layout).items()):
        for row, column in offsets.tolist():
            outline = box(SIDE * column, SIDE * row, SIDE * (column + columns), SIDE * (row + rows))
            marks.extend(at([Patch([outline], PALETTE[6 * number].fill, BORDER)], 170, 0, 0.7))
    (tiling,) = Strips().solve(cover, Question()).solutions
    placed = cover.laid(tiling)
    fills = [PALETTE[number].fill for number in assign(cover.lattice, placed)]
    marks.extend(at(drawing.of_pieces(cover.lattice, placed, fills), 170 + 0.7 * SIDE * (side + 1.5), 0.35 * SIDE, 0.7))
    return marks


#: What draws the picture of a solver.
SOLVERS: Mapping[str, Callable[[], list[Mark]]] = {
    draw.__name__: draw for draw in (backtracking, beam, coloring, cpsat, dlx, fila, frontier, ilp, matching, sat, strips)
}


def file(name: str) -> str:
    """What the picture of a solver is called."""
    return f"how-{name}.svg"


def document(name: str) -> str:
    return svg.of_page(page(SOLVERS[name]()), f"How {name} works")


def page(marks: Sequence[Mark]) -> Page:
    """A page with some marks, as large as they are."""
    # Words take room too: about half their size for each letter.
    around = [spot for mark in marks for spot in (_room(mark) if isinstance(mark, Label) else scene.spots_of(mark))]
    panel = scene.fitted("", marks, around)
    return Page(panel.width + 2 * _MARGIN, panel.height + 2 * _MARGIN, [(panel, (_MARGIN, _MARGIN))])


def _room(label: Label) -> list[Spot]:
    (x, y), wide = label.at, 0.58 * label.size * len(label.said)
    left = x - wide / 2 if label.centred else x
    return [(left, y - label.size), (left + wide, y + 3)]


def draw_all() -> None:
    for name in SOLVERS:
        (FOLDER / file(name)).write_text(document(name))


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    draw_all()
