"""Read puzzles of Matthew Busche's program polycube (2011): pieces, drawn or given by their cubes, fill a box.

    # a comment
    D:xDim=3:yDim=3:zDim=1              the sides of the box; with :oneSide pieces are not turned over, in one layer
    C:name=A:layout=0 0 0, 1 0 0        the piece A by its cubes, x y z; with :type=S it is stationary
    L:stationary=B                      pieces that are drawn, of which B is stationary, up to ~L
    B B .                               x to the right, y from the top row down to 0; layers, by z, stand side by side with a
    B . .                               comma between; a name for each cube, a dot for none
    ~L
    ~D                                  the end

A piece is used once, and pieces that are congruent are copies of one tile, here as there. A stationary piece lies on its places;
one in several parts is a frame for the others, and its places are no cells of the board. Facts from the manual of the program,
http://www.mattbusche.org/blog/article/polycube, and the files that it prints.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tiler import printable
from tiler.errors import InputError, located, suggest
from tiler.formats.boxes import BRICKS, PuzzleBox, flat_axis
from tiler.model.burrtools_grids import Place
from tiler.model.constraints import Constraint
from tiler.model.instance import Instance

_SIDES = ("xDim", "yDim", "zDim")
_Lines = Iterator[tuple[int, str]]  # the numbers of lines, and what stands before the comment


@dataclass
class _Piece:
    line: int
    stationary: bool = False
    places: list[Place] = field(default_factory=list)


def parse(content: str, *, name: str = "", source: str | None = None) -> Instance:
    """The puzzle in a file. InputError names the line.

    >>> len(parse("D:xDim=2:yDim=2:zDim=1\\nL\\nA .\\nA A\\n~L\\nC:name=B:layout=0 0 0\\n~D").tiles)
    2
    """
    with located(source):
        lines = ((number, line.partition("#")[0].strip()) for number, line in enumerate(re.split("\r\n|\r|\n", content), 1))
        pieces: dict[str, _Piece] = {}
        sides, one_side = (0, 0, 0), False
        for number, line in lines:
            with located(line=number):
                directive, *settings = (each.strip() for each in line.split(":"))
                if directive == "D" and not sides[0]:
                    sides, one_side = _definition(settings)
                elif directive == "C":
                    _add(pieces, *_by_cubes(settings, number))
                elif directive == "L":
                    for each in _drawn(settings, number, sides[1], lines).items():
                        _add(pieces, *each)
                elif line == "~D":
                    break
                elif line:
                    raise InputError(
                        f"{printable.shortened(line)!r} is not understood: lines begin with one D:, with C: or L, ~D ends"
                    )
        else:
            raise InputError("the line ~D at the end is missing")
        more = next((number for number, line in lines if line), None)
        if more is not None:
            raise InputError("another puzzle begins here; write each into a file of its own", None, more)
        return _instance(sides, one_side, pieces, name)


def _add(pieces: dict[str, _Piece], name: str, piece: _Piece) -> None:
    if not name.isprintable():
        raise InputError(f"piece {printable.shortened(name)!r} has no name that can be printed")
    if name in pieces:
        raise InputError(f"there are two pieces {printable.shortened(name)!r}, the first in line {pieces[name].line}")
    pieces[name] = piece


def _settings(written: list[str], *known: str) -> dict[str, str]:
    """The settings of a line, each with what stands behind its equals sign."""
    settings: dict[str, str] = {}
    for each in written:
        key, _, value = (part.strip() for part in each.partition("="))
        if key not in known:
            raise InputError(
                f"there is no setting {printable.shortened(key)!r}{suggest(key, known)}; there are {', '.join(known)}"
            )
        if key in settings:
            raise InputError(f"{key} is given twice")
        settings[key] = value
    return settings


def _definition(written: list[str]) -> tuple[Place, bool]:
    settings = _settings(written, *_SIDES, "oneSide")
    x, y, z = (settings.get(side, "") for side in _SIDES)
    if not all(re.fullmatch("0*[1-9][0-9]{0,8}", side) for side in (x, y, z)):
        raise InputError("the sides of the box must be whole numbers from 1: D:xDim=10:yDim=6:zDim=1")
    one_side = settings.get("oneSide", "0")
    if one_side not in ("", "0", "1"):
        raise InputError(f"oneSide is {printable.shortened(one_side)!r}; it must be 0 or 1, or stand alone")
    if one_side != "0" and int(z) > 1:
        raise InputError("pieces that are not turned over lie in one layer: with oneSide, zDim must be 1")
    return (int(x), int(y), int(z)), one_side != "0"


def _by_cubes(written: list[str], number: int) -> tuple[str, _Piece]:
    settings = _settings(written, "name", "type", "layout")
    if settings.get("type", "M") not in ("M", "S"):
        raise InputError(
            f"type is {printable.shortened(settings['type'])!r}; it must be M, a piece to be placed, or S, stationary"
        )
    name = "-".join(settings.get("name", "").split())
    triples = [tuple(each.split()) for each in settings.get("layout", "").split(",")]
    if not name or not all(len(each) == 3 and all(re.fullmatch("-?[0-9]{1,9}", word) for word in each) for each in triples):
        raise InputError("a piece has a name and cubes, x y z: C:name=A:layout=0 0 0, 1 0 0")
    places = [(int(x), int(y), int(z)) for x, y, z in triples]
    if len(set(places)) < len(places):
        raise InputError(f"piece {printable.shortened(name)} has a cube twice")
    return name, _Piece(number, settings.get("type") == "S", places)


def _drawn(written: list[str], number: int, rows: int, lines: _Lines) -> dict[str, _Piece]:
    """The pieces of a drawing, whose rows are taken from the lines."""
    stationary = _settings(written, "stationary").get("stationary", "").split()
    pieces: dict[str, _Piece] = {}
    y = rows
    for row, line in lines:
        if line.split()[:1] == ["~L"]:
            break
        y -= 1
        for z, layer in enumerate(line.split(",")):
            for x, name in enumerate(layer.split()):
                if name != ".":
                    pieces.setdefault(name, _Piece(row, name in stationary)).places.append((x, y, z))
    else:
        raise InputError("the drawing that begins here has no end, ~L")
    missing = next((name for name in stationary if name not in pieces), None)
    if missing:
        raise InputError(f"piece {printable.shortened(missing)} is stationary, and is not drawn")
    return pieces


def _instance(sides: Place, one_side: bool, pieces: dict[str, _Piece], name: str) -> Instance:
    if not pieces:
        raise InputError("there are no pieces; a line C: or a drawing between L and ~L has them")
    box = PuzzleBox(sides, one_side or (sides[2] == 1 and all(flat_axis(piece.places) is not None for piece in pieces.values())))
    taken: dict[Place, str] = {}
    tiles, placed = [], []
    board = box.board
    for called, piece in pieces.items():
        with located(line=piece.line):
            if one_side and any(z for _, _, z in piece.places):
                raise InputError(f"piece {printable.shortened(called)} has a cube with another z than 0, but oneSide is set")
            for place in piece.places if piece.stationary else ():
                if not all(0 <= along < side for along, side in zip(place, sides, strict=True)):
                    raise InputError(f"the stationary piece {printable.shortened(called)} lies outside the box")
                if place in taken:
                    raise InputError(
                        f"the stationary pieces {printable.shortened(taken[place])} and {printable.shortened(called)} overlap"
                    )
                taken[place] = called
            cells = frozenset(map(box.cell, piece.places)) if piece.stationary else frozenset()
            if piece.stationary and not BRICKS.lattice.is_connected(frozenset(piece.places)):
                board -= cells
                continue
            tiles.append(box.tile(called, piece.places))
            if piece.stationary:
                placed.append(Constraint("place", called, tuple(sorted(cells))))
    turned_over = box.in_plane and not one_side
    return Instance(board, tuple(tiles), turned_over, name=name, constraints=tuple(placed))
