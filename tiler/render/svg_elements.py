"""What every SVG document of ours is made of: its head, its elements, the outlines of areas, and pictures side by side.

Which cells there are and how they look is up to those who draw: a tiling (svg.py), a heat map (heat.py), a proof.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from tiler import printable

INK = "#222222"

Corner = tuple[float, float]  #: x to the right and y down, in units of the document


def document(width: float, height: float, title: str, parts: Iterable[str], scale: float = 1.0) -> str:
    """A standalone document on white, so many units wide and high, shown `scale` times as large; it ends in a new line."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * scale:.0f}" height="{height * scale:.0f}" '
        f'viewBox="0 0 {number(width)} {number(height)}">'
    )
    return "\n".join([head, titled(title), element("rect", width=width, height=height, fill="#ffffff"), *parts, "</svg>", ""])


def element(tag: str, content: str = "", **attributes: str | float) -> str:
    """An element around `content`, which is XML already; attributes are text, or numbers, and a `_` of their names is a `-`.

    >>> element("path", stroke_width=0.5, d="M0 0H4", fill="<")
    '<path stroke-width="0.5" d="M0 0H4" fill="&lt;"/>'
    """
    given = opened(tag, **attributes)
    return f"{given}{content}</{tag}>" if content else f"{given[:-1]}/>"


def opened(tag: str, **attributes: str | float) -> str:
    """The start of an element that others stand in."""
    return f"<{tag}{''.join([_attribute(name, value) for name, value in attributes.items()])}>"


def _attribute(name: str, value: str | float) -> str:
    return f' {name.rstrip("_").replace("_", "-")}="{printable.xml(value) if isinstance(value, str) else number(value)}"'


def titled(text: str) -> str:
    """What a document or an element is called; shown on hovering."""
    return f"<title>{printable.xml(text)}</title>"


def text(said: str, size: float, **attributes: str | float) -> str:
    """A line of text."""
    return element("text", printable.xml(said), **{"font_family": "sans-serif", "font_size": size, "fill": INK, **attributes})


def number(value: float) -> str:
    """A number with as many digits as are seen.

    >>> number(20), number(2.50), number(-1 / 3), number(123456.7)
    ('20', '2.5', '-0.333', '123457')
    """
    return f"{value:.0f}" if value == int(value) or abs(value) >= 1e5 else f"{value:.3f}".rstrip("0").rstrip(".")


def outline(loops: Iterable[Sequence[Corner]]) -> str:
    """Closed loops of corners as path data; edges along the axes with one coordinate each.

    >>> outline([[(0, 0), (20, 0), (20, 20)]])
    'M0 0H20V20Z'
    """
    path = []
    for loop in loops:
        path.append(f"M{number(loop[0][0])} {number(loop[0][1])}")
        for (x, y), (right, down) in pairwise(loop):
            if y == down:
                path.append(f"H{number(right)}")
            elif x == right:
                path.append(f"V{number(down)}")
            else:
                path.append(f"L{number(right)} {number(down)}")
        path.append("Z")
    return "".join(path)


def abreast(count: int, wide: float, high: float) -> int:
    """How many pictures to put side by side, gaps included in their size, so that all fit best into a frame of 3 by 2."""

    def size(columns: int) -> float:
        return max(2 * columns * wide, -(-count // columns) * 3 * high)

    return min(range(1, count + 1), key=lambda columns: (size(columns), columns))


def sheet(pictures: Iterable[tuple[str, str]], title: str) -> str:
    """A document with others in it, each with its caption above, side by side and all in boxes of one size."""
    captioned = list(pictures)
    side, caption, gap = 150, 20, 16
    across = abreast(max(1, len(captioned)), side + gap, side + caption + gap)
    parts = []
    for number_, (said, picture) in enumerate(captioned):
        x, y = gap + number_ % across * (side + gap), gap + number_ // across * (side + caption + gap)
        # The width and height of its own say how large it would be alone; the box keeps its proportions.
        body = picture[picture.index(">") + 1 :]
        view = picture[: picture.index(">")].partition('viewBox="')[2].rstrip('"')
        parts += [
            text(said if len(said) <= 26 else f"{said[:24]}…", 11, x=x, y=y + 13),
            opened("svg", x=x, y=y + caption, width=side, height=side, viewBox=view) + body.rstrip(),
        ]
    rows = -(-len(captioned) // across)
    return document(gap + across * (side + gap), gap + rows * (side + caption + gap), title, parts)
