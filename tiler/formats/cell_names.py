"""Read and write names of cells, and groups of cells, as settings of problem files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from tiler.errors import InputError
from tiler.formats.blocks import Line
from tiler.model import open_cells
from tiler.model.instance import Instance


def read(instance: Instance, labels: Sequence[Line], groups: Sequence[Line]) -> Instance:
    """An instance with names of the cells that may stay open, in reading order, and groups of which one stays open each."""
    if labels:
        words = [word for line in labels for word in line.text.split()]
        try:
            instance = replace(instance, labels=open_cells.labelled(words, instance.optional, instance.board))
        except InputError as error:
            raise error.at(None, labels[0].number) from None
    found = []
    for line in groups:
        try:
            found.append(open_cells.parse_group(line.text, instance.labels))
        except InputError as error:
            raise error.at(None, line.number) from None
    try:
        return replace(instance, groups=tuple(found)) if found else instance
    except InputError as error:
        raise error.at(None, groups[0].number) from None


def write(instance: Instance) -> list[str]:
    """The settings that name cells, a line for each row of the board, and the groups of them."""
    names = {cell: label for cell, label in instance.labels if cell in instance.board}
    named = sorted(instance.optional if names.keys() <= instance.optional else instance.board)
    rows = (
        " ".join(names.get(cell, open_cells.UNNAMED) for cell in row) for _, row in groupby(named, key=lambda cell: cell[:-1])
    )
    lines = [f"# labels: {row}" for row in rows if names]
    labels = tuple(sorted(names.items()))
    return lines + [f"# group: {group.name} {open_cells.group_in_words(group, labels)}" for group in instance.groups]
