"""Register the code that draws. So notebooks and `print` show pictures of values whose own code does not draw."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Drawer(NamedTuple):
    """Functions that draw an instance."""

    svg: Callable[[Any], str]  #: as a document of SVG, for notebooks
    text: Callable[[Any], str]  #: as lines, for `print`


_drawer: Drawer | None = None


def draw_with(drawer: Drawer) -> None:
    """Let notebooks and `print` show instances as these functions draw them."""
    global _drawer  # noqa: PLW0603
    _drawer = drawer


def svg_of(value: Any) -> str | None:
    """A picture of a value; None if no code that draws is registered."""
    return None if _drawer is None else _drawer.svg(value)


def text_of(value: Any) -> str:
    """A drawing of a value as text; its `repr` if no code that draws is registered."""
    return repr(value) if _drawer is None else _drawer.text(value)
