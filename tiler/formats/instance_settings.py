"""Read the settings of problem files that name tiles or cells: constraints, weights, colours in pictures, tiles that stay
together, names of cells and groups of cells. Write the names of cells."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TypeVar

from tiler.errors import InputError, located
from tiler.formats.blocks import Line
from tiler.model import constraints, open_cells
from tiler.model.colour_names import colour_called
from tiler.model.instance import Instance


def with_cell_names(instance: Instance, labels: Sequence[Line], groups: Sequence[Line]) -> Instance:
    """An instance with names of the cells that may stay open, in reading order, and groups of which one stays open each."""
    if labels:
        words = [word for line in labels for word in line.text.split()]
        with located(line=labels[0].number):
            instance = replace(instance, labels=open_cells.labelled(words, instance.optional, instance.board))
    named = []
    for line in groups:
        with located(line=line.number):
            named.append(open_cells.parse_group(line.text, instance.labels))
    if not groups:
        return instance
    with located(line=groups[0].number):
        return replace(instance, groups=tuple(named))


def cell_name_lines(instance: Instance) -> list[str]:
    """The settings that name cells, a line for each row of the board, and the groups of them."""
    names = {cell: label for cell, label in instance.labels if cell in instance.board}
    named = sorted(instance.optional if names.keys() <= instance.optional else instance.board)
    rows = (
        " ".join(names.get(cell, open_cells.UNNAMED) for cell in row) for _, row in groupby(named, key=lambda cell: cell[:-1])
    )
    lines = [f"# labels: {row}" for row in rows if names]
    labels = tuple(sorted(names.items()))
    return lines + [f"# group: {group.name} {open_cells.group_in_words(group, labels)}" for group in instance.groups]


def parse_fills(content: str, source: str | None = None) -> dict[str, str]:
    """The colours by the names of tiles, as `#rrggbb`. InputError names the line.

    >>> parse_fills("X red\\nbig dog #FF8800\\n")
    {'X': '#ee6677', 'big dog': '#ff8800'}
    """
    fills: dict[str, str] = {}
    for number, line in enumerate(content.splitlines(), 1):
        if not line.strip():
            continue
        name, _, colour = line.strip().rpartition(" ")
        with located(source, number):
            if not name.strip():
                raise InputError(f"{line.strip()[:40]!r} is not of the form TILE COLOUR")
            fills[name.strip()] = colour_called(colour)
    return fills


T = TypeVar("T")

_WEIGHT = re.compile(r"(\S+)\s+([+-]?[0-9]{1,30})")


def constrained(instance: Instance, written: Iterable[tuple[str, Line]]) -> Instance:
    """An instance with more constraints, each a kind and what is written behind it."""
    parsed = []
    for kind, line in written:
        with located(line=line.number):
            parsed.append((line, constraints.parse(kind, line.text)))
    return _with(parsed, lambda more: replace(instance, constraints=(*instance.constraints, *more)))


def weighed(instance: Instance, written: Iterable[Line]) -> Instance:
    """An instance with other weights of some tiles, each written as `X 3`; the weight of a tile counts for all tiles congruent to
    it."""
    weights: dict[int, int] = {}
    for line in written:
        with located(line=line.number):
            match = _WEIGHT.fullmatch(line.text.strip())
            if match is None:
                raise InputError(f"weight: {line.text.strip()[:60]!r} is not of the form TILE N")
            number = instance.number_of(match[1], "weight")
            if number in weights:
                raise InputError(f"weight: the weight of {match[1]} is set twice")
            weights[number] = replace(instance.distinct_tiles[number], weight=int(match[2])).weight
    if not weights:
        return instance
    tiles = [replace(tile, weight=weights.get(instance.number_of(tile.name), tile.weight)) for tile in instance.tiles]
    return replace(instance, tiles=tuple(tiles))


def filled(instance: Instance, written: Iterable[Line]) -> Instance:
    """An instance with the colours of some tiles, each written as `X red`."""
    fills: dict[str, str] = {}
    for line in written:
        with located(line=line.number):
            name, _, colour = line.text.strip().rpartition(" ")
            if not name:
                raise InputError(f"fill: {line.text.strip()[:60]!r} is not of the form TILE COLOUR")
            tile = instance.distinct_tiles[instance.number_of(name.strip(), "fill")].name
            if tile in fills:
                raise InputError(f"fill: the colour of {tile} is set twice")
            fills[tile] = colour_called(colour)
    return replace(instance, about=replace(instance.about, fills=tuple(fills.items()))) if fills else instance


def held_together(instance: Instance, written: Iterable[Line]) -> Instance:
    """An instance with groups of tiles that may stay together."""
    groups = [(line, tuple(line.text.split())) for line in written]
    return _with(groups, lambda more: replace(instance, together=(*instance.together, *more)))


def _with(parsed: Sequence[tuple[Line, T]], add: Callable[[Sequence[T]], Instance]) -> Instance:
    """An instance with all these values, which `add` adds at once. InputError names the line of the first one that is wrong.

    It is looked for by halves: one value after the other would take the square of their number.
    """

    def added(number: int) -> Instance:
        return add([value for _, value in parsed[:number]])

    def is_wrong(number: int) -> bool:
        try:
            added(number)
        except InputError:
            return True
        return False

    try:
        return added(len(parsed))
    except InputError:
        first = bisect_left(range(len(parsed)), True, key=lambda number: is_wrong(number + 1))
    with located(line=parsed[first][0].number):
        return added(first + 1)
