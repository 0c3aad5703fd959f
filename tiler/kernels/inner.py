"""Mark functions that kernels call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

#: Each, and whether it becomes part of who calls it.
inners: dict[Callable[..., Any], bool] = {}


def inner(*, inline: bool = False) -> Callable[[F], F]:
    """Decorator of what kernels call: compiled with them, for the types that they call it with.

    With `inline` it becomes part of them: where the compiler does not see to that by itself, a call costs some ten nanoseconds.
    Called from Python it runs as Python, and arithmetic that wraps round warns.
    """

    def made(function: F) -> F:
        inners[function] = inline
        return function

    return made
