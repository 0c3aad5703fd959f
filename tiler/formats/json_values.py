"""Check values of JSON: each function returns what it is asked for, or raises an InputError that says what is there instead."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tiler.errors import InputError, suggest
from tiler.jsontext import shown
from tiler.model import paint
from tiler.model.lattice import Shape
from tiler.model.paint import CellSide

# JSON can contain halves of characters, which cannot be printed.
_NOT_A_LINE = re.compile(r"[\r\n\0\ud800-\udfff]")


def is_line(text: str) -> bool:
    """Whether a text is a single line that can be printed."""
    return not _NOT_A_LINE.search(text)


def fields_of(data: Any, what: str, keys: tuple[str, ...]) -> Mapping[str, Any]:
    """An object that has only these keys."""
    if not isinstance(data, dict):
        raise InputError(f"{what} must be an object with {', '.join(keys)}")
    for key in data:
        if key not in keys:
            raise InputError(f"{what} has an unknown key {shown(key)}{suggest(key, keys)}; there are {', '.join(keys)}")
    return data


def typed(fields: Mapping[str, Any], key: str, kind: type, default: Any) -> Any:
    """The value of a key, of this type; the default if it is not there. A text must be a single line."""
    value = fields.get(key, default)
    if type(value) is not kind:
        raise InputError(f"{key!r} is {shown(value)}; it must be {'true or false' if kind is bool else f'a {kind.__name__}'}")
    if isinstance(value, str) and not is_line(value):
        raise InputError(f"{key!r} is {shown(value)}; it must be a single line of text")
    return value


def natural(fields: Mapping[str, Any], key: str, default: int | None = None, most: int | None = None) -> int | None:
    """The whole number of a key, at most `most`; the default if it is not there."""
    value = fields.get(key, default)
    if value is not None and (type(value) is not int or value < 0 or (most is not None and value > most)):
        end = "" if most is None else f" to {most:,}"
        raise InputError(f"{key!r} is {shown(value)}; it must be a whole number from 0{end}")
    return value


def cells(data: Any, what: str) -> Shape:
    """A set of cells from lists of two or three whole numbers each; twice the same cell is refused."""
    wrong = InputError(f"{what} must be a list of cells [row, column] or [layer, row, column], whole numbers under 10^9")
    if not isinstance(data, list) or not all(isinstance(cell, list) and len(cell) in (2, 3) for cell in data):
        raise wrong
    if not all(type(number) is int and abs(number) < 10**9 for cell in data for number in cell):
        raise wrong
    shape = frozenset(map(tuple, data))
    if len(shape) < len(data):
        raise InputError(f"{what} names a cell twice")
    return shape


def side(data: Any, what: str) -> CellSide:
    """A side, by its cell and the one beyond."""
    if not isinstance(data, list) or len(data) != 2:
        raise InputError(f"a side in {what} must be a list of its cell and the cell beyond")
    (cell,), (beyond,) = cells(data[:1], what), cells(data[1:], what)
    return CellSide(cell, beyond)


def word(data: Any) -> str:
    """The name of a colour or mark."""
    if not isinstance(data, str):
        raise InputError(f"{shown(data)} is no name of a colour or mark")
    return paint.name(data, "colours and marks")


def pairs(fields: Mapping[str, Any], key: str) -> tuple[tuple[str, str], ...]:
    """Pairs of names of colours or marks, sorted; none if the key is not there."""
    pairs = typed(fields, key, list, [])
    if not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        raise InputError(f"{key!r} must be a list of pairs of names")
    return tuple(sorted({(word(one), word(other)) for one, other in pairs}))
