"""Functions that kernels call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class Inner(NamedTuple):
    """How a function is compiled that kernels call."""

    signatures: tuple[str, ...]
    inline: bool


inners: dict[Callable[..., Any], Inner] = {}


def inner(*signatures: str, inline: bool = False) -> Callable[[F], F]:
    """Decorator of what kernels call: compiled with them, for the types that they call it with or for those of the signatures.

    With `inline` it becomes part of them: where the compiler does not see to that by itself, a call costs some ten nanoseconds.
    Called from Python it runs as Python, and arithmetic that wraps round warns.
    """

    def made(function: F) -> F:
        inners[function] = Inner(signatures, inline)
        return function

    return made
