"""Put pages on paper: a picture that fills a page, below a title. Lengths are in mm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tiler import printable
from tiler.errors import BadOption
from tiler.render import scene
from tiler.render.cell_outlines import Spot
from tiler.render.pages import LETTER
from tiler.render.scene import INK, SIDE, Label, Page, Panel

PAPERS: Mapping[str, tuple[float, float]] = {
    "A5": (148, 210),
    "A4": (210, 297),
    "A3": (297, 420),
    "A2": (420, 594),
    "letter": (215.9, 279.4),
    "tabloid": (279.4, 431.8),
}
INCH = 25.4
USUAL = "A4"
MARGIN = 15.0
TITLE = 6.0  #: size of letters
_LEAST = 2.5  # size of letters
BETWEEN = 8.0  # between problems, and below lines of words
_CELL = 30.0  # the side of a cell, at most


def filled(page: Page, title: str, times: float = 0.0) -> Page:
    """A page on paper of the usual size, upright or on its side, as large as there is room; or enlarged by `times`. A page with a
    size of its own is left alone. BadOption if there is no room for it."""
    if page.inches:
        return page
    width, height = PAPERS[USUAL] if page.width <= page.height * 1.05 else PAPERS[USUAL][::-1]
    wide, high = width - 2 * MARGIN, height - 2 * MARGIN - TITLE - BETWEEN
    most = min(wide / page.width, high / page.height)
    if times > most * 1.0001:
        raise BadOption(f"--unit: at most {100 * most / times:.0f} % of that has room on {USUAL}; or --size sets another size")
    times = times or min(most, _CELL / SIDE)
    left, top = MARGIN + (wide - page.width * times) / 2, MARGIN + TITLE + BETWEEN
    placed = [(scaled(panel, times), (left + x * times, top + y * times)) for panel, (x, y) in page.placed]
    heading = line_of_words(title, width / 2, MARGIN + TITLE, wide, TITLE, centred=True)
    return sheet(width, height, [*placed, (heading, (0.0, 0.0))])


def scaled(panel: Panel, times: float) -> Panel:
    marks = [scene.moved(mark, 0.0, 0.0, times) for mark in panel.marks]
    return Panel(panel.heading, panel.width * times, panel.height * times, marks, kind=panel.kind)


def line_of_words(words: str, x: float, y: float, wide: float, size: float, *, centred: bool = False) -> Panel:
    """A line of words in letters of a size, or smaller ones if there is no room."""
    fits = min(size, max(_LEAST, wide / (LETTER * max(1, len(words)))))
    said = printable.shortened(words, max(8, int(wide / (LETTER * fits))))
    return Panel("", 0.0, 0.0, [Label((x, y), said, fits, INK, centred)])


def sheet(width: float, height: float, placed: Sequence[tuple[Panel, Spot]]) -> Page:
    return Page(width, height, placed, inches=max(width, height) / INCH, grain=INCH / 72)
