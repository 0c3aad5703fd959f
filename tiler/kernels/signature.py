"""Read the parameters and the result of a kernel from its annotations: numbers, arrays (arrays.py), and NamedTuples of them. Both
sides of a call use this: the compiler, and the code that calls the machine code. In machine code every number, and every part of
an array, is a word of 64 bits:

- an array is its address and its shape, one word for each dimension;
- a NamedTuple is its parts, one behind the other;
- a parameter that is a NamedTuple or an array is the address of these words, a number is itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple, TypeAlias, get_origin, get_type_hints

import numpy as np

#: Numbers by their annotations.
_NUMBERS: dict[Any, str] = {int: "int64", bool: "boolean", np.uint64: "uint64"}

#: The numbers that arrays may hold, by their names in annotations.
DTYPES: dict[str, np.dtype[Any]] = {
    **{kind: np.dtype(kind) for kind in ("int64", "uint64", "int32", "uint32", "uint8")},
    "boolean": np.dtype(np.bool_),
}


class Number(NamedTuple):
    """A whole number, or a truth value."""

    kind: str

    def __str__(self) -> str:
        return self.kind


class Array(NamedTuple):
    """An array in one piece of memory, row by row."""

    kind: str  #: of its numbers
    dimensions: int

    def __str__(self) -> str:
        return f"{self.kind}[{', '.join([':'] * (self.dimensions - 1) + ['::1'])}]"


class Struct(NamedTuple):
    """A NamedTuple."""

    name: str
    parts: tuple[tuple[str, Number | Array], ...]

    def __str__(self) -> str:
        return f"{self.name}({', '.join(f'{name}: {part}' for name, part in self.parts)})"


Parameter: TypeAlias = Number | Array | Struct


class Signature(NamedTuple):
    """The parameters of a kernel, and the number that it gives back, if it does."""

    parameters: tuple[tuple[str, Parameter], ...]
    result: Number | None

    @classmethod
    def of(cls, function: Callable[..., Any]) -> Signature:
        """By the annotations; TypeError for what no kernel takes."""
        hints = get_type_hints(function, include_extras=True)
        result = hints.pop("return")
        return cls(
            tuple((name, _parameter(hint)) for name, hint in hints.items()),
            None if result is type(None) else Number(_NUMBERS[result]),
        )

    def __str__(self) -> str:
        return f"({', '.join(f'{name}: {parameter}' for name, parameter in self.parameters)}) -> {self.result or 'nothing'}"


def _parameter(hint: Any) -> Parameter:
    if hasattr(hint, "_fields"):
        parts = get_type_hints(hint, include_extras=True)
        return Struct(hint.__name__, tuple((name, _part(parts[name])) for name in hint._fields))
    return _part(hint)


def _part(hint: Any) -> Number | Array:
    if hint in _NUMBERS:
        return Number(_NUMBERS[hint])
    if get_origin(hint) is Annotated:
        kind, _, dimensions = hint.__metadata__[0].partition("[")
        return Array(kind, dimensions.count(",") + 1)
    raise TypeError(f"a kernel takes numbers, arrays of tiler.kernels.arrays, and NamedTuples of them: not {hint}")
