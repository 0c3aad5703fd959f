"""Read and write colours and marks in text files: letters of a legend in maps, marks in brackets, backs behind `|`.

# colours: b black, w white       the legend: letters for colours and marks
bw/w | wb/b                       a tile with a back, as seen through the front
1 [r g b .]                       a tile of one cell with marks, clockwise from the top; [rgb.] is the same
2 [a b c .] [a . c b]             of several cells, in the order of the map
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import sub
from typing import NamedTuple

from tiler.amounts import counted
from tiler.errors import InputError, suggest
from tiler.grouping import grouped
from tiler.model import paint, text_maps
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Lattice, Shape
from tiler.model.lattices import LATTICES, fitted
from tiler.model.paint import PLAIN, CellSide, Coat, Paint, coat_of
from tiler.model.shapes import parse_board, parse_shape
from tiler.model.tile import Tile

_GROUP = re.compile(r"\[([^\[\]]*)\]")
_NOTHING = "none"
_AT = "at"  #: the word between the marks of a border and their places
_LONGEST_NAME = 24


@dataclass(frozen=True)
class Legend:
    """Names of colours and marks by the letters that stand for them, and other names that a file has."""

    names: Mapping[str, str]
    others: frozenset[str] = frozenset()

    @property
    def letters(self) -> str:
        """The letters that maps may have beside x and o."""
        return "".join(self.names)

    def name(self, word: str, what: str) -> str:
        """The colour or mark that a word stands for; InputError if there is a legend that does not have it."""
        known = {*self.names.values(), *self.others}
        if word not in self.names and word not in known and self.names:
            raise InputError(f"{what}: {word[:40]!r} is not in the legend (# colours){suggest(word, sorted(known))}")
        return self.names.get(word) or paint.name(word, what)


#: The legend of a file without one.
NO_LEGEND = Legend({})


def legend(text: str) -> Legend:
    """The legend that a setting stands for.

    >>> legend("b black, w").names
    {'b': 'black', 'w': 'w'}
    """
    names: dict[str, str] = {}
    for part in text.split(","):
        words = part.split()
        if len(words) not in (1, 2):
            raise InputError(f"{part.strip()[:40]!r} is no letter with a name, such as r red; commas stand between them")
        letter, name = words[0], words[-1]
        if letter not in paint.LETTERS or len(letter) != 1:
            raise InputError(f"{letter[:40]!r} is no letter for a colour: it may be a to z, but neither x nor o")
        if letter in names:
            raise InputError(f"{letter!r} stands for two colours")
        names[letter] = paint.name(name, "colours")
    return Legend(names)


def pairs(text: str, named: Callable[[str], str]) -> tuple[tuple[str, str], ...]:
    """Pairs of names, `tab blank, in out`; `none` for no pair."""
    if text.strip() == _NOTHING:
        return ()
    named_pairs = []
    for part in text.split(","):
        words = part.split()
        if len(words) != 2:
            raise InputError(f"{part.strip()[:40]!r} is no pair of two names, such as red pink")
        named_pairs.append((named(words[0]), named(words[1])))
    return tuple(sorted(set(named_pairs)))


def is_map(text: str, letters: str) -> bool:
    """Whether a text, on one line or several, is a map with those letters."""
    return re.fullmatch(rf"[xo. \-/\n{letters}]+", text) is not None and re.search(rf"[xo{letters}]", text) is not None


def bare(text: str) -> str:
    """A line without its marks, and without a back behind them."""
    return _GROUP.sub("", text).partition("|")[0].rstrip()


class PaintedMap(NamedTuple):
    """A shape with the colours of its cells, and those that may stay open."""

    shape: Shape
    optional: Shape
    colours: Mapping[Cell, str]


def read_shape(text: str, lattice: Lattice, known: Legend) -> PaintedMap:
    """A shape as `parse_board` reads it, or a map with letters of the legend, and capitals for cells that may stay open."""
    both = known.letters + known.letters.upper()
    if not known.names or not is_map(text, both) or not re.search(f"[{both}]", text):
        return PaintedMap(*parse_board(text, lattice), {})
    letters = [letter for letter in text if letter in "xo" + both]
    blank = re.sub(f"[{known.letters.upper()}]", "o", re.sub(f"[{known.letters}]", "x", text))
    shape, optional = parse_board(blank, lattice)
    cells = in_order(lattice, shape)
    return PaintedMap(
        shape,
        optional,
        {cell: known.names[letter.lower()] for cell, letter in zip(cells, letters, strict=True) if letter not in "xo"},
    )


def in_order(lattice: Lattice, shape: Shape) -> list[Cell]:
    """Cells in the order in which a map has them."""
    return sorted(shape, key=lambda cell: text_maps.place(lattice, cell)) if text_maps.has_maps(lattice) else sorted(shape)


class ReadTile(NamedTuple):
    """A tile as it is written: its shape, at the origin or not, its paint, and a name if there is a short one."""

    shape: Shape
    paint: Paint
    name: str | None


def tile(text: str, lattice: Lattice, known: Legend) -> ReadTile:
    """The shape and the paint that a notation stands for, also on several lines."""
    front, bar, back = text.partition("|")
    if not bar and not _GROUP.search(text) and not (known.names and is_map(text, known.letters)):
        if "[" in text or "]" in text:
            raise InputError(f"{text.strip()[:60]!r}: marks stand between brackets, [ and ]")
        return ReadTile(parse_shape(text, lattice), PLAIN, None)
    shape, coat = _face(front, lattice, known)
    other, behind = _face(back.removeprefix("\n") if "\n" in back else back.lstrip(), lattice, known) if bar else (shape, coat)
    if other != shape:
        raise InputError("the back of a tile has the cells of its front, in the same places")
    painted = Paint(coat, behind)
    return ReadTile(shape, painted, name_written(text, shape) if painted else None)


def name_written(text: str, shape: Shape) -> str | None:
    """The name of a painted tile: the marks of its one cell, or its notation, if that is short."""
    if len(shape) == 1 and "|" not in text and len(_GROUP.findall(text)) == 1:
        words = _GROUP.findall(text)[0].split()
        name = ("" if all(len(word) == 1 for word in words) else "-").join(words)
    else:
        name = "".join(text.split(" "))
    return name if len(name) <= _LONGEST_NAME and re.fullmatch(r"[^/\n\s]+", name) and name.strip(".") else None


def _face(text: str, lattice: Lattice, known: Legend) -> tuple[Shape, Coat]:
    """A shape at the origin, and its visible paint."""
    groups = _GROUP.findall(text)
    written = _GROUP.sub("", text).rstrip()
    found = read_shape(written, lattice, known)
    if found.optional:
        raise InputError("'o' and capitals mark cells that may stay uncovered: only the board can have them")
    of, shape = fitted(lattice, found.shape)
    colours = {cell[len(cell) - of.dimension :]: colour for cell, colour in found.colours.items()}
    cells = in_order(of, shape)
    marks: dict[CellSide, str] = {}
    if groups:
        if len(groups) != len(cells):
            raise InputError(f"{text.strip()[:60]!r} has marks of {len(groups)} cells; the tile has {len(cells)}")
        of, cells, rows = _rows(groups, of, cells)
        for cell, row in zip(cells, rows, strict=True):
            sides = paint.sides(of, cell)
            marks |= {side: known.name(word, "marks") for side, word in zip(sides, row, strict=False) if word != "."}
    cells = [paint.lifted(cell, of.dimension) for cell in cells]
    coat = coat_of({paint.lifted(cell, of.dimension): colour for cell, colour in colours.items()}, marks)
    corner = tuple(-a for a in of.corner(frozenset(cells)))
    return of.normalise(frozenset(cells)), coat.moved(corner)


def _rows(groups: Sequence[str], lattice: Lattice, cells: list[Cell]) -> tuple[Lattice, list[Cell], list[list[str]]]:
    """The words of every cell's marks, and the lattice that has that number of sides: where there are marks above and below, that
    in space."""
    above = next((space for space in LATTICES.values() if space.plane == lattice), None)
    of = lattice.plane or lattice
    rows, solid = [], False
    for group, cell in zip(groups, cells, strict=True):
        around = len(paint.sides(of, cell[-of.dimension :]))
        counts = (around, around + 2) if lattice.plane or above else (around,)
        words = group.split()
        if len(words) == 1 and len(words[0]) in counts:
            words = list(words[0])
        if len(words) not in counts:
            most = f" or, in space, {around + 2}" if len(counts) > 1 else ""
            raise InputError(
                f"[{group[:60]}] has {counted(len(words), 'mark')}; a cell of the {lattice} lattice has {around} sides{most}: "
                "write a word for each, with spaces between them, or a letter for each, without spaces"
            )
        solid |= len(words) > around
        rows.append(words)
    if solid and above:
        return above, [(0, *cell) for cell in cells], rows
    return lattice, cells, rows


def checkered(text: str, lattice: Lattice, board: Shape, known: Legend) -> dict[Cell, str]:
    """The colours of a board that has two by turns, the first one in its first cell."""
    words = text.split()
    if len(words) != 2:
        raise InputError(f"{text[:40]!r} are not two colours, such as black white")
    if lattice.colours is None:
        raise InputError(f"cells of the {lattice} lattice cannot be coloured by turns with two colours")
    first = lattice.colour(min(board))
    named = [known.name(word, "checkered") for word in words]
    return {cell: named[lattice.colour(cell) != first] for cell in board}


_CELL = r"-?[0-9]{1,9}(?:,-?[0-9]{1,9}){1,2}"
_BORDER = re.compile(rf"([^>]*?)(?:\sat((?:\s+(?:top|right|bottom|left|{_CELL}>{_CELL}))+))?")
_WAYS = {"top": (-1, 0), "right": (0, 1), "bottom": (1, 0), "left": (0, -1)}


def bordered(instance: Instance, text: str, known: Legend = NO_LEGEND) -> Instance:
    """An instance whose border wants marks, as a file writes it after `# border:`; a side that had a mark before
    loses it."""
    every = instance.border
    match = _BORDER.fullmatch(text.strip())
    words = match[1].split() if match else []
    if match is None or not words or _AT in words:
        raise InputError(f"border: {text.strip()[:60]!r} is not of the form MARK ... at PLACE ..., each on its own line")
    marks = tuple(sorted({known.name(word, "border") for word in words}))
    return with_border(instance, marks, _places(instance, every, match[2].split()) if match[2] else every)


def with_border(instance: Instance, marks: tuple[str, ...], sides: Iterable[CellSide] | None = None) -> Instance:
    """An instance some sides of whose border, or all, want one of these marks, and no longer what they did before."""
    every = instance.border if sides is None else sides
    border = {**dict(instance.ground.border), **dict.fromkeys(every, marks)}
    return replace(instance, ground=replace(instance.ground, border=tuple(sorted(border.items()))))


def _places(instance: Instance, every: Sequence[CellSide], words: Sequence[str]) -> Iterator[CellSide]:
    for word in words:
        if word in _WAYS:
            if not instance.lattice.has_boxes:
                raise InputError(f"border: {word} is a side of squares; name sides as CELL>CELL, such as 0,3>-1,3")
            way = paint.lifted(_WAYS[word], instance.dimension)
            yield from (side for side in every if tuple(map(sub, side.beyond, side.cell)) == way)
        else:
            cell, beyond = (paint.lifted(tuple(map(int, end.split(","))), instance.dimension) for end in word.split(">"))
            yield CellSide(cell, beyond)


def pairs_in_words(pairs: Iterable[tuple[str, str]]) -> str:
    """The text that `pairs` reads."""
    return ", ".join(map(" ".join, pairs)) or _NOTHING


def letters_of(instance: Instance) -> dict[str, str]:
    """The letters of an instance's colours and of the marks on its tiles, if it has colours; InputError if there are more names
    than letters."""
    ground = instance.ground
    coats = [coat for tile in instance.tiles for coat in tile.paint.coats]
    colours = {colour for coat in coats for _, colour in coat.colours} | {colour for _, colour in ground.colours}
    if not colours:
        return {}
    # On tiles, what is not in the legend is no name. Elsewhere it is one, unless it is a letter of the legend.
    used = paint.names(coats).union(colours)
    elsewhere = set().union(*ground.fits or (), *ground.mates, *(marks for _, marks in ground.border))
    letters = paint.letters(used, elsewhere - used)
    if len(letters) < len(used):
        raise InputError(
            f"a text file has letters for {len(paint.LETTERS)} colours and marks, not for {len(used)}; JSON can hold them"
        )
    return letters


def border_lines(instance: Instance, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The lines that `bordered` reads, each behind the name of the setting. InputError for a mark that cannot be written."""
    places = grouped((marks, side) for side, marks in instance.ground.border)
    if any(_AT in marks for marks in places):
        raise InputError(f"border: a mark called {_AT} cannot be written as text; JSON can hold it")
    every = len(instance.border) if places else 0
    usual = max(places, key=lambda marks: len(places[marks])) if len(instance.ground.border) == every and places else None
    if usual is not None:
        yield "border", " ".join(usual)
    for marks, sides in sorted(places.items()):
        if marks != usual:
            yield "border", f"{' '.join(marks)} at {' '.join(map(str, sides))}"


def notation(tile: Tile, by_name: str | None, known: Mapping[str, str]) -> str:
    """A painted tile as `tile` reads it; `by_name` is a name of its shape, if it has one."""
    front, back = tile.paint.coats
    coats = (front,) if back == front else (front, back)
    # If one face has letters, both are written as maps.
    blank = dict.fromkeys(tile.shape, "x") if front.colours or back.colours else {}
    faces = []
    for coat in coats:
        letters = blank | {cell: known[colour] for cell, colour in coat.colours}
        shape = by_name if by_name and not letters else text_maps.notation(tile.lattice, tile.shape, letters=letters)
        marks = dict(coat.marks)
        groups = [
            "[" + " ".join(marks.get(side, ".") for side in paint.sides(tile.lattice, cell)) + "]"
            for cell in (in_order(tile.lattice, tile.shape) if marks else ())
        ]
        faces.append(shape + ("\n" if "\n" in shape else " ") * bool(groups) + " ".join(groups))
    return ("\n|\n" if any("\n" in face for face in faces) else " | ").join(faces)
