"""Write messages as JSON, and read them strictly; the standard library is enough."""

from __future__ import annotations

import json
import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from tiler import jsontext
from tiler.errors import InputError, suggest

M = TypeVar("M")

_MOST_SHOWN = 60  # characters of a value in a message about it


def dumps(message: object) -> str:
    """The JSON of a message."""
    return json.dumps(message, default=vars, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def to_json(message: object) -> Any:
    """A message as data."""
    return json.loads(dumps(message))


def loads(kind: type[M], text: str) -> M:
    """The message in a text; InputError says what is wrong with it."""
    return read(kind, jsontext.loads(text))


def read(kind: type[M], data: object) -> M:
    """The message that some data stands for; InputError says what is wrong with it."""
    value: M = _read(kind, data, name_of(kind))
    return value


def name_of(kind: type) -> str:
    """The name of a message in the page."""
    return kind.__name__.removesuffix("Message")


@cache
def hints(kind: type) -> Mapping[str, Any]:
    """The types of the fields of a message."""
    return get_type_hints(kind)


def _read(kind: Any, data: Any, what: str) -> Any:
    origin = get_origin(kind)
    if kind is Any:
        return data
    if origin in (Union, types.UnionType):
        return _read_union(get_args(kind), data, what)
    if origin is Literal:
        if data not in get_args(kind):
            raise InputError(f"{what} is {_shown(data)}; it must be one of {', '.join(map(str, get_args(kind)))}")
        return data
    if origin is tuple:
        return _read_tuple(get_args(kind), data, what)
    if origin is dict:
        if not isinstance(data, dict):
            raise InputError(f"{what} is {_shown(data)}; it must be an object")
        return data
    if is_dataclass(kind):
        return _read_message(kind, data, what)
    if kind is float and type(data) is int:
        return float(data)
    if type(data) is not kind:
        raise InputError(f"{what} is {_shown(data)}; it must be {_WORDS[kind]}")
    return data


_WORDS: Mapping[Any, str] = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    bool: "true or false",
    type(None): "null",
}


def _read_union(kinds: tuple[Any, ...], data: Any, what: str) -> Any:
    if data is None and type(None) in kinds:
        return None
    kinds = tuple(kind for kind in kinds if kind is not type(None))
    if len(kinds) == 1:
        return _read(kinds[0], data, what)
    for kind in kinds:
        mark = "kind" if "kind" in hints(kind) else "event"
        if isinstance(data, dict) and data.get(mark) == getattr(kind, mark):
            return _read(kind, data, what)
    raise InputError(f"{what} is none of {', '.join(map(name_of, kinds))}")


def _read_tuple(kinds: tuple[Any, ...], data: Any, what: str) -> tuple[Any, ...]:
    if not isinstance(data, list | tuple):
        raise InputError(f"{what} is {_shown(data)}; it must be a list")
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return tuple(_read(kinds[0], part, f"an entry of {what}") for part in data)
    if len(data) != len(kinds):
        raise InputError(f"{what} has {len(data)} entries; it must have {len(kinds)}")
    return tuple(_read(kind, part, f"an entry of {what}") for kind, part in zip(kinds, data, strict=True))


def _read_message(kind: Any, data: Any, what: str) -> Any:
    if not isinstance(data, dict):
        raise InputError(f"{what} is {_shown(data)}; it must be an object")
    known = hints(kind)
    for key in data:
        if key not in known:
            raise InputError(f"{what} has an unknown key {_shown(key)}{suggest(key, known)}; there are {', '.join(known)}")
    missing = [field.name for field in fields(kind) if field.default is MISSING and field.name not in data]
    if missing:
        raise InputError(f"{what} lacks {missing[0]!r}")
    return kind(**{name: _read(known[name], value, f"{name!r} of {what}") for name, value in data.items()})


def _shown(data: object) -> str:
    text = json.dumps(data, default=str)
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 3]}..."
