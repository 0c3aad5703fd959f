"""Read and write the settings of problem files that name tiles or cells: marks on the border, names of cells and groups of them,
weights, colours in pictures, tiles that stay together, constraints."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TypeVar

from tiler.errors import InputError, located
from tiler.formats import paint_text
from tiler.formats.blocks import Line
from tiler.formats.paint_text import NO_LEGEND, Legend
from tiler.model import constraints, open_cells
from tiler.model.colour_names import colour_called
from tiler.model.instance import Instance
from tiler.model.lattice import Cell

Written = Sequence[tuple[str, Line]]  #: lines of settings: the name of each, and the text behind it
Lines = Iterator[tuple[str, str]]  #: the same to be written


def bordered(instance: Instance, written: Written, legend: Legend) -> Instance:
    """An instance whose border wants marks."""
    for _, line in written:
        with located(line=line.number):
            instance = paint_text.bordered(instance, line.text, legend)
    return instance


def labelled(instance: Instance, written: Written, legend: Legend) -> Instance:
    """An instance with names of the cells that may stay open, in reading order."""
    words = [word for _, line in written for word in line.text.split()]
    with located(line=written[0][1].number):
        return replace(instance, labels=open_cells.labelled(words, instance.optional, instance.board))


def label_lines(instance: Instance, names: Sequence[str]) -> Lines:
    """The names of cells, a line for each row of the board."""
    labels = _labels_on_board(instance)
    named = sorted(instance.optional if labels.keys() <= instance.optional else instance.board)
    for _, row in groupby(named if labels else (), key=lambda cell: cell[:-1]):
        yield "labels", " ".join(labels.get(cell, open_cells.UNNAMED) for cell in row)


def grouped(instance: Instance, written: Written, legend: Legend) -> Instance:
    """An instance with groups of cells of which one stays open each."""
    named = []
    for _, line in written:
        with located(line=line.number):
            named.append(open_cells.parse_group(line.text, instance.labels))
    with located(line=written[0][1].number):
        return replace(instance, groups=tuple(named))


def group_lines(instance: Instance, names: Sequence[str]) -> Lines:
    """The groups of cells."""
    labels = tuple(sorted(_labels_on_board(instance).items()))
    return (("group", f"{group.name} {open_cells.group_in_words(group, labels)}") for group in instance.groups)


def _labels_on_board(instance: Instance) -> dict[Cell, str]:
    return {cell: label for cell, label in instance.labels if cell in instance.board}


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


def constrained(instance: Instance, written: Written, legend: Legend = NO_LEGEND) -> Instance:
    """An instance with more constraints, each a kind and what is written behind it."""
    parsed = []
    for kind, line in written:
        with located(line=line.number):
            parsed.append((line, constraints.parse(kind, line.text)))
    return _with(parsed, lambda more: replace(instance, constraints=(*instance.constraints, *more)))


def constraint_lines(instance: Instance, names: Sequence[str]) -> Lines:
    """The constraints, with these names of tiles."""
    for each in instance.constraints:
        yield each.kind, constraints.write(replace(each, tile=names[instance.number_of(each.tile)]))


def weighed(instance: Instance, written: Written, legend: Legend) -> Instance:
    """An instance with other weights of some tiles, each written as `X 3`; the weight of a tile counts for all tiles congruent to
    it."""
    weights: dict[int, int] = {}
    for _, line in written:
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


def weight_lines(instance: Instance, names: Sequence[str]) -> Lines:
    """The weights of tiles that have these names."""
    named = zip(names, instance.distinct_tiles, strict=False)
    return (("weight", f"{name} {tile.weight}") for name, tile in named if tile.weight)


def filled(instance: Instance, written: Written, legend: Legend) -> Instance:
    """An instance with the colours of some tiles, each written as `X red`."""
    fills: dict[str, str] = {}
    for _, line in written:
        with located(line=line.number):
            name, _, colour = line.text.strip().rpartition(" ")
            if not name:
                raise InputError(f"fill: {line.text.strip()[:60]!r} is not of the form TILE COLOUR")
            tile = instance.distinct_tiles[instance.number_of(name.strip(), "fill")].name
            if tile in fills:
                raise InputError(f"fill: the colour of {tile} is set twice")
            fills[tile] = colour_called(colour)
    return replace(instance, about=replace(instance.about, fills=tuple(fills.items())))


def fill_lines(instance: Instance, names: Sequence[str]) -> Lines:
    """The colours of tiles that have these names."""
    fills, named = dict(instance.about.fills), zip(names, instance.distinct_tiles, strict=False)
    return (("fill", f"{name} {fills[tile.name]}") for name, tile in named if tile.name in fills)


def held_together(instance: Instance, written: Written, legend: Legend) -> Instance:
    """An instance with groups of tiles that may stay together."""
    groups = [(line, tuple(line.text.split())) for _, line in written]
    return _with(groups, lambda more: replace(instance, together=(*instance.together, *more)))


def together_lines(instance: Instance, names: Sequence[str]) -> Lines:
    """The groups of tiles that may stay together, with these names."""
    groups = (map(instance.number_of, group) for group in instance.together)
    return (("together", " ".join(names[number] for number in group)) for group in groups)


def without_names(instance: Instance) -> Instance:
    """The instance without the settings that name tiles: the same one if it has none."""
    about, weights = instance.about, any(tile.weight for tile in instance.tiles)
    if not (instance.constraints or instance.together or about.fills or weights):
        return instance
    tiles = tuple(replace(tile, weight=0) for tile in instance.tiles)
    return replace(instance, tiles=tiles, constraints=(), together=(), about=replace(about, fills=()))


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
