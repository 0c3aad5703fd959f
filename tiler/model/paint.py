"""Hold the paint of tiles and boards: colours of cells, and marks of sides that must match where tiles touch.

A *side* is a cell and the cell beyond it, in coordinates that no wrap has reduced: so isometries and translations carry it like
cells, and two cells of a narrow torus may share several sides. The visible paint of a tile is a *coat*. In the plane a tile has
two coats, front and back, and a reflection turns it over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from math import atan2, pi, sqrt
from operator import add, sub
from string import ascii_lowercase
from typing import Any, NamedTuple

from tiler.errors import InputError
from tiler.model.lattice import Cell, Isometry, Lattice, Shape
from tiler.model.wrap import Wrap

#: The letters for colours and marks in maps: lower case, without the letters that maps use themselves.
LETTERS = "".join(letter for letter in ascii_lowercase if letter not in "xo")
_NAME = re.compile(r"\w[\w+-]{0,39}")


class CellSide(NamedTuple):
    """A side of a cell, identified by the cell beyond it."""

    cell: Cell
    beyond: Cell

    def __str__(self) -> str:
        return f"{','.join(map(str, self.cell))}>{','.join(map(str, self.beyond))}"


@dataclass(frozen=True)
class Coat:
    """Colours of cells and marks of sides, each sorted; those without one are left out. Made by `coat_of`."""

    colours: tuple[tuple[Cell, str], ...] = ()
    marks: tuple[tuple[CellSide, str], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.colours or self.marks)

    def carried(self, to: Callable[[Cell], Cell]) -> Coat:
        """The coat with every cell moved to another one."""
        return coat_of(
            {to(cell): colour for cell, colour in self.colours},
            {CellSide(to(cell), to(beyond)): mark for (cell, beyond), mark in self.marks},
        )

    def moved(self, offset: Cell) -> Coat:
        """The coat moved by an offset."""
        return self.carried(lambda cell: tuple(map(add, cell, offset))) if any(offset) else self

    def at_home(self, wrap: Wrap, home: Mapping[Cell, Cell]) -> Coat:
        """The coat on a wrapped board, in the board's own cells; `home` maps reduced cells to these."""

        def moved(side: CellSide) -> CellSide:
            there = home[wrap.reduce(side.cell)]
            return CellSide(there, tuple([c + b - a for a, b, c in zip(side.cell, side.beyond, there, strict=True)]))

        return coat_of(
            {home[wrap.reduce(cell)]: colour for cell, colour in self.colours},
            {moved(side): mark for side, mark in self.marks},
        )

    def to_json(self) -> dict[str, Any]:
        """The coat in the form of files for programs; cells and sides without paint are left out."""
        fields: dict[str, Any] = {}
        if self.colours:
            fields["colours"] = [[cell, colour] for cell, colour in self.colours]
        if self.marks:
            fields["marks"] = [[cell, beyond, mark] for (cell, beyond), mark in self.marks]
        return fields


def coat_of(colours: Mapping[Cell, str], marks: Mapping[CellSide, str]) -> Coat:
    """Make a coat from colours by cell and marks by side."""
    return Coat(tuple(sorted(colours.items())), tuple(sorted(marks.items())))


#: A coat without paint.
BLANK = Coat()


@dataclass(frozen=True)
class Paint:
    """What is painted on a tile: the coat of its front, and the coat of its back as it would be seen through the front. In space,
    where tiles have no faces, both are the same."""

    front: Coat = BLANK
    back: Coat = BLANK

    def __bool__(self) -> bool:
        return bool(self.front or self.back)

    @property
    def coats(self) -> tuple[Coat, Coat]:
        """Both coats."""
        return self.front, self.back

    def carried(self, to: Callable[[Cell], Cell]) -> Paint:
        """The paint with every cell moved to another one."""
        front = self.front.carried(to)
        return Paint(front, front if self.back == self.front else self.back.carried(to))

    @property
    def leaves_layer(self) -> bool:
        """Whether some mark, in space, is at a side to another layer."""
        return any(len(cell) == 3 and cell[0] != beyond[0] for coat in self.coats for (cell, beyond), _ in coat.marks)


