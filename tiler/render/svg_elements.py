"""Write the parts of an SVG document: its head, its elements, text and numbers, and the data of paths."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tiler import printable
from tiler.render.cell_outlines import Spot
from tiler.render.scene import INK


def document(width: float, height: float, title: str, parts: Iterable[str], scale: float = 1.0, inches: float = 0.0) -> str:
    """A standalone SVG document on a white ground, which ends in a newline. `width` and `height` are in units of the page. One
    unit is shown as `scale` pixels; if `inches` is not 0, the longer side is that number of inches long instead."""
    across, down = f"{width * scale:.0f}", f"{height * scale:.0f}"
    if inches:
        across, down = (f"{number(inches * side / max(width, height))}in" for side in (width, height))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{across}" height="{down}" '
        f'viewBox="0 0 {number(width)} {number(height)}">'
    )
    return "\n".join([head, titled(title), element("rect", width=width, height=height, fill="#ffffff"), *parts, "</svg>", ""])


def element(tag: str, content: str = "", **attributes: str | float) -> str:
    """An element around `content`, which must be XML already. Attributes are text or numbers; a `_` in their names becomes a `-`.

    >>> element("path", stroke_width=0.5, d="M0 0H4", fill="<")
    '<path stroke-width="0.5" d="M0 0H4" fill="&lt;"/>'
    """
    given = opened(tag, **attributes)
    return f"{given}{content}</{tag}>" if content else f"{given[:-1]}/>"


def opened(tag: str, **attributes: str | float) -> str:
    """The start tag of an element that contains other elements."""
    return f"<{tag}{''.join([_attribute(name, value) for name, value in attributes.items()])}>"


def _attribute(name: str, value: str | float) -> str:
    return f' {name.rstrip("_").replace("_", "-")}="{printable.xml(value) if isinstance(value, str) else number(value)}"'


def titled(text: str) -> str:
    """The title of a document or an element, as XML; browsers show it on hovering."""
    return f"<title>{printable.xml(text)}</title>"


def text(said: str, size: float, **attributes: str | float) -> str:
    """A line of text as an element; `size` is the size of its letters in units."""
    return element("text", printable.xml(said), **{"font_family": "sans-serif", "font_size": size, "fill": INK, **attributes})


def number(value: float) -> str:
    """A number as text, with three decimals at most, and none from 100,000 on.

    >>> number(20), number(2.50), number(-1 / 3), number(123456.7)
    ('20', '2.5', '-0.333', '123457')
    """
    return f"{value:.0f}" if value == int(value) or abs(value) >= 1e5 else f"{value:.3f}".rstrip("0").rstrip(".")


def outline(loops: Iterable[Sequence[Spot]]) -> str:
    """Closed loops of corners as path data; an edge along an axis has one coordinate only.

    >>> outline([[(0, 0), (20, 0), (20, 20)]])
    'M0 0H20V20Z'
    """
    return "".join([f"{line(loop)}Z" for loop in loops])


def line(spots: Sequence[Spot]) -> str:
    """A line through some spots as path data."""
    before, *others = [(number(x), number(y)) for x, y in spots]
    parts = ["M{} {}".format(*before)]
    for x, y in others:
        parts.append(f"H{x}" if y == before[1] else f"V{y}" if x == before[0] else f"L{x} {y}")
        before = x, y
    return "".join(parts)
