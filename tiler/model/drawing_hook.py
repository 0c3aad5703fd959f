"""Register the code that draws. So notebooks show pictures of values whose own code does not draw."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_drawer: Callable[[Any], str] | None = None


def draw_with(drawer: Callable[[Any], str]) -> None:
    """Let notebooks show instances as the SVG documents that this function makes of them."""
    global _drawer  # noqa: PLW0603
    _drawer = drawer


def svg_of(value: Any) -> str | None:
    """A picture of a value; None if no code that draws is registered."""
    return None if _drawer is None else _drawer(value)