#: Paint of a tile without any.
PLAIN = Paint()

Form = tuple[Shape, Coat]  #: a way to turn a tile: its cells, and the coat that is visible then


def forms(lattice: Lattice, shape: Shape, paint: Paint, turns: Iterable[Isometry]) -> tuple[Form, ...]:
    """The distinct images of a painted shape under some isometries, each at the origin, least first: by their cells, and then by
    what is seen."""
    painted_forms = set()
    for turn in turns:
        coat = paint.back if lattice.dimension == 2 and not turn.is_rotation else paint.front
        painted_forms.add(turned(lattice, (shape, coat), turn))
    return tuple(sorted(painted_forms, key=lambda form: (sorted(form[0]), form[1].colours, form[1].marks)))


def turned(lattice: Lattice, form: Form, turn: Isometry) -> Form:
    """The image of a shape and its coat under an isometry, moved to the origin."""
    shape, coat = form
    image = turn.image(shape)
    back = tuple(-a for a in lattice.corner(image))
    return lattice.normalise(image), coat.carried(turn).moved(back)


def error_in(lattice: Lattice, shape: Shape, paint: Paint) -> str | None:
    """The reason why a shape, at the same place, cannot be painted like this; None if it can."""
    for coat in paint.coats:
        if coat.marks and lattice.has_edges:
            return f"cells of the {lattice} lattice are edges, and have no sides to mark"
        for cell, colour in coat.colours:
            if cell not in shape:
                return f"{cell} has the colour {colour}, but is not one of its cells"
        for (cell, beyond), mark in coat.marks:
            if cell not in shape or beyond not in lattice.neighbours(cell):
                return f"there is no side from {cell} to {beyond} that could have the mark {mark}"
            if beyond in shape:
                return f"the side from {cell} to {beyond} is inside the tile, and has no mark"
    return None


@dataclass(frozen=True)
class Ground:
    """The demands of a board on the tiles that lie on it. `colours` are those of its cells. A coloured cell of a tile may lie on
    a coloured cell of the board if `fits` lists the pair of their colours or, if `fits` is None, if the colours are equal.
    `border` has the marks that sides on the border of the board may have; a side that is not in it may have any mark. `mates` are
    pairs of marks that fit each other, both ways round; a mark in none of them fits itself. All are sorted.
    """

    colours: tuple[tuple[Cell, str], ...] = ()
    fits: tuple[tuple[str, str], ...] | None = None
    border: tuple[tuple[CellSide, tuple[str, ...]], ...] = ()
    mates: tuple[tuple[str, str], ...] = ()

    def __bool__(self) -> bool:
        return self != BARE

    def mates_of(self, mark: str) -> frozenset[str]:
        """The marks that the side may have where another tile touches this one."""
        return self._mates_of.get(mark, frozenset([mark]))

    @cached_property
    def _mates_of(self) -> dict[str, frozenset[str]]:
        meeting = {*self.mates, *((other, one) for one, other in self.mates)}
        return {mark: frozenset(other for one, other in meeting if one == mark) for mark, _ in meeting}

    @cached_property
    def is_paired(self) -> bool:
        """Whether each mark has one mate."""
        return all(len(mates) == 1 for mates in self._mates_of.values())

    def accepts(self, colour: str, of_board: str) -> bool:
        """Whether a cell of a tile may lie on one of the board, both coloured."""
        return colour == of_board if self.fits is None else (colour, of_board) in self.fits

    def carried(self, to: Callable[[Cell], Cell]) -> Ground:
        """The same with every cell moved to another one."""
        colours = sorted((to(cell), colour) for cell, colour in self.colours)
        border = sorted((CellSide(to(cell), to(beyond)), marks) for (cell, beyond), marks in self.border)
        return Ground(tuple(colours), self.fits, tuple(border), self.mates)

    def on(self, board: Shape) -> Ground:
        """The demands on a part of the board."""
        colours = tuple(entry for entry in self.colours if entry[0] in board)
        return replace(self, colours=colours, border=tuple(entry for entry in self.border if entry[0].cell in board))

    def moved(self, offset: Cell) -> Ground:
        """The demands of the board when it is moved."""
        return self.carried(lambda cell: tuple(map(add, cell, offset))) if any(offset) else self

    def error_in(self, lattice: Lattice, wrap: Wrap, board: Shape) -> str | None:
        """The reason why a board cannot have these demands; None if it can."""
        for cell, colour in self.colours:
            if cell not in board:
                return f"colours: {cell} is {colour}, but not a cell of the board"
        sides = set(border_of(lattice, wrap, board)) if self.border else set()
        for side, _ in self.border:
            if side not in sides:
                return f"border: {side} is not a side on the border of the board"
        if self.border and lattice.has_edges:
            return f"border: cells of the {lattice} lattice are edges, and have no sides"
        pairs = [frozenset(pair) for pair in self.mates]
        twice = next((pair for pair, marks in zip(self.mates, pairs, strict=True) if pairs.count(marks) > 1), None)
        return None if twice is None else f"mates: {' '.join(twice)} stands there twice"


