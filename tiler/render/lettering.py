"""Place words in cells and on pieces. The words of one picture have letters of one size, as large as there is room."""

from __future__ import annotations

import string
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from tiler import printable
from tiler.model.corners import Point
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Lattice
from tiler.model.tile import Placement
from tiler.model.wrap import FLAT, Wrap
from tiler.render import cell_outlines
from tiler.render.cell_outlines import Spot
from tiler.render.cells import central
from tiler.render.grid import order, touching
from tiler.render.scene import INK, Label

# All letters are one column wide: first ASCII, then Latin letters with accents.
_ALPHABET = string.ascii_uppercase + string.ascii_lowercase + string.digits + "".join(map(chr, range(0x100, 0x180)))
_PLAIN = len(string.ascii_letters)


def assign_letters(lattice: Lattice, solution: Sequence[Placement], wrap: Wrap = FLAT) -> list[str]:
    """A letter for every placement, so that placements that share a side differ.

    It is the last letter of the tile's name (5F, 5I, ...) if these all differ; else A, B, ... if there are enough letters. Else
    letters are used again, but not for neighbours.
    """
    named = [placement.tile[-1:] for placement in solution]
    if len(set(named)) == len(solution) and all(name.isascii() and name.isalpha() for name in named):
        return named
    if len(solution) <= _PLAIN:
        ranks = sorted(range(len(solution)), key=lambda number: min(solution[number].cells))
        return [letter for _, letter in sorted(zip(ranks, _ALPHABET, strict=False))]
    around = touching(lattice, solution, wrap)
    letters = [""] * len(solution)
    for rank, number in enumerate(order(solution, around)):
        taken = {letters[other] for other in around[number]}
        letter = _ALPHABET[rank % _PLAIN]
        if letter in taken:
            turned = (_ALPHABET[(rank + step) % _PLAIN] for step in range(_PLAIN))
            spare = (letter for letter in _ALPHABET if letter not in taken)
            letter = next((letter for letter in turned if letter not in taken), None) or next(spare, "?")
        letters[number] = letter
    return letters


HIGH = 0.73  #: the height of capitals and digits divided by the size of letters
_FULL = 0.8  # the share of the room that words fill
_USUAL, _CAPITAL = 0.62, 0.72  # widths of letters of DejaVu Sans, as parts of their size
_WIDTHS = dict.fromkeys("mwMW", 0.98) | dict.fromkeys("ijlI.,:;'|!", 0.35)

Place = Callable[[Point], Spot]  #: a function for the place of a corner on a panel


class Word(NamedTuple):
    """A word, its colour, and the convex loops in which it may stand, the preferred one first."""

    said: str
    loops: Sequence[Sequence[Spot]]
    colour: str = INK


def written(words: Iterable[Word], most: float) -> list[Label]:
    """Each word in the middle of one of its loops, in letters no larger than `most`. All words get the size that fits the word
    with the least room. Words with room for less than half of `most` do not count for this, and are smaller."""
    chosen = []
    for word in words:
        rooms = [room(loop, word.said) for loop in word.loops]
        best = next((k for k, size in enumerate(rooms) if size >= most), max(range(len(rooms)), key=rooms.__getitem__))
        chosen.append((word, word.loops[best], rooms[best]))
    usual = min([most, *(size for _, _, size in chosen if size >= most / 2)])
    labels = []
    for word, loop, size in chosen:
        (x, y), fitting = _middle(loop), min(usual, size)
        labels.append(Label((x, y + HIGH / 2 * fitting), word.said, fitting, word.colour, centred=True))
    return labels


def room(loop: Sequence[Spot], said: str) -> float:
    """The largest size of letters in which a word, in the middle of a convex loop, fills no more than 0.8 of the room."""
    (x, y), wide = _middle(loop), width(said)
    sizes = []
    for (a, b), (c, d) in zip(loop, [*loop[1:], loop[0]], strict=True):
        takes = abs(d - b) * wide + abs(c - a) * HIGH
        if takes:  # An empty word takes no room.
            sizes.append(2 * abs((c - a) * (y - b) - (d - b) * (x - a)) / takes)
    return _FULL * min(sizes)


def width(said: str) -> float:
    """The approximate width of a word in letters of size 1.

    >>> round(width("jan"), 2), round(width("W"), 2)
    (1.59, 0.98)
    """
    usual = (1.0 if letter >= "\u2e80" else _CAPITAL if letter.isupper() else _USUAL for letter in said)
    return sum(_WIDTHS.get(letter, other) for letter, other in zip(said, usual, strict=True))


def open_cells(instance: Instance, covered: Collection[Cell] | Mapping[Cell, int], place: Place) -> dict[Cell, Word]:
    """The labels of cells of a board in the plane that no tile covers. There are none if cells are edges: these have no room."""
    return {
        cell: Word(printable.line(label), [[place(point) for point in cell_outlines.polygon(instance.lattice, cell)]])
        for cell, label in instance.labels
        if cell in instance.board and cell not in covered and not instance.lattice.has_edges
    }


def on_piece(plane: Lattice, shape: Collection[Cell], place: Place) -> list[list[Spot]]:
    """The loops in which the name of a piece may stand: its most central cell, and for squares also its longest row."""
    flat = {cell[-2:] for cell in shape}
    loops = [[place(point) for point in cell_outlines.polygon(plane, central(flat))]]
    if plane.has_boxes:
        row = max(_rows(flat), key=lambda row: (len(row), central(flat) in row))
        spots = [place(point) for cell in row for point in cell_outlines.polygon(plane, cell)]
        (left, top), (right, low) = map(min, zip(*spots, strict=True)), map(max, zip(*spots, strict=True))
        loops.append([(left, top), (right, top), (right, low), (left, low)])
    return loops


def shrunk(loop: Sequence[Spot], share: float) -> list[Spot]:
    """A loop made smaller about its middle."""
    middle = _middle(loop)
    return [cell_outlines.part(middle, spot, share) for spot in loop]


def _rows(cells: Collection[Cell]) -> Iterator[list[Cell]]:
    """The rows of cells without gaps, each as long as possible, from left to right."""
    for row, column in sorted(cells):
        if (row, column - 1) not in cells:
            last = column
            while (row, last + 1) in cells:
                last += 1
            yield [(row, place) for place in range(column, last + 1)]


def _middle(loop: Sequence[Spot]) -> Spot:
    return sum(x for x, _ in loop) / len(loop), sum(y for _, y in loop) / len(loop)
