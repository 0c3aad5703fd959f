"""Say which cells of a board stay open: by labels, and by groups, of which exactly one cell each stays open, as on a calendar
puzzle. Labels are names of cells. A group has a name and cells; if there are groups, each cell that may stay open is in exactly
one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tiler.amounts import nor_others
from tiler.errors import InputError, suggest
from tiler.model.lattice import Cell, Shape
from tiler.printable import shortened

_CELL = re.compile(r"-?[0-9]{1,9}(?:,-?[0-9]{1,9}){1,2}")
_NAME = re.compile(r"[^\s,#]{1,20}")

#: Written in a list of labels for a cell that has none.
UNNAMED = "-"

Labels = tuple[tuple[Cell, str], ...]


@dataclass(frozen=True)
class OpenGroup:
    """Cells of which exactly one stays open."""

    name: str
    cells: Shape

    def __post_init__(self) -> None:
        if not _is_name(self.name):
            raise InputError(f"group: {shortened(self.name)!r} is no name: one word without commas, of at most 20 letters")
        if not self.cells:
            raise InputError(f"group: {self.name} has no cells")


def check_labels(labels: Labels) -> None:
    """InputError unless every label is a word, and no two cells have the same one."""
    seen: set[str] = set()
    for _, label in labels:
        if not _is_name(label) or _CELL.fullmatch(label) or label == UNNAMED:
            raise InputError(f"labels: {shortened(label)!r} is no label: one word without commas, of at most 20 letters")
        if label.lower() in seen:
            raise InputError(f"labels: two cells are called {label}")
        seen.add(label.lower())
    if len({cell for cell, _ in labels}) < len(labels):
        raise InputError("labels: a cell has two labels")


def check_groups(groups: Sequence[OpenGroup], optional: Shape, names: Mapping[Cell, str]) -> None:
    """InputError unless each of the cells that may stay open is in exactly one group; it has the `names` of cells."""
    if len({group.name.lower() for group in groups}) < len(groups):
        raise InputError("group: two groups have the same name")
    left = set(optional)
    for group in groups:
        strange, taken = group.cells - optional, group.cells - left
        if strange:
            raise InputError(f"group: {group.name} has the cell {called(min(strange), names)}, which must not stay open")
        if taken:
            raise InputError(f"group: {group.name} has the cell {called(min(taken), names)}, which another group has too")
        left -= group.cells
    if groups and left:
        others = nor_others(len(left) - 1)
        raise InputError(f"group: the cell {called(min(left), names)} may stay open, but is in no group{others}")


def labelled(words: Iterable[str], optional: Shape, board: Shape) -> Labels:
    """The cells that may stay open with their labels, or all cells of the board, both in reading order; a cell whose label is `-`
    has none. InputError unless there are as many of each."""
    words = list(words)
    cells = sorted(board if len(words) == len(board) else optional or board)
    if len(words) != len(cells):
        may = " that may stay open" if optional else ""
        raise InputError(f"labels: there are {len(words)} labels, but {len(cells)} cells{may}")
    return tuple((cell, word) for cell, word in zip(cells, words, strict=True) if word != UNNAMED)


def cells_called(text: str, labels: Labels, groups: Sequence[OpenGroup] = (), *, ranges: bool = False) -> list[Cell]:
    """The cells that words name: each a label, or `row,column`; with `ranges` also `jan..dec`, all labels from one to another in
    reading order. InputError if there is no such label; it names those that there are, by `groups` if there are any.

    >>> cells_called("feb 4,5", (((0, 0), "jan"), ((0, 1), "feb")))
    [(0, 1), (4, 5)]
    >>> cells_called("jan..feb", (((0, 0), "jan"), ((0, 1), "feb")), ranges=True)
    [(0, 0), (0, 1)]
    """
    places = {label.lower(): number for number, (_, label) in enumerate(labels)}
    cells: list[Cell] = []
    for word in filter(None, (word.strip(",") for word in text.split())):
        first, dots, last = word.partition("..")
        if _CELL.fullmatch(word):
            cells.append(tuple(map(int, word.split(","))))
        elif ranges and dots:
            start, end = (_place(place, places, labels, groups) for place in (first, last))
            if end < start:
                raise InputError(f"{shortened(word)}: {last} comes before {first}")
            cells += [cell for cell, _ in labels[start : end + 1]]
        else:
            cells.append(labels[_place(word, places, labels, groups)][0])
    return cells


def parse_group(text: str, labels: Labels) -> OpenGroup:
    """The group that `# group: month jan..dec` stands for."""
    name, _, words = text.strip().partition(" ")
    cells = cells_called(words, labels, ranges=True)
    if len(set(cells)) < len(cells):
        raise InputError(f"group: {shortened(name)} names a cell twice")
    return OpenGroup(name, frozenset(cells))


def called(cell: Cell, names: Mapping[Cell, str]) -> str:
    """A cell in words: its label, or row,column."""
    return names.get(cell) or _shown(cell)


def group_in_words(group: OpenGroup, labels: Labels) -> str:
    """The cells of a group as settings name them, as a range where they follow each other in reading order.

    >>> labels = tuple(((0, column), label) for column, label in enumerate("abcd"))
    >>> group_in_words(OpenGroup("letter", frozenset({(0, 1), (0, 2), (0, 3)})), labels)
    'b..d'
    """
    names, cells = dict(labels), sorted(group.cells)
    named = [cell for cell, _ in labels]
    start = named.index(cells[0]) if cells[0] in names else len(named)
    if len(cells) > 2 and named[start : start + len(cells)] == cells:
        return f"{names[cells[0]]}..{names[cells[-1]]}"
    return " ".join(called(cell, names) for cell in cells)


def _place(label: str, places: Mapping[str, int], labels: Labels, groups: Sequence[OpenGroup]) -> int:
    if label.lower() not in places:
        hint = suggest(label.lower(), places)
        raise InputError(f"no cell is called {shortened(label)}{hint}; {_offered(labels, groups, hint)}".removesuffix("; "))
    return places[label.lower()]


def _offered(labels: Labels, groups: Sequence[OpenGroup], hint: str) -> str:
    """A few words that say which labels there are; empty if the message hints at labels already and there are no groups."""
    if not labels:
        return "the problem has no labels"
    if groups:
        shown = ", ".join(f"{group.name} {group_in_words(group, labels)}" for group in groups)
        return f"there are {shortened(shown, 80)}"
    return "" if hint else f"there are {shortened(' '.join(label for _, label in labels), 80)}"


def _is_name(text: str) -> bool:
    return _NAME.fullmatch(text) is not None and ".." not in text and text.isprintable()


def _shown(cell: Cell) -> str:
    return ",".join(map(str, cell))
