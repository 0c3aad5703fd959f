"""Read the settings that name tiles: constraints, weights, colours in pictures, tiles that may stay together."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from tiler.errors import InputError
from tiler.formats.blocks import Line
from tiler.model import constraints
from tiler.model.colour_names import colour_called
from tiler.model.instance import Instance

T = TypeVar("T")

_WEIGHT = re.compile(r"(\S+)\s+([+-]?[0-9]{1,30})")


def constrained(instance: Instance, written: Iterable[tuple[str, Line]]) -> Instance:
    """An instance with more constraints, each a kind and what is written behind it."""
    found = []
    for kind, line in written:
        try:
            found.append((line, constraints.parse(kind, line.text)))
        except InputError as error:
            raise error.at(None, line.number) from None
    return _with(found, lambda more: replace(instance, constraints=(*instance.constraints, *more)))


def weighed(instance: Instance, written: Iterable[Line]) -> Instance:
    """An instance with other weights of some tiles, each written as `X 3`; the weight of a tile counts for all tiles congruent to
    it."""
    weights: dict[int, int] = {}
    for line in written:
        try:
            match = _WEIGHT.fullmatch(line.text.strip())
            if match is None:
                raise InputError(f"weight: {line.text.strip()[:60]!r} is not of the form TILE N")
            number = instance.number_of(match[1], "weight")
            if number in weights:
                raise InputError(f"weight: the weight of {match[1]} is set twice")
            weights[number] = replace(instance.distinct_tiles[number], weight=int(match[2])).weight
        except InputError as error:
            raise error.at(None, line.number) from None
    if not weights:
        return instance
    tiles = [replace(tile, weight=weights.get(instance.number_of(tile.name), tile.weight)) for tile in instance.tiles]
    return replace(instance, tiles=tuple(tiles))


def filled(instance: Instance, written: Iterable[Line]) -> Instance:
    """An instance with the colours of some tiles, each written as `X red`."""
    found: dict[str, str] = {}
    for line in written:
        try:
            name, _, colour = line.text.strip().rpartition(" ")
            if not name:
                raise InputError(f"fill: {line.text.strip()[:60]!r} is not of the form TILE COLOUR")
            tile = instance.distinct_tiles[instance.number_of(name.strip(), "fill")].name
            if tile in found:
                raise InputError(f"fill: the colour of {tile} is set twice")
            found[tile] = colour_called(colour)
        except InputError as error:
            raise error.at(None, line.number) from None
    return replace(instance, about=replace(instance.about, fills=tuple(found.items()))) if found else instance


def held_together(instance: Instance, written: Iterable[Line]) -> Instance:
    """An instance with groups of tiles that may stay together."""
    found = [(line, tuple(line.text.split())) for line in written]
    return _with(found, lambda more: replace(instance, together=(*instance.together, *more)))


def _with(found: Sequence[tuple[Line, T]], add: Callable[[Sequence[T]], Instance]) -> Instance:
    """An instance with all these values, which `add` adds at once. InputError names the line of the first one that is wrong.

    It is looked for by halves: one value after the other would take the square of their number.
    """

    def added(number: int) -> Instance:
        return add([value for _, value in found[:number]])

    def is_wrong(number: int) -> bool:
        try:
            added(number)
        except InputError:
            return True
        return False

    try:
        return added(len(found))
    except InputError:
        first = bisect_left(range(len(found)), True, key=lambda number: is_wrong(number + 1))
    try:
        return added(first + 1)
    except InputError as error:
        raise error.at(None, found[first][0].number) from None
