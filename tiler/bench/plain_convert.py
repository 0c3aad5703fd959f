"""Check data against the types of a record without msgspec, which a web page has not: what record.py needs of `msgspec.convert`,
with the same results.
"""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Annotated, Any, Literal, Required, TypeVar, Union, cast, get_args, get_origin, get_type_hints, is_typeddict

T = TypeVar("T")
_Reader = Callable[[Any], Any]


class ValidationError(ValueError):
    """Some data do not fit a type."""


@dataclass(frozen=True)
class Meta:
    """Bounds of a number, or the pattern of a text; as those of msgspec."""

    ge: float | None = None
    gt: float | None = None
    le: float | None = None
    pattern: str | None = None


def convert(data: Any, kind: type[T]) -> T:
    """The value of a type that some data stand for, without keys that it does not have; else ValidationError."""
    value: T = _reader(cast("Any", kind))(data)
    return value


@cache
def _reader(kind: Any) -> _Reader:
    origin, inner = get_origin(kind), get_args(kind)
    if kind is Any:
        return lambda data: data
    if origin is Required:
        return _reader(inner[0])
    if origin is Annotated:
        return _bounded(_reader(inner[0]), inner[1])
    if origin in (Union, types.UnionType):
        return _first_of([_reader(each) for each in inner])
    if origin is Literal:
        return _exactly(lambda data: isinstance(data, str) and data in inner)
    if origin is dict:
        return _mapping(_reader(inner[1]))
    if is_typeddict(kind):
        return _object(kind)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _member({each.value: each for each in kind})
    if kind is float:
        return _number
    return _exactly(lambda data: type(data) is kind)


def _exactly(fits: Callable[[Any], bool]) -> _Reader:
    def read(data: Any) -> Any:
        if not fits(data):
            raise ValidationError
        return data

    return read


def _number(data: Any) -> float:
    if type(data) not in (int, float):
        raise ValidationError
    try:
        return float(data)
    except OverflowError:
        raise ValidationError from None


def _bounded(read_it: _Reader, meta: Meta) -> _Reader:
    def read(data: Any) -> Any:
        value = read_it(data)
        if not _fits(meta, value):
            raise ValidationError
        return value

    return read


def _fits(meta: Meta, value: Any) -> bool:
    if isinstance(value, str):
        return meta.pattern is None or re.search(meta.pattern, value) is not None
    above = (meta.ge is None or value >= meta.ge) and (meta.gt is None or value > meta.gt)
    return above and (meta.le is None or value <= meta.le)


def _first_of(readers: list[_Reader]) -> _Reader:
    def read(data: Any) -> Any:
        for one in readers:
            try:
                return one(data)
            except ValidationError:
                continue
        raise ValidationError

    return read


def _member(members: Mapping[Any, Enum]) -> _Reader:
    def read(data: Any) -> Any:
        if not isinstance(data, str) or data not in members:
            raise ValidationError
        return members[data]

    return read


def _mapping(read_it: _Reader) -> _Reader:
    def read(data: Any) -> Any:
        if not isinstance(data, dict):
            raise ValidationError
        return {key: read_it(value) for key, value in data.items()}

    return read


def _object(kind: Any) -> _Reader:
    # Under `from __future__ import annotations` a class does not know which of its keys are Required.
    hints = get_type_hints(kind, include_extras=True)
    required = [name for name, hint in hints.items() if kind.__total__ or get_origin(hint) is Required]
    readers = {name: _reader(hint) for name, hint in hints.items()}

    def read(data: Any) -> Any:
        if not isinstance(data, dict) or any(name not in data for name in required):
            raise ValidationError
        return {name: readers[name](value) for name, value in data.items() if name in readers}

    return read