#: The demands of a board that has none.
BARE = Ground()


def border_of(lattice: Lattice, wrap: Wrap, board: Shape) -> list[CellSide]:
    """The sides of a board beyond which it has no cell, sorted."""
    there = frozenset(map(wrap.reduce, board)) if wrap else board
    return [
        CellSide(cell, beyond)
        for cell in sorted(board)
        for beyond in lattice.neighbours(cell)
        if wrap.reduce(beyond) not in there
    ]


def sides(lattice: Lattice, cell: Cell) -> tuple[CellSide, ...]:
    """The sides of a cell in the order in which files have their marks: those around it clockwise from the top, as drawn, and
    then those to other layers, the upper one first. InputError for a lattice in space without layers."""
    ways = _clockwise(lattice.plane or lattice, tuple(a % m for a, m in zip(cell, lattice.moduli, strict=True))[-2:])
    if lattice.plane:
        ways = (*((0, *way) for way in ways), (1, 0, 0), (-1, 0, 0))
    return tuple(CellSide(cell, tuple(map(add, cell, way))) for way in ways)


@cache
def _clockwise(lattice: Lattice, residue: Cell) -> tuple[Cell, ...]:
    """The ways to the neighbours of a cell of the plane, clockwise from the top."""
    if lattice.dimension != 2:
        raise InputError(f"marks of the {lattice} lattice are written as JSON, which names every side")
    (long, along), (_, wide) = lattice.metric
    tilt = along / sqrt(long * wide)

    def angle(way: Cell) -> float:
        row, column = way[0] * sqrt(long), way[1] * sqrt(wide)
        right, down = column + row * tilt, row * sqrt(1 - tilt * tilt)
        found = atan2(right, -down)
        return found if found > -1e-9 else found + 2 * pi

    return tuple(sorted((tuple(map(sub, other, residue)) for other in lattice.neighbours(residue)), key=angle))


def name(text: str, what: str) -> str:
    """Check the name of a colour or mark. InputError if it is none; the message begins with what the name is for."""
    if not _NAME.fullmatch(text):
        raise InputError(f"{what}: {text[:40]!r} is no name of a colour or mark; it has letters and digits, such as red")
    return text


def lifted(cell: Cell, dimension: int) -> Cell:
    """A cell of the plane as a cell of layer 0, if the board is in space."""
    return (0,) * (dimension - len(cell)) + cell


def names(coats: Iterable[Coat]) -> set[str]:
    """All colours and marks on some coats."""
    return {word for coat in coats for _, word in (*coat.colours, *coat.marks)}


def letters(some: Iterable[str], taken: Collection[str] = ()) -> dict[str, str]:
    """A letter for each name, none of those that are taken: its first letter if that is free, else another one; a name that is
    such a letter itself stands for itself. Names for which no letter is left are missing."""
    letter_of: dict[str, str] = {}
    for name in sorted(set(some), key=lambda name: (len(name), len(name) > 1 or name not in LETTERS, name)):
        wanted = (name[0].lower(), *LETTERS)
        letter = next((letter for letter in wanted if letter in LETTERS and letter not in {*taken, *letter_of.values()}), None)
        if letter is not None:
            letter_of[name] = letter
    return letter_of
